"""Gives keys of a manifest other values, and leaves what a person wrote around them as it is.

A comment behind a value stays. What no edit of whole lines can say (a manifest in braces) is an error that shows the
lines to write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_grounded.corpus.yaml_reader import Document, read_yaml
from pytest_grounded.errors import CorpusError, Problem

__all__ = ["with_values"]

_PLAIN = re.compile(r"[\w${}/][\w.${}/-]*")


def with_values(raw: bytes, values: Mapping[str, str | None], *, file: str) -> bytes:
    r"""The bytes of a manifest with these texts under its top-level keys; None takes a key out, a new one comes last.

    Raises CorpusError where the file is written so that this cannot be done line by line.

    >>> print(with_values(b"corpus: a\nas_of: 2024-01-01  # ours\n", {"as_of": "2025-01-01"}, file="c.yaml").decode())
    corpus: a
    as_of: 2025-01-01  # ours
    <BLANKLINE>
    """
    document = read_yaml(raw)
    data: dict[str, Any] = dict(document.data) if isinstance(document.data, dict) else {}
    wanted = {key: value for key, value in {**data, **values}.items() if value is not None}
    edited = _edited(raw.decode("utf-8"), document, values).encode("utf-8")
    again = read_yaml(edited)
    if again.faults or again.data != wanted:
        lines = "; ".join(_line(key, value) if value is not None else f"no {key}" for key, value in values.items())
        message = (
            f"the manifest is written so that it cannot be edited line by line (write it so that it says: {lines})"
        )
        raise CorpusError(Problem(message=message, code="corpus.yaml", file=file))
    return edited


def _edited(text: str, document: Document, values: Mapping[str, str | None]) -> str:
    lines = text.splitlines(keepends=True)
    ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending
    keys = {key: document.spot((key,), key=True).line for key in document.data or ()}
    starts = sorted(keys.values())
    for key in sorted(
        values, key=lambda name: -keys.get(name, 0)
    ):  # from the end, so that the lines before keep theirs
        value = values[key]
        if key not in keys:
            if value is not None:
                lines.append(_line(key, value) + ending)
            continue
        first = keys[key] - 1
        last = next((start - 1 for start in starts if start - 1 > first), len(lines))
        while last > first + 1 and _stands_apart(lines[last - 1]):
            last -= 1  # comments and blank lines above the next key are that key's
        comment = re.search(r"\s+#.*$", lines[first].rstrip("\r\n")) if last == first + 1 else None
        lines[first:last] = [] if value is None else [_line(key, value) + (comment[0] if comment else "") + ending]
    return "".join(lines)


def _stands_apart(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def _line(key: str, value: str) -> str:
    return f"{key}: {value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)}"
