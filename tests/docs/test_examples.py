"""The commands that the pages show print what the pages show."""

from __future__ import annotations

import doctest
import re
import shlex
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_grounded.cli import main

ROOT = Path(__file__).parents[2]
_EXAMPLE = re.compile(
    r"```sh\npytest-grounded (?P<command>[^\n]+)\n```\n+<!-- output -->\n```\n(?P<output>.*?)\n```", re.DOTALL
)


class Example(NamedTuple):
    page: str
    command: str
    output: str


def examples() -> list[Example]:
    pages = (ROOT / "README.md", ROOT / "docs" / "judging.md", ROOT / "docs" / "calibration.md")
    return [
        Example(page.name, found["command"], found["output"])
        for page in pages
        for found in _EXAMPLE.finditer(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("example", examples(), ids=[f"{one.page}-{one.command.split()[0]}" for one in examples()])
def test_a_command_prints_what_its_page_shows(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("benchmarks", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    main(shlex.split(example.command))
    printed = iter(capsys.readouterr().out.splitlines())
    for line in example.output.splitlines():
        pattern = line.replace("[", "[[]").replace("...", "*")
        assert any(fnmatchcase(one, pattern) for one in printed), f"{example.page}: {line}"


def test_the_figures_of_a_page_are_what_its_functions_give() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "measuring.md"), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_every_page_has_an_example() -> None:
    assert {one.page for one in examples()} == {"README.md", "judging.md", "calibration.md"}
