"""Every refusal of the statistics, word for word: what was given, and what is needed instead."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pytest_grounded.calibration.abstentions import Abstention, abstention_scores
from pytest_grounded.calibration.agreement import cohen_kappa, krippendorff_nominal
from pytest_grounded.calibration.backoff import claim_backoff, two_stage_gate
from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.citations import Statement, citation_layers, citation_scores, minimal_sets
from pytest_grounded.calibration.comparison import holm, mcnemar, mcnemar_power, paired_difference
from pytest_grounded.calibration.costs import AbstentionCost, chow_threshold, threshold_sweep, weighted_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.drift import drift, stored_point
from pytest_grounded.calibration.fitting import PlattMap, fit_isotonic
from pytest_grounded.calibration.inputs import CalibrationError, written_number
from pytest_grounded.calibration.intervals import clopper_pearson, zero_failures_needed
from pytest_grounded.calibration.judges import judge_quality
from pytest_grounded.calibration.judging import true_rate
from pytest_grounded.calibration.judging_report import measured_judge
from pytest_grounded.calibration.options import Method, Options, Prices, parse_mix
from pytest_grounded.calibration.partials import SlotOutcome, partial_scores
from pytest_grounded.calibration.review import review_band, route
from pytest_grounded.calibration.rows import read_rows, require_calibration_sample, require_probabilities
from pytest_grounded.calibration.squad import SquadItem, squad_best_threshold
from tests.calibration.samples import make_sample, ordered_rows

SAMPLE = make_sample(ordered_rows(60, 10))


def priced(**changes: Any) -> Options:
    prices = {"wrong": 5, "abstain": 1, "convention": AbstentionCost.ALL, **changes}
    return Options(method=Method.COST, prices=Prices(**prices))


REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    # values
    "a score that is no number": (
        lambda: risk_coverage([0.5, "0.7"], [1, 0]),  # type: ignore[list-item]
        "scores[1] is '0.7' (needs a finite number)",
    ),
    "a score that is not finite": (
        lambda: risk_coverage([math.inf, 0.7], [1, 0]),
        "scores[0] is inf (needs a finite number)",
    ),
    "a label that is none": (lambda: risk_coverage([0.5], [2]), "correct[0] is 2 (needs 0 or 1)"),
    "sides of two lengths": (
        lambda: risk_coverage([0.5, 0.7], [1]),
        "scores has 2 values, correct has 1 (needs one of each per case)",
    ),
    "more failures than cases": (
        lambda: clopper_pearson(3, 2),
        "k is 3 (needs a whole number from 0 to 2)",
    ),
    "a count that is none": (lambda: mcnemar(-1, 2), "only_first_passes is -1 (needs a whole number of at least 0)"),
    "half a case": (
        lambda: mcnemar(2, 0.5),  # type: ignore[arg-type]
        "only_second_passes is 0.5 (needs a whole number of at least 0)",
    ),
    "a p-value that is none": (
        lambda: holm([0.5, 1.5]),
        "p_values[1] is 1.5 (needs a probability between 0 and 1)",
    ),
    "changes of more than all cases": (
        lambda: mcnemar_power(50, pass_to_fail=Fraction(3, 5), fail_to_pass=0.5),
        "pass_to_fail and fail_to_pass are 0.6 and 0.5 (need at most 1 together)",
    ),
    "no draw": (lambda: paired_difference([1], [0], draws=0), "draws is 0 (needs a whole number of at least 1)"),
    "raters of two lengths": (
        lambda: krippendorff_nominal([["a", "b"], ["a"]]),
        "ratings[1] has 1 units and ratings[0] has 2 (needs None for gaps)",
    ),
    "two raters of two lengths": (
        lambda: cohen_kappa([1, 0], [1]),
        "rater_a has 2 values, rater_b has 1 (needs one of each per case)",
    ),
    # options
    "a limit of two": (lambda: Options(alpha=Fraction(2)), "alpha is 2 (needs a share between 0 and 1)"),
    "a limit of nothing": (
        lambda: Options(alpha=Fraction(0)),
        "alpha is 0 (needs a share between 0 and 1, neither of them)",
    ),
    "a limit that is no number": (
        lambda: Options(delta=math.nan),
        "delta is nan (needs a share between 0 and 1)",
    ),
    "a third above one": (
        lambda: Options(test_share=Fraction(4, 3)),
        "test_share is 4/3 (needs a share between 0 and 1)",
    ),
    "one bin": (lambda: Options(n_bins=1), "n_bins is 1 (needs a whole number from 2 to 1000)"),
    "a start before the first": (lambda: Options(start=0), "start is 0 (needs a whole number of at least 1)"),
    "costs without prices": (
        lambda: Options(method=Method.COST),
        "method cost needs prices (--cost-wrong, --cost-abstain)",
    ),
    "a price below nothing": (
        lambda: priced(wrong=Fraction(-1, 2)),
        "cost_wrong is -0.5 (needs a price of at least 0)",
    ),
    "a price that is no number": (lambda: priced(wrong=math.nan), "cost_wrong is nan (needs a price of at least 0)"),
    "prices of nothing": (
        lambda: priced(wrong=0, abstain=0),
        "cost_wrong and cost_abstain are both 0, so every threshold costs nothing (needs a price)",
    ),
    "room for less than no review": (
        lambda: priced(review=1, max_review=-1),
        "max_review is -1 (needs a whole number of at least 0)",
    ),
    "a mix that is none": (
        lambda: parse_mix("answerable"),
        "target mix 'answerable' cannot be read at 'answerable' (needs name=share, e.g. answerable=0.8)",
    ),
    "a mix with a name twice": (lambda: parse_mix("a=1,a=0"), "target mix 'a=1,a=0' names 'a' twice"),
    "a mix above one": (
        lambda: Options(target_mix={"a": 0.5, "b": 0.75}),
        "the target mix adds up to 1.25 (needs 1 over all kinds, or the one share answerable=...)",
    ),
    "a mix of one share above one": (
        lambda: Options(target_mix={"answerable": Fraction(2)}),
        "target mix of answerable is 2 (needs a share between 0 and 1)",
    ),
    "a mix that leaves a kind out": (
        lambda: calibrate(make_sample(ordered_rows(60, 10, kind="partial")), Options(target_mix={"other": 1})),
        "rows of kind 'partial' have no share in --target-mix (give each kind one above 0)",
    ),
    "a mix of a kind that no row is of": (
        lambda: calibrate(
            make_sample(ordered_rows(60, 10, kind="partial")), Options(target_mix={"partial": 0.5, "other": 0.5})
        ),
        "--target-mix gives 'other' a share, and no row is of it (label some)",
    ),
    "a mix of rows that do not say what they are": (
        lambda: calibrate(SAMPLE, Options(target_mix={"answerable": 0.8})),
        "q0000 does not say whether it is answerable, which --target-mix needs of every row",
    ),
    "a claim limit of two": (
        lambda: Options(claim_alpha=Fraction(2)),
        "claim_alpha is 2 (needs a share between 0 and 1)",
    ),
    "no claim at all": (lambda: Options(min_claims=0), "min_claims is 0 (needs a whole number of at least 1)"),
    "claims that nobody lists": (
        lambda: calibrate(SAMPLE, Options(claim_alpha=0.1)),
        "no row lists the claims of its draft, which --claim-alpha needs (key `claims`)",
    ),
    # costs
    "prices that cannot be compared": (
        lambda: chow_threshold(-1, 1),
        "cost_wrong is -1 (needs a price of at least 0)",
    ),
    "weights of nothing": (
        lambda: weighted_sweep(
            [0.5], [1], [0], cost_wrong=5, cost_abstain=1, abstain_cost=AbstentionCost.ALL, never_weight=0
        ),
        "weights[0] is 0 (needs a weight above 0)",
    ),
    "a convention that is not named": (
        lambda: threshold_sweep([0.5], [1], cost_wrong=5, cost_abstain=1, abstain_cost="some"),
        "abstain_cost is 'some' (needs 'missed' or 'all')",
    ),
    "a review of unknown price": (
        lambda: review_band([0.5], [1], cost_wrong=5, cost_abstain=1, cost_review=math.inf, abstain_cost="all"),
        "cost_review is inf (needs a price of at least 0)",
    ),
    "a band turned round": (
        lambda: route([0.5], low=Fraction(3, 4), high=0.5),
        "low is 0.75 and high is 0.5 (needs low <= high)",
    ),
    # claims, citations, slots
    "the share of kept claims as loss": (
        lambda: claim_backoff([[0.5]], [[1]], alpha=0.1, loss="fraction_kept"),
        (
            "loss 'fraction_kept' cannot be controlled this way: a share of the kept claims divides by a count that shrinks "
            "with the cut, so it can rise when the cut rises and the guarantee is void (use 'false_claims', whose "
            "denominator is the drafted claims)"
        ),
    ),
    "claims of two lengths": (
        lambda: claim_backoff([[0.5, 0.7]], [[1]], alpha=0.1),
        "scores[0] has 2 values, correct[0] has 1 (needs one of each per case)",
    ),
    "fewer claims than none": (
        lambda: two_stage_gate([0.5], [1], [-1], threshold=0.5, min_claims=1),
        "kept_claims[0] is -1 (needs a whole number of at least 0)",
    ),
    "a statement of negative weight": (
        lambda: citation_scores([Statement(cites=(), support=minimal_sets([]), weight=-1)]),
        "weight[0] is -1 (needs a weight of at least 0)",
    ),
    "a layer that is none": (
        lambda: citation_layers([{"resolvs": True}]),
        "citations[0] has 'resolvs' (needs resolves, permitted_and_current, verbatim, supports)",
    ),
    "a gap that is one text": (
        lambda: abstention_scores(Abstention(gaps="children", named=frozenset())),  # type: ignore[arg-type]
        "gaps is 'children' (needs a set of names)",
    ),
    "a slot of negative weight": (
        lambda: partial_scores([SlotOutcome(name="limit", filled=True, weight=Fraction(-1, 4))], []),
        "slot 'limit' has weight -0.25 (needs a weight of at least 0)",
    ),
    # maps
    "an isotonic map of nothing": (
        lambda: fit_isotonic([], []).probability(0.5),
        "an isotonic map of no cases has no values (fit it on labelled cases)",
    ),
    "a Platt map of one class": (
        lambda: PlattMap(a=None, b=None, undefined={"a": "all cases are right"}).probability(0.5),
        "the Platt map has no values: all cases are right",
    ),
    # rows
    "rows with a weight": (
        lambda: calibrate(make_sample(ordered_rows(60, 10, weight=2))),
        (
            "60 rows of rows.jsonl have a weight other than 1 (first: q0000), and method ltt bounds a count of cases (use "
            "--method cost, or draw the sample in the traffic's own proportions)"
        ),
    ),
    "a question in both samples": (
        lambda: calibrate(SAMPLE, test=make_sample(ordered_rows(60, 10), name="test.jsonl")),
        (
            "60 groups of test.jsonl are also in rows.jsonl (first: q0000); a question the threshold was chosen on confirms "
            "nothing (split by group)"
        ),
    ),
    "a test sample of another score": (
        lambda: calibrate(
            make_sample(ordered_rows(60, 10, score_name="a")),
            test=make_sample(ordered_rows(60, 10, prefix="t", score_name="b"), name="test.jsonl"),
        ),
        "rows.jsonl and test.jsonl differ in their score: a and b (label both on one)",
    ),
    "a test sample of another corpus": (
        lambda: calibrate(
            make_sample(ordered_rows(60, 10, corpus="sha256:a")),
            test=make_sample(ordered_rows(60, 10, prefix="t"), name="test.jsonl"),
        ),
        "rows.jsonl and test.jsonl differ in their state of the corpus: sha256:a and not said (label both on one)",
    ),
    "a test file and a test share": (
        lambda: calibrate(
            SAMPLE, Options(test_share=0.5), make_sample(ordered_rows(60, 10, prefix="t"), name="test.jsonl")
        ),
        "a test file and a test share are both given (give one of them)",
    ),
    "a share that leaves one class": (
        lambda: calibrate(make_sample(ordered_rows(10, 1)), Options(test_share=0.5)),
        "5 rows left to choose on with --test-share 0.5 hold no right and wrong ones both (label more rows, or give --test FILE)",
    ),
    "regression cases": (
        lambda: require_calibration_sample(make_sample(ordered_rows(3, 1, sample="regression"))),
        (
            "rows.jsonl: 3 of 3 rows are regression cases (`sample: regression`): cases added after incidents are not drawn "
            "like traffic, so no threshold and no guarantee follows from them (label a random sample of the traffic and "
            "mark its rows `sample: traffic`)"
        ),
    ),
    "two states of the corpus": (
        lambda: require_calibration_sample(
            make_sample(ordered_rows(3, 1, corpus="sha256:a") + ordered_rows(2, 1, prefix="x", corpus="sha256:b"))
        ),
        (
            "rows.jsonl: rows come from 2 states of the corpus: sha256:a (3 rows), sha256:b (2 rows) (labels hold for one of "
            "them: calibrate each apart)"
        ),
    ),
    "two scores": (
        lambda: require_calibration_sample(
            make_sample(ordered_rows(3, 1, score_name="a") + ordered_rows(2, 1, prefix="x"))
        ),
        (
            "rows.jsonl: rows come from 2 scores: a (3 rows), no score_name (2 rows) (thresholds of one mean nothing for "
            "another: calibrate each apart)"
        ),
    ),
    "a score without a label": (
        lambda: require_calibration_sample(make_sample([{"case": "a", "score": 0.5, "correct": None}])),
        (
            "rows.jsonl:1: a.correct: has a score and no label, as have 0 others (label the draft that would have been shown: "
            "`correct` 1 or 0; where an abstention hid the draft, run it with the gate open)"
        ),
    ),
    "right rows only": (
        lambda: require_calibration_sample(make_sample(ordered_rows(4, 0))),
        (
            "rows.jsonl: all 4 scored rows are right (needs wrong ones too: a sample of one class cannot tell a useful score "
            "from a useless one; check the labels, or label more rows)"
        ),
    ),
    "no score at all": (
        lambda: require_calibration_sample(make_sample([{"case": "a", "score": None}])),
        "rows.jsonl: none of 1 rows has a score (needs drafts that were scored, right and wrong ones)",
    ),
    "a score that is no probability": (
        lambda: require_probabilities(make_sample([{"case": "a", "score": 3, "correct": 1}])),
        (
            "rows.jsonl:1: a.score: is 3.0, outside [0, 1], as are 0 others, and is read as a probability (for a score that "
            "only ranks, such as a logit or a distance: --score ranking; to fit a probability to it: --fit platt)"
        ),
    ),
    # judges and predictions
    "more verdicts than claims": (
        lambda: true_rate(judge_quality([1, 0], [1, 0]), n=3, n_support=2, n_undecided=2),
        "2 supported and 2 undecided are more than 3 claims",
    ),
    "no measurement of a judge": (
        lambda: measured_judge({"choice": {}}),
        "judge.json holds no measurement of a judge (give the file that `pytest-grounded judge --out` wrote)",
    ),
    # a stored calibration
    "no calibration": (
        lambda: stored_point([]),
        "calibration.json holds no calibration (no 'choice': give the file that `pytest-grounded calibrate` wrote)",
    ),
    "half a calibration": (
        lambda: stored_point({"choice": {"threshold": 0.5}}),
        "calibration.json holds no whole calibration: 'n' is missing (write it anew)",
    ),
    "a calibration that answers nothing": (
        lambda: stored_point({"choice": {"threshold": None}}),
        "calibration.json holds no threshold: that calibration answers nothing, so nothing can drift",
    ),
    "drift of another score": (
        lambda: drift(
            stored_point(
                {
                    "choice": {"threshold": 0.5, "n": 9, "n_answered": 5, "n_wrong": 1},
                    "sample": {"score_name": "confidence"},
                }
            ),
            make_sample(ordered_rows(9, 2, score_name="margin")),
        ),
        (
            "rows.jsonl has the score 'margin', and the threshold was chosen on 'confidence' (one means nothing for the "
            "other: calibrate anew)"
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_it_is_refused_in_these_words(name: str) -> None:
    ask, words = REFUSALS[name]
    with pytest.raises(CalibrationError) as caught:
        ask()
    assert str(caught.value) == words


ROWS: dict[str, tuple[bytes, str]] = {
    "no JSON": (
        b"{",
        "is not JSON: expecting property name enclosed in double quotes in column 2 (one object on each line)",
    ),
    "no UTF-8": (b'{"case": "\xff"}', "holds byte 0xff, which is not UTF-8 (save the file as UTF-8)"),
    "too deep": (b"[" * 200_000, "is nested too deeply (flatten it)"),
    "no object": (b"[1]", "is list (needs an object {...} on each line)"),
    "a key twice": (b'{"case": "a", "case": "b"}', "holds the key 'case' twice (keep one of them)"),
    "no case": (b"{}", "case: is missing (needs the id of the case)"),
    "a case that is no text": (b'{"case": 7}', "case: is 7 (needs text)"),
    "no score": (
        b'{"case": "a"}',
        "a.score: is missing (needs a finite number, or null where the case is never answered)",
    ),
    "a score that is NaN": (
        b'{"case": "a", "score": NaN}',
        "a.score: is NaN (needs a finite number, or null where the case is never answered)",
    ),
    "a score that is text": (
        b'{"case": "a", "score": "0.5"}',
        "a.score: is '0.5' (needs a finite number, or null where the case is never answered)",
    ),
    "a label that is none": (b'{"case": "a", "score": 1, "correct": 0.5}', "a.correct: is 0.5 (needs 0, 1 or null)"),
    "right where nothing answers it": (
        b'{"case": "a", "score": 1, "correct": 1, "answerable": false}',
        "a.correct: is 1 on an unanswerable case (an answer to it is wrong, whatever its score: needs 0)",
    ),
    "a weight of nothing": (b'{"case": "a", "score": 1, "weight": 0}', "a.weight: is 0 (needs a number above 0)"),
    "claims that are none": (
        b'{"case": "a", "score": 1, "claims": 3}',
        "a.claims: is 3 (needs a list of claims, each with a score and a label)",
    ),
    "a claim without a score": (
        b'{"case": "a", "score": 1, "claims": [{"correct": 1}]}',
        "a.claims[0].score: is None (needs a finite number)",
    ),
    "a claim without a label": (
        b'{"case": "a", "score": 1, "claims": [{"score": 1}]}',
        "a.claims[0].correct: is None (needs 0 or 1)",
    ),
    "versions that are none": (
        b'{"case": "a", "score": 1, "versions": "v1"}',
        "a.versions: is 'v1' (needs an object of names and versions)",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_refused_in_these_words(name: str) -> None:
    line, words = ROWS[name]
    with pytest.raises(CalibrationError) as caught:
        read_rows([line], name="rows.jsonl")
    assert str(caught.value) == f"rows.jsonl:1: {words}"


def test_a_row_that_stands_twice_and_an_empty_file_are_refused_in_these_words() -> None:
    row = b'{"case": "a", "score": 1, "correct": 1}'
    with pytest.raises(CalibrationError) as caught:
        read_rows([row, row], name="rows.jsonl")
    assert str(caught.value) == (
        "rows.jsonl:2: a: stands twice, first in line 1 (keep one row of a case: counted twice it makes every interval "
        "too narrow)"
    )
    with pytest.raises(CalibrationError) as caught:
        read_rows([], name="rows.jsonl")
    assert str(caught.value) == "rows.jsonl: holds no rows (needs one JSON object on each line)"


@pytest.mark.parametrize("text", ["1e-400000000", "1e400", "nan", "inf", "1/0", "0x1", "1_0", "", "٣", "0." + "1" * 50])
def test_a_number_nobody_writes_is_refused_and_not_computed(text: str) -> None:
    with pytest.raises(ValueError, match="is no number"):
        written_number(text)


def test_more_bins_than_anyone_reads_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"^n_bins is 100000000 \(needs a whole number from 2 to 1000\)$"):
        Options(n_bins=100_000_000)


def test_a_squad_score_that_is_no_share_is_refused_with_its_place() -> None:
    items = [SquadItem(na_prob=0.1, has_answer=True, answered=True, score=score) for score in (0.5, 1.5)]
    with pytest.raises(CalibrationError, match=r"^score\[1\] is 1.5 \(needs a share between 0 and 1\)$"):
        squad_best_threshold(items)


@pytest.mark.parametrize(
    ("limit", "delta", "needed"),
    [
        ("0.5", "0.25", 2),
        ("1/3", "8/27", 3),
        ("0.1", "0.9", 1),
        ("0.1", "0.729", 3),
        ("0.1", "0.7289", 4),
        ("0.999", "0.5", 1),
        ("1e-30", "0.1", 2302585092994045684017991454684),
    ],
)
def test_how_many_cases_a_limit_needs_is_exact_however_small_it_is(limit: str, delta: str, needed: int) -> None:
    assert zero_failures_needed(written_number(limit), delta=written_number(delta)) == needed
