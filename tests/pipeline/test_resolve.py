"""Where chunks disagree: which rule settles it, and what is left open."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.resolve import Resolution, resolve
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

QUESTION = "What is the mileage rate?"


def rate(chunk_id: str, value: str, **fields: Any) -> Chunk:
    return make_chunk(chunk_id, f"The mileage rate is ${value} a mile.", facts={"rate": value}, **fields)


def resolved(
    *chunks: Chunk, requester: Requester | None = None, question: str = QUESTION, **changes: Any
) -> Resolution:
    settings = PipelineSettings.model_validate({"conflicts": changes})
    readable = permit(ask(question, chunks, requester=requester or Requester(id="r")))
    evidence = [Evidence(chunk=chunk, score=1.0) for chunk in chunks]
    return resolve(read_question(question), evidence, readable, settings)


@pytest.mark.parametrize(
    ("winner", "loser", "rule", "reason"),
    [
        pytest.param(
            {"supersedes": ["b"]}, {"effective_to": "2030-01-01"}, "supersession", "a supersedes b", id="supersession"
        ),
        pytest.param(
            {"document": "d", "effective_from": "2024-02-01"},
            {"document": "d", "effective_from": "2024-01-01", "effective_to": "2030-01-01", "authority": 9},
            "supersession",
            "a supersedes b",
            id="later-version",
        ),
        pytest.param(
            {"scope": {"region": "EMEA"}},
            {"authority": 9},
            "scope",
            "a fits the requester's scope more closely than b",
            id="scope",
        ),
        pytest.param(
            {"authority": 3},
            {"authority": 1, "effective_from": "2024-09-01"},
            "authority",
            "authority 3 outranks b",
            id="authority",
        ),
        pytest.param(
            {"effective_from": "2024-08-01"},
            {"effective_from": "2024-02-01"},
            "effective_date",
            "newest effective date 2024-08-01",
            id="date",
        ),
    ],
)
def test_each_rule_settles_and_says_why(winner: dict[str, Any], loser: dict[str, Any], rule: str, reason: str) -> None:
    requester = Requester(id="r", scope={"region": "EMEA"})
    resolution = resolved(rate("b", "0.65", **loser), rate("a", "0.60", **winner), requester=requester)
    (report,) = resolution.reports
    assert (report.rule, report.standing, report.losers, report.reason) == (rule, ("a",), ("b",), reason)
    assert [item.id for item in resolution.evidence] == ["a"]
    assert resolution.left_out == (("b", f"conflict on rate: {reason}"),)


def test_the_order_of_the_rules_is_a_setting() -> None:
    old_policy = rate("policy", "0.60", authority=3, effective_from="2024-01-01")
    new_notice = rate("notice", "0.65", authority=1, effective_from="2024-09-01")
    standing = [
        resolved(old_policy, new_notice, rules=rules).reports[0].standing
        for rules in (["authority", "effective_date"], ["effective_date", "authority"])
    ]
    assert standing == [("policy",), ("notice",)]


def test_what_no_rule_settles_is_open_and_withheld() -> None:
    resolution = resolved(rate("a", "0.60", authority=2), rate("b", "0.65", authority=2), rate("c", "0.70"))
    (report,) = resolution.open
    assert [(side.value, side.chunks) for side in report.open_sides] == [("0.60", ("a",)), ("0.65", ("b",))]
    assert (report.losers, report.rule) == (("c",), None)
    assert resolution.evidence == ()


def test_equal_values_written_apart_are_no_disagreement() -> None:
    resolution = resolved(rate("a", "0.60"), rate("b", "0.60"))
    assert (resolution.reports, [item.id for item in resolution.evidence]) == ((), ["a", "b"])


def test_of_agreeing_chunks_the_first_can_be_enough() -> None:
    resolution = resolved(rate("a", "0.60"), rate("b", "0.60"), agreeing="first")
    assert [item.id for item in resolution.evidence] == ["a"]
    assert resolution.left_out == (("b", "agrees with a on rate"),)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param({"scope": {"region": "EMEA"}}, {"scope": {"region": "APAC"}}, id="regions"),
        pytest.param({"text": "The 2023 rate was $0.60."}, {"text": "The 2024 rate is $0.65."}, id="years"),
    ],
)
def test_other_scopes_and_years_are_no_conflict(left: dict[str, Any], right: dict[str, Any]) -> None:
    one = rate("a", "0.60").model_copy(update=left)
    other = rate("b", "0.65").model_copy(update=right)
    assert resolved(one, other).reports == ()


def test_a_rule_that_excludes_nothing_leaves_the_matter_to_the_next() -> None:
    resolution = resolved(rate("a", "0.60", authority=3), rate("b", "0.65", authority=3), rate("c", "0.60"))
    (report,) = resolution.reports
    assert (report.outcome, report.standing) == ("open", ("a", "b"))


def test_a_general_rule_holds_where_the_requester_states_no_region() -> None:
    resolution = resolved(rate("general", "0.60"), rate("emea", "0.65", scope={"region": "EMEA"}))
    assert resolution.reports[0].standing == ("general",)


def test_a_region_named_in_the_question_is_stated() -> None:
    chunks = (rate("general", "0.60"), rate("emea", "0.65", scope={"region": "EMEA"}))
    resolution = resolved(*chunks, question="What is the mileage rate in EMEA?")
    assert resolution.reports[0].standing == ("emea",)


def test_only_the_passage_that_lost_is_withheld() -> None:
    text = "The mileage rate is $0.65 a mile. The mileage form is filed by Friday."
    wiki = make_chunk("wiki", text, facts={"rate": "0.65"}, authority=1)
    resolution = resolved(rate("policy", "0.60", authority=3), wiki)
    by_id = {item.id: item.text for item in resolution.evidence}
    assert by_id["wiki"] == "The mileage form is filed by Friday."


def test_a_chunk_whose_value_is_nowhere_in_its_text_is_left_out_whole() -> None:
    wiki = make_chunk("wiki", "The mileage rate is sixty-five cents.", facts={"rate": "0.65"}, authority=1)
    assert [item.id for item in resolved(rate("a", "0.60", authority=3), wiki).evidence] == ["a"]


def test_a_chunk_that_contradicts_itself_is_open() -> None:
    chunk = make_chunk(
        "a",
        "The mileage rate is $0.60. The mileage rate is $0.65.",
        facts=[{"key": "rate", "value": "0.60"}, {"key": "rate", "value": "0.65"}],
    )
    assert [side.value for side in resolved(chunk).open[0].open_sides] == ["0.60", "0.65"]


def test_chunks_without_dates_rank_oldest() -> None:
    resolution = resolved(rate("undated", "0.60"), rate("dated", "0.65", effective_from="2024-01-01"))
    assert resolution.reports[0].standing == ("dated",)


def test_without_rules_every_disagreement_is_open() -> None:
    resolution = resolved(rate("a", "0.60", authority=3), rate("b", "0.65"), rules=[])
    assert resolution.open[0].reason == "different values and no rule"


EMEA, APAC = rate("a", "0.60", scope={"region": "EMEA"}), rate("b", "0.70", scope={"region": "APAC"})


def test_a_value_for_each_region_depends_on_one_that_nobody_states() -> None:
    resolution = resolved(EMEA, APAC)
    assert [(scope, report.standing) for scope, report in resolution.depends] == [("region", ("a", "b"))]
    assert not resolution.reports


@pytest.mark.parametrize(
    ("chunks", "requester", "question"),
    [
        pytest.param([EMEA, APAC], Requester(id="r", scope={"region": "APAC"}), QUESTION, id="the requester states it"),
        pytest.param([EMEA, APAC], None, "What is the mileage rate in APAC?", id="the question states it"),
        pytest.param([EMEA, rate("b", "0.70")], None, QUESTION, id="a general rule stands beside it"),
        pytest.param([EMEA, rate("b", "0.60", scope={"region": "APAC"})], None, QUESTION, id="they say the same"),
    ],
)
def test_nothing_depends_where_the_value_is_the_same_or_the_region_known(
    chunks: list[Chunk], requester: Requester | None, question: str
) -> None:
    assert resolved(*chunks, requester=requester, question=question).depends == ()
