"""What differs between two runs that did the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.snapshots.volatile import drop_volatile, is_volatile, rename_request_ids


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timestamp", "2025-03-01T10:00:00Z"),
        ("timestamp", 1740823200),
        ("latency_ms", 412),
        ("latencyMs", 412.5),
        ("total-latency", 3),
        ("elapsed", 0.2),
        ("took", 12),
        ("ms", 3.5),
        ("created", 1740823200),
        ("created_at", "2025-03-01 10:00:00"),
        ("updatedAt", "2025-03-01T10:00:00.123+02:00"),
        ("date", "Sat, 01 Mar 2025 10:00:00 GMT"),
        ("total_tokens", 812),
        ("usage", {"total": 1}),
        ("cost", 0.002),
        ("tokens", {"in": 1, "out": 2}),
        ("processing_time", 0.31),
        ("start_time", 1740823200),
        ("hostname", "node-17"),
        ("pid", 4711),
        ("worker_id", "gw1"),
        ("system_fingerprint", "fp_44709d6fcb"),
    ],
)
def test_measurements_of_a_run_are_volatile(name: str, value: Any) -> None:
    assert is_volatile(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", 500),
        ("token_budget", 2000),
        ("timeout_limit", 60),
        ("cost", "$180 per night"),
        ("duration", "30 days"),
        ("date", "2024-07-01"),
        ("effective_date", "2024-07-01"),
        ("valid_at", "2024-07-01T00:00:00Z"),
        ("check_in_time", 15),
        ("stay_duration", 3),
        ("room_cost", 180),
        ("price", 180.0),
        ("items", 3),
        ("format", "pdf"),
        ("latency_class", "low"),
        ("terms", ["ms"]),
    ],
)
def test_what_may_be_a_fact_or_a_setting_is_not(name: str, value: Any) -> None:
    assert not is_volatile(name, value)


def test_a_reading_of_a_clock_under_any_name_loses_its_digits() -> None:
    assert drop_volatile({"note": ["2025-03-01T10:00:00Z", "at 10:00"]}) == {"note": ["[time]", "at 10:00"]}


def test_an_address_in_memory_loses_its_digits() -> None:
    assert drop_volatile(["<Index at 0x7f3a1c2b4d>"]) == ["<Index at 0x...>"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/ann/x/y.db", ".../y.db"),
        ("read C:\\Users\\ann\\index.bin twice", "read .../index.bin twice"),
        ("/policies/travel", "/policies/travel"),
        ("https://example.org/home/ann", "https://example.org/home/ann"),
        ("and/or", "and/or"),
        ("/tmp/", "/tmp/"),  # noqa: S108 - a text
    ],
)
def test_a_path_of_a_machine_is_cut_and_a_link_is_not(text: str, expected: str) -> None:
    assert drop_volatile(text) == expected


@pytest.mark.parametrize(
    "key",
    ["request_id", "requestId", "x-request-id", "trace_id", "parent_span_id", "conversation_id", "ticket", "uuid"],
)
def test_an_id_of_a_request_is_renamed_by_its_key(key: str) -> None:
    assert rename_request_ids({key: "abc"}, ({key: "abc"},)) == {key: "r1"}


@pytest.mark.parametrize("key", ["chunk_id", "document_id", "user_id", "case_id", "identity", "grid"])
def test_other_ids_are_kept(key: str) -> None:
    assert rename_request_ids({key: "abc"}, ({key: "abc"},)) == {key: "abc"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("123e4567-e89b-12d3-a456-426614174000", "r1"),
        ("chatcmpl-9xYz81kQp4LmN0a1", "r1"),
        ("9f86d081884c7d65", "r1"),
        ("section-two", "section-two"),
        ("42", "42"),
    ],
)
def test_a_plain_id_is_renamed_where_it_looks_like_one(value: Any, expected: str) -> None:
    assert rename_request_ids({"id": value}, ({"id": value},)) == {"id": expected}


def test_ids_are_numbered_by_first_appearance_and_one_id_has_one_name() -> None:
    other: Any = [{"span_id": "b"}, {"span_id": "a"}, {"span_id": "b"}]
    assert rename_request_ids(other, (other,)) == [{"span_id": "r1"}, {"span_id": "r2"}, {"span_id": "r1"}]


def test_a_short_or_wordlike_id_is_not_replaced_inside_sentences() -> None:
    value: Any = {"text": "Room 12 at home.", "other": {"run_id": "12", "session_id": "home"}}
    renamed: Any = rename_request_ids(value, (value["other"],))
    assert renamed["text"] == "Room 12 at home."


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_steadying_twice_changes_nothing_more(value: Any) -> None:
    once = drop_volatile(value)
    assert drop_volatile(once) == once
