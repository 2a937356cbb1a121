"""Clauses: which stretch of a sentence says one thing.

Rough on purpose: a clause ends at punctuation that is not part of a number, and before a word that contrasts. It is
what decides whether "not" in "not $150 but $180" speaks about 150 or 180.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise

__all__ = ["clause_at", "split_clauses"]

_STOPS = r"[;!?\n…()\[\]—–;。、，；：！？]|[.](?=\s|$)|[:,](?!\d)| - "
_CONTRASTS = (
    "but while whereas although though however instead rather except sondern aber während jedoch hingegen statt mais "
    "tandis alors pero sino mientras aunque ma mentre però invece maar terwijl mas enquanto"
)
_BOUNDARY = re.compile(rf"{_STOPS}|\b(?:{'|'.join(_CONTRASTS.split())})\b", re.IGNORECASE)
_JOINS = ("and", "und", "et", "sowie", "y", "ve", "och", "og", "oraz", "और", "и", "та")
_JOINS = ("and", "und", "et", "sowie", "y", "ve", "och", "og", "oraz", "और", "и", "та")
_FINE_BOUNDARY = re.compile(
    rf"{_STOPS}|\b(?:{'|'.join((*_CONTRASTS.split(), *_JOINS))})\b|\bو(?=(?:ل|ال|في|من|على)\w)", re.IGNORECASE
)


@lru_cache(maxsize=1_024)
def split_clauses(text: str, *, fine: bool = False) -> tuple[tuple[int, int], ...]:
    """Start and end of every clause, in order, covering the text; `fine` also ends one before "and".

    >>> text = "Plan A costs 10,50 euros and plan B is not listed, but soon will be."
    >>> [text[start:end] for start, end in split_clauses(text, fine=True)]
    ['Plan A costs 10,50 euros ', 'and plan B is not listed', ', ', 'but soon will be', '.']
    """
    pattern = _FINE_BOUNDARY if fine else _BOUNDARY
    cuts = sorted({0, len(text), *(match.start() for match in pattern.finditer(text))})
    return tuple(pairwise(cuts))


def clause_at(clauses: tuple[tuple[int, int], ...], position: int) -> tuple[int, int]:
    """The clause that a position of the text stands in.

    >>> clause_at(((0, 4), (4, 9)), 5)
    (4, 9)
    """
    place = bisect_right(clauses, position, key=lambda clause: clause[0]) - 1
    return clauses[max(place, 0)] if clauses else (0, 0)
