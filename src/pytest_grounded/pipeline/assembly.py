"""The pipeline with what its settings put around it, in the one order that keeps every promise.

A follow-up is read first, so that the cache is asked for the whole question; the cache stands outside the probe, so
that what it keeps is complete; pieces are cut last.
"""

from __future__ import annotations

from pathlib import Path

from pytest_grounded.judges.settings import make_judge
from pytest_grounded.judges.verdicts import CachedJudge, Verdicts
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.model.support import SupportJudge
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.cache import CachedPipeline
from pytest_grounded.pipeline.generate import Generator
from pytest_grounded.pipeline.memory import ConversationalPipeline
from pytest_grounded.pipeline.openai_compatible import OpenAICompatibleGenerator
from pytest_grounded.pipeline.probe import AuditedPipeline
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages
from pytest_grounded.pipeline.streaming import streamed

__all__ = ["assemble"]


def assemble(
    settings: PipelineSettings | None = None,
    *,
    generator: Generator | None = None,
    judge: SupportJudge | None = None,
    scorer: Scorer | None = None,
    stages: Stages | None = None,
    folder: Path | None = None,
) -> Answers:
    """Build the reference system that the settings describe; any part given goes before the one they name.

    Paths in the settings are relative to `folder`. A judge of the settings is asked once for each claim and evidence.

    >>> type(assemble(PipelineSettings.model_validate({"around": {"history": "no"}}))).__name__
    'ReferencePipeline'
    """
    settings = settings or PipelineSettings()
    if generator is None and settings.generation.model is not None:
        generator = OpenAICompatibleGenerator(settings.generation.model)
    if judge is None and settings.verification.judge is not None:
        judge = CachedJudge(make_judge(settings.verification.judge, folder=folder), Verdicts())
    pipeline = ReferencePipeline(settings=settings, generator=generator, judge=judge, scorer=scorer, stages=stages)
    around = settings.around
    system: Answers = AuditedPipeline(pipeline) if around.probe else pipeline
    if around.cache:
        system = CachedPipeline(pipeline, answers=system, size=around.cache)
    if around.history or around.remember:
        system = ConversationalPipeline(system, turns=around.remember)
    return _Streamed(system) if around.stream else system


class _Streamed:
    """A pipeline whose answers come in verified pieces."""

    def __init__(self, pipeline: Answers) -> None:
        self.pipeline = pipeline

    def answer(self, request: Request) -> Response:
        """Answer in pieces."""
        return streamed(self.pipeline.answer(request))
