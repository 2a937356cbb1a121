"""The command `pytest-grounded`: one module per sub-command, imported when it is called.

Exit codes: 0 fine, 1 findings, 2 unusable input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from pytest_grounded.reporting.ending import ended

__all__ = ["COMMANDS", "load", "main"]

COMMANDS = {
    "add": "make a case of an incident: one that fails on the bad reply",
    "ask": "ask a question of a suite's corpus and show the trace, stage by stage",
    "calibrate": "choose where to stop answering from labelled rows, and say what that promises",
    "corpus": "make the next revision of a corpus from the next edition of its documents",
    "freeze": "lock corpora: write the digest of their chunks into their manifests",
    "init": "write a first suite: corpus, cases, configuration, workflow",
    "judge": "measure a support judge against people's labels",
    "lint": "check case and corpus files without asking any system",
    "schema": "print the JSON Schema of case files or corpus manifests, for editors",
    "prune": "delete approved traces of cases that no longer exist",
}


class _Command(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    return ended(lambda: _parser(words).parse_args(words), lambda parsed: load(parsed.command).run(parsed))


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser; only the named sub-command's module is imported, unless help for all is wanted."""
    parser = argparse.ArgumentParser(
        prog="pytest-grounded", description="Regression tests for grounded answers: work on suites from the shell."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary[:1].upper() + summary[1:] + ".")
        if name in words:
            load(name).add_arguments(command)
    return parser


def load(name: str) -> _Command:
    """The module of a sub-command."""
    return cast("_Command", importlib.import_module(f"pytest_grounded.cli.{name}"))


def _version() -> str:
    from importlib.metadata import version

    return version("pytest-grounded")
