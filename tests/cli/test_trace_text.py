"""A trace as a newcomer reads it: what each stage says first, every drop with its reason, the source of each chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_grounded.cli import main
from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.reporting.trace_text import trace_lines
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask

HOTEL = make_chunk(
    "hotel", "The nightly hotel limit in standard cities is $180.", title="Travel policy", version="v3", locator="2.1"
)
OLD = make_chunk(
    "old",
    "The nightly hotel limit in standard cities is $150.",
    title="Travel policy",
    version="v2",
    status="superseded",
)
MEMO = make_chunk("memo", "The hotel limit of the board is $900.", title="Board memo", readers=["board"])
ASKED = "What is the nightly hotel limit in a standard city?"


def shown(response: Response, chunks: Sequence[Chunk] = (HOTEL, OLD, MEMO), question: str = ASKED) -> str:
    return "\n".join(trace_lines(ask(question, chunks, requester=Requester(id="ann")), Outcome(response=response)))


def answered(question: str = ASKED, *drafts: object, **sections: Any) -> Response:
    generator = ScriptedGenerator(*drafts) if drafts else None
    pipeline = ReferencePipeline(settings=PipelineSettings.model_validate(sections), generator=generator)
    return pipeline.answer(ask(question, [HOTEL, OLD, MEMO], requester=Requester(id="ann")))


def stepped(*steps: Mapping[str, Any], **fields: Any) -> str:
    """The text of a system's own steps."""
    return shown(Response.model_validate({"decision": "answer", "internal": {"steps": steps, **fields}}))


def claim(text: str, quote: str = HOTEL.text) -> dict[str, Any]:
    return {"text": text, "citations": [{"chunk": "hotel", "quote": quote}]}


def test_a_stage_says_first_what_it_came_to() -> None:
    text = shown(answered())
    for line in (
        "1. screen: no filter stops the question",
        "2. retrieve: 2 candidates, best hotel at 0.454545",
        "3. select: kept 1 of 2 candidates",
        "4. resolve: no disagreement",
        "5. gate: answer: the evidence holds 5 of 5 words of the question",
        "6. generate: attempt 1: extractive/1 writes a draft",
        "7. verify: attempt 1: 1 claim passed every layer",
        "8. deliver: answer, cites hotel",
    ):
        assert f"\n{line}\n" in text


def test_every_candidate_stands_in_a_table_with_score_reason_and_source() -> None:
    lines = shown(answered()).splitlines()
    at = lines.index("   choices")
    header, kept, dropped = lines[at + 1 : at + 4]
    assert header.split() == ["chunk", "score", "kept", "reason", "source"]
    assert kept.split("  ")[-1].strip() == "Travel policy, v3, 2.1"
    assert "superseded by a newer version" in dropped
    assert header.index("reason") == dropped.index("superseded by")


def test_what_the_sentence_or_the_question_says_is_not_said_again() -> None:
    text = shown(answered())
    assert text.count(ASKED.rstrip("?")) == 1  # the one part of the question is not shown beside it
    assert "candidates  " not in text
    assert "evidence  hotel" not in text.split("4. resolve")[0]


def test_where_nothing_is_answered_it_is_said_why_and_in_the_question_s_words() -> None:
    text = shown(answered("What is the nightly hotel limit in Paris?"))
    assert "why        gate: clarify: the evidence holds 3 of 4 words of the question, not Paris" in text
    stopped = shown(answered("What dose of ibuprofen can I take?"))
    assert "why        screen: stopped by the filter medical_advice" in stopped


def test_a_claim_that_fails_is_named_with_layer_and_reason_until_it_is_weakened_or_dropped() -> None:
    wrong, invented = (
        claim(HOTEL.text.replace("180", "200")),
        claim("Gyms are free.", "Gyms are free, says the policy."),
    )
    text = shown(answered(ASKED, {"claims": [wrong, invented]}, verification={"repairs": 1}))
    assert (
        "verify: attempt 1: claims[0] failed numbers (numbers not in cited chunks: ['200']); claims[1] failed quote"
        in text
    )
    assert "repair: attempt 1 is sent back with 2 failures" in text
    assert "mend: 1 claim weakened to what is quoted, 1 dropped, 0 kept" in text
    at = text.index("mend:")
    assert "0      its quote  claims[0] failed numbers" in text[at:]
    assert "1      dropped    claims[1] failed quote (quote is not a substring of the cited chunks)" in text[at:]


def test_a_claim_that_only_repeats_another_is_said_to_be_dropped() -> None:
    right, wrong = claim(HOTEL.text), claim(HOTEL.text.replace("180", "200"))
    text = shown(answered(ASKED, {"claims": [right, wrong]}, verification={"repairs": 0}))
    assert "mend: 0 claims weakened to what is quoted, 1 dropped, 1 kept" in text


def test_a_quote_is_shown_with_its_place() -> None:
    assert f"quote  {HOTEL.text!r} (Travel policy, v3, 2.1)" in shown(answered())


def test_of_a_chunk_that_may_not_be_read_nothing_is_added() -> None:
    text = stepped({"name": "rank", "picked": [{"chunk": "memo", "kept": True}]})
    assert "Board memo" not in text
    assert "corpus     test, 2 chunks this requester may read" in text


@pytest.mark.parametrize(
    ("step", "lines"),
    [
        pytest.param({"name": "search"}, ["1. search"], id="bare"),
        pytest.param({"index": "main", "hit": True}, ["1. step", "   index  main", "   hit    yes"], id="fields"),
        pytest.param({"name": "s", "hit": False, "none": None, "empty": []}, ["1. s"], id="nothing"),
        pytest.param({"name": "s", "zero": 0}, ["1. s", "   zero  0"], id="zero"),
        pytest.param(
            {"name": "s", "says": "took 3", "count": 3}, ["1. s: took 3", "   count  3"], id="a-number-it-may-not-mean"
        ),
        pytest.param(
            {"name": "s", "features": {**dict.fromkeys("abcdef", 0), "g": 0.5}},
            ["1. s", "   features", "      g 0.5; 6 more are 0"],
            id="many-numbers",
        ),
        pytest.param(
            {"name": "s", "features": {**dict.fromkeys("abcdefg", 0.25), "h": 0}},
            ["1. s", "   features", "      8 numbers, 1 of them 0 (all of them with --format json)"],
            id="too-many-numbers",
        ),
        pytest.param(
            {"name": "s", "rows": [{"x": "限额", "y": 1}, {"x": "ab", "y": 2}]},
            ["1. s", "   rows", "      x     y", "      限额  1", "      ab    2"],
            id="wide-characters",
        ),
        pytest.param(
            {"name": "s", "rows": [{"key": "k", "sides": [{"value": "1", "chunks": ["hotel"]}]}]},
            [
                "1. s",
                "   rows",
                "      key k",
                "         sides",
                "            value  chunks",
                "            1      hotel",
            ],
            id="records-in-records",
        ),
        pytest.param({"name": "s", "mixed": [{"a": 1}, "b"]}, ["1. s", "   mixed", "      a 1", "      b"], id="mixed"),
    ],
)
def test_the_steps_of_any_system_are_shown(step: Mapping[str, Any], lines: list[str]) -> None:
    text = stepped(step)
    assert f"\n{chr(10).join(lines)}\n\ndecision" in text


def test_the_candidates_of_a_system_that_lists_them_in_no_step_are_shown() -> None:
    given = [
        {"chunk": "hotel", "score": 0.9, "kept": True, "reason": "best"},
        {"chunk": "old", "score": 0.8, "kept": False},
        {"chunk": "memo", "score": 0.5, "kept": False, "reason": "far"},
    ]
    table = stepped({"name": "search", "hits": 3}, candidates=given).split("\ncandidates\n")[1].splitlines()[:4]
    assert [line.split() for line in table] == [
        ["chunk", "score", "kept", "reason", "source"],
        ["hotel", "0.9", "yes", "best", "Travel", "policy,", "v3,", "2.1"],
        ["old", "0.8", "no", "no", "reason", "given", "Travel", "policy,", "v2"],
        ["memo", "0.5", "no", "far"],
    ]


def test_a_score_of_a_later_search_is_not_said_of_an_earlier_one() -> None:
    table = [{"chunk": "hotel", "kept": False, "reason": "score 0.01 below floor 0.08"}]
    steps: list[dict[str, Any]] = [{"name": "retrieve"}, {"name": "select", "choices": table}] * 2
    text = stepped(*steps, candidates=[{"chunk": "hotel", "score": 0.9, "kept": False}])
    first, second = (part.splitlines()[2].split() for part in text.split(". select\n")[1:])
    assert (first[:2], second[:2]) == (["hotel", "no"], ["hotel", "0.9"])


def test_a_table_too_wide_leaves_the_source_out() -> None:
    long = make_chunk("c" * 90, "Hotels.", title="A title " * 10)
    response = Response.model_validate(
        {"decision": "answer", "internal": {"steps": [{"name": "s", "rows": [{"chunk": long.id, "kept": True}]}]}}
    )
    text = shown(response, [long])
    assert f"      {long.id}  yes\n" in text
    assert "A title" not in text


QUESTIONS = [
    ("travel-policy", "employee", ASKED),
    ("travel-policy", "employee", "What is the retention bonus for the closing team?"),
    ("travel-policy", "contractor", "What is the nightly hotel limit?"),
    ("travel-policy-outage", None, "What is the nightly hotel limit?"),
    ("handbook", None, "What is the nightly per diem in Denver, and are receipts required for lodging?"),
    ("peps", None, "Which PEP replaced PEP 241?"),
    ("equipment-zh", "employee", "上海正式员工今年设备额度多少，何时提交？"),
    ("equipment-zh", "employee", "离职人员须在多少日内归还笔记本电脑？"),
]


@pytest.mark.parametrize(
    ("suite", "requester", "question"), QUESTIONS, ids=[f"{one}-{n}" for n, (one, *_) in enumerate(QUESTIONS)]
)
def test_in_the_trace_of_any_question_everything_dropped_has_a_reason(
    suite: str,
    requester: str | None,
    question: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(__import__("pathlib").Path(__file__).parents[2])
    assert main(["ask", question, "--suite", suite, *(["--as", requester] if requester else [])]) == 0
    lines = capsys.readouterr().out.splitlines()
    header = next(line for line in lines if line.split()[:3] == ["chunk", "score", "kept"])
    rows = lines[lines.index(header) + 1 :]
    table = rows[: next(n for n, row in enumerate(rows) if not row.startswith("      "))]
    at, to = header.index("kept"), header.find("reason")
    assert all(row[to:].strip() for row in table if to > 0 and row[at:].startswith("no"))
    assert any(line.startswith("decision   ") for line in lines)
    assert any("gate: " in line for line in lines)
