"""Which of the eligible chunks are near the best one and fit the budget: new words of the question count for a chunk.

Repetition counts against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounded.pipeline.evidence import estimate_tokens
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.retrieve import Scored, searched_text
from pytest_grounded.pipeline.sameness import overlap_of
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import terms

__all__ = ["Packing", "pack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """What was kept, in order of rank, and for the rest chunk id, rule and reason."""

    kept: tuple[Scored, ...]
    dropped: tuple[tuple[str, str, str], ...]
    tokens: int


def pack(question: Question, eligible: Sequence[Scored], settings: PipelineSettings) -> Packing:
    """Keep what fits, greedily: maximise coverage less redundancy under a budget of chunks and tokens."""
    selection = settings.selection
    rank = {scored.chunk.id: place for place, scored in enumerate(eligible)}
    needed_score = round(selection.share_of_best * max((scored.score for scored in eligible), default=0.0), 6)
    waiting = [scored for scored in eligible if scored.score >= needed_score]
    kept: list[Scored] = []
    dropped = [
        (scored.chunk.id, "floor", f"score {scored.score:g} below {needed_score:g}, a share of the best eligible one")
        for scored in eligible
        if scored.score < needed_score
    ]
    tokens = 0
    while waiting and len(kept) < selection.max_items:
        best = waiting[0] if selection.pack == "rank" else max(waiting, key=_Gain(question, kept, settings))
        waiting.remove(best)
        needed = estimate_tokens(best.chunk.text)
        if selection.max_tokens is not None and tokens + needed > selection.max_tokens:
            left = selection.max_tokens - tokens
            dropped.append(
                (best.chunk.id, "budget", f"needs {needed} tokens, {left} of {selection.max_tokens} are left")
            )
        else:
            kept.append(best)
            tokens += needed
    spent = f"budget of {selection.max_items} chunks is spent"
    dropped += [(scored.chunk.id, "budget", spent) for scored in waiting]
    kept.sort(key=lambda scored: rank[scored.chunk.id])
    return Packing(kept=tuple(kept), dropped=tuple(dropped), tokens=tokens)


class _Gain:
    """What a chunk would add to those kept; of equal ones the better ranked is taken, as `max` takes the first."""

    def __init__(self, question: Question, kept: Sequence[Scored], settings: PipelineSettings) -> None:
        self._settings = settings
        self._kept = kept
        self._asked = question.terms
        self._covered = frozenset[str]().union(*(self._words(scored) for scored in kept))

    def _words(self, scored: Scored) -> frozenset[str]:
        retrieval = self._settings.retrieval
        return terms(searched_text(scored.chunk, titles=retrieval.titles), retrieval.words) & self._asked

    def __call__(self, scored: Scored) -> tuple[float, float]:
        new = len(self._words(scored) - self._covered) / max(1, len(self._asked))
        repeated = max((overlap_of(scored.chunk, other.chunk) for other in self._kept), default=0.0)
        gain = new + scored.score - self._settings.selection.redundancy * repeated
        return gain, scored.score
