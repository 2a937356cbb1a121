"""Examples that can be worked by hand, the edge cases of the definitions, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pytest_grounded.calibration.abstentions import Abstention, abstention_quality
from pytest_grounded.calibration.agreement import cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.backoff import claim_backoff
from pytest_grounded.calibration.citations import (
    CitationStatus,
    Statement,
    aggregate_citations,
    citation_layers,
    citation_scores,
    exact_sets,
    minimal_sets,
)
from pytest_grounded.calibration.comparison import cases_needed, detectable_effect, mcnemar, mcnemar_power
from pytest_grounded.calibration.confusion import answerability_rates
from pytest_grounded.calibration.costs import threshold_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.fitting import correct_odds, fit_isotonic, fit_platt
from pytest_grounded.calibration.guarantees import (
    State,
    crc_threshold,
    ltt_threshold,
    sgr_threshold,
    smallest_answered,
    smallest_calibration,
)
from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.intervals import bootstrap, fisher_exact, upper_bound, zero_failures_needed
from pytest_grounded.calibration.judges import judge_corrected_rate, judge_quality, ppi_mean
from pytest_grounded.calibration.partials import SlotOutcome, aggregate_partials, partial_scores
from pytest_grounded.calibration.reliability import brier_score, calibration_error, reference_level, reliability_table
from pytest_grounded.calibration.repeats import changed_cases, repeat_runs, summarise_repeats
from pytest_grounded.calibration.results import as_text, to_json
from pytest_grounded.calibration.review import review_band, route
from pytest_grounded.calibration.squad import SquadItem, squad_best_threshold, squad_pair

NAN = float("nan")


def test_areas_of_three_cases_worked_by_hand() -> None:
    # right 0.9, wrong 0.5, right 0.1: risks 0, 1/2, 1/3; generalized 0, 1/3, 1/3.
    curve = risk_coverage([0.9, 0.5, 0.1], [1, 0, 1])
    assert curve.aurc == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)
    assert curve.augrc == pytest.approx((1 / 6 + 1 / 3) / 3)
    assert curve.auroc == 0.5


def test_without_cases_every_value_is_undefined_and_says_why() -> None:
    curve = risk_coverage([], [])
    values = to_json(curve)
    assert {name for name, value in values.items() if value is None} == set(curve.undefined)
    assert set(curve.undefined.values()) == {"there are no cases"}


def test_cases_that_are_all_without_a_score_have_coverage_zero() -> None:
    curve = risk_coverage([], [], never_answered=3)
    assert (curve.n, curve.max_coverage, curve.augrc) == (3, 0.0, None)


def test_an_undefined_value_is_shown_with_its_reason() -> None:
    assert as_text(risk_coverage([0.5], [0]), "auroc") == "n/a (no answer is right)"


def test_two_scores_inside_one_grid_step_are_kept_apart() -> None:
    sweep = threshold_sweep([0.763, 0.762, 0.1], [1, 0, 0], cost_wrong=5, cost_abstain=1, abstain_cost="all")
    assert sweep.best.optimal_thresholds == (0.763,)


def test_never_answered_cases_are_charged_only_where_every_abstention_is() -> None:
    both = {
        convention: threshold_sweep(
            [0.9], [1], cost_wrong=5, cost_abstain=1, abstain_cost=convention, never_answered=1
        ).best.min_cost_per_query
        for convention in ("all", "missed")
    }
    assert both == {"all": 0.5, "missed": 0.0}


def test_equality_with_a_conformal_limit_counts_as_kept_for_every_size() -> None:
    # (wrong + 1)/(n + 1) = alpha exactly: n + 1 = 10 j cases and j - 1 wrong ones at alpha 0.1.
    for j in range(1, 60):
        n = 10 * j - 1
        correct = [0] * (j - 1) + [1] * (n - j + 1)
        found = crc_threshold([0.5] * n, correct, alpha=0.1)
        assert found.threshold == 0.5
        assert found.bound == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("n", "state"),
    [
        pytest.param(8, State.INFEASIBLE, id="too few for any threshold"),
        pytest.param(9, State.VACUOUS, id="one wrong on top"),
    ],
)
def test_infeasible_and_vacuous_are_told_apart(n: int, state: State) -> None:
    found = crc_threshold([1 - i / 100 for i in range(n)], [0] + [1] * (n - 1), alpha=0.1)
    assert (found.threshold, found.state, found.n_needed) == (None, state, 9)


def test_ltt_tells_too_few_from_too_wrong() -> None:
    few = ltt_threshold([0.5] * 10, [1] * 10, alpha=0.1, delta=0.1)
    wrong = ltt_threshold([0.5] * 40, [0] * 40, alpha=0.1, delta=0.1)
    assert (few.state, few.n_min, few.tested) == (State.INFEASIBLE, 22, 0)
    assert (wrong.state, wrong.tested) == (State.VACUOUS, 1)


def test_a_later_start_survives_an_early_error() -> None:
    scores = [1 - i / 100 for i in range(60)]
    correct = [0] + [1] * 59
    assert ltt_threshold(scores, correct, alpha=0.1, delta=0.1).threshold is None
    assert ltt_threshold(scores, correct, alpha=0.1, delta=0.1, start=44).n_answered == 60


def test_sgr_of_nothing_and_of_one() -> None:
    assert sgr_threshold([], [], target_risk=0.1, delta=0.1).coverage is None
    assert sgr_threshold([0.5], [1], target_risk=0.95, delta=0.1).threshold == 0.5


@pytest.mark.parametrize(("alpha", "n"), [(0.1, 9), (0.05, 19), (0.01, 99)])
def test_the_least_calibration_set_of_crc(alpha: float, n: int) -> None:
    assert smallest_calibration(alpha) == n


@pytest.mark.parametrize(
    ("alpha", "delta", "n"), [(0.1, 0.1, 22), (0.1, 0.05, 29), (0.05, 0.05, 59), (0.01, 0.05, 299)]
)
def test_the_least_answered_count_of_ltt(alpha: float, delta: float, n: int) -> None:
    assert smallest_answered(alpha, delta) == n


@pytest.mark.parametrize(("limit", "n"), [(0.1, 29), (0.05, 59), (0.02, 149), (0.01, 299), (0.005, 598)])
def test_how_many_cases_without_a_failure_show_a_limit(limit: float, n: int) -> None:
    assert zero_failures_needed(limit) == n
    assert upper_bound(0, n) <= limit < upper_bound(0, n - 1)


def test_intervals_hold_for_counts_that_overflow_a_float() -> None:
    assert upper_bound(1000, 100_000) == pytest.approx(0.010535, abs=1e-5)


def test_identical_tables_do_not_differ() -> None:
    assert fisher_exact((5, 95), (5, 95)) == 1.0
    assert fisher_exact((0, 0), (3, 4)) == 1.0


@pytest.mark.parametrize(
    ("pass_to_fail", "fail_to_pass", "powers"),
    [
        (0.10, 0.00, (0.38, 0.94, 1.00, 1.00, 1.00, 1.00)),
        (0.10, 0.02, (0.20, 0.56, 0.91, 0.98, 1.00, 1.00)),
        (0.05, 0.00, (0.04, 0.38, 0.94, 1.00, 1.00, 1.00)),
        (0.05, 0.01, (0.02, 0.20, 0.56, 0.79, 0.96, 1.00)),
        (0.03, 0.01, (0.00, 0.03, 0.17, 0.31, 0.54, 0.78)),
    ],
)
def test_power_of_the_paired_test(pass_to_fail: float, fail_to_pass: float, powers: tuple[float, ...]) -> None:
    found = [
        round(mcnemar_power(n, pass_to_fail=pass_to_fail, fail_to_pass=fail_to_pass), 2)
        for n in (50, 100, 200, 300, 500, 800)
    ]
    assert found == pytest.approx(powers)


def test_what_a_comparison_can_and_cannot_show() -> None:
    assert detectable_effect(5) is None
    assert (detectable_effect(50) or 0) > 0.1
    assert cases_needed(pass_to_fail=0.05, fail_to_pass=0.05) is None
    assert mcnemar(0, 5).p_exact > 0.05 >= mcnemar(0, 6).p_exact


def test_a_judge_is_measured_on_each_side_and_unsure_is_not_dropped() -> None:
    quality = judge_quality([1] * 4 + [0] * 2, [1, 1, 0, None, 0, 1])
    assert quality.supported_judged == (2, 1, 1)
    assert (quality.tpr, quality.tnr) == (0.5, 0.5)
    assert judge_quality([1], [1]).undefined == {"tnr": "no item is truly unsupported"}


def test_the_interval_of_a_corrected_rate_counts_the_measured_samples() -> None:
    known = {"tpr": 0.9, "tnr": 0.8, "n": 500}
    wide = judge_corrected_rate(0.5, **known, n_supported=20, n_unsupported=20)  # type: ignore[arg-type]
    narrow = judge_corrected_rate(0.5, **known, n_supported=2000, n_unsupported=2000)  # type: ignore[arg-type]
    assert wide.interval is not None
    assert narrow.interval is not None
    assert wide.interval.low < narrow.interval.low < narrow.interval.high < wide.interval.high
    # Variance worked by hand: (0.25/500 + (3/7)^2 0.09/2000 + (4/7)^2 0.16/2000)/0.49.
    pi = 3 / 7
    variance = (0.25 / 500 + pi**2 * 0.09 / 2000 + (1 - pi) ** 2 * 0.16 / 2000) / 0.49
    assert narrow.se == pytest.approx(math.sqrt(variance))


def test_a_prediction_powered_interval_is_clipped_only_for_display() -> None:
    found = ppi_mean([1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1, 1])
    assert found.ci is not None
    assert found.ci_clipped is not None
    assert found.ci[1] > 1 == found.ci_clipped[1]
    assert ppi_mean([], [], [1]).undefined["estimate"] == "there are no labelled items"


def test_raters_with_one_label_have_no_kappa_and_no_alpha() -> None:
    assert cohen_kappa("aaa", "aaa").kappa is None
    assert krippendorff_nominal([["a", "a"], ["a", "a"]]).undefined == {"alpha": "only one label occurs"}
    assert krippendorff_nominal([["a", None], [None, "a"]]).undefined == {"alpha": "no unit has two labels"}
    assert krippendorff_nominal([]).alpha is None


def test_kappa_comes_with_its_table() -> None:
    found = cohen_kappa(["yes", "yes", "no"], ["yes", "no", "no"])
    assert found.table == (("no", "no", 1), ("yes", "no", 1), ("yes", "yes", 1))
    assert found.prevalence == {"no": 0.5, "yes": 0.5}


def test_bin_edges_are_read_as_decimals() -> None:
    # 0.3 is above 3 x 0.1 in binary; as a decimal it lies on the edge and belongs to the third of ten bins.
    table = reliability_table([0.3, 0.2], [1, 0], n_bins=10, binning="equal_width")
    assert [(round(bin_.low, 9), bin_.n) for bin_ in table] == [(0.1, 1), (0.2, 1)]


def test_no_forecast_has_no_error() -> None:
    assert calibration_error([], []).ece is None
    assert brier_score([], []) is None
    assert reference_level([]) is None


def test_maps_are_refused_where_there_is_nothing_to_fit() -> None:
    assert fit_platt([0.1, 0.2], [1, 1]).undefined["a"] == "all 2 cases are right"
    assert fit_platt([0.5, 0.5], [1, 0]).undefined["a"] == "all scores are equal"
    with pytest.raises(CalibrationError, match="no values: there are no cases"):
        fit_platt([], []).probability(0.5)
    with pytest.raises(CalibrationError, match="an isotonic map of no cases"):
        fit_isotonic([], []).probability(0.5)


def test_a_platt_map_of_large_scores_is_the_one_of_small_scores() -> None:
    outcomes = [0, 0, 1, 0, 1, 1]
    small = fit_platt([1, 2, 3, 4, 5, 6], outcomes)
    large = fit_platt([1e6 + 1000 * i for i in (1, 2, 3, 4, 5, 6)], outcomes)
    assert large.probability(1e6 + 3500) == pytest.approx(small.probability(3.5), abs=1e-6)


def test_prior_shift_moves_odds_by_the_ratio_of_odds() -> None:
    assert correct_odds(0.75, source_share=0.5, target_share=0.8) == pytest.approx(12 / 13)


def test_redundant_and_wrong_citations_are_kept_apart() -> None:
    found = citation_scores(
        [
            Statement(cites=("a", "b"), support=minimal_sets([["a"]])),
            Statement(cites=("c",), support=minimal_sets([])),
        ]
    )
    assert (found.n_redundant, found.n_wrong) == (1, 1)
    assert [s.value for s in found.per_statement[0].status] == ["counts", "redundant"]


def test_overlapping_joint_support_can_leave_nothing_that_counts() -> None:
    pairs = minimal_sets([["a", "b"], ["c", "d"]])
    (scores,) = citation_scores([Statement(cites=("a", "b", "c", "d"), support=pairs)]).per_statement
    assert scores.supported
    assert set(scores.status) == {CitationStatus.REDUNDANT}


def test_a_judge_that_loses_support_by_reading_more_is_recorded() -> None:
    judge = exact_sets([["b"]])
    (scores,) = citation_scores([Statement(cites=("a", "b"), support=judge)]).per_statement
    assert (scores.supported, scores.inconsistent) == (False, True)


def test_support_of_a_set_is_never_a_mean_of_single_verdicts() -> None:
    both = Statement(cites=("a", "b"), support=minimal_sets([["a", "b"]]))
    assert citation_scores([both]).citation_precision == 1.0


def test_weights_of_zero_leave_the_weighted_forms_undefined() -> None:
    found = citation_scores([Statement(cites=("a",), support=minimal_sets([["a"]]), weight=0)])
    assert (found.citation_precision, found.weighted_f) == (1.0, None)
    assert found.undefined["weighted_f"] == "every weight is 0"


def test_no_answers_have_no_citation_means() -> None:
    assert aggregate_citations([]).recall_macro is None


def test_each_layer_of_citation_checks_has_its_own_denominator() -> None:
    passing = {"resolves": True, "permitted_and_current": True, "verbatim": True, "supports": True}
    layers = citation_layers(
        [passing, {**passing, "supports": None}, {**passing, "permitted_and_current": False}, {"resolves": False}]
    )
    assert [(layer.reached, layer.passed, layer.not_judged) for layer in layers] == [
        (4, 3, 0),
        (3, 2, 0),
        (2, 2, 0),
        (2, 1, 1),
    ]
    assert layers[3].rate == 1.0
    with pytest.raises(CalibrationError, match="has 'resolved'"):
        citation_layers([{"resolved": True}])


def test_a_missing_blocking_slot_blocks_the_whole_answer() -> None:
    slots = [
        SlotOutcome(name="limit", filled=True, weight=3),
        SlotOutcome(name="audience", filled=False, blocking=True),
    ]
    found = partial_scores(slots, [1, 1, 0])
    assert (found.slot_coverage, found.weighted_slot_coverage) == (0.5, 0.75)
    assert found.claim_precision == pytest.approx(2 / 3)
    assert found.blocked_by == ("audience",)


def test_an_answer_that_claims_nothing_is_not_precise() -> None:
    silent = partial_scores([SlotOutcome(name="limit", filled=False)], [])
    assert (silent.claim_precision, silent.slot_coverage) == (None, 0.0)
    summary = aggregate_partials([silent, partial_scores([], [1])])
    assert (summary.n_without_claims, summary.n_without_slots) == (1, 1)
    assert (summary.slot_coverage, summary.claim_precision) == (0.0, 1.0)


def test_a_refusal_that_names_nothing_is_silent_and_one_without_a_gap_needless() -> None:
    gap, none = frozenset({"children"}), frozenset[str]()
    found = abstention_quality([Abstention(gaps=gap, named=none), Abstention(gaps=none, named=gap, next_step=True)])
    assert (found.needless.k, found.complete.n, found.silent.rate, found.inventing.rate) == (1, 1, 1.0, 1.0)
    assert (found.gap_recall, found.gap_precision, found.next_step.rate) == (0.0, 0.0, 1.0)
    nothing = abstention_quality([])
    assert (nothing.gap_recall, nothing.complete.rate) == (None, None)
    assert nothing.undefined["gap_precision"] == "there are no refusals"


def test_four_rates_expose_the_system_that_refuses_everything() -> None:
    found = answerability_rates([1, 1, 0], [0, 0, 0], [0, 0, 0])
    assert (found.wrong_refusal.rate, found.right_refusal.rate) == (1.0, 1.0)
    assert found.accuracy_when_answered.rate is None


def test_flaky_cases_and_too_few_runs_are_counted() -> None:
    found = summarise_repeats([(3, 3), (3, 1), (1, 1)], 2)
    assert (found.n_flaky, found.n_too_few, found.pass_hat_k) == (1, 1, 0.5)
    assert repeat_runs(1, 1, 2).undefined["pass_hat_k"] == "1 runs were made, fewer than 2"
    assert summarise_repeats([], 1).pass_hat_k is None


def test_a_case_changed_only_beyond_noise() -> None:
    assert changed_cases([(8, 8)], [(8, 0)]) == (True,)
    assert changed_cases([(3, 3)], [(3, 2)]) == (False,)


def test_false_claims_are_counted_over_the_drafted_ones() -> None:
    # Two answers of two claims; one false claim of score 0.3: loss 1/2 of one answer.
    found = claim_backoff([[0.9, 0.3], [0.8, 0.6]], [[1, 0], [1, 1]], alpha=0.5)
    assert (found.threshold, found.mean_loss) == (0.3, 0.25)
    assert found.bound == 0.5


def test_the_share_of_kept_claims_is_refused_with_the_reason() -> None:
    with pytest.raises(CalibrationError, match="divides by a count that shrinks with the cut"):
        claim_backoff([[0.5]], [[1]], alpha=0.5, loss="fraction_kept")


def test_reviews_over_capacity_abstain_and_the_answer_threshold_stays() -> None:
    assert route([0.9, 0.8, 0.8, 0.7], low=0.7, high=0.8, capacity=1) == ("answer", "abstain", "abstain", "abstain")


def test_prices_at_which_a_review_never_pays_are_named() -> None:
    band = review_band([0.9, 0.4], [1, 0], cost_wrong=10, cost_abstain=1, cost_review=2)
    assert not band.review_can_pay
    assert band.note.startswith("review can never pay at these prices")


def test_squad_text_rules_are_not_for_numbers() -> None:
    assert squad_pair("0.65", ["065"]).exact == 1


def test_missing_predictions_are_failures_for_the_reachable_score() -> None:
    items = [
        SquadItem(na_prob=0.1, has_answer=True, answered=True, score=1),
        SquadItem(na_prob=None, has_answer=False, answered=False, score=None),
    ]
    found = squad_best_threshold(items)
    assert (found.n_missing, found.realizable.best, found.official.best) == (1, 0.5, 2.0)
    assert squad_best_threshold([]).official.best is None


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a score that is NaN": (lambda: risk_coverage([0.5, NAN], [1, 0]), "scores[1] is nan (needs a finite number)"),
    "a score that is missing": (lambda: risk_coverage([0.5, None], [1, 0]), "scores[1] is None"),  # type: ignore[list-item]
    "a score that is infinite": (lambda: crc_threshold([math.inf], [1], alpha=0.5), "scores[0] is inf"),
    "a score that is text": (lambda: risk_coverage(["0.5"], [1]), "scores[0] is '0.5'"),  # type: ignore[list-item]
    "a label that is no label": (lambda: risk_coverage([0.5], [0.5]), "correct[0] is 0.5 (needs 0 or 1)"),
    "sides of unequal length": (lambda: risk_coverage([0.5], [1, 0]), "scores has 1 values, correct has 2"),
    "a probability above 1": (lambda: brier_score([1.2], [1]), "probabilities[0] is 1.2"),
    "a limit of 0": (lambda: crc_threshold([0.5], [1], alpha=0), "alpha is 0 (needs a share between 0 and 1, neither"),
    "a limit that is NaN": (lambda: crc_threshold([0.5], [1], alpha=NAN), "alpha is nan"),
    "more passes than runs": (lambda: repeat_runs(2, 3, 1), "n_passed is 3 (needs a whole number from 0 to 2)"),
    "half a count": (lambda: upper_bound(0.5, 3), "k is 0.5"),  # type: ignore[arg-type]
    "a negative price": (
        lambda: threshold_sweep([0.5], [1], cost_wrong=-1, cost_abstain=1, abstain_cost="all"),
        "cost_wrong is -1 (needs a price of at least 0)",
    ),
    "an unnamed convention": (
        lambda: threshold_sweep([0.5], [1], cost_wrong=1, cost_abstain=1, abstain_cost="some"),
        "abstain_cost is 'some' (needs 'missed' or 'all')",
    ),
    "a band upside down": (lambda: route([0.5], low=0.9, high=0.1), "needs low <= high"),
    "raters of unequal length": (lambda: cohen_kappa("ab", "a"), "rater_a has 2 values, rater_b has 1"),
    "a ragged table of ratings": (lambda: krippendorff_nominal([["a"], []]), "ratings[1] has 0 units"),
    "a p-value above 1": (lambda: mcnemar_power(5, pass_to_fail=0.7, fail_to_pass=0.7), "need at most 1 together"),
    "no draws": (lambda: bootstrap(["a"], lambda _: 0.0, draws=0), "draws is 0"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_defined_is_refused_by_name(name: str) -> None:
    call, words = REFUSED[name]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are asserted below
        call()
    assert words in str(caught.value)


def test_results_are_plain_json() -> None:
    assert to_json({"a": (Fraction(1, 2), State.FOUND), 3: None}) == {"a": [0.5, "found"], "3": None}
