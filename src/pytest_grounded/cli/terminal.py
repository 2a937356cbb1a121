"""Asks a person at a terminal, one question at a time; what cannot be read is asked for again.

Ctrl-C stops everything, and so does the end of input: neither is taken for an answer.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from pytest_grounded.errors import GroundedError
from pytest_grounded.redaction import neutralise

__all__ = ["Terminal", "can_ask"]

_END = "."
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CUT = 4095
"""So many bytes of a line a terminal hands over where nothing edits lines; what is behind them is lost."""


def can_ask() -> bool:
    """Whether a person is there: both what is read and what is written is a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


class Terminal:
    """Puts questions to whoever sits at the terminal."""

    def __init__(self) -> None:
        with suppress(ImportError):
            import readline  # noqa: F401  # lines can then be edited, and are not cut
        self._is_edited = "readline" in sys.modules

    def tell(self, said: str) -> None:
        """Say something that is no question."""
        print(neutralise(said))

    def line(self, asked: str, *, default: str = "") -> str:
        """One line, without white space around it; the default where nothing is typed."""
        self.tell(asked)
        while True:
            typed = self._typed(f"[{default}] > " if default else "> ")
            if typed is not None and _CONTROL.search(typed):
                self.tell("  holds signs that are no text, such as those of arrow keys; type it again")
            elif typed is not None:
                return typed.strip() or default

    def text(self, asked: str) -> str:
        """Several lines, up to a line with a full stop alone; or what a file holds that is named as @FILE."""
        self.tell(f"{asked} (end with a line that is a full stop alone; or @FILE)")
        lines: list[str] = []
        while True:
            typed = self._typed("> ")
            if typed is None:
                self.tell("  that line is left out; type it again")
            elif typed.strip() == _END:
                return "\n".join(lines).strip("\n")
            elif not lines and typed.startswith("@"):
                if (held := self._held(typed[1:].strip())) is not None:
                    return held
            else:
                lines.append(typed.rstrip("\r"))

    def yes(self, asked: str) -> bool:
        """Whether the answer is yes; anything else is no."""
        return self.line(f"{asked} [y/N]").casefold() in ("y", "yes")

    def _typed(self, prompt: str) -> str | None:
        """A line as it was typed; None where it cannot be read."""
        try:
            typed = input(prompt)
        except EOFError:
            print()
            raise GroundedError("stopped at the end of the input: nothing is written") from None
        except UnicodeDecodeError:
            self.tell(f"  is not {sys.stdin.encoding} text")
            return None
        if not _is_text(typed):
            self.tell("  is not UTF-8 text")
            return None
        if not self._is_edited and len(os.fsencode(typed)) >= _CUT:
            self.tell("  is too long for a line of this terminal, which cuts it: name a file with it as @FILE")
            return None
        return typed

    def _held(self, name: str) -> str | None:
        try:
            return Path(name).expanduser().read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
            self.tell(f"  {name}: {reason}; name another file, or type the text")
            return None


def _is_text(typed: str) -> bool:
    try:
        typed.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
