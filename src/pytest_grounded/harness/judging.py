"""Judges one outcome: maps reason codes, runs every check, gathers what was found and what was not looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import PurePath

from pytest_grounded.checks.base import Check, Judged
from pytest_grounded.harness.asking import map_reason_code
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.harness.waiving import set_aside
from pytest_grounded.judges.ruling import Jury
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding, Observation, Unchecked
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.support import Ruling, Support
from pytest_grounded.model.vocabulary import CaseKind

__all__ = ["JudgingOptions", "default_checks", "judge", "judged_alone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOptions:
    """What a project sets for all its cases: its own reason codes, the hosts links may point to, its folder.

    `today` is the day that waivers are held to; without one none holds. `jury` rules on what no rule decides.
    """

    reason_codes: Mapping[str, str] = field(default_factory=dict)
    link_hosts: tuple[str, ...] = ()
    root: PurePath | None = None
    today: date | None = None
    jury: Jury | None = None


def default_checks(*, reduced: Sequence[Outcome] = (), is_apart: bool = True) -> tuple[Check, ...]:
    """Every check this version builds, in the order they are reported.

    `reduced`: replies without what the requester may not read; `is_apart`: whether they know nothing of the judged one.
    """
    from pytest_grounded.checks.leakage import check_leaks
    from pytest_grounded.checks.registry import DEFAULT_CHECKS

    return (partial(check_leaks, reduced=reduced, is_apart=is_apart), *DEFAULT_CHECKS)


def judge(
    case: Case, outcome: Outcome, *, options: JudgingOptions | None = None, checks: Iterable[Check] | None = None
) -> CaseResult:
    """Judge what came of asking a case. The same case and outcome give the same result, byte for byte.

    Nothing else is asked: of a restricted case the direct checks are made, and that it shows the same without the
    hidden chunks is *not run*.

    >>> from pytest_grounded import read_reply
    >>> from pytest_grounded.testing import make_case
    >>> case = make_case("unanswerable", id="parking", corpus=["The nightly hotel limit is $180."])
    >>> judge(case, read_reply({"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I found nothing."}))
    CaseResult(root/parking: pass)
    >>> judge(case, read_reply({"decision": "answer", "text": "It is $180."})).findings[0].check
    'decision.wrong'
    """
    options = options or JudgingOptions()
    result = judged_alone(case, outcome, options=options, checks=checks)
    if case.kind is not CaseKind.RESTRICTED:
        return result
    from pytest_grounded.harness.leakage import with_leakage
    from pytest_grounded.harness.replays import Replays

    replays = Replays(case, None)
    replays.give(result.outcome)
    return with_leakage(result, replays)


def judged_alone(
    case: Case, outcome: Outcome, *, options: JudgingOptions, checks: Iterable[Check] | None = None
) -> CaseResult:
    """The checks on one reply, without a verdict about leaks; what a waiver covers is set aside."""
    outcome = map_reason_code(outcome, options.reason_codes)
    rulings: list[Ruling] = []
    judged = Judged(
        case=case,
        outcome=outcome,
        view=case.view,
        link_hosts=options.link_hosts,
        support=None if options.jury is None else _noting(options.jury.rule, rulings),
    )
    observations: list[Observation] = []
    for check in default_checks() if checks is None else checks:
        observations.extend(check(judged))
    result = CaseResult(
        case=case,
        outcome=outcome,
        findings=_distinct(item for item in observations if isinstance(item, Finding)),
        unchecked=tuple(dict.fromkeys(item for item in observations if isinstance(item, Unchecked))),
        root=options.root,
        rulings=tuple(rulings),
    )
    return set_aside(result, options.today)


def _noting(rule: Support, rulings: list[Ruling]) -> Support:
    """Asks for a ruling and notes it, so that the result says who decided what."""

    def noted(claim: str, evidence: Sequence[str]) -> Ruling:
        rulings.append(rule(claim, evidence))
        return rulings[-1]

    return noted


def _distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))
