"""`pytest-grounded lint`: what is wrong, odd or weak in cases and corpora, and what a suite leaves out."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pytest_grounded.cases.coverage import SuiteCoverage, coverage_of
from pytest_grounded.cases.ids import TakenIds
from pytest_grounded.cases.lint import lint_cases
from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.cases.weak import weak_cases
from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import FIRST_SUITE, Project, add_cases_option, find_project
from pytest_grounded.corpus.freeze import is_manifest
from pytest_grounded.corpus.lint import lint_corpus
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.model.case import Case
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lint`."""
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="case files or folders (default: all cases)"
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as findings too (exit code 1)")
    add_format_option(parser)
    add_cases_option(parser)


@dataclass(slots=True)
class _Report:
    files: int = 0
    cases: list[Case] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    ours: set[str] = field(default_factory=set)
    """Of those passed over, the ones that are something else of a suite: its corpora, its settings."""
    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    coverage: tuple[SuiteCoverage, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Check and print; 0 fine, 1 where anything is wrong, 2 where a path cannot be used."""
    project = find_project(arguments.cases)
    named = [Path.cwd() / path for path in arguments.paths]
    for path in named or project.cases_roots:
        if not path.exists():
            missing = f"{project.shown(path)}: there is no such file or folder"
            raise GroundedError(f"{missing}; name one with case files, or begin: {FIRST_SUITE}")
    report = _Report()
    _lint_files(report, project, named)
    _lint_corpora(report, project, named or list(project.cases_roots))
    report.errors = list(dict.fromkeys(report.errors))
    if not any(path.is_file() for path in named):  # of single files a suite's coverage cannot be told
        report.coverage = coverage_of(report.cases)
    if not report.files and not report.errors:
        raise GroundedError(_no_case_file(report, project, named))
    _print(report, as_json=arguments.format == "json")
    return int(bool(report.errors or (arguments.strict and report.warnings)))


def _no_case_file(report: _Report, project: Project, named: Sequence[Path]) -> str:
    where = ", ".join(project.shown(path) for path in named or project.cases_roots)
    passed = f"; passed over there, without that key: {', '.join(report.passed_over[:_FEW])}"
    more = f" and {len(report.passed_over) - _FEW} more" if len(report.passed_over) > _FEW else ""
    hint = (passed + more) if report.passed_over else ""
    return f"no case file (a *.yaml with the key cases) is below {where}{hint}; {FIRST_SUITE}"


_FEW = 5


def _lint_files(report: _Report, project: Project, named: Sequence[Path]) -> None:
    taken = TakenIds()
    for path in discover(named or project.cases_roots):
        try:
            loaded = load_case_file(path, root=project.root, cases_roots=project.cases_roots, named=path in named)
        except GroundedError as error:
            report.errors += error.problems
            report.files += 1
            continue
        if loaded.passed_over:
            report.passed_over.append(loaded.file)
            if path.name == "reference.yaml" or is_manifest(load_yaml(path)):
                report.ours.add(loaded.file)
            continue
        report.files += 1
        report.cases += loaded.cases
        report.warnings += lint_cases(loaded.cases)
        report.warnings += weak_cases(loaded.cases)
        report.errors += taken.take(loaded.cases)


def _lint_corpora(report: _Report, project: Project, paths: Iterable[Path]) -> None:
    """Warnings about every corpus beside the case files; its errors are said here only where no case uses it."""
    said = {(problem.file, problem.line, problem.message) for problem in report.errors}
    manifests = {
        path
        for place in paths
        for path in ([place.parent / "corpus.yaml"] if place.is_file() else place.rglob("corpus.yaml"))
    }
    manifests |= {project.root / case.corpus.source for case in report.cases if case.corpus.source}
    for path in sorted(manifest for manifest in manifests if manifest.is_file()):
        try:
            report.warnings += lint_corpus(read_corpus(path, root=project.root))
        except GroundedError as error:
            report.errors += [one for one in error.problems if (one.file, one.line, one.message) not in said]


def _print(report: _Report, *, as_json: bool) -> None:
    if as_json:
        data = {
            "files": report.files,
            "cases": len(report.cases),
            "errors": [asdict(problem) for problem in report.errors],
            "warnings": [asdict(problem) for problem in report.warnings],
            "passed_over": report.passed_over,
            "coverage": [asdict(one) for one in report.coverage],
        }
        print_json(data)
        return
    for problem in report.errors:
        print(neutralise(str(problem)))
    for problem in report.warnings:
        print(neutralise(f"{problem} (warning: {problem.code})"))
    for name in (file for file in report.passed_over if file not in report.ours):
        print(neutralise(f"{name}: passed over, it has no key cases"))
    for suite in report.coverage:
        print(neutralise("\n".join(_covered(suite))))
    print(
        f"{_count(report.files, 'case file')}, {_count(len(report.cases), 'case')}: "
        f"{_count(len(report.errors), 'error')}, {_count(len(report.warnings), 'warning')}"
    )


def _covered(suite: SuiteCoverage) -> Iterator[str]:
    """What a suite asks about, and what none of its cases does."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in suite.kinds.items())
    yield f"suite {suite.suite}: {_count(suite.cases, 'case')} ({kinds}) over {_count(suite.chunks, 'chunk')}"
    for what, missing in (
        ("kinds no case has", suite.kinds_missing),
        ("reason codes no case expects", suite.reasons_missing),
        ("checks no case exercises", _families(suite.checks_missing)),
        ("chunks no case names", suite.unnamed),
    ):
        if missing:
            shown = ", ".join(missing[:_FEW]) + (", ..." if len(missing) > _FEW else "")
            yield f"  {what}: {shown}" if len(missing) <= _FEW else f"  {what} ({len(missing)}): {shown}"


_FEW = 8


def _families(names: Sequence[str]) -> tuple[str, ...]:
    """Names of checks, a family of which all are there as one: `relation.*`."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition(".")[0], []).append(name)
    whole = Counter(name.partition(".")[0] for name in CATALOGUE)
    shown = ([f"{family}.*"] if len(found) == whole[family] > 1 else found for family, found in families.items())
    return tuple(name for group in shown for name in group)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
