"""Reading what begins with digits: a label, a date, a time, an identifier, or a number in the full sense."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from pytest_grounded.text.affixes import power_of_ten_at, prefix_before, scale_at, unit_at
from pytest_grounded.text.dates import (
    Moment,
    date_in_cjk,
    date_in_digits,
    date_with_day,
    date_with_year,
    fiscal_years_at,
    long_year,
    time_at,
    years_at,
)
from pytest_grounded.text.nonfacts import is_list_number, label_before
from pytest_grounded.text.numerals import (
    ARITHMETIC,
    CJK_NUMERALS,
    MOST_DIGITS,
    VULGAR_FRACTIONS,
    Numeral,
    read_cjk,
    read_digits,
)
from pytest_grounded.text.quantity import QuantityKind
from pytest_grounded.text.quantity_join import Draft
from pytest_grounded.text.reading import Reading
from pytest_grounded.text.reading_words import starting_words
from pytest_grounded.text.scripts import script_of
from pytest_grounded.text.units import currency_sign

__all__ = ["read_at_digits", "read_at_point", "read_at_vulgar"]

_LONG_RUN: Final = re.compile(rf"\d{{{MOST_DIGITS + 1}}}")
_PHONE: Final = re.compile(r"\+\d[\d \u00a0()/.-]{5,24}\d")
_WITH_AREA: Final = re.compile(r"\(\d{2,5}\)[ \u00a0\n]?\d{3,4}[ \u00a0\n-]\d{3,4}(?![\w.,]?\d)")
"""A telephone number that begins with its area: (800) 555-0199."""


_BEFORE_CLOCK: Final = frozenset(":hHaApPuUo點点時时시 ")
_BEFORE_DATE: Final = frozenset("-/.年년月월")
_BEFORE_YEARS: Final = frozenset("s'e-/\u2013")
_BEFORE_CODE: Final = frozenset("-/:.")


def read_at_digits(reading: Reading, start: int, end: int) -> int:
    """Read what begins with the run of digits and marks at `start`..`end`; where it ends."""
    text = reading.text
    if _LONG_RUN.match(text, start):
        return reading.add_code(start, end)
    if start and text[start - 1] == "(" and (phone := _WITH_AREA.match(text, start - 1)):
        return reading.add_code(start - 1, phone.end())
    if end - start == len("24") and (always := _always(reading, start)) is not None:
        return always
    special = _feet_and_inches(reading, start) or _quarter_of_year(reading, start) or _short_year(reading, start, end)
    if special is not None:
        return special
    glued = _after_letters(reading, start, end) or _after_hyphen(reading, start, end)
    if glued is not None:
        return glued
    after = text[end : end + 2]
    if not _BEFORE_CLOCK.isdisjoint(after) and (clock := time_at(text, start, reading.words)):
        return reading.add_clock(clock)
    label = label_before(text, start, end, reading.words)
    if label is not None and not _counts_something(reading, start, end):
        return reading.add_label(start, end, label)
    if _is_list_item(reading, start, end):
        return end
    return _date(reading, start, end) or _number(reading, start, end)


def read_at_vulgar(reading: Reading, start: int, end: int) -> int:
    """Read a fraction in one character: ½."""
    value = VULGAR_FRACTIONS[reading.text[start]]
    return reading.add_number(Numeral(start=start, end=end, value=value, fraction=True))


def read_at_point(reading: Reading, start: int, end: int) -> int:
    """Read decimals without a whole part: .5."""
    digits = reading.text[start + 1 : end]
    step = Decimal((0, (1,), -len(digits)))
    value = ARITHMETIC.multiply(Decimal(digits), step)
    return reading.add_number(Numeral(start=start, end=end, value=value, step=step))


# --- glued to letters --------------------------------------------------------------------------------------------

_YEAR_PREFIXES: Final = frozenset(("FY", "FYE", "CY"))
_PERIOD_PREFIXES: Final = {"Q": "quarter", "H": "half"}
_WORD_SCRIPTS: Final = frozenset(("latin", "greek", "cyrillic"))
_FREE_PREFIXES: Final = frozenset(
    """mid pre post early late under over sub top circa non since until age aged plus minus max min ex up to of and or
    by per from at in""".split()  # noqa: SIM905  a word list
)


def _after_letters(reading: Reading, start: int, end: int) -> int | None:
    """Digits directly after letters: a fiscal year, a quarter, else an identifier; None after a currency."""
    text, word = reading.text, reading.free_word(start)
    if start and text[start - 1] == "_":
        return reading.add_code(start - 1, end)
    if word is None:
        return None
    letters, begin, digits = *word, text[start:end]
    if letters in _TIMES and reading.drafts and reading.drafts[-1].end == begin and reading.drafts[-1].value:
        return None  # 1920x1080
    if letters == "T" and reading.drafts and reading.drafts[-1].end == begin:
        return None  # 2024-07-01T10:30
    if letters in _YEAR_PREFIXES and (years := fiscal_years_at(text, start)):
        return [reading.add_moment(year) for year in (replace(years[0], start=begin), *years[1:])][-1]
    if letters in _PERIOD_PREFIXES and digits in {"1", "2", "3", "4"}:
        unit = _PERIOD_PREFIXES[letters]
        reading.drafts.append(Draft(kind=QuantityKind.ORDINAL, start=begin, end=end, value=Decimal(digits), unit=unit))
        return end
    is_number = (
        currency_sign(letters) is not None
        or letters.lower() in reading.words.labels
        or script_of(letters) not in _WORD_SCRIPTS
    )
    return None if is_number else reading.add_code(begin, end)


def _after_hyphen(reading: Reading, start: int, end: int) -> int | None:
    """Digits after a word and a hyphen: part of a name such as COVID-19, unless the word may stand before a number."""
    text = reading.text
    word = reading.free_word(start - 1) if text[start - 1 : start] in {"-", "\u2013"} else None
    if word is None:
        return None
    prefix, lower = word[0], word[0].lower()
    words = reading.words
    if lower in _FREE_PREFIXES or lower in starting_words(reading.tag) or currency_sign(prefix) is not None:
        return None
    if lower in words.labels or lower in words.capital_labels or _is_chained(text, word[1]):
        return None
    return reading.add_code(word[1], end)


def _is_chained(text: str, start: int) -> bool:
    """Whether the word hangs on a number itself, as in "10-by-20" or "6-foot-4"."""
    return start > 1 and text[start - 1] == "-" and text[start - 2].isdigit()


# --- with marks of their own ---------------------------------------------------------------------------------------

_FEET: Final = re.compile(
    r"(?P<feet>\d{1,2})'(?P<gap>[ \u00a0]?)(?P<inches>\d{1,2}(?:\.\d{1,2})?)(?P<mark>\"|''|(?![\d\w'.,]))"
)
_INCHES_IN_FOOT: Final = Decimal(12)


def _feet_and_inches(reading: Reading, start: int) -> int | None:
    """A length such as 5'10" in inches."""
    match = _FEET.match(reading.text, start) if reading.text.startswith("'", start + 1, start + 3) else None
    if match is None or Decimal(match["inches"]) >= _INCHES_IN_FOOT or (match["gap"] and not match["mark"]):
        return None
    value = ARITHMETIC.add(ARITHMETIC.multiply(Decimal(match["feet"]), _INCHES_IN_FOOT), Decimal(match["inches"]))
    reading.drafts.append(Draft(kind=QuantityKind.MEASURE, start=start, end=match.end(), value=value, unit="in"))
    return match.end()


_ALWAYS: Final = re.compile(r"(?P<hours>24) ?(?P<mark>[/x×]) ?(?P<days>7)(?![\w%/]|[.,:-]\d)")


def _always(reading: Reading, start: int) -> int | None:
    """Open without a pause, 24/7: the same as 24 hours a day and 7 days a week."""
    match = _ALWAYS.match(reading.text, start)
    if match is None:
        return None
    for part, unit, per in (("hours", "h", "day"), ("days", "day", "week")):
        first, last = match.span(part)
        reading.drafts.append(
            Draft(
                kind=QuantityKind.DURATION,
                start=first,
                end=last,
                value=Decimal(match[part]),
                unit=unit,
                per=frozenset((per,)),
            )
        )
    return match.end()


_QUARTER: Final = re.compile(r"(?P<number>[1-4])(?P<period>[QH])(?:[ \u00a0-]?'?(?P<year>20\d\d|\d\d))?(?![\w])")


def _quarter_of_year(reading: Reading, start: int) -> int | None:
    """A part of a year written onto it: 3Q23, 1H 2024, 4Q."""
    match = _QUARTER.match(reading.text, start) if reading.text[start + 1 : start + 2] in _PERIOD_PREFIXES else None
    if match is None or (match["period"] == "H" and (match["year"] is None or int(match["number"]) > 2)):  # noqa: PLR2004  halves
        return None
    end = match.end("period")
    unit = _PERIOD_PREFIXES[match["period"]]
    value = Decimal(match["number"])
    reading.drafts.append(Draft(kind=QuantityKind.ORDINAL, start=start, end=end, value=value, unit=unit))
    if match["year"] is None:
        return end
    year = int(match["year"]) % 1000 + 2000
    return reading.add_moment(Moment(start=match.start("year"), end=match.end(), year=year))


def _short_year(reading: Reading, start: int, end: int) -> int | None:
    """A year without its century behind a word of time: early '24, Q3 '23, since '98."""
    text = reading.text
    if text[start - 1 : start] != "'" or end - start != len("24") or text[end : end + 1] in _CLOSE_YEAR:
        return None
    before = text[max(0, start - 16) : start - 1].lower().split()
    last = reading.drafts[-1] if reading.drafts else None
    is_part = last is not None and last.kind is QuantityKind.ORDINAL and last.unit and start - last.end <= len(" '")
    if not is_part and (not before or before[-1].strip("(") not in reading.words.date_words):
        return None
    if unit_at(text, end, reading.tag) is not None:
        return None
    return reading.add_moment(Moment(start=start, end=end, year=long_year(text[start:end])))


_CLOSE_YEAR: Final = frozenset(("'", "%"))


# --- labels and list numbers -------------------------------------------------------------------------------------


def _counts_something(reading: Reading, start: int, end: int) -> bool:
    """Whether the number has a currency, a unit or a scale, or begins a date, and so is more than a name's."""
    text = reading.text
    if prefix_before(text, start).unit is not None or date_with_day(text, start, end, reading.words) is not None:
        return True
    if scale_at(text, end, reading.words, money=False) is not None:
        return True
    found = unit_at(text, end, reading.tag)
    return found is not None and (not text[found[1] - 1].isalnum() or found[1] - end > len(" m"))


def _is_list_item(reading: Reading, start: int, end: int) -> bool:
    text = reading.text
    if not is_list_number(text, start, end, follows=reading.list_number) or _counts_something(reading, start, end):
        return False
    if date_in_digits(text, start, reading.tag) is not None:  # 1. 7. 2024
        return False
    reading.list_number = int(text[start:end]) if text[start:end].isdigit() else None
    return True


# --- dates -------------------------------------------------------------------------------------------------------


def _date(reading: Reading, start: int, end: int) -> int | None:
    text, after = reading.text, reading.text[end : end + 2]
    space = text.find(" ", start, end)
    moment = date_with_day(text, start, end if space < 0 else space, reading.words)
    if moment is None and end - start == len("2024"):
        moment = date_with_year(text, start, reading.words)
    if moment is None and (not _BEFORE_DATE.isdisjoint(after) or "." in text[start:end]):
        moment = date_in_digits(text, start, reading.tag) or date_in_cjk(text, start)
    if moment is not None:
        return reading.add_moment(moment)
    years = years_at(text, start) if after[:1] in _BEFORE_YEARS else ()
    return [reading.add_moment(year) for year in years][-1] if years else None


# --- numbers and identifiers -------------------------------------------------------------------------------------

_DIGIT_CODE: Final = re.compile(
    r"\d+(?:-\d+){2,}|\d{1,3}(?:\.\d{1,3}){3}(?![.\d])|\d+(?::\d+)+|\d+/\d+(?:/\d+)*|\d+(?:\.\d+){2,}"
)
_SLASHED: Final = re.compile(r"(?P<over>\d{1,2})/(?P<under>\d{1,3})(?![\d/])")
_FRACTIONS_WRITTEN: Final = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100))


def _number(reading: Reading, start: int, end: int) -> int:
    """Read a plain number, or several that only look like one."""
    text = reading.text
    if text[start - 1 : start] == "+" and (phone := _PHONE.match(text, start - 1)) and " " in phone[0]:
        return reading.add_code(start - 1, phone.end())
    digits, after = text[start:end], text[end : end + 1]
    if after == "/" and (fraction := _SLASHED.match(text, start)) and (value := _fraction(fraction)) is not None:
        return reading.add_number(Numeral(start=start, end=fraction.end(), value=value, fraction=True))
    has_marks = after in _BEFORE_CODE or "." in digits
    if has_marks and (code := _DIGIT_CODE.match(text, start)) and _is_code(code, end):
        return reading.add_code(start, code.end())
    if digits == "10" and (power := power_of_ten_at(text, start)) is not None:
        return reading.add_number(Numeral(start=start, end=power[1], value=power[0]))
    numerals = read_digits(digits, reading.separators)
    last = start
    for numeral in numerals:
        if start + numeral.start >= last:
            last = _one_number(reading, numeral.moved(start))
    return last if numerals else reading.add_code(start, end)


def _fraction(match: re.Match[str]) -> Decimal | None:
    over, under = int(match["over"]), int(match["under"])
    is_written_so = under in _FRACTIONS_WRITTEN and 0 < over < under
    return ARITHMETIC.divide(Decimal(over), Decimal(under)) if is_written_so else None


def _is_code(code: re.Match[str], end: int) -> bool:
    """Whether digits with several marks are an identifier (203.0.113.10) and no grouped number."""
    if any(mark in code[0] for mark in "-/:"):
        return True
    if "." not in code[0]:
        return code.end() > end
    parts = code[0].split(".")
    grouped = len(parts[0]) < len("1000") and all(len(part) == len("000") for part in parts[1:])
    return not grouped and code.end() >= end


_MIXED: Final = re.compile(r"[ \u00a0-](?P<over>\d)/(?P<under>\d{1,2})(?![\d/])")
_CJK_REST: Final = re.compile(rf" ?[多余餘]?[万萬亿億兆千百만억조천백][{CJK_NUMERALS}만억조천백\d]{{0,20}}")
_EXCESS: Final = frozenset("多余餘")
_PLAIN_RUN: Final = str.maketrans("", "", " ,多余餘")
_CJK_SCALES: Final = frozenset("万萬亿億兆千百만억조천백")
_LETTERS: Final = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]{1,40}")


def _one_number(reading: Reading, numeral: Numeral) -> int:
    """One number in digits with whatever is written onto it: a fraction, 万, the letters of an ordinal."""
    text, end = reading.text, numeral.end
    place = end + (text[end : end + 1] == " ")
    if text[place : place + 1] in VULGAR_FRACTIONS:
        return reading.add_number(_plus_fraction(numeral, VULGAR_FRACTIONS[text[place]], place + 1))
    if "/" in text[end + 2 : end + 3] and (mixed := _MIXED.match(text, end)) and (part := _fraction(mixed)) is not None:
        return reading.add_number(_plus_fraction(numeral, part, mixed.end()))
    place += text[place : place + 1] in _EXCESS
    if text[place : place + 1] in _CJK_SCALES and (rest := _CJK_REST.match(text, end)):
        read = read_cjk(text[numeral.start : rest.end()].translate(_PLAIN_RUN))
        if read is not None:
            scale = ARITHMETIC.divide(read[0], numeral.value) if numeral.value else Decimal(1)
            whole = Numeral(start=numeral.start, end=rest.end(), value=read[0], step=read[1])
            return reading.add_number(whole, scale=scale)
    letters = _LETTERS.match(text, end)
    return (_with_letters(reading, numeral, letters) if letters else None) or reading.add_number(numeral)


def _plus_fraction(numeral: Numeral, part: Decimal, end: int) -> Numeral:
    return Numeral(start=numeral.start, end=end, value=ARITHMETIC.add(numeral.value, part), fraction=True)


_ENGLISH_ORDINALS: Final = frozenset(("st", "nd", "rd", "th"))
_AGE_WORDS: Final = frozenset(("his", "her", "their", "the", "early", "mid", "late"))
_CAPITALISED: Final = re.compile(r"[A-Z][a-z]{3,}")
_TIMES: Final = frozenset(("x", "X"))


def _with_letters(reading: Reading, numeral: Numeral, letters: re.Match[str]) -> int | None:
    """Read digits with letters written onto them: 3rd, 3D; None where the letters are a unit or a scale (5km, 5k)."""
    text, start, end = reading.text, numeral.start, numeral.end
    suffix = letters[0].lower()
    unit = unit_at(text, end, reading.tag)
    if suffix in _ENGLISH_ORDINALS or (suffix in reading.words.ordinal_suffixes and unit is None):
        return reading.add_ordinal(start, letters.end(), numeral.value)
    if suffix == "s" and _is_age(text, numeral):
        return reading.add_number(replace(numeral, end=letters.end()), incidental=True)
    if letters[0] in _TIMES or _CAPITALISED.fullmatch(letters[0]):
        return None  # 3x; "5Days", where a page lost a space
    money = prefix_before(text, start).unit is not None
    known = scale_at(text, end, reading.words, money=money) or unit
    is_word = known is None or text[known[1] : known[1] + 1].isalnum()
    return reading.add_code(start, letters.end()) if is_word else None


def _is_age(text: str, numeral: Numeral) -> bool:
    """Whether "30s" are years of a life: in her 30s, the over-65s."""
    before = text[max(0, numeral.start - 8) : numeral.start].lower().split()
    if not before:
        return False
    return before[-1].endswith("-") or (before[-1] in _AGE_WORDS and numeral.value % 10 == 0)
