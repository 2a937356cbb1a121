"""`pytest-grounded schema`: the JSON Schema of case files or corpus manifests, for editors."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from pytest_grounded.errors import GroundedError
from pytest_grounded.files import write_whole

__all__ = ["SCHEMAS", "add_arguments", "run", "schema"]

SCHEMAS = ("case", "corpus")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `schema`."""
    parser.add_argument("what", choices=SCHEMAS, help="case: a case file; corpus: a manifest with its inline chunks")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it to FILE instead of printing it")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the schema."""
    text = schema(arguments.what)
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        write_whole(arguments.output, [text])
    except OSError as error:
        raise GroundedError(f"{arguments.output}: cannot be written: {error.strerror}") from None
    return 0


def schema(what: str) -> str:
    """The text of the JSON Schema of case files (`case`) or of corpus manifests (`corpus`), as the package ships it.

    >>> '"title": "A case file of pytest-grounded"' in schema("case")
    True
    """
    return (resources.files("pytest_grounded") / "schemas" / f"{what}.schema.json").read_text(encoding="utf-8")
