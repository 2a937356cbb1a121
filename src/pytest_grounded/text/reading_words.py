"""Reading what begins with a word: a number in words, a rank, a fraction, a month, noon."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from pytest_grounded.text.affixes import marks_before, scale_at, unit_at
from pytest_grounded.text.dates import Clock, Moment, date_with_month
from pytest_grounded.text.languages import Language, language, on_change
from pytest_grounded.text.numerals import ARITHMETIC, LETTER, Numeral, read_glued_word, read_words
from pytest_grounded.text.quantity import QuantityKind
from pytest_grounded.text.reading import Reading
from pytest_grounded.text.units import Dimension, dimension

__all__ = ["read_at_word", "starting_words"]

_NEXT_WORD: Final = re.compile(rf"[ \u00a0\n]?-?({LETTER}{{1,60}})")
_CLOCK_WORDS: Final = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}
_TENS: Final = range(20, 100, 10)
_UNITS: Final = range(1, 10)


@lru_cache(maxsize=64)
def starting_words(tag: str | None) -> frozenset[str]:
    """The words of a language at which a quantity may start."""
    words = language(tag)
    english_months = language(None).months.keys()
    numbers = words.cardinals.keys() | words.hundreds.keys() | words.scales.keys() | words.ordinals.keys()
    return frozenset(
        numbers
        | words.multiples.keys()
        | words.fractions.keys()
        | words.months.keys()
        | english_months
        | words.articles
        | _CLOCK_WORDS.keys()
    )


on_change(starting_words.cache_clear)


def read_at_word(reading: Reading, start: int, end: int, lower: str) -> int:
    """Read what begins with the word at `start`..`end`, `lower` in lower case; where it ends, 0 for nothing."""
    text = reading.text
    if text[end : end + 1].isdigit() or (start and text[start - 1] in "_."):
        return 0
    if lower in _CLOCK_WORDS:
        minutes = _CLOCK_WORDS[lower]
        clock = Clock(start=start, end=end, minutes=minutes, half=None if minutes else "am")  # midnight is never noon
        return reading.add_clock(clock, incidental=text[start].isupper())
    return (
        _clock_in_words(reading, start, lower)
        or _multiple(reading, start, end, lower)
        or _ordinal(reading, start, end, lower)
        or _number(reading, start, end)
        or _month(reading, start, end)
        or 0
    )


# --- times of day and times ----------------------------------------------------------------------------------------

_PAST: Final = re.compile(
    rf"(?P<minutes>half|(?:a )?quarter|five|ten|twenty|twenty-five|\d{{1,2}})[ \u00a0\n](?P<side>past|to)[ \u00a0\n]"
    rf"(?P<hour>{LETTER}{{3,6}}|\d{{1,2}})\b",
    re.IGNORECASE,
)
_MINUTES: Final = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_LAST_HOUR: Final = 12


def _clock_in_words(reading: Reading, start: int, lower: str) -> int | None:
    """A time such as "half past two" or "a quarter to nine"."""
    if lower not in _OPEN_CLOCK or reading.words.tag != "en":
        return None
    match = _PAST.match(reading.text, start)
    if match is None or (match["side"].lower() == "to" and match["minutes"].lower() not in _SAID_TO):
        return None  # "ten to twelve people"
    hour = reading.words.cardinals.get(match["hour"].lower(), 0)
    if not 0 < hour <= _LAST_HOUR:
        return None
    minutes = _MINUTES[match["minutes"].lower()]
    since_midnight = hour * 60 + minutes if match["side"].lower() == "past" else hour * 60 - minutes
    return reading.add_clock(Clock(start=start, end=match.end(), minutes=since_midnight % (24 * 60)))


_OPEN_CLOCK: Final = frozenset(("half", "quarter", "a", "five", "ten", "twenty"))
_SAID_TO: Final = frozenset(("quarter", "a quarter"))


def _multiple(reading: Reading, start: int, end: int, lower: str) -> int | None:
    """How often: "twice a day" states two a day, "twice" alone hardly a number."""
    count = reading.words.multiples.get(lower)
    if count is None:
        return None
    place = reading.add_number(Numeral(start=start, end=end, value=Decimal(count)))
    reading.drafts[-1].incidental = count == 1 or not reading.drafts[-1].per
    return place


# --- ranks -------------------------------------------------------------------------------------------------------

_OF_MONTH: Final = re.compile(r"[ \u00a0\n](?:of[ \u00a0\n])?([^\W\d_]{3,12})\b")


def _ordinal(reading: Reading, start: int, end: int, lower: str) -> int | None:
    words = reading.words
    rank = words.ordinals.get(lower)
    if rank is not None:
        on_day = _day_in_words(reading, start, end, rank)
        incidental = lower in words.incidental or _only_counts(reading.text, start, end)
        return on_day or reading.add_ordinal(start, end, Decimal(rank), incidental=incidental)
    match = _NEXT_WORD.match(reading.text, end) if words.cardinals.get(lower) in _TENS else None
    last = words.ordinals.get(match[1].lower()) if match else None
    if match is None or last not in _UNITS:
        return None
    return reading.add_ordinal(start, match.end(), Decimal(words.cardinals[lower] + (last or 0)))


_BEFORE_NO_NOUN: Final = re.compile(r"[,:]|[ \u00a0\n](?:is|are|was|were|has|had|can|may|must|will|says?|states?)\b")
_OPENS: Final = re.compile(r"(?:^|[.!?:;\n]|\bthe)\s*$", re.IGNORECASE)


def _only_counts(text: str, start: int, end: int) -> bool:
    """Whether a rank numbers what the text itself lists: "Fourth, ask your manager", "the fourth was sent by air"."""
    return _BEFORE_NO_NOUN.match(text, end) is not None and _OPENS.search(text[max(0, start - 8) : start]) is not None


def _day_in_words(reading: Reading, start: int, end: int, day: int) -> int | None:
    """The date of "first of July 2024"."""
    match = _OF_MONTH.match(reading.text, end)
    if match is None or not match[1][0].isupper() or match[1].lower() not in reading.words.months:
        return None
    month = date_with_month(reading.text, match.start(1), match.end(1), reading.words)
    if month is None or month.day is not None:
        return None
    return reading.add_moment(Moment(start=start, end=month.end, year=month.year, month=month.month, day=day))


# --- numbers -----------------------------------------------------------------------------------------------------

_LONGEST_NUMBER: Final = 28
_BOUNDS: Final = frozenset(("exactly", "least", "most", "maximum", "minimum", "up"))


def _number(reading: Reading, start: int, end: int) -> int | None:
    sequence, ends = _words_ahead(reading, start, end)
    in_words = _fraction(reading, start, sequence, ends)
    if in_words is not None:
        return in_words
    read = read_words(sequence, reading.words)
    if read is None and _is_bare_multiplier(reading, start, end):
        worth = reading.words.hundreds.get(sequence[0]) or reading.words.scales[sequence[0]]
        return reading.add_number(Numeral(start=start, end=end, value=Decimal(worth)), incidental=True)
    if read is None:
        return _one_period(reading, start, end) if sequence[0] in reading.words.articles else None
    taken, value, step = read
    incidental = taken == 1 and sequence[0] in reading.words.incidental and not _is_bounded(reading.text, start)
    if incidental and _is_pronoun(reading, start, ends[0]):
        return None
    decimals = _decimals(reading, sequence[taken:])
    if decimals:
        step = Decimal((0, (1,), -len(decimals)))
        value = ARITHMETIC.add(value, ARITHMETIC.multiply(Decimal(decimals), step))
        taken += 1 + len(decimals)
    numeral = Numeral(start=start, end=ends[taken - 1], value=value, step=step)
    return reading.add_number(numeral, incidental=incidental)


_UNCOUNTED: Final = frozenset("several few many some couple of various any per the".split())  # noqa: SIM905  a word list


def _is_bare_multiplier(reading: Reading, start: int, end: int) -> bool:
    """Whether "hundred dollars" means one hundred, and not some of them."""
    word = reading.text[start:end].lower()
    if word not in reading.words.hundreds and word not in reading.words.scales:
        return False
    before = reading.text[max(0, start - 12) : start].lower().split()
    is_counted = bool(before) and (before[-1] in _UNCOUNTED or before[-1][-1].isdigit())
    return not is_counted and unit_at(reading.text, end, reading.tag) is not None


def _one_period(reading: Reading, start: int, end: int) -> int | None:
    """The one of "a year", which evidence may state and a claim is not held to."""
    unit = unit_at(reading.text, end, reading.tag)
    if unit is None or unit[0] == "s" or dimension(unit[0]) not in _PERIODS:  # "a second time"
        return None
    place = reading.add_number(Numeral(start=start, end=end, value=Decimal(1)))
    reading.drafts[-1].incidental = True
    return place


_PERIODS: Final = frozenset((Dimension.CLOCK, Dimension.CALENDAR))


def _is_bounded(text: str, start: int) -> bool:
    """Whether "one" stands after a word that makes it a number: at most one."""
    return not _BOUNDS.isdisjoint(text[max(0, start - 12) : start].lower().split()[-2:])


def _is_pronoun(reading: Reading, start: int, end: int) -> bool:
    """Whether "one" stands for a thing or a person: no one, this one, one of them."""
    words, text = reading.words, reading.text
    before = text[max(0, start - 12) : start].lower().split()
    after = _NEXT_WORD.match(text, end)
    return (bool(before) and before[-1] in words.pronoun_after) or (
        after is not None and after[1].lower() in words.pronoun_before
    )


def _words_ahead(reading: Reading, start: int, end: int) -> tuple[list[str], list[int]]:
    """The number words from a place on, in lower case, and where each ends."""
    words = reading.words
    known = starting_words(words.tag) | words.joiners | words.points
    sequence, ends = [reading.text[start:end].lower()], [end]
    while len(sequence) < _LONGEST_NUMBER and (match := _NEXT_WORD.match(reading.text, ends[-1])):
        word = match[1].lower()
        is_number = word in known or read_glued_word(word, words) is not None
        if not is_number or (_are_separate(sequence[-1], word, words) and words.points.isdisjoint(sequence)):
            break
        joined = f"{sequence[-1]}-{word}"
        if joined in words.cardinals:  # quatre-vingts
            sequence[-1], ends[-1] = joined, match.end()
        else:
            sequence.append(word)
            ends.append(match.end())
    return sequence, ends


def _are_separate(left: str, right: str, words: Language) -> bool:
    """Whether two number words in a row are two numbers: "one two"."""
    first, second = words.cardinals.get(left), words.cardinals.get(right)
    return first in _UNITS and second in _UNITS


def _decimals(reading: Reading, following: list[str]) -> str:
    """The digits after "point" in words: two point five."""
    if not following or following[0] not in reading.words.points:
        return ""
    decimals = ""
    for word in following[1:]:
        digit = reading.words.cardinals.get(word)
        if digit is None or digit > max(_UNITS):
            break
        decimals += str(digit)
    return decimals


# --- fractions ---------------------------------------------------------------------------------------------------

_ARTICLE: Final = re.compile(r"[ \u00a0\n-](?:an?|einen?|une?|un[ao]?)(?=[ \u00a0\n-])")
_OF: Final = re.compile(r"[ \u00a0\n](?:of|the|all|der|des|de|del)\b")
_FREE_FRACTIONS: Final = frozenset(("half", "quarter"))


def _fraction(reading: Reading, start: int, sequence: list[str], ends: list[int]) -> int | None:
    """A fraction in words: half, two thirds, three-quarters, a quarter of."""
    words, first = reading.words, sequence[0]
    if first in words.fractions and first not in words.ordinals:
        return _half(reading, start, ends[0], words.fractions[first])
    if len(sequence) == 1 or sequence[1] not in words.fractions:
        return None
    is_article = first in words.articles
    count = 1 if is_article else words.cardinals.get(first, 0)
    value = ARITHMETIC.multiply(words.fractions[sequence[1]], Decimal(count))
    follows_of = _OF.match(reading.text, ends[1]) is not None
    is_plural = sequence[1].endswith("s") or words.tag != "en"
    weak = is_article and not follows_of and not marks_before(reading.text, start, words).hedged
    is_rank = weak and sequence[1] not in _FREE_FRACTIONS  # "a third party"
    if not 0 < value < 1 or is_rank or (count > 1 and not is_plural):
        return None
    return reading.add_number(Numeral(start=start, end=ends[1], value=value, fraction=True), incidental=weak)


def _half(reading: Reading, start: int, end: int, value: Decimal) -> int:
    """Half alone: of something, of a unit, of a million; else hardly a number."""
    text = reading.text
    article = _ARTICLE.match(text, end)
    place = article.end() if article else end
    scaled = scale_at(text, place, reading.words, money=False) is not None
    unit = unit_at(text, place, reading.tag)
    if scaled or (unit is not None and unit[0] != "quarter"):
        return reading.add_number(Numeral(start=start, end=place, value=value))
    is_share = _OF.match(text, end) is not None and not _follows_rank(reading, start)
    numeral = Numeral(start=start, end=end, value=value, fraction=True)
    return reading.add_number(numeral, incidental=value < 1 and not is_share)


def _follows_rank(reading: Reading, start: int) -> bool:
    """Whether it is the half of "the second half of the year"."""
    last = reading.drafts[-1] if reading.drafts else None
    return last is not None and last.kind is QuantityKind.ORDINAL and start - last.end <= 1


# --- months ------------------------------------------------------------------------------------------------------


def _month(reading: Reading, start: int, end: int) -> int | None:
    """A date that begins with a month; the month alone is one only after a word such as "in"."""
    text = reading.text
    moment = date_with_month(text, start, end, reading.words)
    if moment is None:
        return None
    place = reading.add_moment(moment)
    if moment.day is None and moment.year is None:
        before = text[max(0, start - 14) : start].lower().split()
        cued = bool(before) and before[-1].strip("(\"'") in reading.words.date_words
        reading.drafts[-1].incidental = not cued or end - start <= len("Jan")
    return place
