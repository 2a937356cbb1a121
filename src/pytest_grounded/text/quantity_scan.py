"""Finding quantities in a text."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from pytest_grounded.text.quantity import Quantity, QuantityKind

__all__ = ["find_quantities"]

_DIGITS = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=8192)
def find_quantities(
    text: str, *, lang: str | None = None, incidental: bool = False, labels: bool = False
) -> tuple[Quantity, ...]:
    """The quantities of a text in order, none overlapping another.

    `incidental=True` adds words that are often no number (one, first, half): ask for them in evidence, where they may
    state a value; `labels=True` adds numbers of tables, sections and grades.
    """
    return tuple(
        Quantity(kind=QuantityKind.NUMBER, raw=m[0], start=m.start(), end=m.end(), value=Decimal(m[0]))
        for m in _DIGITS.finditer(text)
    )
