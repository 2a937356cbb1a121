"""Values that people write in case files and corpora: whether a text states one, and whether two are the same.

A number, amount, date or time is compared by value, in whatever words and script it is written; words are compared as
whole words, by case and plural folding. Chinese, Japanese and Korean have no spaces to tell words by and are compared
character by character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pytest_grounded.text.languages import language, on_change
from pytest_grounded.text.quantities import (
    Bound,
    Match,
    Quantity,
    QuantityKind,
    equal_quantities,
    find_quantities,
    match_quantity,
)
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import HANGUL, UNSPACED
from pytest_grounded.text.tracing import compatible
from pytest_grounded.text.words import stem

__all__ = ["contains_value", "find_value", "same_value"]


def contains_value(text: str, value: str, *, lang: str | None = None) -> bool:
    """Whether a text states a value; an empty value is stated by no text.

    >>> contains_value("The limit is $180.", "180"), contains_value("The limit is 1180.", "180")
    (True, False)
    >>> contains_value("a twelve-month term", "12 months"), contains_value("180 EUR", "$180")
    (True, False)
    >>> contains_value("Receipts are needed.", "receipt"), contains_value("It is unyielding.", "yield")
    (True, False)
    """
    return next(_places(text, value, lang), None) is not None


def find_value(text: str, value: str, *, lang: str | None = None) -> tuple[tuple[int, int], ...]:
    """Where a text states a value, as spans of the text in order.

    >>> find_value("From 8 to 16, or 8-16.", "8 to 16")
    ((5, 12), (17, 21))
    """
    return tuple(_places(text, value, lang))


def same_value(left: str, right: str, *, lang: str | None = None) -> bool:
    """Whether two texts are the same value: "$180" and "180 dollars", "30 days" and "thirty days", "Yes" and "yes".

    A unit may be left out on one side; a date must give the same fields. Two empty texts are no value.

    >>> same_value("12-month", "one year"), same_value("$180", "180 EUR"), same_value("2024", "1 July 2024")
    (True, False, False)
    """
    ours, theirs = _items(left, lang, True), _items(right, lang, True)
    if not ours or len(ours) != len(theirs):
        return False
    return all(_are_same(mine, other) for mine, other in zip(ours, theirs, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A word or a quantity of a text: what a value is compared by."""

    start: int
    end: int
    word: str
    quantity: Quantity | None = None


def _places(text: str, value: str, lang: str | None) -> Iterator[tuple[int, int]]:
    wanted = _items(value, lang, True)
    if not wanted:
        return
    items = _items(text, lang, any(item.quantity is not None for item in wanted))
    first, length = wanted[0], len(wanted)
    for i in range(len(items) - length + 1):
        if _states(items[i], first) and _all_state(items[i + 1 : i + length], wanted[1:]):
            yield items[i].start, items[i + length - 1].end


def _all_state(items: Sequence[_Item], wanted: Sequence[_Item]) -> bool:
    return all(_states(item, value) for item, value in zip(items, wanted, strict=True))


def _states(item: _Item, value: _Item) -> bool:
    """Whether an item of a text states the item of a value; a date of the text may say more."""
    stated, wanted = item.quantity, value.quantity
    if wanted is None:
        return item.word == value.word
    if stated is None:
        return False
    if not _ON_THE_CALENDAR.isdisjoint((wanted.kind, stated.kind)):
        return match_quantity(wanted, stated) is Match.EQUAL
    return _same_number(stated, wanted)


_ON_THE_CALENDAR: Final = frozenset((QuantityKind.DATE, QuantityKind.TIME))


def _are_same(left: _Item, right: _Item) -> bool:
    if left.quantity is None or right.quantity is None:
        return left.word == right.word
    return _same_number(left.quantity, right.quantity)


def _same_number(left: Quantity, right: Quantity) -> bool:
    """Equal by value; the number of a grade or table is also stated by the bare number."""
    if (left.kind is QuantityKind.LABEL) != (right.kind is QuantityKind.LABEL):
        label, other = (left, right) if left.kind is QuantityKind.LABEL else (right, left)
        named = label.value in other.readings if label.value is not None else label.raw == other.raw
        return other.kind is QuantityKind.NUMBER and other.unit is None and named
    return equal_quantities(left, right)


_APOSTROPHE: Final = "'\u2019"
_TOKEN: Final = re.compile(
    rf"[{UNSPACED}{HANGUL}]|[^\W_{UNSPACED}{HANGUL}]+(?:[.,:{_APOSTROPHE}][^\W_{UNSPACED}{HANGUL}]+)*|[%‰€$£¥]"
)
_SIGNS: Final = frozenset("%‰€$£¥")


@remembered(1_024)
def _items(text: str, lang: str | None, with_quantities: bool) -> tuple[_Item, ...]:  # noqa: FBT001  a cache key
    quantities = find_quantities(text, lang=lang, incidental=True, labels=True) if with_quantities else ()
    dropped = _range_words(text, quantities, lang)
    items = [_Item(start=q.start, end=q.end, word=_folded(q.raw), quantity=q) for q in quantities]
    waiting = iter((*((q.start, q.end) for q in quantities), (len(text) + 1, len(text) + 1)))
    start, end = next(waiting)
    for token in _TOKEN.finditer(text):
        while token.start() >= end:
            start, end = next(waiting)
        if token.end() > start or token[0] in _SIGNS or token.start() in dropped:
            continue
        items.append(_Item(start=token.start(), end=token.end(), word=_folded(token[0])))
    return tuple(sorted(items, key=lambda item: item.start))


on_change(_items.cache_clear)


def _range_words(text: str, quantities: Sequence[Quantity], lang: str | None) -> frozenset[int]:
    """Starts of the words that only join the ends of a range, so that "8 to 16" is "8-16"."""
    words = language(lang)
    dropped: set[int] = set()
    for low, high in pairwise(quantities):
        if low.bound is Bound.LOW and high.bound is Bound.HIGH:
            dropped.update(match.start() for match in _TOKEN.finditer(text, low.end, high.start))
            before = max(0, low.start - len("between "))
            opening = list(_TOKEN.finditer(text, before, low.start))
            if (
                opening
                and opening[-1][0].lower() in {"from", "between", "von", "de", "entre", "zwischen"} | words.ranges
            ):
                dropped.add(opening[-1].start())
    return frozenset(dropped)


def _folded(token: str) -> str:
    """A word without case, plural and possessive; several words of a quantity joined."""
    word = compatible(token).casefold().replace("\u2019", "'")
    return stem(word.removesuffix("'s"))
