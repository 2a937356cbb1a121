"""Values that no passage states and two passages give together, and those that may not be put together."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.verify import verify
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

NATIONAL = "The national allowance is $500."
SHANGHAI = "The allowance in Shanghai is $300 more than the national allowance."
QUESTION = "How much is the allowance in Shanghai?"


def answer(question: str, *texts: str, **settings: Any) -> Response:
    chunks = [make_chunk(f"e{number}", text) for number, text in enumerate(texts, start=1)]
    pipeline = ReferencePipeline(settings=PipelineSettings.model_validate(settings))
    return pipeline.answer(ask(question, chunks))


@pytest.mark.parametrize(
    ("question", "texts", "shown"),
    [
        pytest.param(QUESTION, (SHANGHAI, NATIONAL), "$500 + $300 = $800", id="more-than"),
        pytest.param(
            "上海的额度是多少?",
            ("上海额度比全国增加300元。", "全国额度为500元。"),
            "500元 + 300元 = 800元",
            id="chinese",
        ),
        pytest.param(
            "What is the limit in Bern?",
            ("In Bern the limit is the national limit plus $40.", "The national limit is $180."),
            "$180 + $40 = $220",
            id="plus",
        ),
        pytest.param(
            "What is the trainee rate?",
            ("The trainee rate is $20 less than the national rate.", "The national rate is $100."),
            "$100 - $20 = $80",
            id="less-than",
        ),
        pytest.param(
            "What is the difference between the nightly limits in standard cities and in high-cost cities?",
            ("The nightly limit in standard cities is $180.", "The nightly limit in high-cost cities is $260."),
            "$260 - $180 = $80",
            id="difference",
        ),
    ],
)
def test_a_value_is_computed_with_both_sources_and_marked_as_inferred(
    question: str, texts: tuple[str, ...], shown: str
) -> None:
    response = answer(question, *texts)
    assert f"Derived from these: {shown} [1][2]" in response.text
    (claim,) = response.claims
    assert (claim.status, set(response.cited)) == ("inferred", {"e1", "e2"})
    assert claim.derivation is not None
    assert [operand.chunk in {"e1", "e2"} for operand in claim.derivation.operands] == [True, True]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((SHANGHAI, "The national allowance is 500 euros."), id="unit"),
        pytest.param(
            ("In 2024 " + SHANGHAI[0].lower() + SHANGHAI[1:], "The national allowance was $500 in 2022."), id="period"
        ),
        pytest.param((SHANGHAI, "The national budget for parks is $500."), id="subject"),
        pytest.param((SHANGHAI, "The regional allowance is $500."), id="near-subject"),
        pytest.param((SHANGHAI, NATIONAL, "The national allowance of trainees is $450."), id="two-bases"),
        pytest.param(
            (SHANGHAI.replace("more", "more, including tax,"), "The national allowance is $500 before tax."), id="tax"
        ),
        pytest.param((SHANGHAI.replace("$300", "$300 a month"), "The national allowance is $500 a day."), id="rate"),
        pytest.param(
            (
                "The taxi allowance in Shanghai is $300, including tax, more than the national allowance.",
                "The national taxi allowance is $400 before tax.",
                "The national hotel allowance is $500.",
            ),
            id="another-subject",
        ),
        pytest.param(
            (
                "通讯设备的全国税前额度为500元。",
                "深圳的通讯设备含税额度比全国额度增加300元。",
                "办公设备的全国额度为500元。",
            ),
            id="chinese-other-basis",
        ),
    ],
)
def test_what_does_not_belong_together_is_not_put_together(texts: tuple[str, ...]) -> None:
    response = answer("深圳的通讯设备额度是多少?" if "深圳" in "".join(texts) else QUESTION, *texts)
    assert all(claim.derivation is None for claim in response.claims)
    assert "800" not in response.text


def test_of_two_figures_the_one_about_the_same_subject_is_built_on() -> None:
    response = answer(
        "What is the taxi allowance in Shanghai?",
        "The taxi allowance in Shanghai is $300 more than the national allowance.",
        "The national taxi allowance is $400.",
        "The national hotel allowance is $500.",
    )
    assert "$400 + $300 = $700" in response.text


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        pytest.param("How much higher is the allowance in Shanghai?", (SHANGHAI, NATIONAL), id="english"),
        pytest.param("上海额度比全国高多少?", ("上海额度比全国额度增加300元。", "全国额度为500元。"), id="chinese"),
    ],
)
def test_a_stated_difference_is_not_computed_with(question: str, texts: tuple[str, ...]) -> None:
    response = answer(question, *texts)
    assert "300" in response.text
    assert all(claim.derivation is None for claim in response.claims)


def test_deriving_can_be_switched_off() -> None:
    assert "800" not in answer(QUESTION, SHANGHAI, NATIONAL, generation={"derive": False}).text


def draft(**changes: Any) -> dict[str, Any]:
    claim = {
        "text": "The allowance in Shanghai is $800.",
        "citations": [{"chunk": "e1", "quote": SHANGHAI}, {"chunk": "e2", "quote": NATIONAL}],
        "status": "inferred",
        "derivation": {
            "operation": "sum",
            "operands": [{"value": "500", "unit": "$", "chunk": "e2"}, {"value": "300", "unit": "$", "chunk": "e1"}],
        },
    }
    return {"claims": [{**claim, **changes}]}


def operands(*given: tuple[str, str | None, str | None]) -> dict[str, Any]:
    return {"operation": "sum", "operands": [{"value": v, "unit": u, "chunk": c} for v, u, c in given]}


def failures(
    *texts: str, asked: str = QUESTION, scopes: tuple[dict[str, str], ...] = (), **changes: Any
) -> list[tuple[str, str]]:
    question = read_question(asked)
    evidence = tuple(
        Evidence(chunk=make_chunk(f"e{place + 1}", text, scope=scopes[place] if scopes else {}), score=1.0)
        for place, text in enumerate(texts)
    )
    layers = {"verification": {"layers": ["schema", "citation_id", "derivation", "numbers", "bounds"]}}
    task = GenerationTask(
        question=question, parts=question.parts, evidence=evidence, settings=PipelineSettings.model_validate(layers)
    )
    found = verify(draft(**changes), task).failures
    return [(str(failure.check), failure.detail) for failure in found]


def test_a_stated_derivation_that_holds_passes() -> None:
    assert failures(SHANGHAI, NATIONAL) == []


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param({"status": "supported"}, "a derived value has to be marked as inferred", id="unmarked"),
        pytest.param(
            {"text": "The allowance in Shanghai is $900."},
            "sum of the operands is not what the claim states",
            id="wrong-sum",
        ),
        pytest.param(
            {"derivation": {"operation": "guess", "operands": []}},
            "operation 'guess' cannot be recomputed",
            id="unknown",
        ),
        pytest.param({"derivation": operands(("500", "$", "e2"))}, "sum needs at least two operands", id="one-operand"),
        pytest.param(
            {"derivation": operands(("501", "$", "e2"), ("299", "$", "e1"))},
            "operand '501' does not stand in e2",
            id="invented-operand",
        ),
        pytest.param(
            {"derivation": operands(("500", "$", None), ("300", "$", "e1"))},
            "operand '500' names no chunk that is cited",
            id="no-source",
        ),
        pytest.param(
            {"citations": [{"chunk": "e1", "quote": SHANGHAI}]},
            "operand '500' names no chunk that is cited",
            id="source-not-cited",
        ),
        pytest.param(
            {"derivation": operands(("lots", None, "e2"), ("300", "$", "e1"))},
            "operand 'lots' is no number",
            id="no-number",
        ),
    ],
)
def test_a_stated_derivation_is_recomputed(changes: dict[str, Any], detail: str) -> None:
    assert failures(SHANGHAI, NATIONAL, **changes) == [("derivation", detail)]


@pytest.mark.parametrize(
    ("national", "what"),
    [
        ("The national allowance is 500 euros.", "unit"),
        ("The national allowance is 500 kilometres.", "kind"),
        ("Before tax the national allowance is $500.", None),
    ],
)
def test_operands_that_do_not_belong_together_fail(national: str, what: str | None) -> None:
    given = operands(("500", None, "e2"), ("300", None, "e1"))
    expected = [("derivation", f"operands do not belong together: {what}")] if what else []
    assert failures(SHANGHAI, national, derivation=given) == expected


def test_figures_at_another_rate_fail() -> None:
    monthly = "The allowance in Shanghai is $300 per month more than the national allowance."
    assert failures(monthly, "The national allowance is $500 per day.") == [
        ("derivation", "operands do not belong together: rate")
    ]


def test_figures_for_other_places_fail() -> None:
    scopes = ({"region": "APAC"}, {"region": "EMEA"})
    assert failures(SHANGHAI, NATIONAL, scopes=scopes) == [("derivation", "operands do not belong together: scope")]


ROOM, PARKING = "A room costs $180 a night.", "Parking at a hotel costs $25 a night."


@pytest.mark.parametrize(
    ("text", "asked", "detail"),
    [
        pytest.param("A room costs $205 a night.", "What does a room cost?", "hotel, park", id="one-subject"),
        pytest.param("A room and parking cost $205 a night.", "What does a room cost?", None, id="said-by-the-claim"),
        pytest.param("That is $205 a night.", "What do a room and parking cost together?", None, id="said-by-question"),
    ],
)
def test_a_sum_is_of_what_the_claim_or_the_question_names(text: str, asked: str, detail: str | None) -> None:
    given: dict[str, Any] = {
        "text": text,
        "citations": [{"chunk": "e1", "quote": ROOM}, {"chunk": "e2", "quote": PARKING}],
        "derivation": operands(("180", "$", "e1"), ("25", "$", "e2")),
    }
    said = f"operands do not belong together: the claim does not name {detail}"
    expected = [] if detail is None else [("derivation", said)]
    assert failures(ROOM, PARKING, asked=asked, **given) == expected


def test_chinese_figures_are_put_together_only_under_their_names() -> None:
    texts = "酒店额度为500元。", "停车费为30元。"
    given: dict[str, Any] = {
        "text": "酒店额度为530元。",
        "citations": [{"chunk": "e1", "quote": texts[0]}, {"chunk": "e2", "quote": texts[1]}],
        "derivation": operands(("500", "元", "e1"), ("30", "元", "e2")),
    }
    ((check, detail),) = failures(*texts, asked="酒店额度是多少？", **given)
    assert (check, detail.startswith("operands do not belong together: the claim does not name")) == (
        "derivation",
        True,
    )
    given["text"] = "酒店额度加停车费为530元。"
    assert failures(*texts, asked="酒店额度是多少？", **given) == []


def test_a_sum_without_a_derivation_is_an_unsupported_number() -> None:
    assert failures(SHANGHAI, NATIONAL, derivation=None, status="supported") == [
        ("numbers", "numbers not in cited chunks: ['800']")
    ]
