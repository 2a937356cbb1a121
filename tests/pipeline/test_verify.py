"""Does a draft say what its citations say?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.verify import Verification, verify
from pytest_grounded.testing.builders import make_chunk

HOTEL = make_chunk("c1", "The nightly hotel limit in standard cities is $180 per night.")
COSTLY = make_chunk("c2", "The nightly hotel limit in high-cost cities is $260 per night, except in May.")
CLAIM = {"text": "The nightly hotel limit in standard cities is $180.", "cites": ["c1"], "quote": HOTEL.text}


class FixedJudge:
    name = "fixed"
    version = "7"

    def __init__(self, verdict: Literal["support", "contradict", "neutral"]) -> None:
        self.verdict = verdict
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def judge(self, claim: str, evidence: Sequence[str]) -> Literal["support", "contradict", "neutral"]:
        self.asked.append((claim, tuple(evidence)))
        return self.verdict


def task(question: str = "What is the nightly hotel limit?", **settings: Any) -> GenerationTask:
    read = read_question(question)
    evidence = tuple(Evidence(chunk=chunk, score=1.0) for chunk in (HOTEL, COSTLY))
    return GenerationTask(
        question=read, parts=read.parts, evidence=evidence, settings=PipelineSettings.model_validate(settings)
    )


def looked(*claims: object, **settings: Any) -> Verification:
    return verify({"claims": list(claims)}, task(**settings))


def failed(claim: object, **settings: Any) -> list[tuple[str, str]]:
    return [(str(failure.check), failure.detail) for failure in looked(claim, **settings).failures]


def test_a_faithful_claim_passes_every_layer() -> None:
    assert looked(CLAIM).ok


@pytest.mark.parametrize(
    ("change", "layer", "detail"),
    [
        pytest.param({"text": " "}, "schema", "claim needs text, quote and at least one cite", id="no-text"),
        pytest.param({"cites": []}, "schema", "claim needs text, quote and at least one cite", id="no-cite"),
        pytest.param({"quote": None}, "schema", "claim needs text, quote and at least one cite", id="no-quote"),
        pytest.param({"cites": "c9"}, "citation_id", "cited ids not supplied: ['c9']", id="unknown-id"),
        pytest.param(
            {"quote": "limit in all cities is $180"},
            "quote",
            "quote is not a substring of the cited chunks",
            id="altered",
        ),
        pytest.param({"quote": "per night"}, "quote", "quote is too short to show anything", id="short"),
        pytest.param(
            {"text": "The nightly hotel limit in standard cities is €180."},
            "numbers",
            "numbers not in cited chunks: ['180']",
            id="currency",
        ),
        pytest.param(
            {"text": "The nightly hotel limit in standard cities is $180k."},
            "numbers",
            "numbers not in cited chunks: ['180000']",
            id="scale",
        ),
        pytest.param(
            {"text": "The nightly hotel limit in standard cities is at least $180."}, "bounds", None, id="bound"
        ),
        pytest.param(
            {"text": "The nightly hotel limit in standard cities is not $180."}, "bounds", None, id="negation"
        ),
        pytest.param(
            {"text": "The nightly hotel limit in high-cost cities is $180."},
            "mixed_sources",
            "words of evidence that is not cited: ['high']",
            id="mixed",
        ),
        pytest.param(
            {"text": "Zebras graze while parrots nightly recite hotel poems."},
            "term_overlap",
            "only 0.29 of claim terms appear in cited chunks",
            id="overlap",
        ),
        pytest.param({"text": "It is so."}, "term_overlap", "the claim states nothing", id="nothing-stated"),
        pytest.param("no object", "schema", "claim needs text, quote and at least one cite", id="no-object"),
    ],
)
def test_the_smallest_change_fails_one_layer(change: Any, layer: str, detail: str | None) -> None:
    claim = {**CLAIM, **change} if isinstance(change, dict) else change
    ((check, said),) = failed(claim)
    assert check == layer
    assert detail in {None, said}


def test_a_dropped_exception_is_seen() -> None:
    claim = {
        "text": "The nightly hotel limit in high-cost cities is $260 per night.",
        "cites": ["c2"],
        "quote": COSTLY.text,
    }
    assert [check for check, _ in failed(claim)] == ["bounds"]


def test_a_period_of_the_question_may_be_repeated() -> None:
    claim = {**CLAIM, "text": "In 2024 the nightly hotel limit in standard cities is $180."}
    assert failed(claim) == [("numbers", "numbers not in cited chunks: ['2024']")]
    given = task("What is the nightly hotel limit in 2024?")
    assert verify({"claims": [claim]}, given).ok


def test_a_quote_may_stand_in_any_of_the_cited_chunks() -> None:
    assert looked({**CLAIM, "cites": ["c2", "c1"]}).ok


def test_a_quote_of_a_citation_stands_in_that_chunk() -> None:
    claim = {"text": CLAIM["text"], "citations": [{"chunk": "c2", "quote": HOTEL.text}, {"chunk": "c1"}]}
    assert [check for check, _ in failed(claim)] == ["quote"]


def test_a_claim_stops_at_its_first_failure_and_the_others_go_on() -> None:
    verification = looked({**CLAIM, "cites": ["c9"], "quote": "x"}, CLAIM, {**CLAIM, "text": "It is $5."})
    assert [(failure.claim, str(failure.check)) for failure in verification.failures] == [
        (0, "citation_id"),
        (2, "numbers"),
    ]
    assert (len(verification.passed), verification.ok) == (1, False)


def test_the_order_of_the_layers_is_a_setting() -> None:
    claim = {**CLAIM, "text": "Zebras pay $5.", "quote": "nowhere to be found"}
    turned = failed(claim, verification={"layers": ["schema", "numbers", "quote"]})
    assert [check for check, _ in turned] == ["numbers"]


@pytest.mark.parametrize(
    ("draft", "detail"),
    [
        pytest.param({}, "answer needs a non-empty claims list", id="empty"),
        pytest.param({"claims": []}, "answer needs a non-empty claims list", id="no-claims"),
        pytest.param({"claims": "text"}, "answer needs a non-empty claims list", id="claims-as-text"),
        pytest.param(None, "draft is not one JSON object", id="nothing"),
        pytest.param("The limit is $180.", "draft is not one JSON object", id="prose"),
        pytest.param('{"claims": [', "draft breaks off inside its JSON object", id="cut-off"),
        pytest.param("[" * 100_000, "draft is not one JSON object", id="nested"),
        pytest.param({"claims": [CLAIM] * 51}, "51 claims, at most 50 are read", id="many"),
    ],
)
def test_a_draft_that_is_no_answer_fails_the_schema(draft: object, detail: str) -> None:
    verification = verify(draft, task())
    assert [(failure.claim, str(failure.check), failure.detail) for failure in verification.failures] == [
        (None, "schema", detail)
    ]
    assert not verification.ok


def test_a_very_long_claim_is_not_read() -> None:
    assert failed({**CLAIM, "text": "hotel " * 1_000})[0] == (
        "schema",
        "claim has 6000 characters, at most 4000 are read",
    )


@pytest.mark.parametrize(
    "draft",
    [
        {"abstain": True},
        {"decision": "abstain"},
        {"claims": [], "abstention": {"is_abstained": True}},
        '{"abstain": true}',
    ],
)
def test_a_generator_may_abstain(draft: object) -> None:
    verification = verify(draft, task())
    assert verification.abstained
    assert not verification.ok


def test_an_abstention_with_claims_is_read_as_claims() -> None:
    assert not verify({"decision": "abstain", "claims": [CLAIM]}, task()).abstained


@pytest.mark.parametrize("verdict", ["contradict", "neutral"])
def test_a_judge_has_the_last_word(verdict: Literal["contradict", "neutral"]) -> None:
    judge = FixedJudge(verdict)
    verification = verify({"claims": [CLAIM]}, task(), judge=judge)
    assert verification.failures[0].detail == f"judge fixed/7: {verdict}"
    assert judge.asked[0] == (CLAIM["text"], (HOTEL.text,))


def test_a_judge_is_not_asked_about_what_a_rule_has_refused() -> None:
    judge = FixedJudge("support")
    verify({"claims": [{**CLAIM, "text": "The limit is $5."}]}, task(), judge=judge)
    assert judge.asked == []


def test_the_support_matrix_says_who_judged() -> None:
    verbatim = {**CLAIM, "text": HOTEL.text}
    unjudged = looked(verbatim, CLAIM, {**CLAIM, "text": "The limit is $5."}).support
    assert [(cell.claim, cell.evidence, cell.verdict, cell.judge) for cell in unjudged] == [
        (0, ("c1",), "support", "verbatim"),
        (1, ("c1",), "not_judged", "rules"),
        (2, ("c1",), "neutral", "rules"),
    ]
    (judged,) = verify({"claims": [CLAIM]}, task(), judge=FixedJudge("support")).support
    assert (judged.verdict, judged.judge, judged.version) == ("support", "fixed", "7")


def test_chunks_cited_together_are_one_group_of_evidence() -> None:
    judge = FixedJudge("support")
    joint = {
        "text": "The nightly hotel limit is $180 in standard cities and $260 in high-cost cities, except in May.",
        "citations": [{"chunk": "c1", "quote": HOTEL.text}, {"chunk": "c2", "quote": COSTLY.text}],
    }
    (cell,) = verify({"claims": [joint]}, task(), judge=judge).support
    assert (cell.evidence, cell.verdict) == (("c1", "c2"), "support")
    assert judge.asked == [(joint["text"], (HOTEL.text, COSTLY.text))]


def test_keys_that_the_contract_does_not_know_are_left_behind() -> None:
    (claim,) = looked({**CLAIM, "html": "<script>"}).passed
    assert claim.others == {}


def test_nothing_withheld_can_be_quoted() -> None:
    item = Evidence(chunk=HOTEL, score=1.0).withhold([(0, len(HOTEL.text))])
    read = read_question("What is the limit?")
    given = GenerationTask(question=read, parts=read.parts, evidence=(item,), settings=PipelineSettings())
    assert [str(failure.check) for failure in verify({"claims": [CLAIM]}, given).failures] == ["quote"]


def _failed_of(text: str, claim: str, quote: str | None = None) -> list[str]:
    read = read_question("?")
    evidence = (Evidence(chunk=make_chunk("c", text), score=1.0),)
    given = GenerationTask(question=read, parts=read.parts, evidence=evidence, settings=PipelineSettings())
    draft = {"claims": [{"text": claim, "cites": ["c"], "quote": quote or text}]}
    return [str(failure.check) for failure in verify(draft, given).failures]


POOL = "The swimming pool in the north wing is open from 7 o'clock on weekdays."
POOL_ZH = "北楼的游泳池工作日七点开放。"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param(POOL_ZH, "北楼的游泳池工作日七点开放，因为教练住在附近。", id="reason-behind"),
        pytest.param(POOL_ZH, "由于教练住在附近，北楼的游泳池工作日七点开放。", id="reason-before"),
        pytest.param(POOL_ZH, "北楼的游泳池工作日七点开放，因此要带毛巾。", id="consequence"),
        pytest.param(POOL_ZH, "北楼的游泳池工作日七点开放，并且提供早餐。", id="something-more"),
        pytest.param(POOL, f"{POOL[:-1]} because the trainer lives near by.", id="reason-in-english"),
        pytest.param(POOL, f"{POOL[:-1]}, and breakfast is served.", id="something-more-in-english"),
        pytest.param(
            f"{POOL_ZH}教练住在附近。", "因为教练住在附近，北楼的游泳池工作日七点开放。", id="two-truths-made-a-reason"
        ),
        pytest.param(
            f"{POOL} The trainer lives near by.",
            f"{POOL[:-1]} because the trainer lives near by.",
            id="two-truths-made-a-reason-in-english",
        ),
    ],
)
def test_a_clause_or_a_reason_that_nobody_wrote_fails_the_claim_it_stands_in(text: str, claim: str) -> None:
    quote = POOL_ZH if "北" in text else POOL
    assert _failed_of(text, claim, quote) == ["term_overlap"]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param(
            "由于教练住在附近，北楼的游泳池工作日七点开放。",
            "北楼的游泳池工作日七点开放，因为教练住在附近。",
            id="the-reason-is-theirs",
        ),
        pytest.param(POOL_ZH, "工作日七点，北楼的游泳池开放。", id="cut-by-a-comma"),
        pytest.param(
            "The trainer lives near by, so the pool opens at 7 o'clock.",
            "The pool opens at 7 o'clock because the trainer lives near by.",
            id="the-reason-is-theirs-in-other-words",
        ),
    ],
)
def test_clauses_that_the_source_has_pass_in_any_order(text: str, claim: str) -> None:
    assert _failed_of(text, claim) == []
