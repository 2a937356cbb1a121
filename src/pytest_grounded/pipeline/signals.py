"""What speaks for a passage answering a question, and what against it: one number each, without a model.

The words of a question stand in a passage far more often than its answer does. Where people ask what a text does not
answer, they take a sentence of it and change one thing: another name or figure, an opposite, a denial, another object
behind the same preposition, something of another kind. Each signal looks for one such trace. The weights that join
them are in `confidence`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from pytest_grounded.pipeline.alignment import Alignment, Asked, Comparison
from pytest_grounded.pipeline.question import PREPOSITIONS
from pytest_grounded.pipeline.terms import root, word_set
from pytest_grounded.pipeline.tokens import DETERMINERS, Token
from pytest_grounded.text.opposites import reversed_words
from pytest_grounded.text.polarity import negations
from pytest_grounded.text.siblings import replaced_words

__all__ = ["SIGNALS", "Fit"]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """A passage beside the question, with what several signals ask of it."""

    comparison: Comparison
    alignment: Alignment

    @property
    def core(self) -> tuple[Asked, ...]:
        """The words a passage has to hold to be about the question."""
        return self.comparison.core

    @cached_property
    def unmet(self) -> tuple[Asked, ...]:
        """Those of them that do not stand in the passage."""
        return tuple(word for word in self.core if word.place not in self.alignment.held)

    @property
    def said(self) -> AbstractSet[str]:
        """The words of the passage as written."""
        return self.alignment.spots.keys()

    @property
    def asked_words(self) -> frozenset[str]:
        """The words of the question as written."""
        return self.comparison.said

    @property
    def kind(self) -> str | None:
        """What kind of answer is asked for, where the question says it."""
        return _kind(self.comparison.question.text)

    @property
    def candidates(self) -> Iterator[int]:
        """The places of the passage that could be the answer: of the kind asked for, and not from the question."""
        matched, asked, kind = self.alignment.matched, self.asked_words, self.kind
        could = _COULD_BE.get(kind or "", _has_key)
        for place, word in enumerate(self.alignment.words):
            if place in matched or word.text in asked or (place == 0 and kind == "who" and word.key):
                continue
            if could(word):
                yield place

    @cached_property
    def vicinity(self) -> tuple[int, ...]:
        """The places that count near those where the question's words stand."""
        matched = self.alignment.matched
        if not matched:
            return ()
        words = self.alignment.words
        near = range(max(0, min(matched) - _VICINITY), min(len(words), max(matched) + _VICINITY + 1))
        return tuple(place for place in near if words[place].key)

    def strangers(self, places: tuple[int, ...], step: int) -> Iterator[Token]:
        """The words that count before (-1) or behind (1) some places, and are none of the question's."""
        words, matched = self.alignment.words, self.alignment.matched
        for place in places:
            beside = place + step
            if 0 <= beside < len(words) and words[beside].key and beside not in matched:
                yield words[beside]


_VICINITY = 6
_ASKS = (
    (
        "time",
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:years?|century|dates?|day|month|time|era|period|decade|season)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "figure",
        re.compile(r"\bhow (?:many|much|long|far|high|big|large|old|tall|wide|deep|often|fast)\b", re.IGNORECASE),
    ),
    ("who", re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE)),
)
_TIME = re.compile(
    r"\d|(?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december|centur(?:y|ies)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|decades?|years?|spring|summer|"
    r"autumn|winter|period|today|before|after|during|until|when|while|since|within|always|once)$"
)
_FIGURE = re.compile(
    r"\d|(?:thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundreds?|thousands?|millions?|billions?|half|"
    r"quarter|thirds?|several|many|few|twice|majority|most|all|no|none|both|single|double|couple|percent)$"
)


@lru_cache(maxsize=1_024)
def _kind(question: str) -> str | None:
    return next((name for name, asks in _ASKS if asks.search(question)), None)


def _has_key(word: Token) -> bool:
    return bool(word.key)


def _time_like(word: Token) -> bool:
    return _TIME.match(word.text) is not None


def _figure_like(word: Token) -> bool:
    return word.figure or _FIGURE.match(word.text) is not None


_PERSONS = word_set("i you we they he she your our")


def _name_like(word: Token) -> bool:
    return (word.capital and bool(word.key)) or word.text in _PERSONS


_COULD_BE: Mapping[str, Callable[[Token], bool]] = {
    "time": _time_like,
    "figure": _figure_like,
    "who": _name_like,
}
_FEW, _LONG = 3, 7


def _few(count: int, most: int = _FEW) -> float:
    return min(most, count) / most


# --- of the question ---------------------------------------------------------------------------------------------


def _denies(fit: Fit) -> float:
    """The question denies something."""
    return float(bool(negations(fit.comparison.question.text)))


def _denies_known(fit: Fit) -> float:
    """How much of the question the passage holds, squared, where the question denies: then this says little."""
    return _around_squared(fit) * _denies(fit)


def _length(fit: Fit) -> float:
    """How many words of the question count, as a log."""
    return math.log(len(fit.comparison.asked))


def _asks_figure(fit: Fit) -> float:
    """A figure is asked for."""
    return float(fit.kind == "figure")


def _asks_which(fit: Fit) -> float:
    """One of a kind that is known is asked for, as those ask who have read the text: `which`."""
    return float("which" in fit.asked_words)


def _asks_other(fit: Fit) -> float:
    """What kind of answer is asked for cannot be told."""
    return float(fit.kind is None)


def _named(fit: Fit) -> float:
    """The question has a name."""
    return float(any(word.name for word in fit.comparison.asked))


def _chunk_share(fit: Fit) -> float:
    """The share of the question's words that the passage's chunk holds, each counting alike."""
    return fit.alignment.chunk_share


def _topic(fit: Fit) -> float:
    """How much of what the evidence talks about the question's words are."""
    return fit.comparison.topic


# --- of the passage ----------------------------------------------------------------------------------------------


def _own(fit: Fit) -> float:
    """The weighted share of the question's words that stand in the passage."""
    return fit.comparison.share(fit.alignment.held)


def _around(fit: Fit) -> float:
    """The same, where what stands before it or above it counts for less."""
    return fit.comparison.share(fit.alignment.around)


def _around_squared(fit: Fit) -> float:
    """The square of it: the last words that are missing weigh most."""
    return _around(fit) ** 2


def _whole(fit: Fit) -> float:
    """Every word that matters stands in the passage."""
    return float(not fit.unmet)


def _elsewhere(fit: Fit) -> float:
    """How many of them stand in another passage."""
    lost = (word for word in fit.unmet if word.place not in fit.alignment.near)
    return _few(sum(word.place in fit.comparison.found for word in lost))


def _reworded(fit: Fit) -> float:
    """How many missing words are short ones, which are put in other words more often than changed."""
    return _few(sum(len(word.text) < _LONG and not word.name and not word.figure for word in fit.unmet))


def _clauses(fit: Fit) -> Mapping[int, float]:
    """How much of the question each clause of the passage holds."""
    total = sum(word.weight for word in fit.comparison.asked) or 1.0
    shares: dict[int, float] = {}
    for word in fit.comparison.asked:
        places = fit.alignment.places.get(word.place, ())
        for clause in {fit.alignment.words[place].clause for place in places}:
            shares[clause] = shares.get(clause, 0.0) + word.weight * fit.alignment.held.get(word.place, 0.0) / total
    return shares


def _names_apart(fit: Fit) -> float:
    """The share of the question's names that stand neither in the passage nor around it."""
    names = fit.comparison.names
    apart = [word for word in names if word.place not in fit.alignment.around]
    return len(apart) / len(names) if names else 0.0


def _names_unmet(fit: Fit) -> float:
    """The share of the question's names that do not stand in the passage itself."""
    names = fit.comparison.names
    return sum(word.place not in fit.alignment.held for word in names) / len(names) if names else 0.0


def _other_figure(fit: Fit) -> float:
    """A figure of the question is missing and the passage has another one."""
    missing = any(word.figure and word.place not in fit.alignment.held for word in fit.comparison.asked)
    matched = fit.alignment.matched
    other = any(word.figure and place not in matched for place, word in enumerate(fit.alignment.words))
    return float(missing and other)


def _other_neighbour(fit: Fit) -> float:
    """How often a word of the question has another neighbour in the passage than in the question."""
    return _few(sum(True for _ in _replaced(fit)), 2)


def _other_name(fit: Fit) -> float:
    """How often a capitalised one stands in the place of a capitalised word of the question."""
    return _few(sum(left.capital and right.capital for left, right in _replaced(fit)), 2)


def _name_beside(fit: Fit) -> float:
    """How often a name that the question has not stands beside one that both have: `John` for `John Smith`."""
    words, matched = fit.alignment.words, fit.alignment.matched
    asked = fit.comparison.words
    shared = (fit.alignment.places.get(word.place, ()) for word in fit.comparison.asked if asked[word.place].capital)
    others = (_has_name_beside(words, matched, place) for places in shared for place in places)
    return _few(sum(others), 2)


def _has_name_beside(words: Sequence[Token], matched: frozenset[int], place: int) -> bool:
    """Whether a capitalised word that does not begin the passage stands beside a place, and is no match itself."""
    return any(
        0 < beside < len(words) and words[beside].capital and words[beside].key and beside not in matched
        for beside in (place - 1, place + 1)
    )


def _replaced(fit: Fit) -> Iterator[tuple[Token, Token]]:
    """Words of the question that stand beside one the passage holds, with what the passage has in their place."""
    words, places = fit.comparison.words, fit.alignment.places
    for left, right in pairwise(fit.comparison.asked):
        if right.place - left.place > 1 or not (left.core and right.core):
            continue
        if (left.place in places) == (right.place in places):
            continue
        if right.place in places:
            changed, other = left, next(fit.strangers(places[right.place], -1), None)
        else:
            changed, other = right, next(fit.strangers(places[left.place], 1), None)
        if other is not None:
            yield words[changed.place], other


def _other_object(fit: Fit) -> float:
    """How often another word stands behind a preposition that follows the same word: `the head of ...`."""
    return _few(sum(True for _ in _other_objects(fit)), 2)


def _other_objects(fit: Fit) -> Iterator[Token]:
    words, said, places = fit.comparison.words, fit.alignment.words, fit.alignment.places
    by_place = {word.place: word for word in fit.comparison.asked}
    for word in fit.comparison.asked:
        at = word.place + 1
        if word.place not in places or at >= len(words) or words[at].text not in PREPOSITIONS:
            continue
        wanted = next((by_place[place] for place in range(at + 1, at + 4) if place in by_place), None)
        if wanted is None or wanted.place in places:
            continue
        for place in places[word.place]:
            if place + 1 < len(said) and said[place + 1].text == words[at].text:
                behind = next((one for one in range(place + 2, min(len(said), place + 5)) if said[one].key), None)
                if behind is not None and behind not in fit.alignment.matched:
                    yield said[behind]
                    break


def _same_preposition(fit: Fit) -> float:
    """How many words stand behind the same preposition in both."""
    words, said = fit.comparison.words, fit.alignment.words
    same = 0
    for word in fit.comparison.asked:
        asked = _preposition(words, word.place)
        if asked is not None:
            same += any(_preposition(said, place) == asked for place in fit.alignment.places.get(word.place, ()))
    return _few(same, 2)


def _preposition(words: tuple[Token, ...], place: int) -> str | None:
    """The preposition before a word, over its article and at most three words that count."""
    for before in range(place - 1, max(-1, place - 5), -1):
        if words[before].text in PREPOSITIONS:
            return words[before].text
        if words[before].text not in DETERMINERS and not words[before].key:
            return None
    return None


def _opposite(fit: Fit) -> float:
    """How many words of the question have an opposite in the passage instead."""
    asked = [word.text for word in fit.comparison.words]
    return _few(len(reversed_words(asked, fit.said)), 2)


def _sibling(fit: Fit) -> float:
    """How many words of the question have another of their kind in the passage instead: `May` for `June`."""
    return _few(len(replaced_words([word.text for word in fit.comparison.asked], fit.said)), 2)


def _turned_down(fit: Fit) -> float:
    """The question has a word that says no by itself, like `rejected`, and the passage has not."""
    return float(any(word.key in _SAYS_NO and word.place not in fit.alignment.held for word in fit.comparison.asked))


_SAYS_NO = frozenset(
    root(word)
    for word in word_set(
        """reject refuse deny denies denied fail failed unable lack lacked avoid ignore oppose discourage destroy kill
        lose lost decline forbid forbidden prevent ban banned stop stopped abandon dislike hate disagree cease incapable
        incorrect unimportant besides except without instead hardly barely"""
    )
)


def _denied_alone(fit: Fit) -> float:
    """The question denies something and the passage denies nothing."""
    return float(bool(_denies(fit)) and not negations(fit.alignment.text))


def _clause_denied(fit: Fit) -> float:
    """How much of the question the clause that is most about it holds, squared, where it denies what is not denied."""
    shares = _clauses(fit)
    if not shares or _denies(fit):
        return 0.0
    closest = max(shares, key=lambda clause: (shares[clause], -clause))
    inside = [word.start for word in fit.alignment.words if word.clause == closest]
    denied = bool(negations(fit.alignment.text[inside[0] : inside[-1] + _LONGEST_DENIAL]))
    return shares[closest] ** 2 if denied else 0.0


_LONGEST_DENIAL = 12


def _superlative(fit: Fit) -> float:
    """The question has a superlative or a word like `only` that the passage has not."""
    return float(bool(_extremes(fit.asked_words) - fit.said))


@lru_cache(maxsize=1_024)
def _extremes(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if _EXTREME.match(word) and word not in _NO_EXTREME)


_EXTREME = re.compile(r"(?:most|least|only|ever|never|always|[^\W\d_]{3,}est)$")
_NO_EXTREME = word_set(
    """interest forest test request contest protest harvest guest honest invest conquest arrest everest manifest digest
    suggest chest northwest southwest northeast southeast latest modest priest quest"""
)


def _copied(fit: Fit) -> float:
    """The longest run of the question that stands word for word in the passage, as a share of the question."""
    spots = fit.alignment.spots
    longest = 0
    runs: Mapping[int, int] = {}
    for word in fit.comparison.words[:_LONGEST_COPY]:
        runs = {place: runs.get(place - 1, 0) + 1 for place in spots.get(word.text, ())}
        longest = max(longest, *runs.values()) if runs else longest
    return longest / len(fit.comparison.words)


_LONGEST_COPY = 60


def _dense(fit: Fit) -> float:
    """The share of the question's words among those that count near them in the passage."""
    near = fit.vicinity
    return sum(place in fit.alignment.matched for place in near) / len(near) if near else 0.0


def _kind_missing(fit: Fit) -> float:
    """Nothing of the kind asked for stands in the passage, besides what the question holds."""
    return float(next(fit.candidates, None) is None)


def _year_missing(fit: Fit) -> float:
    """A year is asked for, and the passage has none but those of the question."""
    if not _ASKS_YEAR.search(fit.comparison.question.text):
        return 0.0
    return float(not any(_YEAR.match(word) for word in fit.said - fit.asked_words))


_ASKS_YEAR = re.compile(r"\b(?:what|which) years?\b", re.IGNORECASE)
_YEAR = re.compile(r"\d{3,4}(?:'?s)?(?!\w)")


def _starts_late(fit: Fit) -> float:
    """How much of the passage stands before the first word of the question: what it begins with it is about."""
    matched = fit.alignment.matched
    return min(matched) / len(fit.alignment.words) if matched else 1.0


def _answer_far(fit: Fit) -> float:
    """How far the nearest possible answer is from a word of the question, as a log."""
    places = sorted(fit.alignment.matched)
    distances = (_distance(place, places) for place in fit.candidates) if places else ()
    nearest = min(distances, default=None)
    return _NOWHERE if nearest is None else math.log(1 + nearest)


_NOWHERE = 2.0


def _distance(place: int, places: Sequence[int]) -> int:
    """How far a place is from the nearest of some in order."""
    at = bisect(places, place)
    return min(abs(place - other) for other in places[max(0, at - 1) : at + 1])


def _focus_missing(fit: Fit) -> float:
    """The passage holds no word of the kind of thing asked for."""
    focus = [word for word in fit.comparison.asked if word.focus]
    return float(bool(focus) and not any(word.place in fit.alignment.held for word in focus))


SIGNALS: Mapping[str, Callable[[Fit], float]] = {
    "length": _length,
    "asks_figure": _asks_figure,
    "asks_which": _asks_which,
    "asks_other": _asks_other,
    "named": _named,
    "topic": _topic,
    "chunk_share": _chunk_share,
    "own": _own,
    "around": _around,
    "around_squared": _around_squared,
    "whole": _whole,
    "elsewhere": _elsewhere,
    "reworded": _reworded,
    "names_apart": _names_apart,
    "names_unmet": _names_unmet,
    "other_figure": _other_figure,
    "other_neighbour": _other_neighbour,
    "other_name": _other_name,
    "name_beside": _name_beside,
    "other_object": _other_object,
    "same_preposition": _same_preposition,
    "opposite": _opposite,
    "sibling": _sibling,
    "turned_down": _turned_down,
    "denied_alone": _denied_alone,
    "denies_known": _denies_known,
    "clause_denied": _clause_denied,
    "superlative": _superlative,
    "copied": _copied,
    "dense": _dense,
    "kind_missing": _kind_missing,
    "year_missing": _year_missing,
    "starts_late": _starts_late,
    "answer_far": _answer_far,
    "focus_missing": _focus_missing,
}
