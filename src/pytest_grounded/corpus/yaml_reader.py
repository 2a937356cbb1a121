"""What a YAML file says and where it says it: plain data, the line and column of every key and value, and its faults.

Every plain scalar stays text (`no`, `1.10`, `010`, `1:30` and dates mean what they look like); only an empty one, `~`
and `null` become None, and only where they are not quoted. What a field makes of a text is its type's business.
Anchors, aliases, tags, merge keys, repeated keys and further documents are faults: they hide what a reviewer reads, and
aliases can grow without bound. Nothing is expanded, nothing is constructed, and nesting is counted as it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import yaml

from pytest_grounded.corpus.faults import Fault, Path, Spot
from pytest_grounded.corpus.wording import shown

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Document", "load_yaml", "read_yaml"]

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 50
MAX_FAULTS = 100
"""More faults than this in one file are not listed: the first ones say what to mend."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TOO_DEEP = f"nesting is deeper than {MAX_DEPTH} levels (flatten it)"
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
_HALF = re.compile(r"\\[uU](?:0000)?[dD][89a-fA-F]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""The C parser where PyYAML was built with it; only its events are used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    r"""What a file says, as dicts, lists, texts and None.

    `places` mirrors `data` with plain lists, so that both can be kept as JSON: a scalar is `[line, column]`, a list
    `[line, column, [place, ...]]`, a mapping `[line, column, {key: [line, column of the key, place of the value]}]`.
    `others` are documents after the first. `complete` is false where reading ended early.

    >>> document = read_yaml(b"cases:\n  - id: a\n    weight: 0.60\n")
    >>> document.data, document.spot(("cases", 0, "weight"))
    ({'cases': [{'id': 'a', 'weight': '0.60'}]}, Spot(line=3, column=13))
    """

    data: Any
    places: Sequence[Any] = (1, 1)
    others: tuple[Any, ...] = ()
    faults: tuple[Fault, ...] = ()
    complete: bool = True

    def spot(self, path: Path, *, key: bool = False) -> Spot:
        """Where the value at `path` begins, or its key; a part that is not there has the place of what lacks it.

        >>> read_yaml(b"a: [b, c]").spot(("a", 1)), read_yaml(b"a: [b, c]").spot(("a",), key=True)
        (Spot(line=1, column=8), Spot(line=1, column=1))
        """
        steps = self._steps(path)
        if key and steps and steps[-1].key is not None:
            return steps[-1].key
        return Spot(*(steps[-1].place if steps else self.places)[:2])

    def known(self, path: Path) -> Path:
        """The part of `path` that leads somewhere in this document."""
        return path[: len(self._steps(path))]

    def _steps(self, path: Path) -> list[_Step]:
        """One step for every part of `path`, up to the first that is not there."""
        steps: list[_Step] = []
        place = self.places
        for part in path:
            children = place[2] if len(place) > len(Spot._fields) else ()
            if isinstance(children, dict) and part in children:
                line, column, place = children[part]
                steps.append(_Step(Spot(line, column), place))
            elif isinstance(children, list) and isinstance(part, int) and part < len(children):
                place = children[part]
                steps.append(_Step(None, place))
            else:
                break
        return steps


class _Step(NamedTuple):
    key: Spot | None
    place: Sequence[Any]


def load_yaml(path: FilePath) -> Document:
    """Read a file, never more of it than the cap; raises OSError where it cannot be opened."""
    with path.open("rb") as file:
        return read_yaml(file.read(MAX_BYTES + 1))


def read_yaml(raw: bytes) -> Document:
    r"""Read the bytes of a file. Never raises: what is wrong is listed in the document's `faults`.

    >>> read_yaml(b"a: 1\na: 2").faults[0].message
    "key 'a' stands twice in one mapping, first in line 1 (keep one of them)"
    """
    if len(raw) > MAX_BYTES:
        return _refused(f"the file is larger than {MAX_BYTES:,} bytes (split it)", Spot(1, 1))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        spot = Spot(before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        return _refused(f"byte {raw[error.start]:#04x} is not UTF-8 (save the file as UTF-8)", spot)
    if stray := _UNPRINTABLE.search(text):
        return _refused(f"control character {stray[0]!r} (take it out)", _spot_of(stray.start(), text))
    document = _Builder(text).document()
    if not document.complete and (mark := _CONFLICT.search(text)):
        return _refused("a merge conflict stands in the file (keep one side)", _spot_of(mark.start(), text))
    return document


def _spot_of(position: int, text: str) -> Spot:
    return Spot(text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position))


def _refused(message: str, spot: Spot) -> Document:
    return Document(data=None, faults=(Fault(kind="yaml", message=message, spot=spot),), complete=False)


class _StopError(Exception):
    """What follows cannot be read, or is not worth it; the fault is listed."""


class _Open:
    """A list or mapping that has begun and not ended; `awaits_key` while a mapping has no key for its next value."""

    __slots__ = ("awaits_key", "data", "in_list", "key", "key_place", "places")

    def __init__(self, data: Any, places: Any) -> None:
        self.data = data
        self.places = places
        self.in_list = isinstance(data, list)
        self.awaits_key = not self.in_list
        self.key = ""
        self.key_place = [0, 0]


class _Builder:
    """Builds data and places from the parser's events, with an explicit stack of what is open."""

    def __init__(self, text: str) -> None:
        self.parser = _PARSER(text)
        self.roots: list[Any] = []
        self.root_places: list[Sequence[Any]] = []
        self.faults: list[Fault] = []
        self.open: list[_Open] = []
        self.may_have_halves = _HALF.search(text) is not None

    def document(self) -> Document:
        """Read to the end, or to the first fault that makes the rest unreadable."""
        try:
            self._read()
            complete = True
        except yaml.YAMLError as error:
            self._syntax(error)
            complete = False
        except _StopError:
            complete = False
        finally:
            self.parser.dispose()
        return Document(
            data=self.roots[0] if self.roots else None,
            places=self.root_places[0] if self.root_places else (1, 1),
            others=tuple(self.roots[1:]),
            faults=tuple(self.faults),
            complete=complete,
        )

    def _read(self) -> None:
        get_event = self.parser.get_event
        while True:
            event = get_event()
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._begin(event, {}, {})
            elif kind is yaml.SequenceStartEvent:
                self._begin(event, [], [])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.open.pop()
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                self._start(event)
            elif kind is yaml.StreamEndEvent:
                return
            elif event is None:
                # Classes of another import of PyYAML than the C parser's: said, because waiting for an end would hang.
                raise yaml.YAMLError("PyYAML was imported twice in this process")

    def _start(self, event: Any) -> None:
        if self.roots:
            self._fault(event, "a second document begins here (keep one document in a file)")
        if event.tags:
            self._fault(event, "a %TAG directive (leave it out: tags are not read)")

    def _scalar(self, event: Any) -> None:
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
        if self.may_have_halves and not _is_whole(event.value):
            self._fault(event, "half of a surrogate pair (write the whole character, or take it out)")
        mark = event.start_mark
        place = [mark.line + 1, mark.column + 1]
        if self.open and self.open[-1].awaits_key:
            self._key(event, place)
        else:
            self._place(None if not event.style and event.value in _NULLS else event.value, place)

    def _key(self, event: Any, place: list[int]) -> None:
        holder, key = self.open[-1], event.value
        if not event.style and not key:
            self._fault(event, "a key without text (name it)")
        elif not event.style and key == "<<":
            self._fault(event, "merge key << (write the keys out)")
        if key in holder.data:
            first = holder.places[key][0]
            message = f"key {shown(key)} stands twice in one mapping, first in line {first} (keep one of them)"
            holder.key, holder.awaits_key = key, False
            self._fault(event, message, kind="duplicate_key")
        holder.key, holder.key_place, holder.awaits_key = key, place, False

    def _begin(self, event: Any, data: Any, places: Any) -> None:
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
        if len(self.open) >= MAX_DEPTH:
            self._fault(event, _TOO_DEEP)
            raise _StopError
        if self.open and self.open[-1].awaits_key:
            self._fault(event, "a list or mapping stands as a key (a key is text)")
            raise _StopError
        mark = event.start_mark
        self._place(data, [mark.line + 1, mark.column + 1, places])
        self.open.append(_Open(data, places))

    def _alias(self, event: Any) -> None:
        self._fault(event, f"alias *{event.anchor} (write the value out)")
        if self.open and self.open[-1].awaits_key:
            raise _StopError
        self._place(None, [event.start_mark.line + 1, event.start_mark.column + 1])

    def _place(self, value: Any, place: list[Any]) -> None:
        """Put a value where the innermost list or mapping, or else the stream of documents, wants one."""
        if not self.open:
            self.roots.append(value)
            self.root_places.append(place)
            return
        holder = self.open[-1]
        if holder.in_list:
            holder.data.append(value)
            holder.places.append(place)
            return
        if holder.key not in holder.data:
            holder.data[holder.key] = value
            holder.places[holder.key] = [*holder.key_place, place]
        holder.awaits_key = True

    def _properties(self, event: Any) -> None:
        if event.anchor is not None:
            self._fault(event, f"anchor &{event.anchor} (write the value out where it is used)")
        if event.tag is not None:
            self._fault(event, f"tag {shown(event.tag)} (leave it out: the field decides the type)")

    def _syntax(self, error: yaml.YAMLError) -> None:
        if not isinstance(error, yaml.MarkedYAMLError):
            self._add(Fault(kind="yaml", message="this cannot be read as YAML", spot=Spot(1, 1)))
            return
        mark = error.problem_mark or error.context_mark
        spot = Spot(mark.line + 1, mark.column + 1) if mark else Spot(1, 1)
        self._add(Fault(kind="yaml", message=_said(error), spot=spot, path=self._path()))

    def _fault(self, event: Any, message: str, *, kind: str = "yaml") -> None:
        spot = Spot(event.start_mark.line + 1, event.start_mark.column + 1)
        self._add(Fault(kind=kind, message=message, spot=spot, path=self._path()))

    def _add(self, fault: Fault) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)

    def _path(self) -> Path:
        """Keys and indices of what is being read."""
        parts: list[str | int] = [len(holder.data) - 1 if holder.in_list else holder.key for holder in self.open[:-1]]
        for last in self.open[-1:]:
            if last.in_list:
                parts.append(len(last.data))
            elif not last.awaits_key:
                parts.append(last.key)
        return tuple(parts)


def _is_whole(text: str) -> bool:
    """Whether a text holds whole characters; the pure parser lets halves of surrogate pairs through."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _said(error: yaml.MarkedYAMLError) -> str:
    """What the parser says, with where the part began that it could not finish."""
    message = error.problem or "this cannot be read as YAML"
    if "tab character" in message or r"'\t'" in message or "cannot start any token" in message:
        return f"{message} (indent with spaces; put text with special characters in quotes)"
    if message.startswith("mapping values are not allowed"):
        return f"{message} (put text that has a colon in it in quotes)"
    if "nesting depth" in message:
        return _TOO_DEEP
    if error.context and error.context_mark:
        line = error.context_mark.line + 1
        left_open = next((said for what, said in _LEFT_OPEN.items() if what in error.context), None)
        if left_open is not None:
            return left_open.format(line=line)
        return f"{message} {error.context} that begins in line {line}"
    return message


_LEFT_OPEN = {
    "a flow sequence": "the list in brackets that begins in line {line} is broken here (is a ] or a comma missing?)",
    "a flow mapping": "the mapping in braces that begins in line {line} is broken here (is a }} or a comma missing?)",
    "a flow node": "a list in brackets or a mapping in braces is not closed (is a ] or a }} missing?)",
    "a quoted scalar": "the text in quotes that begins in line {line} is not closed (is the second quote missing?)",
    "a block mapping": "the mapping that begins in line {line} ends in the middle (is this line indented as its other "
    "keys are?)",
    "a block collection": "the list that begins in line {line} ends in the middle (is this line indented as its other "
    "entries are?)",
}
"""What the parser calls its parts, and what is usually wrong where it stops inside one."""
