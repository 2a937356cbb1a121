"""Splits a document at its headings into passages with names that survive the next edition.

A passage's name is the path of its headings, never its number: a section added above leaves the names below as they
are. What is longer than `longest` is split between paragraphs (a table between rows, its header repeated); a part after
the first is named by its first words. Same-named passages after the first are, too.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_grounded.documents.blocks import Block

__all__ = ["LONGEST", "Passage", "slug", "split"]

LONGEST = 1_500
"""Characters of a passage, by default."""

_SHOWN_WORDS = 5
_SLUG = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document: its name in the document, the headings above it, its words."""

    name: str
    headings: tuple[str, ...]
    text: str
    kind: Literal["text", "table"] = "text"


def split(blocks: Sequence[Block], *, longest: int = LONGEST) -> tuple[Passage, ...]:
    """The passages of a document in order.

    >>> page = [Block(kind="heading", text="Hotels", level=1), Block(kind="text", text="The limit is $180.")]
    >>> [(passage.name, passage.text) for passage in split(page)]
    [('hotels', 'The limit is $180.')]
    """
    passages: list[Passage] = []
    taken: set[str] = set()
    for headings, kind, text in _parts(blocks, longest):
        name = next(name for name in _names(headings, kind, text) if name not in taken)
        taken.add(name)
        passages.append(Passage(name=name, headings=headings, text=text, kind=kind))
    return tuple(passages)


def slug(text: str) -> str:
    """Letters and digits of any script in small letters, the rest as single hyphens; a long one is cut at a word.

    >>> slug("Hotels & meals: limits (2024)"), slug("住宿标准")
    ('hotels-meals-limits-2024', '住宿标准')
    """
    words = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", text).casefold()).strip("-")
    if len(words) <= _SLUG:
        return words
    cut = words[:_SLUG]
    return cut.rsplit("-", 1)[0] if "-" in cut[_SLUG // 2 :] else cut


def _parts(blocks: Sequence[Block], longest: int) -> Iterator[tuple[tuple[str, ...], Literal["text", "table"], str]]:
    for headings, section in _sections(blocks):
        texts: list[str] = []
        for block in section:
            if block.kind == "table":
                yield from ((headings, "text", text) for text in _packed(texts, longest))
                texts = []
                yield from ((headings, "table", text) for text in _tables(block.text, longest))
            else:
                texts.append(block.text)
        yield from ((headings, "text", text) for text in _packed(texts, longest))


def _sections(blocks: Iterable[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """The blocks below each heading, with the path of headings; empty sections are none."""
    path: list[tuple[int, str]] = []
    section: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            section.append(block)
            continue
        if section:
            yield tuple(text for _, text in path), section
        section = []
        path = [*((level, text) for level, text in path if level < block.level), (block.level, block.text)]
    if section:
        yield tuple(text for _, text in path), section


def _packed(paragraphs: Iterable[str], longest: int) -> Iterator[str]:
    """Paragraphs put together as far as they fit; one that is longer than allowed alone is cut between sentences."""
    packed = ""
    for paragraph in (piece for whole in paragraphs for piece in _cut(whole, longest)):
        if packed and len(packed) + 2 + len(paragraph) > longest:
            yield packed
            packed = ""
        packed = f"{packed}\n\n{paragraph}" if packed else paragraph
    if packed:
        yield packed


def _cut(paragraph: str, longest: int) -> Iterator[str]:
    """A paragraph in pieces of at most `longest`, cut after a line, a sentence, a word, or where it must be."""
    rest = paragraph
    while len(rest) > longest:
        window = rest[:longest]
        ends = (window.rfind("\n"), _last(r"[.!?。！？]['\")\]]*(?=\s)|[。！？]", window), window.rfind(" "))
        end = next((place for place in ends if place > longest // 3), longest)
        yield rest[:end].rstrip()
        rest = rest[end:].lstrip()
    if rest:
        yield rest


def _last(pattern: str, text: str) -> int:
    """Where the last match ends; -1 where there is none."""
    return max((match.end() for match in re.finditer(pattern, text)), default=-1)


def _tables(text: str, longest: int) -> Iterator[str]:
    header, rows = text.split("\n")[:2], text.split("\n")[2:]
    top = "\n".join(header)
    packed: list[str] = []
    for row in rows:
        if packed and len(top) + sum(len(one) + 1 for one in (*packed, row)) > longest:
            yield "\n".join((top, *packed))
            packed = []
        packed.append(row)
    yield "\n".join((top, *packed))


def _names(headings: tuple[str, ...], kind: str, text: str) -> Iterator[str]:
    """Names for a passage, the one that tells least apart first."""
    path = "/".join(filter(None, map(slug, headings))) or "top"
    if kind == "table":
        path += "~table"
    yield path
    words = re.sub(r"\|[\s|:-]*\||\|", " ", text).split()
    path = f"{path}~{slug(' '.join(words[:_SHOWN_WORDS])) or 'more'}"
    yield path
    path = f"{path}~{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    yield path
    yield from (f"{path}~{number}" for number in itertools.count(2))
