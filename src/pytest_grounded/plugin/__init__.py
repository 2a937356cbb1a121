"""The pytest entry point: hooks and fixtures, each a few lines that call what does the work.

pytest imports this module in every session of everyone who has the package installed, so it imports nothing but
pytest; everything else is imported when a case file is collected or a fixture of ours is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_grounded.plugin.handle import GroundedCase

__all__ = ["grounded_case", "grounded_system", "trace_snapshot"]

Record = dict[str, Any]
RECORDS = pytest.StashKey[list[Record]]()
"""On a test: the records of the cases it judged so far."""
DETAILS = pytest.StashKey[dict[str, list[str]]]()
"""On a test: what the summary shows of a case that passes, by suite and id."""
REPORT_KEY = "_grounded_records"
_DETAILS_KEY = "_grounded_details"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options and ini settings."""
    from pytest_grounded.plugin.options import add_options

    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and refuse options that cannot work before anything runs."""
    config.addinivalue_line(
        "markers",
        "grounded(kind, suite, risk): a case of a case file; on a test that requests `grounded_case` it selects "
        "the cases it runs over",
    )
    if hasattr(config, "workerinput"):
        return
    from pytest_grounded.plugin.options import check_options

    check_options(config)
    config.pluginmanager.register(Gatherer(config), "grounded-gatherer")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Where syrupy may delete what it takes for unused, keep it away from the approved traces."""
    folder = session.config.rootpath / "snapshots"
    if session.config.getoption("update_snapshots", False) and folder.is_dir():
        from pytest_grounded.plugin.shielding import shield_traces

        shield_traces(session.config, folder)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a YAML file below the folders of cases, or one that is named on the command line."""
    if file_path.suffix not in {".yaml", ".yml"}:
        return None
    from pytest_grounded.plugin.options import is_below_cases

    if not parent.session.isinitpath(file_path) and not is_below_cases(parent.config, file_path):
        return None
    from pytest_grounded.plugin.collect import collect_file

    return collect_file(file_path, parent)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a hand-written test that requests `grounded_case` over the cases."""
    if "grounded_case" in metafunc.fixturenames:
        from pytest_grounded.plugin.handle import parametrize

        parametrize(metafunc)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hang the records of the cases a test judged onto its report, which also crosses to the xdist controller."""
    report = yield
    if call.when == "call" and (records := item.stash.get(RECORDS, None)):
        setattr(report, REPORT_KEY, records)
        if details := item.stash.get(DETAILS, None):
            setattr(report, _DETAILS_KEY, details)
    return report


_TOLD_EVERY = 500
_RAN = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


class Gatherer:
    """Gathers the records of a run where its terminal and its results file are: never in an xdist worker."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.records: dict[str, list[Record]] = {}
        self.details: dict[str, list[str]] = {}
        self.orphans: tuple[str, ...] = ()
        self.unwritten: str | None = None
        self.stopped: str | None = None
        self._collected_whole = True
        self._deselected = False
        self._done = self._changed = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of xdist's what was typed: what it says to type next has to be what a serial run says."""
        from pytest_grounded.plugin.commands import hand_to_worker

        hand_to_worker(self.config, node.workerinput)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that something could not be collected."""
        self._collected_whole &= not report.failed

    def pytest_deselected(self) -> None:
        """Note that something was collected, and left out by what was asked for."""
        self._deselected = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the records of the last run of a test, should it be run again."""
        records = getattr(report, REPORT_KEY, None)
        if records:
            self.records[report.nodeid] = records
            self.details.update(getattr(report, _DETAILS_KEY, {}))
            self._tell_progress(records)

    def _tell_progress(self, records: list[Record]) -> None:
        """Say after every so many cases how far the run is: in a long one a change is worth knowing early."""
        before = self._done // _TOLD_EVERY
        self._done += len(records)
        self._changed += sum(1 for record in records if (record["trace"] or {}).get("status") == "changed")
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if self._done // _TOLD_EVERY > before and reporter is not None and self.config.get_verbosity() >= 0:
            if reporter.currentfspath is None:  # under xdist a row of dots begins with no path
                reporter.line("")
            reporter.write_line(f"{self._done} cases done, {self._changed} changed")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the results file, also after Ctrl-C, and look for approved traces of no case."""
        if self.config.getoption("grounded_results"):
            from pytest_grounded.plugin.report import said_of_stop, write_results

            is_stopped = session.exitstatus not in _RAN
            if is_stopped:
                self.stopped = said_of_stop(self.config, self.records)
            if self.records or not is_stopped:
                self.unwritten = write_results(self.config, self.records)
            if self.unwritten is not None:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        if self.config.getini("grounded_judge") and self.records:
            from pytest_grounded.plugin.report import write_verdicts

            write_verdicts(self.config, self.records)
        if self.records and self._collected_whole:
            from pytest_grounded.plugin.orphans import find_orphans, is_over_all_cases

            self.orphans = find_orphans(self.config) if is_over_all_cases(self.config) else ()
            fails = self.orphans and self.config.getoption("grounded_orphans") == "fail"
            if fails and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the cases decided, what was found and what changed."""
        if self.records:
            from pytest_grounded.plugin.report import write_summary

            write_summary(terminalreporter, self.records, details=self.details, orphans=self.orphans)
        if self.stopped is not None and self.unwritten is None:
            terminalreporter.write_line(self.stopped)
        if self.unwritten is not None:
            terminalreporter.write_line(f"ERROR {self.unwritten}", red=True, bold=True)

    @pytest.hookimpl(trylast=True)
    def pytest_report_collectionfinish(self, config: pytest.Config, items: list[pytest.Item]) -> list[str]:
        """Say what may have been meant where nothing was collected, or what no case can be right with."""
        if items and "pytest_grounded.plugin.collect" not in sys.modules:
            return []  # a run without any case of ours
        from pytest_grounded.plugin.first_steps import hints

        return hints(config, items, is_told=self._deselected or not self._collected_whole)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what a run of cases opened."""
    if "pytest_grounded.plugin.session" in sys.modules:
        from pytest_grounded.plugin.session import close_session

        close_session(config)


@pytest.fixture(scope="session")
def grounded_system(request: pytest.FixtureRequest) -> Any:
    """The system under test, as `--grounded-system` or the ini option `grounded_system` names it.

    Override it in a conftest.py to test your own: return a callable that takes a request, an object with a method
    `answer(request)`, or a name such as `"my_app.assistant:answer"`.
    """
    from pytest_grounded.plugin.session import session_of

    return session_of(request.config).default_system()


@pytest.fixture
def grounded_case(request: pytest.FixtureRequest, grounded_system: Any) -> GroundedCase:
    """One case of the case files, to be run by a hand-written test: `grounded_case.check()`."""
    from pytest_grounded.plugin.handle import GroundedCase

    return GroundedCase.of(request, grounded_system)


@pytest.fixture
def trace_snapshot(request: pytest.FixtureRequest, grounded_case: GroundedCase) -> Any:
    """The approved trace of the test's case: `assert grounded_case.run().trace == trace_snapshot`, as with syrupy.

    `--snapshot-update` approves the new one, unless the case breaks a rule.
    """
    from pytest_grounded.plugin.session import session_of
    from pytest_grounded.plugin.traces import trace_snapshot_of

    return trace_snapshot_of(request, grounded_case, session_of(request.config).tracing)
