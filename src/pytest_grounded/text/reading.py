"""The state of one reading of a text, and how a number found in it becomes a quantity with all that belongs to it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from pytest_grounded.text.affixes import (
    Prefix,
    hedged_after,
    marks_before,
    noun_at,
    prefix_before,
    rates_at,
    scale_at,
    unit_at,
)
from pytest_grounded.text.dates import YEARS, Clock, Moment
from pytest_grounded.text.languages import Language, decimal_mark, groups_with_spaces, language, on_change
from pytest_grounded.text.nonfacts import labels_after
from pytest_grounded.text.numerals import ARITHMETIC, LETTER, Numeral, Separators
from pytest_grounded.text.quantity import QuantityKind
from pytest_grounded.text.quantity_join import SHARE_STEP, Draft, kind_of
from pytest_grounded.text.scripts import guess_language
from pytest_grounded.text.units import Dimension, dimension

__all__ = ["Reading"]

_CODE_TAIL: Final = re.compile(r"\w*(?:[-./:#]\w*\d\w*)*")
_ERA: Final = re.compile(r"[ \u00a0]?(?:BCE?|B\.C\.(?:E\.)?|v\. ?Chr\.|av\. J\.-C\.)")
_CENTURY: Final = re.compile(
    r"\.?[ \u00a0\n-](?:century|centuries|siècle|siglo|Jahrhundert|secolo|século|eeuw)\b", re.IGNORECASE
)
_PERIOD: Final = re.compile(
    r"[ \u00a0\n-](?P<period>quarter|half|halves|day|week|month|year|decade|hour|minute|night)s?\b"
)
_NEXT_WORD: Final = re.compile(rf"[ \u00a0\n-]({LETTER}{{1,40}})")
_LABEL_LETTER: Final = re.compile(r"[a-z](?![^\W_])")
_LAST_WORD: Final = re.compile(rf"{LETTER}+\Z")
_LONGEST_WORD: Final = 60
_AND_FRACTION: Final = re.compile(
    rf"[ \u00a0\n-]({LETTER}{{1,12}})[ \u00a0\n-](?:({LETTER}{{1,16}})[ \u00a0\n-])?({LETTER}{{1,16}})"
)
_OF_HOUR: Final = re.compile(
    r" (?:of an? (?:hour|day|year|minute)|d'heure|d'une heure|de (?:una )?hora|di ora|d'ora|de hora|einer stunde)\b",
    re.IGNORECASE,
)
_NOON: Final = Decimal(12 * 60)
_FIRST_HOUR: Final = Decimal(60)
_YEAR_LEAD: Final = re.compile(
    r"(?<!\w)(?:in|since|during|year|jahr|jahre|seit|en|depuis|année|desde|año|em|nel|dal|sinds)[ \u00a0\n]$",
    re.IGNORECASE,
)
_LONGEST_YEAR_LEAD: Final = 10
_FOUR_DIGIT_YEARS: Final = frozenset(map(Decimal, YEARS))
_LENGTH_MARKS: Final = {'"': frozenset(("in",)), "'": frozenset(("ft",))}
"""Units that a mark behind a number may stand for."""
_SHARED_SIGNS: Final = frozenset(("$", "¥", "Rs", "franc"))


_NET: Final = re.compile(r"\bnet[ \u00a0-]\Z", re.IGNORECASE)
_LAST_NET_TERM: Final = re.compile(r"\d{1,3}\Z")


def _hints(text: str, start: int, end: int) -> frozenset[str]:
    """Units that a mark behind a number may stand for, and the days of a term of payment: net 30."""
    marked = _LENGTH_MARKS.get(text[end : end + 1], frozenset())
    is_term = _NET.search(text[max(0, start - len(" net ")) : start]) and _LAST_NET_TERM.match(text[start:end])
    return marked | {"day"} if is_term else marked


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Whether round brackets hold this number alone, as accounts write a negative one: (500), $(500)."""
    return text[start - 1 : start] == "(" and text[end : end + 1] == ")"


@lru_cache(maxsize=256)
def _separators(tag: str | None) -> Separators:
    return Separators(decimal=decimal_mark(tag), spaces=groups_with_spaces(tag))


on_change(_separators.cache_clear)


class Reading:
    """A text being read from left to right: its language and what was found so far.

    The methods add what was found and return where it ends.
    """

    __slots__ = ("drafts", "list_number", "separators", "tag", "text", "words")

    def __init__(self, text: str, tag: str | None, *, words: str | None = None) -> None:
        """`words`: the language to read words in where neither a tag nor the text itself says one."""
        self.text = text
        self.tag = tag if tag is not None else guess_language(text) or words
        self.words: Language = language(self.tag)
        self.separators = _separators(tag)
        self.drafts: list[Draft] = []
        self.list_number: int | None = None

    def free_word(self, end: int) -> tuple[str, int] | None:
        """The word that ends at a place and where it starts, unless it is part of a quantity already."""
        low = max(0, end - _LONGEST_WORD)
        match = _LAST_WORD.search(self.text[low:end])
        if match is None or (self.drafts and low + match.start() < self.drafts[-1].end):
            return None
        return match[0], low + match.start()

    def add_code(self, start: int, end: int) -> int:
        """An identifier that holds digits, to its end."""
        tail = _CODE_TAIL.match(self.text, end)
        end = tail.end() if tail else end
        self.drafts.append(Draft(kind=QuantityKind.CODE, start=start, end=end))
        return end

    def add_label(self, start: int, end: int, label: str) -> int:
        """The number of a table, section or grade, with those that share its label."""
        digits = self.text[start:end]
        value = Decimal(digits) if digits.isdigit() else None
        if letter := _LABEL_LETTER.match(self.text, end):
            end = letter.end()  # § 573a is another one
        self.drafts.append(Draft(kind=QuantityKind.LABEL, start=start, end=end, value=value, unit=label))
        return labels_after(self.text, end, label)

    def add_moment(self, moment: Moment) -> int:
        """A date."""
        self.drafts.append(
            Draft(
                kind=QuantityKind.DATE,
                start=moment.start,
                end=moment.end,
                year=moment.year,
                month=moment.month,
                day=moment.day,
                ambiguous=moment.ambiguous,
                unit=moment.unit,
            )
        )
        return moment.end

    def add_clock(self, clock: Clock, *, incidental: bool = False) -> int:
        """A time of day; without am or pm, where people use them, it may be that of the other half of the day."""
        value = ARITHMETIC.add(Decimal(clock.minutes), ARITHMETIC.divide(Decimal(clock.seconds), Decimal(60)))
        open_half = (
            clock.half is None and self.words.twelve_hours and _FIRST_HOUR <= value < _NOON
        )  # 0:30 is no half past noon
        self.drafts.append(
            Draft(
                kind=QuantityKind.TIME,
                start=clock.start,
                end=clock.end,
                value=value,
                alternatives=(value + _NOON,) if open_half else (),
                unit=clock.half,
                zone=clock.zone,
                incidental=incidental,
            )
        )
        return clock.end

    def add_ordinal(self, start: int, end: int, value: Decimal, *, incidental: bool = False) -> int:
        """A rank; with a period it is that period (third quarter), with "century" a date, with "grade" a label."""
        text = self.text
        if (match := _CENTURY.match(text, end)) and 0 < (year := (int(value) - 1) * 100 + 1) < YEARS.stop:
            era = _ERA.match(text, match.end())
            end, year = (era.end(), -int(value) * 100) if era else (match.end(), year)
            return self.add_moment(Moment(start=start, end=end, year=year, unit="century"))
        if match := _PERIOD.match(text, end):
            period = "half" if match["period"] == "halves" else match["period"]
            draft = Draft(kind=QuantityKind.ORDINAL, start=start, end=match.end(), value=value, unit=period)
        elif (match := _NEXT_WORD.match(text, end)) and match[1] in self.words.labels:
            draft = Draft(kind=QuantityKind.LABEL, start=start, end=end, value=value, unit=match[1])
        else:
            draft = Draft(kind=QuantityKind.ORDINAL, start=start, end=end, value=value, incidental=incidental)
        self.drafts.append(draft)
        return draft.end

    def add_number(self, numeral: Numeral, *, incidental: bool = False, scale: Decimal = Decimal(1)) -> int:
        """A number with sign, currency, fraction, scale, unit, rate and hedge; `scale` is one read already."""
        text, words = self.text, self.words
        if self._names_a_year(numeral):
            return self.add_moment(Moment(start=numeral.start, end=numeral.end, year=int(numeral.value)))
        if words.more and (half := self._and_half(numeral.start)) is not None:
            value = ARITHMETIC.add(numeral.value, half[0])
            numeral = replace(numeral, start=half[1], value=value, alternatives=())
        prefix = prefix_before(text, numeral.start)
        if self.drafts and prefix.start < self.drafts[-1].end:
            prefix = Prefix(start=numeral.start)  # the sign belongs to the amount before: 5€10
        if not numeral.fraction and (fraction := self._and_fraction(numeral.end)) is not None:
            value = ARITHMETIC.add(numeral.value, fraction[0])
            numeral = replace(numeral, value=value, end=fraction[1], alternatives=())
        if numeral.fraction:
            numeral = replace(numeral, value=numeral.value.quantize(SHARE_STEP, context=ARITHMETIC))
        numeral, scale, scaled = self._scaled(numeral, scale, money=prefix.unit is not None)
        unit, end = self._unit(numeral.end, prefix.unit, scaled=scaled or self._is_part_of_hour(numeral))
        if unit is not None and not words.articles and (fraction := self._and_fraction(end)) is not None:
            value, end = ARITHMETIC.add(numeral.value, ARITHMETIC.multiply(fraction[0], scale)), fraction[1]
            numeral = replace(numeral, value=value)  # deux heures et demie
        if unit is None and not prefix.negative and (era := _ERA.match(text, end)) and numeral.value < YEARS.stop * 10:
            return self.add_moment(Moment(start=prefix.start, end=era.end(), year=-int(numeral.value)))
        if unit is not None or prefix.start != numeral.start or not self._stands_for_a_year(numeral):
            per, end = rates_at(text, prefix.start, end, words, self.tag)
        else:
            per = frozenset()
        marks = marks_before(text, prefix.start, words)
        values = (numeral.value, *numeral.alternatives)
        if prefix.negative or marks.minus:
            values = tuple(-value for value in values)
        if prefix.doubtful or marks.falls or _in_brackets(text, prefix.start, end):
            values += tuple(-value for value in values)
        self.drafts.append(
            Draft(
                kind=kind_of(unit),
                start=prefix.start,
                end=end,
                value=values[0],
                alternatives=values[1:],
                step=numeral.step,
                scale=scale,
                unit=unit,
                per=per,
                approximate=marks.hedged or hedged_after(text, end, words),
                fraction=numeral.fraction,
                incidental=incidental and unit is None and not scaled,
                noun=noun_at(text, end) if unit is None and not words.partial else None,
                hints=_hints(text, prefix.start, end) if unit is None else frozenset(),
            )
        )
        return end

    def _names_a_year(self, numeral: Numeral) -> bool:
        """Whether a word behind it makes it a year, in a language with words for that: 2024 года, 2024 r."""
        if not self.words.year_words or not self.text[numeral.start : numeral.end].isdigit():
            return False
        match = _NEXT_WORD.match(self.text, numeral.end) if numeral.value in _FOUR_DIGIT_YEARS else None
        return match is not None and match[1].lower() in self.words.year_words

    def _stands_for_a_year(self, numeral: Numeral) -> bool:
        """Whether a word before it makes it a year, so that "In 2024 a day pass was dear" has no rate."""
        digits = self.text[numeral.start : numeral.end]
        before = self.text[max(0, numeral.start - _LONGEST_YEAR_LEAD) : numeral.start]
        return digits.isdigit() and numeral.value in _FOUR_DIGIT_YEARS and _YEAR_LEAD.search(before) is not None

    def _scaled(self, numeral: Numeral, scale: Decimal, *, money: bool) -> tuple[Numeral, Decimal, bool]:
        found = scale_at(self.text, numeral.end, self.words, money=money)
        if found is None:
            return numeral, scale, False
        by, end = found
        value, step, *others = (
            ARITHMETIC.multiply(amount, by) for amount in (numeral.value, numeral.step, *numeral.alternatives)
        )
        return replace(numeral, value=value, step=step, alternatives=tuple(others), end=end), by, True

    def _unit(self, end: int, currency: str | None, *, scaled: bool) -> tuple[str | None, int]:
        """The unit after a number; a currency before it is only made more exact by one after it ($180 CAD)."""
        found = unit_at(self.text, end, self.tag, linked=scaled)
        if found is None or (currency is not None and dimension(found[0]) is not Dimension.MONEY):
            return currency, end
        return (found[0] if currency is None or currency in _SHARED_SIGNS else currency), found[1]

    def _is_part_of_hour(self, numeral: Numeral) -> bool:
        """Whether it is a part of one unit of time: three quarters of an hour, trois quarts d'heure."""
        return numeral.fraction and _OF_HOUR.match(self.text, numeral.end) is not None

    def _and_half(self, start: int) -> tuple[Decimal, int] | None:
        """What a word before a number adds to it, and where it starts: साढ़े तीन is three and a half."""
        for word, more in self.words.more.items():
            begin = start - len(word) - 1
            if begin >= 0 and self.text.startswith(word, begin) and not self.text[begin - 1 : begin].isalpha():
                return more, begin
        return None

    def _and_fraction(self, end: int) -> tuple[Decimal, int] | None:
        """A fraction joined to a number: "and a half", "et demi", "y medio"."""
        match = _AND_FRACTION.match(self.text, end)
        if match is None or match[1].lower() not in self.words.joiners:
            return None
        between, last = (match[2] or "").lower(), match[3].lower()
        fractions = self.words.fractions
        if between in self.words.articles and last in fractions:
            return fractions[last], match.end()
        count = self.words.cardinals.get(between)
        if count and last in fractions and last.endswith("s") and fractions[last] * count < 1:
            return ARITHMETIC.multiply(fractions[last], Decimal(count)), match.end()
        if self.words.articles:
            return None  # "and half" needs its article in a language that has one for it
        first = between or last
        return (fractions[first], match.end(2 if between else 3)) if first in fractions else None
