"""A digest of what a case asks and demands, so that a baseline can tell that its case has changed since."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Any

from pytest_grounded.cases.context import FileContext
from pytest_grounded.cases.schema import CaseWritten, ExpectWritten, ForbidWritten
from pytest_grounded.model.evidence import Requester
from pytest_grounded.model.vocabulary import CaseKind

__all__ = ["content_hash"]

FOR_PEOPLE = frozenset({"id", "title", "incident", "why", "tags", "waive", "serial"})
"""Keys that change neither what is asked nor what has to hold."""

_ID_KEYS = frozenset({"evidence", "cite", "cites", "chunks", "resolved_to", "about"})
_WHO_KEYS = frozenset({"requester", "control"})
_TOLD_APART = frozenset({"on", "expect", "forbid", "requester", "as_of", "kind"})


def content_hash(
    written: CaseWritten,
    *,
    kind: CaseKind,
    requester: Requester,
    as_of: date,
    expect: ExpectWritten,
    forbid: ForbidWritten | None,
    context: FileContext,
) -> str:
    """`sha256:` over the case as written, canonical: names and aliases resolved, defaults left out, keys sorted.

    Comments, the order of keys, aliases, and what is written for people alone change nothing.
    """
    said = written.model_dump(mode="json", exclude_defaults=True, exclude=set(FOR_PEOPLE | _TOLD_APART))
    said |= {
        "kind": kind.value,
        "as_of": as_of.isoformat(),
        "requester": requester.model_dump(mode="json", exclude_defaults=True),
        "expect": expect.model_dump(mode="json", exclude_defaults=True),
        "forbid": forbid.model_dump(mode="json", exclude_defaults=True) if forbid else {},
    }
    canonical = json.dumps(_resolved(said, context), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def _resolved(value: Any, context: FileContext, key: str = "") -> Any:
    """The value with aliases and requesters' names replaced by what they stand for."""
    if isinstance(value, dict):
        return {name: _resolved(inner, context, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_resolved(inner, context, key) for inner in value]
    if key in _ID_KEYS and isinstance(value, str):
        return context.chunk_id(value)
    if key in _WHO_KEYS and value in context.header.requesters:
        return context.header.requesters[value].model_dump(mode="json", exclude_defaults=True)
    return value
