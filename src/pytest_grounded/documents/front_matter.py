"""What the front matter of a page says of its chunks: since when and until when they hold, who may read them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pytest_grounded.corpus.manifest import CHUNK_SYNONYMS
from pytest_grounded.corpus.wording import shown
from pytest_grounded.model.evidence import Chunk

__all__ = ["FrontMatter", "meant", "names_readers", "read_front_matter"]

_FIELDS = (
    "version",
    "url",
    "effective_from",
    "effective_to",
    "ingested_at",
    "status",
    "readers",
    "tenant",
    "audience",
    "scope",
    "authority",
    "lang",
    "title",
)
"""Fields of a chunk that a document may state for all its chunks."""

_DAYS = ("effective_from", "date", "last_updated", "lastmod", "updated", "last_modified")
"""Keys that say since when a page holds, the first that is there."""

_KEYS = frozenset({*_FIELDS, *_DAYS, *(key for key, field in CHUNK_SYNONYMS.items() if field in _FIELDS)})
_READERS = ("readers", *(key for key, field in CHUNK_SYNONYMS.items() if field == "readers"))
_A_SLIP = 0.8
_MEANT = 0.81
"""Above 0.8, which `author` has with `authority`: keys of other tools are no slips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """Fields for all chunks of a page, what could not be read of them, and the keys that say nothing of a chunk."""

    fields: Mapping[str, Any]
    faults: tuple[str, ...]
    unread: tuple[str, ...]


def read_front_matter(front: Mapping[str, Any]) -> FrontMatter:
    """What a page says of its chunks; a key is read in any case, with hyphens or blanks for underscores.

    A fault in who may read a page, also in the spelling of the key, makes it readable by nobody: a page that wants to
    be restricted must not be public by a slip of the pen.

    >>> read = read_front_matter({"Effective-From": "2024-07-01", "reader": "board", "layout": "page"})
    >>> str(read.fields["effective_from"]), read.fields["readers"], read.unread
    ('2024-07-01', (), ('layout',))
    >>> read.faults
    ("key 'reader' is not read (did you mean 'readers'?), so that nobody may read the document",)
    """
    written = {_plain(key): value for key, value in front.items()}
    known = {CHUNK_SYNONYMS.get(key, key): value for key, value in written.items()}
    stated = {key: value for key, value in known.items() if key in _FIELDS and value is not None}
    if day := next((written[key] for key in _DAYS if written.get(key)), None):
        stated["effective_from"] = str(day)[: len("2024-07-01")]
    fields, faults = _valid(stated)
    if "readers" in known and known["readers"] is None:
        fields["readers"] = ()
    unread = [key for key in front if _plain(key) not in _KEYS]
    slips = [] if "readers" in known else [key for key in unread if _is_slip(_plain(key))]
    for key in slips:
        fields["readers"] = ()
        faults.append(f"key {shown(key)} is not read (did you mean 'readers'?), so that nobody may read the document")
    return FrontMatter(fields=fields, faults=tuple(faults), unread=tuple(key for key in unread if key not in slips))


def meant(key: str) -> str:
    """The key that one of no use may have been meant for, to stand behind it; nothing where none is near.

    >>> meant("efective_from"), meant("layout")
    (" (did you mean 'effective_from'?)", '')
    """
    near = difflib.get_close_matches(_plain(key), sorted(_KEYS), n=1, cutoff=_MEANT)
    return f" (did you mean {shown(near[0])}?)" if near else ""


def names_readers(text: str) -> bool:
    r"""Whether front matter that cannot be read seems to say who may read the page.

    >>> names_readers("title: a: b\nreaders: [board]"), names_readers("title: a: b")
    (True, False)
    """
    keys = (_plain(line.partition(":")[0].strip(" \t\"'{-")) for line in text.splitlines() if ":" in line)
    return any(key in _READERS or _is_slip(key) for key in keys)


def _valid(stated: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    fields: dict[str, Any] = {}
    faults: list[str] = []
    for key, value in stated.items():
        given = [group.strip() for group in value.split(",")] if key == "readers" and isinstance(value, str) else value
        try:
            fields[key] = getattr(Chunk.model_validate({"id": "probe", "text": "", key: given}), key)
        except ValidationError:
            faults.append(f"{key} is not one that a chunk may have")
            if key == "readers":
                fields[key] = ()
                faults[-1] += ", so that nobody may read the document"
    return fields, faults


def _plain(key: str) -> str:
    return key.strip().casefold().replace("-", "_").replace(" ", "_")


def _is_slip(key: str) -> bool:
    """Whether a key is `readers` but for a letter or two; `header` and `reviewers` are other words."""
    near = difflib.get_close_matches(key, _READERS[:1], n=1, cutoff=_A_SLIP)
    return bool(near) and key.startswith("r") and key != near[0]
