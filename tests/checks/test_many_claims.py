"""An answer of many claims is judged claim by claim, and none of its text is taken for said by no claim."""

from __future__ import annotations

from pytest_grounded.checks.states import statements_inside, unclaimed_text
from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, judged

SENTENCES = [f"Room {number} of the house holds {number + 2} guests and has a window." for number in range(1_200)]


def test_the_text_of_a_thousand_claims_is_theirs() -> None:
    chunks = [make_chunk(f"c{at}", " ".join(SENTENCES[at : at + 10])) for at in range(0, len(SENTENCES), 10)]
    case = make_case(corpus=chunks, question="What do the rooms hold?")
    reply = answer(*(claim(text, f"c{number // 10 * 10}") for number, text in enumerate(SENTENCES)))
    looked = judged(case, reply)
    assert not unclaimed_text(looked).strip()
    assert not statements_inside(looked)
    assert not findings(case, reply)
