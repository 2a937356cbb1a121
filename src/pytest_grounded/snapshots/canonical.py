"""Plain JSON out of whatever a system put into a response: one value, one spelling, on every machine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from functools import lru_cache

from pydantic import BaseModel

from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import JsonValue

__all__ = ["DIGITS", "canonical", "in_order", "key_rank"]

DIGITS = 4
"""Decimals of a stored number that was computed; comparing allows more than this step."""

_DEEPEST = 40
_PLAIN = frozenset((str, bool, int))
_FIRST = ("name", "attempt", "chunk", "id", "kept", "score", "reason")


def canonical(value: object, path: str = "", *, digits: int | None = DIGITS, depth: int = 0) -> JsonValue:
    """Plain JSON with numbers of no integral type rounded to `digits` and sets sorted; keys as they came.

    An object of an unknown type becomes its type's name: its `repr` could hold an address, or text. Raises
    `SnapshotError` for a number that is not finite, naming its place.

    >>> canonical({"score": 0.123456, "kept": True, "chunk": "c1", "groups": {"b", "a"}})
    {'score': 0.1235, 'kept': True, 'chunk': 'c1', 'groups': ['a', 'b']}
    """
    if value is None or type(value) in _PLAIN:
        return value  # type: ignore[return-value] # what most leaves are
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | Decimal):
        return _number(value, path, digits)
    if depth >= _DEEPEST:
        return "[too deep]"

    def inner(item: object, place: str) -> JsonValue:
        return canonical(item, place, digits=digits, depth=depth + 1)

    if isinstance(value, Mapping):
        keyed = {str(key): item for key, item in value.items()}
        return {key: inner(item, f"{path}.{key}" if path else key) for key, item in keyed.items()}
    if isinstance(value, list | tuple):
        return [inner(item, f"{path}[{place}]") for place, item in enumerate(value)]
    if isinstance(value, set | frozenset):
        return sorted((inner(item, path) for item in value), key=repr)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, BaseModel):
        return inner(value.model_dump(), path)
    if is_dataclass(value) and not isinstance(value, type):
        return inner({field.name: getattr(value, field.name) for field in fields(value)}, path)
    return f"<{type(value).__name__}>"


def in_order(value: JsonValue) -> JsonValue:
    """The same JSON with the keys of every object in one order.

    >>> in_order({"score": 0.5, "kept": True, "chunk": "c1"})
    {'chunk': 'c1', 'kept': True, 'score': 0.5}
    """
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value, key=key_rank)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=4096)
def key_rank(key: str) -> tuple[int, str]:
    """Where a key of an object of unknown shape stands: what names the object first, then by name.

    >>> sorted(["score", "attempt", "name"], key=key_rank)
    ['name', 'attempt', 'score']
    """
    return (_FIRST.index(key) if key in _FIRST else len(_FIRST), key)


def _number(value: float | Decimal, path: str, digits: int | None) -> float:
    number = float(value)
    if not math.isfinite(number):
        place = path or "the value"
        raise SnapshotError(
            f"a trace holds finite numbers only, found {number!r}; let the system leave the key out or give null",
            code="output.schema",
            field=place,
        )
    if digits is not None:
        number = round(number, digits)
    return number + 0.0  # -0.0 is written as 0.0
