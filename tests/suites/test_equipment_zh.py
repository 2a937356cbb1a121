"""Whether the Chinese suite's texts support what its cases say, alone or together: the matrices behind the labels.

A statement is supported by a group of texts when the pipeline's verifier passes it with the group cited. The figures are
those of the published walkthroughs that the suite retells: shares of statements that are cited and supported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.calibration.citations import Statement, citation_scores, minimal_sets
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.verify import verify
from pytest_grounded.systems.reference import reference_system

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "cases" / "equipment-zh"
EMPLOYEE = Requester(id="employee", audience=("employee",), groups=("staff",))
QUESTION = "上海正式员工今年设备额度多少，何时提交？"
MAY, JULY = date(2026, 5, 1), date(2026, 7, 1)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus(SUITE / "corpus.yaml", root=ROOT).corpus


def answer(corpus: Corpus, question: str, as_of: date) -> Response:
    request = Request(question=question, requester=EMPLOYEE, as_of=as_of, corpus=corpus.known_at(as_of))
    return reference_system(SUITE, root=ROOT).answer(request)


def is_supported(corpus: Corpus, claim: Mapping[str, Any], evidence: Iterable[str]) -> bool:
    """Whether the verifier passes a claim that cites these chunks, each quoted whole."""
    chunks = [corpus[chunk_id] for chunk_id in evidence]
    question = read_question(QUESTION)
    task = GenerationTask(
        question=question,
        parts=question.parts,
        evidence=tuple(Evidence(chunk=chunk, score=1.0) for chunk in corpus),
        settings=PipelineSettings(),
    )
    citations = [{"chunk": chunk.id, "quote": chunk.text} for chunk in chunks]
    return verify({"claims": [{**claim, "citations": citations}]}, task).ok


def total(values: Iterable[tuple[str, str]], text: str) -> dict[str, Any]:
    operands = [{"value": value, "unit": "元", "chunk": chunk} for value, chunk in values]
    return {"text": text, "status": "inferred", "derivation": {"operation": "sum", "operands": operands}}


# --- which group of texts supports a statement -----------------------------------------------------------------------

SHANGHAI = total(
    [("500", "allowance-national"), ("300", "allowance-shanghai")],
    "办公设备的全国额度为每年500元。上海的办公设备额度比全国额度增加300元。500元 + 300元 = 800元。",
)
SHENZHEN = total(
    [("500", "phone-national"), ("300", "phone-shenzhen")],
    "通讯设备的全国税前额度为500元。深圳的通讯设备含税额度比全国额度增加300元。500元 + 300元 = 800元。",
)


@pytest.mark.parametrize(
    ("claim", "evidence", "supported"),
    [
        pytest.param(SHANGHAI, ["allowance-national", "allowance-shanghai"], True, id="both-together"),
        pytest.param(SHANGHAI, ["allowance-national"], False, id="the-national-one-alone"),
        pytest.param(SHANGHAI, ["allowance-shanghai"], False, id="the-increase-alone"),
        pytest.param(SHENZHEN, ["phone-national", "phone-shenzhen"], False, id="before-tax-and-with-tax"),
        pytest.param(
            {"text": "远程审批的申请，单笔金额超过10万元的，仍需线下复核。"},
            ["approval-threshold"],
            True,
            id="threshold",
        ),
        pytest.param(
            {"text": "远程审批的申请，单笔金额超过10万元的，仍需线下复核。"},
            ["approval-large"],
            False,
            id="no-threshold",
        ),
        pytest.param({"text": "采购审批制度修订版自2026年4月1日起生效。"}, ["approval-start"], True, id="start"),
        pytest.param({"text": "采购审批制度修订版自2026年4月1日起生效。"}, ["approval-remote"], False, id="no-start"),
    ],
)
def test_a_statement_is_supported_by_its_group_of_texts_and_by_no_part_of_it(
    corpus: Corpus, claim: dict[str, Any], evidence: list[str], *, supported: bool
) -> None:
    assert is_supported(corpus, claim, evidence) is supported


@pytest.mark.parametrize(
    ("text", "evidence", "supported"),
    [
        pytest.param("办公设备额度仅适用于正式员工。", ["allowance-whom"], True, id="only-regular-staff"),
        pytest.param("办公设备额度适用于所有外包人员。", ["allowance-whom"], False, id="the-others"),
        pytest.param("上海的办公设备额度比全国额度增加300元。", ["allowance-shanghai"], True, id="as-it-says"),
        pytest.param("公司鼓励居家办公。", ["allowance-shanghai"], False, id="the-cause-by-itself"),
        pytest.param("单笔金额低于10万元的，仍需线下复核。", ["approval-threshold"], False, id="the-bound-turned"),
        pytest.param("单笔金额超过10万美元的，仍需线下复核。", ["approval-threshold"], False, id="another-currency"),
    ],
)
def test_a_word_more_or_another_is_not_supported(
    corpus: Corpus, text: str, evidence: list[str], *, supported: bool
) -> None:
    assert is_supported(corpus, {"text": text}, evidence) is supported


def test_three_statements_from_two_texts_are_covered_until_one_text_says_less() -> None:
    """Amount, people and start; the first text states the first two, or only that it is for employees."""
    cites = (("e1",), ("e1",), ("e2",))
    whole = [Statement(cites=one, support=minimal_sets([one])) for one in cites]
    less = [whole[0], Statement(cites=("e1",), support=minimal_sets([])), whole[2]]
    scores = [citation_scores(statements) for statements in (whole, less)]
    assert [(one.weighted_cited, one.weighted_precision) for one in scores] == [(1.0, 1.0), (1.0, 2 / 3)]


# --- from an answer to its matrix and back ---------------------------------------------------------------------------


def four_statements(process_page: str, *, holds: bool) -> list[Statement]:
    """Region, people, amount and deadline, each with the page it is cited from."""
    amount = ("allowance-national", "allowance-shanghai")
    return [
        Statement(cites=("allowance-shanghai",), support=minimal_sets([["allowance-shanghai"]])),
        Statement(cites=("allowance-whom",), support=minimal_sets([["allowance-whom"]])),
        Statement(cites=amount, support=minimal_sets([amount])),
        Statement(cites=(process_page,), support=minimal_sets([[process_page]] if holds else [])),
    ]


def test_everything_is_cited_and_a_quarter_of_it_from_a_page_that_has_ended(corpus: Corpus) -> None:
    holds = corpus.view(EMPLOYEE, MAY).in_force("process-2025")
    scores = citation_scores(four_statements("process-2025", holds=holds))
    assert (scores.weighted_cited, scores.weighted_supported) == (1.0, 0.75)


def test_with_the_page_of_this_year_everything_is_supported(corpus: Corpus) -> None:
    holds = corpus.view(EMPLOYEE, JULY).in_force("process-2026")
    scores = citation_scores(four_statements("process-2026", holds=holds))
    assert (scores.weighted_cited, scores.weighted_supported) == (1.0, 1.0)


def test_weighted_coverage_and_precision_are_those_of_the_walkthrough() -> None:
    said = [(3, ("e1",), True), (3, ("e2",), False), (2, ("e3",), True), (1, (), False)]
    scores = citation_scores(
        [Statement(cites=cites, support=minimal_sets([cites] if holds else []), weight=w) for w, cites, holds in said]
    )
    assert (scores.weighted_cited, scores.weighted_precision) == (8 / 9, 5 / 8)
    assert scores.weighted_f == pytest.approx(80 / 109)  # printed there as "about 0.735"


def test_what_is_missing_is_searched_for_by_its_own_words_and_the_old_page_is_left_out(corpus: Corpus) -> None:
    response = answer(corpus, QUESTION, MAY)
    gaps = [step for step in response.internal.steps or () if step["name"] == "retrieve" and step["gap"]]
    assert [step["query"] for step in gaps] == ["何时 提交"]
    dropped = {one.chunk: one.reason for one in response.internal.candidates or () if not one.kept}
    assert dropped["process-2025"] == "superseded by a newer version"
    assert (response.decision, response.reason_code) == ("partial", "PARTIAL_EVIDENCE")
    assert "60日" not in response.text


def test_once_the_page_of_this_year_is_there_the_same_question_is_answered_whole(corpus: Corpus) -> None:
    response = answer(corpus, QUESTION, JULY)
    assert response.decision == "answer"
    assert {"allowance-national", "allowance-shanghai", "process-2026"} <= set(response.cited)
    assert [cell["verdict"] for cell in response.internal.support or ()].count("neutral") == 0
