"""The claims of an answer: what a cut keeps, what is promised of it, and what the two stages then hold back."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.calibration.backoff import backoff_frontier, claim_backoff, kept_counts
from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.charts import charts
from pytest_grounded.calibration.guarantees import State
from pytest_grounded.calibration.options import Options
from pytest_grounded.calibration.page import html_page
from pytest_grounded.calibration.report import document, pointwise_band, text_report
from pytest_grounded.cli import main
from tests.calibration.samples import make_sample

ANSWERS = st.lists(
    st.lists(st.tuples(st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]), st.integers(0, 1)), max_size=5),
    min_size=1,
    max_size=12,
)
Answers = list[list[tuple[float, int]]]


def sides(answers: Answers) -> tuple[list[list[float]], list[list[int]]]:
    return [[score for score, _ in one] for one in answers], [[mark for _, mark in one] for one in answers]


@given(ANSWERS)
def test_what_is_kept_and_the_controlled_loss_only_grow_as_the_cut_falls(answers: Answers) -> None:
    points = backoff_frontier(*sides(answers))
    assert [point.threshold for point in points] == sorted({s for one in answers for s, _ in one}, reverse=True)
    for earlier, later in itertools.pairwise(points):
        assert earlier.kept_claims < later.kept_claims
        assert earlier.mean_loss <= later.mean_loss
        assert earlier.emptied >= later.emptied


@given(ANSWERS, st.fractions(Fraction(1, 50), Fraction(49, 50)))
def test_the_cut_is_the_loosest_point_of_the_frontier_within_the_bound(answers: Answers, alpha: Fraction) -> None:
    scores, marks = sides(answers)
    found = claim_backoff(scores, marks, alpha=alpha)
    n = len(answers)

    def loss(cut: float) -> Fraction:
        """The mean loss at a cut, counted anew."""
        return sum((Fraction(sum(s >= cut and not m for s, m in one), len(one)) for one in answers if one), Fraction())

    passing = [cut for cut in {s for one in answers for s, _ in one} if (loss(cut) + 1) / (n + 1) <= alpha]
    assert found.threshold == min(passing, default=None)
    if found.threshold is not None:
        (point,) = [one for one in backoff_frontier(scores, marks) if one.threshold == found.threshold]
        assert (point.kept_claims, point.mean_loss, point.emptied) == (
            found.kept_claims,
            found.mean_loss,
            found.emptied,
        )


@given(ANSWERS)
def test_a_looser_limit_never_keeps_less(answers: Answers) -> None:
    kept = [claim_backoff(*sides(answers), alpha=alpha).kept_claims or 0 for alpha in (0.1, 0.2, 0.4, 0.8)]
    assert kept == sorted(kept)


def test_the_share_of_the_kept_may_rise_with_the_cut_which_is_why_it_is_not_controlled() -> None:
    points = backoff_frontier([[0.9, 0.5, 0.4]], [[0, 1, 1]])
    assert [round(point.false_among_kept, 2) for point in points] == [1.0, 0.5, 0.33]
    assert [round(point.mean_loss, 2) for point in points] == [0.33, 0.33, 0.33]


def test_the_mean_loss_stays_below_the_limit_over_many_calibrations() -> None:
    source = random.Random(9)  # noqa: S311 - a simulation

    def draft() -> list[tuple[float, int]]:
        sure = [source.random() for _ in range(source.randint(1, 5))]
        return [(score, int(source.random() < score)) for score in sure]

    losses = []
    for _ in range(300):
        found = claim_backoff(*sides([draft() for _ in range(60)]), alpha=0.1)
        cut = 2.0 if found.threshold is None else found.threshold
        new = draft()
        losses.append(sum(score >= cut and not mark for score, mark in new) / len(new))
    assert sum(losses) / len(losses) <= 0.115


def rows(n: int = 120) -> list[dict[str, Any]]:
    source = random.Random(4)  # noqa: S311 - made-up rows
    made = []
    for place in range(n):
        score = round((place + 1) / (n + 1), 4)
        sure = [min(1.0, max(0.0, round(source.gauss(score, 0.1), 3))) for _ in range(1 + place % 4)]
        claims = [{"score": one, "correct": int(source.random() < one)} for one in sure]
        made.append(
            {"case": f"q{place:03}", "score": score, "correct": int(place > 10), "sample": "traffic", "claims": claims}
        )
    return made


def test_the_kept_claims_decide_what_is_too_thin() -> None:
    options = Options(alpha=0.2, claim_alpha=0.1, min_claims=2)
    found = calibrate(make_sample(rows()), options)
    stage = found.claims
    assert stage is not None
    assert stage.gate is not None
    scores = [[claim["score"] for claim in row["claims"]] for row in rows()]
    kept = kept_counts(scores, stage.backoff.threshold)
    threshold = found.choice.threshold
    assert threshold is not None
    sure = [(row, stays) for row, stays in zip(rows(), kept, strict=True) if row["score"] >= threshold]
    assert stage.gate.too_risky == len(rows()) - len(sure)
    assert stage.gate.too_thin == sum(stays < 2 for _, stays in sure) > 0
    assert stage.gate.shown == sum(stays >= 2 for _, stays in sure) > 0


def test_it_stands_in_the_report_the_document_the_page_and_a_chart() -> None:
    found = calibrate(make_sample(rows()), Options(alpha=0.2, claim_alpha=0.1, min_claims=2))
    assert found.claims is not None
    drawn = charts(found, pointwise_band(found))
    assert found.claims.words in " ".join(text_report(found).split())
    assert document(found)["claims"]["gate"]["too_thin"] == found.claims.gate.too_thin  # type: ignore[union-attr]
    assert "How many claims can stay" in drawn["claims"]
    assert drawn["claims"] in html_page(found, drawn)


def test_too_few_answers_and_a_limit_that_nothing_keeps_are_told_apart() -> None:
    few = calibrate(make_sample(rows(40)), Options(alpha=0.6, delta=0.4, claim_alpha=0.01)).claims
    assert few is not None
    assert few.backoff.state is State.INFEASIBLE
    assert few.words == "drops every claim: with 40 answers no cut can hold 1%; at least 99 are needed"
    wrong = [{**row, "claims": [{"score": 0.5, "correct": 0}]} for row in rows(40)]
    none = calibrate(make_sample(wrong), Options(alpha=0.6, delta=0.4, claim_alpha=0.1)).claims
    assert none is not None
    assert none.backoff.state is State.VACUOUS
    assert none.words == (
        "drops every claim: no cut holds the false claims of an answer to 10% of those drafted, on average"
    )


def test_from_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
    out = ["--out", str(tmp_path / "out"), "--alpha", "0.2"]
    assert main(["calibrate", str(path), *out, "--claim-alpha", "0.1", "--min-claims", "2"]) == 0
    assert "claims, and both stages of the gate\n" in capsys.readouterr().out
    assert (tmp_path / "out" / "claims.svg").is_file()
    assert main(["calibrate", str(path), *out, "--claim-alpha", "2"]) == 2
    assert capsys.readouterr().err == "claim_alpha is 2 (needs a share between 0 and 1)\n"
