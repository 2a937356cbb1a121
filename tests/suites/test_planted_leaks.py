"""Every way out has a planted leak that a shipped restricted case notices, and no check of them all could be spared.

Which leak, which case and which checks stands in docs/leakage.md; that table is what is run here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.parts import part_of
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.results import Verdict
from pytest_grounded.model.case import Case
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings, restartable_reference
from pytest_grounded.testing.faults import FAULTS, fault, run_fault

ROOT = Path(__file__).parents[2]
SUITE = "travel-policy"
PAGE = (ROOT / "docs" / "leakage.md").read_text(encoding="utf-8")
CHANNELS = {f"T{number}" for number in range(1, 19)}
PARTS = ("P1", "P2", "P3", "P4")
ALONE = LeakOptions(after_others=False)


class Row(NamedTuple):
    """A line of the table of ways out: what was planted, and what is said to find it where."""

    channel: str
    checks: frozenset[str]
    planted: str
    suite: str
    case: str


def rows() -> Iterator[Row]:
    """The lines of the table; one without a number is of the way out before it. T17 is not in the pipeline."""
    table = PAGE.partition("| planted leak |")[2].partition("\n\n")[0]
    channel = ""
    for line in table.splitlines()[2:]:
        number, _, seen_by, planted, case = (cell.strip(" `") for cell in line.strip("|").split("|"))
        channel = number or channel
        if channel != "T17":
            suite, _, case_id = case.partition("/")
            checks = frozenset(name for name in re.findall(r"[\w.]+", seen_by) if name in CATALOGUE)
            yield Row(channel, checks, planted, suite, case_id)


ROWS = tuple(rows())


@cache
def cases_of(suite: str = SUITE) -> tuple[Case, ...]:
    files = discover([ROOT / "cases" / suite])
    return tuple(case for file in files for case in load_case_file(file, root=ROOT, cases_roots=[ROOT / "cases"]).cases)


def restricted(suite: str = SUITE) -> list[Case]:
    return [case for case in cases_of(suite) if case.kind is CaseKind.RESTRICTED]


def case_of(row: Row) -> Case:
    """The case of a line, with what it opts into: times are compared only where a case says so."""
    case = next(case for case in cases_of(row.suite) if case.id == row.case)
    return replace(case, observe=("timing",)) if row.channel == "T15" else case


@cache
def settings(suite: str = SUITE) -> PipelineSettings:
    return load_settings(ROOT / "cases" / suite / SETTINGS_FILE, root=ROOT)


def found(planted: str, cases: Iterable[Case], leaks: LeakOptions | None = None) -> Mapping[str, set[str]]:
    """What each case finds of a fault, by any check at all; a case that finds nothing is not there."""
    noticed = run_fault(fault(planted), cases, settings=lambda case: settings(case.suite), leaks=leaks)
    return {one.case: set(one.checks) for one in noticed}


# --- every way out -----------------------------------------------------------------------------------------------


def test_every_way_out_has_a_line_and_every_planted_leak_stands_in_its_own() -> None:
    assert {row.channel for row in ROWS} == CHANNELS - {"T17"}
    assert "| T17 |" in PAGE
    channel_of = {row.planted: row.channel for row in ROWS}
    for one in FAULTS:
        assert one.channel is None or channel_of[one.name] == one.channel


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.channel}-{row.planted}")
def test_a_planted_leak_is_noticed_by_the_case_and_the_checks_that_are_named(row: Row) -> None:
    case = case_of(row)
    assert case.kind is CaseKind.RESTRICTED
    assert row.checks
    leak = fault(row.planted)
    (noticed,) = run_fault(leak, [case], settings=lambda case: settings(case.suite))
    assert set(noticed.checks) >= row.checks
    assert leak.owner in noticed.owners


@pytest.mark.parametrize("suite", ["travel-policy", "handbook"])
def test_the_reference_pipeline_leaks_nothing_with_all_probes(suite: str) -> None:
    system = restartable_reference(ROOT / "cases" / suite, root=ROOT)
    with Caller() as caller:
        asker = LiveAsker(system, caller, fresh=system.fresh)
        results = [examine(case, asker) for case in restricted(suite)]
    assert results
    assert [one.case.id for one in results if one.leakage is None or one.leakage.verdict.value != "clean"] == []
    assert [one.case.id for one in results if one.verdict is not Verdict.PASS] == []


def test_power_is_not_shown_only_where_nobody_may_read_what_is_asked_for() -> None:
    for suite in {row.suite for row in ROWS}:
        without = [case for case in restricted(suite) if case.control is None]
        assert [case.id for case in without if any(case.corpus[chunk].readers for chunk in case.about)] == []


# --- and no check could be spared --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "planted"),
    [
        ("P1", "hidden_text_in_prompt"),
        ("P2", "hidden_id_in_help"),
        ("P3", "known_by_heart_in_code"),
        ("P4", "hidden_text_paraphrased"),
    ],
)
def test_without_a_part_a_leak_passes_every_case_of_the_suite(part: str, planted: str) -> None:
    noticed = found(planted, cases_of(), LeakOptions(probes=1))
    assert any(case.id in noticed for case in restricted())
    assert {part_of(check) for checks in noticed.values() for check in checks} == {part}
    assert f"| {part} | `{planted}`" in PAGE


def test_without_probes_a_confirmed_guess_passes_every_case_of_the_suite() -> None:
    assert found("guess_confirmed", cases_of(), LeakOptions(probes=0)) == {}
    assert found("guess_confirmed", restricted()[:1])
    assert "| probes | `guess_confirmed`" in PAGE


@pytest.mark.parametrize("planted", ["top_before_filter", "scores_over_all"])
def test_without_probes_what_competes_unseen_passes_a_case(planted: str) -> None:
    [row] = [row for row in ROWS if row.planted == planted]
    assert found(planted, [case_of(row)], LeakOptions(probes=1)) == {}
    assert found(planted, [case_of(row)])


@pytest.mark.parametrize("planted", ["cache_for_everybody", "memory_not_checked"])
def test_without_others_asking_first_what_is_kept_passes_every_case_of_the_suite(planted: str) -> None:
    """Neither steps nor the question after others: each alone would find it."""
    asked_once = [replace(case, steps=()) for case in restricted()]
    assert found(planted, asked_once, ALONE) == {}
    assert found(planted, asked_once[:1])
    assert found(planted, [case for case in restricted() if case.steps], LeakOptions(probes=0))
    assert planted in PAGE.partition("| others first |")[2].partition("\n")[0]
