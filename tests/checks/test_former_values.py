"""A figure that its source says was and is no more: wrong where a claim says it of today, right where it says it was."""

from __future__ import annotations

import pytest

from pytest_grounded.model.case import Forbidden
from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings

FEE = "The fee is 7 euros (was 5 euros)."
RATE = "The daily rate rose from $40 to $45 in May."
TERM = "The term was extended from 12 months to 18 months."
GERMAN = "Der Beitrag beträgt 7 Euro (bisher 5 Euro)."
MEMBERS = "Instead of 5 euros, members pay 7 euros."
CHILDREN = "The fee is 7 euros, no longer 5 euros. Children pay 5 euros."

FORMER = [
    (FEE, "The fee is 5 euros."),
    (RATE, "The daily rate is $40."),
    (TERM, "The term is 12 months."),
    (GERMAN, "Der Beitrag beträgt 5 Euro."),
    (MEMBERS, "Members pay 5 euros."),
    (CHILDREN, "The fee is 5 euros."),
]
FINE = [
    (FEE, "The fee is 7 euros."),
    (FEE, "The fee used to be 5 euros."),
    (FEE, "The fee is no longer 5 euros."),
    (RATE, "The daily rate is $45."),
    (RATE, "The daily rate rose from $40."),
    (TERM, "The term was 12 months until it was extended."),
    (GERMAN, "Der Beitrag beträgt 7 Euro."),
    (MEMBERS, "Members pay 7 euros."),
    (CHILDREN, "Children pay 5 euros."),
    ("Prices range from $40 to $45.", "Prices start at $40."),
]


@pytest.mark.parametrize(("source", "text"), FORMER, ids=[text for _, text in FORMER])
def test_a_former_figure_said_of_today_is_found(source: str, text: str) -> None:
    case = make_case(corpus=[make_chunk("c1", source)], question="How much is it?")
    assert [one.check for one in findings(case, answer(claim(text)))] == ["claim.mixed_sources"]


@pytest.mark.parametrize(("source", "text"), FINE, ids=[text for _, text in FINE])
def test_the_present_figure_and_a_former_one_called_so_are_fine(source: str, text: str) -> None:
    case = make_case(corpus=[make_chunk("c1", source)], question="How much is it?")
    assert findings(case, answer(claim(text))) == []


@pytest.mark.parametrize(
    "text",
    ["The limit was raised from $150 to $180.", "The limit is $180, up from $150.", "The limit is $180 (was $150)."],
)
def test_a_forbidden_value_called_the_former_one_is_not_asserted(text: str) -> None:
    case = make_case(corpus=[make_chunk("c1", text)], question="What is the limit?", forbid=Forbidden(values=("150",)))
    assert findings(case, answer(claim(text))) == []
