"""The text of a trace: JSON laid out so that a reviewer's first diff hunk is the one that matters.

Keys stand in the order of the schema, one space in; a candidate, citation, claim or sentence takes one line. A change
of one of them is a change of one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from pytest_grounded.redaction import neutral_json
from pytest_grounded.snapshots.canonical import key_rank
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import (
    FIELDS,
    SCHEMA,
    JsonValue,
    Listing,
    Node,
    Open,
    Record,
    Trace,
)
from pytest_grounded.text.objects import repeated_key

__all__ = ["compact", "dumps", "loads"]

_COMPACT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)", re.MULTILINE)
_DEPTH = 1


def dumps(trace: Trace) -> str:
    r"""The text of a trace: UTF-8 text with LF ends and a final newline, the same for equal traces.

    Keys this version does not know stand sorted at the end. Raises `ValueError` for NaN and infinities.

    >>> print(dumps({"text": ["One. ", "Two."], "schema": 1, "evidence": []}), end="")
    {
     "schema": 1,
     "text": [
      "One. ",
      "Two."
     ],
     "evidence": []
    }
    """
    known = [(key, _ordered(field.node, trace[key]), field.depth) for key, field in FIELDS.items() if key in trace]
    unknown = [(key, _sorted(trace[key]), _DEPTH) for key in sorted(trace.keys() - FIELDS.keys())]
    lines = (f" {_COMPACT(key)}: {_laid_out(value, 1, depth)}" for key, value, depth in (*known, *unknown))
    return neutral_json("{\n" + ",\n".join(lines) + "\n}\n")


def compact(value: JsonValue) -> str:
    r"""The text of a value on one line, as it stands in a trace.

    >>> print(compact({"case": "a\u202e"}))
    {"case": "a\u202e"}
    """
    return neutral_json(_COMPACT(value))


def loads(text: str, *, where: str = "the trace") -> Trace:
    """The trace in a text that `dumps` wrote, or that a person edited.

    Raises `SnapshotError`, naming file, line and what to type: `snapshot.conflict_marker` for an unsolved merge,
    `snapshot.unreadable` for what is not JSON, repeats a key, or is no trace this version can read.

    >>> loads('{"schema": 1, "decision": "answer"}')["decision"]
    'answer'
    """
    try:
        trace = _DECODE(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise _unreadable(text, error, where) from None
    except RecursionError:
        raise SnapshotError(f"is nested too deeply to be a trace; {_RETAKE}", file=where) from None
    except ValueError as error:
        raise SnapshotError(f"{error}; {_RETAKE}", file=where) from None
    if not isinstance(trace, dict) or type(trace.get("schema")) is not int:
        raise SnapshotError(f"is no approved trace: it has no number under 'schema'; {_RETAKE}", file=where)
    if trace["schema"] > SCHEMA:
        raise SnapshotError(
            f"was written by a later version of pytest-grounded (schema {trace['schema']}, this one reads up to "
            f"{SCHEMA}); install that version or take the trace again: pytest --snapshot-update",
            file=where,
        )
    return trace


_RETAKE = "put the file back (git checkout -- FILE) or take it again: pytest --snapshot-update"


# Layout


def _laid_out(value: JsonValue, indent: int, depth: int) -> str:
    """A value with `depth` levels of it one element a line, the rest compact."""
    if depth == 0 or not isinstance(value, dict | list) or not value:
        return _COMPACT(value)
    inner, outer = "\n" + " " * (indent + 1), "\n" + " " * indent
    if isinstance(value, dict):
        entries: Iterable[str] = (
            f"{_COMPACT(key)}: {_laid_out(item, indent + 1, depth - 1)}" for key, item in value.items()
        )
        return "{" + inner + f",{inner}".join(entries) + outer + "}"
    return "[" + inner + f",{inner}".join(_laid_out(item, indent + 1, depth - 1) for item in value) + outer + "]"


# Order of keys


def _ordered(node: Node, value: JsonValue) -> JsonValue:
    """The value with the keys of its objects in the order of the schema."""
    if isinstance(node, Listing) and isinstance(value, list) and isinstance(node.element, Record | Open):
        return [_ordered(node.element, item) for item in value]
    if isinstance(node, Record) and isinstance(value, dict):
        known = {key: _ordered(inner, value[key]) for key, inner in node.fields.items() if key in value}
        return known | {key: _sorted(value[key]) for key in sorted(value.keys() - known.keys())}
    return _sorted(value)


def _sorted(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=key_rank)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


# Reading


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """An object; a key that stands twice, as after a merge gone wrong, would hide one of its values."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"holds the key {repeated_key(pairs)!r} twice")
    return found


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"holds {name}, which is no JSON")


_DECODE = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant).decode


def _unreadable(text: str, error: json.JSONDecodeError, where: str) -> SnapshotError:
    marker = _CONFLICT.search(text)
    if marker is None:
        message = f"is not JSON: {error.msg}; {_RETAKE}"
        return SnapshotError(message, file=where, line=error.lineno, column=error.colno)
    return SnapshotError(
        f"holds the conflict marker {marker.group()} of a merge that nobody finished; take one side "
        f"(git checkout --ours -- {where}, or --theirs), then run pytest to see what differs from it",
        code="snapshot.conflict_marker",
        file=where,
        line=text.count("\n", 0, marker.start()) + 1,
    )
