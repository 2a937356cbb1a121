"""Comparing quantities: whether a source states the same value, in the same unit, scale, sign and period.

A stated number may say less than its source (no unit, only the year of a date), never more. A rounding counts only
where it is marked as one, and only if the source, rounded to the digits shown, is equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

from pytest_grounded.text.dates import zone_offset
from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.quantity import Quantity, QuantityKind
from pytest_grounded.text.units import factor, same_unit

__all__ = ["Match", "best_match", "equal_quantities", "match_quantity", "rounds_to"]


class Match(StrEnum):
    """What comparing a stated quantity with one of a source came to."""

    EQUAL = "equal"
    AMBIGUOUS_DATE = "ambiguous_date"
    """Equal under one reading of a date in digits alone, not under the other."""
    UNIT_OR_SCALE = "unit_or_scale"
    """The digits stand there with another unit or scale."""
    NONE = "none"


_ORDER: Final = (Match.EQUAL, Match.AMBIGUOUS_DATE, Match.UNIT_OR_SCALE, Match.NONE)


def best_match(stated: Quantity, sources: Iterable[Quantity]) -> tuple[Match, Quantity | None]:
    """The best match of a stated quantity among those of its sources, and the source it was found in.

    Day and month may stand apart from the year, as below a heading with the year: a date is also found where a source
    gives day and month without a year and another names the year.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> sources = find_quantities("In 2024 fees were $4.2 million, due on 1 July.")
    >>> [best_match(q, sources)[0].value for q in find_quantities("$4.2 billion was due on 1 July 2024.")]
    ['unit_or_scale', 'equal']
    """
    best: tuple[Match, Quantity | None] = (Match.NONE, None)
    candidates = tuple(sources)
    for source in candidates:
        match = match_quantity(stated, source)
        if match is Match.EQUAL:
            return match, source
        if _ORDER.index(match) < _ORDER.index(best[0]):
            best = match, source
    undated = _date_below_year(stated, candidates)
    return (Match.EQUAL, undated) if undated is not None else best


def _date_below_year(stated: Quantity, sources: tuple[Quantity, ...]) -> Quantity | None:
    if stated.kind is not QuantityKind.DATE or stated.year is None or stated.month is None or stated.ambiguous:
        return None
    if not any(source.calendar_year == stated.year and source.unit is None for source in sources):
        return None
    return next(
        (
            source
            for source in sources
            if source.kind is QuantityKind.DATE
            and source.year is None
            and not source.ambiguous
            and source.month == stated.month
            and stated.day in {None, source.day}
        ),
        None,
    )


def match_quantity(stated: Quantity, source: Quantity) -> Match:
    """Compare one stated quantity with one of a source.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> def compare(stated, source):
    ...     return match_quantity(find_quantities(stated)[0], find_quantities(source)[0]).value
    >>> compare("about 85%", "85.19 percent"), compare("85%", "85.19 percent"), compare("about 8,000", "8,234")
    ('equal', 'none', 'none')
    >>> compare("12-month", "1 year"), compare("180", "$180"), compare("180 euros", "$180"), compare("5 million", "5")
    ('equal', 'equal', 'unit_or_scale', 'unit_or_scale')
    """
    kinds = {stated.kind, source.kind}
    if QuantityKind.LABEL in kinds:
        return _if_equal(stated.kind is source.kind and stated.raw == source.raw)
    if QuantityKind.CODE in kinds:
        return _if_equal(_same_code(stated, source))
    if QuantityKind.DATE in kinds:
        return _match_dates(stated, source)
    if QuantityKind.TIME in kinds:
        return _match_times(stated, source)
    return _match_numbers(stated, source)


def equal_quantities(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities are the same value: either may lack a unit, but dates give the same fields.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> equal_quantities(find_quantities("$180")[0], find_quantities("180")[0])
    True
    """
    if QuantityKind.DATE in {left.kind, right.kind}:
        return (
            match_quantity(left, right) is Match.EQUAL
            and match_quantity(right, left) is Match.EQUAL
            and left.ambiguous == right.ambiguous
        )
    exact = _exact(left), _exact(right)
    return match_quantity(*exact) is Match.EQUAL or match_quantity(*reversed(exact)) is Match.EQUAL


def _exact(quantity: Quantity) -> Quantity:
    """The quantity without its hedge: a value is no rounding of another."""
    return replace(quantity, approximate=False) if quantity.approximate else quantity


def _if_equal(equal: bool, otherwise: Match = Match.NONE) -> Match:  # noqa: FBT001  a condition
    return Match.EQUAL if equal else otherwise


# --- numbers -----------------------------------------------------------------------------------------------------


def _match_numbers(stated: Quantity, source: Quantity) -> Match:
    if _same_value(stated, source):
        return _if_equal(_units_agree(stated, source) and _rates_agree(stated, source), Match.UNIT_OR_SCALE)
    if _share_of(stated, source) or _in_millions(stated, source) or _in_millions(source, stated):
        return Match.EQUAL
    return Match.UNIT_OR_SCALE if _same_digits(stated, source) else Match.NONE


def _same_value(stated: Quantity, source: Quantity) -> bool:
    """Whether one reading of the two is the same amount, once in one unit."""
    convert = stated.unit is not None and source.unit is not None and same_unit(stated.unit, source.unit)
    ours = factor(stated.unit) if convert and stated.unit else Decimal(1)
    theirs = factor(source.unit) if convert and source.unit else Decimal(1)
    for left in stated.readings:
        for right in source.readings:
            found = right if ours == theirs else ARITHMETIC.divide(ARITHMETIC.multiply(right, theirs), ours)
            rounded = stated.approximate and left == stated.value and rounds_to(found, left, stated.step)
            if left == found or rounded:
                return True
    return False


def rounds_to(value: Decimal, rounded: Decimal, step: Decimal) -> bool:
    """Whether a value, rounded to the last digit shown, is the rounded one; an exact half may go either way.

    The value must be the more precise of the two: 8 is no rounding of anything to hundredths.

    >>> rounds_to(Decimal("8.234"), Decimal("8.2"), Decimal("0.1"))
    True
    """
    steps = ARITHMETIC.divide(value, step)
    if not steps.is_finite() or steps.adjusted() >= ARITHMETIC.prec - 1:
        return False  # so many more digits than are shown that nobody rounds so
    return any(
        ARITHMETIC.multiply(steps.quantize(Decimal(1), rounding=mode, context=ARITHMETIC), step) == rounded
        for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    )


def _units_agree(stated: Quantity, source: Quantity) -> bool:
    if stated.unit is None:
        if stated.noun == "point" and source.unit == "pp":
            return True
        return not (stated.noun is not None and source.unit is not None and source.kind is not QuantityKind.ORDINAL)
    if source.unit is None:
        return _unit_may_be(stated, source)
    return same_unit(stated.unit, source.unit)


_LEFT_OUT: Final = frozenset(("year",))
"""Units that people leave out: at 65."""


def _unit_may_be(stated: Quantity, source: Quantity) -> bool:
    """Whether a source without a unit may be meant in the stated one: by a heading, or because it is left out."""
    if (
        (stated.unit == "pp" and source.noun == "point")
        or stated.unit in _LEFT_OUT
        or "?" in source.hints
        or stated.kind is QuantityKind.ORDINAL
    ):
        return True
    return any(stated.unit is not None and same_unit(stated.unit, hint) for hint in source.hints)


def _rates_agree(stated: Quantity, source: Quantity) -> bool:
    """Whether two rates have a unit in common; one that states none agrees with any."""
    return not stated.per or not source.per or not stated.per.isdisjoint(source.per)


_PERCENT: Final = Decimal(100)
_TOLERANCE: Final = Decimal("2.5")


def _share_of(stated: Quantity, source: Quantity) -> bool:
    """A fraction in words is a percentage: half is 50%, about a third is 33%."""
    if stated.fraction == source.fraction or stated.value is None or source.value is None:
        return False
    share, percentage = (stated, source) if stated.fraction else (source, stated)
    if percentage.unit != "%" or share.unit is not None:
        return False
    assert share.value is not None
    assert percentage.value is not None
    expected = ARITHMETIC.multiply(share.value, _PERCENT)
    if stated.approximate:
        return ARITHMETIC.abs(ARITHMETIC.subtract(expected, percentage.value)) <= _TOLERANCE
    return expected == percentage.value or rounds_to(expected, percentage.value, percentage.step)


_MILLION: Final = Decimal(10) ** 6


def _in_millions(short: Quantity, other: Quantity) -> bool:
    """Whether "3m" stands for the three million of the other rather than for three metres."""
    if short.unit != "m" or other.unit is not None or short.value is None or not short.raw[-2:-1].isdigit():
        return False
    return ARITHMETIC.multiply(short.value, _MILLION) in other.readings


def _same_digits(stated: Quantity, source: Quantity) -> bool:
    """Whether the digits stand there with another scale: 4.2 million and 4.2 billion, 5 million and 5."""
    if stated.scale != source.scale:
        for left in stated.readings:
            for right in source.readings:
                if left and ARITHMETIC.divide(left, stated.scale) == ARITHMETIC.divide(right, source.scale):
                    return True
                if _is_power_of_thousand(left, right):
                    return True
        return False
    return stated.unit != source.unit and not set(stated.readings).isdisjoint(source.readings)


def _is_power_of_thousand(left: Decimal, right: Decimal) -> bool:
    if not left or not right:
        return False
    ratio = ARITHMETIC.divide(max(left, right), min(left, right)).normalize(ARITHMETIC)
    return ratio.as_tuple().digits == (1,) and ratio.adjusted() > 0 and ratio.adjusted() % 3 == 0


# --- dates and times ---------------------------------------------------------------------------------------------


def _match_dates(stated: Quantity, source: Quantity) -> Match:
    if stated.kind is not QuantityKind.DATE:
        return _number_in_date(stated, source)
    if source.kind is not QuantityKind.DATE:
        return _date_in_number(stated, source)
    if _long(stated) or _long(source):
        return _if_equal(_within(stated, source))
    if stated.day is None and stated.month is None:
        return _if_equal(stated.year == source.year)
    if _fields_agree(stated, (source.year, source.month, source.day)):
        certain = stated.ambiguous == source.ambiguous
        return _if_equal(certain, Match.AMBIGUOUS_DATE)
    if (stated.ambiguous or source.ambiguous) and _fields_agree(stated, (source.year, source.day, source.month)):
        return Match.AMBIGUOUS_DATE
    return Match.NONE


def _fields_agree(stated: Quantity, source: tuple[int | None, int | None, int | None]) -> bool:
    """Whether the source states every field the date states."""
    ours = stated.year, stated.month, stated.day
    return all(left is None or left == right for left, right in zip(ours, source, strict=True))


def _long(quantity: Quantity) -> bool:
    return quantity.unit in _SPANS


_SPANS: Final = {"decade": 10, "century": 100}


def _within(stated: Quantity, source: Quantity) -> bool:
    """Whether the years of a source lie in the decade or century stated; a year is no part of a decade's statement."""
    if stated.year is None or source.year is None:
        return False
    ours = range(stated.year, stated.year + _SPANS.get(stated.unit or "", 1))
    theirs = range(source.year, source.year + _SPANS.get(source.unit or "", 1))
    return theirs[0] in ours and theirs[-1] in ours


def _number_in_date(stated: Quantity, source: Quantity) -> Match:
    if stated.kind is QuantityKind.ORDINAL and stated.unit is None:
        return _if_equal(source.day is not None and stated.value == source.day)
    if stated.kind is QuantityKind.ORDINAL and stated.unit in _MONTHS_IN and source.month is not None:
        return _if_equal((source.month - 1) // _MONTHS_IN[stated.unit] + 1 == stated.value)
    if stated.calendar_year is not None and stated.noun is None:
        return _if_equal(stated.calendar_year == source.year and not _long(source))
    return Match.NONE


_MONTHS_IN: Final = {"quarter": 3, "half": 6}
"""Parts of a year that a date lies in: 23 July in the third quarter."""


def _date_in_number(stated: Quantity, source: Quantity) -> Match:
    year = source.calendar_year
    if stated.year is None or stated.month is not None:
        return Match.NONE
    if year is None:
        return _if_equal(False, Match.UNIT_OR_SCALE if stated.year in source.readings else Match.NONE)
    return _if_equal(year in range(stated.year, stated.year + _SPANS.get(stated.unit or "", 1)))


_HALF_DAY: Final = Decimal(720)


def _match_times(stated: Quantity, source: Quantity) -> Match:
    """Compare times of day; an hour without its half of the day is the morning's unless the source says otherwise."""
    if source.kind is not QuantityKind.TIME:
        return _time_in_number(stated, source)
    if stated.kind is not QuantityKind.TIME:
        return _hour_in_time(stated, source)
    if stated.zone is not None and source.zone is not None and not _same_zone(stated.zone, source.zone):
        return _match_across_zones(stated, source)
    ours = stated.readings if stated.unit is None else stated.readings[:1]
    theirs = source.readings if stated.unit is None else source.readings[:1]
    if not set(ours).isdisjoint(theirs):
        return Match.EQUAL
    same_dial = any(left % _HALF_DAY == right % _HALF_DAY for left in ours for right in theirs)
    return Match.UNIT_OR_SCALE if same_dial else Match.NONE


_GENERAL_ZONES: Final = {
    "ET": frozenset(("EST", "EDT")),
    "CT": frozenset(("CST", "CDT")),
    "MT": frozenset(("MST", "MDT")),
    "PT": frozenset(("PST", "PDT")),
}


def _same_zone(left: str, right: str) -> bool:
    """Whether two time zones are one, or one of them says the other whatever the season."""
    offset = zone_offset(left)
    if left == right or (offset is not None and offset == zone_offset(right)):
        return True
    return left in _GENERAL_ZONES.get(right, ()) or right in _GENERAL_ZONES.get(left, ())


def _match_across_zones(stated: Quantity, source: Quantity) -> Match:
    """Compare times of two zones: 15:00 CET is 14:00 UTC."""
    ours, theirs = zone_offset(stated.zone or ""), zone_offset(source.zone or "")
    if ours is None or theirs is None:
        return Match.UNIT_OR_SCALE
    moments = {(value - ours) % _DAY for value in stated.readings}
    is_same = not moments.isdisjoint((value - theirs) % _DAY for value in source.readings)
    return _if_equal(is_same, Match.UNIT_OR_SCALE)


_DAY: Final = Decimal(24 * 60)


def _hour_in_time(stated: Quantity, source: Quantity) -> Match:
    """Whether a bare number is the hour of a source: "opens at 7" for 7:00 or 7 a.m."""
    assert source.value is not None
    hours = [ARITHMETIC.multiply(value, Decimal(60)) for value in stated.readings]
    on_dial = [source.value, *(source.value - _HALF_DAY for _ in range(source.value > _HALF_DAY))]
    if not any(minutes in on_dial for minutes in hours):
        return Match.NONE
    bare = stated.unit is None and stated.noun is None
    return _if_equal(bare or _is_written_h(stated), Match.UNIT_OR_SCALE)


def _is_written_h(quantity: Quantity) -> bool:
    """Whether "8 h" stands there, which is eight hours or eight o'clock."""
    return quantity.unit == "h" and quantity.raw.endswith("h")


def _time_in_number(stated: Quantity, source: Quantity) -> Match:
    if source.kind is QuantityKind.DURATION and "h" in stated.raw.lower() and stated.value is not None and source.value:
        as_long = ARITHMETIC.multiply(source.value, factor(source.unit or ""))
        if as_long == ARITHMETIC.multiply(stated.value, Decimal(60)) and same_unit(source.unit or "", "h"):
            return Match.EQUAL  # 1h30 is a duration here
    hours = [ARITHMETIC.multiply(value, Decimal(60)) for value in source.readings]
    if stated.value in hours and (source.unit is None or _is_written_h(source)):
        return Match.EQUAL
    on_dial = any(minutes in {value % _HALF_DAY, value} for value in stated.readings for minutes in hours)
    return Match.UNIT_OR_SCALE if on_dial else Match.NONE


# --- identifiers -------------------------------------------------------------------------------------------------


_RATIO: Final = re.compile(r"\d{1,4}:\d{1,4}")
_NUMBERED: Final = re.compile(r"(?:^|-|[^\W\d_]{4})(\d+)(?=-|$)")


def _same_code(stated: Quantity, source: Quantity) -> bool:
    """Whether two identifiers are written alike, hyphens and case apart; a number may be the part behind a name."""
    if stated.kind is source.kind:
        return (
            _plain(stated.raw) == _plain(source.raw)
            or _same_phone(stated.raw, source.raw)
            or _same_version(stated, source)
        )
    code, other = (stated, source) if stated.kind is QuantityKind.CODE else (source, stated)
    if _same_phone(code.raw, other.raw) or _same_version(stated, source):
        return True
    if other.kind not in {QuantityKind.NUMBER, QuantityKind.LABEL, QuantityKind.ORDINAL}:
        return False
    numbers = _NUMBERED.findall("-".join(_plain_parts(code.raw)))
    if code is stated:
        return len(numbers) == 1 and other.raw == numbers[0]
    return other.raw in numbers or (_RATIO.fullmatch(code.raw) is not None and other.raw in code.raw.split(":"))


_TRUNK: Final = re.compile(r"\(0\)")
"""The nought that is dialled at home only: +49 (0)30 1234567."""
_PHONE: Final = re.compile(r"\+?[\d\s().\-/\u2010-\u2015]{7,}")
_FEWEST_DIALLED: Final = 7
_LONGEST_COUNTRY: Final = 3


def _same_phone(code: str, other: str) -> bool:
    """Whether two telephone numbers are one, however they are spaced, with the country or area or from within it."""
    code, other = _TRUNK.sub("", code), _TRUNK.sub("", other)
    if _PHONE.fullmatch(code) is None or _PHONE.fullmatch(other) is None:
        return False
    short, long = sorted((re.sub(r"\D", "", code), re.sub(r"\D", "", other)), key=len)
    if short == long:
        return len(short) >= _FEWEST_DIALLED
    national = short.lstrip("0")
    is_abroad = (code if re.sub(r"\D", "", code) == long else other).startswith(("+", "00", "1-", "("))
    country = len(long) - len(national)
    return is_abroad and len(national) >= _FEWEST_DIALLED and long.endswith(national) and country <= _LONGEST_COUNTRY


_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)


def _same_version(stated: Quantity, source: Quantity) -> bool:
    """Whether a version is the same, or the source tells its patch level as well: v3.10 is 3.10 and that of 3.10.2."""
    ours, theirs = _VERSION.fullmatch(stated.raw), _VERSION.fullmatch(source.raw)
    return ours is not None and theirs is not None and f"{theirs[1]}.".startswith(f"{ours[1]}.")


def _plain(raw: str) -> str:
    return "".join(_plain_parts(raw))


def _plain_parts(raw: str) -> list[str]:
    return raw.casefold().replace("_", "-").replace(" ", "-").replace("\u2013", "-").split("-")
