"""What a change of word order does to a sentence: nothing, or it makes somebody else do it to somebody else.

"The director approves the manager's trips" and "The manager approves the director's trips" have the same words. Two
texts with the same words are compared by what changed places in them: the items of a list may, a clause may move to the
front, but the two ends of a verb or of a comparison may not. Nothing is parsed; what is not one of these is `OTHER`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import UNSPACED, spelled_out, unmarked
from pytest_grounded.text.tracing import compatible
from pytest_grounded.text.wordlists import listed
from pytest_grounded.text.words import STOP_WORDS, stem

__all__ = ["Order", "Reordering", "Word", "compare_order", "order_words", "windows"]


class Order(StrEnum):
    """How the words of one text stand in another that has the same."""

    SAME = "same"
    MOVED = "moved"
    """A part moved past the one beside it, as an adverbial or a clause does, or items of a list changed places."""
    EXCHANGED = "exchanged"
    """Two parts changed places around what relates them."""
    OTHER = "other"
    """Anything else, and exchanges around what may be read either way: "A meets B"."""


class Word(NamedTuple):
    """A word as it is compared, and whether a comma or another mark stands before it."""

    key: str
    breaks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordering:
    """What became of the order; `first` and `second` are the parts that changed places, as they are compared."""

    order: Order
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()


_TOKEN = re.compile(rf"[{UNSPACED}]|['’]s\b|[^\W_{UNSPACED}]+(?:[.,:]\d+)*")
_ASCII_TOKEN = re.compile(r"'s\b|[A-Za-z0-9]+(?:[.,:][0-9]+)*")
_ARTICLES = frozenset({"the", "an", "The", "An", "a"})


@remembered(1_024)
def order_words(text: str) -> tuple[Word, ...]:
    """The words of a text in order, plurals folded and articles left out; characters where a script has no spaces.

    >>> [word.key for word in order_words("The manager's trips, and plan A")]
    ['manager', "'s", 'trip', 'and', 'plan', 'a']
    >>> [word.key for word in order_words("甲方付款")]
    ['甲', '方', '付', '款']
    """
    text = spelled_out(compatible(text))
    found: list[Word] = []
    end = 0
    is_first = True
    for match in (_ASCII_TOKEN if text.isascii() else _TOKEN).finditer(text):
        raw = match[0]
        start = match.start()
        breaks = end < start and not text[end:start].isspace()
        end = match.end()
        if raw in _ARTICLES or (raw == "A" and is_first and _is_article(text[end:])):
            is_first = False
            continue
        is_first = False
        found.append(_word(raw, breaks))
    return tuple(found)


@lru_cache(maxsize=8_192)
def _word(raw: str, breaks: bool) -> Word:  # noqa: FBT001  a cache key
    return Word("'s" if raw[0] in "'’" else stem(unmarked(raw.casefold())), breaks)


def _is_article(rest: str) -> bool:
    """Whether an "A" that opens a text belongs to a word behind it: "A new plan", and not "A is cheaper", "A, B"."""
    found = _NEXT_WORD.match(rest)
    return found is not None and found["word"] not in STOP_WORDS


_NEXT_WORD = re.compile(r"\s+(?P<word>[^\W\d_]+)")


def windows(claim: Sequence[Word], source: Sequence[Word], *, differing: int = 0) -> Iterator[Sequence[Word]]:
    """The stretches of a source as long as a claim with its words, all but `differing` of them, in whatever order.

    >>> claim, source = order_words("dogs bite men"), order_words("Often men bite dogs.")
    >>> [[word.key for word in window] for window in windows(claim, source)]
    [['men', 'bite', 'dog']]
    """
    size = len(claim)
    if not size or size > len(source):
        return
    counts: Counter[str] = Counter(word.key for word in claim)
    counts.subtract(word.key for word in source[:size])
    off = sum(map(abs, counts.values()))
    for start in range(len(source) - size + 1):
        if start:
            for key, step in ((source[start - 1].key, 1), (source[start + size - 1].key, -1)):
                off += abs(counts[key] + step) - abs(counts[key])
                counts[key] += step
        if off == 2 * differing:
            yield source[start : start + size]


def compare_order(claim: Sequence[Word], source: Sequence[Word]) -> Reordering:
    """What became of the order of a source's words in a claim that has the same ones.

    >>> def compared(claim, source):
    ...     found = compare_order(order_words(claim), order_words(source))
    ...     return found.order.value, " ".join(found.first), " ".join(found.second)
    >>> compared("Plan B is cheaper than plan A.", "Plan A is cheaper than plan B.")
    ('exchanged', 'plan a', 'plan b')
    >>> compared("Pears, plums and apples are sold.", "Apples, plums and pears are sold.")
    ('moved', 'apple', 'pear')
    >>> compared("In June the office opens.", "The office opens in June.")[0], compared("I met Ann.", "Ann met I.")[0]
    ('moved', 'other')
    """
    ours, theirs = [word.key for word in claim], [word.key for word in source]
    if ours == theirs:
        return Reordering(order=Order.SAME)
    before = _common(ours, theirs)
    behind = _common(ours[before:][::-1], theirs[before:][::-1])
    end = len(ours) - behind
    exchange = _exchange(ours[before:end], theirs[before:end])
    if exchange is None:
        return Reordering(order=Order.OTHER)
    first, second = exchange
    return _judged(source, (before, before + first), (end - second, end))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with alike."""
    for place, (left, right) in enumerate(zip(one, other, strict=True)):
        if left != right:
            return place
    return len(one)


_LONGEST_EXCHANGE = 80


def _exchange(ours: list[str], theirs: list[str]) -> tuple[int, int] | None:
    """How many words of the source's beginning and of its end changed places; None where that is not what happened."""
    size = len(theirs)
    if size > _LONGEST_EXCHANGE:
        return None
    for first in range(1, size):
        if ours[size - first :] != theirs[:first]:
            continue
        for second in range(1, size - first + 1):
            is_end = ours[:second] == theirs[size - second :]
            if is_end and ours[second : size - first] == theirs[first : size - second]:
                return first, second
    return None


def _judged(source: Sequence[Word], first: tuple[int, int], second: tuple[int, int]) -> Reordering:
    keys = [word.key for word in source]
    first, second = _widened(keys, first, second)
    parts = {"first": tuple(keys[slice(*first)]), "second": tuple(keys[slice(*second)])}
    return Reordering(order=_order(source, keys, first, second), **parts)


def _widened(
    keys: list[str], first: tuple[int, int], second: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The parts with what stands beside both alike: "plan A" and "plan B", not "A" and "B"."""
    while first[1] < second[0] and second[1] < len(keys) and keys[first[1]] == keys[second[1]]:
        first, second = (first[0], first[1] + 1), (second[0], second[1] + 1)
    while (
        first[1] < second[0]
        and first[0] > 0
        and keys[second[0] - 1] == keys[first[0] - 1]
        and keys[first[0] - 1] not in _LED_BY
    ):
        first, second = (first[0] - 1, first[1]), (second[0] - 1, second[1])
    return first, second


_AND = listed("and or nor & und oder et ou y o e u ed och eller og en of i lub и или 和 与 與 及 或 跟 同 や と または")
_BE = listed("is are was were be been being 's means ist sind war waren est sont es son è sono 是 は")
_LED_BY = listed(
    """
    in on at by from to for with within without during before after until since under over through per via of as if when
    while because unless although once where into between among towards against upon
    nach im am auf bei beim mit von vom zu zum zur für über unter vor hinter durch gegen ohne um aus seit bis wegen laut
    gemäß dans en sur par pour avec sans sous chez depuis avant après selon aux contre vers entre
    con sin desde hasta según sobre bajo tras nel nella dal alla su fra secondo
    em nos nas com sem sob após naar bij voor van volgens tot sinds tijdens
    """
)
_LEADING = (_LED_BY | {"than", "of", "not", "no", "never"}) - {"with", "as", "while", "between", "among", "within"}
"""What stands between two things of which the first is something to the second that the second is not to it."""
_EITHER_WAY = listed(
    """
    equal same identical similar different differ differs meet meets met marry married near next beside alongside
    between adjacent opposite versus vs plus times like unlike match matches border borders neighbour neighbor
    sibling cousin friend colleague partner parallel together jointly compatible correspond corresponds
    interchangeable resemble other resembles agree agrees share shares combine combined mix touch touches mutual
    mutually related equivalent linked connected close comparable far separated joined attached alike coincide
    coincides intersect intersects overlap overlaps cooperate cooperates collaborate collaborates
    """
)
_GERMAN_ARTICLES = listed("der die das den dem des ein eine einen einem einer eines")
_REPLACING = re.compile(r"replac|substitut|swap|exchang|compar|suppl|provid")
_IN_ORDER = listed("respectively respektive jeweils respectivement respectivamente rispettivamente respectievelijk")


def _order(source: Sequence[Word], keys: list[str], first: tuple[int, int], second: tuple[int, int]) -> Order:
    between = keys[first[1] : second[0]]
    is_counted_off = not _IN_ORDER.isdisjoint(keys)
    if _is_list(source, keys, first, second):
        return Order.EXCHANGED if is_counted_off else Order.MOVED
    one, other = keys[slice(*first)], keys[slice(*second)]
    if between == ["to"] and "distance" in keys[: first[0]]:
        return Order.OTHER
    if not between:
        return Order.OTHER if is_counted_off else Order.MOVED
    led = [part[0] in _LED_BY for part in (one, other)]
    if any(led):
        return Order.MOVED if all(led) else Order.OTHER
    if {one[0], other[0]} <= _GERMAN_ARTICLES and one[0] != other[0]:
        return Order.MOVED  # "den Antrag stellt der Mieter": each keeps its case
    if not (_says_something(one) and _says_something(other)) or _may_be_read_either_way(one, between, other):
        return Order.OTHER
    return Order.EXCHANGED


def _is_list(source: Sequence[Word], keys: list[str], first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether the parts are items of one list: a comma or an "and" stands behind the first and before the second."""
    behind = first[1] < second[0] and (source[first[1]].breaks or keys[first[1]] in _AND)
    return behind and (source[second[0]].breaks or keys[second[0] - 1] in _AND)


def _says_something(part: Sequence[str]) -> bool:
    return any(len(key) == 1 or key not in STOP_WORDS for key in part if key not in _AND and key not in _BE)


def _may_be_read_either_way(one: Sequence[str], between: Sequence[str], other: Sequence[str]) -> bool:
    if all(key in _BE or key in STOP_WORDS for key in between) and _LEADING.isdisjoint(between):
        return True  # "Paris is the capital", "the capital is Paris"
    if between.count("as") > 1 or not _EITHER_WAY.isdisjoint(between):
        return True
    if "with" in between and not any(_REPLACING.match(key) for key in between):
        return True
    return all(part[-1].endswith("ly") for part in (one, other))
