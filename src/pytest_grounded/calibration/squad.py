"""What are SQuAD 2.0's own scores (Rajpurkar et al. 2018)? And the best no-answer threshold that can be reached.

Its text normalisation is for its own answers only: it turns 0.65 into 065 and 1.80 into 180.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import Number, exact_sum, numbers, share

__all__ = ["BestAnswering", "SquadItem", "SquadPair", "SquadThresholds", "squad_best_threshold", "squad_pair"]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadPair:
    """Exact match and token F1 of one prediction."""

    exact: int
    f1: float


def squad_pair(prediction: str, golds: Sequence[str]) -> SquadPair:
    """Exact match and best token F1 over the references, after the official normalisation.

    Lower case, no ASCII punctuation, no articles, single spaces. No reference, or only ones that normalise to
    nothing, means unanswerable: both scores are 1 iff the prediction is empty too.

    >>> squad_pair("The $180, per night!", ["180 per night"])
    SquadPair(exact=1, f1=1.0)
    >>> squad_pair("260", []).f1
    0.0
    """
    predicted = _tokens(prediction)
    references = [tokens for gold in golds if (tokens := _tokens(gold))] or [[]]
    return SquadPair(
        exact=int(any(predicted == reference for reference in references)),
        f1=float(max(_f1(predicted, reference) for reference in references)),
    )


def _tokens(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def _f1(predicted: Sequence[str], reference: Sequence[str]) -> Fraction:
    if not predicted or not reference:
        return Fraction(predicted == reference)
    shared = sum((Counter(predicted) & Counter(reference)).values())
    return Fraction(2 * shared, len(predicted) + len(reference))


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadItem:
    """One question: the system's probability of no answer, whether there is one, and what its text would score.

    Any score that rises with "no answer" serves as `na_prob`, a difference of logits too.
    `answered`: the predicted text is not empty. A missing prediction has `na_prob` and `score` None.
    """

    na_prob: Number | None
    has_answer: bool
    answered: bool
    score: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestAnswering:
    """The best share of the score and where it is reached; None as threshold answers nothing."""

    best: float | None
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadThresholds:
    """What the official scan reports, and the best that a threshold can reach."""

    official: BestAnswering
    realizable: BestAnswering
    n_missing: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def squad_best_threshold(items: Sequence[SquadItem]) -> SquadThresholds:
    """The best threshold on the probability of no answer, by the official scan and over whole tie groups.

    The official scan adds one question at a time, so it can stop inside a group of equal probabilities and report a
    score that no threshold reaches; it also passes over missing predictions. The realizable one answers iff
    na_prob <= threshold, over distinct values, and counts a missing prediction as a failure. Of equal scores the
    lowest threshold is reported.

    >>> tied = [
    ...     SquadItem(na_prob=0.4, has_answer=has, answered=True, score=int(has)) for has in (True, False, False)
    ... ]
    >>> found = squad_best_threshold(tied)
    >>> found.official.best, round(found.realizable.best, 3), found.realizable.threshold
    (1.0, 0.667, None)
    """
    present = [
        (item, item.na_prob, item.score) for item in items if item.na_prob is not None and item.score is not None
    ]
    values = numbers("na_prob", [na_prob for _, na_prob, _ in present])
    gains = [_gain(item, share(f"score[{place}]", score)) for place, (item, _, score) in enumerate(present)]
    if not items:
        nothing = BestAnswering(best=None, threshold=None)
        return SquadThresholds(
            official=nothing, realizable=nothing, n_missing=0, undefined={"best": "there are no questions"}
        )
    ordered = sorted(zip(values, gains, strict=True), key=lambda pair: pair[0])
    unanswerable = Fraction(sum(not item.has_answer for item in items))
    reached = Fraction(sum(not item.has_answer for item, *_ in present))
    by_value: dict[float, list[Fraction]] = {}
    for value, gain in ordered:
        by_value.setdefault(value, []).append(gain)
    steps = [(value, exact_sum(group)) for value, group in by_value.items()]
    official = _scan(ordered, unanswerable, len(present), 0.0)
    return SquadThresholds(
        official=official,
        realizable=_scan(steps, reached, len(items), None),
        n_missing=len(items) - len(present),
    )


def _gain(item: SquadItem, score: Fraction) -> Fraction:
    """What answering this question adds to a score that already counts every refusal of an unanswerable one."""
    return score if item.has_answer else Fraction(-1 if item.answered else 0)


def _scan(steps: Sequence[tuple[float, Fraction]], score: Fraction, n: int, start: float | None) -> BestAnswering:
    best, threshold = score, start
    for value, gain in steps:
        score += gain
        if score > best:
            best, threshold = score, value
    return BestAnswering(best=float(best / n) if n else None, threshold=threshold)
