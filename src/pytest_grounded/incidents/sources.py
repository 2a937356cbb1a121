"""Reads a record, whatever kind it is, and picks the one incident that is meant where it holds several."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from pytest_grounded.corpus.wording import did_you_mean, found, shown
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.own_lines import (
    is_recording_line,
    is_results_line,
    read_recording_lines,
    read_results_line,
)
from pytest_grounded.incidents.plain import read_plain
from pytest_grounded.incidents.record import Incident

__all__ = ["MAX_BYTES", "read_record"]

MAX_BYTES = 64 * 1024 * 1024
"""A record is one incident among some; a whole log is cut down to the lines that matter before."""

_MOST_NAMED = 12


def read_record(
    raw: bytes, *, file: str, pick: str | None = None, mapping: Mapping[str, str] | None = None
) -> Incident:
    """The incident that a file tells of. `pick` is the case, trace or line that is meant.

    Raises GroundedError where the file is no JSON, holds nothing, or several incidents and none was picked.

    >>> read_record(b'{"case": "a", "response": {"decision": "abstain"}}', file="r.jsonl").form
    'a recording'
    """
    rows = [*_rows(raw, file)]
    if not rows:
        raise GroundedError(Problem(file=file, message="holds no JSON object (give a record, or a file of them)"))
    entries = [*_entries(rows, file, mapping or {})]
    return _picked(entries, pick, file).read()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One incident of a file: what it goes by, whether it is one that went wrong, and how to read it."""

    name: str
    line: int
    is_bad: bool
    read: Callable[[], Incident]


def _entries(rows: Sequence[tuple[int, Mapping[str, Any]]], file: str, mapping: Mapping[str, str]) -> Iterator[_Entry]:
    recordings: dict[tuple[object, str], list[Mapping[str, Any]]] = {}
    lines: dict[tuple[object, str], int] = {}
    for line, row in rows:
        if mapping:
            yield _plain(line, row, file, mapping)
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
            yield _plain(line, row, file, mapping)
    for key, held in recordings.items():
        yield _Entry(name=key[1], line=lines[key], is_bad=True, read=partial(read_recording_lines, held, file=file))


def _plain(line: int, row: Mapping[str, Any], file: str, mapping: Mapping[str, str]) -> _Entry:
    name = next((str(row[key]) for key in ("incident", "incident_id", "id", "case") if row.get(key)), f"line {line}")
    return _Entry(name=name, line=line, is_bad=True, read=partial(read_plain, row, file=file, mapping=mapping))


def _picked(entries: Sequence[_Entry], pick: str | None, file: str) -> _Entry:
    if pick is not None:
        named = [one for one in entries if pick in (one.name, str(one.line), f"line {one.line}")]
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
    """Every object of a JSON or JSON Lines file with the line it begins in; of a list, the place in it."""
    if len(raw) > MAX_BYTES:
        raise GroundedError(
            Problem(file=file, message=f"is larger than {MAX_BYTES:,} bytes (give the lines that matter)")
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GroundedError(Problem(file=file, message=f"is not UTF-8 (byte {error.start})")) from None
    try:
        whole = _decoded(text)
    except (ValueError, RecursionError) as error:
        yield from _lines(text, file, error)
        return
    values = whole if isinstance(whole, list) else [whole]
    for place, value in enumerate(values, start=1):
        yield place, _object(value, file, place)


def _lines(text: str, file: str, whole_error: Exception) -> Iterator[tuple[int, Mapping[str, Any]]]:
    is_one = text.lstrip().startswith(("{", "[")) and not text.lstrip().split("\n", 1)[0].rstrip().endswith("}")
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _decoded(line)
        except (ValueError, RecursionError) as error:
            raise _no_json(whole_error if is_one else error, file, number, is_line=not is_one) from None
        yield number, _object(value, file, number)


def _no_json(error: Exception, file: str, line: int, *, is_line: bool) -> GroundedError:
    if not isinstance(error, json.JSONDecodeError):
        return GroundedError(Problem(file=file, line=line, message=f"is not JSON: {error}"))
    place = (line, error.colno) if is_line else (error.lineno, error.colno)
    message = f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    return GroundedError(Problem(file=file, line=place[0], column=place[1], message=message))


def _decoded(text: str) -> Any:
    return json.loads(text, parse_float=_Written, parse_constant=_no_number, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {shown(twice)} stands twice in one object (keep one of them)")
    return value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _object(value: Any, file: str, line: int) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise GroundedError(Problem(file=file, line=line, message=f"needs an object, found {found(value)}"))
    return value
