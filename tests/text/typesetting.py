"""Ways to set the same words in other type, for the properties of folding and quoting."""

from __future__ import annotations

import itertools
import unicodedata

from hypothesis import strategies as st

SPACES = [" ", "  ", "\u00a0", "\u2009", "\u202f", "\u3000", "\n", " \n", "\r\n", "\t", "\u2028", "\n\n   ", " \u200b"]
PAGE_MARKS = [
    "\f",
    "\n\f\n",
    " [[PAGE_BREAK]] ",
    "\n--- page 3 ---\n",
    "\nPage 3 of 9\n",
    "\n- 3 -\n",
    " <!-- PageBreak --> ",
]
ITEM_MARKS = ["\n* ", "\n\n-  ", "\n  \u2022 ", "\n\u2013 ", "\n\u25aa ", " \u2022 "]
SINGLE_QUOTES = ["'", "\u2018", "\u2019", "\u201a", "\u2032", "\u00b4", "`"]
DOUBLE_QUOTES = ['"', "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb", "\u300c"]
HYPHENS = ["-", "\u2010", "\u2011", "\u2212", "\ufe63", "\uff0d"]
DASHES = [" - ", " \u2013 ", " \u2014 ", "\u2014", "\u2015", " -- ", "\u2014\n"]
WORDS = st.text("abcdefgilmnorstuvwxyzéüñçåßøжщлд", min_size=2, max_size=9).filter(lambda word: word.isalpha())
NUMBERS = st.integers(0, 99_999).map(str)
TOKENS = st.lists(st.one_of(WORDS, NUMBERS), min_size=3, max_size=12, unique_by=lambda word: word.casefold())


@st.composite
def typeset(draw: st.DrawFn, tokens: list[str], *, lists: bool = True) -> str:
    """The tokens as one text, each letter, space and mark in a drawn form."""
    pieces = [draw(_word(tokens[0]))]
    for left, right in itertools.pairwise(tokens):
        gaps = [*SPACES]
        if lists:
            gaps += ITEM_MARKS + PAGE_MARKS
        if left[-1].isdigit() and right[0].isdigit():
            gaps = [gap for gap in gaps if gap not in {"\u00a0", "\u2009", "\u202f"}]  # would group digits
        pieces += (draw(st.sampled_from(gaps)), draw(_word(right)))
    return "".join(pieces)


@st.composite
def _word(draw: st.DrawFn, word: str) -> str:
    form = draw(st.sampled_from(["plain", "upper", "title", "nfd", "wide", "soft", "zero", "wrap", "ligature"]))
    inside = draw(st.integers(1, max(1, len(word) - 1)))
    head, tail = word[:inside], word[inside:]
    match form:
        case "upper":
            return word.upper()
        case "title":
            return word.capitalize()
        case "nfd":
            return unicodedata.normalize("NFD", word)
        case "wide":
            return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in word)
        case "soft" if tail:
            return head + draw(st.sampled_from(["\u00ad", "\u00ad\n"])) + tail
        case "zero":
            return head + draw(st.sampled_from(["\u200b", "\u200d", "\u2060", "\ufeff"])) + tail
        case "wrap" if tail and word.isalpha():
            return head + draw(st.sampled_from(["-\n", "-\n  ", "\u2010\n", "-\r\n", "-\n[[PAGE_BREAK]]\n"])) + tail
        case "ligature":
            return word.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("fl", "\ufb02").replace("st", "\ufb06")
    return word
