"""Follow-up questions, and what memory may not carry over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_grounded.model.evidence import Requester
from pytest_grounded.model.request import Turn
from pytest_grounded.pipeline.memory import ConversationalPipeline, resolve_follow_up, usable_turns
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask, steps

STANDARD = make_chunk("standard", "The nightly hotel limit in standard cities is $180.")
COSTLY = make_chunk("costly", "The nightly hotel limit in high-cost cities is $260.")
FIRST = "What is the nightly hotel limit in a standard city?"
ANN, BOB = Requester(id="ann", groups=("staff",)), Requester(id="bob", groups=("staff",))


def turn(text: str, **fields: Any) -> Turn:
    return Turn(role=fields.pop("role", "user"), text=text, **fields)


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("And in a high-cost city?", "nightly hotel limit in a high-cost city?"),
        ("What about Tokyo?", "nightly hotel limit Tokyo?"),
        ("Who approves it?", "Who approves nightly hotel limit?"),
        ("When are receipts required?", "When are receipts required?"),
        ("And when must I hand in all of the receipts for my last trip to the Berlin office?",) * 2,
        ("", ""),
    ],
)
def test_a_follow_up_gets_what_it_leaves_unsaid(question: str, read_as: str) -> None:
    assert resolve_follow_up(question, (turn(FIRST),)).question == read_as


def test_without_an_earlier_question_nothing_is_rewritten() -> None:
    assert resolve_follow_up("And in Paris?", (turn("Hello.", role="assistant"),)).reason is None
    assert resolve_follow_up("And in Paris?", (turn("?"),)).reason is None


def test_the_history_of_a_request_is_understood() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline())
    response = pipeline.answer(ask("And in a high-cost city?", [STANDARD, COSTLY], history=(turn(FIRST),)))
    assert response.cited == ("costly",)
    assert steps(response)[0] == "follow_up"


def test_a_requester_is_remembered_and_no_other() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=6)
    chunks = [STANDARD, COSTLY]
    pipeline.answer(ask(FIRST, chunks, requester=ANN))
    assert pipeline.answer(ask("And in a high-cost city?", chunks, requester=ANN)).cited == ("costly",)
    assert "follow_up" not in steps(pipeline.answer(ask("And in a high-cost city?", chunks, requester=BOB)))


def test_permissions_that_change_end_the_conversation() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=6)
    pipeline.answer(ask(FIRST, [STANDARD], requester=ANN))
    demoted = replace(ask("And in a high-cost city?", [STANDARD], requester=Requester(id="ann")))
    assert "follow_up" not in steps(pipeline.answer(demoted))


def test_what_another_requester_said_is_not_used() -> None:
    request = ask("Who approves it?", [STANDARD], requester=ANN, history=(turn(FIRST, requester=BOB),))
    assert usable_turns(request) == ()


@pytest.mark.parametrize(
    "fields",
    [{"readers": ["board"]}, {"status": "withdrawn"}, {"effective_to": "2024-09-30"}],
    ids=["revoked", "withdrawn", "ended"],
)
def test_an_answer_whose_source_may_not_be_relied_on_any_more_is_forgotten(fields: dict[str, Any]) -> None:
    now = make_chunk("standard", "The nightly hotel limit in standard cities is $180.", **fields)
    history = (turn(FIRST), turn("It is $180.", role="assistant", cites=("standard",)))
    assert [one.role for one in usable_turns(ask("x", [now], history=history))] == ["user"]
    assert len(usable_turns(ask("x", [STANDARD], history=history))) == 2


def test_each_turn_is_answered_from_todays_documents() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=6)
    pipeline.answer(ask(FIRST, [STANDARD, COSTLY], requester=ANN))
    gone = make_chunk("costly", COSTLY.text, readers=["board"])
    response = pipeline.answer(ask("And in a high-cost city?", [STANDARD, gone], requester=ANN))
    assert "260" not in response.model_dump_json()
    assert response.decision.value != "answer"


def test_without_turns_nothing_is_remembered_from_one_request_to_the_next() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline())
    pipeline.answer(ask(FIRST, [STANDARD, COSTLY], requester=ANN))
    response = pipeline.answer(ask("And in a high-cost city?", [STANDARD, COSTLY], requester=ANN))
    assert "follow_up" not in steps(response)


def test_memory_holds_no_text_of_an_answer() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=2)
    for _ in range(3):
        pipeline.answer(ask(FIRST, [STANDARD], requester=ANN))
    (turns,) = pipeline._remembered.values()
    assert len(turns) == 2
    assert all("180" not in one.text for one in turns)
