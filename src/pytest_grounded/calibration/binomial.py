"""The binomial distribution with tails that are right in every digit: for small shares, large counts, exact limits.

Probabilities are computed by Loader's expansion (2000), which neither overflows (as `math.comb` does in a float from
about 1,030 on) nor loses digits (as differences of `lgamma` do); tails are sums of positive terms.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import lru_cache

__all__ = ["binomial_draw", "log_pmf", "lower_tail", "tail_at_most", "tail_over_term"]

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_EXPANDED_FROM = 16
_NEGLIGIBLE = 1e-18
_TOO_CLOSE = 1e-9
_HALF = 0.5
_RARE = 10
_INNER = 0.07


def log_pmf(k: int, n: int, p: float) -> float:
    """Natural logarithm of P(X = k), X ~ Bin(n, p), 0 < p < 1 (Loader 2000).

    >>> round(math.exp(log_pmf(2, 4, 0.5)), 12)
    0.375
    """
    if k == 0:
        return n * math.log1p(-p)
    if k == n:
        return n * math.log(p)
    errors = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    deviance = _deviance(k, n * p) + _deviance(n - k, n * (1 - p))
    return errors - deviance - _HALF_LOG_2PI - 0.5 * (math.log(k) + math.log1p(-k / n))


@lru_cache(maxsize=_EXPANDED_FROM)
def _small_stirling_error(n: int) -> float:
    return math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - _HALF_LOG_2PI if n else 0.0


def _stirling_error(n: int) -> float:
    """The log of n! less Stirling's approximation of it."""
    if n < _EXPANDED_FROM:
        return _small_stirling_error(n)
    square = 1.0 / (n * n)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / n


def _deviance(x: float, mean: float) -> float:
    """The value of x log(x / mean) + mean - x, without cancellation where x is near its mean."""
    difference = x - mean
    if abs(difference) >= 0.1 * (x + mean):
        return x * math.log(x / mean) - difference
    ratio = difference / (x + mean)
    total, term = difference * ratio, 2 * x * ratio
    for odd in range(3, 1000, 2):
        term *= ratio * ratio
        following = total + term / odd
        if following == total:
            break
        total = following
    return total


def tail_over_term(k: int, n: int, p: float, *, negligible: float = _NEGLIGIBLE) -> float:
    """P(X <= k) / P(X = k): at least 1, and infinite where it does not fit a float.

    Terms below `negligible` of the sum so far end it.

    >>> round(tail_over_term(2, 4, 0.5), 12)
    1.833333333333
    """
    odds = (1 - p) / p
    total = term = 1.0
    for i in range(k, 0, -1):
        term *= i / (n - i + 1) * odds
        total += term
        if term < total * negligible:
            break
    return total


def lower_tail(k: int, n: int, p: float) -> float:
    """P(X <= k), X ~ Bin(n, p).

    >>> round(lower_tail(2, 4, 0.5), 12), lower_tail(4, 4, 0.5), lower_tail(-1, 4, 0.5)
    (0.6875, 1.0, 0.0)
    """
    if k < 0:
        return 0.0
    if k >= n or p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    if k <= n * p:
        return min(1.0, math.exp(log_pmf(k, n, p)) * tail_over_term(k, n, p))
    # Seen from the other end the terms fall off, so the sum is short.
    return max(0.0, 1.0 - math.exp(log_pmf(k + 1, n, p)) * tail_over_term(n - k - 1, n, 1 - p))


def tail_at_most(k: int, n: int, p: Fraction, limit: Fraction) -> bool:
    """Whether P(Bin(n, p) <= k) <= limit; decided in integers where floats are too close to call.

    >>> tail_at_most(0, 2, Fraction(1, 2), Fraction(1, 4)), tail_at_most(0, 3, Fraction(9, 10), Fraction(1, 1000))
    (True, True)
    """
    if _far_below(k, n, float(p), float(limit)):
        return True
    tail, bound = lower_tail(k, n, float(p)), float(limit)
    if abs(tail - bound) > _TOO_CLOSE * bound:
        return tail <= bound
    if k >= n:
        return limit >= 1
    top, bottom = p.numerator, p.denominator
    other = bottom - top
    term: int = pow(other, n)
    total = term
    for i in range(1, k + 1):
        term = term * (n - i + 1) * top // (i * other)
        total += term
    return bool(total * limit.denominator <= limit.numerator * bottom**n)


def _far_below(k: int, n: int, p: float, limit: float) -> bool:
    """Whether Chernoff's bound exp(-n KL(k/n, p)) already settles that the tail is small enough."""
    if not (0 < k < n * p and p < 1):
        return False
    seen = k / n
    divergence = seen * math.log(seen / p) + (1 - seen) * math.log((1 - seen) / (1 - p))
    return n * divergence > (1 + _TOO_CLOSE) * -math.log(limit) + _TOO_CLOSE if limit > 0 else False


def binomial_draw(n: int, p: float, source: random.Random) -> int:
    """One draw of Bin(n, p), in time that does not depend on n.

    Transformed rejection (Hormann 1993) where many are expected, gaps between successes (Devroye 1986) where few are.

    >>> source = random.Random(0)
    >>> 0.29 < sum(binomial_draw(1000, 0.3, source) for _ in range(200)) / 200_000 < 0.31
    True
    """
    if p > _HALF:
        return n - binomial_draw(n, 1 - p, source)
    if p <= 0 or n == 0:
        return 0
    return _few_of(n, p, source) if n * p < _RARE else _many_of(n, p, source)


def _few_of(n: int, p: float, source: random.Random) -> int:
    successes = reached = 0
    scale = math.log1p(-p)
    while True:
        # 1 - random() is never 0.
        reached += int(math.log(1 - source.random()) / scale) + 1
        if reached > n:
            return successes
        successes += 1


def _many_of(n: int, p: float, source: random.Random) -> int:
    spread = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre, squeeze = n * p + 0.5, 0.92 - 4.2 / b
    while True:
        u = source.random() - 0.5
        room = 0.5 - abs(u)
        k = math.floor((2 * a / room + b) * u + centre) if room else -1
        if not 0 <= k <= n:
            continue
        v = source.random()
        if room >= _INNER and v <= squeeze:
            return k
        mode = math.floor((n + 1) * p)
        height = math.lgamma(mode + 1) + math.lgamma(n - mode + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        v *= (2.83 + 5.1 / b) * spread / (a / (room * room) + b)
        if v > 0 and math.log(v) <= height + (k - mode) * math.log(p / (1 - p)):
            return k
