"""What a calibration is asked for: the method, its limit, the prices with the name of their convention, the mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from pytest_grounded.calibration.costs import AbstentionCost, chow_threshold, cost
from pytest_grounded.calibration.inputs import CalibrationError, Number, share, whole, written_number

__all__ = ["Fit", "Method", "Options", "Prices", "ScoreKind", "parse_mix"]

_MOST_BINS = 1000


class Method(StrEnum):
    """How a threshold is chosen: the cheapest, or the loosest that keeps a limit, with the guarantee of that name."""

    COST = "cost"
    LTT = "ltt"
    CRC = "crc"
    EMPIRICAL = "empirical"


class Fit(StrEnum):
    """Which map from scores to probabilities is fitted."""

    NONE = "none"
    PLATT = "platt"
    ISOTONIC = "isotonic"


class ScoreKind(StrEnum):
    """Whether a score is read as a probability, or only ranks."""

    PROBABILITY = "probability"
    RANKING = "ranking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a wrong answer, an abstention and a review cost, in one unit, and which abstentions are charged."""

    wrong: Number
    abstain: Number
    convention: AbstentionCost
    review: Number | None = None
    max_review: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one calibration. Raises `CalibrationError` where they do not go together.

    `test_share`: split off this share of the groups for confirmation. `start`: the answered count at which the fixed
    sequence begins, by default twice the smallest that can pass, at most half of the cases. `prefer`: of several
    cheapest thresholds the lowest (`coverage`) or the highest (`safe`).

    >>> Options(method=Method.COST)
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: method cost needs prices (--cost-wrong, --cost-abstain)
    """

    method: Method = Method.LTT
    alpha: Number = 0.1
    delta: Number = 0.1
    prices: Prices | None = None
    by: Literal["slice", "kind"] | None = None
    fit: Fit = Fit.NONE
    score: ScoreKind = ScoreKind.PROBABILITY
    test_share: Number | None = None
    seed: int = 0
    target_mix: Mapping[str, Number] = field(default_factory=dict)
    prefer: Literal["coverage", "safe"] = "coverage"
    start: int | None = None
    n_bins: int = 10
    claim_alpha: Number | None = None
    min_claims: int = 1

    def __post_init__(self) -> None:
        share("alpha", self.alpha, open_ended=True)
        share("delta", self.delta, open_ended=True)
        whole("n_bins", self.n_bins, least=2, most=_MOST_BINS)
        whole("min_claims", self.min_claims, least=1)
        if self.claim_alpha is not None:
            share("claim_alpha", self.claim_alpha, open_ended=True)
        if self.start is not None:
            whole("start", self.start, least=1)
        if self.test_share is not None:
            share("test_share", self.test_share, open_ended=True)
        if self.prices is None and self.method is Method.COST:
            raise CalibrationError("method cost needs prices (--cost-wrong, --cost-abstain)")
        if self.prices is not None:
            _check_prices(self.prices)
        _check_mix(self.target_mix)


def _check_prices(prices: Prices) -> None:
    wrong, abstain = cost("cost_wrong", prices.wrong), cost("cost_abstain", prices.abstain)
    if not wrong + abstain:
        raise CalibrationError(
            "cost_wrong and cost_abstain are both 0, so every threshold costs nothing (needs a price)"
        )
    chow_threshold(wrong, abstain)
    if prices.review is not None:
        cost("cost_review", prices.review)
    if prices.max_review is not None:
        whole("max_review", prices.max_review)


def _check_mix(mix: Mapping[str, Number]) -> None:
    if not mix:
        return
    shares = {name: share(f"target mix of {name}", value) for name, value in mix.items()}
    if set(shares) == {"answerable"}:
        share("target mix of answerable", shares["answerable"], open_ended=True)
    elif sum(shares.values(), Fraction()) != 1:
        total = float(sum(shares.values(), Fraction()))
        raise CalibrationError(
            f"the target mix adds up to {total:g} (needs 1 over all kinds, or the one share answerable=...)"
        )


def parse_mix(text: str) -> dict[str, Fraction]:
    """A mix as it is written on the command line: `answerable=0.8`, or `answerable=0.7,unanswerable=0.3` by kind.

    >>> parse_mix("answerable=0.8")
    {'answerable': Fraction(4, 5)}
    """
    mix: dict[str, Fraction] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        try:
            found = written_number(value)
        except ValueError:
            found = Fraction(-1)
        if not name.strip() or not equals or found < 0:
            raise CalibrationError(
                f"target mix {text!r} cannot be read at {part!r} (needs name=share, e.g. answerable=0.8)"
            )
        if name.strip() in mix:
            raise CalibrationError(f"target mix {text!r} names {name.strip()!r} twice")
        mix[name.strip()] = found
    return mix
