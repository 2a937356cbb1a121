"""Quotations: which parts of a text are somebody else's words by their marks."""

from __future__ import annotations

import re

__all__ = ["find_quotations"]

_PAIRS = (
    r'"[^"\n]*"',
    r"“[^“”„]*”",
    r"„[^“”„]*[“”]",
    r"«[^«»]*»",
    r"»[^«»]*«",
    r"‹[^‹›]*›",
    r"「[^「」]*」",
    r"『[^『』]*』",
    r"《[^《》]*》",
    r"(?<!\w)‘[^‘’\n]*(?:’(?=\w)[^‘’\n]*)*’(?!\w)",
    r"(?m:^[ \t]*>[^\n]*$)",
)
_QUOTATION = re.compile("|".join(_PAIRS))


def find_quotations(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of what stands between quotation marks, marks excluded, and of lines quoted by `>`.

    >>> text = 'The rule says "the limit is $150", which is wrong.'
    >>> [text[start:end] for start, end in find_quotations(text)]
    ['the limit is $150']
    """
    return tuple(_inside(match) for match in _QUOTATION.finditer(text))


def _inside(match: re.Match[str]) -> tuple[int, int]:
    found = match.group()
    if found.lstrip().startswith(">"):
        return match.start() + found.index(">") + 1, match.end()
    return match.start() + 1, match.end() - 1
