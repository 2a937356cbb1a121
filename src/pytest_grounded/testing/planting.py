"""What a planted fault is, and the ways to plant one in the reference pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.request import GroundedSystem, Request
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages

__all__ = ["Build", "Edit", "Edited", "Edits", "Fault", "edits", "rebuilt", "replaced", "staged", "with_settings"]

Build = Callable[[PipelineSettings], GroundedSystem]
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

    def __call__(self, settings: PipelineSettings) -> Edited:
        """The pipeline with these settings, its responses changed."""
        return Edited(assemble(settings), self.edit)


def edits(edit: Edit) -> Build:
    """A build whose responses are changed."""
    return Edits(edit)


def staged(**stages: Any) -> Build:
    """A build with other functions for some stages.

    >>> type(staged()(PipelineSettings.model_validate({"around": {"history": "no"}}))).__name__
    'ReferencePipeline'
    """
    return lambda settings: assemble(settings, stages=replace(Stages(), **stages))


def with_settings(**changes: Mapping[str, Any]) -> Build:
    """A build with some settings changed, given section by section."""

    def build(settings: PipelineSettings) -> GroundedSystem:
        data = settings.model_dump(mode="json")
        for section, values in changes.items():
            data[section] = {**data[section], **values}
        return assemble(PipelineSettings.model_validate(data))

    return build


def rebuilt(corpus: Corpus, chunks: Iterable[Chunk]) -> Corpus:
    """The corpus with other chunks."""
    return Corpus(name=corpus.name, chunks=chunks, revision=corpus.revision, as_of=corpus.as_of)


def replaced(response: Response, **fields: Any) -> Response:
    """The response with some fields changed."""
    return response.model_copy(update=fields)
