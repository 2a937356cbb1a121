"""The pipeline with what its settings put around it, in the one order that keeps every promise.

A follow-up is read first, so that the cache is asked for the whole question; the cache stands outside the probe, so
that what it keeps is complete; pieces are cut last.
"""

from __future__ import annotations

from pathlib import Path

from pytest_grounded.judges.settings import make_judge
from pytest_grounded.judges.verdicts import CachedJudge, Verdicts
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Json, Response
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

__all__ = ["assemble", "versions_of"]


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
    generator, judge = generator or _generator(settings), judge or _judge(settings, folder)
    pipeline = ReferencePipeline(settings=settings, generator=generator, judge=judge, scorer=scorer, stages=stages)
    around = settings.around
    system: Answers = AuditedPipeline(pipeline) if around.probe else pipeline
    if around.cache:
        system = CachedPipeline(pipeline, answers=system, size=around.cache)
    if around.history or around.remember:
        system = ConversationalPipeline(system, turns=around.remember, message=settings.messages.clarify)
    return _Streamed(system) if around.stream else system


def versions_of(settings: PipelineSettings, *, folder: Path | None = None) -> Json:
    """What a run of the system that the settings describe depends on, before anything is asked.

    >>> versions_of(PipelineSettings())["pipeline"]
    '1'
    """
    judge = _judge(settings, folder)
    return ReferencePipeline(settings=settings, generator=_generator(settings), judge=judge).versions


def _generator(settings: PipelineSettings) -> Generator | None:
    model = settings.generation.model
    return None if model is None else OpenAICompatibleGenerator(model)


def _judge(settings: PipelineSettings, folder: Path | None) -> SupportJudge | None:
    wanted = settings.verification.judge
    return None if wanted is None else CachedJudge(make_judge(wanted, folder=folder), Verdicts())


class _Streamed:
    """A pipeline whose answers come in verified pieces."""

    def __init__(self, pipeline: Answers) -> None:
        self.pipeline = pipeline

    def answer(self, request: Request) -> Response:
        """Answer in pieces."""
        return streamed(self.pipeline.answer(request))
