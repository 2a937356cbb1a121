"""The tests that tell runs apart, against figures that were measured before and slow versions of the same."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.harness.statistics import (
    ALPHA,
    Alike,
    compare,
    fisher_power,
    median_shift,
    p_value,
    total_variation,
)


def drawn(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - no secret depends on it


VALUES = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("runs", "rate", "measured"),
    [
        (10, 0.5, 0.12),
        (20, 0.5, 0.84),
        (50, 0.5, 1.0),
        (50, 0.2, 0.58),
        (100, 0.2, 0.95),
        (5, 0.98, 0.82),
        (10, 0.98, 1.0),
    ],
)
def test_the_power_of_the_test_is_what_was_measured(runs: int, rate: float, measured: float) -> None:
    assert fisher_power(runs, 0.02, rate) == pytest.approx(measured, abs=0.035)


def test_a_shift_from_three_to_five_in_ten_takes_more_than_two_hundred_runs() -> None:
    assert fisher_power(200, 0.3, 0.5) < 0.95


def test_the_power_is_the_share_of_draws_the_test_rejects() -> None:
    source = drawn(1)
    runs, rejected = 12, 0
    for _ in range(2_000):
        one, other = ([source.random() < rate for _ in range(runs)] for rate in (0.1, 0.7))
        rejected += p_value(one, other, seed=1) < ALPHA
    assert fisher_power(runs, 0.1, 0.7) == pytest.approx(rejected / 2_000, abs=0.04)


def wordings(source: random.Random, runs: int, new: float = 0.0) -> list[str]:
    """Runs of a system with five wordings, and a sixth in some share of them."""
    return ["new" if source.random() < new else f"wording {source.randrange(5)}" for _ in range(runs)]


def test_five_wordings_are_not_taken_for_a_difference_and_a_sixth_in_half_the_runs_is() -> None:
    source = drawn(7)
    same = [p_value(wordings(source, 20), wordings(source, 20), seed=seed) < ALPHA for seed in range(40)]
    other = [p_value(wordings(source, 50, 0.5), wordings(source, 50), seed=seed) < ALPHA for seed in range(10)]
    assert sum(same) <= 2
    assert all(other)


@given(VALUES, VALUES)
def test_the_permutation_test_agrees_with_every_arrangement_counted(one: list[str], other: list[str]) -> None:
    if len(set(one) | set(other)) < 3:
        return
    exact = by_hand(one, other)
    assert p_value(one, other, seed=3) == pytest.approx(exact, abs=0.03)


def by_hand(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    pool = [*one, *other]
    seen = total_variation(one, other)
    splits = list(combinations(range(len(pool)), len(one)))
    far = 0
    for split in splits:
        left = [pool[place] for place in split]
        right = [pool[place] for place in range(len(pool)) if place not in split]
        far += total_variation(left, right) >= seen - 1e-9
    return far / len(splits)


@given(VALUES, VALUES)
def test_total_variation_is_a_distance(one: list[str], other: list[str]) -> None:
    assert 0 <= total_variation(one, other) <= 1 + 1e-9
    assert total_variation(one, other) == pytest.approx(total_variation(other, one))
    assert total_variation(one, one) == 0


@pytest.mark.parametrize(
    ("with_leak", "runs", "answer"),
    [
        (0, 100, Alike.ALIKE),
        (20, 100, Alike.DIFFER),
        (2, 10, Alike.TOO_FEW),
        (0, 20, Alike.ALIKE),
        (0, 10, Alike.TOO_FEW),
    ],
)
def test_what_a_share_of_runs_comes_to(with_leak: int, runs: int, answer: Alike) -> None:
    live = {"reason_code": ["NOT_AUTHORIZED"] * with_leak + ["NO_EVIDENCE"] * (runs - with_leak)}
    assert compare(live, {"reason_code": ["NO_EVIDENCE"] * runs}, seed=1).answer is answer


def test_many_comparisons_take_stronger_evidence() -> None:
    one = {f"field {number}": ["a"] * 5 for number in range(2)}
    other = {f"field {number}": ["b"] * 5 for number in range(2)}
    assert compare({"field 0": ["a"] * 5}, {"field 0": ["b"] * 5}, seed=1).answer is Alike.DIFFER
    assert compare(one, other, seed=1).answer is Alike.TOO_FEW


def test_the_same_runs_give_the_same_answer() -> None:
    source = drawn(2)
    one, other = wordings(source, 30), wordings(source, 30)
    assert p_value(one, other, seed=5) == p_value(one, other, seed=5)


def test_times_that_come_from_one_source_do_not_differ() -> None:
    source = drawn(4)
    one, other = ([source.lognormvariate(3, 0.4) for _ in range(50)] for _ in range(2))
    assert median_shift(one, other, seed=1)[1] > ALPHA
    assert median_shift(one, [value + 30 for value in other], seed=1)[1] < ALPHA
