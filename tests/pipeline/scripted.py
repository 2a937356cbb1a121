"""A generator that says what it is told to, and requests against small corpora."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus, Requester
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.response import Json, Response
from pytest_grounded.pipeline.generate import GenerationTask

DAY = date(2024, 10, 1)


class ScriptedGenerator:
    """Returns its drafts one by one, the last one again and again; keeps what it was asked."""

    name = "scripted/1"

    def __init__(self, *drafts: object) -> None:
        self.drafts = drafts
        self.tasks: list[GenerationTask] = []
        self.prompts: list[str] = []

    def generate(self, task: GenerationTask, prompt: str) -> object:
        self.tasks.append(task)
        self.prompts.append(prompt)
        return self.drafts[min(len(self.tasks), len(self.drafts)) - 1]


def ask(
    question: str,
    corpus: Corpus | Iterable[Chunk],
    *,
    requester: Requester = ANONYMOUS,
    as_of: date = DAY,
    history: tuple[Turn, ...] = (),
) -> Request:
    """A request on the usual day."""
    corpus = corpus if isinstance(corpus, Corpus) else Corpus(name="test", chunks=corpus)
    return Request(question=question, requester=requester, as_of=as_of, history=history, corpus=corpus)


def step(response: Response, name: str) -> Json:
    """The last step of that name in a trace."""
    return [one for one in response.internal.steps or () if one["name"] == name][-1]


def steps(response: Response) -> list[str]:
    """The names of all steps in order."""
    return [one["name"] for one in response.internal.steps or ()]
