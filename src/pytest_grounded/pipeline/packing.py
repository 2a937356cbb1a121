"""Which of the eligible chunks are near the best one and fit the budget: new words of the question count for a chunk.

Repetition counts against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounded.pipeline.evidence import estimate_tokens
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.retrieve import Scored, searched_text
from pytest_grounded.pipeline.sameness import plain_words
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import terms
from pytest_grounded.text.words import jaccard

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
    gain = _Gain(question, waiting, settings)
    while waiting and len(kept) < selection.max_items:
        best = waiting[0] if selection.pack == "rank" else max(waiting, key=gain)
        waiting.remove(best)
        needed = estimate_tokens(best.chunk.text)
        if selection.max_tokens is not None and tokens + needed > selection.max_tokens:
            left = selection.max_tokens - tokens
            dropped.append(
                (best.chunk.id, "budget", f"needs {needed} tokens, {left} of {selection.max_tokens} are left")
            )
        else:
            kept.append(best)
            gain.keep(best)
            tokens += needed
    spent = f"budget of {selection.max_items} chunks is spent"
    dropped += [(scored.chunk.id, "budget", spent) for scored in waiting]
    kept.sort(key=lambda scored: rank[scored.chunk.id])
    return Packing(kept=tuple(kept), dropped=tuple(dropped), tokens=tokens)


class _Gain:
    """What a chunk would add to those kept; of equal ones the better ranked is taken, as `max` takes the first."""

    def __init__(self, question: Question, waiting: Sequence[Scored], settings: PipelineSettings) -> None:
        retrieval = settings.retrieval
        self._redundancy = settings.selection.redundancy
        self._asked = question.terms
        self._covered: frozenset[str] = frozenset()
        self._held = {
            scored.chunk.id: self._asked & terms(searched_text(scored.chunk, titles=retrieval.titles), retrieval.words)
            for scored in waiting
        }
        self._words = {scored.chunk.id: plain_words(scored.chunk) for scored in waiting}
        self._repeated = dict.fromkeys(self._held, 0.0)

    def keep(self, kept: Scored) -> None:
        """Count what a kept chunk covers and what then would only repeat it."""
        self._covered |= self._held[kept.chunk.id]
        words = self._words[kept.chunk.id]
        for chunk_id, known in self._repeated.items():
            self._repeated[chunk_id] = max(known, jaccard(self._words[chunk_id], words))

    def __call__(self, scored: Scored) -> tuple[float, float]:
        chunk_id = scored.chunk.id
        new = len(self._held[chunk_id] - self._covered) / max(1, len(self._asked))
        return new + scored.score - self._redundancy * self._repeated[chunk_id], scored.score
