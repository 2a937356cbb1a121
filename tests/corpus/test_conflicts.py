"""Which chunks contradict each other so that no rule settles it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pytest_grounded.corpus.conflicts import contrary_chunks, equal_rank, sides_for, standing_conflicts
from pytest_grounded.model.case import ExpectedSide
from pytest_grounded.model.evidence import Chunk, CorpusView, Requester
from pytest_grounded.testing.builders import AS_OF, make_chunk, make_corpus, make_requester


def stating(chunk_id: str, value: str, key: str = "rate", **fields: Any) -> Chunk:
    return make_chunk(chunk_id, fields.pop("text", f"The rate is {value}."), facts={key: value}, **fields)


def view(*chunks: Chunk, requester: Requester | None = None, as_of: date = AS_OF) -> CorpusView:
    return make_corpus(*chunks).view(requester or make_requester("staff"), as_of)


RANKS: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "nothing said": ({}, {}, True),
    "authority": ({"authority": 3}, {"authority": 2}, False),
    "the same authority": ({"authority": 3}, {"authority": 3}, True),
    "one supersedes the other": ({"supersedes": ["b"]}, {}, False),
    "the other supersedes the one": ({}, {"supersedes": ["a"]}, False),
    "a later version of one document": (
        {"document": "d", "effective_from": "2023-01-01"},
        {"document": "d", "effective_from": "2024-01-01"},
        False,
    ),
    "labels of versions are never ordered": (
        {"document": "d", "version": "v1"},
        {"document": "d", "version": "v2"},
        True,
    ),
    "a later start of another document": (
        {"document": "d", "effective_from": "2023-01-01"},
        {"document": "e", "effective_from": "2024-01-01"},
        True,
    ),
    "one scope is more specific": ({"scope": {"region": "EMEA"}}, {}, False),
    "two regions": ({"scope": {"region": "EMEA"}}, {"scope": {"region": "APAC"}}, False),
    "the same region": ({"scope": {"region": "EMEA"}}, {"scope": {"region": "EMEA"}}, True),
    "a region and a grade": ({"scope": {"region": "EMEA"}}, {"scope": {"grade": "3"}}, True),
    "two audiences": ({"audience": ["employee"]}, {"audience": ["contractor"]}, False),
    "a shared audience": ({"audience": ["employee"]}, {"audience": ["employee", "contractor"]}, True),
}


@pytest.mark.parametrize(("left", "right", "expected"), RANKS.values(), ids=RANKS)
def test_rank_is_equal_when_no_rule_tells_two_apart(
    left: dict[str, Any],
    right: dict[str, Any],
    expected: bool,  # noqa: FBT001
) -> None:
    a, b = make_chunk("a", **left), make_chunk("b", **right)
    assert equal_rank(a, b) is equal_rank(b, a) is expected


def test_a_standing_conflict_has_a_side_for_each_value() -> None:
    chunks = stating("c1", "0.60"), stating("c2", "0.65"), stating("c3", "0.60"), stating("c4", "12", "parking")
    assert standing_conflicts(view(*chunks)) == {
        "rate": (ExpectedSide(value="0.60", chunks=("c1", "c3")), ExpectedSide(value="0.65", chunks=("c2",)))
    }


NO_CONFLICT = {
    "the same value": [stating("c1", "0.60"), stating("c2", "0.60")],
    "the same value in other letters": [stating("c1", "Oslo"), stating("c2", " oslo")],
    "other keys": [stating("c1", "0.60"), stating("c2", "0.65", "fee")],
    "an unreadable one": [stating("c1", "0.60"), stating("c2", "0.65", readers=["board"])],
    "an expired one": [stating("c1", "0.60", effective_to="2024-09-30"), stating("c2", "0.65")],
    "one that has yet to begin": [stating("c1", "0.60", effective_from="2024-10-02"), stating("c2", "0.65")],
    "one that is not known yet": [stating("c1", "0.60", ingested_at="2024-10-02"), stating("c2", "0.65")],
    "one that was withdrawn": [stating("c1", "0.60", status="withdrawn"), stating("c2", "0.65")],
    "one for other people": [stating("c1", "0.60", audience=["contractor"]), stating("c2", "0.65")],
    "one of lower authority": [stating("c1", "0.60", authority=1), stating("c2", "0.65", authority=2)],
    "one that was replaced and still holds": [
        stating("c1", "0.60", effective_to="2024-12-31"),
        stating("c2", "0.65", supersedes=["c1"], effective_from="2024-07-01"),
    ],
    "different years": [stating("c1", "5", text="In 2023 it was 5."), stating("c2", "7", text="In 2024 it was 7.")],
}


@pytest.mark.parametrize("chunks", NO_CONFLICT.values(), ids=NO_CONFLICT)
def test_there_is_no_conflict_with(chunks: list[Chunk]) -> None:
    seen = view(*chunks, requester=make_requester("staff", audience="employee"))
    assert standing_conflicts(seen) == {}
    assert contrary_chunks(seen, chunks[1], "rate") == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Since 2023 it is 5.", "It is 7."),
        ("In 2023 and 2024 it is 5.", "In 2024 it is 7."),
        ("It is 2,023.5.", "In 2024 it is 7."),
    ],
)
def test_years_settle_nothing_where_one_is_shared_or_unsaid(left: str, right: str) -> None:
    assert standing_conflicts(view(stating("c1", "5", text=left), stating("c2", "7", text=right)))


def test_a_chunk_may_contradict_itself() -> None:
    chunk = make_chunk(
        "c1", "30 days; elsewhere 28 days.", facts=[{"key": "leave", "value": "30"}, {"key": "leave", "value": "28"}]
    )
    seen = view(chunk)
    sides = ExpectedSide(value="30", chunks=("c1",)), ExpectedSide(value="28", chunks=("c1",))
    assert standing_conflicts(seen) == {"leave": sides}
    assert contrary_chunks(seen, chunk, "leave") == (chunk,)


def test_of_several_ranks_the_highest_authority_is_the_conflict() -> None:
    chunks = [
        stating("c1", "1", authority=1),
        stating("c2", "2", authority=1),
        stating("c3", "3", authority=2),
        stating("c4", "4", authority=2),
    ]
    assert standing_conflicts(view(*chunks))["rate"] == (
        ExpectedSide(value="3", chunks=("c3",)),
        ExpectedSide(value="4", chunks=("c4",)),
    )


def test_a_contrary_chunk_is_of_equal_rank_and_gives_another_value() -> None:
    chunks = [stating("c1", "0.60"), stating("c2", "0.65"), stating("c3", "0.70", authority=5), stating("c4", "0.60")]
    assert [chunk.id for chunk in contrary_chunks(view(*chunks), chunks[0], "rate")] == ["c2"]


MILEAGE = (
    stating("m1", "0.60", "mileage_rate", text="Mileage is $0.60."),
    stating("m2", "0.65", "mileage_rate", text="Mileage is $0.65."),
)
VISA = (
    stating("v1", "100", "visa_cap", text="Visa fees up to $100."),
    stating("v2", "160", "visa_cap", text="Visa fees up to $160."),
)


@pytest.mark.parametrize(
    ("chunks", "question", "expected"),
    [
        pytest.param((*MILEAGE, *VISA), "What is the mileage rate?", ["m1", "m2"], id="the one the question is about"),
        pytest.param((*MILEAGE, *VISA), "Up to what amount are visa fees paid?", ["v1", "v2"], id="the other one"),
        pytest.param((*MILEAGE, *VISA), "May I bring a dog?", [], id="neither"),
        pytest.param((*MILEAGE, *VISA), "Mileage or visa?", [], id="both alike"),
        pytest.param(MILEAGE, "Wie hoch ist der Satz?", ["m1", "m2"], id="the only one, in another language"),
        pytest.param((MILEAGE[0], VISA[0]), "What is the mileage rate?", [], id="none there"),
    ],
)
def test_the_sides_for_a_question_are(chunks: tuple[Chunk, ...], question: str, expected: list[str]) -> None:
    assert [chunk for side in sides_for(view(*chunks), question) for chunk in side.chunks] == expected


def test_a_key_that_labels_many_things_is_told_apart_by_spelling() -> None:
    chunks = [stating(f"c{number}", str(number)) for number in range(200)]
    assert len(standing_conflicts(view(*chunks))["rate"]) == 200
