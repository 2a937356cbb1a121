"""What a person types next, so that it asks the system of this run in the way this run did.

A command repeats what was given on the command line, but for what only concerns how a run is shown and where it stops.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from pytest_grounded.model.case import Case
from pytest_grounded.snapshots.policy import Commands

__all__ = ["approve_new", "commands_for", "hand_to_worker"]

_KEY = "grounded_repeated"


def commands_for(config: pytest.Config, case: Case) -> Commands:
    """What to type for one case, in the folder pytest was started in."""
    path = os.path.relpath(config.rootpath / case.place.file, config.invocation_params.dir)
    return Commands.of(f"{path.replace(os.sep, '/')}::{case.id}", *_repeated(config), update=_update(config))


def approve_new(config: pytest.Config) -> str:
    """What to type to approve what this run ran over, as far as nothing was approved and no rule is broken."""
    typed = _typed(config)
    return shlex.join(["pytest", *typed.chosen, *typed.options, "--grounded-snapshots", "new"])


def hand_to_worker(config: pytest.Config, workerinput: dict[str, object]) -> None:
    """Tell a worker what was given on the command line: it was started with another one."""
    workerinput[_KEY] = _typed(config).options


def _repeated(config: pytest.Config) -> Sequence[str]:
    given: Mapping[str, Sequence[str]] = getattr(config, "workerinput", {})
    return given[_KEY] if _KEY in given else _typed(config).options


def _update(config: pytest.Config) -> tuple[str, ...]:
    """The option that approves: syrupy's, unless it is not there or another mode is set that it would contradict."""
    has_syrupy = config.pluginmanager.hasplugin("syrupy")
    is_free = config.getoption("grounded_snapshots") in {"auto", "update"}
    return ("--snapshot-update",) if has_syrupy and is_free else ("--grounded-snapshots", "update")


# --- what was typed ----------------------------------------------------------------------------------------------

_SHOWING_FLAGS = {
    "--exitfirst", "--quiet", "--showlocals", "--snapshot-update", "--snapshot-update-new-only", "--stepwise", "--sw",
    "--verbose",
}  # fmt: skip
_SHOWING = {
    "-n", "-r", "--basetemp", "--color", "--dist", "--durations", "--grounded-results", "--grounded-run-dir",
    "--grounded-snapshots", "--junit-xml", "--junitxml", "--maxfail", "--numprocesses", "--show-capture", "--tb",
}  # fmt: skip
_CHOOSING_FLAGS = {
    "--collect-only", "--co", "--failed-first", "--ff", "--last-failed", "--lf", "--new-first", "--nf",
}  # fmt: skip
_CHOOSING = {"-k", "-m", "--deselect", "--ignore", "--ignore-glob"}
_FLAGS_IN_ONE = re.compile(r"-[hlqsvx]+")
_SHORT = 2


@dataclass(frozen=True, slots=True)
class _Typed:
    """A command line without what concerns showing and stopping: what the run was over, and everything else."""

    chosen: tuple[str, ...]
    options: tuple[str, ...]


def _typed(config: pytest.Config) -> _Typed:
    arguments = [str(argument) for argument in config.invocation_params.args]
    paths = _paths(arguments, config.getoption("file_or_dir", None) or ())
    chosen, options = [arguments[place] for place in sorted(paths)], []
    rest = iter(place for place in range(len(arguments)) if place not in paths)
    for place in rest:
        name, is_whole = _option(arguments[place])
        takes_next = name in _SHOWING | _CHOOSING and not is_whole and place + 1 < len(arguments)
        group = [arguments[place], *([arguments[next(rest)]] if takes_next else ())]
        if name in _CHOOSING or name in _CHOOSING_FLAGS:
            chosen += group
        elif name not in _SHOWING and name not in _SHOWING_FLAGS and not _FLAGS_IN_ONE.fullmatch(name):
            options += group
    return _Typed(tuple(chosen), tuple(options))


def _option(argument: str) -> tuple[str, bool]:
    """The name of an option, and whether its value stands in the same argument: `--tb=short`, `-n2`."""
    if argument.startswith("--"):
        name, equals, _ = argument.partition("=")
        return name, bool(equals)
    if argument[:_SHORT] in _SHOWING | _CHOOSING:
        return argument[:_SHORT], len(argument) > _SHORT
    return argument, True


def _paths(arguments: Sequence[str], given: Sequence[str]) -> set[int]:
    """Where the paths and node ids stand. The same word right behind an option may be its value, and counts last."""
    found: set[int] = set()
    for path in map(str, given):
        same = [place for place, argument in enumerate(arguments) if argument == path and place not in found]
        if same:
            found.add(min(same, key=lambda place: (place > 0 and arguments[place - 1].startswith("-"), place)))
    return found
