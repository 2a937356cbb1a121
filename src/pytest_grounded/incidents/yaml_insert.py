r"""Adds an entry to a list in a YAML file and leaves every byte that was there as it was.

A person wrote the file: their comments, order, line ends and indentation stay. Where the entry goes follows from the
parser's positions; whether the edited file says what it said before, and the entry, is read back before it is handed
on. Where no place does, an error says so and nothing is changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml

from pytest_grounded.corpus.faults import Path
from pytest_grounded.corpus.yaml_reader import MAX_BYTES, Document, read_yaml
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.yaml_text import Style, block_lines, flow

__all__ = ["Inserted", "with_entry"]

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What ends a line for a reader of YAML 1.1."""

_PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """The bytes of the edited file, and the 1-based line at which the entry begins."""

    raw: bytes
    line: int


def with_entry(raw: bytes, path: Path, entry: Mapping[str, Any], *, file: str) -> Inserted:
    r"""The bytes of a file with `entry` as the last one of the list at `path`; nothing else is added or changed.

    Raises GroundedError where there is no list, or it is written so that no entry can be added to it alone.

    >>> print(with_entry(b"cases:\n  - id: a  # ours\n# end\n", ("cases",), {"id": "b"}, file="a.yaml").raw.decode())
    cases:
      - id: a  # ours
    <BLANKLINE>
      - id: b
    # end
    <BLANKLINE>
    """
    mark = _BOM if raw.startswith(_BOM.encode()) else ""
    text = raw.decode("utf-8").removeprefix(_BOM)
    before = read_yaml(raw)
    place = _place(text, path)
    held = _at(before.data, path)
    if place is not None and (held is None or isinstance(held, list)):
        for start, inserted in _insertions(text, place, entry):
            edited = text[:start] + inserted + text[start:]
            if len(edited.encode("utf-8")) > MAX_BYTES:
                message = (
                    f"would be larger than {MAX_BYTES:,} bytes with what is added (split it, or name another file)"
                )
                raise GroundedError(Problem(message=message, file=file))
            after = read_yaml(edited.encode("utf-8"))
            if _says_also(before, after, path, entry):
                begins = start + len(inserted) - len(inserted.lstrip())
                return Inserted(raw=(mark + edited).encode("utf-8"), line=_line(edited, begins))
    key = ".".join(map(str, path))
    message = f"no entry can be added to {key!r} without changing more of the file (write {key} as a list of its own)"
    raise GroundedError(Problem(message=message, file=file))


# --- where the list is -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """Where a node begins and its last word ends, as offsets of the text; `is_flow`: it is written in brackets."""

    start: int
    end: int
    is_flow: bool = False
    is_null: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The list, its entries, and the column of its key; `closing` is where the bracket of a flow list stands."""

    node: _Span
    entries: tuple[_Span, ...]
    key_column: int
    closing: int


def _place(text: str, path: Path) -> _Place | None:
    """The list at a path of keys; None where something else or nothing stands there."""
    reader = _Reader(text)
    try:
        return reader.find(path)
    except yaml.YAMLError:
        return None
    finally:
        reader.close()


class _Reader:
    """Walks over the parser's events; knows offsets, which the parser's own marks do not give the same way."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in _BREAK.finditer(text))]
        self.parser = _PARSER(text)
        self.event: Any = self.parser.get_event()

    def close(self) -> None:
        self.parser.dispose()

    def find(self, path: Path) -> _Place | None:
        while isinstance(self.event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
            self._next()
        column = 0
        for key in path:
            found = self._enter(str(key))
            if found is None:
                return None
            column = found
        return self._list(column)

    def _enter(self, key: str) -> int | None:
        """Go to the value of a key of the mapping that begins here; the column of the key."""
        if not isinstance(self.event, yaml.MappingStartEvent):
            return None
        self._next()
        while not isinstance(self.event, yaml.MappingEndEvent):
            event: Any = self.event
            column = event.start_mark.column
            is_it = isinstance(event, yaml.ScalarEvent) and event.value == key
            self._skip()
            if is_it:
                return int(column)
            self._skip()
        return None

    def _list(self, column: int) -> _Place | None:
        if isinstance(self.event, yaml.ScalarEvent):
            span = self._skip()
            return _Place(node=span, entries=(), key_column=column, closing=span.end) if span.is_null else None
        if not isinstance(self.event, yaml.SequenceStartEvent):
            return None
        start, is_flow = self._offset(self.event.start_mark), bool(self.event.flow_style)
        self._next()
        entries: list[_Span] = []
        while not isinstance(self.event, yaml.SequenceEndEvent):
            entries.append(self._skip())
        closing = self._offset(self.event.start_mark)
        end = entries[-1].end if entries else closing
        return _Place(
            node=_Span(start=start, end=end, is_flow=is_flow),
            entries=tuple(entries),
            key_column=column,
            closing=closing,
        )

    def _skip(self) -> _Span:
        """Pass over one node; where a block node ends says its last word, since its own end is the next token."""
        start, end = self._offset(self.event.start_mark), 0
        is_flow = bool(getattr(self.event, "flow_style", False))
        is_null = isinstance(self.event, yaml.ScalarEvent) and not self.event.style and not self.event.value
        open_flows: list[bool] = []
        while True:
            event = self.event
            if isinstance(event, yaml.CollectionStartEvent):
                open_flows.append(bool(event.flow_style))
                end = max(end, self._offset(event.start_mark))
            elif isinstance(event, yaml.CollectionEndEvent):
                if open_flows.pop():
                    end = self._offset(event.end_mark)
            else:
                end = max(end, self._offset(event.end_mark))
            self._next()
            if not open_flows:
                return _Span(start=start, end=end, is_flow=is_flow, is_null=is_null)

    def _next(self) -> None:
        self.event = self.parser.get_event()
        if self.event is None or isinstance(self.event, yaml.StreamEndEvent):
            raise yaml.YAMLError("the file ended early")

    def _offset(self, mark: Any) -> int:
        if mark.line >= len(self.starts):
            return self.starts[-1]
        return int(self.starts[mark.line] + mark.column)


# --- what is inserted where --------------------------------------------------------------------------------------

Insertion = tuple[int, str]


def _insertions(text: str, place: _Place, entry: Mapping[str, Any]) -> Iterator[Insertion]:
    """Ways to add the entry, the least surprising first; which of them holds is for the caller to see."""
    if place.node.is_flow:
        yield from _into_brackets(text, place, entry)
        return
    lines = _Lines(text)
    if not place.entries:
        dash = place.key_column + 2
        shown = _shown(entry, dash, Style(), is_flow=False)
        yield _behind(lines, lines.after(place.node.end), shown, blank=0)
        return
    dash = lines.dash(place)
    style = _style(text, lines, place, dash)
    shown = _shown(entry, dash, style, is_flow=_is_written_flow(place, entry, dash, style))
    blank = lines.blank_before(place.entries[-1]) if len(place.entries) > 1 else int(not place.entries[-1].is_flow)
    for line in lines.candidates(place.node.end, dash):
        for apart in dict.fromkeys((blank, 0)):  # a blank line may belong to the text above it
            yield _behind(lines, line, shown, blank=apart)


def _shown(entry: Mapping[str, Any], dash: int, style: Style, *, is_flow: bool) -> list[str]:
    start = " " * dash + "-".ljust(style.gap)
    if is_flow:
        return [start + flow(entry)]
    first, *rest = block_lines(entry, indent=dash + style.gap, style=style)
    return [start + first.lstrip(), *rest]


def _behind(lines: _Lines, line: int, shown: list[str], *, blank: int) -> Insertion:
    """Whole lines in front of line number `line`, or behind the last one where that ends without a line end."""
    while line < len(lines.starts) and not lines.is_seen(line):
        line += 1
    ending = lines.ending(line)
    body = ending.join([*([""] * blank), *shown])
    if line >= len(lines.starts) and lines.ends_open:
        return len(lines.text), ending + body
    return lines.start(line), body + ending


def _is_written_flow(place: _Place, entry: Mapping[str, Any], dash: int, style: Style) -> bool:
    """Whether the entries there are mappings in braces, and the new one fits in a line as well."""
    return all(one.is_flow for one in place.entries) and dash + style.gap + len(flow(entry)) <= style.width


def _into_brackets(text: str, place: _Place, entry: Mapping[str, Any]) -> Iterator[Insertion]:
    written = flow(entry)
    lines = _Lines(text)
    line = lines.number(place.closing)
    stands_alone = not text[lines.starts[line] : place.closing].strip()
    if place.entries and stands_alone and lines.number(place.entries[-1].start) < line:
        first = place.entries[-1].start
        indent = " " * (first - lines.starts[lines.number(first)])
        for shown in (f"{indent}{written},", f"{indent}, {written}"):
            yield lines.starts[line], shown + lines.ending(line)
    if not place.entries:
        yield place.closing, written
    for shown in (f", {written}", f" {written}"):
        yield place.node.end, shown
        yield place.closing, shown


class _Lines:
    """A text by its lines as YAML tells them apart; lines count from 0."""

    def __init__(self, text: str) -> None:
        self.text = text
        breaks = [match.span() for match in _BREAK.finditer(text)]
        self.starts = [0, *(end for _, end in breaks if end < len(text))]
        self.ends_open = bool(text) and (not breaks or breaks[-1][1] < len(text))
        self._breaks = [text[start:end] for start, end in breaks]

    def number(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def start(self, line: int) -> int:
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def is_seen(self, line: int) -> bool:
        """Whether a line begins for people too, and not only for YAML."""
        return line == 0 or self._breaks[line - 1] in ("\n", "\r\n", "\r")

    def of(self, line: int) -> str:
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return _BREAK.sub("", self.text[self.starts[line] : end])

    def ending(self, line: int) -> str:
        """How lines end there: as the one before does; of what ends only for YAML, as most files do."""
        before = self._breaks[line - 1] if 0 < line <= len(self._breaks) else None
        near = [before, *self._breaks[:1]]
        return next((one for one in near if one in ("\n", "\r\n")), "\n")

    def after(self, offset: int) -> int:
        """The line behind the one that holds what ends at `offset`."""
        is_at_start = offset in self.starts[1:] or (offset == len(self.text) and not self.ends_open)
        return (self.number(offset) if offset < len(self.text) or self.ends_open else len(self.starts)) + (
            0 if is_at_start else 1
        )

    def dash(self, place: _Place) -> int:
        """The column of the list's dashes."""
        first = place.entries[-1].start
        line = self.number(first)
        inside = re.match(r" *(?=-(?:\s|$))", self.text[self.starts[line] : first + 1])
        if inside is not None and inside.end() < first - self.starts[line]:
            return inside.end()
        for number in range(line, -1, -1):
            if found := re.match(r" *(?=-(?:\s|$))", self.of(number)):
                return found.end()
        return place.key_column

    def gap(self, entry: _Span, dash: int) -> int:
        """How far behind its dash an entry begins, where both are on one line."""
        line = self.number(entry.start)
        column = entry.start - self.starts[line]
        is_beside = self.of(line)[dash : dash + 1] == "-" and not self.of(line)[dash + 1 : column].strip()
        return column - dash if is_beside and column - dash > 1 else 2

    def blank_before(self, entry: _Span) -> int:
        """How many blank lines part an entry, and comments right above it, from the one before."""
        line = self.number(entry.start) - 1
        while line >= 0 and self.of(line).lstrip().startswith("#"):
            line -= 1
        blank = 0
        while line >= 0 and not self.of(line).strip():
            blank, line = blank + 1, line - 1
        return blank

    def candidates(self, end: int, dash: int) -> Iterator[int]:
        """Lines in front of which the entry may go: behind the last word and its comments, then behind blank lines."""
        first = self.after(end)
        line = first
        while line < len(self.starts) and self._is_comment_of_entry(line, dash):
            line += 1
        yield line
        if line != first:
            yield first
        while line < len(self.starts) and (not self.of(line).strip() or self.of(line).lstrip().startswith("#")):
            line += 1
            yield line
        yield len(self.starts)

    def _is_comment_of_entry(self, line: int, dash: int) -> bool:
        written = self.of(line)
        return written.lstrip().startswith("#") and len(written) - len(written.lstrip()) > dash


def _style(text: str, lines: _Lines, place: _Place, dash: int) -> Style:
    """How the file indents: read off the list and its entries."""
    style = Style(dash=max(0, dash - place.key_column), gap=lines.gap(place.entries[-1], dash))
    written = _BREAK.split(text[place.node.start : place.node.end])
    keys = (len(line) - len(line.lstrip(" ")) for line in written if _KEY.match(line))
    deeper = sorted({column - dash - style.gap for column in keys if column > dash + style.gap})
    return replace(style, step=deeper[0]) if deeper and deeper[0] <= _WIDEST_STEP else style


_WIDEST_STEP = 8
_KEY = re.compile(r" *[A-Za-z_]+:(?:\s|$)")


# --- whether it holds --------------------------------------------------------------------------------------------


def _says_also(before: Document, after: Document, path: Path, entry: Mapping[str, Any]) -> bool:
    """Whether the edited file says what it did, and the entry at the end of the list; faults it had it may keep."""
    if [(fault.kind, fault.path) for fault in before.faults] != [(fault.kind, fault.path) for fault in after.faults]:
        return False
    if before.others != after.others:
        return False
    held = _at(after.data, path)
    if not isinstance(held, list) or not held or held[-1] != _as_read(entry):
        return False
    return bool(_without_last(after.data, path, was_null=_at(before.data, path) is None) == before.data)


def _without_last(data: Any, path: Path, *, was_null: bool) -> Any:
    if not path:
        return None if was_null else data[:-1]
    return {**data, path[0]: _without_last(data[path[0]], path[1:], was_null=was_null)}


def _as_read(value: Any) -> Any:
    """A value as our reader reads what is written of it: every scalar is a text or None."""
    if isinstance(value, Mapping):
        return {str(key): _as_read(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_read(item) for item in value]
    if value is None or isinstance(value, str):
        return value
    return flow(value)


def _at(data: Any, path: Path) -> Any:
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _line(text: str, offset: int) -> int:
    return len(_BREAK.findall(text, 0, offset)) + 1
