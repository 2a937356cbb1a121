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

__all__ = ["grounded_case", "grounded_system"]

_REPORT_KEY = "_grounded_records"
Record = dict[str, Any]


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
    if config.getoption("grounded_results"):
        from pytest_grounded.plugin.options import check_results_path

        check_results_path(config)
    config.pluginmanager.register(Gatherer(config), "grounded-gatherer")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a YAML file below the folders of cases, or one that is named on the command line."""
    if file_path.suffix != ".yaml":
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
    if call.when == "call" and (records := getattr(item, _REPORT_KEY, None)):
        setattr(report, _REPORT_KEY, records)
    return report


class Gatherer:
    """Gathers the records of a run where its terminal and its results file are: never in an xdist worker."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.records: dict[str, list[Record]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the records of the last run of a test, should it be run again."""
        records = getattr(report, _REPORT_KEY, None)
        if records:
            self.records[report.nodeid] = records

    def pytest_sessionfinish(self) -> None:
        """Write the results file, also after Ctrl-C."""
        if self.config.getoption("grounded_results"):
            from pytest_grounded.plugin.report import write_results

            write_results(self.config, self.records)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the cases decided and what was found."""
        if self.records:
            from pytest_grounded.plugin.report import write_summary

            write_summary(terminalreporter, self.records)


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
