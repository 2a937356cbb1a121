"""Reading dates and times of day: digits, month names of any known language, 年月日, decades and clocks.

Every function looks at one place of a text whose digits are folded (`numerals.fold_digits`) and says what begins
there; finding the places is the scanner's work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pytest_grounded.text.languages import Language, day_first, foreign_months, language, on_change
from pytest_grounded.text.numerals import read_cjk

__all__ = [
    "ERA_NAMES",
    "YEARS",
    "Clock",
    "Moment",
    "date_in_cjk",
    "date_in_digits",
    "date_in_era",
    "date_with_day",
    "date_with_month",
    "date_with_year",
    "fiscal_years_at",
    "long_year",
    "month_named",
    "time_at",
    "years_at",
    "zone_offset",
]

YEARS: Final = range(1000, 2200)
"""Numbers of four digits that may be a year."""
_MONTHS, _DAYS, _HOURS, _MINUTES = range(1, 13), range(1, 32), range(25), range(60)
_LATEST_SHORT_YEAR: Final = 69


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date, as far as it is stated, at `start`..`end`."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    ambiguous: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of day in minutes since midnight; `half` is `am` or `pm` where it is said, None where it is not.

    `zone` is its time zone as written, in capitals.
    """

    start: int
    end: int
    minutes: int
    seconds: int = 0
    half: str | None = None
    zone: str | None = None


# --- digits alone ------------------------------------------------------------------------------------------------

_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])(?!\2\d)")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(?!\2\d)")
_SPACED_YEAR_LAST: Final = re.compile(r"(\d{1,2})(\. )(\d{1,2})\. (\d{4})(?!\d)")
_YEAR_MONTH: Final = re.compile(r"(\d{4})-(\d{2})(?![\d-])")
_MONTH_YEAR: Final = re.compile(r"(\d{1,2})/(\d{4})(?![\d/])")
_DAY_MONTH: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(?!\d)")


def date_in_digits(text: str, start: int, tag: str | None) -> Moment | None:
    """The date in digits that begins at a place.

    Its order is settled by the region of the language tag, by a language that knows one order only, or by a day above
    12; otherwise it is ambiguous and read with the day first.

    >>> date_in_digits("03/04/2025", 0, "en").ambiguous, date_in_digits("03/04/2025", 0, "en-US").month
    (True, 3)
    """
    if match := _YEAR_FIRST.match(text, start):
        return _moment(match, year=int(match[1]), month=int(match[3]), day=int(match[4]))
    if match := _YEAR_LAST.match(text, start) or _SPACED_YEAR_LAST.match(text, start):
        return _year_last(match, tag)
    if match := _YEAR_MONTH.match(text, start):
        if int(match[2]) == (int(match[1]) + 1) % 100:
            return None  # the season 2010-11
        return _moment(match, year=int(match[1]), month=int(match[2]))
    if match := _MONTH_YEAR.match(text, start):
        return _moment(match, year=int(match[2]), month=int(match[1]))
    if language(tag).decimal_mark == "," and (match := _DAY_MONTH.match(text, start)):
        return _moment(match, month=int(match[2]), day=int(match[1]))
    return None


def _year_last(match: re.Match[str], tag: str | None) -> Moment | None:
    first, second, mark = int(match[1]), int(match[3]), match[2]
    if len(match[4]) == len("24") and (mark == "-" or (mark == "." and day_first(tag) is not True)):
        return None  # rather a code or a version
    order = day_first(tag)
    settled = order is not None or first > len(_MONTHS) or second > len(_MONTHS) or first == second
    is_day_first = second <= len(_MONTHS) if order is None else order
    if first > len(_MONTHS):
        is_day_first = True
    elif second > len(_MONTHS):
        is_day_first = False
    day, month = (first, second) if is_day_first else (second, first)
    return _moment(match, year=long_year(match[4]), month=month, day=day, ambiguous=not settled)


def long_year(digits: str) -> int:
    """A year of two or four digits; two are of this century up to 69.

    >>> long_year("24"), long_year("98"), long_year("2024")
    (2024, 1998, 2024)
    """
    year = int(digits)
    if len(digits) > len("24"):
        return year
    return year + (2000 if year <= _LATEST_SHORT_YEAR else 1900)


def _moment(
    match: re.Match[str],
    *,
    year: int | None = None,
    month: int | None = None,
    day: int | None = None,
    ambiguous: bool = False,
) -> Moment | None:
    """A date that may stand in a calendar; None otherwise."""
    possible = (year is None or year in YEARS) and (month is None or month in _MONTHS) and (day is None or day in _DAYS)
    if not possible:
        return None
    return Moment(start=match.start(), end=match.end(), year=year, month=month, day=day, ambiguous=ambiguous)


_SHORT_YEARS: Final = re.compile(r"(\d{4})([-/\u2013])(\d{2}|\d{4})(?![\d\w])(?![-/.,]\d)")
_DECADE: Final = re.compile(r"(\d{3}0)(?:'?s|er(?: Jahren?)?)\b")
_SHORT_DECADE: Final = re.compile(r"([1-9]0)'?s\b")


def years_at(text: str, start: int) -> tuple[Moment, ...]:
    """The decade or the pair of years that begins at a place: 1930s, 2023/24, 1998-2003.

    >>> [moment.year for moment in years_at("2023/24", 0)], years_at("1930s", 0)[0].unit
    ([2023, 2024], 'decade')
    """
    if match := _DECADE.match(text, start):
        year = int(match[1])
        if year in YEARS:
            unit = "decade" if year % 100 else "century"
            return (Moment(start=start, end=match.end(), year=year, unit=unit),)
    if start and text[start - 1] == "'" and (match := _SHORT_DECADE.match(text, start)):
        return (Moment(start=start, end=match.end(), year=1900 + int(match[1]), unit="decade"),)
    if match := _SHORT_YEARS.match(text, start):
        first = int(match[1])
        last = int(match[3]) if len(match[3]) > len("24") else first - first % 100 + int(match[3])
        if first in YEARS and last in YEARS and first < last:
            return (
                Moment(start=start, end=match.end(1), year=first),
                Moment(start=match.start(3), end=match.end(), year=last),
            )
    return ()


_SHORT_PAIR: Final = re.compile(r"(\d{2})[-/\u2013](\d{2})(?![\d\w])")
_FISCAL_YEAR: Final = re.compile(r"(\d{4}|\d{2})(?![\d\w])")


def fiscal_years_at(text: str, start: int) -> tuple[Moment, ...]:
    """The years behind "FY": FY2024, FY24, FY2023-24, FY23/24; two digits are of this century.

    >>> [moment.year for moment in fiscal_years_at("FY2023-24", 2)], fiscal_years_at("FY24", 2)[0].year
    ([2023, 2024], 2024)
    """
    if pair := years_at(text, start):
        return pair
    if match := _SHORT_PAIR.match(text, start):
        return tuple(
            Moment(start=match.start(part), end=match.end(part), year=2000 + int(match[part])) for part in (1, 2)
        )
    match = _FISCAL_YEAR.match(text, start)
    if match is None:
        return ()
    year = int(match[1]) if len(match[1]) == len("2024") else 2000 + int(match[1])
    return (Moment(start=start, end=match.end(), year=year),)


_YEAR_THEN_MONTH: Final = re.compile(
    r"(\d{4})(?:\.|,)?[ \u00a0](?:m\.[ \u00a0])?([^\W\d_]{3,14})\.?[ \u00a0](\d{1,2})(?!\d)(?:\.|[ \u00a0]d\b\.?)?"
)
_SPACED_YEAR_FIRST: Final = re.compile(r"(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})(?!\d)\.?")


def date_with_year(text: str, start: int, words: Language) -> Moment | None:
    """The date that begins with a year, in a language that writes it first: 2024. március 1., 2024 m. kovo 1 d.

    >>> date_with_year("2024. március 1-jén", 0, language("hu")).month
    3
    """
    if words.day_first is not None:
        return None
    if match := _SPACED_YEAR_FIRST.match(text, start):
        return _moment(match, year=int(match[1]), month=int(match[2]), day=int(match[3]))
    match = _YEAR_THEN_MONTH.match(text, start)
    month = words.months.get(match[2].lower()) if match else None
    return (
        None if match is None or month is None else _moment(match, year=int(match[1]), month=month, day=int(match[3]))
    )


# --- month names -------------------------------------------------------------------------------------------------

_DAY_THEN_WORD: Final = re.compile(
    r"(?:st|nd|rd|th|er|ère|\.?º|ª|\.|-?(?:го|ого))?(?:[ \u00a0\n]{1,2}|-)?(?:(?:of|de|den|di|del)[ \u00a0\n])?"
    r"([^\W\d_]{2,14})\b\.?"
)
_THEN_YEAR: Final = re.compile(r",?(?:[ \u00a0\n](?:of|de|del|in))?[ \u00a0\n-]{1,2}(\d{4})(?![\d%])(?![.,]\d)")
_THEN_SHORT_YEAR: Final = re.compile(r"[ -]'?(\d{2})(?![\w%]|[.,:]\d)")
_LAST_SHORT_YEAR: Final = re.compile(r"[ -](\d{2})(?=[ \u00a0]*(?:[\n,;)|]|$))")
_THEN_DAY: Final = re.compile(r"\.?[ \u00a0\n-](?:the )?(\d{1,2})(st|nd|rd|th)?(?![\w%])(?![.,:]\d)")


@lru_cache(maxsize=1)
def _all_months() -> dict[str, int]:
    return dict(foreign_months())


on_change(_all_months.cache_clear)


def month_named(word: str, words: Language, *, beside_digits: bool) -> int | None:
    """The month a word names; names of other languages only beside digits.

    >>> month_named("juillet", language("en"), beside_digits=True)
    7
    """
    lower = word.lower()
    month = words.months.get(lower)
    return _all_months().get(lower) if month is None and beside_digits else month


def date_with_day(text: str, start: int, end: int, words: Language) -> Moment | None:
    """The date whose day of the month is the number at `start`..`end`: 1 July 2024, 1. Juli, 1st of July.

    >>> date_with_day("1 July 2024", 0, 1, language("en")).year
    2024
    """
    if not text[start:end].isdigit() or int(text[start:end]) not in _DAYS:
        return None
    match = _DAY_THEN_WORD.match(text, end)
    month = month_named(match[1], words, beside_digits=True) if match else None
    if match is None or month is None or _is_other_word(match[1], words):
        return None
    year, last = _year_after(text, match.end())
    if year is None and (short := _LAST_SHORT_YEAR.match(text, match.end())):
        year, last = long_year(short[1]), short.end()
    return Moment(start=start, end=last or _without_stop(match), year=year, month=month, day=int(text[start:end]))


def _is_other_word(word: str, words: Language) -> bool:
    """Whether "5 may" or "3 mars" is the word and not the month, in a language that writes months with capitals."""
    return words.tag == "en" and word.islower() and word in {"may", "march", "mar", "sept", "mars", "mai", "august"}


def _without_stop(match: re.Match[str]) -> int:
    return match.end() - match[0].endswith(".")


def _year_after(text: str, place: int) -> tuple[int | None, int | None]:
    """The year that follows a month or a day, and where it ends."""
    if (match := _THEN_YEAR.match(text, place)) and int(match[1]) in YEARS:
        return int(match[1]), match.end()
    return None, None


def date_with_month(text: str, start: int, end: int, words: Language) -> Moment | None:
    """The date that begins with the month name at `start`..`end`: July 1, 2024; July 2024; July.

    >>> date_with_month("July 1, 2024", 0, 4, language("en")).day
    1
    """
    word = text[start:end]
    month = month_named(word, words, beside_digits=True)
    if month is None:
        return None
    if (match := _THEN_DAY.match(text, end)) and int(match[1]) in _DAYS and not _is_other_word(word, words):
        year, last = _year_after(text, match.end())
        return Moment(start=start, end=last or match.end(), year=year, month=month, day=int(match[1]))
    stop = end + (text[end : end + 1] == ".")
    year, last = _year_after(text, stop)
    if year is not None and last is not None:
        return Moment(start=start, end=last, year=year, month=month)
    if (match := _THEN_SHORT_YEAR.match(text, stop)) and text[match.start(1) - 1] in "'-":
        return Moment(start=start, end=match.end(), year=long_year(match[1]), month=month)
    if word.lower() not in words.months or (word[0].islower() and words.tag in {"en", "de"}):
        return None
    return Moment(start=start, end=end, month=month)


# --- 年月日 ------------------------------------------------------------------------------------------------------

_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
"""The year before the first of each era."""
ERA_NAMES: Final = tuple(_ERAS)
_IN_ERA: Final = re.compile(
    rf"(?P<era>{'|'.join(_ERAS)}) ?(?P<year>元|\d{{1,3}}|[一二三四五六七八九十]{{1,3}}) ?年(?!間)"
    r"(?: ?(?P<month>\d{1,2}|[一二三四五六七八九十]{1,3}) ?月(?: ?(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3}) ?日)?)?"
)


def date_in_era(text: str, start: int) -> Moment | None:
    """The date that begins with the name of a Japanese or Taiwanese era: 令和6年4月1日, 平成元年, 民國113年.

    >>> date_in_era("令和6年4月1日", 0)
    Moment(start=0, end=8, year=2024, month=4, day=1, ambiguous=False, unit=None)
    """
    match = _IN_ERA.match(text, start)
    if match is None:
        return None
    number = 1 if match["year"] == "元" else _cjk_number(match["year"])
    if number is None:
        return None
    month, day = _cjk_number(match["month"]), _cjk_number(match["day"])
    return _moment(match, year=_ERAS[match["era"]] + number, month=month, day=day)


_CJK_NUMBER: Final = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_CJK_DATE: Final = re.compile(
    rf"(?:(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}}) ?[年년](?!代) ?)?"
    rf"(?:(?P<month>{_CJK_NUMBER}) ?[月월](?![球份]?分) ?(?:(?P<day>{_CJK_NUMBER}) ?[日号號일](?![以]?[内间間]))?)?"
)


def date_in_cjk(text: str, start: int) -> Moment | None:
    """The date in Chinese, Japanese or Korean that begins at a place: 2026年4月1日, 4月1日, 2026년.

    >>> date_in_cjk("二〇二六年四月一日", 0)
    Moment(start=0, end=9, year=2026, month=4, day=1, ambiguous=False, unit=None)
    """
    match = _CJK_DATE.match(text, start)
    if match is None or not (match["year"] or match["month"]):
        return None
    year, month, day = (_cjk_number(match[name]) for name in ("year", "month", "day"))
    found = _moment(match, year=year, month=month, day=day)
    if found is None:
        return None
    end = match.end() - (text[match.end() - 1] == " ")
    return Moment(start=start, end=end, year=year, month=month, day=day)


def _cjk_number(digits: str | None) -> int | None:
    read = read_cjk(digits) if digits else None
    return int(read[0]) if read else None


# --- times of day ------------------------------------------------------------------------------------------------

_MERIDIEM: Final = r"(?:[ \u00a0]?(?P<half>[ap])(?:\.[ ]?m\.|\.?m\b)|(?P<uhr> ?Uhr\b)|(?P<h> ?h\b))"
_CLOCK: Final = re.compile(
    rf"(?P<hour>\d{{1,2}})(?P<mark>[:hH.]|[ \u00a0]h[ \u00a0](?!\d\d[ \u00a0]?min))"
    rf"(?P<minute>\d{{2}})(?::(?P<second>\d{{2}}))?(?![\d])(?![:.,]\d){_MERIDIEM}?",
    re.IGNORECASE,
)
_HOUR: Final = re.compile(rf"(?P<hour>\d{{1,2}})(?:{_MERIDIEM}|(?P<clock> ?o'clock\b))", re.IGNORECASE)
_CJK_CLOCK: Final = re.compile(
    r"(?P<hour>\d{1,2}) ?[点點時时시](?![间間])(?: ?(?P<minute>\d{1,2}) ?[分분]|(?P<half>半))?"
)
_CJK_HALF: Final = {
    "上午": "am",
    "早上": "am",
    "午前": "am",
    "오전": "am",
    "下午": "pm",
    "晚上": "pm",
    "午後": "pm",
    "오후": "pm",
}
_NOON: Final = 12
_HALF_HOUR: Final = 30


def time_at(text: str, start: int, words: Language) -> Clock | None:
    """The time of day that begins at a place: 10:30, 7.30 pm, 10 a.m., 14h30, 8 Uhr, 8点30分.

    >>> time_at("7.30 pm", 0, language("en")).minutes, time_at("7.30", 0, language("en")) is None
    (1170, True)
    """
    match = _CLOCK.match(text, start)
    if match is not None and (len(match["mark"]) == 1 or _stands_for_clock(text, start, words)):
        said = match["half"] or match["uhr"] or match["h"]
        if match["mark"] != "." or (said and not (match["h"] and words.decimal_mark == ".")):
            return _clock(match, int(match["hour"]), int(match["minute"]), int(match["second"] or 0), match["half"])
        return None
    if match := _HOUR.match(text, start):
        if match["h"] and not _stands_for_clock(text, start, words):
            return None
        return _clock(match, int(match["hour"]), 0, 0, match["half"])
    if match := _CJK_CLOCK.match(text, start):
        minute = _HALF_HOUR if match["half"] else int(match["minute"] or 0)
        half = _CJK_HALF.get(text[max(0, start - 2) : start])
        return _clock(match, int(match["hour"]), minute, 0, half)
    return None


def _stands_for_clock(text: str, start: int, words: Language) -> bool:
    """Whether "8 h" is eight o'clock rather than eight hours: in French after "à"."""
    before = text[max(0, start - 12) : start].lower().split()
    return bool(before) and before[-1] in words.clock_before


def _clock(match: re.Match[str], hour: int, minute: int, second: int, half: str | None) -> Clock | None:
    if hour not in _HOURS or minute not in _MINUTES or second not in _MINUTES:
        return None
    if half is not None:
        half = f"{half[0].lower()}m"
        if hour > _NOON:
            half = None
        elif half == "pm" and hour < _NOON:
            hour += _NOON
        elif half == "am" and hour == _NOON:
            hour = 0
    zone = _ZONE.match(match.string, match.end())
    return Clock(
        start=match.start(),
        end=match.end(),
        minutes=hour * 60 + minute,
        seconds=second,
        half=half,
        zone=None if zone is None else "".join(zone["name"].split()).replace("\u2212", "-"),
    )


_AHEAD: Final = """
UTC GMT Z WET: 0
WEST BST CET MEZ: 60
CEST MESZ EET: 120
EEST MSK: 180
HKT SGT: 480
JST KST: 540
AEST: 600
AEDT: 660
NZST: 720
NZDT: 780
EDT: -240
EST CDT: -300
MDT: -360
PDT: -420
PST: -480
"""
_OFFSETS: Final = {
    name: int(minutes)
    for names, _, minutes in (line.partition(":") for line in _AHEAD.split("\n") if line)
    for name in names.split()
}
"""Minutes ahead of UTC. CST, MST and IST are several zones."""
_ZONE: Final = re.compile(
    rf"[ \u00a0]?\(?(?P<name>(?:UTC|GMT)[ ]?[+\u2212-][ ]?\d{{1,2}}(?::?\d{{2}})?|\+\d{{2}}:\d{{2}}|"
    rf"(?:{'|'.join(sorted(_OFFSETS, key=len, reverse=True))}|CST|MST|IST|ET|CT|MT|PT))(?![\w-])"
)
_FROM_UTC: Final = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?")


def zone_offset(zone: str) -> int | None:
    """Minutes that a time zone is ahead of UTC; None where its name stands for several.

    >>> zone_offset("CET"), zone_offset("UTC-5"), zone_offset("+05:30"), zone_offset("CST")
    (60, -300, 330, None)
    """
    if match := _FROM_UTC.fullmatch(zone):
        minutes = int(match["hours"]) * 60 + int(match["minutes"] or 0)
        return -minutes if match["sign"] == "-" else minutes
    return _OFFSETS.get(zone)
