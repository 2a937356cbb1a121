"""Whether the shipped cases notice what goes wrong in real systems, name the right owner, and need every check.

A fault is planted in the reference pipeline; the case that is known to notice it is asked, first without and then with
it. What the restricted cases notice of leaks is in `test_planted_leaks`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.checks.base import Check
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.judging import JudgingOptions, default_checks, judged_alone
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import GroundedSystem, Request
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.resolve import Resolution, resolve
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings
from pytest_grounded.testing.faults import FAULTS, Fault, Parts, Trial, fault, main, run_fault
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


TRIAL = Trial(settings=lambda case: settings_of(case.suite), leaks=NO_PROBES)


def found_in(planted: Fault, case: Case) -> list[Finding]:
    return [finding for one in TRIAL.noticed(planted, [case]) for finding in one.findings]


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
    assert TRIAL.found_clean(case_of(name)) == frozenset()


def test_what_only_a_later_check_sees_is_listed_with_its_name() -> None:
    assert {one.name: one.later for one in FAULTS if one.later} == {
        "first_answer_forever": "relation.edit",
        "order_felt": "relation.order",
        "copies_counted": "relation.duplicate",
        "takes_long": "budget.latency",
        "polite_words": "trace.changed",
        "faster_where_hidden": "leak.timing",
    }


@pytest.mark.parametrize("planted", [one for one in FAULTS if one.later], ids=lambda one: one.name)
def test_what_only_a_later_check_sees_passes_in_a_single_run(planted: Fault) -> None:
    assert planted.later in CATALOGUE
    answerable = ("travel-policy/hotel-standard-limit", "travel-policy/receipts-threshold", "peps/chains-tls")
    assert [finding for name in answerable for finding in found_in(planted, case_of(name))] == []


# --- no check is decoration --------------------------------------------------------------------------------------

Named = tuple[str, Check]


def named_checks() -> tuple[Named, ...]:
    """Every check of the default set with its name."""
    return tuple(
        (check.func.__name__ if isinstance(check, partial) else check.__name__, check) for check in default_checks()
    )


def every_case() -> Iterator[Case]:
    """The cases of all shipped suites."""
    return (case for path in sorted(ROOTS[0].iterdir()) if path.is_dir() for case in suite(path.name).values())


@cache
def replies() -> dict[tuple[str, str], Outcome]:
    """What the clean pipeline says to every case, each case alone."""
    with Caller() as caller:
        return {(case.suite, case.id): asked(caller, assemble(settings_of(case.suite)), case) for case in every_case()}


def asked(caller: Caller, system: GroundedSystem, case: Case) -> Outcome:
    *earlier, last = requests_of(case)
    for request in earlier:
        caller.call(system, request)
    return caller.call(system, last)


def spoilt(planted: Fault, case: Case, caller: Caller) -> Outcome:
    """The reply with the fault; a fault that only changes a reply is planted in the one that is known."""
    clean, edit = replies()[case.suite, case.id], planted.edit
    if edit is None:
        return asked(caller, planted.build(Parts(settings=settings_of(case.suite))), case)
    response = clean.response
    return clean if response is None else caller.call(lambda request: edit(response, request), requests_of(case)[-1])


@cache
def changed_by(planted: Fault) -> tuple[tuple[Case, Outcome], ...]:
    """The cases in which a fault changes the reply, with what it becomes."""
    with Caller() as caller:
        outcomes = [(case, spoilt(planted, case, caller)) for case in every_case()]
    return tuple((case, outcome) for case, outcome in outcomes if outcome != replies()[case.suite, case.id])


def noticed_by(planted: Fault, checks: Sequence[Check]) -> Iterator[str]:
    """The cases that notice a fault with these checks."""
    for case, outcome in changed_by(planted):
        if judged_alone(case, outcome, options=JudgingOptions(), checks=checks).findings:
            yield f"{case.suite}/{case.id}"


def test_every_check_of_the_default_set_has_a_fault_that_needs_it() -> None:
    assert list(ONLY_SEEN_BY) == [name for name, _ in named_checks()]


@pytest.mark.parametrize(("check", "name"), ONLY_SEEN_BY.items())
def test_without_a_check_a_fault_escapes_every_shipped_case(check: str, name: str) -> None:
    rest = [one for its, one in named_checks() if its != check]
    alone = [one for its, one in named_checks() if its == check]
    assert any(noticed_by(fault(name), alone))
    assert list(noticed_by(fault(name), rest)) == []


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


def test_the_runner_goes_on_to_a_case_that_blames_the_part_at_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["gate_always_closed", "--cases", "cases/travel-policy-strict"]) == 0
    assert "[retrieval/gate]" in capsys.readouterr().out
    blamed = replace(fault("gate_always_closed"), owner=Owner.DELIVERY)
    monkeypatch.setattr("pytest_grounded.testing.faults.FAULTS", (blamed,))
    assert main(["gate_always_closed", "--cases", "cases/travel-policy-strict"]) == 0
    assert capsys.readouterr().out.splitlines()[-2] == "  no case blames delivery"


def test_a_fault_that_does_not_exist_is_unusable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version_mistated"]) == 2
    assert "(did you mean 'version_misstated'?)" in capsys.readouterr().err


# --- in a system of one's own ------------------------------------------------------------------------------------


def of_its_own(request: Request) -> dict[str, object]:
    """Answers as the reference does and says nothing of how: a system with an inside of its own."""
    return dict(assemble(settings_of(SUITE)).answer(request).visible())


def shy(request: Request) -> dict[str, object]:
    """Cites nothing, ever."""
    response = assemble(settings_of(SUITE)).answer(request)
    return {**response.visible(), "claims": [{"text": claim.text} for claim in response.claims]}


def broken(_: Request) -> str:
    return "{"


def in_own(planted: str, system: object) -> set[str]:
    noticed = run_fault(fault(planted), [case_of(f"{SUITE}/hotel-standard-limit")], system=system, leaks=NO_PROBES)
    return {check for one in noticed for check in one.checks}


def test_a_fault_that_changes_a_reply_is_planted_in_any_system() -> None:
    assert in_own("number_changed", of_its_own) >= {"number.unsupported", "slot.wrong_value"}


def test_what_a_case_finds_without_the_fault_is_no_notice_of_it() -> None:
    assert in_own("claim_without_citation", of_its_own) >= {"citation.missing"}
    assert in_own("claim_without_citation", shy) == set()
    assert in_own("number_changed", shy) == {"slot.missing", "slot.blocking"}


def test_what_the_clock_says_of_a_trial_is_no_notice() -> None:
    case = replace(case_of(f"{SUITE}/restricted-retention-bonus"), observe=("timing",))

    def slow_where_hidden(request: Request) -> object:
        if len(request.corpus) == len(case.corpus.known_at(case.as_of)):
            time.sleep(0.02)
        return of_its_own(request)

    assert "leak.timing" not in Trial(system=slow_where_hidden, leaks=NO_PROBES).found_clean(case)


def test_a_system_that_fails_is_spoilt_no_further() -> None:
    assert in_own("number_changed", broken) == set()


def test_a_fault_that_breaks_a_stage_is_planted_in_no_other_system() -> None:
    with pytest.raises(GroundedError, match="'scope_ignored' breaks the stage select of the reference pipeline"):
        in_own("scope_ignored", of_its_own)


def test_the_runner_plants_in_a_named_system_and_says_what_it_cannot_plant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "assistant_that_refuses.py").write_text(
        "def answer(request):\n    return {'decision': 'abstain', 'reason_code': 'NO_EVIDENCE', 'text': 'I do not know.'}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(ROOT)
    named = ["--cases", "cases/travel-policy-outage", "--system", "assistant_that_refuses:answer"]
    assert main([*named, "wrong_reason_code"]) == 0
    assert "travel-policy-outage/outage-meal-allowance: reason.wrong [retrieval/gate]" in capsys.readouterr().out
    assert main(named) == 1
    *_, told, rest = capsys.readouterr().out.splitlines()
    planted = sum(one.edit is not None for one in FAULTS)
    assert told.startswith(f"{planted} faults, ")
    assert rest.startswith(f"{len(FAULTS) - planted} more break a stage")


def test_the_runner_writes_what_a_program_may_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["version_misstated", "--cases", "cases/travel-policy-strict", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {
            "fault": "version_misstated",
            "stage": "deliver",
            "owner": "generation",
            "what": "another version is stated",
            "channel": None,
            "later": None,
            "noticed": [
                {
                    "suite": "travel-policy-strict",
                    "case": "strict-hotel-limit",
                    "found": [{"check": "citation.version", "owner": "generation"}],
                }
            ],
        }
    ]


class Teller:
    """A generator of one's own: it tells a piece of evidence as it stands."""

    name = "teller/1"

    def generate(self, task: GenerationTask, prompt: str) -> object:
        del prompt
        claims = [{"text": one.text, "cites": [one.id], "quote": one.text} for one in task.evidence[:1]]
        return {"claims": claims}


@pytest.mark.parametrize("name", ["gate_always_closed", "number_changed", "cache_forgets_day", "known_by_heart"])
def test_a_fault_leaves_the_other_parts_of_ones_own_as_they_are(name: str) -> None:
    case = case_of(f"{SUITE}/hotel-standard-limit")
    parts = Parts(generator=Teller(), stages=Stages(resolve=tells))
    response = asked(Caller(), fault(name).build(parts), case).response
    assert response is not None
    assert TOLD.pop() == case.question
    assert response.internal.versions is not None
    assert response.internal.versions["generator"] == Teller.name


TOLD: list[str] = []


def tells(question: Question, evidence: Any, readable: Any, settings: PipelineSettings) -> Resolution:
    """A stage of one's own, which says that it was run."""
    TOLD[:] = [question.text]
    return resolve(question, evidence, readable, settings)


def test_parts_and_another_system_exclude_each_other() -> None:
    with pytest.raises(GroundedError, match="give one of them"):
        Trial(parts=Parts(), system=of_its_own)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--cases", "nowhere"], "no case files below nowhere", id="no-cases"),
        pytest.param(["--system", "recorded:replies.jsonl"], "cannot be planted in a recording", id="a-recording"),
    ],
)
def test_what_nothing_can_be_planted_in_is_unusable(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["number_changed", *arguments]) == 2
    assert said in capsys.readouterr().err
