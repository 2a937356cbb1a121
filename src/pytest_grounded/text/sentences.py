"""Sentences: where does one end?"""

from __future__ import annotations

__all__ = ["split_sentences"]


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with the white space behind it, so that joining them gives the text back."""
    raise NotImplementedError
