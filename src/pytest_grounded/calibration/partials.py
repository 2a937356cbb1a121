"""How much of the question did an answer cover, and how much of what it said is true? Both, never one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import CalibrationError, Number, exact, exact_mean, labels, numbers, said

__all__ = ["PartialScores", "PartialSummary", "SlotOutcome", "aggregate_partials", "partial_scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotOutcome:
    """One required slot: whether it was filled rightly, its weight, and whether everything hangs on it."""

    name: str
    filled: bool
    weight: Number = 1
    blocking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialScores:
    """Slot coverage and claim precision of one answer, shares between 0 and 1.

    `blocked_by` names missing slots without which every value may be wrong (which audience, which year): such an
    answer is wrong as a whole, whatever its claims.
    """

    n_slots: int
    n_filled: int
    n_claims: int
    n_supported: int
    slot_coverage: float | None
    weighted_slot_coverage: float | None
    claim_precision: float | None
    blocked_by: tuple[str, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


def partial_scores(slots: Sequence[SlotOutcome], claims: Sequence[object]) -> PartialScores:
    """Coverage of the slots a question asks for, and the share of stated claims that are supported.

    `claims` is 1 for a supported claim. Coverage is None without slots, precision without claims: an answer that
    states nothing is not precise.

    >>> found = partial_scores([SlotOutcome(name="limit", filled=True), SlotOutcome(name="who", filled=False)], [1, 1])
    >>> found.slot_coverage, found.claim_precision
    (0.5, 1.0)
    """
    supported = labels("claims", claims)
    weights = [exact(weight) for weight in numbers("weight", [slot.weight for slot in slots])]
    for slot, weight in zip(slots, weights, strict=True):
        if weight < 0:
            raise CalibrationError(f"slot {slot.name!r} has weight {said(slot.weight)} (needs a weight of at least 0)")
    total = sum(weights, Fraction())
    filled = sum((weight for slot, weight in zip(slots, weights, strict=True) if slot.filled), Fraction())
    undefined: dict[str, str] = {}
    if not slots:
        undefined["slot_coverage"] = "the question asks for no slot"
    if not total:
        undefined["weighted_slot_coverage"] = "every weight is 0" if slots else "the question asks for no slot"
    if not supported:
        undefined["claim_precision"] = "nothing is claimed"
    return PartialScores(
        n_slots=len(slots),
        n_filled=sum(slot.filled for slot in slots),
        n_claims=len(supported),
        n_supported=sum(supported),
        slot_coverage=sum(slot.filled for slot in slots) / len(slots) if slots else None,
        weighted_slot_coverage=float(filled / total) if total else None,
        claim_precision=sum(supported) / len(supported) if supported else None,
        blocked_by=tuple(slot.name for slot in slots if slot.blocking and not slot.filled),
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialSummary:
    """Means over answers. Each mean leaves out the answers where its value is undefined, and counts them."""

    n: int
    n_blocked: int
    n_without_claims: int
    n_without_slots: int
    slot_coverage: float | None
    claim_precision: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def aggregate_partials(answers: Sequence[PartialScores]) -> PartialSummary:
    """Macro means of slot coverage and claim precision.

    >>> aggregate_partials([partial_scores([SlotOutcome(name="a", filled=True)], [])]).n_without_claims
    1
    """
    coverages = [Fraction(answer.n_filled, answer.n_slots) for answer in answers if answer.n_slots]
    precisions = [Fraction(answer.n_supported, answer.n_claims) for answer in answers if answer.n_claims]
    undefined: dict[str, str] = {}
    if not coverages:
        undefined["slot_coverage"] = "no question asks for a slot"
    if not precisions:
        undefined["claim_precision"] = "no answer claims anything"
    return PartialSummary(
        n=len(answers),
        n_blocked=sum(bool(answer.blocked_by) for answer in answers),
        n_without_claims=sum(not answer.n_claims for answer in answers),
        n_without_slots=sum(not answer.n_slots for answer in answers),
        slot_coverage=exact_mean(coverages),
        claim_precision=exact_mean(precisions),
        undefined=undefined,
    )
