"""Which of the eligible chunks are near the best one and fit the budget: new words of the question count for a chunk.

Repetition counts against it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

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
    needed_score = round(selection.share_of_best * max((scored.score for scored in eligible), default=0.0), 6)
    dropped: list[tuple[str, str, str]] = []
    near: list[Scored] = []
    for scored in eligible:
        if scored.score >= needed_score:
            near.append(scored)
        else:
            why = f"score {scored.score:g} below {needed_score:g}, a share of the best eligible one"
            dropped.append((scored.chunk.id, "floor", why))
    waiting = _ByRank(near) if selection.pack == "rank" else _ByGain(question, near, settings)
    kept: list[int] = []
    tokens = 0
    while len(kept) < selection.max_items and (place := waiting.next_best()) is not None:
        chunk = near[place].chunk
        needed = estimate_tokens(chunk.text)
        if selection.max_tokens is not None and tokens + needed > selection.max_tokens:
            left = selection.max_tokens - tokens
            dropped.append((chunk.id, "budget", f"needs {needed} tokens, {left} of {selection.max_tokens} are left"))
        else:
            kept.append(place)
            waiting.keep(place)
            tokens += needed
    spent = f"budget of {selection.max_items} chunks is spent"
    dropped += [(near[place].chunk.id, "budget", spent) for place in waiting.left()]
    return Packing(kept=tuple(near[place] for place in sorted(kept)), dropped=tuple(dropped), tokens=tokens)


class _ByRank:
    """Chunks by rank alone, as places in the list of those that wait."""

    def __init__(self, waiting: Sequence[Scored]) -> None:
        self._places = deque(range(len(waiting)))

    def next_best(self) -> int | None:
        """The next one; it waits no longer."""
        return self._places.popleft() if self._places else None

    def keep(self, place: int) -> None:
        """Count a chunk among those kept."""

    def left(self) -> list[int]:
        """Those that still wait, by rank."""
        return list(self._places)


_Bound = tuple[float, float, int]
"""What sorts a chunk, the smallest first: what it adds at most and its score, both negated, and its place."""


class _ByGain:
    """Chunks by what they add to those kept; of equal ones the better ranked first.

    A gain only ever falls as more is kept, so one that was computed before is a bound: only the chunk at the top is
    looked at anew, and it stays there if nothing has a higher bound (lazy greedy, Minoux 1978). Nor is it compared with
    more of those kept than it takes to see that it does not stay.
    """

    def __init__(self, question: Question, waiting: Sequence[Scored], settings: PipelineSettings) -> None:
        retrieval = settings.retrieval
        self._redundancy = settings.selection.redundancy
        self._asked = max(1, len(question.terms))
        self._scores = [scored.score for scored in waiting]
        self._covered: frozenset[str] = frozenset()
        self._held = [
            question.terms & terms(searched_text(scored.chunk, titles=retrieval.titles), retrieval.folding)
            for scored in waiting
        ]
        self._words = [plain_words(scored.chunk) for scored in waiting]
        self._kept: list[frozenset[str]] = []
        self._compared = [0] * len(waiting)  # with how many of those kept
        self._repeated = [0.0] * len(waiting)  # how much of it stands in the one of these that has most of it
        self._heap: list[_Bound] = [
            (-(len(held) / self._asked + score), -score, place)
            for place, (held, score) in enumerate(zip(self._held, self._scores, strict=True))
        ]
        heapify(self._heap)

    def next_best(self) -> int | None:
        """The chunk with the highest gain; it waits no longer."""
        while self._heap:
            place = heappop(self._heap)[-1]
            bound, compared_with_all = self._looked_at_anew(place)
            if compared_with_all:
                return place
            heappush(self._heap, bound)
        return None

    def keep(self, place: int) -> None:
        """Count a chunk among those kept."""
        self._covered |= self._held[place]
        self._kept.append(self._words[place])

    def left(self) -> list[int]:
        """Those that still wait, by rank."""
        return sorted(place for *_, place in self._heap)

    def _looked_at_anew(self, place: int) -> tuple[_Bound, bool]:
        """What a chunk adds now, and whether that holds over all that were kept.

        It is compared with one after the other for as long as it would stay the best of those that wait.
        """
        kept, words, repeated, compared = self._kept, self._words[place], self._repeated[place], self._compared[place]
        next_bound = self._heap[0] if self._heap else None
        score = self._scores[place]
        worth = len(self._held[place] - self._covered) / self._asked + score
        bound = (-(worth - self._redundancy * repeated), -score, place)
        stays = next_bound is None or bound <= next_bound
        while stays and compared < len(kept):
            shared = jaccard(words, kept[compared])
            compared += 1
            if shared > repeated:
                repeated = shared
                bound = (-(worth - self._redundancy * repeated), -score, place)
                stays = next_bound is None or bound <= next_bound
        self._repeated[place], self._compared[place] = repeated, compared
        return bound, stays
