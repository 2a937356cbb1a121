"""What a case costs beside a plain parametrized test: without traces, with traces, and the comparison alone.

Run it: `python benchmarks/traces.py` (about a minute on an idle core). It makes projects of many cases in a temporary
folder, runs pytest over them in processes of their own and takes the CPU time of those. A cost per case is the slope
between a small and a large project, so that start-up counts for nothing; the kinds of project take turns, and of all
rounds the least is taken. The last part approves and compares 10,000 traces in this process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounded.snapshots.checking import CaseTrace, TraceOptions, check_trace
from pytest_grounded.snapshots.policy import Mode, TraceStatus
from pytest_grounded.snapshots.store import SnapshotStore

SMALL, LARGE = 100, 700
CHUNKS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--unreadable", action="store_true", help="one chunk of the corpus may not be read")
    arguments = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        costs = cost_per_case(Path(folder), rounds=arguments.rounds, unreadable=arguments.unreadable)
        bare = costs["bare"]
        for kind, cost in costs.items():
            print(f"{kind:24} {cost * 1000:6.3f} ms of CPU a case   {cost / costs['plain']:.2f} of plain")
        for count in (1_000, 10_000):
            alone = compare_alone(Path(folder) / f"alone-{count}", count)
            print(f"compared alone, {count:6} {alone * 1000:6.3f} ms of CPU a case   {alone / bare:.2f} of bare")


# Projects


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to run the same assertions: the project's files, and the arguments of the measured run."""

    write: Callable[[Path, int, bool], None]
    arguments: tuple[str, ...] = ()
    first: tuple[str, ...] | None = None


def cost_per_case(folder: Path, *, rounds: int, unreadable: bool) -> dict[str, float]:
    """Seconds of CPU a case costs in each kind of project."""
    kinds = {
        "bare": Kind(_bare),
        "plain": Kind(_plain),
        "cases, no traces": Kind(_cases, ("--grounded-snapshots", "off")),
        "cases, traces compared": Kind(_cases, ("--grounded-snapshots", "check"), ("--grounded-snapshots", "update")),
    }
    least: dict[tuple[str, int], float] = {}
    for name, kind in kinds.items():
        for count in (SMALL, LARGE):
            project = folder / f"{name}-{count}"
            project.mkdir()
            kind.write(project, count, unreadable)
            (project / "pytest.ini").write_text("[pytest]\ngrounded_system = app:answer\n", encoding="utf-8")
            if kind.first is not None:
                _run(project, *kind.first)
    for _ in range(rounds):
        for name, kind in kinds.items():
            for count in (SMALL, LARGE):
                seconds = _run(folder / f"{name}-{count}", *kind.arguments)
                least[name, count] = min(seconds, least.get((name, count), seconds))
    return {name: (least[name, LARGE] - least[name, SMALL]) / (LARGE - SMALL) for name in kinds}


def _run(project: Path, *arguments: str) -> float:
    """Seconds of CPU of a pytest run in which everything passes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *arguments],
        cwd=project,
        env={key: value for key, value in os.environ.items() if key != "CI"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{project.name}: {done.stdout[-3000:]}{done.stderr[-1000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _bare(project: Path, count: int, _unreadable: bool) -> None:  # noqa: FBT001 - one signature for all kinds
    (project / "test_bare.py").write_text(
        f"import pytest\n\n\n@pytest.mark.parametrize('number', range({count}))\ndef test_it(number):\n    pass\n",
        encoding="utf-8",
    )


def _cases(project: Path, count: int, unreadable: bool) -> None:  # noqa: FBT001
    folder = project / "cases" / "made"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text(_corpus(unreadable=unreadable), encoding="utf-8")
    per_file = 500
    for start in range(0, count, per_file):
        text = "cases:\n" + "".join(map(_case, range(start, min(start + per_file, count))))
        (folder / f"cases-{start}.yaml").write_text(text, encoding="utf-8")
    (project / "app.py").write_text(_SYSTEM, encoding="utf-8")


def _plain(project: Path, count: int, unreadable: bool) -> None:  # noqa: FBT001
    _cases(project, count, unreadable)
    (project / "cases").rename(project / "data")
    (project / "test_plain.py").write_text(_PLAIN, encoding="utf-8")


_PLAIN = """\
from pathlib import Path

import pytest

import app
from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.systems.calling import Caller

ROOT = Path(__file__).parent
ROOTS = (ROOT / "data",)
CASES = [case for path in discover(ROOTS) for case in load_case_file(path, root=ROOT, cases_roots=ROOTS).cases]
ASKER = LiveAsker(app.answer, Caller())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case):
    result = examine(case, ASKER)
    assert result.verdict == "pass", result.findings
"""

_SYSTEM = '''\
"""Answers a made question from the number in it: about 2 kB of response, 8 candidates and 4 steps."""

import re


def answer(request):
    number = int(re.search(r"(\\d+) in the plan", request.question)[1])
    chunk = f"doc-{number % 20}"
    text = f"The allowance of grade {number % 20} is ${100 + number % 20} per quarter."
    return {
        "decision": "answer",
        "text": f"{text} [{chunk}]",
        "claims": [{"text": text, "cites": [chunk], "quote": text}],
        "sources": [{"chunk": chunk, "marker": chunk}],
        "confidence": 0.875,
        "internal": {
            "evidence": [chunk],
            "prompt": [],
            "candidates": [
                {"chunk": f"doc-{(number + place) % 20}", "score": 0.9 - place / 10, "kept": place == 0,
                 "reason": "kept" if place == 0 else f"score {0.9 - place / 10:.2f} below the floor"}
                for place in range(8)
            ],
            "steps": [
                {"name": "retrieve", "candidates": 8, "best": 0.9, "query": ["allowance", "grade"]},
                {"name": "select", "evidence": [chunk], "tokens": 12},
                {"name": "generate", "attempt": 1, "generator": "made/1"},
                {"name": "verify", "attempt": 1, "passed": 1, "failures": []},
            ],
            "versions": {"model": "made-1", "prompt": "p-3", "settings": {"floor": 0.85, "rules": ["scope", "date"]}},
        },
    }
'''


def _corpus(*, unreadable: bool) -> str:
    chunks = [
        {
            "id": f"doc-{number}",
            "text": f"The allowance of grade {number} is ${100 + number} per quarter. It is paid in the first month of "
            f"the quarter, to the account that was named last, and is not carried over. Grade {number} is reviewed "
            "every year by the committee, whose decision is final.",
        }
        for number in range(CHUNKS)
    ]
    hidden = {"id": "memo", "text": "The committee has 41,750 dollars for retention bonuses.", "readers": ["board"]}
    listed = [*chunks, hidden] if unreadable else chunks
    lines = "".join(f"  - {json.dumps(chunk)}\n" for chunk in listed)
    return f'corpus: made\nas_of: 2024-10-01\ndefault_readers: ["*"]\nchunks:\n{lines}'


def _case(number: int) -> str:
    return (
        f"  - id: case-{number:05}\n"
        "    kind: answerable\n"
        f"    question: What is the quarterly allowance of grade {number % CHUNKS}, item {number} in the plan?\n"
        f"    expect: {{slots: [{{name: allowance, values: ['{100 + number % CHUNKS}'], "
        f"evidence: [doc-{number % CHUNKS}]}}]}}\n"
    )


# The comparison alone


def compare_alone(folder: Path, count: int) -> float:
    """Seconds of CPU to compare a trace of about 3 kB with its equal approved one, in a run of that many."""
    store = SnapshotStore(folder)
    options = TraceOptions(mode=Mode.PENDING)
    new = [CaseTrace(suite="made", case=f"case-{number:05}", trace=_trace(number)) for number in range(count)]
    for one in new:
        store.approve(one.suite, one.case, one.trace)
    started = time.process_time()
    for one in new:
        if check_trace(store, one, options=options).ruling.status is not TraceStatus.SAME:
            raise SystemExit("a trace differs from itself")
    return (time.process_time() - started) / count


def _trace(number: int) -> Any:
    text = f"The allowance of grade {number} is ${100 + number} per quarter."
    return {
        "schema": 1,
        "normaliser": 1,
        "case_sha": "sha256:" + f"{number:064}",
        "chunks": {f"doc-{place}": "sha256:" + f"{place:064}" for place in range(4)},
        "decision": "answer",
        "reason_code": None,
        "next_step": None,
        "missing": [],
        "text": [text, " It is paid in the first month of the quarter."],
        "claims": [{"text": text, "quote": text, "status": "supported"}],
        "citations": [{"claim": 1, "chunk": "doc-1", "marker": "1"}],
        "evidence": ["doc-1", "doc-2"],
        "candidates": [
            {"chunk": f"doc-{place}", "kept": place < 2, "score": 0.9 - place / 10, "reason": "below the floor of 0.4"}
            for place in range(8)
        ],
        "steps": [
            {"name": name, "attempt": 1, "evidence": [f"doc-{place}" for place in range(4)], "coverage": 0.85}
            for name in ("retrieve", "select", "generate", "verify")
        ],
        "versions": {"model": "made-1", "settings": {f"threshold_{place}": place / 10 for place in range(12)}},
    }


if __name__ == "__main__":
    main()
