"""How the commands end that are stopped, or are given a system that does not work."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pytest_grounded.cli
from pytest_grounded.cli import COMMANDS
from pytest_grounded.testing import ablation, faults

SUITE = {
    "corpus.yaml": """\
corpus: hotels
as_of: 2024-10-01
default_readers: ["*"]
chunks:
  - {id: limit, text: The nightly hotel limit is $180.}
  - {id: memo, text: Project Bluebird raises the limit to $312., readers: [board]}
""",
    "limits.yaml": """\
cases:
  - id: limit
    kind: answerable
    question: What is the nightly hotel limit?
    expect: {slots: [{name: limit, values: ["180"], evidence: [limit]}]}
  - {id: parking, kind: unanswerable, question: What does airport parking cost?}
""",
    "crashing.py": """\
def answer(request):
    if REPLIES and "parking" in request.question:
        return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I could not find this."}
    return look_up(request)


def look_up(request):
    raise LookupError("no index for Project Bluebird")


REPLIES = False


def answer_some(request):
    global REPLIES
    REPLIES = True
    return answer(request)


class Assistant:
    def answer(self, request):
        return {}
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cases/hotels").mkdir(parents=True)
    for name, text in SUITE.items():
        (tmp_path / ("" if name.endswith(".py") else "cases/hotels") / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def _stop(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("module", "main"), [(faults, faults.main), (ablation, ablation.main)], ids=["faults", "ablation"]
)
@pytest.mark.parametrize("does", ["suites_below", "_parser"])
def test_ctrl_c_ends_a_module_that_is_run_with_one_line(
    module: Any, main: Callable[[list[str]], int], does: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(module, does, _stop)
    assert main([]) == 130
    assert tuple(capsys.readouterr()) == ("", "\nstopped\n")


ARGUMENTS = {
    "ask": ["question", "--suite", "hotels"],
    "calibrate": ["rows.jsonl"],
    "corpus": ["update", "hotels", "--from-docs", "docs"],
    "judge": ["labels.jsonl"],
    "schema": ["case"],
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("does", ["add_arguments", "run"])
def test_ctrl_c_ends_every_command_with_one_line(
    name: str, does: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.import_module(f"pytest_grounded.cli.{name}"), does, _stop)
    assert pytest_grounded.cli.main([name, *ARGUMENTS.get(name, [])]) == 130
    assert tuple(capsys.readouterr()) == ("", "\nstopped\n")


@pytest.mark.usefixtures("project")
def test_a_system_that_never_replies_is_named_with_the_place_and_no_fault_escapes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert faults.main(["--system", "crashing:answer"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("the system 'crashing:answer' itself fails in 2 of 2 cases, first in hotels/limit: Lookup")
    assert "(crashing.py:8, in look_up); it has to reply before faults can be planted in it\n" in error
    assert "Bluebird" not in error


@pytest.mark.usefixtures("project")
def test_a_system_that_fails_in_some_cases_is_said_beside_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert faults.main(["--system", "crashing:answer_some", "number_changed"]) == 1
    out, error = capsys.readouterr()
    assert out.endswith("1 faults, 1 escaped\n")
    assert error.startswith("the system 'crashing:answer_some' itself fails in 1 of 2 cases, first in hotels/limit: ")
    assert error.endswith("(crashing.py:8, in look_up): no fault can be planted there\n")


@pytest.mark.usefixtures("project")
def test_what_is_no_system_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert faults.main(["--system", "crashing:Assistant"]) == 2
    assert capsys.readouterr().err.startswith("--system 'crashing:Assistant': the system is the class 'Assistant'")
