"""Cleans what pytest and its plugins write of log records: live logs, log files, sections and records of reports.

A handler that an application made itself gets its records as they are: a system may well read its own prompts there.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import pytest

from pytest_grounded.plugin.lingering import Clean

__all__ = ["CleanLogs"]


class CleanLogs:
    """Makes the handlers of pytest and of installed plugins clean, for a while."""

    def __init__(self, config: pytest.Config) -> None:
        names = (getattr(plugin, "__name__", "") for plugin, _ in config.pluginmanager.list_plugin_distinfo())
        self._plugins = frozenset(name.partition(".")[0] for name in names if name)

    @contextmanager
    def cleaned(self, clean: Clean, afterwards: Callable[[], Clean | None]) -> Iterator[None]:
        """Clean while a block runs; `afterwards` says how handlers of pytest's own clean from then on, if at all."""
        handlers = list(logging.getLogger().handlers)
        own = [handler for handler in handlers if _home(handler) == "_pytest"]
        others = [handler for handler in handlers if _home(handler) in self._plugins and handler not in own]
        for handler in own:
            _format_cleaned(handler, clean)
        for handler in others:
            handler.handle = _handling(handler, clean)  # type: ignore[method-assign, assignment]
        try:
            with ExitStack() as stack:
                for handler in filter(_is_live, own):
                    stack.enter_context(_held_back(handler))
                yield
        finally:
            for handler in others:
                del handler.handle
            for handler in own:
                _format_cleaned(handler, afterwards())


def _is_live(handler: logging.Handler) -> bool:
    """Whether a handler of pytest's shows records as they come."""
    return type(handler).__name__ == "_LiveLoggingStreamHandler"


@contextmanager
def _held_back(handler: logging.Handler) -> Iterator[None]:
    """Show the records of a block when it is over.

    To show one, pytest stops capturing for a moment, and what another thread writes just then nobody would clean.
    """
    records: list[logging.LogRecord] = []
    with handler.lock or nullcontext():  # what is being shown is shown first
        handler.emit = records.append  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        del handler.emit
        for record in records:
            handler.emit(record)


def _home(handler: logging.Handler) -> str:
    return type(handler).__module__.partition(".")[0]


def _format_cleaned(handler: logging.Handler, clean: Clean | None) -> None:
    """Let a handler format records cleaned, or as it did before."""
    formatter = handler.formatter
    inner = formatter.inner if isinstance(formatter, _CleanFormatter) else formatter
    handler.setFormatter(inner if clean is None else _CleanFormatter(inner or logging.Formatter(), clean))


def _handling(handler: logging.Handler, clean: Clean) -> Callable[[logging.LogRecord], Any]:
    """What a handler does with records, done with cleaned copies."""
    handle = handler.handle
    formatter = logging.Formatter()
    return lambda record: handle(_cleaned(record, clean, formatter))


class _CleanFormatter(logging.Formatter):
    """Formats a record as another formatter does, its texts cleaned before colours come to them."""

    def __init__(self, inner: logging.Formatter, clean: Clean) -> None:
        super().__init__()
        self.inner = inner
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Format a cleaned copy."""
        return self.inner.format(_cleaned(record, self._clean, self.inner))


def _cleaned(record: logging.LogRecord, clean: Clean, formatter: logging.Formatter) -> logging.LogRecord:
    """A copy of a record, every text in it cleaned: message, exception, names, and what the application added."""
    shown = copy.copy(record)
    shown.msg, shown.args = _message_of(record), None
    if record.exc_info or record.exc_text:
        shown.exc_text = record.exc_text or formatter.formatException(record.exc_info)  # type: ignore[arg-type]
        shown.exc_info = None
    for name, value in vars(shown).items():
        if isinstance(value, str):
            setattr(shown, name, clean(value))
        elif name not in _STANDARD and not (value is None or isinstance(value, bool)):
            cleaned = clean(str(value))
            setattr(shown, name, value if isinstance(value, int | float) and cleaned == str(value) else cleaned)
    return shown


_STANDARD = frozenset(vars(logging.makeLogRecord({})))
"""What every record has: times, levels and lines are numbers of the logging, not of the application."""


def _message_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception as error:  # noqa: BLE001 - as the standard library does, but without the arguments
        return f"a record that cannot be formatted ({type(error).__name__})"
