"""JSON objects in what a model or a system wrote: bare, fenced, or with prose around them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["RepeatedKeyError", "json_objects", "unique_keys"]


class RepeatedKeyError(Exception):
    """A key stands twice in one JSON object."""


def json_objects(text: str) -> tuple[Mapping[str, Any], ...]:
    """Every complete top-level JSON object in a text, in order; prose between them is passed over.

    Text after the start of an object that never ends belongs to that object: what is complete inside it is not
    top-level. A brace that no quoted key follows is prose, and so is an empty object beside a filled one.

    >>> [sorted(found) for found in json_objects('so: {"a": 1} and {"b": {"c": 2}}')]
    [['a'], ['b']]
    >>> json_objects('{"decision": "answer", "internal": {"evidence": []}, "te')
    ()
    """
    found: list[Mapping[str, Any]] = []
    position = 0
    while (match := _OBJECT_START.search(text, position)) is not None:
        try:
            value, position = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):  # also a whole number of more digits than Python reads
            break
        if isinstance(value, dict):
            found.append(value)
    return tuple(found) if len(found) < _A_PAIR else tuple(value for value in found if value)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless it says one thing twice: which of the two holds would be a guess.

    >>> unique_keys([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    pytest_grounded.text.objects.RepeatedKeyError: a
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys)
_OBJECT_START = re.compile(r'\{\s*["}]|\[\s*\{\s*["}]')
_A_PAIR = 2
