"""Does a refusal help? Whether it names what is missing, invents no gap, gives the right reason and a next step.

"I cannot answer" risks nothing and helps nobody; a refusal with an invented reason misleads. What a refusal gives away
of what its requester may not read is no rate: one is a failure, and the leak checks look for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.confusion import Rate
from pytest_grounded.calibration.inputs import CalibrationError, exact_mean
from pytest_grounded.calibration.intervals import wilson

__all__ = ["Abstention", "AbstentionQuality", "AbstentionScores", "abstention_quality", "abstention_scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """One refusal as a person labelled it.

    `gaps` are the parts of the question that the material does not cover, `named` those the refusal says it does not,
    both by one naming. `right_reason` and `next_step` are None where nobody judged them.
    """

    gaps: frozenset[str]
    named: frozenset[str]
    right_reason: bool | None = None
    next_step: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstentionScores:
    """One refusal: the share of its gaps that it names, the share of what it names that is a gap, and what is invented.

    `complete`: every gap is named and nothing else.
    """

    gap_recall: float | None
    gap_precision: float | None
    unnamed: tuple[str, ...]
    invented: tuple[str, ...]
    complete: bool
    undefined: Mapping[str, str] = field(default_factory=dict)


def abstention_scores(refusal: Abstention) -> AbstentionScores:
    """Recall and precision of the gaps that a refusal names; None where there is no gap, or none is named.

    >>> gaps = frozenset({"current version", "children"})
    >>> found = abstention_scores(Abstention(gaps=gaps, named=frozenset({"children", "dose"})))
    >>> found.gap_recall, found.gap_precision, found.unnamed, found.invented
    (0.5, 0.5, ('current version',), ('dose',))
    """
    for name in ("gaps", "named"):
        parts: object = getattr(refusal, name)
        if not isinstance(parts, frozenset):
            raise CalibrationError(f"{name} is {parts!r} (needs a set of names)")
    hit = len(refusal.gaps & refusal.named)
    undefined: dict[str, str] = {}
    if not refusal.gaps:
        undefined["gap_recall"] = "nothing is missing"
    if not refusal.named:
        undefined["gap_precision"] = "no gap is named"
    return AbstentionScores(
        gap_recall=hit / len(refusal.gaps) if refusal.gaps else None,
        gap_precision=hit / len(refusal.named) if refusal.named else None,
        unnamed=tuple(sorted(refusal.gaps - refusal.named)),
        invented=tuple(sorted(refusal.named - refusal.gaps)),
        complete=bool(refusal.gaps) and refusal.gaps == refusal.named,
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstentionQuality:
    """Refusals together. Each rate has its own denominator: refusals with a gap, with something named, judged at all.

    `needless` are refusals where nothing is missing.
    """

    n: int
    needless: Rate
    complete: Rate
    silent: Rate
    inventing: Rate
    right_reason: Rate
    next_step: Rate
    gap_recall: float | None
    gap_precision: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def abstention_quality(refusals: Sequence[Abstention]) -> AbstentionQuality:
    """How often refusals are complete, silent about what is missing, inventing, and of use.

    Recall and precision are means over refusals. Wilson intervals, 95 percent.

    >>> gap = frozenset({"children"})
    >>> told, bare = Abstention(gaps=gap, named=gap), Abstention(gaps=gap, named=frozenset())
    >>> found = abstention_quality([told, bare])
    >>> found.complete.rate, found.silent.rate, found.gap_recall, found.gap_precision, found.right_reason.rate
    (0.5, 0.5, 0.5, 1.0, None)
    """
    scores = [abstention_scores(refusal) for refusal in refusals]
    with_gap = [(refusal, score) for refusal, score in zip(refusals, scores, strict=True) if refusal.gaps]
    naming = [(refusal, score) for refusal, score in zip(refusals, scores, strict=True) if refusal.named]
    recalls = [Fraction(len(one.gaps & one.named), len(one.gaps)) for one, _ in with_gap]
    precisions = [Fraction(len(one.gaps & one.named), len(one.named)) for one, _ in naming]
    undefined: dict[str, str] = {}
    if not recalls:
        undefined["gap_recall"] = "no refusal has a gap" if refusals else "there are no refusals"
    if not precisions:
        undefined["gap_precision"] = "no refusal names a gap" if refusals else "there are no refusals"
    return AbstentionQuality(
        n=len(refusals),
        needless=_rate([not one.gaps for one in refusals]),
        complete=_rate([score.complete for _, score in with_gap]),
        silent=_rate([not one.named for one, _ in with_gap]),
        inventing=_rate([bool(score.invented) for _, score in naming]),
        right_reason=_rate([one.right_reason for one in refusals if one.right_reason is not None]),
        next_step=_rate([one.next_step for one in refusals if one.next_step is not None]),
        gap_recall=exact_mean(recalls),
        gap_precision=exact_mean(precisions),
        undefined=undefined,
    )


def _rate(verdicts: Sequence[bool]) -> Rate:
    k, n = sum(verdicts), len(verdicts)
    return Rate(k=k, n=n, rate=k / n if n else None, interval=wilson(k, n))
