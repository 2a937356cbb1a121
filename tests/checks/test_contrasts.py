"""A figure of the question that an answer only sets aside is no statement, and a figure of the source is none to deny."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.contrasts import without_set_aside
from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.testing.builders import make_case, make_chunk

ENGLISH = ("The notice period is 45 days.", "Is the notice period 30 days?")
GERMAN = ("Die Frist beträgt 45 Tage.", "Beträgt die Frist 30 Tage?")
FRENCH = ("Le délai est de 45 jours.", "Le délai est-il de 30 jours ?")


def judged_of(case: Case, reply: Mapping[str, object]) -> Judged:
    return Judged(case=case, outcome=Outcome(response=Response.model_validate(reply)), view=case.view)


def checks_on(source: str, question: str, claim: str) -> set[str]:
    case = make_case(corpus=[make_chunk(id="c1", text=source)], question=question)
    reply = {
        "decision": "answer",
        "text": claim,
        "claims": [{"text": claim, "cites": ["c1"]}],
        "internal": {"evidence": ["c1"]},
    }
    judged = judged_of(case, reply)
    return {one.check for check in DEFAULT_CHECKS for one in check(judged) if isinstance(one, Finding)}


RIGHT = {
    "not behind a comma": (*ENGLISH, "The notice period is 45 days, not 30."),
    "with its unit and a no before it": (*ENGLISH, "No, the notice period is 45 days, not 30 days."),
    "instead of": (*ENGLISH, "The notice period is 45 days instead of 30."),
    "not but": (*ENGLISH, "The notice period is not 30 but 45 days."),
    "German": (*GERMAN, "Nein, die Frist beträgt 45 Tage, nicht 30."),
    "German sondern": (*GERMAN, "Die Frist beträgt nicht 30, sondern 45 Tage."),
    "French": (*FRENCH, "Le délai est de 45 jours, et non 30."),
    "Chinese": ("退货期限为45天。", "退货期限是30天吗？", "退货期限为45天，而不是30天。"),
    "Japanese": (
        "保証期間は購入日から2年間です。",
        "保証期間は1年ですか。",
        "いいえ、保証期間は1年ではなく、購入日から2年間です。",
    ),
}
WRONG = {
    "sides exchanged": (*ENGLISH, "The notice period is 30 days, not 45."),
    "sides exchanged in not but": (*ENGLISH, "The notice period is not 45 but 30 days."),
    "a third figure": (*ENGLISH, "The notice period is 60 days, not 30."),
    "the right one set aside": ("The notice period is 30 days.", ENGLISH[1], "The notice period is 45 days, not 30."),
    "denied alone": ("The notice period is 30 days.", ENGLISH[1], "The notice period is not 30 days."),
}


@pytest.mark.parametrize(("source", "question", "claim"), RIGHT.values(), ids=RIGHT)
def test_a_figure_of_the_question_may_be_set_aside(source: str, question: str, claim: str) -> None:
    assert checks_on(source, question, claim) == set()


@pytest.mark.parametrize(("source", "question", "claim"), WRONG.values(), ids=WRONG)
def test_what_a_source_says_may_not(source: str, question: str, claim: str) -> None:
    assert {check.split(".")[0] for check in checks_on(source, question, claim)} & {"number", "claim"}


SAID_OTHERWISE = {
    "around the clock": ("The desk is staffed around the clock.", "The desk is staffed 24/7."),
    "24 hours a day": ("The desk is open 24 hours a day, 7 days a week.", "The desk is open 24/7."),
    "24/7 spelt out": ("The desk is open 24/7.", "The desk is open 24 hours a day, seven days a week."),
    "net 30": ("Invoices are payable within 30 days of their date.", "Payment terms are net 30."),
    "net 30 days": ("Invoices are due: net 30.", "Invoices are due in 30 days."),
    "3 of 5": ("3 of 5 reviewers must approve.", "Three out of five reviewers must approve."),
    "3 out of 5": ("3 out of 5 reviewers must approve.", "3 of the 5 reviewers must approve."),
    "3/5": ("3 of the 5 reviewers must approve.", "3/5 of the reviewers must approve."),
    "a telephone number with its nought": ("Call +49 30 1234567 for help.", "Call +49 (0)30 1234567 for help."),
    "cents": ("Der Preis beträgt 32,5 ct/kWh im Tarif.", "Der Preis beträgt im Tarif 0,325 € pro kWh."),
    "a Hindi date": ("आवेदन की अंतिम तिथि 15 मार्च 2025 है।", "अंतिम तिथि 15/03/2025 है।"),
    "a Hindi amount": ("शुल्क 1,50,000 रुपये है।", "शुल्क 1.5 लाख रुपये है।"),
    "a Hindi percentage": ("छुट्टी में 75 प्रतिशत वेतन मिलता है।", "छुट्टी में ७५% वेतन मिलता है।"),
}
SAID_WRONG = {
    "half the day": ("The desk is open 12 hours a day, 5 days a week.", "The desk is open 24/7."),
    "only on weekdays": ("The desk is open 24 hours on weekdays.", "The desk is open 24/7."),
    "net 60": ("Invoices are due: net 30.", "Invoices are due net 60."),
    "4 of 5": ("3 of 5 reviewers must approve.", "4 of 5 reviewers must approve."),
    "3 of 6": ("3 out of 5 reviewers must approve.", "3 of 6 reviewers must approve."),
    "2/5": ("3 of the 5 reviewers must approve.", "2/5 of the reviewers must approve."),
    "another telephone number": ("Call +49 30 1234567 for help.", "Call +49 (0)30 1234576 for help."),
    "cents for euros": ("Der Preis beträgt 32,5 ct/kWh.", "Der Preis beträgt 32,5 €/kWh."),
    "another Hindi month": ("आवेदन की अंतिम तिथि 15 मार्च 2025 है।", "आवेदन की अंतिम तिथि 15 मई 2025 है।"),
    "another Hindi scale": ("शुल्क 1,50,000 रुपये है।", "शुल्क 1.5 करोड़ रुपये है।"),
    "another Hindi unit": ("छुट्टी 30 दिन तक मिलती है।", "छुट्टी 30 महीने तक मिलती है।"),
}


def _lang(text: str) -> str | None:
    return "hi" if "ि" in text else "de" if "beträgt" in text else None


def numbers_on(source: str, claim: str) -> set[str]:
    case = make_case(corpus=[make_chunk(id="c1", text=source, lang=_lang(source))], question="What holds?")
    reply = {"decision": "answer", "text": claim, "claims": [{"text": claim, "cites": ["c1"]}]}
    judged = judged_of(case, reply)
    return {one.check for check in DEFAULT_CHECKS for one in check(judged) if isinstance(one, Finding)}


@pytest.mark.parametrize(("source", "claim"), SAID_OTHERWISE.values(), ids=SAID_OTHERWISE)
def test_a_figure_may_be_written_as_people_write_it(source: str, claim: str) -> None:
    assert numbers_on(source, claim) == set()


@pytest.mark.parametrize(("source", "claim"), SAID_WRONG.values(), ids=SAID_WRONG)
def test_another_figure_written_so_is_found(source: str, claim: str) -> None:
    assert {check.split(".")[0] for check in numbers_on(source, claim)} & {"number", "claim"}


def test_what_is_set_aside_is_taken_out() -> None:
    case = make_case(corpus=[make_chunk(id="c1", text=ENGLISH[0])], question=ENGLISH[1])
    judged = judged_of(case, {"decision": "abstain"})
    assert without_set_aside(judged, "It is 45 days, not 30 days.") == "It is 45 days."
    assert without_set_aside(judged, "It is not 30 days.") == "It is not 30 days."
