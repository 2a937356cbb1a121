"""Which readable chunks are about the question, best first.

A `Scorer` gives every chunk that is worth a look a score between 0 and 1. `lexical` has two that look at words,
`embedding` one that compares meanings by a model, `hybrid` one that fuses the rankings of others. Scores rank; they
are no probability of being right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol, TypeGuard, runtime_checkable

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.settings import PipelineSettings

__all__ = ["FusedScorer", "Retrieval", "Scored", "Scorer", "retrieve", "searched_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A chunk with its retrieval score, and the scores it was fused from by scorer, where it was."""

    chunk: Chunk
    score: float
    fused: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Candidates by falling score, equal scores by chunk id."""

    candidates: tuple[Scored, ...]
    scorer: str
    query: str


class Scorer(Protocol):
    """Gives each chunk of a corpus that is worth a look a score; the corpus holds readable chunks only."""

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        ...

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Chunk id -> score in (0, 1]; chunks left out score nothing."""
        ...


@runtime_checkable
class FusedScorer(Scorer, Protocol):
    """A scorer made of others, which shows the score of each in the trace."""

    def rankings(self, query: str, corpus: Corpus) -> Mapping[str, Mapping[str, float]]:
        """Scorer -> chunk id -> score, before they are fused."""
        ...

    def fuse(self, rankings: Mapping[str, Mapping[str, float]]) -> Mapping[str, float]:
        """Chunk id -> score in (0, 1]."""
        ...


def retrieve(question: Question, readable: Readable, settings: PipelineSettings, *, scorer: Scorer) -> Retrieval:
    """Rank the readable chunks for a question."""
    rankings: Mapping[str, Mapping[str, float]] = {}
    if _fuses(scorer):
        rankings = scorer.rankings(question.text, readable.corpus)
        scores = scorer.fuse(rankings)
    else:
        scores = scorer.scores(question.text, readable.corpus)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: settings.retrieval.limit]
    candidates = tuple(
        Scored(chunk=chunk, score=score, fused=_by_scorer(chunk_id, rankings) if rankings else {})
        for chunk_id, score in ranked
        if (chunk := readable.corpus.get(chunk_id))
    )
    return Retrieval(candidates=candidates, scorer=scorer.name, query=question.text)


def _fuses(scorer: Scorer) -> TypeGuard[FusedScorer]:
    """Whether a scorer shows others' rankings; `isinstance` of a protocol looks through all its members each time."""
    return hasattr(scorer, "rankings") and hasattr(scorer, "fuse")


def _by_scorer(chunk_id: str, rankings: Mapping[str, Mapping[str, float]]) -> Mapping[str, float]:
    return {name: ranking[chunk_id] for name, ranking in rankings.items() if chunk_id in ranking}


def searched_text(chunk: Chunk, *, titles: bool) -> str:
    r"""The words a chunk is found by: its text, and its title where titles count.

    >>> searched_text(Chunk(id="c", text="It is $180.", title="Hotel limit"), titles=True)
    'Hotel limit\nIt is $180.'
    """
    return _titled(chunk.title, chunk.text) if titles and chunk.title else chunk.text


@lru_cache(maxsize=8_192)
def _titled(title: str, text: str) -> str:
    """The two joined; the same object for the same chunk, so that what is kept by it is found without reading it."""
    return f"{title}\n{text}"
