"""Keeps what a system writes beside its reply, by Python or below it, until it may be shown.

Replaced are the streams of Python and the two file descriptors, so that what a library in C or a process the system
started prints is kept as well.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, TextIO

__all__ = ["Kept", "LineCleaned"]


class Kept:
    """Keeps what is written to stdout and stderr while a block runs, and shows it, cleaned, in the end.

    `into`: where all of it is shown, where not each in its own place.

    >>> with Kept(str.upper):
    ...     print("prompt: ...")
    PROMPT: ...
    """

    def __init__(self, clean: Callable[[str], str], *, into: TextIO | None = None) -> None:
        self._clean = clean
        self._into = into
        self._streams = [_KeptStream("stdout", 1), _KeptStream("stderr", 2)]

    def __enter__(self) -> Self:
        self._debugger = sys.breakpointhook
        if self._debugger is sys.__breakpointhook__:
            sys.breakpointhook = self._debug
        self.go_on()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.pause()
        sys.breakpointhook = self._debugger

    def _debug(self, *_args: object, **_kwargs: object) -> None:
        """Let a debugger talk: who stops at a breakpoint sees what is written."""
        import pdb  # noqa: T100 - started for who asks for it

        self.pause()
        pdb.Pdb().set_trace(sys._getframe(1))  # noqa: SLF001 - as the default hook does

    def give_back(self, name: str, through: Callable[[TextIO], LineCleaned]) -> None:
        """Change what `sys.stdout` or `sys.stderr` becomes when it is no longer kept."""
        for stream in self._streams:
            if stream.name == name:
                stream.before = through(stream.before)

    def go_on(self) -> None:
        """Keep what comes from here on."""
        for stream in self._streams:
            stream.start()

    def pause(self) -> None:
        """Show what was kept so far, and what comes as it comes."""
        for stream in self._streams:
            kept = stream.stop()
            if kept:
                shown = self._into or stream.shown
                shown.write(self._clean(kept))
                shown.flush()


class _KeptStream:
    """One of the two: its Python object and its file descriptor lead into one file for a while."""

    def __init__(self, name: str, descriptor: int) -> None:
        self.name = name
        self._descriptor = descriptor
        self._kept: Any = None
        self._saved: int | None = None
        self.before: Any = getattr(sys, name)
        self.shown: TextIO = self.before

    def start(self) -> None:
        if self._kept is not None:
            return
        self.before = getattr(sys, self.name)
        self.shown = getattr(self.before, "beneath", self.before)
        _flush(self.before)
        self._kept = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed when it stops
        with suppress(OSError):  # a process may have closed it
            self._saved = os.dup(self._descriptor)
            os.dup2(self._kept.fileno(), self._descriptor)
        setattr(sys, self.name, _through(self.name).leading_to(self._kept, self.before))

    def stop(self) -> str:
        """What was written since the start."""
        if self._kept is None:
            return ""
        _flush(self.shown)
        setattr(sys, self.name, self.before)
        _through(self.name).leading_to(None, self.before)
        if self._saved is not None:
            os.dup2(self._saved, self._descriptor)
            os.close(self._saved)
            self._saved = None
        self._kept.seek(0)
        kept: str = self._kept.read().decode("utf-8", "backslashreplace")
        self._kept.close()
        self._kept = None
        return kept


class LineCleaned(io.TextIOBase):
    """A stream that shows what is written to it line by line, cleaned, in another one; from any thread.

    `beneath` is that other one. Where there is nothing to clean by (`clean` is None) all of it goes there at once.

    >>> stream = LineCleaned(sys.stdout, str.upper)
    >>> print("prompt:", end=" ", file=stream)
    >>> print("...", file=stream)
    PROMPT: ...
    """

    def __init__(self, beneath: TextIO, clean: Callable[[str], str] | None) -> None:
        super().__init__()
        self.beneath = beneath
        self.clean = clean
        self.buffer = _Bytes(self)
        self._line = ""
        self._lock = threading.RLock()

    def writable(self) -> bool:
        """Whether it can be written to."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of what bytes are written to its buffer."""
        return "utf-8"

    def write(self, text: str) -> int:
        """Show the lines that are whole by now."""
        with self._lock:
            *lines, self._line = f"{self._line}{text}".split("\n")
            for line in lines:
                self._show(f"{line}\n")
            if self.clean is None:
                self.let_go()
        return len(text)

    def let_go(self) -> None:
        """Show what was begun and is no line yet."""
        with self._lock:
            line, self._line = self._line, ""
            self._show(line)

    def _show(self, text: str) -> None:
        if text:
            self.beneath.write(text if self.clean is None else self.clean(text))

    def flush(self) -> None:
        """Flush the other stream; a line that is not whole stays, so that what is cut in pieces is met whole."""
        _flush(self.beneath)

    def fileno(self) -> int:
        """The file descriptor beneath."""
        return self.beneath.fileno()

    def isatty(self) -> bool:
        """Whether the other stream is a terminal."""
        return self.beneath.isatty()


class _Through(io.TextIOBase):
    """A stream that leads into a file while something is kept, and else to where it led before.

    There is one for as long as the process lives: a log handler made in one test writes in the next one, too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: Any = None
        self._shown: TextIO | None = None
        self.buffer = _Bytes(self)

    def leading_to(self, kept: Any, shown: TextIO) -> _Through:
        self._kept, self._shown = kept, shown
        return self

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def write(self, text: str) -> int:
        if self._kept is not None:
            self._kept.write(text.encode("utf-8", "backslashreplace"))
        elif self._shown is not None:
            self._shown.write(text)
        return len(text)

    def flush(self) -> None:
        if self._kept is None and self._shown is not None:
            _flush(self._shown)

    def fileno(self) -> int:
        if self._kept is None and self._shown is not None:
            return self._shown.fileno()
        return int(self._kept.fileno())


class _Bytes(io.BufferedIOBase):
    """The same stream for bytes."""

    def __init__(self, text: _Through | LineCleaned) -> None:
        super().__init__()
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._text.write(bytes(data).decode("utf-8", "backslashreplace"))
        return len(data)

    def flush(self) -> None:
        self._text.flush()


_THROUGH: dict[str, _Through] = {}


def _through(name: str) -> _Through:
    return _THROUGH.setdefault(name, _Through())


def _flush(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        stream.flush()
