"""How the worked numbers of the source documents are computed with this project, by the name of the number.

Formulas and inputs stand in tests/data/calibration/source_numbers.json; what is a matter of words, entities or numbers
in text is computed by the packages for those.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.backoff import two_stage_gate
from pytest_grounded.calibration.citations import Statement, citation_scores, minimal_sets
from pytest_grounded.calibration.costs import Sweep, cheapest_action, chow_threshold, threshold_sweep
from pytest_grounded.calibration.curves import RiskCoverage, risk_coverage
from pytest_grounded.calibration.guarantees import crc_threshold, smallest_calibration
from pytest_grounded.calibration.intervals import clopper_pearson, fisher_exact
from pytest_grounded.calibration.reliability import brier_score, calibration_error
from pytest_grounded.calibration.review import review_can_pay, route
from pytest_grounded.text.words import jaccard

__all__ = ["NUMBERS"]

_PANEL = Path(__file__).parents[1] / "data" / "calibration" / "seed004_panel.json"
_ROWS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

# Source 000: the simulation


@lru_cache(maxsize=1)
def _simulation() -> tuple[tuple[list[float], list[int]], tuple[list[float], list[int]]]:
    source = random.Random(7)  # noqa: S311 - a simulation
    halves = []
    for _ in range(2):
        cases = []
        for _ in range(2000):
            answerable = source.random() < 0.75
            score = source.betavariate(5, 2) if answerable else source.betavariate(2, 4)
            cases.append((score, int(answerable)))
        halves.append(([score for score, _ in cases], [right for _, right in cases]))
    return halves[0], halves[1]


def _swept(half: int, *thresholds: float) -> Sweep:
    scores, correct = _simulation()[half]
    return threshold_sweep(scores, correct, cost_wrong=5, cost_abstain=1, abstain_cost="missed", thresholds=thresholds)


def _printed_row(threshold: float) -> list[str]:
    row = _swept(0, threshold).rows[0]
    values = (row.coverage, row.selective_risk, row.missed_rate, row.cost_per_query)
    return [f"{value:.3f}" for value in values]


def _cost_at(half: int, threshold: float) -> float | None:
    return _swept(half, threshold).rows[0].cost_per_query


def _grid_best() -> float:
    grid = [i / 100 for i in range(101)]
    rows = _swept(0, *grid).rows
    return min(zip(rows, grid, strict=True), key=lambda pair: pair[0].cost_per_query or 0.0)[1]


def _posterior_crossing() -> float:
    """The score s with 0.75 Beta(5, 2) : 0.25 Beta(2, 4) = 5 : 1, where 4.5 s^3 = 5 (1 - s)^2."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 4.5 * middle**3 < 5 * (1 - middle) ** 2 else (low, middle)
    return high


def _rises_again() -> bool:
    eight, nine = _swept(0, 0.8, 0.9).rows
    return (nine.selective_risk or 0.0) > (eight.selective_risk or 0.0)


def _rounded_interval(k: int, n: int) -> list[float]:
    interval = clopper_pearson(k, n)
    return [round(interval.low, 6), round(interval.high, 6)]


def _share_covered(question: str, missing: str) -> float:
    terms = set(question.split())
    return len(terms - {missing}) / len(terms)


# Source 002


def _claims(*claims: tuple[int, bool, bool]) -> list[Statement]:
    return [
        Statement(cites=("e",) if cited else (), support=minimal_sets([["e"]] if supported else []), weight=weight)
        for weight, cited, supported in claims
    ]


_FOUR = ((3, True, True), (3, True, False), (2, True, True), (1, False, False))


def _four(name: str) -> Any:
    return getattr(citation_scores(_claims(*_FOUR)), name)


def _supported(matrix: list[list[int]]) -> list[int]:
    rows = [
        Statement(cites=("e0", "e1"), support=minimal_sets([[f"e{j}"] for j, entails in enumerate(row) if entails]))
        for row in matrix
    ]
    return [int(scores.supported) for scores in citation_scores(rows).per_statement]


def _top(answered: int, wrong: int, total: int) -> RiskCoverage:
    """A curve whose first point is the answered cases."""
    scores = [0.9] * answered + [0.1] * (total - answered)
    return risk_coverage(scores, [0] * wrong + [1] * (total - wrong))


def _risk(answered: int, wrong: int, total: int) -> float:
    return _top(answered, wrong, total).points[0].selective_risk


def _limit_between() -> list[int]:
    points = [(40, 2), (70, 8), (100, 20)]
    within = [answered for answered, wrong in points if Fraction(wrong, answered) <= Fraction(1, 10)]
    beyond = [answered for answered, wrong in points if Fraction(wrong, answered) > Fraction(1, 10)]
    return [max(within), min(beyond)]


def _within_limit() -> list[float]:
    found = {0.9: _risk(400, 12, 1000), 0.8: _risk(650, 39, 1000), 0.7: _risk(820, 82, 1000)}
    return [threshold for threshold, risk in found.items() if risk <= 0.05]


def _total_cost(answered: int, wrong: int, refused: int) -> float:
    n = answered + refused
    scores = [0.9] * answered + [0.1] * refused
    correct = [0] * wrong + [1] * (n - wrong)
    (row,) = threshold_sweep(scores, correct, cost_wrong=10, cost_abstain=1, abstain_cost="all", thresholds=[0.9]).rows
    assert row.cost_per_query is not None
    return round(row.cost_per_query * n, 9)


def _reviewable() -> list[int]:
    """The probabilities, in hundredths, at which a review is the cheapest action under prices 10, 1, 2."""
    found = [
        p
        for p in range(101)
        if cheapest_action(Fraction(p, 100), cost_wrong=10, cost_abstain=1, abstain_cost="all", cost_review=2)
        == "review"
    ]
    assert bool(found) == review_can_pay(10, 1, 2, abstain_cost="all")
    return found


# Source 004


@lru_cache(maxsize=1)
def _panel() -> tuple[list[float], list[int], list[int]]:
    rows = json.loads(_PANEL.read_text("utf-8"))["rows"]
    return [row["score"] for row in rows], [row["correct"] for row in rows], [row["retained"] for row in rows]


def _panel_curve() -> RiskCoverage:
    return risk_coverage(*_panel()[:2])


def _row_order_trapezoid() -> float:
    """The article's own estimator: ties in the order of the rows, wrong before right at 0.486."""
    scores, correct, _ = _panel()
    ordered = [right for _, right in sorted(zip(scores, correct, strict=True), key=lambda pair: -pair[0])]
    wrong, area, before = 0, Fraction(), Fraction()
    for k, right in enumerate(ordered, start=1):
        wrong += 1 - right
        area += (before + Fraction(wrong, k)) / 2
        before = Fraction(wrong, k)
    return float(area / len(ordered))


def _untied_auroc() -> float:
    """The unrounded scores put the wrong one of the pair at 0.486 first."""
    scores, correct, _ = _panel()
    nudged = [score - 1e-6 if score == 0.486 and right else score for score, right in zip(scores, correct, strict=True)]
    auroc = risk_coverage(nudged, correct).auroc
    assert auroc is not None
    return auroc


def _panel_threshold() -> float:
    """The least point of the 51-point grid that keeps the calibration half within the limit."""
    scores, correct, _ = _panel()
    found = crc_threshold(scores[:16], correct[:16], alpha=0.1)
    assert found.threshold is not None
    barred = max(score for score, right in zip(scores[:16], correct[:16], strict=True) if not right)
    grid = [i / 50 for i in range(51)]
    return min(point for point in grid if barred < point <= found.threshold)


def _panel_test() -> Any:
    scores, correct, _ = _panel()
    sweep = threshold_sweep(
        scores[16:], correct[16:], cost_wrong=5, cost_abstain=1, abstain_cost="all", thresholds=[0.78]
    )
    return sweep.rows[0]


def _panel_sweep() -> Sweep:
    scores, correct, _ = _panel()
    return threshold_sweep(scores, correct, cost_wrong=5, cost_abstain=1, abstain_cost="all", thresholds=[0.8])


def _gate(name: str) -> Any:
    scores, correct, kept = _panel()
    return getattr(two_stage_gate(scores, correct, kept, threshold=0.8, min_claims=3), name)


def _panel_best() -> list[float | None]:
    best = _panel_sweep().best
    return [best.min_cost_per_query, best.optimal_thresholds[0]]


def _chow(wrong: float, abstain: float, convention: str) -> Any:
    return getattr(chow_threshold(wrong, abstain), f"threshold_{convention}")


NUMBERS: dict[str, Callable[[], Any]] = {
    "000-cost-5-1": partial(_chow, 5, 1, "missed"),
    "000-cost-equal": partial(_chow, 1, 1, "missed"),
    "000-cost-never": partial(_chow, 5, 0, "missed"),
    "000-cost-limit": partial(_chow, 1e9, 1, "missed"),
    "000-cost-three-way": lambda: {"review": "human"}[
        cheapest_action(0.7, cost_wrong=5, cost_abstain=1, abstain_cost="missed", cost_review=0.5)
    ],
    "000-sim-pstar": partial(_chow, 5, 1, "missed"),
    "000-sim-cross": _posterior_crossing,
    **{f"000-sim-row-{threshold}": partial(_printed_row, threshold) for threshold in _ROWS},
    "000-sim-best": _grid_best,
    "000-sim-best-dev": lambda: _cost_at(0, _grid_best()),
    "000-sim-best-test": lambda: _cost_at(1, _grid_best()),
    "000-sim-theory-test": lambda: _cost_at(1, _posterior_crossing()),
    "000-sim-all-test": lambda: _swept(1).always_answer,
    "000-sim-text-4pct": lambda: _swept(0, 0.6).rows[0].selective_risk,
    "000-sim-text-18pct": lambda: _swept(0, 0.6).rows[0].missed_rate,
    "000-sim-nonmonotone": _rises_again,
    "000-sim-ci-0.6": partial(_rounded_interval, 53, 1200),
    "000-sim-ci-0.8": partial(_rounded_interval, 3, 550),
    "000-sim-ci-0.9": partial(_rounded_interval, 1, 165),
    "000-jaccard": lambda: [jaccard(frozenset("xy"), frozenset("xy")), jaccard(frozenset("xy"), frozenset("z"))],
    "000-coverage-paris": partial(_share_covered, "nightly hotel limit paris", "paris"),
    "000-score-c3": partial(_share_covered, "nightly hotel limit standard city", "standard"),
    "000-score-c8-c11": lambda: [2 / 4, 1 / 4],
    "000-score-mileage": lambda: 1 / 2,
    "002-C": partial(_four, "weighted_cited"),
    "002-P": partial(_four, "weighted_precision"),
    "002-F": partial(_four, "weighted_f"),
    "002-three-of-four": lambda: citation_scores(_claims(*((1, cited, ok) for _, cited, ok in _FOUR))).weighted_cited,
    "002-C-two-meanings": lambda: [_four("weighted_supported"), _four("weighted_cited")],
    "002-matrix-cols": lambda: _supported([[1, 0], [1, 0], [0, 1]]),
    "002-weak-evidence": lambda: _supported([[1, 0], [0, 0], [0, 1]]),
    "002-walk-cited": lambda: citation_scores(_claims(*[(1, True, True)] * 3, (1, True, False))).weighted_cited,
    "002-walk-supported": lambda: citation_scores(_claims(*[(1, True, True)] * 3, (1, True, False))).citation_recall,
    "002-joint-sum": lambda: 500 + 300,
    "002-cost-9-1": partial(_chow, 9, 1, "missed"),
    "002-cost-70pct": lambda: [float((1 - Fraction(7, 10)) * 9), float(Fraction(7, 10) * 1)],
    "002-rc-40": partial(_risk, 40, 2, 100),
    "002-rc-70": partial(_risk, 70, 8, 100),
    "002-rc-100": partial(_risk, 100, 20, 100),
    "002-rc-limit10": _limit_between,
    "002-deploy-0.9": partial(_risk, 400, 12, 1000),
    "002-deploy-0.8": partial(_risk, 650, 39, 1000),
    "002-deploy-0.7": partial(_risk, 820, 82, 1000),
    "002-deploy-limit5": _within_limit,
    "002-deploy-shift": partial(_risk, 400, 32, 1000),
    "002-deploy-shift-p": partial(fisher_exact, (12, 388), (32, 368)),
    "002-cost-650": partial(_total_cost, 700, 35, 300),
    "002-cost-600": partial(_total_cost, 500, 10, 500),
    "002-review-band": lambda: list(route([0.95, 0.9, 0.75, 0.6, 0.59], low=0.6, high=0.9)),
    "002-review-never": _reviewable,
    "003-threshold": lambda: [
        row.n_answered == 1
        for row in (
            threshold_sweep([score], [1], cost_wrong=1, cost_abstain=1, abstain_cost="all", thresholds=[0.72]).rows[0]
            for score in (0.7199, 0.72, 0.73)
        )
    ],
    "003-entity-regex": lambda: re.findall(
        r"\b[A-Z][a-zA-Z0-9_-]{3,}\b", "This limit is 180 in Paris and USD for ACME-2 by Bob"
    ),
    "004-chow": partial(_chow, 5, 1, "all"),
    "004-chow-free": partial(_chow, 5, 0, "all"),
    "004-chow-dear": partial(_chow, 5, 5, "all"),
    "004-vs-000": lambda: [_chow(5, 1, "all"), round(_chow(5, 1, "missed"), 4)],
    "004-base": lambda: _panel_curve().base_risk,
    "004-cov": lambda: _panel_sweep().rows[0].coverage,
    "004-aurc": _row_order_trapezoid,
    "004-aurc-oracle": lambda: _panel_curve().aurc_trapezoid_oracle,
    "004-excess": lambda: _row_order_trapezoid() - (_panel_curve().aurc_trapezoid_oracle or math.nan),
    "004-auc": _untied_auroc,
    "004-crc-threshold": _panel_threshold,
    "004-crc-test": lambda: _panel_test().n_wrong / 16,
    "004-crc-cov": lambda: _panel_test().coverage,
    "004-crc-min-n": partial(smallest_calibration, 0.1),
    "004-gate-n": partial(_gate, "shown"),
    "004-gate-wrong": partial(_gate, "shown_wrong"),
    "004-gate-defer": partial(_gate, "too_risky"),
    "004-gate-thin": partial(_gate, "too_thin"),
    "004-cost-emit": lambda: _panel_sweep().always_answer,
    "004-cost-abstain": lambda: _panel_sweep().never_answer,
    "004-cost-chow": lambda: _panel_sweep().rows[0].cost_per_query,
    "004-cost-min": _panel_best,
    "004-ece": lambda: calibration_error(*_panel()[:2], n_bins=8).ece_equal_mass,
    "004-brier": lambda: brier_score(*_panel()[:2]),
}
