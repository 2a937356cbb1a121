"""What each part of the pipeline does for its answers, over a small suite."""

from __future__ import annotations

import json
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.variants import requests_of
from pytest_grounded.model.case import Case
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.ablation import VARIANTS, Ablation, AblationRow, ablate, ablation_table, changed, main
from pytest_grounded.testing.suites import suites_below
from tests.suites.careless import CarelessGenerator

ROOT = Path(__file__).parents[2]
NAMES = tuple(variant.name for variant in VARIANTS)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def cases(suite: str = "travel-policy", most: int = 30) -> list[Case]:
    return suites_below([Path("cases") / suite])[0][:most]


@cache
def extractive() -> Ablation:
    found, settings_of = suites_below([Path("cases/travel-policy")])
    return ablate(found[:30], settings=settings_of)


def rows(found: Ablation) -> dict[str, AblationRow]:
    return {row.name: row for row in found.rows}


def test_the_settings_as_they_are_pass_and_bare_retrieval_does_not() -> None:
    by_name = rows(extractive())
    assert by_name["whole"].passed == 30
    assert by_name["top_k"].passed < by_name["checked"].passed < by_name["whole"].passed
    assert (by_name["top_k"].better, by_name["whole"].p_holm) == (0, None)
    assert by_name["top_k"].worse == 30 - by_name["top_k"].passed


def test_the_gate_refuses_what_every_rung_before_it_answers() -> None:
    by_name = rows(extractive())
    assert by_name["gated"].answers.right_refusal.k > by_name["verified"].answers.right_refusal.k
    assert by_name["gated"].answers.answer_accuracy.rate == 1.0


def test_no_rung_lets_anybody_read_what_they_may_not() -> None:
    assert {row.leaks for row in extractive().rows} == {0}


def test_what_is_found_is_the_same_in_every_row_but_the_last() -> None:
    for case in cases(most=12):
        (request, *_) = requests_of(case)
        found = set()
        for variant in VARIANTS[:-2]:
            settings = changed(PipelineSettings(), variant.changes)
            internal = assemble(settings).answer(request).internal
            found.add(tuple((one.chunk, one.score) for one in internal.candidates or ()))
        assert len(found) == 1


def test_a_careless_writer_is_caught_by_the_form_and_mended_by_verification() -> None:
    wanted = [variant for variant in VARIANTS if variant.name in ("coverage", "structured", "verified", "whole")]
    by_name = rows(ablate(cases(most=24), variants=wanted, generator=CarelessGenerator()))
    held = {name: row.support or 0.0 for name, row in by_name.items()}
    assert held["coverage"] < held["structured"] < held["verified"] == held["whole"] == 1.0
    assert by_name["structured"].answers.wrong_refusal.k > by_name["verified"].answers.wrong_refusal.k
    assert (by_name["coverage"].evidence_tokens or 0) > 0


def test_the_same_cases_give_the_same_table_and_a_clock_adds_a_column() -> None:
    few = cases(most=4)
    assert ablation_table(ablate(few)) == ablation_table(ablate(few))
    ticks = count()
    timed = ablate(few, variants=VARIANTS[-1:], clock=lambda: next(ticks) / 1000)
    assert timed.rows[0].latency_95 == pytest.approx(1.0)
    assert "95 % within, ms" in ablation_table(timed)
    assert "95 % within, ms" not in ablation_table(ablate(few, variants=VARIANTS[-1:]))


def test_the_command_prints_a_row_for_each_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "cases/travel-policy-talks", "--variant", "top_k", "--variant", "whole"]) == 0
    printed = capsys.readouterr().out
    assert [line.split("`")[1] for line in printed.splitlines() if line.startswith("| `")] == ["top_k", "whole"]
    assert main(["--cases", "cases/travel-policy-talks", "--variant", "whole", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rows"][0]["passed"] == document["n"]


def test_what_cannot_be_run_is_refused_in_these_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--variant", "top"]) == 2
    assert capsys.readouterr().err == f"there is no variant 'top' (there are {', '.join(NAMES)})\n"
    assert main(["--cases", "snapshots"]) == 2
    assert capsys.readouterr().err == "there are no case files below snapshots: name a folder of suites\n"
    with pytest.raises(GroundedError, match=r"^there are no cases to run \(give those of a suite\)$"):
        ablate([])
    with pytest.raises(GroundedError, match=r"^needs variants, each with a name of its own$"):
        ablate(cases(most=1), variants=VARIANTS[:1] * 2)
    with pytest.raises(
        GroundedError, match=r"^there is no setting 'gate.cover' \(docs/reference/settings.md lists them\)$"
    ):
        changed(PipelineSettings(), {"gate.cover": 1})
