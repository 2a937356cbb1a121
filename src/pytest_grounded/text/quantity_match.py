"""Comparing quantities: does evidence state this value, in this unit and scale?"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pytest_grounded.text.quantity import Quantity

__all__ = ["Match", "best_match", "match_quantity"]


class Match(StrEnum):
    """What comparing a stated quantity with one of a source came to."""

    EQUAL = "equal"
    AMBIGUOUS_DATE = "ambiguous_date"
    """Equal under one reading of a date in digits alone, not under the other."""
    UNIT_OR_SCALE = "unit_or_scale"
    """The digits stand there with another unit or scale."""
    NONE = "none"


def match_quantity(stated: Quantity, source: Quantity) -> Match:
    """Compare one stated quantity with one of a source."""
    return Match.EQUAL if stated.value is not None and stated.value == source.value else Match.NONE


def best_match(stated: Quantity, sources: Iterable[Quantity]) -> tuple[Match, Quantity | None]:
    """The best match of a stated quantity among those of its sources, and the source it was found in."""
    best: tuple[Match, Quantity | None] = (Match.NONE, None)
    for source in sources:
        match = match_quantity(stated, source)
        if match is Match.EQUAL:
            return match, source
        if best[0] is Match.NONE and match is not Match.NONE:
            best = match, source
    return best
