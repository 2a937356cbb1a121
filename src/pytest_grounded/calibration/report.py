"""A calibration as it is written: the JSON document, the curve as CSV, and the report that people read in a terminal.

Figures are rounded to six decimals; thresholds, scores and what was asked for are not, since decisions hang on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from textwrap import wrap
from typing import Any

from pytest_grounded.calibration.calibrate import Calibration, SliceChoice
from pytest_grounded.calibration.claims import ClaimStage
from pytest_grounded.calibration.confusion import Rate
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.drift import Drift
from pytest_grounded.calibration.inputs import exact
from pytest_grounded.calibration.intervals import Bootstrap, Interval, clopper_pearson_series
from pytest_grounded.calibration.options import Method, Options
from pytest_grounded.calibration.results import as_text, rounded, to_json
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = [
    "ESTIMATORS",
    "LINE",
    "area_words",
    "claim_words",
    "cost_words",
    "curve_csv",
    "document",
    "drift_document",
    "drift_text",
    "interval_words",
    "mix_words",
    "pointwise_band",
    "quality_words",
    "rate_words",
    "rule_words",
    "slice_words",
    "summary_words",
    "table",
    "text_report",
]

SCHEMA = 1
_DIGITS = 6
LINE = 110
"""Columns of a report."""
_AS_GIVEN = frozenset(
    {
        "threshold",
        "optimal_thresholds",
        "optimal_partitions",
        "theory_score",
        "alpha",
        "delta",
        "cost_wrong",
        "cost_abstain",
        "x",
        "options",
    }
)
ESTIMATORS: Mapping[str, str] = {
    "augrc": "trapezoid of the generalized risk over realizable points, from (0, 0)",
    "aurc": "mean of the selective risks of the k most confident cases, ties broken at random",
    "aurc_trapezoid": "trapezoid over k = 0..n with risk(0) = 0",
    "aurc_grouped_trapezoid": "trapezoid over realizable points, first risk held flat",
    "auroc": "share of right-wrong pairs in order, ties half",
}


def pointwise_band(found: Calibration) -> list[Interval]:
    """The 95 percent Clopper-Pearson interval of the selective risk at each realizable point; pointwise, not joint."""
    return clopper_pearson_series([(point.n_wrong, point.n_answered) for point in found.curve.points])


def document(found: Calibration) -> dict[str, Any]:
    """The JSON document of a calibration; the same for the same rows, options and seed.

    >>> from pytest_grounded.calibration.calibrate import calibrate
    >>> from pytest_grounded.calibration.rows import Row, Sample
    >>> rows = tuple(Row(case=f"c{i:03}", group=f"c{i:03}", score=i / 100, correct=int(i > 15)) for i in range(100))
    >>> document(calibrate(Sample(rows=rows)))["choice"]["threshold"]
    0.12
    """
    curve = {f.name: getattr(found.curve, f.name) for f in fields(found.curve) if f.name != "points"}
    sample = {f.name: getattr(found.sample, f.name) for f in fields(found.sample) if f.name != "rows"}
    sample |= {"kinds": dict(found.sample.kinds), "versions": {k: list(v) for k, v in found.sample.versions}}
    whole = {
        "schema": SCHEMA,
        "operating_point": found.choice.operating_point,
        "rule": rule_words(found.choice.threshold),
        "exit_code": found.exit_code,
        "method": found.options.method,
        "guarantee": found.guarantee,
        "options": _asked(found.options),
        "sample": sample,
        "choice": found.choice,
        "slices": found.slices,
        "test": found.test,
        "curve": curve | {"estimators": dict(ESTIMATORS)},
        "areas": found.areas,
        "score_quality": found.quality,
        "fitted": found.fitted,
        "costs": None if found.sweep is None else _costs(found),
        "review": found.band,
        "rates": found.rates,
        "target_mix": found.mix,
        "claims": None if found.claims is None else _claims(found.claims),
        "warnings": found.warnings,
    }
    return dict(rounded(to_json(whole), as_given=_AS_GIVEN))


def _asked(options: Options) -> dict[str, Any]:
    asked = {f.name: getattr(options, f.name) for f in fields(options)}
    asked["target_mix"] = {name: float(exact(value)) for name, value in sorted(options.target_mix.items())}
    for name in ("alpha", "delta", "test_share"):
        asked[name] = None if asked[name] is None else float(exact(asked[name]))
    return asked


def _claims(found: ClaimStage) -> dict[str, Any]:
    return {f.name: getattr(found, f.name) for f in fields(found) if f.name != "frontier"}


def _costs(found: Calibration) -> dict[str, Any]:
    sweep = found.sweep
    assert sweep is not None
    return {f.name: getattr(sweep, f.name) for f in fields(sweep) if f.name != "rows"} | {
        "theory_score": found.theory_score
    }


def curve_csv(found: Calibration, band: Sequence[Interval]) -> Iterator[str]:
    """One line per realizable threshold, from strict to loose; costs are empty where no prices are given."""
    yield (
        "threshold,answered,wrong,missed,coverage,selective_risk,generalized_risk,cost_per_query,"
        "risk_low_95,risk_high_95\n"
    )
    right = found.curve.n - found.curve.never_answered - found.curve.n_wrong
    costs: Iterable[float | None] = (
        [row.cost_per_query for row in found.sweep.rows if row.threshold is not None]
        if found.sweep
        else [None] * len(found.curve.points)
    )
    for point, interval, cost in zip(found.curve.points, band, costs, strict=True):
        missed = right - (point.n_answered - point.n_wrong)
        figures = (point.coverage, point.selective_risk, point.generalized_risk, cost, interval.low, interval.high)
        written = ("" if value is None else f"{value:.{_DIGITS}f}" for value in figures)
        yield f"{point.threshold!r},{point.n_answered},{point.n_wrong},{missed},{','.join(written)}\n"


# Words


def rule_words(threshold: float | None) -> str:
    """The rule a threshold stands for.

    >>> rule_words(0.46), rule_words(None)
    ('answer iff score >= 0.46', 'answer nothing')
    """
    return "answer nothing" if threshold is None else f"answer iff score >= {threshold!r}"


def interval_words(interval: Interval | Bootstrap | None, form: str = "share") -> str:
    """An interval in brackets."""
    if interval is None or interval.low is None or interval.high is None:
        return "n/a"
    if form == "share":
        return f"{percent(interval.low, 1)} to {percent(interval.high, 1)}"
    return f"{decimal(interval.low)} to {decimal(interval.high)}"


def area_words(found: Calibration) -> list[tuple[str, str, str]]:
    """Name, figure and estimator of each area, with its bootstrap interval where there is one."""
    curve, areas = found.curve, found.areas
    draws = f"{areas.augrc.draws} draws over groups"
    return [
        ("AUGRC", f"{as_text(curve, 'augrc')} [{interval_words(areas.augrc, '')}; {draws}]", ESTIMATORS["augrc"]),
        ("excess AUGRC", as_text(curve, "e_augrc"), "over right before wrong"),
        ("base risk", as_text(curve, "base_risk"), "share wrong if every draft were shown"),
        ("AURC", f"{as_text(curve, 'aurc')} [{interval_words(areas.aurc, '')}]", ESTIMATORS["aurc"]),
        ("excess AURC", as_text(curve, "e_aurc"), "over right before wrong, by the same estimator"),
        ("AUROC", as_text(curve, "auroc"), ESTIMATORS["auroc"]),
    ]


def cost_words(found: Calibration) -> list[tuple[str, str]]:
    """The prices with their convention, the optimum, the trivial policies and the theory."""
    sweep = found.sweep
    if sweep is None:
        return []
    which = "every abstention" if sweep.convention is AbstentionCost.ALL else "only missed right answers"
    best = ", ".join("answer nothing" if t is None else repr(t) for t in sweep.best.optimal_thresholds[:8])
    theory = sweep.theory.under(sweep.convention)
    reached = "no seen score reaches it" if found.theory_score is None else f"from score {found.theory_score!r}"
    lines = [
        (
            "prices",
            f"wrong {sweep.cost_wrong:g}, abstention {sweep.cost_abstain:g}, charging {which} ({sweep.convention})",
        ),
        ("least cost", f"{_or_none(sweep.best.min_cost_per_query)} per query, at threshold {best}"),
        ("answer everything", f"{_or_none(sweep.always_answer)} per query"),
        ("answer nothing", f"{_or_none(sweep.never_answer)} per query"),
        ("theory", f"probability {_or_none(theory)} ({reached}); exact only for a calibrated probability"),
    ]
    band = found.band
    if band is not None:
        cost = "n/a" if band.min_total_cost is None else decimal(band.min_total_cost / max(1, found.curve.n))
        part = band.optimal_partitions[0] if band.optimal_partitions else None
        edges = "no band" if part is None or part.low is None else f"review scores {part.low!r} to {part.high!r}"
        lines.append(("with reviews", f"{cost} per query, {edges}" + (f" ({band.note})" if band.note else "")))
    return lines


def _or_none(value: float | None) -> str:
    return "n/a" if value is None else decimal(value)


def slice_words(part: SliceChoice) -> str:
    """What one slice does, in words."""
    cut = rule_words(part.threshold)
    seen = f"{part.n_wrong} wrong of {part.n_answered} answered of {part.n}"
    return f"{cut}; {seen} ({interval_words(part.interval)}); {part.note}"


def text_report(found: Calibration) -> str:
    """The report for a terminal.

    >>> from pytest_grounded.calibration.calibrate import calibrate
    >>> from pytest_grounded.calibration.rows import Row, Sample
    >>> rows = tuple(Row(case=f"c{i:03}", group=f"c{i:03}", score=i / 100, correct=int(i > 15)) for i in range(100))
    >>> print(text_report(calibrate(Sample(rows=rows))).splitlines()[0])
    answers 88% of queries; at most 10% of those wrong with 90% confidence; 4 wrong of 88 seen
    """
    return "\n".join(_text_lines(found)) + "\n"


def _text_lines(found: Calibration) -> Iterator[str]:
    yield found.choice.operating_point
    yield f"  {rule_words(found.choice.threshold)}"
    yield ""
    yield from table(summary_words(found))
    yield ""
    yield "score as an order"
    yield from table([(name, f"{figure}  ({estimator})") for name, figure, estimator in area_words(found)])
    yield "score as a probability"
    yield from table(quality_words(found))
    if found.sweep is not None:
        yield "costs"
        yield from table(cost_words(found))
    if found.rates is not None:
        yield "answering and refusing at this threshold"
        yield from table(rate_words(found))
    if found.mix is not None:
        yield "in traffic of the declared mix (estimates)"
        yield from table(mix_words(found))
    if found.claims is not None:
        yield "claims, and both stages of the gate"
        yield from table(claim_words(found.claims))
    if found.slices:
        yield f"by {found.options.by}"
        yield from table([(part.name, slice_words(part)) for part in found.slices])
    if found.test is not None:
        yield "on the test rows"
        yield from table([(found.test.verdict.replace("_", " "), found.test.words)])
    if found.warnings:
        yield "read with care"
        yield from (line for warning in found.warnings for line in table([("-", warning)]))


def summary_words(found: Calibration) -> list[tuple[str, str]]:
    """The method, what it promises, and what it was applied to."""
    sample, choice, options = found.sample, found.choice, found.options
    right = sample.n - sample.never_answered - sample.n_wrong
    used = "" if sample.n == sample.n_read else f" (of {sample.n_read} read)"
    asked = (
        f"alpha {choice.alpha:g}, delta {choice.delta:g}" if options.method is Method.LTT else f"alpha {choice.alpha:g}"
    )
    whole = f"{count(sample.n, 'query', 'queries')}{used}"
    outcomes = f"{right} right, {sample.n_wrong} wrong, {sample.never_answered} never answered"
    lines = [
        ("method", options.method.value + ("" if options.method is Method.COST else f", {asked}")),
        ("guarantee", found.guarantee),
        ("sample", f"{whole}: {outcomes}; {count(sample.n_groups, 'group')}"),
        ("score", sample.score_name or "unnamed"),
        ("corpus", sample.corpus or "not said"),
        ("rows", sample.digest),
    ]
    if choice.selective_risk is not None:
        risk = f"{percent(choice.selective_risk, 1)} of the answered (95% interval {interval_words(choice.interval)})"
        lines.insert(2, ("wrong", f"{risk}, {percent(Fraction(choice.n_wrong, choice.n), 1)} of all"))
    if choice.start is not None:
        lines.insert(
            2, ("start", f"the fixed sequence begins at {choice.start} answered ({choice.n_needed} is the least)")
        )
    return lines


def quality_words(found: Calibration) -> list[tuple[str, str]]:
    """Brier score and calibration errors, each beside the level of a perfect score."""
    quality = found.quality
    lines = [("judged", quality.probability), ("Brier", as_text(quality, "brier"))]
    if quality.brier is None:
        return lines[1:]
    if found.fitted is not None:
        lines.append(("Brier, unfitted", as_text(quality, "brier_raw")))
    for name, reference, binning in (
        ("ece", "reference", "equal width, (lo, hi]"),
        ("ece_equal_mass", "reference_equal_mass", "equal mass"),
    ):
        level = as_text(quality, reference)
        lines.append(
            ("ECE", f"{as_text(quality, name)}  ({quality.n_bins} bins of {binning}; a perfect score here: {level})")
        )
    return lines


def rate_words(found: Calibration) -> list[tuple[str, str]]:
    """The four rates, each with its denominator."""
    rates = found.rates
    if rates is None:
        return []
    return [
        ("answered rightly", _rate(rates.answer_accuracy, "answerable")),
        ("refused wrongly", _rate(rates.wrong_refusal, "answerable")),
        ("refused rightly", _rate(rates.right_refusal, "unanswerable")),
        ("answered wrongly", _rate(rates.wrong_answer, "unanswerable")),
    ]


def _rate(rate: Rate, noun: str) -> str:
    if rate.rate is None:
        return f"n/a (no {noun} query)"
    return f"{percent(Fraction(rate.k, rate.n), 1)}  ({rate.k} of {rate.n} {noun}; {interval_words(rate.interval)})"


def claim_words(found: ClaimStage) -> list[tuple[str, str]]:
    """What the cut on claims keeps and promises, and what the two stages hold back."""
    backoff, gate = found.backoff, found.gate
    lines = [("claims", found.words)]
    if backoff.mean_loss is not None:
        seen = f"{percent(exact(backoff.mean_loss), 1)} of the claims of an answer false and kept, in this sample"
        lines.append(("seen", f"{seen}; {count(backoff.emptied, 'answer')} of {backoff.n_answers} lose every claim"))
    if gate is not None:
        lines += [
            ("shown", f"{gate.shown} of {gate.n}, {gate.shown_wrong} of them wrong"),
            ("too risky", f"{gate.too_risky} below the score"),
            ("too thin", f"{gate.too_thin} more with fewer than {count(found.min_claims, 'kept claim')}"),
        ]
    return lines


def mix_words(found: Calibration) -> list[tuple[str, str]]:
    """Coverage and risks under the declared mix."""
    mix = found.mix
    if mix is None or mix.coverage is None or mix.generalized_risk is None:
        return []
    risk = "n/a (nothing is answered)" if mix.selective_risk is None else percent(mix.selective_risk, 1)
    return [
        ("mix", ", ".join(f"{name} {percent(value, 1)}" for name, value in mix.target)),
        ("answered", percent(mix.coverage, 1)),
        ("wrong", f"{risk} of the answered, {percent(mix.generalized_risk, 1)} of all"),
    ]


def table(lines: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names and words in two columns, the words wrapped.

    >>> list(table([("alpha", "0.1"), ("n", "200")]))
    ['  alpha  0.1', '  n      200']
    """
    width = max((len(name) for name, _ in lines), default=0)
    for name, words in lines:
        parts = wrap(words, max(40, LINE - width - 4), break_long_words=False, break_on_hyphens=False) or [""]
        for place, part in enumerate(parts):
            yield f"  {'' if place else name:<{width}}  {part}"


def drift_document(found: Drift) -> dict[str, Any]:
    """The JSON document of a drift check."""
    return {"schema": SCHEMA, **rounded(to_json(found), as_given=_AS_GIVEN)}


def drift_text(found: Drift) -> str:
    """The report of a drift check."""
    lines = [
        ("coverage", f"p = {found.coverage_p:.4f} ({found.coverage_p_holm:.4f} corrected for both looks)"),
        (
            "wrong answers",
            f"n/a ({found.undefined['wrong_p']})"
            if found.wrong_p is None or found.wrong_p_holm is None
            else f"p = {found.wrong_p:.4f} ({found.wrong_p_holm:.4f} corrected for both looks)",
        ),
    ]
    notes = [line for note in found.notes for line in table([("-", note)])]
    return "\n".join([found.words, *table(lines), *notes]) + "\n"
