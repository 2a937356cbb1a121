"""The README's example is run as it stands."""

import re
import shlex
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
_FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
_RUN = re.compile(r"<!-- run -->\n```sh\npytest (?P<arguments>.*?)\n```", re.DOTALL)
_OUTPUT = re.compile(r"<!-- output -->\n```\n(?P<lines>.*?)\n```", re.DOTALL)


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


def test_every_option_in_the_help_is_in_the_readme(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest("--help").stdout.str()
    options = set(re.findall(r"--grounded-[a-z-]+", shown)) | set(
        re.findall(r"^\s+(grounded_[a-z_]+)", shown, re.MULTILINE)
    )
    assert options
    assert {option for option in options if f"`{option}" not in README} == set()
