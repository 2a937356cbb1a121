"""What a planted fault is, and the ways to plant one in a pipeline built of the reference stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.request import GroundedSystem, Request
from pytest_grounded.model.response import Response
from pytest_grounded.model.support import SupportJudge
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.generate import Generator
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages

__all__ = [
    "Build",
    "Edit",
    "Edited",
    "Edits",
    "Fault",
    "Parts",
    "edits",
    "misreading",
    "planted",
    "rebuilt",
    "replaced",
    "staged",
    "with_settings",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a pipeline is built of: its settings, and whatever of one's own takes the place of a part.

    A fault breaks one of them and leaves the others: with a generator of one's own and a fault in the gate, that
    generator writes. A fault of a stage takes the place of the stage it breaks, one's own or not.

    >>> Parts().assembled().__class__.__name__, Parts().bare().__class__.__name__
    ('ConversationalPipeline', 'ReferencePipeline')
    """

    settings: PipelineSettings = field(default_factory=PipelineSettings)
    generator: Generator | None = None
    judge: SupportJudge | None = None
    scorer: Scorer | None = None
    stages: Stages = field(default_factory=Stages)

    def assembled(self) -> Answers:
        """The pipeline with what its settings put around it."""
        return assemble(
            self.settings, generator=self.generator, judge=self.judge, scorer=self.scorer, stages=self.stages
        )

    def bare(self) -> ReferencePipeline:
        """The pipeline alone."""
        return ReferencePipeline(
            settings=self.settings,
            generator=self.generator,
            judge=self.judge,
            scorer=self.scorer,
            stages=self.stages,
        )


Build = Callable[[Parts], GroundedSystem]
Edit = Callable[[Response, Request], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing broken. `stage` is where, `owner` whose failure a finding should say it is.

    `channel` is the way a leak takes out (docs/leakage.md), None for a fault that leaks nothing. `later` is the check
    that sees it where a single run cannot: one that changes something, compares with an earlier run, or measures time.
    """

    name: str
    stage: str
    what: str
    owner: Owner
    build: Build
    channel: str | None = None
    later: str | None = None

    @property
    def edit(self) -> Edit | None:
        """What it changes in a reply, so that it can be planted in any system; None where it breaks a stage."""
        return self.build.edit if isinstance(self.build, Edits) else None

    def __repr__(self) -> str:
        return f"Fault({self.name!r})"


Row = tuple[str, str, Owner, str, Build]
"""A fault as it stands in a table: its name, stage, owner, what goes wrong, how it is planted."""


def planted(*rows: Row) -> tuple[Fault, ...]:
    """The faults of a table.

    >>> planted(("first_only", "select", Owner.RETRIEVAL, "one chunk is kept", with_settings(selection={"limit": 1})))
    (Fault('first_only'),)
    """
    return tuple(
        Fault(name=name, stage=stage, owner=owner, what=what, build=build) for name, stage, owner, what, build in rows
    )


@dataclass(frozen=True, slots=True)
class Edited:
    """The clean pipeline, its response changed before it is delivered."""

    pipeline: Answers
    edit: Edit

    def answer(self, request: Request) -> Response:
        """Answer, changed."""
        return self.edit(self.pipeline.answer(request), request)


@dataclass(frozen=True, slots=True)
class Edits:
    """A build whose responses are changed."""

    edit: Edit

    def __call__(self, parts: Parts) -> Edited:
        """The pipeline of these parts, its responses changed."""
        return Edited(parts.assembled(), self.edit)


def edits(edit: Edit) -> Build:
    """A build whose responses are changed."""
    return Edits(edit)


def staged(**stages: Any) -> Build:
    """A build with other functions for some stages.

    >>> type(staged()(Parts())).__name__
    'ConversationalPipeline'
    """
    return lambda parts: replace(parts, stages=replace(parts.stages, **stages)).assembled()


def with_settings(**changes: Mapping[str, Any]) -> Build:
    """A build with some settings changed, given section by section."""

    def build(parts: Parts) -> GroundedSystem:
        data = parts.settings.model_dump(mode="json")
        for section, values in changes.items():
            data[section] = {**data[section], **values}
        return replace(parts, settings=PipelineSettings.model_validate(data)).assembled()

    return build


def misreading(change: Callable[[Chunk], Chunk]) -> Callable[[Request], Readable]:
    """A first stage that reads the metadata of every chunk wrongly."""
    return lambda request: permit(replace(request, corpus=rebuilt(request.corpus, map(change, request.corpus))))


def rebuilt(corpus: Corpus, chunks: Iterable[Chunk]) -> Corpus:
    """The corpus with other chunks."""
    return Corpus(name=corpus.name, chunks=chunks, revision=corpus.revision, as_of=corpus.as_of)


def replaced(response: Response, **fields: Any) -> Response:
    """The response with some fields changed."""
    return response.model_copy(update=fields)
