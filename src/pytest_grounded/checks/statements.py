"""Which values a response gives away, and which chunks they are from.

To state a fact is to give a number, date, amount, code or `facts` value of a chunk that the question does not have.
Only chunks the requester may read are looked into: what others give away is a leak, not a statement.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from pytest_grounded.checks.base import Judged, once
from pytest_grounded.checks.denials import is_denied
from pytest_grounded.checks.lookup import QuantityIndex
from pytest_grounded.checks.number_states import NumberFate, number_states
from pytest_grounded.checks.passages import quantities_of
from pytest_grounded.checks.quote_states import QuoteFate, quote_states
from pytest_grounded.checks.service import is_of_the_service
from pytest_grounded.checks.states import (
    Shown,
    claim_states,
    is_answered,
    is_echo,
    prose,
    quantities_said,
    question_quantities,
    question_text,
    shown_text,
)
from pytest_grounded.corpus.conflicts import standing_conflicts
from pytest_grounded.model.evidence import Chunk, CorpusView
from pytest_grounded.model.vocabulary import CaseKind, ReasonCode
from pytest_grounded.text.folding import fold
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, find_quantities, match_quantity
from pytest_grounded.text.values import contains_value, find_value, same_value
from pytest_grounded.text.words import content_words

__all__ = [
    "Disclosed",
    "Statement",
    "ValueIndex",
    "disclosed_values",
    "in_question",
    "invented_beside",
    "is_count",
    "stale_statements",
    "stated_facts",
    "stated_slots",
    "value_index",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A value that a text of the response gives, as written, and the chunks that give it; `slot` where it fills one."""

    path: str
    value: str
    chunks: tuple[str, ...] = ()
    slot: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosed:
    """Values that are shown as the sides of a disagreement, and the chunks that are its sides."""

    values: tuple[str, ...] = ()
    chunks: frozenset[str] = frozenset()

    def covers(self, statement: Statement) -> bool:
        """Whether a statement only shows a side."""
        if not self.chunks.isdisjoint(statement.chunks):
            return True
        return any(same_value(value, statement.value) for value in self.values)


class ValueIndex:
    """The values that the readable chunks of a corpus give, each with the chunks that give it."""

    def __init__(self, view: CorpusView) -> None:
        self._chunks = tuple(view.readable.values())

    @cached_property
    def _quantities(self) -> QuantityIndex[Chunk]:
        return QuantityIndex(
            (quantity, chunk)
            for chunk in self._chunks
            for quantity in (*quantities_of(chunk), *_fact_quantities(chunk))
            if quantity.kind is not QuantityKind.LABEL
        )

    @cached_property
    def _words(self) -> dict[str, list[tuple[Chunk, str]]]:
        """Values that are words, by their first content word."""
        index: dict[str, list[tuple[Chunk, str]]] = defaultdict(list)
        for chunk in self._chunks:
            for fact in chunk.facts:
                words = content_words(fact.value)
                if words and not find_quantities(fact.value) and fold(fact.value) not in _SAY_LITTLE:
                    index[words[0]].append((chunk, fact.value))
        return index

    def holders(self, quantity: Quantity) -> tuple[Chunk, ...]:
        """The chunks that give a quantity."""
        given = self._quantities.equal(quantity)
        return tuple({chunk.id: chunk for other, chunk in given if _counts_the_same(quantity, other)}.values())

    def worded(self, text: str) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
        """Every `facts` value made of words that a text gives, with the chunks that give it."""
        if not self._words:
            return
        found: dict[str, list[Chunk]] = defaultdict(list)
        for word in dict.fromkeys(content_words(text)):
            for chunk, value in self._words.get(word, ()):
                if contains_value(text, value):
                    found[value].append(chunk)
        for value, chunks in found.items():
            yield value, tuple({chunk.id: chunk for chunk in chunks}.values())


_SAY_LITTLE = frozenset("yes no true false none null unknown n/a ja nein oui non si sí".split())  # noqa: SIM905 - a list of words


@lru_cache(maxsize=64)
def value_index(view: CorpusView) -> ValueIndex:
    """The index of a view, built when it is first asked."""
    return ValueIndex(view)


def is_count(quantity: Quantity) -> bool:
    """Whether it is a plain number without unit: how many of something."""
    return quantity.kind is QuantityKind.NUMBER and quantity.unit is None and quantity.calendar_year is None


@once
def stated_slots(judged: Judged) -> tuple[Statement, ...]:
    """Slot values that the response gives though the question does not have them."""
    texts = tuple(_texts(judged, quotes=True))
    asked = question_text(judged)
    return tuple(
        Statement(path=path, value=value, slot=slot.name)
        for slot in judged.case.expect.slots
        for value in slot.values
        if not contains_value(asked, value)
        for path, text in texts
        if contains_value(text, value)
    )


@once
def stated_facts(judged: Judged) -> tuple[Statement, ...]:
    """Values that text and claims give and the question does not have: those of chunks, and invented amounts."""
    return tuple(
        Statement(path=path, value=value, chunks=tuple(chunk.id for chunk in chunks))
        for path, text in _texts(judged, quotes=False)
        for value, chunks in _given(judged, text, invented=True)
    )


@once
def invented_beside(judged: Judged) -> tuple[Statement, ...]:
    """Amounts that no readable chunk and not the question gives, in what is shown beside text and claims."""
    return tuple(
        Statement(path=shown.path, value=value)
        for shown in prose(judged)
        if _is_beside(shown)
        for value, chunks in _given(judged, shown.text, asserted=True, invented=True)
        if not chunks
    )


@once
def stale_statements(judged: Judged) -> tuple[Statement, ...]:
    """Values that only chunks give which are not in force or do not apply.

    An answer may name such a value to deny it; an abstention may not name it at all.
    """
    usable = judged.view.usable
    if all(map(usable, judged.view.readable)):
        return ()  # nothing is there that could be stale
    return tuple(
        Statement(path=path, value=value, chunks=tuple(chunk.id for chunk in chunks))
        for path, text in _texts(judged, quotes=not is_answered(judged))
        for value, chunks in _given(judged, text, asserted=is_answered(judged))
        if not any(usable(chunk.id) for chunk in chunks)
    )


@once
def disclosed_values(judged: Judged) -> Disclosed:
    """The sides of the disagreement that the response shows or the case is about; nothing where there is none."""
    response = judged.response
    is_conflict = (
        judged.case.kind is CaseKind.CONFLICTING or judged.outcome.reason_code == ReasonCode.CONFLICTING_EVIDENCE
    )
    if response is None or not (is_conflict or response.conflicts):
        return Disclosed()
    shown = [side for conflict in response.conflicts for side in conflict.sides]
    expected = judged.case.expect.conflict.sides if judged.case.expect.conflict else ()
    standing = [side for sides in standing_conflicts(judged.view).values() for side in sides]
    readable = judged.view.readable
    chunks = {chunk for sides in (shown, expected, standing) for side in sides for chunk in side.chunks}
    return Disclosed(values=tuple(side.value for side in shown), chunks=frozenset(chunks & readable.keys()))


def in_question(judged: Judged, quantity: Quantity) -> bool:
    """Whether the question has this value itself."""
    return any(match_quantity(quantity, asked) is Match.EQUAL for asked in question_quantities(judged))


def _texts(judged: Judged, *, quotes: bool) -> Iterator[tuple[str, str]]:
    yield "text", shown_text(judged)
    for state in claim_states(judged):
        yield state.at("text"), state.text
    if not is_answered(judged):
        yield from ((shown.path, shown.text) for shown in prose(judged) if _is_beside(shown))
    if quotes:
        for quote in quote_states(judged):
            if quote.fate is not QuoteFate.UNCHECKED:
                yield quote.path, quote.quote


_ELSEWHERE = ("text", "claims[", "conflicts[", "sources[", "stream", "actions[")


def _is_beside(shown: Shown) -> bool:
    """Whether a text stands beside the answer itself and is written for people: a step to take, a field of its own."""
    return not shown.quoted and not shown.path.startswith(_ELSEWHERE) and len(shown.text.split()) > 2  # noqa: PLR2004 (a sentence, not "280 ms")


def _given(
    judged: Judged, text: str, *, asserted: bool = False, invented: bool = False
) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
    """The values of readable chunks in a text; with `asserted` without those that are denied.

    With `invented` also amounts that no chunk gives.
    """
    index = value_index(judged.view)
    done = set(_founded(judged)) if asserted else set[str]()
    for quantity in quantities_said(judged, text):
        if quantity.raw in done or _restates(judged, quantity) or _says_little(text, quantity):
            continue
        holders = index.holders(quantity)
        if _is_window(quantity, holders) or not (holders or (invented and _is_amount(text, quantity))):
            continue
        if not asserted or not is_denied(text, quantity.start, quantity.end):
            done.add(quantity.raw)
            yield quantity.raw, holders
    asked = question_text(judged)
    for value, chunks in index.worded(text):
        if contains_value(asked, value):
            continue
        if not asserted or not all(is_denied(text, start, end) for start, end in find_value(text, value)):
            yield value, chunks


def _restates(judged: Judged, quantity: Quantity) -> bool:
    """Whether the question says it itself."""
    return in_question(judged, quantity) or is_echo(judged, quantity)


@once
def _founded(judged: Judged) -> frozenset[str]:
    """Numbers of claims, as written, that stand in a cited chunk which may be relied on."""
    usable = judged.view.usable
    return frozenset(
        number.quantity.raw
        for number in number_states(judged)
        if number.fate is NumberFate.SUPPORTED and number.chunk is not None and usable(number.chunk)
    )


_AMOUNTS = frozenset({QuantityKind.MONEY, QuantityKind.PERCENT, QuantityKind.MEASURE, QuantityKind.DURATION})


def _is_amount(text: str, quantity: Quantity) -> bool:
    """Whether it is an amount somebody may rely on, not how many documents were searched or when to ask again."""
    return quantity.kind in _AMOUNTS and not is_of_the_service(text, quantity)


def _says_little(text: str, quantity: Quantity) -> bool:
    """Whether it is a small number of nothing in particular, which many texts have, and not what something is."""
    is_small = is_count(quantity) and quantity.value is not None and abs(quantity.value) <= _SMALL
    return is_small and quantity.noun is None and not _IS.search(text[max(0, quantity.start - _CLOSE) : quantity.start])


_SMALL = Decimal(12)
_CLOSE = 16
_IS = re.compile(
    r"(?:\b(?:is|was|be|been|at|until|ist|war|bis|um|est|était|à|es|era|è|was|até|om)\b|[:=])\W{0,3}$", re.IGNORECASE
)


def _is_window(quantity: Quantity, holders: tuple[Chunk, ...]) -> bool:
    """Whether it is the day on which one of the chunks begins or ends to hold: said to explain, not to answer."""
    if quantity.kind is not QuantityKind.DATE or quantity.day is None:
        return False
    days = {day for chunk in holders for day in (chunk.effective_from, chunk.effective_to) if day is not None}
    return any((day.year, day.month, day.day) == (quantity.year, quantity.month, quantity.day) for day in days)


def _counts_the_same(stated: Quantity, given: Quantity) -> bool:
    """Whether two plain numbers count the same thing, as far as they say what: 2 documents are not 2 nights."""
    if not is_count(stated) or stated.noun is None:
        return True
    return given.noun == stated.noun or given.unit is not None


def _fact_quantities(chunk: Chunk) -> Iterator[Quantity]:
    """Values of `facts` that the text itself does not have."""
    for fact in chunk.facts:
        if not contains_value(chunk.text, fact.value, lang=chunk.lang):
            yield from find_quantities(fact.value, lang=chunk.lang)
