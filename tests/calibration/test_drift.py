"""A stored operating point on new rows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.drift import StoredPoint, drift, stored_point
from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.report import document, drift_document, drift_text
from tests.calibration.samples import make_sample, ordered_rows

THEN = StoredPoint(threshold=0.9, n=1000, n_answered=400, n_wrong=12, score_name="s", corpus="sha256:a")


def now(answered: int, wrong: int, *, left: int = 0, labelled: bool = True, **facts: Any) -> list[dict[str, Any]]:
    return [
        {
            "case": f"n{i}",
            "score": 0.95 if i < answered else 0.1,
            "correct": int(i >= wrong) if labelled else None,
            "score_name": "s",
            "corpus": "sha256:a",
        }
        | facts
        for i in range(answered + left)
    ]


def test_thirty_two_wrong_where_twelve_were_is_drift() -> None:
    found = drift(THEN, make_sample(now(400, 32, left=600)))
    assert found.wrong_p == pytest.approx(0.0028118995, abs=1e-9)
    assert (found.verdict, found.exit_code) == ("drift", 1)
    assert found.words == (
        "at score >= 0.9: then answered 400 of 1000 (40%), wrong 12 of 400 (3%); now answered 400 of 1000 (40%), "
        "wrong 32 of 400 (8%): this is drift, not noise"
    )


def test_a_few_more_can_be_noise() -> None:
    found = drift(THEN, make_sample(now(400, 16, left=600)))
    assert (found.verdict, found.exit_code) == ("no_drift", 0)


def test_without_labels_coverage_alone_is_tested() -> None:
    found = drift(THEN, make_sample(now(700, 0, left=300, labelled=False)))
    assert (found.wrong_p, found.verdict) == (None, "drift")
    assert "only coverage is tested" in found.notes[0]
    assert "n/a (no answered row has a label)" in drift_text(found)
    assert drift_document(found)["wrong_p"] is None


def test_another_state_of_the_corpus_is_noted_and_another_score_refused() -> None:
    found = drift(THEN, make_sample(now(400, 12, left=600, corpus="sha256:b")))
    assert found.notes == ("the corpus changed: sha256:a then, sha256:b now; labels hold for one state of it",)
    with pytest.raises(CalibrationError, match="has the score 'other', and the threshold was chosen on 's'"):
        drift(THEN, make_sample(now(5, 0, score_name="other")))


def test_regression_cases_show_no_drift_of_traffic() -> None:
    with pytest.raises(CalibrationError, match="regression cases"):
        drift(THEN, make_sample(now(5, 0, sample="regression")))


def test_one_row_of_each_group_is_counted() -> None:
    found = drift(THEN, make_sample([row | {"group": "g"} for row in now(50, 0)]))
    assert (found.n, found.notes[-1]) == (1, "1 of 50 rows are counted, one of each group")


def test_what_calibrate_wrote_can_be_checked() -> None:
    written = json.loads(json.dumps(document(calibrate(make_sample(ordered_rows(200, 20))))))
    point = stored_point(written)
    found = drift(point, make_sample(ordered_rows(200, 20)))
    assert (found.wrong_p, found.coverage_p) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        pytest.param([], "holds no calibration", id="a list"),
        pytest.param({"choice": {"threshold": None}}, "answers nothing, so nothing can drift", id="no threshold"),
        pytest.param({"choice": {"threshold": 0.5}}, "holds no whole calibration: 'n' is missing", id="no counts"),
    ],
)
def test_a_file_that_is_no_calibration_is_refused(stored: Any, words: str) -> None:
    with pytest.raises(CalibrationError) as caught:
        stored_point(stored)
    assert words in str(caught.value)
