"""A support judge decides what no rule does: named in the ini file, measured first, repeatable from kept verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.calibration.judging import Verdict, measure_judge
from pytest_grounded.calibration.judging_report import judge_document
from pytest_grounded.calibration.labels import LabelledClaim, LabelledSet
from tests.plugin.projects import INI, SYSTEM, Make

PARAPHRASED = SYSTEM.replace(
    '"text": "The nightly hotel limit in standard cities is $180.",',
    '"text": "Whoever stays in an ordinary hotel may spend $180 nightly.",',
).replace('"cites": ["c1"],\n        "quote"', '"cites": ["c1"],\n        "unused"')
CASES = """
requesters:
  employee: {groups: [staff]}
defaults: {requester: employee}
cases:
  - id: hotel-limit
    kind: answerable
    question: What is the nightly hotel limit in standard cities?
    risk: high
"""
STATES = (
    CASES
    + """
    expect:
      slots: [{name: limit, states: A night costs at most 180 dollars.}]
"""
)
JUDGE = """
from pathlib import Path


class Judge:
    name, version = "told", "{version}"

    def judge(self, claim, evidence):
        asked = Path("asked.txt")
        calls = asked.read_text() if asked.exists() else ""
        asked.write_text(calls + claim + " | " + " | ".join(evidence) + "\\n")
        return {verdicts}[len(calls.splitlines()) % {n}]
"""


def judged(
    project: Make,
    *verdicts: str,
    cases: str = CASES,
    measured: str | None = "1",
    version: str = "1",
    settings: str = "",
) -> pytest.Pytester:
    """A project with a judge that says these one after the other."""
    made = project(cases=cases, system=PARAPHRASED, ini=INI + "grounded_judge = judge.yaml\npythonpath = .\n")
    code = JUDGE.format(version=version, verdicts=list(verdicts), n=len(verdicts))
    (made.path / "my_judge.py").write_text(code, encoding="utf-8")
    lines = ["kind: python", "path: my_judge:Judge", settings]
    if measured is not None:
        lines.append("measured: judge.json")
        (made.path / "judge.json").write_text(json.dumps(_measurement(measured)), encoding="utf-8")
    (made.path / "judge.yaml").write_text("\n".join(filter(None, lines)) + "\n", encoding="utf-8")
    return made


def _measurement(version: str) -> dict[str, Any]:
    claims = tuple(LabelledClaim(id=str(i), claim="x", evidence=("x",), truth=i % 2) for i in range(20))
    said = {one.id: Verdict(word="support" if one.truth else "neutral") for one in claims}
    return judge_document(measure_judge(LabelledSet(claims=claims), said, judge="told", version=version))


def run(made: pytest.Pytester, *options: str) -> tuple[pytest.RunResult, dict[str, Any]]:
    ran = made.runpytest("--grounded-snapshots", "off", "--grounded-results", "r.jsonl", *options)
    (line,) = Path(made.path / "r.jsonl").read_text(encoding="utf-8").splitlines()
    return ran, json.loads(line)


def asked(made: pytest.Pytester) -> list[str]:
    path = made.path / "asked.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def test_without_a_judge_the_claim_is_not_judged_and_a_high_risk_is_inconclusive(project: Make) -> None:
    made = project(cases=CASES, system=PARAPHRASED)
    _, row = run(made)
    assert (row["verdict"], row["judge"]) == ("inconclusive", None)
    assert [one["check"] for one in row["not_judged"]] == ["claim.unsupported"]


def test_a_judge_that_says_support_three_times_decides_on_the_cited_texts_alone(project: Make) -> None:
    made = judged(project, "support")
    ran, row = run(made)
    assert (row["verdict"], row["not_judged"]) == ("pass", [])
    assert (
        asked(made)
        == [
            (
                "Whoever stays in an ordinary hotel may spend $180 nightly. | The nightly hotel limit in standard cities is "
                "$180 per night."
            )
        ]
        * 3
    )
    assert (row["judge"]["name"], row["judge"]["version"]) == ("told", "1")
    assert [(one["verdict"], one["calls"], one["cached"]) for one in row["judge"]["rulings"]] == [("support", 3, False)]
    ran.stdout.fnmatch_lines(
        ["judge told/1: 1 support", "  its error: TPR 100% (69.2% to 100%), TNR 100% (69.2% to 100%)"]
    )


@pytest.mark.parametrize(("verdict", "says"), [("neutral", "does not support it"), ("contradict", "contradicts it")])
def test_a_judge_that_denies_support_fails_the_case_and_is_named_with_its_error(
    project: Make, verdict: str, says: str
) -> None:
    ran, row = run(judged(project, verdict))
    assert [one["check"] for one in row["findings"]] == ["claim.unsupported"]
    assert row["findings"][0]["message"] == (
        f'"Whoever stays in an ordinary hotel may spend $180 nightly.": c1 {says}, says judge told/1 (its error: TPR '
        "100% (69.2% to 100%), TNR 100% (69.2% to 100%))"
    )
    ran.assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        (["support", "neutral"], "its answers differ: support, neutral"),
        (["unsure"], "it is unsure"),
    ],
)
def test_what_a_judge_leaves_open_stays_not_judged(project: Make, verdicts: list[str], reason: str) -> None:
    ran, row = run(judged(project, *verdicts))
    assert row["verdict"] == "inconclusive"
    assert row["not_judged"][0]["reason"].endswith(f"a support judge does (judge told/1: {reason})")
    ran.stdout.fnmatch_lines(["judge told/1: no verdict; 1 left open"])


def test_a_judge_whose_error_is_not_measured_is_not_asked(project: Make) -> None:
    made = judged(project, "support", measured=None)
    ran, row = run(made)
    assert (row["verdict"], asked(made)) == ("inconclusive", [])
    assert "its error is not measured: see `pytest-grounded judge`" in row["not_judged"][0]["reason"]
    ran.stdout.fnmatch_lines(["  its error is not measured, so nothing is ruled by it"])


def test_a_measurement_of_another_version_is_refused_before_anything_runs(project: Make) -> None:
    made = judged(project, "support", measured="0")
    ran = made.runpytest()
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(
        [
            (
                "ERROR: ini option grounded_judge: *judge.json: measures told/0, and the judge is told/1: what was measured of "
                "one version says nothing of another (measure it anew with `pytest-grounded judge`)"
            )
        ]
    )


def test_a_judge_that_is_not_there_is_refused(project: Make) -> None:
    made = project(ini=INI + "grounded_judge = nowhere.yaml\n")
    ran = made.runpytest()
    ran.stderr.fnmatch_lines(["ERROR: ini option grounded_judge: there is no file '*nowhere.yaml'"])


def test_kept_verdicts_repeat_a_run_and_another_version_asks_anew(project: Make) -> None:
    made = judged(project, "support", settings="verdicts: kept.jsonl")
    run(made)
    kept = (made.path / "kept.jsonl").read_bytes()
    assert len(asked(made)) == 3
    (made.path / "my_judge.py").write_text(JUDGE.format(version="1", verdicts=["neutral"], n=1), encoding="utf-8")
    ran, row = run(made)
    assert (row["verdict"], row["judge"]["rulings"][0]["cached"], len(asked(made))) == ("pass", True, 3)
    assert (made.path / "kept.jsonl").read_bytes() == kept
    ran.stdout.fnmatch_lines(["judge told/1: 1 support (1 of them kept from before)"])
    changed = judged(project, "neutral", version="2", measured="2", settings="verdicts: kept.jsonl")
    _, row = run(changed)
    assert (row["verdict"], len(asked(made))) == ("fail", 6)
    assert [json.loads(line)["version"] for line in (made.path / "kept.jsonl").read_text().splitlines()] == ["2"]


def test_a_run_that_may_write_nothing_keeps_no_verdict(project: Make) -> None:
    made = judged(project, "support", settings="verdicts: kept.jsonl")
    made.runpytest("--grounded-snapshots", "check")
    assert not (made.path / "kept.jsonl").exists()


@pytest.mark.parametrize(("verdict", "checks"), [("support", []), ("neutral", ["claim.unsupported", "slot.missing"])])
def test_a_slot_may_ask_for_a_sentence_that_a_judge_looks_for(project: Make, verdict: str, checks: list[str]) -> None:
    made = judged(project, verdict, cases=STATES)
    _, row = run(made)
    assert [one["check"] for one in row["findings"]] == checks
    assert asked(made)[-1] == (
        "A night costs at most 180 dollars. | Whoever stays in an ordinary hotel may spend $180 nightly."
    )


def test_a_sentence_that_is_said_word_for_word_needs_no_judge(project: Make) -> None:
    made = project(cases=STATES.replace("A night costs at most 180 dollars.", "the nightly hotel limit is $180"))
    (made.path / "app.py").write_text(SYSTEM.replace("in standard cities is", "is"), encoding="utf-8")
    _, row = run(made)
    assert "slot.missing" not in {one["check"] for one in (*row["findings"], *row["not_judged"])}
    made = project(cases=STATES)
    _, row = run(made)
    assert "slot.missing" in {one["check"] for one in row["not_judged"]}
