"""How far can a rate seen in n cases be from the true one? Intervals for shares, tables and bootstrapped values.

Clopper-Pearson for gates, Wilson for display. A leak or a permission failure is no rate: one is a failure, and the
interval only tells how little "none seen" proves.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

from pytest_grounded.calibration.binomial import log_pmf, tail_over_term
from pytest_grounded.calibration.inputs import Number, exact, share, whole

__all__ = [
    "Bootstrap",
    "Interval",
    "bootstrap",
    "clopper_pearson",
    "clopper_pearson_series",
    "fisher_exact",
    "lower_bound",
    "percentiles",
    "rule_of_three",
    "upper_bound",
    "wilson",
    "zero_failures_needed",
]

_STEPS = 200
_SAME = 1e-15
_CLOSE = 1e-9
_SHOWN = 1e-8
_TINY = 1e-18
_SMOOTH = 400
_FOLLOWED = 0.125
_TIE = 1 + 1e-7
"""Two tables are equally likely up to this factor; binary rounding may not decide between them."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends of an interval of shares."""

    low: float
    high: float


def upper_bound(k: int, n: int, *, delta: Number = 0.05) -> float:
    """Exact one-sided upper bound of a share after k of n, at confidence 1 - delta (Clopper and Pearson 1934).

    The share p at which P(Bin(n, p) <= k) = delta. Assumes independent cases. k = n and n = 0 give 1; k = 0 gives
    1 - delta^(1/n).

    >>> round(upper_bound(12, 400), 4), round(upper_bound(0, 60), 4), upper_bound(0, 0)
    (0.0482, 0.0487, 1.0)
    """
    n = whole("n", n)
    k = whole("k", k, most=n)
    log_delta = math.log(share("delta", delta, open_ended=True))
    if k == n:
        return 1.0
    if k == 0:
        return -math.expm1(log_delta / n)
    return _solve_upper(k, n, log_delta)


def _solve_upper(k: int, n: int, log_delta: float, *, guess: float | None = None, error: float = 0.0) -> float:
    """Newton's method on the log of the tail, which is concave and falls: from the right it never overshoots.

    Stops where a step gains nothing more, or earlier where what is left is below `error`: it shrinks with the square
    of the step, measured in standard errors.
    """
    low, high = 0.0, 1.0
    p = min(guess or _wilson_end(k, n, -NormalDist().inv_cdf(math.exp(log_delta))), 1 - 1e-9)
    before = 1.0
    for _ in range(_STEPS):
        ratio = tail_over_term(k, n, p, negligible=max(error / 1000, _TINY))
        gap = log_pmf(k, n, p) + math.log(ratio) - log_delta
        low, high = (p, high) if gap > 0 else (low, p)
        following = p + gap * (1 - p) * ratio / (n - k)
        step = abs(following - p)
        if step <= _SAME * p or (before <= _CLOSE * p and step >= before):
            return p
        if not low < following < high:
            following = (low + high) / 2
        elif step * step * math.sqrt(n / (p * (1 - p))) <= error:
            return following
        p, before = following, step
    return p


def lower_bound(k: int, n: int, *, delta: Number = 0.05) -> float:
    """Exact one-sided lower bound of a share after k of n, at confidence 1 - delta (Clopper and Pearson 1934).

    >>> round(lower_bound(32, 400), 4), lower_bound(0, 10)
    (0.0588, 0.0)
    """
    return 1.0 - upper_bound(whole("n", n) - whole("k", k, most=n), n, delta=delta)


def clopper_pearson(k: int, n: int, *, delta: Number = 0.05) -> Interval:
    """Exact two-sided interval of a share after k of n, at confidence of at least 1 - delta (Clopper and Pearson 1934).

    Assumes independent cases; always holds k/n; nothing seen (n = 0) gives the whole range.

    >>> clopper_pearson(0, 0), round(clopper_pearson(12, 400).high, 4)
    (Interval(low=0.0, high=1.0), 0.0518)
    """
    half = share("delta", delta, open_ended=True) / 2
    return Interval(lower_bound(k, n, delta=half), upper_bound(k, n, delta=half))


def clopper_pearson_series(counts: Sequence[tuple[int, int]], *, delta: Number = 0.05) -> list[Interval]:
    """`clopper_pearson` of many (k, n) in a row, to about eight decimals; quick where neighbours are alike.

    >>> [round(interval.high, 6) for interval in clopper_pearson_series([(0, 40), (1, 41), (2, 42)])]
    [0.088097, 0.128554, 0.161642]
    """
    log_delta = math.log(share("delta", delta, open_ended=True) / 2)
    upper, lower = _Followed(log_delta), _Followed(log_delta)
    return [Interval(1.0 - lower.bound(n - k, n), upper.bound(k, n)) for k, n in counts]


class _Followed:
    """An upper bound that is moved along as cases are added, one step of Newton's method for each count.

    It keeps P(X <= k) / P(X = k) at the bound. One more case changes that ratio by a term, and a move of the bound by
    the differential equation that the ratio solves, to third order; every so many counts all of it is computed anew.
    """

    def __init__(self, log_delta: float) -> None:
        self._log_delta = log_delta
        self._k = self._n = self._left = 0
        self._p = self._ratio = 0.0

    def bound(self, k: int, n: int) -> float:
        """The bound after k of n."""
        if k == n:
            return 1.0
        if k == 0:
            return -math.expm1(self._log_delta / n)
        more, others = k - self._k, (n - k) - (self._n - self._k)
        if more < 0 or others < 0 or self._left < (more + others) ** 2:
            return self._anew(k, n)
        # What is left out grows faster than the step.
        self._left -= (more + others) ** 2
        for _ in range(more):
            self._ratio = (self._ratio + (self._n - self._k) * self._p / (self._k + 1)) * (self._k + 1)
            self._ratio /= (self._n + 1) * self._p
            self._k, self._n = self._k + 1, self._n + 1
        for _ in range(others):
            self._ratio = (self._ratio - self._p) * (self._n + 1 - k) / ((self._n + 1) * (1 - self._p))
            self._n += 1
        self._move((more - self._p * (more + others)) / n)
        return self._solved()

    def _anew(self, k: int, n: int) -> float:
        near = self._guess(k, n)
        self._k, self._n = k, n
        self._p = _solve_upper(k, n, self._log_delta, guess=near, error=_SHOWN)
        variance = n * self._p * (1 - self._p)
        self._left = int(variance * _FOLLOWED) if variance >= _SMOOTH else 0
        if self._left:
            self._ratio = tail_over_term(k, n, self._p)
        return self._p

    def _guess(self, k: int, n: int) -> float | None:
        """About where the bound is; None where nothing is known."""
        if not self._n:
            return None
        guess = self._p + ((k - self._k) - self._p * (n - self._n)) / n
        return guess if k / n < guess < 1 else None

    def _solved(self) -> float:
        k, n = self._k, self._n
        for _ in range(_STEPS):
            p, ratio = self._p, self._ratio
            gap = log_pmf(k, n, p) + math.log(ratio) - self._log_delta
            step = gap * (1 - p) * ratio / (n - k)
            self._move(step)
            if step * step * math.sqrt(n / (p * (1 - p))) <= _SHOWN:
                break
        return self._p

    def _move(self, step: float) -> None:
        p, ratio, rest = self._p, self._ratio, 1 - self._p
        above, below = (self._n - self._k) / rest, self._k / p
        # The ratio's derivative is -above - ratio * pull; the two that follow are its derivatives.
        pull, pull_1 = below - above, -below / p - above / rest
        pull_2 = 2 * (below / (p * p) - above / (rest * rest))
        first = -above - ratio * pull
        second = -above / rest - first * pull - ratio * pull_1
        third = -2 * above / (rest * rest) - second * pull - 2 * first * pull_1 - ratio * pull_2
        self._p = p + step
        self._ratio = ratio + step * (first + step * (second / 2 + step * third / 6))


def wilson(k: int, n: int, *, delta: Number = 0.05) -> Interval:
    """Score interval of a share after k of n, without continuity correction (Wilson 1927); for display, not for gates.

    >>> interval = wilson(12, 400)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0172, 0.0517)
    """
    n = whole("n", n)
    k = whole("k", k, most=n)
    z = -NormalDist().inv_cdf(float(share("delta", delta, open_ended=True)) / 2)
    low = 0.0 if k == 0 else _wilson_end(k, n, -z)
    return Interval(low, 1.0 if k == n else _wilson_end(k, n, z))


def _wilson_end(k: int, n: int, z: float) -> float:
    p, square = k / n, z * z
    spread = z * math.sqrt(p * (1 - p) / n + square / (4 * n * n))
    return min(1.0, max(0.0, (p + square / (2 * n) + spread) / (1 + square / n)))


def rule_of_three(k: int, n: int, *, delta: Number = 0.05) -> float | None:
    """The upper bound 3/n of a share after none of n, at 95 percent; None for any other count or confidence.

    >>> rule_of_three(0, 60), rule_of_three(1, 60)
    (0.05, None)
    """
    if whole("k", k, most=whole("n", n)) or exact(delta) != exact(0.05):
        return None
    return min(1.0, 3 / n) if n else 1.0


_SURE_DIGITS = 60
_NEAR = Decimal("1e-30")


def zero_failures_needed(limit: Number, *, delta: Number = 0.05) -> int:
    """How many cases without a failure show, at confidence 1 - delta, that the rate is at most `limit`.

    The smallest n with (1 - limit)^n <= delta, decided exactly.

    >>> [zero_failures_needed(limit) for limit in (0.1, 0.05, 0.02, 0.01, 0.005)]
    [29, 59, 149, 299, 598]
    """
    rate = share("limit", limit, open_ended=True)
    allowed = share("delta", delta, open_ended=True)
    kept = 1 - rate
    with localcontext(prec=_SURE_DIGITS + len(str(kept.denominator)) + len(str(allowed.denominator))):
        ratio = _logarithm(allowed) / _logarithm(kept)
        n = int(ratio.to_integral_value(ROUND_CEILING))
        nearest = int(ratio.to_integral_value(ROUND_HALF_EVEN))
        near = abs(ratio - nearest) < _NEAR
    # Where the power is exactly delta, the logarithms cannot say so; its denominator then has n digits or more.
    if near and 0 < nearest <= allowed.denominator.bit_length() and kept**nearest == allowed:
        return nearest
    return max(1, n)


def _logarithm(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).ln()


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Two-sided exact p-value that two pairs of counts (wrong, right) come from one rate (Fisher 1934).

    The share of tables with these margins that are no likelier than the one seen. An empty margin gives 1.

    >>> round(fisher_exact((12, 388), (32, 368)), 4)
    0.0028
    """
    (a, b), (c, d) = ((whole("count", x), whole("count", y)) for x, y in (first, second))
    row, column, n = a + b, a + c, a + b + c + d
    low, high = max(0, row + column - n), min(row, column)
    weights = _hypergeometric(low, high, row, column, n)
    seen = weights[a - low] * _TIE
    return min(1.0, math.fsum(weight for weight in weights if weight <= seen) / math.fsum(weights))


def _hypergeometric(low: int, high: int, row: int, column: int, n: int) -> list[float]:
    """Likelihoods of every top left count, relative to the likeliest."""
    mode = min(high, max(low, (row + 1) * (column + 1) // (n + 2)))
    weights = [1.0] * (high - low + 1)
    for x in range(mode + 1, high + 1):
        ratio = (row - x + 1) * (column - x + 1) / (x * (n - row - column + x))
        weights[x - low] = weights[x - 1 - low] * ratio
    for x in range(mode - 1, low - 1, -1):
        ratio = (x + 1) * (n - row - column + x + 1) / ((row - x) * (column - x))
        weights[x - low] = weights[x + 1 - low] * ratio
    return weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """A percentile interval; `undefined_draws` resamples had no value and are left out."""

    low: float | None
    high: float | None
    draws: int
    undefined_draws: int
    seed: int
    confidence: float
    undefined: Mapping[str, str] = field(default_factory=dict)


def bootstrap(
    groups: Sequence[Hashable],
    statistic: Callable[[Sequence[int]], float | None],
    *,
    draws: int = 2000,
    seed: int = 0,
    confidence: Number = 0.95,
) -> Bootstrap:
    """Percentile bootstrap of any statistic over groups of cases (Efron 1979).

    `groups[i]` is the group of case i: paraphrases of one question, or runs of one case, are drawn together.
    `statistic` is given the places of the drawn cases, repeats included. Seeded; the same whatever the hash seed.

    >>> values = [0, 0, 1, 1, 1]
    >>> drawn = bootstrap("abcde", lambda places: sum(values[i] for i in places) / len(places), draws=200)
    >>> drawn.low, drawn.high
    (0.2, 1.0)
    """
    by_group: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        by_group.setdefault(group, []).append(place)
    members = list(by_group.values())
    if not members:
        return _bootstrapped([], 0, whole("draws", draws, least=1), seed, confidence)
    source = random.Random(seed)  # noqa: S311 - resampling, no secret
    values: list[float] = []
    undefined = 0
    for _ in range(whole("draws", draws, least=1)):
        value = statistic([place for group in source.choices(members, k=len(members)) for place in group])
        if value is None:
            undefined += 1
        else:
            values.append(value)
    return _bootstrapped(values, undefined, draws, seed, confidence)


def _bootstrapped(values: list[float], undefined: int, draws: int, seed: int, confidence: Number) -> Bootstrap:
    ends = percentiles(values, confidence)
    why = "no resample has a value" if undefined else "there are no cases"
    return Bootstrap(
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        draws=draws,
        undefined_draws=undefined,
        seed=seed,
        confidence=float(exact(confidence)),
        undefined={} if ends else {"low": why, "high": why},
    )


def percentiles(values: Sequence[float], confidence: Number = 0.95) -> Interval | None:
    """The middle share of values, between neighbours linearly; None of nothing.

    >>> percentiles([0.0, 1.0, 2.0, 3.0, 4.0], 0.5)
    Interval(low=1.0, high=3.0)
    """
    outside = (1 - share("confidence", confidence, open_ended=True)) / 2
    if not values:
        return None
    ordered = sorted(values)

    def at(level: float) -> float:
        place = level * (len(ordered) - 1)
        below = min(int(place), len(ordered) - 1)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

    return Interval(at(float(outside)), at(float(1 - outside)))
