"""How messages about input files show what was found and what may have been meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

__all__ = ["did_you_mean", "few", "found", "listed", "named", "shown"]

LONGEST_SHOWN = 60
LONGEST_NAMED = 120
FEW = 3
MOST_COMPARED = 2_000
"""Comparing one id with 2,000 others takes some 20 ms; of a larger corpus only ids that begin alike are compared."""


def shown(value: object) -> str:
    r"""A value as it may stand in a message: quoted, control and bidi characters escaped, cut when long.

    >>> print(shown("c\u202e9"), shown("x" * 99)[-6:])
    'c\u202e9' xxx...
    """
    text = str(value)
    return repr(text) if len(text) <= LONGEST_SHOWN else repr(text[:LONGEST_SHOWN])[:-1] + "..."


def named(chunk_id: str) -> str:
    """An id as it may stand in a message: two that begin alike are told apart, so a long one is cut in its middle.

    >>> named("travel-policy@v3#2.1"), len(named("x" * 500 + "1")), named("x" * 500 + "1")[-3:]
    ("'travel-policy@v3#2.1'", 122, "x1'")
    """
    if len(chunk_id) <= LONGEST_NAMED:
        return repr(chunk_id)
    half = LONGEST_NAMED // 2
    return repr(f"{chunk_id[: half - 1]}..{chunk_id[1 - half :]}")


def few(ids: Sequence[str]) -> str:
    """Some ids as one phrase, the first few by name.

    >>> few(["c1"]), few(["c1", "c2"]), few(["c1", "c2", "c3", "c4", "c5"])
    ("'c1'", "'c1' and 'c2'", "'c1', 'c2', 'c3' and 2 more")
    """
    more = len(ids) - FEW
    *most, last = [*map(named, ids[:FEW]), *([f"{more} more"] if more > 0 else [])]
    return f"{', '.join(most)} and {last}" if most else last


def found(value: Any) -> str:
    """What a value of the wrong type is: a scalar itself, a list or mapping by its name.

    >>> found("yes"), found(None), found([1])
    ("'yes'", 'nothing', 'a list')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    return shown(value)


def did_you_mean(word: str, choices: Collection[str]) -> str:
    """A closing parenthesis naming the choice that is nearest to a word, or nothing.

    >>> did_you_mean("evidnce", ["values", "evidence"])
    " (did you mean 'evidence'?)"
    """
    near = nearest(word, choices)
    return f" (did you mean {shown(near)}?)" if near is not None else ""


def nearest(word: str, choices: Collection[str]) -> str | None:
    """The choice most like a word: the same but for case first; None where nothing is near.

    >>> nearest("Staff", ["stuff", "staff"])
    'staff'
    """
    if not word or len(word) > LONGEST_SHOWN * 2:
        return None
    if len(choices) > MOST_COMPARED:
        choices = [choice for choice in choices if choice[:3].casefold() == word[:3].casefold()][:MOST_COMPARED]
    folded = word.casefold()
    same = [choice for choice in choices if choice.casefold() == folded]
    return next(iter(same or get_close_matches(word, choices, n=1, cutoff=0.6)), None)


def listed(words: Iterable[str]) -> str:
    """Choices as one phrase.

    >>> listed(["low", "medium", "high"])
    'low, medium or high'
    """
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
