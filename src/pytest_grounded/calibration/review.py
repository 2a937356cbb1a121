"""When should a person look? Three actions per case, and the band of scores that is worth a review.

Scores above the band are answered, scores below it abstained on, both edges belong to the band. When reviewers are
short, what they cannot take abstains: the answering threshold never drops.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from pytest_grounded.calibration.costs import AbstentionCost, convention_of, cost
from pytest_grounded.calibration.inputs import CalibrationError, Number, Ranking, exact, numbers, rank, said, whole

__all__ = ["Partition", "ReviewBand", "review_band", "review_can_pay", "route"]

Action = Literal["answer", "review", "abstain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """One split of the ranked cases. `low` and `high` are the edges of the band, None where it is empty.

    `answer_from` is the lowest answered score, None where nothing is answered.
    """

    n_answer: int
    n_review: int
    n_abstain: int
    n_wrong: int
    answer_from: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewBand:
    """Every cheapest split, and whether a review can pay at these prices at all."""

    min_total_cost: float | None
    optimal_partitions: tuple[Partition, ...]
    convention: AbstentionCost
    review_can_pay: bool
    note: str
    undefined: Mapping[str, str] = field(default_factory=dict)


def review_can_pay(
    cost_wrong: Number, cost_abstain: Number, cost_review: Number, *, abstain_cost: AbstentionCost | str
) -> bool:
    """Whether there is a probability at which a review is the cheapest of the three actions.

    That is, whether it costs less than the dearest point of min(answering, abstaining).

    >>> review_can_pay(10, 1, 2, abstain_cost="all"), review_can_pay(10, 4, 2, abstain_cost="all")
    (False, True)
    """
    wrong, abstain = cost("cost_wrong", cost_wrong), cost("cost_abstain", cost_abstain)
    if convention_of(abstain_cost) is AbstentionCost.ALL:
        dearest = min(wrong, abstain)
    else:
        dearest = wrong * abstain / (wrong + abstain) if wrong + abstain else Fraction(0)
    return cost("cost_review", cost_review) < dearest


def review_band(
    scores: Sequence[Number],
    correct: Sequence[object],
    *,
    cost_wrong: Number,
    cost_abstain: Number,
    cost_review: Number,
    max_review: int | None = None,
    abstain_cost: AbstentionCost | str = AbstentionCost.ALL,
) -> ReviewBand:
    """The cheapest split of descending scores into answer, review and abstain, with at most `max_review` reviews.

    Prices per case: a shown wrong answer, an abstention (each one, or with `missed` only those on a right draft), a
    review (always right). Costs are totals over the cases, compared exactly; tie groups stay whole; all cheapest
    splits are listed, those that answer least first. Without cases everything is None.

    >>> band = review_band([0.9, 0.6, 0.2], [1, 0, 0], cost_wrong=10, cost_abstain=4, cost_review=2, max_review=1)
    >>> band.min_total_cost, band.optimal_partitions[0].low
    (6.0, 0.6)
    """
    convention = convention_of(abstain_cost)
    pays = review_can_pay(cost_wrong, cost_abstain, cost_review, abstain_cost=convention)
    note = "" if pays else "review can never pay at these prices: answering or abstaining is as cheap everywhere"
    ranking = rank(scores, correct)
    if not ranking.n:
        why = dict.fromkeys(["min_total_cost"], "there are no cases")
        return ReviewBand(
            min_total_cost=None,
            optimal_partitions=(),
            convention=convention,
            review_can_pay=pays,
            note=note,
            undefined=why,
        )
    prices = [cost("cost_wrong", cost_wrong), cost("cost_abstain", cost_abstain), cost("cost_review", cost_review)]
    unit = math.lcm(*(price.denominator for price in prices))
    wrong_price, abstain_price, review_price = (int(price * unit) for price in prices)
    capacity = ranking.n if max_review is None else whole("max_review", max_review)
    sums = _Sums.of(ranking)
    charged = sums.n if convention is AbstentionCost.ALL else sums.right
    # Splitting after group i and after group j >= i costs heads[i] + tails[j].
    heads = [wrong_price * sums.wrong[i] - review_price * sums.n[i] for i in range(len(sums.n))]
    tails = [review_price * sums.n[j] + abstain_price * (charged[-1] - charged[j]) for j in range(len(sums.n))]
    least, splits = _cheapest(heads, tails, sums.n, capacity)
    return ReviewBand(
        min_total_cost=float(Fraction(least, unit)),
        optimal_partitions=tuple(_partition(ranking, sums, i, j) for i, j in splits),
        convention=convention,
        review_can_pay=pays,
        note=note,
    )


@dataclass(frozen=True, slots=True)
class _Sums:
    """Running counts after each tie group, from none to all."""

    n: list[int]
    wrong: list[int]
    right: list[int]

    @classmethod
    def of(cls, ranking: Ranking) -> _Sums:
        n, wrong = [0], [0]
        for group in ranking.groups:
            n.append(n[-1] + group.n)
            wrong.append(wrong[-1] + group.n_wrong)
        return cls(n, wrong, [a - b for a, b in zip(n, wrong, strict=True)])


def _cheapest(heads: list[int], tails: list[int], n: list[int], capacity: int) -> tuple[int, list[tuple[int, int]]]:
    """The least heads[i] + tails[j] with i <= j and n[j] - n[i] <= capacity, and every pair that reaches it.

    Both ends of the window of j move only forward, so its minimum is kept in a queue: linear time.
    """
    window: deque[int] = deque()
    reach = 0
    minima: list[int] = []
    for i in range(len(heads)):
        while reach < len(tails) and n[reach] - n[i] <= capacity:
            while window and tails[window[-1]] >= tails[reach]:
                window.pop()
            window.append(reach)
            reach += 1
        while window[0] < i:
            window.popleft()
        minima.append(heads[i] + tails[window[0]])
    least = min(minima)
    places: dict[int, list[int]] = {}
    for j, tail in enumerate(tails):
        places.setdefault(tail, []).append(j)
    splits: list[tuple[int, int]] = []
    for i, total in enumerate(minima):
        if total == least:
            same = places[least - heads[i]]
            last = bisect_right(n, n[i] + capacity) - 1
            splits.extend((i, j) for j in same[bisect_left(same, i) : bisect_right(same, last)])
    return least, splits


def _partition(ranking: Ranking, sums: _Sums, i: int, j: int) -> Partition:
    groups = ranking.groups
    return Partition(
        n_answer=sums.n[i],
        n_review=sums.n[j] - sums.n[i],
        n_abstain=sums.n[-1] - sums.n[j],
        n_wrong=sums.wrong[i],
        answer_from=groups[i - 1].score if i else None,
        low=groups[j - 1].score if j > i else None,
        high=groups[i].score if j > i else None,
    )


def route(scores: Sequence[Number], *, low: Number, high: Number, capacity: int | None = None) -> tuple[Action, ...]:
    """Say what a band does with each case: above `high` answer, below `low` abstain, on the edges and between review.

    With a `capacity` the highest scores of the band are reviewed, whole tie groups only, and the rest of it abstains.

    >>> route([0.95, 0.9, 0.75, 0.6, 0.59], low=0.6, high=0.9)
    ('answer', 'review', 'review', 'review', 'abstain')
    >>> route([0.95, 0.9, 0.75, 0.6, 0.59], low=0.6, high=0.9, capacity=1)
    ('answer', 'review', 'abstain', 'abstain', 'abstain')
    """
    if exact(low) > exact(high):
        raise CalibrationError(f"low is {said(low)} and high is {said(high)} (needs low <= high)")
    values = numbers("scores", scores)
    floor, ceiling = float(low), float(high)
    inside = sorted((value for value in values if floor <= value <= ceiling), reverse=True)
    taken = len(inside) if capacity is None else whole("capacity", capacity)
    if taken < len(inside):
        # The first score that does not fit: nothing at or below it is reviewed.
        barred = inside[taken]
        reviewed = {value for value in inside if value > barred}
    else:
        reviewed = set(inside)
    return tuple("answer" if v > ceiling else "review" if v in reviewed else "abstain" for v in values)
