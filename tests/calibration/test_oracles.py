"""The same figures from the libraries people trust; all of them are in the extra `test`, so none is skipped."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from itertools import pairwise

import pytest

from pytest_grounded.calibration.agreement import cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.binomial import binomial_draw
from pytest_grounded.calibration.comparison import benjamini_hochberg, holm, mcnemar
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.fitting import fit_isotonic
from pytest_grounded.calibration.guarantees import ltt_threshold
from pytest_grounded.calibration.intervals import clopper_pearson, clopper_pearson_series, fisher_exact, wilson
from pytest_grounded.calibration.reliability import brier_score, reliability_table
from tests.calibration.oracles import imported

COUNTS = [(0, 1), (1, 1), (0, 60), (2, 40), (12, 400), (53, 1200), (3, 550), (500, 1000), (9_999, 10_000)]
SOURCE = random.Random(11)  # noqa: S311 - made-up scores
SCORES = [round(SOURCE.random(), 2) for _ in range(400)]
CORRECT = [int(SOURCE.random() < score) for score in SCORES]


@pytest.mark.parametrize(("k", "n"), COUNTS)
def test_intervals_agree_with_scipy(k: int, n: int) -> None:
    test = imported("scipy.stats").binomtest(k, n)
    for ours, method in ((clopper_pearson(k, n), "exact"), (wilson(k, n), "wilson")):
        theirs = test.proportion_ci(0.95, method=method)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize(
    "risk", [lambda i: 0.5 * i / 12_000, lambda _: 0.002, lambda _: 0.9], ids=["rising", "rare", "mostly wrong"]
)
def test_bounds_along_a_long_curve_agree_with_scipy(risk: Callable[[int], float]) -> None:
    numpy, beta = imported("numpy"), imported("scipy.stats").beta
    source, counts, k, n = random.Random(3), [], 0, 0  # noqa: S311 - a simulation
    while n < 12_000:
        for _ in range(source.choice([1, 1, 1, 2, 7])):
            n, k = n + 1, k + (source.random() < risk(n))
        counts.append((k, n))
    found = clopper_pearson_series(counts)
    ks, ns = (numpy.array(side) for side in zip(*counts, strict=True))
    highs = numpy.where(ks == ns, 1, beta.ppf(0.975, ks + 1, ns - ks))
    lows = numpy.where(ks == 0, 0, beta.ppf(0.025, ks, ns - ks + 1))
    assert numpy.abs([one.high for one in found] - highs).max() < 1e-7
    assert numpy.abs([one.low for one in found] - lows).max() < 1e-7


@pytest.mark.parametrize(("n", "p"), [(30, 0.1), (30, 0.5), (1000, 0.02), (1000, 0.97), (100_000, 0.001)])
def test_binomial_draws_are_distributed_as_scipy_says(n: int, p: float) -> None:
    stats, source = imported("scipy.stats"), random.Random(5)  # noqa: S311 - a simulation
    draws = [binomial_draw(n, p, source) for _ in range(4000)]
    cuts = [int(stats.binom.ppf(level / 10, n, p)) for level in range(1, 10)]
    cuts = sorted(set(cuts))
    expected = [*(stats.binom.cdf(b, n, p) - stats.binom.cdf(a, n, p) for a, b in pairwise([-1, *cuts, n]))]
    seen = [sum(a < draw <= b for draw in draws) for a, b in pairwise([-1, *cuts, n])]
    assert stats.chisquare(seen, [4000 * share for share in expected]).pvalue > 0.001
    assert all(0 <= draw <= n for draw in draws)


def test_the_reliability_table_agrees_with_scikit_learn() -> None:
    curve = imported("sklearn.calibration").calibration_curve
    table = reliability_table(SCORES, CORRECT, n_bins=7, binning="equal_width")
    # Its bins are closed below, ours above; with seven no score lies on an inner edge.
    right, mean = curve(CORRECT, SCORES, n_bins=7, strategy="uniform")
    assert [one.right_rate for one in table] == pytest.approx(list(right))
    assert [one.mean_probability for one in table] == pytest.approx(list(mean))


@pytest.mark.parametrize("table", [((12, 388), (32, 368)), ((0, 9), (5, 3)), ((40, 2), (1000, 90))])
def test_fisher_agrees_with_scipy(table: tuple[tuple[int, int], tuple[int, int]]) -> None:
    assert fisher_exact(*table) == pytest.approx(imported("scipy.stats").fisher_exact(table)[1], rel=1e-9)


def test_auroc_brier_kappa_and_the_isotonic_map_agree_with_scikit_learn() -> None:
    metrics, isotonic = imported("sklearn.metrics"), imported("sklearn.isotonic")
    assert risk_coverage(SCORES, CORRECT).auroc == pytest.approx(metrics.roc_auc_score(CORRECT, SCORES))
    assert brier_score(SCORES, CORRECT) == pytest.approx(metrics.brier_score_loss(CORRECT, SCORES))
    other = CORRECT[1:] + CORRECT[:1]
    assert cohen_kappa(CORRECT, other).kappa == pytest.approx(metrics.cohen_kappa_score(CORRECT, other))
    fitted = fit_isotonic(SCORES, CORRECT)
    theirs = isotonic.IsotonicRegression().fit(SCORES, CORRECT)
    assert list(fitted.fitted) == pytest.approx(list(theirs.predict(fitted.x)), abs=1e-9)
    between = [0.005, 0.333, 0.4999, 0.905]
    assert [fitted.probability(s) for s in between] == pytest.approx(list(theirs.predict(between)), abs=1e-9)


@pytest.mark.parametrize(("first", "second"), [(2, 9), (0, 5), (4, 4), (12, 30), (300, 350)])
def test_mcnemar_agrees_with_scipy(first: int, second: int) -> None:
    expected = imported("scipy.stats").binomtest(first, first + second, 0.5).pvalue
    assert mcnemar(first, second).p_exact == pytest.approx(expected, rel=1e-9)


def test_adjusted_p_values_agree_with_statsmodels() -> None:
    multitest = imported("statsmodels.stats.multitest")
    p_values = [0.001, 0.008, 0.039, 0.041, 0.27, 0.6, 0.041]
    assert holm(p_values) == pytest.approx(tuple(multitest.multipletests(p_values, method="holm")[1]))
    assert benjamini_hochberg(p_values) == pytest.approx(tuple(multitest.multipletests(p_values, method="fdr_bh")[1]))


def test_alpha_agrees_with_krippendorff() -> None:
    krippendorff = imported("krippendorff")
    ratings = [[1, 0, 1, None, 1], [1, 0, 0, 1, None], [None, 0, 1, 1, 1]]
    numbers = [[float("nan") if v is None else v for v in rater] for rater in ratings]
    theirs = krippendorff.alpha(reliability_data=numbers, level_of_measurement="nominal")
    assert krippendorff_nominal(ratings).alpha == pytest.approx(theirs)


def test_the_fixed_sequence_agrees_with_mapie() -> None:
    numpy = imported("numpy")
    control = imported("mapie.risk_control")
    thresholds = sorted(set(SCORES), reverse=True)
    found = ltt_threshold(SCORES, CORRECT, alpha=0.35, delta=0.1)
    started = [t for t in thresholds if sum(s >= t for s in SCORES) >= (found.start or 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controller = control.BinaryClassificationController(
            lambda x: numpy.column_stack([1 - x[:, 0], x[:, 0]]),
            control.precision,
            target_level=0.65,
            confidence_level=0.9,
            list_predict_params=numpy.array(started),
            fwer_method="fixed_sequence",
        )
        controller.calibrate(numpy.array(SCORES).reshape(-1, 1), numpy.array(CORRECT))
    assert min(controller.valid_predict_params) == pytest.approx(found.threshold)
