"""Choose an operating point from labelled rows, say what is promised, and confirm it on rows it was not chosen on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pytest_grounded.calibration.cautions import cautions
from pytest_grounded.calibration.choosing import GUARANTEES, Choice, at, choose, needed
from pytest_grounded.calibration.claims import ClaimStage, claim_stage
from pytest_grounded.calibration.confirming import Confirmation, confirm
from pytest_grounded.calibration.confusion import Answerability, answerability_rates
from pytest_grounded.calibration.costs import BestThreshold, Sweep, sweep_of, weighted_sweep
from pytest_grounded.calibration.curves import RiskCoverage, curve_of
from pytest_grounded.calibration.fitting import PlattMap, correct_odds
from pytest_grounded.calibration.guarantees import State
from pytest_grounded.calibration.inputs import CalibrationError, Ranking, share
from pytest_grounded.calibration.intervals import Interval, clopper_pearson
from pytest_grounded.calibration.mixing import MixEstimate, answerable_shares, mix_estimate, mix_weights
from pytest_grounded.calibration.options import Fit, Method, Options, ScoreKind
from pytest_grounded.calibration.quality import (
    AreaIntervals,
    FittedMap,
    ScoreQuality,
    area_intervals,
    fit_map,
    score_quality,
)
from pytest_grounded.calibration.review import ReviewBand, review_band
from pytest_grounded.calibration.rows import Row, Sample, require_calibration_sample, require_probabilities
from pytest_grounded.calibration.sampling import (
    SampleFacts,
    facts,
    in_range,
    independent,
    ranked,
    require_alike,
    require_plain_weights,
    split_by_group,
)
from pytest_grounded.calibration.wording import count

__all__ = ["Calibration", "SliceChoice", "calibrate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceChoice:
    """One slice: its own threshold, or the global one where it has too few cases, and what is seen at it."""

    name: str
    own: bool
    choice: Choice
    threshold: float | None
    n: int
    n_answered: int
    n_wrong: int
    interval: Interval | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The result: the choice and what supports it. `exit_code` 0: usable; 1: infeasible, or its limit was missed."""

    options: Options
    guarantee: str
    sample: SampleFacts
    choice: Choice
    slices: tuple[SliceChoice, ...]
    test: Confirmation | None
    curve: RiskCoverage
    areas: AreaIntervals
    quality: ScoreQuality
    fitted: FittedMap | None
    sweep: Sweep | None
    theory_score: float | None
    band: ReviewBand | None
    rates: Answerability | None
    mix: MixEstimate | None
    claims: ClaimStage | None
    warnings: tuple[str, ...]
    exit_code: int


def calibrate(sample: Sample, options: Options | None = None, test: Sample | None = None) -> Calibration:
    """Choose an operating point on a labelled sample.

    `test`, or the share of groups that `options.test_share` splits off, is only used to confirm. Raises
    `CalibrationError` where the rows cannot carry a threshold, or do not fit the options.

    The same rows, options and seed give the same result; the order of the rows does not matter.

    >>> rows = tuple(Row(case=f"c{i:03}", group=f"c{i:03}", score=i / 100, correct=int(i > 15)) for i in range(100))
    >>> found = calibrate(Sample(rows=rows), Options(alpha=0.1, delta=0.1))
    >>> found.choice.threshold, found.exit_code
    (0.12, 0)
    """
    options = options or Options()
    _require_usable(sample, options, test)
    chosen_on, held_out = (sample.rows, test.rows if test else None)
    if options.test_share is not None:
        chosen_on, held_out = split_by_group(sample, options)
    rows = independent(chosen_on, options)
    ranking = ranked(rows)
    weights = mix_weights(rows, options)
    choice = choose(ranking, options, best=_weighted_best(rows, weights, options))
    sweep, fitted, band = _sweep(ranking, options), fit_map(rows, options.fit), _band(rows, options)
    report = None if held_out is None else confirm(independent(held_out, options), choice, options)
    known = facts(sample, rows)
    mix = mix_estimate(rows, weights, choice.threshold, options)
    return Calibration(
        options=options,
        guarantee=GUARANTEES[options.method],
        sample=known,
        choice=choice,
        slices=tuple(_by_slice(rows, options, choice)),
        test=report,
        curve=curve_of(ranking),
        areas=area_intervals(rows, seed=options.seed),
        quality=score_quality(
            rows,
            options.fit,
            is_probability=options.score is ScoreKind.PROBABILITY and in_range(rows),
            n_bins=options.n_bins,
            seed=options.seed,
        ),
        fitted=fitted,
        sweep=sweep,
        theory_score=_theory_score(rows, options, fitted, sweep),
        band=band,
        rates=_rates(rows, choice.threshold),
        mix=mix,
        claims=claim_stage(rows, choice.threshold, options),
        warnings=tuple(cautions(options, choice, known, report=report, mix=mix, band=band, n_offered=len(chosen_on))),
        exit_code=int(choice.state is not State.FOUND or (report is not None and report.verdict == "missed")),
    )


def _require_usable(sample: Sample, options: Options, test: Sample | None) -> None:
    for part in (sample, *([test] if test else [])):
        require_calibration_sample(part)
        if options.score is ScoreKind.PROBABILITY and options.fit is Fit.NONE:
            require_probabilities(part)
    require_plain_weights(sample, options)
    if test is not None:
        require_alike(sample, test)
        if options.test_share is not None:
            raise CalibrationError("a test file and a test share are both given (give one of them)")


# Costs


def _weighted_best(rows: Sequence[Row], weights: Sequence[Fraction], options: Options) -> BestThreshold | None:
    if options.method is not Method.COST or options.prices is None or len(set(weights)) <= 1:
        return None
    scored = [(row, weight) for row, weight in zip(rows, weights, strict=True) if row.score is not None]
    return weighted_sweep(
        [row.score for row, _ in scored if row.score is not None],
        [row.correct for row, _ in scored],
        [weight for _, weight in scored],
        never_weight=sum(weights, Fraction()) - sum((weight for _, weight in scored), Fraction()),
        cost_wrong=options.prices.wrong,
        cost_abstain=options.prices.abstain,
        abstain_cost=options.prices.convention,
    ).best


def _sweep(ranking: Ranking, options: Options) -> Sweep | None:
    if options.prices is None:
        return None
    return sweep_of(
        ranking,
        cost_wrong=options.prices.wrong,
        cost_abstain=options.prices.abstain,
        abstain_cost=options.prices.convention,
    )


def _band(rows: Sequence[Row], options: Options) -> ReviewBand | None:
    prices = options.prices
    if prices is None or prices.review is None:
        return None
    scored = [row for row in rows if row.score is not None]
    return review_band(
        [row.score for row in scored if row.score is not None],
        [row.correct for row in scored],
        cost_wrong=prices.wrong,
        cost_abstain=prices.abstain,
        cost_review=prices.review,
        max_review=prices.max_review,
        abstain_cost=prices.convention,
    )


def _theory_score(rows: Sequence[Row], options: Options, fitted: FittedMap | None, sweep: Sweep | None) -> float | None:
    """The lowest seen score whose probability, fitted and corrected for the mix, reaches the theory's cut."""
    cut = None if sweep is None else sweep.theory.under(sweep.convention)
    if cut is None or (isinstance(fitted, PlattMap) and fitted.a is None):
        return None
    if fitted is None and (options.score is ScoreKind.RANKING or not in_range(rows)):
        return None
    correction = answerable_shares(rows, options)
    for score in sorted({row.score for row in rows if row.score is not None}):
        probability = score if fitted is None else min(1.0, max(0.0, fitted.probability(score)))
        if correction is not None:
            probability = correct_odds(probability, source_share=correction[0], target_share=correction[1])
        if probability >= cut:
            return score
    return None


# Slices


def _by_slice(rows: Sequence[Row], options: Options, choice: Choice) -> Iterator[SliceChoice]:
    if options.by is None:
        return
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(getattr(row, options.by) or "not said", []).append(row)
    level = share("delta", options.delta) / len(parts)
    fewest = needed(options, delta=level)
    for name in sorted(parts):
        ranking = ranked(parts[name])
        enough = (ranking.n if options.method is Method.CRC else ranking.n_scored) >= fewest
        own = choose(ranking, options, delta=level) if enough else None
        threshold = own.threshold if own else choice.threshold
        answered, wrong = at(ranking, threshold)
        yield SliceChoice(
            name=name,
            own=own is not None,
            choice=own or choice,
            threshold=threshold,
            n=ranking.n,
            n_answered=answered,
            n_wrong=wrong,
            interval=clopper_pearson(wrong, answered) if answered else None,
            note=_slice_note(own, ranking.n, fewest, len(parts), options),
        )


def _slice_note(own: Choice | None, n: int, fewest: int, slices: int, options: Options) -> str:
    if own is None:
        few = f"{count(n, 'case')}, fewer than the {fewest} needed"
        return f"{few}: the global threshold is used, which promises nothing here"
    if own.state is not State.FOUND:
        return "no threshold of its own passes: abstain on this slice"
    if options.method is Method.LTT and slices > 1:
        return f"its own search, at delta / {slices}"
    return "its own search"


def _rates(rows: Sequence[Row], threshold: float | None) -> Answerability | None:
    known = [row for row in rows if row.answerable is not None]
    if not known:
        return None
    shown = [threshold is not None and row.score is not None and row.score >= threshold for row in known]
    return answerability_rates([row.answerable for row in known], shown, [row.correct or 0 for row in known])
