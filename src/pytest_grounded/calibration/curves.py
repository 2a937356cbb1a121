"""How wrong is a system that answers only its most confident share? The risk-coverage curve and its areas.

Answer iff score >= threshold. Only one point per distinct score can be realized: no threshold separates equal scores.
Areas are computed in integers, so that an excess is never below 0 and is 0 exactly for a perfect order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import Number, Ranking, TieGroup, rank

__all__ = ["RiskCoverage", "RiskPoint", "curve_of", "risk_coverage", "score_quality"]

_UNIT = 1 << 256
"""Sums of n fractions are taken in units of 2^-256. The error, n units, is far below what a float can show, and two
different terms differ by at least 1/n^2, so that order is kept and only equal curves have equal areas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPoint:
    """What answering every case with score >= threshold does.

    `selective_risk` is the share wrong of the answered, `generalized_risk` the share of all cases that are answered
    and wrong (undetected failures).
    """

    threshold: float
    n_answered: int
    n_wrong: int
    coverage: float
    selective_risk: float
    generalized_risk: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskCoverage:
    """The realizable points from strict to loose, and the areas under them by the name of their estimator.

    `augrc` is the headline. `aurc` averages the selective risk of the k most confident cases over k, ties broken at
    random; it is biased upward in small samples and ruled by its first few ranks. Never compare areas of different
    estimators. `max_coverage` is below 1 where cases are never answered; areas then end there.
    """

    n: int
    n_wrong: int
    never_answered: int
    base_risk: float | None
    max_coverage: float | None
    aurc: float | None
    aurc_oracle: float | None
    e_aurc: float | None
    aurc_trapezoid: float | None
    aurc_trapezoid_oracle: float | None
    aurc_grouped_trapezoid: float | None
    aurc_oracle_closed_form: float | None
    augrc: float | None
    augrc_oracle: float | None
    e_augrc: float | None
    auroc: float | None
    points: tuple[RiskPoint, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


def risk_coverage(scores: Sequence[Number], correct: Sequence[object], *, never_answered: int = 0) -> RiskCoverage:
    """The risk-coverage curve of scores against labels, with its areas.

    `correct` is 1 where showing the draft would be right, 0 where it would be wrong (an unanswerable case is 0,
    whatever its score). Risks and coverage are shares between 0 and 1; areas are in the same unit. Assumes nothing of
    the scores but their order; equal scores are one point. Without cases every value is None; AUROC is None unless
    right and wrong answers are both there.

    `aurc` is the definition of Geifman et al. (2019), exact in expectation over the order of ties;
    `aurc_trapezoid` starts at risk 0 and is less by half the base risk per case; `aurc_grouped_trapezoid` runs over
    realizable points with the first risk held flat; `augrc` (Traub et al. 2024) is the trapezoid of the generalized
    risk and equals (1 - AUROC) e (1 - e) + e^2/2 for the base risk e. `e_` is an area less that of the oracle order.

    >>> curve = risk_coverage([0.9, 0.8, 0.7, 0.2, 0.1], [1, 1, 1, 0, 0])
    >>> curve.augrc, curve.aurc, curve.e_aurc, curve.auroc
    (0.08, 0.13, 0.0, 1.0)
    """
    return curve_of(rank(scores, correct, never_answered=never_answered))


def curve_of(ranking: Ranking) -> RiskCoverage:
    """The curve of cases that are already ranked.

    >>> curve_of(rank([], [])).augrc is None
    True
    """
    n, wrong, scored = ranking.n, ranking.n_wrong, ranking.n_scored
    if not scored:
        return _empty(n, ranking.never_answered)
    oracle = tuple(group for group in (TieGroup(1, scored - wrong, 0), TieGroup(0, wrong, wrong)) if group.n)
    # The oracle answers one case after the other: between equal cases order makes no difference.
    area, best = _mean_risk(ranking.groups), _mean_risk(oracle)
    half_first = Fraction(wrong, 2 * scored)
    reach = Fraction(scored, n)
    generalized, least = _generalized_area(ranking.groups, scored), Fraction(wrong * wrong, 2 * scored * scored)
    auroc = score_quality(ranking)
    base = wrong / scored
    return RiskCoverage(
        n=n,
        n_wrong=wrong,
        never_answered=ranking.never_answered,
        base_risk=base,
        max_coverage=float(reach),
        aurc=float(area * reach),
        aurc_oracle=float(best * reach),
        e_aurc=float((area - best) * reach),
        aurc_trapezoid=float((area - half_first / scored) * reach),
        aurc_trapezoid_oracle=float((best - half_first / scored) * reach),
        aurc_grouped_trapezoid=float(_grouped_area(ranking.groups, scored) * reach),
        aurc_oracle_closed_form=base + ((1 - base) * math.log1p(-base) if base < 1 else 0.0),
        augrc=float(generalized * reach * reach),
        augrc_oracle=float(least * reach * reach),
        e_augrc=float((generalized - least) * reach * reach),
        auroc=None if auroc is None else float(auroc),
        points=tuple(_points(ranking)),
        undefined={} if auroc is not None else {"auroc": _one_class(wrong)},
    )


def _one_class(wrong: int) -> str:
    return "no answer is right" if wrong else "no answer is wrong"


def _empty(n: int, never_answered: int) -> RiskCoverage:
    areas = [name for name in RiskCoverage.__slots__ if "rc" in name or name in ("base_risk", "auroc")]
    why = "no case has a score" if n else "there are no cases"
    nothing: dict[str, None] = dict.fromkeys(areas)
    reach = 0.0 if n else None
    undefined = dict.fromkeys([*areas, *([] if n else ["max_coverage"])], why)
    return RiskCoverage(
        n=n, n_wrong=0, never_answered=never_answered, max_coverage=reach, points=(), undefined=undefined, **nothing
    )


def _points(ranking: Ranking) -> list[RiskPoint]:
    points: list[RiskPoint] = []
    answered = wrong = 0
    n = ranking.n
    for group in ranking.groups:
        answered += group.n
        wrong += group.n_wrong
        points.append(
            RiskPoint(
                threshold=group.score,
                n_answered=answered,
                n_wrong=wrong,
                coverage=answered / n,
                selective_risk=wrong / answered,
                generalized_risk=wrong / n,
            )
        )
    return points


def _mean_risk(groups: Sequence[TieGroup]) -> Fraction:
    """Mean over k of the expected wrong share of the first k; inside a group the wrong ones come in at their rate."""
    total = answered = wrong = 0
    for group in groups:
        size, errors = group.n, group.n_wrong
        if errors == 0 and wrong == 0:
            answered += size
            continue
        for j in range(1, size + 1):
            total += (wrong * size + j * errors) * _UNIT // (size * (answered + j))
        answered += size
        wrong += errors
    return Fraction(total, answered * _UNIT)


def _grouped_area(groups: Sequence[TieGroup], scored: int) -> Fraction:
    """Trapezoid over realizable points; the first risk is held flat down to coverage 0 (as fd-shifts does)."""
    total = answered = wrong = 0
    before: int | None = None
    for group in groups:
        answered += group.n
        wrong += group.n_wrong
        risk = wrong * _UNIT // answered
        total += group.n * (risk + (risk if before is None else before))
        before = risk
    return Fraction(total, 2 * scored * _UNIT)


def _generalized_area(groups: Sequence[TieGroup], scored: int) -> Fraction:
    doubled = wrong = 0
    for group in groups:
        doubled += group.n * (2 * wrong + group.n_wrong)
        wrong += group.n_wrong
    return Fraction(doubled, 2 * scored * scored)


def score_quality(ranking: Ranking) -> Fraction | None:
    """AUROC: the chance that a right case outscores a wrong one, ties half (Hanley and McNeil 1982).

    None unless both are there.

    >>> score_quality(rank([0.9, 0.9, 0.4], [1, 0, 0]))
    Fraction(3, 4)
    """
    wrong = ranking.n_wrong
    right = ranking.n_scored - wrong
    if not wrong or not right:
        return None
    doubled = wrong_above = 0
    for group in ranking.groups:
        group_right = group.n - group.n_wrong
        # Wrong cases below count twice, tied ones once.
        doubled += group_right * (2 * (wrong - wrong_above) - group.n_wrong)
        wrong_above += group.n_wrong
    return Fraction(doubled, 2 * right * wrong)
