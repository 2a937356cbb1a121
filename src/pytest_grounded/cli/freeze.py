"""`pytest-grounded freeze`: locks corpora by writing the digest of their chunks into their manifests."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pytest_grounded.cases.loading import discover
from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import FIRST_SUITE, Project, add_cases_option, find_project
from pytest_grounded.corpus.freeze import is_manifest, with_digest
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.errors import CorpusError, GroundedError, Problem
from pytest_grounded.files import write_whole
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `freeze`."""
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="corpus manifests or folders (default: all corpora)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a lock is not right")
    add_format_option(parser)
    add_cases_option(parser)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frozen:
    """A corpus, its digest, and what became of the lock: `right` before, `written` now, `missing` or `wrong`."""

    file: str
    digest: str
    state: str

    @property
    def line(self) -> str:
        said = {
            "right": "locked",
            "written": "locked now",
            "missing": "has no lock",
            "wrong": "the lock is of other chunks",
        }
        return f"{self.file}: {said[self.state]}: {self.digest}"


def run(arguments: argparse.Namespace) -> int:
    """Lock and say so; 0 fine, 1 where `--check` finds a lock missing or wrong.

    Raises GroundedError where a path is no corpus or cannot be read; nothing is written then.
    """
    project = find_project(arguments.cases)
    frozen = [*_frozen(_manifests(project, arguments.paths), project, check=arguments.check)]
    if arguments.format == "json":
        print_json({"corpora": [asdict(one) for one in frozen]})
    else:
        for one in frozen:
            print(neutralise(one.line))
        if arguments.check:
            _say_what_to_type(frozen, project)
    return int(any(one.state in {"missing", "wrong"} for one in frozen))


def _say_what_to_type(frozen: Sequence[_Frozen], project: Project) -> None:
    """The command that locks what is not locked, as it is typed where this one was."""
    for state, why in _TO_LOCK.items():
        files = [os.path.relpath(project.root / one.file) for one in frozen if one.state == state]
        if files:
            print(neutralise(f"{why}: {shlex.join(['pytest-grounded', 'freeze', *files])}"))


_TO_LOCK = {
    "missing": "to lock what has no lock",
    "wrong": "to lock the chunks as they are now, where they were meant to change",
}


def _manifests(project: Project, paths: Sequence[Path]) -> list[Path]:
    """The manifests that are named, and all below the folders that are."""
    named = [Path.cwd() / path for path in paths] or list(project.cases_roots)
    for path in named:
        if not path.exists():
            missing = f"{project.shown(path)}: there is no such file or folder"
            raise GroundedError(f"{missing}; name a corpus manifest, or begin: {FIRST_SUITE}")
    found = [path for path in discover(named) if path in named or is_manifest(load_yaml(path))]
    if not found:
        where = ", ".join(map(project.shown, named))
        raise GroundedError(f"no corpus (a *.yaml with the keys corpus and chunks) is below {where}")
    return found


def _frozen(paths: Iterable[Path], project: Project, *, check: bool) -> Iterator[_Frozen]:
    """Everything is read before anything is written, so that one bad corpus leaves all manifests as they are."""
    edits: list[tuple[Path, bytes, bytes, str]] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            digest = read_corpus(path, root=project.root, verify_digest=False).corpus.digest
            raw = path.read_bytes()
            edits.append((path, raw, with_digest(raw, digest, file=project.shown(path)), digest))
        except CorpusError as error:
            problems += error.problems
    if problems:
        raise CorpusError(problems)
    for path, raw, edited, digest in edits:
        state = "right"
        if edited != raw:
            state = ("wrong" if "digest" in (load_yaml(path).data or {}) else "missing") if check else "written"
        if state == "written":
            _write(path, edited.decode("utf-8"), project)
        yield _Frozen(file=project.shown(path), digest=digest, state=state)


def _write(path: Path, text: str, project: Project) -> None:
    try:
        write_whole(path, [text])
    except OSError as error:
        raise GroundedError(f"{project.shown(path)}: cannot be written: {error.strerror or error}") from None
