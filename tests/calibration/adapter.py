"""Which function computes the vectors of a kind (tests/data/calibration/SOURCE.md). It knows kinds, no single vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_grounded.calibration.agreement import cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.citations import (
    Statement,
    aggregate_citations,
    citation_scores,
    exact_sets,
    minimal_sets,
)
from pytest_grounded.calibration.comparison import benjamini_hochberg, holm, mcnemar
from pytest_grounded.calibration.costs import chow_threshold, threshold_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.fitting import fit_isotonic, fit_platt
from pytest_grounded.calibration.guarantees import coverage_at_risk, crc_threshold, ltt_threshold, sgr_threshold
from pytest_grounded.calibration.intervals import clopper_pearson, rule_of_three, upper_bound, wilson
from pytest_grounded.calibration.judges import judge_corrected_rate, ppi_mean
from pytest_grounded.calibration.reliability import calibration_error
from pytest_grounded.calibration.repeats import repeat_runs
from pytest_grounded.calibration.results import to_json
from pytest_grounded.calibration.review import review_band
from pytest_grounded.calibration.squad import SquadItem, squad_best_threshold, squad_pair

__all__ = ["KINDS", "computed"]

Values = dict[str, Any]


def computed(kind: str, given: Mapping[str, Any]) -> Any:
    """What this project computes for a vector's input, as JSON values."""
    return to_json(KINDS[kind](dict(given)))


def _risk_coverage(given: Values) -> Any:
    curve = risk_coverage(**given)
    return curve if curve.n else None


def _sweep(given: Values) -> Any:
    return threshold_sweep(abstain_cost=given.pop("abstain_cost_applies_to"), **given)


def _interval(given: Values) -> Any:
    k, n, delta = given["k"], given["n"], given["delta"]
    exact, score, upper = clopper_pearson(k, n, delta=delta), wilson(k, n, delta=delta), upper_bound(k, n, delta=delta)
    return {
        "clopper_pearson": [exact.low, exact.high],
        "wilson": [score.low, score.high],
        "upper_one_sided": upper,
        "upper_one_sided_closed_form": upper if k == 0 else None,
        "rule_of_three": rule_of_three(k, n, delta=delta),
    }


def _calibration_error(given: Values) -> Any:
    return calibration_error(given["probabilities"], given["outcomes"], n_bins=given["n_bins"])


def _statement(given: Values) -> Statement:
    judge = exact_sets if given.get("support_model", "minimal_sets") == "exact_sets" else minimal_sets
    return Statement(cites=tuple(given["cites"]), support=judge(given["support"]), weight=given.get("weight", 1))


def _comparisons(given: Values) -> Any:
    return {"holm": holm(**given), "benjamini_hochberg": benjamini_hochberg(**given)}


def _squad_items(given: Values) -> Any:
    keys = ("na_prob", "has_answer", "answered", "score")
    return squad_best_threshold([SquadItem(**{key: item.get(key) for key in keys}) for item in given["items"]])


KINDS: dict[str, Callable[[Values], Any]] = {
    "risk_coverage": _risk_coverage,
    "coverage_at_risk": lambda given: coverage_at_risk(**given),
    "threshold_sweep": _sweep,
    "chow_threshold": lambda given: chow_threshold(**given),
    "review_band": lambda given: review_band(**given),
    "conformal_risk": lambda given: crc_threshold(**given),
    "selective_risk_ltt": lambda given: ltt_threshold(**given),
    "selective_risk_sgr": lambda given: sgr_threshold(**given),
    "binomial_interval": _interval,
    "mcnemar": lambda given: mcnemar(**given),
    "cohen_kappa": lambda given: cohen_kappa(**given),
    "krippendorff_nominal": lambda given: krippendorff_nominal(**given),
    "calibration_error": _calibration_error,
    "citations": lambda given: citation_scores([_statement(item) for item in given["statements"]]),
    "citations_aggregate": lambda given: aggregate_citations(
        [[_statement(item) for item in answer] for answer in given["answers"]]
    ),
    "judge_corrected_rate": lambda given: judge_corrected_rate(**given),
    "ppi_mean": lambda given: ppi_mean(**given),
    "repeat_runs": lambda given: repeat_runs(**given),
    "multiple_comparisons": _comparisons,
    "isotonic": lambda given: fit_isotonic(**given),
    "platt": lambda given: fit_platt(**given),
    "squad_pair": lambda given: squad_pair(**given),
    "squad_best_threshold": _squad_items,
}
