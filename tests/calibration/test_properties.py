"""What must hold of every sample: orders, bounds, invariances."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.citations import Statement, citation_scores, minimal_sets
from pytest_grounded.calibration.comparison import detectable_effect, mcnemar, mcnemar_power, paired_difference
from pytest_grounded.calibration.costs import AbstentionCost, cheapest_action, chow_threshold, threshold_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.fitting import correct_odds, fit_isotonic, fit_platt
from pytest_grounded.calibration.guarantees import (
    State,
    coverage_at_risk,
    crc_threshold,
    ltt_threshold,
    p_value,
    sgr_threshold,
    smallest_answered,
    smallest_calibration,
)
from pytest_grounded.calibration.inputs import CalibrationError, exact
from pytest_grounded.calibration.intervals import bootstrap, clopper_pearson, lower_bound, upper_bound, wilson
from pytest_grounded.calibration.options import Method, Options, Prices
from pytest_grounded.calibration.quality import area_intervals
from pytest_grounded.calibration.reliability import calibration_error, reference_level
from pytest_grounded.calibration.results import to_json
from pytest_grounded.calibration.review import review_can_pay, route
from pytest_grounded.calibration.rows import Row, Sample

SCORES = st.integers(0, 20).map(lambda i: i / 20)
CASES = st.lists(st.tuples(SCORES, st.integers(0, 1)), min_size=1, max_size=50)
SHARES = st.integers(1, 99).map(lambda i: i / 100)

Case = tuple[float, int]


def unzipped(cases: list[Case]) -> tuple[list[float], list[int]]:
    return [score for score, _ in cases], [right for _, right in cases]


@settings(deadline=None)
@given(CASES, st.integers(0, 9))
def test_the_order_of_the_rows_changes_nothing(cases: list[Case], seed: int) -> None:
    other = random.Random(seed).sample(cases, len(cases))  # noqa: S311 - a shuffle
    functions: list[Callable[[list[float], list[int]], object]] = [
        risk_coverage,
        lambda s, c: threshold_sweep(s, c, cost_wrong=5, cost_abstain=1, abstain_cost="missed"),
        lambda s, c: crc_threshold(s, c, alpha=0.2),
        lambda s, c: ltt_threshold(s, c, alpha=0.3, delta=0.2),
        lambda s, c: sgr_threshold(s, c, target_risk=0.4, delta=0.3),
        fit_isotonic,
        fit_platt,
    ]
    for function in functions:
        assert function(*unzipped(cases)) == function(*unzipped(other))


@settings(deadline=None)
@given(CASES)
def test_areas_lie_between_the_oracle_and_one(cases: list[Case]) -> None:
    curve = risk_coverage(*unzipped(cases))
    assert 0 <= curve.aurc_oracle <= curve.aurc <= 1  # type: ignore[operator]
    assert curve.e_aurc >= 0  # type: ignore[operator]
    assert curve.e_augrc >= 0  # type: ignore[operator]
    assert curve.aurc_trapezoid == pytest.approx(curve.aurc - curve.base_risk / (2 * curve.n))  # type: ignore[operator]


@settings(deadline=None)
@given(CASES)
def test_the_excess_is_zero_only_for_right_before_wrong(cases: list[Case]) -> None:
    curve = risk_coverage(*unzipped(cases))
    perfect = all(a > b for a, right in cases if right for b, other in cases if not other)
    assert (curve.e_aurc == 0) == perfect
    assert (curve.e_augrc == 0) == perfect


@settings(deadline=None)
@given(CASES)
def test_augrc_is_a_function_of_auroc_and_base_risk(cases: list[Case]) -> None:
    curve = risk_coverage(*unzipped(cases))
    e = curve.base_risk or 0.0
    expected = e * e / 2 if curve.auroc is None else (1 - curve.auroc) * e * (1 - e) + e * e / 2
    assert curve.augrc == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(CASES, st.integers(2, 4))
def test_repeating_every_row_keeps_the_risks(cases: list[Case], times: int) -> None:
    once, often = risk_coverage(*unzipped(cases)), risk_coverage(*unzipped(cases * times))
    assert [p.selective_risk for p in once.points] == [p.selective_risk for p in often.points]
    assert often.augrc == pytest.approx(once.augrc)
    assert often.aurc_grouped_trapezoid == pytest.approx(once.aurc_grouped_trapezoid)


@settings(deadline=None)
@given(CASES)
def test_a_rising_map_of_the_scores_changes_only_thresholds(cases: list[Case]) -> None:
    scores, correct = unzipped(cases)
    mapped = [1 - (1 - score) ** 3 * 0.5 for score in scores]
    one, other = to_json(risk_coverage(scores, correct)), to_json(risk_coverage(mapped, correct))
    for document in (one, other):
        document["points"] = [{**point, "threshold": None} for point in document["points"]]
    assert one == other


@settings(deadline=None)
@given(CASES, SHARES)
def test_a_rising_map_of_the_scores_changes_no_choice(cases: list[Case], limit: float) -> None:
    scores, correct = unzipped(cases)
    mapped = [5 * score**3 - 40 for score in scores]
    back = dict(zip(mapped, scores, strict=True))
    for choose in (
        lambda s: crc_threshold(s, correct, alpha=limit),
        lambda s: ltt_threshold(s, correct, alpha=limit, delta=0.2),
        lambda s: sgr_threshold(s, correct, target_risk=limit, delta=0.2),
        lambda s: coverage_at_risk(s, correct, max_selective_risk=limit),
        lambda s: threshold_sweep(s, correct, cost_wrong=3, cost_abstain=1, abstain_cost="all").best,
    ):
        one, other = to_json(choose(scores)), to_json(choose(mapped))
        assert one == _mapped_back(other, back)


def _mapped_back(found: Any, back: dict[float, float]) -> Any:
    if not isinstance(found, dict):
        return found
    mapped = dict(found)
    if "threshold" in mapped:
        mapped["threshold"] = back.get(mapped["threshold"])
    if "optimal_thresholds" in mapped:
        mapped["optimal_thresholds"] = [back.get(value) for value in mapped["optimal_thresholds"]]
    return mapped


METHODS = [
    Options(method=Method.LTT, alpha=0.3, delta=0.3),
    Options(method=Method.CRC, alpha=0.1),
    Options(method=Method.EMPIRICAL, alpha=0.05),
    Options(method=Method.COST, prices=Prices(wrong=3, abstain=1, convention=AbstentionCost.MISSED)),
]


@settings(deadline=None, max_examples=25)
@given(CASES, st.sampled_from(METHODS))
def test_it_ends_with_one_iff_no_threshold_was_found(cases: list[Case], options: Options) -> None:
    rows = tuple(Row(case=f"{i:02}", group=f"{i:02}", score=s, correct=c) for i, (s, c) in enumerate(cases))
    if len({row.correct for row in rows}) < 2:
        with pytest.raises(CalibrationError):
            calibrate(Sample(rows=rows), options)
        return
    found = calibrate(Sample(rows=rows), options)
    assert (found.exit_code == 1) == (found.choice.state is not State.FOUND)
    if found.choice.state is State.INFEASIBLE:
        assert found.choice.n_needed is not None
        assert len(rows) < found.choice.n_needed
    if found.choice.state is not State.FOUND:
        assert (found.choice.threshold, found.choice.n_answered) == (None, 0)


@settings(deadline=None)
@given(CASES, SHARES, SHARES)
def test_a_laxer_limit_never_raises_the_threshold(cases: list[Case], one: float, other: float) -> None:
    strict, lax = (crc_threshold(*unzipped(cases), alpha=alpha) for alpha in sorted((one, other)))
    assert lax.n_answered >= strict.n_answered
    if strict.threshold is not None:
        assert lax.threshold is not None
        assert lax.threshold <= strict.threshold


@settings(deadline=None)
@given(CASES, SHARES)
def test_crc_keeps_its_bound_and_tells_its_states_apart(cases: list[Case], alpha: float) -> None:
    found = crc_threshold(*unzipped(cases), alpha=alpha)
    assert found.feasible == (len(cases) >= smallest_calibration(alpha)) == (found.state is not State.INFEASIBLE)
    assert found.abstain_all == (found.threshold is None)
    if found.feasible:
        assert exact(found.n_wrong + 1) <= exact(alpha) * (len(cases) + 1)


@settings(deadline=None)
@given(CASES, SHARES, SHARES)
def test_what_ltt_finds_it_has_shown(cases: list[Case], alpha: float, delta: float) -> None:
    found = ltt_threshold(*unzipped(cases), alpha=alpha, delta=delta)
    if found.threshold is None:
        assert (found.n_answered, found.bound) == (0, None)
        assert (found.state is State.INFEASIBLE) == (len(cases) < smallest_answered(alpha, delta))
    else:
        assert p_value(found.n_wrong, found.n_answered, alpha) <= delta + 1e-12
        assert found.bound is not None
        assert found.bound <= alpha + 1e-12


@settings(deadline=None)
@given(CASES, SHARES, SHARES)
def test_sgr_keeps_its_bound(cases: list[Case], target: float, delta: float) -> None:
    found = sgr_threshold(*unzipped(cases), target_risk=target, delta=delta)
    assert (found.threshold is None) == (found.bound is None)
    assert found.bound is None or found.bound <= target + 1e-9


@settings(deadline=None)
@given(CASES, SHARES)
def test_no_threshold_answers_more_within_the_seen_limit(cases: list[Case], limit: float) -> None:
    point = coverage_at_risk(*unzipped(cases), max_selective_risk=limit)
    within = [p for p in risk_coverage(*unzipped(cases)).points if p.selective_risk <= limit]
    assert point == max(within, key=lambda p: p.n_answered, default=None)


@settings(deadline=None)
@given(st.integers(0, 200), st.integers(0, 200), SHARES)
def test_exact_intervals_hold_the_share_and_rise_with_it(k: int, more: int, delta: float) -> None:
    n = k + more
    interval = clopper_pearson(k, n, delta=delta)
    assert 0 <= interval.low <= (k / n if n else 0.5) <= interval.high <= 1
    assert wilson(k, n).low <= (k / n if n else 0.5) <= wilson(k, n).high
    if k < n:
        above = clopper_pearson(k + 1, n, delta=delta)
        assert interval.low <= above.low
        assert interval.high <= above.high
    assert lower_bound(k, n, delta=delta) == pytest.approx(1 - upper_bound(n - k, n, delta=delta))


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_does_not_know_which_run_came_first(first: int, second: int) -> None:
    one, other = mcnemar(first, second), mcnemar(second, first)
    assert (one.p_exact, one.p_mid) == (other.p_exact, other.p_mid)
    assert 0 < one.p_mid <= one.p_exact <= 1


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("abc"), max_size=3), max_size=4))
def test_precision_is_undefined_iff_nothing_is_cited(cited: list[list[str]]) -> None:
    statements = [Statement(cites=tuple(cites), support=minimal_sets([["a"]])) for cites in cited]
    found = citation_scores(statements)
    assert (found.citation_precision is None) == (not any(cited)) == ("citation_precision" in found.undefined)


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.sampled_from(list(AbstentionCost)))
def test_a_review_can_pay_iff_it_is_somewhere_strictly_cheapest(
    wrong: int, abstain: int, review: int, convention: AbstentionCost
) -> None:
    def pays(p: int) -> bool:
        least = min((100 - p) * wrong, abstain * (100 if convention is AbstentionCost.ALL else p))
        return review * 100 < least

    # A grid can step over a narrow band, so only one direction is sure.
    if any(pays(p) for p in range(101)):
        assert review_can_pay(wrong, abstain, review, abstain_cost=convention)
    if not review_can_pay(wrong, abstain, review, abstain_cost=convention):
        assert not any(pays(p) for p in range(101))


@settings(deadline=None)
@given(SHARES, st.integers(1, 9), st.integers(0, 9), st.sampled_from(list(AbstentionCost)))
def test_the_cheapest_action_is_cut_at_the_theorys_threshold(
    p: float, wrong: int, abstain: int, convention: AbstentionCost
) -> None:
    cut = chow_threshold(wrong, abstain).under(convention)
    assert cut is not None
    if abs(p - cut) > 1e-9:
        action = cheapest_action(p, cost_wrong=wrong, cost_abstain=abstain, abstain_cost=convention)
        assert action == ("answer" if p > cut else "abstain")


@settings(deadline=None)
@given(st.lists(SCORES, max_size=20), SCORES, SCORES, st.integers(0, 20))
def test_reviewers_never_take_more_than_they_can(scores: list[float], one: float, other: float, most: int) -> None:
    low, high = sorted((one, other))
    free, full = route(scores, low=low, high=high), route(scores, low=low, high=high, capacity=most)
    assert full.count("review") <= most
    assert [a for a in free if a == "answer"] == [a for a in full if a == "answer"]
    assert all(a == b or (a, b) == ("review", "abstain") for a, b in zip(free, full, strict=True))


@settings(deadline=None)
@given(SHARES, SHARES, SHARES)
def test_odds_corrected_there_and_back_are_as_before(p: float, here: float, there: float) -> None:
    moved = correct_odds(p, source_share=here, target_share=there)
    assert correct_odds(moved, source_share=there, target_share=here) == pytest.approx(p, abs=1e-9)
    assert (moved > p) == (there > here) or moved == pytest.approx(p, abs=1e-12)


@settings(deadline=None)
@given(CASES)
def test_the_isotonic_map_rises_and_keeps_the_mean(cases: list[Case]) -> None:
    scores, correct = unzipped(cases)
    fitted = fit_isotonic(scores, correct)
    assert list(fitted.fitted) == sorted(fitted.fitted)
    total = sum(fitted.probability(score) for score in scores)
    assert total == pytest.approx(sum(correct), abs=1e-9)


@settings(deadline=None)
@given(CASES, st.integers(1, 12))
def test_errors_of_calibration_are_shares(cases: list[Case], n_bins: int) -> None:
    found = calibration_error(*unzipped(cases), n_bins=n_bins)
    assert 0 <= found.ece <= found.mce <= 1  # type: ignore[operator]
    assert 0 <= found.ece_equal_mass <= 1  # type: ignore[operator]
    assert 0 <= found.brier <= 1  # type: ignore[operator]


def test_a_perfect_score_still_shows_an_error_and_less_of_it_in_more_cases() -> None:
    levels = [reference_level([(i + 0.5) / n for i in range(n)], draws=60) for n in (50, 200, 1000)]
    assert levels == sorted((level for level in levels if level is not None), reverse=True)
    assert levels[0] == pytest.approx(0.12, abs=0.03)
    assert levels[2] == pytest.approx(0.03, abs=0.01)


@pytest.mark.parametrize("never", [0, 400])
def test_areas_of_many_rows_are_resampled_by_count_as_they_are_row_by_row(never: int) -> None:
    source = random.Random(2)  # noqa: S311 - made-up scores
    scores = [round(source.random(), 2) for _ in range(2500)]
    rows = [
        Row(case=f"{i:04}", group=f"{i:04}", score=s, correct=int(source.random() < s)) for i, s in enumerate(scores)
    ]
    rows += [Row(case=f"n{i}", group=f"n{i}", score=None, correct=0) for i in range(never)]
    paired = [replace(row, group=f"{i // 2}") for i, row in enumerate(rows)]
    alone, together = area_intervals(rows, draws=600), area_intervals(paired, draws=600)
    for one, other in ((alone.augrc, together.augrc), (alone.aurc, together.aurc)):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.003)


def test_a_heavy_bin_shows_the_level_that_a_simulation_shows() -> None:
    chances = [0.2 + 0.6 * i / 5000 for i in range(5000)]
    source = random.Random(9)  # noqa: S311 - a simulation
    drawn = [abs(sum(chances) - sum(source.random() < p for p in chances)) for _ in range(400)]
    assert reference_level(chances, n_bins=1) == pytest.approx(sum(drawn) / 400 / 5000, rel=0.15)


def test_resampling_is_the_same_for_the_same_seed_and_groups_cases() -> None:
    passes = [1, 1, 0, 1, 0, 1, 1, 1]
    one = bootstrap("aabbccdd", lambda places: sum(passes[i] for i in places) / len(places), draws=300, seed=5)
    assert one == bootstrap("aabbccdd", lambda places: sum(passes[i] for i in places) / len(places), draws=300, seed=5)
    assert one.low is not None
    assert one.low % 0.25 == pytest.approx(0, abs=0.13)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=40), st.integers(0, 3))
def test_a_paired_difference_lies_in_its_interval_and_ignores_row_order(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = paired_difference(first, second, draws=200, seed=seed)
    assert found == paired_difference(first[::-1], second[::-1], draws=200, seed=seed)
    assert found.difference == pytest.approx((sum(second) - sum(first)) / len(pairs))
    assert -1 <= found.low <= found.high <= 1  # type: ignore[operator]


def test_counted_resampling_agrees_with_drawing_every_group() -> None:
    first, second = [1] * 30 + [0] * 10, [1] * 25 + [0] * 5 + [1] * 4 + [0] * 6
    quick = paired_difference(first, second, draws=4000)
    slow = bootstrap(
        [str(i) for i in range(40)],
        lambda places: sum(second[i] - first[i] for i in places) / len(places),
        draws=4000,
        seed=1,
    )
    assert (quick.low, quick.high) == pytest.approx((slow.low, slow.high), abs=0.026)


@pytest.mark.parametrize("n", [50, 120, 300])
def test_the_detectable_effect_is_just_detectable(n: int) -> None:
    effect = detectable_effect(n)
    assert effect is not None
    assert mcnemar_power(n, pass_to_fail=effect) >= 0.8 > mcnemar_power(n, pass_to_fail=effect - 0.001)
