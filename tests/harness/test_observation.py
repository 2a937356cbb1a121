"""What can be observed of a reply, and what of two that differ."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.harness.features import side_by_side
from pytest_grounded.harness.observation import Scope, differences, is_only_reordered, observe
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.systems.reading import read_reply

BASE: dict[str, Any] = {
    "decision": "answer",
    "text": "It is 180.",
    "claims": [{"text": "It is 180.", "cites": ["a", "b"]}],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def key(scope: Scope | None = None, digests: tuple[str, ...] = (), **fields: Any) -> str:
    return observe(read_reply({**BASE, **fields}), scope, digests=digests).key


@pytest.mark.parametrize(
    "fields",
    [
        {"decision": "abstain"},
        {"text": "It is 180"},
        {"claims": [{"text": "It is 180.", "cites": ["b", "a"]}]},
        {"next_step": "ask"},
        {"followups": ["More?"]},
        {"sources": [{"chunk": "a", "marker": 2}]},
        {"delivery": "extractive"},
        {"confidence": 0.5},
        {"error": {"kind": "io"}},
        {"debug": {"searched": 7}},
        {"a_new_field": None},
        {"stream": ["It is", " 181."]},
        {"request_id": "the board was asked first"},
        {"latency": {"why": "the board"}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_everything_that_can_be_seen_counts(fields: dict[str, Any]) -> None:
    assert key(**fields) != key()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"stream": ["It ", "is 180."]}, {"stream": ["It is", " 180."]}),
        ({"latency_ms": 3}, {"latency_ms": 400}),
        ({"request_id": "r-1"}, {"request_id": "5f0c7a9e-1b2c-4d5e-8f90-112233445566"}),
        ({"usage": {"total_tokens": 3}}, {"usage": {"total_tokens": 4}}),
        (
            {"headers": {"Date": "Sun, 06 Nov 1994 08:49:37 GMT"}},
            {"headers": {"Date": "Sun, 06 Nov 1994 08:49:38 GMT"}},
        ),
        ({"meta": {"created_at": "2024-10-01T10:00:00Z"}}, {"meta": {"created_at": "2024-10-01T10:00:01Z"}}),
        ({"internal": {"steps": [{"name": "a"}]}}, {"internal": {"steps": []}}),
        ({"internal": {"usage": {"tokens": 3}}}, {"internal": {"usage": {"tokens": 4}}}),
    ],
    ids=["stream", "latency", "request id", "usage", "date", "created", "steps", "internal usage"],
)
def test_what_differs_by_itself_or_is_not_seen_does_not_count(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(**one) == key(**other)


def test_the_digest_of_the_corpus_is_no_difference_and_another_digest_is() -> None:
    whole, less = "sha256:" + "0" * 64, "sha256:" + "1" * 64
    assert key(digests=(whole, less), corpus=whole) == key(digests=(whole, less), corpus=less)
    assert key(corpus=whole) != key(corpus=less)


def test_usage_counts_where_the_case_says_so() -> None:
    scope = Scope.of(["usage"])
    assert key(scope, internal={"usage": {"tokens": 3}}) != key(scope, internal={"usage": {"tokens": 4}})
    assert key(scope, usage={"tokens": 3}) != key(scope, usage={"tokens": 4})


def test_a_field_is_left_out_by_its_path() -> None:
    scope = Scope.of(["-debug.searched (a count of documents)"])
    observed = observe(read_reply({**BASE, "debug": {"searched": 7, "took": "long"}}), scope)
    assert observed.value["debug"] == {"took": "long"}
    assert [(one.field, one.reason) for one in observed.ignored] == [("debug.searched", "a count of documents")]


def test_of_a_failure_its_kind_and_what_came_instead_is_seen() -> None:
    timeout = observe(Outcome(failure=Failure(kind=FailureKind.TIMEOUT, message="60 s")))
    crash = observe(Outcome(failure=Failure(kind=FailureKind.EXCEPTION, message="the board's memo")))
    assert timeout.key != crash.key
    assert "memo" not in crash.key
    assert observe(read_reply("not json")).key != observe(read_reply("nor this")).key


def test_what_is_observed_is_not_printed_by_its_repr() -> None:
    assert "180" not in repr(observe(read_reply(BASE)))


@given(JSON)
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    assert differences({"x": value}, {"x": value}) == ()


@given(JSON, JSON)
def test_different_values_differ_somewhere_and_the_same_way_round(one: Any, other: Any) -> None:
    there, back = differences({"x": one}, {"x": other}), differences({"x": other}, {"x": one})
    assert bool(there) == (repr(one) != repr(other) and one is not other and not same(one, other))
    assert set(there) == set(back)


def same(one: Any, other: Any) -> bool:
    """Equality that tells 1 from True, and knows no order of keys."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def test_another_order_is_one_of_the_same_things() -> None:
    assert is_only_reordered(["a", "b"], ["b", "a"])
    assert not is_only_reordered(["a", "b"], ["a", "b"])
    assert not is_only_reordered(["a"], ["a", "a"])


def test_features_of_both_sides_have_the_same_names() -> None:
    one, other = side_by_side([observe(read_reply(BASE))], [observe(read_reply({**BASE, "debug": 7}))] * 2)
    assert one.keys() == other.keys()
    assert one["debug"] == [None]
    assert other["debug"] == ["7", "7"]
