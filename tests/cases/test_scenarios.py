"""Keys that this version does not act on yet are read all the same: taking a name out of the list is all it needs."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases import supported
from pytest_grounded.errors import CaseError
from pytest_grounded.model.case import Waiver
from pytest_grounded.model.evidence import Requester
from pytest_grounded.model.vocabulary import CaseKind, Decision

from .files import CORPUS, HEAD, case_of, cases_of


@pytest.fixture(autouse=True)
def _everything_is_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supported, "NOT_YET_SUPPORTED", frozenset())


def problems(tmp_path: Path, cases: str, **files: Any) -> list[str]:
    with pytest.raises(CaseError) as caught:
        cases_of(tmp_path, cases, **files)
    return [str(problem).removeprefix("cases/travel/") for problem in caught.value.problems]


OLDER = (
    CORPUS.replace("revision: 2024-10-01", "revision: 2023-01-01")
    .replace("as_of: 2024-10-01", "as_of: 2023-01-01")
    .replace("travel", "older")
)
ON = """\
  - id: fee
    kind: answerable
    question: What is the limit?
    expect: {reason_code: null}
    on:
      corpus-2023.yaml:
        kind: unanswerable
        expect: {reason: NO_EVIDENCE}
        forbid: {text: ["180"]}
      corpus.yaml:
        expect: {cite: [c1]}
"""


def _older(tmp_path: Path, text: str = OLDER) -> None:
    (tmp_path / "cases" / "travel").mkdir(parents=True, exist_ok=True)
    (tmp_path / "cases" / "travel" / "corpus-2023.yaml").write_text(text)


def test_on_makes_a_case_of_each_revision(tmp_path: Path) -> None:
    _older(tmp_path)
    old, new = cases_of(tmp_path, ON)
    assert (old.id, old.kind, old.as_of, old.corpus.name) == (
        "fee@2023-01-01",
        CaseKind.UNANSWERABLE,
        date(2023, 1, 1),
        "older",
    )
    assert (old.expect.decision, old.expect.reason_code, old.forbid.text) == (
        (Decision.ABSTAIN,),
        ("NO_EVIDENCE",),
        ("180",),
    )
    assert (new.id, new.kind, new.as_of) == ("fee@2024-10-01", CaseKind.ANSWERABLE, date(2024, 10, 1))
    assert (new.expect.reason_code, new.expect.cite, new.forbid.text) == ((None,), ("c1",), ())
    assert old.content_hash != new.content_hash


@pytest.mark.parametrize(
    ("older", "line"),
    [
        pytest.param(
            OLDER.replace("2023-01-01", "2024-10-01"),
            "a.yaml:15:7: fee.on.corpus.yaml: corpus 'corpus.yaml' has the same revision as 'corpus-2023.yaml' (label the two corpora apart)",
            id="twice",
        ),
        pytest.param(
            OLDER.replace("revision: 2023-01-01", "revision: Spring/23"),
            "a.yaml:11:7: fee.on.corpus-2023.yaml: revision 'Spring/23' of corpus 'older' cannot be part of an id "
            "(lower-case letters, digits, '.', '_' and '-')",
            id="unsafe",
        ),
        pytest.param(
            OLDER.replace("revision: 2023-01-01\n", ""),
            "a.yaml:11:7: fee.on.corpus-2023.yaml: revision '' of corpus 'older' cannot be part of an id "
            "(lower-case letters, digits, '.', '_' and '-')",
            id="none",
        ),
    ],
)
def test_a_revision_has_to_tell_cases_apart(tmp_path: Path, older: str, line: str) -> None:
    _older(tmp_path, older)
    assert problems(tmp_path, ON) == [line]


def test_what_on_expects_is_held_against_its_own_corpus(tmp_path: Path) -> None:
    _older(tmp_path, OLDER.replace("{id: c1, ", "{id: c0, "))
    assert problems(tmp_path, ON.replace("reason: NO_EVIDENCE}", "cite: [c1]}")) == [
        "a.yaml:13:25: fee.on.corpus-2023.yaml.expect.cite: chunk 'c1' is not in corpus 'older'"
    ]


STEPS = """\
  - id: revoked
    kind: unanswerable
    requester: executive
    steps:
      - {question: What is the bonus?, expect: {decision: answer, cite: [memo-7]}, forbid: {text: [secret]}}
      - {question: And the plan?, as_of: 2024-12-01, corpus: corpus-2023.yaml}
      - {question: What is the bonus?, requester: employee}
    expect: {decision: [abstain, clarify]}
"""


def test_the_last_step_is_judged_and_the_others_are_sent_before(tmp_path: Path) -> None:
    _older(tmp_path)
    case = case_of(tmp_path, STEPS)
    assert (case.question, case.requester.id, case.expect.decision) == (
        "What is the bonus?",
        "employee",
        (Decision.ABSTAIN, Decision.CLARIFY),
    )
    assert case.expect.reason_code == ("NO_EVIDENCE",)
    first, second = case.steps
    assert (first.question, first.requester.id, first.as_of, first.forbid.text) == (
        "What is the bonus?",
        "executive",
        date(2024, 10, 1),
        ("secret",),
    )
    assert first.expect is not None
    assert (first.expect.decision, first.expect.reason_code, first.expect.cite) == (
        (Decision.ANSWER,),
        None,
        ("memo-7",),
    )
    assert (second.expect, second.as_of, second.corpus.name) == (None, date(2024, 12, 1), "older")


def test_the_last_step_may_hold_what_is_expected(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        "  - {id: a, kind: answerable, steps: [{question: x}, {question: y, expect: {cite: [c1]}, forbid: {text: ['150']}}]}\n",
    )
    assert (case.question, case.expect.cite, case.forbid.text, len(case.steps)) == ("y", ("c1",), ("150",), 1)


def test_the_other_keys_are_read(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        """\
  - id: a
    kind: restricted
    question: What is the bonus for the closing team?
    about: [memo-7]
    control: executive
    absent_question: What is the bonus for the lunar team?
    relations: [order, noninterference]
    runs: 5
    require: 4
    serial: true
    budget: {latency_ms: 1500, tokens: 4000}
    observe: [timing, -debug]
    strict_memory: true
    unjudged: inconclusive
    waive: [{check: quote.elision, until: 2025-01-31, owner: search team, why: known}]
""",
    )
    assert case.control == Requester(id="executive", audience=("employee",), groups=("staff", "board"))
    assert case.absent_question == "What is the bonus for the lunar team?"
    assert (case.relations, case.runs, case.require, case.serial) == (("order", "noninterference"), 5, 4, True)
    assert (case.budget, case.observe, case.strict_memory) == (
        (("latency_ms", 1500.0), ("tokens", 4000.0)),
        ("timing", "-debug"),
        True,
    )
    assert not case.unjudged_passes
    assert case.waive == (Waiver(check="quote.elision", until=date(2025, 1, 31), owner="search team", why="known"),)


def test_a_sentence_may_be_all_that_a_slot_has(tmp_path: Path) -> None:
    case = case_of(
        tmp_path, "  - {id: a, kind: answerable, question: x, expect: {slots: [{name: n, states: It costs $180.}]}}\n"
    )
    assert case.expect.slots[0].states == "It costs $180."


def test_defaults_may_hold_them_too(tmp_path: Path) -> None:
    head = HEAD.replace("defaults: {requester: employee}", "defaults: {requester: employee, runs: 3, unjudged: pass}")
    case = case_of(tmp_path, "  - {id: a, kind: answerable, question: x, risk: high}\n", head=head)
    assert (case.runs, case.unjudged_passes) == (3, True)


def flow(rest: str, kind: str = "answerable") -> str:
    return f"  - {{id: a, kind: {kind}, {rest}}}\n"


MISTAKES = {
    "question and steps": (
        flow("question: x, steps: [{question: y}]"),
        "a.yaml:6:31: a.question: 'question' and 'steps' exclude each other, found both (the last step asks the question)",
    ),
    "two expectations of the last step": (
        flow("expect: {cite: [c1]}, steps: [{question: y, expect: {cite: [c1]}}]"),
        "a.yaml:6:75: a.steps[0].expect: the last step is the judged one, found 'expect' there and in the case (keep one)",
    ),
    "on and corpus": (
        flow("question: x, corpus: corpus.yaml, on: {corpus.yaml: {}}"),
        "a.yaml:6:65: a.on: 'on' and 'corpus' exclude each other, found both ('on' names the corpora)",
    ),
    "more required than run": (
        flow("question: x, runs: 3, require: 4"),
        "a.yaml:6:62: a.require: 4 runs have to pass of 3 (raise runs or lower require)",
    ),
    "required without runs": (
        flow("question: x, require: 2"),
        "a.yaml:6:53: a.require: 2 runs have to pass of 1 (raise runs or lower require)",
    ),
    "no runs": (flow("question: x, runs: 0"), "a.yaml:6:50: a.runs: needs a number of at least 1, found '0'"),
    "relation": (
        flow("question: x, relations: [ordr]"),
        (
            "a.yaml:6:56: a.relations: needs order, evidence_order, noninterference, irrelevant, duplicate, superseded, removal, edit, "
            "contradiction, injection, paraphrase or clock, found 'ordr' (did you mean 'order'?)"
        ),
    ),
    "observed": (
        flow("question: x, observe: [clock]"),
        "a.yaml:6:54: a.observe: needs timing, usage, or - and the name of a field, such as -source_count (why it may differ), found 'clock'",
    ),
    "budget": (
        flow("question: x, budget: {latency_ms: 2s}"),
        "a.yaml:6:65: a.budget.latency_ms: needs a number, found '2s'",
    ),
    "waiver of a leak": (
        flow("question: x, waive: [{check: leak.text, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'leak.text' is a leak, permission or stale finding and cannot be waived (mend it)",
    ),
    "waiver of a permission": (
        flow("question: x, waive: [{check: citation.not_permitted, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'citation.not_permitted' is a leak, permission or stale finding and cannot be waived (mend it)",
    ),
    "waiver of what is stale": (
        flow("question: x, waive: [{check: citation.not_current, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'citation.not_current' is a leak, permission or stale finding and cannot be waived (mend it)",
    ),
    "waiver of a case file": (
        flow("question: x, waive: [{check: case_file.type, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'case_file.type' is found in a file, not in an answer, and cannot be waived (mend the file)",
    ),
    "waiver of a waiver": (
        flow("question: x, waive: [{check: waive.expired, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'waive.expired' is found in a file, not in an answer, and cannot be waived (mend the file)",
    ),
    "waiver of no check": (
        flow("question: x, waive: [{check: quote.elisoin, until: 2025-01-01, owner: o, why: w}]"),
        "a.yaml:6:60: a.waive[0].check: 'quote.elisoin' is no check (did you mean 'quote.elision'?)",
    ),
    "waiver without an owner": (
        flow("question: x, waive: [{check: quote.elision, until: 2025-01-01, why: w}]"),
        "a.yaml:6:52: a.waive[0].owner: key 'owner' is missing (Who mends it)",
    ),
    "control who may not read either": (
        flow("question: x, about: [memo-7], control: {groups: [staff]}", kind="restricted"),
        "a.yaml:6:70: a.control: the control may not read chunk 'memo-7' either (name a requester who may)",
    ),
    "control of another kind": (
        flow("question: x, control: executive"),
        "a.yaml:6:44: a.control: only kind: restricted has 'control', found kind: answerable (change the kind or take it out)",
    ),
    "evidence of an earlier step": (
        flow("steps: [{question: x, expect: {cite: [memo-7]}}, {question: y}]"),
        "a.yaml:6:69: a.steps[0].expect.cite: chunk 'memo-7' may not be read by requester 'employee' (name one they may read)",
    ),
    "a requester of a step": (
        flow("steps: [{question: x, requester: executiv}, {question: y}]"),
        "a.yaml:6:64: a.steps[0].requester: requester 'executiv' is not among the requesters of this file (did you mean 'executive'?)",
    ),
}


@pytest.mark.parametrize(("cases", "line"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, cases: str, line: str) -> None:
    assert problems(tmp_path, cases) == [line]


def test_what_is_left_in_the_list_is_refused_in_steps_and_revisions_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supported, "NOT_YET_SUPPORTED", frozenset({"expect.slots[].states"}))
    slots = "expect: {slots: [{name: n, states: It is so.}]}"
    told = problems(
        tmp_path,
        flow(f"steps: [{{question: x, {slots}}}, {{question: y}}]")
        + flow(f"on: {{corpus.yaml: {{{slots}}}}}, question: x").replace("a,", "b,"),
    )
    refused = "'states' is known, not supported by this version (take it out)"
    assert [line.split(": ", 1)[1] for line in told] == [
        f"a.steps[0].expect.slots[0].states: {refused}",
        f"b.on.corpus.yaml.expect.slots[0].states: {refused}",
    ]
