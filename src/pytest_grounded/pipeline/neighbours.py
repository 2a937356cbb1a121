"""What stands next to a clause in its document, and whether the clause cannot be understood without it.

Neighbours are told by numbers (`page#12` and `page#13`, section 2.1 and 2.2 of one document), never by the order of
the corpus, which means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.pipeline.passages import has_header, passages

__all__ = ["context_needed", "lead_in"]

_CONTINUES = re.compile(
    r"(?:however|except|exceptions?|unless|otherwise|this|these|those|that|it|they|such|in (?:that|this) case|"
    r"but|and|or|also|in addition|furthermore)\b",
    re.IGNORECASE,
)
_QUALIFIES = re.compile(
    r"(?:however|except|exceptions?|unless|otherwise|this does not|these do not|notwithstanding)\b", re.IGNORECASE
)


def context_needed(chunk: Chunk, corpus: Corpus) -> Iterator[tuple[Chunk, str]]:
    """The neighbours a chunk cannot be understood without, each with the reason.

    >>> rule = Chunk(id="p#1", text="Alcohol is paid for:", document="p")
    >>> corpus = Corpus(name="c", chunks=[rule, Chunk(id="p#2", text="- at client dinners.", document="p")])
    >>> [(neighbour.id, why) for neighbour, why in context_needed(rule, corpus)]
    [('p#2', 'the text breaks off')]
    """
    text = chunk.text.strip()
    if not text or chunk.document is None:
        return
    if chunk.kind == "text" and (text[0].islower() or _CONTINUES.match(text)):
        yield from ((neighbour, "the text goes on from it") for neighbour in _beside(chunk, corpus, -1))
    for neighbour in _beside(chunk, corpus, +1):
        if text.endswith((":", ",", ";", "：", "，")):
            yield neighbour, "the text breaks off"
        elif _QUALIFIES.match(neighbour.text.lstrip(" -*#")):
            yield neighbour, "it qualifies the text"
    if chunk.kind == "table" and not has_header(text):
        yield from (
            (neighbour, "the table begins there")
            for neighbour in _beside(chunk, corpus, -1)
            if neighbour.kind == "table"
        )


def lead_in(chunk: Chunk, corpus: Corpus) -> str:
    """The sentence of an earlier chunk that leads into the list whose item a chunk is; empty where it is none.

    >>> chunks = [Chunk(id=f"p#{n}", text=text, document="p") for n, text in enumerate(("We pay:", "fuel", "tolls"))]
    >>> lead_in(chunks[2], Corpus(name="c", chunks=chunks))
    'We pay:'
    """
    at = chunk
    for _ in range(_LONGEST_LIST):
        if at.document is None or at.kind != "text" or _ITEM.match(at.text) is None:
            return ""
        before = _beside(at, corpus, -1)
        if len(before) != 1:
            return ""
        at = before[0]
        if at.kind == "text" and at.text.rstrip().endswith((":", "：")):
            return passages(at.text)[-1].plain if passages(at.text) else ""
    return ""


_LONGEST_LIST = 12
_ITEM = re.compile(r"\s*(?:[-*+•]\s|\d{1,2}[.)]\s|[a-z](?!\.)|[^\n.!?。]{1,80}$)")


def _beside(chunk: Chunk, corpus: Corpus, step: int) -> list[Chunk]:
    """Chunks of the same document whose number, in the id or the locator, is one less or one more; by id."""
    wanted_id = _shifted(chunk.id, step)
    if wanted_id is not None and (found := corpus.get(wanted_id)) is not None and found.document == chunk.document:
        return [found]
    wanted_locator = _shifted(chunk.locator, step)
    if wanted_locator is None:
        return []
    return list(_by_place(corpus).get((chunk.document, wanted_locator), ()))


@lru_cache(maxsize=32)
def _by_place(corpus: Corpus) -> Mapping[tuple[str | None, str], tuple[Chunk, ...]]:
    """(document, locator) -> the chunks that stand there, by id; one look at the corpus instead of one a question."""
    found: dict[tuple[str | None, str], list[Chunk]] = {}
    for chunk in sorted(corpus, key=lambda one: one.id):
        if chunk.locator is not None:
            found.setdefault((chunk.document, chunk.locator), []).append(chunk)
    return {place: tuple(chunks) for place, chunks in found.items()}


def _shifted(label: str | None, step: int) -> str | None:
    match = _LAST_NUMBER.match(label) if label else None
    if match is None or int(match[2]) + step < 0:
        return None
    return f"{match[1]}{int(match[2]) + step}{match[3]}"


_LAST_NUMBER = re.compile(r"^(.*?)(\d{1,9})(\D*)$", re.DOTALL)
