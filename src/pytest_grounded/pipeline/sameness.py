"""When one chunk only repeats another: nearly the same words, and nothing that makes it another statement.

Shared words alone are not enough: "the rate is $0.60" and "the rate is $0.65" share almost all of theirs.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.terms import WordForm, terms
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.quantities import Match, best_match, find_quantities
from pytest_grounded.text.words import jaccard

__all__ = ["Repeats", "denies", "near_duplicates", "plain_words", "states_the_same"]


def near_duplicates(left: Chunk, right: Chunk, *, threshold: float) -> bool:
    """Whether one of two chunks adds nothing to the other.

    >>> fee = Chunk(id="a", text="The visa fee cap is $100 per trip.")
    >>> near_duplicates(fee, Chunk(id="b", text="The cap of the visa fee is $100 per trip."), threshold=0.7)
    True
    >>> near_duplicates(fee, Chunk(id="c", text="The visa fee cap is $160 per trip."), threshold=0.7)
    False
    """
    return _share_enough(plain_words(left), plain_words(right), threshold) and states_the_same(left, right)


def _share_enough(left: frozenset[str], right: frozenset[str], threshold: float) -> bool:
    few, many = (len(left), len(right)) if len(left) <= len(right) else (len(right), len(left))
    if few < threshold * many:  # too unequal in length to share as much; spares the comparison
        return False
    return jaccard(left, right) >= threshold


class Repeats:
    """Chunks in order, of which each is asked whether it only repeats one before it.

    A chunk that holds a word of `asked` which the other lacks does not only repeat it: of two cities with one limit
    each may be asked about.
    """

    def __init__(self, threshold: float, *, asked: frozenset[str] = frozenset()) -> None:
        self._threshold = threshold
        self._asked = asked
        self._seen: list[tuple[Chunk, frozenset[str]]] = []
        self._held = _Held(bits=0, size=0)
        self._looked_at: tuple[Chunk, _Wording, _Held] | None = None

    def add(self, chunk: Chunk) -> None:
        """Take a chunk for one that others may repeat."""
        wording, self._held = self._look_at(chunk)
        self._seen.append((chunk, wording.words))

    def repeated_by(self, chunk: Chunk) -> Chunk | None:
        """The first chunk that another one only repeats.

        >>> seen = Repeats(0.7)
        >>> seen.add(Chunk(id="a", text="The visa fee cap is $100 per trip."))
        >>> seen.repeated_by(Chunk(id="b", text="The cap of the visa fee is $100 per trip.")).id
        'a'
        """
        wording, with_it = self._look_at(chunk)
        words, lacking = wording.words, with_it.size - self._held.size
        if lacking > _may_lack(len(words), self._threshold):  # all of them together hold too little
            return None
        asked = words & self._asked
        telling = _telling(words, self._threshold)
        for other, theirs in self._seen:
            if theirs.isdisjoint(telling) and self._threshold:
                continue
            if asked <= theirs and _share_enough(theirs, words, self._threshold) and states_the_same(other, chunk):
                return other
        return None

    def _look_at(self, chunk: Chunk) -> tuple[_Wording, _Held]:
        """The words of a chunk, and what is held with it; kept until another is looked at, as it is asked and added."""
        if self._looked_at is None or self._looked_at[0] is not chunk:
            wording = _wording(chunk.text)
            bits = self._held.bits | wording.bits
            self._looked_at = (chunk, wording, _Held(bits=bits, size=bits.bit_count()))
        return self._looked_at[1:]


class _Held(NamedTuple):
    """The bits of the words that some chunks hold, and how many they are."""

    bits: int
    size: int


class _Wording(NamedTuple):
    """The words of a text, and a bit for each: bits that another text lacks are at most as many as words that it lacks.

    That holds whichever bit a word has, so nothing that is decided depends on the seed of hashes.
    """

    words: frozenset[str]
    bits: int


@lru_cache(maxsize=8_192)
def _wording(text: str) -> _Wording:
    words = terms(text, WordForm.PLAIN)
    bits = bytearray(_BITS // 8)
    for word in words:
        place = hash(word) % _BITS
        bits[place >> 3] |= 1 << (place & 7)
    return _Wording(words, int.from_bytes(bits, "little"))


_BITS = 8_192


@lru_cache(maxsize=1_024)
def _may_lack(words: int, threshold: float) -> float:
    """How many of its words a near-duplicate may lack."""
    return words - round(threshold * words, 6)


def _telling(words: frozenset[str], threshold: float) -> list[str]:
    """Words of which any near-duplicate holds one: it lacks so few that it cannot lack all of these.

    Long words, as the fewest texts hold them.
    """
    may_lack = math.floor(round((1 - threshold) * len(words), 6))
    return sorted(words, key=len, reverse=True)[: may_lack + 1]


def plain_words(chunk: Chunk) -> frozenset[str]:
    """What two chunks are compared by: the distinct content words of the text, plurals folded."""
    return terms(chunk.text, WordForm.PLAIN)


def states_the_same(left: Chunk, right: Chunk) -> bool:
    """Whether two chunks agree in facts, numbers, negations, exceptions and in what they apply to."""
    return (
        left.scope == right.scope
        and _facts_agree(left, right)
        and _quantities_within(left, right)
        and _quantities_within(right, left)
        and _polarity(left) == _polarity(right)
    )


def _facts_agree(left: Chunk, right: Chunk) -> bool:
    known = {fact.key: fact.value for fact in left.facts}
    return all(known.get(fact.key, fact.value) == fact.value for fact in right.facts)


def _quantities_within(part: Chunk, whole: Chunk) -> bool:
    sources = find_quantities(whole.text, lang=whole.lang, incidental=True)
    return all(best_match(stated, sources)[0] is Match.EQUAL for stated in find_quantities(part.text, lang=part.lang))


def _polarity(chunk: Chunk) -> tuple[bool, bool]:
    profile = polarity_profile(chunk.text, lang=chunk.lang)
    return denies(profile), bool(profile.exceptions)


def denies(profile: PolarityProfile) -> bool:
    """Whether a text with this profile denies or prohibits something.

    >>> denies(polarity_profile("Remote work is not allowed.")), denies(polarity_profile("Remote work is allowed."))
    (True, False)
    """
    return bool(profile.negations) or "prohibition" in profile.modals
