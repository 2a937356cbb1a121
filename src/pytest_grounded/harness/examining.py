"""Everything that is done with one case: it is asked as often as it says, judged step by step, and held to the runs.

A restricted case is asked over a reduced corpus as well, and with probes; any other costs what it says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.harness.asking import Asked, Asker
from pytest_grounded.harness.judging import JudgingOptions, default_checks, judged_alone
from pytest_grounded.harness.leakage import with_leakage
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.replays import Replays, is_missing
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.harness.variants import Variant, in_turn
from pytest_grounded.model.case import Case, Expectation, Forbidden, Step
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.vocabulary import CaseKind, Decision

__all__ = ["examine"]


def examine(
    case: Case,
    asker: Asker,
    *,
    options: JudgingOptions | None = None,
    leaks: LeakOptions | None = None,
    runs: int = 1,
) -> CaseResult:
    """Ask a case and judge what comes; `runs` asks it more often than it says itself.

    Of several runs `require` have to pass, all where the case does not say. A leak, permission or stale finding in any
    run fails the case.
    """
    options = options or JudgingOptions()
    total = max(case.runs, runs)
    if total != case.runs:
        case = replace(case, runs=total)
    is_restricted = case.kind is CaseKind.RESTRICTED
    replays = Replays(case, asker, options.reason_codes)
    for run in range(total):
        for variant in in_turn(run) if is_restricted else (Variant.LIVE,):
            replays.ask(variant, run)
    asked = replays.asked_so_far(Variant.LIVE)
    reduced = replays.outcomes(Variant.REDUCED, total) if is_restricted else ()
    results = [_judged(case, one, reduced, options, is_apart=replays.is_fresh) for one in asked]
    result = results[0] if total == 1 else _held_to_runs(results, total)
    return with_leakage(result, replays, runs=total, options=leaks) if is_restricted else result


def _judged(
    case: Case, asked: Asked, reduced: Sequence[Outcome], options: JudgingOptions, *, is_apart: bool
) -> CaseResult:
    """One run: the judged question with the findings of the steps before it that expect something."""
    checks = default_checks(reduced=reduced, is_apart=is_apart)
    result = judged_alone(case, asked.outcome, options=options, checks=checks)
    findings, unchecked, waived = list(result.findings), list(result.unchecked), list(result.waived)
    rulings = list(result.rulings)
    for place, (step, outcome) in enumerate(zip(case.steps, asked.steps, strict=False)):
        if step.expect is None and step.forbid == _NOTHING_FORBIDDEN:
            continue
        found = judged_alone(_as_case(case, step, place), outcome or _MISSING, options=options)
        findings += (replace(one, field=_at(place, one.field)) for one in found.findings)
        unchecked += (replace(one, field=_at(place, one.field)) for one in found.unchecked)
        waived += (replace(one, field=_at(place, one.field)) for one in found.waived)
        rulings += found.rulings
    return replace(
        result,
        findings=tuple(findings),
        unchecked=tuple(dict.fromkeys(unchecked)),
        waived=tuple(waived),
        rulings=tuple(rulings),
    )


# --- steps -------------------------------------------------------------------------------------------------------

_NOTHING_FORBIDDEN = Forbidden()
_MISSING = Outcome(
    failure=Failure(
        kind=FailureKind.NOT_RECORDED, message="no reply to this step is recorded, and it expects something"
    )
)


def _as_case(case: Case, step: Step, place: int) -> Case:
    """An earlier step as a case of its own, of the kind its decision stands for."""
    expect = step.expect or Expectation(decision=None, reason_code=None)
    return replace(
        case,
        kind=_kind_of(expect),
        question=step.question,
        requester=step.requester,
        as_of=step.as_of,
        corpus=step.corpus,
        expect=expect,
        forbid=step.forbid,
        steps=case.steps[:place],
        about=(),
        control=None,
        absent_question=None,
    )


def _kind_of(expect: Expectation) -> CaseKind:
    if expect.conflict is not None:
        return CaseKind.CONFLICTING
    if expect.decision is None or Decision.ANSWER in expect.decision:
        return CaseKind.ANSWERABLE
    return CaseKind.PARTIAL if Decision.PARTIAL in expect.decision else CaseKind.UNANSWERABLE


def _at(place: int, field: str) -> str:
    return f"steps[{place}].{field}".rstrip(".")


# --- runs --------------------------------------------------------------------------------------------------------


def _held_to_runs(results: Sequence[CaseResult], total: int) -> CaseResult:
    """One result of several runs: the first that passed where enough did, else the first that did not.

    What was found in runs that may fail is kept as tolerated; what no run may have fails the case.
    """
    missing = next((result for result in results if is_missing(result.outcome)), None)
    if missing is not None:
        return missing
    passed = [result for result in results if not result.findings]
    failed = [result for result in results if result.findings]
    needed = results[0].case.require or total
    grave = _gathered(failed, total, lambda finding: CATALOGUE[finding.check].never_waived)
    minor = _gathered(failed, total, lambda finding: not CATALOGUE[finding.check].never_waived)
    findings, tolerated = ((*grave, *minor), ()) if len(passed) < needed else (grave, minor)
    decided = [result for result in passed if not result.not_judged]
    is_enough = len(decided) >= needed and not results[0].case.unjudged_passes
    shown = failed[0] if findings or not passed else decided[0] if is_enough else passed[0]
    # Where what nobody judged does not pass, runs that somebody judged are enough, and others are not.
    open_in = (shown,) if is_enough else (shown, *results)
    unchecked = tuple(dict.fromkeys(one for result in open_in for one in result.unchecked))
    waived = tuple({(one.check, one.field): one for result in results for one in result.waived}.values())
    rulings = tuple(one for result in results for one in result.rulings)
    return replace(
        shown,
        findings=findings,
        unchecked=unchecked,
        tolerated=tolerated,
        waived=waived,
        rulings=rulings,
        passed_runs=len(passed),
    )


def _gathered(results: Sequence[CaseResult], total: int, is_wanted: Callable[[Finding], bool]) -> tuple[Finding, ...]:
    """The findings of some runs, each once, with how many runs had it."""
    runs: dict[tuple[str, str], list[Finding]] = {}
    for result in results:
        for key, finding in {(one.check, one.field): one for one in result.findings if is_wanted(one)}.items():
            runs.setdefault(key, []).append(finding)
    return tuple(
        replace(found[0], message=f"{found[0].message} (in {len(found)} of {total} runs)") for found in runs.values()
    )
