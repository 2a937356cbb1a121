"""The README's example is run as it stands."""

import re
import shlex
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
_FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
_RUN = re.compile(r"<!-- run -->\n```sh\npytest (?P<arguments>.*?)\n```", re.DOTALL)
_OUTPUT = re.compile(r"<!-- output -->\n```\n(?P<lines>.*?)\n```", re.DOTALL)

_MISTAKE = re.compile(r"<!-- mistake: (?P<right>.+?) -> (?P<wrong>.+?) -->\n```\n(?P<message>.*?)\n```", re.DOTALL)


@pytest.fixture
def example(pytester: pytest.Pytester) -> pytest.Pytester:
    for found in _FILE.finditer(README):
        path = pytester.path / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"], encoding="utf-8")
    return pytester


def arguments() -> list[str]:
    found = _RUN.search(README)
    assert found
    return shlex.split(found["arguments"])


def test_the_example_fails_as_shown(example: pytest.Pytester) -> None:
    result = example.runpytest(*arguments())
    result.assert_outcomes(passed=2, failed=1)
    shown = _OUTPUT.search(README)
    assert shown
    result.stdout.fnmatch_lines(shown["lines"].replace("[", "[[]").replace("...", "*").splitlines())


def test_the_example_passes_once_the_current_policy_is_quoted(example: pytest.Pytester) -> None:
    path = example.path / "assistant.py"
    mended = path.read_text(encoding="utf-8").replace("$150", "$180").replace("limit-2023", "limit-2024")
    path.write_text(mended, encoding="utf-8")
    example.runpytest(*arguments()).assert_outcomes(passed=3)


def test_a_mistake_is_told_as_shown(example: pytest.Pytester) -> None:
    mistake = _MISTAKE.search(README)
    assert mistake
    path = example.path / "cases" / "hotels" / "limits.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(mistake["right"], mistake["wrong"]), encoding="utf-8")
    result = example.runpytest(*arguments())
    result.assert_outcomes(errors=1)
    assert mistake["message"] in result.stdout.lines


def test_an_incident_becomes_a_case_that_fails_as_shown(
    example: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    from pytest_grounded.cli import main

    command = re.search(r"<!-- incident -->\n```sh\npytest-grounded (.*?)\n```", README, re.DOTALL)
    output = re.search(r"<!-- incident output -->\n```\n(.*?)\n```", README, re.DOTALL)
    assert command
    assert output
    assert main(shlex.split(command[1])) == 0
    assert output[1] in capsys.readouterr().out.splitlines()
    example.runpytest(*arguments()).assert_outcomes(passed=2, failed=2)


def test_every_command_is_in_the_readme() -> None:
    from pytest_grounded.cli import COMMANDS

    assert {name for name in COMMANDS if f"`pytest-grounded {name}" not in README} == set()


def test_every_option_in_the_help_is_in_the_readme(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest("--help").stdout.str()
    options = set(re.findall(r"--grounded-[a-z-]+", shown)) | set(
        re.findall(r"^\s+(grounded_[a-z_]+)", shown, re.MULTILINE)
    )
    assert options
    assert {option for option in options if f"`{option}" not in README} == set()
