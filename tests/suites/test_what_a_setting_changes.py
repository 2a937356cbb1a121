"""A changed threshold, rule order, generator or prompt shows as exactly the cases it changed, by class and stage.

The expected list is computed from the responses of two runs (`differing`), the list of the run from their traces and
the approved ones. Settings about failed drafts are changed under a generator whose drafts fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.generate import Generator
from pytest_grounded.pipeline.messages import Messages
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.snapshots.checking import CaseTrace, TraceOptions, check_trace
from pytest_grounded.snapshots.policy import Mode, TraceStatus
from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.trace import build_trace
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings
from tests.suites.careless import CarelessGenerator
from tests.suites.differing import difference

ROOT = Path(__file__).parents[2]
ROOTS = (ROOT / "cases",)
Key = tuple[str, str]
Changes = Mapping[str, Any]


class AsItIs:
    """A cleaner that leaves everything: what is cleaned is tested elsewhere, and takes most of the time."""

    def text(self, text: str, /) -> str:
        return text

    def value(self, value: Any, /) -> Any:
        return value


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for path in discover(ROOTS) for case in load_case_file(path, root=ROOT, cases_roots=ROOTS).cases)


@cache
def settings_of(suite: str) -> PipelineSettings:
    path = ROOT / "cases" / suite / SETTINGS_FILE
    return load_settings(path, root=ROOT) if path.is_file() else PipelineSettings()


def changed(settings: PipelineSettings, changes: Changes) -> PipelineSettings:
    """The settings with other values at some paths, such as `gate.coverage`."""
    data = settings.model_dump()
    for path, value in changes.items():
        *sections, name = path.split(".")
        holder = data
        for section in sections:
            holder = holder[section]
        holder[name] = value(holder[name]) if callable(value) else value
    return PipelineSettings.model_validate(data)


Base = tuple[Generator | None, Changes]
PLAIN: Base = (None, {})
CARELESS: Base = (CarelessGenerator(), {})
COSTLY: Base = (None, {"gate.costs": {"wrong": 5, "abstain": 1}})
SMALL: Base = (None, {"retrieval.large": 10})
_ENCODER = {"retrieval.encoder": "tests.suites.encoders:fine"}
HYBRID: Base = (None, {"retrieval.scorer": "hybrid", "retrieval.fuse": ("bm25", "overlap"), **_ENCODER})
ENCODED: Base = (None, {"retrieval.scorer": "embedding", **_ENCODER})
DISCLOSING: Base = (None, {"conflicts.disclose": ("effective_date",)})
ABSTAINING: Base = (None, {"gate.insufficient": "abstain"})
RISKS = {"high": ({"all_of": (("parking",),)},)}
CHOSEN = {"threshold": 0.8, "method": "cost", "guarantee": "none", "operating_point": "0.8", "rows": "sha256:0"}
SAID = {"text": "Nothing can be said on {missing}.", "next_step": "wait"}


def responses(base: Base, changes: Changes | None = None) -> dict[Key, Response]:
    """What the reference pipeline responds to every shipped case; a scenario of several steps meets one of its own."""
    generator, given = base
    settings = {
        suite: changed(settings_of(suite), {**given, **(changes or {})}) for suite in {case.suite for case in cases()}
    }
    systems: dict[str, Answers] = {}
    found = {}
    for case in cases():
        if case.suite not in systems or case.steps:
            systems[case.suite] = assemble(settings[case.suite], generator=generator)
        *earlier, judged = requests_of(case)
        for request in earlier:
            systems[case.suite].answer(request)
        found[case.suite, case.id] = systems[case.suite].answer(judged)
    return found


class Approved:
    """The responses of a base and their approved traces."""

    def __init__(self, base: Base, root: Path) -> None:
        self.responses = responses(base)
        self.store = SnapshotStore(root)
        for case in cases():
            self.store.approve(case.suite, case.id, trace_of(case, self.responses[case.suite, case.id]))


@pytest.fixture(scope="module")
def approved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Base], Approved]:
    made: dict[int, Approved] = {}

    def of(base: Base) -> Approved:
        if id(base) not in made:
            made[id(base)] = Approved(base, tmp_path_factory.mktemp("approved"))
        return made[id(base)]

    return of


def trace_of(case: Case, response: Response) -> Any:
    return build_trace(case, Outcome(response=response), redactor=AsItIs())


def listed(approved: Approved, new: Mapping[Key, Response]) -> dict[Key, tuple[str, str]]:
    """What a run in check mode lists as changed, with class and stage."""
    found = {}
    for case in cases():
        trace = trace_of(case, new[case.suite, case.id])
        asked = CaseTrace(suite=case.suite, case=case.id, trace=trace)
        check = check_trace(approved.store, asked, options=TraceOptions(mode=Mode.CHECK))
        if check.ruling.status is TraceStatus.CHANGED:
            assert check.comparison is not None
            found[case.suite, case.id] = (str(check.comparison.headline), str(check.comparison.first_divergence))
        else:
            assert check.ruling.status is TraceStatus.SAME
    return found


def expected(old: Mapping[Key, Response], new: Mapping[Key, Response]) -> dict[Key, tuple[str, str]]:
    """The same from the responses of both runs."""
    found = {key: difference(response, new[key]) for key, response in old.items()}
    return {key: one for key, one in found.items() if one is not None}


_SAYING = {"disclosed": DISCLOSING, "insufficient": ABSTAINING}
"""Settings under which the message is said to anybody."""


def backwards(rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(reversed(rules))


ROWS: tuple[tuple[Base, str, Any], ...] = (
    (PLAIN, "filters.more", ({"name": "gym", "stops": RISKS["high"], "message": SAID},)),
    (PLAIN, "filters.messages", {"legal_liability": SAID}),
    (PLAIN, "filters.skip", ("*",)),
    (PLAIN, "filters.in_scope", ({"all_of": (("hotel*", "airfare"),)},)),
    (PLAIN, "filters.out_of_scope", RISKS["high"]),
    (PLAIN, "filters.scope_message", SAID),
    (PLAIN, "retrieval.scorer", "overlap"),
    (HYBRID, "retrieval.fuse", ("bm25", "embedding", "overlap")),
    (HYBRID, "retrieval.fusion_constant", 1),
    (ENCODED, "retrieval.encoder", "tests.suites.encoders:coarse"),
    (PLAIN, "retrieval.words", "plain"),
    (PLAIN, "retrieval.same_words", (("hotel", "room"), ("taxi", "cab", "train"))),
    (PLAIN, "retrieval.titles", False),
    (PLAIN, "retrieval.limit", 10),
    (PLAIN, "retrieval.gap", False),
    (SMALL, "retrieval.common_share", 0.1),
    (PLAIN, "retrieval.large", 10),
    (PLAIN, "selection.rules", backwards),
    (PLAIN, "selection.floor", 0.1),
    (HYBRID, "selection.floors", {"bm25": 0.4, "overlap": 0.9}),
    (PLAIN, "selection.floor_words", 3),
    (PLAIN, "selection.share_of_best", 0.5),
    (PLAIN, "selection.duplicate", 0.4),
    (PLAIN, "selection.max_items", 4),
    (PLAIN, "selection.max_tokens", 200),
    (PLAIN, "selection.pack", "rank"),
    (PLAIN, "selection.redundancy", 0.6),
    (PLAIN, "selection.neighbours", False),
    (PLAIN, "selection.instructions", RISKS["high"]),
    (PLAIN, "conflicts.rules", backwards),
    (PLAIN, "conflicts.agreeing", "first"),
    (PLAIN, "conflicts.disclose", ("effective_date",)),
    (PLAIN, "conflicts.unresolved", "answer"),
    (PLAIN, "conflicts.detect", False),
    (PLAIN, "gate.coverage", 0.9),
    (PLAIN, "gate.per_part", False),
    (PLAIN, "gate.names", False),
    (PLAIN, "gate.bound", False),
    (PLAIN, "gate.conditions", False),
    (PLAIN, "gate.focus", False),
    (PLAIN, "gate.figures", False),
    (PLAIN, "gate.one_passage", 0.8),
    (PLAIN, "gate.partial_floor", 0.6),
    (PLAIN, "gate.stale_first", False),
    (PLAIN, "gate.score", 0.4),
    (PLAIN, "gate.confidence", 0.8),
    (PLAIN, "gate.calibrated", CHOSEN),
    (PLAIN, "gate.insufficient_by_risk", {"medium": "abstain"}),
    (PLAIN, "gate.risks", {}),
    (PLAIN, "gate.blocking", ()),
    (PLAIN, "gate.costs_by_risk", {}),
    (PLAIN, "gate.insufficient", "abstain"),
    (PLAIN, "gate.costs", {"wrong": 20, "abstain": 1}),
    (COSTLY, "gate.signal", "score"),
    (PLAIN, "gate.min_claims", 2),
    (PLAIN, "gate.missing_as", "terms"),
    (PLAIN, "generation.model", None),
    (PLAIN, "generation.max_claims", 1),
    (PLAIN, "generation.derive", False),
    (PLAIN, "around.history", False),
    (PLAIN, "around.remember", 1),
    (PLAIN, "around.probe", True),
    (PLAIN, "around.stream", True),
    *((_SAYING.get(name, PLAIN), f"messages.{name}", SAID) for name in Messages.model_fields),
    (CARELESS, "generation.evidence_order", "reversed"),
    (CARELESS, "generation.instructions", "Answer with at most one claim."),
    (CARELESS, "verification.layers", backwards),
    (CARELESS, "verification.overlap", 0.8),
    (CARELESS, "verification.judge", {"kind": "overlap", "threshold": 1}),
    (CARELESS, "verification.repairs", 1),
    (CARELESS, "verification.mend", False),
    (CARELESS, "verification.on_failure", "abstain"),
)


@pytest.mark.parametrize(
    ("base", "path", "value"),
    ROWS,
    ids=[path for _, path, _ in ROWS],
)
def test_a_setting_shows_as_exactly_the_cases_it_changes(
    base: Base, path: str, value: Any, approved: Callable[[Base], Approved]
) -> None:
    before = approved(base)
    new = responses(base, {path: value})
    found = listed(before, new)
    assert found == expected(before.responses, new)
    assert found, "no shipped case shows it"


def test_every_setting_is_changed_by_a_row_but_the_cache() -> None:
    """A cache that works changes no answer; the next test says what it changes."""
    sections = {name: type(getattr(PipelineSettings(), name)) for name in PipelineSettings.model_fields}
    named = {f"{section}.{name}" for section, of in sections.items() for name in of.model_fields}
    assert named - {path for _, path, _ in ROWS} == {"around.cache"}


def test_a_cache_is_used_and_changes_no_case(approved: Callable[[Base], Approved]) -> None:
    before = approved(PLAIN)
    new = responses(PLAIN, {"around.cache": 0})
    kept = {key for key, response in before.responses.items() if (response.internal.cache or {}).get("hit")}
    assert ("travel-policy", "sessions-taxi-for-colleagues") in kept
    assert not any((new[key].internal.cache or {}).get("hit") for key in kept)
    assert listed(before, new) == expected(before.responses, new) == {}


def test_another_generator_shows_as_exactly_the_cases_it_changes(approved: Callable[[Base], Approved]) -> None:
    before = approved(PLAIN)
    new = responses((CarelessGenerator(), {}))
    found = listed(before, new)
    assert found == expected(before.responses, new)
    assert found


def test_a_generator_that_writes_the_same_under_another_name_changes_no_case(
    approved: Callable[[Base], Approved],
) -> None:
    new = responses((CarelessGenerator(name="careless/2"), {}))
    assert listed(approved(CARELESS), new) == {}
