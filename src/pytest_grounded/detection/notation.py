"""Notation: which number, date or identifier a token of letters, digits and marks stands for.

Keys are `n41750` for a number, `d2027-03-14` for a date, `ihx41750b` for an identifier or a run of its parts. Reading
is lenient and cheap, because whole corpora go through it, and a day that can be read in two ways gives both; what a
number *means* (unit, scale, words) is `pytest_grounded.text.quantities`' question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["DATE", "IDENTIFIER", "MONTHS", "NUMBER", "PART", "Found", "is_year", "spaced_keys", "token_keys"]

NUMBER, DATE, IDENTIFIER = "n", "d", "i"

LEAST_ALNUM = 5
"""Letters and digits of the shortest identifier, or run of its parts."""
LEAST_DIGITS = 4
"""Digits of the shortest number that says something on its own."""
_SHORT = 3
_YEARS = range(1900, 2101)
_YEAR_LENGTH = 4
_MOST_PARTS = 12
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio janeiro januari",
            "february feb februar fevrier febrero febbraio fevereiro februari",
            "march mar marz mars marzo marco maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug aout agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct okt oktober octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dez dezember decembre diciembre dicembre dezembro",
        ),
        start=1,
    )
    for name in names.split()
}
"""Month names and their short forms, without marks, in small letters."""

PART = re.compile(r"[^\W_]++")


# --- tokens ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def token_keys(token: str, *, strict: bool = False) -> tuple[str, ...]:
    """The keys of one token that is no plain word; with `strict`, runs of parts only where it is an identifier.

    >>> token_keys("HX-41750"), token_keys("9,400.00"), token_keys("2027-03-14")
    (('ihx41750', 'n41750'), ('n9400',), ('d2027-03-14',))
    >>> token_keys("12-month"), token_keys("12-month", strict=True)
    (('i12month', 'n12'), ('n12',))
    """
    keys: list[str] = []
    for piece in _SENTENCE_MARK.split(token):
        parts = PART.findall(piece)
        if all(part.isdigit() for part in parts):
            keys += _digit_keys(piece, parts)
            continue
        names = _is_identifier if strict else _is_identifying
        if 1 < len(parts) <= _MOST_PARTS and names(piece, parts):
            keys += _run_keys(piece, parts)
        for part in parts:
            keys += _mixed_keys(part, strict=strict)
        keys += _inner_keys(piece)
    return tuple(dict.fromkeys(keys))


_SENTENCE_MARK = re.compile(r"[,'](?!\d)|(?<!\d)[,']")
_QUANTITY = re.compile(r"(\d+)[^\W\d_]{1,4}")


def _mixed_keys(part: str, *, strict: bool) -> list[str]:
    """The keys of letters and digits without a mark between: a number, a number with its unit, an identifier."""
    if part.isalpha():
        return []
    if part.isdigit():
        return [NUMBER + _number(part)]
    name = [IDENTIFIER + part.casefold()] if len(part) >= LEAST_ALNUM else []
    quantity = _QUANTITY.fullmatch(part)
    if quantity is not None:
        return [NUMBER + _number(quantity[1]), *([] if strict else name)]
    return [*name, *(NUMBER + _number(digits) for digits in re.findall(r"\d+", part) if len(digits) >= LEAST_DIGITS)]


_BINDING_MARK = re.compile(r"[:=/@#~?_\\]+")
_MARKED_DIGITS = re.compile(r"\d++(?:[.,']\d++)++")


def _inner_keys(piece: str) -> Iterator[str]:
    """The keys of dates and of numbers with marks in them that have letters beside: `sum=41,750`, `EUR41,750`."""
    for inner in _BINDING_MARK.split(piece):
        parts = PART.findall(inner)
        if len(parts) > 1 and all(part.isdigit() for part in parts):
            yield from _digit_keys(inner, parts)
        else:
            values = map(_value, _MARKED_DIGITS.findall(inner))
            yield from (NUMBER + value for value in values if value is not None)


def _digit_keys(piece: str, parts: list[str]) -> list[str]:
    """The keys of digits with marks between: a date, a number, an address, or several numbers."""
    dates = _numeric_dates(parts)
    if dates:
        return dates
    value = _value(piece)
    if value is not None:
        return [NUMBER + value]
    numbers = [NUMBER + _number(part) for part in parts]
    if _SHORT <= len(parts) <= _MOST_PARTS and sum(map(len, parts)) > LEAST_ALNUM:
        # A telephone number, the address of a machine, a numbered section: one name, its parts are no figures.
        return [*_runs(parts), *(key for key in numbers if len(key) > LEAST_DIGITS)]
    return numbers


# --- identifiers -------------------------------------------------------------------------------------------------

_COUNTED = re.compile(r"\d+(?:-[a-z]+)+|[A-Za-z][a-z]*(?:-[a-z]+)*-\d{1,2}")


def _is_identifying(piece: str, parts: list[str]) -> bool:
    """Whether a token may be an identifier in some notation: the wider test, for what is compared with one."""
    return any(not part.isalpha() for part in parts) or any(mark in piece for mark in "@_#:.")


def _is_identifier(piece: str, parts: list[str]) -> bool:
    """Whether marks hold letters and digits together as one name: HX-41750, not 12-month, Level-3 or 2027.The."""
    if sum(map(len, parts)) < LEAST_ALNUM or _COUNTED.fullmatch(piece):
        return False
    if any(mark in piece for mark in ("@", "_", "#", "://")):
        return True
    letters = [part for part in parts if part.isalpha()]
    digits = [part for part in parts if part.isdigit()]
    if len(letters) == len(parts):
        return False
    if len(letters) + len(digits) < len(parts) or any(len(part) > 1 and part.isupper() for part in letters):
        return True
    if "." in piece and not {"/", "-"}.intersection(piece):
        return False  # the end of one sentence and the start of another
    return len(parts) >= _SHORT or any(len(part) >= _SHORT and not is_year(part) for part in digits)


def _run_keys(piece: str, parts: list[str]) -> list[str]:
    local = PART.findall(piece.partition("@")[0]) if "@" in piece else []
    return [*_runs(parts), *(_joined(local) if len(local) > 1 else ()), *_joined(parts)]


def _runs(parts: list[str]) -> list[str]:
    """Every run of parts with enough letters and digits, unless it is all letters or one part of digits."""
    keys: list[str] = []
    for start in range(len(parts)):
        run = ""
        for end in range(start, len(parts)):
            run += parts[end].casefold()
            if len(run) >= LEAST_ALNUM and not run.isalpha() and (end > start or not run.isdigit()):
                keys.append(IDENTIFIER + run)
    return keys


def _joined(parts: list[str]) -> list[str]:
    joined = "".join(parts).casefold()
    return [IDENTIFIER + joined] if len(joined) >= LEAST_ALNUM else []


# --- numbers and dates -------------------------------------------------------------------------------------------

_GROUPED = re.compile(r"(?!0)\d{1,3}(?:([,.'])\d{3})(?:\1\d{3})*+")
_DECIMAL = re.compile(r"(\d+|\d{1,3}(?:[,.']\d{3})++)[.,](\d+)")


def _value(piece: str) -> str | None:
    """The value of digits with points and commas; none where they are no number.

    Three digits behind a mark are a group, unless a nought stands before it: the same reading on either side of a
    comparison matters more than the right one.
    """
    if piece.isdigit():
        return _number(piece)
    if _GROUPED.fullmatch(piece):
        return _number(re.sub(r"\D", "", piece))
    decimal = _DECIMAL.fullmatch(piece)
    return _number(re.sub(r"\D", "", decimal[1]), decimal[2]) if decimal else None


def _number(digits: str, fraction: str = "") -> str:
    fraction = fraction.rstrip("0")
    whole = digits.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def is_year(value: str) -> bool:
    """Whether digits are most likely a year.

    >>> is_year("2027"), is_year("4175")
    (True, False)
    """
    return len(value) == _YEAR_LENGTH and value.isdigit() and int(value) in _YEARS


def _numeric_dates(parts: list[str]) -> list[str]:
    """The days that three groups of digits may mean: year first, or year last with day and month in either order."""
    match [len(part) for part in parts]:
        case [4, 1 | 2, 1 | 2]:
            return _iso(*parts)
        case [1 | 2, 1 | 2, 4]:
            first, second, year = parts
            return list(dict.fromkeys((*_iso(year, second, first), *_iso(year, first, second))))
        case _:
            return []


def _iso(year: str, month: str, day: str) -> list[str]:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:  # noqa: PLR2004 - months and days
        return [f"{DATE}{year}-{int(month):02}-{int(day):02}"]
    return []


# --- facts with spaces in them -----------------------------------------------------------------------------------

Found = tuple[int, int, list[str]]
"""Start, end and keys."""

_YEAR = re.compile(r"(?<!\d)[0-9]{4}(?!\d)")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_BEFORE_YEAR = re.compile(
    r"(?<![^\W_])(?:"
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?: (?:of|de))?[ -](?P<month>{_MONTH})\.?(?:,| de| del)?[ -]"
    rf"|(?P<month2>{_MONTH})\.?[ -](?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?[ -]"
    r")\Z",
    re.IGNORECASE,
)
_AFTER_YEAR = re.compile(r"\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日")
_LONGEST_DAY = 26
_GROUPS = re.compile(r"(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+(?!\w)")
_SHORT_PART = r"(?:[^\W\d_]{1,3}(?![^\W_])|[A-Z]{4,8}(?![^\W_])|[^\W\d_]*+\d[^\W_]*+)"
_FROM_DIGIT = re.compile(rf"[0-9][^\W_]*+(?:[ ./:-]{{1,2}}{_SHORT_PART}){{0,8}}+")
_UP_TO_DIGIT = re.compile(r"(?<![^\W_])(?:(?:[^\W\d_]{1,3}|[A-Z]{4,8})[ ./:-]{1,2}){0,2}[^\W\d_]{0,8}\Z")
_LONGEST_LEAD = 24


_SCALES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "mio": 6, "million": 6, "bn": 9, "billion": 9}
_SCALED = re.compile(
    r"(?<![\w.,])([0-9]{1,6})(?:[.,]([0-9]{1,6}))?[ -]?"
    rf"({'|'.join(sorted(_SCALES, key=len, reverse=True))})(?![^\W_])",
    re.IGNORECASE,
)
LEAST_SIGNIFICANT = 3
"""Figures of a scaled number that say something: 41.75k and 412k, not 5k, 1.5m or 20 million."""
_APART = re.compile(r"(?<![\w.,-])[0-9](?P<mark>[\s,._/|·*-]{1,3})[0-9](?:(?P=mark)[0-9]){2,28}+(?![^\W_])")


def spaced_keys(text: str, *, strict: bool = False) -> Iterator[Found]:
    """Dates in words, numbers grouped by spaces or scaled and, unless `strict`, numbers and identifiers taken apart.

    >>> [keys for _, _, keys in spaced_keys("on 14 March 2027: 41 750 euros", strict=True)]
    [['d2027-03-14'], ['n41750']]
    >>> [keys for _, _, keys in spaced_keys("41.75k, or 41.75 thousand", strict=True)]
    [['n41750'], ['n41750']]
    >>> ["ihx41750b" in keys for _, _, keys in spaced_keys("no. HX 41750 B")]
    [True]
    """
    for year in _YEAR.finditer(text):
        yield from _dates_around(text, year)
    for match in _GROUPS.finditer(text):
        yield *match.span(), [NUMBER + _number(match.group().replace(" ", ""))]
    for match in _SCALED.finditer(text):
        if (value := _scaled(match[1], match[2] or "", _SCALES[match[3].casefold()])) is not None:
            yield *match.span(), [NUMBER + value]
    if not strict:
        yield from _taken_apart(text)
        for match in _APART.finditer(text):
            yield *match.span(), [NUMBER + _number(re.sub("[^0-9]", "", match.group()))]


def _scaled(whole: str, fraction: str, places: int) -> str | None:
    """The value of a number with so many noughts behind it; none where it is too round to say anything."""
    digits = whole + fraction
    if len(digits.strip("0")) < LEAST_SIGNIFICANT:
        return None
    if len(fraction) <= places:
        return _number(digits + "0" * (places - len(fraction)))
    return _number(digits[: len(whole) + places], digits[len(whole) + places :])


def _dates_around(text: str, year: re.Match[str]) -> Iterator[Found]:
    start, end = year.span()
    window = max(0, start - _LONGEST_DAY)
    before = _BEFORE_YEAR.search(text[window:start])
    if before is not None:
        month = MONTHS[(before["month"] or before["month2"]).casefold()]
        yield window + before.start(), end, _iso(year.group(), str(month), before["day"] or before["day2"])
    after = _AFTER_YEAR.match(text, end)
    if after is not None:
        yield start, after.end(), _iso(year.group(), after[1], after[2])


def _taken_apart(text: str) -> Iterator[Found]:
    for match in _FROM_DIGIT.finditer(text):
        start, end = match.span()
        window = max(0, start - _LONGEST_LEAD)
        lead = _UP_TO_DIGIT.search(text[window:start])
        if lead is not None:
            start = window + lead.start()
        parts = PART.findall(text[start:end])
        if 1 < len(parts) <= _MOST_PARTS:
            yield start, end, _runs(parts)
