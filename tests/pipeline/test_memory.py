"""Follow-up questions, and what memory may not carry over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.model.request import Turn
from pytest_grounded.pipeline.memory import (
    ConversationalPipeline,
    earlier_statements,
    resolve_follow_up,
    usable_turns,
)
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask, step, steps

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


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        pytest.param("Who approves the second one?", "Who approves meal allowance?", id="second"),
        pytest.param("And the 1st point?", "And hotel limit?", id="digit"),
        pytest.param("Who approves the last one?", "Who approves bonus?", id="last"),
        pytest.param("刚才第二条由谁批准？", "meal allowance由谁批准？", id="chinese"),
        pytest.param("When is the second receipt due?", None, id="a-second-thing"),
        pytest.param("Who approves the latter?", "", id="latter-of-three"),
        pytest.param("Who approves the fourth one?", "", id="more-than-were-said"),
    ],
)
def test_a_place_in_the_last_answer_is_resolved_to_what_it_stated(question: str, read_as: str | None) -> None:
    resolved = resolve_follow_up(question, (turn(FIRST),), ("hotel limit", "meal allowance", "bonus"))
    if read_as is None:
        assert (resolved.question, resolved.reason, resolved.lost) == (question, None, None)
    else:
        assert (resolved.lost is not None, resolved.reason is not None) == (not read_as, bool(read_as))
        assert resolved.question == (read_as or question)


def test_the_latter_is_the_second_of_two() -> None:
    assert resolve_follow_up("Is the latter paid?", (turn(FIRST),), ("a", "b")).question == "Is b paid?"


BOTH = "What is the nightly hotel limit in a standard city and in a high-cost city?"
TOKYO = make_chunk("tokyo", "The nightly hotel limit in high-cost cities holds in Tokyo.")
SECOND = "Does the second one hold in Tokyo?"


def test_the_second_one_is_the_second_claim_of_the_answer_before() -> None:
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=6)
    assert pipeline.answer(ask(BOTH, [STANDARD, COSTLY, TOKYO])).cited == ("standard", "costly")
    response = pipeline.answer(ask(SECOND, [STANDARD, COSTLY, TOKYO]))
    assert step(response, "follow_up")["query"] == "Does nightly hotel limit in high-cost cities hold in Tokyo?"
    assert response.cited == ("tokyo",)


def test_two_claims_of_one_chunk_are_told_apart() -> None:
    table = make_chunk("limits", f"{STANDARD.text} {COSTLY.text}")
    pipeline = ConversationalPipeline(ReferencePipeline(), turns=6)
    assert len(pipeline.answer(ask(BOTH, [table, TOKYO])).claims) == 2
    assert pipeline.answer(ask(SECOND, [table, TOKYO])).cited == ("tokyo",)


def test_the_second_one_of_a_history_is_the_second_that_it_cites() -> None:
    history = (turn(BOTH), turn("It is $180 [1], or $260 [2].", role="assistant", cites=("standard", "costly")))
    request = ask(SECOND, [STANDARD, COSTLY, TOKYO], history=history)
    assert ConversationalPipeline(ReferencePipeline()).answer(request).cited == ("tokyo",)


@pytest.mark.parametrize(
    "fields",
    [
        {"readers": ["board"]},
        {"status": "withdrawn"},
        {"effective_to": "2024-09-30"},
        {"audience": ["contractor"]},
    ],
    ids=["revoked", "withdrawn", "ended", "of-others"],
)
def test_a_statement_that_may_not_be_relied_on_any_more_is_asked_for_and_never_taken_for_another(
    fields: dict[str, Any],
) -> None:
    staff = Requester(id="ann", groups=("staff",), audience=("employee",))
    earlier = (turn(FIRST), turn("", role="assistant", cites=("standard", "tokyo")))
    last = (turn(BOTH), turn("", role="assistant", cites=("standard", "costly")))
    gone = make_chunk("costly", COSTLY.text, **fields)
    pipeline = ConversationalPipeline(ReferencePipeline())
    asked = ask(SECOND, [STANDARD, gone, TOKYO], requester=staff, history=(*earlier, *last))
    response = pipeline.answer(asked)
    absent = pipeline.answer(replace(asked, corpus=Corpus(name="test", chunks=[STANDARD, TOKYO])))
    assert (response.decision.value, response.reason_code, response.next_step) == (
        "clarify", "PARTIAL_EVIDENCE", "clarify",
    )  # fmt: skip
    assert response.missing == ('what "the second one" is',)
    assert response == absent


def test_a_statement_that_was_replaced_is_the_one_in_its_place() -> None:
    history = (turn(BOTH), turn("", role="assistant", cites=("standard", "costly")))
    old = make_chunk("costly", COSTLY.text, status="superseded", effective_from="2023-01-01")
    new = make_chunk(
        "new",
        "The nightly hotel limit in high-cost cities is $280.",
        supersedes=["costly"],
        effective_from="2024-01-01",
    )
    request = ask("What is the second one?", [STANDARD, old, new], history=history)
    response = ConversationalPipeline(ReferencePipeline()).answer(request)
    assert (response.cited, "$280" in response.text) == (("new",), True)


def test_what_another_requester_was_told_is_not_pointed_at() -> None:
    told = turn("", role="assistant", cites=("standard", "costly"), requester=BOB)
    assert earlier_statements(ask(SECOND, [STANDARD, COSTLY], requester=ANN, history=(told,))) == ()


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
