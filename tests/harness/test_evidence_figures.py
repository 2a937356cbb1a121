"""Recall and precision of the evidence that a case needs, at each stage it passes."""

from __future__ import annotations

from pytest_grounded.harness.results import evidence_figures
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_case, make_chunk, make_slot

CHUNKS = (
    make_chunk("hotel", "The nightly hotel limit in standard cities is $180."),
    make_chunk("receipts", "Receipts for hotel nights are required above $25."),
    make_chunk("minibar", "The minibar of a hotel in standard cities is not paid for."),
)


def case(*slots: tuple[str, list[str] | list[list[str]]]) -> Case:
    return make_case(
        "multi_evidence",
        corpus=CHUNKS,
        question="What is the nightly hotel limit in standard cities, and when are receipts required?",
        slots=[make_slot(value, name=f"s{value}", evidence=evidence) for value, evidence in slots],
    )


NEEDED = case(("180", ["hotel"]), ("25", ["receipts"]))


def figures(asked: Case, response: Response) -> dict[str, tuple[float | None, float | None] | None]:
    found = evidence_figures(asked, Outcome(response=response))
    return {name: None if one is None else (one["recall"], one["precision"]) for name, one in found.items()}


def test_each_stage_has_recall_and_precision_of_what_the_case_needs() -> None:
    settings = PipelineSettings.model_validate({"selection": {"max_items": 1, "neighbours": False}})
    response = ReferencePipeline(settings=settings).answer(NEEDED.request())
    assert figures(NEEDED, response) == {
        "candidates": (1.0, 0.666667),
        "selected": (0.5, 1.0),
        "supplied": (0.5, 1.0),
        "cited": (0.5, 1.0),
    }


def test_half_of_a_group_fills_no_slot_and_one_of_several_groups_does() -> None:
    response = Response.model_validate({"decision": "answer", "internal": {"evidence": ["hotel", "minibar"]}})
    assert figures(case(("180", ["hotel", "receipts"])), response)["supplied"] == (0.0, 0.5)
    assert figures(case(("180", [["receipts"], ["hotel"]])), response)["supplied"] == (1.0, 0.5)


def test_what_was_not_observed_has_no_figures() -> None:
    assert figures(NEEDED, Response.model_validate({"decision": "answer"})) == {
        "candidates": None,
        "selected": None,
        "supplied": None,
        "cited": (0.0, None),
    }
