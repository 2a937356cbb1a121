"""What a chunk says, passage by passage: its sentences, list items and table rows, each with its words and quantities.

A number and the thing it is said of have to come from one passage; this is where that can be seen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar

from pytest_grounded.checks.lookup import QuantityIndex
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.counted_off import counted_off, counts_off
from pytest_grounded.text.quantities import Quantity, find_quantities
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words

__all__ = [
    "Passage",
    "PassageTable",
    "once_per_table",
    "passage_table",
    "passages_of",
    "quantities_of",
    "root",
    "roots_of",
    "without_quantities",
    "word_roots",
]

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passage:
    """A part `text` of a chunk. `words` are the roots of its content words without its quantities.

    `context`: roots of the title, of headings above it, of the line that leads into its list or table, and of the label
    its paragraph begins with ("Adults: take one tablet. Do not take more than 8 a day.").
    """

    chunk: str
    text: str
    words: frozenset[str]
    context: frozenset[str]
    quantities: tuple[Quantity, ...]
    before: Passage | None = field(default=None, repr=False)
    """The passage before it in the chunk, which "it" may point back to."""

    @property
    def heard(self) -> frozenset[str]:
        """What the passage is understood to speak of: its own words and those of its context."""
        return self.words | self.context


def passages_of(chunk: Chunk) -> tuple[Passage, ...]:
    r"""The passages of a chunk, in order.

    >>> chunk = Chunk(id="c1", text="Hotel limits:\n- standard cities: $180\n- high-cost cities: $260")
    >>> [sorted(passage.heard) for passage in passages_of(chunk)][1:]
    [['city', 'hotel', 'limit', 'standar'], ['city', 'cost', 'high', 'hotel', 'limit']]
    """
    return passage_table(chunk).passages


class PassageTable:
    """The passages of a chunk by their words and by their quantities."""

    def __init__(self, passages: tuple[Passage, ...], sentences: tuple[Passage, ...] = ()) -> None:
        """`sentences`: the passages as they stand, where some count off what `passages` say one by one."""
        self.passages = passages
        self.sentences = sentences or passages
        self.made: dict[object, Any] = {}

    @cached_property
    def _values(self) -> QuantityIndex[Passage]:
        return QuantityIndex((quantity, passage) for passage in self.passages for quantity in passage.quantities)

    @cached_property
    def _words(self) -> Mapping[str, list[Passage]]:
        found: dict[str, list[Passage]] = defaultdict(list)
        for passage in self.passages:
            for word in passage.heard:
                found[word].append(passage)
        return found

    @cached_property
    def heard(self) -> frozenset[str]:
        """Every word that the chunk has or stands under."""
        return frozenset(self._words)

    def giving(self, quantity: Quantity) -> tuple[Passage, ...]:
        """The passages that give a quantity, each once."""
        return tuple(dict.fromkeys(passage for _, passage in self._values.equal(quantity)))

    def with_any(self, words: Iterable[str]) -> Iterator[Passage]:
        """The passages that have one of some words; of a word that thousands have only the first."""
        seen: set[int] = set()
        for word in sorted(words):
            for passage in self._words.get(word, ())[:_MOST_WITH_ONE_WORD]:
                if id(passage) not in seen:
                    seen.add(id(passage))
                    yield passage


_MOST_WITH_ONE_WORD = 100


def once_per_table(compute: Callable[[PassageTable], _Made]) -> Callable[[PassageTable], _Made]:
    """Make a function of a table compute its value once, to be kept as long as the table."""

    @wraps(compute)
    def remembering(table: PassageTable) -> _Made:
        if compute not in table.made:
            table.made[compute] = compute(table)
        made: _Made = table.made[compute]
        return made

    return remembering


def passage_table(chunk: Chunk) -> PassageTable:
    """The table of a chunk, made once."""
    return _table(chunk.text, chunk.id, chunk.lang, chunk.title or "", chunk.kind)


@remembered(1_024)
def _table(text: str, chunk: str, lang: str | None, title: str, kind: str) -> PassageTable:
    apart = _passages(chunk, text, lang, title, kind)
    whole = _passages(chunk, text, lang, title, kind, whole=True) if counts_off(text) else ()
    return PassageTable(apart, whole)


def quantities_of(chunk: Chunk) -> tuple[Quantity, ...]:
    """Every quantity of a chunk's text, those that are often none included: evidence may state a value with them."""
    return find_quantities(chunk.text, lang=chunk.lang, incidental=True, labels=True)


def without_quantities(text: str, quantities: Iterable[Quantity]) -> str:
    """A text with blanks where its quantities stand.

    >>> without_quantities("at most $180 a night", find_quantities("at most $180 a night")).split()[:2]
    ['at', 'most']
    """
    kept: list[str] = []
    at = 0
    for quantity in quantities:
        if quantity.start >= at:
            kept.append(text[at : quantity.start])
            at = quantity.end
    return " ".join((*kept, text[at:]))


def roots_of(text: str, *, lang: str | None = None) -> frozenset[str]:
    """Roots of the content words of a text that are not part of a quantity."""
    return _roots_of(text, lang)


@remembered(8_192)
def _roots_of(text: str, lang: str | None) -> frozenset[str]:
    return frozenset(word_roots(without_quantities(text, find_quantities(text, lang=lang, labels=True))))


@remembered(4_096)
def word_roots(text: str) -> tuple[str, ...]:
    """Roots of the content words of a text, in order."""
    return tuple(root(word) for word in content_words(text))


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """A key under which the forms of a word meet: book, booking, booked; night, nightly. No word itself.

    >>> root("booking") == root("booked") == root("book"), root("nightly") == root("night")
    (True, True)
    """
    if not (word.isascii() and word.isalpha()):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_ROOT:
            word = word[: -len(ending)]
            break
    return word[:_LONGEST_ROOT]


_ENDINGS = tuple(
    "ations ation ments ment ingly ings ing edly able ible ions ion ers er ally ly ed es al e".split()  # noqa: SIM905
)
_SHORTEST_ROOT = 4
_LONGEST_ROOT = 7
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦–·]|\(?\d{1,3}[.)]|\|)[ \t]*\S")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_LABEL = re.compile(r"\s*(?:[-*+•‣◦–·][ \t]*)?(?P<label>[^\W\d_][^:：.!?;|\d\n]{0,40})[:：](?=\s|[^\x00-\x7f])")
"""What a paragraph begins with and is about: "Adults: ..."."""


def _passages(
    chunk: str, text: str, lang: str | None, title: str, kind: str, *, whole: bool = False
) -> tuple[Passage, ...]:
    quantities = list(find_quantities(text, lang=lang, incidental=True, labels=True))
    about = frozenset(word_roots(title))
    heading: frozenset[str] = frozenset()
    lead: frozenset[str] = frozenset()
    found: list[Passage] = []
    label: frozenset[str] = frozenset()
    place = 0
    table = kind == "table"
    for start, end, is_item, is_first in _spans(text, table=table):
        piece = text[start:end]
        if is_first or _LABEL.match(piece):
            label = frozenset()
        own: list[Quantity] = []
        while place < len(quantities) and quantities[place].start < end:
            own.append(quantities[place])
            place += 1
        words = frozenset(word_roots(_blanked(piece, own, start)))
        if not is_item:
            lead = frozenset()
        context = about | heading | lead | label
        said = () if whole else counted_off(piece, lang)
        parts = [_part(text, lang) for text in said] or [(piece, words, tuple(own))]
        for text_said, its_words, its_quantities in parts:
            found.append(
                Passage(
                    chunk=chunk,
                    text=text_said,
                    words=its_words,
                    context=context,
                    quantities=its_quantities,
                    before=found[-1] if found else None,
                )
            )
        if _HEADING.match(piece):
            heading, lead = words, frozenset()
        elif piece.rstrip().endswith((":", "：")) or (table and len(found) == 1):
            lead = words
        elif match := _LABEL.match(piece):
            label = frozenset(word_roots(match["label"]))
    return tuple(found)


def _part(text: str, lang: str | None) -> tuple[str, frozenset[str], tuple[Quantity, ...]]:
    """A statement of a sentence that counts off, with its words and quantities."""
    quantities = find_quantities(text, lang=lang, incidental=True, labels=True)
    return text, frozenset(word_roots(_blanked(text, list(quantities), 0))), quantities


def _blanked(piece: str, quantities: list[Quantity], start: int) -> str:
    kept: list[str] = []
    at = start
    for quantity in quantities:
        if quantity.start >= at:
            kept.append(piece[at - start : quantity.start - start])
            at = quantity.end
    return " ".join((*kept, piece[at - start :]))


def _spans(text: str, *, table: bool) -> Iterator[tuple[int, int, bool, bool]]:
    """Start, end, whether it is an item or row and whether it begins its paragraph, for every passage.

    A wrapped line goes on with its sentence.
    """
    for start, end, is_item in _blocks(text, table=table):
        at = start
        is_first = True
        for sentence in split_sentences(text[start:end]):
            if sentence.strip():
                yield at, at + len(sentence), is_item, is_first
                is_first = False
            at += len(sentence)


def _blocks(text: str, *, table: bool) -> Iterator[tuple[int, int, bool]]:
    start = 0
    position = 0
    is_item = False
    was_heading = False
    for line in text.splitlines(keepends=True):
        starts_item = table or _ITEM.match(line) is not None
        starts_heading = _HEADING.match(line) is not None
        if position > start and (starts_item or starts_heading or was_heading or not line.strip()):
            yield start, position, is_item
            start, is_item = position, False
        is_item = is_item or starts_item
        was_heading = starts_heading
        position += len(line)
    if position > start:
        yield start, position, is_item
