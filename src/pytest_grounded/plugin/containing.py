"""Contains what a grounded test prints, logs, warns and raises beside its report, until it is cleaned.

A system under test writes what it likes: prompts, hidden documents, control sequences, commands to the CI. While the
phases of a grounded test run, that is kept; what its requester may not read is taken out, the rest is made harmless,
and only then does it go where pytest would have put it. With pytest's default capturing (`--capture=fd`) it is kept by
pytest itself and cleaned in the report; otherwise it is kept here and shown when the phase is over.
"""

from __future__ import annotations

import dataclasses
import linecache
import re
import sys
import warnings
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

import pytest

from pytest_grounded.model.case import Case
from pytest_grounded.plugin import RECORDS, REPORT_KEY
from pytest_grounded.plugin.clean_logs import CleanLogs
from pytest_grounded.plugin.indexing import Indexes
from pytest_grounded.plugin.lingering import Clean, Lingering, clean_debug_file, cleaning
from pytest_grounded.redaction import Redactor
from pytest_grounded.systems.outputs import Kept

__all__ = ["Containing", "case_of", "fail_with"]


def fail_with(text: str, *, headline: str) -> NoReturn:
    """Fail the test with a text that is clean already, and is shown as it is; lists of failures show the headline."""
    error = pytest.fail.Exception(text, pytrace=False)
    error._grounded_headline = headline  # type: ignore[attr-defined]  # noqa: SLF001 - our own attribute
    raise error


def case_of(item: pytest.Item) -> Case | None:
    """The case a test judges: that of a case file's own test, or the one a hand-written test is parametrized with."""
    own = getattr(item, "case", None)
    if isinstance(own, Case):
        return own
    callspec = getattr(item, "callspec", None)
    given = getattr(callspec, "params", {}).get("grounded_case")
    return given if isinstance(given, Case) else None


class Containing:
    """A pytest plugin that is registered when the first case file is looked at."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._indexes = Indexes(config)
        self._nodeid = ""
        self._clean: Clean | None = None
        self._last: Clean | None = None
        self._kept: Kept | None = None
        self._case: Case | None = None
        self._logs = CleanLogs(config)
        self._lingering = Lingering(config)
        clean_debug_file(config, lambda: self._clean or self._last)

    # --- while a test runs -------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Know whose output comes now; still known afterwards, when pytest tells the warnings of the test."""
        case = case_of(item)
        if case is not None:
            self._indexes.open_for(case)
        self._case = case or self._case
        self._nodeid = item.nodeid
        self._clean = None if case is None else cleaning(Redactor(case.view))
        self._last = self._clean or self._last
        if self._clean is not None:
            _clean_sections(item, self._clean)
        return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        """Contain what fixtures write."""
        with self._contained():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """Contain what the system writes."""
        with self._contained():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> Generator[None, object, object]:
        """Contain what fixtures write in the end; those of the session end with its last test, whichever that is."""
        if self._clean is None and nextitem is None:
            self._clean = self._last
        with self._contained():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Generator[None, object, object]:
        """Contain what fixtures write that end only now, because the run was interrupted; nobody else captures it."""
        self._clean = self._last
        try:
            with self._contained(is_captured=False):
                return (yield)
        finally:
            if self._case is not None:
                self._lingering.stay(self._case)

    @contextmanager
    def _contained(self, *, is_captured: bool | None = None) -> Iterator[None]:
        clean = self._clean or self._lingering.clean
        if clean is None:
            yield
            return
        with ExitStack() as stack:
            stack.enter_context(self._logs.cleaned(clean, lambda: self._lingering.clean))
            if self._clean is not None and not (self._captures_all if is_captured is None else is_captured):
                self._kept = stack.enter_context(Kept(self._clean))
                stack.callback(self._let_go)
            stack.callback(lambda: self._lingering.look(self._case, self._kept))
            yield

    @property
    def _captures_all(self) -> bool:
        captures = self._config.pluginmanager.hasplugin("capturemanager")
        return captures and bool(self._config.getoption("capture", "fd") == "fd")

    def _let_go(self) -> None:
        self._kept = None

    def pytest_enter_pdb(self, pdb: Any) -> None:
        """Who debugs a test sees what it writes; the debugger was made with the output that is kept."""
        if self._kept is not None:
            self._kept.pause()
            pdb.stdout = sys.stdout

    def pytest_leave_pdb(self) -> None:
        """Keep it again."""
        if self._kept is not None:
            self._kept.go_on()

    # --- what is told of it ------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Show a failed case as what it says, whatever is to be shown of tracebacks; leave none without a record."""
        report = yield
        case = None if self._clean is None or call.excinfo is None else case_of(item)
        if case is None or call.excinfo is None:
            return report
        headline = getattr(call.excinfo.value, "_grounded_headline", None)
        if headline is not None:
            report.longrepr = call.excinfo.getrepr(style="value")
            _place(report.longrepr, case, headline)
            report._grounded_is_clean = True  # type: ignore[attr-defined]  # noqa: SLF001 - our own attribute
        elif RECORDS not in item.stash and hasattr(item, "case"):
            from pytest_grounded.plugin.running import keep_what_was_not_asked

            keep_what_was_not_asked(item, case, report, call.excinfo.exconly(tryshort=True))
            setattr(report, REPORT_KEY, item.stash[RECORDS])
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Clean a report before anybody gets it: the terminal, JUnit, a worker that sends it on."""
        if report.nodeid != self._nodeid:
            return
        if self._clean is not None:
            _clean_report(report, self._clean)
        elif self._lingering.clean is not None:
            report.sections = _clean_all(report.sections, self._lingering.clean)

    @pytest.hookimpl(tryfirst=True)
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, nodeid: str) -> None:
        """Clean a warning before anybody gets it."""
        clean = self._clean or self._lingering.clean
        if clean is not None and nodeid == self._nodeid:
            _clean_warning(warning_message, clean)


def _place(shown: object, case: Case, headline: str) -> None:
    """Say in lists of failures where the case stands, not where we raise, and not the whole of it once more."""
    crash = getattr(shown, "reprcrash", None)
    if crash is not None:
        crash.path, crash.lineno, crash.message = case.place.file, case.place.line, headline


# --- reports and warnings ----------------------------------------------------------------------------------------

_COLOURS = re.compile("\x1b\\[[0-9;]*m")


def _clean_report(report: pytest.TestReport, clean: Clean) -> None:
    if not getattr(report, "_grounded_is_clean", False):
        _clean_longrepr(report, clean)
    report.sections = _clean_all(report.sections, clean)
    report.user_properties = [(clean(str(name)), _clean_value(value, clean)) for name, value in report.user_properties]
    reason = getattr(report, "wasxfail", None)
    if isinstance(reason, str):
        report.wasxfail = clean(reason)
    context = getattr(report, "context", None)
    if dataclasses.is_dataclass(context) and not isinstance(context, type):
        report.context = _clean_context(context, clean)  # type: ignore[attr-defined]


def _clean_all(sections: list[tuple[str, str]], clean: Clean) -> list[tuple[str, str]]:
    """Sections of a report, their names as well. pytest colours the levels of log records itself."""
    return [(clean(name), clean(_COLOURS.sub("", content))) for name, content in sections]


def _clean_sections(item: pytest.Item, clean: Clean) -> None:
    """Let nothing uncleaned become a section of the test's report: plugins read them from the test as well."""
    add = type(item).add_report_section

    def add_cleaned(when: str, key: str, content: str) -> None:
        [(name, text)] = _clean_all([(key, content)], clean)
        add(item, when, name, text)

    item.add_report_section = add_cleaned  # type: ignore[method-assign]


def _clean_longrepr(report: pytest.TestReport, clean: Clean) -> None:
    """Keep pytest's own report where nothing in it has to go; else its text, cleaned."""
    shown = report.longrepr
    if shown is None:
        return
    if isinstance(shown, tuple):
        path, line, reason = shown
        report.longrepr = (path, line, clean(reason))
        return
    text = str(shown)
    if (cleaned := clean(text)) != text:
        report.longrepr = cleaned


def _clean_value(value: object, clean: Clean) -> object:
    """A property of a report; a number that may not be shown becomes a text."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value)
    cleaned = clean(text)
    return value if cleaned == text else cleaned


def _clean_context(context: Any, clean: Clean) -> Any:
    """What a subtest is called by."""
    message = getattr(context, "msg", None)
    values = getattr(context, "kwargs", {})
    return dataclasses.replace(
        context,
        msg=clean(message) if isinstance(message, str) else message,
        kwargs={clean(str(key)): _clean_value(value, clean) for key, value in values.items()},
    )


def _clean_warning(warning: warnings.WarningMessage, clean: Clean) -> None:
    """The warning's text, and the line of code that is shown with it."""
    text = str(warning.message)
    if (cleaned := clean(text)) != text:
        warning.message = UserWarning(cleaned)
    line = (linecache.getline(warning.filename, warning.lineno) if warning.line is None else warning.line).strip()
    if (cleaned := clean(line)) != line:
        warning.line = cleaned
