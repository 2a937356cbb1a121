"""How good is a judge, and which true rate stands behind its verdicts? Both, with intervals.

A judge is measured against people on supported and unsupported items apart, and its "unsure" verdicts are a third
column. A rate it reports is corrected either by its two error rates (labels from a separate study) or by the labelled
part of the same traffic (prediction-powered); both intervals include what the labels do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist

from pytest_grounded.calibration.inputs import Number, exact, exact_sum, labels, numbers, same_length, share, whole
from pytest_grounded.calibration.intervals import Interval, clopper_pearson

__all__ = ["CorrectedRate", "JudgeQuality", "PoweredMean", "judge_corrected_rate", "judge_quality", "ppi_mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuality:
    """Verdicts against people. `tpr`: judged supported of truly supported; `tnr`: judged unsupported of truly so.

    Unsure verdicts count in both denominators, as neither right. Intervals are Clopper-Pearson.
    """

    supported_judged: tuple[int, int, int]
    unsupported_judged: tuple[int, int, int]
    tpr: float | None
    tnr: float | None
    tpr_interval: Interval
    tnr_interval: Interval
    undefined: Mapping[str, str] = field(default_factory=dict)


def judge_quality(truth: Sequence[object], verdicts: Sequence[object], *, delta: Number = 0.05) -> JudgeQuality:
    """Both error rates of a judge against people's labels, with exact intervals.

    `truth` is 1 for supported; `verdicts` are 1, 0 or None (unsure, or no usable reply). The three counts are judged
    supported, judged unsupported, unsure. A rate without items is None.

    >>> found = judge_quality([1, 1, 1, 0, 0], [1, 1, None, 0, 1])
    >>> found.supported_judged, found.tnr
    ((2, 0, 1), 0.5)
    """
    same_length(truth=truth, verdicts=verdicts)
    true = labels("truth", truth)
    labels("verdicts", [0 if verdict is None else verdict for verdict in verdicts])
    rows = {0: [0, 0, 0], 1: [0, 0, 0]}
    for label, verdict in zip(true, verdicts, strict=True):
        rows[label][2 if verdict is None else 0 if verdict == 1 else 1] += 1
    positives, negatives = sum(rows[1]), sum(rows[0])
    undefined = {}
    if not positives:
        undefined["tpr"] = "no item is truly supported"
    if not negatives:
        undefined["tnr"] = "no item is truly unsupported"
    return JudgeQuality(
        supported_judged=(rows[1][0], rows[1][1], rows[1][2]),
        unsupported_judged=(rows[0][0], rows[0][1], rows[0][2]),
        tpr=rows[1][0] / positives if positives else None,
        tnr=rows[0][1] / negatives if negatives else None,
        tpr_interval=clopper_pearson(rows[1][0], positives, delta=delta),
        tnr_interval=clopper_pearson(rows[0][1], negatives, delta=delta),
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """A rate behind a judge's verdicts: as computed, and clipped to [0, 1]. The interval is clipped, `se` is not."""

    raw: float | None
    clipped: float | None
    se: float | None
    interval: Interval | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def judge_corrected_rate(
    observed_positive_rate: Number,
    *,
    tpr: Number,
    tnr: Number,
    n: int | None = None,
    n_supported: int | None = None,
    n_unsupported: int | None = None,
    delta: Number = 0.05,
) -> CorrectedRate:
    """The true share of supported items, from the share a judge marks so and its two rates (Rogan and Gladen 1978).

    (q + TNR - 1) / (TPR + TNR - 1); None where TPR + TNR <= 1, since such a judge says nothing. Assumes the judge
    errs here as it did where it was measured. The normal interval needs the number of judged items and the sizes of
    both measured samples, and includes the uncertainty of all three.

    >>> round(judge_corrected_rate(0.3, tpr=0.9, tnr=0.8).raw, 4)
    0.1429
    >>> judge_corrected_rate(0.5, tpr=0.6, tnr=0.4).undefined["raw"]
    'the judge is no better than chance: TPR + TNR is at most 1'
    """
    seen, hit, miss = share("observed_positive_rate", observed_positive_rate), share("tpr", tpr), share("tnr", tnr)
    power = hit + miss - 1
    if power <= 0:
        why = "the judge is no better than chance: TPR + TNR is at most 1"
        names = ("raw", "clipped", "se", "interval")
        return CorrectedRate(raw=None, clipped=None, se=None, interval=None, undefined=dict.fromkeys(names, why))
    raw = (seen + miss - 1) / power
    clipped = min(Fraction(1), max(Fraction(0), raw))
    if n is None or n_supported is None or n_unsupported is None:
        why = "the sizes of the judged and of the measured samples are not given"
        return CorrectedRate(
            raw=float(raw),
            clipped=float(clipped),
            se=None,
            interval=None,
            undefined=dict.fromkeys(("se", "interval"), why),
        )
    sizes = [
        whole(name, size, least=1)
        for name, size in (("n", n), ("n_supported", n_supported), ("n_unsupported", n_unsupported))
    ]
    variance = (
        seen * (1 - seen) / sizes[0]
        + clipped**2 * hit * (1 - hit) / sizes[1]
        + (1 - clipped) ** 2 * miss * (1 - miss) / sizes[2]
    ) / power**2
    se = math.sqrt(variance)
    reach = _z(delta) * se
    interval = Interval(max(0.0, float(raw) - reach), min(1.0, float(raw) + reach))
    return CorrectedRate(raw=float(raw), clipped=float(clipped), se=se, interval=_ordered(interval))


def _ordered(interval: Interval) -> Interval:
    """Clipping an interval that lies outside [0, 1] turns it round: it is the nearer end."""
    if interval.low <= interval.high:
        return interval
    end = 1.0 if interval.low > 1 else 0.0
    return Interval(end, end)


def _z(delta: Number) -> float:
    return -NormalDist().inv_cdf(float(share("delta", delta, open_ended=True)) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean:
    """A prediction-powered mean; `ci` may leave [0, 1], `ci_clipped` is for display."""

    estimate: float | None
    se: float | None
    ci: tuple[float, float] | None
    ci_clipped: tuple[float, float] | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def ppi_mean(
    labelled_truth: Sequence[Number],
    labelled_judge: Sequence[Number],
    unlabelled_judge: Sequence[Number],
    *,
    confidence: Number = 0.95,
) -> PoweredMean:
    """The mean of people's labels over all items, most of them only judged (Angelopoulos et al. 2023).

    mean(judge on unlabelled) + mean(truth - judge on labelled): unbiased whatever the judge, where the labelled items
    are a random part of the same traffic. Standard error from both variances (divided by n); normal interval. None
    where either side is empty.

    >>> ppi_mean([1, 0, 1, 1], [1, 1, 1, 1], [1, 1, 0, 1]).estimate
    0.5
    """
    same_length(labelled_truth=labelled_truth, labelled_judge=labelled_judge)
    level = share("confidence", confidence, open_ended=True)
    truth = [exact(value) for value in numbers("labelled_truth", labelled_truth)]
    judged = [exact(value) for value in numbers("labelled_judge", labelled_judge)]
    rest = [exact(value) for value in numbers("unlabelled_judge", unlabelled_judge)]
    if not truth or not rest:
        why = "there are no labelled items" if not truth else "there are no unlabelled items"
        names = ("estimate", "se", "ci", "ci_clipped")
        return PoweredMean(estimate=None, se=None, ci=None, ci_clipped=None, undefined=dict.fromkeys(names, why))
    correction, correction_variance = _moments([a - b for a, b in zip(truth, judged, strict=True)])
    mean, variance = _moments(rest)
    estimate = float(mean + correction)
    se = math.sqrt(variance / len(rest) + correction_variance / len(truth))
    reach = _z(1 - level) * se
    low, high = estimate - reach, estimate + reach
    clipped = (min(1.0, max(0.0, low)), min(1.0, max(0.0, high)))
    return PoweredMean(estimate=estimate, se=se, ci=(low, high), ci_clipped=clipped)


def _moments(values: list[Fraction]) -> tuple[Fraction, Fraction]:
    mean = exact_sum(values) / len(values)
    return mean, exact_sum([value * value for value in values]) / len(values) - mean * mean
