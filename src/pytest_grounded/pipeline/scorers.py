"""The scorer that the settings name."""

from __future__ import annotations

from pytest_grounded.pipeline.embedding import EmbeddingScorer, load_encoder
from pytest_grounded.pipeline.hybrid import HybridScorer
from pytest_grounded.pipeline.lexical import Bm25Scorer, OverlapScorer
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.settings import RetrievalSettings, ScorerName

__all__ = ["make_scorer"]


def make_scorer(settings: RetrievalSettings) -> Scorer:
    """Build the scorer; an encoder is loaded here, so that one that is not there is said before any question.

    >>> make_scorer(RetrievalSettings(scorer="hybrid", fuse=("bm25", "overlap"))).name
    'rrf60(bm25 bm25:root:2 + overlap overlap:root:1)'
    """
    if settings.scorer != "hybrid":
        return _single(settings.scorer, settings)
    scorers: dict[str, Scorer] = {name: _single(name, settings) for name in settings.fuse}
    return HybridScorer(scorers, constant=settings.fusion_constant, limit=settings.limit)


def _single(name: ScorerName, settings: RetrievalSettings) -> Scorer:
    match name:
        case "bm25":
            return Bm25Scorer(settings)
        case "overlap":
            return OverlapScorer(form=settings.folding, titles=settings.titles)
        case "embedding":
            return EmbeddingScorer(load_encoder(settings.encoder), titles=settings.titles, limit=settings.limit)
