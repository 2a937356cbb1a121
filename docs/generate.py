"""Writes the reference pages from what they describe, so that they cannot drift: `python docs/generate.py`.

`python docs/generate.py --check` exits with 1 where a page is not what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pytest_grounded.cases.schema import CaseWritten, FileWritten
from pytest_grounded.cases.supported import NOT_YET_SUPPORTED
from pytest_grounded.checks.catalogue import CATALOGUE, CheckInfo
from pytest_grounded.corpus.manifest import Manifest
from pytest_grounded.files import write_whole
from pytest_grounded.model.evidence import Chunk, Fact
from pytest_grounded.model.response import Response
from pytest_grounded.testing.faults import FAULTS

HERE = Path(__file__).parent


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {"checks.md": checks_page(), "cases.md": cases_page(), "faults.md": faults_page()}


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


def cases_page() -> str:
    """Every key of case files, of chunks and of responses."""
    lines = [
        "# Case files, chunks, responses",
        "",
        "Every plain YAML scalar stays text until its field's type says otherwise: `no`, `0.60`, `1:30` mean what they",
        "look like. A key that is not listed is an error, except in a response, where it counts as visible.",
        "",
        "## A case file",
        "",
        *_table(FileWritten),
        "",
        "## A case",
        "",
        *_table(CaseWritten),
        "",
    ]
    seen: set[type[BaseModel]] = {FileWritten, CaseWritten, Response, Chunk}
    for model in _nested(CaseWritten, seen):
        lines += [f"### {_heading(model)}", "", (model.__doc__ or "").strip().split("\n")[0], "", *_table(model), ""]
    unsupported = ", ".join(f"`{name}`" for name in sorted(NOT_YET_SUPPORTED))
    if unsupported:
        lines += [f"Known and not supported by this version (using one is an error): {unsupported}.", ""]
    lines += ["## A corpus manifest", "", *_table(Manifest), ""]
    lines += ["## A chunk", "", *_table(Chunk), "", "Each entry of `facts`:", "", *_table(Fact), ""]
    lines += ["## A response", "", *_fields_of_response()]
    return "\n".join(lines).rstrip() + "\n"


def _heading(model: type[BaseModel]) -> str:
    return model.__name__.removesuffix("Written").lower()


def _nested(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    """The models that a model's fields hold, each once, in order of the fields."""
    for field in model.model_fields.values():
        for inner in _models_in(field.annotation):
            if inner not in seen:
                seen.add(inner)
                yield inner
                yield from _nested(inner, seen)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models_in(part)


def _table(model: type[BaseModel]) -> Iterator[str]:
    yield "| key | meaning | example |"
    yield "| --- | --- | --- |"
    for name, field in model.model_fields.items():
        shown = field.alias or name
        examples = ", ".join(f"`{example}`" for example in field.examples or ())
        needed = " (required)" if field.is_required() else ""
        yield f"| `{shown}` | {_cell(field.description or '')}{needed} | {_cell(examples)} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _fields_of_response() -> Iterator[str]:
    yield "Only `decision` is required. Everything outside `internal` is what the requester can see."
    yield ""
    yield "| key | what it is |"
    yield "| --- | --- |"
    for name, field in Response.model_fields.items():
        inner = next(_models_in(field.annotation), None)
        doc = ((inner.__doc__ or "").strip().split("\n")[0] if inner else "") or _PLAIN.get(name, "")
        keys = ", ".join(f"`{key}`" for key in inner.model_fields) if inner else ""
        yield f"| `{name}` | {_cell(doc)}{f' Keys: {keys}.' if keys else ''} |"


_PLAIN = {
    "decision": "`answer`, `partial`, `abstain`, `clarify` or `escalate`.",
    "reason_code": "Null, or one of the eleven reason codes (your own ones through `grounded_reason_codes`).",
    "text": "What is shown.",
    "missing": "Parts of the question that are not covered.",
    "next_step": "What the requester can do next.",
    "followups": "Suggested questions.",
    "delivery": "`generated` or `extractive` (quoted as it stands).",
    "confidence": "A number, the score that thresholds are calibrated on.",
}


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
