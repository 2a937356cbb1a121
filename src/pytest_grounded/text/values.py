"""Values that people write in case files and corpora: does a text state this value, and are two values the same?

A number, date or amount is compared by value; words by case and plural folding, as whole words.
"""

from __future__ import annotations

import re

__all__ = ["contains_value", "find_value", "same_value"]


def find_value(text: str, value: str, *, lang: str | None = None) -> tuple[tuple[int, int], ...]:
    """Where a text states a value, as spans of the text in order."""
    del lang
    pattern = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    return tuple(match.span() for match in pattern.finditer(text)) if value.strip() else ()


def contains_value(text: str, value: str, *, lang: str | None = None) -> bool:
    """Whether a text states a value."""
    return bool(find_value(text, value, lang=lang))


def same_value(left: str, right: str, *, lang: str | None = None) -> bool:
    """Whether two texts are the same value."""
    del lang
    return left.strip().casefold() == right.strip().casefold()
