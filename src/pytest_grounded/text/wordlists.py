"""Word lists: sets of words that stand in the source as people read them."""

from __future__ import annotations

__all__ = ["listed"]


def listed(words: str) -> frozenset[str]:
    """The words of a list.

    >>> sorted(listed("of in on"))
    ['in', 'of', 'on']
    """
    return frozenset(words.split())
