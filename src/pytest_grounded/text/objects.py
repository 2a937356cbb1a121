"""JSON objects in what a model or a system wrote: bare, fenced, or with prose around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

__all__ = ["NotOneObjectError", "RepeatedKeyError", "json_objects", "one_object", "repeated_key", "unique_keys"]


class RepeatedKeyError(Exception):
    """A key stands twice in one JSON object."""


class NotOneObjectError(Exception):
    """A reply that was to be one JSON object is none: `kind` in a word, `detail` the number or the key."""

    def __init__(
        self, kind: Literal["no_object", "cut_off", "several_objects", "repeated_key"], detail: object = None
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail


def one_object(text: str) -> Mapping[str, Any]:
    """The one object of a model's reply; of several none is chosen, and one that breaks off is none.

    >>> one_object('Sure: {"verdict": "neutral"}')
    {'verdict': 'neutral'}
    >>> one_object('{"verdict": "neu')
    Traceback (most recent call last):
    pytest_grounded.text.objects.NotOneObjectError: cut_off
    """
    try:
        found = json_objects(text)
    except RepeatedKeyError as error:
        raise NotOneObjectError("repeated_key", str(error)) from None
    if len(found) == 1:
        return found[0]
    if found:
        raise NotOneObjectError("several_objects", len(found))
    raise NotOneObjectError("cut_off" if _BEGINS.match(text) else "no_object")


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
        raise RepeatedKeyError(repeated_key(pairs))
    return value


def repeated_key(pairs: Iterable[tuple[str, Any]]) -> str | None:
    """The first key that comes again; None where all differ.

    >>> repeated_key([("a", 1), ("b", 2), ("b", 3)]), repeated_key([("a", 1)])
    ('b', None)
    """
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    return None


_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys)
_OBJECT_START = re.compile(r'\{\s*["}]|\[\s*\{\s*["}]')
_A_PAIR = 2
_BEGINS = re.compile(r'[\s`\w]*\{\s*"')
