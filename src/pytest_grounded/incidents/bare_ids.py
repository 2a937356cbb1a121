"""Chunks that a record names only by their ids: which entries of its lists are ids, and which are texts.

A text without its id and an id without its text look alike in JSON. An entry is an id where a corpus at hand has a
chunk of that id, or where it is written as ids are and not as sentences; beside a list of as many texts they belong
together, entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_grounded.corpus.wording import shown

__all__ = ["Joined", "Knows", "joined", "only_ids"]

Knows = Callable[[str], bool]
"""Whether a corpus at hand has a chunk of an id."""

_ID = re.compile(r"(?=[^\W\d_]*[\d_@#:/.-])[A-Za-z0-9][A-Za-z0-9_@#:/.-]*[A-Za-z0-9]")
_LETTER = re.compile(r"[A-Za-z]")
_LONGEST = 200


def only_ids(value: Any, knows: Knows) -> list[str] | None:
    """The ids, where a list holds nothing else; None where it holds anything else, or nothing.

    >>> only_ids(["limit-2024", "memo"], {"memo"}.__contains__), only_ids(["It is $150."], lambda _: False)
    (['limit-2024', 'memo'], None)
    """
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        return None
    ids = [one.strip() for one in value]
    return ids if all(knows(one) or _is_written_as_id(one) for one in ids) else None


def _is_written_as_id(text: str) -> bool:
    """Whether a text is one word with a digit or a sign in it, as ids have: limit-2024, a.md#3, 7f3c; not Paris, $150.

    >>> [_is_written_as_id(text) for text in ("limit-2024", "policy@v3#hotel", "Paris", "$150", "180", "It is 1.")]
    [True, True, False, False, False, False]
    """
    return len(text) <= _LONGEST and _ID.fullmatch(text) is not None and _LETTER.search(text) is not None


def joined(lists: Mapping[str, Any], ids: Any, knows: Knows) -> Joined:
    """The chunks of a record, of its lists by their paths, the likeliest first.

    `ids` is a list of ids that stands beside them, if any. Ids and as many texts become chunks with both.

    >>> joined({"chunks": ["limit-2024"], "contexts": ["It is $180."]}, None, lambda _: False).chunks
    [{'id': 'limit-2024', 'text': 'It is $180.'}]
    """
    path, value = next(iter(lists.items()), ("", ids))
    named, texts = only_ids(value, knows), None
    if named is not None:
        others = (name for name, one in lists.items() if _are_texts(one) and only_ids(one, knows) is None)
        path = next(others, path)
        texts = lists.get(path) if lists.get(path) is not value else None
    elif _are_names(ids) and _are_texts(value):
        named, texts = [*map(str, ids)], value
    if named is None or texts is None:
        return Joined(chunks=value)
    if len(texts) != len(named):
        said = f"{len(named)} ids stand beside {len(texts)} texts: which belong together cannot be told"
        return Joined(chunks=value, notes=(f"the chunks: {said} ({', '.join(map(shown, named[:_MOST]))})",))
    return Joined(chunks=[{"id": one, "text": text} for one, text in zip(named, texts, strict=True)], path=path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Chunks as a record has them; `path` is where texts stood that were joined to their ids."""

    chunks: Any
    path: str | None = None
    notes: tuple[str, ...] = ()


_MOST = 6


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str | int) for one in value)
