"""Whether a claim takes its number from the column it names: 100 stands under "Yearly", not under "Monthly".

Decided only where a claim names one row of a table by its first cell and one column by its heading, and its number
stands in another cell of that table. What else a table says is for the other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.checks.alignment import ordered_roots
from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.passages import root, without_quantities
from pytest_grounded.checks.states import ClaimState, quantities_said
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import Match, Quantity, find_quantities, match_quantity
from pytest_grounded.text.word_order import order_words

__all__ = ["misread_cell", "reads_cell"]


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    words: frozenset[str]
    quantities: tuple[Quantity, ...]

    def gives(self, quantity: Quantity) -> bool:
        """Whether it has a quantity, also where the table leaves its unit to the heading."""
        return any(match_quantity(quantity, own) in (Match.EQUAL, Match.UNIT_OR_SCALE) for own in self.quantities)


_Row = tuple[_Cell, ...]


def misread_cell(judged: Judged, state: ClaimState, chunk: Chunk) -> str:
    """What is wrong with a claim's reading of a table of a chunk; empty where nothing is, or nobody can tell."""
    for read in _read(state, chunk):
        for quantity in _values(judged, state, read.heading, read.row[0]):
            place = None if read.wanted.gives(quantity) else read.place_of(quantity)
            if place is not None:
                return (
                    f"{quoted(quantity.raw)} stands {place} of {chunk.id}; "
                    f"under {quoted(read.heading.text)} in the row {quoted(read.row[0].text)} stands "
                    f"{quoted(read.wanted.text)}"
                )
    return ""


def reads_cell(judged: Judged, state: ClaimState, chunk: Chunk) -> bool:
    """Whether a claim says no more than one cell of a table does with its heading and its row."""
    for read in _read(state, chunk):
        known = read.heading.words | read.row[0].words | read.headings[0].words | _roots(chunk.title or "")
        values = list(_values(judged, state, read.heading, read.row[0]))
        is_plain = polarity_profile(state.text, lang=chunk.lang) == polarity_profile(read.heading.text, lang=chunk.lang)
        is_all = frozenset(ordered_roots(state.text, chunk.lang)) <= known | _TELLING
        if is_plain and is_all and values and all(read.wanted.gives(value) for value in values):
            return True
    return False


_TELLING = frozenset(map(root, ("cost", "amount", "value", "price", "stand", "come", "apply", "pay")))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The row and the column that a claim names in a table."""

    headings: _Row
    rows: tuple[_Row, ...]
    row: _Row
    column: int

    @property
    def wanted(self) -> _Cell:
        return self.row[self.column]

    @property
    def heading(self) -> _Cell:
        return self.headings[self.column]

    def place_of(self, quantity: Quantity) -> str | None:
        """Where else in its row, or else in its column, a quantity stands, in words."""
        for heading, cell in zip(self.headings[1:], self.row[1:], strict=True):
            if cell.gives(quantity):
                return f"under {quoted(heading.text)} in the row {quoted(self.row[0].text)}"
        other = next((row for row in self.rows if row[self.column].gives(quantity)), None)
        return None if other is None else f"in the row {quoted(other[0].text)}"


def _read(state: ClaimState, chunk: Chunk) -> Iterator[_Reading]:
    tables = _tables(chunk.text, chunk.lang)
    if not tables:
        return
    said = _roots(state.text)
    # "3 months" does not name row 3, where another row is named.
    apart = _roots(without_quantities(state.text, find_quantities(state.text, words=chunk.lang)))
    for headings, *rows in tables:
        names = [row[0] for row in rows]
        row = _one_named(said, names) if _one_named(apart, names) is None else _one_named(apart, names)
        column = _one_named(said, headings[1:])
        if column is not None and row is not None:
            yield _Reading(headings, tuple(rows), rows[row], column + 1)


def _values(judged: Judged, state: ClaimState, *named: _Cell) -> Iterator[Quantity]:
    """The quantities of a claim that are not part of what names row and column."""
    for quantity in quantities_said(judged, state.text):
        if not any(cell.gives(quantity) or quantity.raw in cell.text for cell in named):
            yield quantity


def _one_named(said: frozenset[str], cells: Sequence[_Cell]) -> int | None:
    """The place of the one cell whose words a text has; of two, the one whose words hold the other's."""
    named = [place for place, cell in enumerate(cells) if cell.words and cell.words <= said]
    longest = [place for place in named if not any(cells[place].words < cells[other].words for other in named)]
    return longest[0] if len(longest) == 1 else None


_MOST_CELLS = 4_000
_FEWEST_COLUMNS = 3


@lru_cache(maxsize=1_024)
def _tables(text: str, lang: str | None) -> tuple[tuple[_Row, ...], ...]:
    """The tables of a text with at least two columns beside the one that names the rows, headings first."""
    found: list[list[list[str]]] = []
    width = 0
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) < _FEWEST_COLUMNS:
            width = 0
        elif len(cells) != width:
            found.append([cells])
            width = len(cells)
        elif not all(set(cell) <= set("-: ") for cell in cells):
            found[-1].append(cells)
    small = (table for table in found if len(table) > 1 and len(table) * len(table[0]) <= _MOST_CELLS)
    return tuple(tuple(tuple(_cell(cell, lang) for cell in row) for row in table) for table in small)


def _cell(text: str, lang: str | None) -> _Cell:
    return _Cell(text, _roots(text), find_quantities(text, lang=lang, incidental=True))


def _roots(text: str) -> frozenset[str]:
    return frozenset(root(word.key) for word in order_words(text))
