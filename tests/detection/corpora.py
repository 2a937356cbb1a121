"""Corpora for the detector's tests: real public text, and chunks for the board alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pytest_grounded.detection import Detector
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.testing.builders import AS_OF, make_chunk, make_requester

__all__ = ["AS_OF", "BOARD", "STAFF", "corpus_of", "detector", "handbook", "hidden_chunk", "make_chunk"]

PAGES = Path(__file__).parents[1] / "data" / "handbook18f" / "page_versions.jsonl"
STAFF = make_requester("staff")
BOARD = make_requester("board")


@cache
def handbook(page: str | None = None) -> tuple[str, ...]:
    """The paragraphs of the handbook's current pages, or of one of them."""
    lines = (json.loads(line) for line in PAGES.read_text(encoding="utf-8").splitlines())
    texts = [line["text"] for line in lines if line["status"] == "current" and page in (None, line["page"])]
    paragraphs = (part.strip() for text in texts for part in text.split("\n\n"))
    return tuple(dict.fromkeys(part for part in paragraphs if len(part) > 60))


def hidden_chunk(chunk_id: str, text: str, **fields: object) -> Chunk:
    """A chunk for the board alone."""
    return make_chunk(chunk_id, text, readers=("board",), **fields)


def corpus_of(chunks: Iterable[Chunk]) -> Corpus:
    return Corpus(name="test", chunks=chunks, as_of=AS_OF)


def detector(*chunks: Chunk, requester: Requester = STAFF, known: Iterable[str] = ()) -> Detector:
    """A detector over these chunks for somebody who is not of the board."""
    return Detector(corpus_of(chunks).view(requester, AS_OF), known=known)
