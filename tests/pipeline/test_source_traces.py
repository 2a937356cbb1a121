"""The toy system that the pipeline began as, reproduced: every trace, message, verifier script and handling scenario.

The texts are the travel suite's own; ids, metadata, scores and decisions are those of the published walk-through.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import WordForm
from pytest_grounded.pipeline.verify import verify
from tests.pipeline.scripted import ScriptedGenerator, ask, step, steps

ROOT = Path(__file__).parents[2]
EMPLOYEE = Requester(id="employee", audience=("employee",), groups=("staff",))
STANDARD = "What is the nightly hotel limit in a standard city?"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(ROOT / "cases" / "travel-policy" / "corpus.yaml", root=ROOT)


def answer(question: str, corpus: Corpus, **parts: Any) -> Response:
    pipeline = ReferencePipeline(settings=PipelineSettings.toy(), **parts)
    return pipeline.answer(ask(question, corpus, requester=EMPLOYEE))


def drop(score: float) -> str:
    return f"score {score:g} below floor 0.4"


@pytest.mark.parametrize(
    ("question", "candidates", "evidence", "gate"),
    [
        pytest.param(
            STANDARD,
            [
                ("c1", 1.0, "kept"),
                ("c2", 1.0, "superseded by a newer version"),
                ("c6", 1.0, "applies to contractor, requester is employee"),
                ("c3", 0.8, "kept"),
            ],
            ["c1", "c3"],
            (1.0, [], "answer", None),
            id="standard-city",
        ),
        pytest.param(
            "When are receipts required?",
            [("c4", 1.0, "kept"), ("c5", 1.0, "near-duplicate of c4")],
            ["c4"],
            (1.0, [], "answer", None),
            id="receipts",
        ),
        pytest.param(
            "When must reimbursement requests be submitted?",
            [("c7", 1.0, "kept"), ("c8", 0.5, "kept"), ("c11", 0.25, drop(0.25))],
            ["c7"],
            (1.0, [], "answer", None),
            id="deadline",
        ),
        pytest.param(
            "What is the mileage rate?",
            [("c10", 0.5, "kept"), ("c9", 0.5, "kept")],
            [],
            (0.0, ["mileage", "rate"], "abstain", "CONFLICTING_EVIDENCE"),
            id="mileage",
        ),
        pytest.param(
            "What is the nightly hotel limit in Paris?",
            [
                ("c1", 0.75, "kept"),
                ("c2", 0.75, "superseded by a newer version"),
                ("c3", 0.75, "kept"),
                ("c6", 0.75, "applies to contractor, requester is employee"),
            ],
            ["c1", "c3"],
            (0.75, ["paris"], "abstain", "PARTIAL_EVIDENCE"),
            id="paris",
        ),
        pytest.param(
            "What is the meal allowance?",
            [],
            [],
            (0.0, ["allowance", "meal"], "abstain", "NO_EVIDENCE"),
            id="meal-allowance",
        ),
    ],
)
def test_selection_and_gate_come_to_the_published_trace(
    corpus: Corpus,
    question: str,
    candidates: list[tuple[str, float, str]],
    evidence: list[str],
    gate: tuple[float, list[str], str, str | None],
) -> None:
    response = answer(question, corpus)
    assert [(one.chunk, one.score, one.reason) for one in response.internal.candidates or ()] == candidates
    assert [one.chunk for one in response.internal.candidates or () if one.kept] == [
        chunk for chunk, _, reason in candidates if reason == "kept"
    ]
    assert step(response, "resolve")["evidence"] == evidence
    decided = step(response, "gate")
    assert (decided["coverage"], decided["missing"], response.decision.value, response.reason_code) == gate


def test_the_seventh_trace_settles_the_deadline_by_authority(corpus: Corpus) -> None:
    (report,) = step(answer("When must reimbursement requests be submitted?", corpus), "resolve")["conflicts"]
    assert (report["key"], report["outcome"], report["standing"], report["losers"], report["reason"]) == (
        "submit_deadline_days",
        "settled",
        ["c7"],
        ["c8"],
        "authority 3 outranks c8",
    )


def test_two_annexes_of_equal_standing_stay_open(corpus: Corpus) -> None:
    (report,) = step(answer("What is the mileage rate?", corpus), "resolve")["conflicts"]
    assert (report["key"], report["outcome"], report["standing"], report["reason"]) == (
        "mileage_rate",
        "open",
        ["c10", "c9"],
        "same authority and date, different values",
    )


@pytest.mark.parametrize(
    ("question", "message", "next_step"),
    [
        pytest.param(
            "What is the nightly hotel limit in Paris?",
            "The documents cover part of this question but not paris.",
            "clarify_or_ask_human",
            id="insufficient",
        ),
        pytest.param(
            "What is the mileage rate?",
            "Two current documents disagree on this and I cannot tell which applies.",
            "ask_document_owner",
            id="conflict",
        ),
        pytest.param(
            "What is the meal allowance?",
            "I could not find this in the policy documents I can search.",
            "ask_human",
            id="no-evidence",
        ),
    ],
)
def test_each_way_to_abstain_has_its_message_and_next_step(
    corpus: Corpus, question: str, message: str, next_step: str
) -> None:
    response = answer(question, corpus)
    assert response.text.splitlines()[0] == message
    assert response.next_step == next_step
    assert response.internal.prompt == ()


def script(corpus: Corpus, name: str) -> object:
    """The six scripted drafts: the faithful one and what is wrong with each of the others."""
    standard, high_cost = corpus["c1"].text, corpus["c3"].text
    claim = {"text": "The nightly hotel limit in standard cities is $180.", "cites": ["c1"], "quote": standard}
    changes: dict[str, dict[str, object]] = {
        "faithful": {},
        "fabricated_id": {"cites": ["c14"]},
        "altered_quote": {"quote": standard.replace("standard", "most")},
        "wrong_number": {"text": "The nightly hotel limit in standard cities is $200."},
        "wrong_chunk": {
            "text": "The nightly hotel limit in standard cities is $260.",
            "cites": ["c3"],
            "quote": high_cost,
        },
        "changed_meaning": {"text": "The nightly hotel limit in standard cities is at least $180."},
    }
    return {"claims": [{**claim, **changes[name]}]}


SCRIPTS = {
    "faithful": [],
    "fabricated_id": [(0, "citation_id", "cited ids not supplied: ['c14']")],
    "altered_quote": [(0, "quote", "quote is not a substring of the cited chunks")],
    "wrong_number": [(0, "numbers", "numbers not in cited chunks: ['200']")],
    "wrong_chunk": [],
    "changed_meaning": [],
}


def task_for(corpus: Corpus, settings: PipelineSettings) -> GenerationTask:
    question = read_question(STANDARD, WordForm.PLAIN)
    evidence = tuple(Evidence(chunk=corpus[chunk_id], score=1.0) for chunk_id in ("c1", "c3"))
    return GenerationTask(question=question, parts=question.parts, evidence=evidence, settings=settings)


@pytest.mark.parametrize(("name", "failures"), SCRIPTS.items(), ids=SCRIPTS)
def test_the_cheap_layers_judge_the_six_scripts_as_published(
    corpus: Corpus, name: str, failures: list[tuple[int, str, str]]
) -> None:
    verification = verify(script(corpus, name), task_for(corpus, PipelineSettings.toy()))
    assert [(failure.claim, str(failure.check), failure.detail) for failure in verification.failures] == failures


@pytest.mark.parametrize(
    ("name", "layer"), [("wrong_chunk", "mixed_sources"), ("changed_meaning", "bounds")], ids=["chunk", "meaning"]
)
def test_the_layers_added_since_catch_what_the_toy_lets_through(corpus: Corpus, name: str, layer: str) -> None:
    verification = verify(script(corpus, name), task_for(corpus, PipelineSettings()))
    assert [str(failure.check) for failure in verification.failures] == [layer]


@pytest.mark.parametrize(
    ("attempts", "delivery", "verified"),
    [
        pytest.param(["faithful"], "generated", [True], id="answered-at-once"),
        pytest.param(["fabricated_id", "faithful"], "generated", [False, True], id="answered-after-a-repair"),
        pytest.param(["wrong_number", "altered_quote"], "extractive", [False, False], id="extractive-fallback"),
    ],
)
def test_a_draft_is_answered_repaired_or_replaced_by_its_source(
    corpus: Corpus, attempts: list[str], delivery: str, verified: list[bool]
) -> None:
    generator = ScriptedGenerator(*(script(corpus, name) for name in attempts))
    response = answer(STANDARD, corpus, generator=generator)
    outcomes = [not one["failures"] for one in response.internal.steps or () if one["name"] == "verify"]
    assert outcomes == verified
    assert (response.decision.value, response.delivery, response.cited) == ("answer", delivery, ("c1",))
    shown = corpus["c1"].text if delivery == "extractive" else "The nightly hotel limit in standard cities is $180."
    assert response.claims[0].text == shown


def test_an_open_conflict_never_reaches_generation(corpus: Corpus) -> None:
    generator = ScriptedGenerator(script(corpus, "faithful"))
    response = answer("What is the mileage rate?", corpus, generator=generator)
    assert response.decision.value == "abstain"
    assert steps(response) == ["screen", "retrieve", "select", "resolve", "gate", "deliver"]
    assert generator.prompts == []
    assert response.internal.prompt == ()
