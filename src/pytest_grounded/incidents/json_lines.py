r"""Adds lines to a JSON Lines file and leaves every byte that was there as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_grounded.incidents.yaml_text import UNSEEN

__all__ = ["json_line", "with_lines"]

_COMPACT = re.compile(rb'^\{"[^"\\]*":\S')
_BOM = b"\xef\xbb\xbf"


def with_lines(raw: bytes, rows: Iterable[Mapping[str, Any]]) -> bytes:
    r"""The bytes of a file with a line for each row behind its last one, spaced and ended as the lines there are.

    >>> with_lines(b'{"id":"c1"}\r\n', [{"id": "c2", "text": "x"}])
    b'{"id":"c1"}\r\n{"id":"c2","text":"x"}\r\n'
    >>> with_lines(b'{"id": "c1"}', [{"id": "c2"}])
    b'{"id": "c1"}\n{"id": "c2"}'
    """
    lines = [line for line in raw.removeprefix(_BOM).split(b"\n") if line.strip()]
    is_compact = bool(lines) and _COMPACT.match(lines[-1]) is not None
    ending = b"\r\n" if lines and all(line.endswith(b"\r") for line in lines[:-1] or lines) else b"\n"
    written = [json_line(row, is_compact=is_compact).encode() for row in rows]
    if not written:
        return raw
    body = ending.join(written)
    return raw + (ending + body if lines and not raw.endswith(b"\n") else body + ending)


def json_line(row: Mapping[str, Any], *, is_compact: bool = False) -> str:
    r"""A row as JSON in one line; characters that cannot be seen or turn the line round are escaped.

    >>> print(json_line({"text": "\u202eé"}))
    {"text": "\u202eé"}
    """
    separators = (",", ":") if is_compact else (", ", ": ")
    written = json.dumps(row, ensure_ascii=False, separators=separators)
    return UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], written)
