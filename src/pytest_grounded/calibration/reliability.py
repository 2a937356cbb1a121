"""Does a score of 0.8 mean right four times in five? Brier score, reliability table, calibration error.

The Brier score comes first: it is proper and has no bins. An expected calibration error is a number only with its
binning named and beside the level that a perfectly calibrated score of this sample would show.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from operator import itemgetter

from pytest_grounded.calibration.inputs import Number, decimals, labels, probabilities, same_length, whole
from pytest_grounded.calibration.intervals import Interval, wilson

__all__ = [
    "Binning",
    "CalibrationFit",
    "ReliabilityBin",
    "brier_score",
    "calibration_error",
    "reference_level",
    "reliability_table",
]


_MANY = 100
"""At this variance the mean deviation of a sum of outcomes is the normal's to a quarter of a percent."""


class Binning(StrEnum):
    """How forecasts are put into bins: of equal width, or of equal count."""

    EQUAL_WIDTH = "equal_width"
    EQUAL_MASS = "equal_mass"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """One bin: its count, its mean forecast, how often it was right, and the Wilson interval of that."""

    low: float
    high: float
    n: int
    n_right: int
    mean_probability: float
    right_rate: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationFit:
    """Brier score, and the calibration errors of n_bins bins, shares between 0 and 1.

    `ece` and `mce` are of equal-width bins (lo, hi], 0 in the first; `ece_equal_mass` of bins of nearly equal count.
    """

    n: int
    n_bins: int
    nonempty_bins: int
    brier: float | None
    ece: float | None
    mce: float | None
    ece_equal_mass: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def brier_score(probabilities_: Sequence[Number], outcomes: Sequence[object]) -> float | None:
    """Mean squared difference between forecast and outcome (Brier 1950); 0 is best, None without cases.

    >>> brier_score([0.9, 0.2], [1, 0])
    0.025
    """
    pairs, unit = _pairs(probabilities_, outcomes)
    return _brier(pairs, unit) if pairs else None


def calibration_error(
    probabilities_: Sequence[Number], outcomes: Sequence[object], *, n_bins: int = 10
) -> CalibrationFit:
    """Brier score and expected calibration error, under both binnings (Naeini et al. 2015 for the error).

    Bin edges are compared in exact decimals. Equal mass takes the forecasts in stable order of their value, the first
    n mod n_bins bins one larger; among equal forecasts the order of the rows decides, so sort rows by id first.

    >>> found = calibration_error([0.9, 0.8, 0.7], [1, 1, 1])
    >>> found.ece, found.mce
    (0.2, 0.3)
    """
    n_bins = whole("n_bins", n_bins, least=1)
    pairs, unit = _pairs(probabilities_, outcomes)
    if not pairs:
        why = dict.fromkeys(("brier", "ece", "mce", "ece_equal_mass"), "there are no cases")
        return CalibrationFit(
            n=0, n_bins=n_bins, nonempty_bins=0, brier=None, ece=None, mce=None, ece_equal_mass=None, undefined=why
        )
    wide = _equal_width(pairs, unit, n_bins)
    gaps = [_gap(members, unit) for members in wide]
    heavy = [_gap(members, unit) for members in _equal_mass(pairs, n_bins)]
    return CalibrationFit(
        n=len(pairs),
        n_bins=n_bins,
        nonempty_bins=len(wide),
        brier=_brier(pairs, unit),
        ece=float(Fraction(sum(gaps), unit * len(pairs))),
        mce=float(max(Fraction(gap, unit * len(members)) for gap, members in zip(gaps, wide, strict=True))),
        ece_equal_mass=float(Fraction(sum(heavy), unit * len(pairs))),
    )


def reliability_table(
    probabilities_: Sequence[Number],
    outcomes: Sequence[object],
    *,
    n_bins: int = 10,
    binning: Binning | str = Binning.EQUAL_MASS,
) -> tuple[ReliabilityBin, ...]:
    """The non-empty bins from low to high; `low` and `high` are edges (equal width) or the least and greatest member.

    >>> [(bin.n, bin.right_rate) for bin in reliability_table([0.2, 0.4, 0.6, 0.8], [0, 1, 1, 1], n_bins=2)]
    [(2, 0.5), (2, 1.0)]
    """
    n_bins = whole("n_bins", n_bins, least=1)
    pairs, unit = _pairs(probabilities_, outcomes)
    wide = Binning(binning) is Binning.EQUAL_WIDTH
    return tuple(
        _described(members, unit, n_bins if wide else None)
        for members in (_equal_width(pairs, unit, n_bins) if wide else _equal_mass(pairs, n_bins))
    )


def reference_level(
    probabilities_: Sequence[Number],
    *,
    n_bins: int = 10,
    binning: Binning | str = Binning.EQUAL_WIDTH,
    draws: int = 200,
    seed: int = 0,
) -> float | None:
    """The mean ECE that these very scores would show if they were perfectly calibrated.

    Simulated, seeded; for a bin whose count of right answers varies by a hundred or more, the mean deviation of a
    normal of that variance, which is nearer than any simulation. An ECE near this level says nothing against the
    score. None without cases.

    >>> 0 < reference_level([0.5] * 50, n_bins=10) < 0.15
    True
    """
    values = sorted(probabilities("probabilities", probabilities_))
    if not values:
        return None
    tops, unit = decimals(values)
    pairs = list(zip(tops, range(len(tops)), strict=True))
    wide = Binning(binning) is Binning.EQUAL_WIDTH
    n_bins = whole("n_bins", n_bins, least=1)
    members = _equal_width(pairs, unit, n_bins) if wide else _equal_mass(pairs, n_bins)
    draws = whole("draws", draws, least=1)
    source = random.Random(seed).random  # noqa: S311 - a simulation, no secret
    deviations = [_mean_deviation([values[place] for _, place in cases], draws, source) for cases in members]
    return math.fsum(deviations) / len(values)


def _mean_deviation(chances: Sequence[float], draws: int, source: Callable[[], float]) -> float:
    """The mean of |number right - number expected| where each case is right with its chance."""
    variance = math.fsum(p * (1 - p) for p in chances)
    if variance >= _MANY:
        return math.sqrt(2 * variance / math.pi)
    expected = math.fsum(chances)
    return math.fsum(abs(expected - sum(source() < p for p in chances)) for _ in range(draws)) / draws


_Pair = tuple[int, int]
"""A forecast, as a count of units of a power of ten, and its outcome."""


def _pairs(probabilities_: Sequence[Number], outcomes: Sequence[object]) -> tuple[list[_Pair], int]:
    same_length(probabilities=probabilities_, outcomes=outcomes)
    tops, unit = decimals(probabilities("probabilities", probabilities_))
    return list(zip(tops, labels("outcomes", outcomes), strict=True)), unit


def _brier(pairs: Sequence[_Pair], unit: int) -> float:
    return float(Fraction(sum((p - unit * y) ** 2 for p, y in pairs), unit * unit * len(pairs)))


def _equal_width(pairs: Sequence[_Pair], unit: int, n_bins: int) -> list[list[_Pair]]:
    """Non-empty bins (lo, hi] from low to high."""
    bins: dict[int, list[_Pair]] = {}
    for pair in pairs:
        bins.setdefault(_place(pair[0], unit, n_bins), []).append(pair)
    return [bins[place] for place in sorted(bins)]


def _place(top: int, unit: int, n_bins: int) -> int:
    return max(0, -(-top * n_bins // unit) - 1)


def _equal_mass(pairs: Sequence[_Pair], n_bins: int) -> list[list[_Pair]]:
    ordered = sorted(pairs, key=itemgetter(0))
    size, larger = divmod(len(ordered), n_bins)
    bins: list[list[_Pair]] = []
    start = 0
    for place in range(n_bins):
        end = start + size + (place < larger)
        if end > start:
            bins.append(ordered[start:end])
        start = end
    return bins


def _gap(members: Sequence[_Pair], unit: int) -> int:
    """|sum of forecasts - number right|, in units."""
    return abs(sum(p for p, _ in members) - unit * sum(y for _, y in members))


def _described(members: Sequence[_Pair], unit: int, n_bins: int | None) -> ReliabilityBin:
    n, right = len(members), sum(y for _, y in members)
    if n_bins is None:
        low, high = members[0][0] / unit, members[-1][0] / unit
    else:
        place = _place(members[0][0], unit, n_bins)
        low, high = place / n_bins, (place + 1) / n_bins
    return ReliabilityBin(
        low=low,
        high=high,
        n=n,
        n_right=right,
        mean_probability=float(Fraction(sum(p for p, _ in members), unit * n)),
        right_rate=right / n,
        interval=wilson(right, n),
    )
