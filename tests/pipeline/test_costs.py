"""When is answering worth its risk?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_grounded.pipeline.costs import Costs, answer_probability
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step, steps

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
QUESTION = "What is the nightly hotel limit in a standard city?"


@pytest.mark.parametrize(
    ("wrong", "abstain", "convention", "threshold"),
    [
        pytest.param(5, 1, "forgone_answer", 5 / 6, id="five-to-one"),
        pytest.param(1, 1, "forgone_answer", 0.5, id="equal"),
        pytest.param(9, 1, "forgone_answer", 0.9, id="nine-to-one"),
        pytest.param(5, 0, "forgone_answer", 1.0, id="free-abstention-never-answers"),
        pytest.param(5, 1, "flat", 0.8, id="chow-five-to-one"),
        pytest.param(5, 0, "flat", 1.0, id="chow-free"),
        pytest.param(1, 2, "flat", 0.0, id="chow-abstaining-dearer"),
    ],
)
def test_the_threshold_is_the_published_one(wrong: float, abstain: float, convention: Any, threshold: float) -> None:
    assert Costs(wrong=wrong, abstain=abstain, convention=convention).threshold == pytest.approx(threshold, abs=1e-12)


@pytest.mark.parametrize(
    ("probability", "convention", "human", "action"),
    [
        (0.84, "forgone_answer", None, "answer"),
        (0.83, "forgone_answer", None, "abstain"),
        (0.81, "flat", None, "answer"),
        (0.8, "flat", None, "answer"),
        (0.79, "flat", None, "abstain"),
        (0.7, "forgone_answer", 0.5, "human"),
        (0.99, "forgone_answer", 0.5, "answer"),
        (0.0, "forgone_answer", 0.5, "abstain"),
    ],
)
def test_the_cheapest_action_is_taken(probability: float, convention: Any, human: float | None, action: str) -> None:
    assert Costs(wrong=5, abstain=1, convention=convention, human=human).cheapest(probability) == action


@given(st.floats(0, 1), st.floats(0.01, 100), st.floats(0, 100), st.sampled_from(["forgone_answer", "flat"]))
def test_answering_pays_above_the_threshold_and_never_below(
    probability: float, wrong: float, abstain: float, convention: Any
) -> None:
    costs = Costs(wrong=wrong, abstain=abstain, convention=convention)
    if abs(probability - costs.threshold) > 1e-6:
        assert (costs.cheapest(probability) == "answer") is (probability > costs.threshold)


@pytest.mark.parametrize(("score", "expected"), [(0.0, 0.1), (0.5, 0.1), (0.7, 0.45), (0.9, 0.8), (1.0, 0.8)])
def test_a_score_is_calibrated_between_measured_pairs(score: float, expected: float) -> None:
    assert answer_probability(score, ((0.5, 0.1), (0.9, 0.8))) == pytest.approx(expected)


@given(st.floats(0, 1))
def test_without_a_calibration_the_score_is_taken_for_the_probability(score: float) -> None:
    assert answer_probability(score, ()) == score


@pytest.mark.parametrize(
    "given_costs",
    [
        {"wrong": -1, "abstain": 1},
        {"wrong": float("nan"), "abstain": 1},
        {"wrong": 0, "abstain": 0},
        {"wrong": 5, "abstain": 1, "calibration": [[0.9, 0.5], [0.5, 0.2]]},
        {"wrong": 5, "abstain": 1, "calibration": [[0.5, 0.5], [0.5, 0.2]]},
        {"wrong": 5, "abstain": 1, "calibration": [[0.5, 1.5]]},
    ],
)
def test_costs_that_mean_nothing_are_refused(given_costs: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Costs.model_validate(given_costs)


def answer(**gate: Any) -> Any:
    generator = ScriptedGenerator({"claims": [{"text": HOTEL.text, "cites": ["hotel"], "quote": HOTEL.text}]})
    settings = PipelineSettings.model_validate({"gate": gate})
    return ReferencePipeline(settings=settings, generator=generator).answer(ask(QUESTION, [HOTEL])), generator


def test_a_question_too_risky_to_answer_calls_no_generator() -> None:
    costs = {"wrong": "5", "abstain": "1", "calibration": [["0.0", "0.0"], ["1.0", "0.7"]]}
    response, generator = answer(costs=costs)
    assert (response.decision.value, response.reason_code) == ("abstain", "LOW_CONFIDENCE")
    assert "right with probability 0.7, needed 0.8333" in step(response, "gate")["says"]
    assert (generator.prompts, response.internal.prompt) == ([], ())


def test_a_person_cheaper_than_both_gets_the_question() -> None:
    response, _ = answer(costs={"wrong": 5, "abstain": 1, "human": 0.1, "calibration": [[0, 0], [1, 0.7]]})
    assert (response.decision.value, response.reason_code) == ("escalate", "LOW_CONFIDENCE")


def test_each_class_of_risk_has_its_own_costs() -> None:
    risks = {"high": [{"all_of": [["hotel"]]}]}
    strict = {"high": {"wrong": 1, "abstain": 0}}
    response, _ = answer(risks=risks, costs_by_risk=strict, costs={"wrong": 0, "abstain": 1})
    assert response.reason_code == "LOW_CONFIDENCE"


def test_the_best_score_can_be_the_signal() -> None:
    response, _ = answer(costs={"wrong": 1, "abstain": 1}, signal="score")
    assert response.decision.value in {"answer", "abstain"}
    assert "probability" in step(response, "gate")["says"]


def test_an_answer_too_thin_is_not_shown() -> None:
    response, generator = answer(min_claims=2)
    assert (response.decision.value, response.reason_code) == ("abstain", "LOW_CONFIDENCE")
    assert steps(response)[-3:] == ["verify", "thin", "deliver"]
    assert len(generator.prompts) == 1
    assert "180" not in response.model_dump_json(exclude={"internal"})


def test_a_missing_part_that_changes_everything_blocks_a_partial_answer() -> None:
    chunk = make_chunk("rooms", "The room limit for adults is $180.")
    question = "What is the room limit for adults and for children?"
    usual = ReferencePipeline().answer(ask(question, [chunk]))
    open_settings = PipelineSettings.model_validate({"gate": {"blocking": []}})
    partial = ReferencePipeline(settings=open_settings).answer(ask(question, [chunk]))
    assert (usual.decision.value, usual.reason_code, usual.missing) == ("clarify", "PARTIAL_EVIDENCE", ("children",))
    assert "180" not in usual.text
    assert (partial.decision.value, partial.cited) == ("partial", ("rooms",))
