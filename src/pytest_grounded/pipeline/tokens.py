"""The words of a text in the order in which they stand, function words included, as an alignment compares them.

`terms` says which words count; here is where they stand: their place, their clause, whether they are written like a
name or a figure. `three` and `3`, `third` and `3rd` are compared as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounded.pipeline.terms import Folding, WordForm, word_set, words_in_order

__all__ = ["DETERMINERS", "Token", "initials", "tokens"]


class Token(NamedTuple):
    """A word as written in lower case, and its `key`: what it is compared by, empty for a function word.

    `clause` counts the clauses before it; `start` is its place in the text. (A tuple, as reading a chunk makes dozens
    and a frozen dataclass takes three times as long to make.)
    """

    text: str
    key: str
    start: int
    clause: int
    capital: bool
    figure: bool


@lru_cache(maxsize=8_192)
def tokens(text: str, form: Folding = WordForm.ROOT) -> tuple[Token, ...]:
    """The words of a text, the first few hundred of a very long one.

    >>> [(token.key, token.clause) for token in tokens("It opened in 1226, but three cars wait.") if token.key]
    [('open', 0), ('1226', 0), ('3', 1), ('car', 1), ('wait', 1)]
    >>> [token.key for token in tokens("酒店限额是180元")]
    ['酒店', '店限', '限额', '180', '元']
    """
    found: list[Token] = []
    end = clause = 0
    for match in _WORD.finditer(text):
        written = match.group()
        start = match.start()
        lower = written.lower().replace("\u2019", "'")
        keys, figure = _read(lower, form)
        between = text[end:start]
        if lower in _CLAUSE_WORDS or (between != " " and _CLAUSE_END.search(between)):
            clause += 1
        end = match.end()
        capital = written[0].isupper()
        found += [Token(lower, key, start, clause, capital, figure) for key in keys]
        if len(found) >= _MOST_TOKENS:
            break
    return tuple(found[:_MOST_TOKENS])


_MOST_TOKENS = 400
_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:[.,:'\u2019][^\W_{_UNSPACED}]+)*")
_CLAUSE_END = re.compile(r"[,;:()\"\u201c\u201d\u2013\u2014，；：（）、]")
_CLAUSE_WORDS = word_set("but while which who where although though because when whereas however whose that if and")
DETERMINERS = word_set("the a an this that these those its their his her our your my")
_IN_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty"""
_NUMBERS: Mapping[str, str] = {word: str(value) for value, word in enumerate(_IN_WORDS.split())}
_IN_ORDER = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS: Mapping[str, str] = {word: f"{value}th" for value, word in enumerate(_IN_ORDER.split())}
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")


@lru_cache(maxsize=65_536)
def _read(lower: str, form: Folding) -> tuple[Sequence[str], bool]:
    """What a word is compared by, and whether it is a figure."""
    return _keys(lower, form), lower in _NUMBERS or any(character.isdigit() for character in lower)


def _keys(lower: str, form: Folding) -> Sequence[str]:
    """What a word is compared by; a run without spaces has several, a function word one that is empty."""
    bare = lower.removesuffix("'s")
    if bare in _NUMBERS:
        return (_NUMBERS[bare],)
    if bare in _ORDINALS:
        return (_ORDINALS[bare],)
    if (ordinal := _ORDINAL.fullmatch(bare)) is not None:
        return (f"{ordinal[1]}th",)
    if _GROUPED.fullmatch(bare):
        return (bare.replace(",", ""),)
    return words_in_order(bare, form) or ("",)


def initials(words: Sequence[Token]) -> Mapping[str, tuple[int, ...]]:
    """The abbreviations that runs of capitalised words may have, each with the places of its words.

    >>> sorted(initials(tokens("The law of the European Union"))), sorted(initials(tokens("the Bank of Basel")))
    (['eu'], ['bb'])
    """
    found: dict[str, tuple[int, ...]] = {}
    for run in _capital_runs(words):
        for first in range(len(run)):
            for last in range(first + _SHORTEST, min(len(run), first + _LONGEST) + 1):
                places = tuple(run[first:last])
                found.setdefault("".join(words[place].text[0] for place in places), places)
    return found


_SHORTEST, _LONGEST = 2, 5
_INSIDE_NAMES = word_set("of and the")


def _capital_runs(words: Sequence[Token]) -> Iterator[list[int]]:
    run: list[int] = []
    for place, word in enumerate(words):
        if word.capital and word.key:
            run.append(place)
        elif word.text not in _INSIDE_NAMES:
            if len(run) >= _SHORTEST:
                yield run
            run = []
    if len(run) >= _SHORTEST:
        yield run
