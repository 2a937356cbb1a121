"""Shows on files that are not written yet that a new case loads, disturbs no other, and fails on the bad reply."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounded.cases.lint import lint_cases
from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.cases.weak import weak_cases
from pytest_grounded.corpus.loading import CorpusStore
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.harness.asking import RecordedAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.judging import JudgingOptions
from pytest_grounded.harness.results import CaseResult, Verdict
from pytest_grounded.incidents.suites import Suite
from pytest_grounded.model.case import Case
from pytest_grounded.systems.recorded import RecordedReply, Recording

__all__ = ["Proof", "examine_reply", "prove"]


@dataclass(frozen=True, kw_only=True)
class Proof:
    """The new case as it loads, what came of it, what in it is weak, and what became odd about other cases."""

    result: CaseResult
    weak: tuple[Problem, ...] = ()
    disturbed: tuple[Problem, ...] = ()

    @property
    def case(self) -> Case:
        """The case as it loads."""
        return self.result.case

    @property
    def is_red(self) -> bool:
        """Whether the case fails on the bad reply, as it has to."""
        return self.result.verdict is Verdict.FAIL

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that find something, each once."""
        return tuple(dict.fromkeys(finding.check for finding in self.result.findings))


def prove(
    suite: Suite,
    contents: Mapping[Path, bytes],
    *,
    case_file: Path,
    case_id: str,
    recording: Path,
    options: JudgingOptions,
) -> Proof:
    """Load the suite as it would be with `contents` written, and examine the new case on its recording.

    Raises GroundedError where any case file of the suite cannot be loaded then.
    """
    with _copied(suite, contents) as (root, moved):
        cases = _cases(suite, root, moved)
        case = next(one for one in cases if one.id == case_id and one.place.file == suite.workspace.shown(case_file))
        asker = RecordedAsker(Recording.load(moved(recording), name=suite.workspace.shown(recording)))
        result = examine(case, asker, options=options)
        before = {_what(problem) for problem in lint_cases(tuple(suite.cases))}
        others = [problem for problem in lint_cases(cases) if _what(problem) not in before]
    mine = [problem for problem in others if problem.case == case_id]
    return Proof(
        result=result,
        weak=tuple(weak_cases([case])) + tuple(mine),
        disturbed=tuple(problem for problem in others if problem.case != case_id),
    )


def examine_reply(case: Case, reply: Any, internal: Mapping[str, Any] | None, options: JudgingOptions) -> CaseResult:
    """What an existing case says of a reply."""
    recorded = RecordedReply(case=case.id, response=reply, internal=internal)
    return examine(case, RecordedAsker(Recording("the record", [recorded])), options=options)


def _what(problem: Problem) -> tuple[object, ...]:
    """A problem without its line, which moves when something is added before it."""
    return (problem.file, problem.case, problem.field, problem.message)


@contextmanager
def _copied(suite: Suite, contents: Mapping[Path, bytes]) -> Iterator[tuple[Path, _Moved]]:
    """A private copy of the suite's folder with the new contents, at the same place below another root."""
    with tempfile.TemporaryDirectory(prefix="pytest-grounded-") as name:
        root = Path(name).resolve()
        moved = _Moved(suite, root)
        for path in sorted(suite.folder.rglob("*")) if suite.folder.is_dir() else ():
            if path.suffix in _COPIED and path.is_file() and path not in contents:
                _put(moved(path), path)
        for path, raw in contents.items():
            target = moved(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw)
        yield root, moved


_COPIED = frozenset({".yaml", ".jsonl"})


def _put(target: Path, source: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


class _Moved:
    """Where a file of the project is in the copy."""

    def __init__(self, suite: Suite, root: Path) -> None:
        self.workspace = suite.workspace
        self.root = root

    def __call__(self, path: Path) -> Path:
        base = self.workspace.root
        if path.is_relative_to(base):
            return self.root / path.relative_to(base)
        outer = next((one for one in self.workspace.cases_roots if path.is_relative_to(one)), path.parent)
        return self.root / outer.name / path.relative_to(outer)


def _cases(suite: Suite, root: Path, moved: _Moved) -> tuple[Case, ...]:
    """Every case of the copied suite; raises GroundedError with the problems of all its files."""
    store = CorpusStore()
    cases: list[Case] = []
    problems: list[Problem] = []
    folder = moved(suite.folder)
    roots = [moved(one) for one in suite.workspace.cases_roots]
    for path in discover([folder]):
        if path.parent != folder:
            continue
        try:
            cases += load_case_file(path, root=root, cases_roots=roots, store=store).cases
        except GroundedError as error:
            problems += error.problems
    if problems:
        raise GroundedError(problems)
    return tuple(cases)
