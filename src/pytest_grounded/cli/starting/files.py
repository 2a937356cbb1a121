"""The files of a first suite that do not come from documents: example, configuration, adapter, workflow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from pathlib import Path

from pytest_grounded.cli.project import configuration_of, find_project
from pytest_grounded.documents.suggesting import SlotSuggested, Suggestion
from pytest_grounded.documents.writing import yaml_value
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.model.vocabulary import CaseKind, Status

__all__ = [
    "EXAMPLE_CASES",
    "EXAMPLE_DAY",
    "EXAMPLE_REQUESTER",
    "configuration",
    "example_corpus",
    "inline_chunks",
    "still_to_do",
    "workflow",
]

EXAMPLE_DAY = date(2024, 10, 1)
EXAMPLE_REQUESTER = Requester(id="employee", groups=("staff",))
EXAMPLE_CASES = (
    Suggestion(
        kind=CaseKind.ANSWERABLE,
        id="nightly-limit",
        question="What is the nightly hotel limit?",
        why="limit-2024 is in force since July; limit-2023 says $150 and is superseded",
        slots=(SlotSuggested(name="limit", value="180", evidence="limit-2024"),),
    ),
    Suggestion(
        kind=CaseKind.UNANSWERABLE,
        id="airport-parking",
        question="What does airport parking cost?",
        why="no document speaks of parking",
    ),
    Suggestion(
        kind=CaseKind.RESTRICTED,
        id="raise-in-march",
        question="What has the board agreed to raise the hotel limit to?",
        why="only the board may read memo-board",
        about="memo-board",
        insiders=("board",),
    ),
)

_ADAPTER = '''\
"""Puts your assistant behind what pytest-grounded asks of a system."""

import pytest


def answer(request):
    """One question to your assistant, and its reply as a mapping.

    `request` has: question, requester (id, groups, audience, tenant, scope), as_of (a date), history (earlier turns),
    corpus (the chunks: `for chunk in request.corpus`). Retrieve from request.corpus, or from your own index of it;
    the requester's groups decide what may be read.
    """
    raise NotImplementedError("call your assistant here, in answer() of conftest.py, and return its reply")
    return {
        "decision": "answer",  # answer, partial, abstain, clarify or escalate: read from your system, never guessed
        "reason_code": None,  # with abstain and partial: NO_EVIDENCE, PARTIAL_EVIDENCE, CONFLICTING_EVIDENCE, ...
        "text": "...",  # what the user sees
        "claims": [{"text": "...", "citations": [{"chunk": "id of a chunk", "quote": "words of it"}]}],
        "internal": {"evidence": ["ids of the chunks the model was given"]},  # not visible to the user; optional
    }


@pytest.fixture(scope="session")
def grounded_system():
    """The system under test, for every case below this folder."""
    return answer
'''


_JOB = """\
# Every change of code, prompt, model or documents runs the suites.
name: grounded answers
on: [push, pull_request]
permissions: {contents: read}          # all this needs: it reads the repository and writes nothing to it
concurrency:                           # a newer push to the same branch ends the run of the one before
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: true
jobs:
  grounded:
    runs-on: ubuntu-latest
    timeout-minutes: 30                # an assistant that hangs costs no more; one call ends after grounded_timeout
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
          cache: pip                   # packages are downloaded once, and anew when this file changes
          cache-dependency-path: .github/workflows/grounded.yml   # better: your requirements.txt or pyproject.toml
      # and what your assistant needs, such as -r requirements.txt
      - run: python -m pip install pytest-grounded
      # -n auto: a worker for every core. CI is set here, so that a case without an approved trace fails, and so does a
      # trace that changed; --grounded-orphans fail: also an approved trace of no case.
      - run: pytest cases -n auto --grounded-orphans fail --grounded-results grounded-results.jsonl
"""
_UPLOAD = """\
      # What the run wrote: one line a case, and the traces that differ. Open them with `gh run download`.
      - uses: actions/upload-artifact@v4
        if: ${{ !cancelled() }}        # after a failure as well: that is when it is read
        with:
          name: grounded
          path: |
            grounded-results.jsonl
            .grounded/
          include-hidden-files: true   # .grounded/ is one
          if-no-files-found: ignore
          retention-days: 14
"""
_NOT_FOR_ALL = """\
      # What the run wrote can be kept for reading. It holds nothing that the requester of a case may not read, but it
      # does hold what they may, and not everybody who sees this repository may read every document of this corpus.
      # Take the # away where everybody may.
"""


def workflow(*, is_for_all: bool) -> str:
    """A workflow for GitHub Actions; where not everybody may read every document, it keeps nothing of the run.

    >>> [line for line in workflow(is_for_all=False).splitlines() if "upload-artifact" in line]
    ['      # - uses: actions/upload-artifact@v4']
    """
    if is_for_all:
        return _JOB + _UPLOAD
    kept = "".join(f"      # {line[6:]}" for line in _UPLOAD.splitlines(keepends=True)[1:])
    return _JOB + _NOT_FOR_ALL + kept


def example_corpus(day: date) -> Corpus:
    """Three chunks: one in force, the one it replaced, one that only the board may read."""
    return Corpus(
        name="example",
        as_of=day,
        chunks=(
            Chunk(
                id="limit-2024",
                text="The nightly hotel limit is $180.",
                effective_from=date(2024, 7, 1),
                supersedes=("limit-2023",),
                readers=("*",),
            ),
            Chunk(
                id="limit-2023",
                text="The nightly hotel limit is $150.",
                effective_from=date(2023, 1, 1),
                status=Status.SUPERSEDED,
                readers=("*",),
            ),
            Chunk(
                id="memo-board",
                text="The board has agreed to raise the hotel limit to $240 in March.",
                readers=("board",),
            ),
        ),
    )


_MEANING = {
    "effective_from": "first day it holds",
    "supersedes": "what it replaces: those may not be cited any more",
    "readers": "groups that may read it; nobody else may learn that it exists",
}


def inline_chunks(chunks: Iterable[Chunk]) -> str:
    """Chunks as YAML for people, each field explained where it first stands."""
    lines: list[str] = []
    explained: set[str] = set()
    for chunk in chunks:
        written = chunk.model_dump(mode="json", exclude_defaults=True)
        if chunk.readers == ("*",):
            written.pop("readers", None)
        for number, (key, value) in enumerate(written.items()):
            line = f"  {'- ' if number == 0 else '  '}{key}: {yaml_value(value)}"
            if key in _MEANING and key not in explained:
                explained.add(key)
                line += f"   # {_MEANING[key]}"
            lines.append(line)
    return "\n".join(lines) + "\n"


def configuration(root: Path, kind: str, *, is_configured: bool) -> dict[Path, str]:
    """The configuration of pytest, where the project has none, and the adapter of a Python system."""
    made: dict[Path, str] = {}
    if not is_configured:
        made[root / "pytest.ini"] = _ini(kind)
    if kind == "python" and not (root / "conftest.py").exists():
        made[root / "conftest.py"] = _ADAPTER
    return made


def _ini(kind: str) -> str:
    return (
        "[pytest]\n"
        "# Folders with case files: every *.yaml in them that has the key `cases`.\n"
        "grounded_cases = cases\n" + _system_lines(kind)
    )


def _system_lines(kind: str) -> str:
    match kind:
        case "python":
            return "# The system under test is the fixture grounded_system in conftest.py.\n"
        case "recorded":
            return (
                "# The system under test: replies you recorded, one JSON object a line, beside the cases.\n"
                "grounded_system = recorded:responses.jsonl\n"
            )
        case _:
            return (
                "# The system under test: the embedded pipeline. Yours would be package.module:function.\n"
                "grounded_system = reference\n"
            )


def still_to_do(root: Path, kind: str, suite: str, contents: Collection[Path]) -> list[str]:
    """What a person does next, in order."""
    return [
        *_configured_by_hand(root, kind, contents),
        *_connected_by_hand(root, kind, suite, contents),
        f"pytest cases/{suite}",
        "pytest --grounded-snapshots new     (approves the trace of every case that passes; commit snapshots/)",
        "pytest-grounded lint                (says what is odd or weak, and what no case exercises yet)",
    ]


def _configured_by_hand(root: Path, kind: str, contents: Collection[Path]) -> Iterator[str]:
    system = {"recorded": "recorded:responses.jsonl", "reference": "reference"}.get(kind)
    if system is None or root / "pytest.ini" in contents or find_project(start=root).system == system:
        return
    file = configuration_of(root)
    line = f'grounded_system = "{system}"' if file.endswith(".toml") else f"grounded_system = {system}"
    yield f"name the system in {file}, which configures pytest:\n{line}"


def _connected_by_hand(root: Path, kind: str, suite: str, contents: Collection[Path]) -> Iterator[str]:
    if kind == "recorded":
        reply = '{"case": "<case id>", "response": {"decision": "answer", "text": "...", "claims": [...]}}'
        yield f"write one line a case to cases/{suite}/responses.jsonl:\n{reply}"
    elif kind == "python" and root / "conftest.py" in contents:
        yield "call your assistant in answer() of conftest.py"
    elif kind == "python":
        adapter = "\n".join(_ADAPTER.splitlines()[2:])
        yield f"put this into your conftest.py, and call your assistant in it:\n{adapter}"
