"""Every reproduction of a reported fault gets the verdict it was given, whatever a naive check would say.

`GROUNDED_REPORTS` names another folder of such files. What is judged goes through the public entry points: case files
and recordings on disk, `pytest`, `pytest-grounded lint`, the results file.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.reports.adapter import Report, load_reports, suite_of, titles_and_questions, write_case_file
from tests.reports.run_output import check_secrets
from tests.reports.running import Answers, CaseFiles, judge_answers, judge_case_files
from tests.reports.snapshot_adapter import is_about_snapshots
from tests.reports.snapshot_running import check_snapshots

HERE = Path(__file__).parent
OWN = HERE.parent / "data" / "reports"
FOLDER = Path(os.environ.get("GROUNDED_REPORTS") or OWN)
NEIGHBOURS = load_reports(HERE / "neighbours")
REPORTS = [*load_reports(FOLDER), *NEIGHBOURS]


def about(subject: str) -> list[Report]:
    return [report for report in REPORTS if report.subject == subject]


def is_of_snapshots(report: Report) -> bool:
    return is_about_snapshots(report.data)


def name_of(report: Report) -> str:
    return report.id


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return judge_answers(about("answer"), tmp_path_factory.mktemp("answers"))


@pytest.fixture(scope="module")
def case_files(tmp_path_factory: pytest.TempPathFactory) -> CaseFiles:
    return judge_case_files(about("case_file"), tmp_path_factory.mktemp("case_files"))


@pytest.mark.parametrize("report", about("answer"), ids=name_of)
def test_an_answer_gets_its_verdict(report: Report, answers: Answers) -> None:
    result = answers.result_of(suite_of(report))
    found = {finding["check"] for finding in result["findings"]}
    said = "\n".join(f"{one['check']} {one['field']}: {one['message']}" for one in result["findings"])
    if not report.fails:
        assert not found, said
        assert result["verdict"] == "pass"
    elif report.is_semantic and report.checks.isdisjoint(found):
        undecided = {one["check"].partition(".")[0] for one in result["not_judged"]}
        assert undecided & {check.partition(".")[0] for check in report.checks}, "neither found nor said to be open"
    else:
        assert report.checks & found, said or "nothing was found"
        assert result["verdict"] == "fail"


@pytest.mark.parametrize("report", about("case_file"), ids=name_of)
def test_a_case_file_gets_its_verdict(report: Report, case_files: CaseFiles, tmp_path: Path) -> None:
    path = str(write_case_file(report, tmp_path / "cases"))
    errors = case_files.errors_of(path)
    lines = [line for line in case_files.lines if path in line]
    assert lines, "the file was not collected"
    refused = any(line.startswith("ERROR") for line in lines)
    if report.fails:
        assert report.checks & {error["code"] for error in errors}, errors
        assert all(error["line"] for error in errors)
        assert refused
        return
    assert not errors
    assert not refused
    for shown in titles_and_questions(report):
        assert shown in case_files.run.output


@pytest.mark.parametrize("report", [one for one in REPORTS if is_of_snapshots(one)], ids=name_of)
def test_a_snapshot_gets_its_verdict(
    report: Report, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    check_snapshots(report.data, pytester)


@pytest.mark.parametrize("report", [one for one in about("run_output") if not is_of_snapshots(one)], ids=name_of)
def test_what_a_run_writes_gets_its_verdict(report: Report, tmp_path: Path) -> None:
    check_secrets(report, tmp_path)


def test_there_are_reports_to_judge() -> None:
    assert REPORTS != NEIGHBOURS, f"no report in {FOLDER}"


def test_every_report_has_a_neighbour_that_fails_and_one_that_passes() -> None:
    verdicts = {(report.id.partition("-")[0], report.fails) for report in NEIGHBOURS}
    lacking = [
        report.id for report in load_reports(OWN) for fails in (True, False) if (report.id, fails) not in verdicts
    ]
    assert not lacking
