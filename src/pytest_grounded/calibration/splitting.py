"""How well are answers cut into claims? Where the cuts are, and whether each claim keeps what qualifies it.

A figure about claims (support, precision, a judge's error) is a figure about the claims as they were cut: a cut that
loses "unless" makes a false claim of a true one, and no judge can mend that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.intervals import Interval, clopper_pearson

__all__ = ["AnnotatedClaim", "AnnotatedText", "Cut", "SplittingQuality", "splitting_quality"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedClaim:
    """A claim as a person cut it: its own words as they stand in the text, and the words that qualify it."""

    core: str
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedText:
    """A text with its claims in order."""

    text: str
    claims: tuple[AnnotatedClaim, ...]

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each claim begins; raises `CalibrationError` where its words do not stand in the text, in order."""
        found: list[int] = []
        at = 0
        for claim in self.claims:
            start = self.text.find(claim.core, at)
            if start < 0:
                raise CalibrationError(f"claim {claim.core!r} does not stand in its text, or not behind the one before")
            found.append(start)
            at = start + len(claim.core)
        return tuple(found)


class Cut(Protocol):
    """A claim as a splitter cut it: where it begins, and the text by which it would be judged."""

    @property
    def start(self) -> int:
        """Where its own words begin."""
        ...

    @property
    def text(self) -> str:
        """What would be judged."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SplittingQuality:
    """Cuts and qualifiers. A boundary is the first letter of a claim other than the first of its text.

    `n_kept` of `n_qualifiers` stand in the claim they belong to, as it would be judged.
    """

    n_texts: int
    n_claims: int
    n_boundaries: int
    n_cut: int
    n_right: int
    precision: float | None
    recall: float | None
    f1: float | None
    n_qualifiers: int
    n_kept: int
    retention: float | None
    retention_interval: Interval | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def splitting_quality(texts: Sequence[AnnotatedText], split: Callable[[str], Sequence[Cut]]) -> SplittingQuality:
    """Hold a splitter to texts that people cut.

    Precision, recall and F1 are of boundaries over all texts together; precision is None where nothing is cut, recall
    where nothing is to be cut. A qualifier counts as kept where it stands, but for case, in the claim in which most of
    the person's claim lies: the last one that begins at or before it.

    >>> from pytest_grounded.text.claims import split_claims
    >>> claims = (AnnotatedClaim(core="It is due"), AnnotatedClaim(core="it is not paid until May", keeps=("until",)))
    >>> text = AnnotatedText(text="It is due, but it is not paid until May.", claims=claims)
    >>> found = splitting_quality([text], split_claims)
    >>> found.f1, found.retention
    (1.0, 1.0)
    """
    boundaries = cut = right = qualifiers = kept = 0
    for one in texts:
        wanted, found = one.starts, list(split(one.text))
        gold, ours = set(wanted[1:]), {claim.start for claim in found[1:]}
        boundaries, cut, right = boundaries + len(gold), cut + len(ours), right + len(gold & ours)
        for start, claim in zip(wanted, one.claims, strict=True):
            holding = next((cut.text for cut in reversed(found) if cut.start <= start), "")
            qualifiers += len(claim.keeps)
            kept += sum(word.casefold() in holding.casefold() for word in claim.keeps)
    undefined = {}
    if not cut:
        undefined["precision"] = "nothing was cut"
    if not boundaries:
        undefined["recall"] = "nothing is to be cut"
    if not cut + boundaries:
        undefined["f1"] = "nothing was cut, and nothing is to be cut"
    if not qualifiers:
        undefined |= dict.fromkeys(("retention", "retention_interval"), "no claim has a qualifier")
    return SplittingQuality(
        n_texts=len(texts),
        n_claims=sum(len(one.claims) for one in texts),
        n_boundaries=boundaries,
        n_cut=cut,
        n_right=right,
        precision=right / cut if cut else None,
        recall=right / boundaries if boundaries else None,
        f1=float(Fraction(2 * right, cut + boundaries)) if cut + boundaries else None,
        n_qualifiers=qualifiers,
        n_kept=kept,
        retention=kept / qualifiers if qualifiers else None,
        retention_interval=clopper_pearson(kept, qualifiers) if qualifiers else None,
        undefined=undefined,
    )
