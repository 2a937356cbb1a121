"""`pytest-grounded prune`: deletes approved traces and pending records of cases that no longer exist.

The only thing that deletes an approved trace. What belongs to no case is found from all case files; where one of them
cannot be read, nothing is deleted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import Project, find_project
from pytest_grounded.errors import CaseError, GroundedError, Problem
from pytest_grounded.redaction import neutralise
from pytest_grounded.snapshots.names import CaseKey
from pytest_grounded.snapshots.store import Pruned, SnapshotStore

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `prune`; there is none that leaves out cases."""
    parser.add_argument("--dry-run", action="store_true", help="say what would be deleted, delete nothing")
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Delete and say what; raises GroundedError, and deletes nothing, where not every case can be read."""
    project = find_project()
    store = SnapshotStore(project.root)
    pruned = store.prune(_catalogue(project), complete=True, dry_run=arguments.dry_run)
    _print(pruned, store, arguments)
    return 0


def _catalogue(project: Project) -> list[CaseKey]:
    """Suite and id of every case; raises CaseError with all problems of all files."""
    keys: list[CaseKey] = []
    problems: list[Problem] = []
    for path in discover(root for root in project.cases_roots if root.exists()):
        try:
            cases = load_case_file(path, root=project.root, cases_roots=project.cases_roots).cases
        except GroundedError as error:
            problems += error.problems
        else:
            keys += ((case.suite, case.id) for case in cases)
    if problems:
        raise CaseError(
            [Problem(message="nothing is pruned: not every case can be read", code="snapshot.incomplete"), *problems]
        )
    return keys


def _print(pruned: Pruned, store: SnapshotStore, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        data = {
            "dry_run": arguments.dry_run,
            "baselines": _shown(pruned.baselines, store),
            "pending": _shown(pruned.pending, store),
            "left": _shown(pruned.left, store),
        }
        print_json(data)
        return
    verb = "would delete" if arguments.dry_run else "deleted"
    for name in (*_shown(pruned.baselines, store), *_shown(pruned.pending, store)):
        print(neutralise(f"{verb} {name}"))
    for name in _shown(pruned.left, store):
        print(neutralise(f"left {name}: it is no approved trace"))
    count = len(pruned.baselines)
    traces = f"{count} approved trace{'' if count == 1 else 's'}"
    print(f"{verb} {traces} and {len(pruned.pending)} pending" if count or pruned.pending else "nothing to delete")


def _shown(paths: Iterable[Path], store: SnapshotStore) -> list[str]:
    return [store.shown(path) for path in paths]
