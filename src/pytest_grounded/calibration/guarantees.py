"""Which threshold keeps errors within a limit, and what exactly is promised? Three guarantees with three names.

`crc`: the expected share of *all* queries that are answered and wrong, on average over calibrations. `ltt` and `sgr`:
the share wrong *among the answered*, with probability 1 - delta. `empirical`: the share seen, promising nothing.
Every promise needs calibration cases drawn like the traffic; a regression suite, grown from incidents, is not.

*Infeasible* (no threshold could pass with so few cases) and *vacuous* (only answering nothing passes) are different
states, and both differ from a threshold that was found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from pytest_grounded.calibration.binomial import lower_tail, tail_at_most
from pytest_grounded.calibration.curves import RiskPoint, curve_of
from pytest_grounded.calibration.inputs import Number, Ranking, rank, share, whole
from pytest_grounded.calibration.intervals import upper_bound, zero_failures_needed

__all__ = [
    "ConformalThreshold",
    "SelectiveThreshold",
    "State",
    "coverage_at_risk",
    "crc_of",
    "crc_threshold",
    "empirical_of",
    "ltt_of",
    "ltt_threshold",
    "p_value",
    "sgr_of",
    "sgr_threshold",
    "smallest_answered",
    "smallest_calibration",
]


class State(StrEnum):
    """What a search for a threshold ended in."""

    FOUND = "found"
    VACUOUS = "vacuous"
    INFEASIBLE = "infeasible"


def smallest_calibration(alpha: Number) -> int:
    """The fewest calibration cases with which conformal risk control can pass: 1/(n+1) <= alpha.

    >>> [smallest_calibration(alpha) for alpha in (0.1, 0.05, 0.01)]
    [9, 19, 99]
    """
    return math.ceil(1 / share("alpha", alpha, open_ended=True)) - 1


def smallest_answered(alpha: Number, delta: Number) -> int:
    """The fewest answered cases that can show a selective risk of at most alpha: ceil(ln delta / ln(1 - alpha)).

    >>> smallest_answered(0.1, 0.1), smallest_answered(0.1, 0.05), smallest_answered(0.05, 0.05)
    (22, 29, 59)
    """
    return zero_failures_needed(alpha, delta=delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformalThreshold:
    """A threshold under conformal risk control; None abstains on everything.

    `bound` is (n_wrong + 1)/(n + 1), which may not exceed alpha.
    """

    threshold: float | None
    feasible: bool
    abstain_all: bool
    state: State
    alpha: float
    n: int
    n_needed: int
    n_answered: int
    n_wrong: int
    bound: float
    coverage: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def crc_threshold(
    scores: Sequence[Number], correct: Sequence[object], *, alpha: Number, never_answered: int = 0
) -> ConformalThreshold:
    """The loosest threshold whose expected share of all queries answered wrongly is at most alpha.

    Conformal risk control (Angelopoulos et al. 2024) of the wrong-answer loss, which only falls as the threshold
    rises: the smallest observed score t with (wrong answered at score >= t, plus 1)/(n + 1) <= alpha, compared
    exactly. The mean over calibrations is promised; single calibrations do exceed alpha. The selective risk is no
    such loss and must not be passed to this method.

    >>> found = crc_threshold([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], [1] * 8 + [0], alpha=0.2)
    >>> found.threshold, found.bound, found.state.value
    (0.1, 0.2, 'found')
    """
    return crc_of(rank(scores, correct, never_answered=never_answered), alpha=alpha)


def crc_of(ranking: Ranking, *, alpha: Number) -> ConformalThreshold:
    """Conformal risk control of cases that are already ranked."""
    limit = share("alpha", alpha, open_ended=True)
    n = ranking.n
    allowed = math.floor(limit * (n + 1)) - 1
    answered = wrong = 0
    threshold = None
    for group in ranking.groups:
        if wrong + group.n_wrong > allowed:
            break
        answered += group.n
        wrong += group.n_wrong
        threshold = group.score
    feasible = allowed >= 0
    state = State.FOUND if threshold is not None else State.VACUOUS if feasible else State.INFEASIBLE
    return ConformalThreshold(
        threshold=threshold,
        feasible=feasible,
        abstain_all=threshold is None,
        state=state,
        alpha=float(limit),
        n=n,
        n_needed=smallest_calibration(alpha),
        n_answered=answered,
        n_wrong=wrong,
        bound=(wrong + 1) / (n + 1),
        coverage=answered / n if n else None,
        undefined={} if n else {"coverage": "there are no cases"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectiveThreshold:
    """A threshold that limits the share wrong among the answered; None abstains on everything.

    `bound` is the one-sided upper bound of the selective risk at the threshold, at the level the method spends there.
    `tested` counts the thresholds looked at. `start` is the answered count at which testing began.
    """

    threshold: float | None
    state: State
    alpha: float
    delta: float | None
    n_min: int | None
    start: int | None
    n: int
    n_answered: int
    n_wrong: int
    tested: int
    coverage: float | None
    selective_risk: float | None
    bound: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def ltt_threshold(
    scores: Sequence[Number],
    correct: Sequence[object],
    *,
    alpha: Number,
    delta: Number,
    start: int | None = None,
    never_answered: int = 0,
) -> SelectiveThreshold:
    """The loosest threshold shown, with probability 1 - delta, to have a selective risk of at most alpha.

    Learn-then-test by a fixed sequence (Angelopoulos et al. 2021): from strict to loose, go on while the exact
    binomial p-value P(Bin(answered, alpha) <= wrong) is at most delta. `start` is the answered count at which testing
    begins and must be fixed without looking at labels; by default the smallest that can pass. Two or three times that
    abstains on everything far less often. Assumes independent cases drawn like the traffic.

    >>> scores = [i / 100 for i in range(100)]
    >>> found = ltt_threshold(scores, [score > 0.2 for score in scores], alpha=0.1, delta=0.1)
    >>> found.threshold, found.n_wrong, found.n_answered, found.n_min
    (0.17, 4, 83, 22)
    """
    return ltt_of(rank(scores, correct, never_answered=never_answered), alpha=alpha, delta=delta, start=start)


def ltt_of(ranking: Ranking, *, alpha: Number, delta: Number, start: int | None = None) -> SelectiveThreshold:
    """The fixed sequence over cases that are already ranked."""
    limit, level = share("alpha", alpha, open_ended=True), share("delta", delta, open_ended=True)
    n_min = smallest_answered(limit, level)
    begin = n_min if start is None else whole("start", start, least=1)
    answered = wrong = tested = 0
    passed: tuple[float, int, int] | None = None
    for group in ranking.groups:
        answered += group.n
        wrong += group.n_wrong
        if answered < begin:
            continue
        tested += 1
        if not tail_at_most(wrong, answered, limit, level):
            break
        passed = (group.score, answered, wrong)
    return _selective(ranking, passed, alpha=limit, delta=level, spent=level, n_min=n_min, start=begin, tested=tested)


def sgr_threshold(
    scores: Sequence[Number],
    correct: Sequence[object],
    *,
    target_risk: Number,
    delta: Number,
    never_answered: int = 0,
) -> SelectiveThreshold:
    """Selection with guaranteed risk by bisection (Geifman and El-Yaniv 2017); for comparison with `ltt_threshold`.

    Looks at ceil(log2 n) places of the ascending sample, each at delta over that number, and keeps the last that
    passes. Valid, and more conservative than the fixed sequence.

    >>> scores = [i / 100 for i in range(100)]
    >>> found = sgr_threshold(scores, [score > 0.2 for score in scores], target_risk=0.1, delta=0.1)
    >>> found.threshold, found.n_wrong, found.n_answered
    (0.19, 2, 81)
    """
    return sgr_of(rank(scores, correct, never_answered=never_answered), target_risk=target_risk, delta=delta)


def sgr_of(ranking: Ranking, *, target_risk: Number, delta: Number) -> SelectiveThreshold:
    """The bisection over cases that are already ranked."""
    limit, level = share("target_risk", target_risk, open_ended=True), share("delta", delta, open_ended=True)
    points = curve_of(ranking).points
    by_place = [point for point, group in zip(points, ranking.groups, strict=True) for _ in range(group.n)][::-1]
    looks = max(1, math.ceil(math.log2(len(by_place)))) if by_place else 0
    low, high = 1, len(by_place)
    passed: tuple[float, int, int] | None = None
    for _ in range(looks):
        middle = (low + high + 1) // 2
        point = by_place[middle - 1]
        if tail_at_most(point.n_wrong, point.n_answered, limit, level / looks):
            high = middle
            passed = (point.threshold, point.n_answered, point.n_wrong)
        else:
            low = middle
    spent = level / looks if looks else level
    n_min = smallest_answered(limit, spent)
    return _selective(ranking, passed, alpha=limit, delta=level, spent=spent, n_min=n_min, start=None, tested=looks)


def coverage_at_risk(
    scores: Sequence[Number], correct: Sequence[object], *, max_selective_risk: Number, never_answered: int = 0
) -> RiskPoint | None:
    """The realizable point of largest coverage whose seen selective risk is within the limit, inclusive; None if none.

    Every threshold is searched: the risk rises and falls, so the first crossing is not the answer. This is the
    `empirical` method and promises nothing: in a simulation of 200 cases a limit of 0.10 held this way was exceeded
    in truth 46 percent of the time.

    >>> coverage_at_risk([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 1], max_selective_risk=0.25).threshold
    0.6
    """
    return empirical_of(rank(scores, correct, never_answered=never_answered), max_selective_risk=max_selective_risk)


def empirical_of(ranking: Ranking, *, max_selective_risk: Number) -> RiskPoint | None:
    """The largest coverage within the limit, of cases that are already ranked."""
    limit: Fraction = share("max_selective_risk", max_selective_risk)
    within = [
        point
        for point in curve_of(ranking).points
        if point.n_wrong * limit.denominator <= limit.numerator * point.n_answered
    ]
    return within[-1] if within else None


def _selective(
    ranking: Ranking,
    passed: tuple[float, int, int] | None,
    *,
    alpha: Fraction,
    delta: Fraction,
    spent: Fraction,
    n_min: int,
    start: int | None,
    tested: int,
) -> SelectiveThreshold:
    threshold, answered, wrong = passed or (None, 0, 0)
    feasible = ranking.n_scored >= n_min
    state = State.FOUND if passed else State.VACUOUS if feasible else State.INFEASIBLE
    n = ranking.n
    undefined = {} if passed else dict.fromkeys(("selective_risk", "bound"), "nothing is answered")
    return SelectiveThreshold(
        threshold=threshold,
        state=state,
        alpha=float(alpha),
        delta=float(delta),
        n_min=n_min,
        start=start,
        n=n,
        n_answered=answered,
        n_wrong=wrong,
        tested=tested,
        coverage=answered / n if n else None,
        selective_risk=wrong / answered if answered else None,
        bound=upper_bound(wrong, answered, delta=spent) if passed else None,
        undefined=undefined if n else {**undefined, "coverage": "there are no cases"},
    )


def p_value(wrong: int, answered: int, alpha: Number) -> float:
    """P(Bin(answered, alpha) <= wrong): how surprising so few errors are if the selective risk were alpha.

    >>> round(p_value(23, 151, 0.2), 3)
    0.083
    """
    return lower_tail(whole("wrong", wrong, most=answered), answered, float(share("alpha", alpha)))
