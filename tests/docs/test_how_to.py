"""Every how-to shows a suite that passes as it stands, and what fails when: both are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from pytest_grounded.model.vocabulary import CaseKind
from tests.docs.how_to import HOW_TO, ROOT, Change, blocks, changes, findings, shows, write, write_files

CHANGES = [(page, change) for page in HOW_TO for change in changes(page)]


def name(value: Path | Change) -> str:
    return value.stem if isinstance(value, Path) else value.new


@pytest.mark.parametrize("page", [*HOW_TO, ROOT / "docs" / "incidents.md"], ids=name)
def test_a_page_read_from_top_to_bottom_does_what_it_shows(
    page: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = ""
    for block in blocks(page):
        match block.what:
            case "file":
                write(block, pytester.path)
            case "run":
                printed = run(block.text, pytester, capsys)
            case "output":
                assert shows(printed, block.text) == []


def run(command: str, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> str:
    program, *words = shlex.split(command)
    if program == "pytest":
        return pytester.runpytest("-p", "no:cacheprovider", *words).stdout.str()
    assert program == "pytest-grounded"
    capsys.readouterr()
    main(words)
    return "".join(capsys.readouterr())


def test_what_a_page_says_is_added_is_added(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "incidents.md"
    for block in blocks(page)[:4]:
        if block.what == "file":
            write(block, pytester.path)
        else:
            run(block.text, pytester, capsys)
    found = re.search(r"```diff\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    shown = "".join(line[1:] or "\n" for line in found[1].splitlines(keepends=True))
    assert (pytester.path / "cases/hotels/limits.yaml").read_text(encoding="utf-8").endswith(shown)


@pytest.mark.parametrize(("page", "change"), CHANGES, ids=name)
def test_a_change_of_the_assistant_leads_to_the_findings_shown(page: Path, change: Change, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    source = (tmp_path / "assistant.py").read_text(encoding="utf-8")
    assert change.old in source
    assert findings(tmp_path, source.replace(change.old, change.new)) == change.findings


def test_there_is_a_page_for_every_kind() -> None:
    assert {page.stem.replace("-", "_") for page in HOW_TO if changes(page)} == {kind.value for kind in CaseKind}
