"""A measured judge as it is written: the JSON document, and the report that people read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from pytest_grounded.calibration.inputs import CalibrationError, lacking
from pytest_grounded.calibration.intervals import Interval
from pytest_grounded.calibration.judging import JudgeMeasurement, Prevalence, RaterAgreement, SliceQuality
from pytest_grounded.calibration.report import interval_words, table
from pytest_grounded.calibration.results import as_text, rounded, to_json
from pytest_grounded.calibration.wording import count, percent

__all__ = [
    "KIND",
    "MeasuredJudge",
    "judge_document",
    "judge_headline",
    "judge_text",
    "measured_judge",
    "prevalence_words",
    "quality_words",
    "rater_words",
    "slice_words",
]

SCHEMA = 1
KIND = "judge"


def judge_document(found: JudgeMeasurement) -> dict[str, Any]:
    """The JSON document; the same for the same labels, verdicts and judge."""
    written = {f.name: getattr(found, f.name) for f in fields(found) if f.name != "failures"}
    whole = {"schema": SCHEMA, "what": KIND, **written, "failures": dict(found.failures)}
    return dict(rounded(to_json(whole)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredJudge:
    """What is needed of a stored measurement: of which judge in which version it is, and its two errors in words."""

    judge: str
    version: str
    words: str


def measured_judge(stored: Any, *, name: str = "judge.json") -> MeasuredJudge:
    """What is needed of a measurement as it was written; raises `CalibrationError` where it is none.

    >>> measured_judge({"schema": 1})
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: judge.json holds no measurement of a judge (give the file ...
    """
    if not isinstance(stored, dict) or stored.get("what") != KIND:
        raise CalibrationError(
            f"{name} holds no measurement of a judge (give the file that `pytest-grounded judge --out` wrote)"
        )
    try:
        quality = stored["whole"]["quality"]
        words = ", ".join(
            f"{key.upper()} {_rate_again(quality[key], quality[f'{key}_interval'])}" for key in ("tpr", "tnr")
        )
        return MeasuredJudge(judge=str(stored["judge"]), version=str(stored["version"]), words=words)
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(f"{name} holds no whole measurement: {lacking(error)} (write it anew)") from None


def _rate_again(rate: Any, interval: Any) -> str:
    ends = interval_words(Interval(float(interval["low"]), float(interval["high"])))
    return f"{percent(float(rate), 1)} ({ends})"


def judge_headline(found: JudgeMeasurement) -> str:
    """The two rates in one line."""
    quality = found.whole.quality
    tpr, tnr = (percent(0 if rate is None else rate) for rate in (quality.tpr, quality.tnr))
    return f"{found.judge} says support of {tpr} of what people call supported, and denies it of {tnr} of the rest"


def judge_text(found: JudgeMeasurement) -> str:
    """The report for a terminal."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: JudgeMeasurement) -> Iterator[str]:
    whole = found.whole
    yield judge_headline(found)
    yield ""
    yield from table(list(quality_words(found)))
    yield "verdicts                support  not  undecided"
    for name, row in (
        ("people: supported", whole.quality.supported_judged),
        ("people: unsupported", whole.quality.unsupported_judged),
    ):
        yield f"  {name:<20}  {row[0]:>7}  {row[1]:>3}  {row[2]:>9}"
    yield "by slice (a claim may be in several)"
    yield from table([(one.name.replace("_", " "), slice_words(one)) for one in found.slices])
    if found.failures:
        yield "no usable reply"
        yield from table([(kind, count(times, "claim")) for kind, times in found.failures])
    if found.raters is not None:
        yield "people among themselves"
        yield from table(list(rater_words(found.raters)))
    if found.prevalence is not None:
        yield "supported among the other claims"
        yield from table(list(prevalence_words(found.prevalence)))
    if found.warnings:
        yield "read with care"
        yield from (line for warning in found.warnings for line in table([("-", warning)]))


def quality_words(found: JudgeMeasurement) -> Iterator[tuple[str, str]]:
    """Which judge, on which labels, how far it agrees, both rates, and what its score does where it has one."""
    whole, score = found.whole, found.reliability
    kappa = as_text(whole.kappa, "kappa")
    yield "judge", f"{found.judge}, version {found.version}"
    yield "labels", f"{count(whole.n, 'claim')} of {found.labels}, {found.digest}"
    yield "agreement", f"{_share(whole.n_agreeing, whole.n, whole.agreement_interval)}; kappa {kappa}"
    yield "kappa beside", _shares(whole)
    yield "TPR", _rate(whole, supported=True)
    yield "TNR", _rate(whole, supported=False)
    if score is not None:
        reference = as_text(score, "reference")
        figures = f"AUROC {as_text(score, 'auroc')}, Brier {as_text(score, 'brier')}, ECE {as_text(score, 'ece')}"
        binning = f"10 bins of equal width; a perfect score here: {reference}"
        yield "score", f"cut at {score.threshold:g}; over {count(score.n, 'claim')} {figures} ({binning})"


def _share(k: int, n: int, interval: Interval | None) -> str:
    return f"{percent(Fraction(k, n), 1)}  ({k} of {n}; {interval_words(interval)})" if n else "n/a (no claim)"


def _shares(part: SliceQuality) -> str:
    """What kappa alone does not say: how often each label is used, by both together."""
    return ", ".join(f"{name} {percent(share, 1)}" for name, share in part.kappa.prevalence.items()) + " of all labels"


def _rate(part: SliceQuality, *, supported: bool) -> str:
    quality = part.quality
    row = quality.supported_judged if supported else quality.unsupported_judged
    interval = quality.tpr_interval if supported else quality.tnr_interval
    if not sum(row):
        return f"n/a ({quality.undefined['tpr' if supported else 'tnr']})"
    return _share(row[0] if supported else row[1], sum(row), interval)


def slice_words(part: SliceQuality) -> str:
    """How many claims a slice has, and both rates."""
    if not part.n:
        return "no claim"
    return f"{count(part.n, 'claim')}; TPR {_rate(part, supported=True)}; TNR {_rate(part, supported=False)}"


def rater_words(raters: RaterAgreement) -> Iterator[tuple[str, str]]:
    """How far people agree among themselves, and the judge with each."""
    yield "raters", ", ".join(raters.raters)
    settled = f"{raters.n_adjudicated} settled, {raters.n_unsettled} left out"
    yield "disputed", f"{raters.n_disputed} of {raters.n_rated_twice} claims with two labels; {settled}"
    if raters.kappa is not None:
        agreement = as_text(raters.kappa, "agreement")
        yield "two raters", f"agreement {agreement}, kappa {as_text(raters.kappa, 'kappa')}"
    yield "alpha", f"{as_text(raters.alpha, 'alpha')}  (Krippendorff, nominal)"
    for rater, kappa in raters.judge_with:
        yield f"judge with {rater}", f"agreement {as_text(kappa, 'agreement')}, kappa {as_text(kappa, 'kappa')}"


def prevalence_words(found: Prevalence) -> Iterator[tuple[str, str]]:
    """The judged share of other claims, and what it comes to corrected."""
    undecided = f", {found.n_undecided} undecided" if found.n_undecided else ""
    seen = "n/a (no claim)" if found.observed is None else percent(found.observed, 1)
    yield "as judged", f"{seen}  ({found.n_support} of {found.n}{undecided})"
    if found.corrected is not None:
        if found.corrected.clipped is None:
            yield "corrected", f"n/a ({found.corrected.undefined['clipped']})"
        else:
            ends = interval_words(found.corrected.interval)
            yield "corrected", f"{percent(found.corrected.clipped, 1)}  (95% {ends}; Rogan-Gladen)"
    if found.powered is not None:
        if found.powered.estimate is None or found.powered.ci_clipped is None:
            yield "corrected", f"n/a ({found.powered.undefined['estimate']})"
        else:
            ends = interval_words(Interval(*found.powered.ci_clipped))
            yield (
                "corrected",
                f"{percent(min(1.0, max(0.0, found.powered.estimate)), 1)}  (95% {ends}; prediction-powered)",
            )
