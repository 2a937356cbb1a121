"""Whether a claim speaks of what its source excepts: there the contrary of what holds for the rest is right."""

from __future__ import annotations

import re

from pytest_grounded.checks.passages import word_roots

__all__ = ["exception_spoken_of", "names_all_excepted"]


def exception_spoken_of(claim: str, source: str) -> re.Match[str] | None:
    """Where a source excepts what a claim without an exception speaks of.

    >>> exception_spoken_of("It is closed on Mondays.", "It is open daily except Mondays.")[0]
    'except'
    >>> exception_spoken_of("It is closed on Fridays.", "It is open daily except Mondays.")
    """
    said = frozenset(word_roots(claim))
    for match in _EXCEPTION.finditer(source):
        excepted = word_roots(source[match.end() : match.end() + _LONGEST])
        if excepted and excepted[0] in said and not (_EXCEPTION.search(claim) or _EXCEPTED.search(claim)):
            return match
    return None


def names_all_excepted(claim: str, source: str, excepted: re.Match[str]) -> bool:
    """Whether a claim has every word of what is excepted, so that it speaks of just that."""
    what = re.split(r"[,.;:()]", source[excepted.end() : excepted.end() + _LONGEST])[0]
    return frozenset(word_roots(claim)).issuperset(word_roots(what))


_EXCEPTION = re.compile(
    r"\b(?:except(?:ing|ion of)?(?: for)?|unless|other than|apart from|aside from|excluding|save for|but not|"
    r"außer|ausgenommen|es sei denn|mit ausnahme|sauf|hormis|excepté|à moins que?|excepto|salvo|a menos que|tranne|"
    r"eccetto|a meno che|exceto|behalve|tenzij|utom|undtagen|unntatt)\b|除了|除非|以外|を除き|제외",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:excluded|exempt(?:ed)?|excepted|exceptions?|ausgeschlossen|ausgenommen|ausnahmen?|exclu\w*|esclus\w*|uitgesloten)\b",
    re.IGNORECASE,
)
"""A claim with such a word says itself that what it speaks of is none of the rest."""
_LONGEST = 200
