"""Known failures with an owner and a date: set aside while that date holds, and found themselves once they should go.

A waiver names a check of one case. What it covers is reported and does not fail the case. One whose last day has
passed, or that covers nothing any more, fails the case, so that no list of excuses outlives its reasons. Leak,
permission and stale findings are never set aside; a case file that tries is not even loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from pytest_grounded.checks.base import report
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.model.case import Waiver
from pytest_grounded.model.finding import Finding

__all__ = ["hold_waivers", "set_aside"]


def set_aside(result: CaseResult, today: date | None) -> CaseResult:
    """The result with what the case's waivers cover among `waived`; without a day no waiver holds."""
    covered = {waiver.check for waiver in result.case.waive if _holds(waiver, today) and _may_be_waived(waiver.check)}
    if covered.isdisjoint(finding.check for finding in result.findings):
        return result
    waived = (finding for finding in result.findings if finding.check in covered)
    left = tuple(finding for finding in result.findings if finding.check not in covered)
    return replace(result, findings=left, waived=tuple(dict.fromkeys((*result.waived, *waived))))


def hold_waivers(result: CaseResult, today: date | None) -> CaseResult:
    """The result with a finding for every waiver that has run out or covers nothing, where that can be told."""
    if not result.case.waive or today is None:
        return result
    result = set_aside(result, today)
    outlived = tuple(_outlived(result, today))
    return replace(result, findings=(*result.findings, *outlived)) if outlived else result


def _holds(waiver: Waiver, today: date | None) -> bool:
    return today is not None and today <= waiver.until


def _may_be_waived(check: str) -> bool:
    return check in CATALOGUE and not CATALOGUE[check].never_waived


def _outlived(result: CaseResult, today: date) -> Iterator[Finding]:
    found = {finding.check for finding in (*result.waived, *result.findings, *result.tolerated)}
    for index, waiver in enumerate(result.case.waive):
        field, owner = f"waive[{index}]", f"{waiver.owner} ({waiver.why})"
        if not _holds(waiver, today):
            message = f"the waiver of {waiver.check} ran out on {waiver.until.isoformat()}; its owner is {owner}"
            gone = "" if waiver.check in found else "; nothing is found any more, so take it out"
            yield report("waive.expired", message + gone, field=field)
        elif waiver.check not in found and _was_looked_at(result, waiver.check):
            message = f"{waiver.check} is not found any more: take the waiver of {owner} out"
            yield report("waive.unneeded", message, field=field)


def _was_looked_at(result: CaseResult, check: str) -> bool:
    """Whether the check would have found it: nothing failed before, and it was run and judged."""
    if result.outcome.response is None or any(item.check == check for item in result.unchecked):
        return False
    return result.trace_check is not None or not check.startswith("trace.changed")
