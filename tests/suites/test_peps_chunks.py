"""Whether the proposals' chunks are what the script makes of the stored ones, and whether the chains decide what holds."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.model.evidence import ANONYMOUS, Corpus

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "peps"
SUITE = ROOT / "cases" / "peps"
REVISIONS = ("corpus-2012.yaml", "corpus-2019.yaml", "corpus.yaml")


def corpus_of(manifest: str) -> Corpus:
    return read_corpus(SUITE / manifest, root=ROOT).corpus


def in_force(manifest: str, number: int, day: date | None = None) -> bool:
    corpus = corpus_of(manifest)
    asked_on = day or corpus.as_of
    assert asked_on is not None
    return corpus.view(ANONYMOUS, asked_on).in_force(f"pep-{number}")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "peps.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {f"pep-{row['pep']}": row["text"] for row in rows}


def test_the_written_chunks_are_those_the_script_makes() -> None:
    done = subprocess.run([sys.executable, str(DATA / "make_chunks.py"), "--check"], check=False, timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize("manifest", REVISIONS)
def test_every_chunk_is_a_slice_of_its_proposal(manifest: str, texts: dict[str, str]) -> None:
    for chunk in corpus_of(manifest):
        assert chunk.document is not None
        assert chunk.text in texts[chunk.document], chunk.id


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (248, "Final, and replaced by 249"),
        (333, "Final, and replaced by 3333"),
        (409, "Final, and replaced by 415"),
        (345, "Superseded by 566"),
        (426, "Withdrawn between 345 and 566"),
        (402, "Rejected, though it replaces 382"),
        (6, "Superseded, by nobody knows what"),
        (102, "replaced by 101, which is older"),
    ],
)
def test_what_its_chain_has_left_behind_does_not_hold(number: int, why: str) -> None:
    assert not in_force("corpus.yaml", number), why


@pytest.mark.parametrize("number", [249, 3333, 415, 566, 435, 487, 750, 765, 742, 748, 699, 470, 13])
def test_the_last_word_of_a_chain_holds(number: int) -> None:
    assert in_force("corpus.yaml", number)


def test_a_withdrawn_proposal_ends_nothing() -> None:
    assert in_force("corpus.yaml", 345, date(2014, 6, 1))


def test_an_older_revision_knows_nothing_of_later_proposals(rows: list[dict[str, Any]]) -> None:
    for manifest in REVISIONS[:-1]:
        corpus = corpus_of(manifest)
        assert corpus.as_of is not None
        for chunk in corpus:
            assert chunk.effective_from is not None
            assert chunk.effective_from <= corpus.as_of
        later = [row["pep"] for row in rows if int(row["created"][-4:]) > corpus.as_of.year]
        assert later
        assert not [chunk.id for chunk in corpus for number in later if f"`{number}`" in chunk.text]


def test_what_an_older_revision_holds_current_may_be_superseded_by_now() -> None:
    assert [in_force(manifest, 345) for manifest in REVISIONS] == [True, False, False]
    assert [in_force(manifest, 354) for manifest in REVISIONS] == [True, False, False]
    assert [in_force(manifest, 509) for manifest in REVISIONS[1:]] == [True, False]
