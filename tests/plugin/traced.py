"""A project whose system answers from a file, so that a test says what changes between two runs."""

from __future__ import annotations

import copy
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Replies", "Traced", "replies"]

Replies = dict[str, dict[str, Any]]

_CORPUS = """
corpus: travel
as_of: 2024-10-01
default_readers: ["*"]
chunks:
  - {id: c1, text: "The nightly hotel limit in standard cities is $180 per night."}
  - {id: c2, text: "Receipts are required above $25."}
  - {id: c3, text: "Breakfast is paid up to $20 a day."}
  - {id: c4, text: "Laundry is paid after 7 nights."}
  - {id: memo, text: "Closing team members receive a retention bonus of 41,750 dollars.", readers: [board]}
"""

_STAY = """
requesters:
  employee: {groups: [staff]}
defaults: {requester: employee}
cases:
  - id: hotel
    kind: answerable
    question: What is the nightly hotel limit in standard cities?
    expect: {slots: [{name: limit, values: ["180"], evidence: [c1]}]}
  - id: laundry
    kind: answerable
    question: When is laundry paid?
    expect: {slots: [{name: nights, values: ["7"], evidence: [c4]}]}
  - id: parking
    kind: unanswerable
    question: What does parking cost?
    risk: high
    expect: {decision: [abstain, clarify]}
"""

_MEALS = """
requesters:
  employee: {groups: [staff]}
defaults: {requester: employee}
cases:
  - id: breakfast
    kind: answerable
    question: How much is paid for breakfast?
    expect: {slots: [{name: amount, values: ["20"], evidence: [c3]}]}
  - id: receipts
    kind: answerable
    question: When are receipts required?
    expect: {slots: [{name: amount, values: ["25"], evidence: [c2]}]}
  - id: bonus
    kind: restricted
    question: What is the retention bonus of the closing team?
    about: [memo]
"""

_SYSTEM = """
import json
import os
import signal
from pathlib import Path

REPLIES = Path(__file__).with_name("replies.json")


def answer(request):
    reply = json.loads(REPLIES.read_text(encoding="utf-8"))[request.question]
    if reply == "crash":
        raise RuntimeError("the index is gone")
    if reply == "exit":
        os._exit(3)
    if reply == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    return reply
"""

QUESTIONS = {
    "hotel": "What is the nightly hotel limit in standard cities?",
    "laundry": "When is laundry paid?",
    "parking": "What does parking cost?",
    "breakfast": "How much is paid for breakfast?",
    "receipts": "When are receipts required?",
    "bonus": "What is the retention bonus of the closing team?",
}
FILES = {
    "hotel": "stay",
    "laundry": "stay",
    "parking": "stay",
    "breakfast": "meals",
    "receipts": "meals",
    "bonus": "meals",
}


def _stating(chunk: str, text: str) -> dict[str, Any]:
    return {
        "decision": "answer",
        "text": f"{text} [{chunk}]",
        "claims": [{"text": text, "cites": [chunk], "quote": text}],
        "confidence": 0.9,
        "internal": {
            "evidence": [chunk],
            "prompt": [],
            "candidates": [
                {"chunk": chunk, "score": 0.9, "kept": True},
                {"chunk": "c2" if chunk != "c2" else "c1", "score": 0.2, "kept": False, "reason": "below floor"},
            ],
            "steps": [{"name": "select", "kept": 1}, {"name": "verify", "outcome": "passed"}],
            "versions": {"model": "m-1", "prompt": "p-1"},
        },
    }


def _abstaining() -> dict[str, Any]:
    return {
        "decision": "abstain",
        "reason_code": "NO_EVIDENCE",
        "text": "I could not find this.",
        "internal": {
            "evidence": [],
            "prompt": [],
            "candidates": [],
            "steps": [{"name": "gate", "outcome": "closed"}],
            "versions": {"model": "m-1", "prompt": "p-1"},
        },
    }


def replies() -> Replies:
    """A fresh set of right replies by case id."""
    stated = {
        "hotel": ("c1", "The nightly hotel limit in standard cities is $180 per night."),
        "laundry": ("c4", "Laundry is paid after 7 nights."),
        "breakfast": ("c3", "Breakfast is paid up to $20 a day."),
        "receipts": ("c2", "Receipts are required above $25."),
    }
    found = {case: _stating(*said) for case, said in stated.items()}
    return copy.deepcopy({case: found.get(case) or _abstaining() for case in QUESTIONS})


class Traced:
    """The project with its six cases; `approve` takes the traces of its right replies."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        folder = self.path / "cases" / "travel"
        folder.mkdir(parents=True)
        self.write("cases/travel/corpus.yaml", _CORPUS)
        self.write("cases/travel/stay.yaml", _STAY)
        self.write("cases/travel/meals.yaml", _MEALS)
        self.write("app.py", _SYSTEM)
        self.write("pytest.ini", "[pytest]\ngrounded_system = app:answer\n")
        self.give(replies())

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text in a file of the project."""
        path = self.path / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def give(self, given: Replies | dict[str, Any]) -> None:
        """Let the system reply this from now on, by case id."""
        self.write("replies.json", json.dumps({QUESTIONS[case]: reply for case, reply in given.items()}))

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest(*arguments)

    def approve(self) -> dict[str, bytes]:
        """Approve the traces of what the system replies now; returns what is then approved."""
        self.run("--snapshot-update", "-p", "no:cacheprovider").assert_outcomes(passed=len(QUESTIONS))
        return self.approved()

    def approved(self) -> dict[str, bytes]:
        """Every file among the approved traces."""
        return self._files(self.path / "snapshots")

    def pending(self) -> dict[str, bytes]:
        """Every pending record."""
        return self._files(self.path / ".grounded" / "pending")

    def results(self, name: str = "results.jsonl") -> dict[str, dict[str, Any]]:
        """The lines of a results file by case."""
        lines = (self.path / name).read_text(encoding="utf-8").splitlines()
        return {row["case"]: row for row in map(json.loads, lines)}

    @staticmethod
    def node(case: str) -> str:
        """The node id of a case."""
        return f"cases/travel/{FILES[case]}.yaml::{case}"

    @staticmethod
    def _files(folder: Path) -> dict[str, bytes]:
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


def summary_of(result: pytest.RunResult) -> list[str]:
    """The lines of the summary of a run."""
    lines: list[str] = result.outlines
    start = next(place for place, line in enumerate(lines) if "= grounded answers =" in line)
    stop = next(
        place for place in range(start + 1, len(lines)) if lines[place].startswith(("=", "FAILED")) or not lines[place]
    )
    return lines[start + 1 : stop]
