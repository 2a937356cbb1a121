"""Which threshold does a method choose, what is seen at it, and what exactly is promised, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pytest_grounded.calibration.costs import AbstentionCost, BestThreshold, sweep_of
from pytest_grounded.calibration.guarantees import (
    State,
    crc_of,
    empirical_of,
    ltt_of,
    smallest_answered,
    smallest_calibration,
)
from pytest_grounded.calibration.inputs import Number, Ranking, exact, share
from pytest_grounded.calibration.intervals import Interval, clopper_pearson
from pytest_grounded.calibration.options import Method, Options
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = ["GUARANTEES", "Choice", "at", "choose", "needed"]

GUARANTEES: Mapping[Method, str] = {
    Method.LTT: "share wrong among the answered, with probability 1 - delta over calibrations (learn then test)",
    Method.CRC: "expected share of all queries answered wrongly, on average over calibrations (conformal risk control)",
    Method.EMPIRICAL: "none: the share seen in this sample",
    Method.COST: "none: the least cost seen in this sample",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A threshold (None answers nothing) and what it does on the cases it was chosen on.

    `interval` is the two-sided 95 percent Clopper-Pearson interval of the selective risk; `bound` is what the method
    promises not to exceed alpha. With `weighted`, `cost_per_query` is that of the traffic the weights stand for.
    `n_needed` is the fewest cases with which the method can find anything.
    """

    method: Method
    state: State
    threshold: float | None
    n: int
    n_answered: int
    n_wrong: int
    n_needed: int | None
    coverage: float | None
    selective_risk: float | None
    generalized_risk: float | None
    interval: Interval | None
    bound: float | None
    cost_per_query: float | None
    optimal_thresholds: tuple[float | None, ...]
    weighted: bool
    alpha: float
    delta: float
    start: int | None
    operating_point: str
    undefined: Mapping[str, str] = field(default_factory=dict)


def needed(options: Options, *, delta: Number | None = None) -> int:
    """The fewest cases with which a method can pass its limit at all.

    >>> needed(Options(alpha=0.1, delta=0.05)), needed(Options(method=Method.CRC, alpha=0.05))
    (29, 19)
    """
    if options.method is Method.CRC:
        return smallest_calibration(options.alpha)
    return smallest_answered(options.alpha, options.delta if delta is None else delta)


def choose(
    ranking: Ranking,
    options: Options,
    *,
    delta: Number | None = None,
    best: BestThreshold | None = None,
) -> Choice:
    """Choose a threshold on ranked cases.

    `delta` replaces the one of the options where several searches share it; `best` is the optimum of a sweep of
    weighted cases, for method `cost`.

    >>> from pytest_grounded.calibration.inputs import rank
    >>> cases = rank([i / 60 for i in range(60)], [i > 9 for i in range(60)])
    >>> choose(cases, Options(alpha=0.1, delta=0.1)).operating_point
    'answers 87% of queries; at most 10% of those wrong with 90% confidence; 2 wrong of 52 seen'
    """
    level = share("delta", options.delta if delta is None else delta, open_ended=True)
    match options.method:
        case Method.LTT:
            n_min = smallest_answered(options.alpha, level)
            start = options.start or max(n_min, min(2 * n_min, ranking.n_scored // 2))
            found = ltt_of(ranking, alpha=options.alpha, delta=level, start=start)
            choice = _seen(ranking, options, found.threshold, found.state, level, bound=found.bound, start=start)
        case Method.CRC:
            controlled = crc_of(ranking, alpha=options.alpha)
            choice = _seen(ranking, options, controlled.threshold, controlled.state, level, bound=controlled.bound)
        case Method.EMPIRICAL:
            point = empirical_of(ranking, max_selective_risk=options.alpha)
            state = State.FOUND if point else State.VACUOUS
            choice = _seen(ranking, options, point.threshold if point else None, state, level)
        case Method.COST:
            assert options.prices is not None
            optimum = (
                best
                or sweep_of(
                    ranking,
                    cost_wrong=options.prices.wrong,
                    cost_abstain=options.prices.abstain,
                    abstain_cost=options.prices.convention,
                    thresholds=(),
                ).best
            )
            thresholds = optimum.optimal_thresholds
            threshold = thresholds[0 if options.prefer == "coverage" else -1]
            choice = _seen(ranking, options, threshold, State.FOUND, level, optimal=optimum, weighted=best is not None)
    return choice


def _seen(
    ranking: Ranking,
    options: Options,
    threshold: float | None,
    state: State,
    delta: Fraction,
    *,
    bound: float | None = None,
    start: int | None = None,
    optimal: BestThreshold | None = None,
    weighted: bool = False,
) -> Choice:
    answered, wrong = at(ranking, threshold)
    n = ranking.n
    cost_there = _cost(ranking, options, answered, wrong)
    if weighted and optimal is not None:
        cost_there = optimal.min_cost_per_query
    undefined: dict[str, str] = {}
    if not answered:
        undefined |= dict.fromkeys(("selective_risk", "interval"), "nothing is answered")
    if bound is None:
        undefined["bound"] = "nothing is answered" if options.method is Method.LTT else "the method promises nothing"
    if cost_there is None:
        undefined["cost_per_query"] = "no prices are given"
    choice = Choice(
        method=options.method,
        state=state,
        threshold=threshold,
        n=n,
        n_answered=answered,
        n_wrong=wrong,
        n_needed=None if options.method in (Method.COST, Method.EMPIRICAL) else needed(options, delta=delta),
        coverage=answered / n if n else None,
        selective_risk=wrong / answered if answered else None,
        generalized_risk=wrong / n if n else None,
        interval=clopper_pearson(wrong, answered) if answered else None,
        bound=bound,
        cost_per_query=cost_there,
        optimal_thresholds=optimal.optimal_thresholds if optimal else (),
        weighted=weighted,
        alpha=float(exact(options.alpha)),
        delta=float(delta),
        start=start,
        operating_point="",
        undefined=undefined,
    )
    return replace(choice, operating_point=_words(choice, options, ranking))


def at(ranking: Ranking, threshold: float | None) -> tuple[int, int]:
    """How many cases are answered at a threshold, and how many of them wrongly.

    >>> from pytest_grounded.calibration.inputs import rank
    >>> at(rank([0.9, 0.5], [1, 0]), 0.5), at(rank([0.9, 0.5], [1, 0]), None)
    ((2, 1), (0, 0))
    """
    if threshold is None:
        return 0, 0
    reached = [group for group in ranking.groups if group.score >= threshold]
    return sum(group.n for group in reached), sum(group.n_wrong for group in reached)


def _cost(ranking: Ranking, options: Options, answered: int, wrong: int) -> float | None:
    prices = options.prices
    if prices is None or not ranking.n:
        return None
    right = ranking.n_scored - ranking.n_wrong
    charged = ranking.n - answered if prices.convention is AbstentionCost.ALL else right - (answered - wrong)
    return float((exact(prices.wrong) * wrong + exact(prices.abstain) * charged) / ranking.n)


def _words(choice: Choice, options: Options, ranking: Ranking) -> str:
    limit, confidence = percent(choice.alpha, 1), percent(1 - exact(choice.delta), 1)
    promise = {
        Method.LTT: f"at most {limit} of those wrong with {confidence} confidence",
        Method.CRC: f"at most {limit} of all queries answered wrongly, on average over calibrations",
        Method.EMPIRICAL: f"no more than {limit} of those wrong in this sample, which promises nothing",
        Method.COST: _priced(choice, options),
    }[choice.method]
    if choice.state is State.INFEASIBLE:
        cases = count(ranking.n_scored if choice.method is Method.LTT else ranking.n, "case")
        return (
            f"answers nothing: with {cases} no threshold can show {promise}; at least {choice.n_needed} are needed, "
            "even if none is wrong"
        )
    if choice.state is State.VACUOUS:
        return f"answers nothing: no threshold keeps {promise}, so the limit is kept only by abstaining on everything"
    if choice.threshold is None:
        return f"answers nothing: {promise}"
    seen = f"{choice.n_wrong} wrong of {choice.n_answered} seen"
    return f"answers {percent(Fraction(choice.n_answered, choice.n))} of queries; {promise}; {seen}"


def _priced(choice: Choice, options: Options) -> str:
    if options.prices is None or choice.cost_per_query is None:
        return ""
    which = "every abstention" if options.prices.convention is AbstentionCost.ALL else "only missed right answers"
    where = "the declared mix" if choice.weighted else "this sample"
    return f"the least cost in {where}, {decimal(choice.cost_per_query)} per query, charging {which}"
