"""Cleans what a system writes when no grounded test is at work: between the phases of one, and in other tests.

A thread that a test started may go on after it. While there is one, whatever is written by Python comes cleaned of all
that not everybody may read, since nobody is asking; what comes in a plain test's report as well. What such a thread
writes below Python, to a file descriptor, between two tests is beyond this.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO

import pytest

from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import ANONYMOUS
from pytest_grounded.redaction import Redactor, neutralise
from pytest_grounded.systems.outputs import Kept, LineCleaned

__all__ = ["Clean", "Lingering", "clean_debug_file", "cleaning"]

Clean = Callable[[str], str]
_LONGEST = 200_000
"""Characters of an output that are shown, half of them from its beginning and half from its end."""


def cleaning(redactor: Redactor) -> Clean:
    """A function that takes out what may not be shown and makes the rest harmless."""

    def clean(text: str) -> str:
        return neutralise(redactor.lines(_shortened(text)), tags=False)

    return clean


def _shortened(text: str) -> str:
    left_out = len(text) - _LONGEST
    if left_out <= 0:
        return text
    return f"{text[: _LONGEST // 2]}\n[{left_out} characters left out]\n{text[-_LONGEST // 2 :]}"


class Lingering:
    """Knows whether a thread of a grounded test still runs, and then cleans the streams of Python.

    `clean` is how, and None where there is no such thread.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._before = frozenset(threading.enumerate())
        self._streams: list[LineCleaned] = []
        self._corpus: Any = None
        self.clean: Clean | None = None

    def look(self, case: Case | None, kept: Kept | None) -> None:
        """Look for such a thread, when something of a case ends and its output is still kept: here, or by pytest."""
        lingers = any(thread not in self._before for thread in threading.enumerate())
        if lingers and case is not None:
            self._stay(case, kept)
        else:
            self._become(None)

    def stay(self, case: Case) -> None:
        """Clean until the process ends: objects of the system may yet complain when they are taken away."""
        if case.corpus.view(ANONYMOUS, case.as_of).unreadable:
            self._stay(case, None)

    def _stay(self, case: Case, kept: Kept | None) -> None:
        if self.clean is None or self._corpus is not case.corpus:
            self._corpus = case.corpus
            self._become(cleaning(Redactor(case.corpus.view(ANONYMOUS, case.as_of))))
        if not self._streams:
            for name in ("stdout", "stderr"):
                self._put_before(name, kept)

    def _become(self, clean: Clean | None) -> None:
        self.clean = clean
        for stream in self._streams:
            stream.clean = clean

    def _through(self, stream: TextIO) -> LineCleaned:
        self._streams.append(LineCleaned(getattr(stream, "beneath", stream), self.clean))
        return self._streams[-1]

    def _put_before(self, name: str, kept: Kept | None) -> None:
        """Lead what Python writes between two phases through a cleaning stream.

        There pytest gives back the stream it replaced; it is told that this is the cleaning one. Where it keeps it
        otherwise than is known, or replaces none (`-s`), the stream is that of Python.
        """
        manager = self._config.pluginmanager.getplugin("capturemanager")
        whole = getattr(getattr(manager, "_global_capturing", None), name.removeprefix("std"), None)
        capture = getattr(whole, "syscapture", whole)
        if capture is not whole:
            self._clean_what_is_left(whole)
        replaced: Any = getattr(capture, "_old", None)
        if not hasattr(replaced, "write"):
            if kept is None:
                setattr(sys, name, self._through(getattr(sys, name)))
            else:
                kept.give_back(name, self._through)
            return
        stream = self._through(replaced)
        if getattr(sys, name) is replaced:
            setattr(sys, name, stream)
        capture._old = stream  # type: ignore[union-attr]  # noqa: SLF001 - there is no public way
        copies_to = getattr(capture, "tmpfile", None)
        if getattr(copies_to, "_other", None) is replaced:
            copies_to._other = stream  # type: ignore[union-attr]  # noqa: SLF001 - of --capture=tee-sys

    def _clean_what_is_left(self, capture: Any) -> None:
        """Clean what pytest kept and no report took: it writes that out when it captures no longer."""
        write = capture.writeorg

        def write_cleaned(text: str) -> None:
            write(text if self.clean is None else self.clean(text))

        capture.writeorg = write_cleaned


def clean_debug_file(config: pytest.Config, clean: Callable[[], Clean | None]) -> None:
    """Clean what `--debug` writes of hooks and their arguments from here on."""
    root: Any = getattr(getattr(config, "trace", None), "root", None)
    write = getattr(root, "_writer", None)
    if write is None or not hasattr(root, "setwriter"):
        return

    def write_cleaned(text: str) -> None:
        by = clean()
        write(text if by is None else by(text))

    root.setwriter(write_cleaned)
