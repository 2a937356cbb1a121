"""More vectors of the kinds of `metric_vectors.json`, computed here by scipy, scikit-learn, statsmodels and NumPy alone.

    python -m tests.calibration.fresh_vectors > fresh.json && GROUNDED_VECTORS=fresh.json pytest tests/calibration/test_vectors.py

Other sizes, ties, one class, other limits, other bins than the file has; nothing of the project is asked.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from tests.calibration.oracles import imported

__all__ = ["fresh_vectors"]

Cases = tuple[list[float], list[int]]


@cache
def fresh_vectors() -> tuple[dict[str, Any], ...]:
    """The vectors, each with its own id."""
    return tuple(
        {"id": f"fresh-{place:02}-{kind}", "kind": kind, "input": given, "expected": expected, "tolerance": tolerance}
        for place, (kind, given, expected, tolerance) in enumerate(_all())
    )


_Made = tuple[str, dict[str, Any], Any, float]


def _all() -> Iterator[_Made]:
    yield from _curves()
    yield from _thresholds()
    yield from _intervals()
    yield from _agreement()
    yield from _calibration()
    yield from _comparisons()


def _cases(n: int, seed: int, *, digits: int = 12, low: float = 0.0, high: float = 1.0) -> Cases:
    source = random.Random(seed)  # noqa: S311 - made-up scores
    scores = [round(low + (high - low) * source.random(), digits) for _ in range(n)]
    return scores, [int(source.random() < (s - low) / (high - low) * 0.7 + 0.2) for s in scores]


# Curves


def _curves() -> Iterator[_Made]:
    samples: list[Cases] = [
        ([0.5], [1]),
        ([0.5], [0]),
        ([0.3] * 7, [1, 0, 1, 1, 0, 0, 1]),
        ([0.9, 0.8, 0.1], [0, 0, 0]),
        _cases(37, 1, digits=1),
        _cases(500, 2),
        _cases(64, 3, digits=0, low=-9, high=9),
        _cases(90, 4, digits=3, low=1000, high=5000),
    ]
    for scores, correct in samples:
        yield "risk_coverage", {"scores": scores, "correct": correct}, _curve(scores, correct), 1e-9


def _curve(scores: list[float], correct: list[int]) -> dict[str, Any]:
    np = imported("numpy")
    n, wrong = len(scores), 1 - np.array(correct)
    order = np.argsort(-np.array(scores), kind="stable")
    ordered, errors = np.array(scores)[order], wrong[order].astype(float)
    # Inside a tie each case is wrong at the rate of the tie.
    for value in np.unique(ordered):
        errors[ordered == value] = errors[ordered == value].mean()
    ends = np.append(np.nonzero(np.diff(ordered))[0] + 1, n)
    totals = np.cumsum(errors)
    coverage, generalized = np.append(0, ends / n), np.append(0, totals[ends - 1] / n)
    found = {
        "base_risk": float(wrong.mean()),
        "aurc": float((totals / np.arange(1, n + 1)).mean()),
        "augrc": float(np.trapezoid(generalized, coverage)),
        "auroc": None,
    }
    if 0 < wrong.sum() < n:
        found["auroc"] = float(imported("sklearn.metrics").roc_auc_score(correct, scores))
    return found


# Thresholds


def _seen(scores: list[float], correct: list[int], threshold: float) -> tuple[int, int]:
    shown = [right for score, right in zip(scores, correct, strict=True) if score >= threshold]
    return len(shown), shown.count(0)


def _thresholds() -> Iterator[_Made]:
    expected: dict[str, Any] | None
    binom = imported("scipy.stats").binom
    for seed, limit in ((5, 0.35), (6, 0.07), (7, 0.5)):
        scores, correct = _cases(60, seed, digits=2)
        points = [(t, *_seen(scores, correct, t)) for t in sorted(set(scores))]
        within = [(t, n, k) for t, n, k in points if Fraction(k, n) <= Fraction(str(limit))]
        expected = (
            None if not within else {"threshold": within[0][0], "n_answered": within[0][1], "n_wrong": within[0][2]}
        )
        yield "coverage_at_risk", {"scores": scores, "correct": correct, "max_selective_risk": limit}, expected, 1e-9
    for seed, alpha in ((8, 0.03), (9, 0.25), (10, 0.5), (11, 0.005)):
        scores, correct = _cases(83, seed, digits=2)
        room = Fraction(str(alpha)) * (len(scores) + 1)
        allowed = [t for t in sorted(set(scores)) if _seen(scores, correct, t)[1] + 1 <= room]
        n, k = _seen(scores, correct, allowed[0]) if allowed else (0, 0)
        expected = {"threshold": allowed[0] if allowed else None, "feasible": room >= 1, "n_answered": n, "n_wrong": k}
        yield "conformal_risk", {"scores": scores, "correct": correct, "alpha": alpha}, expected, 1e-9
    for seed, alpha, delta in ((12, 0.45, 0.05), (13, 0.6, 0.2), (14, 0.3, 0.01)):
        scores, correct = _cases(160, seed, digits=2)
        start = next(n for n in range(1, 999) if binom.cdf(0, n, alpha) <= delta)
        last: tuple[float | None, int, int] = (None, 0, 0)
        for threshold in sorted(set(scores), reverse=True):
            n, k = _seen(scores, correct, threshold)
            if n >= start and binom.cdf(k, n, alpha) > delta:
                break
            last = (threshold, n, k) if n >= start else last
        expected = {"n_min": start, "threshold": last[0], "n_answered": last[1], "n_wrong": last[2]}
        yield (
            "selective_risk_ltt",
            {"scores": scores, "correct": correct, "alpha": alpha, "delta": delta},
            expected,
            1e-9,
        )
    for seed, wrong, abstain, which in ((15, 3, 1, "missed"), (16, 9, 2, "all"), (17, 0.5, 0.25, "all")):
        scores, correct = _cases(45, seed, digits=1)
        yield (
            "threshold_sweep",
            _priced(scores, correct, wrong, abstain, which),
            _cheapest(scores, correct, wrong, abstain, which),
            1e-9,
        )


def _priced(scores: list[float], correct: list[int], wrong: float, abstain: float, which: str) -> dict[str, Any]:
    return {
        "scores": scores,
        "correct": correct,
        "thresholds": sorted(set(scores)),
        "cost_wrong": wrong,
        "cost_abstain": abstain,
        "abstain_cost_applies_to": which,
    }


def _cheapest(scores: list[float], correct: list[int], wrong: float, abstain: float, which: str) -> dict[str, Any]:
    costs = {}
    for threshold in [*sorted(set(scores)), float("inf")]:
        n, k = _seen(scores, correct, threshold)
        hidden = len(scores) - n if which == "all" else sum(correct) - (n - k)
        costs[threshold] = wrong * k + abstain * hidden
    return {"best": {"min_cost_per_query": min(costs.values()) / len(scores)}}


# Intervals and tests


def _intervals() -> Iterator[_Made]:
    expected: dict[str, Any]
    stats, proportion = imported("scipy.stats"), imported("statsmodels.stats.proportion")
    for k, n, delta in ((0, 1, 0.05), (1, 1, 0.2), (3, 17, 0.01), (250, 5000, 0.1), (4999, 5000, 0.05), (7, 7, 0.5)):
        exact = [
            float(stats.beta.ppf(delta / 2, k, n - k + 1)) if k else 0.0,
            float(stats.beta.ppf(1 - delta / 2, k + 1, n - k)) if k < n else 1.0,
        ]
        expected = {
            "clopper_pearson": exact,
            "upper_one_sided": float(stats.beta.ppf(1 - delta, k + 1, n - k)) if k < n else 1.0,
            "wilson": [float(end) for end in proportion.proportion_confint(k, n, delta, method="wilson")],
        }
        yield "binomial_interval", {"k": k, "n": n, "delta": delta}, expected, 1e-8
    for first, second in ((1, 0), (3, 11), (40, 40), (0, 900)):
        n, low = first + second, min(first, second)
        p_exact = float(stats.binomtest(first, n, 0.5).pvalue)
        mid = float(2 * (stats.binom.cdf(low, n, 0.5) - stats.binom.pmf(low, n, 0.5) / 2)) if first != second else None
        expected = {"p_exact": p_exact, **({"p_mid": mid} if mid is not None else {})}
        yield "mcnemar", {"only_first_passes": first, "only_second_passes": second}, expected, 1e-9


# Raters and judges


def _agreement() -> Iterator[_Made]:
    source = random.Random(21)  # noqa: S311 - made-up labels
    kappa = imported("sklearn.metrics").cohen_kappa_score
    for words, n in (("ab", 9), ("abc", 40), ("abcde", 200)):
        one = [source.choice(words) for _ in range(n)]
        other = [a if source.random() < 0.6 else source.choice(words) for a in one]
        yield "cohen_kappa", {"rater_a": one, "rater_b": other}, {"kappa": float(kappa(one, other))}, 1e-9
    for raters, n in ((3, 12), (5, 30)):
        ratings = [[source.choice([0, 1, 2, None]) for _ in range(n)] for _ in range(raters)]
        numbers = [[float("nan") if value is None else value for value in rater] for rater in ratings]
        alpha = imported("krippendorff").alpha(reliability_data=numbers, level_of_measurement="nominal")
        yield "krippendorff_nominal", {"ratings": ratings}, {"alpha": float(alpha)}, 1e-9
    for seen, tpr, tnr in ((0.4, 0.9, 0.7), (0.05, 0.8, 0.75), (0.99, 0.6, 0.97)):
        raw = float(imported("numpy").linalg.solve([[tpr + tnr - 1]], [seen + tnr - 1])[0])
        expected = {"raw": raw, "clipped": min(1.0, max(0.0, raw))}
        yield "judge_corrected_rate", {"observed_positive_rate": seen, "tpr": tpr, "tnr": tnr}, expected, 1e-9


# Probabilities


def _calibration() -> Iterator[_Made]:
    np, brier = imported("numpy"), imported("sklearn.metrics").brier_score_loss
    for seed, n, bins in ((31, 25, 4), (32, 240, 7), (33, 1001, 15), (34, 3, 10)):
        values, outcomes = _cases(n, seed)
        p, y = np.array(values), np.array(outcomes)
        place = np.clip(np.ceil(p * bins).astype(int) - 1, 0, bins - 1)
        wide = [(p[place == b], y[place == b]) for b in range(bins) if (place == b).any()]
        heavy = [part for part in np.array_split(np.argsort(p, kind="stable"), bins) if len(part)]
        expected = {
            "brier": float(brier(y, p)),
            "ece": float(sum(abs(a.sum() - b.sum()) for a, b in wide) / n),
            "mce": float(max(abs(a.mean() - b.mean()) for a, b in wide)),
            "ece_equal_mass": float(sum(abs(p[part].sum() - y[part].sum()) for part in heavy) / n),
            "nonempty_bins": len(wide),
        }
        yield "calibration_error", {"probabilities": values, "outcomes": outcomes, "n_bins": bins}, expected, 1e-9
    regression, minimize = imported("sklearn.isotonic").IsotonicRegression, imported("scipy.optimize").minimize
    for seed, n, digits in ((35, 30, 1), (36, 200, 9)):
        values, outcomes = _cases(n, seed, digits=digits)
        x = sorted(set(values))
        fitted = [float(value) for value in regression().fit(values, outcomes).predict(x)]
        yield "isotonic", {"x": values, "y": outcomes}, {"x": x, "fitted": fitted}, 1e-9
    for seed, n in ((37, 40), (38, 300)):
        values, outcomes = _cases(n, seed, digits=3)
        right = sum(outcomes)
        t = np.where(np.array(outcomes) == 1, (right + 1) / (right + 2), 1 / (n - right + 2))
        s = np.array(values)

        def loss(ab: Any, s: Any = s, t: Any = t) -> float:
            f = ab[0] * s + ab[1]
            return float((np.logaddexp(0, f) - (1 - t) * f).sum())

        found = minimize(
            loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-11, "fatol": 1e-13, "maxiter": 9999}
        )
        yield "platt", {"scores": values, "outcomes": outcomes}, {"a": float(found.x[0]), "b": float(found.x[1])}, 1e-5


# Many tests, many runs


def _comparisons() -> Iterator[_Made]:
    expected: dict[str, Any]
    adjust, hypergeom = imported("statsmodels.stats.multitest").multipletests, imported("scipy.stats").hypergeom
    source = random.Random(41)  # noqa: S311 - made-up values
    for n in (1, 4, 25):
        p = [round(source.random() ** 3, 4) for _ in range(n)]
        expected = {
            "holm": [float(value) for value in adjust(p, method="holm")[1]],
            "benjamini_hochberg": [float(value) for value in adjust(p, method="fdr_bh")[1]],
        }
        yield "multiple_comparisons", {"p_values": p}, expected, 1e-9
    for runs, passed, k in ((7, 5, 3), (20, 1, 2), (6, 0, 6)):
        drawn = hypergeom(runs, passed, k)
        expected = {"pass_hat_k": float(drawn.pmf(k)), "pass_at_k": float(1 - drawn.pmf(0))}
        yield "repeat_runs", {"n_runs": runs, "n_passed": passed, "k": k}, expected, 1e-9


if __name__ == "__main__":
    written = {"schema": 1, "fields": {}, "vectors": fresh_vectors()}
    sys.stdout.write(json.dumps(written, indent=1) + "\n")
