"""The page on the pipeline runs: its code, its settings and its command; its table names every stage, step and section."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import shutil
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
import yaml

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.cli import main
from pytest_grounded.pipeline import trace
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.stages import Stages

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "pipeline.md"
TEXT = PAGE.read_text(encoding="utf-8")
_BLOCK = re.compile(r"```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
ROWS = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (?:`(\w+)`)? ?\| .* \| (?:`(\w+)`)? ?\|$", TEXT, re.MULTILINE)


def blocks(kind: str) -> list[str]:
    return [found["text"] for found in _BLOCK.finditer(TEXT) if found["kind"] == kind]


ASSISTANT = """
def answer(request):
    return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I do not know."}
"""


def test_the_code_gives_what_the_page_shows(pytester: pytest.Pytester) -> None:
    """The command lines of the last section are run first: its code reads what they write."""
    shutil.copytree(ROOT / "cases" / "office", pytester.path / "cases" / "office")
    package = pytester.mkpydir("my_app")
    (package / "assistant.py").write_text(ASSISTANT, encoding="utf-8")
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("pytest ")]
    for command in commands:
        pytester.runpytest(*shlex.split(command)[1:])
    assert {path.name for path in pytester.path.glob("*.jsonl")} == {"reference.jsonl", "mine.jsonl"}
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried > 0) == (0, True)
    assert all(block.startswith(">>> ") for block in blocks("python"))


@pytest.mark.parametrize("block", blocks("yaml"))
def test_the_settings_are_read(block: str) -> None:
    data = yaml.safe_load(block)
    settings = PipelineSettings.model_validate(data)
    assert set(settings.model_dump(exclude_unset=True)) == set(data)


def test_the_command_prints_what_the_page_shows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    command, output = re.search(
        r"```sh\npytest-grounded (.+)\n```\n+<!-- output -->\n```\n(.*?)```", TEXT, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    main(shlex.split(command))
    printed = iter(capsys.readouterr().out.splitlines())
    for line in output.splitlines():
        assert line in printed


def test_the_table_names_every_stage_in_order_its_module_and_its_settings() -> None:
    assert [row[0] for row in ROWS] == [field.name for field in fields(Stages)]
    sections = {row[3] for row in ROWS} - {""}
    assert sections == set(PipelineSettings.model_fields) - {"around"}
    defaults = Stages()
    for stage, module, _, _ in ROWS:
        assert getattr(defaults, stage).__module__ == f"pytest_grounded.pipeline.{module}"


def test_every_step_of_a_trace_is_told() -> None:
    steps = {name.removesuffix("_step") for name in trace.__all__ if name.endswith("_step")}
    assert {row[2] for row in ROWS} - {""} | {"repair", "failure"} == steps
    assert all(f"`{step}`" in TEXT for step in steps)


# --- what holds each promise --------------------------------------------------------------------------------------

PROMISES = re.findall(r"^\| (.+?) \| (`.+`) \|$", TEXT.partition("## What holds each promise")[2], re.MULTILINE)
NAMED = sorted({name for _, names in PROMISES for name in re.findall(r"`([^`]+)`", names)})


@cache
def names_in(path: Path) -> frozenset[str]:
    return frozenset(node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))


@cache
def shipped() -> frozenset[str]:
    files = discover([ROOT / "cases"])
    return frozenset(
        f"{case.suite}/{case.id}"
        for path in files
        for case in load_case_file(path, root=ROOT, cases_roots=[ROOT / "cases"]).cases
    )


@pytest.mark.parametrize("named", NAMED)
def test_what_is_said_to_hold_a_promise_is_there(named: str) -> None:
    path, _, test = named.partition("::")
    if not test:
        assert named in shipped()
        return
    file = ROOT / path if path.endswith(".py") else ROOT / "tests" / "pipeline" / f"test_{path}.py"
    assert test in names_in(file)


def test_every_promise_is_held_by_something_and_stands_once() -> None:
    promises = [promise for promise, _ in PROMISES]
    assert len(promises) == len(set(promises))
    assert {"Indirect injection", "A regulated question", "Withdrawn text is never opened"} <= set(promises)
