"""The functions the pipeline is made of, each replaceable by another of the same shape.

A test plants a fault in exactly one of them with `dataclasses.replace(Stages(), select=...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Claim, Response
from pytest_grounded.model.support import SupportJudge
from pytest_grounded.pipeline.deliver import Outcome, deliver
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gate import GateDecision, gate, too_thin
from pytest_grounded.pipeline.generate import Generation, GenerationTask, Generator, generate
from pytest_grounded.pipeline.mend import fall_back, weaken
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.question import Question, read_question
from pytest_grounded.pipeline.resolve import Resolution, resolve
from pytest_grounded.pipeline.retrieve import Retrieval, Scored, Scorer, retrieve
from pytest_grounded.pipeline.screen import FilterSettings, Screening, screen
from pytest_grounded.pipeline.select import Selection, select
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import Folding
from pytest_grounded.pipeline.verify import Verification, verify

__all__ = ["GenerateStage", "RetrieveStage", "Stages", "VerifyStage"]


class RetrieveStage(Protocol):
    """The stage that ranks readable chunks."""

    def __call__(
        self, question: Question, readable: Readable, settings: PipelineSettings, *, scorer: Scorer
    ) -> Retrieval:
        """Rank the readable chunks for a question."""
        ...


class GenerateStage(Protocol):
    """The stage that calls a generator."""

    def __call__(self, task: GenerationTask, *, generator: Generator) -> Generation:
        """Have a draft written."""
        ...


class VerifyStage(Protocol):
    """The stage that reads a draft."""

    def __call__(self, draft: object, task: GenerationTask, *, judge: SupportJudge | None) -> Verification:
        """Hold a draft to the layers."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """One function for each stage, in order."""

    permit: Callable[[Request], Readable] = permit
    read: Callable[[str, Folding], Question] = read_question
    screen: Callable[[Question, FilterSettings], Screening] = screen
    retrieve: RetrieveStage = retrieve
    select: Callable[[Question, Sequence[Scored], Readable, PipelineSettings], Selection] = select
    resolve: Callable[[Question, Sequence[Evidence], Readable, PipelineSettings], Resolution] = resolve
    gate: Callable[[Question, Selection, Resolution, PipelineSettings], GateDecision] = gate
    generate: GenerateStage = generate
    verify: VerifyStage = verify
    weaken: Callable[[Claim], Claim | None] = weaken
    fall_back: Callable[[GenerationTask], Claim | None] = fall_back
    too_thin: Callable[[GateDecision, int, PipelineSettings], str | None] = too_thin
    deliver: Callable[[Outcome, Readable, PipelineSettings], Response] = deliver
