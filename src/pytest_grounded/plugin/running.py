"""Runs one case inside a test: ask, judge, keep the record for the report, fail with cleaned text."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.judging import judge
from pytest_grounded.harness.results import CaseResult, Verdict, to_record
from pytest_grounded.model.case import Case
from pytest_grounded.plugin.session import session_of

__all__ = ["fail_unless_passed", "run", "run_in_test"]


def run(request: pytest.FixtureRequest, case: Case, system: object) -> CaseResult:
    """Ask and judge; the result's record goes with the test's report."""
    session = session_of(request.config)
    try:
        asker = session.asker(system, case)
    except GroundedError as error:
        pytest.fail(str(error), pytrace=False)
    result = judge(case, asker.ask(case), options=session.judging)
    _keep(request.node, result)
    return result


def fail_unless_passed(result: CaseResult) -> None:
    """Fail the test with the cleaned text, from a frame that holds none of what was cleaned out."""
    if result.verdict is not Verdict.PASS:
        from pytest_grounded.redaction import Redactor, neutralise
        from pytest_grounded.reporting.failure import failure_text

        text = failure_text(result, Redactor(result.case.view), neutralise=neutralise)
        del result
        pytest.fail(text, pytrace=False)


def run_in_test(request: pytest.FixtureRequest, case: Case, system: object) -> None:
    """The whole of a case's test."""
    fail_unless_passed(run(request, case, system))


def _keep(node: Any, result: CaseResult) -> None:
    from pytest_grounded.redaction import Redactor

    records = getattr(node, "_grounded_records", None)
    if records is None:
        records = node._grounded_records = []  # noqa: SLF001 - our own attribute on the item
    records.append(to_record(result, Redactor(result.case.view)))
