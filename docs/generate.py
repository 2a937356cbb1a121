"""Writes the reference pages from what they describe, so that they cannot drift: `python docs/generate.py`.

`python docs/generate.py --check` exits with 1 where a page is not what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from reference_pages import reference_pages

from pytest_grounded.checks.catalogue import CATALOGUE, CheckInfo
from pytest_grounded.files import write_whole
from pytest_grounded.testing.faults import FAULTS

HERE = Path(__file__).parent


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {"checks.md": checks_page(), "faults.md": faults_page(), **reference_pages()}


def checks_page() -> str:
    """What every check is called, when it finds something, and whose failure that usually is."""
    lines = [
        "# Checks",
        "",
        "A finding fails the case it is found in. Its name is stable. The owner says who can usually",
        "mend it: the people behind the corpus, retrieval and the gate, generation, or delivery.",
        "",
    ]
    for family, found in groupby(CATALOGUE.values(), key=lambda info: info.name.partition(".")[0]):
        lines += [f"## {family}", ""]
        for info in found:
            lines += _check(info)
    return "\n".join(lines).rstrip() + "\n"


def _check(info: CheckInfo) -> Iterator[str]:
    yield f"### `{info.name}`"
    yield ""
    yield f"{info.summary} Owner: {info.owner.value}." + (" It cannot be waived." if info.never_waived else "")
    yield ""
    if info.passes and info.fails:
        yield f"- passes: {info.passes}"
        yield f"- fails: {info.fails}"
        yield ""


def faults_page() -> str:
    """Every planted fault by stage, whose failure it is, and what sees it where a single run cannot."""
    lines = [
        "# Planted faults",
        "",
        "Each of these breaks one thing in the reference pipeline. A suite that passes with one of them in place would",
        "pass with it in production. Which case and which check of your suites notice each of them:",
        "",
        "```sh",
        "python -m pytest_grounded.testing.faults --cases cases        # all; --all: every case that does",
        "python -m pytest_grounded.testing.faults number_changed       # one",
        "```",
        "",
        "In Python, `pytest_grounded.testing.faults` has `FAULTS`, `fault(name)` and `run_fault(fault, cases)`.",
        "",
    ]
    now = [one for one in FAULTS if not one.channel and not one.later]
    for stage, found in groupby(now, key=lambda one: one.stage):
        lines += [f"## {stage}", "", "| fault | what is broken | owner |", "| --- | --- | --- |"]
        lines += [*(f"| `{one.name}` | {one.what} | {one.owner.value} |" for one in found), ""]
    lines += ["## Leaks", "", "| fault | way out | what leaks | owner |", "| --- | --- | --- | --- |"]
    lines += [f"| `{one.name}` | {one.channel} | {one.what} | {one.owner.value} |" for one in FAULTS if one.channel]
    lines += ["", "## What a single run cannot show", "", "| fault | what is broken | seen by |", "| --- | --- | --- |"]
    lines += [f"| `{one.name}` | {one.what} | `{one.later}` |" for one in FAULTS if one.later]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the pages."""
    stale = [name for name, text in pages().items() if _current(name) != text]
    if "--check" in arguments:
        return 1 if stale else 0
    for name in stale:
        write_whole(HERE / name, [pages()[name]])
    return 0


def _current(name: str) -> str | None:
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
