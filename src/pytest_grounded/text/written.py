"""Whether a quote stands in its source letter for letter: what need not be folded to be found.

Most quotes do. This answers only yes; where it says no, folding may still find the quote (`quotes`).
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["stands_as_written"]


@lru_cache(maxsize=2_048)
def stands_as_written(quote: str, source: str) -> bool:
    r"""Whether a quote stands in its source letter for letter, so that nothing need be folded to find it.

    Said only where folding does the same to both: what it reads across lines and blanks (page marks, wraps, bullets,
    numbers in groups) lies wholly inside the quote or wholly outside, and nothing ties the ends of the quote to what
    stands around. Anything else is left to folding.

    >>> source = "Note: guests may leave by noon.\nThe pool is open from May to\nSeptember."
    >>> stands_as_written("The pool is open from May to\nSeptember.", source)
    True
    >>> stands_as_written("The pool is open from May to September.", source)
    False
    """
    at = source.find(quote)
    if at < 0 or len(quote) < _LONGER_THAN_PAGE_MARKS or "<!--" in source:
        return False
    if not _begins_free(quote, source, at) or not _ends_free(quote, source, at + len(quote)):
        return False
    return _has_no_page_mark(quote) and _LETTERS.match(quote) is not None


def _has_no_page_mark(quote: str) -> bool:
    """Whether a quote has neither a mark of a page nor, first or last, a line that may be one between two others."""
    line = quote.replace("\n", " ")
    if not line.isprintable() or ("page" in line.lower() and _PAGE_MARK.search(line)):
        return False
    if "\n" not in quote:
        return _MAY_BE_PAGE_MARK.match(quote) is None
    lines = quote[: quote.find("\n")], quote[quote.rfind("\n") + 1 :]
    return not any(map(_MAY_BE_PAGE_MARK.match, lines))


def _begins_free(quote: str, source: str, at: int) -> bool:
    """Whether a quote begins a line or, with a letter, a sentence, and nothing before that goes on in it."""
    if at == 0:
        return _LINE_BEGINS.match(quote) is not None
    before = _BEFORE.search(source, max(0, at - _NEAR), at)
    if before is None:
        return False
    near = source[max(0, before.start() - _NEAR) : before.end("last")].rpartition("\n")[2]
    if _MAY_BE_PAGE_MARK.match(near) or _PAGE_MARK.search(near):
        return False  # what stands before the mark of a page goes on behind it
    if "\n" not in before["blank"]:
        return before["last"] in _SENTENCE_STOPS and _LETTER.match(quote) is not None
    return _LINE_BEGINS.match(quote) is not None and (before["last"] in _SENTENCE_STOPS or not quote[0].isdigit())


def _ends_free(quote: str, source: str, end: int) -> bool:
    """Whether a quote ends a line, or a sentence before a word, and nothing in it goes on behind."""
    if _LINE_ENDS.match(source, end):
        return _LAST.search(quote, max(0, len(quote) - _END)) is not None
    last = _LAST_BEFORE_WORD.search(quote, max(0, len(quote) - _END))
    return last is not None and _NEXT_WORD.match(source, end) is not None


_LONGER_THAN_PAGE_MARKS = 30
"""A line that only numbers a page is shorter."""
_NEAR = 40
_END = 8
_BEFORE = re.compile(r"(?P<last>[!-,./-~\u2019\u201d\u2026])(?P<blank>[ \n]++)\Z")
_SENTENCE_STOPS = frozenset(".!?:;,)\"'")
_LETTER = re.compile("[A-Za-z]")
_LINE_BEGINS = re.compile(r"[A-Za-z0-9\"'(\[{<*_#`$+\u2018\u201c-]")
_LINE_ENDS = re.compile(r"\Z|[ ]*+\n[ \n]*+(?:[!-~\u2018\u2019\u201c\u201d\u2022\u2026]|\Z)")
_LAST = re.compile(r"(?:[^\s;:!?][;:!?]++|[A-Za-z.,)\"'*_`\]}>|%\u2019\u201d])\Z")
_NEXT_WORD = re.compile(r"[ ]++[A-Za-z]")
_LAST_BEFORE_WORD = re.compile(r"(?:[^\s;:!?][:!?]++|[.)\"'])\Z")
_PAGE_MARK = re.compile(r"[\[<{=*_\\\u2014-][ ]?/?page|\\(?:new|clear)page", re.IGNORECASE)
_MAY_BE_PAGE_MARK = re.compile(
    r"\W*(?:page|new|clear)|[\[( ]*(?:seite|p[a\u00e1]gina|sayfa|strona|\u0441\u0442\u0440|\u7b2c)"
    r"|[ ]*[-\u2013\u2014][ ]?\d",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"(?:[^A-Za-z]*+[A-Za-z]){12}")
