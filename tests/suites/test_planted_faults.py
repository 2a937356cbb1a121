"""Whether the shipped cases notice what goes wrong in real systems, name the right owner, and need every check.

A fault is planted in the reference pipeline; the case that is known to notice it is asked, first without and then with
it. What the restricted cases notice of leaks is in `test_planted_leaks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.harness.judging import JudgingOptions, default_checks, judged_alone
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import GroundedSystem
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings
from pytest_grounded.testing.faults import FAULTS, Fault, fault, main, run_fault
from pytest_grounded.testing.planting import Edited
from tests.suites.noticing import NOTICED, ONLY_SEEN_BY

ROOT = Path(__file__).parents[2]
ROOTS = [ROOT / "cases"]
NO_PROBES = LeakOptions(probes=0)
AT_LEAST = 40
SUITE = "travel-policy"


@cache
def suite(name: str) -> dict[str, Case]:
    files = [load_case_file(path, root=ROOT, cases_roots=ROOTS) for path in discover([ROOT / "cases" / name])]
    return {case.id: case for file in files for case in file.cases}


@cache
def settings_of(name: str) -> PipelineSettings:
    path = ROOT / "cases" / name / SETTINGS_FILE
    return load_settings(path, root=ROOT) if path.is_file() else PipelineSettings()


def case_of(name: str) -> Case:
    folder, _, case_id = name.partition("/")
    return suite(folder)[case_id]


def found_in(planted: Fault, case: Case) -> list[Finding]:
    noticed = run_fault(planted, [case], settings=lambda one: settings_of(one.suite), leaks=NO_PROBES)
    return [finding for one in noticed for finding in one.findings]


CLEAN = Fault(name="none", stage="", what="", owner=FAULTS[0].owner, build=assemble)
SEEN_NOW = [one for one in FAULTS if not one.channel and not one.later]


def test_there_are_many_faults_with_names_of_their_own_over_all_stages() -> None:
    assert len(SEEN_NOW) >= AT_LEAST
    assert len({one.name for one in FAULTS}) == len(FAULTS)
    assert {one.stage for one in FAULTS} >= {
        *("permit", "screen", "retrieve", "select", "resolve", "gate", "generate", "verify", "deliver"),
        *("stream", "cache", "memory", "ticket", "trace"),
    }


def test_the_table_of_what_notices_them_is_of_these_faults() -> None:
    assert set(NOTICED) == {one.name for one in SEEN_NOW}
    assert {check for _, check in NOTICED.values()} <= set(CATALOGUE)


@pytest.mark.parametrize("planted", SEEN_NOW, ids=lambda one: one.name)
def test_a_planted_fault_is_noticed_with_a_finding_that_names_its_owner(planted: Fault) -> None:
    case, check = NOTICED[planted.name]
    found = found_in(planted, case_of(case))
    assert (check, planted.owner) in {(one.check, one.owner) for one in found}


@pytest.mark.parametrize(
    "case", ["restricted-retention-bonus", "restricted-card-late-fee", "unfelt-bonus-after-leaving"]
)
@pytest.mark.parametrize("name", ["forbidden_worded_differently", "says_not_authorized"])
def test_what_tells_hidden_from_absent_is_seen_by_asking_without_what_is_hidden(name: str, case: str) -> None:
    found = found_in(fault(name), case_of(f"{SUITE}/{case}"))
    assert "leak.differential" in {one.check for one in found}


@pytest.mark.parametrize("name", sorted({case for case, _ in NOTICED.values()}))
def test_nothing_is_noticed_where_nothing_is_planted(name: str) -> None:
    assert found_in(CLEAN, case_of(name)) == []


def test_what_only_a_later_check_sees_is_listed_with_its_name() -> None:
    assert {one.name: one.later for one in FAULTS if one.later} == {
        "first_answer_forever": "relation.edit",
        "order_felt": "relation.order",
        "copies_counted": "relation.duplicate",
        "takes_long": "budget.latency",
        "polite_words": "trace.changed",
    }


@pytest.mark.parametrize("planted", [one for one in FAULTS if one.later], ids=lambda one: one.name)
def test_what_only_a_later_check_sees_passes_in_a_single_run(planted: Fault) -> None:
    assert planted.later in CATALOGUE
    answerable = ("travel-policy/hotel-standard-limit", "travel-policy/receipts-threshold", "peps/chains-tls")
    assert [finding for name in answerable for finding in found_in(planted, case_of(name))] == []


# --- no check is decoration --------------------------------------------------------------------------------------

Named = tuple[str, Callable[..., Iterator[Any]]]


def named_checks() -> tuple[Named, ...]:
    """Every check of the default set with its name."""
    return tuple(
        (check.func.__name__ if isinstance(check, partial) else check.__name__, check) for check in default_checks()
    )


@cache
def replies() -> dict[str, Outcome]:
    """What the clean pipeline says to every case of the travel policy, each case alone."""
    settings = settings_of("travel-policy")
    with Caller() as caller:
        return {case.id: asked(caller, assemble(settings), case) for case in suite("travel-policy").values()}


def asked(caller: Caller, system: GroundedSystem, case: Case) -> Outcome:
    *earlier, last = requests_of(case)
    for request in earlier:
        caller.call(system, request)
    return caller.call(system, last)


def spoilt(planted: Fault, case: Case) -> Outcome:
    """The reply with the fault; a fault that only changes a reply is planted in the one that is known."""
    system, clean = planted.build(settings_of("travel-policy")), replies()[case.id]
    with Caller() as caller:
        if isinstance(system, Edited):
            return caller.call(lambda request: system.edit(clean.response, request), requests_of(case)[-1])  # type: ignore[arg-type]
        return asked(caller, system, case)


def noticed_by(planted: Fault, checks: Sequence[Named]) -> list[str]:
    """The cases of the travel policy that notice a fault with these checks."""
    found = []
    for case in suite("travel-policy").values():
        outcome = spoilt(planted, case)
        if outcome != replies()[case.id] and _finds(case, outcome, checks):
            found.append(case.id)
    return found


def _finds(case: Case, outcome: Outcome, checks: Sequence[Named]) -> bool:
    """Whether any of the checks finds anything; each is asked alone, so that the first that does is enough."""
    return any(judged_alone(case, outcome, options=JudgingOptions(), checks=[check]).findings for _, check in checks)


def test_every_check_of_the_default_set_has_a_fault_that_needs_it() -> None:
    assert list(ONLY_SEEN_BY) == [name for name, _ in named_checks()]


@pytest.mark.parametrize(("check", "name"), ONLY_SEEN_BY.items())
def test_without_a_check_a_fault_escapes(check: str, name: str) -> None:
    rest = [one for one in named_checks() if one[0] != check]
    alone = [one for one in named_checks() if one[0] == check]
    assert noticed_by(fault(name), alone) != []
    assert noticed_by(fault(name), rest) == []


# --- the runner --------------------------------------------------------------------------------------------------


def test_the_runner_prints_the_case_the_check_and_the_owner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["version_misstated", "polite_words", "--cases", "cases/travel-policy-strict"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "version_misstated (deliver): another version is stated",
        "  travel-policy-strict/strict-hotel-limit: citation.version [generation]",
        "polite_words (generate): every answer begins with thanks",
        "  seen by trace.changed alone",
        "2 faults, 0 escaped",
    ]


def test_the_runner_says_what_escapes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["scope_ignored", "--cases", "cases/travel-policy-strict"]) == 1
    assert "  ESCAPED\n1 faults, 1 escaped\n" in capsys.readouterr().out


def test_a_fault_that_does_not_exist_is_unusable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version_mistated"]) == 2
    assert "(did you mean 'version_misstated'?)" in capsys.readouterr().err
