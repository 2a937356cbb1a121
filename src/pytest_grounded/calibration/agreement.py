"""Do two raters mean the same? Agreement beyond chance, with what is needed to read it.

Kappa alone misleads where one label is rare: two raters can agree on 18 of 20 items and have a kappa below 0. So the
raw agreement, the prevalence and the table come with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_grounded.calibration.inputs import CalibrationError, same_length

__all__ = ["Alpha", "Kappa", "cohen_kappa", "krippendorff_nominal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """Cohen's kappa with the raw agreement, each label's share over both raters, and the table of label pairs."""

    kappa: float | None
    n: int
    agreement: float | None
    prevalence: Mapping[str, float]
    table: tuple[tuple[str, str, int], ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


def cohen_kappa(rater_a: Sequence[Hashable], rater_b: Sequence[Hashable]) -> Kappa:
    """Unweighted kappa of two raters who labelled the same items (Cohen 1960).

    (observed - expected) / (1 - expected), between -1 and 1. None where expected agreement is 1 (both raters use one
    label throughout: undefined, not perfect) and without items.

    >>> found = cohen_kappa([1] * 18 + [1, 0], [1] * 18 + [0, 1])
    >>> round(found.kappa, 2), found.agreement
    (-0.05, 0.9)
    """
    same_length(rater_a=rater_a, rater_b=rater_b)
    n = len(rater_a)
    first, second = Counter(rater_a), Counter(rater_b)
    pairs = Counter(zip(rater_a, rater_b, strict=True))
    by_name = sorted(((str(a), str(b), count) for (a, b), count in pairs.items()))
    shares = {str(label): count / (2 * n) for label, count in sorted((first + second).items(), key=_named)}
    if not n:
        why = dict.fromkeys(("kappa", "agreement"), "there are no items")
        return Kappa(kappa=None, n=0, agreement=None, prevalence={}, table=(), undefined=why)
    observed = Fraction(sum(count for (a, b), count in pairs.items() if a == b), n)
    expected = Fraction(sum(first[label] * second[label] for label in first), n * n)
    kappa = None if expected == 1 else float((observed - expected) / (1 - expected))
    return Kappa(
        kappa=kappa,
        n=n,
        agreement=float(observed),
        prevalence=shares,
        table=tuple(by_name),
        undefined={} if kappa is not None else {"kappa": "both raters use one label only"},
    )


def _named(item: tuple[Hashable, int]) -> str:
    return str(item[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha:
    """Krippendorff's alpha and the number of labels that could be paired with another one of their unit."""

    alpha: float | None
    n_pairable: int
    undefined: Mapping[str, str] = field(default_factory=dict)


def krippendorff_nominal(ratings: Sequence[Sequence[Hashable | None]]) -> Alpha:
    """Alpha for nominal labels of any number of raters, gaps allowed (Krippendorff 1970).

    `ratings` is raters x units, None where a rater did not label a unit. 1 - observed / expected disagreement; units
    with fewer than two labels are left out. None where nothing can be paired or only one label occurs.

    >>> round(krippendorff_nominal([["s", "n", None], ["s", "s", "n"]]).alpha, 3)
    0.0
    """
    units = len(ratings[0]) if ratings else 0
    for place, rater in enumerate(ratings):
        if len(rater) != units:
            raise CalibrationError(
                f"ratings[{place}] has {len(rater)} units and ratings[0] has {units} (needs None for gaps)"
            )
    totals: Counter[Hashable] = Counter()
    agreeing = Fraction()
    for unit in zip(*ratings, strict=True):
        counts = Counter(label for label in unit if label is not None)
        m = sum(counts.values())
        if m < 2:  # noqa: PLR2004 - one label has no pair
            continue
        totals += counts
        agreeing += Fraction(sum(count * (count - 1) for count in counts.values()), m - 1)
    n = sum(totals.values())
    expected = n * n - sum(count * count for count in totals.values())
    if not expected:
        why = "only one label occurs" if n else "no unit has two labels"
        return Alpha(alpha=None, n_pairable=n, undefined={"alpha": why})
    return Alpha(alpha=float(1 - (n - 1) * (n - agreeing) / expected), n_pairable=n)
