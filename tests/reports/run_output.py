"""Tries whether anything secret stands in what a run writes: on the terminal, in the JUnit report, in the results file.

An artefact of this kind is a description for people. Read from it are the texts in quotes, which are planted where no
report may show them: in a chunk the requester may not read, in the system under test, in what it replies and raises.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.reports.adapter import Report, quoted_texts
from tests.reports.running import run_pytest

__all__ = ["check_secrets"]

_QUESTIONS = {"showing": "When does it open?", "raising": "When does it raise?"}
_OPTIONS = ("--junitxml", "report.xml", "--grounded-results", "results.jsonl", "-vv", "--showlocals", "-rA")


def check_secrets(report: Report, root: Path) -> None:
    """Fail two cases of a system that holds and shows the texts, and look for them in everything written."""
    secrets = quoted_texts(report)
    assert secrets, "the artefact quotes nothing that could be planted"
    _write_suite(root, secrets)
    (root / "conftest.py").write_text(_CONFTEST.format(secrets=secrets), encoding="utf-8")
    ran = run_pytest(root, *_OPTIONS)
    assert ran.exit_code == 1, ran.output
    written = [ran.output, *((root / name).read_text(encoding="utf-8") for name in ("report.xml", "results.jsonl"))]
    assert not [secret for secret in secrets if any(secret in text for text in written)]


_CONFTEST = """
import pytest


class System:
    def __init__(self):
        self.secrets = {secrets!r}
        self.api_key = self.secrets[-1]

    def answer(self, request):
        settings = self.__dict__
        if "raise" in request.question:
            raise RuntimeError(f"cannot connect with {{settings}}")
        return {{"decision": "answer", "text": " ".join(self.secrets), "claims": []}}


@pytest.fixture(scope="session")
def grounded_system():
    return System()
"""


def _write_suite(root: Path, secrets: Sequence[str]) -> None:
    folder = root / "cases" / "suite"
    folder.mkdir(parents=True)
    hidden = [{"id": f"hidden-{n}", "text": text, "readers": ["hr"]} for n, text in enumerate(secrets)]
    chunks = [{"id": "open", "text": "The canteen opens at 8.", "readers": ["*"]}, *hidden]
    cases = [{"id": name, "kind": "answerable", "question": question} for name, question in _QUESTIONS.items()]
    manifest = {"corpus": "suite", "as_of": "2025-03-01", "chunks": chunks}
    (folder / "corpus.yaml").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "cases.yaml").write_text(json.dumps({"cases": cases}), encoding="utf-8")
