"""Whether a figure that a claim gives as a bound is an honest one: "more than 8,000" of 8,234.

Nobody is deceived by the figure of the source cut off at the digits that are shown. "More than 1,000" of 8,234 is true
and says something else, and "more than 8,000" of a source that says "at most" is for the bounds to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.quantities import Quantity, QuantityKind
from pytest_grounded.text.units import factor, same_unit

__all__ = ["bounded_by"]

_MORE = re.compile(
    r"(?:\b(?:more than|over|above|in excess of|upwards of|exceed(?:s|ed|ing)?|greater than|north of|"
    r"mehr als|über|plus de|más de|mais de|più di|oltre|meer dan|över|mer än|mere end|mer enn|ponad|więcej niż|более|"
    r"свыше)|超过|超過|逾)[\s\u00a0]*$",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?:\b(?:less than|fewer than|under|below|weniger als|unter|moins de|menos de|meno di|minder dan|färre än|"
    r"mindre än|mniej niż|poniżej|менее)|不到|不足|未满)[\s\u00a0]*$",
    re.IGNORECASE,
)
_NEAR = 24
_WIDEST = Decimal("0.1")
"""How far from the source's figure, as a part of it, a bound may lie."""
_COUNTED = frozenset(
    {QuantityKind.NUMBER, QuantityKind.MONEY, QuantityKind.PERCENT, QuantityKind.MEASURE, QuantityKind.DURATION}
)


def bounded_by(text: str, stated: Quantity, sources: Iterable[Quantity]) -> Quantity | None:
    """The source's figure that a claim's bound is cut off from; None where it is no bound, or none of these.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> source = find_quantities("It has 8,234 employees.")
    >>> def bounded(text):
    ...     found = bounded_by(text, find_quantities(text)[0], source)
    ...     return found and found.raw
    >>> bounded("more than 8,000 employees"), bounded("over 9,000"), bounded("more than 1,000"), bounded("8,000")
    ('8,234', None, None, None)
    """
    if stated.kind not in _COUNTED or not stated.value or stated.value < 0 or stated.approximate:
        return None
    before = text[max(0, stated.start - _NEAR) : stated.start]
    is_floor = _MORE.search(before) is not None
    if not is_floor and _LESS.search(before) is None:
        return None
    bounds = [_open_interval(reading, is_floor=is_floor) for reading in stated.readings if reading > 0]
    for source in sources:
        value = _in_unit_of(stated, source)
        if value is not None and any(
            low < value < high and abs(value - (low if is_floor else high)) <= _WIDEST * value for low, high in bounds
        ):
            return source
    return None


def _open_interval(bound: Decimal, *, is_floor: bool) -> tuple[Decimal, Decimal]:
    """Between what a figure that is cut off to a bound lies: 8,000 and 9,000 for "more than 8,000"."""
    place = Decimal((0, (1,), int(bound.normalize(ARITHMETIC).as_tuple().exponent)))
    return (bound, ARITHMETIC.add(bound, place)) if is_floor else (ARITHMETIC.subtract(bound, place), bound)


def _in_unit_of(stated: Quantity, source: Quantity) -> Decimal | None:
    """The source's value in the unit of the claim; None where the two count different things."""
    if source.kind is not stated.kind or source.value is None or source.per != stated.per or source.calendar_year:
        return None
    if stated.unit is None or source.unit is None:
        return source.value if stated.unit == source.unit or source.kind is QuantityKind.NUMBER else None
    if not same_unit(stated.unit, source.unit):
        return None
    return ARITHMETIC.divide(ARITHMETIC.multiply(source.value, factor(source.unit)), factor(stated.unit))
