"""Every reproduction of a reported fault gets the verdict it was given, whatever a naive check would say.

`GROUNDED_REPORTS` names another folder of such files.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.model.finding import Finding
from tests.reports.adapter import Report, load_report, our_names

FOLDER = Path(os.environ.get("GROUNDED_REPORTS") or Path(__file__).parents[1] / "data" / "reports")
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_reported_fault_gets_its_verdict(path: Path) -> None:
    report = load_report(path)
    if report.case is None or report.outcome is None:
        pytest.skip(f"its subject is a {report.subject}, not an answer")
    if (report.failing_check or "").startswith("leak."):
        pytest.skip(f"{report.failing_check} is judged apart from these checks")
    found = _findings(report)
    said = "\n".join(f"{finding.check} {finding.field}: {finding.message}" for finding in found)
    if report.expected_verdict == "pass":
        assert not found, said
    else:
        assert our_names(report.failing_check) & {finding.check for finding in found}, said or "nothing was found"


def test_there_are_reports_to_judge() -> None:
    assert FILES, f"no report in {FOLDER}"


def _findings(report: Report) -> list[Finding]:
    assert report.case is not None
    assert report.outcome is not None
    judged = Judged(case=report.case, outcome=report.outcome, view=report.case.view)
    return [item for check in DEFAULT_CHECKS for item in check(judged) if isinstance(item, Finding)]
