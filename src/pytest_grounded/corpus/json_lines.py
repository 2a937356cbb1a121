"""Reading JSON Lines so that nothing is lost on the way: repeated keys are faults, numbers stay as they are written."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pytest_grounded.corpus.faults import Fault, Spot
from pytest_grounded.corpus.wording import found, shown
from pytest_grounded.text.objects import repeated_key

__all__ = ["JsonLines", "read_json_lines"]

MAX_FAULTS = 100
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""An escape that may be half of a character: such a text could neither be hashed nor written."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class JsonLines:
    """The objects of a file in order, the line of each, and what is wrong with lines that hold none."""

    objects: list[dict[str, Any]] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("L"))
    faults: list[Fault] = field(default_factory=list)


def read_json_lines(raw_lines: Iterable[bytes]) -> JsonLines:
    r"""Read one JSON object from each line that is not blank; reading goes on after a bad line.

    >>> read = read_json_lines([b'{"id": "c1", "value": 0.60}\n', b'{"id": "c2", "id": "c3"}\n'])
    >>> read.objects, read.faults[0].message
    ([{'id': 'c1', 'value': '0.60'}], "key 'id' stands twice in one object (keep one of them)")
    """
    read = JsonLines()
    for number, raw in enumerate(raw_lines, start=1):
        line = raw.removeprefix(_BOM) if number == 1 else raw
        if line.isspace() or not line:
            continue
        try:
            value = _DECODER.decode(line.decode())
            if _HALF.search(line):
                json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            if len(read.faults) < MAX_FAULTS:
                read.faults.append(_fault(error, number))
            continue
        if isinstance(value, dict):
            read.objects.append(value)
            read.lines.append(number)
        elif len(read.faults) < MAX_FAULTS:
            message = f"needs an object {{...}} on each line, found {found(value)}"
            read.faults.append(Fault(kind="type", message=message, spot=Spot(number, 1)))
    return read


class _RepeatedKeyError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _RepeatedKeyError(f"key {shown(repeated_key(pairs))} stands twice in one object (keep one of them)")
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON (write a number, or the text in quotes)")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=str, parse_int=str, parse_constant=_no_number)


def _fault(error: Exception, line: int) -> Fault:
    match error:
        case _RepeatedKeyError():
            return Fault(kind="duplicate_key", message=str(error), spot=Spot(line, 1))
        case json.JSONDecodeError():
            message = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]} (one object on each line)"
            return Fault(kind="type", message=message, spot=Spot(line, error.colno))
        case UnicodeEncodeError():
            message = "half of a surrogate pair (write the whole character, or take it out)"
            return Fault(kind="type", message=message, spot=Spot(line, 1))
        case UnicodeDecodeError():
            message = f"byte {error.object[error.start]:#04x} is not UTF-8 (save the file as UTF-8)"
            return Fault(kind="type", message=message, spot=Spot(line, error.start + 1))
        case RecursionError():
            return Fault(kind="type", message="nesting is too deep (flatten it)", spot=Spot(line, 1))
        case _:
            return Fault(kind="type", message=str(error), spot=Spot(line, 1))
