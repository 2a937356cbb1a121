"""What the statistics accept: finite scores, labels of 0 and 1, sides of equal length; and decimals read exactly.

A float stands for the decimal it prints as: 0.1 is one tenth. Limits and bin edges are compared in that reading, so
that two wrong answers of twenty do not exceed a limit of 0.1 by a rounding error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from pytest_grounded.errors import GroundedError

__all__ = [
    "CalibrationError",
    "Number",
    "Ranking",
    "TieGroup",
    "decimals",
    "exact",
    "exact_mean",
    "exact_sum",
    "labels",
    "lacking",
    "numbers",
    "probabilities",
    "rank",
    "said",
    "same_length",
    "share",
    "whole",
    "written_number",
]

Number = int | float | Fraction | Decimal

_DIGITS = 17


class CalibrationError(GroundedError, ValueError):
    """A statistic was asked of values it is not defined for; the message names the value and what is needed."""


def exact(value: Number) -> Fraction:
    """The number a value stands for; a float is the shortest decimal that prints it.

    >>> exact(0.1), Fraction(0.1) == exact(0.1)
    (Fraction(1, 10), False)
    """
    if isinstance(value, int | Fraction | Decimal):
        return Fraction(value)
    return Fraction(*Decimal(repr(float(value))).as_integer_ratio())


def decimals(values: Sequence[float]) -> tuple[list[int], int]:
    """The decimals that finite floats print as, all over one power of ten: the numerators, and that power.

    The same numbers as `exact`, for sums over many of them.

    >>> decimals([0.1, 2.0, 1e-7])[0][0] * 10 == decimals([0.1, 2.0, 1e-7])[1]
    True
    """
    least = min((size for value in values if (size := abs(value))), default=1.0)
    # A float prints with at most 17 digits, the first of them at the place of its logarithm.
    places = _DIGITS + max(0, -math.floor(math.log10(least)))
    return [int(Decimal(repr(value)).scaleb(places)) for value in values], 10**places


def said(value: object) -> str:
    """A value as a person would write it, for messages: a fraction as its decimals where it has any.

    >>> said(Fraction(1, 4)), said(Fraction(2)), said(Fraction(1, 3)), said(0.1), said("x")
    ('0.25', '2', '1/3', '0.1', "'x'")
    """
    if isinstance(value, Decimal):
        return str(value)
    if not isinstance(value, Fraction):
        return repr(value)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return str(value)
    found = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{found.normalize():f}"


def lacking(error: Exception) -> str:
    """What went wrong while a stored document was read, in words.

    >>> lacking(KeyError("n")), lacking(ValueError("could not convert 'x'"))
    ("'n' is missing", "could not convert 'x'")
    """
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def exact_sum(values: Iterable[Fraction]) -> Fraction:
    """The exact sum, in linear time: numerators of one denominator are added as integers first.

    >>> exact_sum(map(exact, [0.1] * 10))
    Fraction(1, 1)
    """
    by_denominator: dict[int, int] = {}
    for value in values:
        by_denominator[value.denominator] = by_denominator.get(value.denominator, 0) + value.numerator
    return sum((Fraction(top, bottom) for bottom, top in by_denominator.items()), Fraction())


def exact_mean(values: Sequence[Fraction]) -> float | None:
    """The mean, rounded once at the end; None of nothing.

    >>> exact_mean([exact(0.1), exact(0.2)]), exact_mean([])
    (0.15, None)
    """
    return float(exact_sum(values) / len(values)) if values else None


_WRITTEN = re.compile(r"[+-]?(?:[0-9]{1,40}/[0-9]{1,40}|[0-9]{0,40}\.?[0-9]{0,40}(?:[eE][+-]?[0-9]{1,2})?)")


def written_number(text: str) -> Fraction:
    """A number as people write it, exactly; ValueError of any other text.

    One whose exponent has three digits is refused too: it would be computed with that many digits.

    >>> written_number("0.05"), written_number("1/3")
    (Fraction(1, 20), Fraction(1, 3))
    >>> written_number("1e-400000000")
    Traceback (most recent call last):
    ...
    ValueError: '1e-400000000' is no number
    """
    plain = text.strip()
    try:
        if _WRITTEN.fullmatch(plain):
            return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        pass
    raise ValueError(f"{text!r} is no number")


def numbers(name: str, values: Iterable[object]) -> list[float]:
    """The values as finite floats.

    >>> numbers("scores", [1, 0.5, float("nan")])
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: scores[2] is nan (needs a finite number)
    """
    given = list(values)
    if all(type(value) is float for value in given) and all(map(math.isfinite, given)):  # type: ignore[arg-type]
        return given  # type: ignore[return-value]  # nothing to convert
    return [_number(name, place, value) for place, value in enumerate(given)]


def _number(name: str, place: int, value: object) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]  # whatever has __float__, numpy's scalars too
    except (TypeError, ValueError, OverflowError):
        raise CalibrationError(f"{name}[{place}] is {said(value)} (needs a finite number)") from None
    if isinstance(value, str) or not math.isfinite(found):
        raise CalibrationError(f"{name}[{place}] is {said(value)} (needs a finite number)")
    return found


def probabilities(name: str, values: Iterable[object]) -> list[float]:
    """The values as floats between 0 and 1.

    >>> probabilities("scores", [0.5, 1.7])
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: scores[1] is 1.7 (needs a probability between 0 and 1)
    """
    found = numbers(name, values)
    for place, value in enumerate(found):
        if not 0 <= value <= 1:
            raise CalibrationError(f"{name}[{place}] is {said(value)} (needs a probability between 0 and 1)")
    return found


def labels(name: str, values: Iterable[object]) -> list[int]:
    """The values as 0 and 1; True and False are read as such.

    >>> labels("correct", [1, 0, True, 2])
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: correct[3] is 2 (needs 0 or 1)
    """
    found: list[int] = []
    for place, value in enumerate(values):
        if value not in (0, 1):
            raise CalibrationError(f"{name}[{place}] is {said(value)} (needs 0 or 1)")
        found.append(int(value == 1))
    return found


def same_length(**sides: Sized) -> None:
    """Raise unless all named sides have one length.

    >>> same_length(scores=[0.5, 0.7], correct=[1])
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: scores has 2 values, correct has 1 (needs one of each per case)
    """
    lengths = {name: len(side) for name, side in sides.items()}
    if len(set(lengths.values())) > 1:
        (first, n), *others = lengths.items()
        other, m = next((name, length) for name, length in others if length != n)
        raise CalibrationError(f"{first} has {n} values, {other} has {m} (needs one of each per case)")


def share(name: str, value: Number, *, open_ended: bool = False) -> Fraction:
    """A share between 0 and 1, exactly; with `open_ended`, 0 and 1 themselves are refused.

    >>> share("alpha", 0.05)
    Fraction(1, 20)
    >>> share("delta", 0, open_ended=True)
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: delta is 0 (needs a share between 0 and 1, neither of them)
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise CalibrationError(f"{name} is {said(value)} (needs a share between 0 and 1)")
    found = exact(value)
    if not 0 <= found <= 1:
        raise CalibrationError(f"{name} is {said(value)} (needs a share between 0 and 1)")
    if open_ended and found in (0, 1):
        raise CalibrationError(f"{name} is {said(value)} (needs a share between 0 and 1, neither of them)")
    return found


def whole(name: str, value: object, *, least: int = 0, most: int | None = None) -> int:
    """A count within bounds.

    >>> whole("k", 5, most=3)
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: k is 5 (needs a whole number from 0 to 3)
    """
    bounds = f"from {least} to {most}" if most is not None else f"of at least {least}"
    try:
        found = int(value)  # type: ignore[call-overload]  # whatever has __int__
    except (TypeError, ValueError, OverflowError):
        raise CalibrationError(f"{name} is {said(value)} (needs a whole number {bounds})") from None
    if found != value or found < least or (most is not None and found > most):
        raise CalibrationError(f"{name} is {said(value)} (needs a whole number {bounds})")
    return int(found)


@dataclass(frozen=True, slots=True)
class TieGroup:
    """Cases of one score. No threshold separates them, so they are answered or left together."""

    score: float
    n: int
    n_wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Labelled cases as every rule here sees them: tie groups from the highest score down, and how many have none."""

    groups: tuple[TieGroup, ...]
    never_answered: int = 0

    @property
    def n_scored(self) -> int:
        """Cases with a score."""
        return sum(group.n for group in self.groups)

    @property
    def n(self) -> int:
        """All cases, those that are never answered included."""
        return self.n_scored + self.never_answered

    @property
    def n_wrong(self) -> int:
        """Scored cases whose answer would be wrong."""
        return sum(group.n_wrong for group in self.groups)


def rank(scores: Sequence[Number], correct: Sequence[object], *, never_answered: int = 0) -> Ranking:
    """Sort cases into tie groups, highest score first; the order of the rows does not matter.

    `correct` is 1 where showing the draft would be right. `never_answered` counts cases without a score (a system
    failure, an abstention before any draft): they stay in every share of all cases.

    >>> rank([0.9, 0.7, 0.9], [1, 0, 0]).groups
    (TieGroup(score=0.9, n=2, n_wrong=1), TieGroup(score=0.7, n=1, n_wrong=1))
    """
    same_length(scores=scores, correct=correct)
    counts: dict[float, list[int]] = {}
    for score, right in zip(numbers("scores", scores), labels("correct", correct), strict=True):
        count = counts.setdefault(score, [0, 0])
        count[0] += 1
        count[1] += 1 - right
    groups = tuple(TieGroup(score, n, wrong) for score, (n, wrong) in sorted(counts.items(), reverse=True))
    return Ranking(groups=groups, never_answered=whole("never_answered", never_answered))
