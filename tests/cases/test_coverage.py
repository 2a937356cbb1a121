"""What a suite leaves out: kinds, reason codes, checks and chunks that no case exercises."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_grounded.cases import coverage
from pytest_grounded.cases.coverage import coverage_of, exercised_checks
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.model.vocabulary import CaseKind, ReasonCode
from tests.cases.files import case_of, cases_of, load, write

ANSWER = "  - {id: a, kind: answerable, question: What is the limit?, expect: {slots: [{name: s, values: ['180'], evidence: [c1]}]}}\n"
REFUSE = (
    "  - {id: b, kind: unanswerable, question: What is the fee?, expect: {reason_code: [NO_EVIDENCE, OUT_OF_SCOPE]}}\n"
)


def test_a_suite_is_counted_by_kind_and_told_what_it_lacks(tmp_path: Path) -> None:
    (suite,) = coverage_of(cases_of(tmp_path, ANSWER + REFUSE))
    assert (suite.suite, suite.cases, suite.chunks) == ("travel", 2, 9)
    assert suite.kinds == {CaseKind.ANSWERABLE: 1, CaseKind.UNANSWERABLE: 1}
    assert CaseKind.RESTRICTED in suite.kinds_missing
    assert ReasonCode.OUT_OF_SCOPE not in suite.reasons_missing
    assert ReasonCode.UNSAFE_INPUT in suite.reasons_missing


def test_a_chunk_counts_as_named_for_and_against(tmp_path: Path) -> None:
    cases = ANSWER + (
        "  - {id: c, kind: conflicting, question: What is mileage?}\n"
        "  - {id: d, kind: restricted, question: What is the bonus?, about: [memo-7]}\n"
        "  - {id: e, kind: unanswerable, question: What?, forbid: {evidence: [c4]}}\n"
    )
    (suite,) = coverage_of(cases_of(tmp_path, cases))
    assert suite.unnamed == ("c2", "c3", "c5", "memo-8")


def test_the_steps_of_a_scenario_count_too(tmp_path: Path) -> None:
    steps = "steps: [{question: One?, expect: {cite: [c6]}, forbid: {evidence: [c2]}}, {question: Two?}]"
    (suite,) = coverage_of(cases_of(tmp_path, f"  - {{id: a, kind: unanswerable, {steps}}}\n"))
    assert {"c6", "c2"}.isdisjoint(suite.unnamed)
    assert "cache.cross_user" not in suite.checks_missing


@pytest.mark.parametrize(
    ("check", "without", "having"),
    [
        ("next_step.wrong", "kind: unanswerable", "kind: unanswerable, expect: {next_step: ask_human}"),
        ("slot.missing", "kind: answerable", "kind: answerable, expect: {slots: [{name: s, values: ['180']}]}"),
        (
            "slot.blocking",
            "kind: answerable, expect: {slots: [{name: s, values: ['180']}]}",
            "kind: answerable, expect: {slots: [{name: s, values: ['180'], blocking: true}]}",
        ),
        ("slot.unnamed", "kind: partial", "kind: partial, expect: {missing: [breakfast]}"),
        ("quote.not_verbatim", "kind: unanswerable", "kind: answerable"),
        ("decision.contradictory", "kind: answerable", "kind: unanswerable"),
        ("decision.over_refusal", "kind: unanswerable", "kind: answerable"),
        ("forbid.text", "kind: answerable", "kind: answerable, forbid: {text: [x]}"),
        ("conflict.wrong_resolution", "kind: conflicting", "kind: conflicting, expect: {conflict: {resolved_to: c6}}"),
        ("leak.differential", "kind: unanswerable", "kind: restricted, about: [memo-7]"),
        (
            "leak.existence",
            "kind: restricted, about: [memo-7]",
            "kind: restricted, about: [memo-7], absent_question: What else?",
        ),
    ],
)
def test_a_check_is_exercised_by_what_it_needs(tmp_path: Path, check: str, without: str, having: str) -> None:
    assert check in CATALOGUE
    for body, expected in ((without, False), (having, True)):
        case = case_of(tmp_path, f"  - {{id: a, question: What?, {body}}}\n")
        assert (check in exercised_checks(case)) is expected


def test_every_rule_on_what_a_check_needs_is_about_a_check_there_is() -> None:
    known = {*CATALOGUE, *(f"{name.partition('.')[0]}." for name in CATALOGUE)}
    assert set(coverage._NEEDS) <= known


def test_suites_are_told_apart(tmp_path: Path) -> None:
    first = load(tmp_path, write(tmp_path, ANSWER)).cases
    second = load(tmp_path, write(tmp_path, REFUSE, name="fees/b.yaml")).cases
    assert [(suite.suite, suite.cases) for suite in coverage_of((*first, *second))] == [("fees", 1), ("travel", 1)]
