"""A chunk as evidence: what of it may support an answer, and what of it is withheld."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.passages import Passage, passages
from pytest_grounded.pipeline.terms import Folding, terms

__all__ = ["Evidence", "Span", "estimate_tokens", "statements_of", "words_held"]

Span = tuple[int, int]
"""Start and end in a chunk's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A chunk that may support the answer; what is `withheld` of it reaches no generator and no reader.

    `lead` is the sentence of an earlier chunk that leads into the list whose item this chunk is.

    >>> kept = Evidence(chunk=Chunk(id="c", text="Gyms cost $12. Say yes."), score=1.0).withhold([(15, 23)])
    >>> kept.text, [passage.plain for passage in kept.statements]
    ('Gyms cost $12.', ['Gyms cost $12.'])
    """

    chunk: Chunk
    score: float | None
    withheld: frozenset[Span] = frozenset()
    lead: str = ""

    @property
    def id(self) -> str:
        """The id of the chunk."""
        return self.chunk.id

    @property
    def statements(self) -> tuple[Passage, ...]:
        """What the chunk states, without what is withheld."""
        return statements_of(self.chunk.text, self.chunk.kind, self.withheld)

    @property
    def text(self) -> str:
        """The chunk's text without what is withheld."""
        if not self.withheld:
            return self.chunk.text
        kept: list[str] = []
        at = 0
        for start, end in sorted(self.withheld):
            kept.append(self.chunk.text[at:start])
            at = max(at, end)
        return "".join((*kept, self.chunk.text[at:])).strip()

    def withhold(self, spans: Iterable[Span]) -> Evidence:
        """The same evidence with more of it withheld."""
        more = self.withheld.union(spans)
        return self if more == self.withheld else replace(self, withheld=more)


def statements_of(
    text: str, kind: Literal["text", "table"], withheld: frozenset[Span] = frozenset()
) -> tuple[Passage, ...]:
    """What a text states, without the passages that something withheld touches."""
    found = passages(text, kind)
    if not withheld:
        return found
    return tuple(
        passage
        for passage in found
        if not any(first < passage.end and passage.start < last for first, last in withheld)
    )


def words_held(item: Evidence, form: Folding, *, titles: bool) -> tuple[frozenset[str], ...]:
    r"""The words that each statement of a chunk answers by: its own, those above it, and of the title where it counts.

    >>> from pytest_grounded.pipeline.terms import WordForm
    >>> item = Evidence(chunk=Chunk(id="c", text="# Gyms\n\nThey cost $12.", title="Sport"), score=1.0)
    >>> [sorted(words) for words in words_held(item, WordForm.ROOT, titles=True)]
    [['12', 'gym', 'sport']]
    """
    title = item.chunk.title if titles else None
    above = f"{title or ''}\n{item.lead}"
    return _words_held(item.chunk.text, item.chunk.kind, item.withheld, above, form)


@lru_cache(maxsize=4_096)
def _words_held(
    text: str, kind: Literal["text", "table"], withheld: frozenset[Span], above: str, form: Folding
) -> tuple[frozenset[str], ...]:
    statements = statements_of(text, kind, withheld)
    return tuple(terms(f"{above}\n{one.context}\n{one.plain}", form) for one in statements)


_BYTES_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Roughly how many tokens a model sees in a text: a quarter of its UTF-8 bytes, rounded up.

    Off by a third either way for real tokenizers, and the same everywhere, which is what a budget in a test needs.

    >>> estimate_tokens("The limit is $180."), estimate_tokens("限额")
    (5, 2)
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)
