"""Whether two sets of runs of an unstable system look alike: exact tests, corrected for their number, with their power.

Every comparison is of what a run showed as one of a few values (a decision, the tuple of cited ids). Two values are
compared by Fisher's exact test, more by a permutation test on the total variation between the two sides. Three answers
are possible: they differ, they are alike, or the runs are too few to tell.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from statistics import median

from pytest_grounded.calibration.comparison import holm
from pytest_grounded.calibration.intervals import fisher_exact

__all__ = [
    "ALPHA",
    "MIN_EFFECT",
    "POWER",
    "Alike",
    "Comparison",
    "compare",
    "fisher_power",
    "median_shift",
    "p_value",
    "total_variation",
]

ALPHA = 0.01
"""How often a system without a leak may be said to differ, over all comparisons of a case."""

MIN_EFFECT = 0.5
"""The share of runs in which a leak has to show to be worth the runs; a rarer one needs more of them."""

POWER = 0.8
"""How likely a leak of that size has to be found for its absence to count."""

_BASE_RATE = 0.02
_DRAWS = 9_999
_TWO = 2


class Alike(StrEnum):
    """What the runs say."""

    DIFFER = "differ"
    ALIKE = "alike"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The answer, with the adjusted p-value of every comparison and the power of the runs; the worst field first."""

    answer: Alike
    power: float
    runs: tuple[int, int]
    p_values: Mapping[str, float] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that differ."""
        return tuple(name for name, p in self.p_values.items() if p < ALPHA)


def compare(
    one: Mapping[str, Sequence[Hashable]],
    other: Mapping[str, Sequence[Hashable]],
    *,
    seed: int,
    min_effect: float = MIN_EFFECT,
) -> Comparison:
    """Compare two sides field by field, each field a value per run.

    They differ when one p-value is below alpha after Holm's correction. They are alike when none is below alpha
    uncorrected and the runs had power for `min_effect`; otherwise there are too few of them.

    >>> answers = {"reason_code": ["NO_EVIDENCE"] * 20}
    >>> compare(answers, answers, seed=1).answer.value
    'alike'
    >>> compare({"reason_code": ["NOT_AUTHORIZED"] * 20}, answers, seed=1).fields
    ('reason_code',)
    >>> compare({"reason_code": ["NOT_AUTHORIZED"] * 2 + ["NO_EVIDENCE"] * 8}, answers, seed=1).answer.value
    'too_few'
    """
    names = [name for name in one if len(set(one[name]) | set(other[name])) > 1]
    raw = [p_value(one[name], other[name], seed=seed) for name in names]
    adjusted = dict(sorted(zip(names, holm(raw), strict=True), key=lambda item: item[1]))
    runs = (_runs(one), _runs(other))
    power = fisher_power(min(runs), _BASE_RATE, min_effect)
    if any(p < ALPHA for p in adjusted.values()):
        answer = Alike.DIFFER
    elif power >= POWER and all(p >= ALPHA for p in raw):
        answer = Alike.ALIKE
    else:
        answer = Alike.TOO_FEW
    return Comparison(answer=answer, power=power, runs=runs, p_values=adjusted)


def _runs(side: Mapping[str, Sequence[Hashable]]) -> int:
    return min((len(values) for values in side.values()), default=0)


def p_value(one: Sequence[Hashable], other: Sequence[Hashable], *, seed: int) -> float:
    """The chance of a difference at least as large, if both sides were runs of one system.

    >>> p_value("aab", "aab", seed=1), round(p_value("aaaaa", "bbbbb", seed=1), 4)
    (1.0, 0.0079)
    """
    values = sorted(set(one) | set(other), key=repr)
    if len(values) < _TWO or not one or not other:
        return 1.0
    if len(values) == _TWO:
        first = values[0]
        left, right = list(one).count(first), list(other).count(first)
        return fisher_exact((left, len(one) - left), (right, len(other) - right))
    return _permuted(one, other, seed)


def total_variation(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Half the sum of the differences between the shares of every value: 0 for equal shares, 1 for none in common.

    >>> total_variation("aabb", "aacc")
    0.5
    """
    left, right = Counter(one), Counter(other)
    return sum(abs(left[value] / len(one) - right[value] / len(other)) for value in left | right) / 2


def _permuted(one: Sequence[Hashable], other: Sequence[Hashable], seed: int) -> float:
    """Monte Carlo permutation test; what was seen counts as a draw, so that p is never 0 (Davison, Hinkley 1997)."""
    source = random.Random(seed)  # noqa: S311 - no secret depends on it
    numbers = {value: place for place, value in enumerate(dict.fromkeys((*one, *other)))}
    pool = [numbers[value] for value in (*one, *other)]
    n, m = len(one), len(other)
    totals = Counter(pool)
    if len(totals) == len(pool):
        return 1.0

    def distance(counts: Counter[int]) -> int:
        # Twice the total variation times n * m, in whole numbers: ties are ties.
        return sum(abs(counts[value] * (n + m) - total * n) for value, total in totals.items())

    seen = distance(Counter(pool[:n]))
    as_far = sum(distance(Counter(source.sample(pool, n))) >= seen for _ in range(_DRAWS))
    return (1 + as_far) / (1 + _DRAWS)


@lru_cache(maxsize=256)
def fisher_power(n: int, base: float, effect: float, alpha: float = ALPHA) -> float:
    """The chance that Fisher's exact test at alpha tells two rates apart with n runs a side, computed exactly.

    >>> [round(fisher_power(n, 0.02, 0.5), 2) for n in (10, 20, 50)]
    [0.15, 0.86, 1.0]
    """
    one, other = _binomial(n, base), _binomial(n, effect)
    return min(1.0, math.fsum(one[x] * other[y] for x, y in _rejected(n, alpha)))


def _binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@lru_cache(maxsize=64)
def _rejected(n: int, alpha: float) -> tuple[tuple[int, int], ...]:
    """The pairs of counts out of n that the test tells apart."""
    found: list[tuple[int, int]] = []
    for total in range(2 * n + 1):
        tables = range(max(0, total - n), min(n, total) + 1)
        weights = {x: math.comb(n, x) * math.comb(n, total - x) for x in tables}
        whole, below = sum(weights.values()), 0
        # From the least likely table on, equal ones together, as long as what has added up stays below alpha.
        for weight in sorted(set(weights.values())):
            alike = [x for x, one in weights.items() if one == weight]
            below += weight * len(alike)
            if below >= alpha * whole:
                break
            found += [(x, total - x) for x in alike]
    return tuple(found)


def median_shift(one: Sequence[float], other: Sequence[float], *, seed: int, draws: int = 1_999) -> tuple[float, float]:
    """How much the median of one side lies below that of the other, and the p-value of a permutation test.

    The test is on the sum of ranks: medians of permuted sides are as far apart as the seen ones wherever two kinds of
    run, such as a hit and a miss of a cache, are half and half.

    >>> median_shift([3.0] * 50, [410.0] * 50, seed=1)
    (407.0, 0.0005)
    >>> median_shift([3.0, 4.0], [4.0, 3.0], seed=1)
    (0.0, 1.0)
    """
    source = random.Random(seed)  # noqa: S311 - no secret depends on it
    ranks = _ranks([*one, *other])
    n = len(one)
    middle = n * (len(ranks) + 1)
    seen = abs(2 * sum(ranks[:n]) - middle)
    as_far = sum(abs(2 * sum(source.sample(ranks, n)) - middle) >= seen for _ in range(draws))
    return median(other) - median(one), (1 + as_far) / (1 + draws)


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, equal values sharing their mean."""
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), start=1):
        places.setdefault(value, []).append(rank)
    return [sum(places[value]) / len(places[value]) for value in values]
