"""Does the threshold keep its limit on rows it was not chosen on? With what those rows can show at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from pytest_grounded.calibration.choosing import Choice, at
from pytest_grounded.calibration.costs import sweep_of
from pytest_grounded.calibration.intervals import Interval, clopper_pearson, lower_bound, upper_bound
from pytest_grounded.calibration.options import Method, Options
from pytest_grounded.calibration.rows import Row, Sample
from pytest_grounded.calibration.sampling import ranked
from pytest_grounded.calibration.wording import percent

__all__ = ["Confirmation", "Verdict", "confirm"]

_LEVEL = Fraction(1, 20)

Verdict = Literal["confirmed", "open", "missed", "not_tested"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """The chosen threshold on rows it was not chosen on.

    `confirmed`: the one-sided 95 percent upper bound keeps the limit; `missed`: the lower bound exceeds it; `open`:
    too few cases to tell.
    """

    digest: str
    n: int
    n_answered: int
    n_wrong: int
    never_answered: int
    coverage: float | None
    risk: float | None
    interval: Interval | None
    upper: float | None
    lower: float | None
    cost_per_query: float | None
    always_answer: float | None
    never_answer: float | None
    verdict: Verdict
    words: str
    undefined: Mapping[str, str] = field(default_factory=dict)


def confirm(rows: Sequence[Row], choice: Choice, options: Options) -> Confirmation:
    """Apply a chosen threshold to other rows.

    The risk is the share the method limits: of all queries for `crc`, of the answered otherwise.

    >>> from pytest_grounded.calibration.choosing import choose
    >>> from pytest_grounded.calibration.inputs import rank
    >>> options = Options(alpha=0.1, delta=0.1)
    >>> choice = choose(rank([i / 60 for i in range(60)], [i > 9 for i in range(60)]), options)
    >>> rows = [Row(case=str(i), group=str(i), score=0.9, correct=int(i > 12)) for i in range(40)]
    >>> confirm(rows, choice, options).verdict
    'missed'
    """
    ranking = ranked(rows)
    answered, wrong = at(ranking, choice.threshold)
    of = ranking.n if options.method is Method.CRC else answered
    upper = upper_bound(wrong, of, delta=_LEVEL) if of else None
    lower = lower_bound(wrong, of, delta=_LEVEL) if of else None
    verdict = _verdict(choice, options, upper, lower)
    costs: tuple[float | None, float | None, float | None] = (None, None, None)
    if options.prices is not None:
        thresholds = [] if choice.threshold is None else [choice.threshold]
        sweep = sweep_of(
            ranking,
            cost_wrong=options.prices.wrong,
            cost_abstain=options.prices.abstain,
            abstain_cost=options.prices.convention,
            thresholds=thresholds,
        )
        here = sweep.rows[0].cost_per_query if sweep.rows else sweep.never_answer
        costs = (here, sweep.always_answer, sweep.never_answer)
    undefined = {} if of else dict.fromkeys(("risk", "interval", "upper", "lower"), "nothing is answered")
    if options.prices is None:
        undefined |= dict.fromkeys(("cost_per_query", "always_answer", "never_answer"), "no prices are given")
    return Confirmation(
        digest=Sample(rows=tuple(rows)).digest,
        n=ranking.n,
        n_answered=answered,
        n_wrong=wrong,
        never_answered=ranking.never_answered,
        coverage=answered / ranking.n if ranking.n else None,
        risk=wrong / of if of else None,
        interval=clopper_pearson(wrong, of) if of else None,
        upper=upper,
        lower=lower,
        cost_per_query=costs[0],
        always_answer=costs[1],
        never_answer=costs[2],
        verdict=verdict,
        words=_confirmation(verdict, choice, options, at_threshold=(wrong, of, answered, ranking.n)),
        undefined=undefined,
    )


def _verdict(choice: Choice, options: Options, upper: float | None, lower: float | None) -> Verdict:
    if options.method is Method.COST or choice.threshold is None or upper is None or lower is None:
        return "not_tested"
    if lower > choice.alpha:
        return "missed"
    return "confirmed" if upper <= choice.alpha else "open"


def _confirmation(
    verdict: Verdict, choice: Choice, options: Options, *, at_threshold: tuple[int, int, int, int]
) -> str:
    wrong, of, answered, n = at_threshold
    limit = percent(choice.alpha, 1)
    if not of or choice.threshold is None:
        return "nothing is answered on the test rows"
    whose = "all queries" if options.method is Method.CRC else "the answered"
    interval = clopper_pearson(wrong, of)
    seen = (
        f"answers {percent(Fraction(answered, n))} of test queries; {wrong} wrong of {of} of {whose} "
        f"({percent(Fraction(wrong, of), 1)}, 95% interval {percent(interval.low, 1)} to {percent(interval.high, 1)})"
    )
    return {
        "confirmed": f"{seen}: the limit of {limit} is confirmed",
        "missed": f"{seen}: the limit of {limit} is missed",
        "open": f"{seen}: the limit of {limit} is neither confirmed nor refuted; label more test rows",
        "not_tested": seen,
    }[verdict]
