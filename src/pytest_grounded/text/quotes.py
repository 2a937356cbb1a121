"""Quotes: do the quoted words stand in the source, as one contiguous part or with an honest ellipsis?"""

from __future__ import annotations

from enum import StrEnum

from pytest_grounded.text.folding import fold

__all__ = ["QuoteVerdict", "judge_quote", "locate_quote", "too_short"]


class QuoteVerdict(StrEnum):
    """What holds between a quote and its source."""

    VERBATIM = "verbatim"
    ELIDED = "elided"
    BAD_ELISION = "bad_elision"
    NOT_VERBATIM = "not_verbatim"


def judge_quote(quote: str, source: str, *, lang: str | None = None) -> QuoteVerdict:
    """Whether a quote stands in its source."""
    folded = fold(quote, lang=lang)
    return QuoteVerdict.VERBATIM if folded and folded in fold(source, lang=lang) else QuoteVerdict.NOT_VERBATIM


def locate_quote(quote: str, source: str, *, lang: str | None = None) -> tuple[tuple[int, int], ...]:
    """Start and end in the source of every part of a verbatim or elided quote; empty when it is neither."""
    raise NotImplementedError


def too_short(quote: str, source: str, *, lang: str | None = None) -> bool:
    """Whether a quote is too short to show anything."""
    raise NotImplementedError
