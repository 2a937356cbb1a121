"""Stand-ins for figures and dates that keep their shape and their relations: the same figure everywhere, in any scale.

A figure is known by its significant digits, so that $41,750, 41.75k and 4175 get the same ones, and a wrong unit or
scale stays wrong. The beginning of a figure gets the beginning of its stand-in: what was rounded stays rounded.
"""

from __future__ import annotations

import re
import unicodedata

from pytest_grounded.incidents.standins.made_up import MadeUp
from pytest_grounded.text.quantities import Quantity, QuantityKind, find_quantities

__all__ = ["Figures"]

_LITERAL = re.compile(r"\d(?:[\d.,'’\u00a0\u2009\u202f ]{0,30}\d)?")
_GROUP = re.compile(r"\d+")
_FEWEST_SHARED = 2
_YEAR = 4
_HOURS, _MINUTES, _DAYS = 24, 60, 29


class Figures:
    """Remembers which figures were replaced by which.

    >>> figures = Figures(MadeUp())
    >>> whole, short = (figures.replaced(find_quantities(text)[0]) for text in ("$41,750", "41.75k"))
    >>> whole.replace(",", "").strip("$").rstrip("0") == short.replace(".", "").rstrip("k")
    True
    """

    def __init__(self, made: MadeUp, *, kept_years: frozenset[int] = frozenset()) -> None:
        self._made = made
        self._kept_years = kept_years
        self._digits: dict[str, str] = {}
        self._days: dict[int, int] = {}
        self._years: dict[int, int] = {}

    def replaced(self, quantity: Quantity) -> str:
        """The quantity as it is written, with other digits."""
        if quantity.kind is QuantityKind.DATE:
            return self._date(quantity)
        return self._time(quantity.raw) if quantity.kind is QuantityKind.TIME else self._number(quantity)

    def digits(self, written: str) -> str:
        """Digits with whatever stands between them: the significant ones replaced, leading and trailing zeros kept.

        >>> made = Figures(MadeUp()).digits("0.4500")
        >>> made[:2], made[-2:], made != "0.4500"
        ('0.', '00', True)
        """
        places = [place for place, sign in enumerate(written) if sign.isdigit()]
        plain = "".join(str(unicodedata.digit(written[place])) for place in places)
        significant = plain.strip("0")
        if not significant:
            return written
        start = len(plain) - len(plain.lstrip("0"))
        made = self._significant(significant)
        signs = list(written)
        for place, digit in zip(places[start:], made, strict=False):
            zero = ord(signs[place]) - unicodedata.digit(signs[place])
            signs[place] = chr(zero + int(digit))
        return "".join(signs)

    def number(self, value: float) -> float | None:
        """A number in JSON whose digits were replaced somewhere; None for any other."""
        written = repr(value)
        significant = "".join(filter(str.isdigit, written)).strip("0")
        if len(significant) < _FEWEST_SHARED or significant not in self._digits:
            return None
        made = self.digits(written)
        return int(made) if made.lstrip("-").isdigit() else float(made)

    def _significant(self, digits: str) -> str:
        known = self._digits.get(digits)
        if known is None:
            known = self._digits[digits] = (
                self._beginning(digits) or self._continued(digits) or self._made.digits(digits)
            )
        return known

    def _beginning(self, digits: str) -> str | None:
        """The beginning of a longer figure that is known."""
        if len(digits) < _FEWEST_SHARED:
            return None
        longer = next((one for one in self._digits if one.startswith(digits)), None)
        return None if longer is None else self._digits[longer][: len(digits)]

    def _continued(self, digits: str) -> str | None:
        """A longer figure than one that is known goes on from it."""
        shorter = max((one for one in self._digits if digits.startswith(one)), key=len, default="")
        if len(shorter) < _FEWEST_SHARED:
            return None
        return self._digits[shorter] + self._made.digits(digits[len(shorter) :])

    def _number(self, quantity: Quantity) -> str:
        literal = _LITERAL.search(quantity.raw)
        if literal is not None:
            before, after = quantity.raw[: literal.start()], quantity.raw[literal.end() :]
            return before + self.digits(literal.group()) + after
        if quantity.value is None:
            return quantity.raw
        in_words = _in_words(quantity)
        return self.digits(f"{quantity.value.normalize():f}") + quantity.raw[len(in_words) :]

    def _date(self, quantity: Quantity) -> str:
        """A date with another day and another year; its month and its spelling stay."""

        def group(match: re.Match[str]) -> str:
            written, number = match.group(), int(match.group())
            if len(written) == _YEAR and number == quantity.year:
                return str(self._year(number))
            if len(written) < _YEAR and number == quantity.day and number != quantity.month:
                return str(self._day(number)).zfill(len(written) if written.startswith("0") else 1)
            return written

        return _GROUP.sub(group, quantity.raw)

    def _day(self, day: int) -> int:
        if day not in self._days:
            few = day < 10  # noqa: PLR2004 - as many digits
            self._days[day] = self._made.below(10, but=day) if few else self._made.below(_DAYS, least=10, but=day)
        return self._days[day]

    def _year(self, year: int) -> int:
        if year in self._kept_years:
            return year
        if year not in self._years:
            decade = year - year % 10
            self._years[year] = self._made.below(decade + 10, least=decade, but=year)
        return self._years[year]

    def _time(self, raw: str) -> str:
        limits = iter((_HOURS // 2 + 1, _MINUTES, _MINUTES))

        def group(match: re.Match[str]) -> str:
            key = f"{match.group()}:"
            if key not in self._digits:
                number = self._made.below(next(limits, _MINUTES), but=int(match.group()))
                self._digits[key] = str(number).zfill(len(match.group()))
            return self._digits[key]

        return _GROUP.sub(group, raw)


def _in_words(quantity: Quantity) -> str:
    """The beginning of a quantity that says its number, without its unit: `forty-one thousand` of dollars."""
    ends = [match.end() for match in re.finditer(r"\S+?(?=\s|$|(?<=[^\x00-\x7f]))", quantity.raw)]
    for end in sorted({*ends, len(quantity.raw)}):
        found = find_quantities(quantity.raw[:end])
        if len(found) == 1 and found[0].value == quantity.value and found[0].end == end:
            return quantity.raw[:end]
    return quantity.raw
