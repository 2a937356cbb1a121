"""Every way out has a planted leak that a shipped restricted case notices, and no check of them all could be spared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
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
from pytest_grounded.testing.planting import Fault

ROOT = Path(__file__).parents[2]
SUITE = "travel-policy"
LEAKS = [one for one in FAULTS if one.channel]
CHANNELS = {f"T{number}" for number in range(1, 19)} - {"T17"}


@cache
def restricted(suite: str = SUITE) -> tuple[Case, ...]:
    files = discover([ROOT / "cases" / suite])
    cases = (case for file in files for case in load_case_file(file, root=ROOT, cases_roots=[ROOT / "cases"]).cases)
    return tuple(case for case in cases if case.kind is CaseKind.RESTRICTED)


@cache
def settings() -> PipelineSettings:
    return load_settings(ROOT / "cases" / SUITE / SETTINGS_FILE, root=ROOT)


def leaks_of(planted: Fault, cases: Iterable[Case], leaks: LeakOptions | None = None) -> set[str]:
    """The checks about leaks that find something in these cases."""
    noticed = run_fault(planted, cases, settings=lambda _: settings(), leaks=leaks)
    return {check for one in noticed for check in one.checks if part_of(check) in {"P1", "P2", "P3", "P4"}}


def of_channel(planted: Fault) -> Iterable[Case]:
    """The cases that may see a leak: one that opts into times where time is the way out."""
    return (
        [replace(case, observe=("timing",)) for case in restricted()[:1]] if planted.channel == "T15" else restricted()
    )


def test_every_way_out_has_a_leak() -> None:
    assert {one.channel for one in LEAKS} == CHANNELS


@pytest.mark.parametrize("planted", LEAKS, ids=lambda planted: f"{planted.channel}-{planted.name}")
def test_a_planted_leak_is_noticed(planted: Fault) -> None:
    assert any(leaks_of(planted, [case]) for case in of_channel(planted))


@pytest.mark.parametrize("suite", ["travel-policy", "handbook"])
def test_the_reference_pipeline_leaks_nothing_with_all_probes(suite: str) -> None:
    system = restartable_reference(ROOT / "cases" / suite, root=ROOT)
    with Caller() as caller:
        asker = LiveAsker(system, caller, fresh=system.fresh)
        results = [examine(case, asker) for case in restricted(suite)]
    assert results
    assert [one.case.id for one in results if one.leakage is None or one.leakage.verdict.value != "clean"] == []
    assert [one.case.id for one in results if one.verdict is not Verdict.PASS] == []


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("P1", "hidden_text_in_prompt"),
        ("P2", "hidden_id_in_help"),
        ("P3", "known_by_heart"),
        ("P4", "hidden_text_paraphrased"),
    ],
)
def test_without_a_part_a_leak_would_escape(part: str, name: str) -> None:
    found = (leaks_of(fault(name), [case]) for case in restricted())
    parts = {part_of(check) for checks in found for check in checks}
    assert parts == {part}


def alone(case_id: str) -> list[Case]:
    return [case for case in restricted() if case.id == case_id]


def test_without_probes_a_confirmed_guess_would_escape() -> None:
    cases = alone("restricted-retention-bonus")
    assert not leaks_of(fault("guess_confirmed"), cases, LeakOptions(probes=0))
    assert leaks_of(fault("guess_confirmed"), cases)


@pytest.mark.parametrize("name", ["cache_for_everybody", "memory_not_checked"])
def test_without_others_asking_first_what_is_kept_would_escape(name: str) -> None:
    cases = alone("restricted-retention-bonus")
    assert not leaks_of(fault(name), cases, LeakOptions(after_others=False))
    assert leaks_of(fault(name), cases)
    assert leaks_of(fault(name), [case for case in restricted() if case.steps], LeakOptions(probes=0))
