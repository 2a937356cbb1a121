"""What became of every number, date and amount of a claim, looked up in the whole text of the chunks it cites.

A number whose passage says it of something else is left to `claims`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

from pytest_grounded.checks.arithmetic import derived_values, gives
from pytest_grounded.checks.base import Judged, once
from pytest_grounded.checks.contrasts import figures_set_aside
from pytest_grounded.checks.counting import enumerated, listed_counts
from pytest_grounded.checks.lookup import QuantityIndex
from pytest_grounded.checks.passages import Passage, passage_table, passages_of, root, roots_of
from pytest_grounded.checks.roughly import bounded_by
from pytest_grounded.checks.service import is_of_the_service
from pytest_grounded.checks.spelled import worked_out
from pytest_grounded.checks.states import ClaimState, claim_states, is_echo, known_markers, quantities_said
from pytest_grounded.checks.unsaid import said_by, unsaid_claims
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import (
    Match,
    Quantity,
    QuantityKind,
    best_match,
    date_quantity,
    find_quantities,
)
from pytest_grounded.text.quantity_join import SHARE_STEP
from pytest_grounded.text.remembering import remembered

__all__ = [
    "NumberFate",
    "NumberState",
    "NumberTable",
    "best_in",
    "number_states",
    "number_table",
    "numbers_of",
    "numbers_said",
]


class NumberFate(StrEnum):
    """What a quantity of a claim turned out to be."""

    SUPPORTED = "supported"
    ECHO = "echo"
    """It only restates the question or the day of the question."""
    DERIVED = "derived"
    """It is the result of the stated derivation, or counts what is cited."""
    AMBIGUOUS_DATE = "ambiguous_date"
    UNIT_OR_SCALE = "unit_or_scale"
    UNSUPPORTED = "unsupported"
    UNDATED = "undated"
    """A date whose day and month stand in a chunk that gives no year, nor any day on which it holds."""
    UNCHECKED = "unchecked"
    """No cited chunk is there to be looked into."""

    @property
    def is_good(self) -> bool:
        """Whether the claim may state it."""
        return self in (NumberFate.SUPPORTED, NumberFate.ECHO, NumberFate.DERIVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberState:
    """A quantity of a claim, what came of it, and the quantity of a cited chunk it was compared with."""

    claim: int
    quantity: Quantity
    fate: NumberFate
    chunk: str | None = None
    source: Quantity | None = None


@once
def number_states(judged: Judged) -> tuple[NumberState, ...]:
    """Every quantity of every claim."""
    return tuple(number for state in claim_states(judged) for number in numbers_of(judged, state))


def numbers_of(judged: Judged, state: ClaimState) -> tuple[NumberState, ...]:
    """Every quantity of a claim; of one that a source says word for word they are read only when asked for."""
    holder = said_by(judged, state)
    if holder is None:
        return _looked_up(judged)[state.index]
    return tuple(
        NumberState(claim=state.index, quantity=quantity, fate=NumberFate.SUPPORTED, chunk=holder.id)
        for quantity in quantities_said(judged, state.text)
    )


@once
def _looked_up(judged: Judged) -> Mapping[int, tuple[NumberState, ...]]:
    """The quantities of the claims that no source says, by the index of their claim."""
    found: dict[int, tuple[NumberState, ...]] = {}
    missed = 0
    for state in unsaid_claims(judged):
        # Looking around for a near match costs a scan; a reply with hundreds of wrong numbers is wrong without it.
        numbers = _of_claim(judged, state, thorough=missed < _MOST_SCANNED)
        missed += sum(not one.fate.is_good for one in numbers)
        found[state.index] = numbers
    return found


def numbers_said(judged: Judged, state: ClaimState) -> tuple[NumberState, ...]:
    """The quantities of a statement that is no whole claim."""
    return _of_claim(judged, state, thorough=False)


_MOST_SCANNED = 200


def _of_claim(judged: Judged, state: ClaimState, *, thorough: bool) -> tuple[NumberState, ...]:
    found: list[NumberState] = []
    for quantity in quantities_said(judged, state.text):
        found.append(_look_up(judged, state, quantity, thorough=thorough and len(found) < _MOST_SCANNED))
    if not all(one.fate.is_good for one in found):
        found = _worked_out(state, _told_as_shares(state, found))
    if not all(one.fate.is_good for one in found):
        aside = {one.quantity for one in figures_set_aside(judged, state.text)}
        found = [_echoing(one) if one.quantity in aside and not one.fate.is_good else one for one in found]
    carried = any(one.fate in (NumberFate.SUPPORTED, NumberFate.DERIVED) for one in found)
    if carried:
        return tuple(found)
    return tuple(_not_swapped(state, one) if one.fate is NumberFate.ECHO else one for one in found[:_MOST_SCANNED])


_MAY_BE_RESULTS = frozenset({NumberFate.UNSUPPORTED, NumberFate.UNIT_OR_SCALE})


def _told_as_shares(state: ClaimState, found: list[NumberState]) -> list[NumberState]:
    """The numbers, two of which are one share good where a source says the share: "3 of 5" of three fifths, of 60 %."""
    said: dict[Quantity, NumberState] = {}
    for first, second, share in _shares_in_two(state.text, [one.quantity for one in found]):
        match, chunk, source = best_in(share, state.sources)
        if match is Match.EQUAL and source is not None and (source.fraction or source.kind is QuantityKind.PERCENT):
            good = NumberState(claim=state.index, quantity=share, fate=NumberFate.SUPPORTED, chunk=chunk, source=source)
            said |= {one: replace(good, quantity=one) for one in (first, second)}
    return [said.get(one.quantity, one) for one in found]


def _worked_out(state: ClaimState, found: list[NumberState]) -> list[NumberState]:
    """The numbers, those good that the claim works out from the good ones before them."""
    done = {one.quantity.start: one.fate.is_good for one in found}
    results = {
        one.start
        for one in worked_out(state.text, [one.quantity for one in found])
        if all(good for start, good in done.items() if start < one.start)
    }
    return [
        replace(one, fate=NumberFate.DERIVED, chunk=None, source=None)
        if one.quantity.start in results and one.fate in _MAY_BE_RESULTS
        else one
        for one in found
    ]


def _echoing(number: NumberState) -> NumberState:
    """The same number taken for one of the question that the claim only denies."""
    return number if number.fate is NumberFate.UNCHECKED else replace(number, fate=NumberFate.ECHO, chunk=None)


def _look_up(judged: Judged, state: ClaimState, quantity: Quantity, *, thorough: bool) -> NumberState:
    fate, chunk, source = _fate(judged, state, quantity, thorough=thorough)
    return NumberState(claim=state.index, quantity=quantity, fate=fate, chunk=chunk, source=source)


def _fate(
    judged: Judged, state: ClaimState, quantity: Quantity, *, thorough: bool
) -> tuple[NumberFate, str | None, Quantity | None]:
    if not state.sources:
        return NumberFate.UNCHECKED, None, None
    match, chunk, source = best_in(quantity, state.sources, thorough=thorough)
    if match is Match.EQUAL and source is not None and _is_another_version(state, quantity, chunk, source):
        return NumberFate.UNSUPPORTED, chunk, source
    if match is Match.EQUAL:
        return NumberFate.SUPPORTED, chunk, source
    if any(gives(quantity, value) for value in derived_values(state.claim)) or _counts_sources(state, quantity):
        return NumberFate.DERIVED, None, None
    if quantity.kind is QuantityKind.CODE and quantity.raw in known_markers(judged).ids:
        return NumberFate.DERIVED, None, None  # "according to c1": the name of a source
    if is_echo(judged, quantity):
        return NumberFate.ECHO, None, None
    is_said_so = thorough and (_says_none(state, quantity) or _says_always(state, quantity))
    if is_said_so or (thorough and _counts_enumerated(state, quantity)):
        return NumberFate.DERIVED, None, None
    holder = _bounded(state, quantity) if thorough else None
    if holder is not None:
        return NumberFate.SUPPORTED, holder[0].id, holder[1]
    undated = _undated(quantity, state.sources) if thorough else None
    if undated is not None:
        return _year_of(judged, quantity, undated), undated.id, None
    return _FATES[match], chunk, source


def _undated(quantity: Quantity, chunks: Iterable[Chunk]) -> Chunk | None:
    """The chunk that has the day or month of a date and leaves its year open."""
    if quantity.kind is not QuantityKind.DATE or quantity.year is None or quantity.month is None:
        return None
    return next((chunk for chunk in chunks if number_table(chunk).leaves_year_open(quantity)), None)


def _year_of(judged: Judged, quantity: Quantity, chunk: Chunk) -> NumberFate:
    """Whether a date in the chunk may be of that year: while it holds, or the year after; undated text says nothing."""
    asked = judged.case.as_of
    if chunk.effective_from is None and chunk.effective_to is None:
        return NumberFate.SUPPORTED if quantity.year == asked.year else NumberFate.UNDATED
    start, end = chunk.effective_from or asked, chunk.effective_to or asked
    years = range(min(start, asked).year, max(end, asked).year + 2)
    return NumberFate.SUPPORTED if quantity.year in years else NumberFate.UNSUPPORTED


_NAMED = re.compile(r"(?:\b(?:versions?|release|v|rev)|\b[A-Z]\w+)\W{0,2}$")
_LONGEST_NAME = 24


def _is_another_version(state: ClaimState, stated: Quantity, chunk_id: str | None, source: Quantity) -> bool:
    """Whether both are versions of the same thing and differ in writing alone: 3.10 is not 3.1."""
    if stated.kind is not QuantityKind.NUMBER or stated.unit is not None or stated.raw == source.raw:
        return False
    if "." not in stated.raw or "." not in source.raw or stated.raw.rstrip("0") != source.raw.rstrip("0"):
        return False
    chunk = next((one for one in state.sources if one.id == chunk_id), None)
    if chunk is None or chunk.text[source.start : source.end] != source.raw:
        return False
    names = [
        _NAMED.search(text[max(0, quantity.start - _LONGEST_NAME) : quantity.start])
        for text, quantity in ((state.text, stated), (chunk.text, source))
    ]
    return all(name is not None for name in names)


_FATES = {
    Match.AMBIGUOUS_DATE: NumberFate.AMBIGUOUS_DATE,
    Match.UNIT_OR_SCALE: NumberFate.UNIT_OR_SCALE,
    Match.NONE: NumberFate.UNSUPPORTED,
    Match.EQUAL: NumberFate.SUPPORTED,
}
_WORST_FIRST = (Match.NONE, Match.UNIT_OR_SCALE, Match.AMBIGUOUS_DATE, Match.EQUAL)


def best_in(
    quantity: Quantity, chunks: Iterable[Chunk], *, thorough: bool = True
) -> tuple[Match, str | None, Quantity | None]:
    """The best match of a quantity in some chunks, with the chunk and the quantity it was found in.

    Unless `thorough` only equal values are found: no roundings, no same digits with another unit.
    """
    best: tuple[Match, str | None, Quantity | None] = (Match.NONE, None, None)
    for chunk in chunks:
        match, source = number_table(chunk).best(quantity, thorough=thorough)
        if _WORST_FIRST.index(match) > _WORST_FIRST.index(best[0]):
            best = match, chunk.id, source
        if match is Match.EQUAL:
            break
    return best


def _counts_sources(state: ClaimState, quantity: Quantity) -> bool:
    """Whether it counts what the claim cites or was searched, or what it lists: "there are 2 guides: this and that"."""
    if quantity.kind is not QuantityKind.NUMBER or quantity.unit is not None or quantity.value is None:
        return False
    if is_of_the_service(state.text, quantity):
        return True
    return quantity.value > 1 and (quantity.value == len(state.sources) or quantity.value in listed_counts(state.text))


_MOST_COUNTED = 30


def _counts_enumerated(state: ClaimState, quantity: Quantity) -> bool:
    """Whether it counts what a source lists: "three years" of 2019, 2020 and 2021, "two offices" of Berlin and Rome."""
    if quantity.value is None or not 1 < quantity.value <= _MOST_COUNTED:
        return False
    if quantity.unit == "year":
        return any(_years_in(passage) == quantity.value for chunk in state.sources for passage in passages_of(chunk))
    if quantity.kind is not QuantityKind.NUMBER or quantity.unit is not None or quantity.noun is None:
        return False
    noun, count = root(quantity.noun), int(quantity.value)
    tables = [(chunk, passage_table(chunk)) for chunk in state.sources]
    return any(
        (noun in table.heard and count in listed_counts(chunk.text))
        or any(noun in passage.words and count in enumerated(passage.text) for passage in table.with_any((noun,)))
        for chunk, table in tables
    )


def _bounded(state: ClaimState, quantity: Quantity) -> tuple[Chunk, Quantity] | None:
    """The chunk and its figure that a bound of the claim is cut off from: "more than 8,000" of 8,234."""
    for chunk in state.sources:
        source = bounded_by(state.text, quantity, number_table(chunk).stated)
        if source is not None:
            return chunk, source
    return None


_ALWAYS_OPEN = re.compile(
    r"\b(?:(?:a?round the|24.hour) clock|day and night|rund um die uhr|jour et nuit|día y noche|giorno e notte)\b"
    r"|全天候|昼夜|晝夜|二十四小时|終日|चौबीस(?:ों)? घंटे",
    re.IGNORECASE,
)


def _says_always(state: ClaimState, quantity: Quantity) -> bool:
    """Whether it is the 24 hours a day or 7 days a week of what a source says is there around the clock."""
    if (quantity.value, quantity.unit) not in _ALWAYS or quantity.per.isdisjoint(("day", "week")):
        return False
    return any(_ALWAYS_OPEN.search(chunk.text) for chunk in state.sources)


_ALWAYS: tuple[tuple[Decimal | None, str | None], ...] = ((Decimal(24), "h"), (Decimal(7), "day"))
_NONE = re.compile(
    r"\b(?:no|free(?: of charge)?|without (?:charge|cost|fee)|none|nothing|kein\w*|kostenlos|kostenfrei|gebührenfrei|"
    r"gratuit\w*|gratis|aucun\w*|ningún|ninguna|senza|nessun\w*|geen)\b|免费|免費|無料",
    re.IGNORECASE,
)


def _says_none(state: ClaimState, quantity: Quantity) -> bool:
    """Whether it is the nought of what a source says there is none of: a fee of $0 where "no fee is charged"."""
    if quantity.value != 0 or quantity.kind in (QuantityKind.TIME, QuantityKind.DATE):
        return False
    said = roots_of(state.text)
    return any(
        not said.isdisjoint(passage.words) and _NONE.search(passage.text)
        for chunk in state.sources
        for passage in passages_of(chunk)
    )


def _years_in(passage: Passage) -> int:
    """How many different years a passage names, one beside the other."""
    return len({one.calendar_year for one in passage.quantities if one.calendar_year is not None})


def _not_swapped(state: ClaimState, echo: NumberState) -> NumberState:
    """An echo that is all a claim states may not stand where the source's own sentence has something else.

    "The deadline is 45 days", asked about 45 days, from "The deadline is 30 days" says something; "not after 45 days"
    from "within 30 days" is another sentence.
    """
    said = roots_of(state.text)
    for chunk in state.sources:
        for passage in passages_of(chunk):
            others = [other for other in passage.quantities if other.kind is echo.quantity.kind]
            if not others or not said or not said <= passage.words:
                continue
            if polarity_profile(passage.text).bounds == polarity_profile(state.text).bounds:
                return NumberState(
                    claim=echo.claim,
                    quantity=echo.quantity,
                    fate=NumberFate.UNSUPPORTED,
                    chunk=chunk.id,
                    source=others[0],
                )
    return echo


class NumberTable:
    """The quantities a chunk has `stated`, ready to be looked up by value, and those it is labelled with (`about`)."""

    def __init__(self, text: tuple[Quantity, ...], about: tuple[Quantity, ...]) -> None:
        self.stated = text
        self.about = about
        self._index = QuantityIndex((quantity, None) for quantity in text)
        self._by_digits: dict[str, list[Quantity]] = defaultdict(list)
        for quantity in text:
            self._by_digits[_first_digits(quantity)].append(quantity)

    def best(self, quantity: Quantity, *, thorough: bool = True) -> tuple[Match, Quantity | None]:
        """The best match; equal values are found without looking at the rest."""
        match, source = best_match(quantity, (alike for alike, _ in self._index.alike(quantity)))
        if match is Match.EQUAL:
            return match, source
        about, label = best_match(quantity, self.about)
        if about is Match.EQUAL or not thorough:
            return (about, label) if about is Match.EQUAL else (match, source)
        return best_match(quantity, self._nearby(quantity))

    def leaves_year_open(self, date_stated: Quantity) -> bool:
        """Whether the day or month of a date stands in the text without a year."""
        dates = (one for one in self.stated if one.kind is QuantityKind.DATE and one.year is None and not one.ambiguous)
        return any(one.month == date_stated.month and date_stated.day in (None, one.day) for one in dates)

    def _nearby(self, quantity: Quantity) -> tuple[Quantity, ...]:
        """What is compared one by one: everything, or in a text of thousands of numbers what begins alike."""
        if len(self.stated) <= _MOST_ALIKE:
            return self.stated
        return tuple(self._by_digits.get(_first_digits(quantity), ())[:_MOST_ALIKE])


_MOST_ALIKE = 2_000


def number_table(chunk: Chunk) -> NumberTable:
    """The table of a chunk, made once."""
    labels = " \n".join(part for part in (chunk.title, chunk.locator, chunk.version, chunk.document) if part)
    return _table(chunk.text, chunk.lang, labels, chunk.effective_from, chunk.effective_to)


@remembered(1_024)
def _table(text: str, lang: str | None, labels: str, *days: date | None) -> NumberTable:
    """What stands beside the text is known with it: title, place, version, days of validity."""
    validity = (date_quantity(day) for day in days if day is not None)
    about = (*find_quantities(labels, lang=lang, labels=True), *validity)
    stated = find_quantities(text, lang=lang, incidental=True, labels=True)
    return NumberTable((*stated, *_as_shares(text, stated)), about)


_OF = re.compile(
    r"(?:\s[^\W\d_]+)?\s(?:(?:out )?of|von|der|des|sur|de|di|van|su)(?:\s(?:the|every|den|les|los|las|cada))?\s",
    re.IGNORECASE,
)
_AMONG = re.compile(r"\s?[人名票件个個]?(?:中有?|のうち|の内|當中|当中|之中)の?")
_LONGEST_OF = 24


def _as_shares(text: str, stated: tuple[Quantity, ...]) -> Iterator[Quantity]:
    """What a share said in two numbers can be said as besides: "3 of the 5" as 3/5, "3 out of 5" as 3 and 5."""
    for quantity in stated:
        for part in quantity.parts:
            yield replace(quantity, value=part, alternatives=(), fraction=False, parts=())
    for _, _, share in _shares_in_two(text, stated):
        yield share


def _shares_in_two(text: str, stated: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity, Quantity]]:
    """Each two numbers that are one share, with the share: "3 of the 5", "3 membres sur 5", 5人中3人."""
    for first, second in pairwise(stated):
        gap = text[first.end : second.start] if second.start - first.end <= _LONGEST_OF else ""
        count, whole = (second, first) if _AMONG.fullmatch(gap) else (first, second)
        is_share = (count is second or _OF.fullmatch(gap)) and _counts(count) and _counts(whole)
        if is_share and 0 < count.readings[0] < whole.readings[0]:
            share = ARITHMETIC.divide(count.readings[0], whole.readings[0]).quantize(SHARE_STEP, context=ARITHMETIC)
            yield first, second, replace(count, value=share, alternatives=(), fraction=True, noun=None)


def _counts(quantity: Quantity) -> bool:
    plain = quantity.kind is QuantityKind.NUMBER and quantity.unit is None and not quantity.fraction
    return plain and quantity.value is not None and quantity.value == int(quantity.value)


def _first_digits(quantity: Quantity) -> str:
    digits = "".join(character for character in quantity.raw if character.isdigit()).strip("0")
    return f"{quantity.kind is QuantityKind.DATE}{digits[:2]}"
