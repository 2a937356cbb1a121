"""How figures are said in reports: shares as percentages that are never rounded to what they are not."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from pytest_grounded.calibration.inputs import Number, exact

__all__ = ["count", "decimal", "percent"]

_MOST_DIGITS = 10


def percent(value: Number, digits: int = 0) -> str:
    """A share as a percentage; 0 % and 100 % are said only of exactly those.

    >>> from fractions import Fraction
    >>> percent(0.61), percent(Fraction(1, 40), 1), percent(0.0004), percent(0.9996), percent(1)
    ('61%', '2.5%', '0.04%', '99.96%', '100%')
    """
    found = exact(value) * 100
    for more in range(digits, _MOST_DIGITS):
        rounded = Decimal(found.numerator) / Decimal(found.denominator)
        rounded = rounded.quantize(Decimal(1).scaleb(-more), ROUND_HALF_EVEN)
        if (rounded != 0 or found == 0) and (rounded != 100 or found == 100):  # noqa: PLR2004 - per cent
            break
    text = f"{rounded:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def decimal(value: float, digits: int = 3) -> str:
    """A figure with a fixed number of decimals.

    >>> decimal(0.28333), decimal(-0.0)
    ('0.283', '0.000')
    """
    return f"{value + 0.0:.{digits}f}"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> count(1, "row"), count(3, "query", "queries")
    ('1 row', '3 queries')
    """
    return f"{n} {noun if n == 1 else plural or noun + 's'}"
