"""A difference that waits for a person: the new trace, what it was compared with, and why it may not be accepted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import JsonValue, Trace
from pytest_grounded.snapshots.writer import compact, dumps, loads

__all__ = ["Pending"]

_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """One pending record. `base_sha` is the hash of the approved trace it was compared with, None where there was none.

    `blocked_by` names the findings of the case: a trace that breaks a rule cannot be approved. `unstable` says that
    one run gave different results for the case. `run` tells people which run it was and holds no time.
    """

    suite: str
    case: str
    base_sha: str | None
    new: Trace
    summary: Mapping[str, Any]
    run: Mapping[str, Any] = field(default_factory=dict)
    blocked_by: tuple[str, ...] = ()
    unstable: bool = False

    def to_text(self) -> str:
        """The record as it is stored: what a person looks for first, the trace in its usual layout last."""
        head: dict[str, JsonValue] = {
            "pending": _VERSION,
            "suite": self.suite,
            "case": self.case,
            "base_sha": self.base_sha,
            "summary": dict(self.summary),
            "run": dict(self.run),
            "blocked_by": list(self.blocked_by),
            "unstable": self.unstable,
        }
        lines = (f' "{key}": {compact(value)}' for key, value in head.items())
        trace = dumps(self.new).rstrip("\n").replace("\n", "\n ")
        return "{\n" + ",\n".join(lines) + f',\n "new": {trace}\n}}\n'

    @classmethod
    def from_text(cls, text: str, *, where: str) -> Pending:
        """Read a record; raises `SnapshotError` where it is none, naming the file."""
        record = _record(text, where)
        new = record.get("new")
        blocked = record.get("blocked_by")
        if record.get("pending") != _VERSION or not isinstance(new, dict) or not isinstance(blocked, list):
            raise SnapshotError(f"is no pending record of this version; {_AGAIN}", file=where)
        return cls(
            suite=_text(record, "suite", where),
            case=_text(record, "case", where),
            base_sha=None if record.get("base_sha") is None else _text(record, "base_sha", where),
            new=loads(json.dumps(new), where=where),
            summary=_mapping(record.get("summary")),
            run=_mapping(record.get("run")),
            blocked_by=tuple(str(name) for name in blocked),
            unstable=record.get("unstable") is True,
        )


_AGAIN = "delete it and run pytest again"


def _record(text: str, where: str) -> dict[str, JsonValue]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"is not JSON ({error}); {_AGAIN}", file=where) from None
    if not isinstance(record, dict):
        raise SnapshotError(f"is no pending record; {_AGAIN}", file=where)
    return record


def _text(record: Mapping[str, JsonValue], key: str, where: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise SnapshotError(f"needs a text under {key!r}, found {value!r}; {_AGAIN}", file=where)
    return value


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}
