"""Scorers that look at words alone: the share of the question's words, and BM25 over SQLite's full-text index."""

from __future__ import annotations

import math
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary, finalize

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.pipeline.retrieve import searched_text
from pytest_grounded.pipeline.settings import RetrievalSettings
from pytest_grounded.pipeline.terms import WordForm, is_unspaced, singles, terms, within_pairs, words_in_order

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

    form: WordForm = WordForm.ROOT
    titles: bool = False

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        return f"overlap/{self.form}/1"

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
_SMALLEST_BACKGROUND = 128
_PAIR, _MOST_PAIRS = 2, 32
_K1 = 1.2  # fixed in SQLite's bm25()


class Bm25Scorer:
    """BM25 over an in-memory SQLite FTS5 table of one readable set, as a share of what the question could reach.

    The ceiling is the sum of the weights of all words of the question, those in no chunk included, each as if it
    filled a chunk; so a score of 0.5 means the same in a corpus of ten chunks and of ten thousand. The table is built
    once for a set of texts and kept. Words are handed to SQLite as numbers: its own tokenizer and query syntax never
    see a text.

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
        return f"sqlite-fts5-bm25/{self._settings.words}/1"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Scores of the best candidates, rounded to six digits so that a trace is the same everywhere."""
        with self._lock:  # one connection, used by one thread at a time
            return self._index(corpus).scores(dict.fromkeys(words_in_order(query, self._settings.words)))

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
    """The full-text table of one set of chunks, in order of chunk id so that ties do not depend on corpus order."""

    def __init__(self, corpus: Corpus, settings: RetrievalSettings) -> None:
        self._settings = settings
        self._ids = sorted(corpus.ids)
        self._numbers: dict[str, int] = {}
        self._frequency: Counter[str] = Counter()
        self._table = _connect()
        finalize(self, self._table.close)
        self._table.executemany("INSERT INTO docs(rowid, words) VALUES (?, ?)", self._rows(corpus))

    def _rows(self, corpus: Corpus) -> Iterator[tuple[int, str]]:
        length = 0
        for row, chunk_id in enumerate(self._ids):
            text = searched_text(corpus[chunk_id], titles=self._settings.titles)
            words = words_in_order(text, self._settings.words)
            self._frequency.update(set(words))
            length += len(words)
            yield row, " ".join(self._token(word) for word in words)
        # A background of at least as many chunks of average length without any word of a question: BM25's weight of a
        # word that stands in more than half the chunks is zero or negative, and in a small corpus most words do.
        background = " ".join(["background"] * max(1, round(length / max(1, len(self._ids)))))
        for row in range(len(self._ids), self._rows_in_all):
            yield row, background

    @property
    def _rows_in_all(self) -> int:
        return len(self._ids) + max(_SMALLEST_BACKGROUND, len(self._ids) + 1)

    def _token(self, word: str) -> str:
        return f"w{self._numbers.setdefault(word, len(self._numbers))}"

    def _weight(self, word: str) -> float:
        """Inverse document frequency as SQLite computes it."""
        holding = self._frequency[word]
        return math.log((self._rows_in_all - holding + 0.5) / (holding + 0.5))

    def scores(self, words: Mapping[str, None]) -> Mapping[str, float]:
        """Scores of the best chunks for these words."""
        known = list(dict.fromkeys(form for word in words for form in self._forms(word)))
        if not known:
            return {}
        ceiling = sum(self._weight(word) for word in words) * (_K1 + 1)
        query = " OR ".join(f"w{self._numbers[word]}" for word in self._telling(known))
        rows = self._table.execute(
            "SELECT rowid, -bm25(docs) FROM docs WHERE docs MATCH ? ORDER BY bm25(docs), rowid LIMIT ?",
            (query, self._settings.limit),
        )
        return {self._ids[row]: round(min(1.0, score / ceiling), _DIGITS) for row, score in rows}

    def _forms(self, word: str) -> tuple[str, ...]:
        """The indexed words that a word is found by: itself.

        In text without spaces, where a word may be cut apart in one text and not in another, a single character is
        also found in pairs, and a pair that no text has by its characters that stand alone.
        """
        if len(word) == 1 and is_unspaced(word):
            return (*((word,) if word in self._numbers else ()), *self._pairs.get(word, ()))
        if word in self._numbers:
            return (word,)
        return tuple(character for character in word if character in self._alone) if len(word) == _PAIR else ()

    @cached_property
    def _alone(self) -> frozenset[str]:
        return singles(self._numbers)

    @cached_property
    def _pairs(self) -> Mapping[str, tuple[str, ...]]:
        """Character -> the pairs that hold it, the most common ones."""
        found: dict[str, list[str]] = {}
        for word in sorted(self._numbers, key=lambda one: (-self._frequency[one], one)):
            if len(word) == _PAIR and is_unspaced(word):
                for character in dict.fromkeys(word):
                    found.setdefault(character, []).append(word)
        return {character: tuple(pairs[:_MOST_PAIRS]) for character, pairs in found.items()}

    def _telling(self, known: list[str]) -> list[str]:
        """In a large corpus the common words are left out: they cost most of the time and rank nothing."""
        if len(self._ids) < self._settings.large:
            return known
        most = self._settings.common_share * len(self._ids)
        return [word for word in known if self._frequency[word] <= most] or known


def _connect() -> sqlite3.Connection:
    table = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        table.execute("CREATE VIRTUAL TABLE docs USING fts5(words, content='', tokenize='ascii')")
    except sqlite3.OperationalError as error:
        table.close()
        raise SystemContractError(
            f"this Python's SQLite {sqlite3.sqlite_version} has no FTS5 full-text index ({error}); "
            "set `retrieval: {scorer: overlap}` in the reference pipeline's settings"
        ) from error
    return table
