"""What a quantity is: a number, amount, date or time as it stands in a text, with its value read out.

Finding quantities is `quantity_scan`'s question, comparing them `quantity_match`'s; callers import all of it from
`pytest_grounded.text.quantities`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Final

__all__ = ["Bound", "Quantity", "QuantityKind", "date_quantity"]

ONE: Final = Decimal(1)
_YEARS = range(1000, 2200)


class QuantityKind(StrEnum):
    """What sort of thing a quantity counts or names."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    MEASURE = "measure"
    DURATION = "duration"
    DATE = "date"
    TIME = "time"
    ORDINAL = "ordinal"
    CODE = "code"
    """An identifier that holds digits (INC-1042, 203.0.113.10, COVID-19): no value, compared as written."""
    LABEL = "label"
    """The number of a table, section, grade or step: never a fact, found only where a caller asks for labels."""


class Bound(StrEnum):
    """Which end of a stated range a quantity is."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number, amount, date or time that stands at `text[start:end]`.

    `value` is in plain units with the scale applied (41.75k is 41750, 5 million 5000000), a percentage in per cent, a
    time of day in minutes since midnight; None for a date or a code. `unit` is canonical: `km`, `day`, `%`, `bp`, `pp`,
    an ISO code such as `EUR`, or a sign that several currencies share (`$`). `per` are the units of a rate (`month` in
    "10 euros a month"). A date has those of `year`, `month`, `day` that are stated; for a decade or a century `unit`
    says so and `year` is its first.

    >>> Quantity(kind=QuantityKind.NUMBER, raw="8.2 thousand", start=0, end=12, value=Decimal("8200"),
    ...          step=Decimal(100), scale=Decimal(1000)).readings
    (Decimal('8200'),)
    """

    kind: QuantityKind
    raw: str
    start: int
    end: int
    value: Decimal | None = None
    alternatives: tuple[Decimal, ...] = ()
    """Other values it may be read as: 1.500 is 1.5 or 1500 where no language says which."""
    step: Decimal = ONE
    """What the last digit shown is worth: 1 in 8,000, 100 in 8.2 thousand, 0.01 in 85.19."""
    scale: Decimal = ONE
    """The factor a word or letter gave: 1000000 in 5 million."""
    unit: str | None = None
    per: frozenset[str] = frozenset()
    year: int | None = None
    month: int | None = None
    day: int | None = None
    bound: Bound | None = None
    approximate: bool = False
    """Marked as a rounding: about, roughly, ca., ~."""
    fraction: bool = False
    """Written as a fraction: half, three quarters, 1/4."""
    ambiguous: bool = False
    """A date in digits alone whose order nothing settles; `month` and `day` are one of its two readings."""
    parts: tuple[Decimal, ...] = ()
    """The two numbers of a share said in both: 9 and 10 of "9 out of 10"."""
    incidental: bool = False
    """A word that is often no number (one, first): evidence may state a value with it, a claim is not held to it."""
    noun: str | None = None
    """The plural counted by a number without unit: `crate` in "50 crates"."""
    hints: frozenset[str] = frozenset()
    """Units a heading or the rest of a list gives to a number that stands without one: `EUR` under "Limit (EUR)"."""
    zone: str | None = None
    """The time zone of a time of day: `CET`, `UTC+2`."""

    @property
    def readings(self) -> tuple[Decimal, ...]:
        """All values it may be read as, the likeliest first; empty for a date or a code."""
        return () if self.value is None else (self.value, *self.alternatives)

    @property
    def is_period(self) -> bool:
        """Whether it tells when or how long: what may be an echo of the question or of `as_of`."""
        if self.kind in {QuantityKind.DATE, QuantityKind.TIME, QuantityKind.DURATION}:
            return True
        return self.calendar_year is not None or (self.kind is QuantityKind.ORDINAL and self.unit is not None)

    @property
    def calendar_year(self) -> int | None:
        """The year it names, alone or as part of a date; None where it names none."""
        if self.kind is QuantityKind.DATE:
            return self.year
        if self.kind is not QuantityKind.NUMBER or self.unit is not None or not self.raw.isdigit():
            return None
        return int(self.raw) if len(self.raw) == len("2024") and int(self.raw) in _YEARS else None


def date_quantity(day: date) -> Quantity:
    """A calendar day as a quantity, so that `as_of` can be compared with what a text states.

    >>> date_quantity(date(2024, 10, 1)).month
    10
    """
    raw = day.isoformat()
    return Quantity(kind=QuantityKind.DATE, raw=raw, start=0, end=len(raw), year=day.year, month=day.month, day=day.day)
