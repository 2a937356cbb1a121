"""Whether the shipped suites are what they are for: every kind, questions as people ask, days gone by, tempting texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.model.case import Case
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode
from pytest_grounded.pipeline.settings import ConflictRule
from pytest_grounded.text.words import terms

ROOT = Path(__file__).parents[2]
SUITES = sorted(path.name for path in (ROOT / "cases").iterdir() if path.is_dir())
TRAVEL = tuple(name for name in SUITES if name.startswith("travel-policy"))
THIRD = 1 / 3
HALF = 0.5


@cache
def suite(name: str) -> tuple[Case, ...]:
    files = discover([ROOT / "cases" / name])
    return tuple(case for file in files for case in load_case_file(file, root=ROOT, cases_roots=[ROOT / "cases"]).cases)


def share(cases: Iterable[Case], name: str) -> float:
    return len(list(cases)) / len(suite(name))


def shared_words(case: Case) -> float | None:
    """The share of a question's content words that stand in the text or a heading of what answers it; None for none."""
    sides = case.expect.conflict.sides if case.expect.conflict else ()
    needed = [slot.evidence for slot in case.expect.slots if slot.evidence] or [
        (tuple(case.about) or tuple(chunk for side in sides for chunk in side.chunks),)
    ]
    asked = terms(case.question)
    held = frozenset[str]()
    for groups in needed:
        words = [frozenset[str]().union(*(_words(case, chunk) for chunk in group)) for group in groups]
        held |= max(words, key=lambda group: len(asked & group))
    return len(asked & held) / len(asked) if held else None


def _words(case: Case, chunk_id: str) -> frozenset[str]:
    chunk = case.corpus[chunk_id]
    return terms(f"{chunk.text}\n{chunk.title or ''}\n{chunk.locator or ''}")


@pytest.mark.parametrize("path", sorted((ROOT / "cases").glob("*/corpus*.yaml")), ids=lambda path: path.parent.name)
def test_every_corpus_is_locked(path: Path) -> None:
    assert re.search(r"^digest: sha256:[0-9a-f]{64}$", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", SUITES)
def test_every_case_says_why_its_label_is_right(name: str) -> None:
    assert [case.id for case in suite(name) if not case.why or not case.title] == []


@pytest.mark.parametrize(
    ("name", "cases", "each"),
    [("handbook", 40, 5), ("peps", 25, 0), ("equipment-zh", 15, 1), ("travel-policy", 60, 4)],
)
def test_a_suite_has_its_cases_of_every_kind(name: str, cases: int, each: int) -> None:
    kinds = Counter(case.kind for case in suite(name))
    assert kinds.total() >= cases
    assert {kind: kinds[kind] for kind in CaseKind if kinds[kind] < each} == {}


def test_a_third_of_the_handbook_is_asked_in_words_its_answer_hardly_has() -> None:
    few = [case for case in suite("handbook") if (found := shared_words(case)) is not None and found <= HALF]
    assert share(few, "handbook") >= THIRD


def test_a_third_of_the_handbook_is_asked_about_a_day_gone_by() -> None:
    today = max(case.as_of for case in suite("handbook"))
    assert today == date(2025, 3, 1)
    assert share((case for case in suite("handbook") if case.as_of < today), "handbook") >= THIRD


@pytest.mark.parametrize("name", ["handbook", "peps", "equipment-zh", "travel-policy"])
def test_a_third_of_a_suite_names_what_tempts(name: str) -> None:
    tempted = [case for case in suite(name) if any((case.forbid.evidence, case.forbid.values, case.forbid.text))]
    assert share(tempted, name) >= THIRD


@pytest.mark.parametrize(
    ("name", "tag", "cases"),
    [
        ("peps", "superseded", 8),
        ("peps", "withdrawn", 8),
        ("peps", "replaced-twice", 3),
        ("peps", "rejected", 2),
        ("peps", "status-lies", 3),
        ("peps", "past", 5),
        ("peps", "on", 12),
        ("equipment-zh", "远程审批", 4),
        ("equipment-zh", "额度", 8),
        ("equipment-zh", "mixed-basis", 1),
        ("equipment-zh", "dose", 2),
        ("travel-policy", "clarify", 1),
        ("travel-policy", "escalate", 1),
        ("travel-policy", "blocking", 1),
        ("travel-policy", "derived", 2),
        ("travel-policy", "multi-user", 3),
        ("travel-policy-talks", "multi-turn", 4),
    ],
)
def test_a_suite_has_what_it_is_for(name: str, tag: str, cases: int) -> None:
    assert sum(tag in case.tags for case in suite(name)) >= cases


def test_each_revision_of_the_peps_has_its_expectations() -> None:
    assert {case.corpus.revision for case in suite("peps") if "on" in case.tags} == {
        "2012-12-31",
        "2019-12-31",
        "2026-08-01",
    }


@pytest.mark.parametrize("name", ["handbook", "travel-policy-talks"])
def test_a_page_is_revised_and_access_revoked_between_two_steps(name: str) -> None:
    stepped = [case for case in suite(name) if case.steps]
    days = [{case.as_of, *(step.as_of for step in case.steps)} for case in stepped]
    groups = [{case.requester.groups, *(step.requester.groups for step in case.steps)} for case in stepped]
    assert any(len(one) > 1 for one in days)
    assert any(len(one) > 1 and case.kind is CaseKind.RESTRICTED for one, case in zip(groups, stepped, strict=True))


def test_the_travel_policy_has_every_reason_and_every_decision() -> None:
    expected = [case.expect for name in TRAVEL for case in suite(name)]
    reasons = {reason for one in expected for reason in (*(one.reason_code or ()), *(one.internal_reason_code or ()))}
    assert {reason.value for reason in ReasonCode} <= {str(getattr(one, "value", one)) for one in reasons}
    assert {decision for one in expected for decision in one.decision or ()} == set(Decision)


def test_each_conflict_rule_settles_a_case_of_the_travel_policy() -> None:
    settled = {case.id for case in suite("travel-policy") if case.expect.conflict and case.expect.conflict.resolved_to}
    of_rule = {
        ConflictRule.SUPERSESSION: "trips-station-parking",
        ConflictRule.SCOPE: "trips-train-class-emea",
        ConflictRule.AUTHORITY: "deadline-requests",
        ConflictRule.EFFECTIVE_DATE: "trips-visa-fees",
    }
    assert set(of_rule) == set(ConflictRule)
    assert set(of_rule.values()) <= settled
