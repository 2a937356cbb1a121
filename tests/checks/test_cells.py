"""A number of a table is that of the row and the column that the claim names."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, names, unchecked

HOTELS = """\
| City | Limit | Meals |
| --- | --- | --- |
| Rome | 180 | 40 |
| Oslo | 220 | 55 |
"""
LEAVE = "Grade | Leave | Notice\n3 | 20 days | 1 month\n4 | 25 days | 3 months"
PLANS = "Plan,Monthly price,Yearly price\nBasic,10,100\nPro,20,200\n".replace(",", " | ")


def judged(table: str, text: str) -> tuple[set[str], bool]:
    """Names of what is found, and whether the claim was left open."""
    case = make_case(corpus=[make_chunk("c1", table, kind="table")], question="What does the table say?")
    left = {one.check for one in unchecked(case, answer(claim(text)))}
    return names(case, answer(claim(text))), "claim.unsupported" in left


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (HOTELS, "The limit for Rome is 180."),
        (HOTELS, "Meals in Oslo cost 55."),
        (HOTELS, "Rome: Limit 180"),
        (LEAVE, "Grade 4 has a notice of 3 months."),
        (PLANS, "The yearly price of Pro is 200."),
    ],
)
def test_a_cell_read_right_is_decided(table: str, text: str) -> None:
    assert judged(table, text) == (set(), False)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (HOTELS, "The limit for Rome is 220."),
        (HOTELS, "The limit for Rome is 40."),
        (HOTELS, "Meals in Oslo cost 220."),
        (LEAVE, "Grade 3 has 25 days of leave."),
        (LEAVE, "Grade 4 has a notice of 1 month."),
        (PLANS, "The Basic plan has a monthly price of 100."),
        (PLANS, "The yearly price of Pro is 20."),
    ],
)
def test_a_number_of_another_cell_is_found(table: str, text: str) -> None:
    assert judged(table, text)[0] == {"claim.mixed_sources"}


@pytest.mark.parametrize("text", ["Rome has a limit of 180 and Oslo of 55.", "In Rome 40 is paid at most."])
def test_two_rows_or_no_column_are_left_open(text: str) -> None:
    assert judged(HOTELS, text) == (set(), True)
