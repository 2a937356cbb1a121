"""The text of one failed case: what was expected and what came, the findings, the stage, the evidence.

Everything here is cleaned of what the case's requester may not read before it leaves this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum

from pytest_grounded.harness.parts import PARTS, PartState
from pytest_grounded.harness.results import CaseResult, Cleaner, Verdict
from pytest_grounded.harness.tracing import trace_lines
from pytest_grounded.model.case import Case, Expectation
from pytest_grounded.model.finding import Finding, Unchecked
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.response import Candidate
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.reporting.requesters import described_requester
from pytest_grounded.snapshots.policy import TraceStatus

__all__ = ["Detail", "describe_expected", "failure_text", "headline"]

_OWNERS = {
    Owner.CORPUS: "the corpus: whoever owns the documents",
    Owner.RETRIEVAL: "retrieval or the gate: what was selected, or the decision to answer",
    Owner.GENERATION: "generation: the draft or its verification",
    Owner.DELIVERY: "delivery: what the application shows",
}
_NO_REPLY = {
    FailureKind.EXCEPTION: "before any reply: the system raised an exception",
    FailureKind.TIMEOUT: "before any reply: the system took too long",
    FailureKind.PARSE: "in the form of the reply: it cannot be read",
    FailureKind.SCHEMA: "in the form of the reply: it cannot be read",
    FailureKind.NOT_RECORDED: "before any reply: none is recorded",
}
_MOST_ROWS = 30


class Detail(IntEnum):
    """How much of a failure is said: its first line, what was found and where, the evidence as well, everything."""

    LINE = 0
    SHORT = 1
    USUAL = 2
    MORE = 3
    EVERYTHING = 4


def failure_text(
    result: CaseResult,
    cleaner: Cleaner,
    *,
    neutralise: Callable[[str], str] = str,
    detail: Detail = Detail.MORE,
) -> str:
    """What a person needs to see why a case failed, most important first.

    What was not observed at all is said once in the summary of a run, and here from MORE on; from EVERYTHING on every
    difference of the trace is shown.
    """
    case = result.case
    lines = [
        f"{case.id}: expected {describe_expected(case.expect)}; {cleaner.text(_got(result))}{_unknown(result)}",
    ]
    if detail > Detail.LINE:
        lines += [
            f"  {case.place.file}:{case.place.line}  {case.kind.value}, risk {case.risk.value}{_incident(case)}",
            *([f"  title: {_one_line(cleaner.text(case.title))}"] if case.title else ()),
            f"  question: {_one_line(cleaner.text(case.question))}",
            f"  asked as: {cleaner.text(described_requester(case.requester))}, as of {case.as_of.isoformat()}",
            "",
            *_findings(result, cleaner, whole=detail >= Detail.MORE),
            *_waived(result, cleaner),
            *_leakage(result, cleaner),
            *_trace(result, cleaner, details=detail >= Detail.EVERYTHING),
            *_stage(result, cleaner),
        ]
    if detail >= Detail.USUAL:
        lines += _evidence(result, cleaner)
    if detail >= Detail.MORE:
        lines += _unchecked("not run", result.not_run, cleaner)
    if detail > Detail.LINE and (detail >= Detail.MORE or not case.unjudged_passes):
        lines += _unchecked(_not_judged_title(result), result.not_judged, cleaner)
    return "\n".join(neutralise(line) for line in lines).rstrip("\n")


def headline(result: CaseResult, cleaner: Cleaner) -> str:
    """What went wrong, to stand behind the name of the test in a list: as short as it can be said."""
    checks = list(dict.fromkeys(finding.check for finding in result.findings))
    if any(check.startswith(_OF_THE_DECISION) for check in checks):
        expected = describe_expected(result.case.expect).removeprefix("decision ")
        return cleaner.text(f"{_actual(result).removeprefix('decision ')}; expected {expected}")
    return f"{_first_named(checks)}{_unknown(result)}".removeprefix("; ")


def describe_expected(expect: Expectation) -> str:
    """The expected decision and reason in words.

    >>> describe_expected(Expectation(decision=None, reason_code=("NO_EVIDENCE",)))
    'any decision, reason NO_EVIDENCE'
    """
    decision = "any decision" if expect.decision is None else "decision " + _either(d.value for d in expect.decision)
    if expect.reason_code is None:
        return decision
    if expect.reason_code == (None,):
        return f"{decision}, no reason"
    return f"{decision}, reason " + _either(code or "none" for code in expect.reason_code)


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _got(result: CaseResult) -> str:
    """What came, and the checks that failed although nothing is said against the decision."""
    checks = list(dict.fromkeys(finding.check for finding in result.findings))
    if not checks or any(check.startswith(_OF_THE_DECISION) for check in checks):
        return f"got {_actual(result)}"
    if not _is_expected(result):  # prose tells neither for certain, so that neither is held against it
        return f"got {_actual(result)}, and {_first_named(checks)}"
    return f"got it ({_actual(result)}), but {_first_named(checks)}"


def _is_expected(result: CaseResult) -> bool:
    """Whether the decision and the reason are among those that the case allows."""
    expect, outcome = result.case.expect, result.outcome
    fits = expect.decision is None or outcome.decision in expect.decision
    return fits and (expect.reason_code is None or outcome.reason_code in expect.reason_code)


def _first_named(checks: Sequence[str]) -> str:
    more = f" and {len(checks) - _MOST_NAMED} more" if len(checks) > _MOST_NAMED else ""
    return f"{', '.join(checks[:_MOST_NAMED])}{more}"


_MOST_NAMED = 3
_OF_THE_DECISION = ("decision.", "reason.", "output.")


def _actual(result: CaseResult) -> str:
    outcome = result.outcome
    if outcome.failure is not None:
        return f"no decision (SYSTEM_FAILURE: {outcome.failure.kind.value.replace('_', ' ')})"
    decision = outcome.decision.value if outcome.decision else "none"
    reason = outcome.reason_code
    none = "no reason" if outcome.decision_stated else "reason not told"
    return f"decision {decision}, " + (f"reason {reason}" if reason else none)


def _unknown(result: CaseResult) -> str:
    """That nothing was found, and nothing is known either; or how many runs passed where several were made."""
    if result.verdict is Verdict.INCONCLUSIVE:
        return "; inconclusive"
    if result.passed_runs is None:
        return ""
    return (
        f"; {result.passed_runs} of {result.case.runs} runs passed, {result.case.require or result.case.runs} have to"
    )


def _incident(case: Case) -> str:
    return f", incident {case.incident}" if case.incident else ""


def _one_line(text: str, limit: int = 300) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[:limit] + " ..."


def _findings(result: CaseResult, cleaner: Cleaner, *, whole: bool) -> list[str]:
    """Every finding; of further requests that find the same again only the checks, unless all is to be shown."""
    count = len(result.findings)
    lines = [f"{count} finding{'s' if count != 1 else ''}"]
    ruling = result.trace_check.ruling if result.trace_check else None
    told, again = list(map(cleaner.finding, result.findings)), dict[str, list[Finding]]()
    if not whole:
        told, again = _told_and_again(told)
    for finding in told:
        place = f" at {finding.field}" if finding.field else ""
        # What to type stands below, in full.
        message = cleaner.text(ruling.what) if ruling and finding.check == ruling.check else finding.message
        lines.append(f"  {finding.check}{place}: {_one_line(message)}")
    for probe, findings in again.items():
        asked = _ASKED.search(findings[0].message)
        checks = ", ".join(dict.fromkeys(finding.check for finding in findings))
        lines.append(f"  {probe}{asked[0] if asked else ''}: {checks}")
    return [*lines, ""]


def _told_and_again(findings: Sequence[Finding]) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """The findings to be told in full, and those of further requests; the first request is told where nothing leaks."""
    again: dict[str, list[Finding]] = {}
    told: list[Finding] = []
    for finding in findings:
        probe = _PROBE.match(finding.field)
        (told if probe is None else again.setdefault(probe[0], [])).append(finding)
    if again and not any(finding.check.startswith("leak.") for finding in told):
        first = next(iter(again))
        told = [*again.pop(first), *told]
    return told, again


_PROBE = re.compile(r"probes\[\d+\]")
_ASKED = re.compile(r" \(asked with .+\)\Z")


def _leakage(result: CaseResult, cleaner: Cleaner) -> list[str]:
    """The verdict about leaks, and every part that did not pass."""
    leakage = result.leakage
    if leakage is None:
        return []
    lines = [f"leakage: {leakage.verdict.value.replace('_', ' ')}"]
    for name, part in leakage.parts.items():
        if part.state is not PartState.PASSED:
            why = f": {_one_line(cleaner.text(part.why))}" if part.why else ""
            lines.append(f"  {name} {PARTS[name]}: {part.state.value.replace('_', ' ')}{why}")
    return [*lines, ""]


def _waived(result: CaseResult, cleaner: Cleaner) -> list[str]:
    """Known failures that do not fail the case by themselves."""
    until = {waiver.check: f"{waiver.owner}, until {waiver.until.isoformat()}" for waiver in result.case.waive}
    lines = [
        f"  {one.check} ({until[one.check]}): {_one_line(one.message)}" for one in map(cleaner.finding, result.waived)
    ]
    return ["waived", *lines, ""] if lines else []


def _not_judged_title(result: CaseResult) -> str:
    return "not judged" if result.case.unjudged_passes else "not judged, and nothing unjudged passes here (unjudged)"


def _trace(result: CaseResult, cleaner: Cleaner, *, details: bool) -> list[str]:
    """How the trace differs from the approved one, and what to type."""
    if result.trace_check is None:
        return []
    ruling = result.trace_check.ruling
    lines = trace_lines(result, cleaner, details=details)
    approved = ruling.status is not TraceStatus.MISSING
    if ruling.show and not details:
        lines.append(f"{'every difference' if approved else 'all of it'}: {ruling.show}")
    if ruling.accept:
        lines.append(f"approve it: {ruling.accept}")
    if ruling.hint:
        lines.append(cleaner.text(ruling.hint))
    title = "trace, against the approved one" if approved else "trace, none is approved yet"
    return [title, *(f"  {line}" for line in lines), ""] if lines else []


def _stage(result: CaseResult, cleaner: Cleaner) -> list[str]:
    """Where the case went wrong: the stage that lost a needed chunk, else whose findings come first.

    Where there is no reply, what was expected of one says nothing about any stage.
    """
    failure = result.outcome.failure
    lost = [finding for finding in result.findings if finding.check == "trace.lost_evidence"]
    if failure is not None:
        where = _NO_REPLY.get(failure.kind, "before any reply")
    elif lost:
        where = "; ".join(_one_line(cleaner.finding(finding).message) for finding in lost)
    else:
        answered = [finding for finding in result.findings if not finding.check.startswith("snapshot.")]
        owners = dict.fromkeys(finding.owner for finding in sorted(answered, key=_owner_order))
        where = "; ".join(_OWNERS[owner] for owner in owners)
        if result.findings and not answered:
            where = "nowhere in the answer: whoever keeps the approved traces"
    return [f"where it went wrong: {where}", ""] if where else []


def _owner_order(finding: Finding) -> int:
    return list(Owner).index(finding.owner)


_HEADER = ("chunk", "score", "kept", "supplied", "cited", "needed", "in force", "applies", "why")


def _evidence(result: CaseResult, cleaner: Cleaner) -> list[str]:
    """The evidence table: every chunk that was proposed, supplied, cited or needed, with what is true of it."""
    case, internal, response = result.case, result.outcome.internal, result.outcome.response
    candidates = {candidate.chunk: candidate for candidate in internal.candidates or ()}
    cited = response.cited if response else ()
    needed = _needed(case)
    ids = list(dict.fromkeys((*candidates, *(internal.evidence or ()), *cited, *needed)))
    if not ids:
        return []
    rows = [
        _row(chunk_id, candidates.get(chunk_id), result, cited=cited, needed=needed, cleaner=cleaner)
        for chunk_id in ids[:_MOST_ROWS]
    ]
    more = [f"  and {len(ids) - _MOST_ROWS} more"] if len(ids) > _MOST_ROWS else []
    return ["evidence", *_table([_HEADER, *rows]), *more, ""]


def _needed(case: Case) -> tuple[str, ...]:
    groups = (group for slot in case.expect.slots for group in slot.evidence)
    return tuple(dict.fromkeys((*case.expect.cite, *(chunk for group in groups for chunk in group))))


def _row(
    chunk_id: str,
    candidate: Candidate | None,
    result: CaseResult,
    *,
    cited: Sequence[str],
    needed: Sequence[str],
    cleaner: Cleaner,
) -> tuple[str, ...]:
    view, supplied = result.case.view, result.outcome.internal.evidence
    known = chunk_id in view.present
    readable = view.is_readable(chunk_id)
    return (
        view.name_of(chunk_id) if chunk_id in view.corpus else cleaner.text(chunk_id),
        "" if candidate is None or candidate.score is None else f"{candidate.score:.3g}",
        "" if candidate is None or candidate.kept is None else _yes(candidate.kept),
        "?" if supplied is None else _yes(chunk_id in supplied),
        _yes(chunk_id in cited),
        _yes(chunk_id in needed),
        _yes(view.in_force(chunk_id)) if readable else "",
        _yes(view.applies(chunk_id)) if readable else "",
        _why(candidate, known=known, readable=readable, cleaner=cleaner),
    )


def _why(candidate: Candidate | None, *, known: bool, readable: bool, cleaner: Cleaner) -> str:
    if not known:
        return "not in the corpus on this day"
    if not readable:
        return "not readable by the requester"
    return _one_line(cleaner.text(candidate.reason), 80) if candidate and candidate.reason else ""


def _yes(value: bool) -> str:  # noqa: FBT001 - it is what is shown
    return "yes" if value else "-"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _unchecked(title: str, items: Sequence[Unchecked], cleaner: Cleaner) -> list[str]:
    """What gave no verdict, by the reason: one thing not observed usually keeps several checks from running."""
    by_reason: dict[str, list[str]] = {}
    for item in items:
        by_reason.setdefault(_one_line(cleaner.text(item.reason), 160), []).append(item.check)
    lines = [f"  {', '.join(dict.fromkeys(checks))}: {reason}" for reason, checks in by_reason.items()]
    return [title, *lines, ""] if lines else []
