"""Whether the handbook's chunks are what the script makes of the stored pages, and nothing but slices of them."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from pytest_grounded.model.evidence import Chunk, Corpus, Requester

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "handbook18f"
APPROVER = Requester(id="approver", groups=("travel-approvers", "supervisors"))


@pytest.fixture(scope="module")
def chunks() -> list[Chunk]:
    lines = (ROOT / "cases" / "handbook" / "chunks.jsonl").read_text(encoding="utf-8").splitlines()
    return [Chunk.model_validate(json.loads(line)) for line in lines]


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, date], str]:
    rows = map(json.loads, (DATA / "page_versions.jsonl").read_text(encoding="utf-8").splitlines())
    return {(row["page"].removesuffix(".md"), date.fromisoformat(row["effective"])): row["text"] for row in rows}


def test_the_written_chunks_are_those_the_script_makes() -> None:
    done = subprocess.run([sys.executable, str(DATA / "make_chunks.py"), "--check"], check=False, timeout=60)
    assert done.returncode == 0


def test_every_chunk_is_a_slice_of_every_revision_it_is_in_force_for(
    chunks: list[Chunk], pages: dict[tuple[str, date], str]
) -> None:
    for chunk in chunks:
        for (page, day), text in pages.items():
            if page == chunk.document:
                window = (chunk.effective_from or date.min, chunk.effective_to or date.max)
                in_force = window[0] <= day <= window[1]
                assert not in_force or chunk.text in text, (chunk.id, day)


def test_a_changed_section_hands_over_without_a_gap(chunks: list[Chunk]) -> None:
    by_id = {chunk.id: chunk for chunk in chunks}
    successors = [(by_id[old], chunk) for chunk in chunks for old in chunk.supersedes]
    assert successors
    for old, new in successors:
        assert old.effective_to is not None
        assert new.effective_from == old.effective_to + timedelta(days=1)
        assert (old.title, old.readers) == (new.title, new.readers)


def test_no_section_says_two_things_on_one_day(chunks: list[Chunk], pages: dict[tuple[str, date], str]) -> None:
    corpus = Corpus(name="handbook", chunks=chunks)
    for _, day in pages:
        usable = corpus.view(APPROVER, day).usable_chunks
        assert usable
        assert len({(chunk.document, chunk.locator) for chunk in usable}) == len(usable)
