"""How far may a judge be trusted? Its verdicts against people's labels, whole and by slice, and people among them.

A verdict is one of `support`, `contradict`, `neutral`, `unsure`, or a failure with its kind; everything but the first
three is a third column, counted in every denominator. The true rate behind a judge's rate on other claims is
corrected with its errors here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from pytest_grounded.calibration.agreement import Alpha, Kappa, cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.inputs import CalibrationError, Number, share
from pytest_grounded.calibration.intervals import Interval, clopper_pearson
from pytest_grounded.calibration.judges import (
    CorrectedRate,
    JudgeQuality,
    PoweredMean,
    judge_corrected_rate,
    judge_quality,
    ppi_mean,
)
from pytest_grounded.calibration.labels import SLICES, LabelledClaim, LabelledSet, require_labels
from pytest_grounded.calibration.reliability import (
    ReliabilityBin,
    calibration_error,
    reference_level,
    reliability_table,
)
from pytest_grounded.calibration.wording import count

__all__ = [
    "JudgeMeasurement",
    "Limits",
    "Prevalence",
    "RaterAgreement",
    "ScoreReliability",
    "SliceQuality",
    "Verdict",
    "measure_judge",
    "true_rate",
]

_DECIDED: Mapping[str, int] = {"support": 1, "contradict": 0, "neutral": 0}
_FEW = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a judge said of one claim; `failure` is the kind where it gave no usable verdict."""

    word: Literal["support", "contradict", "neutral", "unsure", "failed"]
    failure: str = ""

    @property
    def label(self) -> int | None:
        """1 supported, 0 not, None undecided.

        >>> Verdict(word="neutral").label, Verdict(word="failed", failure="timeout").label
        (0, None)
        """
        return _DECIDED.get(self.word)


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceQuality:
    """The judge on some of the claims. Agreement counts what it left undecided as not agreeing."""

    name: str
    n: int
    n_agreeing: int
    agreement: float | None
    agreement_interval: Interval | None
    kappa: Kappa
    quality: JudgeQuality
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAgreement:
    """People among themselves: what a judge can be expected to reach.

    `kappa` where there are two raters, `alpha` for any number. `judge_with` holds the judge against each rater.
    """

    raters: tuple[str, ...]
    n_rated_twice: int
    n_disputed: int
    n_adjudicated: int
    n_unsettled: int
    kappa: Kappa | None
    alpha: Alpha
    judge_with: tuple[tuple[str, Kappa], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prevalence:
    """How many of other claims are supported: as the judge says, and corrected by its errors."""

    n: int
    n_support: int
    n_undecided: int
    observed: float | None
    method: Literal["rogan_gladen", "prediction_powered"]
    corrected: CorrectedRate | None
    powered: PoweredMean | None
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReliability:
    """A judge's score against how often people call such claims supported. `threshold` is where the judge cuts it.

    `n` claims have a score; `reference` is the error a perfectly calibrated score would show over these. AUROC is the
    chance that a supported claim outscores an unsupported one.
    """

    n: int
    threshold: float
    brier: float | None
    ece: float | None
    reference: float | None
    auroc: float | None
    bins: tuple[ReliabilityBin, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the lower ends of the two intervals have to reach; None: nothing is asked."""

    tpr: Number | None = None
    tnr: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeMeasurement:
    """A judge, in one version, against one set of labels. `exit_code` 1: of no use, or below a limit."""

    judge: str
    version: str
    labels: str
    digest: str
    whole: SliceQuality
    slices: tuple[SliceQuality, ...]
    failures: tuple[tuple[str, int], ...]
    raters: RaterAgreement | None
    prevalence: Prevalence | None
    reliability: ScoreReliability | None
    warnings: tuple[str, ...]
    exit_code: int


def measure_judge(
    labels: LabelledSet,
    verdicts: Mapping[str, Verdict],
    *,
    judge: str,
    version: str,
    traffic: Sequence[Verdict] | None = None,
    limits: Limits | None = None,
    labels_are: Literal["study", "traffic"] = "study",
    scores: Mapping[str, float] | None = None,
    threshold: float = 0.5,
) -> JudgeMeasurement:
    """Hold verdicts, by id of the claim, to people's labels.

    `traffic` are verdicts on claims without labels, whose true rate is asked for. `scores` are those that the judge
    cuts at `threshold`, where it has any. Raises `CalibrationError` where the
    labels cannot carry a measurement, or a claim with a label has no verdict.

    >>> from pytest_grounded.calibration.labels import LabelledClaim
    >>> claims = [LabelledClaim(id=str(i), claim="", evidence=(), truth=i % 2) for i in range(40)]
    >>> said = {str(i): Verdict(word="support" if i % 2 else "neutral") for i in range(40)}
    >>> found = measure_judge(LabelledSet(claims=tuple(claims)), said, judge="j", version="1")
    >>> found.whole.quality.tpr, found.exit_code
    (1.0, 0)
    """
    require_labels(labels)
    missing = [one.id for one in labels.settled if one.id not in verdicts]
    if missing:
        raise CalibrationError(
            f"{count(len(missing), 'claim')} without a verdict, first {missing[0]!r} (judge them all)"
        )
    whole = _quality("all", labels.settled, verdicts)
    slices = tuple(_slices(labels.settled, verdicts))
    raters = _rater_agreement(labels, verdicts)
    prevalence = None if traffic is None else _prevalence(labels.settled, verdicts, traffic, labels_are)
    failures = Counter(verdicts[one.id].failure for one in labels.settled if verdicts[one.id].word == "failed")
    missed = tuple(_missed(whole.quality, limits or Limits()))
    useless = whole.quality.tpr is not None and whole.quality.tnr is not None and _is_useless(whole.quality)
    return JudgeMeasurement(
        judge=judge,
        version=version,
        labels=labels.name,
        digest=labels.digest,
        whole=whole,
        slices=slices,
        failures=tuple(sorted(failures.items())),
        raters=raters,
        prevalence=prevalence,
        reliability=None if not scores else _reliability(labels.settled, scores, threshold),
        warnings=(*missed, *_warnings(whole, slices, raters, sum(failures.values()), useless=useless)),
        exit_code=int(useless or bool(missed)),
    )


def _quality(name: str, claims: Sequence[LabelledClaim], verdicts: Mapping[str, Verdict]) -> SliceQuality:
    truth = [one.truth for one in claims]
    said = [verdicts[one.id].label for one in claims]
    agreeing = sum(a == b for a, b in zip(truth, said, strict=True))
    return SliceQuality(
        name=name,
        n=len(claims),
        n_agreeing=agreeing,
        agreement=agreeing / len(claims) if claims else None,
        agreement_interval=clopper_pearson(agreeing, len(claims)) if claims else None,
        kappa=cohen_kappa([_word(one) for one in truth], [_word(one) for one in said]),
        quality=judge_quality(truth, said),
        undefined={} if claims else dict.fromkeys(("agreement", "agreement_interval"), "there are no claims"),
    )


def _word(label: int | None) -> str:
    return "undecided" if label is None else "supported" if label else "unsupported"


def _slices(claims: Sequence[LabelledClaim], verdicts: Mapping[str, Verdict]) -> Iterator[SliceQuality]:
    """The slices that are always looked for, also where no claim is in one, then those of the file."""
    own = sorted({name for one in claims for name in one.slices} - set(SLICES))
    for name in (*SLICES, *own):
        yield _quality(name, [one for one in claims if name in one.slices], verdicts)
    yield _quality("none of these", [one for one in claims if not one.slices], verdicts)


def _rater_agreement(labels: LabelledSet, verdicts: Mapping[str, Verdict]) -> RaterAgreement | None:
    names = sorted({rater for one in labels.claims for rater, _ in one.raters})
    if not names:
        return None
    by_claim = [dict(one.raters) for one in labels.claims]
    kappa = None
    if len(names) == 2:  # noqa: PLR2004 - a pair
        both = [said for said in by_claim if len(said) == len(names)]
        kappa = cohen_kappa([_word(said[names[0]]) for said in both], [_word(said[names[1]]) for said in both])
    return RaterAgreement(
        raters=tuple(names),
        n_rated_twice=sum(len(said) > 1 for said in by_claim),
        n_disputed=sum(one.is_disputed for one in labels.claims),
        n_adjudicated=sum(one.is_disputed and one.adjudicated is not None for one in labels.claims),
        n_unsettled=sum(one.is_disputed and one.truth is None for one in labels.claims),
        kappa=kappa,
        alpha=krippendorff_nominal([[said.get(name) for said in by_claim] for name in names]),
        judge_with=tuple((name, _judge_with(name, labels, verdicts)) for name in names),
    )


def _judge_with(rater: str, labels: LabelledSet, verdicts: Mapping[str, Verdict]) -> Kappa:
    pairs = [
        (_word(dict(one.raters)[rater]), _word(verdicts[one.id].label))
        for one in labels.claims
        if rater in dict(one.raters) and one.id in verdicts
    ]
    return cohen_kappa([a for a, _ in pairs], [b for _, b in pairs])


def true_rate(
    quality: JudgeQuality, *, n: int, n_support: int, n_undecided: int = 0, delta: Number = 0.05
) -> CorrectedRate:
    """The share of supported claims behind `n_support` of `n` verdicts (Rogan and Gladen 1978).

    What the judge left undecided counts as not marked supported, here and in its own specificity, so that both are of
    one instrument. The interval includes the sizes of all three samples.

    >>> quality = judge_quality([1] * 50 + [0] * 50, [1] * 45 + [0] * 5 + [0] * 30 + [None] * 10 + [1] * 10)
    >>> round(true_rate(quality, n=100, n_support=55).raw, 3)
    0.5
    """
    positives, negatives = sum(quality.supported_judged), sum(quality.unsupported_judged)
    if not n or not positives or not negatives:
        why = "no claim was judged" if not n else "one of the two rates has no labelled claim"
        names = ("raw", "clipped", "se", "interval")
        return CorrectedRate(raw=None, clipped=None, se=None, interval=None, undefined=dict.fromkeys(names, why))
    if n_support + n_undecided > n:
        raise CalibrationError(f"{n_support} supported and {n_undecided} undecided are more than {n} claims")
    return judge_corrected_rate(
        Fraction(n_support, n),
        tpr=Fraction(quality.supported_judged[0], positives),
        tnr=1 - Fraction(quality.unsupported_judged[0], negatives),
        n=n,
        n_supported=positives,
        n_unsupported=negatives,
        delta=delta,
    )


def _prevalence(
    claims: Sequence[LabelledClaim],
    verdicts: Mapping[str, Verdict],
    traffic: Sequence[Verdict],
    labels_are: Literal["study", "traffic"],
) -> Prevalence:
    support = sum(one.label == 1 for one in traffic)
    undecided = sum(one.label is None for one in traffic)
    corrected = powered = None
    if labels_are == "study":
        quality = _quality("all", claims, verdicts).quality
        corrected = true_rate(quality, n=len(traffic), n_support=support, n_undecided=undecided)
    else:
        powered = ppi_mean(
            [one.truth or 0 for one in claims],
            [int(verdicts[one.id].label == 1) for one in claims],
            [int(one.label == 1) for one in traffic],
        )
    return Prevalence(
        n=len(traffic),
        n_support=support,
        n_undecided=undecided,
        observed=support / len(traffic) if traffic else None,
        method="rogan_gladen" if labels_are == "study" else "prediction_powered",
        corrected=corrected,
        powered=powered,
        undefined={} if traffic else {"observed": "no claim was judged"},
    )


def _reliability(claims: Sequence[LabelledClaim], scores: Mapping[str, float], threshold: float) -> ScoreReliability:
    scored = [one for one in claims if one.id in scores]
    values, truth = [scores[one.id] for one in scored], [one.truth or 0 for one in scored]
    fit, ranking = calibration_error(values, truth), risk_coverage(values, truth)
    undefined = {**fit.undefined, **{name: why for name, why in ranking.undefined.items() if name == "auroc"}}
    return ScoreReliability(
        n=len(scored),
        threshold=threshold,
        brier=fit.brier,
        ece=fit.ece,
        reference=reference_level(values),
        auroc=ranking.auroc,
        bins=reliability_table(values, truth),
        undefined=undefined,
    )


def _is_useless(quality: JudgeQuality) -> bool:
    """Whether it marks unsupported claims as supported at least as often as supported ones."""
    positives, negatives = sum(quality.supported_judged), sum(quality.unsupported_judged)
    return Fraction(quality.supported_judged[0], positives) <= Fraction(quality.unsupported_judged[0], negatives)


def _missed(quality: JudgeQuality, limits: Limits) -> Iterator[str]:
    for name, limit, interval in (
        ("TPR", limits.tpr, quality.tpr_interval),
        ("TNR", limits.tnr, quality.tnr_interval),
    ):
        if limit is not None and Fraction(interval.low) < share(name, limit):
            yield (
                f"the limit is missed: {name} may be as low as {interval.low:.3f}, and at least {float(limit):g} is "
                "asked for"
            )


def _warnings(
    whole: SliceQuality, slices: Sequence[SliceQuality], raters: RaterAgreement | None, failed: int, *, useless: bool
) -> Iterator[str]:
    quality = whole.quality
    if useless:
        yield (
            "the judge tells nothing: it marks unsupported claims as supported at least as often as supported ones, so "
            "no rate can be corrected by it"
        )
    undecided = quality.supported_judged[2] + quality.unsupported_judged[2]
    if undecided:
        also = f" ({failed} without a usable reply)" if failed else ""
        yield f"{undecided} of {whole.n} claims were left undecided{also}; they count in every denominator as not right"
    few = [one.name for one in slices if 0 < one.n < _FEW]
    if few:
        yield f"fewer than {_FEW} claims, so hardly anything follows: {', '.join(few)}"
    if raters is None:
        yield "one label a claim: how far people agree among themselves is not known"
    elif raters.n_unsettled:
        yield f"{count(raters.n_unsettled, 'claim')} whose raters differ and nobody settled are left out"
