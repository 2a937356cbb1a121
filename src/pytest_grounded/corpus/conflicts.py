"""Which chunks contradict each other so that no rule settles it: same fact key, another value, equal rank.

Equal rank means equal authority, an equally specific scope that does not exclude the other's, and neither replacing the
other, as successor or as a later version of the same document. Different years are no contradiction.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pytest_grounded.model.case import ExpectedSide
from pytest_grounded.model.evidence import Chunk, CorpusView
from pytest_grounded.text.values import same_value
from pytest_grounded.text.words import terms

__all__ = ["contrary_chunks", "equal_rank", "outranking_chunks", "sides_for", "standing_conflicts"]

MOST_COMPARED = 64
"""With more spellings than this a key is a label of many things; its values are then told apart by spelling alone."""

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]*\d)")


def equal_rank(left: Chunk, right: Chunk) -> bool:
    """Whether no rule puts one of two chunks above the other.

    >>> wiki, policy = Chunk(id="a", text="", authority=1), Chunk(id="b", text="", authority=3)
    >>> equal_rank(wiki, policy), equal_rank(wiki, wiki)
    (False, True)
    """
    return (
        left.authority == right.authority
        and len(left.scope) == len(right.scope)
        and all(right.scope.get(key, value) == value for key, value in left.scope.items())
        and not _other_people(left, right)
        and right.id not in left.supersedes
        and left.id not in right.supersedes
        and not _later_version(left, right)
    )


def contrary_chunks(view: CorpusView, chunk: Chunk, key: str) -> tuple[Chunk, ...]:
    """The usable chunks of equal rank that give the fact `key` another value than `chunk` does; itself when it does.

    A chunk that is not usable itself contradicts nothing: it is stale, unreadable or about others.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus, Fact
    >>> a = Chunk(id="a", text="", readers=("*",), facts=(Fact(key="rate", value="0.60"),))
    >>> b = Chunk(id="b", text="", readers=("*",), facts=(Fact(key="rate", value="0.65"),))
    >>> view = Corpus(name="c", chunks=(a, b)).view(ANONYMOUS, date(2024, 10, 1))
    >>> contrary_chunks(view, a, "rate")
    (Chunk(id='b', 0 characters),)
    """
    if not view.usable(chunk.id):
        return ()
    own = [statement for statement in _stated(chunk) if statement.key == key]
    others = _statements(view).get(key, ())
    found = (other.chunk for other in others if any(_contradict(one, other) for one in own))
    return tuple({one.id: one for one in found}.values())


def outranking_chunks(view: CorpusView, chunk: Chunk, key: str) -> tuple[Chunk, ...]:
    """The usable chunks of higher authority, about the same people and scope, that give the fact another value.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus, Fact
    >>> a = Chunk(id="a", text="", readers=("*",), authority=1, facts=(Fact(key="rate", value="0.60"),))
    >>> b = Chunk(id="b", text="", readers=("*",), authority=3, facts=(Fact(key="rate", value="0.65"),))
    >>> view = Corpus(name="c", chunks=(a, b)).view(ANONYMOUS, date(2024, 10, 1))
    >>> outranking_chunks(view, a, "rate"), outranking_chunks(view, b, "rate")
    ((Chunk(id='b', 0 characters),), ())
    """
    if not view.usable(chunk.id):
        return ()
    own = [statement for statement in _stated(chunk) if statement.key == key]
    found = {
        other.chunk.id: other.chunk
        for other in _statements(view).get(key, ())
        if other.chunk.authority > chunk.authority
        and other.chunk.scope == chunk.scope
        and not _other_people(other.chunk, chunk)
        and _same_years(other.chunk, chunk)
        and own
        and not any(same_value(one.value, other.value) for one in own)
    }
    return tuple(found.values())


@lru_cache(maxsize=256)
def standing_conflicts(view: CorpusView) -> Mapping[str, tuple[ExpectedSide, ...]]:
    """Fact key -> its sides, one for each value, for every key on which usable chunks of equal rank disagree.

    Where chunks of several ranks disagree among themselves the highest authority counts.
    """
    found = ((key, _sides(statements)) for key, statements in _statements(view).items() if len(statements) > 1)
    return {key: sides for key, sides in found if sides}


def sides_for(view: CorpusView, question: str) -> tuple[ExpectedSide, ...]:
    """The sides of the standing conflict that a question is about: the only one, or the one that shares most words.

    Empty where there is none, and where two share equally many.
    """
    conflicts = standing_conflicts(view)
    if len(conflicts) <= 1:
        return next(iter(conflicts.values()), ())
    asked = terms(question)
    shared = {key: len(asked & _words(view, key, sides)) for key, sides in conflicts.items()}
    most = max(shared.values())
    best = [key for key, count in shared.items() if count == most]
    return conflicts[best[0]] if most and len(best) == 1 else ()


class _Statement(NamedTuple):
    chunk: Chunk
    key: str
    value: str


def _stated(chunk: Chunk) -> Iterator[_Statement]:
    return (_Statement(chunk, fact.key, fact.value) for fact in chunk.facts)


@lru_cache(maxsize=256)
def _statements(view: CorpusView) -> Mapping[str, tuple[_Statement, ...]]:
    """Fact key -> what the usable chunks state for it, in corpus order."""
    found: dict[str, list[_Statement]] = defaultdict(list)
    for chunk in view.usable_chunks:
        for statement in _stated(chunk):
            found[statement.key].append(statement)
    return {key: tuple(statements) for key, statements in found.items()}


def _sides(statements: tuple[_Statement, ...]) -> tuple[ExpectedSide, ...]:
    values = _by_value(statements)
    if len(values) == 1:
        return ()
    disagreeing = {value: [one for one in group if _disagrees(one, value, values)] for value, group in values.items()}
    top = max((one.chunk.authority for group in disagreeing.values() for one in group), default=0)
    sides = {
        value: [one.chunk.id for one in group if one.chunk.authority == top] for value, group in disagreeing.items()
    }
    return tuple(
        ExpectedSide(value=value, chunks=tuple(dict.fromkeys(chunks))) for value, chunks in sides.items() if chunks
    )


def _disagrees(one: _Statement, value: str, values: Mapping[str, list[_Statement]]) -> bool:
    others = (other for spelling, group in values.items() if spelling != value for other in group)
    return any(_comparable(one.chunk, other.chunk) for other in others)


def _by_value(statements: tuple[_Statement, ...]) -> dict[str, list[_Statement]]:
    """Statements by what they state; each value is spelled as in the first of them."""
    spellings: dict[str, str] = {}
    for statement in statements:
        spellings.setdefault(statement.value.strip().casefold(), statement.value)
    by_meaning = len(spellings) <= MOST_COMPARED
    first: dict[str, str] = {}
    groups: dict[str, list[_Statement]] = {}
    for statement in statements:
        folded = statement.value.strip().casefold()
        if folded not in first:
            same = (value for value in groups if by_meaning and same_value(value, statement.value))
            first[folded] = next(same, spellings[folded])
        groups.setdefault(first[folded], []).append(statement)
    return groups


def _contradict(one: _Statement, other: _Statement) -> bool:
    return not same_value(one.value, other.value) and _comparable(one.chunk, other.chunk)


def _comparable(left: Chunk, right: Chunk) -> bool:
    return equal_rank(left, right) and _same_years(left, right)


def _other_people(left: Chunk, right: Chunk) -> bool:
    """Whether the two speak about different people."""
    return bool(left.audience and right.audience) and set(left.audience).isdisjoint(right.audience)


def _later_version(left: Chunk, right: Chunk) -> bool:
    """Whether one is a later version of the other's document; labels are never ordered, only dates are."""
    if left.document is None or left.document != right.document:
        return False
    starts = (left.effective_from, right.effective_from)
    return None not in starts and starts[0] != starts[1]


def _same_years(left: Chunk, right: Chunk) -> bool:
    """Whether the two can speak about the same year: one names none, or they share one."""
    years = _years(left.text), _years(right.text)
    return not all(years) or not years[0].isdisjoint(years[1])


@lru_cache(maxsize=4096)
def _years(text: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(text))


def _words(view: CorpusView, key: str, sides: tuple[ExpectedSide, ...]) -> frozenset[str]:
    texts = (view.readable[chunk_id].text for side in sides for chunk_id in side.chunks)
    return terms(re.sub(r"[_.\-]+", " ", key)).union(*map(terms, texts))
