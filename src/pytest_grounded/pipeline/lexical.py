"""Scorers that look at words alone: the share of the question's words, and BM25."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from pytest_grounded.model.evidence import Corpus
from pytest_grounded.pipeline.postings import K1, Postings
from pytest_grounded.pipeline.retrieve import searched_text
from pytest_grounded.pipeline.settings import RetrievalSettings
from pytest_grounded.pipeline.terms import Folding, WordForm, is_unspaced, singles, terms, within_pairs, words_in_order

__all__ = ["Bm25Scorer", "OverlapScorer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapScorer:
    """The share of the question's content words that stand in a chunk.

    A lexical toy that is easy to recompute by hand: it needs no index and no statistics.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> corpus = Corpus(name="c", chunks=[Chunk(id="c3", text="Nightly hotel limit in high-cost cities: $260.")])
    >>> OverlapScorer(form=WordForm.PLAIN).scores("What is the nightly hotel limit in a standard city?", corpus)
    {'c3': 0.8}
    """

    form: Folding = WordForm.ROOT
    titles: bool = False

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        return f"overlap:{self.form}:1"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Share of the distinct words of the query, for every chunk that has one of them."""
        asked = terms(query, self.form)
        alone = singles(asked)
        held = {
            chunk.id: terms(searched_text(chunk, titles=self.titles), self.form) for chunk in (corpus if asked else ())
        }
        found = {
            chunk_id: len(asked & words | within_pairs(alone, words)) / len(asked) for chunk_id, words in held.items()
        }
        return {chunk_id: round(score, _DIGITS) for chunk_id, score in found.items() if score > 0}


_DIGITS = 6
_PAIR, _MOST_PAIRS = 2, 32


class Bm25Scorer:
    """BM25 over one readable set, as a share of what the question could reach.

    The ceiling is the sum of the weights of all words of the question, those in no chunk included, each as if it
    filled a chunk; so a score of 0.5 means the same in a corpus of ten chunks and of ten thousand. The index is built
    once for a set of texts and kept.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> corpus = Corpus(name="c", chunks=[Chunk(id="a", text="Hotels: $180."), Chunk(id="b", text="Meals: $25.")])
    >>> list(Bm25Scorer(RetrievalSettings()).scores("hotel limit", corpus))
    ['a']
    """

    def __init__(self, settings: RetrievalSettings) -> None:
        self._settings = settings
        self._by_corpus: WeakKeyDictionary[Corpus, _Index] = WeakKeyDictionary()
        self._by_content: dict[str, _Index] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        return f"bm25:{self._settings.folding}:2"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Scores of the best candidates, rounded to six digits so that a trace is the same everywhere."""
        with self._lock:  # an index is built once, whoever asks first
            index = self._index(corpus)
        return index.scores(dict.fromkeys(words_in_order(query, self._settings.folding)))

    def _index(self, corpus: Corpus) -> _Index:
        index = self._by_corpus.get(corpus)
        if index is None:
            digest = corpus.digest
            index = self._by_content.get(digest)
            if index is None:
                index = _Index(corpus, self._settings)
                self._by_content[digest] = index
                while len(self._by_content) > _KEPT_INDEXES:
                    del self._by_content[next(iter(self._by_content))]
            self._by_corpus[corpus] = index
        return index


_KEPT_INDEXES = 32


class _Index:
    """The words of one set of chunks, in order of chunk id so that ties do not depend on corpus order."""

    def __init__(self, corpus: Corpus, settings: RetrievalSettings) -> None:
        self._settings = settings
        self._ids = sorted(corpus.ids)
        searched = (searched_text(corpus[chunk_id], titles=settings.titles) for chunk_id in self._ids)
        self._postings = Postings(words_in_order(text, settings.folding) for text in searched)

    def scores(self, words: Mapping[str, None]) -> Mapping[str, float]:
        """Scores of the best chunks for these words."""
        known = list(dict.fromkeys(form for word in words for form in self._forms(word)))
        if not known:
            return {}
        ceiling = sum(self._postings.weight(word) for word in words) * (K1 + 1)
        best = self._postings.best(self._telling(known), self._settings.limit)
        return {self._ids[text]: round(min(1.0, score / ceiling), _DIGITS) for text, score in best}

    def _forms(self, word: str) -> tuple[str, ...]:
        """The indexed words that a word is found by: itself.

        In text without spaces, where a word may be cut apart in one text and not in another, a single character is
        also found in pairs, and a pair that no text has by its characters that stand alone.
        """
        if len(word) == 1 and is_unspaced(word):
            return (*((word,) if word in self._postings else ()), *self._pairs.get(word, ()))
        if word in self._postings:
            return (word,)
        return tuple(character for character in word if character in self._alone) if len(word) == _PAIR else ()

    @cached_property
    def _alone(self) -> frozenset[str]:
        return singles(self._postings.words)

    @cached_property
    def _pairs(self) -> Mapping[str, tuple[str, ...]]:
        """Character -> the pairs that hold it, the most common ones."""
        found: dict[str, list[str]] = {}
        for word in sorted(self._postings.words, key=lambda one: (-self._postings.frequency(one), one)):
            if len(word) == _PAIR and is_unspaced(word):
                for character in dict.fromkeys(word):
                    found.setdefault(character, []).append(word)
        return {character: tuple(pairs[:_MOST_PAIRS]) for character, pairs in found.items()}

    def _telling(self, known: list[str]) -> list[str]:
        """In a large corpus the common words are left out: they cost most of the time and rank nothing."""
        if len(self._ids) < self._settings.large:
            return known
        most = self._settings.common_share * len(self._ids)
        return [word for word in known if self._postings.frequency(word) <= most] or known
