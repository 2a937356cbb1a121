"""Runs one case inside a test: ask, judge, compare its trace, keep the record, fail with cleaned text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounded.checks.base import not_run
from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.asking import Asker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.leakage import unknown
from pytest_grounded.harness.results import CaseResult, Verdict, to_record
from pytest_grounded.harness.waiving import hold_waivers
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.plugin import DETAILS, RECORDS
from pytest_grounded.plugin.containing import fail_with
from pytest_grounded.plugin.exclusion import asked_in_turn
from pytest_grounded.plugin.session import GroundedSession, session_of
from pytest_grounded.redaction import Redactor, neutralise

if TYPE_CHECKING:
    from pytest_grounded.reporting.failure import Detail

__all__ = ["fail_unless_passed", "keep", "keep_what_was_not_asked", "run", "run_in_test"]

_SHOW_ALL = 2
"""How many times -v has to be given for every difference to be shown."""


def run(request: pytest.FixtureRequest, case: Case, system: object) -> CaseResult:
    """Ask and judge for a hand-written test; the result's record goes with the test's report."""
    return keep(request, _judged(request, case, system))


def keep(request: pytest.FixtureRequest, result: CaseResult) -> CaseResult:
    """Hold a result to its waivers and keep its record with the test's report."""
    result = _held(request.config, result)
    _keep(request.node, result, _redactor(result.case))
    return result


def run_in_test(request: pytest.FixtureRequest, case: Case, system: object) -> None:
    """The whole of a case's own test, the one place that compares and writes the case's trace."""
    config = request.config
    result, redactor = _judged(request, case, system), _redactor(case)
    if session_of(config).compares_traces:
        result = _traced(request, result, redactor)
    result = _held(config, result)
    _keep(request.node, result, redactor)
    fail_unless_passed(result, redactor, config=config)


def fail_unless_passed(result: CaseResult, redactor: Redactor | None = None, *, config: pytest.Config) -> None:
    """Fail the test with the cleaned text, from a frame that holds none of what was cleaned out."""
    if result.verdict is not Verdict.PASS:
        from pytest_grounded.reporting.failure import failure_text, headline

        cleaner = redactor or _redactor(result.case)
        fail_with(
            failure_text(result, cleaner, neutralise=neutralise, detail=_detail(config)),
            headline=neutralise(headline(result, cleaner)),
        )


def _detail(config: pytest.Config) -> Detail:
    """How much is said: what --tb asks for, and no less than is asked for with -v."""
    from pytest_grounded.reporting.failure import Detail

    styles = {"line": Detail.LINE, "short": Detail.SHORT}
    asked = {0: Detail.LINE, 1: Detail.MORE}.get(max(config.get_verbosity(), 0), Detail.EVERYTHING)
    return max(asked, styles.get(str(config.getoption("tbstyle", "auto")), Detail.USUAL))


def _judged(request: pytest.FixtureRequest, case: Case, system: object) -> CaseResult:
    session = session_of(request.config)
    asker = _asker(session, case, system)
    try:
        with asked_in_turn(request, case, any_serial=session.any_serial):
            return examine(case, asker, options=session.judging, leaks=session.leak_options, runs=session.runs)
    except (pytest.skip.Exception, pytest.exit.Exception) as error:
        raised: type[BaseException] = type(error)
        said, code = str(error), getattr(error, "returncode", None)
    # Outside the except clause, in other words: what the system raised holds its frames and its text.
    said = neutralise(_redactor(case).text(said))
    if issubclass(raised, pytest.exit.Exception):
        pytest.exit(said, returncode=code)
    _keep_unasked(request.node, case, FailureKind.SKIPPED, f"the system skipped: {said}")
    pytest.skip(said)


def keep_what_was_not_asked(item: pytest.Item, case: Case, report: pytest.TestReport, said: str) -> None:
    """Keep a record of a case whose fixtures failed or skipped: in the results no case is missing without a word."""
    kind = FailureKind.SKIPPED if report.skipped else FailureKind.NOT_ASKED
    happened = "was skipped" if report.skipped else "could not be asked"
    _keep_unasked(item, case, kind, f"the case {happened}: {said}")


def _keep_unasked(node: Any, case: Case, kind: FailureKind, why: str) -> None:
    failure = Failure(kind=kind, message=why)
    unasked = CaseResult(
        case=case,
        outcome=Outcome(failure=failure),
        unchecked=(not_run("case", why),),
        leakage=unknown(why) if case.kind is CaseKind.RESTRICTED else None,
    )
    _keep(node, unasked, _redactor(case))


def _held(config: pytest.Config, result: CaseResult) -> CaseResult:
    """The result held to the case's waivers, once everything that may be found was looked for."""
    return hold_waivers(result, session_of(config).judging.today)


def _asker(session: GroundedSession, case: Case, system: object) -> Asker:
    try:
        return session.asker(system, case)
    except GroundedError as error:
        message = str(error)
    # Outside the except clause: pytest shows a chain of exceptions as two reports of one mistake.
    pytest.fail(message, pytrace=False)


def _traced(request: pytest.FixtureRequest, result: CaseResult, redactor: Redactor) -> CaseResult:
    """The result with what its trace came to; lines of a case that passes are kept for the summary."""
    from pytest_grounded.harness.tracing import trace_lines, with_trace
    from pytest_grounded.plugin.commands import commands_for

    config, case = request.config, result.case
    result = with_trace(result, redactor, session_of(config).tracing, commands_for(config, case))
    if result.verdict is Verdict.PASS and _details(config) and (lines := trace_lines(result, redactor, details=True)):
        request.node.stash[DETAILS] = {f"{case.suite}/{case.id}": lines}
    return result


def _details(config: pytest.Config) -> bool:
    return config.get_verbosity() >= _SHOW_ALL


def _redactor(case: Case) -> Redactor:
    return Redactor(case.view)


def _keep(node: Any, result: CaseResult, redactor: Redactor) -> None:
    node.stash.setdefault(RECORDS, []).append(to_record(result, redactor))
