"""An operating point from rows: what is chosen, promised, confirmed, and how it ends where nothing can be."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pytest_grounded.calibration.calibrate import Calibration, calibrate
from pytest_grounded.calibration.charts import charts
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.guarantees import State
from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.options import Fit, Method, Options, Prices, ScoreKind, parse_mix
from pytest_grounded.calibration.page import html_page
from pytest_grounded.calibration.report import curve_csv, document, pointwise_band, text_report
from tests.calibration.samples import make_sample, ordered_rows

PRICES = Prices(wrong=5, abstain=1, convention=AbstentionCost.MISSED)


def noisy_rows(n: int, *, seed: int = 3, **facts: Any) -> list[dict[str, Any]]:
    source = random.Random(seed)  # noqa: S311 - made-up rows
    rows = []
    for i in range(n):
        score = round(source.random(), 3)
        kind = source.choice(["answerable", "unanswerable"])
        right = int(kind == "answerable" and source.random() < 0.2 + 0.8 * score)
        rows.append(
            {"case": f"n{i:04}", "score": score, "correct": right, "kind": kind, "sample": "traffic"}
            | {"answerable": kind == "answerable"}
            | facts
        )
    return rows


def written(found: Calibration) -> tuple[Any, ...]:
    band = pointwise_band(found)
    return document(found), tuple(curve_csv(found, band)), charts(found, band), text_report(found)


@pytest.mark.parametrize("method", list(Method))
def test_neither_row_order_nor_a_second_run_changes_anything(method: Method) -> None:
    rows = noisy_rows(120, group=None)
    for i, row in enumerate(rows):
        row["group"] = f"g{i // 2}"
    options = Options(method=method, alpha=0.6, prices=PRICES, by="kind", fit=Fit.PLATT, test_share=0.3)
    shuffled = random.Random(1).sample(rows, len(rows))  # noqa: S311 - a shuffle
    assert written(calibrate(make_sample(rows), options)) == written(calibrate(make_sample(shuffled), options))


def test_the_operating_point_is_said_in_words() -> None:
    found = calibrate(make_sample(ordered_rows(200, 40)), Options(alpha=0.1, delta=0.1))
    assert found.choice.operating_point == (
        "answers 86% of queries; at most 10% of those wrong with 90% confidence; 11 wrong of 171 seen"
    )
    assert found.exit_code == 0


@pytest.mark.parametrize(
    ("method", "n", "wrong", "state", "words"),
    [
        pytest.param(
            Method.LTT,
            15,
            3,
            State.INFEASIBLE,
            "answers nothing: with 15 cases no threshold can show at most 10% of those wrong with 90% confidence; at least "
            "22 are needed, even if none is wrong",
            id="ltt with too few",
        ),
        pytest.param(
            Method.CRC,
            8,
            3,
            State.INFEASIBLE,
            "answers nothing: with 8 cases no threshold can show at most 10% of all queries answered wrongly, on average "
            "over calibrations; at least 9 are needed, even if none is wrong",
            id="crc with too few",
        ),
        pytest.param(
            Method.LTT,
            40,
            39,
            State.VACUOUS,
            "answers nothing: no threshold keeps at most 10% of those wrong with 90% confidence, so the limit is kept only "
            "by abstaining on everything",
            id="ltt with too many wrong",
        ),
    ],
)
def test_where_no_threshold_is_found_it_ends_with_one_and_says_why(
    method: Method, n: int, wrong: int, state: State, words: str
) -> None:
    found = calibrate(make_sample(ordered_rows(n, wrong)), Options(method=method))
    assert (found.choice.state, found.choice.threshold, found.exit_code) == (state, None, 1)
    assert found.choice.operating_point == words
    assert document(found)["choice"]["threshold"] is None


def test_a_conformal_threshold_that_exists_only_by_abstaining_is_vacuous() -> None:
    rows = ordered_rows(12, 3)
    rows[-1]["correct"] = 0
    found = calibrate(make_sample(rows), Options(method=Method.CRC))
    assert (found.choice.state, found.exit_code) == (State.VACUOUS, 1)


def test_the_empirical_method_warns_that_it_promises_nothing() -> None:
    found = calibrate(make_sample(ordered_rows(100, 20)), Options(method=Method.EMPIRICAL, alpha=0.1))
    assert found.guarantee == "none: the share seen in this sample"
    assert any("exceeded in truth 46% of the time" in warning for warning in found.warnings)


def test_crc_says_that_it_holds_on_average() -> None:
    found = calibrate(make_sample(ordered_rows(100, 20)), Options(method=Method.CRC, alpha=0.1))
    assert "on average over calibrations" in found.choice.operating_point
    assert any("single ones exceed it" in warning for warning in found.warnings)


@pytest.mark.parametrize(("prefer", "threshold"), [("coverage", 0.7), ("safe", 0.9)])
def test_of_equally_cheap_thresholds_the_lowest_or_the_safest_is_taken(prefer: Any, threshold: float) -> None:
    rows = [
        {"case": str(i), "score": score, "correct": right}
        for i, (score, right) in enumerate([(0.9, 1), (0.8, 0), (0.7, 1), (0.6, 0)])
    ]
    prices = Prices(wrong=2, abstain=1, convention=AbstentionCost.ALL)
    found = calibrate(make_sample(rows), Options(method=Method.COST, prices=prices, prefer=prefer))
    assert found.choice.threshold == threshold
    assert found.choice.optimal_thresholds == (0.7, 0.9)
    assert "charging every abstention" in found.choice.operating_point


def test_the_convention_moves_the_cheapest_threshold() -> None:
    chosen = {
        convention: calibrate(
            make_sample(noisy_rows(400)),
            Options(method=Method.COST, prices=Prices(wrong=5, abstain=1, convention=convention)),
        ).sweep
        for convention in AbstentionCost
    }
    theory = {c: s.theory.under(s.convention) for c, s in chosen.items() if s is not None}
    assert theory == {AbstentionCost.MISSED: pytest.approx(5 / 6), AbstentionCost.ALL: 0.8}


def test_one_row_of_each_group_is_used_where_a_bound_counts_cases() -> None:
    rows = [row | {"group": f"g{i // 4}"} for i, row in enumerate(noisy_rows(200))]
    bound = calibrate(make_sample(rows), Options(alpha=0.6))
    priced = calibrate(make_sample(rows), Options(method=Method.COST, prices=PRICES))
    assert (bound.sample.n, bound.sample.n_read, priced.sample.n) == (50, 200, 200)
    assert any("one of each group" in warning for warning in bound.warnings)


def test_which_row_of_a_group_is_used_depends_on_no_label() -> None:
    rows = [row | {"group": f"g{i // 3}"} for i, row in enumerate(noisy_rows(90))]
    flipped = [row | {"correct": 1 - row["correct"], "answerable": True} for row in rows]
    used = [{r.case for r in calibrate(make_sample(part)).sample.rows} for part in (rows, flipped)]
    assert used[0] == used[1]


def test_a_split_keeps_groups_together_and_confirms_on_the_rest() -> None:
    rows = [row | {"group": f"g{i // 2}"} for i, row in enumerate(ordered_rows(400, 40))]
    found = calibrate(make_sample(rows), Options(test_share=0.5))
    assert found.test is not None
    assert (found.sample.n_groups, found.test.n) == (100, 100)
    assert found.test.verdict in {"confirmed", "open"}


def test_a_limit_missed_on_test_rows_ends_with_one() -> None:
    test = make_sample(
        [{"case": f"t{i}", "score": 0.9, "correct": int(i >= 30), "sample": "traffic"} for i in range(60)],
        name="test.jsonl",
    )
    found = calibrate(make_sample(ordered_rows(200, 20)), Options(), test)
    assert found.test is not None
    assert (found.test.verdict, found.exit_code) == ("missed", 1)
    assert found.test.words == (
        "answers 100% of test queries; 30 wrong of 60 of the answered (50%, 95% interval 36.8% to 63.2%): the limit of 10% "
        "is missed"
    )


def test_few_test_rows_neither_confirm_nor_refute() -> None:
    test = make_sample(ordered_rows(12, 1, prefix="t"), name="test.jsonl")
    found = calibrate(make_sample(ordered_rows(200, 20)), Options(), test)
    assert found.test is not None
    assert (found.test.verdict, found.exit_code) == ("open", 0)


def test_a_slice_with_too_few_cases_falls_back_and_says_so() -> None:
    rows = ordered_rows(200, 20, slice="numbers") + ordered_rows(10, 2, prefix="z", slice="rare")
    found = calibrate(make_sample(rows), Options(by="slice"))
    numbers, rare = found.slices
    assert (numbers.own, rare.own) == (True, False)
    assert numbers.choice.delta == 0.05
    assert rare.threshold == found.choice.threshold
    assert rare.note == "10 cases, fewer than the 29 needed: the global threshold is used, which promises nothing here"


def test_a_slice_where_nothing_passes_abstains_instead_of_falling_back() -> None:
    rows = ordered_rows(200, 10, slice="easy") + ordered_rows(60, 59, prefix="z", slice="hard")
    hard = calibrate(make_sample(rows), Options(by="slice")).slices[1]
    assert (hard.own, hard.threshold) == (True, None)


def test_a_declared_mix_weighs_the_rows_for_the_cheapest_threshold() -> None:
    rows = make_sample(noisy_rows(300))
    options = {"method": Method.COST, "prices": PRICES}
    plain = calibrate(rows, Options(**options))  # type: ignore[arg-type]
    easy = calibrate(rows, Options(**options, target_mix={"answerable": 0.98}))  # type: ignore[arg-type]
    assert easy.choice.n_answered > plain.choice.n_answered
    assert "the least cost in the declared mix" in easy.choice.operating_point
    assert easy.mix is not None
    assert plain.mix is None


def test_a_declared_mix_by_kind_must_cover_the_kinds() -> None:
    rows = make_sample(noisy_rows(100))
    with pytest.raises(CalibrationError, match="rows of kind 'unanswerable' have no share in --target-mix"):
        calibrate(rows, Options(target_mix=parse_mix("answerable=0.9,partial=0.1")))
    with pytest.raises(CalibrationError, match="gives 'partial' a share, and no row is of it"):
        calibrate(rows, Options(target_mix=parse_mix("answerable=0.5,partial=0.1,unanswerable=0.4")))


def test_a_promise_is_never_made_for_another_mix() -> None:
    found = calibrate(make_sample(noisy_rows(300)), Options(alpha=0.7, target_mix={"answerable": 0.9}))
    assert any("sample's own mix" in warning for warning in found.warnings)


def test_weighted_rows_are_refused_where_cases_are_counted() -> None:
    rows = ordered_rows(100, 10)
    rows[3]["weight"] = 2.5
    with pytest.raises(CalibrationError, match=r"1 row of rows.jsonl has a weight other than 1 .first: q0003."):
        calibrate(make_sample(rows))
    assert calibrate(make_sample(rows), Options(method=Method.COST, prices=PRICES)).choice.weighted


def test_a_ranking_score_is_taken_with_its_name_or_a_map() -> None:
    rows = make_sample([row | {"score": 20 * row["score"] - 10} for row in noisy_rows(150)])
    with pytest.raises(CalibrationError, match=r"outside .0, 1."):
        calibrate(rows, Options(alpha=0.6))
    ranking = calibrate(rows, Options(alpha=0.6, score=ScoreKind.RANKING))
    assert ranking.quality.undefined["brier"] == "the score only ranks; fit a map to read it as a probability"
    fitted = calibrate(rows, Options(alpha=0.6, fit=Fit.PLATT))
    assert fitted.quality.brier is not None
    assert fitted.choice.threshold == ranking.choice.threshold


def test_cases_without_a_score_keep_coverage_below_one() -> None:
    rows = ordered_rows(90, 5) + [
        {"case": f"x{i}", "score": None, "correct": None, "sample": "traffic"} for i in range(10)
    ]
    found = calibrate(make_sample(rows))
    assert (found.curve.n, found.curve.max_coverage) == (100, 0.9)
    assert any("coverage cannot exceed 90%" in warning for warning in found.warnings)


WRONG_OPTIONS: dict[str, tuple[Any, str]] = {
    "cost without prices": (lambda: Options(method=Method.COST), "method cost needs prices"),
    "prices of nothing": (
        lambda: Options(prices=Prices(wrong=0, abstain=0, convention=AbstentionCost.ALL)),
        "both 0, so every threshold costs nothing",
    ),
    "a mix that does not add up": (lambda: Options(target_mix={"a": 0.5, "b": 0.4}), "adds up to 0.9 (needs 1"),
    "a mix that cannot be read": (lambda: parse_mix("answerable:0.8"), "needs name=share, e.g. answerable=0.8"),
    "a mix that names twice": (lambda: parse_mix("a=0.5,a=0.5"), "names 'a' twice"),
    "a limit of 1": (lambda: Options(alpha=1), "alpha is 1"),
}


@pytest.mark.parametrize("name", WRONG_OPTIONS)
def test_options_that_do_not_go_together_are_refused(name: str) -> None:
    call, words = WRONG_OPTIONS[name]
    with pytest.raises(CalibrationError) as caught:
        call()
    assert words in str(caught.value)


def test_test_rows_must_be_other_questions_of_the_same_score_and_corpus() -> None:
    sample = make_sample(ordered_rows(50, 5, corpus="sha256:a"))
    with pytest.raises(CalibrationError, match=r"50 groups of test are also in rows.jsonl"):
        calibrate(sample, Options(), make_sample(ordered_rows(50, 5, corpus="sha256:a"), name="test"))
    with pytest.raises(CalibrationError, match="differ in their state of the corpus: sha256:a and sha256:b"):
        calibrate(sample, Options(), make_sample(ordered_rows(50, 5, prefix="t", corpus="sha256:b"), name="test"))
    other = make_sample(ordered_rows(50, 5, prefix="t", corpus="sha256:a"), name="test")
    with pytest.raises(CalibrationError, match="a test file and a test share are both given"):
        calibrate(sample, Options(test_share=0.5), other)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(Options(prices=PRICES, alpha=0.6), id="prices"),
        pytest.param(Options(method=Method.CRC, alpha=0.3, fit=Fit.ISOTONIC), id="crc and a map"),
        pytest.param(Options(alpha=0.001), id="infeasible"),
        pytest.param(
            Options(method=Method.COST, prices=Prices(wrong=9, abstain=4, convention=AbstentionCost.ALL, review=1)),
            id="reviews",
        ),
    ],
)
def test_every_chart_is_a_drawing_that_can_be_parsed_and_says_what_it_shows(options: Options) -> None:
    found = calibrate(make_sample(noisy_rows(80, score_name='<b>"&')), options)
    drawn = charts(found, pointwise_band(found))
    assert set(drawn) == {"risk_coverage", "reliability", "scores"} | ({"cost"} if options.prices else set())
    for drawing in drawn.values():
        root = ET.fromstring(drawing)  # noqa: S314 - our own text
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        assert not re.search(r'[=" ML](?:nan|-?inf)\b', drawing)
    page = html_page(found, drawn)
    assert '<b>"&' not in page
    assert "&lt;b&gt;" in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_equal_scores_and_a_single_threshold_are_drawn_too() -> None:
    rows = [{"case": str(i), "score": 0.5, "correct": i % 2, "sample": "traffic"} for i in range(30)]
    found = calibrate(make_sample(rows), Options(method=Method.COST, prices=PRICES))
    drawn = charts(found, pointwise_band(found))
    assert drawn.keys() == {"cost", "reliability", "risk_coverage", "scores"}
    for drawing in drawn.values():
        assert ET.fromstring(drawing).tag.endswith("svg")  # noqa: S314 - our own text


def test_figures_are_rounded_and_thresholds_are_not() -> None:
    rows = [row | {"score": row["score"] / 3} for row in ordered_rows(100, 7)]
    found = calibrate(make_sample(rows))
    data = document(found)
    assert data["choice"]["threshold"] == found.choice.threshold
    assert data["curve"]["augrc"] == round(found.curve.augrc or 0.0, 6)
    first = next(line for line in curve_csv(found, pointwise_band(found)) if not line.startswith("threshold"))
    assert float(first.split(",")[0]) == found.curve.points[0].threshold
