"""When a judge's word counts, and what is kept of it."""

from __future__ import annotations

import random

import pytest

from pytest_grounded.errors import JudgeError
from pytest_grounded.judges.ruling import Jury
from pytest_grounded.judges.verdicts import (
    CachedJudge,
    KeptVerdict,
    Verdicts,
    read_verdicts,
    verdict_key,
    verdict_lines,
)
from tests.judges.judges import FAILS, Scripted


@pytest.mark.parametrize(
    ("verdicts", "ruled", "reason", "calls"),
    [
        pytest.param(["support"], "support", "", 3, id="three-agree"),
        pytest.param(["neutral"], "neutral", "", 3, id="three-agree-on-neutral"),
        pytest.param(
            ["support", "support", "neutral"], None, "its answers differ: support, support, neutral", 3, id="differ"
        ),
        pytest.param(["support", "contradict"], None, "its answers differ: support, contradict", 2, id="differ-early"),
        pytest.param(["unsure"], None, "it is unsure", 1, id="unsure"),
        pytest.param(["support", "unsure"], None, "it is unsure", 2, id="unsure-later"),
        pytest.param([FAILS], None, "no verdict came: http_status_500", 1, id="fails"),
        pytest.param(["support", FAILS], None, "no verdict came: http_status_500", 2, id="fails-later"),
    ],
)
def test_three_calls_have_to_agree(verdicts: list[str], ruled: str | None, reason: str, calls: int) -> None:
    judge = Scripted(*verdicts)
    jury = Jury(judge, measured="TPR 90%, TNR 90%")
    ruling = jury.rule("claim", ["evidence"])
    assert (ruling.verdict, ruling.reason, ruling.calls, len(judge.asked)) == (ruled, reason, calls, calls)
    assert len(jury.verdicts) == (ruled is not None)


def test_a_kept_verdict_of_the_same_version_is_enough() -> None:
    judge = Scripted("neutral")
    kept = Verdicts([KeptVerdict(judge="scripted", version="1", key=verdict_key(judge, "c", ["e"]), verdict="support")])
    ruling = Jury(judge, measured="TPR 90%, TNR 90%", verdicts=kept).rule("c", ["e"])
    assert (ruling.verdict, ruling.cached, ruling.by, judge.asked) == ("support", True, "scripted/1", [])


@pytest.mark.parametrize(
    ("judge", "claim", "evidence"),
    [
        pytest.param(Scripted(version="2"), "c", ["e"], id="version"),
        pytest.param(Scripted(name="other"), "c", ["e"], id="judge"),
        pytest.param(Scripted(), "C", ["e"], id="claim"),
        pytest.param(Scripted(), "c", ["e", "f"], id="evidence"),
        pytest.param(Scripted(), "c", ["ef"], id="evidence-joined"),
    ],
)
def test_another_judge_version_claim_or_evidence_is_another_question(
    judge: Scripted, claim: str, evidence: list[str]
) -> None:
    assert verdict_key(judge, claim, evidence) != verdict_key(Scripted(), "c", ["e"])


def test_without_a_measured_error_nothing_is_ruled_and_nobody_asked() -> None:
    judge = Scripted()
    ruling = Jury(judge).rule("claim", ["evidence"])
    assert (ruling.verdict, ruling.reason) == (None, "its error is not measured: see `pytest-grounded judge`")
    assert judge.asked == []


def test_a_cached_judge_is_asked_once_and_again_only_where_it_was_unsure() -> None:
    judge = Scripted("unsure", "support", "contradict")
    cached = CachedJudge(judge, Verdicts())
    assert [cached.judge("c", ["e"]) for _ in range(3)] == ["unsure", "support", "support"]
    assert len(judge.asked) == 2


def test_what_is_kept_is_written_sorted_without_texts_or_earlier_versions() -> None:
    now = Scripted(version="2")
    kept = [
        KeptVerdict(
            judge="scripted",
            version=version,
            key=verdict_key(Scripted(version=version), claim, ["secret"]),
            verdict="support",
        )
        for version in ("1", "2")
        for claim in ("a", "b", "c")
    ]
    kept.append(KeptVerdict(judge="another", version="1", key="sha256:0", verdict="neutral"))
    lines = list(verdict_lines(random.Random(1).sample(kept, len(kept)), now))  # noqa: S311 - a shuffle
    assert lines == sorted(lines)
    assert len(lines) == 4
    assert "secret" not in "".join(lines)
    assert sorted(read_verdicts((line.encode() for line in lines), name="kept")) == sorted(kept[3:])


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"judge": "a"}', b'{"judge": "a", "version": "1", "key": "k", "verdict": "maybe"}', b"\xff"],
)
def test_a_line_that_is_no_verdict_is_refused(line: bytes) -> None:
    with pytest.raises(JudgeError) as caught:
        read_verdicts([b"\n", line], name="kept.jsonl")
    assert str(caught.value) == (
        "kept.jsonl:2: is no kept verdict (needs judge, version, key and verdict; delete the file to have every "
        "verdict given anew)"
    )
