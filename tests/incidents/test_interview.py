"""What a person answers becomes the record that they would have written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.incidents.interview import Interview
from pytest_grounded.incidents.record import Stated
from pytest_grounded.incidents.suites import Workspace
from pytest_grounded.incidents.wishes import Wishes


class Scripted:
    """A person who has all answers ready; `heard` is what was asked and told."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers: Iterator[str] = iter(answers)
        self.heard: list[str] = []

    def tell(self, said: str) -> None:
        self.heard.append(said)

    def line(self, asked: str, *, default: str = "") -> str:
        self.heard.append(asked)
        return next(self.answers) or default

    def text(self, asked: str) -> str:
        self.heard.append(asked)
        return next(self.answers)


ASKED = ("How much?", "staff, travel", "2024-10-01", "It is $150.", "", "c1")
"""The question, who asked, the day, the reply, its decision, and what it rests on: a chunk that is known."""

SAID: dict[str, Any] = {
    "question": "How much?",
    "requester": {"groups": ["staff", "travel"]},
    "as_of": "2024-10-01",
    "answer": "It is $150.",
    "decision": "answer",
    "sources": ["c1"],
    "evidence": ["c1"],
}

RECORDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "nothing stated": ((*ASKED, "", ""), {**SAID, "incident": None}),
    "an answer": (
        (*ASKED, "answerable", "180; one hundred eighty", "c1, c2", "INC-7"),
        {
            **SAID,
            "expected": {"kind": "answerable", "values": ["180", "one hundred eighty"], "evidence": ["c1", "c2"]},
            "incident": "INC-7",
        },
    ),
    "a part": (
        (*ASKED, "partial", "minibar; breakfast", "180", "", ""),
        {
            **SAID,
            "expected": {"kind": "partial", "missing": ["minibar", "breakfast"], "values": ["180"]},
            "incident": None,
        },
    ),
    "no answer": (
        (*ASKED, "unanswerable", "", ""),
        {**SAID, "expected": {"kind": "unanswerable", "reason_code": "NO_EVIDENCE"}, "incident": None},
    ),
    "a conflict": ((*ASKED, "conflicting", ""), {**SAID, "expected": {"kind": "conflicting"}, "incident": None}),
    "something restricted": (
        (*ASKED, "restricted", "memo", "The bonus is $9.", "board", ""),
        {
            **SAID,
            "expected": {"kind": "restricted"},
            "about": ["memo"],
            "chunks": [{"id": "memo", "text": "The bonus is $9.", "readers": ["board"]}],
            "incident": None,
        },
    ),
    "a chunk whose text nobody has": (
        (*ASKED[:5], "c1, gone", "", "", ""),
        {**SAID, "sources": ["c1", "gone"], "evidence": ["c1", "gone"], "incident": None},
    ),
    "a reply in JSON": (
        (*ASKED[:3], '{"decision": "answer"}', "", ""),
        {
            "question": "How much?",
            "requester": {"groups": ["staff", "travel"]},
            "as_of": "2024-10-01",
            "response": '{"decision": "answer"}',
            "incident": None,
        },
    ),
}


def interview(person: Scripted, root: Path) -> Interview:
    workspace = Workspace(root=root, cases_roots=(root / "cases",))
    return Interview(person=person, workspace=workspace, knows={"c1"}.__contains__)


@pytest.mark.parametrize(("answers", "record"), RECORDS.values(), ids=RECORDS)
def test_answers_become_a_record(answers: tuple[str, ...], record: dict[str, Any], tmp_path: Path) -> None:
    person = Scripted(answers)
    assert interview(person, tmp_path).record(Wishes()) == record
    assert next(person.answers, None) is None


def test_what_was_said_already_is_not_asked(tmp_path: Path) -> None:
    wishes = Wishes(question="How much?", requester="employee", incident="INC-7", stated=Stated(kind="answerable"))
    record = interview(Scripted(["2024-10-01", "It is $150.", "", ""]), tmp_path).record(wishes)
    assert record == {"as_of": "2024-10-01", "answer": "It is $150.", "decision": "answer"}


def test_readers_have_to_be_said(tmp_path: Path) -> None:
    person = Scripted([*ASKED[:5], "new", "It is $150.", "", " , ", "-", "", ""])
    record = interview(person, tmp_path).record(Wishes())
    assert record["chunks"] == [{"id": "new", "text": "It is $150.", "readers": []}]
    assert person.heard.count("Who may read 'new'? Groups, commas between; * for everyone, - for nobody") == 3
