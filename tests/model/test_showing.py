"""What is printed of a value wherever a test fails holds ids and lengths, no text."""

from __future__ import annotations

from datetime import date

import pytest

from pytest_grounded.harness.judging import judge
from pytest_grounded.model.evidence import ANONYMOUS
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.response import Response
from pytest_grounded.testing.builders import make_case, make_chunk

SECRET = "The bonus is 41,750 dollars."
REPLY = {
    "decision": "answer",
    "reason_code": SECRET,
    "text": SECRET,
    "claims": [
        {"text": SECRET, "quote": SECRET, "cites": ["c1"], "derivation": {"operation": SECRET, "operands": [{"value": SECRET}]}}
    ],
    "conflicts": [{"key": SECRET, "sides": [{"value": SECRET, "chunks": [SECRET]}]}],
    "missing": [SECRET],
    "next_step": SECRET,
    "followups": [SECRET],
    "sources": [{"chunk": "c1", "title": SECRET, "url": SECRET, "marker": SECRET}],
    "rendered": [{"marker": 1, "chunk": SECRET}],
    "confidence": 41750,
    "stream": [SECRET],
    "actions": [{"name": SECRET, "arguments": {SECRET: SECRET}}],
    "error": {"kind": SECRET, "status": 41750},
    SECRET: {SECRET: SECRET},
    "internal": {
        "reason_code": SECRET,
        "evidence": ["c1", SECRET],
        "candidates": [{"chunk": "c1", "score": 0.41750, "reason": SECRET}],
        "prompt": [SECRET],
        "support": [{SECRET: SECRET}],
        "steps": [{"name": SECRET}],
        "raw": SECRET,
        "usage": {"tokens": 41750},
        SECRET: SECRET,
    },
}  # fmt: skip
RESPONSE = Response.model_validate(REPLY)
CASE = make_case(question=SECRET, corpus=[make_chunk("c1", SECRET)], history=(Turn(role="user", text=SECRET),))
VALUES = {
    "response": RESPONSE,
    "claim": RESPONSE.claims[0],
    "internal": RESPONSE.internal,
    "outcome": Outcome(response=RESPONSE, raw=REPLY),
    "failure": Outcome(failure=Failure(kind=FailureKind.EXCEPTION, message=SECRET), raw=SECRET),
    "case": CASE,
    "request": CASE.request(),
    "turn": CASE.history[0],
    "chunk": CASE.corpus["c1"],
    "corpus": CASE.corpus,
    "result": judge(CASE, Outcome(response=RESPONSE)),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("show", [repr, str, "{!r}".format])
def test_a_value_is_shown_without_its_text(value: object, show: type[str]) -> None:
    shown = show(value)
    assert not any(word in shown for word in ("bonus", "41750", "41,750", "4175", "dollars"))
    assert shown


def test_what_is_shown_tells_ids_and_lengths() -> None:
    assert repr(RESPONSE.claims[0].citations) == "(Citation(chunk='c1'),)"
    assert "text=<28 characters>" in repr(RESPONSE)
    assert repr(CASE) == f"Case({CASE.suite}/{CASE.id}, answerable)"
    request = Request(question=SECRET, requester=ANONYMOUS, as_of=date(2024, 1, 1))
    assert repr(request).startswith("Request(requester=")
