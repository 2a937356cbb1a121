"""Replies in prose: which markers are read, what they stand for, and what prose cannot say is not judged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.systems.naming import SystemKind, parse_system_name
from pytest_grounded.systems.prose import read_prose

CORPUS = Corpus(
    name="c",
    chunks=[
        Chunk(id="c1", text="The limit is $180.", title="Hotels", url="https://example.org/hotels", readers=("*",)),
        Chunk(id="c2", text="Book 21 days ahead.", title="Flights", readers=("*",)),
        Chunk(id="rail#1", text="Trains first.", title="Rail", readers=("*",)),
        Chunk(id="rail#2", text="Sleeper cars.", title="Rail", readers=("*",)),
    ],
)


def cited(text: object, **observed: Any) -> list[tuple[str, list[str]]]:
    response = read_prose(text, CORPUS, observed=observed or None).response
    assert response is not None
    return [(claim.text, [citation.chunk for citation in claim.citations]) for claim in response.claims]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        pytest.param("The limit is $180 [c1].", [("The limit is $180.", ["c1"])], id="id-before-the-stop"),
        pytest.param("The limit is $180. [c1] Trains first.", [("The limit is $180.", ["c1"])], id="behind-the-stop"),
        pytest.param("It is $180 [c1][c2].", [("It is $180.", ["c1", "c2"])], id="two-in-a-row"),
        pytest.param("It is $180 [c1, c2].", [("It is $180.", ["c1", "c2"])], id="grouped"),
        pytest.param("It is $180 (c1).", [("It is $180.", ["c1"])], id="round"),
        pytest.param("It is $180 (source: c1).", [("It is $180.", ["c1"])], id="with-a-word"),
        pytest.param("上限是180［c1］。", [("上限是180。", ["c1"])], id="full-width"),
        pytest.param(
            "It is $180 [c1]. Go by rail [rail#1].",
            [("It is $180.", ["c1"]), ("Go by rail.", ["rail#1"])],
            id="two-sentences",
        ),
        pytest.param("- [c1] It is $180.\n- [c2] 21 days.", [("It is $180.", ["c1"]), ("21 days.", ["c2"])], id="list"),
        pytest.param("It is $180 [1].\n\n[1] c1", [("It is $180.", ["c1"])], id="explained-by-id"),
        pytest.param("It is $180 [1].\n\n1. https://example.org/hotels", [("It is $180.", ["c1"])], id="by-link"),
        pytest.param("It is $180 [2].\n\nSources:\n[2] Hotels", [("It is $180.", ["c1"])], id="by-title"),
        pytest.param("It is $180 [^1].\n\n[^1]: c1", [("It is $180.", ["c1"])], id="footnote"),
        pytest.param("It is $180【1†source】.\n【1】 c1", [("It is $180.", ["c1"])], id="lenticular"),
        pytest.param("It is $180 [1, 2].\n[1] c1\n[2] c2", [("It is $180.", ["c1", "c2"])], id="grouped-numbers"),
        pytest.param("It is $180 [7].", [("It is $180.", ["7"])], id="explained-by-nothing"),
        pytest.param("First [1].\n[1] Rail", [("First.", ["1"])], id="a-title-of-two-chunks"),
        pytest.param("See [1](https://example.org) or x.", [], id="label-of-a-link"),
        pytest.param("It is $180 [1](https://example.org/hotels).", [("It is $180.", ["c1"])], id="number-linked"),
        pytest.param(
            "It is $180 ([Hotels](https://example.org/hotels)).", [("It is $180.", ["c1"])], id="title-linked"
        ),
        pytest.param("It [is $180](https://example.org/hotels).", [("It is $180.", ["c1"])], id="words-linked"),
        pytest.param("It is $180 (Hotels).", [("It is $180.", ["c1"])], id="title-in-brackets"),
        pytest.param("It is $180 (see Flights).", [("It is $180.", ["c2"])], id="title-with-a-word"),
        pytest.param("It is $180 (1).\n\nSources:\n(1) Hotels", [("It is $180.", ["c1"])], id="round-number"),
        pytest.param("It is $180¹.\n\n¹ Hotels", [("It is $180.", ["c1"])], id="raised"),
        pytest.param("It is $180 \\[c1\\].", [("It is $180.", ["c1"])], id="escaped"),
        pytest.param("1. It is $180 [c1]\n2. Book early [c2]", [("1. It is $180", ["c1"])], id="numbered-items"),
        pytest.param("The limit is $180.\n\nSource: c1", [("The limit is $180.", ["c1"])], id="for-all-of-it"),
        pytest.param("**Sources:** [c1], [c2]\nThe limit is $180.", [("The limit is $180.", ["c1", "c2"])], id="two"),
        pytest.param(
            "The limit is $180. Let me know!\nSource: Hotels", [("The limit is $180.", ["c1"])], id="courtesy"
        ),
        pytest.param("Sources: see the appendix.\nIt is $180.", [], id="sources-that-name-nothing"),
        pytest.param("It is $180 (Rail).", [], id="title-of-two-in-brackets"),
        pytest.param("It is $180 (about $160 before).", [], id="words-in-brackets"),
        pytest.param("It is $180.", [], id="no-marker"),
    ],
)
def test_markers_become_citations(text: str, claims: list[tuple[str, list[str]]]) -> None:
    found = cited(text)
    assert found[: len(claims)] == claims
    assert claims or not found


def test_numbers_count_the_evidence_where_the_reply_says_what_it_was() -> None:
    assert cited("It is $180 [2].", evidence=["c2", "c1"]) == [("It is $180.", ["c1"])]
    reply = {"text": "It is $180 [1].", "internal": {"evidence": ["c1"]}}
    assert cited(reply) == [("It is $180.", ["c1"])]


def test_a_list_of_sources_wins_over_the_order_of_the_evidence() -> None:
    assert cited("It is $180 [1].\n[1] c1", evidence=["c2"])[0] == ("It is $180.", ["c1"])


def test_what_prose_has_no_field_for_is_not_stated() -> None:
    answered, abstained = read_prose("It is $180 [c1].", CORPUS), read_prose("Nobody says.", CORPUS)
    assert [(one.decision, one.reason_code, one.decision_stated) for one in (answered, abstained)] == [
        ("answer", None, False),
        ("abstain", None, False),
    ]


def test_a_mapping_states_its_own_decision_and_its_text_is_read() -> None:
    outcome = read_prose({"decision": "partial", "reason_code": "PARTIAL_EVIDENCE", "text": "It is $180 [c1]."}, CORPUS)
    assert (outcome.decision, outcome.reason_code, outcome.decision_stated) == ("partial", "PARTIAL_EVIDENCE", True)
    assert outcome.response is not None
    assert outcome.response.claims[0].citations[0].chunk == "c1"


@pytest.mark.parametrize("reply", ["", "  \n", None, 3, {"text": 3}])
def test_what_is_no_prose_fails_as_elsewhere(reply: object) -> None:
    assert read_prose(reply, CORPUS).failure is not None


@given(st.text(max_size=300))
def test_any_text_is_read_and_kept_whole(text: str) -> None:
    outcome = read_prose(text, CORPUS)
    assert outcome.response is None or outcome.response.text == text


def test_the_prefix_stands_before_another_name() -> None:
    assert parse_system_name("prose:recorded:r.jsonl").kind is SystemKind.RECORDED
    for wrong in ("prose:", "prose:reference", "prose:prose:a:b"):
        with pytest.raises(SystemContractError):
            parse_system_name(wrong)


CASES = """\
cases:
  - {id: limit, kind: answerable, question: What is the limit?, expect: {slots: [{name: l, values: ["180"], evidence: [c1]}]}}
  - {id: pool, kind: unanswerable, question: When does the pool open?}
  - {id: old, kind: answerable, question: What was it?, expect: {slots: [{name: l, values: ["180"], evidence: [c1]}]}}
"""
REPLIES = {
    "limit": "The limit is $180 [1].\n\n[1] Hotels",
    "pool": "I could not find that.",
    "old": "It was $150 [c1].",
}


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    folder = pytester.mkdir("cases")
    chunks = 'chunks: [{id: c1, text: "The limit is $180.", title: Hotels}]'
    (folder / "corpus.yaml").write_text(f'corpus: c\nas_of: 2024-01-01\ndefault_readers: ["*"]\n{chunks}\n')
    (folder / "a.yaml").write_text(CASES)
    lines = (json.dumps({"case": case, "response": text}) for case, text in REPLIES.items())
    (folder / "replies.jsonl").write_text("\n".join(lines))
    questions = {"What is the limit?": "limit", "When does the pool open?": "pool", "What was it?": "old"}
    pytester.makepyfile(
        assistant=f"REPLIES, ASKED = {REPLIES!r}, {questions!r}\n"
        "def answer(request): return REPLIES[ASKED[request.question]]\n"
        "async def later(request): return answer(request)\n"
    )
    return pytester


@pytest.mark.parametrize("system", ["prose:assistant:answer", "prose:assistant:later", "prose:recorded:replies.jsonl"])
def test_a_system_in_prose_is_judged_by_the_same_checks(suite: pytest.Pytester, system: str) -> None:
    done = suite.runpytest("--grounded-system", system, "-p", "no:cacheprovider", "--grounded-snapshots", "off")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["*number.unsupported*"])


def test_prose_without_the_prefix_is_told_of_it(suite: pytest.Pytester) -> None:
    done = suite.runpytest("--grounded-system", "assistant:answer", "-p", "no:cacheprovider", "-k", "limit")
    done.stdout.fnmatch_lines(["*name a system that answers in prose with prose: before its name*"])


def test_an_abstention_in_prose_that_states_a_fact_is_contradictory(suite: pytest.Pytester) -> None:
    suite.makepyfile(assistant="def answer(request): return 'The limit is $180, I believe.'")
    done = suite.runpytest(
        "--grounded-system", "prose:assistant:answer", "-p", "no:cacheprovider", "-k", "limit or pool"
    )
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["*decision.contradictory*"])
