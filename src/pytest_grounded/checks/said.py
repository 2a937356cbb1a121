"""Whether a source says a text in the text's own words, mark-up and typography aside.

What is said so needs nobody to judge it. With words left out nothing is said so: they may have told what is meant. A
part cut off from the negation before it is not said: "permitted to terminate" does not stand in "not permitted to
terminate".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.counted_off import counted_off, counts_off
from pytest_grounded.text.markup import plain_words
from pytest_grounded.text.polarity import reverses
from pytest_grounded.text.quotes import QuoteVerdict, folded_before, judge_quote
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.sentences import split_sentences

__all__ = ["all_said", "is_said"]

_FEWEST_WORDS = 3
_SIGNS = ("+ ", "- ", "± ", "% ", "‰ ")
"""What belongs to the word before it: UTC+2, 5 %."""
_FARTHEST = 40
"""How far before a text a negation may stand that belongs to it."""
_STOPS = ".;!?。；！？"
_SENTENCE_STOPS = tuple(_STOPS)


def is_said(text: str, chunk: Chunk) -> bool:
    """Whether a text stands in a chunk, or its words do in their order, with no negation cut off before them.

    >>> chunk = Chunk(id="c1", text="Note: it is **not** allowed to [swap](https://example.org/swap) badges.")
    >>> is_said("it is not allowed to swap badges", chunk), is_said("allowed to swap badges", chunk)
    (True, False)
    """
    return _is_said(text, chunk.text, chunk.lang)


@lru_cache(maxsize=4_096)
def _is_said(text: str, source: str, lang: str | None) -> bool:
    if counts_off(source) and not counts_off(text):
        source = _one_by_one(source, lang)
    if judge_quote(text, source, lang=lang) is QuoteVerdict.VERBATIM:
        return (
            _follows_a_stop(text, source)
            or _opens_a_sentence(text, source)
            or not _is_cut_off(folded_before(text, source, lang=lang), lang)
        )
    words = plain_words(text, lang=lang)
    if words.count(" ") <= _FEWEST_WORDS:
        return False
    plain = plain_words(source, lang=lang)
    at = plain.find(words)
    if at >= 0 and not plain.startswith(_SIGNS, at + len(words)):
        return _opens_a_sentence(text, source) or not _is_cut_off(plain[max(0, at - _FARTHEST) : at], lang)
    return any(_reads_row(words, row) for row in _rows(source, lang))


@lru_cache(maxsize=1_024)
def _one_by_one(source: str, lang: str | None) -> str:
    """A text with what its sentences count off said one by one: "B cost 5" is not said by "A and B cost 5 and 7"."""
    return "".join(" ".join(counted_off(one, lang)) or one for one in split_sentences(source))


def all_said(text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether every sentence of a text is said by one of some chunks."""
    if any(is_said(text, chunk) for chunk in chunks):
        return True
    sentences = [sentence for sentence in split_sentences(text) if sentence.strip()]
    return len(sentences) > 1 and all(any(is_said(one, chunk) for chunk in chunks) for one in sentences)


@remembered(1_024)
def _rows(text: str, lang: str | None) -> tuple[tuple[str, ...], ...]:
    """The rows of a table, each as the words of "heading cell" for every cell; none where there is no table."""
    return tuple(_read_rows(text, lang))


def _read_rows(text: str, lang: str | None) -> Iterator[tuple[str, ...]]:
    headings: list[str] = []
    for line in text.splitlines():
        cells = line.strip().strip("|").split("|")
        if len(cells) < len(("name", "value")):
            headings = []
        elif not headings:
            headings = cells
        elif len(cells) == len(headings):
            yield tuple(plain_words(f"{name} {cell}", lang=lang) for name, cell in zip(headings, cells, strict=True))


def _reads_row(words: str, row: tuple[str, ...]) -> bool:
    """Whether words read some cells of a row with their headings, in order, and nothing else."""
    at = 0
    for cell in row:
        if cell and words.startswith(cell, at):
            at += len(cell) - 1
    return at == len(words) - 1


def _follows_a_stop(text: str, source: str) -> bool:
    """Whether a text as written begins its source or follows the stop of a sentence, so that nothing governs it."""
    at = source.find(text)
    return at == 0 or (at > 0 and source[max(0, at - _FARTHEST) : at].rstrip().endswith(_SENTENCE_STOPS))


def _opens_a_sentence(text: str, source: str) -> bool:
    """Whether the source has the first words with a capital letter, where nothing before belongs to them."""
    first = _FIRST_WORDS.match(_INVISIBLE.sub("", text[:_FARTHEST]))
    if first is None or not first["word"][0].isupper():
        return False
    opening = f"{first['word'].capitalize()} {first['next'].lower()}"
    return opening in source or opening in _WHITE.sub(" ", source)


_FIRST_WORDS = re.compile(r"\W*(?P<word>[^\W\d_]+)\s+(?P<next>\w+)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_WHITE = re.compile(r"\s+")


def _is_cut_off(before: str, lang: str | None) -> bool:
    """Whether what stands right before, in the same clause, turns what follows."""
    near = before[-_FARTHEST:]
    start = max(near.rfind(stop) for stop in _STOPS) + 1
    return reverses(" ".join(near[start:].split()[-3:]), lang=lang)
