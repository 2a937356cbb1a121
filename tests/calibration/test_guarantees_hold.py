"""Do the promises hold? Repeated calibrations of 200 cases from a known score model, against the truth.

The model is the one of the cost example in `source_numbers.json`: three of four queries answerable, Beta(5, 2) scores
for them and Beta(2, 4) for the others. Seeded, so the figures do not move.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from functools import lru_cache
from statistics import mean

from pytest_grounded.calibration.guarantees import coverage_at_risk, crc_threshold, ltt_threshold, smallest_answered
from pytest_grounded.calibration.intervals import clopper_pearson

REPEATS, CASES, ALPHA, DELTA = 300, 200, 0.1, 0.1


def drawn(n: int, source: random.Random) -> tuple[list[float], list[int]]:
    correct = [int(source.random() < 0.75) for _ in range(n)]
    scores = [source.betavariate(5, 2) if right else source.betavariate(2, 4) for right in correct]
    return scores, correct


@lru_cache(maxsize=1)
def traffic() -> tuple[list[float], list[int]]:
    """A hundred thousand queries that stand for all: sorted scores, and the wrong ones from each place on."""
    scores, correct = drawn(100_000, random.Random(1))  # noqa: S311 - a simulation
    ordered = sorted(zip(scores, correct, strict=True))
    wrong = [0]
    for _, right in reversed(ordered):
        wrong.append(wrong[-1] + 1 - right)
    return [score for score, _ in ordered], wrong[::-1]


def truth(threshold: float | None) -> tuple[float, float]:
    """Selective and generalized risk of a threshold in all traffic."""
    if threshold is None:
        return 0.0, 0.0
    scores, wrong = traffic()
    place = bisect_left(scores, threshold)
    return wrong[place] / max(1, len(scores) - place), wrong[place] / len(scores)


def calibrations() -> list[tuple[list[float], list[int]]]:
    source = random.Random(2)  # noqa: S311 - a simulation
    return [drawn(CASES, source) for _ in range(REPEATS)]


def exceeded(thresholds: list[float | None]) -> int:
    return sum(truth(threshold)[0] > ALPHA for threshold in thresholds)


def test_ltt_exceeds_its_limit_no_more_often_than_it_may() -> None:
    start = 2 * smallest_answered(ALPHA, DELTA)
    found = [ltt_threshold(*sample, alpha=ALPHA, delta=DELTA, start=start).threshold for sample in calibrations()]
    assert clopper_pearson(exceeded(found), REPEATS).low <= DELTA
    assert sum(threshold is None for threshold in found) < 0.05 * REPEATS


def test_crc_holds_its_limit_on_average_and_not_every_time() -> None:
    risks = [truth(crc_threshold(*sample, alpha=0.05).threshold)[1] for sample in calibrations()]
    assert mean(risks) <= 0.05
    assert sum(risk > 0.05 for risk in risks) > 0.2 * REPEATS


def test_a_seen_limit_promises_nothing() -> None:
    points = [coverage_at_risk(*sample, max_selective_risk=ALPHA) for sample in calibrations()]
    assert exceeded([point.threshold if point else None for point in points]) > 0.3 * REPEATS
