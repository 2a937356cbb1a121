"""Keeps what a system writes beside its reply, by Python or below it, until it may be shown.

Replaced are the streams of Python and the two file descriptors, so that what a library in C or a process the system
started prints is kept as well.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, TextIO

__all__ = ["Kept"]


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
        self._name = name
        self._descriptor = descriptor
        self._kept: Any = None
        self._saved: int | None = None
        self.shown: TextIO = getattr(sys, name)

    def start(self) -> None:
        if self._kept is not None:
            return
        self.shown = getattr(sys, self._name)
        _flush(self.shown)
        self._kept = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed when it stops
        with suppress(OSError):  # a process may have closed it
            self._saved = os.dup(self._descriptor)
            os.dup2(self._kept.fileno(), self._descriptor)
        setattr(sys, self._name, _through(self._name).leading_to(self._kept, self.shown))

    def stop(self) -> str:
        """What was written since the start."""
        if self._kept is None:
            return ""
        _flush(self.shown)
        setattr(sys, self._name, self.shown)
        _through(self._name).leading_to(None, self.shown)
        if self._saved is not None:
            os.dup2(self._saved, self._descriptor)
            os.close(self._saved)
            self._saved = None
        self._kept.seek(0)
        kept: str = self._kept.read().decode("utf-8", "backslashreplace")
        self._kept.close()
        self._kept = None
        return kept


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

    def __init__(self, text: _Through) -> None:
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
