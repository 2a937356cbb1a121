"""Boundaries: whether a part of a marked text starts or ends inside a word or a number.

"able to" is no part of "unable to", 180 none of 1,180 or 5-180. Hyphenated words are one word (a quote that drops
the "non-" of "non-refundable" says the opposite); a dash set as a dash ends one. Scripts without spaces have no
boundaries, except inside a numeral and behind a negation that is written as part of the word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pytest_grounded.text.folding import GROUP, JOINED_WRAP, KEPT_WRAP
from pytest_grounded.text.scripts import HANGUL, KATAKANA, UNSPACED

__all__ = ["ends_inside", "is_amount", "is_wordlike", "starts_inside"]

_WRAPS = frozenset({JOINED_WRAP, KEPT_WRAP})
_IN_NUMBERS = frozenset(".,:/'")
_TYING_DIGITS = _IN_NUMBERS - {"'"} | {GROUP, "\u2013"}
_IN_WORDS = frozenset("@&")
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")
_KATAKANA_LETTER = re.compile(f"[{KATAKANA}]")
_HANGUL_LETTER = re.compile(f"[{HANGUL}]")
_HAN_NUMERALS = frozenset("〇零一二三四五六七八九十百千万萬亿億兆两兩")
_BOUND_NEGATION_BEFORE = re.compile("(?:[不未勿毋]|(?<![除是南北東东西])非|ไม่|มิ)$")
_BOUND_NEGATION_AFTER = re.compile("(?:ない(?!し)|なかっ|なく|なけれ|ません|ませぬ|ずに?(?:[、。,]|$)|ぬ(?:[、。,]|$))")
_MIXED_FRACTION = re.compile(r"\d+/\d+")
_ZERO_GROUP = re.compile(r"0\d\d(?!\d)")
# French and Italian words that lose their vowel before another word: l'entrée. Not n', which is a negation.
_ELIDED_WORD = re.compile(
    r"(?<!\w)(?:[ljdmtsc]|qu|lorsqu|puisqu|quoiqu|jusqu|un|(?:de|a|da|ne|su)?gl|(?:de|a|da|ne|su|que|be)ll|quest|sant|com|dov|anch)'$"
)
_LONGEST_ELIDED_WORD = 8


@lru_cache(maxsize=16_384)
def is_wordlike(character: str) -> bool:
    """Whether a character is part of a word or number: a letter, a digit, an underscore, a mark on a letter.

    >>> [is_wordlike(character) for character in "aé7_加-' "]
    [True, True, True, True, True, False, False, False]
    """
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def starts_inside(text: str, start: int) -> bool:
    """Whether a part of a marked text that starts here has its beginning cut off.

    >>> starts_inside("he is unable to", 8), starts_inside("he is able to", 6), starts_inside("at most -5", 9)
    (True, False, True)
    """
    if not 0 < start < len(text):
        return False
    previous, first, before = text[start - 1], text[start], text[start - 2] if start > 1 else " "
    if previous in _WRAPS:
        return True
    if first == "-":
        return is_wordlike(previous)
    if previous == "-":
        return is_wordlike(first) if is_wordlike(before) else is_amount(first)
    if previous == " ":
        return before.isdigit() and _continues_number(text, start)
    if is_wordlike(previous) and is_wordlike(first):
        return not _is_free_joint(text, start, at_start=True)
    if first in _IN_NUMBERS:
        return previous.isdigit() and text[start + 1 : start + 2].isdigit() and first != "'"
    if unicodedata.category(previous) == "Sc" and before == "-":
        return first.isdigit()
    return (
        _is_tied(before, previous, first)
        and _ELIDED_WORD.search(text, max(0, start - _LONGEST_ELIDED_WORD), start) is None
    )


def ends_inside(text: str, end: int) -> bool:
    """Whether a part of a marked text that ends here has its end cut off.

    >>> ends_inside("they don't", 8), ends_inside("a 10-day trip", 4), ends_inside("180,000", 3)
    (True, True, True)
    """
    if not 0 < end < len(text):
        return False
    last, following, after = text[end - 1], text[end], text[end + 1] if end + 1 < len(text) else " "
    if following in _WRAPS:
        return True
    if following == "-":
        return is_wordlike(last) and is_wordlike(after)
    if following == " ":
        return last.isdigit() and _continues_number(text, end + 1)
    if is_wordlike(last) and is_wordlike(following):
        return not _is_free_joint(text, end, at_start=False)
    if last in _IN_NUMBERS:
        return following.isdigit() and text[end - 2 : end - 1].isdigit() and last != "'"
    return _is_tied(last, following, after)


def _is_tied(left: str, between: str, right: str) -> bool:
    """Whether a sign ties what stands on either side of it into one word or number."""
    if between in _TYING_DIGITS:
        return left.isdigit() and right.isdigit()
    if between == "'":
        return is_wordlike(left) and is_wordlike(right)
    if between == "^":
        return left.isalnum() and (right.isdigit() or right == "-")
    return between in _IN_WORDS and is_wordlike(left) and is_wordlike(right)


def is_amount(character: str) -> bool:
    """Whether a character can open an amount, so that a hyphen before it is a minus sign.

    >>> is_amount("5"), is_amount("€"), is_amount("."), is_amount("x")
    (True, True, True, False)
    """
    return character.isdigit() or character == "." or unicodedata.category(character) == "Sc"


def _continues_number(text: str, start: int) -> bool:
    """Whether what follows a number and a space belongs to it: 1 1/2, 20 000."""
    return _MIXED_FRACTION.match(text, start) is not None or _ZERO_GROUP.match(text, start) is not None


def _is_free_joint(text: str, joint: int, *, at_start: bool) -> bool:
    """Whether two neighbouring word characters may belong to different words."""
    left, right = text[joint - 1], text[joint]
    if left.isascii() and right.isascii():
        return False
    if _KATAKANA_LETTER.match(left) and _KATAKANA_LETTER.match(right):
        return False
    if left in _HAN_NUMERALS and right in _HAN_NUMERALS:
        return False
    if _UNSPACED_LETTER.match(left) or _UNSPACED_LETTER.match(right):
        if at_start:
            return _BOUND_NEGATION_BEFORE.search(text, max(0, joint - 4), joint) is None
        return _BOUND_NEGATION_AFTER.match(text, joint) is None
    if _HANGUL_LETTER.match(left) or _HANGUL_LETTER.match(right):
        # Particles follow a Korean word, nothing precedes it.
        return not (at_start and _HANGUL_LETTER.match(left) and _HANGUL_LETTER.match(right))
    return False
