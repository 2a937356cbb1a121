"""Reads the pages that show a suite: its files, the commands that are run on it, and what fails when it is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.systems.calling import Caller

ROOT = Path(__file__).parents[2]
HOW_TO = sorted((ROOT / "docs" / "how-to").glob("*.md"))

_BLOCK = re.compile(
    r"<!-- (?P<what>file: (?P<name>\S+)|run|output) -->\n```\w*\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)
_ROW = re.compile(r"^\| `(?P<old>[^`]+)` \| `(?P<new>[^`]+)` \| (?P<findings>[^|]*?) ?\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """Something a page does: a file it writes, a command it runs, the lines that command shows."""

    what: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the shown assistant, and the findings it leads to."""

    old: str
    new: str
    findings: tuple[str, ...]


def blocks(page: Path) -> list[Block]:
    """What a page does, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found["what"].partition(":")[0], found["name"] or "", found["text"]) for found in _BLOCK.finditer(text)
    ]


def changes(page: Path) -> list[Change]:
    """The rows of the table that says what fails when."""
    return [
        Change(found["old"], found["new"], tuple(re.findall(r"`([^`]+)`", found["findings"])))
        for found in _ROW.finditer(page.read_text(encoding="utf-8"))
    ]


def write_files(page: Path, folder: Path) -> None:
    """Write the files a page shows below a folder."""
    for block in blocks(page):
        if block.what == "file":
            write(block, folder)


def write(block: Block, folder: Path) -> None:
    """Write a file a page shows, below a folder."""
    path = folder / block.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def shows(printed: str, expected: str) -> list[str]:
    """The expected lines that are not among those printed, in their order; `...` stands for anything."""
    left = iter(printed.splitlines())
    return [
        line
        for line in expected.splitlines()
        if not any(fnmatchcase(one, line.replace("[", "[[]").replace("...", "*")) for one in left)
    ]


def findings(folder: Path, source: str) -> tuple[str, ...]:
    """The checks that fail over the cases of a folder with an assistant of that source, each once."""
    names: dict[str, object] = {}
    exec(compile(source, "assistant.py", "exec"), names)  # noqa: S102  # the page's own source
    with Caller() as caller:
        return tuple(dict.fromkeys(_checks(folder, LiveAsker(names["answer"], caller))))


def _checks(folder: Path, asker: LiveAsker) -> Iterator[str]:
    for path in discover([folder / "cases"]):
        for case in load_case_file(path, root=folder, cases_roots=[folder / "cases"]).cases:
            yield from (one.check for one in examine(case, asker).findings)


def _rewrite(page: Path) -> None:
    """Put what is found now into the table of a page."""

    def row(found: re.Match[str]) -> str:
        shown = ", ".join(f"`{check}`" for check in findings(folder, source.replace(found["old"], found["new"])))
        return f"| `{found['old']}` | `{found['new']}` | {shown} |"

    with TemporaryDirectory() as name:
        folder = Path(name)
        write_files(page, folder)
        if changes(page):
            source = (folder / "assistant.py").read_text(encoding="utf-8")
            page.write_text(_ROW.sub(row, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":  # python -m tests.docs.how_to
    for one in HOW_TO:
        _rewrite(one)
