"""What lint says about a corpus that loads: for each warning one corpus that gets it and one that does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.lint import lint_corpus, warnings_of
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.testing.builders import make_chunk, make_corpus

LONG = "The retention bonus for the closing team is paid in March."


def rate(chunk_id: str, value: str, **fields: Any) -> Chunk:
    return make_chunk(chunk_id, f"The rate is {value}.", facts={"rate": value}, **fields)


def warned(*chunks: Chunk) -> list[tuple[str | None, str]]:
    return sorted((chunk_id, code) for chunk_id, code, _ in warnings_of(make_corpus(*chunks)))


WARNED: dict[str, tuple[list[Chunk], list[tuple[str | None, str]]]] = {
    "nothing wrong": ([make_chunk("c1", effective_from="2024-01-01", effective_to="2024-01-01")], []),
    "no chunks": ([], [(None, "empty_corpus")]),
    "empty text": ([make_chunk("c1", " \n")], [("c1", "empty_text")]),
    "an end before its start": (
        [make_chunk("c1", effective_from="2024-07-01", effective_to="2024-06-30")],
        [("c1", "ends_before_start")],
    ),
    "withdrawn without an end": ([make_chunk("c1", status="withdrawn")], [("c1", "never_in_force")]),
    "withdrawn without an end, several": (
        [make_chunk(f"c{n}", status="withdrawn") for n in range(5)],
        [("c0", "never_in_force")],
    ),
    "superseded by nothing": ([make_chunk("c1", status="superseded")], [("c1", "never_in_force")]),
    "replaced without dates": ([make_chunk("c1"), make_chunk("c2", supersedes=["c1"])], []),
    "replaced before its own start": (
        [
            make_chunk("c1", effective_from="2024-07-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-01-01"),
        ],
        [("c1", "never_in_force")],
    ),
    "withdrawn with an end": ([make_chunk("c1", status="withdrawn", effective_to="2024-01-01")], []),
    "supersedes what is not there": ([make_chunk("c1", supersedes=["c9"])], [("c1", "dangling_supersedes")]),
    "supersedes itself": ([make_chunk("c1", supersedes=["c1"])], [("c1", "circular_supersedes")]),
    "a circle of three": (
        [make_chunk("c1", supersedes=["c2"]), make_chunk("c2", supersedes=["c3"]), make_chunk("c3", supersedes=["c1"])],
        [("c1", "circular_supersedes")],
    ),
    "a chain is no circle": (
        [make_chunk("c1", supersedes=["c2", "c3"]), make_chunk("c2", supersedes=["c3"]), make_chunk("c3")],
        [],
    ),
    "two values at one rank": ([rate("c1", "0.60"), rate("c2", "0.65")], [("c1", "standing_conflict")]),
    "two values for people who cannot both be asked": (
        [rate("c1", "0.60", readers=["a"]), rate("c2", "0.65", readers=["b"])],
        [("c1", "standing_conflict")],
    ),
    "two values at two ranks": ([rate("c1", "0.60", authority=1), rate("c2", "0.65", authority=2)], []),
    "two values of two tenants": ([rate("c1", "0.60", tenant="a"), rate("c2", "0.65", tenant="b")], []),
    "two values of a tenant and all": (
        [rate("c1", "0.60", tenant="a"), rate("c2", "0.65")],
        [("c1", "standing_conflict")],
    ),
    "versions that overlap": (
        [
            rate("c1", "0.60", document="d", version="v1", effective_from="2023-01-01"),
            rate("c2", "0.65", document="d", version="v2", effective_from="2024-01-01"),
        ],
        [("c1", "overlapping_dates")],
    ),
    "versions that follow each other": (
        [
            rate("c1", "0.60", document="d", version="v1", effective_from="2023-01-01", effective_to="2023-12-31"),
            rate("c2", "0.65", document="d", version="v2", effective_from="2024-01-01"),
        ],
        [],
    ),
    "versions linked by supersedes": (
        [
            rate("c1", "0.60", document="d", version="v1", effective_from="2023-01-01"),
            rate("c2", "0.65", document="d", version="v2", effective_from="2024-01-01", supersedes=["c1"]),
        ],
        [],
    ),
    "versions of other sections": (
        [
            make_chunk("c1", document="d", version="v1", locator="1"),
            make_chunk("c2", document="d", version="v2", locator="2"),
        ],
        [],
    ),
    "versions of one section": (
        [
            make_chunk("c1", document="d", version="v1", locator="1"),
            make_chunk("c2", document="d", version="v2", locator="1"),
        ],
        [("c1", "overlapping_dates")],
    ),
    "a copy others may read": (
        [make_chunk("m1", LONG, readers=["board"]), make_chunk("c1", f"Minutes. {LONG.upper()} More.")],
        [("m1", "readable_copy")],
    ),
    "a copy for the same readers": (
        [make_chunk("m1", LONG, readers=["board"]), make_chunk("m2", LONG, readers=["board"])],
        [],
    ),
    "a copy of what nobody may read": (
        [make_chunk("m1", LONG, readers=["board"]), make_chunk("m2", LONG, readers=[])],
        [("m2", "readable_copy")],
    ),
    "a copy of another tenant": (
        [make_chunk("m1", LONG, tenant="a"), make_chunk("m2", LONG, tenant="b")],
        [("m1", "readable_copy"), ("m2", "readable_copy")],
    ),
    "a few shared words": ([make_chunk("m1", "The limit.", readers=["board"]), make_chunk("c1", "The limit.")], []),
}


@pytest.mark.parametrize(("chunks", "expected"), WARNED.values(), ids=WARNED)
def test_lint_warns_of(chunks: list[Chunk], expected: list[tuple[str | None, str]]) -> None:
    assert warned(*chunks) == expected


def lint(tmp_path: Path, manifest: str, *chunks: object) -> list[str]:
    (tmp_path / "corpus.yaml").write_text("corpus: travel\nchunks: chunks.jsonl\n" + manifest)
    (tmp_path / "chunks.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))
    return [str(problem) for problem in lint_corpus(read_corpus(tmp_path / "corpus.yaml", root=tmp_path))]


def test_warnings_stand_in_the_order_of_the_file_with_their_lines(tmp_path: Path) -> None:
    chunks = {"id": "c1", "text": "One."}, {"id": "c2", "text": "", "readers": [], "supersedes": ["c"]}
    assert lint(tmp_path, "", *chunks) == [
        "chunks.jsonl:1: chunk 'c1' has no readers, and the corpus no default_readers: nobody may read it",
        "chunks.jsonl:2: chunk 'c2' has an empty text: nothing can be quoted from it",
        "chunks.jsonl:2: chunk 'c2' supersedes 'c', which is not in the corpus (did you mean 'c1'?)",
    ]


def test_who_may_read_is_not_asked_where_the_corpus_says(tmp_path: Path) -> None:
    assert lint(tmp_path, "default_readers: []\n", {"id": "c1", "text": "One."}) == []


def test_no_warning_holds_what_a_chunk_says(tmp_path: Path) -> None:
    told = lint(
        tmp_path,
        "default_readers: ['*']\n",
        {"id": "m1", "text": LONG, "title": "Bonus", "readers": ["board"], "facts": [{"key": "k", "value": "41750"}]},
        {
            "id": "m2",
            "text": LONG,
            "facts": [{"key": "k", "value": "50000"}],
            "effective_from": "2024-02-01",
            "effective_to": "2024-01-01",
        },
        {"id": "m3", "text": "", "facts": [{"key": "k", "value": "60000"}]},
    )
    assert told
    assert not [line for line in told if "bonus" in line.lower() or "41750" in line or "60000" in line]


def test_an_empty_corpus_is_named(tmp_path: Path) -> None:
    assert lint(tmp_path, "") == ["corpus.yaml: corpus 'travel' holds no chunk: every question is unanswerable"]
