"""Makes standard output and error take every text, whatever the terminal's encoding is."""

from __future__ import annotations

import codecs
import sys
from contextlib import suppress

__all__ = ["escape_what_cannot_be_shown"]


def escape_what_cannot_be_shown() -> None:
    r"""Show characters that the terminal's encoding has not as \u escapes, which JSON reads as the same."""
    codecs.register_error("pytest-grounded", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8":
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="pytest-grounded")  # type: ignore[union-attr]


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True)), error.end
