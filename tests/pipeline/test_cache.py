"""Answers are shown again only to those, and only as long as, they hold for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Literal

import pytest

from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.pipeline.cache import CachedPipeline, answer_key
from pytest_grounded.pipeline.lexical import OverlapScorer
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask
from tests.pipeline.test_reference import DownGenerator

HOTEL = make_chunk("hotel", "The nightly hotel limit is $180.", readers=["staff"])
QUESTION = "What is the nightly hotel limit?"
ANN = Requester(id="ann", groups=("staff",))


def request(*chunks: Chunk, **changes: Any) -> Request:
    return replace(ask(QUESTION, chunks or (HOTEL,), requester=ANN), **changes)


def hits(*requests: Request, **parts: Any) -> list[bool]:
    cached = CachedPipeline(ReferencePipeline(), **parts)
    return [bool((cached.answer(one).internal.cache or {})["hit"]) for one in requests]


def test_the_same_question_is_answered_once() -> None:
    assert hits(request(), request()) == [False, True]


def test_a_cached_answer_is_the_answer() -> None:
    cached = CachedPipeline(ReferencePipeline())
    first, second = cached.answer(request()), cached.answer(request())
    assert first.visible() == second.visible()
    assert second.internal.cache is not None
    assert second.internal.cache["requester"] == {"tenant": None, "groups": ["staff"]}
    assert "ann" not in str(second.internal.cache)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"question": "What is the hotel limit?"}, id="question"),
        pytest.param({"requester": Requester(id="bob", groups=("staff", "board"))}, id="groups"),
        pytest.param({"requester": Requester(id="ann", groups=("staff",), tenant="acme")}, id="tenant"),
        pytest.param({"requester": Requester(id="ann", groups=("staff",), audience=("employee",))}, id="audience"),
        pytest.param({"requester": Requester(id="ann", groups=("staff",), scope={"region": "EMEA"})}, id="scope"),
        pytest.param({"as_of": date(2024, 10, 2)}, id="day"),
        pytest.param({"corpus": Corpus(name="c", chunks=[HOTEL, make_chunk("new", "A new text.")])}, id="corpus"),
        pytest.param({"history": (Turn(role="user", text="In Paris."),)}, id="history"),
    ],
)
def test_anything_an_answer_depends_on_makes_another_entry(other: dict[str, Any]) -> None:
    assert hits(request(), request(**other)) == [False, False]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            {"requester": Requester(id="bob", groups=("staff",))}, id="another-person-with-the-same-permissions"
        ),
        pytest.param({"question": "  what is the NIGHTLY hotel limit?"}, id="case-and-space"),
        pytest.param(
            {"corpus": Corpus(name="c", chunks=[HOTEL, make_chunk("memo", "Board only.", readers=["board"])])},
            id="a-document-they-cannot-read",
        ),
    ],
)
def test_what_changes_nothing_for_the_requester_is_a_hit(other: dict[str, Any]) -> None:
    assert hits(request(), request(**other)) == [False, True]


def test_another_verifier_makes_another_entry() -> None:
    pipelines = [
        ReferencePipeline(settings=PipelineSettings.model_validate({"verification": {"overlap": share}}))
        for share in (0.6, 0.7)
    ]
    assert pipelines[0].verifier != pipelines[1].verifier


class Judge:
    name = "fixed"

    def __init__(self, version: str) -> None:
        self.version = version

    def judge(self, claim: str, evidence: Sequence[str]) -> Literal["support"]:
        del claim, evidence
        return "support"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"settings": PipelineSettings.model_validate({"gate": {"coverage": 0.9}})}, id="settings"),
        pytest.param({"generator": ScriptedGenerator({"claims": []})}, id="generator"),
        pytest.param({"scorer": OverlapScorer()}, id="scorer"),
        pytest.param({"judge": Judge("1")}, id="judge"),
    ],
)
def test_another_pipeline_makes_another_entry(parts: dict[str, Any]) -> None:
    assert answer_key(request(), ReferencePipeline()) == answer_key(request(), ReferencePipeline())
    assert answer_key(request(), ReferencePipeline()) != answer_key(request(), ReferencePipeline(**parts))


def test_another_version_of_the_judge_makes_another_entry() -> None:
    keys = {answer_key(request(), ReferencePipeline(judge=Judge(version))) for version in ("1", "2")}
    assert len(keys) == 2


def test_even_with_a_careless_key_an_answer_ends_with_its_source() -> None:
    cached = CachedPipeline(ReferencePipeline(), key=lambda request, _: request.question)
    until = Chunk.model_validate({**HOTEL.model_dump(mode="json"), "effective_to": "2024-10-31"})
    assert "180" in cached.answer(request(until)).text
    later = cached.answer(request(until, as_of=date(2024, 11, 1)))
    assert ((later.internal.cache or {})["hit"], "180" in later.text) == (False, False)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"readers": ["board"]}, id="revoked"),
        pytest.param({"effective_to": "2024-09-30"}, id="ended"),
        pytest.param({"text": "The nightly hotel limit is $200."}, id="edited"),
    ],
)
def test_even_with_a_careless_key_a_cached_answer_is_looked_at_again(changed: dict[str, Any]) -> None:
    cached = CachedPipeline(ReferencePipeline(), key=lambda request, _: request.question)
    cached.answer(request())
    now = Chunk.model_validate({**HOTEL.model_dump(mode="json"), **changed})
    response = cached.answer(request(now))
    assert (response.internal.cache or {})["hit"] is False
    assert "180" not in response.text


def test_a_failure_of_a_dependency_is_not_kept() -> None:
    cached = CachedPipeline(ReferencePipeline(generator=DownGenerator()))
    assert [(cached.answer(request()).internal.cache or {})["hit"] for _ in range(2)] == [False, False]


def test_the_oldest_entry_makes_room() -> None:
    other = replace(request(), question="What is the minibar limit?")
    assert hits(request(), other, request(), size=1) == [False, False, False]
