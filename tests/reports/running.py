"""Runs pytest and the command line on projects made of reports, and reads back what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.reports.adapter import RECORDING, Report, write_answer, write_case_file

__all__ = ["Answers", "CaseFiles", "Ran", "judge_answers", "judge_case_files", "run_pytest"]

_RESULTS = "results.jsonl"
_COMMAND = "import sys; from pytest_grounded.cli import main; sys.exit(main())"


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A finished run: exit code and everything it printed."""

    exit_code: int
    output: str


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What a run over cases with a recorded response says of each, by the name of its suite."""

    results: Mapping[str, Mapping[str, Any]]
    output: str

    def result_of(self, suite: str) -> Mapping[str, Any]:
        """The line of the results file; a case that was not run fails with what pytest said of its file."""
        assert suite in self.results, f"the case was not run: {self._said_of(suite)}"
        return self.results[suite]

    def _said_of(self, suite: str) -> str:
        lines = [line for line in self.output.splitlines() if f"cases/{suite}/" in line]
        return "\n".join(lines) or self.output


@dataclass(frozen=True)
class CaseFiles:
    """What `lint` finds in case files, and what a run over them prints."""

    errors: Sequence[Mapping[str, Any]]
    run: Ran

    def errors_of(self, path: str) -> list[Mapping[str, Any]]:
        """The errors of one file."""
        return [error for error in self.errors if error["file"] == path]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the run."""
        return tuple(self.run.output.splitlines())


def judge_answers(reports: Sequence[Report], root: Path) -> Answers:
    """One run over every file about an answer."""
    for report in reports:
        write_answer(report, root / "cases")
    ran = run_pytest(root, "--grounded-results", _RESULTS, "-q")
    results = root / _RESULTS
    rows = map(json.loads, results.read_text(encoding="utf-8").splitlines()) if results.is_file() else ()
    return Answers(results={row["suite"]: row for row in rows}, output=ran.output)


def judge_case_files(reports: Sequence[Report], root: Path) -> CaseFiles:
    """`lint` over every file about a case file, and a run in which no system answers, so that every case is shown."""
    for report in reports:
        write_case_file(report, root / "cases")
    (root / RECORDING).touch()
    lint = _run([sys.executable, "-c", _COMMAND, "lint", "--format", "json", "cases"], root)
    return CaseFiles(errors=json.loads(lint.output)["errors"], run=run_pytest(root, "-v"))


def run_pytest(root: Path, *options: str, snapshots: str = "off") -> Ran:
    """Run pytest on a project; a file that cannot be used does not keep the others from being run."""
    (root / "pytest.ini").write_text(f"[pytest]\ngrounded_system = recorded:{RECORDING}\n", encoding="utf-8")
    modes = ["--grounded-snapshots", snapshots, "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    return _run([sys.executable, "-m", "pytest", *modes, *options, "cases"], root)


def _run(command: Sequence[str], root: Path) -> Ran:
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
    done = subprocess.run(
        command,
        cwd=root,
        env={**plain, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    return Ran(exit_code=done.returncode, output=done.stdout + done.stderr)
