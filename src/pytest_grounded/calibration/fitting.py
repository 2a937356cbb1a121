"""Which probability does a score stand for? Maps fitted from labelled cases, and their correction for another mix.

Platt's two parameters serve below some hundreds of cases, the isotonic map above (a rule of thumb). Fit on other cases
than those the threshold is chosen on, or cross-fit. The isotonic map makes ties, so thresholds are swept over the raw
score.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import (
    CalibrationError,
    Number,
    exact,
    exact_sum,
    labels,
    numbers,
    same_length,
    share,
)

__all__ = ["IsotonicMap", "PlattMap", "correct_odds", "fit_isotonic", "fit_platt"]

_STEPS = 200
_CONVERGED = 1e-12
_RIDGE = 1e-12
_ROUNDING = 1e-14
_SUFFICIENT = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class IsotonicMap:
    """A rising step map: distinct inputs ascending, and what is fitted at each; linear in between, flat outside."""

    x: tuple[float, ...]
    fitted: tuple[float, ...]

    def probability(self, score: float) -> float:
        """The fitted value of a score."""
        if not self.x:
            raise CalibrationError("an isotonic map of no cases has no values (fit it on labelled cases)")
        place = bisect_left(self.x, score)
        if place == len(self.x) or (place == 0 and score <= self.x[0]) or self.x[place] == score:
            return self.fitted[min(place, len(self.x) - 1)]
        left, right = self.x[place - 1], self.x[place]
        low, high = self.fitted[place - 1], self.fitted[place]
        return low + (high - low) * (score - left) / (right - left)


def fit_isotonic(x: Sequence[Number], y: Sequence[Number]) -> IsotonicMap:
    """The rising map nearest to y in squares, by pooling adjacent violators (Ayer et al. 1955).

    Inputs of equal x are averaged first; sums are exact, so the order of the rows does not matter.

    >>> fit_isotonic([0.1, 0.5, 0.9], [1, 0, 1]).fitted
    (0.5, 0.5, 1.0)
    """
    same_length(x=x, y=y)
    by_input: dict[float, list[Fraction]] = {}
    for place, value in zip(numbers("x", x), numbers("y", y), strict=True):
        by_input.setdefault(place, []).append(exact(value))
    ordered = sorted(by_input)
    blocks: list[tuple[Fraction, int, int]] = []  # sum, cases, inputs
    for place in ordered:
        total, n, inputs = exact_sum(by_input[place]), len(by_input[place]), 1
        while blocks and blocks[-1][0] * n >= total * blocks[-1][1]:
            before = blocks.pop()
            total, n, inputs = total + before[0], n + before[1], inputs + before[2]
        blocks.append((total, n, inputs))
    fitted = [float(total / n) for total, n, inputs in blocks for _ in range(inputs)]
    return IsotonicMap(x=tuple(ordered), fitted=tuple(fitted))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlattMap:
    """p = 1 / (1 + exp(a s + b)); a is negative where higher scores are better. None where it could not be fitted."""

    a: float | None
    b: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)

    def probability(self, score: float) -> float:
        """The fitted probability of a score."""
        if self.a is None or self.b is None:
            raise CalibrationError(f"the Platt map has no values: {self.undefined.get('a', 'not fitted')}")
        return _logistic(-(self.a * score + self.b))


def fit_platt(scores: Sequence[Number], outcomes: Sequence[object]) -> PlattMap:
    """Platt's scaling (1999) with its smoothed targets, by Newton's method with step halving (Lin et al. 2007).

    Targets are (P + 1)/(P + 2) and 1/(N + 2) for P right and N wrong cases. Refused, as None with a reason, where
    only one outcome occurs or all scores are equal. The order of the rows does not matter.

    >>> found = fit_platt([0.1, 0.4, 0.6, 0.9], [0, 1, 0, 1])
    >>> found.a < 0, round(found.probability(0.5), 2)
    (True, 0.5)
    """
    same_length(scores=scores, outcomes=outcomes)
    found = sorted(zip(numbers("scores", scores), labels("outcomes", outcomes), strict=True))
    right = sum(y for _, y in found)
    wrong = len(found) - right
    if not right or not wrong:
        return _no_platt(
            f"all {len(found)} cases are {'right' if right else 'wrong'}" if found else "there are no cases"
        )
    if found[0][0] == found[-1][0]:
        return _no_platt("all scores are equal")
    targets = ((1 / (wrong + 2)), (right + 1) / (right + 2))
    # Centred and scaled, so that scores of any size are fitted alike.
    centre = math.fsum(s for s, _ in found) / len(found)
    spread = max(abs(s - centre) for s, _ in found)
    data = [((s - centre) / spread, targets[y]) for s, y in found]
    a, b = _newton(data, math.log((wrong + 1) / (right + 1)))
    return PlattMap(a=a / spread, b=b - a * centre / spread)


def _no_platt(why: str) -> PlattMap:
    return PlattMap(a=None, b=None, undefined=dict.fromkeys(("a", "b"), why))


def _newton(data: list[tuple[float, float]], b: float) -> tuple[float, float]:
    a = 0.0
    value = _loss(data, a, b)
    for _ in range(_STEPS):
        terms = [(s, t, _logistic(-(a * s + b))) for s, t in data]
        g1 = math.fsum(s * (t - p) for s, t, p in terms)
        g2 = math.fsum(t - p for _, t, p in terms)
        h11 = math.fsum(s * s * p * (1 - p) for s, _, p in terms) + _RIDGE
        h22 = math.fsum(p * (1 - p) for _, _, p in terms) + _RIDGE
        h21 = math.fsum(s * p * (1 - p) for s, _, p in terms)
        determinant = h11 * h22 - h21 * h21
        da, db = -(h22 * g1 - h21 * g2) / determinant, -(h11 * g2 - h21 * g1) / determinant
        slope, step = g1 * da + g2 * db, 1.0
        # Near the optimum rounding hides what a step gains; it may lose as much as that.
        slack = _ROUNDING * abs(value)
        while (
            step > _CONVERGED and _loss(data, a + step * da, b + step * db) > value + _SUFFICIENT * step * slope + slack
        ):
            step /= 2
        if step <= _CONVERGED or max(abs(da), abs(db)) < _CONVERGED * max(1.0, abs(a), abs(b)):
            return a, b
        a, b = a + step * da, b + step * db
        value = _loss(data, a, b)
    return a, b


def _loss(data: list[tuple[float, float]], a: float, b: float) -> float:
    return math.fsum(
        t * f + math.log1p(math.exp(-f)) if (f := a * s + b) >= 0 else (t - 1) * f + math.log1p(math.exp(f))
        for s, t in data
    )


def _logistic(value: float) -> float:
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    odds = math.exp(value)
    return odds / (1 + odds)


def correct_odds(probability: Number, *, source_share: Number, target_share: Number) -> float:
    """A calibrated probability under another share of answerable queries (Saerens et al. 2002).

    odds' = odds * [t / (1 - t)] / [s / (1 - s)]. Assumes that only the share differs and the scores of answerable and
    of other queries are distributed as before. Shares strictly between 0 and 1.

    >>> round(correct_odds(0.5, source_share=0.5, target_share=0.8), 3)
    0.8
    """
    p = share("probability", probability)
    source = share("source_share", source_share, open_ended=True)
    target = share("target_share", target_share, open_ended=True)
    right = p * target * (1 - source)
    wrong = (1 - p) * (1 - target) * source
    return float(right / (right + wrong))
