"""Which texts that not everyone may read stand in a chunk for other readers too, whole or in part.

Words are compared, so that case, punctuation, markup and line breaks make no difference. The time grows with the length
of the corpus alone, however much its texts have in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pytest_grounded.model.evidence import EVERYONE, Chunk
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words

__all__ = ["ReadableCopy", "readable_copies"]

FEWEST_WORDS = 6
"""A text or sentence of fewer content words may well be written twice."""

MOST_PLACES = 4
"""A sentence that more chunks than this have is a phrase of the house, such as a notice at the foot of every page."""

Words = tuple[str, ...]
Access = tuple[str | None, tuple[str, ...]]
"""Tenant and readers of a chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableCopy:
    """A chunk whose text, or a sentence of it, somebody may read in another chunk who may not read it here."""

    chunk: str
    other: str
    whole: bool


def readable_copies(chunks: Iterable[Chunk]) -> Iterator[ReadableCopy]:
    """The first copy of each chunk that has one, whole copies before those of a sentence.

    >>> bonus = "The retention bonus for the closing team is paid in March."
    >>> memo = Chunk(id="memo", text=bonus, readers=("board",))
    >>> minutes = Chunk(id="minutes", text=f"Agreed: {bonus.upper()}", readers=("*",))
    >>> [(copy.chunk, copy.other) for copy in readable_copies([memo, minutes])]
    [('memo', 'minutes')]
    """
    texts = [(chunk, content_words(chunk.text)) for chunk in chunks]
    hidden = [(chunk, words) for chunk, words in texts if EVERYONE not in chunk.readers or chunk.tenant is not None]
    warned: set[str] = set()
    for chunk, other in _first_opened(_Sought([(chunk, words) for chunk, words in hidden]), texts):
        warned.add(chunk.id)
        yield ReadableCopy(chunk=chunk.id, other=other.id, whole=True)
    parts = _Sought((chunk, part) for chunk, _ in hidden if chunk.id not in warned for part in _parts(chunk))
    for chunk, other in _first_opened(parts, texts, places=MOST_PLACES):
        if chunk.id not in warned:
            warned.add(chunk.id)
            yield ReadableCopy(chunk=chunk.id, other=other.id, whole=False)


def _parts(chunk: Chunk) -> Iterable[Words]:
    return dict.fromkeys(map(content_words, split_sentences(chunk.text)))


class _Sought:
    """Runs of words to look for, and whose they are; each is found by those of its words that fewest others have."""

    def __init__(self, runs: Iterable[tuple[Chunk, Words]]) -> None:
        self.whose: dict[Words, dict[Access, list[Chunk]]] = defaultdict(lambda: defaultdict(list))
        for chunk, words in runs:
            if len(words) >= FEWEST_WORDS:
                self.whose[words][chunk.tenant, chunk.readers].append(chunk)
        shared = Counter(window for words in self.whose for window in _windows(words))
        self._anchored: dict[Words, list[tuple[int, Words]]] = defaultdict(list)
        for words in self.whose:
            windows = _windows(words)
            offset = min(range(len(windows)), key=lambda place: shared[windows[place]])
            self._anchored[windows[offset]].append((offset, words))

    def standing_in(self, text: Words) -> Iterable[Words]:
        """The runs that stand in a text, each once."""
        found: dict[Words, None] = {}
        for start, window in enumerate(_windows(text) if self._anchored else ()):
            for offset, words in self._anchored.get(window, ()):
                begin = start - offset
                if begin >= 0 and text[begin : begin + len(words)] == words:
                    found[words] = None
        return found


def _windows(words: Words) -> list[Words]:
    return [words[start : start + FEWEST_WORDS] for start in range(len(words) - FEWEST_WORDS + 1)]


def _first_opened(
    sought: _Sought, texts: Iterable[tuple[Chunk, Words]], *, places: int | None = None
) -> Iterator[tuple[Chunk, Chunk]]:
    """Each chunk with the first that opens a run of its words; runs that stand in more places are passed over."""
    standing: dict[Words, list[Chunk]] = defaultdict(list)
    for other, text in texts:
        for words in sought.standing_in(text):
            standing[words].append(other)
    for words, others in standing.items():
        if places is None or len(others) <= places:
            yield from _opened(sought.whose[words], others)


def _opened(whose: Mapping[Access, list[Chunk]], others: Iterable[Chunk]) -> Iterator[tuple[Chunk, Chunk]]:
    """Chunks alike in who may read them are opened by the same text; none is looked at again once it is."""
    closed = dict(whose)
    for other in others:
        for access in [access for access in closed if _opens(other, *access)]:
            yield from ((chunk, other) for chunk in closed.pop(access))


def _opens(other: Chunk, tenant: str | None, readers: tuple[str, ...]) -> bool:
    """Whether somebody who may not read a chunk of this tenant and these readers may read `other`."""
    if not other.readers:
        return False
    wider_tenant = tenant is not None and other.tenant != tenant
    return wider_tenant or (EVERYONE not in readers and not set(other.readers) <= set(readers))
