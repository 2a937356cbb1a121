"""Where a value stands in a JSON record: paths such as `outputs.documents[0].text`, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_grounded.errors import GroundedError

__all__ = ["MISSING", "first_at", "value_at"]


class _Missing:
    """What a path that leads nowhere gives; null is a value."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = _Missing()
_PART = re.compile(r"(?P<key>[^.\[\]]+)|\[(?P<index>\d{1,6})\]|\.")


def value_at(record: Any, path: str) -> Any:
    """What stands at a path, MISSING where it leads nowhere. A key that holds dots is found as it is.

    >>> value_at({"out": {"docs": [{"id": "c1"}]}, "a.b": 1}, "$.out.docs[0].id"), value_at({"a.b": 1}, "a.b")
    ('c1', 1)
    >>> value_at({"out": 1}, "out.docs")
    MISSING
    """
    written = path.removeprefix("$").removeprefix(".")
    if isinstance(record, Mapping) and written in record:
        return record[written]
    value = record
    for part in _parts(written, path):
        if isinstance(part, int):
            is_there = isinstance(value, Sequence) and not isinstance(value, str) and part < len(value)
        else:
            is_there = isinstance(value, Mapping) and part in value
        if not is_there:
            return MISSING
        value = value[part]
    return value


def first_at(record: Any, paths: Iterable[str]) -> tuple[str, Any]:
    """The first path that leads to a value that is not null, and the value; an empty path and MISSING where none does.

    >>> first_at({"query": None, "input": "How much?"}, ["question", "query", "input"])
    ('input', 'How much?')
    """
    for path in paths:
        value = value_at(record, path)
        if value is not MISSING and value is not None:
            return path, value
    return "", MISSING


def _parts(written: str, path: str) -> list[str | int]:
    parts: list[str | int] = []
    place = 0
    while place < len(written):
        match = _PART.match(written, place)
        if match is None:
            raise GroundedError(
                f"the path {path!r} cannot be read at {written[place:]!r} (write it as outputs.docs[0])"
            )
        if match["index"] is not None:
            parts.append(int(match["index"]))
        elif match["key"] is not None:
            parts.append(match["key"])
        place = match.end()
    return parts
