"""The option `--format` of commands that also print what a program reads, and how they print it."""

from __future__ import annotations

import argparse
import json

from pytest_grounded.redaction import neutral_json

__all__ = ["add_format_option", "print_json"]


def add_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--format`: text, or JSON."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text to read or JSON for a program")


def print_json(value: object) -> None:
    r"""Print a value as JSON that does nothing to a terminal or a log it is shown in.

    >>> print_json({"file": "caf\u00e9\u202e.yaml"})
    {
     "file": "café\u202e.yaml"
    }
    """
    print(neutral_json(json.dumps(value, ensure_ascii=False, indent=1)))
