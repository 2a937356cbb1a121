"""Finding quantities: which numbers, amounts, dates and times stand in a text, and what belongs to each.

The text is folded, then read once from left to right. At each digit, number word or month name the longest reading
that makes sense there is taken (`reading_digits`, `reading_words`, `reading_cjk`); a second look (`quantity_join`)
lets neighbours share what they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Final

from pytest_grounded.text.dates import ERA_NAMES
from pytest_grounded.text.languages import is_known, language, on_change
from pytest_grounded.text.nonfacts import marker_spans
from pytest_grounded.text.numerals import CJK_NUMERALS, LETTER, VULGAR_FRACTIONS, fold_digits, read_glued_word
from pytest_grounded.text.quantity import Quantity, QuantityKind
from pytest_grounded.text.quantity_join import Draft, join_neighbours
from pytest_grounded.text.reading import Reading
from pytest_grounded.text.reading_cjk import read_at_cjk, read_at_era, read_at_half
from pytest_grounded.text.reading_digits import read_at_digits, read_at_point, read_at_vulgar
from pytest_grounded.text.reading_words import read_at_word, starting_words
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import guess_language, script_of
from pytest_grounded.text.wordlists import any_of

__all__ = ["find_quantities"]


def find_quantities(
    text: str,
    *,
    lang: str | None = None,
    words: str | None = None,
    incidental: bool = False,
    labels: bool = False,
    ignore: Iterable[tuple[int, int]] = (),
) -> tuple[Quantity, ...]:
    """The quantities of a text in order, none overlapping another.

    `lang` settles decimal marks, the order of dates and number words; without it the words follow the language the
    text seems to be in (or `words`, where it is too short to tell) and every reading of a number is kept.
    `incidental=True` adds words that are often no number (one, first, half): ask for them in evidence, where they may
    state a value. `labels=True` adds the numbers of tables, sections and grades. What touches an `ignore` span is left
    out. Any text is read in linear time.

    >>> [(q.raw, str(q.value), q.unit) for q in find_quantities("About $1.5k per night for 3 nights (Table 2) [1].")]
    [('$1.5k per night', '1500.0', '$'), ('3 nights', '3', 'night')]
    """
    # Without a tag the words of a text that tells its own language are read in that one, whatever else was asked for.
    read_in = words if words and lang is None and guess_language(text) is None else None
    found = _all_quantities(text, lang, read_in)
    if incidental and labels and not ignore:
        return found
    spans = tuple(ignore)
    return tuple(
        quantity
        for quantity in found
        if (incidental or not quantity.incidental)
        and (labels or quantity.kind is not QuantityKind.LABEL)
        and not any(start < quantity.end and quantity.start < end for start, end in spans)
    )


@remembered(4_096)
def _all_quantities(text: str, lang: str | None, words: str | None) -> tuple[Quantity, ...]:
    folded = fold_digits(text)
    found: list[Quantity] = []
    done = 0
    for draft in _read(folded.text, lang, words):
        start, end = folded.original_span(draft.start, draft.end)
        start = max(start, done)  # two that share a character: of ℃ the sign may end one and the letter begin another
        if start < end:
            found.append(draft.finished(text[start:end], start, end))
            done = end
    return tuple(found)


on_change(_all_quantities.cache_clear)

_MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
_ANCHORS: Final = (
    r"(?P<point>(?<![\w.,:/@#-])\.\d{1,12}(?!\d|[.,:/]\d))"
    rf"|(?P<era>{'|'.join(ERA_NAMES)})"
    r"|(?P<digits>\d+(?:[.,'٫٬_]\d+|[ \u00a0]\d{3}(?!\d))*)"
    rf"|(?P<vulgar>[{''.join(VULGAR_FRACTIONS)}])"
    rf"|(?P<cjk>[{CJK_NUMERALS}]+)"
    r"|(?P<half>(?<![上下前后後大小多各])半(?:[个個](?=小时|小時|钟头|鐘頭))?(?=小时|小時|钟头|鐘頭|[个個]月|天|日|年|時間))"
    rf"|(?P<month>(?<=[A-Za-z])(?:{_MONTHS})(?!{LETTER}))"
)
"""`month`: one that an extractor glued to the word before it, NewsApril 11, 2019."""


@lru_cache(maxsize=64)
def _anchor(tag: str | None) -> re.Pattern[str]:
    """Where a quantity may begin in a text of a language."""
    if language(tag).glued:
        return re.compile(rf"{_ANCHORS}|(?P<word>(?<!{LETTER})(?:(?!(?<=[A-Za-z])(?:{_MONTHS})(?!{LETTER})){LETTER})+)")
    return re.compile(rf"{_ANCHORS}|(?P<word>(?<!{LETTER})(?i:{any_of(starting_words(tag))})(?!{LETTER}))")


on_change(_anchor.cache_clear)
_READERS: Final = {
    "digits": read_at_digits,
    "point": read_at_point,
    "vulgar": read_at_vulgar,
    "cjk": read_at_cjk,
    "half": read_at_half,
    "era": read_at_era,
}


def _read(text: str, lang: str | None, words: str | None) -> list[Draft]:
    """Everything that stands in a folded text, neighbours joined."""
    reading = Reading(text, lang, words=words)
    skipped = list(reversed(marker_spans(text)))
    done = 0
    for group, start, end in _anchors(text, reading):
        if start < done or (skipped and _is_skipped(start, skipped)):
            continue
        if group in _READERS:
            done = max(end, _READERS[group](reading, start, end))
        elif group == "month" or _may_start(text[start:end].lower(), reading):
            done = read_at_word(reading, start, end, text[start:end].lower())
    if not reading.drafts:
        return reading.drafts
    join_neighbours(text, reading.drafts, reading.words, reading.tag)
    if not is_known(reading.tag) and script_of(text) not in _SCRIPTS_WITH_UNITS:
        _leave_units_open(reading.drafts)
    return reading.drafts


def _anchors(text: str, reading: Reading) -> Iterable[tuple[str, int, int]]:
    """Where quantities may begin: of which sort, and what stands there.

    In plain text its words are looked up in a set, many times faster than a pattern of all number words.
    """
    if reading.words.glued or _PLAIN.fullmatch(text) is None or _has_glued_month(text):
        matches = _anchor(reading.tag).finditer(text)
        return ((match.lastgroup or "digits", match.start(), match.end()) for match in matches)
    found = [("digits", *match.span()) for match in _DIGITS.finditer(text)]
    if "." in text:
        found += [("point", *match.span()) for match in _POINT.finditer(text)]
    lower = text.lower()
    for word in starting_words(reading.tag).intersection(lower.translate(_NO_LETTERS).split()):
        found += [("word", start, start + len(word)) for start in _places_of(word, lower)]
    return sorted(found, key=_START)


_BEYOND_ASCII: Final = "\u00a0\u00a3\u00a7\u00b0\u2013\u2022\u2026\u20ac"
_PLAIN: Final = re.compile(rf"[\x00-\x7f{_BEYOND_ASCII}]*+")
"""Text of which every letter and digit is ASCII."""
_NO_LETTERS: Final = {point: " " for point in (*range(128), *map(ord, _BEYOND_ASCII)) if not chr(point).isalpha()}
_DIGITS: Final = re.compile(r"\d+(?:[.,'_]\d+|[ \u00a0]\d{3}(?!\d))*")
_POINT: Final = re.compile(r"\.(?<![\w.,:/@#-]\.)\d{1,12}(?!\d|[.,:/]\d)")
_START: Final = itemgetter(1)
_GLUED_MONTH: Final = re.compile(rf"(?<=[A-Za-z])(?:{_MONTHS})(?!{LETTER})")
_MONTH_NAMES: Final = tuple(_MONTHS.split("|"))


def _places_of(word: str, lower: str) -> Iterator[int]:
    """Where a word stands alone in a plain text in lower case."""
    at = lower.find(word)
    while at >= 0:
        end = at + len(word)
        if not lower[at - 1 : at].isalpha() and not lower[end : end + 1].isalpha():
            yield at
        at = lower.find(word, end)


def _has_glued_month(text: str) -> bool:
    return any(month in text for month in _MONTH_NAMES) and _GLUED_MONTH.search(text) is not None


def _may_start(lower: str, reading: Reading) -> bool:
    """Whether a quantity may start at a word; one of a language that glues number words may hold one."""
    if not reading.words.glued:
        return True
    return lower in starting_words(reading.tag) or read_glued_word(lower, reading.words) is not None


def _is_skipped(start: int, skipped: list[tuple[int, int]]) -> bool:
    while skipped and skipped[-1][1] <= start:
        skipped.pop()
    return bool(skipped) and skipped[-1][0] <= start


_SCRIPTS_WITH_UNITS: Final = frozenset(("han", "kana", "hangul", None))
ANY_UNIT: Final = "?"


def _leave_units_open(drafts: Iterable[Draft]) -> None:
    """In a language whose unit words are not known a number without unit may have any."""
    for draft in drafts:
        if draft.unit is None:
            draft.hints |= {ANY_UNIT}
