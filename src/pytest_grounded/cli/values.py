"""Reads values of options that more than one sub-command has."""

from __future__ import annotations

import argparse
import re
from datetime import date

__all__ = ["day", "word"]

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day(text: str) -> date:
    """A date as YYYY-MM-DD, and in no other form: 20241001 and 2024-W40 are refused.

    >>> day("2024-10-01")
    datetime.date(2024, 10, 1)
    """
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"needs a date as YYYY-MM-DD, found {text!r}")


def word(text: str) -> str:
    """What names a group, role or tenant; bytes of a shell that are no text would match nothing.

    >>> word("staff")
    'staff'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"needs UTF-8 text, found {text!r}") from None
    return text
