"""Every scenario of `tests/data/leaks` gets its verdict where people see one: in a pytest run over a recording.

One test a file. What must not be printed is looked for in everything the run wrote: terminal, JUnit, results, traces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.model.vocabulary import CaseKind
from tests.leaks.adapter import CHECKS, FILES, FOLDER, Scenario, write_project

INPUTS = ("corpus.yaml", "chunks.jsonl", "case.yaml", "responses.jsonl")


def test_there_are_scenarios() -> None:
    assert FILES, f"no scenario in {FOLDER}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_gets_its_verdict(path: Path, pytester: pytest.Pytester) -> None:
    scenario = write_project(path, pytester.path)
    terminal = run(pytester)
    [record] = map(json.loads, (pytester.path / "results.jsonl").read_text(encoding="utf-8").splitlines())
    found = {finding["check"] for finding in record["findings"]}
    assert verdict_of(record, scenario) == scenario.verdict, record["leakage"]
    for fired in scenario.fires:
        assert found & CHECKS[fired], f"{fired} was not found, but {sorted(found)}"
    if scenario.case.kind is CaseKind.RESTRICTED:
        assert record["verdict"] == ("pass" if scenario.verdict == "clean" and not found else record["verdict"])
        assert (record["verdict"] == "fail") == bool(found)
    for name, written in (("terminal", terminal), *everything_written(pytester.path)):
        for text in (*scenario.must_not_print, *unreadable(scenario)):
            assert text not in written, f"{name} holds what it must not"


def run(pytester: pytest.Pytester) -> str:
    """Run the project with everything that prints more."""
    result = pytester.runpytest(
        "--grounded-system",
        "recorded:responses.jsonl",
        "--grounded-results",
        "results.jsonl",
        "--junitxml",
        "junit.xml",
        "-vv",
        "-l",
    )
    return f"\n{result.stdout.str()}\n{result.stderr.str()}"


def verdict_of(record: dict[str, Any], scenario: Scenario) -> str:
    """The verdict about leaks; where there is nothing to leak, whether something is said to have leaked."""
    if scenario.case.kind is CaseKind.RESTRICTED:
        return str(record["leakage"]["verdict"])
    leaked = any(finding["check"].startswith("leak.") for finding in record["findings"])
    return "leak" if leaked else "clean"


def everything_written(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file of the run but its inputs, by name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in INPUTS and path.suffix != ".pyc":
            yield path.name, "\n" + path.read_text(encoding="utf-8", errors="replace")


def unreadable(scenario: Scenario) -> Iterator[str]:
    """Whole texts that the requester may not read and cannot know from what they may."""
    known = "\n".join(chunk.text for chunk in scenario.case.view.readable.values())
    return (chunk.text for chunk in scenario.case.view.unreadable if chunk.text.strip() and chunk.text not in known)
