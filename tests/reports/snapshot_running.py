"""Runs the plugin over a project with approved traces, as a report about snapshots tells it, and holds it to the verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import load_case_file
from pytest_grounded.model.case import Case
from pytest_grounded.redaction import Redactor
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import Trace
from pytest_grounded.snapshots.trace import build_trace
from pytest_grounded.snapshots.writer import dumps
from pytest_grounded.systems.reading import read_reply
from tests.reports.adapter import our_names
from tests.reports.snapshot_adapter import CHUNK, STATED, SnapshotReport, load_snapshot_report

__all__ = ["check_snapshots"]

_CORPUS = f"""\
corpus: travel
as_of: 2025-03-01
default_readers: ["*"]
chunks:
  - {{id: "{CHUNK}", text: "{STATED}"}}
"""
_SYSTEM = """\
import json
from pathlib import Path

REPLIES = json.loads(Path(__file__).with_name("replies.json").read_text(encoding="utf-8"))


def answer(request):
    return REPLIES[request.question]
"""
_SKIPS = """\
import pytest


@pytest.fixture(autouse=True)
def skipped(request):
    if request.node.name in {names!r}:
        pytest.skip("not today")
"""


def check_snapshots(data: Mapping[str, Any], pytester: pytest.Pytester) -> None:
    """Try a file about snapshots; raises AssertionError where its verdict is not met."""
    report = load_snapshot_report(data)
    assert report.runs
    make_project(pytester.path, report)
    before = stored(pytester.path)
    for arguments, skipped in report.runs:
        (pytester.path / "conftest.py").write_text(_SKIPS.format(names=skipped) if skipped else "", encoding="utf-8")
        result = pytester.runpytest("-p", "no:cacheprovider", *arguments)
        said = result.stdout.str()
        found = set(re.findall(r"^ *((?:trace|snapshot)\.[a-z_]+)(?= |:)", said, re.MULTILINE))
        if report.expected_verdict == "pass":
            assert result.ret == pytest.ExitCode.OK, said
        else:
            assert result.ret == pytest.ExitCode.TESTS_FAILED, said
            assert found & our_names(report.failing_check), said
        assert stored(pytester.path) == before


def make_project(root: Path, report: SnapshotReport) -> None:
    """Cases, a system that gives the report's reply, and what stands on disk."""
    folder = root / "cases" / "travel"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text(_CORPUS, encoding="utf-8")
    questions = {case: f"What is the {case.replace('-', ' ')}?" for case in report.cases}
    cases = "".join(
        f"  - {{id: {case}, kind: answerable, question: '{question}', expect: {{cite: ['{CHUNK}']}}}}\n"
        for case, question in questions.items()
    )
    (folder / "stay.yaml").write_text("cases:\n" + cases, encoding="utf-8")
    (root / "app.py").write_text(_SYSTEM, encoding="utf-8")
    (root / "replies.json").write_text(json.dumps(dict.fromkeys(questions.values(), report.reply)), encoding="utf-8")
    (root / "pytest.ini").write_text("[pytest]\ngrounded_system = app:answer\n", encoding="utf-8")
    loaded = load_case_file(folder / "stay.yaml", root=root, cases_roots=(root / "cases",)).cases
    traces = root / "snapshots" / "travel"
    traces.mkdir(parents=True)
    for case in loaded:
        if report.raw is not None:
            (traces / f"{case.id}.json").write_text(report.raw, encoding="utf-8")
        elif report.stored is not None or report.gone or len(loaded) > 1:
            given = report.reply if report.stored is None else report.stored
            (traces / f"{case.id}.json").write_text(dumps(trace_of(case, given)), encoding="utf-8")
    for name in report.gone:
        (traces / f"{name}.json").write_text(dumps(trace_of(loaded[0], report.reply)), encoding="utf-8")


def trace_of(case: Case, reply: Mapping[str, Any]) -> Trace:
    """The trace of a reply; a credential that ours would refuse to write stands in it all the same."""
    known = ("decision", "reason_code", "text", "claims", "internal")
    try:
        return build_trace(case, read_reply(dict(reply)), redactor=Redactor(case.view))
    except SnapshotError:
        bare = build_trace(case, read_reply({key: reply[key] for key in known}), redactor=Redactor(case.view))
        return {**bare, "other": {key: value for key, value in reply.items() if key not in known}}


def stored(root: Path) -> dict[str, bytes]:
    folder = root / "snapshots"
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
