"""Is a changed text only worded differently?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.snapshots.wording import only_renamed, only_reworded, prose


def test_thirty_days_to_sixty_days_is_never_a_rewording() -> None:
    assert not only_reworded("Receipts are due within 30 days.", "Receipts are due within 60 days.", supported=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("The limit is $180.", "The limit is $185.", id="an amount"),
        pytest.param("The limit is $180.", "The limit is €180.", id="a currency"),
        pytest.param("It takes 30 days.", "It takes 30 hours.", id="a unit"),
        pytest.param("It holds from 1 July 2024.", "It holds from 1 July 2025.", id="a date"),
        pytest.param("You may fly first class.", "You may not fly first class.", id="a negation added"),
        pytest.param("Alcohol is never paid.", "Alcohol is paid.", id="a negation dropped"),
        pytest.param("Managers must approve it.", "Managers may approve it.", id="a modal exchanged"),
        pytest.param("You can book it yourself.", "You cannot book it yourself.", id="cannot"),
        pytest.param("Meals are included.", "Meals are excluded.", id="the opposite of a word"),
        pytest.param("The fee is refundable.", "The fee is nonrefundable.", id="a prefix that turns a word round"),
        pytest.param("It is sent before the trip.", "It is sent after the trip.", id="before and after"),
        pytest.param("Hotels are paid.", "Hotels are paid except in Paris.", id="an exception added"),
        pytest.param("It is paid by the Berlin office.", "It is paid by the Paris office.", id="a name"),
        pytest.param("The limit is $180.", "", id="nothing is left"),
        pytest.param("", "The limit is $180.", id="something appears"),
        pytest.param("Ask your manager.", "", id="a text without facts vanishes"),
        pytest.param(
            "The limit is $180 in cities and $260 in Paris.",
            "The limit is $260 in cities and $180 in Paris.",
            id="two amounts exchanged",
        ),
        pytest.param("Receipts above $25 are due.", "Receipts of $25 are due.", id="an exclusive bound dropped"),
        pytest.param("You get at most $180.", "You get at least $180.", id="a bound exchanged"),
        pytest.param("The limit is $180.", "It is at least $180.", id="a bound the wrong way round"),
        pytest.param(
            "The room costs 180 euros. Breakfast costs 20 euros.",
            "The room costs 20 euros. Breakfast costs 180 euros.",
            id="two amounts exchanged between sentences",
        ),
    ],
)
def test_what_states_something_else_is_no_rewording(old: str, new: str) -> None:
    assert not only_reworded(old, new, supported=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Return it within 30 days.", "Within 30 days return it.", id="another order of words"),
        pytest.param("The limit is $180.", "Limits are $180.", id="another capitalised opener"),
        pytest.param("Hotels cost at most $180 a night.", "Rooms cost at most $180 a night.", id="another noun"),
        pytest.param("The limit is $1,200.", "The limit is $1200.", id="a number written differently"),
        pytest.param("The limit is 30 days.", "The limit is thirty days.", id="a number in words"),
        pytest.param("Receipts are due.", "Receipts   are\ndue.", id="white space"),
        pytest.param("Ask the travel desk about it.", "About it ask the Travel Desk.", id="a name in other letters"),
        pytest.param(
            "Within 30 days you get up to $500.",
            "You get up to $500 within 30 days.",
            id="values of two kinds in another order",
        ),
    ],
)
def test_the_same_facts_in_other_words_are_a_rewording(old: str, new: str) -> None:
    assert only_reworded(old, new)


@pytest.mark.parametrize(
    ("old", "new", "supported", "expected"),
    [
        pytest.param("Travel is booked early.", "Travel must be booked early.", True, True, id="added, all else equal"),
        pytest.param(
            "Travel must be booked early.", "Travel is booked early.", True, True, id="dropped, all else equal"
        ),
        pytest.param(
            "Travel is booked early.", "Travel must be booked early.", False, False, id="added, claims changed"
        ),
        pytest.param("You must ask.", "You may ask.", True, False, id="exchanged, all else equal"),
        pytest.param(
            "You must ask.", "You must ask and you may wait.", True, False, id="a second one of another class"
        ),
        pytest.param("You must ask.", "You shall ask.", False, True, id="exchanged within a class"),
        pytest.param("An older rule says so.", "Nothing can be said.", True, False, id="a denial beside a modal"),
        pytest.param("You may fly.", "You are forbidden to fly.", True, False, id="a permission forbidden"),
        pytest.param("Flights are paid.", "Flights are not required.", True, False, id="an exemption added"),
        pytest.param(
            "The limit is $180 per night.",
            "You may spend up to $180 a night.",
            True,
            True,
            id="a bound that was implied",
        ),
        pytest.param(
            "The limit is $180 per night.", "You may spend up to $180 a night.", False, False, id="and claims changed"
        ),
    ],
)
def test_a_modal_or_bound_may_come_or_go_only_where_claims_citations_and_quotes_are_equal(
    old: str, new: str, *, supported: bool, expected: bool
) -> None:
    assert only_reworded(old, new, supported=supported) is expected


def test_a_translation_is_no_rewording() -> None:
    assert not only_reworded(
        "The limit is 180 for all of the staff in the city.",
        "Das Limit ist 180 für alle Mitarbeiter und nicht mehr in der Stadt.",
    )


def test_many_values_in_another_order_are_not_compared_each_with_each() -> None:
    values = [f"row {n} is {n} euros." for n in range(1000, 3000)]
    assert not only_reworded(" ".join(values), " ".join(reversed(values)))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("Ask the travel desk.", "ask the Travel Desk", True, id="case and punctuation"),
        pytest.param("parking fee", "fees for parking", True, id="order and plural"),
        pytest.param("parking fee", "breakfast price", False, id="another thing"),
        pytest.param("ask_human", "ask_owner", False, id="another code"),
    ],
)
def test_a_name_is_the_same_while_its_content_words_are(old: str, new: str, *, expected: bool) -> None:
    assert only_renamed(old, new) is expected


@given(st.text(max_size=200))
def test_every_text_is_a_rewording_of_itself(text: str) -> None:
    assert only_reworded(text, text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(["One. ", "Two."], "One. Two."), ("One.", "One."), (None, ""), (5, ""), ([1, "a"], "a")],
    ids=["sentences", "text", "nothing", "number", "mixed"],
)
def test_the_words_of_a_value(value: Any, expected: str) -> None:
    assert prose(value) == expected
