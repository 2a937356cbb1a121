"""Which figures an answer only sets aside: the 30 of "within 45 days, not 30", asked whether it is 30 days.

A figure of the question that stands denied beside another figure corrects the question. It states nothing itself, and
its "not" turns nothing around that the source says of the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.states import quantities_said, question_quantities
from pytest_grounded.text.quantities import Quantity, QuantityKind

__all__ = ["SetAside", "figures_set_aside", "without_set_aside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A figure that is denied beside another, and the stretch of the text that denies it."""

    quantity: Quantity
    start: int
    end: int


_MARK = r"(?:[,;(\u2013\u2014-]\s*(?:and\s|und\s|et\s|y\s|e\s)?|\s(?:and|und|et|y|e)\s)\s*"
_NOT = r"(?:not|nicht|non(?:\spas)?|pas|no)\s+(?:(?:in|within|after|innerhalb\svon|nach|dans\sles|en)\s)?"
_INSTEAD = (
    r"(?:instead\sof|rather\sthan|as\sopposed\sto|anstatt|anstelle\svon|statt|au\slieu\sde|plutôt\sque|en\slugar\sde|"
    r"en\svez\sde)\s+(?:the\s|den\s|les\s|los\s)?"
)
_BEFORE = re.compile(rf"(?:{_MARK}{_NOT}|,?\s*\b{_INSTEAD}|[,，、]?\s*而(?:不是|非)\s*)\Z", re.IGNORECASE)
_AFTER = re.compile(r"[日天]?(?:では|じゃ)なく[,、]?|\s+नहीं\b")
_ONLY_NOT = re.compile(r"\b(?:not|nicht|pas|no|non)\s+(?:de\s|in\s|within\s)?\Z|[并並]?(?:不是|非)\s*\Z", re.IGNORECASE)
_BUT = re.compile(r"(?:\s[^\W\d_]+)?\s*[,，]?\s*(?:(?:but|sondern|mais|sino|bensì|ma)\s|而是)", re.IGNORECASE)
_NOUN = re.compile(r"\s[^\W\d_]+(?=\s*(?:[.,;:!?)]|\Z))")
_LONGEST_LEAD = 40


def figures_set_aside(judged: Judged, text: str) -> tuple[SetAside, ...]:
    """The figures of the question that a text denies beside a figure of its own."""
    asked = question_quantities(judged)
    if not asked:
        return ()
    stated = quantities_said(judged, text)
    own = [one for one in stated if not any(_is_same(one, other) for other in asked)]
    return tuple(_denied(text, stated, asked)) if own and len(own) < len(stated) else ()


def _denied(text: str, stated: tuple[Quantity, ...], asked: tuple[Quantity, ...]) -> Iterator[SetAside]:
    for one in stated:
        if not any(_is_same(one, other) for other in asked):
            continue
        low = max(0, one.start - _LONGEST_LEAD)
        lead = _BEFORE.search(text[low : one.start])
        denied, but = _ONLY_NOT.search(text[low : one.start]), _BUT.match(text, one.end)
        behind = _AFTER.match(text, one.end)
        if lead is not None:
            noun = _NOUN.match(text, one.end)
            yield SetAside(quantity=one, start=low + lead.start(), end=noun.end() if noun else one.end)
        elif denied is not None and but is not None:
            yield SetAside(quantity=one, start=low + denied.start(), end=but.end())
        elif behind is not None:
            yield SetAside(quantity=one, start=one.start, end=behind.end())


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether a figure is one of the question's; its unit may be left out: "45 days, not 30"."""
    if QuantityKind.DATE in (one.kind, other.kind):
        return one.kind is other.kind and (one.year, one.month, one.day) == (other.year, other.month, other.day)
    units_agree = one.unit is None or other.unit is None or one.unit == other.unit
    return units_agree and not set(one.readings).isdisjoint(other.readings)


def without_set_aside(judged: Judged, text: str) -> str:
    """A text without what it only sets aside."""
    for one in reversed(figures_set_aside(judged, text)):
        text = text[: one.start] + text[one.end :]
    return text
