"""Alignment: where one marked text stands in another, whichever way wraps, items and cells were set.

Both texts are split into their characters and what separates each from the one before it. Characters must be equal;
separators must be equal or be readings of the same layout: a hyphen at a line's end is printed or the word's own, an
item may be shown with a bullet, a dash or a plain space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.text.folding import BREAK, GROUP, JOINED_WRAP, KEPT_WRAP
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import UNSPACED

__all__ = ["occurrences"]

_SEPARATED = re.compile(
    rf"([\s|*\-\u2013\u2014{BREAK}{JOINED_WRAP}{KEPT_WRAP}{GROUP}]*)([^\s|*\-\u2013\u2014{BREAK}{JOINED_WRAP}{KEPT_WRAP}{GROUP}])"
)
_SEPARATORS = re.compile(rf"[\s|*\-\u2013\u2014{BREAK}{JOINED_WRAP}{KEPT_WRAP}{GROUP}]+")
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")
_UNSPACED_BREAK = BREAK + BREAK
_CELL_OF_NUMBERS = "||"
_ITEM_SIGNS = frozenset(" *|-")
_READINGS = {
    JOINED_WRAP: frozenset({"", "-", "- ", KEPT_WRAP}),
    KEPT_WRAP: frozenset({"-", "- "}),
    "|": frozenset({" "}),
}
_WORK = 64
"""How often each character may be looked at on average; only hostile text needs more, and is then not found."""


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """Characters, what stands in front of each, where each is in the marked text."""

    characters: str
    separators: list[str]
    places: list[int]
    has_readings: bool


def occurrences(part: str, whole: str) -> Iterator[tuple[int, int]]:
    r"""Start and end of each place in a marked text where another one stands, its outer separators aside.

    >>> from pytest_grounded.text.folding import marked
    >>> list(occurrences(marked("Well-known exam-ple"), marked("A well-\nknown exam-\nple.")))
    [(2, 21)]
    """
    characters = _characters(part)
    if not characters or characters not in _characters(whole):
        return  # most quotes that stand nowhere are told by this, long before their layout is looked at
    needle, hay = _skeleton(part), _skeleton(whole)
    size = len(needle.characters)
    inner = needle.separators[1:]
    is_flexible = needle.has_readings or hay.has_readings
    tries = _WORK * (size + len(hay.characters)) // size
    found = hay.characters.find(needle.characters)
    while found >= 0 and tries:
        if _agree_all(inner, hay.separators[found + 1 : found + size], is_flexible=is_flexible):
            yield hay.places[found], hay.places[found + size - 1] + 1
        found = hay.characters.find(needle.characters, found + 1)
        tries -= 1


@remembered(2_048)
def _characters(text: str) -> str:
    """The characters of a skeleton alone."""
    return _SEPARATORS.sub("", text)


@remembered(512)
def _skeleton(text: str) -> _Skeleton:
    characters: list[str] = []
    separators: list[str] = []
    places: list[int] = []
    has_readings = False
    for match in _SEPARATED.finditer(text):
        separator = _canonical(match[1], characters[-1] if characters else "", match[2]) if match[1] else ""
        has_readings = has_readings or separator in _READINGS or separator[:1] == BREAK
        characters.append(match[2])
        separators.append(separator)
        places.append(match.start(2))
    return _Skeleton("".join(characters), separators, places, has_readings)


def _canonical(separator: str, left: str, right: str) -> str:
    """One name for each way to set the same thing; the least certain one wins."""
    for wrap in (JOINED_WRAP, KEPT_WRAP):
        if wrap in separator:
            return wrap
    if BREAK in separator:
        return _UNSPACED_BREAK if _UNSPACED_LETTER.match(left) or _UNSPACED_LETTER.match(right) else BREAK
    if separator == "|":
        return _CELL_OF_NUMBERS if left.isdigit() and right.isdigit() else separator
    if separator in {"\u2013", "\u2014"}:
        return "-"
    return separator.replace(GROUP, " ").replace("\u2013", "-").replace("\u2014", " - ")


def _agree_all(left: list[str], right: list[str], *, is_flexible: bool) -> bool:
    if left == right:
        return True
    return is_flexible and all(
        one == other or _agree(one, other) or _agree(other, one) for one, other in zip(left, right, strict=True)
    )


def _agree(layout: str, other: str) -> bool:
    """Whether one separator is a reading of another."""
    if layout[:1] == BREAK:
        if other[:1] in {BREAK, JOINED_WRAP, KEPT_WRAP} or (not other and layout == _UNSPACED_BREAK):
            return True
        return bool(other) and other not in {" -", "- "} and _ITEM_SIGNS.issuperset(other)
    return other in _READINGS.get(layout, ())
