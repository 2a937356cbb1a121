"""A claim with its source's words says what its source says, or it is found, or it is left to a judge; never nothing."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case
from tests.checks.building import answer, claim, names, unchecked

EXCHANGED = {
    "who does it": ("The director approves the manager's trips.", "The manager approves the director's trips."),
    "whose it is": ("The director approves trips of the manager.", "The manager approves trips of the director."),
    "who is paid": ("The tenant pays the landlord a deposit.", "The landlord pays the tenant a deposit."),
    "in German": ("Der Mieter zahlt dem Vermieter eine Kaution.", "Der Vermieter zahlt dem Mieter eine Kaution."),
    "in Chinese": ("甲方向乙方支付定金。", "乙方向甲方支付定金。"),
    "both passive": ("The committee was appointed by the board.", "The board was appointed by the committee."),
    "active made passive": ("The agency sued the contractor.", "The agency was sued by the contractor."),
    "passive made active": ("The trips are approved by the director.", "The trips approve the director."),
    "respectively": (
        "Plans A and B cost 5 and 7 euros respectively.",
        "Plans A and B cost 7 and 5 euros respectively.",
    ),
    "across clauses": ("Ben leads sales, and Anna leads support.", "Anna leads sales, and Ben leads support."),
    "objects of two clauses": (
        "Staff may borrow laptops; visitors may borrow tablets.",
        "Staff may borrow tablets; visitors may borrow laptops.",
    ),
    "from and to": ("Trains run from Lyon to Paris.", "Trains run from Paris to Lyon."),
    "by one and by the other": (
        "Claims are handled by Zurich and audits by Geneva.",
        "Claims are handled by Geneva and audits by Zurich.",
    ),
    "comparison": ("Plan A is cheaper than plan B.", "Plan B is cheaper than plan A."),
    "comparison with for": (
        "The fee is higher for members than for guests.",
        "The fee is higher for guests than for members.",
    ),
    "before": ("The training takes place before the exam.", "The exam takes place before the training."),
    "not the one but the other": (
        "The warranty covers parts but not labour.",
        "The warranty covers labour but not parts.",
    ),
    "condition of another clause": (
        "If you have a permit, you may park in the yard; without one you pay.",
        "If you have a permit, you pay; without one you may park in the yard.",
    ),
    "only": ("Only employees may book online.", "Employees may only book online."),
}
ONE_WORD = {
    "month": ("The office opens in June.", "The office opens in May."),
    "weekday": ("The office is closed on Monday.", "The office is closed on Tuesday."),
    "until and from": ("The offer holds until Friday.", "The offer holds from Friday."),
    "before and after": ("Apply after the training ends.", "Apply before the training ends."),
    "to and from": ("Files are moved to the archive.", "Files are moved from the archive."),
    "if and unless": ("Receipts are needed unless you pay cash.", "Receipts are needed if you pay cash."),
    "and and or": ("A passport and a visa must be shown.", "A passport or a visa must be shown."),
    "or and and": ("A passport or a visa must be shown.", "A passport and a visa must be shown."),
    "both and either": ("Both parents must sign.", "Either parent must sign."),
    "share": ("Most applicants are interviewed.", "All applicants are interviewed."),
    "strength": ("Employees may book early.", "Employees must book early."),
    "strength of advice": ("Employees should book early.", "Employees must book early."),
    "factor": ("Sales tripled.", "Sales doubled."),
    "direction": ("The fee is higher for members than for guests.", "The fee is lower for members than for guests."),
    "added only": ("Refunds are paid to members.", "Refunds are paid only to members."),
    "exception left out": ("Receipts are required except for taxis.", "Receipts are required."),
    "what is excepted": ("The warranty covers parts but not labour.", "The warranty covers parts and labour."),
    "who is meant left out": ("Drinks are free for guests who stay three nights.", "Drinks are free for guests."),
    "condition left out": ("You may park here if you have a permit.", "You may park here."),
}
FINE = {
    "clauses in another order": (
        "Ben leads support, and Anna leads sales.",
        "Anna leads sales, and Ben leads support.",
    ),
    "list in another order": ("Apples, plums and pears are sold.", "Pears, plums and apples are sold."),
    "pair in another order": ("Dogs and cats are allowed.", "Cats and dogs are allowed."),
    "adverbial in front": ("The office opens at nine in June.", "In June the office opens at nine."),
    "passive": ("The agency sued the contractor.", "The contractor was sued by the agency."),
    "active": ("The manager's trips are approved by the director.", "The director approves the manager's trips."),
    "clause with only": (
        "If the road is closed, you can only use the bridge.",
        "You can only use the bridge if the road is closed.",
    ),
    "clause that denies": ("To refuse it, give notice within 7 days.", "Give notice within 7 days to refuse it."),
    "not a passive": ("The form is sent by post in June.", "In June the form is sent by post."),
}
OPEN = {
    "converse comparison": ("Plan B is more expensive than plan A.", "Plan A is cheaper than plan B."),
    "converse order in time": (
        "The exam takes place after the training.",
        "The training takes place before the exam.",
    ),
    "another name": ("Rome is nice.", "Paris is nice."),
    "condition added": ("Visitors may park in the yard.", "Visitors may park in the yard if they have a permit."),
    "only left out": ("Refunds are paid only to members.", "Refunds are paid to members."),
    "for whom left out": ("Drinks are free for members in June.", "Drinks are free."),
    "per what left out": ("Visitor parking costs $12 per day.", "Visitor parking costs $12."),
    "meeting": ("The mayor meets the minister in Rome.", "The minister meets the mayor in Rome."),
    "a factor of nothing said": ("Sales went up steeply.", "Sales doubled at once."),
}


def judged(source: str, text: str) -> tuple[set[str], set[str]]:
    """Names of what is found, and of what is left open."""
    case = make_case(corpus=[source], question="What does the text say?")
    return names(case, answer(claim(text))), {one.check for one in unchecked(case, answer(claim(text)))}


@pytest.mark.parametrize(("source", "text"), EXCHANGED.values(), ids=EXCHANGED)
def test_parts_that_changed_places_are_found(source: str, text: str) -> None:
    assert "claim.polarity" in judged(source, text)[0]


@pytest.mark.parametrize(("source", "text"), ONE_WORD.values(), ids=ONE_WORD)
def test_one_small_word_that_says_another_thing_is_found(source: str, text: str) -> None:
    assert judged(source, text)[0] & {"claim.polarity", "number.unsupported"}


@pytest.mark.parametrize(("source", "text"), [*FINE.values(), *((text, text) for _, text in EXCHANGED.values())])
def test_an_order_that_says_the_same_is_decided(source: str, text: str) -> None:
    found, left = judged(source, text)
    assert not found
    assert "claim.unsupported" not in left


@pytest.mark.parametrize(("source", "text"), OPEN.values(), ids=OPEN)
def test_what_no_rule_decides_is_not_judged(source: str, text: str) -> None:
    found, left = judged(source, text)
    assert not found
    assert "claim.unsupported" in left


def test_what_is_left_out_is_no_matter_where_the_question_or_the_answer_has_it() -> None:
    source = "Drinks are free for members."
    asked = make_case(corpus=[source], question="Are drinks free for members?")
    told = make_case(corpus=[source], question="Are drinks free?")
    for case, text in ((asked, "Yes."), (told, "Members: drinks are free.")):
        left = unchecked(case, answer(claim("Drinks are free."), text=text))
        assert "claim.unsupported" not in {one.check for one in left}


def test_one_claim_that_is_turned_in_two_ways_is_found_once() -> None:
    case = make_case(corpus=["Apply after the training ends."], question="What does the text say?")
    assert "claim.polarity" in names(case, answer(claim("Apply before the training ends.")))
