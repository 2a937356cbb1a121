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
    yield from _bands()
    yield from _bisections()
    yield from _powered()
    yield from _prices()
    yield from _texts()
    yield from _citing()


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


# Bands, bisections, judges, prices


def _bands() -> Iterator[_Made]:
    for seed, digits, wrong, abstain, review, most in (
        (51, 1, 7, 3, 1, None),
        (52, 1, 7, 3, 1, 5),
        (53, 2, 4, 2, 1.5, 0),
        (54, 0, 2.5, 1.25, 0.5, 20),
        (55, 3, 0, 1, 2, None),
    ):
        scores, correct = _cases(26, seed, digits=digits)
        given = {"scores": scores, "correct": correct, "cost_wrong": wrong, "cost_abstain": abstain}
        given |= {"cost_review": review, "max_review": most}
        yield "review_band", given, _band(scores, correct, (wrong, abstain, review), most), 1e-9


def _band(
    scores: list[float], correct: list[int], charged: tuple[float, float, float], most: int | None
) -> dict[str, Any]:
    """Every pair of cuts between distinct scores, counted afresh."""
    cuts = [float("inf"), *sorted(set(scores), reverse=True)]
    splits: dict[tuple[int, int, int, int], Fraction] = {}
    for place, high in enumerate(cuts):
        for low in cuts[place:]:
            shown, k = _seen(scores, correct, high)
            reviewed = sum(low <= score < high for score in scores)
            if most is None or reviewed <= most:
                left = len(scores) - shown - reviewed
                prices = [Fraction(str(price)) for price in charged]
                splits[shown, reviewed, left, k] = prices[0] * k + prices[1] * left + prices[2] * reviewed
    least = min(splits.values())
    names = ("n_answer", "n_review", "n_abstain", "n_wrong")
    best = sorted(split for split, cost in splits.items() if cost == least)
    return {
        "min_total_cost": float(least),
        "optimal_partitions": [dict(zip(names, split, strict=True)) for split in best],
    }


def _bisections() -> Iterator[_Made]:
    """SGR as its authors print it, with the exact bound as a quantile of the beta distribution."""
    beta = imported("scipy.stats").beta
    for seed, n, digits, target, delta in (
        (56, 127, 9, 0.4, 0.05),
        (57, 64, 1, 0.5, 0.2),
        (58, 300, 2, 0.3, 0.001),
        (59, 5, 2, 0.9, 0.3),
    ):
        scores, correct = _cases(n, seed, digits=digits)
        ascending, looks = sorted(scores), (n - 1).bit_length()
        low, high = 1, n
        kept: dict[str, Any] = {"threshold": None, "n_answered": 0, "n_wrong": 0}
        for _ in range(looks):
            middle = -(-(low + high) // 2)
            threshold = ascending[middle - 1]
            shown, k = _seen(scores, correct, threshold)
            bound = 1.0 if k == shown else float(beta.ppf(1 - delta / looks, k + 1, shown - k))
            if bound <= target:
                high = middle
                kept = {"threshold": threshold, "n_answered": shown, "n_wrong": k, "bound": bound}
            else:
                low = middle
        given = {"scores": scores, "correct": correct, "target_risk": target, "delta": delta}
        yield "selective_risk_sgr", given, {**kept, "coverage": kept["n_answered"] / n}, 1e-8


def _powered() -> Iterator[_Made]:
    np, norm = imported("numpy"), imported("scipy.stats").norm
    for seed, labelled, rest, confidence in ((61, 12, 80, 0.9), (62, 200, 1000, 0.99), (63, 1, 1, 0.5)):
        source = random.Random(seed)  # noqa: S311 - made-up labels
        truth = [int(source.random() < 0.6) for _ in range(labelled)]
        judged = [source.choice([label, label, 1, round(source.random(), 2)]) for label in truth]
        others = [round(source.random(), 3) for _ in range(rest)]
        gaps = np.array(truth) - np.array(judged, dtype=float)
        estimate = float(np.mean(others) + gaps.mean())
        se = float(np.sqrt(np.var(others) / rest + gaps.var() / labelled))
        ends = [float(end) for end in norm.interval(confidence, estimate, se)] if se else [estimate, estimate]
        given = {"labelled_truth": truth, "labelled_judge": judged, "unlabelled_judge": others}
        yield "ppi_mean", {**given, "confidence": confidence}, {"estimate": estimate, "se": se, "ci": ends}, 1e-8


def _prices() -> Iterator[_Made]:
    """Chow's rule, where two straight lines of expected cost cross."""
    brentq = imported("scipy.optimize").brentq
    for wrong, abstain in ((7, 2), (0.3, 0.1), (1, 1000), (1000, 1)):
        missed = float(brentq(lambda p, w=wrong, a=abstain: (1 - p) * w - p * a, 0, 1, xtol=1e-14))
        every = (
            float(brentq(lambda p, w=wrong, a=abstain: (1 - p) * w - a, 0, 1, xtol=1e-14)) if wrong > abstain else 0.0
        )
        given = {"cost_wrong": wrong, "cost_abstain": abstain}
        yield "chow_threshold", given, {"threshold_missed": missed, "threshold_all": every}, 1e-9
    yield "chow_threshold", {"cost_wrong": 0, "cost_abstain": 2}, {"threshold_missed": 0.0, "threshold_all": 0.0}, 1e-9


# Texts


def _texts() -> Iterator[_Made]:
    expected: dict[str, Any]
    pairs: list[tuple[str, list[str], int, float]] = [
        ("red red fox", ["red fox fox"], 0, 2 / 3),
        ("An apple a day", ["the apple-day", "apple day"], 1, 1.0),
        ("the", ["a"], 1, 1.0),
        ("theatre", ["the theatre"], 1, 1.0),
        ("Paris, France", ["Lyon", "paris france europe"], 0, 0.8),
        ("", ["", "x"], 0, 0.0),
        ("1.5", ["15"], 1, 1.0),
        ("\tNew\n York ", ["new york"], 1, 1.0),
    ]
    for prediction, golds, exact, f1 in pairs:
        yield "squad_pair", {"prediction": prediction, "golds": golds}, {"exact": exact, "f1": f1}, 1e-9
    for seed, n, digits in ((71, 30, 6), (72, 60, 1)):
        source = random.Random(seed)  # noqa: S311 - made-up questions
        items = []
        for _ in range(n):
            has, shown = source.random() < 0.6, source.random() < 0.8
            score = source.choice([0, 0.5, 1]) if has and shown else int(not has and not shown)
            items.append(
                {"na_prob": round(source.random(), digits), "has_answer": has, "answered": shown, "score": score}
            )
        expected = {"official": _scanned(items), "realizable": _reached(items)}
        yield "squad_best_threshold", {"items": items}, expected, 1e-9


def _scanned(items: list[dict[str, Any]]) -> dict[str, Any]:
    """The scan of the official script, line by line."""
    score = best = float(sum(not item["has_answer"] for item in items))
    threshold = 0.0
    for item in sorted(items, key=lambda item: item["na_prob"]):
        score += item["score"] if item["has_answer"] else -1 if item["answered"] else 0
        if score > best:
            best, threshold = score, item["na_prob"]
    return {"best": best / len(items), "threshold": threshold}


def _reached(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Each threshold by itself: an answer above it is empty text."""
    found: list[tuple[float, float | None]] = []
    for threshold in (None, *sorted({item["na_prob"] for item in items})):
        shown = [threshold is not None and item["na_prob"] <= threshold for item in items]
        gained = [
            (item["score"] if item["has_answer"] else int(not item["answered"]))
            if show
            else int(not item["has_answer"])
            for item, show in zip(items, shown, strict=True)
        ]
        found.append((sum(gained) / len(items), threshold))
    best = max(value for value, _ in found)
    return {"best": best, "threshold": next(threshold for value, threshold in found if value == best)}


def _citing() -> Iterator[_Made]:
    source = random.Random(81)  # noqa: S311 - made-up citations
    for n in (1, 6, 40):
        statements = []
        for _ in range(n):
            cites = [source.choice("abcd") for _ in range(source.randrange(4))]
            support = [source.sample("abcde", source.randint(1, 3)) for _ in range(source.randrange(3))]
            which = source.choice(["minimal_sets", "exact_sets"])
            weight = source.choice([0.5, 1, 3])
            statements.append({"cites": cites, "support": support, "support_model": which, "weight": weight})
        yield "citations", {"statements": statements}, _cited(statements), 1e-9


def _cited(statements: list[dict[str, Any]]) -> dict[str, Any]:
    per_statement = [_verdicts(statement) for statement in statements]
    ok = [flag for one in per_statement for flag in one["citation_ok"]]
    weighed = list(zip(per_statement, (statement["weight"] for statement in statements), strict=True))
    total = sum(weight for _, weight in weighed)
    cited = sum(weight for one, weight in weighed if one["citation_ok"])
    held = sum(weight for one, weight in weighed if one["supported"])
    c, p = cited / total, held / cited if cited else None
    return {
        "citation_recall": sum(one["supported"] for one in per_statement) / len(statements),
        "citation_precision": sum(ok) / len(ok) if ok else None,
        "n_citations": len(ok),
        "weighted_cited": c,
        "weighted_supported": held / total,
        "weighted_precision": p,
        "weighted_f": None if p is None else 2 * c * p / (c + p),
        "per_statement": per_statement,
    }


def _verdicts(statement: dict[str, Any]) -> dict[str, Any]:
    """Each set of passages is looked up in a table of all sets that support."""
    families = [set(family) for family in statement["support"]]
    every = [{c for place, c in enumerate("abcde") if mask >> place & 1} for mask in range(32)]
    if statement["support_model"] == "exact_sets":
        table = [passages for passages in every if passages in families]
    else:
        table = [passages for passages in every if any(family <= passages for family in families)]
    cites = list(dict.fromkeys(statement["cites"]))
    together = set(cites)
    supported = bool(cites) and together in table
    counts = [supported and (len(cites) == 1 or {c} in table or together - {c} not in table) for c in cites]
    return {"supported": supported, "citation_ok": counts}


if __name__ == "__main__":
    written = {"schema": 1, "fields": {}, "vectors": fresh_vectors()}
    sys.stdout.write(json.dumps(written, indent=1) + "\n")
