"""How claim splitting is measured, and what the rules come to on the annotated passages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.splitting import AnnotatedClaim, AnnotatedText, splitting_quality
from pytest_grounded.text.claims import SplitClaim, split_claims

DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "claim_splitting" / "handbook.jsonl"
TEXT = "It is due, but it is not paid until May."
GOLD = AnnotatedText(
    text=TEXT,
    claims=(
        AnnotatedClaim(core="It is due"),
        AnnotatedClaim(core="it is not paid until May", keeps=("not", "until May")),
    ),
)


def cut(*claims: tuple[int, str]) -> list[SplitClaim]:
    return [SplitClaim(start=start, end=start + len(text), text=text) for start, text in claims]


@pytest.mark.parametrize(
    ("claims", "figures"),
    [
        pytest.param(cut((0, "It is due"), (15, "it is not paid until May.")), (1.0, 1.0, 1.0, 2), id="as-wanted"),
        pytest.param(cut((0, TEXT)), (None, 0.0, 0.0, 2), id="nothing-cut"),
        pytest.param(
            cut((0, "It is due"), (15, "it is not paid"), (30, "until May.")), (0.5, 1.0, 2 / 3, 1), id="too-much"
        ),
        pytest.param(cut((0, "It is due"), (15, "it is paid until May.")), (1.0, 1.0, 1.0, 1), id="a-word-lost"),
        pytest.param([], (None, 0.0, 0.0, 0), id="no-claims"),
    ],
)
def test_by_hand(claims: list[SplitClaim], figures: tuple[float | None, float, float, int]) -> None:
    found = splitting_quality([GOLD], lambda _: claims)
    assert (found.precision, found.recall, found.f1, found.n_kept) == figures
    assert found.n_qualifiers == 2


def test_what_is_not_defined_is_none_with_a_reason() -> None:
    found = splitting_quality([AnnotatedText(text="It.", claims=(AnnotatedClaim(core="It"),))], split_claims)
    assert (found.f1, found.retention) == (None, None)
    assert found.undefined["f1"] == "nothing was cut, and nothing is to be cut"
    assert found.undefined["retention"] == "no claim has a qualifier"


def test_an_annotation_that_does_not_stand_in_its_text_is_refused() -> None:
    with pytest.raises(CalibrationError) as caught:
        splitting_quality([AnnotatedText(text="It.", claims=(AnnotatedClaim(core="He"),))], split_claims)
    assert str(caught.value) == "claim 'He' does not stand in its text, or not behind the one before"


@pytest.mark.parametrize(("part", "f1", "kept"), [("written_with", 0.95, 0.96), ("apart", 0.78, 0.93)])
def test_the_rules_on_passages_of_the_handbook(part: str, f1: float, kept: float) -> None:
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    texts = [
        AnnotatedText(
            text=row["text"],
            claims=tuple(AnnotatedClaim(core=one["core"], keeps=tuple(one["keeps"])) for one in row["claims"]),
        )
        for row in rows
        if row["part"] == part
    ]
    found = splitting_quality(texts, split_claims)
    assert found.f1 is not None
    assert found.retention is not None
    assert found.f1 >= f1
    assert found.retention >= kept
