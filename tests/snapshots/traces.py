"""A trace in which every field of the schema holds something, and its leaves."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

__all__ = ["Keys", "changed", "full_trace", "leaves", "value_at"]

Keys = tuple[str | int, ...]


def full_trace() -> dict[str, Any]:
    """A fresh trace with every key of the schema."""
    return copy.deepcopy(_FULL)


_FULL: dict[str, Any] = {
    "schema": 1,
    "normaliser": 1,
    "case_sha": "sha256:aa",
    "chunks": {"c1": "sha256:11", "c2": "sha256:22"},
    "decision": "answer",
    "reason_code": "PARTIAL_EVIDENCE",
    "next_step": "Ask the travel desk.",
    "missing": ["parking fee", "breakfast price"],
    "text": ["The hotel limit is $180. ", "Meals are paid for 30 days."],
    "claims": [
        {
            "text": "The hotel limit is $180.",
            "quote": "limit is $180",
            "status": "supported",
            "derivation": {"operation": "sum", "operands": [{"value": "100", "unit": "USD", "chunk": "c1"}]},
            "other": {"remark": "as printed here"},
        },
        {"text": "Meals are paid for 30 days.", "status": "inferred"},
    ],
    "citations": [
        {
            "claim": 1,
            "chunk": "c1",
            "quote": "The limit is $180",
            "marker": "1",
            "version": "v3",
            "locator": "p. 4",
            "other": {"page": 4},
        },
        {"claim": 2, "chunk": "c2", "quote": "paid for 30 days"},
    ],
    "conflicts": [
        {
            "key": "limit",
            "sides": [
                {"value": "180", "chunks": ["c1"], "other": {"place": "left"}},
                {"value": "150", "chunks": ["c2"]},
            ],
            "other": {"since": 2024},
        }
    ],
    "sources": [
        {"chunk": "c1", "title": "Policy", "url": "https://example.org/p", "marker": "1", "other": {"tier": 1}}
    ],
    "rendered": [{"marker": "1", "chunk": "c1", "other": {"shape": "link"}}],
    "followups": ["What does parking cost?", "Who pays for meals?"],
    "delivery": "generated",
    "confidence": 0.81,
    "stream": [{"verified": True, "text": ["The hotel limit is $180. "], "other": {"part": "head"}}],
    "actions": [{"name": "book", "arguments": {"room": 12}, "authorized": True, "other": {"queue": "day"}}],
    "error": {"kind": "partial_outage", "status": 503, "other": {"retry": True}},
    "other": {"source_count": 2, "score": 0.5, "banner": "Read the policy.", "tags": ["travel", "hotel"]},
    "failure": "timeout",
    "internal_reason_code": "NOT_AUTHORIZED",
    "evidence": ["c1", "c2"],
    "candidates": [
        {"chunk": "c1", "kept": True, "score": 0.9, "reason": "best"},
        {"chunk": "c2", "kept": True, "score": 0.8},
        {"chunk": "c3", "kept": False, "score": 0.3, "reason": "floor"},
    ],
    "support": [
        {"claim": 1, "evidence": ["c1"], "verdict": "support", "score": 0.97, "judge": "rules", "version": "2"},
    ],
    "steps": [
        {"name": "retrieve", "found": 3, "best": 0.9},
        {"name": "select", "attempt": 1, "bound": 0.4, "chunks": [{"chunk": "c3", "kept": False, "reason": "floor"}]},
        {"name": "verify", "attempt": 1, "outcome": "passed"},
    ],
    "versions": {"model": "m-1", "settings": {"floor": 0.4, "rules": ["scope", "date"]}},
}


def leaves(value: Any, path: Keys = ()) -> Iterator[Keys]:
    """The path of every scalar."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from leaves(item, (*path, place))
    else:
        yield path


def value_at(trace: dict[str, Any], path: Keys) -> Any:
    """The value at a path."""
    value: Any = trace
    for key in path:
        value = value[key]
    return value


def changed(trace: dict[str, Any], *changes: tuple[Keys, Any]) -> dict[str, Any]:
    """A copy of a trace with other values at some paths."""
    copied = copy.deepcopy(trace)
    for path, new in changes:
        holder: Any = copied
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = new
    return copied
