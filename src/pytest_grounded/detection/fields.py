"""Fields: which pieces of text a response consists of, and which may be read on from one to the next.

A JSON value is cut into its *leaves*: every text and number with the path to it, and every key that is not one of the
contract's. Leaves are joined as a reader may meet them one after another: all of them in document order, and those of
the same place in a list (the texts of the claims, the quotes, the pieces of a stream, the lines of an unknown field).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from pydantic import BaseModel

from pytest_grounded.model import response as model

__all__ = ["Document", "Join", "Leaf", "is_of_the_contract"]

_MODELS: tuple[type[BaseModel], ...] = (
    model.Action,
    model.Candidate,
    model.Citation,
    model.Claim,
    model.Conflict,
    model.ConflictSide,
    model.Derivation,
    model.Internal,
    model.Operand,
    model.RenderedMarker,
    model.Response,
    model.ShownSource,
    model.StreamPiece,
    model.SystemErrorInfo,
)
_CONTRACT_KEYS = frozenset(key for one in _MODELS for key in one.model_fields) | {"n", "id"}
_MOST_COMPARED = 500
"""Fields of which each is looked for in all before it; with more, only repeats are left out."""
_LONG_RUN = re.compile(r"\S{16,}")
_LISTS = frozenset(model.Response.model_fields) - {"stream"}
_NAMING_KEYS = {
    "chunk", "chunk_id", "chunks", "cited", "cites", "doc", "docs", "document", "documents", "evidence", "file", "id",
    "ids", "link", "name", "path", "source", "sources", "title", "titles", "url",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text with the path to it, such as `claims[0].text`; `place` is the path without the numbers."""

    path: str
    place: str
    text: str
    is_number: bool = False

    @property
    def is_naming(self) -> bool:
        """Whether the field is one that holds a name of a chunk or document."""
        return self.place == "" or self.place.rpartition(".")[2].removesuffix("[*]") in _NAMING_KEYS

    @property
    def is_version(self) -> bool:
        """Whether the field is one that holds a version label."""
        key = self.place.rpartition(".")[2].casefold()
        return "version" in key or "revision" in key


@dataclass(frozen=True, slots=True)
class Join:
    """Leaves read on from one to the next."""

    label: str
    text: str
    leaves: tuple[Leaf, ...]

    @property
    def is_stream(self) -> bool:
        """Whether the pieces are one text shown bit by bit: the stream, or a list of an unknown field."""
        return bool(self.label) and self.label.partition("[")[0].partition(".")[0] not in _LISTS

    @property
    def may_split_codes(self) -> bool:
        """Whether a long run without spaces goes over a joint, as an encoding does that was cut in pieces."""
        joints = list(accumulate(len(leaf.text) for leaf in self.leaves[:-1]))
        return any(
            bisect_right(joints, run.start()) < bisect_left(joints, run.end()) for run in _LONG_RUN.finditer(self.text)
        )


def is_of_the_contract(key: str) -> bool:
    """Whether the contract has such a key, so that it says nothing.

    >>> is_of_the_contract("claims"), is_of_the_contract("memo-7")
    (True, False)
    """
    return key in _CONTRACT_KEYS


class Document:
    """The leaves of a JSON value and their joins.

    >>> document = Document({"claims": [{"text": "It is"}, {"text": " so."}], "hits": {"memo-7": 2}})
    >>> [leaf.path for leaf in document.leaves]
    ['claims[0].text', 'claims[1].text', 'hits', 'hits.memo-7', 'hits.memo-7']
    >>> [(join.label, join.text) for join in document.repeated]
    [('claims[*].text', 'It is so.')]
    """

    def __init__(self, content: object) -> None:
        self.leaves = tuple(_leaves(content))

    @cached_property
    def whole(self) -> Join:
        """Every text in document order, a line break between them."""
        texts = tuple(leaf for leaf in self.leaves if not leaf.is_number)
        return Join("", "\n".join(leaf.text for leaf in texts), texts)

    @cached_property
    def distinct(self) -> Join:
        """The same without repeats and texts that stand whole in an earlier one, as quotes in claims do."""
        first: dict[str, Leaf] = {}
        for leaf in self.whole.leaves:
            first.setdefault(leaf.text, leaf)
        leaves = tuple(first.values())
        if len(leaves) <= _MOST_COMPARED:
            leaves = tuple(_not_contained(leaves))
        return Join("", "\n".join(leaf.text for leaf in leaves), leaves)

    @cached_property
    def repeated(self) -> tuple[Join, ...]:
        """The leaves of every place in a list, without a break between them."""
        places: dict[str, list[Leaf]] = {}
        for leaf in self.whole.leaves:
            places.setdefault(leaf.place, []).append(leaf)
        return tuple(
            Join(place, "".join(leaf.text for leaf in leaves), tuple(leaves))
            for place, leaves in places.items()
            if len(leaves) > 1
        )


def _not_contained(leaves: Sequence[Leaf]) -> Iterator[Leaf]:
    """The leaves whose text stands in no earlier one."""
    seen = ""
    for leaf in leaves:
        if leaf.text not in seen:
            seen = f"{seen}\n{leaf.text}"
            yield leaf


def _leaves(content: Any) -> Iterator[Leaf]:
    """Every leaf of a JSON value in document order, however deep it stands."""
    waiting: list[tuple[Any, str, str]] = [(content, "", "")]
    while waiting:
        value, path, place = waiting.pop()
        if isinstance(value, Leaf):
            yield value
        elif isinstance(value, str):
            if value:
                yield Leaf(path, place, value)
        elif isinstance(value, bytes | bytearray):
            waiting.append((value.decode(errors="replace"), path, place))
        elif isinstance(value, int | float):
            if not isinstance(value, bool):
                yield Leaf(path, place, str(value), is_number=True)
        elif isinstance(value, Mapping):
            waiting.extend(reversed(list(_entries(value, path, place))))
        elif isinstance(value, Sequence):
            waiting.extend((value[index], f"{path}[{index}]", f"{place}[*]") for index in reversed(range(len(value))))


def _entries(value: Mapping[Any, Any], path: str, place: str) -> Iterator[tuple[Any, str, str]]:
    """The entries of an object, each key that is not the contract's as a leaf before its value."""
    for key, item in value.items():
        inner = f"{path}.{key}".lstrip(".")
        if not is_of_the_contract(str(key)):
            yield Leaf(inner, f"{place}.*", str(key)), "", ""
        yield item, inner, f"{place}.{key}".lstrip(".")
