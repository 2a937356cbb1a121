"""How well does the score serve? As an order, as a probability, and after a map is fitted to it."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain

from pytest_grounded.calibration.binomial import binomial_draw
from pytest_grounded.calibration.fitting import IsotonicMap, PlattMap, fit_isotonic, fit_platt
from pytest_grounded.calibration.intervals import Bootstrap, percentiles
from pytest_grounded.calibration.options import Fit
from pytest_grounded.calibration.reliability import (
    Binning,
    ReliabilityBin,
    brier_score,
    calibration_error,
    reference_level,
    reliability_table,
)
from pytest_grounded.calibration.rows import Row

__all__ = ["AreaIntervals", "FittedMap", "ScoreQuality", "area_intervals", "fit_map", "score_quality", "shuffled"]

_FOLDS = 5
_DRAWS = 2000
_LEAST_DRAWS = 200
_WORK = 2_000_000
_CELLS = 500
_ALIKE = 16
"""So many cases of a kind make it cheaper to draw their number than to draw them."""
_LEAST_REFERENCE = 20


def shuffled(names: Sequence[str], seed: int) -> list[str]:
    """Names in an order that depends on nothing but themselves and the seed.

    A name keeps its place among the others when more are added.

    >>> shuffled(["a", "b", "c"], 0) == shuffled(["c", "a", "b"], 0)
    True
    """
    return sorted(set(names), key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaIntervals:
    """95 percent percentile intervals of the areas, bootstrapped over groups of cases."""

    augrc: Bootstrap
    aurc: Bootstrap


def area_intervals(rows: Sequence[Row], *, seed: int = 0, draws: int | None = None) -> AreaIntervals:
    """Bootstrap the two areas over groups (seeded; fewer draws where there are very many rows).

    Computed in floats and over at most 500 cells of scores, for intervals only. Rows without a score are drawn too
    and end the curve early.

    >>> rows = [Row(case=str(i), group=str(i), score=i / 50, correct=int(i > 12)) for i in range(50)]
    >>> area_intervals(rows, draws=100).augrc.high < 0.2
    True
    """
    drawn = draws or max(_LEAST_DRAWS, min(_DRAWS, _WORK // max(1, len(rows))))
    scores = sorted({row.score for row in rows if row.score is not None}, reverse=True)
    cells = min(len(scores), _CELLS)
    places = {score: place * cells // len(scores) for place, score in enumerate(scores)}
    members: dict[str, list[int]] = {}
    for row in rows:
        # A case that is never answered is drawn like the others, and stands beside the curve.
        place = cells if row.score is None else places[row.score]
        members.setdefault(row.group, []).append(2 * place + (0 if row.correct else 1))
    clusters = [members[name] for name in sorted(members)]
    most = max(map(len, clusters), default=0) * len(clusters)
    harmonic = [0.0, *accumulate(1 / k for k in range(1, most + 1))]
    source = random.Random(seed)  # noqa: S311 - resampling, no secret
    resample = _resampling(clusters, source)
    areas = [_areas(resample(), cells, harmonic) for _ in range(drawn if scores else 0)]
    return AreaIntervals(
        augrc=_interval([area[0] for area in areas], drawn, seed),
        aurc=_interval([area[1] for area in areas], drawn, seed),
    )


def _resampling(clusters: Sequence[Sequence[int]], source: random.Random) -> Callable[[], Mapping[int, int]]:
    """A function that draws clusters anew and counts the kinds of case in them: twice the cell, and 1 if wrong."""
    n = len(clusters)
    if any(len(cluster) > 1 for cluster in clusters):
        return lambda: Counter(chain.from_iterable(source.choices(clusters, k=n)))
    kinds = sorted(Counter(cluster[0] for cluster in clusters).items())
    if n < _ALIKE * len(kinds):
        # Side by side, equal ones are found in the cache.
        flat = sorted(cluster[0] for cluster in clusters)
        return lambda: Counter(source.choices(flat, k=n))
    return lambda: _split(kinds, n, source)


def _split(kinds: Sequence[tuple[int, int]], n: int, source: random.Random) -> dict[int, int]:
    """How often each kind is drawn: of the draws and the cases that are left, a binomial share each."""
    drawn: dict[int, int] = {}
    left = cases = n
    for kind, members in kinds:
        found = binomial_draw(left, members / cases, source)
        drawn[kind] = found
        left -= found
        cases -= members
    return drawn


def _areas(tally: Mapping[int, int], cells: int, harmonic: Sequence[float]) -> tuple[float, float]:
    """AUGRC and AURC of counted cases, from the highest score down; those beyond the last cell are never answered.

    In a tie group of m with e wrong, after A answered and E wrong, the expected risks (E + j e/m)/(A + j) add up to
    e + (E - A e/m)(H(A + m) - H(A)).
    """
    doubled = answered = errors = 0
    selective = 0.0
    for cell in range(cells):
        e = tally.get(2 * cell + 1, 0)
        n = tally.get(2 * cell, 0) + e
        if n == 0:
            continue
        doubled += n * (2 * errors + e)
        if errors or e:
            selective += e + (errors - answered * e / n) * (harmonic[answered + n] - harmonic[answered])
        answered += n
        errors += e
    total = answered + tally.get(2 * cells, 0) + tally.get(2 * cells + 1, 0)
    return doubled / (2 * total * total), selective / total


def _interval(values: Sequence[float], draws: int, seed: int) -> Bootstrap:
    ends = percentiles(values)
    return Bootstrap(
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        draws=draws,
        undefined_draws=0,
        seed=seed,
        confidence=0.95,
        undefined={} if ends else dict.fromkeys(("low", "high"), "no case has a score"),
    )


FittedMap = PlattMap | IsotonicMap


def fit_map(rows: Sequence[Row], fit: Fit) -> FittedMap | None:
    """The map of these rows; None where none is asked for.

    >>> fit_map([], Fit.NONE) is None
    True
    """
    scores = [row.score for row in rows if row.score is not None]
    outcomes = [row.correct or 0 for row in rows if row.score is not None]
    match fit:
        case Fit.NONE:
            return None
        case Fit.PLATT:
            return fit_platt(scores, outcomes)
        case Fit.ISOTONIC:
            return fit_isotonic(scores, outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreQuality:
    """The probability that is judged (the score itself, or a map's, cross-fitted by group), and how it does.

    `reference` and `reference_equal_mass` are the errors a perfectly calibrated probability would show here.
    `brier_raw` is that of the score before any map, where it is a probability.
    """

    probability: str
    n: int
    n_bins: int
    brier: float | None
    brier_raw: float | None
    ece: float | None
    reference: float | None
    ece_equal_mass: float | None
    reference_equal_mass: float | None
    mce: float | None
    bins: tuple[ReliabilityBin, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


def score_quality(
    rows: Sequence[Row], fit: Fit, *, is_probability: bool, n_bins: int = 10, seed: int = 0
) -> ScoreQuality:
    """Judge the score as a probability, or a fitted map on rows it was not fitted to (five folds by group).

    >>> rows = [Row(case=str(i), group=str(i), score=i / 50, correct=int(i > 12)) for i in range(50)]
    >>> score_quality(rows, Fit.PLATT, is_probability=True).brier < 0.15
    True
    """
    scored = [row for row in rows if row.score is not None]
    outcomes = [row.correct or 0 for row in scored]
    raw = [row.score or 0.0 for row in scored]
    if fit is Fit.NONE:
        if not is_probability:
            return _nothing(len(scored), n_bins, "the score only ranks; fit a map to read it as a probability")
        probability, values = "the score itself", raw
    else:
        crossed = _cross_fitted(scored, fit, seed)
        if isinstance(crossed, str):
            return _nothing(len(scored), n_bins, crossed)
        probability, values = f"a fitted map ({fit.value}), cross-fitted over {_FOLDS} folds of groups", crossed
    found = calibration_error(values, outcomes, n_bins=n_bins)
    draws = max(_LEAST_REFERENCE, min(_LEAST_DRAWS, _WORK // max(1, len(values))))
    levels = {
        binning: reference_level(values, n_bins=n_bins, binning=binning, draws=draws, seed=seed) for binning in Binning
    }
    return ScoreQuality(
        probability=probability,
        n=len(scored),
        n_bins=n_bins,
        brier=found.brier,
        brier_raw=brier_score(raw, outcomes) if is_probability else None,
        ece=found.ece,
        reference=levels[Binning.EQUAL_WIDTH],
        ece_equal_mass=found.ece_equal_mass,
        reference_equal_mass=levels[Binning.EQUAL_MASS],
        mce=found.mce,
        bins=reliability_table(values, outcomes, n_bins=n_bins),
        undefined={} if is_probability else {"brier_raw": "the score only ranks"},
    )


def _nothing(n: int, n_bins: int, why: str) -> ScoreQuality:
    names = ("brier", "brier_raw", "ece", "reference", "ece_equal_mass", "reference_equal_mass", "mce")
    return ScoreQuality(
        probability="none",
        n=n,
        n_bins=n_bins,
        brier=None,
        brier_raw=None,
        ece=None,
        reference=None,
        ece_equal_mass=None,
        reference_equal_mass=None,
        mce=None,
        bins=(),
        undefined=dict.fromkeys(names, why),
    )


def _cross_fitted(scored: Sequence[Row], fit: Fit, seed: int) -> list[float] | str:
    """The probability of each row under a map fitted without its fold; or why there is none."""
    groups = shuffled([row.group for row in scored], seed)
    if len(groups) < _FOLDS:
        return f"{len(groups)} groups are too few for {_FOLDS} folds"
    fold = {group: place % _FOLDS for place, group in enumerate(groups)}
    maps = [fit_map([row for row in scored if fold[row.group] != k], fit) for k in range(_FOLDS)]
    values: list[float] = []
    for row in scored:
        fitted = maps[fold[row.group]]
        if fitted is None or (isinstance(fitted, PlattMap) and fitted.a is None):
            return "outside one fold only one outcome is left, so no map can be fitted"
        values.append(min(1.0, max(0.0, fitted.probability(row.score or 0.0))))
    return values
