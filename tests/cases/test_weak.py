"""What lint says could be added to a case: for each weakness a case that has it and the addition that mends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_grounded.cases.weak import weak_cases
from tests.cases.files import cases_of

WEAK = {
    "any answer": (
        "kind: answerable",
        "expect: {slots: [{name: a, values: ['180'], evidence: [c1]}]}",
        "any answer from permitted evidence passes",
    ),
    "any answer, mended by a citation": (
        "kind: answerable",
        "expect: {cite: [c1]}",
        "any answer from permitted evidence passes",
    ),
    "any source": (
        "kind: answerable\n    expect: {slots: [{name: a, values: ['180']}]}",
        "kind: answerable\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}]}",
        "slot 'a' may rest on any source",
    ),
    "any statement": (
        "kind: answerable\n    expect: {slots: [{name: a, evidence: [c1]}]}",
        "kind: answerable\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}]}",
        "slot 'a' is filled by any statement",
    ),
    "nothing missing": (
        "kind: partial\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}]}",
        "kind: partial\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}], missing: [breakfast]}",
        "whatever is left unsaid passes",
    ),
    "nothing covered": (
        "kind: partial\n    expect: {missing: [breakfast]}",
        "kind: partial\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}], missing: [breakfast]}",
        "whatever is answered passes",
    ),
    "any decision": (
        "kind: unanswerable\n    expect: {decision: any, reason_code: any}\n    forbid: {text: [x]}",
        "kind: unanswerable\n    expect: {decision: abstain, reason_code: any}\n    forbid: {text: [x]}",
        "any decision for any reason passes",
    ),
    "a tempting chunk": (
        "kind: answerable\n    expect: {slots: [{name: a, values: ['0.60'], evidence: [c6]}]}",
        "kind: answerable\n    expect: {slots: [{name: a, values: ['0.60'], evidence: [c6]}]}\n    forbid: {values: ['0.65']}",
        "'c7' could be relied on and says otherwise",
    ),
    "no control": (
        "kind: restricted\n    about: [memo-7]",
        "kind: restricted\n    about: [memo-7]\n    control: executive",
        "that the system could have told is not shown",
    ),
}


def messages(root: Path, body: str, *, why: str = "    why: so\n") -> list[str]:
    if not body.startswith("kind:"):
        body = f"kind: answerable\n    {body}"
    return [
        problem.message for problem in weak_cases(cases_of(root, f"  - id: a\n    question: What?\n    {body}\n{why}"))
    ]


@pytest.mark.parametrize(("weak", "mended", "message"), WEAK.values(), ids=WEAK)
def test_a_weak_case_is_told_what_to_add(tmp_path: Path, weak: str, mended: str, message: str) -> None:
    assert [message in said for said in messages(tmp_path, weak)] == [True]
    assert messages(tmp_path, mended) == []


def test_a_case_says_why_its_label_is_right(tmp_path: Path) -> None:
    body = "kind: unanswerable"
    assert ["nothing says why" in said for said in messages(tmp_path, body, why="")] == [True]


def test_a_chunk_that_the_checks_look_at_anyway_is_not_tempting(tmp_path: Path) -> None:
    """c2 is out of force, c3 is not yet in force, c4 is for others: none of them has to be forbidden."""
    body = "kind: answerable\n    expect: {slots: [{name: a, values: ['180'], evidence: [c1]}]}"
    assert messages(tmp_path, body) == []


def test_no_message_holds_what_a_chunk_says(tmp_path: Path) -> None:
    said = " ".join(messages(tmp_path, WEAK["a tempting chunk"][0]) + messages(tmp_path, WEAK["no control"][0]))
    assert "0.65" not in said
    assert "42000" not in said
