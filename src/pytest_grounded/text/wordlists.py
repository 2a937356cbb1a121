"""Word lists: sets of words that stand in the source as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["any_of", "listed"]


def listed(words: str) -> frozenset[str]:
    """The words of a list.

    >>> sorted(listed("of in on"))
    ['in', 'of', 'on']
    """
    return frozenset(words.split())


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words that looks at each letter once, where an alternation would try every word.

    >>> any_of(["one", "once", "two"])
    '(?:on(?:ce|e)|two)'
    """
    return _branches(sorted(set(words)))


def _branches(words: list[str]) -> str:
    """Words in order, those with the same first letter made one branch; the longer word first."""
    branches: list[str] = []
    at = 0
    while at < len(words):
        first = words[at][:1]
        end = at
        while end < len(words) and words[end][:1] == first:
            end += 1
        if first:
            tails = [word[1:] for word in words[at:end]]
            branches.append(re.escape(first) + (_branches(tails) if len(tails) > 1 else re.escape(tails[0])))
        at = end
    is_optional = "" in words
    pattern = branches[0] if len(branches) == 1 and not is_optional else f"(?:{'|'.join(branches)})"
    return f"{pattern}?" if is_optional else pattern
