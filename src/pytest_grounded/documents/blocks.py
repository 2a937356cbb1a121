"""What a document is made of, whatever it was written in: headings, text and tables in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Block", "Parsed", "table_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading (with its level, 1 the highest), a paragraph, list or listing, or a table."""

    kind: Literal["heading", "text", "table"]
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A document: its blocks, and what it says of itself at its top (front matter, `<meta>`)."""

    blocks: tuple[Block, ...]
    front: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    """What at its top could not be read, each as a sentence."""


def table_rows(rows: list[list[str]]) -> str:
    r"""A table as text, a row a line; a bar inside a cell is escaped.

    >>> print(table_rows([["City", "Limit"], ["Paris", "$260"]]))
    | City | Limit |
    | --- | --- |
    | Paris | $260 |
    """
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows if row]
    return "\n".join([*lines[:1], "| " + " | ".join(["---"] * len(rows[0])) + " |", *lines[1:]]) if lines else ""
