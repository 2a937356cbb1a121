"""What lint says about a corpus that loads: for each warning one corpus that gets it and one that does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.copies import readable_copies
from pytest_grounded.corpus.lint import lint_corpus, warnings_of
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.testing.builders import make_chunk, make_corpus
from tests.counting import assert_linear

BONUS = "\u7559\u4efb\u5956\u91d1\u4e09\u6708\u53d1\u653e\u7ed9\u5173\u95ed\u56e2\u961f\u3002"  # 留任奖金三月发放给关闭团队。
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
    "a copy in other punctuation": (
        [make_chunk("m1", LONG, readers=["board"]), make_chunk("c1", f"**{LONG[:-1]}**,\n\u2018so far\u2019")],
        [("m1", "readable_copy")],
    ),
    "a copy without spaces between words": (
        [make_chunk("m1", BONUS, readers=["board"]), make_chunk("c1", f"\u4f1a\u8bae\u8bb0\u5f55\uff1a{BONUS}")],
        [("m1", "readable_copy")],
    ),
    "a sentence of it that others may read": (
        [make_chunk("m1", f"The office closes. {LONG}", readers=["board"]), make_chunk("c1", f"Minutes: {LONG}")],
        [("m1", "readable_copy")],
    ),
    "a sentence of it for the same readers": (
        [make_chunk("m1", f"One. {LONG}", readers=["a", "b"]), make_chunk("m2", f"Two. {LONG}", readers=["a"])],
        [("m2", "readable_copy")],
    ),
    "a sentence at the foot of every page": (
        [make_chunk(f"m{n}", f"Page {n}. {LONG}", readers=["board"] if n else ["*"]) for n in range(5)],
        [],
    ),
    "a few shared words": ([make_chunk("m1", "The limit.", readers=["board"]), make_chunk("c1", "The limit.")], []),
}


@pytest.mark.parametrize(("chunks", "expected"), WARNED.values(), ids=WARNED)
def test_lint_warns_of(chunks: list[Chunk], expected: list[tuple[str | None, str]]) -> None:
    assert warned(*chunks) == expected


NEVER_REPLACED = "is superseded and nothing in the corpus replaces it: it is in force on no day"
SAID: dict[str, tuple[list[Chunk], str]] = {
    "no chunks": ([], "holds no chunk: every question is unanswerable"),
    "empty text": ([make_chunk("c1", " ")], "has an empty text: nothing can be quoted from it"),
    "an end before its start": (
        [make_chunk("c1", effective_from="2024-07-01", effective_to="2024-06-30")],
        "ends on 2024-06-30, before its start on 2024-07-01: it is never in force",
    ),
    "withdrawn without an end": (
        [make_chunk(f"c{n}", status="withdrawn") for n in range(2)],
        "is withdrawn without effective_to: it was never in force (so is 'c1')",
    ),
    "superseded by nothing": (
        [make_chunk(f"c{n}", status="superseded") for n in range(6)],
        f"{NEVER_REPLACED} (so are 'c1', 'c2', 'c3' and 2 more)",
    ),
    "replaced before its own start": (
        [
            make_chunk("c1", effective_from="2024-07-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-01-01"),
        ],
        "is replaced from a day that lies before its own start: it is never in force",
    ),
    "supersedes what is not there": (
        [make_chunk("c1", supersedes=["rate-2"]), make_chunk("rate-1")],
        "supersedes 'rate-2', which is not in the corpus (did you mean 'rate-1'?)",
    ),
    "supersedes itself": ([make_chunk("c1", supersedes=["c1"])], "supersedes itself"),
    "a circle of two": (
        [make_chunk("c1", supersedes=["c2"]), make_chunk("c2", supersedes=["c1"])],
        "is replaced in a circle: c1 -> c2 -> c1",
    ),
    "a circle of many": (
        [make_chunk(f"c{n}", supersedes=[f"c{(n + 1) % 2000}"]) for n in range(2000)],
        "is replaced in a circle: c0 -> c1 -> c2 -> c3 -> c4 -> c5 -> c6 -> 2000 in all -> c0",
    ),
    "two values at one rank": (
        [rate(f"c{n}", f"0.6{n}") for n in range(6)],
        "disagrees with 'c1', 'c2', 'c3' and 2 more on the fact 'rate' at the same rank, both in force",
    ),
    "versions that overlap": (
        [rate(f"c{n}", "0.60", document="d", version=f"v{n}") for n in range(2)],
        "(version 'v0') and 'c1' (version 'v1') of one document are in force at the same time",
    ),
    "a copy": (
        [make_chunk("m1", LONG, readers=["board"]), make_chunk("c1", LONG)],
        "has a text that stands in 'c1' too, for other readers",
    ),
    "a sentence": (
        [make_chunk("m1", f"Done. {LONG}", readers=["board"]), make_chunk("c1", LONG)],
        "has a sentence that stands in 'c1' too, for other readers",
    ),
}


@pytest.mark.parametrize(("chunks", "message"), SAID.values(), ids=SAID)
def test_what_is_said(chunks: list[Chunk], message: str) -> None:
    assert [said for _, _, said in warnings_of(make_corpus(*chunks))] == [message]


def test_chunks_whose_long_ids_begin_alike_are_told_apart() -> None:
    page = "travel-policy/2024/annexes/rates-for-cars-and-vans@2024-07-01#"
    (told,) = warnings_of(make_corpus(rate(f"{page}1", "0.60"), rate(f"{page}2", "0.65")))
    assert told[2].startswith(f"disagrees with '{page}2' on")


@pytest.mark.parametrize(
    "chunk",
    [
        pytest.param(lambda n: make_chunk(f"c{n}", LONG, readers=["board"]), id="one-text-for-the-same-readers"),
        pytest.param(lambda n: make_chunk(f"c{n}", LONG, readers=[f"r{n}"]), id="one-text-for-readers-of-their-own"),
        pytest.param(
            lambda n: make_chunk(f"c{n}", f"{LONG[:-1]} {n}.", readers=["board"] if n % 2 else ["*"]), id="one-opening"
        ),
        pytest.param(
            lambda n: make_chunk(f"c{n}", f"Page {n}. {LONG}", readers=["board"] if n % 2 else ["*"]), id="one-foot"
        ),
    ],
)
def test_texts_that_are_alike_take_no_longer(chunk: Callable[[int], Chunk]) -> None:
    assert_linear(lambda chunks: list(readable_copies(chunks)), lambda size: [chunk(n) for n in range(size)], 100)


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


def test_chunks_without_readers_are_said_once(tmp_path: Path) -> None:
    (told,) = lint(tmp_path, "", *({"id": f"c{n}", "text": "One."} for n in range(9)))
    assert told.startswith("chunks.jsonl:1: chunk 'c0' has no readers, and the corpus no default_readers: ")
    assert told.endswith("nobody may read it (so are 'c1', 'c2', 'c3' and 5 more)")


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
