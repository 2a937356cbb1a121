"""Where prose is cut into claims, and what each claim carries along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.claims import split_claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        pytest.param("The limit is $180.", ["The limit is $180."], id="one"),
        pytest.param("", [], id="nothing"),
        pytest.param("The limit is $180. It ends in May.", ["The limit is $180.", "It ends in May."], id="sentences"),
        pytest.param(
            "The limit is $180, and receipts are required.", ["The limit is $180", "receipts are required."], id="and"
        ),
        pytest.param(
            "Fares are booked by us and may not be changed.",
            ["Fares are booked by us", "Fares may not be changed."],
            id="the-subject-is-carried",
        ),
        pytest.param(
            "If you travel abroad, visas are paid, and you must keep the receipt.",
            ["If you travel abroad, visas are paid", "If you travel abroad, you must keep the receipt."],
            id="the-condition-is-carried",
        ),
        pytest.param(
            "If it is late, call us, and if it is early, wait.",
            ["If it is late, call us", "if it is early, wait."],
            id="a-condition-of-its-own",
        ),
        pytest.param(
            "Meals are paid; unless you fly, trains are too.",
            ["Meals are paid", "unless you fly, trains are too."],
            id="semicolon",
        ),
        pytest.param("Meals and rooms are paid.", ["Meals and rooms are paid."], id="two-subjects"),
        pytest.param("You may claim meals, rooms, and taxis.", ["You may claim meals, rooms, and taxis."], id="a-list"),
        pytest.param(
            "It is paid (taxis are too, and trains are not) in May.",
            ["It is paid (taxis are too, and trains are not) in May."],
            id="brackets-are-not-cut",
        ),
        pytest.param(
            "Unless it is an emergency and you are at the airport, you must call.",
            ["Unless it is an emergency and you are at the airport, you must call."],
            id="nothing-is-cut-inside-a-condition",
        ),
        pytest.param("标准城市的限额是180元。", ["标准城市的限额是180元。"], id="another-language-by-sentences"),
        pytest.param("a and is " * 400, ["a and is " * 400], id="no-prose-is-left-whole"),
    ],
)
def test_each_statement_is_a_claim(text: str, claims: list[str]) -> None:
    assert [claim.text for claim in split_claims(text)] == [claim.strip() for claim in claims]


PIECES = st.sampled_from(
    [
        "If you fly, ",
        "the fee is $5",
        ", and ",
        " and ",
        "must be paid",
        "; ",
        "call us",
        ". ",
        "(",
        ")",
        " but ",
        "it is not",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_claims_stand_in_the_text_in_order_and_end_with_their_own_words(text: str) -> None:
    claims = split_claims(text)
    at = 0
    for claim in claims:
        assert at <= claim.start < claim.end <= len(text)
        assert claim.text.endswith(text[claim.start : claim.end])
        at = claim.end
    kept = "".join(text[claim.start : claim.end] for claim in claims)
    assert kept.count("$5") == text.count("$5")
    assert kept.count("not") == text.count("not")
