"""Which threshold costs least? A sweep of the observed scores under a cost rule whose convention has a name.

Two conventions are in use and differ in when an abstention costs anything. `missed`: only where a right answer was
available, so a calibrated probability is cut at C_w / (C_w + C_a); `all`: always, so it is cut at 1 - C_a / C_w
(Chow 1970). At prices 5 and 1 these are 0.833 and 0.800. Nothing here chooses one silently.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from pytest_grounded.calibration.inputs import (
    CalibrationError,
    Number,
    Ranking,
    exact,
    labels,
    numbers,
    rank,
    said,
    same_length,
    share,
)

__all__ = [
    "AbstentionCost",
    "BestThreshold",
    "ChowThresholds",
    "Sweep",
    "SweepRow",
    "WeightedSweep",
    "cheapest_action",
    "chow_threshold",
    "convention_of",
    "cost",
    "sweep_of",
    "threshold_sweep",
    "weighted_sweep",
]


class AbstentionCost(StrEnum):
    """Which abstentions are charged: only those on cases with a right draft, or every one."""

    MISSED = "missed"
    ALL = "all"


def convention_of(value: AbstentionCost | str) -> AbstentionCost:
    """The convention a word names.

    >>> convention_of("some")
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: abstain_cost is 'some' (needs 'missed' or 'all')
    """
    if value not in list(AbstentionCost):
        raise CalibrationError(f"abstain_cost is {value!r} (needs 'missed' or 'all')")
    return AbstentionCost(value)


def cost(name: str, value: Number) -> Fraction:
    """A price, exactly; at least 0.

    >>> cost("cost_wrong", -1)
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: cost_wrong is -1 (needs a price of at least 0)
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise CalibrationError(f"{name} is {said(value)} (needs a price of at least 0)")
    found = exact(value)
    if found < 0:
        raise CalibrationError(f"{name} is {said(value)} (needs a price of at least 0)")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ChowThresholds:
    """The theory's cut of a calibrated probability, under both conventions."""

    threshold_missed: float | None
    threshold_all: float
    undefined: Mapping[str, str] = field(default_factory=dict)

    def under(self, convention: AbstentionCost) -> float | None:
        """The threshold of one convention."""
        return self.threshold_missed if convention is AbstentionCost.MISSED else self.threshold_all


def chow_threshold(cost_wrong: Number, cost_abstain: Number) -> ChowThresholds:
    """The probability of being right from which answering is cheaper than abstaining (Chow 1970).

    Exact only for a calibrated probability. `threshold_missed` is None where both prices are 0; `threshold_all` is
    clipped to [0, 1].

    >>> both = chow_threshold(5, 1)
    >>> round(both.threshold_missed, 3), both.threshold_all
    (0.833, 0.8)
    """
    wrong, abstain = cost("cost_wrong", cost_wrong), cost("cost_abstain", cost_abstain)
    every = min(Fraction(1), max(Fraction(0), 1 - abstain / wrong)) if wrong else Fraction(0)
    missed = float(wrong / (wrong + abstain)) if wrong + abstain else None
    why = {} if missed is not None else {"threshold_missed": "both prices are 0, so every threshold costs nothing"}
    return ChowThresholds(threshold_missed=missed, threshold_all=float(every), undefined=why)


def cheapest_action(
    probability: Number,
    *,
    cost_wrong: Number,
    cost_abstain: Number,
    abstain_cost: AbstentionCost | str,
    cost_review: Number | None = None,
) -> Literal["answer", "review", "abstain"]:
    """The action of least expected cost for a case that is right with this probability.

    Answering costs (1 - p) C_w, abstaining C_a (`all`) or p C_a (`missed`), a review C_h. Of equal prices a review is
    taken first; between answering and abstaining `all` answers (s >= t) and `missed` abstains (p > t), as stated by
    their sources.

    >>> cheapest_action(0.7, cost_wrong=5, cost_abstain=1, abstain_cost="missed", cost_review=0.5)
    'review'
    """
    p, convention = share("probability", probability), convention_of(abstain_cost)
    answer = (1 - p) * cost("cost_wrong", cost_wrong)
    abstain = cost("cost_abstain", cost_abstain) * (p if convention is AbstentionCost.MISSED else 1)
    if cost_review is not None and cost("cost_review", cost_review) <= min(answer, abstain):
        return "review"
    if answer < abstain or (answer == abstain and convention is AbstentionCost.ALL):
        return "answer"
    return "abstain"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRow:
    """What one threshold does; None as threshold answers nothing. `n_missed` are abstentions on right drafts."""

    threshold: float | None
    n_answered: int
    n_wrong: int
    n_abstained: int
    n_missed: int
    coverage: float | None
    selective_risk: float | None
    missed_rate: float | None
    cost_per_query: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestThreshold:
    """The least cost per query and every observed score that reaches it, ascending; None answers nothing."""

    min_cost_per_query: float | None
    optimal_thresholds: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A cost sweep: the rows asked for, the optimum over observed scores, and the two trivial policies."""

    convention: AbstentionCost
    cost_wrong: float
    cost_abstain: float
    rows: tuple[SweepRow, ...]
    best: BestThreshold
    always_answer: float | None
    never_answer: float | None
    theory: ChowThresholds


def threshold_sweep(
    scores: Sequence[Number],
    correct: Sequence[object],
    *,
    cost_wrong: Number,
    cost_abstain: Number,
    abstain_cost: AbstentionCost | str,
    thresholds: Sequence[Number] | None = None,
    never_answered: int = 0,
) -> Sweep:
    """Tabulate thresholds and find the cheapest over all observed scores and "answer nothing".

    Costs are in the unit of the prices, per query; a right answer costs 0. `thresholds` are the rows to tabulate, by
    default the observed scores from strict to loose, then None. The optimum is always searched over observed scores:
    a grid can step over it. Costs are compared exactly and every optimal threshold is listed. Without cases costs are
    None; the selective risk is None where nothing is answered.

    >>> sweep = threshold_sweep([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 0], cost_wrong=2, cost_abstain=1, abstain_cost="all")
    >>> sweep.best
    BestThreshold(min_cost_per_query=0.75, optimal_thresholds=(0.7, 0.9))
    """
    return sweep_of(
        rank(scores, correct, never_answered=never_answered),
        cost_wrong=cost_wrong,
        cost_abstain=cost_abstain,
        abstain_cost=abstain_cost,
        thresholds=thresholds,
    )


def sweep_of(
    ranking: Ranking,
    *,
    cost_wrong: Number,
    cost_abstain: Number,
    abstain_cost: AbstentionCost | str,
    thresholds: Sequence[Number] | None = None,
) -> Sweep:
    """The sweep of cases that are already ranked; those never answered count as abstentions on no right draft."""
    convention = convention_of(abstain_cost)
    wrong_price, abstain_price = cost("cost_wrong", cost_wrong), cost("cost_abstain", cost_abstain)
    counts = [(0, 0)]
    for group in ranking.groups:
        answered, wrong = counts[-1]
        counts.append((answered + group.n, wrong + group.n_wrong))
    unit = math.lcm(wrong_price.denominator, abstain_price.denominator)
    price_wrong, price_abstain = int(wrong_price * unit), int(abstain_price * unit)
    n, right = ranking.n, ranking.n_scored - ranking.n_wrong

    def total(place: int) -> int:
        answered, wrong = counts[place]
        charged = n - answered if convention is AbstentionCost.ALL else right - (answered - wrong)
        return price_wrong * wrong + price_abstain * charged

    def row(place: int, threshold: float | None) -> SweepRow:
        answered, wrong = counts[place]
        missed = right - (answered - wrong)
        return SweepRow(
            threshold=threshold,
            n_answered=answered,
            n_wrong=wrong,
            n_abstained=n - answered,
            n_missed=missed,
            coverage=answered / n if n else None,
            selective_risk=wrong / answered if answered else None,
            missed_rate=missed / n if n else None,
            cost_per_query=float(Fraction(total(place), unit * n)) if n else None,
        )

    if thresholds is None:
        rows = [row(place, group.score) for place, group in enumerate(ranking.groups, start=1)]
        rows.append(row(0, None))
    else:
        # Groups stand from the highest score down; how many of them reach a threshold is found by bisection.
        falling = [-group.score for group in ranking.groups]
        rows = [row(_reaching(falling, value), value) for value in numbers("thresholds", thresholds)]
    totals = [total(place) for place in range(len(counts))]
    least = min(totals)
    optimal: list[float | None] = [
        ranking.groups[place - 1].score for place in range(len(counts) - 1, 0, -1) if totals[place] == least
    ]
    if totals[0] == least:
        optimal.append(None)
    per_query = [float(Fraction(value, unit * n)) if n else None for value in (least, totals[-1], totals[0])]
    return Sweep(
        convention=convention,
        cost_wrong=float(wrong_price),
        cost_abstain=float(abstain_price),
        rows=tuple(rows),
        best=BestThreshold(min_cost_per_query=per_query[0], optimal_thresholds=tuple(optimal) if n else ()),
        always_answer=per_query[1],
        never_answer=per_query[2],
        theory=chow_threshold(cost_wrong, cost_abstain),
    )


def _reaching(falling: list[float], threshold: float) -> int:
    place = bisect_left(falling, -threshold)
    return place + (place < len(falling) and falling[place] == -threshold)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedSweep:
    """A sweep of weighted cases: expected cost per query of the traffic the weights stand for."""

    convention: AbstentionCost
    thresholds: tuple[float, ...]
    costs: tuple[float, ...]
    best: BestThreshold
    always_answer: float | None
    never_answer: float | None


def weighted_sweep(
    scores: Sequence[Number],
    correct: Sequence[object],
    weights: Sequence[Number],
    *,
    never_weight: Number = 0,
    cost_wrong: Number,
    cost_abstain: Number,
    abstain_cost: AbstentionCost | str,
) -> WeightedSweep:
    """The cheapest threshold where cases stand for more or less traffic than one query each.

    Weights are relative and positive; only expected costs follow from them, no exact bound on a share does. Equal
    weights give `threshold_sweep`. `never_weight` is the weight of cases that are never answered.

    >>> weighted_sweep(
    ...     [0.9, 0.5], [1, 0], [1, 9], cost_wrong=5, cost_abstain=1, abstain_cost="missed"
    ... ).best.optimal_thresholds
    (0.9,)
    """
    same_length(scores=scores, correct=correct, weights=weights)
    convention = convention_of(abstain_cost)
    price_wrong, price_abstain = cost("cost_wrong", cost_wrong), cost("cost_abstain", cost_abstain)
    found = [exact(weight) for weight in numbers("weights", weights)]
    for place, weight in enumerate(found):
        if weight <= 0:
            raise CalibrationError(f"weights[{place}] is {said(weights[place])} (needs a weight above 0)")
    never = cost("never_weight", never_weight)
    unit = math.lcm(*(weight.denominator for weight in found), never.denominator)
    groups: dict[float, list[int]] = {}
    rights = labels("correct", correct)
    for score, right, weight in zip(numbers("scores", scores), rights, found, strict=True):
        masses = groups.setdefault(score, [0, 0])
        masses[1 - right] += int(weight * unit)
    ordered = sorted(groups.items(), reverse=True)
    every = convention is AbstentionCost.ALL
    mass = sum(right + wrong for right, wrong in groups.values()) + int(never * unit)
    charged = sum(right + (wrong if every else 0) for right, wrong in groups.values()) + int(never * unit) * every
    wrong_mass = 0
    totals = [price_abstain * charged]
    for _, (right, wrong) in ordered:
        wrong_mass += wrong
        charged -= right + (wrong if every else 0)
        totals.append(price_wrong * wrong_mass + price_abstain * charged)
    if not mass:
        nothing = BestThreshold(min_cost_per_query=None, optimal_thresholds=())
        return WeightedSweep(
            convention=convention, thresholds=(), costs=(), best=nothing, always_answer=None, never_answer=None
        )
    least = min(totals)
    optimal: list[float | None] = [ordered[i - 1][0] for i in range(len(totals) - 1, 0, -1) if totals[i] == least]
    if totals[0] == least:
        optimal.append(None)
    costs = [float(total / mass) for total in totals]
    return WeightedSweep(
        convention=convention,
        thresholds=tuple(score for score, _ in ordered),
        costs=tuple(costs[1:]),
        best=BestThreshold(min_cost_per_query=float(least / mass), optimal_thresholds=tuple(optimal)),
        always_answer=costs[-1],
        never_answer=costs[0],
    )
