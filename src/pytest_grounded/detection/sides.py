"""Two sides of a corpus for one requester: what may they not read, and what do they know anyway?

The index says that something may be wrong; here it is confirmed on the texts themselves. Only reached when something was
found, so nothing is computed before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from pytest_grounded.detection.facts import needle, strict_keys
from pytest_grounded.detection.grams import SHORTEST
from pytest_grounded.detection.index import chunk_pieces, readable_texts
from pytest_grounded.detection.names import Name, NameKind, names_of, word_string
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.model.evidence import Chunk, CorpusView

__all__ = ["Match", "Piece", "Sides", "is_novel"]

_COVER = 12
"""Bytes of the runs by which readable text covers a match."""
_LEAST_NOVEL = 8
"""Bytes of a match that readable text must leave uncovered."""
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

    def __init__(self, view: CorpusView) -> None:
        self._corpus = view.corpus
        self._requester = view.requester
        self.hidden = view.unreadable

    @classmethod
    def of(cls, view: CorpusView) -> Sides:
        """The sides of a view, kept as long as the view lives."""
        sides = _SIDES.get(view)
        if sides is None:
            sides = _SIDES[view] = cls(view)
        return sides

    @cached_property
    def readable(self) -> tuple[Chunk, ...]:
        """Every chunk of the corpus the requester may read, on whatever day."""
        return tuple(chunk for chunk in self._corpus if chunk.readable_by(self._requester))

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
    def _skeletons(self) -> tuple[tuple[Chunk, bytes], ...]:
        return tuple((chunk, skeleton(" ".join(readable_texts(chunk)))) for chunk in self.hidden)

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

    def holders(self, keys: Sequence[str]) -> Iterator[tuple[Chunk, frozenset[str]]]:
        """The hidden chunks that have one of the facts, with all the facts of the chunk."""
        needles = [skeleton(needle(key)) for key in keys]
        for chunk, data in self._skeletons:
            if any(one in data for one in needles):
                facts = frozenset[str]().union(*map(strict_keys, fact_texts(chunk)))
                if not facts.isdisjoint(keys):
                    yield chunk, facts

    def sole_holder(self, quote: bytes) -> str | None:
        """The hidden chunk that has a quote, when no readable one has it."""
        if len(quote) < SHORTEST or quote in self.known:
            return None
        return next((piece.chunk for piece in self.pieces if quote in piece.data), None)


_SIDES: WeakKeyDictionary[CorpusView, Sides] = WeakKeyDictionary()


def fact_texts(chunk: Chunk) -> Iterator[str]:
    """The texts whose facts a chunk is known by."""
    yield chunk.text
    for fact in chunk.facts:
        yield fact.value
        if "_" in fact.key:
            yield fact.key


def is_novel(match: bytes, *known: bytes) -> bool:
    """Whether known text leaves at least eight bytes of a match uncovered by runs of twelve.

    What is made at the joint of two known sentences, or differs in a comma's neighbour, is not novel.

    >>> is_novel(b"thepoolisninemillion", b"thebonusispaidinmay")
    True
    >>> is_novel(b"paidinmaythebonusis", b"thebonusispaidinmay", b"paidinmaythe")
    False
    """
    novel, covered_to = 0, 0
    for place in range(len(match)):
        run = match[place : place + _COVER]
        if len(run) == _COVER and any(run in text for text in known):
            covered_to = place + _COVER
        elif place >= covered_to:
            novel += 1
            if novel == _LEAST_NOVEL:
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
