"""Does a system answer where it can and refuse where it must? Four rates, each with its own denominator.

One abstention rate hides the system that refuses everything; one accuracy hides the one that never refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounded.calibration.inputs import Number, labels, same_length
from pytest_grounded.calibration.intervals import Interval, wilson

__all__ = ["Answerability", "Rate", "answerability_rates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """k of n cases, as a share (None of none) with its Wilson interval."""

    k: int
    n: int
    rate: float | None
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerability:
    """On answerable cases: answered rightly, refused; on unanswerable ones: refused, answered.

    The first pair does not add to 1: what is missing was answered, wrongly. `accuracy_when_answered` has the answered
    answerable cases as its denominator.
    """

    answer_accuracy: Rate
    wrong_refusal: Rate
    right_refusal: Rate
    wrong_answer: Rate
    accuracy_when_answered: Rate


def answerability_rates(
    answerable: Sequence[object], answered: Sequence[object], correct: Sequence[object], *, delta: Number = 0.05
) -> Answerability:
    """The four rates of the answerability table.

    All three are 1 or 0 per case; `correct` is looked at only where an answerable case was answered. Labels hold for
    one state of the corpus.

    >>> found = answerability_rates([1, 1, 1, 0, 0], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0])
    >>> found.answer_accuracy.k, found.answer_accuracy.n, found.wrong_answer.rate
    (1, 3, 0.5)
    """
    same_length(answerable=answerable, answered=answered, correct=correct)
    rows = list(
        zip(labels("answerable", answerable), labels("answered", answered), labels("correct", correct), strict=True)
    )
    able = [(shown, right) for can, shown, right in rows if can]
    unable = [shown for can, shown, _ in rows if not can]
    shown_able = [right for shown, right in able if shown]

    def rate(k: int, n: int) -> Rate:
        return Rate(k=k, n=n, rate=k / n if n else None, interval=wilson(k, n, delta=delta))

    return Answerability(
        answer_accuracy=rate(sum(shown_able), len(able)),
        wrong_refusal=rate(len(able) - len(shown_able), len(able)),
        right_refusal=rate(len(unable) - sum(unable), len(unable)),
        wrong_answer=rate(sum(unable), len(unable)),
        accuracy_when_answered=rate(sum(shown_able), len(shown_able)),
    )
