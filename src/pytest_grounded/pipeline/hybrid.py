"""Several rankings fused into one by place, so that scores in different scales are never added."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_grounded.model.evidence import Corpus
from pytest_grounded.pipeline.retrieve import Scorer

__all__ = ["HybridScorer"]


class HybridScorer:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): a chunk counts by its place in each ranking.

    The score is the sum of `1 / (constant + place)` over the rankings, as a share of what the first place in all of
    them would give; of each ranking the best `limit` count. Equal scores share the better place, so that nothing
    depends on the order of the corpus. The first place says nothing on how good it is: that is told by the scores
    that were fused, which `selection.floors` looks at.

    >>> class Given:
    ...     def __init__(self, name, scores):
    ...         self.name, self.given = name, scores
    ...
    ...     def scores(self, query, corpus):
    ...         return self.given
    >>> fused = HybridScorer({"words": Given("bm25/1", {"a": 0.9, "b": 0.2}), "sense": Given("e5/1", {"b": 0.8})})
    >>> fused.name, fused.scores("?", Corpus(name="c", chunks=[]))
    ('rrf60(words bm25/1 + sense e5/1)', {'b': 0.991935, 'a': 0.5})
    """

    def __init__(self, scorers: Mapping[str, Scorer], *, constant: int = 60, limit: int = 50) -> None:
        if not scorers:
            raise ValueError("needs at least one scorer to fuse")
        if constant < 0:
            raise ValueError(f"needs a constant of 0 or more, found {constant!r}")
        self._scorers = dict(scorers)
        self._constant = constant
        self._limit = limit

    @property
    def name(self) -> str:
        """The fused scorers by name."""
        return f"rrf{self._constant}({' + '.join(f'{label} {one.name}' for label, one in self._scorers.items())})"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Fused scores in (0, 1], best first, equal ones by chunk id."""
        return self.fuse(self.rankings(query, corpus))

    def rankings(self, query: str, corpus: Corpus) -> Mapping[str, Mapping[str, float]]:
        """Scorer -> chunk id -> score."""
        return {label: _best(scorer.scores(query, corpus), self._limit) for label, scorer in self._scorers.items()}

    def fuse(self, rankings: Mapping[str, Mapping[str, float]]) -> Mapping[str, float]:
        """Fuse rankings by place."""
        fused: dict[str, float] = {}
        for ranking in rankings.values():
            for chunk, place in _places(ranking).items():
                fused[chunk] = fused.get(chunk, 0.0) + 1 / (self._constant + place)
        ceiling = len(rankings) / (self._constant + 1)
        ranked = sorted(fused.items(), key=lambda item: (-item[1], item[0]))
        return {chunk: round(score / ceiling, _DIGITS) for chunk, score in ranked}


_DIGITS = 6


def _best(scores: Mapping[str, float], limit: int) -> Mapping[str, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit])


def _places(scores: Mapping[str, float]) -> Mapping[str, int]:
    """Place of each chunk, from 1; equal scores have the same."""
    first: dict[float, int] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), start=1):
        first.setdefault(score, place)
    return {chunk: first[score] for chunk, score in scores.items()}
