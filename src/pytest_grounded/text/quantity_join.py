"""Joining neighbours: what the ends of a range and the members of a list say about each other.

"5 to 10 million euros" are two amounts of millions of euros, "1-5 July 2024" two dates, "8, 10 or 12 hours" three
durations. A heading such as "Limit (EUR)" or "in thousands" says something about every number without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pytest_grounded.text.affixes import unit_at
from pytest_grounded.text.languages import Language
from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.quantity import Bound, Quantity, QuantityKind
from pytest_grounded.text.units import MONEY_PARTS, Dimension, dimension, factor, same_unit

__all__ = ["SHARE_STEP", "Draft", "join_neighbours", "kind_of"]


@dataclass(slots=True, kw_only=True)
class Draft:
    """A quantity while its neighbours may still add to it; the fields are those of `Quantity`."""

    kind: QuantityKind
    start: int
    end: int
    value: Decimal | None = None
    alternatives: tuple[Decimal, ...] = ()
    step: Decimal = Decimal(1)
    scale: Decimal = Decimal(1)
    unit: str | None = None
    per: frozenset[str] = frozenset()
    year: int | None = None
    month: int | None = None
    day: int | None = None
    bound: Bound | None = None
    approximate: bool = False
    fraction: bool = False
    ambiguous: bool = False
    parts: tuple[Decimal, ...] = ()
    incidental: bool = False
    noun: str | None = None
    hints: frozenset[str] = frozenset()
    zone: str | None = None

    def finished(self, raw: str, start: int, end: int) -> Quantity:
        """The quantity, at its place in the original text."""
        return Quantity(
            kind=self.kind,
            raw=raw,
            start=start,
            end=end,
            value=self.value,
            alternatives=self.alternatives,
            step=self.step,
            scale=self.scale,
            unit=self.unit,
            per=self.per,
            year=self.year,
            month=self.month,
            day=self.day,
            bound=self.bound,
            approximate=self.approximate,
            fraction=self.fraction,
            ambiguous=self.ambiguous,
            parts=self.parts,
            incidental=self.incidental,
            noun=self.noun,
            hints=self.hints,
            zone=self.zone,
        )


def kind_of(unit: str | None) -> QuantityKind:
    """The kind of a number with a unit."""
    match dimension(unit) if unit is not None else None:
        case None:
            return QuantityKind.NUMBER
        case Dimension.MONEY:
            return QuantityKind.MONEY
        case Dimension.RATIO | Dimension.POINTS:
            return QuantityKind.PERCENT
        case Dimension.CLOCK | Dimension.CALENDAR | Dimension.WORKDAYS | Dimension.NIGHTS:
            return QuantityKind.DURATION
        case _:
            return QuantityKind.MEASURE


_WIDEST_GAP: Final = 14
_DASHES: Final = frozenset(("-", "\u2013", "~", "至", "到", "から", "或", "〜"))
_PAIR_MARKS: Final = frozenset(("/", "&", "、", "x", "×", "by"))
_LIST_MARKS: Final = frozenset((",",))
_BETWEEN: Final = ("between", "zwischen", "entre", "tussen", "tra")


def join_neighbours(text: str, drafts: list[Draft], words: Language, tag: str | None) -> None:
    """Let every quantity know what its neighbours and the headings say about it; changes the drafts in place."""
    _merge_compounds(text, drafts, tag)
    _merge_shares(text, drafts, words)
    in_list = False
    for low, high in zip(reversed(drafts[:-1]), reversed(drafts[1:]), strict=True):
        if high.start - low.end > _WIDEST_GAP or QuantityKind.LABEL in {low.kind, high.kind}:
            in_list = False
            continue
        gap = text[low.end : high.start].strip().lower()
        if gap == "-" and low.unit is not None and text[low.end - 1].isalpha() and high.unit is None:
            continue  # 6-foot-4
        if _is_range(gap, text, low, words):
            _join_range(low, high)
        in_list = gap.removeprefix(",").strip() in words.lists or gap in _PAIR_MARKS or (in_list and gap in _LIST_MARKS)
        if in_list:
            _join_list(low, high)
    bare = [draft for draft in drafts if draft.unit is None and draft.kind is QuantityKind.NUMBER]
    if bare:
        _apply_headings(text, bare, words, tag)


_COMPOUND_GAPS: Final = frozenset(("", "and", "und", "et", "y"))
_COMPOUND: Final = frozenset((Dimension.CLOCK, Dimension.CALENDAR))
_COMPOUND_UNITS: Final = {"ft": "in", "lb": "oz", "m": "cm", "st": "lb", "kg": "g"}
"""Lengths and weights said in two units, the smaller right behind the larger: 5 feet 10 inches, 1 m 80 cm."""


def _merge_compounds(text: str, drafts: list[Draft], tag: str | None) -> None:
    """Make one of "1 hour 30 minutes" and of "thirty (30) days"."""
    kept: list[Draft] = []
    for draft in drafts:
        last = kept[-1] if kept else None
        gap = text[last.end : draft.start].strip() if last and draft.start - last.end <= _WIDEST_GAP else None
        if last and gap is not None:
            _read_inches(text, last, draft, gap)
        if last and gap in _COMPOUND_GAPS and _continues(last, draft, gap):
            _add_part(last, draft)
        elif last and gap == "(" and text[draft.end : draft.end + 1] == ")" and _repeats(last, draft):
            _take_unit_behind(text, last, draft, tag)
        else:
            kept.append(draft)
    drafts[:] = kept


_INCH: Final = re.compile(r"[ \u00a0]?in\b\.?|\"|(?![ \u00a0]?[^\W_])")


def _read_inches(text: str, last: Draft, draft: Draft, gap: str) -> None:
    """Take the number behind feet for inches: 5 ft 10, 5 ft 10 in."""
    if last.unit != "ft" or gap or draft.unit is not None or draft.kind is not QuantityKind.NUMBER:
        return
    match = _INCH.match(text, draft.end)
    if match is not None and draft.value is not None and draft.value < _INCHES_IN_FOOT:
        draft.kind, draft.unit, draft.end = QuantityKind.MEASURE, "in", match.end()


_INCHES_IN_FOOT: Final = Decimal(12)


def _continues(last: Draft, draft: Draft, gap: str) -> bool:
    """Whether minutes follow hours, months years or cents euros: the smaller part of one amount."""
    if last.unit is None or draft.unit is None or last.unit == draft.unit or last.value is None or draft.value is None:
        return False
    which = dimension(last.unit)
    if dimension(draft.unit) is not which or last.alternatives or draft.alternatives:
        return False
    is_money = which is Dimension.MONEY and draft.unit in MONEY_PARTS and same_unit(last.unit, draft.unit)
    if not (which in _COMPOUND or is_money or (not gap and _COMPOUND_UNITS.get(last.unit) == draft.unit)):
        return False
    parts = ARITHMETIC.divide(factor(last.unit), factor(draft.unit))
    return 0 < draft.value < parts


def _add_part(last: Draft, draft: Draft) -> None:
    parts = ARITHMETIC.divide(factor(last.unit or ""), factor(draft.unit or ""))
    last.value = ARITHMETIC.add(ARITHMETIC.multiply(last.value or Decimal(0), parts), draft.value or Decimal(0))
    last.unit, last.step, last.end, last.per = draft.unit, draft.step, draft.end, draft.per


_OF_GAPS: Final = frozenset(("in", "in every", "out of", "out of every", "of every", "von", "sur", "de cada"))
_MOST_OF: Final = Decimal(1000)
SHARE_STEP: Final = Decimal((0, (1,), -20))
"""Shares are cut to these places, so that two thirds in words, 2/3 and 2 of 3 are one value."""


def _merge_shares(text: str, drafts: list[Draft], words: Language) -> None:
    """Make a share of "one in five" and "9 out of 10"."""
    kept: list[Draft] = []
    for draft in drafts:
        last = kept[-1] if kept else None
        if last and draft.start - last.end <= _WIDEST_GAP and _is_share(text, last, draft, words):
            count, whole = last.value or Decimal(0), draft.value or Decimal(1)
            share = ARITHMETIC.divide(count, whole)
            last.value, last.parts = share.quantize(SHARE_STEP, context=ARITHMETIC), (count, whole)
            last.end, last.fraction, last.incidental, last.alternatives = draft.end, True, False, ()
        else:
            kept.append(draft)
    drafts[:] = kept


def _is_share(text: str, last: Draft, draft: Draft, words: Language) -> bool:
    if any(one.kind is not QuantityKind.NUMBER or one.unit is not None or one.fraction for one in (last, draft)):
        return False
    if last.value is None or draft.value is None or not 0 < last.value < draft.value <= _MOST_OF:
        return False
    if draft.scale != 1 or last.value != int(last.value) or draft.value != int(draft.value):
        return False
    gap = text[last.end : draft.start].strip().lower()
    return gap in _OF_GAPS and not (gap == "von" and words.tag != "de") and not (gap == "sur" and words.tag != "fr")


def _repeats(last: Draft, draft: Draft) -> bool:
    return last.unit is None and draft.unit is None and last.value is not None and last.value == draft.value


def _take_unit_behind(text: str, last: Draft, draft: Draft, tag: str | None) -> None:
    unit = unit_at(text, draft.end + 1, tag)
    last.incidental = False
    last.end = draft.end + 1
    if unit is not None:
        last.unit, last.end = unit
        last.kind = kind_of(last.unit)


def _is_range(gap: str, text: str, low: Draft, words: Language) -> bool:
    if gap in _DASHES or gap in words.ranges:
        return True
    if gap not in words.lists:
        return False
    before = text[max(0, low.start - 24) : low.start].lower().split()
    return any(word in _BETWEEN for word in before[-3:])


def _join_range(low: Draft, high: Draft) -> None:
    low.bound, high.bound = Bound.LOW, Bound.HIGH
    if QuantityKind.DATE in {low.kind, high.kind}:
        _join_dates(low, high)
    elif high.kind is QuantityKind.TIME and low.kind is QuantityKind.NUMBER:
        _become_hour(low, high)
    elif low.value is not None and high.value is not None:
        _share_scale(low, high)
        _share_unit(low, high)
    high.approximate = high.approximate or low.approximate


def _join_dates(low: Draft, high: Draft) -> None:
    """In "1 to 5 July 2024" the first takes month and year of the second; in "July 1-5" the second of the first."""
    if high.kind is QuantityKind.DATE:
        if high.unit == "century" and low.kind in {QuantityKind.NUMBER, QuantityKind.ORDINAL} and low.unit is None:
            low.kind, low.unit, low.year = QuantityKind.DATE, "century", (_whole(low) - 1) * 100 + 1
            low.value, low.alternatives = None, ()
        elif low.kind is QuantityKind.NUMBER and low.unit is None and high.day is not None and _is_day(low):
            low.kind, low.day, low.month, low.year = QuantityKind.DATE, _whole(low), high.month, high.year
            low.value, low.alternatives = None, ()
        elif low.kind is QuantityKind.DATE and low.year is None and low.month is not None:
            low.year = high.year
        elif low.kind is QuantityKind.NUMBER and low.unit is None and high.year is not None and high.year < 0:
            low.kind, low.year, low.value, low.alternatives = QuantityKind.DATE, -_whole(low), None, ()
    elif high.kind is QuantityKind.NUMBER and high.unit is None and low.day is not None and _is_day(high):
        high.kind, high.day, high.month, high.year = QuantityKind.DATE, _whole(high), low.month, low.year
        high.value, high.alternatives = None, ()


def _is_day(draft: Draft) -> bool:
    return draft.noun is None and draft.value is not None and draft.value == _whole(draft) and 1 <= draft.value <= 31  # noqa: PLR2004  days


def _whole(draft: Draft) -> int:
    return int(draft.value or 0)


def _become_hour(low: Draft, high: Draft) -> None:
    """In "9 to 11 am" nine is in the morning as well."""
    if low.value is None or low.value != _whole(low) or not 0 <= low.value <= 24 or low.unit is not None:  # noqa: PLR2004  hours
        return
    minutes = Decimal(_whole(low) * 60)
    half_day = Decimal(12 * 60)
    morning = high.unit == "pm" and high.value is not None and minutes < high.value - half_day
    low.kind = QuantityKind.TIME
    low.value = minutes + half_day if morning and minutes < half_day else minutes
    low.alternatives = (minutes,) if low.value != minutes else ()


def _share_scale(low: Draft, high: Draft) -> None:
    """In "5 to 10 million" both are millions if the first is then still the smaller."""
    if (
        high.scale == 1
        or low.scale != 1
        or low.value is None
        or high.value is None
        or low.unit not in {None, high.unit, "$"}
    ):
        return
    if (high.unit is None and low.unit is None) or high.unit == low.unit or low.unit is None or high.unit is None:
        scaled = ARITHMETIC.multiply(low.value, high.scale)
        if scaled < high.value:
            low.alternatives = (low.value, *low.alternatives)
            low.value, low.scale = scaled, high.scale
            low.step = ARITHMETIC.multiply(low.step, high.scale)


def _share_unit(low: Draft, high: Draft) -> None:
    giver, taker = (high, low) if low.unit is None else (low, high)
    takes = taker.unit is None and taker.kind is QuantityKind.NUMBER and not (taker is high and taker.incidental)
    if giver.unit is not None and takes:
        taker.kind, taker.unit, taker.noun, taker.incidental = giver.kind, giver.unit, None, False
    if not low.per:
        low.per = high.per


def _join_list(low: Draft, high: Draft) -> None:
    """In "8, 10 or 12 hours" a number without unit may be read with that of the next one."""
    is_day = low.kind is QuantityKind.NUMBER and high.day is not None and _is_day(low)
    is_century = low.kind is QuantityKind.ORDINAL and high.unit == "century"
    if high.kind is QuantityKind.DATE and (is_day or is_century):
        _join_dates(low, high)
    elif low.kind is QuantityKind.NUMBER and low.unit is None:
        low.hints = high.hints | ({high.unit} if high.unit else set())


# --- headings ----------------------------------------------------------------------------------------------------

_HEADING: Final = re.compile(r"(?:[(\[|][ \u00a0]?(?:in )?|(?<!\w)in )(?=[%€$£¥‰°]|[^\W\d_])")
_AFTER_HEADING: Final = frozenset(" )]|,.:;\n")
_MOST_HEADINGS: Final = 200


def _heads_a_scale(name: str, opening: str) -> bool:
    """Whether a scale word is meant for the numbers below: "(millions)", "in thousands", no "in million-year steps"."""
    return name.endswith("s") or len(name) <= len("Mio") or "(" in opening


def _apply_headings(text: str, bare: Sequence[Draft], words: Language, tag: str | None) -> None:
    """Units and scales in brackets, table heads or after "in" hold for numbers that stand without one."""
    units: set[str] = set()
    scales: set[Decimal] = set()
    for count, match in enumerate(_HEADING.finditer(text)):
        if count > _MOST_HEADINGS:
            break
        place = match.end()
        word = re.match(r"[^\W\d_]*", text[place : place + 16])
        name = word[0].lower() if word else ""
        scale = words.scales.get(name.removesuffix("s")) if _heads_a_scale(name, match[0]) else None
        if scale is not None:
            scales.add(Decimal(scale))
            place += len(name)
            place += text[place : place + 1] == "."
        found = unit_at(text, place, tag, linked=scale is not None)
        if found is not None and (text[found[1] : found[1] + 1] or ")") in _AFTER_HEADING:
            units.add(found[0])
    if not units and not scales:
        return
    for draft in bare:
        draft.hints |= units
        if draft.value is not None and draft.scale == 1:
            draft.alternatives += tuple(ARITHMETIC.multiply(draft.value, scale) for scale in sorted(scales))
