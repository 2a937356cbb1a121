"""Reads a record, whatever kind it is, and picks the one incident that is meant where it holds several."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from pytest_grounded.corpus.wording import did_you_mean, found, shown
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.bare_ids import Knows
from pytest_grounded.incidents.otel import is_genai, read_trace
from pytest_grounded.incidents.otel_spans import Span, is_export, spans_of
from pytest_grounded.incidents.own_lines import (
    is_recording_line,
    is_results_line,
    read_recording_lines,
    read_results_line,
)
from pytest_grounded.incidents.plain import read_plain
from pytest_grounded.incidents.record import Incident
from pytest_grounded.text.objects import repeated_key

__all__ = ["MAX_BYTES", "read_record"]

MAX_BYTES = 64 * 1024 * 1024
"""A record is one incident among some; a whole log is cut down to the lines that matter before."""

_MOST_NAMED = 12
_SHORTEST = 6
"""So many characters of a name are enough to pick by: nobody copies the whole id of a trace."""


def read_record(
    raw: bytes,
    *,
    file: str,
    pick: str | None = None,
    mapping: Mapping[str, str] | None = None,
    knows: Knows = lambda _: False,
) -> Incident:
    """The incident that a file tells of. `pick` is the case, trace or line that is meant.

    `knows` says whether a corpus at hand has a chunk of an id, so that ids and texts can be told apart.

    Raises GroundedError where the file is no JSON, holds nothing, or several incidents and none was picked.

    >>> read_record(b'{"case": "a", "response": {"decision": "abstain"}}', file="r.jsonl").form
    'a recording'
    """
    rows = [*_rows(raw, file)]
    if not rows:
        raise GroundedError(Problem(file=file, message="holds no JSON object (give a record, or a file of them)"))
    entries = [*_entries(rows, file, mapping or {}, knows)]
    return _picked(entries, pick, file).read()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One incident of a file: what it goes by, whether it is one that went wrong, and how to read it."""

    name: str
    line: int
    is_bad: bool
    read: Callable[[], Incident]


def _entries(
    rows: Sequence[tuple[int, Mapping[str, Any]]], file: str, mapping: Mapping[str, str], knows: Knows
) -> Iterator[_Entry]:
    exported = [row for _, row in rows if is_export(row)] if not mapping else []
    yield from _traces(exported, file)
    recordings: dict[tuple[object, str], list[Mapping[str, Any]]] = {}
    lines: dict[tuple[object, str], int] = {}
    for line, row in rows:
        if not mapping and is_export(row):
            continue
        if mapping:
            yield _plain(line, row, file, mapping, knows)
        elif is_results_line(row):
            yield _Entry(
                name=str(row["case"]),
                line=line,
                is_bad=row["verdict"] != "pass",
                read=partial(read_results_line, row, file=file),
            )
        elif is_recording_line(row):
            key = (row.get("suite"), str(row["case"]))
            recordings.setdefault(key, []).append(row)
            lines.setdefault(key, line)
        else:
            yield _plain(line, row, file, mapping, knows)
    for key, held in recordings.items():
        yield _Entry(name=key[1], line=lines[key], is_bad=True, read=partial(read_recording_lines, held, file=file))


def _traces(exported: Sequence[Mapping[str, Any]], file: str) -> Iterator[_Entry]:
    """Every trace that tells of generative AI, in the order they began."""
    traces: dict[str, list[Span]] = {}
    for span in spans_of(exported):
        traces.setdefault(span.trace, []).append(span)
    told = {name: spans for name, spans in traces.items() if any(map(is_genai, spans))} or traces
    for place, (name, spans) in enumerate(sorted(told.items(), key=_began), start=1):
        yield _Entry(name=name, line=place, is_bad=True, read=partial(read_trace, spans, file=file))


def _began(named: tuple[str, Sequence[Span]]) -> tuple[int, str]:
    return min(span.start for span in named[1]), named[0]


def _plain(line: int, row: Mapping[str, Any], file: str, mapping: Mapping[str, str], knows: Knows) -> _Entry:
    name = next((str(row[key]) for key in ("incident", "incident_id", "id", "case") if row.get(key)), f"line {line}")
    return _Entry(
        name=name, line=line, is_bad=True, read=partial(read_plain, row, file=file, mapping=mapping, knows=knows)
    )


def _picked(entries: Sequence[_Entry], pick: str | None, file: str) -> _Entry:
    if pick is not None:
        named = [one for one in entries if pick in (one.name, str(one.line), f"line {one.line}")]
        named = named or [one for one in entries if len(pick) >= _SHORTEST and one.name.startswith(pick)]
        if len(named) == 1:
            return named[0]
        names = [one.name for one in entries]
        hint = did_you_mean(pick, names) or f" (there: {_listed(names)})"
        what = f"several are called {shown(pick)}: name its line" if named else f"holds no {shown(pick)}{hint}"
        raise GroundedError(Problem(file=file, message=what))
    bad = [one for one in entries if one.is_bad]
    if len(bad) == 1:
        return bad[0]
    if len(entries) == 1:
        return entries[0]
    few = bad or entries
    message = f"holds {len(few)} incidents; say which with --pick: {_listed([one.name for one in few])}"
    raise GroundedError(Problem(file=file, message=message))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


# --- JSON --------------------------------------------------------------------------------------------------------


class _Written(float):
    """A number that knows how it is written: 0.60 is not 0.6 where it is read as text."""

    written: str

    def __new__(cls, text: str) -> Self:
        made = super().__new__(cls, text)
        made.written = text
        return made


def _rows(raw: bytes, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every object of a file with the line it begins in: JSON, JSON Lines, or objects one after the other."""
    if len(raw) > MAX_BYTES:
        message = f"is larger than {MAX_BYTES:,} bytes (give the lines that matter)"
        raise GroundedError(Problem(file=file, message=message))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GroundedError(Problem(file=file, message=f"is not UTF-8 (byte {error.start})")) from None
    place, line, seen = _after_blanks(text, 0), 1, 0
    while place < len(text):
        line, seen = line + text.count("\n", seen, place), place
        value, place = _decoded(text, place, file, line)
        for number, one in enumerate(value if isinstance(value, list) else [value]):
            yield (number + 1 if isinstance(value, list) else line), _object(one, file, line)
        place = _after_blanks(text, place)


_NO_BLANK = re.compile(r"[^\s,]")


def _after_blanks(text: str, place: int) -> int:
    """Where the next value begins, or the text ends."""
    found = _NO_BLANK.search(text, place)
    return len(text) if found is None else found.start()


def _decoded(text: str, place: int, file: str, line: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        message = f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise GroundedError(Problem(file=file, line=error.lineno, column=error.colno, message=message)) from None
    except (ValueError, RecursionError) as error:
        message = str(error) if isinstance(error, ValueError) else "is nested too deeply"
        raise GroundedError(Problem(file=file, line=line, message=message)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"key {shown(repeated_key(pairs))} stands twice in one object (keep one of them)")
    return value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_float=_Written, parse_constant=_no_number, object_pairs_hook=_unique)


def _object(value: Any, file: str, line: int) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise GroundedError(Problem(file=file, line=line, message=f"needs an object, found {found(value)}"))
    return value
