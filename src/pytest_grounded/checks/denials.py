"""Whether a value that a text names is denied there: "not $150", "no longer $150", "instead of $150".

A bound is no denial: "not more than $150" asserts 150.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounded.text.clauses import clause_at, split_clauses
from pytest_grounded.text.polarity import negations, polarity_profile
from pytest_grounded.text.quotations import find_quotations

__all__ = ["is_denied", "is_former", "quotation_at"]

_INSTEAD = (
    "instead of|rather than|formerly|previously|anstatt|anstelle|statt|früher|au lieu de|auparavant|anciennement|"
    "en lugar de|en vez de|antes|invece di|anziché|in plaats van|em vez de"
)
_IT_WAS = (
    r"\((?:it\s|they\s)?(?:was|were|war|waren|zuvor|bisher|vorher|était|étaient|avant|era|eran|(?:up|down)\sfrom)\b"
)
_SET_ASIDE = re.compile(
    rf"\b(?:{_INSTEAD}|as opposed to|used to be|superseded|withdrawn|outdated|obsolete|ehemals|veraltet|plutôt que)\b|"
    rf"{_IT_WAS}",
    re.IGNORECASE,
)
_FORMER = re.compile(
    rf"(?:\b(?:{_INSTEAD}|no longer|(?:up|down) from|nicht mehr|zuvor|bisher)|{_IT_WAS}|"
    r"\b(?:raised|increased|rose|risen|rises|grew|grown|reduced|lowered|cut|fell|fallen|falls|dropped|changed|changes|moved|"
    r"extended|shortened|(?:went|gone|goes) (?:up|down))\s+from)"
    r"(?:\s+(?:at|by|the|a|an|about|only|von))?\s*\Z",
    re.IGNORECASE,
)
"""What says right before a value that it was, and is no more."""


def is_denied(text: str, start: int, end: int, *, lang: str | None = None) -> bool:
    """Whether the clause that `text[start:end]` stands in denies it.

    >>> text = "It is not $150 but $180."
    >>> is_denied(text, 10, 14), is_denied(text, 19, 23)
    (True, False)
    """
    clause_start, clause_end = clause_at(split_clauses(text), start)
    clause = text[max(clause_start, start - _NEAR) : min(max(clause_end, end), end + _NEAR)]
    if _SET_ASIDE.search(clause) or is_former(text, start):
        return True
    return bool(negations(clause, lang=lang)) and not polarity_profile(clause, lang=lang).bounds


def is_former(text: str, start: int) -> bool:
    """Whether the words right before a place say that what follows was and is no more.

    >>> text = "The fee is 7 euros (was 5 euros)."
    >>> is_former(text, 11), is_former(text, 24)
    (False, True)
    """
    return _FORMER.search(text, max(0, start - _FORMER_WORDS), start) is not None


_FORMER_WORDS = 40


# What denies a value stands near it; without a limit a text that is one long clause would be read once per value.
_NEAR = 200


def quotation_at(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The quotation that holds `text[start:end]`, if any."""
    return next((span for span in _quotations(text) if span[0] <= start and end <= span[1]), None)


@lru_cache(maxsize=1_024)
def _quotations(text: str) -> tuple[tuple[int, int], ...]:
    return find_quotations(text)
