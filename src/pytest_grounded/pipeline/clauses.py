"""The clauses of a claim that each say something, and whether a claim gives a reason.

A claim that is right in most of its words may carry one clause that nobody wrote: `the limit is $180, because the head
office moved`. English clauses are cut where `split_claims` cuts; Chinese ones at their commas and conjunctions, which
take no space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounded.pipeline.terms import is_unspaced
from pytest_grounded.text.claims import split_claims

__all__ = ["clauses", "gives_reason", "may_give_reason"]


def clauses(text: str) -> tuple[str, ...]:
    """What a text says, statement by statement, without the conjunctions between them.

    >>> clauses("The limit is $180 because the head office is in Bern.")
    ('The limit is $180', 'the head office is in Bern.')
    >>> clauses("限额为180元，因为总部在上海。")
    ('限额为180元', '总部在上海')
    """
    return tuple(_unspaced(text) if is_unspaced(text) else (text[one.start : one.end] for one in split_claims(text)))


def gives_reason(text: str) -> bool:
    """Whether a text says outright that one thing is so because of another.

    >>> [gives_reason(text) for text in ("It is $180 because rents rose.", "由于租金上涨，限额为180元", "It is $180.")]
    [True, True, False]
    """
    return _REASON.search(text) is not None


def may_give_reason(text: str) -> bool:
    """Whether a text may be read as a reason: also by words that often mean something else (so, since, due).

    >>> may_give_reason("Rents rose, so it is $180."), may_give_reason("It is $180. Rents rose.")
    (True, False)
    """
    return gives_reason(text) or _PERHAPS_REASON.search(text) is not None


def _unspaced(text: str) -> Iterator[str]:
    for piece in _CUT.split(text):
        said = piece.strip()
        if said:
            yield said


_CUT = re.compile(
    "[，,；;。！？!?\\n]|因为|由于|因此|因而|所以|故而|从而|以致|并且|而且|但是|不过|ので|ため(?:に)?|だから|したがって"
)
_REASON = re.compile(
    r"\b(?:because|therefore|thus|hence|consequently|as a result|owing to|thanks to|for this reason|that is why)\b|"
    r"\b(?:weil|deshalb|daher|parce que|porque)\b|因为|由于|因此|因而|所以|故而|以致|ので|だから|したがって",
    re.IGNORECASE,
)
_PERHAPS_REASON = re.compile(
    r"\b(?:so|since|due|reasons?|causes?|caused|leads?|led|means|in order|denn|da|car|comme|puisque)\b|"
    "原因|导致|使得|为了|为此|以便|从而|ため|理由",
    re.IGNORECASE,
)
