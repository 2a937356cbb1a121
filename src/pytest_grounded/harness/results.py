"""What a run says of one case: the verdict with its findings, and the line of the results file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

from pytest_grounded.model.case import Case, Slot
from pytest_grounded.model.finding import Finding, Unchecked, UncheckedState
from pytest_grounded.model.outcome import FailureKind, Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.model.support import Ruling
from pytest_grounded.model.vocabulary import CaseKind

if TYPE_CHECKING:
    from pytest_grounded.harness.leakage import Leakage
    from pytest_grounded.snapshots.checking import TraceCheck
    from pytest_grounded.snapshots.schema import Trace

__all__ = ["CaseResult", "Cleaner", "Verdict", "evidence_figures", "to_record"]


TRAFFIC = "traffic"
"""The tag of cases drawn from real traffic: only those may calibrate a threshold."""


class Verdict(StrEnum):
    """Pass, or the way a case did not pass."""

    PASS = "pass"  # noqa: S105 - a verdict
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


class Cleaner(Protocol):
    """Takes out of a text or a JSON value what the requester of the case may not read."""

    def text(self, text: str, /) -> str:
        """The text, cleaned."""
        ...

    def value(self, value: Any, /) -> Any:
        """The JSON value, cleaned, keys too."""
        ...

    def finding(self, finding: Finding, /) -> Finding:
        """The finding with its message cleaned and its chunks named as they may be shown."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A judged case. Findings still name chunks by their ids; whoever writes them cleans them first.

    `trace_check` says what its trace came to, where one was compared; paths in a trace are made relative to `root`.
    `waived` are findings that a waiver of the case covers. Of several runs `passed_runs` says how many passed, and
    `tolerated` what was found in those that did not have to. `rulings` are what a judge was asked and said.
    """

    case: Case
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    waived: tuple[Finding, ...] = ()
    tolerated: tuple[Finding, ...] = ()
    passed_runs: int | None = None
    rulings: tuple[Ruling, ...] = ()
    leakage: Leakage | None = field(default=None)
    root: PurePath | None = None
    new_trace: Trace | None = field(default=None, repr=False)
    trace_check: TraceCheck | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        found = ", ".join(dict.fromkeys(finding.check for finding in self.findings))
        return f"CaseResult({self.case.suite}/{self.case.id}: {self.verdict}{found and f', {found}'})"

    @property
    def trace(self) -> Trace:
        """The canonical trace, to be compared with an approved one: `assert result.trace == trace_snapshot`.

        Raises `SnapshotError` where the response holds a credential or a number that is not finite.
        """
        if self.new_trace is not None:
            return self.new_trace
        from pytest_grounded.harness.tracing import trace_of
        from pytest_grounded.redaction import Redactor

        return trace_of(self, Redactor(self.case.view))

    @property
    def verdict(self) -> Verdict:
        """`error` where nothing was there to be judged, `fail` where anything was found."""
        failure = self.outcome.failure
        if failure is not None and failure.kind in (FailureKind.NOT_RECORDED, FailureKind.NOT_ASKED):
            return Verdict.ERROR
        if failure is not None and failure.kind is FailureKind.SKIPPED:
            return Verdict.INCONCLUSIVE
        if self.findings:
            return Verdict.FAIL
        if self.leakage is not None and self.leakage.is_inconclusive:
            return Verdict.INCONCLUSIVE
        if not self.case.unjudged_passes and self.not_judged:
            return Verdict.INCONCLUSIVE
        return Verdict.PASS

    @property
    def not_run(self) -> tuple[Unchecked, ...]:
        """What a check needed was not observed."""
        return tuple(item for item in self.unchecked if item.state is UncheckedState.NOT_RUN)

    @property
    def not_judged(self) -> tuple[Unchecked, ...]:
        """What no rule and no judge decided."""
        return tuple(item for item in self.unchecked if item.state is UncheckedState.NOT_JUDGED)


def is_answerable(case: Case) -> bool:
    """Whether the corpus holds an answer this requester may have, by the case's label."""
    if case.kind is CaseKind.CONFLICTING:
        return case.expect.conflict is not None and case.expect.conflict.resolved_to is not None
    return case.kind in (CaseKind.ANSWERABLE, CaseKind.MULTI_EVIDENCE, CaseKind.PARTIAL)


def is_correct(result: CaseResult) -> int | None:
    """1 where showing the answer was right, 0 where it was or would have been wrong, None where nobody can tell.

    An abstention on an answerable question leaves the draft unseen: None. One on an unanswerable question is 0,
    because showing any answer would have been wrong.
    """
    decision = result.outcome.decision
    if not is_answerable(result.case):
        return 0
    if decision is None or not decision.answers:
        return None
    found = (*result.findings, *result.waived)
    return 0 if any(not _is_of_the_trace(finding) for finding in found) else 1


def _is_of_the_trace(finding: Finding) -> bool:
    """Whether a finding says that something changed, not that it is wrong."""
    return finding.check == "trace.changed" or finding.check.startswith("snapshot.")


def evidence_figures(case: Case, outcome: Outcome) -> dict[str, dict[str, float | None] | None]:
    """Recall and precision of the evidence the case says was needed, per stage; None where not observed.

    Recall is the share of slots with a whole evidence group (and of chunks that must be cited) in the stage's set;
    precision is the share of the set that some slot names. Null where the case names no evidence or the set is empty.
    """
    internal = outcome.internal
    candidates = internal.candidates
    stages: dict[str, Iterable[str] | None] = {
        "candidates": None if candidates is None else [c.chunk for c in candidates],
        "selected": None if candidates is None else [c.chunk for c in candidates if c.kept],
        "supplied": internal.evidence,
        "cited": outcome.response.cited if outcome.response else None,
    }
    return {name: None if ids is None else _figures(case, frozenset(ids)) for name, ids in stages.items()}


def _figures(case: Case, present: frozenset[str]) -> dict[str, float | None]:
    slots = [slot for slot in case.expect.slots if slot.evidence]
    needed = frozenset(case.expect.cite).union(*(group for slot in slots for group in slot.evidence))
    wants = [_filled(slot, present) for slot in slots] + [chunk in present for chunk in case.expect.cite]
    recall = sum(wants) / len(wants) if wants else None
    precision = len(present & needed) / len(present) if present and needed else None
    return {"recall": _rounded(recall), "precision": _rounded(precision)}


def _filled(slot: Slot, present: frozenset[str]) -> bool:
    return any(present.issuperset(group) for group in slot.evidence)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def to_record(result: CaseResult, cleaner: Cleaner) -> dict[str, Any]:
    """The case's line of the results file, cleaned of what its requester may not read."""
    case, outcome = result.case, result.outcome
    response, internal = outcome.response, outcome.internal
    score = _score(response, cleaner)
    return {
        "case": case.id,
        "suite": case.suite,
        "kind": case.kind.value,
        "risk": case.risk.value,
        "verdict": result.verdict.value,
        "findings": [_finding_record(cleaner.finding(finding), case) for finding in result.findings],
        "waived": [_waived_record(cleaner.finding(finding), case, cleaner) for finding in result.waived],
        "tolerated": [_finding_record(cleaner.finding(finding), case) for finding in result.tolerated],
        "decision": outcome.decision.value if outcome.decision else None,
        "reason_code": cleaner.value(outcome.reason_code),
        "score": score,
        "score_name": None if score is None else "confidence",
        "answerable": is_answerable(case),
        "correct": is_correct(result),
        "group": case.id,
        "slice": case.tags[0] if case.tags else case.kind.value,
        "label_source": "case_file",
        "sample": "traffic" if TRAFFIC in case.tags else "regression",
        "evidence": evidence_figures(case, outcome),
        "response": cleaner.value(response.visible()) if response else None,
        "leakage": cleaner.value(result.leakage.as_record()) if result.leakage else None,
        "trace": _trace_record(result, cleaner),
        "not_run": [_unchecked_record(item, cleaner) for item in result.not_run],
        "not_judged": [_unchecked_record(item, cleaner) for item in result.not_judged],
        "judge": _judge_record(result.rulings),
        "runs": case.runs,
        "passed_runs": result.passed_runs,
        "versions": cleaner.value(internal.versions),
        "timings": cleaner.value(internal.timings),
        "corpus": case.corpus.digest,
    }


def _score(response: Response | None, cleaner: Cleaner) -> float | None:
    """The system's confidence, unless that number is something its requester may not read."""
    cleaned = cleaner.value({"confidence": response.confidence if response else None})["confidence"]
    return cleaned if isinstance(cleaned, int | float) else None


def _trace_record(result: CaseResult, cleaner: Cleaner) -> dict[str, Any] | None:
    if result.trace_check is None:
        return None
    from pytest_grounded.harness.tracing import trace_record

    return trace_record(result.trace_check, cleaner)


def _judge_record(rulings: Sequence[Ruling]) -> dict[str, Any] | None:
    """The judge that was asked, its measured error, and its verdicts under their keys; None where none was asked."""
    if not rulings:
        return None
    first = rulings[0]
    said = [
        {
            "verdict": one.verdict,
            "calls": one.calls,
            "cached": one.cached,
            "key": one.key or None,
            "reason": one.reason or None,
        }
        for one in rulings
    ]
    return {"name": first.judge, "version": first.version, "error": first.error or None, "rulings": said}


def _finding_record(finding: Finding, case: Case) -> dict[str, Any]:
    return {
        "check": finding.check,
        "case": case.id,
        "field": finding.field,
        "message": finding.message,
        "chunks": list(finding.chunks),
        "owner": finding.owner.value,
    }


def _waived_record(finding: Finding, case: Case, cleaner: Cleaner) -> dict[str, Any]:
    """A finding that a waiver covers, with who answers for it, until when and why."""
    waiver = next(one for one in case.waive if one.check == finding.check)
    said = {"owner": waiver.owner, "until": waiver.until.isoformat(), "why": cleaner.text(waiver.why)}
    return {**_finding_record(finding, case), "waiver": said}


def _unchecked_record(item: Unchecked, cleaner: Cleaner) -> dict[str, Any]:
    return {"check": item.check, "field": item.field, "reason": cleaner.text(item.reason)}
