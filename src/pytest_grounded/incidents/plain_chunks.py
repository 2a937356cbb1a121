"""Chunks as other tools write them down, read as a corpus writes them; what nobody stated stays unstated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounded.corpus.manifest import CHUNK_SYNONYMS, unsafe_chunk_id
from pytest_grounded.corpus.wording import found, shown
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.pointing import MISSING, value_at
from pytest_grounded.model.evidence import Chunk

__all__ = ["CHUNK_FIELDS", "read_chunks"]

CHUNK_FIELDS = tuple(Chunk.model_fields)
_SYNONYMS: Mapping[str, str] = {
    **CHUNK_SYNONYMS,
    "page_content": "text",
    "chunk_id": "id",
    "chunkId": "id",
    "_id": "id",
    "uuid": "id",
    "document_id": "document",
    "doc_id": "document",
    "name": "title",
    "uri": "url",
    "tenant_id": "tenant",
    "allowed_groups": "readers",
}
_LISTS = frozenset({"readers", "audience", "supersedes"})
_INNER = ("metadata", "meta", "document", "node", "attributes")
"""Keys under which tools keep what belongs to a chunk; those at its root come first."""


def read_chunks(value: Any, mapping: Mapping[str, str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Chunks as a corpus writes them, and what of them was not read.

    A chunk without an id is called by its place. `mapping` says where `chunks.text` and other fields stand in a chunk.

    >>> chunks, notes = read_chunks([{"page_content": "Open at 7.", "metadata": {"source": "a.md", "score": 0.9}}], {})
    >>> chunks, notes
    ([{'text': 'Open at 7.', 'document': 'a.md', 'id': 'a.md'}], ['not read of the chunks: score'])
    """
    wanted = {name.removeprefix("chunks."): path for name, path in mapping.items() if name.startswith("chunks.")}
    chunks: list[dict[str, Any]] = []
    left: dict[str, None] = {}
    taken: set[str] = set()
    for place, written in enumerate(_listed(value), start=1):
        chunk, unread = _chunk(written, wanted, place)
        if chunk is None:
            continue
        chunk["id"] = _free_id(chunk, taken, place)
        taken.add(chunk["id"])
        chunks.append(chunk)
        left.update(dict.fromkeys(unread))
    return chunks, [f"not read of the chunks: {', '.join(left)}"] if left else []


def _listed(value: Any) -> Iterator[Any]:
    """The entries of a list, of a mapping from ids, or the one text that is all there is."""
    if isinstance(value, str):
        yield from (value,) if value.strip() else ()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, Mapping):
        is_one = any(isinstance(value.get(key), str) for key in ("text", "content", "page_content"))
        if is_one:
            yield value
        else:
            for key, item in value.items():
                yield {"id": key, **item} if isinstance(item, Mapping) else {"id": key, "text": item}


def _chunk(written: Any, wanted: Mapping[str, str], place: int) -> tuple[dict[str, Any] | None, list[str]]:
    if isinstance(written, str):
        return {"text": written}, []
    if not isinstance(written, Mapping):
        raise GroundedError(f"chunk {place} of the record needs to be a text or an object, found {found(written)}")
    chunk: dict[str, Any] = {}
    for name, path in wanted.items():
        value = value_at(written, path)
        if value is not MISSING and value is not None:
            chunk[name] = _as_field(name, value)
    unread: list[str] = []
    for key, value in _entries(written):
        field = key if key in CHUNK_FIELDS else _SYNONYMS.get(key)
        if field is None:
            unread.append(key)
        elif field not in chunk and (value is not None or field == "readers"):
            chunk[field] = _as_field(field, value)
    if not isinstance(chunk.get("text"), str):
        return None, [*unread, "a chunk without text"] if "id" in chunk else unread
    return chunk, unread


def _entries(written: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    inner = [key for key in _INNER if isinstance(written.get(key), Mapping)]
    for key, value in written.items():
        if key not in inner:
            yield str(key), value
    for key in inner:
        for name, value in written[key].items():
            yield str(name), value


def _as_field(name: str, value: Any) -> Any:
    if name == "facts":
        return _facts(value)
    if name in _LISTS:
        return [] if value is None else [_text(one) for one in value] if isinstance(value, list) else [_text(value)]
    if name == "scope":
        return {str(key): _text(one) for key, one in value.items()} if isinstance(value, Mapping) else {}
    if name == "authority":
        return value
    if name in ("effective_from", "effective_to", "ingested_at") and isinstance(value, str):
        return value[: len("2024-10-01")]
    return _text(value)


def _facts(value: Any) -> list[dict[str, str]]:
    """Facts as a list, as one, or as a mapping from keys to values."""
    if isinstance(value, Mapping):
        pairs = [value] if {"key", "value"} <= value.keys() else [{"key": k, "value": v} for k, v in value.items()]
    else:
        pairs = [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
    return [{"key": _text(pair.get("key")), "value": _text(pair.get("value"))} for pair in pairs]


def _text(value: Any) -> str:
    """A value as text; a number as it is written in the record."""
    return value if isinstance(value, str) else str(getattr(value, "written", value))


def _free_id(chunk: Mapping[str, Any], taken: set[str], place: int) -> str:
    """The chunk's own id, else its document's name, else its place."""
    own = chunk.get("id")
    if own is not None and own in taken:
        raise GroundedError(f"two chunks of the record have the id {shown(own)} (an id is unique in its corpus)")
    name = own or chunk.get("document") or f"chunk-{place}"
    if reason := unsafe_chunk_id(name):
        if own is not None:
            raise GroundedError(f"chunk id {shown(name)} of the record {reason}")
        name = f"chunk-{place}"
    return name if name not in taken else f"{name}-{place}"
