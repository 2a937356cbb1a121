"""What changed in a run against the approved traces, as its summary says it: flips first, each with what to type.

Works on the lines of the results file, like the rest of the summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounded.snapshots.schema import SEVERITY, ChangeClass

__all__ = ["APPROVE_NEW", "change_lines", "orphan_lines"]

Record = Mapping[str, Any]
Details = Mapping[str, Sequence[str]]

_STATUSES = ("same", "changed", "missing", "approved", "error")
_FLIPS = ("gained", "lost", "partial", "rerouted")
"""A statement where there was none is the riskiest flip."""
APPROVE_NEW = "pytest --grounded-snapshots new"
_MOST_CASES = 20
_MOST_CLOSE = 3
_MOST_NAMES = 5


def change_lines(rows: Sequence[Record], details: Details, *, approve_new: str = APPROVE_NEW) -> list[str]:
    """How many traces are the same, then what changed by class, what has no approved trace, what was approved.

    `details` holds further lines for a case, by `suite/case`; `approve_new` approves all first traces when it is typed.
    """
    traced = [row for row in rows if row.get("trace")]
    if not traced:
        return []
    counts = Counter(row["trace"]["status"] for row in traced)
    lines = ["traces: " + ", ".join(f"{counts[name]} {name}" for name in _STATUSES if counts[name])]
    changed = [row for row in traced if row["trace"]["status"] == "changed"]
    if changed:
        lines += ["changes by class, flips first", *_notes(changed), *_by_class(changed, details)]
    missing = [row for row in traced if row["trace"]["status"] == "missing"]
    if missing:
        lines += _missing(missing, details, approve_new)
    approved = [row for row in traced if row["trace"]["status"] == "approved" and row["trace"]["headline"]]
    if approved:
        lines += ["approved anew, flips first", *_notes(approved), *_by_class(approved, details)]
    close = [row for row in traced if row["trace"]["status"] == "same" and row["trace"]["message"]]
    if close:
        lines += [f"close to the tolerance x{len(close)}", *_cases(close, details, indent="  ", most=_MOST_CLOSE)]
    return lines


def orphan_lines(orphans: Sequence[str]) -> list[str]:
    r"""The approved traces that belong to no case, and how to delete them.

    >>> print("\n".join(orphan_lines(["snapshots/travel/old.json"])))
    snapshot.orphan x1: an approved trace belongs to no case; delete it: pytest-grounded prune
      snapshots/travel/old.json
    """
    if not orphans:
        return []
    is_one = len(orphans) == 1
    said = (
        "an approved trace belongs to no case; delete it"
        if is_one
        else "approved traces belong to no case; delete them"
    )
    return [f"snapshot.orphan x{len(orphans)}: {said}: pytest-grounded prune", *_some(orphans)]


def _some(names: Sequence[str]) -> list[str]:
    more = len(names) - _MOST_CASES
    return [*(f"  {name}" for name in names[:_MOST_CASES]), *([f"  and {more} more"] if more > 0 else [])]


def _missing(rows: Sequence[Record], details: Details, approve_new: str) -> Iterator[str]:
    """The cases without an approved trace by name: in a new suite that is all of them."""
    names = [_name(row) for row in rows]
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    yield f"without an approved trace x{len(rows)}: {', '.join(names[:_MOST_NAMES])}{more}"
    for row in rows:
        yield from (f"    {line}" for line in details.get(_name(row), ()))
    yield f"  show: {rows[0]['trace']['show']}"
    accept = next((row["trace"]["accept"] for row in rows if row["trace"]["accept"]), None)
    if accept:
        yield f"  accept: {accept}"
        if len(rows) > 1:
            yield f"  accept all that break no rule: {approve_new}"


def _name(row: Record) -> str:
    return f"{row['suite']}/{row['case']}"


def _notes(rows: Sequence[Record]) -> list[str]:
    """What else the run was done with, such as another model, where every changed case says so."""
    common = [
        note for note in rows[0]["trace"].get("notes", ()) if all(note in row["trace"].get("notes", ()) for row in rows)
    ]
    more = [f"  and {len(common) - _MOST_NAMES} more"] if len(common) > _MOST_NAMES else []
    return [*(f"  with {note}" for note in common[:_MOST_NAMES]), *more]


def _by_class(rows: Sequence[Record], details: Details) -> Iterator[str]:
    flips = [row for row in rows if row["trace"]["flip"]]
    if flips:
        kinds = Counter(row["trace"]["flip"] for row in flips)
        said = ", ".join(f"{kinds[flip]} {flip}" for flip in _FLIPS if kinds[flip])
        yield f"  {ChangeClass.DECISION} x{len(flips)} ({said})"
        yield from _cases(sorted(flips, key=lambda row: _FLIPS.index(row["trace"]["flip"])), details, indent="    ")
    for kind in (*SEVERITY, ChangeClass.STALE_BASELINE):
        found = [row for row in rows if row["trace"]["headline"] == kind and not row["trace"]["flip"]]
        if found:
            yield f"  {kind} x{len(found)}"
            yield from _cases(found, details, indent="    ")


def _cases(rows: Sequence[Record], details: Details, *, indent: str, most: int = _MOST_CASES) -> Iterator[str]:
    for row in rows[:most]:
        trace, name = row["trace"], _name(row)
        stage = f"; first divergence: {trace['first_divergence']}" if trace["first_divergence"] else ""
        yield f"{indent}{name}: {trace['message']}{stage}"
        yield from (f"{indent}  {line}" for line in (trace.get("hint"), *details.get(name, ())) if line)
        yield from (f"{indent}  {key}: {trace[key]}" for key in ("show", "accept") if trace[key])
    if len(rows) > most:
        yield f"{indent}and {len(rows) - most} more; all are in the results: --grounded-results FILE"
