"""The score of how likely evidence answers a question: what lowers it, what it is made from, what it never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.confidence import CLOSENESS, WEIGHTS, confidence
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.signals import SIGNALS
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step

TEXT = (
    "The Aare is the major tributary of the Rhine. The highest point of its basin is the Finsteraarhorn. "
    "The bridge at Basel was opened in 1226. Ships of more than 110 metres may not pass the gorge. "
    "Cologne is the largest city on the Rhine, with more than a million people."
)
EVIDENCE = [Evidence(chunk=Chunk(id="rhine", text=TEXT), score=1.0)]


def score(question: str, evidence: list[Evidence] | None = None) -> float:
    return confidence(read_question(question), EVIDENCE if evidence is None else evidence).score


@pytest.mark.parametrize(
    ("answered", "not_answered"),
    [
        pytest.param(
            "What is the highest point of the basin?", "What is the lowest point of the basin?", id="opposite"
        ),
        pytest.param(
            "What is the largest city on the Rhine?", "What is not the largest city on the Rhine?", id="denial"
        ),
        pytest.param("When was the bridge at Basel opened?", "When was the bridge at Worms opened?", id="name"),
        pytest.param("When was the bridge at Basel opened?", "When was the bridge at Basel designed?", id="relation"),
        pytest.param(
            "Which bridge was opened in 1226?", "Which bridge was opened in 1326?", id="figure of the question"
        ),
        pytest.param("When was the bridge at Basel opened?", "Who opened the bridge at Basel?", id="kind of answer"),
        pytest.param(
            "What is the largest city on the Rhine?", "What is the fastest city on the Rhine?", id="superlative"
        ),
        pytest.param("What is the major tributary of the Rhine?", "Who sang in the opera house?", id="topic"),
    ],
)
def test_what_the_evidence_does_not_answer_scores_lower(answered: str, not_answered: str) -> None:
    assert score(answered) > score(not_answered)


def test_without_evidence_or_words_the_score_is_nought() -> None:
    assert score("What is the largest city?", []) == 0
    assert score("Is it?") == 0


def test_of_several_parts_the_weakest_counts() -> None:
    both = "What is the largest city on the Rhine, and who sang in the opera house?"
    assert score(both) == pytest.approx(score("who sang in the opera house"), abs=0.2)
    assert score(both) < score("What is the largest city on the Rhine?")


def test_chinese_and_japanese_are_scored_by_their_pairs_of_characters() -> None:
    evidence = [Evidence(chunk=Chunk(id="zh", text="标准城市的酒店每晚限额为180元。会议室需要提前预订。"), score=1.0)]
    assert score("标准城市的酒店每晚限额是多少？", evidence) > score("机场贵宾室的年费是多少？", evidence)


def test_a_signal_without_weight_is_not_kept_and_a_weight_without_signal_cannot_be() -> None:
    assert CLOSENESS.keys() | WEIGHTS.keys() == SIGNALS.keys()


def test_each_part_is_scored_by_its_own_words_wherever_it_stands_in_the_question() -> None:
    first = "Who sang in the opera house? When was the bridge at Basel opened?"
    assert score(first) == score("Who sang in the opera house?")


@given(st.text(max_size=60), st.text(max_size=300))
def test_any_text_has_a_score_between_nought_and_one(question: str, text: str) -> None:
    evidence = [Evidence(chunk=Chunk(id="c", text=text), score=1.0)]
    assert 0 <= score(question, evidence) <= 1
    assert score(question, evidence) == score(question, evidence)


def test_a_hostile_text_is_scored_in_linear_time() -> None:
    hostile = "city " * 40_000
    assert (
        0
        <= score("What is the largest city on the Rhine?", [Evidence(chunk=Chunk(id="c", text=hostile), score=1.0)])
        <= 1
    )


HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
LIMIT = "What is the nightly hotel limit in a standard city?"


def test_the_response_and_the_trace_say_the_score_and_what_it_is_made_from() -> None:
    response = ReferencePipeline().answer(ask(LIMIT, [HOTEL]))
    told = step(response, "gate")["confidence"]
    assert response.confidence == told["score"] > 0.5
    assert told["chunk"] == "hotel"
    assert told["features"].keys() == WEIGHTS.keys()


def test_a_question_stopped_by_a_filter_or_a_conflict_has_no_score() -> None:
    other = make_chunk("other", "The nightly hotel limit in standard cities is $190.")
    assert ReferencePipeline().answer(ask("What is the API key of the payment service?", [HOTEL])).confidence is None
    conflict = ReferencePipeline().answer(ask(LIMIT, [HOTEL, other]))
    assert (conflict.reason_code, conflict.confidence) == ("CONFLICTING_EVIDENCE", None)


def test_below_the_least_confidence_no_generator_is_called() -> None:
    generator = ScriptedGenerator({"claims": []})
    settings = PipelineSettings.model_validate({"gate": {"confidence": "0.999"}})
    response = ReferencePipeline(settings=settings, generator=generator).answer(ask(LIMIT, [HOTEL]))
    assert (response.decision.value, response.reason_code) == ("abstain", "LOW_CONFIDENCE")
    assert "is below 0.999" in step(response, "gate")["says"]
    assert generator.prompts == []
