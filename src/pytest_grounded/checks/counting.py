"""How many things a text lists: a count of them is no fact that needs a source of its own."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["enumerated", "listed_counts"]

_AFTER_COLON = re.compile(r":[ \t]*(?P<items>[^:.\n]{1,400})")
_BETWEEN = re.compile(r",?\s+(?:and|or|und|oder|et|ou|y|o|e|en|of)\s+|[,;、，]\s*")
_ITEM = r"[^,.;:!?()\n|]{1,80}"
_ENUMERATION = re.compile(
    rf"(?P<items>{_ITEM}(?:, {_ITEM}){{1,30}}),? (?:and|or|und|oder|et|ou|y|o|e|en|og|och|i|oraz|и) [^\s,]",
)
_LIST_LINE = re.compile(r"^[ \t]*(?:[-*+•‣–·]|\(?\d{1,3}[.)])[ \t]+\S", re.MULTILINE)


@lru_cache(maxsize=1_024)
def listed_counts(text: str) -> frozenset[int]:
    r"""The lengths of the lists in a text: behind a colon, and as lines. One thing is no list.

    >>> sorted(listed_counts("You need two guides: this and that."))
    [2]
    >>> sorted(listed_counts("You need three things:\n1. a passport\n2. a photo\n3. a form"))
    [3]
    """
    counts = {len(_BETWEEN.split(match["items"])) for match in _AFTER_COLON.finditer(text)}
    counts.add(len(_LIST_LINE.findall(text)))
    return frozenset(counts - {0, 1})


@lru_cache(maxsize=1_024)
def enumerated(text: str) -> frozenset[int]:
    """The lengths of the enumerations inside the sentences of a text.

    >>> sorted(enumerated("The offices are in Berlin, Paris and Rome."))
    [3]
    """
    return frozenset(match["items"].count(", ") + 2 for match in _ENUMERATION.finditer(text))
