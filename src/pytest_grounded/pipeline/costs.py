"""When is answering worth its risk? The cost rule, under either of its two conventions, and the calibration it needs.

The conventions differ in when abstaining costs anything. `forgone_answer`: only when a right answer was available, so
answering pays when p > wrong / (wrong + abstain). `flat`: always, so it pays when p >= 1 - abstain / wrong (Chow 1970).
With costs 5 and 1 they cut at 0.833 and at 0.8. Neither is better than the calibration of p: a score is no probability
until it has been measured against labelled questions.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

__all__ = ["Costs", "answer_probability"]

Cost = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


def _null_word(value: object) -> object:
    return None if isinstance(value, str) and value in {"", "~", "null", "none"} else value


class Costs(BaseModel):
    """What a wrong answer, an abstention and a person's time cost, in one unit.

    >>> round(Costs(wrong=5, abstain=1).threshold, 3), Costs(wrong=5, abstain=1, convention="flat").threshold
    (0.833, 0.8)
    >>> Costs(wrong=5, abstain=1, human=0.5).cheapest(0.7)
    'human'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    wrong: Cost = Field(description="Cost of showing a wrong answer.")
    abstain: Cost = Field(description="Cost of abstaining.")
    human: Annotated[Cost | None, BeforeValidator(_null_word)] = Field(
        default=None, description="Cost of handing the question to a person; null: nobody is there."
    )
    convention: Literal["forgone_answer", "flat"] = Field(
        default="forgone_answer", description="Whether abstaining costs only where a right answer was available."
    )
    calibration: tuple[tuple[Share, Share], ...] = Field(
        default=(),
        description="Measured pairs of score and probability of being right; between them it is interpolated.",
    )

    @model_validator(mode="after")
    def _rises(self) -> Costs:
        scores = [score for score, _ in self.calibration]
        if scores != sorted(set(scores)):
            raise ValueError("needs calibration pairs with rising scores")
        if self.wrong == self.abstain == 0:
            raise ValueError("needs a cost above 0")
        return self

    @property
    def threshold(self) -> float:
        """The probability of being right from which answering is cheaper than abstaining."""
        if self.convention == "forgone_answer":
            return self.wrong / (self.wrong + self.abstain)
        return max(0.0, 1 - self.abstain / self.wrong) if self.wrong else 0.0

    def cheapest(self, probability: float) -> Literal["answer", "abstain", "human"]:
        """The action of least expected cost.

        Where answering and abstaining cost the same, each convention decides as it was stated: `flat` answers,
        `forgone_answer` abstains. A person comes first.
        """
        answer = (1 - probability) * self.wrong
        abstain = self.abstain if self.convention == "flat" else probability * self.abstain
        machine: Literal["answer", "abstain"] = "abstain"
        if answer < abstain or (self.convention == "flat" and math.isclose(answer, abstain)):
            machine = "answer"
        return "human" if self.human is not None and self.human <= min(answer, abstain) else machine


def answer_probability(score: float, calibration: tuple[tuple[float, float], ...]) -> float:
    """The probability of being right for a score: interpolated between measured pairs, the score itself without any.

    >>> answer_probability(0.7, ((0.5, 0.2), (0.9, 0.8)))
    0.5
    """
    if not calibration:
        return score
    place = bisect_right(calibration, score, key=lambda pair: pair[0])
    if place in {0, len(calibration)}:
        return calibration[max(0, place - 1)][1]
    (left, low), (right, high) = calibration[place - 1], calibration[place]
    return round(low + (high - low) * (score - left) / (right - left), 9)
