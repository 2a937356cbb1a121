"""The text of a trace and back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import FIELDS
from pytest_grounded.snapshots.writer import dumps, loads
from tests.snapshots.traces import full_trace

GOLDEN = """\
{
 "schema": 1,
 "normaliser": 1,
 "case_sha": "sha256:aa",
 "chunks": {
  "c1": "sha256:11"
 },
 "decision": "answer",
 "reason_code": null,
 "next_step": null,
 "missing": [],
 "text": [
  "The hotel limit is $180. ",
  "Zürich costs more."
 ],
 "claims": [
  {"text": "The hotel limit is $180.", "status": "supported"}
 ],
 "citations": [
  {"claim": 1, "chunk": "c1", "quote": "limit is $180"}
 ],
 "stream": [
  {
   "verified": true,
   "text": [
    "The hotel limit is $180. ",
    "Zürich costs more."
   ]
  }
 ],
 "other": {
  "banner": {"lines": ["a", "b"]},
  "tags": [
   "hotel"
  ]
 },
 "evidence": [
  "c1"
 ],
 "candidates": [
  {"chunk": "c1", "kept": true, "score": 0.9},
  {"chunk": "c2", "kept": false, "score": 0.2, "reason": "floor"}
 ],
 "steps": [
  {
   "name": "select",
   "attempt": 1,
   "choices": [
    {"chunk": "c1", "kept": true}
   ]
  }
 ]
}
"""


def shuffled(value: Any, seed: int) -> Any:
    """The value with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(seed).shuffle(keys)  # noqa: S311 - an order, no secret
        return {key: shuffled(value[key], seed) for key in keys}
    return [shuffled(item, seed) for item in value] if isinstance(value, list) else value


def test_a_reviewer_sees_the_decision_first_and_one_thing_a_line() -> None:
    golden = GOLDEN.replace('  "banner": {"lines": ["a", "b"]},\n', '  "banner": {\n   "lines": ["a", "b"]\n  },\n')
    assert dumps(json.loads(golden)) == golden


@pytest.mark.parametrize("seed", range(5))
def test_the_bytes_do_not_depend_on_the_order_of_keys(seed: int) -> None:
    assert dumps(shuffled(full_trace(), seed)) == dumps(full_trace())


def test_the_fields_of_the_schema_are_written_in_its_order_and_unknown_ones_behind_them() -> None:
    written = list(json.loads(dumps({"zeta": 1, "alpha": 2, **full_trace()})))
    assert written == [*FIELDS, "alpha", "zeta"]


def test_one_candidate_more_is_one_line_more() -> None:
    old, new = full_trace(), full_trace()
    new["candidates"].insert(1, {"chunk": "c9", "kept": False, "score": 0.85})
    before, after = dumps(old).splitlines(), dumps(new).splitlines()
    assert [line for line in after if line not in before] == ['  {"chunk": "c9", "kept": false, "score": 0.85},']
    assert len(after) == len(before) + 1


def test_one_word_in_a_sentence_is_one_line() -> None:
    old, new = full_trace(), full_trace()
    new["text"][1] = "Meals are paid for 60 days."
    before, after = dumps(old).splitlines(), dumps(new).splitlines()
    assert sum(left != right for left, right in zip(before, after, strict=True)) == 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=20,
    ),
    st.sampled_from(["other", "steps", "text", "claims", "candidates", "unheard_of"]),
)
def test_what_is_written_is_read_back_whatever_it_is(value: Any, key: str) -> None:
    trace = {"schema": 1, key: value}
    text = dumps(trace)
    assert loads(text) == trace
    assert dumps(loads(text)) == text
    assert text.endswith("}\n")
    assert "\r" not in text


@given(st.text(alphabet=st.characters()))
def test_every_text_survives_and_the_file_is_valid_utf8(text: str) -> None:
    written = dumps({"schema": 1, "text": [text]})
    written.encode("utf-8")
    (restored,) = text_of(loads(written))
    assert restored.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\x85", "\x1b", "\U000e0041", "\xad"]
)
def test_characters_a_reviewer_cannot_see_are_written_as_escapes(unseen: str) -> None:
    text = dumps({"schema": 1, "text": [f"a{unseen}b"]})
    assert unseen not in text
    assert loads(text)["text"] == [f"a{unseen}b"]


@pytest.mark.parametrize("seen", ["ü", "加班", "\u200c", "नमस्ते", "🙂"])
def test_words_of_every_script_are_written_as_they_are(seen: str) -> None:
    assert seen in dumps({"schema": 1, "text": [seen]})


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_json_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"schema": 1, "confidence": number})


# Reading


def text_of(trace: Any) -> list[str]:
    return list(trace["text"])


def merged(marker_lines: list[str]) -> str:
    lines = dumps(full_trace()).splitlines()
    return "\n".join([*lines[:6], *marker_lines, *lines[6:]]) + "\n"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["<<<<<<< HEAD", ' "decision": "answer",', "=======", ' "decision": "abstain",', ">>>>>>> topic"],
            id="two sides",
        ),
        pytest.param(
            ["<<<<<<< HEAD", ' "a": 1,', "||||||| base", ' "a": 2,', "=======", ' "a": 3,', ">>>>>>> topic"], id="diff3"
        ),
        pytest.param(["======="], id="a forgotten one"),
        pytest.param([">>>>>>> topic"], id="the last one"),
    ],
)
def test_a_merge_nobody_finished_is_said_with_its_line_and_what_to_type(lines: list[str]) -> None:
    with pytest.raises(SnapshotError) as caught:
        loads(merged(lines), where="snapshots/travel/hotel.json")
    assert caught.value.code == "snapshot.conflict_marker"
    assert str(caught.value).startswith("snapshots/travel/hotel.json:7: ")
    assert "git checkout --ours -- snapshots/travel/hotel.json" in str(caught.value)
    assert "then run pytest to see what differs from it" in str(caught.value)


def test_conflict_markers_with_windows_line_ends_are_found() -> None:
    with pytest.raises(SnapshotError) as caught:
        loads(merged(["<<<<<<< HEAD", "=======", ">>>>>>> x"]).replace("\n", "\r\n"))
    assert caught.value.code == "snapshot.conflict_marker"


def test_an_answer_that_quotes_conflict_markers_is_no_conflict() -> None:
    trace = full_trace() | {"text": ["<<<<<<< HEAD\n", "=======\n", ">>>>>>> topic"]}
    assert loads(dumps(trace)) == trace


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('{"schema": 1,\n "decision": }', "a.json:2:14: is not JSON", id="broken"),
        pytest.param("", "a.json:1:1: is not JSON", id="empty"),
        pytest.param(
            '{"schema": 1, "decision": "answer", "decision": "abstain"}', "'decision' twice", id="a repeated key"
        ),
        pytest.param('{"schema": 1, "confidence": NaN}', "holds NaN", id="not a number"),
        pytest.param('{"schema": 1, "n": ' + "1" * 5000 + "}", "a.json: ", id="a number without end"),
        pytest.param("[" * 100_000, "a.json", id="nested without end"),
        pytest.param("[1]", "is no approved trace", id="a list"),
        pytest.param('{"decision": "answer"}', "is no approved trace", id="no schema"),
        pytest.param('{"schema": true}', "is no approved trace", id="a schema that is no number"),
        pytest.param('{"schema": 99}', "later version of pytest-grounded (schema 99", id="a later schema"),
    ],
)
def test_what_cannot_be_read_says_why_and_what_to_type(text: str, message: str) -> None:
    with pytest.raises(SnapshotError) as caught:
        loads(text, where="a.json")
    assert caught.value.code == "snapshot.unreadable"
    assert message in str(caught.value)
    assert "pytest --snapshot-update" in str(caught.value)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert loads("\ufeff" + dumps(full_trace())) == full_trace()
