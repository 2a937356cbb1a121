"""Markers: which brackets of a text are citations, and which delimiters of a model were left in it?"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

__all__ = ["Marker", "find_markers", "marker_labels", "raw_delimiters", "shaped_like", "strip_markers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A citation marker: place, text as written, each label in it, and the labels that nobody knows."""

    start: int
    end: int
    raw: str
    labels: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    opens_line: bool = False


def find_markers(
    text: str, *, ids: AbstractSet[str] = frozenset(), labels: AbstractSet[str] = frozenset()
) -> tuple[Marker, ...]:
    """Citation markers in order; `labels` are what `rendered`, `sources` and claims call a marker, brackets or not."""
    raise NotImplementedError


def strip_markers(text: str, *, ids: AbstractSet[str] = frozenset(), labels: AbstractSet[str] = frozenset()) -> str:
    """A text without its markers and without any bracket of digits (which is never a fact)."""
    raise NotImplementedError


def marker_labels(raw: str) -> tuple[str, ...]:
    """The labels of a marker as somebody wrote it: "[1, 2]" holds "1" and "2"."""
    raise NotImplementedError


def shaped_like(token: str, ids: AbstractSet[str]) -> bool:
    """Whether a token is built like a corpus's chunk ids without being one."""
    raise NotImplementedError


def raw_delimiters(text: str) -> tuple[str, ...]:
    """Delimiters of a model or a template that were shown raw, in order."""
    raise NotImplementedError
