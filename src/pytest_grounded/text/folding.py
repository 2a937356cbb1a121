"""Folding: when do two texts differ in typography alone?"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

__all__ = ["Folded", "fold", "fold_with_origins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A folded text and where each of its characters came from; `origins` has one entry more than `text`."""

    text: str
    origins: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the original text of a part of the folded one."""
        return self.origins[start], self.origins[end]


def fold(text: str, *, lang: str | None = None) -> str:
    """A text without its typography."""
    del lang
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def fold_with_origins(text: str, *, lang: str | None = None) -> Folded:
    """The folded text with the way back into the original."""
    raise NotImplementedError
