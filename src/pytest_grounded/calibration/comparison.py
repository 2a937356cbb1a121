"""Did a change make it worse? Two runs over the same cases, paired by case, with what such a test can see at all.

Unpaired rates are never compared. A verdict per case (any pass to fail where a case must pass) needs no statistics; a
verdict on the whole needs enough cases, so the smallest effect that n cases can show stands beside it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.binomial import binomial_draw, log_pmf, lower_tail
from pytest_grounded.calibration.inputs import (
    CalibrationError,
    Number,
    exact,
    labels,
    numbers,
    said,
    same_length,
    share,
    whole,
)
from pytest_grounded.calibration.intervals import percentiles

__all__ = [
    "McNemar",
    "PairedDifference",
    "benjamini_hochberg",
    "cases_needed",
    "detectable_effect",
    "holm",
    "mcnemar",
    "mcnemar_power",
    "paired_difference",
    "paired_mean_difference",
]

_TAIL = 1e-12
_STEPS = 1000
_MOST_CASES = 1_000_000
_FEW = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Exact two-sided p-value on the cases that changed sides, and the less conservative mid-p."""

    only_first_passes: int
    only_second_passes: int
    p_exact: float
    p_mid: float


def mcnemar(only_first_passes: int, only_second_passes: int) -> McNemar:
    """Exact test of as many changes one way as the other (McNemar 1947; mid-p: Fagerland et al. 2013).

    Given the number of cases that changed sides, each side is a coin toss. No change gives 1. Five changes one way
    give 0.0625: six are the first that count at 5 percent.

    >>> mcnemar(0, 5).p_exact, mcnemar(0, 6).p_exact, mcnemar(0, 5).p_mid
    (0.0625, 0.03125, 0.03125)
    """
    first, second = whole("only_first_passes", only_first_passes), whole("only_second_passes", only_second_passes)
    n, least = first + second, min(first, second)
    if not n:
        return McNemar(only_first_passes=0, only_second_passes=0, p_exact=1.0, p_mid=1.0)
    tail = lower_tail(least, n, 0.5)
    point = math.exp(log_pmf(least, n, 0.5)) if n > _FEW else math.comb(n, least) / 2**n
    if n <= _FEW:
        tail = sum(math.comb(n, i) for i in range(least + 1)) / 2**n
    # Half of what is exactly as unlikely is taken off: both ends, or the middle once.
    p_exact = min(1.0, 2 * tail)
    p_mid = p_exact - (point / 2 if first == second else point)
    return McNemar(only_first_passes=first, only_second_passes=second, p_exact=p_exact, p_mid=p_mid)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """Second less first mean, with its percentile interval over groups of cases."""

    n: int
    n_groups: int
    difference: float | None
    low: float | None
    high: float | None
    draws: int
    seed: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def paired_difference(
    first: Sequence[object],
    second: Sequence[object],
    *,
    groups: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    confidence: Number = 0.95,
) -> PairedDifference:
    """The change of a pass rate between two runs, bootstrapped over groups of cases (Efron 1979).

    1 is a pass. Cases of one group (paraphrases, repeated runs) are drawn together. Seeded; neither row order nor the
    number of cases changes what is drawn: groups that count alike are drawn as one, by binomial splits.

    >>> found = paired_difference([1] * 90 + [0] * 10, [1] * 80 + [0] * 20)
    >>> found.difference, found.high < 0
    (-0.1, True)
    """
    same_length(first=first, second=second, groups=first if groups is None else groups)
    changes = [Fraction(b - a) for a, b in zip(labels("first", first), labels("second", second), strict=True)]
    return _paired(changes, groups, draws=draws, seed=seed, confidence=confidence)


def paired_mean_difference(
    first: Sequence[Number],
    second: Sequence[Number],
    *,
    groups: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    confidence: Number = 0.95,
) -> PairedDifference:
    """`paired_difference` of figures that are no labels, such as the recall of each answer's citations.

    >>> paired_mean_difference([0.5, 1, 1], [0.5, 1, 0.25]).difference
    -0.25
    """
    same_length(first=first, second=second, groups=first if groups is None else groups)
    pairs = zip(numbers("first", first), numbers("second", second), strict=True)
    return _paired([exact(b) - exact(a) for a, b in pairs], groups, draws=draws, seed=seed, confidence=confidence)


def _paired(
    changes: Sequence[Fraction],
    groups: Sequence[Hashable] | None,
    *,
    draws: int,
    seed: int,
    confidence: Number,
) -> PairedDifference:
    sums: dict[Hashable, tuple[Fraction, int]] = {}
    for place, change in enumerate(changes):
        group = place if groups is None else groups[place]
        total, n = sums.get(group, (Fraction(), 0))
        sums[group] = (total + change, n + 1)
    draws = whole("draws", draws, least=1)
    if not sums:
        why = dict.fromkeys(("difference", "low", "high"), "there are no cases")
        return PairedDifference(
            n=0, n_groups=0, difference=None, low=None, high=None, draws=draws, seed=seed, undefined=why
        )
    alike = [((float(total), n), found) for (total, n), found in sorted(Counter(sums.values()).items())]
    source = random.Random(seed)  # noqa: S311 - resampling, no secret
    means = [_resampled(alike, len(sums), source) for _ in range(draws)]
    ends = percentiles(means, confidence)
    assert ends is not None
    return PairedDifference(
        n=len(changes),
        n_groups=len(sums),
        difference=float(sum(changes, Fraction()) / len(changes)),
        low=ends.low,
        high=ends.high,
        draws=draws,
        seed=seed,
    )


def _resampled(alike: list[tuple[tuple[float, int], int]], left: int, source: random.Random) -> float:
    total, cases = 0.0, 0
    weight = left
    for (change, n), groups in alike:
        drawn = binomial_draw(left, groups / weight, source)
        total += change * drawn
        cases += n * drawn
        left -= drawn
        weight -= groups
    return total / cases


def holm(p_values: Sequence[Number]) -> tuple[float, ...]:
    """Holm's adjusted p-values (1979), in input order: for gates over several slices.

    >>> holm([0.02, 0.02, 0.5, 0.01])
    (0.06, 0.06, 0.5, 0.04)
    """
    found = _p_values(p_values)
    adjusted = [0.0] * len(found)
    highest = 0.0
    for place, i in enumerate(sorted(range(len(found)), key=lambda i: found[i])):
        highest = max(highest, min(1.0, (len(found) - place) * found[i]))
        adjusted[i] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[Number]) -> tuple[float, ...]:
    """Benjamini and Hochberg's adjusted p-values (1995), in input order: for exploring many slices.

    >>> benjamini_hochberg([0.01, 0.04, 0.5])
    (0.03, 0.06, 0.5)
    """
    found = _p_values(p_values)
    adjusted = [0.0] * len(found)
    lowest = 1.0
    for place, i in sorted(enumerate(sorted(range(len(found)), key=lambda i: found[i]), start=1), reverse=True):
        lowest = min(lowest, found[i] * len(found) / place)
        adjusted[i] = lowest
    return tuple(adjusted)


def _p_values(p_values: Sequence[Number]) -> list[float]:
    found = numbers("p_values", p_values)
    for place, value in enumerate(found):
        if not 0 <= value <= 1:
            raise CalibrationError(f"p_values[{place}] is {said(value)} (needs a probability between 0 and 1)")
    return found


def mcnemar_power(n: int, *, pass_to_fail: Number, fail_to_pass: Number = 0, level: Number = 0.05) -> float:
    """The chance that the exact two-sided McNemar test shows a change, with n independent cases.

    The two shares are of all cases. Computed exactly over the number of cases that change sides.

    >>> round(mcnemar_power(100, pass_to_fail=0.1), 2), round(mcnemar_power(50, pass_to_fail=0.05), 2)
    (0.94, 0.04)
    """
    n = whole("n", n)
    down, up = share("pass_to_fail", pass_to_fail), share("fail_to_pass", fail_to_pass)
    changing = down + up
    if changing > 1:
        raise CalibrationError(
            f"pass_to_fail and fail_to_pass are {said(pass_to_fail)} and {said(fail_to_pass)} (need at most 1 together)"
        )
    if not changing:
        return 0.0
    limit = float(share("level", level, open_ended=True))
    total = 0.0
    for discordant in range(n + 1):
        chance = _pmf(discordant, n, float(changing))
        if chance < _TAIL:
            continue
        critical = _critical(discordant, limit)
        if critical >= 0:
            toward = float(down / changing)
            seen = lower_tail(critical, discordant, toward) + lower_tail(critical, discordant, 1 - toward)
            total += chance * seen
    return min(1.0, total)


def _pmf(k: int, n: int, p: float) -> float:
    if p >= 1:
        return float(k == n)
    return math.exp(log_pmf(k, n, p))


def _critical(discordant: int, level: float) -> int:
    """The largest count on the smaller side at which the exact test still speaks; -1 for none."""
    low, high = -1, (discordant - 1) // 2
    while low < high:
        middle = (low + high + 1) // 2
        if mcnemar(middle, discordant - middle).p_exact <= level:
            low = middle
        else:
            high = middle - 1
    return low


def detectable_effect(n: int, *, power: Number = 0.8, fail_to_pass: Number = 0, level: Number = 0.05) -> float | None:
    """The smallest share of cases going from pass to fail, in thousandths, that n cases show with this power.

    None where even a fall of every case would not be shown.

    >>> detectable_effect(50), detectable_effect(200), detectable_effect(5)
    (0.154, 0.04, None)
    """
    wanted = float(share("power", power, open_ended=True))
    up = share("fail_to_pass", fail_to_pass)
    low, high = 0, math.floor((1 - up) * _STEPS)
    if mcnemar_power(n, pass_to_fail=Fraction(high, _STEPS), fail_to_pass=up, level=level) < wanted:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if mcnemar_power(n, pass_to_fail=Fraction(middle, _STEPS), fail_to_pass=up, level=level) >= wanted:
            high = middle
        else:
            low = middle
    return high / _STEPS


def cases_needed(
    *, pass_to_fail: Number, fail_to_pass: Number = 0, power: Number = 0.8, level: Number = 0.05
) -> int | None:
    """About how many cases show a change of these shares with this power; None where there is no change to show.

    >>> cases_needed(pass_to_fail=0.1)
    78
    """
    if share("pass_to_fail", pass_to_fail) == share("fail_to_pass", fail_to_pass):
        return None
    wanted = float(share("power", power, open_ended=True))

    def shows(n: int) -> bool:
        return mcnemar_power(n, pass_to_fail=pass_to_fail, fail_to_pass=fail_to_pass, level=level) >= wanted

    high = 1
    while not shows(high):
        high *= 2
        if high > _MOST_CASES:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high
