"""Whether the travel policy's texts still give the scores and selections that its metadata are an example of.

The rules are spelled out here once more, away from the pipeline: share of the question's words found in a chunk, floor
0.4, near-duplicates from a Jaccard overlap of 0.7, at most four chunks, coverage over what is kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.text.words import jaccard, terms

CHUNKS = Path(__file__).parents[2] / "cases" / "travel-policy" / "chunks.jsonl"
ELEVEN = tuple(f"c{number}" for number in range(1, 12))
EMPLOYEE = Requester(id="employee", audience=("employee",), groups=("staff",))
DAY = date(2024, 10, 1)


class Trace(NamedTuple):
    candidates: list[tuple[str, float]]
    dropped: dict[str, str]
    kept: list[str]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    lines = CHUNKS.read_text(encoding="utf-8").splitlines()
    return Corpus(name="travel-policy", chunks=[Chunk.model_validate(json.loads(line)) for line in lines])


def trace(question: str, corpus: Corpus, requester: Requester = EMPLOYEE) -> Trace:
    view, asked = corpus.view(requester, DAY), terms(question)
    scored = [(chunk, len(asked & terms(chunk.text)) / len(asked)) for chunk in view.readable.values()]
    ranked = sorted(((chunk, score) for chunk, score in scored if score), key=lambda pair: (-pair[1], pair[0].id))
    kept: list[Chunk] = []
    dropped: dict[str, str] = {}
    for chunk, score in ranked:
        if score < 0.4:
            dropped[chunk.id] = "floor"
        elif not view.in_force(chunk.id):
            dropped[chunk.id] = "superseded"
        elif not view.applies(chunk.id):
            dropped[chunk.id] = "audience"
        elif any(jaccard(terms(other.text), terms(chunk.text)) >= 0.7 for other in kept):
            dropped[chunk.id] = "duplicate"
        elif len(kept) == 4:
            dropped[chunk.id] = "budget"
        else:
            kept.append(chunk)
    candidates = [(chunk.id, score) for chunk, score in ranked]
    return Trace(candidates=candidates, dropped=dropped, kept=[chunk.id for chunk in kept])


def coverage(question: str, chunk_ids: Sequence[str], corpus: Corpus) -> tuple[float, list[str]]:
    asked = terms(question)
    found = frozenset().union(*(terms(corpus[chunk_id].text) for chunk_id in chunk_ids))
    return len(asked & found) / len(asked), sorted(asked - found)


@pytest.mark.parametrize(
    ("question", "candidates", "dropped", "kept"),
    [
        pytest.param(
            "What is the nightly hotel limit in a standard city?",
            [("c1", 1.0), ("c2", 1.0), ("c6", 1.0), ("c3", 0.8)],
            {"c2": "superseded", "c6": "audience"},
            ["c1", "c3"],
            id="standard-city",
        ),
        pytest.param(
            "When are receipts required?",
            [("c4", 1.0), ("c5", 1.0)],
            {"c5": "duplicate"},
            ["c4"],
            id="receipts",
        ),
        pytest.param(
            "When must reimbursement requests be submitted?",
            [("c7", 1.0), ("c8", 0.5), ("c11", 0.25)],
            {"c11": "floor"},
            ["c7", "c8"],
            id="deadline",
        ),
        pytest.param(
            "What is the mileage rate?",
            [("c10", 0.5), ("c9", 0.5)],
            {},
            ["c10", "c9"],
            id="mileage",
        ),
        pytest.param(
            "What is the nightly hotel limit in Paris?",
            [("c1", 0.75), ("c2", 0.75), ("c3", 0.75), ("c6", 0.75)],
            {"c2": "superseded", "c6": "audience"},
            ["c1", "c3"],
            id="paris",
        ),
        pytest.param("What is the meal allowance?", [], {}, [], id="meal-allowance"),
    ],
)
def test_a_question_ranks_and_selects_as_the_policy_was_written_to_show(
    corpus: Corpus,
    question: str,
    candidates: list[tuple[str, float]],
    dropped: dict[str, str],
    kept: list[str],
) -> None:
    assert trace(question, corpus) == Trace(candidates=candidates, dropped=dropped, kept=kept)


@pytest.mark.parametrize(
    ("question", "evidence", "expected"),
    [
        ("What is the nightly hotel limit in a standard city?", ["c1", "c3"], (1.0, [])),
        ("When are receipts required?", ["c4"], (1.0, [])),
        ("When must reimbursement requests be submitted?", ["c7"], (1.0, [])),
        ("What is the mileage rate?", [], (0.0, ["mileage", "rate"])),
        ("What is the nightly hotel limit in Paris?", ["c1", "c3"], (0.75, ["paris"])),
        ("What is the meal allowance?", [], (0.0, ["allowance", "meal"])),
    ],
)
def test_the_resolved_evidence_covers_as_much_of_the_question_as_it_should(
    corpus: Corpus, question: str, evidence: list[str], expected: tuple[float, list[str]]
) -> None:
    assert coverage(question, evidence, corpus) == expected


def test_only_the_policy_and_its_faq_are_near_duplicates(corpus: Corpus) -> None:
    pairs = [
        (left, right)
        for left, right in combinations(ELEVEN, 2)
        if jaccard(terms(corpus[left].text), terms(corpus[right].text)) >= 0.7
    ]
    assert pairs == [("c4", "c5")]


@pytest.mark.parametrize(
    ("claim", "chunk_id"),
    [
        pytest.param("The nightly hotel limit in standard cities is $180.", "c1", id="faithful"),
        pytest.param("The nightly hotel limit in high-cost cities is $260.", "c3", id="faithful-high-cost"),
        pytest.param("The nightly hotel limit in standard cities is $260.", "c3", id="wrong-chunk"),
        pytest.param("The nightly hotel limit in standard cities is at least $180.", "c1", id="changed-meaning"),
        pytest.param("The nightly hotel limit in standard cities is $200.", "c1", id="wrong-number"),
    ],
)
def test_every_scripted_claim_shares_enough_words_with_its_chunk(corpus: Corpus, claim: str, chunk_id: str) -> None:
    assert len(terms(claim) & terms(corpus[chunk_id].text)) / len(terms(claim)) >= 0.6


def test_an_old_version_ends_the_day_before_the_new_one_begins(corpus: Corpus) -> None:
    for old in ("c2", "c32"):
        window = corpus.view(EMPLOYEE, DAY).window(corpus[old])
        assert (window.start, window.end) == (date(2023, 1, 1), date(2024, 6, 30))
