"""Digits that are no facts: citation markers, list numbers, addresses of pages, and numbers that only name things.

"Table 2", "Grade 3" and "section 3.2" name a thing; "[1]" and "1." at the start of a line order the text.
"""

from __future__ import annotations

import re
from typing import Final

from pytest_grounded.text.languages import Language

__all__ = ["is_list_number", "label_before", "labels_after", "marker_spans"]

_MARKER: Final = re.compile(
    r"[\[【［〔][\s\u00a0]?(?:[\w#@.:^*†-]{0,60}\d[\w#@.:†/-]{0,60})(?:[\s\u00a0]?[,;–-][\s\u00a0]?[\w#@.:/-]{1,60}){0,40}[\s\u00a0]?[\]】］〕]"
)
_ADDRESS: Final = re.compile(r"\b(?:https?|ftp)://[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+|[\w.+-]{1,64}@[\w-]+\.[\w.-]+")
_INLINE: Final = re.compile(r"(?<![\w(])\((\d{1,2})\)(?=[\s\u00a0])|(?<=[\s:;,])(\d{1,2})\)(?=[\s\u00a0])")


def marker_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Places of bracketed markers, numbered items inside a sentence, and addresses, in order.

    >>> marker_spans("It is so [1, 2]. See [c1].")
    ((9, 15), (21, 25))
    """
    spans: list[tuple[int, int]] = []
    if any(bracket in text for bracket in "[【［〔"):
        spans += [match.span() for match in _MARKER.finditer(text)]
    if "://" in text or "www." in text or "@" in text:
        spans += [match.span() for match in _ADDRESS.finditer(text)]
    if "1)" in text and "2)" in text:
        spans += _numbered_items(text)
    return tuple(sorted(spans))


def _numbered_items(text: str) -> list[tuple[int, int]]:
    """Items "(1) ... (2) ..." inside a text, if they count up from one."""
    items = [(int(match[1] or match[2]), match.span()) for match in _INLINE.finditer(text)]
    numbers = [number for number, _ in items]
    if not {1, 2} <= set(numbers):
        return []
    counted, expected = [], 1
    for number, span in items:
        if number in {expected, 1}:
            counted.append(span)
            expected = number + 1
    return counted


_LIST_NUMBER_END: Final = re.compile(r"[.)](?=[\s\u00a0]+\S)")
_HEADING: Final = re.compile(r"\.?[ \u00a0]+[^\W\d_a-z]")
_ENDS_SENTENCE: Final = frozenset(".:;!?…。：；！？)|\"'")
_MOST_INDENT: Final = 12


def is_list_number(text: str, start: int, end: int, *, follows: int | None) -> bool:
    r"""Whether the number at `start`..`end` counts a list item or a heading at the start of a line.

    `follows` is the number of the list item before it, if there was one.

    >>> is_list_number("1. Above 500 euros", 0, 1, follows=None), is_list_number("is\n30. Then", 3, 5, follows=None)
    (True, False)
    """
    number = text[start:end]
    opens = _opens_line(text, start)
    parts = number.split(".")
    if len(parts) > 1 and opens and all(part.isdigit() and len(part) < len("100") for part in parts):
        return _HEADING.match(text, end) is not None
    if not number.isdigit() or len(number) > len("999") or _LIST_NUMBER_END.match(text, end) is None:
        return False
    if follows is not None and int(number) == follows + 1:
        return opens or text[max(0, start - 3) : start].rstrip()[-1:] in _ENDS_SENTENCE
    return opens and (int(number) <= 1 or _starts_paragraph(text, start))


def _opens_line(text: str, start: int) -> bool:
    """Whether nothing but a bullet or a bracket stands between the line's start and the place."""
    place = start
    while place and start - place < _MOST_INDENT and text[place - 1] in " \t\u00a0#*>•-(":
        place -= 1
    return place == 0 or text[place - 1] == "\n"


def _starts_paragraph(text: str, start: int) -> bool:
    """Whether the line before is at its end: blank, or with a full stop, or there is none."""
    before = text[max(0, start - _MOST_INDENT - 40) : start]
    line_break = before.rfind("\n")
    if line_break < 0:
        return True
    earlier = before[:line_break].rstrip(" \t\u00a0")
    return not earlier or earlier.endswith("\n") or earlier[-1] in _ENDS_SENTENCE


# --- labels ------------------------------------------------------------------------------------------------------

_LAST_WORD: Final = re.compile(
    r"([^\W\d_]+)(?:\.?[ \u00a0\n]|\.|-|[ \u00a0]?#|[ \u00a0]?(?:No\.?|Nr\.?|n°|№)[ \u00a0]?)$"
)
_SIGN_LABEL: Final = re.compile(r"[§¶][ \u00a0]?$")
_CJK_LABEL: Final = re.compile(r"(?:[表图圖]|附件|附录|附錄|附表|圖表|图表|步骤|第)[ \u00a0]?$")
_CJK_COUNTED: Final = re.compile(r"[ \u00a0]?(?:条|條|章|节|節|页|頁|款|项|項|级|級|步|阶段|階段|部分|조|장|항|절)")
_LONGEST_LABEL: Final = 24


def label_before(text: str, start: int, end: int, words: Language) -> str | None:
    """The word or sign before a number that makes it the name of something; None where it counts something.

    >>> from pytest_grounded.text.languages import language
    >>> label_before("see Table 2", 10, 11, language("en")), label_before("the table", 0, 0, language("en"))
    ('table', None)
    >>> label_before("form 5 groups", 5, 6, language("en")), label_before("Form 5", 5, 6, language("en"))
    (None, 'form')
    >>> label_before("see part 2.", 9, 10, language("en")), label_before("a part 2 m long", 7, 8, language("en"))
    ('part', None)
    """
    before = text[max(0, start - _LONGEST_LABEL) : start]
    if not before or (before[-1].isalnum() and before[-1].isascii()):
        return None
    if _SIGN_LABEL.search(before):
        return "§"
    if (match := _CJK_LABEL.search(before)) is not None:
        is_counted = _CJK_COUNTED.match(text, end) is not None
        return match[0] if is_counted or not match[0].startswith("第") else None
    match = _LAST_WORD.search(before)
    if match is None:
        return None
    lower = match[1].lower()
    if lower in _VERSIONED and "." in text[start:end]:
        return None  # which version it is, is a fact
    if lower in words.labels or (lower in words.capital_labels and match[1][0].isupper()):
        return lower
    return lower if lower in words.part_labels and _CLAUSE_ENDS.match(text, end) is not None else None


_VERSIONED: Final = frozenset(("version", "release"))
_CLAUSE_ENDS: Final = re.compile(r"[\s\u00a0]*(?:$|[,;:)\]]|\.(?!\d)|[\s\u00a0]of\b)")


_PART: Final = re.compile(
    r"(?:\([a-z0-9]{1,4}\))+"
    r"|(?:[ \u00a0](?:Abs|Absatz|Nr|Nummer|Satz|al|alinéa|let|lit|para|ust|pkt|odst)\.?[ \u00a0]?\d{1,3})+"
)
_JOINER: Final = "to|and|or|bis|und|et|y|e|à|a|through"
_MORE: Final = re.compile(
    rf"(?:[ \u00a0]?[\u2013&-][ \u00a0]?|[ \u00a0](?:{_JOINER})[ \u00a0])(\d{{1,4}}(?:\.\d{{1,3}}){{0,4}})(?![\d%])"
)
_AND_MORE: Final = re.compile(r",[ \u00a0](\d{1,4}(?:\.\d{1,3}){0,4})(?![\d%.,]\d)")


def labels_after(text: str, end: int, label: str) -> int:
    """Where the numbers that share a label end: "Tables 2 and 3", "pages 12-15", "sections 3.1, 3.2 and 4"."""
    if match := _PART.match(text, end):
        end = match.end()
    is_plural = label.endswith(("s", "en", "n", "§", "pp"))
    while match := _MORE.match(text, end) or (_AND_MORE.match(text, end) if is_plural else None):
        if not is_plural and match[0][0] in " \u00a0" and match[0].strip()[:1].isalpha():
            break
        end = match.end()
    return end
