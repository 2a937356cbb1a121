"""What is kept of an outcome, and what never is."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.response import Internal, Response
from pytest_grounded.redaction import Redactor
from pytest_grounded.snapshots.canonical import canonical, in_order
from pytest_grounded.snapshots.classify import compare
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import FIELDS, NORMALISER, SCHEMA
from pytest_grounded.snapshots.trace import Cleaner, build_trace
from pytest_grounded.snapshots.writer import dumps, loads
from pytest_grounded.testing.builders import make_case, make_chunk, make_corpus, make_requester

SECRET = "Project Halcyon pays 42,000"


@dataclass(frozen=True)
class Unchanging:
    """A cleaner with nothing to clean."""

    def text(self, text: str) -> str:
        return text

    def value(self, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class Blotting(Unchanging):
    """A cleaner that takes one passage out."""

    def text(self, text: str) -> str:
        return text.replace(SECRET, f"[redacted {len(SECRET)} characters]")

    def value(self, value: Any) -> Any:
        return json.loads(json.dumps(value).replace(SECRET, f"[redacted {len(SECRET)} characters]"))


CORPUS = make_corpus(
    "The hotel limit is $180.",
    "Meals cost $75.",
    "Parking costs $12.",
    make_chunk("memo-7", SECRET, readers=["board"]),
    make_chunk("memo-8", "Board only.", readers=["board"]),
)
CASE = make_case(corpus=CORPUS, requester=make_requester("staff"), content_hash="sha256:case")


def trace_of(response: dict[str, Any] | None = None, *, cleaner: Cleaner | None = None, **fields: Any) -> Any:
    """The trace of a response that answers, with some fields."""
    body = {"decision": "answer", **(response or {}), **fields}
    outcome = Outcome(response=Response.model_validate(body))
    return build_trace(CASE, outcome, redactor=cleaner or Unchanging())


def answer(**internal: Any) -> Any:
    return trace_of(
        {"text": "The limit is $180.", "claims": [{"text": "It is $180.", "cites": ["c1"]}]}, internal=internal
    )


# The shape


def test_a_trace_begins_with_what_every_trace_has() -> None:
    assert trace_of() == {
        "schema": SCHEMA,
        "normaliser": NORMALISER,
        "case_sha": "sha256:case",
        "chunks": {},
        "decision": "answer",
        "reason_code": None,
        "next_step": None,
        "missing": [],
        "text": [],
        "claims": [],
        "citations": [],
    }


def test_keys_stand_in_the_order_of_the_schema() -> None:
    trace = trace_of(
        confidence=0.5,
        delivery="generated",
        sources=[{"chunk": "c1"}],
        followups=["And parking?"],
        banner="x",
        internal={"steps": [], "candidates": [], "evidence": [], "versions": {"model": "m"}, "reason_code": "X"},
    )
    assert list(trace) == [key for key in FIELDS if key in trace]
    assert {"versions", "confidence", "other", "steps", "internal_reason_code"} <= trace.keys()


def test_a_claim_and_its_citations_stand_apart_and_are_joined_by_a_number() -> None:
    trace = trace_of(
        claims=[
            {"text": "One.", "cites": ["c1"], "quote": "limit is $180"},
            {"text": "Two.", "citations": [{"chunk": "c2", "quote": "cost $75", "marker": 2, "page": 4}]},
        ]
    )
    assert trace["claims"] == [
        {"text": "One.", "quote": "limit is $180", "status": "supported"},
        {"text": "Two.", "status": "supported"},
    ]
    assert trace["citations"] == [
        {"claim": 1, "chunk": "c1"},
        {"claim": 2, "chunk": "c2", "quote": "cost $75", "marker": "2", "other": {"page": 4}},
    ]


def test_the_text_is_an_array_of_sentences() -> None:
    assert trace_of(text="One is. Two is.\nThree is.")["text"] == ["One is. ", "Two is.\n", "Three is."]


@given(st.text())
def test_the_sentences_joined_are_the_text(text: str) -> None:
    stored: Any = loads(dumps(trace_of(text=text)))
    assert "".join(stored["text"]) == text


def test_the_header_names_the_readable_chunks_that_were_used_and_no_others() -> None:
    trace = trace_of(
        claims=[{"text": "One.", "cites": ["c1", "memo-7", "unknown"]}],
        conflicts=[{"key": "k", "sides": [{"value": "1", "chunks": ["c2"]}]}],
        internal={
            "evidence": ["memo-8"],
            "candidates": [{"chunk": "c3", "kept": False}, {"chunk": "c1", "kept": True}],
        },
    )
    assert trace["chunks"] == {"c1": CORPUS["c1"].content_hash, "c2": CORPUS["c2"].content_hash}


def test_not_observed_is_left_out_and_none_is_kept() -> None:
    assert answer(evidence=[], candidates=[], steps=[], support=[]).keys() >= {
        "evidence",
        "candidates",
        "steps",
        "support",
    }
    assert answer().keys().isdisjoint({"evidence", "candidates", "steps", "support"})


def test_candidates_keep_their_rank_order_and_have_no_rank() -> None:
    candidates = [
        {"chunk": "c2", "score": 0.912345, "kept": True, "rank": 1, "text": "Meals cost $75."},
        {"chunk": "c1", "score": 0.2, "kept": False, "reason": "below the floor of 0.4"},
    ]
    assert answer(candidates=candidates)["candidates"] == [
        {"chunk": "c2", "kept": True, "score": 0.9123},
        {"chunk": "c1", "kept": False, "score": 0.2, "reason": "below the floor of 0.4"},
    ]


def test_a_stream_is_kept_as_what_was_shown_not_as_how_it_was_cut() -> None:
    whole = trace_of(text="It is $180.", stream=["It is ", "$180."])
    pieces = trace_of(text="It is $180.", stream=["It", " is $", "180."])
    assert whole == pieces
    assert whole["stream"] == [{"text": ["It is $180."]}]


def test_a_failure_is_its_kind_without_its_message() -> None:
    failed = Outcome(
        failure=Failure(kind=FailureKind.EXCEPTION, message=f"ValueError: {SECRET}"),
        observed=Internal(evidence=("c1",)),
    )
    trace = build_trace(CASE, failed, redactor=Unchanging())
    assert (trace["decision"], trace["reason_code"], trace["failure"]) == (None, "SYSTEM_FAILURE", "exception")
    assert trace["evidence"] == ["c1"]
    assert SECRET not in dumps(trace)


def test_actions_errors_and_derivations_are_kept() -> None:
    trace = trace_of(
        actions=[{"name": "book", "arguments": {"nights": 3, "cost": 540}, "authorized": True}],
        error={"kind": "quota", "status": 429, "retry_after_ms": 20},
        claims=[
            {
                "text": "Sum.",
                "cites": ["c1"],
                "derivation": {"operation": "sum", "operands": [{"value": 1, "chunk": "memo-7", "row": 2}]},
            }
        ],
    )
    assert trace["actions"] == [{"name": "book", "arguments": {"cost": 540, "nights": 3}, "authorized": True}]
    assert trace["error"] == {"kind": "quota", "status": 429}
    operand = {"value": "1", "chunk": "restricted-1", "other": {"row": 2}}
    assert trace["claims"][0]["derivation"] == {"operation": "sum", "operands": [operand]}


# What a requester may not read


def test_a_chunk_that_may_not_be_read_is_named_by_its_rank_everywhere() -> None:
    trace = trace_of(
        claims=[{"text": "One.", "cites": ["memo-8"]}],
        conflicts=[{"sides": [{"value": "1", "chunks": ["memo-7"]}]}],
        sources=[{"chunk": "memo-7"}],
        rendered=[{"marker": "1", "chunk": "memo-8"}],
        internal={
            "evidence": ["memo-7"],
            "candidates": [{"chunk": "memo-8", "kept": False, "reason": "not readable"}],
            "support": [{"claim": 1, "evidence": ["memo-7"], "verdict": "support"}],
            "steps": [{"name": "select", "dropped": ["memo-7"], "scores": {"memo-8": 0.5}}],
        },
    )
    text = dumps(trace)
    assert "memo" not in text
    assert trace["evidence"] == ["restricted-1"]
    assert trace["steps"] == [{"name": "select", "dropped": ["restricted-1"], "scores": {"restricted-2": 0.5}}]


def test_the_cleaner_sees_whole_texts_and_everything_that_is_kept() -> None:
    trace = trace_of(
        cleaner=Blotting(),
        text=f"One is. {SECRET}. Two is.",
        banner={"deep": [SECRET]},
        claims=[{"text": SECRET, "cites": ["c1"], "quote": SECRET}],
        internal={
            "steps": [{"name": "select", "reason": SECRET}],
            "candidates": [{"chunk": "c1", "kept": False, "reason": SECRET}],
            "versions": {"prompt": f"{SECRET}\n{SECRET}", "model": SECRET},
        },
    )
    assert SECRET not in dumps(trace)
    assert "[redacted 27 characters]" in "".join(trace["text"])


def test_the_projects_own_cleaner_leaves_no_restricted_word_in_the_bytes() -> None:
    trace = trace_of(
        cleaner=Redactor(CASE.view),
        text=f"I read memo-7: {SECRET}. The limit is $180.",
        claims=[{"text": SECRET, "cites": ["memo-7"], "quote": "Halcyon pays 42,000"}],
        banner=["42,000 for Halcyon"],
        internal={"steps": [{"name": "select", "reason": f"dropped memo-7 ({SECRET})", "notes": {SECRET: 1}}]},
    )
    text = dumps(trace)
    assert not any(part in text for part in ("Halcyon", "42,000", "memo-7"))
    assert "restricted-1" in text


# What is never written


def test_drafts_prompts_raw_replies_and_usage_are_never_written() -> None:
    trace = answer(
        prompt=["You are SYSTEM and DRAFTY."],
        raw={"text": "DRAFTY raw"},
        usage={"prompt_tokens": 12},
        timings={"total_ms": 3},
        cache={"hit": True},
        steps=[
            {
                "name": "generate",
                "attempt": 1,
                "prompt": "DRAFTY",
                "draft": {"text": "DRAFTY"},
                "raw": "DRAFTY",
                "messages": ["DRAFTY"],
                "says": "the model wrote DRAFTY",
                "sentences": ["It is DRAFTY.", "It is $180."],
                "DRAFTY sentence as a key": 1,
                "outcome": "quote not found",
            }
        ],
        something_else="DRAFTY",
    )
    assert "DRAFTY" not in dumps(trace)
    assert trace["steps"] == [
        {"name": "generate", "attempt": 1, "outcome": "quote not found", "sentences": ["[not shown]", "It is $180."]}
    ]
    assert trace.keys().isdisjoint({"prompt", "raw", "usage", "timings", "cache"})


def test_what_was_streamed_and_taken_back_is_kept_as_its_length() -> None:
    trace = trace_of(text="It is $180.", stream=[{"text": "It is $999.", "verified": False}, {"text": "It is $180."}])
    assert trace["stream"] == [
        {"verified": False, "text": ["[not in the text: 11 characters]"]},
        {"text": ["It is $180."]},
    ]


def test_a_prompt_under_versions_is_kept_as_its_hash() -> None:
    versions = answer(versions={"prompt": "Answer from evidence only. " * 20, "model": "m-1"})["versions"]
    assert versions["model"] == "m-1"
    assert versions["prompt"].startswith("sha256:")


def test_support_is_joined_to_the_claims_that_were_shown() -> None:
    support = [
        {"claim": "It is $999.", "evidence": ["c2"], "verdict": "contradict", "judge": "nli", "version": "1"},
        {"claim": "It is $180.", "chunks": ["c1"], "label": "support", "score": 0.98765},
    ]
    assert answer(support=support)["support"] == [
        {"claim": 1, "evidence": ["c1"], "verdict": "support", "score": 0.9877},
        {"claim": "[not shown]", "evidence": ["c2"], "verdict": "contradict", "judge": "nli", "version": "1"},
    ]


# Numbers


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["confidence", "candidate", "step", "other"])
def test_a_number_that_is_not_finite_is_refused_with_its_place(number: float, place: str) -> None:
    cases: dict[str, dict[str, Any]] = {
        "confidence": {"confidence": number},
        "candidate": {"internal": {"candidates": [{"chunk": "c1", "score": number}]}},
        "step": {"internal": {"steps": [{"name": "gate", "score": number}]}},
        "other": {"meter": {"value": number}},
    }
    with pytest.raises(SnapshotError, match="finite numbers only") as caught:
        trace_of(**cases[place])
    assert caught.value.code == "output.schema"
    assert caught.value.problems[0].field in {
        "confidence",
        "candidates[0].score",
        "steps[0].score",
        "other.meter.value",
    }


def test_computed_numbers_have_four_decimals_and_settings_all_of_theirs() -> None:
    trace = trace_of(confidence=0.123456, internal={"versions": {"floor": 0.000012345}})
    assert (trace["confidence"], trace["versions"]) == (0.1235, {"floor": 0.000012345})


def test_minus_zero_is_zero() -> None:
    assert json.dumps(canonical([-0.0, -0.00001])) == "[0.0, 0.0]"


# Credentials


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"authorization": "Basic dXNlcjpodW50ZXIy"}, id="a field named like one"),
        pytest.param({"text": "Use sk-live-4eC39HqLyjWDarjtT1zdp7dc."}, id="a key in the text"),
        pytest.param({"internal": {"steps": [{"name": "call", "api_key": "hunter2hunter2"}]}}, id="in a step"),
        pytest.param({"internal": {"versions": {"client_secret": "hunter2hunter2"}}}, id="in the versions"),
    ],
)
def test_a_credential_that_would_be_kept_is_refused_and_never_repeated(fields: dict[str, Any]) -> None:
    with pytest.raises(SnapshotError) as caught:
        trace_of(cleaner=Redactor(CASE.view), **fields)
    assert caught.value.code == "snapshot.secret"
    assert not any(part in str(caught.value) for part in ("hunter2", "4eC39", "dXNlcj"))


def test_hashes_uuids_and_counts_are_no_credentials() -> None:
    trace = trace_of(
        digest="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        max_tokens=500,
        token_count=12,
        cleaner=Redactor(CASE.view),
    )
    assert trace["other"]["max_tokens"] == 500


# Values of unknown types


class Colour(Enum):
    RED = "red"


@dataclass
class Span:
    start: int
    text: str


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        pytest.param({"b": 1, "a": 2, "name": 3}, {"name": 3, "a": 2, "b": 1}, id="keys in one order"),
        pytest.param({2: "x"}, {"2": "x"}, id="keys as text"),
        pytest.param({"c", "a"}, ["a", "c"], id="a set"),
        pytest.param((1, 2), [1, 2], id="a tuple"),
        pytest.param(date(2024, 7, 1), "2024-07-01", id="a date"),
        pytest.param(Decimal("1.23456"), 1.2346, id="a decimal"),
        pytest.param(Colour.RED, "red", id="an enum"),
        pytest.param(Span(1, "a"), {"start": 1, "text": "a"}, id="a dataclass"),
        pytest.param(Internal(evidence=("c1",)).evidence, ["c1"], id="a model's field"),
        pytest.param(object(), "<object>", id="anything else by its type"),
        pytest.param(True, True, id="truth is no number"),
    ],
)
def test_every_value_becomes_plain_json(value: Any, plain: Any) -> None:
    assert json.dumps(in_order(canonical(value))) == json.dumps(plain)


def test_a_deep_value_is_cut() -> None:
    value: Any = "end"
    for _ in range(5000):
        value = [value]
    assert "[too deep]" in json.dumps(canonical(value))


# The same run twice


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(
            {"timestamp": "2025-03-0{n}T10:00:00Z", "latency_ms": "{n}12", "request_id": "7f3{n}"}, id="at the top"
        ),
        pytest.param(
            {"meta": {"createdAt": 174081720.0, "traceId": "a{n}", "host": "node-{n}"}}, id="deeper, other names"
        ),
        pytest.param({"debug": {"elapsed": 0.0, "usage": {"total_tokens": 0}, "cost_usd": 0.0}}, id="costs"),
    ],
)
def test_two_runs_that_differ_in_volatile_fields_alone_have_one_trace(noise: dict[str, Any]) -> None:
    def run(number: int) -> Any:
        fields = json.loads(json.dumps(noise).replace("{n}", str(number)))
        for record in (fields, *(item for item in fields.values() if isinstance(item, dict))):
            for key, item in record.items():
                if isinstance(item, float):
                    record[key] = item + number
        steps = [
            {"name": "retrieve", "started_at": f"2025-03-0{number}T10:00:00Z", "ms": number, "span_id": f"s{number}"}
        ]
        return trace_of(text="It is $180.", internal={"steps": steps}, **fields)

    assert run(1) == run(2)
    assert compare(run(1), run(2)).same


def test_a_ticket_number_in_a_sentence_is_renamed_with_the_ticket() -> None:
    def run(ticket: str) -> Any:
        return trace_of(text=f"We opened ticket {ticket} for you.", ticket_id=ticket)

    assert run("TCK-8213") == run("TCK-9001")
    assert run("TCK-8213")["text"] == ["We opened ticket r1 for you."]


def test_a_chunk_id_is_never_taken_for_a_request_id() -> None:
    trace = trace_of(internal={"steps": [{"name": "fallback", "message_id": "c1", "run_id": "c2"}]})
    assert trace["steps"] == [{"name": "fallback", "message_id": "c1", "run_id": "c2"}]


def test_paths_are_relative_to_the_root() -> None:
    outcome = Outcome(
        response=Response.model_validate(
            {
                "decision": "answer",
                "index": "/home/ann/proj/data/index.db",
                "internal": {"versions": {"index": "/home/ann/proj/data/index.db", "cache": "/home/bob/cache"}},
            }
        )
    )
    trace = build_trace(CASE, outcome, redactor=Unchanging(), root=PurePosixPath("/home/ann/proj"))
    assert trace["versions"] == {"index": "data/index.db", "cache": ".../cache"}
    assert trace["other"] == {"index": "data/index.db"}


def test_the_same_outcome_gives_the_same_bytes_whatever_the_order_of_its_keys() -> None:
    first = {
        "decision": "answer",
        "alpha": {"x": 1, "y": 2},
        "beta": 3,
        "internal": {"steps": [{"name": "a", "p": 1, "q": 2}]},
    }
    second = {
        "internal": {"steps": [{"q": 2, "p": 1, "name": "a"}]},
        "beta": 3,
        "alpha": {"y": 2, "x": 1},
        "decision": "answer",
    }
    assert dumps(trace_of(first)) == dumps(trace_of(second))


PROGRAM = """
from tests.snapshots.test_trace import CASE, Unchanging
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.snapshots.trace import build_trace
from pytest_grounded.snapshots.writer import dumps

response = Response.model_validate({
    "decision": "answer",
    "text": "It is $180. See TCK-8213.",
    "claims": [{"text": "It is $180.", "cites": ["c3", "c1", "c2", "memo-7"]}],
    "tags": ["b", "a"], "ticket_id": "TCK-8213",
    "internal": {"steps": [{"name": "select", "dropped": {"c3", "c1", "memo-8", "c2"}, "words": frozenset("hotel")}]},
})
print(dumps(build_trace(CASE, Outcome(response=response), redactor=Unchanging())), end="")
"""


def test_the_bytes_are_the_same_in_every_process() -> None:
    root = PurePosixPath(__file__).parents[2]
    written = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join((str(root), *sys.path))},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert written[0] == written[1]
    assert '"dropped": [' in written[0]
