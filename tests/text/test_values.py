from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.values import contains_value, find_value, same_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The limit is $180.", "180"),
        ("The limit is 180 dollars.", "180"),
        ("The limit is 180.00 EUR.", "180"),
        ("One hundred and eighty is the limit.", "180"),
        ("The limit is 180 dollars.", "$180"),
        ("The limit is 180.", "$180"),
        ("$180 per night", "180"),
        ("180 USD a night", "$180 per night"),
        ("a 12-month term", "12 months"),
        ("a twelve month term", "12-month"),
        ("after one year", "12 months"),
        ("within thirty days", "30 days"),
        ("open from 8 to 16", "8-16"),
        ("open 8–16", "8 to 16"),
        ("due on July 1, 2024", "2024-07-01"),
        ("due on 1 July 2024", "July 2024"),
        ("due on 1 July 2024", "2024"),
        ("at 7 p.m.", "19:00"),
        ("half of the fee", "50%"),
        ("Approval of Grade 3", "3"),
        ("Approval of Grade 3", "grade 3"),
        ("Version 1.2 of the format", "1.2"),
        ("Tickets are INC-1042 and others.", "inc-1042"),
        ("It runs on 203.0.113.10.", "203.0.113.10"),
        ("It opened in May.", "May"),
        ("The answer is YES.", "yes"),
        ("Managers approve it.", "manager"),
        ("the Paris office", "Paris Office"),
        ("the city's limits", "city limit"),
        ("费用上限为三百元", "300元"),
        ("费用由北京办公室承担", "北京办公室"),
        ("请假需提前三天申请", "3天"),
        ("서울에서 30일 이내", "서울"),
        ("A 30-day notice period", "30 days notice"),
        ("Full-width １８０ ok", "180"),
        ("5 % of it", "5 percent"),
        ("a fall to -5 °C", "-5 °C"),
    ],
)
def test_a_text_states_a_value_however_it_is_written(text: str, value: str) -> None:
    assert contains_value(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The limit is 1180.", "180"),
        ("The limit is 1,180.", "180"),
        ("The limit is 18.0.", "180"),
        ("The limit is 180.5.", "180"),
        ("The limit is 180 EUR.", "$180"),
        ("The limit is 180 EUR per week.", "180 EUR per night"),
        ("5 million", "5"),
        ("5 points", "5%"),
        ("5 percentage points", "5%"),
        ("30 days", "30 requests"),
        ("-5", "5"),
        ("10 working days", "10 days"),
        ("about 8.2 thousand", "8234"),
        ("due in July 2024", "1 July 2024"),
        ("due on 03/04/2025", "3 April 2025"),
        ("203.0.113.10", "203.0.113.1"),
        ("It is see [180] there", "180"),
        ("You may enter.", "May"),
        ("no one may enter", "1"),
        ("It is unyielding.", "yield"),
        ("the parish office", "Paris office"),
        ("the office of Paris", "Paris office"),
        ("北京", "北京办公室"),
        ("anything", ""),
        ("anything", "!?"),
        ("", "180"),
    ],
)
def test_a_part_of_another_number_or_word_is_not_the_value(text: str, value: str) -> None:
    assert not contains_value(text, value)


def test_the_language_settles_the_decimal_mark() -> None:
    assert contains_value("Der Satz ist 1.500.", "1500", lang="de")
    assert not contains_value("The rate is 1.500.", "1500", lang="en")


def test_every_place_is_found_in_order() -> None:
    text = "It was 150; it is $180, that is 180 dollars."
    assert [text[start:end] for start, end in find_value(text, "180")] == ["$180", "180 dollars"]


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("$180", "180 dollars", True),
        ("$180", "180", True),
        ("$180", "180 EUR", False),
        ("30 days", "thirty days", True),
        ("30 days", "30", True),
        ("30 days", "60 days", False),
        ("12-month", "one year", True),
        ("1 July 2024", "2024-07-01", True),
        ("2024", "1 July 2024", False),
        ("July 2024", "1 July 2024", False),
        ("03/04/2025", "3 April 2025", False),
        ("8-16", "8 to 16", True),
        ("Yes", "yes", True),
        ("Yes", "No", False),
        ("standard cities", "Standard city", True),
        ("cities", "the cities", False),
        ("5%", "0.05", False),
        ("三天", "3天", True),
        ("", "", False),
        ("about 85", "85", False),
    ],
)
def test_two_values_are_the_same_or_not_in_either_order(left: str, right: str, *, same: bool) -> None:
    assert same_value(left, right) is same
    assert same_value(right, left) is same


@given(st.text(max_size=60), st.text(max_size=12))
def test_any_text_and_value_can_be_compared(text: str, value: str) -> None:
    for start, end in find_value(text, value):
        assert 0 <= start < end <= len(text)
    assert same_value(text, value) is same_value(value, text)


@given(st.integers(0, 10**12))
def test_a_whole_number_is_found_in_its_own_text_and_not_in_a_longer_one(number: int) -> None:
    assert contains_value(f"It is {number:,} in all.", str(number))
    assert not contains_value(f"It is {number}7 in all.", str(number))
