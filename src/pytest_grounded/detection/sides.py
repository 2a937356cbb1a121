"""Two sides of a corpus for one requester: what they may not read, and what they know anyway.

The index says that something may be wrong; here it is confirmed on the texts themselves. Only reached when something
was found, so nothing is computed before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from pytest_grounded.detection.facts import is_weak, needle
from pytest_grounded.detection.index import chunk_facts, chunk_pieces, fact_texts, readable_texts
from pytest_grounded.detection.names import Name, NameKind, names_of, word_string
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.model.evidence import Chunk, Corpus, CorpusView

__all__ = ["Match", "Piece", "Sides", "is_novel"]

_COVER = 12
"""Bytes of the runs by which readable text covers a match."""
_LEAST_NOVEL = 8
"""Bytes of a match that readable text must leave uncovered."""
_PHRASE, _LEAST_COMPOSED = 24, 48
"""Bytes of the runs that are phrases, and of a match that no phrase covers: one joint of two leaves at most 46."""
_MOST_HOLDERS = 16
"""Chunks that are compared with a match to find the one that has most of it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage of a chunk as a skeleton."""

    chunk: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Match:
    """Bytes `start` to `end` of a skeleton that stand in a passage of a chunk."""

    chunk: str
    start: int
    end: int
    is_whole: bool
    """Whether it is the whole passage."""


class Sides:
    """What one requester may read of a corpus, and what not."""

    def __init__(self, hidden: tuple[Chunk, ...], readable: tuple[Chunk, ...]) -> None:
        self.hidden = hidden
        self.readable = readable

    @classmethod
    def of(cls, view: CorpusView) -> Sides:
        """The sides of a view, on whatever day; kept as long as its corpus lives."""
        requester = view.requester
        kept = _SIDES.setdefault(view.corpus, {})
        key = (requester.tenant, frozenset(requester.groups))
        if key not in kept:
            # The chunks alone: a reference back to the corpus would keep both for ever.
            readable = tuple(chunk for chunk in view.corpus if chunk.readable_by(requester))
            kept[key] = cls(view.unreadable, readable)
        return kept[key]

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The passages the requester may not read."""
        return tuple(Piece(chunk.id, data) for chunk in self.hidden for data in chunk_pieces(chunk))

    @cached_property
    def known(self) -> bytes:
        """The skeletons of everything the requester may read, a NUL between them."""
        return b"\0".join(skeleton(text) for chunk in self.readable for text in readable_texts(chunk))

    @cached_property
    def known_words(self) -> str:
        """The words of everything the requester may read, a line break between the texts."""
        texts = (word_string(text) for chunk in self.readable for text in readable_texts(chunk))
        return "\n".join(f" {words} " for words in texts)

    @cached_property
    def _searched(self) -> tuple[tuple[Chunk, str, bytes], ...]:
        """Every hidden chunk with its texts, as they are and as a skeleton."""
        texts = ((chunk, "\n".join(fact_texts(chunk))) for chunk in self.hidden)
        # Without "@", which a skeleton reads as a letter, and which joins the parts of an address.
        return tuple((chunk, text, skeleton(text.replace("@", ""))) for chunk, text in texts)

    @cached_property
    def names(self) -> Mapping[str, tuple[tuple[str, Name], ...]]:
        """Look-up key -> chunk id and name, for the names that no chunk has that the requester may read."""
        known = {(name.kind, name.words) for chunk in self.readable for name in names_of(chunk)}
        known |= {(NameKind.DOCUMENT, words) for kind, words in known if kind is NameKind.ID}
        found: dict[str, list[tuple[str, Name]]] = {}
        for chunk in self.hidden:
            for name in names_of(chunk):
                if (name.kind, name.words) not in known and (
                    name.kind is NameKind.VERSION or f" {name.words} " not in self.known_words
                ):
                    found.setdefault(name.key, []).append((chunk.id, name))
        return {key: tuple(named) for key, named in found.items()}

    def longest_match(self, data: bytes, place: int, size: int) -> Match | None:
        """The longest run of a skeleton round `place` that stands in one passage; None if `size` bytes do not."""
        gram = data[place : place + size]
        matches: list[Match] = []
        for piece in self.pieces:
            inside = piece.data.find(gram)
            if inside >= 0:
                matches.append(_grown(data, place, piece, inside, size))
                if len(matches) == _MOST_HOLDERS:
                    break
        return max(matches, key=lambda match: match.end - match.start, default=None)

    def holders(self, keys: Sequence[str], beside: Sequence[str] = ()) -> Iterator[tuple[Chunk, frozenset[str]]]:
        """The hidden chunks that have one of the facts (and one of those beside), with all the facts of the chunk."""
        wanted, others = _Needles(keys), _Needles(beside)
        for chunk, text, data in self._searched:
            if wanted.may_stand_in(text, data) and (not beside or others.may_stand_in(text, data)):
                facts = chunk_facts(chunk)
                if not facts.isdisjoint(keys):
                    yield chunk, facts

    def sole_holder(self, quote: bytes) -> str | None:
        """The hidden chunk that has a quote, when no readable one has it."""
        holder = next((piece.chunk for piece in self.pieces if quote in piece.data), None)
        return None if holder is None or quote in self.known else holder


_SIDES: WeakKeyDictionary[Corpus, dict[tuple[str | None, frozenset[str]], Sides]] = WeakKeyDictionary()


class _Needles:
    """A cheap test whether a chunk may have one of some facts."""

    def __init__(self, keys: Iterable[str]) -> None:
        found = {key: needle(key) for key in keys}
        # A short figure folds to two letters that stand everywhere, so it is looked for as it is written.
        self._figures = [text for key, text in found.items() if is_weak(key) and text.isdigit()]
        self._skeletons = [skeleton(text) for key, text in found.items() if not (is_weak(key) and text.isdigit())]

    def may_stand_in(self, text: str, data: bytes) -> bool:
        return any(figure in text for figure in self._figures) or any(one in data for one in self._skeletons)


def is_novel(data: bytes, start: int, end: int, known: Sequence[bytes]) -> bool:
    """Whether a match says what known text does not: it is new in eight bytes, or put together of many small pieces.

    New is what known text leaves uncovered by runs of twelve. What is made at the joint of two known sentences, or
    differs in a comma's neighbour, is not novel; forty-eight bytes that known text covers by no run of twenty-four are:
    every word of such a sentence is common, but nobody has said it.

    >>> is_novel(b"thepoolisninemillion", 0, 20, [b"thebonusispaidinmay"])
    True
    >>> is_novel(b"paidinmaythepoolisopen", 0, 18, [b"thebonusispaidinmay", b"inmaythepoolisopentoall"])
    False
    """
    return _leaves(data, start, end, known, run=_COVER, least=_LEAST_NOVEL) or (
        end - start >= _LEAST_COMPOSED and _leaves(data, start, end, known, run=_PHRASE, least=_LEAST_COMPOSED)
    )


def _leaves(data: bytes, start: int, end: int, known: Sequence[bytes], *, run: int, least: int) -> bool:
    """Whether known text leaves at least so many bytes uncovered by runs of a length."""
    novel, covered_to = 0, start
    for place in range(max(0, start - run + 1), end):
        piece = data[place : place + run]
        if len(piece) == run and any(piece in text for text in known):
            covered_to = place + run
        elif place >= max(start, covered_to):
            novel += 1
            if novel == least:
                return True
    return False


def _grown(data: bytes, place: int, piece: Piece, inside: int, size: int) -> Match:
    """A match of `size` bytes made as long as the two texts agree."""
    before = _shared(data[:place][::-1], piece.data[:inside][::-1])
    after = _shared(data[place + size :], piece.data[inside + size :])
    is_whole = before == inside and inside + size + after == len(piece.data)
    return Match(piece.chunk, place - before, place + size + after, is_whole)


def _shared(left: bytes, right: bytes) -> int:
    """How many leading bytes are equal."""
    limit = min(len(left), len(right))
    if left[:limit] == right[:limit]:
        return limit
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle
    return low
