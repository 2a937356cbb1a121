"""What does one line of a JSON Lines file hold? An object with each key once, or words that say what is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pytest_grounded.errors import Problem
from pytest_grounded.text.objects import repeated_key

__all__ = ["LineReader", "decoded", "numbered", "object_words", "shortened", "shown"]

_BOM = b"\xef\xbb\xbf"
_MOST_PROBLEMS = 20
_LONGEST = 60


@dataclass(slots=True)
class LineReader:
    """What reads one line of a file, and keeps what is wrong with it under the `code` of its sort of file."""

    code: ClassVar[str]
    name: str
    line: int
    problems: list[Problem] = field(default_factory=list, init=False)
    id: str | None = field(default=None, init=False)

    def add(self, key: str, message: str) -> None:
        """Keep a problem of a key, or of the whole line where it is empty."""
        self.problems.append(
            Problem(message=message, code=self.code, file=self.name, line=self.line, case=self.id, field=key or None)
        )


def numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    r"""The lines that hold something, with their numbers; a byte order mark before the first is no part of it.

    >>> list(numbered([b"\xef\xbb\xbf{}\n", b"\n", b"[]\n"]))
    [(1, b'{}\n'), (3, b'[]\n')]
    """
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(_BOM) if number == 1 else raw
        if line.strip():
            yield number, line


def decoded(line: bytes) -> dict[str, Any]:
    """The object of a line; raises ValueError with what is wrong and what is needed.

    >>> decoded(b'{"case": "a", "case": "b"}')
    Traceback (most recent call last):
    ...
    ValueError: holds the key 'case' twice (keep one of them)
    """
    try:
        value = _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(object_words(error)) from None
    if not isinstance(value, dict):
        raise ValueError(f"is {type(value).__name__} (needs an object {{...}} on each line)")  # noqa: TRY004 - of a file
    return value


def object_words(error: Exception) -> str:
    """Why a line could not be read."""
    match error:
        case json.JSONDecodeError():
            return (
                f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} in column {error.colno} (one object on each line)"
            )
        case UnicodeDecodeError():
            return f"holds byte {error.object[error.start]:#04x}, which is not UTF-8 (save the file as UTF-8)"
        case RecursionError():
            return "is nested too deeply (flatten it)"
        case _:
            return str(error)


def shown(value: object) -> str:
    """A value for a message: NaN and infinities by their JSON names, long ones cut.

    >>> shown(float("nan")), shown("x" * 70)[-4:]
    ('NaN', 'x...')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def shortened(problems: Sequence[Problem], name: str) -> list[Problem]:
    """The first problems, and how many more there are."""
    if len(problems) <= _MOST_PROBLEMS:
        return list(problems)
    rest = f"and {len(problems) - _MOST_PROBLEMS} more faults like these"
    return [*problems[:_MOST_PROBLEMS], Problem(message=rest, file=name, code=problems[0].code)]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"holds the key {repeated_key(pairs)!r} twice (keep one of them)")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
