"""What the trace of a judged case comes to against its approved one: a finding, a record, lines for people.

A trace is checked after everything else, because a case that breaks a rule may not have its trace approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_grounded.harness.results import CaseResult, Cleaner
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.snapshots.checking import CaseTrace, TraceCheck, TraceOptions, check_trace
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.policy import Commands, Ruling, TraceStatus
from pytest_grounded.snapshots.render import comparison_lines, raw_view
from pytest_grounded.snapshots.schema import PIPELINE, Trace
from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.trace import build_trace
from pytest_grounded.snapshots.writer import dumps

__all__ = ["Tracing", "trace_lines", "trace_of", "trace_record", "with_trace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracing:
    """Where a run keeps its traces, and what it does with them."""

    store: SnapshotStore
    options: TraceOptions


def trace_of(result: CaseResult, cleaner: Cleaner) -> Trace:
    """The canonical trace of what came of asking the case; raises `SnapshotError` where there can be none."""
    return build_trace(result.case, result.outcome, redactor=cleaner, root=result.root)


def with_trace(result: CaseResult, cleaner: Cleaner, tracing: Tracing, commands: Commands) -> CaseResult:
    """The result with what its trace came to, and with a finding where that fails the case.

    Where no reply was recorded there is nothing to compare; that the case is an error says so.
    """
    failure = result.outcome.failure
    if failure is not None and failure.kind is FailureKind.NOT_RECORDED:
        return result
    try:
        trace = trace_of(result, cleaner)
    except SnapshotError as error:
        check = TraceCheck(ruling=Ruling(status=TraceStatus.ERROR, check=error.code, what=str(error)))
        return _found(result, check)
    case = result.case
    new = CaseTrace(
        suite=case.suite,
        case=case.id,
        trace=trace,
        risk=case.risk,
        findings=tuple(finding.check for finding in result.findings),
        commands=commands,
    )
    check = check_trace(tracing.store, new, options=tracing.options, cleaner=cleaner)
    return _found(replace(result, new_trace=trace), check)


def _found(result: CaseResult, check: TraceCheck) -> CaseResult:
    ruling = check.ruling
    if ruling.check is None:
        return replace(result, trace_check=check)
    finding = Finding(check=ruling.check, message=ruling.message, owner=_owner(check), field=_field(check))
    return replace(result, trace_check=check, findings=(*result.findings, finding))


_OWNERS: Mapping[str, Owner] = {
    **dict.fromkeys(PIPELINE[: PIPELINE.index("generate")], Owner.RETRIEVAL),
    **dict.fromkeys(PIPELINE[PIPELINE.index("generate") : PIPELINE.index("deliver")], Owner.GENERATION),
    "deliver": Owner.DELIVERY,
}


def _owner(check: TraceCheck) -> Owner:
    """Whose stage diverged first. A file that is wrong is for its keepers, a trace that cannot be kept for delivery."""
    stage = check.comparison.pipeline_stage if check.comparison else None
    if stage is not None:
        return _OWNERS[stage]
    return Owner.DELIVERY if check.ruling.check in {"output.schema", "snapshot.secret"} else Owner.CORPUS


def _field(check: TraceCheck) -> str:
    """The most severe of the fields that changed."""
    comparison = check.comparison
    if comparison is None or comparison.headline is None:
        return ""
    return comparison.by_class[comparison.headline][0].path


def trace_record(check: TraceCheck | None, cleaner: Cleaner) -> dict[str, Any] | None:
    """What the results file says of a trace; None where none was compared."""
    if check is None:
        return None
    ruling, comparison = check.ruling, check.comparison
    summary: Mapping[str, Any] = comparison.summary() if comparison else {}
    unstable = "this run gave different results for the case" if check.unstable else ""
    return {
        "status": ruling.status.value,
        "headline": summary.get("headline"),
        "flip": summary.get("flip"),
        "first_divergence": summary.get("first_divergence"),
        "classes": summary.get("classes", {}),
        "fingerprint": summary.get("fingerprint") if summary.get("headline") else None,
        "message": cleaner.text(ruling.what),
        "hint": cleaner.text("; ".join(filter(None, (ruling.hint, unstable)))) or None,
        "notes": list(comparison.notes) if comparison and not comparison.same else [],
        "show": ruling.show or None,
        "accept": ruling.accept or None,
    }


def trace_lines(result: CaseResult, cleaner: Cleaner, *, details: bool = False) -> list[str]:
    """How the new trace differs, stage by stage; with `details` every difference, also as deepdiff reports it.

    A trace without an approved one is shown whole, where details are asked for.
    """
    check = result.trace_check
    if check is None:
        return []
    comparison = check.comparison
    if comparison is None:
        shown = details and result.new_trace is not None and check.ruling.status is TraceStatus.MISSING
        return dumps(result.trace).splitlines() if shown else []
    if comparison.same:
        return []
    lines = comparison_lines(comparison, details=details)
    if details and check.old is not None:
        raw = raw_view(cleaner.value(_readable(check.old, result.case)), cleaner.value(result.trace))
        lines += ["every difference (deepdiff)", *(f"  {line}" for line in raw)]
    return [cleaner.text(line) for line in lines]


def _readable(old: Trace, case: Case) -> Trace:
    """An approved trace without the hashes of chunks the requester may not read: a short text can be guessed by its."""
    chunks = old.get("chunks")
    if not isinstance(chunks, dict):
        return old
    return {**old, "chunks": {chunk: sha for chunk, sha in chunks.items() if chunk in case.view.readable}}
