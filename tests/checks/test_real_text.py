"""A sentence of a real page that quotes itself raises nothing, however it is typeset.

`benchmarks/false_alarms.py` measures the same on more text, and claims that people labelled.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.testing.builders import make_case, make_chunk
from pytest_grounded.text.quotes import too_short
from pytest_grounded.text.sentences import split_sentences
from tests.checks.building import answer, claim, findings, said, unchecked

PAGES = Path(__file__).parents[1] / "data" / "handbook18f" / "page_versions.jsonl"


def newest_pages() -> Iterator[Chunk]:
    for line in PAGES.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        if page["status"] == "current":
            yield make_chunk(page["page"], page["text"], lang="en")


def sentences(chunk: Chunk) -> Iterator[str]:
    for sentence in map(str.strip, split_sentences(chunk.text)):
        if any(map(str.isalnum, sentence)) and not too_short(sentence, chunk.text):
            yield sentence


def wrapped(text: str) -> str:
    words = [f"{w[:4]}-\n{w[4:]}" if len(w) > 11 and w.isalpha() else w for w in text.split(" ")]
    return "".join(word + ("\n" if place % 3 == 2 else " ") for place, word in enumerate(words)).rstrip()


def typographic(text: str) -> str:
    for plain, other in {"'": "\u2019", " - ": " \u2013 ", "...": "\u2026", '"': "\u201d", "fi": "\ufb01"}.items():
        text = text.replace(plain, other)
    return re.sub(r"(?<!\d) (?!\d)", "\u00a0", text)


def invisible(text: str) -> str:
    return unicodedata.normalize("NFD", re.sub(r"(?<=[A-Za-z]{3})(?=[A-Za-z]{4})", "\u00ad", text))


@pytest.mark.parametrize("setting", [str, wrapped, typographic, invisible, str.upper], ids=lambda one: one.__name__)
@pytest.mark.parametrize("page", list(newest_pages()), ids=lambda page: page.id)
def test_a_sentence_that_quotes_itself_raises_nothing(page: Chunk, setting: Callable[[str], str]) -> None:
    case = make_case(corpus=[page], question="What does it say?")
    looked_at = 0
    for sentence in sentences(page):
        shown = setting(sentence)
        reply = answer(claim(shown, page.id, quote=shown), internal={"evidence": [page.id]})
        found = findings(case, reply)
        assert not found, f"{sentence!r}\n{said(found)}"
        assert "claim.unsupported" not in {one.check for one in unchecked(case, reply)}, sentence
        looked_at += 1
    assert looked_at > 20


def test_a_changed_word_of_a_real_sentence_is_found() -> None:
    page = max(newest_pages(), key=lambda one: len(one.text))
    case = make_case(corpus=[page], question="What does it say?")
    changed = 0
    for sentence in sentences(page):
        words = sentence.split(" ")
        middle = len(words) // 2
        if words[middle].isalpha():
            quote = " ".join((*words[:middle], "quibble", *words[middle + 1 :]))
            assert "quote.not_verbatim" in {
                one.check for one in findings(case, answer(claim(sentence, page.id, quote=quote)))
            }
            changed += 1
    assert changed > 20
