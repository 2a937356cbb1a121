"""Which claims of an answer are kept before it is shown, and what the gate then does: the claim stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pytest_grounded.calibration.backoff import (
    BackoffPoint,
    ClaimBackoff,
    GateCounts,
    backoff_frontier,
    claim_backoff,
    kept_counts,
    two_stage_gate,
)
from pytest_grounded.calibration.guarantees import State
from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.options import Options
from pytest_grounded.calibration.rows import Row
from pytest_grounded.calibration.wording import count, percent

__all__ = ["ClaimStage", "claim_stage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimStage:
    """The cut on claims, the frontier it was chosen on, and what both stages do to the answers.

    `gate` is None where no answer is shown at all.
    """

    backoff: ClaimBackoff
    frontier: tuple[BackoffPoint, ...]
    min_claims: int
    gate: GateCounts | None
    words: str


def claim_stage(rows: Sequence[Row], threshold: float | None, options: Options) -> ClaimStage | None:
    """Control the false claims of the drafts, and count what is then too risky or too thin; None where not asked for.

    The drafts are the rows that list their claims. Raises `CalibrationError` where none does.

    >>> claims = ((0.9, 1), (0.3, 0))
    >>> rows = [Row(case=str(i), group=str(i), score=0.8, correct=1, claims=claims) for i in range(20)]
    >>> found = claim_stage(rows, 0.5, Options(claim_alpha=0.1))
    >>> found.backoff.threshold, found.gate.shown
    (0.9, 20)
    """
    if options.claim_alpha is None:
        return None
    drafts = [(row, row.claims) for row in rows if row.claims is not None]
    if not any(claims for _, claims in drafts):
        raise CalibrationError("no row lists the claims of its draft, which --claim-alpha needs (key `claims`)")
    scores = [[score for score, _ in claims] for _, claims in drafts]
    marks = [[mark for _, mark in claims] for _, claims in drafts]
    backoff = claim_backoff(scores, marks, alpha=options.claim_alpha)
    kept = kept_counts(scores, backoff.threshold)
    judged = [
        (row.score, row.correct, stays)
        for (row, _), stays in zip(drafts, kept, strict=True)
        if row.score is not None and row.correct is not None
    ]
    gate = None
    if threshold is not None:
        gate = two_stage_gate(
            [score for score, _, _ in judged],
            [correct for _, correct, _ in judged],
            [stays for _, _, stays in judged],
            threshold=threshold,
            min_claims=options.min_claims,
        )
    return ClaimStage(
        backoff=backoff,
        frontier=backoff_frontier(scores, marks),
        min_claims=options.min_claims,
        gate=gate,
        words=_words(backoff),
    )


def _words(found: ClaimBackoff) -> str:
    limit = percent(Fraction(str(found.alpha)), 1)
    if found.state is State.INFEASIBLE:
        return (
            f"drops every claim: with {count(found.n_answers, 'answer')} no cut can hold {limit}; at least "
            f"{found.n_needed} are needed"
        )
    if found.threshold is None:
        return f"drops every claim: no cut holds the false claims of an answer to {limit} of those drafted, on average"
    kept = f"keeps {percent(found.kept_claims or 0)} of {count(found.n_claims, 'claim')}"
    promise = f"at most {limit} of the claims drafted for an answer are false and kept, on average over calibrations"
    return f"{kept} (score >= {found.threshold!r}); {promise}"
