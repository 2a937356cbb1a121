"""Disagreement between passages without fact keys."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.disagreements import contradiction, read_statement
from pytest_grounded.pipeline.passages import Passage, PassageKind
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask, step


def compared(
    left: str, right: str, left_fields: dict[str, Any] | None = None, right_fields: dict[str, Any] | None = None
) -> tuple[str, str] | None:
    chunks = (make_chunk("a", left, **(left_fields or {})), make_chunk("b", right, **(right_fields or {})))
    passages = (Passage(start=0, end=len(chunk.text), kind=PassageKind.SENTENCE, plain=chunk.text) for chunk in chunks)
    return contradiction(*(read_statement(chunk, passage) for chunk, passage in zip(chunks, passages, strict=True)))


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        pytest.param(
            "Parking costs $12 per day.", "Parking costs $15 per day.", ("$12 per day", "$15 per day"), id="amount"
        ),
        pytest.param(
            "Parking costs $12 per day.",
            "Parking is $15 per day.",
            ("$12 per day", "$15 per day"),
            id="amount-in-other-words",
        ),
        pytest.param(
            "File claims within 30 days.", "Claims are filed within 60 days.", ("30 days", "60 days"), id="period"
        ),
        pytest.param(
            "The office opened on 1 May 1990.",
            "The office opened on 2 June 1991.",
            ("1 May 1990", "2 June 1991"),
            id="date",
        ),
        pytest.param("停车费为每天12元。", "停车费为每天15元。", ("12元", "15元"), id="chinese"),
        pytest.param(
            "Remote work is allowed on Fridays.",
            "Remote work is not allowed on Fridays.",
            ("Remote work is allowed on Fridays.", "Remote work is not allowed on Fridays."),
            id="denial",
        ),
    ],
)
def test_two_statements_about_one_subject_that_differ_once_contradict(
    left: str, right: str, values: tuple[str, str]
) -> None:
    assert compared(left, right) == values


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("Parking costs $12 per day.", "Parking costs $12 per day.", id="the-same"),
        pytest.param(
            "Parking costs $12.00 per day.", "Parking costs 12 dollars per day.", id="the-same-otherwise-written"
        ),
        pytest.param("Visitor parking costs $12.", "Staff parking costs $15.", id="other-subject"),
        pytest.param(
            "The limit in standard cities is $180.", "The limit in high-cost cities is $260.", id="other-condition"
        ),
        pytest.param("The limit is $180.", "The limit in Paris, Rome and Oslo is $260.", id="special-case"),
        pytest.param("The 2023 budget was $1200.", "The 2024 budget is $1500.", id="other-year"),
        pytest.param(
            "Visitor parking at the main gate of the head office in the old town costs $12 a day.",
            "Visitor parking at the main gate of the head office in the old town costs $15 a day, with exceptions.",
            id="other-exception",
        ),
        pytest.param("Parking costs $12 per day.", "Parking costs $300 per month.", id="other-rate"),
        pytest.param("Parking costs $12.", "Parking costs 15%.", id="other-kind"),
        pytest.param("Parking costs $12.", "Parking costs €15.", id="other-unit"),
        pytest.param("Parking costs about $12.", "Parking costs $15.", id="rounding"),
        pytest.param("Parking costs $12 or $20.", "Parking costs $15 or $25.", id="several-figures"),
        pytest.param("Parking costs $12.", "Parking costs $15, except on Sundays.", id="exception"),
        pytest.param("Parking is open.", "Parking is open.", id="no-figure"),
    ],
)
def test_statements_that_can_both_hold_do_not_contradict(left: str, right: str) -> None:
    assert compared(left, right) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"scope": {"region": "EMEA"}}, {"scope": {"region": "APAC"}}),
        ({"scope": {"region": "EMEA"}}, {}),
        ({"audience": ["employee"]}, {"audience": ["contractor"]}),
    ],
)
def test_other_scopes_and_audiences_do_not_contradict(left: dict[str, Any], right: dict[str, Any]) -> None:
    assert compared("Parking costs $12.", "Parking costs $15.", left, right) is None


def test_the_name_of_the_source_is_not_the_subject() -> None:
    assert compared(
        "Annex D caps luggage insurance at $35 per trip.",
        "Annex E caps insurance for luggage at $50 per trip.",
        {"title": "Annex D"},
        {"title": "Annex E"},
    ) == ("$35 per trip", "$50 per trip")


def test_a_heading_that_repeats_a_word_of_one_side_takes_nothing_from_the_subject() -> None:
    left, right = {"title": "Limits", "document": "a"}, {"title": "Rules", "document": "b"}
    assert compared("The hotel limit is $180.", "The hotel limit is $150.", left, right) == ("$180", "$150")


def test_headings_of_one_document_tell_two_subjects_apart() -> None:
    left, right = {"title": "High-cost cities", "document": "a"}, {"title": "Standard cities", "document": "a"}
    assert compared("The hotel limit is $260.", "The hotel limit is $180.", left, right) is None
    assert (
        compared("The hotel limit is $260.", "The hotel limit is $180.", left, {**right, "document": "b"}) is not None
    )


def answer(question: str, *chunks: Chunk, **conflicts: Any) -> Response:
    settings = PipelineSettings.model_validate({"conflicts": conflicts})
    return ReferencePipeline(settings=settings).answer(ask(question, chunks))


def test_an_open_disagreement_without_keys_stops_the_answer_and_shows_both_sides() -> None:
    chunks = (make_chunk("a", "Visitor parking costs $12 a day."), make_chunk("b", "Visitor parking costs $15 a day."))
    response = answer("How much does visitor parking cost?", *chunks)
    assert (response.decision.value, response.reason_code) == ("abstain", "CONFLICTING_EVIDENCE")
    assert [(side.value, side.chunks) for side in response.conflicts[0].sides] == [
        ("$12 a day", ("a",)),
        ("$15 a day", ("b",)),
    ]
    assert "$12 a day" in response.text
    assert "$15 a day" in response.text


def test_the_rules_settle_a_disagreement_without_keys_as_well() -> None:
    chunks = (
        make_chunk("policy", "Visitor parking costs $12 a day.", authority=3),
        make_chunk("wiki", "Visitor parking costs $15 a day.", authority=1),
    )
    response = answer("How much does visitor parking cost?", *chunks)
    assert (response.decision.value, response.cited) == ("answer", ("policy",))
    assert step(response, "resolve")["conflicts"][0]["rule"] == "authority"


def test_three_sources_make_one_disagreement() -> None:
    chunks = [make_chunk(f"c{value}", f"Visitor parking costs ${value} a day.") for value in (12, 15, 12)][:2]
    third = make_chunk("c12b", "At the desk, visitor parking costs $12 a day.", title="At the desk")
    (report,) = step(answer("How much does visitor parking cost?", *chunks, third), "resolve")["conflicts"]
    assert [side["value"] for side in report["sides"]] == ["$12 a day", "$15 a day"]


def test_a_source_that_contradicts_itself_is_found() -> None:
    chunk = make_chunk("a", "Visitor parking costs $12 a day. Visitor parking costs $15 a day.")
    assert answer("How much does visitor parking cost?", chunk).reason_code == "CONFLICTING_EVIDENCE"


def test_recorded_facts_are_believed_before_words() -> None:
    chunks = (
        make_chunk("a", "Visitor parking costs $12 a day.", facts={"parking": "12"}),
        make_chunk("b", "Visitor parking costs $15 a day.", facts={"parking": "15"}),
    )
    (report,) = step(answer("How much does visitor parking cost?", *chunks), "resolve")["conflicts"]
    assert report["key"] == "parking"


def test_looking_for_disagreement_can_be_switched_off() -> None:
    chunks = (make_chunk("a", "Visitor parking costs $12 a day."), make_chunk("b", "Visitor parking costs $15 a day."))
    assert answer("How much does visitor parking cost?", *chunks, detect=False).decision.value == "answer"
