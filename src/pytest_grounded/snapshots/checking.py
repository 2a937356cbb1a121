"""One case's trace against its approved one: read, compare, rule, write. What a test calls when it has a trace.

The pass path reads one file, parses it and asks `==`; everything else is for traces that differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots.classify import DEFAULT_TOLERANCE, Change, Comparison, compare
from pytest_grounded.snapshots.credentials import refuse_secrets
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.policy import Commands, Drift, Mode, Ruling, TraceStatus, Write, rule
from pytest_grounded.snapshots.schema import Trace
from pytest_grounded.snapshots.store import Baseline, SnapshotStore

__all__ = ["CaseTrace", "Cleaner", "TraceCheck", "TraceOptions", "check_trace", "cleaned"]


class Cleaner(Protocol):
    """Takes out of a text or a JSON value what the requester of the case may not read."""

    def text(self, text: str, /) -> str:
        """The text, cleaned."""
        ...

    def value(self, value: Any, /) -> Any:
        """The JSON value, cleaned, keys too."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceOptions:
    """What a run does with traces, the same for all its cases.

    `run` is what people are told about the run (model, settings ...) in a pending record; times in it are dropped.
    """

    mode: Mode
    drift: Drift = Drift.WARN
    tolerance: float = DEFAULT_TOLERANCE
    ci: bool = False
    run_dir: bool = False
    run: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTrace:
    """The new trace of a case, and what else was found: `findings` are the names of the checks it failed."""

    suite: str
    case: str
    trace: Trace
    risk: Risk = Risk.MEDIUM
    findings: tuple[str, ...] = ()
    commands: Commands = field(default_factory=Commands)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceCheck:
    """What came of it. `comparison` is None where there was nothing to compare with, or nothing readable.

    `old` is the approved trace as it was read: it may hold what the requester could read when it was approved, so
    whoever shows it cleans it.
    """

    ruling: Ruling
    comparison: Comparison | None = None
    old: Trace | None = None
    unstable: bool = False


def check_trace(
    store: SnapshotStore, new: CaseTrace, *, options: TraceOptions, cleaner: Cleaner | None = None
) -> TraceCheck:
    """Compare a trace with the approved one of its case and do what the mode says.

    Never raises for what is on disk: an approved trace that cannot be read, holds a credential or cannot be written is
    a ruling with that check's name (`snapshot.conflict_marker`, `snapshot.unreadable`, `snapshot.secret`,
    `snapshot.not_written`). In update mode an unreadable one is taken again. A pending record that cannot be written
    changes no verdict, it is said. What is told of the approved trace goes through `cleaner`.
    """
    if options.mode is Mode.OFF:
        return TraceCheck(ruling=Ruling())
    try:
        baseline = _read(store, new, options)
        comparison = None if baseline is None else _compared(store, baseline, new, options)
        if comparison is not None and cleaner is not None and not comparison.same:
            comparison = cleaned(comparison, cleaner)
        ruling = rule(
            comparison,
            suite=new.suite,
            case=new.case,
            mode=options.mode,
            drift=options.drift,
            risk=new.risk,
            findings=new.findings,
            commands=new.commands,
            ci=options.ci,
            run_dir=options.run_dir,
        )
        if ruling.write is Write.BASELINE:
            store.approve(new.suite, new.case, new.trace, tolerance=options.tolerance)
        ruling, unstable = _recorded(ruling, store, new, options, baseline=baseline, comparison=comparison)
    except SnapshotError as error:
        return TraceCheck(ruling=Ruling(status=TraceStatus.ERROR, check=error.code, what=str(error)))
    return TraceCheck(ruling=ruling, comparison=comparison, old=baseline.trace if baseline else None, unstable=unstable)


def cleaned(comparison: Comparison, cleaner: Cleaner) -> Comparison:
    """The comparison without what the requester may not read: an approved trace may be older than that."""

    def clean(change: Change) -> Change:
        return replace(
            change,
            path=cleaner.text(_LABEL.sub(lambda match: _cleaned_label(match.group(), cleaner), change.path)),
            old=cleaner.value(change.old),
            new=cleaner.value(change.new),
        )

    return replace(
        comparison,
        changes=tuple(map(clean, comparison.changes)),
        stale=tuple(map(clean, comparison.stale)),
        notes=tuple(map(cleaner.text, comparison.notes)),
    )


_LABEL = re.compile(r"(?<=\[)[^\[\]]*(?=\])")


def _cleaned_label(label: str, cleaner: Cleaner) -> str:
    """What an element of a list is called, cleaned: an id, or ids joined, as in `1/c4` and `2/c1+c4`."""
    whole = cleaner.text(label)
    if whole != label:
        return whole
    claim, slash, ids = label.rpartition("/")
    return claim + slash + "+".join(map(cleaner.text, ids.split("+")))


def _read(store: SnapshotStore, new: CaseTrace, options: TraceOptions) -> Baseline | None:
    try:
        return store.read(new.suite, new.case)
    except SnapshotError as error:
        is_taken_again = options.mode is Mode.UPDATE and not new.findings and error.code != "case_file.unsafe_id"
        if is_taken_again:
            return None
        raise


_REMOVE = "change the credential, it may have been seen, and take the trace again: pytest --snapshot-update"


def _compared(store: SnapshotStore, baseline: Baseline, new: CaseTrace, options: TraceOptions) -> Comparison:
    comparison = compare(baseline.trace, new.trace, tolerance=options.tolerance)
    if not comparison.same and options.mode is not Mode.UPDATE:
        # An equal one was searched when its trace was built.
        refuse_secrets(baseline.trace, where=store.shown(baseline.path), advice=_REMOVE)
    return comparison


def _recorded(
    ruling: Ruling,
    store: SnapshotStore,
    new: CaseTrace,
    options: TraceOptions,
    *,
    baseline: Baseline | None,
    comparison: Comparison | None,
) -> tuple[Ruling, bool]:
    """Keep or delete the pending record as the ruling says; whether this run gave different results for the case."""
    try:
        if ruling.passed or ruling.write is Write.BASELINE:
            return ruling, store.passed(new.suite, new.case)
        if ruling.write is Write.NOTHING:
            return ruling, False
        pending = store.keep_pending(
            new.suite,
            new.case,
            new.trace,
            base=baseline,
            comparison=comparison,
            findings=new.findings,
            run=options.run,
        )
    except SnapshotError as error:
        if error.code != "snapshot.not_written":
            raise
        return ruling.hinted(f"its pending record: {error}"), False
    return ruling, pending.unstable
