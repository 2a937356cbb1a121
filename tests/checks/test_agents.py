"""Where somebody has to agree, a claim that does not say who has left something out."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, names, said

LEFT_OUT = [
    ("Travel is paid if the manager approves.", "Travel is paid if approved.", "en"),
    ("Travel is paid if approved by the manager.", "Travel is paid if approved.", "en"),
    ("Overtime is paid only with the consent of the works council.", "Overtime is paid only with consent.", "en"),
    ("The drug may be taken if a doctor prescribes it.", "The drug may be taken if prescribed.", "en"),
    ("A minor may fly alone if a parent signs the form.", "A minor may fly alone if the form is signed.", "en"),
    (
        "Überstunden sind zulässig, wenn der Betriebsrat zustimmt.",
        "Überstunden sind zulässig, wenn zugestimmt wird.",
        "de",
    ),
    ("Umbauten sind nur mit Zustimmung des Vermieters erlaubt.", "Umbauten sind nur mit Zustimmung erlaubt.", "de"),
    ("La vente est possible si le juge l'autorise.", "La vente est possible si elle est autorisée.", "fr"),
    ("La obra se permite si el ayuntamiento la autoriza.", "La obra se permite si se autoriza.", "es"),
    ("The loan is paid out if the branch manager and the auditor sign.", "The loan is paid out if signed.", "en"),
]
TOLD = [
    ("Travel is paid if the manager approves.", "Travel is paid if it is approved by the manager.", "en"),
    ("Travel is paid if the manager approves.", "Travel is paid with the manager's approval.", "en"),
    ("Travel is paid if approved.", "Travel is paid with approval.", "en"),
    ("Travel is paid if approved by the manager. Travel is paid if approved.", "Travel is paid when approved.", "en"),
    ("Travel is paid if you approve the plan.", "Travel is paid if the plan is approved.", "en"),
    ("Travel is paid with prior written approval.", "Travel is paid with approval.", "en"),
    (
        "Umbauten sind nur mit Zustimmung des Vermieters erlaubt.",
        "Nur mit Zustimmung des Vermieters sind Umbauten erlaubt.",
        "de",
    ),
]


@pytest.mark.parametrize(("source", "text", "lang"), LEFT_OUT, ids=[text for _, text, _ in LEFT_OUT])
def test_a_condition_without_who_has_to_agree_is_found(source: str, text: str, lang: str) -> None:
    assert "claim.polarity" in names(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))


@pytest.mark.parametrize(("source", "text", "lang"), TOLD, ids=[text for _, text, _ in TOLD])
def test_a_condition_that_says_who_or_needs_nobody_is_left_alone(source: str, text: str, lang: str) -> None:
    found = findings(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))
    assert not found, said(found)


def test_who_is_named_by_the_question_or_the_rest_of_the_answer_is_told() -> None:
    corpus = [make_chunk("c1", "Travel is paid if the manager approves.")]
    asked = make_case(corpus=corpus, question="Does my manager have to approve my travel?")
    assert not findings(asked, answer(claim("Travel is paid if approved.")))
    reply = answer(claim("Travel is paid if approved."), text="Ask your manager. Travel is paid if approved.")
    assert "claim.polarity" not in names(make_case(corpus=corpus), reply)
