"""Which claims of an answer may stay, and is what stays worth showing? Claim back-off, and the two-stage gate.

Raise a cut on the claims' scores and the least supported ones go. The share of *drafted* claims that are false and
kept falls as the cut rises, so conformal risk control holds it; the share of the *kept* claims does not, and is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.guarantees import State, smallest_calibration
from pytest_grounded.calibration.inputs import CalibrationError, Number, labels, numbers, same_length, share, whole

__all__ = [
    "BackoffPoint",
    "ClaimBackoff",
    "GateCounts",
    "backoff_frontier",
    "claim_backoff",
    "kept_counts",
    "two_stage_gate",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimBackoff:
    """A cut on claim scores; None drops every claim. `bound` is (sum of losses + 1)/(n + 1), at most alpha.

    `kept_claims` is the share of drafted claims that stay, `emptied` the answers that lose all of theirs.
    """

    threshold: float | None
    state: State
    feasible: bool
    alpha: float
    n_answers: int
    n_needed: int
    n_claims: int
    bound: float
    mean_loss: float | None
    kept_claims: float | None
    emptied: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def claim_backoff(
    scores: Sequence[Sequence[Number]],
    correct: Sequence[Sequence[object]],
    *,
    alpha: Number,
    loss: str = "false_claims",
) -> ClaimBackoff:
    """The loosest cut under which the expected false-claim loss of an answer is at most alpha.

    `scores[i][j]` and `correct[i][j]` belong to claim j of answer i; a claim is kept iff its score reaches the cut.
    The loss of an answer is its false kept claims over its drafted claims: the denominator is fixed, the loss lies in
    [0, 1] and never rises with the cut, so conformal risk control applies (Angelopoulos et al. 2024; back-off:
    Mohri and Hashimoto 2024). An answer without claims has loss 0. Exact arithmetic; the mean over calibrations is
    promised. `loss="fraction_kept"`, the share of kept claims, is refused: it is not monotone.

    >>> found = claim_backoff([[0.9, 0.4]] * 9 + [[0.8, 0.2]], [[1, 1]] * 9 + [[1, 0]], alpha=0.1)
    >>> found.threshold, found.kept_claims
    (0.4, 0.95)
    """
    if loss != "false_claims":
        raise CalibrationError(
            f"loss {loss!r} cannot be controlled this way: a share of the kept claims divides by a count that shrinks "
            "with the cut, so it can rise when the cut rises and the guarantee is void (use 'false_claims', whose "
            "denominator is the drafted claims)"
        )
    limit = share("alpha", alpha, open_ended=True)
    falling, claims, drafted = _falling(scores, correct)
    n = len(scores)
    allowed = limit * (n + 1) - 1
    lost, kept, threshold = Fraction(), 0, None
    speaking: set[int] = set()
    for value in sorted(falling, reverse=True):
        following = lost + sum((part for part, _ in falling[value]), Fraction())
        if following > allowed:
            break
        lost, threshold = following, value
        kept += len(falling[value])
        speaking.update(place for _, place in falling[value])
    state = State.FOUND if threshold is not None else State.VACUOUS if allowed >= 0 else State.INFEASIBLE
    undefined: dict[str, str] = {}
    if not n:
        undefined["mean_loss"] = "there are no answers"
    if not claims:
        undefined["kept_claims"] = "no claim was drafted"
    return ClaimBackoff(
        threshold=threshold,
        state=state,
        feasible=allowed >= 0,
        alpha=float(limit),
        n_answers=n,
        n_needed=smallest_calibration(alpha),
        n_claims=claims,
        bound=float((lost + 1) / (n + 1)),
        mean_loss=float(lost / n) if n else None,
        kept_claims=kept / claims if claims else None,
        emptied=drafted - len(speaking),
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BackoffPoint:
    """What one cut keeps: the share of drafted claims, the controlled loss, and what is not controlled.

    `mean_loss` is the mean over answers of false kept over drafted claims; `false_among_kept` the share of all kept
    claims that are false, which may rise when the cut does.
    """

    threshold: float
    kept_claims: float
    mean_loss: float
    false_among_kept: float
    emptied: int


def backoff_frontier(
    scores: Sequence[Sequence[Number]], correct: Sequence[Sequence[object]]
) -> tuple[BackoffPoint, ...]:
    """Claims kept against false claims, one point for each distinct score, from strict to loose.

    Both the share kept and the loss only grow along it; the share of the kept that is false does not.

    >>> points = backoff_frontier([[0.9, 0.4], [0.8]], [[0, 1], [1]])
    >>> [(point.threshold, round(point.kept_claims, 2), point.mean_loss) for point in points]
    [(0.9, 0.33, 0.25), (0.8, 0.67, 0.25), (0.4, 1.0, 0.25)]
    >>> [round(point.false_among_kept, 2) for point in points]
    [1.0, 0.5, 0.33]
    """
    falling, claims, drafted = _falling(scores, correct)
    lost, kept, wrong = Fraction(), 0, 0
    speaking: set[int] = set()
    points: list[BackoffPoint] = []
    for value in sorted(falling, reverse=True):
        lost += sum((part for part, _ in falling[value]), Fraction())
        kept += len(falling[value])
        wrong += sum(part > 0 for part, _ in falling[value])
        speaking.update(place for _, place in falling[value])
        points.append(
            BackoffPoint(
                threshold=value,
                kept_claims=kept / claims,
                mean_loss=float(lost / len(scores)),
                false_among_kept=wrong / kept,
                emptied=drafted - len(speaking),
            )
        )
    return tuple(points)


def _falling(
    scores: Sequence[Sequence[Number]], correct: Sequence[Sequence[object]]
) -> tuple[dict[float, list[tuple[Fraction, int]]], int, int]:
    """Score -> what each claim of it adds to the loss of which answer; how many claims and drafts there are."""
    same_length(scores=scores, correct=correct)
    falling: dict[float, list[tuple[Fraction, int]]] = {}
    for place, (row, right) in enumerate(zip(scores, correct, strict=True)):
        same_length(**{f"scores[{place}]": row, f"correct[{place}]": right})
        values, marks = numbers(f"scores[{place}]", row), labels(f"correct[{place}]", right)
        for value, mark in zip(values, marks, strict=True):
            falling.setdefault(value, []).append((Fraction(1 - mark, len(values)), place))
    return falling, sum(map(len, scores)), sum(map(bool, scores))


def kept_counts(scores: Sequence[Sequence[Number]], threshold: Number | None) -> tuple[int, ...]:
    """How many claims of each answer stay under a cut; None keeps none.

    >>> kept_counts([[0.9, 0.4], []], 0.4), kept_counts([[0.9]], None)
    ((2, 0), (0,))
    """
    if threshold is None:
        return (0,) * len(scores)
    (cut,) = numbers("threshold", [threshold])
    return tuple(sum(value >= cut for value in numbers(f"scores[{place}]", row)) for place, row in enumerate(scores))


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCounts:
    """What the two stages do: answers shown, and those held back as too risky, or as too thin after the first."""

    n: int
    shown: int
    shown_wrong: int
    too_risky: int
    too_thin: int


def two_stage_gate(
    scores: Sequence[Number],
    correct: Sequence[object],
    kept_claims: Sequence[int],
    *,
    threshold: Number,
    min_claims: int,
) -> GateCounts:
    """Show an answer iff its score reaches the threshold and at least `min_claims` of its claims are certified.

    The floor on claims is an editorial rule, not a guarantee.

    >>> two_stage_gate([0.9, 0.85, 0.3], [1, 1, 0], [4, 1, 5], threshold=0.8, min_claims=3)
    GateCounts(n=3, shown=1, shown_wrong=0, too_risky=1, too_thin=1)
    """
    same_length(scores=scores, correct=correct, kept_claims=kept_claims)
    (cut,) = numbers("threshold", [threshold])
    floor = whole("min_claims", min_claims)
    counts = [whole(f"kept_claims[{place}]", kept) for place, kept in enumerate(kept_claims)]
    rows = list(zip(numbers("scores", scores), labels("correct", correct), counts, strict=True))
    sure = [(right, kept) for score, right, kept in rows if score >= cut]
    shown = [right for right, kept in sure if kept >= floor]
    return GateCounts(
        n=len(rows),
        shown=len(shown),
        shown_wrong=len(shown) - sum(shown),
        too_risky=len(rows) - len(sure),
        too_thin=len(sure) - len(shown),
    )
