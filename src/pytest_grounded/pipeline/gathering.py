"""From a question to evidence and the gate's decision, and once more for the part that is not covered.

A question with several parts is searched as a whole first; a part that the gate finds uncovered is then searched by
its own words. Everything is decided anew over all candidates of both searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_grounded.model.response import Json
from pytest_grounded.pipeline import trace
from pytest_grounded.pipeline.gate import GateDecision
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Part, Question
from pytest_grounded.pipeline.resolve import Resolution
from pytest_grounded.pipeline.retrieve import Scored, Scorer
from pytest_grounded.pipeline.select import Floors, Selection
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages

__all__ = ["Gathered", "Search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What a search came to; `steps` are those of this search alone, `searched` the texts already searched for."""

    candidates: tuple[Scored, ...]
    selection: Selection
    resolution: Resolution
    decision: GateDecision
    steps: tuple[Json, ...]
    searched: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question of one requester, with what it takes to gather evidence for it."""

    question: Question
    readable: Readable
    settings: PipelineSettings
    stages: Stages
    scorer: Scorer

    def first(self) -> Gathered:
        """Search for the whole question; where a part stays uncovered, once more for that part."""
        retrieval = self.stages.retrieve(self.question, self.readable, self.settings, scorer=self.scorer)
        steps = (trace.retrieve_step(retrieval),)
        gathered = self._decide(retrieval.candidates, steps, frozenset())
        more = self.again(gathered, gathered.decision.gap)
        return gathered if more is None else replace(more, steps=(*gathered.steps, *more.steps))

    def again(self, gathered: Gathered, gap: Sequence[Part]) -> Gathered | None:
        """Search for parts that are not covered, once; None where that finds nothing that was not kept before."""
        text = "; ".join(part.text for part in gap)
        if not text or not self.settings.retrieval.gap or text in gathered.searched:
            return None
        question = self.stages.read(text, self.question.form)
        retrieval = self.stages.retrieve(question, self.readable, self.settings, scorer=self.scorer)
        kept = {evidence.id for evidence in gathered.selection.evidence}
        known = {scored.chunk.id: scored for scored in gathered.candidates}
        floors = Floors.of(question, self.settings)
        new = [
            found
            for found in retrieval.candidates
            if found.chunk.id not in kept
            and floors.below(found) is None
            and (found.chunk.id not in known or found.score > known[found.chunk.id].score)
        ]
        if not new:
            return None
        merged = {**known, **{found.chunk.id: found for found in new}}
        ranked = sorted(merged.values(), key=lambda scored: (-scored.score, scored.chunk.id))
        return self._decide(tuple(ranked), (trace.retrieve_step(retrieval, gap=True),), gathered.searched | {text})

    def _decide(self, candidates: tuple[Scored, ...], steps: tuple[Json, ...], searched: frozenset[str]) -> Gathered:
        selection = self.stages.select(self.question, candidates, self.readable, self.settings)
        resolution = self.stages.resolve(self.question, selection.evidence, self.readable, self.settings)
        decision = self.stages.gate(self.question, selection, resolution, self.settings)
        return Gathered(
            candidates=candidates,
            selection=selection,
            resolution=resolution,
            decision=decision,
            steps=(
                *steps,
                trace.select_step(selection),
                trace.resolve_step(resolution),
                trace.gate_step(decision),
            ),
            searched=searched,
        )
