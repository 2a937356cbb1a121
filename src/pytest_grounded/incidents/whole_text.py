r"""Refuses halves of characters where they would be written into a case or a corpus, which hold whole ones.

JSON can write one half of a surrogate pair (`\ud83d`), a shell a byte that is no text. A reply may hold one: it is
kept and judged as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.record import Incident
from pytest_grounded.incidents.wishes import Wishes

__all__ = ["refuse_halves"]

_HALF = re.compile(r"[\ud800-\udfff]")
_AS_IT_CAME = frozenset({"reply", "internal", "replies"})


def refuse_halves(incident: Incident, wishes: Wishes) -> None:
    """Raise GroundedError that names every field with half a character in it, of a record or beside it.

    >>> refuse_halves(Incident(form="a plain record", file="a.json", question="Why?"), Wishes())
    """
    told = {one.name: getattr(incident, one.name) for one in fields(incident) if one.name not in _AS_IT_CAME}
    said = {one.name: getattr(wishes, one.name) for one in fields(wishes) if one.name != "stores"}
    problems = [*_problems(told, incident.file), *_problems(said, "what you said")]
    if problems:
        raise GroundedError(problems)


def _problems(value: Any, file: str) -> Iterator[Problem]:
    for place, half in _halves(value, ""):
        message = f"holds {half!r}, half of a surrogate pair (write the whole character, or take it out)"
        yield Problem(message=message, file=file, field=place)


def _halves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Where halves stand in a value, and the first in each place; a key is named by the place of its mapping."""
    if isinstance(value, str):
        if half := _HALF.search(value):
            yield place, half[0]
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if half := _HALF.search(str(key)):
                yield f"a key of {place}", half[0]
            else:
                yield from _halves(item, f"{place}.{key}".lstrip("."))
    elif isinstance(value, Sequence):
        for number, item in enumerate(value):
            yield from _halves(item, f"{place}[{number}]")
    elif is_dataclass(value):
        yield from _halves({one.name: getattr(value, one.name) for one in fields(value)}, place)
