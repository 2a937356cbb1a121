"""How much of the traffic does a row stand for? Weights for a declared mix, and estimates under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import CalibrationError, exact, exact_sum
from pytest_grounded.calibration.options import Options
from pytest_grounded.calibration.rows import Row

__all__ = ["MixEstimate", "answerable_shares", "mix_estimate", "mix_weights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MixEstimate:
    """What the threshold would do in traffic of a declared mix; point estimates, no guarantee."""

    target: tuple[tuple[str, float], ...]
    coverage: float | None
    selective_risk: float | None
    generalized_risk: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def mix_weights(rows: Sequence[Row], options: Options) -> list[Fraction]:
    """How much each row stands for: its own weight, scaled so that each part of the mix has its declared share.

    Raises `CalibrationError` where a part has no rows, or rows are of no part.

    >>> rows = [Row(case=str(i), group=str(i), score=0.5, correct=0, answerable=i > 2) for i in range(4)]
    >>> [float(weight) for weight in mix_weights(rows, Options(target_mix={"answerable": 0.5}))]
    [0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 2.0]
    """
    if not options.target_mix:
        return [row.weight for row in rows]
    target = {name: exact(value) for name, value in options.target_mix.items()}
    strata = [_stratum(row, target) for row in rows]
    if set(target) == {"answerable"}:
        target["not answerable"] = 1 - target["answerable"]
    present: dict[str, Fraction] = {}
    for row, stratum in zip(rows, strata, strict=True):
        present[stratum] = present.get(stratum, Fraction()) + row.weight
    _require_strata(target, present)
    total = sum(present.values(), Fraction())
    factors = {name: target[name] * total / mass for name, mass in present.items()}
    return [row.weight * factors[stratum] for row, stratum in zip(rows, strata, strict=True)]


def _stratum(row: Row, target: Mapping[str, Fraction]) -> str:
    if set(target) != {"answerable"}:
        return row.kind
    if row.answerable is None:
        raise CalibrationError(
            f"{row.case} does not say whether it is answerable, which --target-mix needs of every row"
        )
    return "answerable" if row.answerable else "not answerable"


def _require_strata(target: Mapping[str, Fraction], present: Mapping[str, Fraction]) -> None:
    for name in sorted(present):
        if name not in target or not target[name]:
            raise CalibrationError(
                f"rows of kind {name or 'not said'!r} have no share in --target-mix (give each kind one above 0)"
            )
    for name in sorted(target):
        if target[name] and name not in present:
            raise CalibrationError(f"--target-mix gives {name!r} a share, and no row is of it (label some)")


def mix_estimate(
    rows: Sequence[Row], weights: Sequence[Fraction], threshold: float | None, options: Options
) -> MixEstimate | None:
    """Weighted shares at a threshold; None where no mix is declared."""
    if not options.target_mix:
        return None
    shown = [threshold is not None and row.score is not None and row.score >= threshold for row in rows]
    total = exact_sum(weights)
    answered = exact_sum(weight for weight, on in zip(weights, shown, strict=True) if on)
    wrong = exact_sum(weight for row, weight, on in zip(rows, weights, shown, strict=True) if on and row.correct == 0)
    target = tuple((name, float(exact(value))) for name, value in sorted(options.target_mix.items()))
    return MixEstimate(
        target=target,
        coverage=float(answered / total),
        selective_risk=float(wrong / answered) if answered else None,
        generalized_risk=float(wrong / total),
        undefined={} if answered else {"selective_risk": "nothing is answered"},
    )


def answerable_shares(rows: Sequence[Row], options: Options) -> tuple[Fraction, Fraction] | None:
    """The share of answerable rows here and in the declared traffic, where that is what the mix declares."""
    if set(options.target_mix) != {"answerable"}:
        return None
    here = Fraction(sum(bool(row.answerable) for row in rows), len(rows))
    return (here, exact(options.target_mix["answerable"])) if 0 < here < 1 else None
