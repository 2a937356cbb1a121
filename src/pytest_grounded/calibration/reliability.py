"""Does a score of 0.8 mean right four times in five? Brier score, reliability table, calibration error.

The Brier score comes first: it is proper and has no bins. An expected calibration error is a number only with its
binning named and beside the level that a perfectly calibrated score of this sample would show.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from pytest_grounded.calibration.inputs import (
    Number,
    exact,
    exact_sum,
    labels,
    probabilities,
    same_length,
    whole,
)
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
    pairs = _pairs(probabilities_, outcomes)
    return float(exact_sum((p - y) ** 2 for p, y in pairs) / len(pairs)) if pairs else None


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
    pairs = _pairs(probabilities_, outcomes)
    if not pairs:
        why = dict.fromkeys(("brier", "ece", "mce", "ece_equal_mass"), "there are no cases")
        return CalibrationFit(
            n=0, n_bins=n_bins, nonempty_bins=0, brier=None, ece=None, mce=None, ece_equal_mass=None, undefined=why
        )
    wide = _equal_width(pairs, n_bins)
    gaps = [_gap(members) for members in wide]
    heavy = [_gap(members) for members in _equal_mass(pairs, n_bins)]
    return CalibrationFit(
        n=len(pairs),
        n_bins=n_bins,
        nonempty_bins=len(wide),
        brier=float(exact_sum((p - y) ** 2 for p, y in pairs) / len(pairs)),
        ece=float(exact_sum(gaps) / len(pairs)),
        mce=float(max(gap / len(members) for gap, members in zip(gaps, wide, strict=True))),
        ece_equal_mass=float(exact_sum(heavy) / len(pairs)),
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
    pairs = _pairs(probabilities_, outcomes)
    wide = Binning(binning) is Binning.EQUAL_WIDTH
    return tuple(
        _described(members, n_bins if wide else None)
        for members in (_equal_width(pairs, n_bins) if wide else _equal_mass(pairs, n_bins))
    )


def reference_level(
    probabilities_: Sequence[Number],
    *,
    n_bins: int = 10,
    binning: Binning | str = Binning.EQUAL_WIDTH,
    draws: int = 200,
    seed: int = 0,
) -> float | None:
    """The mean ECE that these very scores would show if they were perfectly calibrated; simulated, seeded.

    An ECE near this level says nothing against the score. None without cases.

    >>> 0 < reference_level([0.5] * 50, n_bins=10) < 0.15
    True
    """
    values = sorted(probabilities("probabilities", probabilities_))
    if not values:
        return None
    whole_pairs = [(exact(value), place) for place, value in enumerate(values)]
    wide = Binning(binning) is Binning.EQUAL_WIDTH
    n_bins = whole("n_bins", n_bins, least=1)
    members = _equal_width(whole_pairs, n_bins) if wide else _equal_mass(whole_pairs, n_bins)
    bins = [(float(exact_sum(p for p, _ in pairs)), [float(p) for p, _ in pairs]) for pairs in members]
    source = random.Random(seed).random  # noqa: S311 - a simulation, no secret
    total = 0.0
    for _ in range(whole("draws", draws, least=1)):
        total += sum(abs(expected - sum(source() < p for p in chances)) for expected, chances in bins)
    return total / (draws * len(values))


_Pair = tuple[Fraction, int]


def _pairs(probabilities_: Sequence[Number], outcomes: Sequence[object]) -> list[_Pair]:
    same_length(probabilities=probabilities_, outcomes=outcomes)
    found = [exact(value) for value in probabilities("probabilities", probabilities_)]
    return list(zip(found, labels("outcomes", outcomes), strict=True))


def _equal_width(pairs: Sequence[_Pair], n_bins: int) -> list[list[_Pair]]:
    """Non-empty bins (lo, hi] from low to high."""
    bins: dict[int, list[_Pair]] = {}
    for pair in pairs:
        p = pair[0]
        bins.setdefault(max(0, -(-p.numerator * n_bins // p.denominator) - 1), []).append(pair)
    return [bins[place] for place in sorted(bins)]


def _equal_mass(pairs: Sequence[_Pair], n_bins: int) -> list[list[_Pair]]:
    # As floats: they are in the order of the decimals they stand for, and are compared faster.
    ordered = sorted(pairs, key=lambda pair: pair[0].numerator / pair[0].denominator)
    size, larger = divmod(len(ordered), n_bins)
    bins: list[list[_Pair]] = []
    start = 0
    for place in range(n_bins):
        end = start + size + (place < larger)
        if end > start:
            bins.append(ordered[start:end])
        start = end
    return bins


def _gap(members: Sequence[_Pair]) -> Fraction:
    """|sum of forecasts - number right|."""
    return abs(exact_sum(p for p, _ in members) - sum(y for _, y in members))


def _described(members: Sequence[_Pair], n_bins: int | None) -> ReliabilityBin:
    n, right = len(members), sum(y for _, y in members)
    if n_bins is None:
        low, high = float(members[0][0]), float(members[-1][0])
    else:
        p = members[0][0]
        place = max(0, -(-p.numerator * n_bins // p.denominator) - 1)
        low, high = place / n_bins, (place + 1) / n_bins
    return ReliabilityBin(
        low=low,
        high=high,
        n=n,
        n_right=right,
        mean_probability=float(exact_sum(p for p, _ in members) / n),
        right_rate=right / n,
        interval=wilson(right, n),
    )
