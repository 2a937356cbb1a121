"""What the judges without a model decide, and what they leave undecided."""

from __future__ import annotations

import re

import pytest

from pytest_grounded.judges.rules import OverlapJudge, RulesJudge

LIMIT = "The nightly hotel limit in standard cities is at most $180."


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        pytest.param(LIMIT, [LIMIT], "support", id="word-for-word"),
        pytest.param("The nightly hotel limit in standard cities is at most $200.", [LIMIT], "neutral", id="number"),
        pytest.param("The nightly hotel limit in standard cities is at most €180.", [LIMIT], "neutral", id="unit"),
        pytest.param("The nightly hotel limit in standard cities is at least $180.", [LIMIT], "contradict", id="bound"),
        pytest.param("Parking tickets are never refunded.", [LIMIT], "neutral", id="about-something-else"),
        pytest.param("A hotel costs no more than $180 a night there.", [LIMIT], "unsure", id="paraphrase"),
        pytest.param("", [LIMIT], "neutral", id="empty-claim"),
        pytest.param(LIMIT, ["", " "], "neutral", id="empty-evidence"),
        pytest.param(LIMIT, [], "neutral", id="no-evidence"),
    ],
)
def test_the_rules_decide_what_words_and_numbers_decide(claim: str, evidence: list[str], verdict: str) -> None:
    assert RulesJudge().judge(claim, evidence) == verdict


def test_numbers_may_come_from_any_of_the_cited_texts() -> None:
    sources = ["The hotel limit is $180.", "The meal limit is $60."]
    claim = "The hotel limit is $180. The meal limit is $60."
    assert RulesJudge().judge(claim, sources) == "support"
    assert RulesJudge().judge(claim, sources[:1]) == "neutral"


def test_overlap_decides_what_the_rules_leave() -> None:
    claim = "The nightly limit that applies to hotels in standard cities is at most $180."
    assert (RulesJudge().judge(claim, [LIMIT]), OverlapJudge().judge(claim, [LIMIT])) == ("unsure", "support")
    assert OverlapJudge().judge("A hotel costs no more than $180 a night there.", [LIMIT]) == "neutral"
    assert OverlapJudge(0.01).judge("A hotel room may be dearer abroad.", [LIMIT]) == "support"


def test_overlap_never_overrules_a_rule() -> None:
    assert OverlapJudge(0.1).judge(LIMIT.replace("180", "200"), [LIMIT]) == "neutral"


def test_the_version_is_that_of_the_package_and_of_the_rules_source() -> None:
    assert re.fullmatch(r"[\w.]+\+[0-9a-f]{8}", RulesJudge().version)
    assert RulesJudge().version == OverlapJudge().version
    assert OverlapJudge(0.75).name == "overlap-0.75"
