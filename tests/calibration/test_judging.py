"""A judge measured against people: by hand, by properties, and against the libraries people trust."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.judges import judge_quality
from pytest_grounded.calibration.judging import JudgeMeasurement, Limits, Verdict, measure_judge, true_rate
from pytest_grounded.calibration.judging_report import judge_document, judge_text, measured_judge
from pytest_grounded.calibration.labels import LabelledClaim, LabelledSet
from tests.calibration.oracles import imported

METRICS = imported("sklearn.metrics")
PROPORTION = imported("statsmodels.stats.proportion")
WORDS = {1: "support", 0: "neutral", None: "unsure"}


def claims(truths: Sequence[int | None], *, slices: Sequence[tuple[str, ...]] = ()) -> LabelledSet:
    found = [
        LabelledClaim(
            id=f"c{place:04}",
            claim="It is so.",
            evidence=("It is so.",),
            truth=truth,
            slices=slices[place] if slices else (),
        )
        for place, truth in enumerate(truths)
    ]
    return LabelledSet(claims=tuple(found))


def measured(
    truths: Sequence[int | None],
    labels: Sequence[int | None],
    *,
    slices: Sequence[tuple[str, ...]] = (),
    **options: object,
) -> JudgeMeasurement:
    verdicts = {f"c{place:04}": Verdict(word=WORDS[label]) for place, label in enumerate(labels)}  # type: ignore[arg-type]
    return measure_judge(claims(truths, slices=slices), verdicts, judge="j", version="1", **options)  # type: ignore[arg-type]


def test_by_hand() -> None:
    truths = [1] * 10 + [0] * 10
    found = measured(truths, [1] * 8 + [0] + [None] + [0] * 7 + [1] * 2 + [None])
    assert found.whole.quality.supported_judged == (8, 1, 1)
    assert found.whole.quality.unsupported_judged == (2, 7, 1)
    assert (found.whole.quality.tpr, found.whole.quality.tnr) == (0.8, 0.7)
    assert (found.whole.n_agreeing, found.whole.agreement) == (15, 0.75)
    assert found.exit_code == 0
    assert found.warnings[0] == "2 of 20 claims were left undecided; they count in every denominator as not right"


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([1, 0, None])), min_size=2, max_size=60))
def test_it_agrees_with_scikit_learn_and_statsmodels(pairs: list[tuple[int, int | None]]) -> None:
    truths, labels = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(truths)) < 2:
        return
    found = measured(truths, labels).whole
    if found.kappa.kappa is not None:
        theirs = METRICS.cohen_kappa_score([str(a) for a in truths], [str(b) for b in labels])
        assert found.kappa.kappa == pytest.approx(theirs)
    low, high = PROPORTION.proportion_confint(found.n_agreeing, found.n, method="beta")
    assert found.agreement_interval is not None
    ours = (found.agreement_interval.low, found.agreement_interval.high)
    assert ours == pytest.approx((low, high), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([1, 0, None])), min_size=2, max_size=40), st.randoms())
def test_the_order_of_the_claims_changes_nothing(pairs: list[tuple[int, int | None]], source: random.Random) -> None:
    if len({a for a, _ in pairs}) < 2:
        return
    mixed = source.sample(pairs, len(pairs))
    one, other = (measured([a for a, _ in rows], [b for _, b in rows]) for rows in (pairs, mixed))
    assert (one.whole, one.exit_code) == (other.whole, other.exit_code)


def test_slices_are_counted_apart_and_empty_ones_are_said() -> None:
    slices: list[tuple[str, ...]] = [("numbers",), ("numbers", "mine"), (), ("numbers",)]
    found = measured([1, 0, 1, 0], [1, 1, 1, 0], slices=slices)
    assert [(part.name, part.n) for part in found.slices] == [
        ("numbers", 3),
        ("negation", 0),
        ("conditions", 0),
        ("joint_support", 0),
        ("mine", 1),
        ("none of these", 1),
    ]
    numbers, negation = found.slices[:2]
    assert (numbers.quality.tpr, numbers.quality.tnr) == (1.0, 0.5)
    assert (negation.quality.tpr, negation.quality.undefined["tpr"]) == (None, "no item is truly supported")
    assert "  negation       no claim\n" in judge_text(found)


def test_a_judge_that_says_the_same_of_everything_tells_nothing() -> None:
    found = measured([1] * 5 + [0] * 5, [1] * 10)
    assert found.exit_code == 1
    assert found.warnings[0].startswith("the judge tells nothing: it marks unsupported claims as supported at least")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(tpr=0.8), "the limit is missed: TPR may be as low as 0.763, and at least 0.8 is asked for"),
        (Limits(tnr=0.95), "the limit is missed: TNR may be as low as 0.914, and at least 0.95 is asked for"),
    ],
)
def test_a_limit_is_held_to_the_lower_end(limits: Limits, words: str) -> None:
    labels = [1] * 36 + [0] * 45 if limits.tpr else [1] * 39 + [0] * 42
    found = measured([1] * 40 + [0] * 41, labels, limits=limits)
    assert (found.exit_code, found.warnings[0]) == (1, words)
    assert measured([1] * 40 + [0] * 40, [1] * 36 + [0] * 44, limits=Limits(tpr=0.7)).exit_code == 0


def test_people_among_themselves() -> None:
    said = [(1, 1, None), (1, 0, 1), (0, 0, None), (1, 0, None)]
    found = LabelledSet(
        claims=tuple(
            LabelledClaim(
                id=str(place),
                claim="x",
                evidence=("x",),
                raters=(("ann", ann), ("bo", bo)),
                adjudicated=settled,
                truth=ann if ann == bo else settled,
            )
            for place, (ann, bo, settled) in enumerate(said)
        )
    )
    verdicts = {str(place): Verdict(word="support" if place < 2 else "neutral") for place in range(4)}
    raters = measure_judge(found, verdicts, judge="j", version="1").raters
    assert raters is not None
    assert (raters.n_rated_twice, raters.n_disputed, raters.n_adjudicated, raters.n_unsettled) == (4, 2, 1, 1)
    assert raters.kappa is not None
    assert raters.kappa.agreement == 0.5
    assert [(name, kappa.agreement) for name, kappa in raters.judge_with] == [("ann", 0.75), ("bo", 0.75)]
    text = judge_text(measure_judge(found, verdicts, judge="j", version="1"))
    assert "2 of 4 claims with two labels; 1 settled, 1 left out" in text
    assert "1 claim whose raters differ and nobody settled are left out" in text


def test_what_is_undecided_counts_as_not_supported_in_both_rates() -> None:
    quality = judge_quality([1] * 100 + [0] * 100, [1] * 80 + [None] * 20 + [0] * 60 + [None] * 20 + [1] * 20)
    # 40 % of 1,000 are truly supported: 0.4 * 0.8 + 0.6 * 0.2 are marked so.
    corrected = true_rate(quality, n=1_000, n_support=440, n_undecided=200)
    assert corrected.clipped == pytest.approx(0.4)
    assert corrected.interval is not None
    assert corrected.interval.low < 0.4 < corrected.interval.high


def test_the_interval_of_a_corrected_rate_holds_it_as_often_as_it_says() -> None:
    """Rogan and Gladen's interval over simulated studies: 95 % asked for, both samples drawn anew each time."""
    source = random.Random(5)  # noqa: S311 - a simulation
    held = 0
    for _ in range(400):
        truths = [1] * 150 + [0] * 150
        said = [int(source.random() < (0.85 if truth else 0.1)) for truth in truths]
        marked = sum(source.random() < 0.3 * 0.85 + 0.7 * 0.1 for _ in range(500))
        interval = true_rate(judge_quality(truths, said), n=500, n_support=marked).interval
        held += interval is not None and interval.low <= 0.3 <= interval.high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize(("labels_are", "method"), [("study", "rogan_gladen"), ("traffic", "prediction_powered")])
def test_the_rate_of_other_claims_is_corrected(labels_are: str, method: str) -> None:
    traffic = [Verdict(word="support")] * 30 + [Verdict(word="neutral")] * 60 + [Verdict(word="unsure")] * 10
    found = measured([1] * 50 + [0] * 50, [1] * 45 + [0] * 45 + [1] * 10, traffic=traffic, labels_are=labels_are)
    prevalence = found.prevalence
    assert prevalence is not None
    assert (prevalence.method, prevalence.observed, prevalence.n_undecided) == (method, 0.3, 10)
    assert (prevalence.corrected is None) == (labels_are == "traffic")
    assert "as judged  30%  (30 of 100, 10 undecided)" in judge_text(found)


def test_a_useless_judge_corrects_nothing() -> None:
    found = measured([1] * 5 + [0] * 5, [1] * 10, traffic=[Verdict(word="support")] * 5)
    assert "corrected  n/a (the judge is no better than chance: TPR + TNR is at most 1)" in judge_text(found)


def test_a_claim_without_a_verdict_is_refused() -> None:
    with pytest.raises(CalibrationError) as caught:
        measure_judge(claims([1, 0]), {"c0000": Verdict(word="support")}, judge="j", version="1")
    assert str(caught.value) == "1 claim without a verdict, first 'c0001' (judge them all)"


def test_a_score_is_held_to_how_often_people_agree() -> None:
    claims = [LabelledClaim(id=f"{i:02}", claim="", evidence=(), truth=int(i >= 20)) for i in range(40)]
    said = {one.id: Verdict(word="support" if one.truth else "neutral") for one in claims}
    scores = {one.id: 0.8 if one.truth else 0.2 for one in claims[4:]}
    found = measure_judge(
        LabelledSet(claims=tuple(claims)), said, judge="j", version="1", scores=scores, threshold=0.5
    ).reliability
    assert found is not None
    assert (found.n, found.auroc) == (36, 1.0)
    assert [found.brier, found.ece] == pytest.approx([0.04, 0.2])
    assert sum(one.n for one in found.bins) == 36


def test_failures_are_counted_by_kind() -> None:
    said = [Verdict(word="support"), Verdict(word="failed", failure="timeout"), Verdict(word="neutral")]
    verdicts = {f"c{place:04}": one for place, one in enumerate(said)}
    found = measure_judge(claims([1, 1, 0]), verdicts, judge="j", version="1")
    assert found.failures == (("timeout", 1),)
    assert "  timeout  1 claim\n" in judge_text(found)
    assert judge_document(found)["failures"] == {"timeout": 1}


def test_what_is_stored_names_the_judge_its_version_and_both_errors() -> None:
    stored = judge_document(measured([1] * 10 + [0] * 10, [1] * 8 + [0] * 12))
    found = measured_judge(stored)
    assert (found.judge, found.version) == ("j", "1")
    assert found.words == "TPR 80% (44.4% to 97.5%), TNR 100% (69.2% to 100%)"
    with pytest.raises(CalibrationError) as caught:
        measured_judge({**stored, "whole": {}})
    assert str(caught.value) == "judge.json holds no whole measurement: 'quality' is missing (write it anew)"
