"""Which chunks a case needs, where their text comes from, and who may read them.

A chunk the suite has already stays as it is there. What is added states its readers, always: the record's or the
store's own, or those a person gave when asked. Nothing ever becomes readable by more people than somebody said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_grounded.corpus.faults import faults_of, spelled
from pytest_grounded.corpus.json_lines import read_json_lines
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.corpus.manifest import CHUNK_SYNONYMS, SECRET_FIELDS, chunk_as_written
from pytest_grounded.corpus.wording import shown
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.plain_chunks import read_chunks
from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.text.folding import fold

__all__ = ["ChunkOrigin", "Frozen", "FrozenChunk", "Sources", "freeze", "read_store", "written_chunk"]


class ChunkOrigin(StrEnum):
    """Where a chunk's text comes from."""

    SUITE = "suite"
    RECORD = "record"
    STORE = "store"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenChunk:
    """A chunk the case needs; one of the suite is there already, any other is added.

    `readers_from` says who stated its readers: its origin, or the person who adds the case.
    """

    chunk: Chunk
    origin: ChunkOrigin
    readers_from: str = ""

    @property
    def is_added(self) -> bool:
        """Whether it has to be written."""
        return self.origin is not ChunkOrigin.SUITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """The chunks a case needs, in order; ids that nobody has a text for; chunks whose readers nobody stated."""

    chunks: tuple[FrozenChunk, ...] = ()
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def added(self) -> tuple[Chunk, ...]:
        """What has to be written, in order."""
        return tuple(one.chunk for one in self.chunks if one.is_added)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where chunks may come from: the record, the suite, the stores in order; `file` is how the record is shown.

    `readers` are whom a person names for chunks whose readers nobody else states. Where the suite has a chunk with
    other words than the record, that is an error, unless `prefer_suite` says that the suite's words will do.
    """

    recorded: Sequence[Mapping[str, Any]] = ()
    suite: Corpus | None = None
    stores: Sequence[Corpus] = ()
    readers: Sequence[str] | None = None
    prefer_suite: bool = False
    file: str = ""


def freeze(wanted: Iterable[str], sources: Sources) -> Frozen:
    """The chunks that are wanted and all that the record holds; of a store also what replaces one of them.

    Raises GroundedError with everything that is wrong with chunks of the record.
    """
    return _Freezing(sources).frozen(wanted)


class _Freezing:
    """Gathers chunks, in order, and what is wrong with them."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.recorded = {str(chunk["id"]): chunk for chunk in sources.recorded}
        self.chunks: dict[str, FrozenChunk] = {}
        self.missing: list[str] = []
        self.unread: list[str] = []
        self.problems: list[Problem] = []

    def frozen(self, wanted: Iterable[str]) -> Frozen:
        for chunk_id in dict.fromkeys((*self.recorded, *wanted)):
            self._add(chunk_id)
        for store in self.sources.stores:
            for chunk_id in [*self.chunks]:
                for newer in _successors(store, chunk_id):
                    if newer.id not in self.chunks:
                        self._add(newer.id)
        if self.problems:
            raise GroundedError(self.problems)
        return Frozen(chunks=tuple(self.chunks.values()), missing=tuple(self.missing), unread=tuple(self.unread))

    def _add(self, chunk_id: str) -> None:
        recorded = self.recorded.get(chunk_id)
        stored = next((store[chunk_id] for store in self.sources.stores if chunk_id in store), None)
        own = self.sources.suite.get(chunk_id) if self.sources.suite is not None else None
        if own is not None:
            self._compare(own, recorded, stored)
            self.chunks[chunk_id] = FrozenChunk(chunk=own, origin=ChunkOrigin.SUITE)
        elif recorded is not None:
            self._add_recorded(chunk_id, recorded, stored)
        elif stored is not None:
            self.chunks[chunk_id] = FrozenChunk(chunk=stored, origin=ChunkOrigin.STORE, readers_from="store")
        else:
            self.missing.append(chunk_id)

    def _compare(self, own: Chunk, recorded: Mapping[str, Any] | None, stored: Chunk | None) -> None:
        other = recorded.get("text") if recorded is not None else stored.text if stored is not None else None
        if other is not None and not self.sources.prefer_suite and fold(str(other)) != fold(own.text):
            self.problems.append(Problem(file=self.sources.file, message=_differs(own.id)))

    def _add_recorded(self, chunk_id: str, recorded: Mapping[str, Any], stored: Chunk | None) -> None:
        """A chunk of the record; its readers are the record's, else the store's, else those a person named."""
        written, said_by = dict(recorded), "record"
        if "readers" not in written and stored is not None:
            known = stored.model_dump(mode="json", exclude_defaults=True)
            written, said_by = {**known, "readers": list(stored.readers), **written}, "store"
        if "readers" not in written:
            if self.sources.readers is None:
                self.unread.append(chunk_id)
            written, said_by = {**written, "readers": list(self.sources.readers or ())}, "you"
        chunk = _read(written, self.problems, self.sources.file)
        if chunk is not None:
            self.chunks[chunk_id] = FrozenChunk(chunk=chunk, origin=ChunkOrigin.RECORD, readers_from=said_by)


def _differs(chunk_id: str) -> str:
    return (
        f"chunk {shown(chunk_id)} has other words than the suite's chunk of that id "
        "(--prefer-suite keeps the suite's; or begin a suite for this revision with --suite NAME --create)"
    )


def _read(written: Mapping[str, Any], problems: list[Problem], file: str) -> Chunk | None:
    try:
        return Chunk.model_validate(chunk_as_written(dict(written), ()))
    except ValidationError as error:
        for fault in faults_of(error, Chunk, synonyms=CHUNK_SYNONYMS, hidden=SECRET_FIELDS):
            place = f"{written.get('id')}.{spelled(fault.path)}".rstrip(".")
            problems.append(Problem(file=file, field=place, message=fault.message))
        return None


def _successors(store: Corpus, chunk_id: str) -> Iterator[Chunk]:
    """What replaces a chunk in a store: without it a case about stale text has no right answer."""
    if chunk_id not in store:
        return
    old = store[chunk_id]
    keys = {fact.key for fact in old.facts}
    for other in store:
        is_later = (
            old.document is not None
            and other.document == old.document
            and other.id != old.id
            and not keys.isdisjoint({fact.key for fact in other.facts})
        )
        if chunk_id in other.supersedes or is_later:
            yield other


def read_store(path: Path, *, root: Path, shown_as: str) -> Corpus:
    """A store a person names: the manifest of a corpus, its folder, or a JSON Lines file of chunks.

    In a JSON Lines file only what is stated is: a chunk without readers is readable by nobody.
    """
    if path.is_dir():
        path = path / "corpus.yaml"
    if not path.is_file():
        raise GroundedError(f"{shown_as}: there is no such file (name a corpus.yaml or a JSON Lines file of chunks)")
    if path.suffix in (".yaml", ".yml"):
        return read_corpus(path, root=root).corpus
    with path.open("rb") as lines:
        read = read_json_lines(lines)
    if read.faults:
        raise GroundedError(
            [Problem(file=shown_as, line=(one.spot or (1,))[0], message=one.message) for one in read.faults]
        )
    rows, _ = read_chunks(list(read.objects), {})
    problems: list[Problem] = []
    chunks = [_read({"readers": [], **row}, problems, shown_as) for row in rows]
    if problems:
        raise GroundedError(problems)
    return Corpus(name=shown_as, chunks=[chunk for chunk in chunks if chunk is not None])


def written_chunk(chunk: Chunk) -> dict[str, Any]:
    """A chunk as a corpus writes it: its id and text first, its readers always.

    >>> written_chunk(Chunk(id="c1", text="Open at 7.", readers=("staff",)))
    {'id': 'c1', 'text': 'Open at 7.', 'readers': ['staff']}
    """
    data = chunk.model_dump(mode="json", exclude_defaults=True)
    data["readers"] = list(chunk.readers)
    return {key: data[key] for key in Chunk.model_fields if key in data}
