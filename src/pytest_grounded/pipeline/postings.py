"""An index of one set of texts: which of them hold a word, how often, and what that is worth under BM25.

What a word is worth in a text does not depend on the question, so it is computed once and then only added up (eager
scoring, Lu 2024): a question costs as many additions as there are texts with its words. The formula is that of
Robertson and Zaragoza 2009 with SQLite's constants, `k1 = 1.2` and `b = 0.75`.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nlargest

__all__ = ["K1", "Postings"]

K1, _B = 1.2, 0.75
_SMALLEST_BACKGROUND = 128
_LEAST_WEIGHT = 1e-6


class Postings:
    """Texts as sequences of words, numbered from 0.

    Beside them stands a background of at least as many texts of average length that hold no word of any question:
    BM25's weight of a word in more than half the texts is zero or negative, and in a small corpus most words are.

    >>> postings = Postings([("hotel", "limit"), ("meal",)])
    >>> postings.frequency("hotel"), [text for text, _ in postings.best(["hotel"], 5)]
    (1, [0])
    """

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._texts: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("I")
        for number, words in enumerate(texts):
            self._lengths.append(len(words))
            for word, count in Counter(words).items():
                self._texts.setdefault(word, array("I")).append(number)
                self._counts.setdefault(word, array("I")).append(count)
        self._worth: dict[str, array[float]] = {}
        average = max(1, round(sum(self._lengths) / max(1, len(self._lengths))))
        background = max(_SMALLEST_BACKGROUND, len(self._lengths) + 1)
        self._in_all = len(self._lengths) + background
        self._average = (sum(self._lengths) + average * background) / self._in_all

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, word: str) -> bool:
        return word in self._texts

    @property
    def words(self) -> Iterable[str]:
        """Every word, in order of first appearance."""
        return self._texts

    def frequency(self, word: str) -> int:
        """How many texts hold a word."""
        return len(self._texts.get(word, ()))

    def weight(self, word: str) -> float:
        """How telling a word is: its inverse document frequency."""
        holding = self.frequency(word)
        return max(_LEAST_WEIGHT, math.log((self._in_all - holding + 0.5) / (holding + 0.5)))

    def best(self, words: Iterable[str], limit: int) -> list[tuple[int, float]]:
        """The best texts for some words with their scores; equal ones by number."""
        scores = self._scores([word for word in words if word in self._texts])
        least = _least_of_best(scores.values(), limit)
        good = [(text, score) for text, score in scores.items() if score >= least]
        return sorted(good, key=lambda one: (-one[1], one[0]))[:limit]

    def _scores(self, words: Sequence[str]) -> Mapping[int, float]:
        scores: dict[int, float] = {}
        for word in words:
            held = zip(self._texts[word], self._worth_of(word), strict=True)
            if not scores:
                scores = dict(held)
                continue
            known = scores.get
            for text, worth in held:
                scores[text] = known(text, 0.0) + worth
        return scores

    def _worth_of(self, word: str) -> array[float]:
        """What a word adds to the score of each text that holds it."""
        worth = self._worth.get(word)
        if worth is None:
            weight, lengths, average = self.weight(word), self._lengths, self._average
            counted = zip(self._texts[word], self._counts[word], strict=True)
            values = (
                weight * (count * (K1 + 1)) / (count + K1 * (1 - _B + _B * lengths[text] / average))
                for text, count in counted
            )
            worth = self._worth[word] = array("d", values)
        return worth


def _least_of_best(scores: Collection[float], limit: int) -> float:
    """The smallest of the highest scores; few scores are sorted, which is faster than to look for the highest."""
    if len(scores) <= limit:
        return min(scores, default=0.0)
    if len(scores) <= _FEW:
        return sorted(scores, reverse=True)[limit - 1]
    return min(nlargest(limit, scores))


_FEW = 1_000
