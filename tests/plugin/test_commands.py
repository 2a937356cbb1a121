"""What a run says to type next works as it is printed, and asks the same system in the same way."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.plugin.traced import QUESTIONS, Traced, replies

ALL = len(QUESTIONS)
_SHOW = re.compile(r"^\s+show: pytest (.+)$", re.MULTILINE)
_ACCEPT = re.compile(r"^\s+accept: pytest (.+)$", re.MULTILINE)
_ALL = re.compile(r"^\s+accept all that break no rule: pytest (.+)$", re.MULTILINE)


def typed(pattern: re.Pattern[str], result: pytest.RunResult) -> list[str]:
    """The arguments of the first command that is said."""
    found = pattern.search(result.stdout.str())
    assert found, "no such command is said"
    return shlex.split(found[1])


@pytest.fixture
def rerouted(traced: Traced) -> Traced:
    """The project in which one case is decided otherwise than was approved."""
    traced.approve()
    given = replies()
    given["parking"]["decision"] = "clarify"
    traced.give(given)
    return traced


@pytest.mark.parametrize(
    ("given", "repeated"),
    [
        pytest.param((), (), id="nothing"),
        pytest.param(("cases", "-x", "-vv", "--tb=short"), (), id="a folder, how it is shown"),
        pytest.param(("-k", "parking or hotel", "-m", "grounded"), (), id="a choice of cases"),
        pytest.param(("-kparking", "-qx", "-rA", "-n", "2"), (), id="short options with their values"),
        pytest.param(("-n2", "--dist", "load", "--maxfail", "3"), (), id="workers"),
        pytest.param(("--grounded-run-dir", "out", "--junitxml", "cases.xml"), (), id="what else is written"),
        pytest.param(("cases", "--grounded-results=r.jsonl", "--grounded-drift", "fail"), ("--grounded-drift", "fail")),
        pytest.param(("--grounded-system", "app:answer"), ("--grounded-system", "app:answer"), id="the system"),
        pytest.param(("-o", "grounded_cases=cases", "cases"), ("-o", "grounded_cases=cases"), id="an ini option"),
        pytest.param(("cases", "--rootdir", "."), ("--rootdir", "."), id="the root"),
        pytest.param(("--model", "cases", "cases"), ("--model", "cases"), id="an option of the project, like a path"),
        pytest.param(("--model=a b", "-s"), ("--model=a b",), id="a value with a blank"),
        pytest.param(("--grounded-snapshots", "pending"), (), id="a mode"),
    ],
)
def test_what_decides_how_the_system_is_asked_is_repeated(
    rerouted: Traced, given: tuple[str, ...], repeated: tuple[str, ...]
) -> None:
    rerouted.write("conftest.py", "def pytest_addoption(parser):\n    parser.addoption('--model')\n")
    result = rerouted.run(*given)
    node = rerouted.node("parking")
    assert typed(_SHOW, result) == [node, *repeated, "-vv"]
    approving = ("--grounded-snapshots", "update") if "pending" in given else ("--snapshot-update",)
    assert typed(_ACCEPT, result) == [node, *repeated, *approving]


_MODEL = """
import app
import pytest


def pytest_addoption(parser):
    parser.addoption("--model", default="m-1")


@pytest.fixture(scope="session")
def grounded_system(request):
    model = request.config.getoption("--model")

    def answer(question):
        reply = app.answer(question)
        if model == "m-2" and "parking" in question.question:
            reply["decision"] = "clarify"
        return reply

    return answer
"""


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["serial", "two workers"])
def test_the_printed_commands_show_and_approve_the_model_that_was_run(
    traced: Traced, arguments: tuple[str, ...]
) -> None:
    traced.write("conftest.py", _MODEL)
    traced.approve()
    result = traced.run("cases", "--model", "m-2", *arguments)
    result.assert_outcomes(passed=ALL - 1, failed=1)
    traced.run(*typed(_SHOW, result)).stdout.fnmatch_lines(["  decision: abstain -> clarify (rerouted)"])
    traced.run(*typed(_ACCEPT, result)).assert_outcomes(passed=1)
    traced.run("--model", "m-2").assert_outcomes(passed=ALL)
    traced.run().assert_outcomes(passed=ALL - 1, failed=1)


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("cases",),
        ("cases", "-n", "2", "--grounded-results", "r.jsonl"),
        ("--grounded-system", "app:answer", "cases/travel", "-v"),
        ("-k", "hotel or parking"),
        ("cases/travel/stay.yaml", "--deselect", "cases/travel/stay.yaml::hotel"),
        ("-o", "grounded_system=app:answer", "--grounded-snapshots=pending"),
    ],
    ids=" ".join,
)
def test_the_command_that_approves_all_first_traces_runs_over_the_same_cases(
    traced: Traced, given: tuple[str, ...]
) -> None:
    if "--grounded-system" in given or "grounded_system=app:answer" in given:
        traced.write("pytest.ini", "[pytest]\n")
    result = traced.run(*given)
    pending = traced.pending().keys()
    traced.run(*typed(_ALL, result)).assert_outcomes(
        passed=len(pending), **({"deselected": ALL - 2} if "-k" in given else {})
    )
    assert traced.approved().keys() == pending


def test_without_syrupy_our_own_option_approves(rerouted: Traced) -> None:
    result = rerouted.run("-p", "no:syrupy")
    accept = typed(_ACCEPT, result)
    assert accept == [rerouted.node("parking"), "-p", "no:syrupy", "--grounded-snapshots", "update"]
    rerouted.run(*accept).assert_outcomes(passed=1)
    rerouted.run().assert_outcomes(passed=ALL)


def test_what_is_to_be_typed_fits_the_folder_it_is_typed_in(rerouted: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rerouted.path / "cases")
    result = rerouted.run("-c", "../pytest.ini", "travel")
    assert typed(_ACCEPT, result) == ["travel/stay.yaml::parking", "-c", "../pytest.ini", "--snapshot-update"]
    assert (rerouted.path / ".grounded/pending/travel/parking.json").is_file()
    rerouted.run(*typed(_ACCEPT, result)).assert_outcomes(passed=1)
    rerouted.run("-c", "../pytest.ini", "travel").assert_outcomes(passed=ALL)
