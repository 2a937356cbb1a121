"""Reported faults, turned into the records their applications would have kept, become cases that fail for that reason.

`GROUNDED_REPORTS` names another folder of reports.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cli import main
from tests.incidents.reports import record_of
from tests.reports.adapter import Report, load_reports

FOLDER = Path(os.environ.get("GROUNDED_REPORTS") or Path(__file__).parents[1] / "data" / "reports")
REPORTS = [report for report in load_reports(FOLDER) if report.subject == "answer"]
FAULTS = [report for report in REPORTS if report.fails and not report.is_semantic]
SOUND = [report for report in REPORTS if not report.fails]


def name_of(report: Report) -> str:
    return report.id


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which the command is run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(report: Report, capsys: pytest.CaptureFixture[str], *, expected: bool) -> tuple[int, Mapping[str, Any]]:
    Path("incident.json").write_text(record_of(report, expected=expected), encoding="utf-8")
    code = main(["add", "incident.json", "--suite", report.id.lower(), "--create", "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def checks_of(said: Mapping[str, Any]) -> set[str]:
    return {finding["check"] for finding in said["findings"]}


def test_there_are_enough_faults_to_tell() -> None:
    assert len(FAULTS) >= 10


@pytest.mark.parametrize("report", FAULTS, ids=name_of)
def test_a_fault_becomes_a_case_that_fails_with_its_check(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = add(report, capsys, expected=True)
    assert code == 0, said
    assert said["added"]
    assert report.checks & checks_of(said)
    code, said = add(report, capsys, expected=True)
    assert code == 2, "the same incident is added only once"
    assert said["problems"][0]["code"] == "add.duplicate"


@pytest.mark.parametrize("report", FAULTS, ids=name_of)
def test_nobody_says_what_was_expected_and_the_case_still_fails_for_that_reason_or_asks(
    report: Report, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = add(report, capsys, expected=False)
    if code == 2:
        assert said["problems"][0]["code"] == "add.expected"
        assert not (project / "cases").exists()
        return
    assert report.checks & checks_of(said)
    assert code == 0


@pytest.mark.parametrize("report", SOUND, ids=name_of)
def test_a_sound_reply_makes_no_case(report: Report, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = add(report, capsys, expected=True)
    assert code == 1
    assert not said["added"]
    assert not checks_of(said)
    assert not (project / "cases").exists()


def test_a_run_of_pytest_finds_what_was_shown(
    capsys: pytest.CaptureFixture[str], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pytester.path)
    added = [report for report in FAULTS if add(report, capsys, expected=True)[0] == 0]
    run = ["--grounded-system", "recorded:incidents.jsonl", "--grounded-results", "results.jsonl"]
    pytester.runpytest("cases", *run, "--grounded-snapshots", "off").assert_outcomes(failed=len(added))
    rows = map(json.loads, (pytester.path / "results.jsonl").read_text(encoding="utf-8").splitlines())
    found = {row["suite"]: {finding["check"] for finding in row["findings"]} for row in rows}
    assert all(report.checks & found[report.id.lower()] for report in added)
    assert len(added) >= 10
