"""Words: the units that overlap scores, sufficiency and near-duplicate checks count.

Content words are lower-cased, without stop words, with plurals folded by a light stemmer. Text without spaces
(Chinese, Japanese, Thai ...) is cut into overlapping pairs of characters, so that it is matched as well as English.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import spelled_out, unmarked
from pytest_grounded.text.tracing import compatible

__all__ = ["STOP_WORDS", "content_words", "jaccard", "terms"]

STOP_WORDS = frozenset(
    """a about all also am an and any are as at be been before being but by can could did do does doing for from had has
    have having he her here his how i if in into is it its itself me more most my no nor not of on or other our out
    over per shall she should so some such than that the their them then there these they this those through to too
    under until up was we were what when where which while who whom whose why will with would you your""".split()  # noqa: SIM905 - a list of 120 quoted words is no easier to read
)
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han, kana, bopomofo
    "\U00020000-\U0003134f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # rarer Han, Thai, Lao, Burmese, Khmer
)
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:[.,:'\u2019][^\W_{_UNSPACED}]+)*")
_SHORTEST_PLURAL = 4


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Fold a plural: cities -> city, receipts -> receipt; glass, bus and is stay.

    >>> stem("cities"), stem("receipts"), stem("glass")
    ('city', 'receipt', 'glass')
    """
    if len(word) < _SHORTEST_PLURAL or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def content_words(text: str) -> tuple[str, ...]:
    """The content words of a text in order, repeats kept.

    >>> content_words("What is the nightly hotel limit in a standard city?")
    ('nightly', 'hotel', 'limit', 'standard', 'city')
    >>> content_words("\u8d39\u7528\u4e0a\u9650")
    ('\u8d39\u7528', '\u7528\u4e0a', '\u4e0a\u9650')
    """
    if text.isascii():
        return tuple([word for token in _ASCII_TOKEN.findall(text.lower()) if (word := _counting(token))])
    folded = spelled_out(compatible(text)).casefold()
    if not _TOKEN_UNSPACED.search(folded):
        return tuple([word for token in _TOKEN.findall(folded) if (word := _counting(token))])
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        if _is_unspaced(token[0]):
            found.extend(_pairs(token))
        elif word := _counting(token):
            found.append(word)
    return tuple(found)


_ASCII_TOKEN = re.compile(r"[a-z0-9]+(?:[.,:'][a-z0-9]+)*")


_ARABIC_AND = ("وال", "ولل")
"""How a word begins that Arabic has written together with "and" and an article."""


@lru_cache(maxsize=65_536)
def _counting(token: str) -> str:
    """What a word counts as; nothing where it does not count."""
    word = unmarked(token).removesuffix("'s").removesuffix("\u2019s")
    if word.startswith(_ARABIC_AND):
        word = word[1:]
    return "" if word in STOP_WORDS else stem(word)


@remembered(4_096)
def terms(text: str) -> frozenset[str]:
    """The distinct content words of a text."""
    return frozenset(content_words(text))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared share of two sets of words, |A & B| / |A | B|, between 0 and 1; two empty sets share nothing.

    >>> jaccard(frozenset("ab"), frozenset("bc"))
    0.3333333333333333
    """
    shared = len(left & right)
    union = len(left) + len(right) - shared
    return shared / union if union else 0.0


def _is_unspaced(character: str) -> bool:
    return _TOKEN_UNSPACED.match(character) is not None


_TOKEN_UNSPACED = re.compile(f"[{_UNSPACED}]")


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
