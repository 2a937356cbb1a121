"""From `corpus.yaml` and its chunks to a `Corpus`, or to everything that is wrong with them, with file and line.

What is odd but usable is left to `pytest_grounded.corpus.lint`; `LoadedCorpus` keeps what that needs to point at lines.
"""

from __future__ import annotations

import gc
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path as FilePath
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pytest_grounded.corpus.faults import Fault, Path, faults_of, spelled
from pytest_grounded.corpus.json_lines import JsonLines, read_json_lines
from pytest_grounded.corpus.manifest import (
    CHUNK_SYNONYMS,
    MANIFEST_SYNONYMS,
    SECRET_FIELDS,
    Manifest,
    chunk_as_written,
    unsafe_chunk_id,
)
from pytest_grounded.corpus.paths import PathRefusedError, inside, outside, relative
from pytest_grounded.corpus.wording import found, shown
from pytest_grounded.corpus.yaml_reader import Document, load_yaml
from pytest_grounded.errors import CorpusError, Problem
from pytest_grounded.model.evidence import Chunk, Corpus

__all__ = ["CorpusStore", "LoadedCorpus", "load_corpus", "read_corpus"]

MAX_PROBLEMS = 200
"""More problems than this in one corpus are counted, not listed."""

_CHUNKS: TypeAdapter[list[Chunk]] = TypeAdapter(list[Chunk])


def load_corpus(path: FilePath, *, root: FilePath, environ: Mapping[str, str] | None = None) -> Corpus:
    """Read a corpus from its manifest; `root` is where shown paths begin.

    Raises CorpusError with every problem of manifest and chunks. `environ` (default: the process's) resolves
    `${VARIABLE}/...`.
    """
    return read_corpus(path, root=root, environ=environ).corpus


@dataclass(frozen=True, kw_only=True)
class LoadedCorpus:
    """A corpus with what is known about how it is written.

    `unlabelled` are chunks without a `readers` key in a corpus without `default_readers`: nobody may read them.
    """

    corpus: Corpus
    file: str
    unlabelled: frozenset[str]
    stamps: tuple[_Stamp, ...] = field(repr=False)
    read_rows: Callable[[], _Rows] = field(repr=False)

    def place(self, chunk_id: str) -> tuple[str, int | None]:
        """File and line where a chunk is written; the files are read once more for it, since only messages want it."""
        return self._places.get(chunk_id, (self.file, None))

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, int | None]]:
        rows = self.read_rows()
        return {one["id"]: (rows.file, rows.spot(index)[0]) for index, one in enumerate(rows.objects)}


def read_corpus(
    path: FilePath, *, root: FilePath, environ: Mapping[str, str] | None = None, verify_digest: bool = True
) -> LoadedCorpus:
    """Read a corpus and keep where its chunks are written; without `verify_digest` no lock is asked for or compared."""
    written = _document(path, relative(path, root))
    manifest, problems = _manifest(written)
    read_rows = partial(_rows, written, path, root, os.environ if environ is None else environ)
    with _without_garbage_collection():
        rows = read_rows()
        chunks, chunk_problems = _chunks(rows, manifest.default_readers if manifest else ())
    problems += [*rows.problems, *chunk_problems]
    if problems or manifest is None:
        raise CorpusError(_capped(problems))
    corpus = Corpus(
        name=manifest.corpus, chunks=chunks, revision=manifest.revision, as_of=manifest.as_of, source=written.file
    )
    if verify_digest:
        _verify_digest(corpus, manifest, written)
    unlabelled = () if "default_readers" in manifest.model_fields_set else _unlabelled(rows)
    return LoadedCorpus(
        corpus=corpus,
        file=written.file,
        unlabelled=frozenset(unlabelled),
        stamps=tuple(_Stamp.of(source) for source in (path, rows.source) if source),
        read_rows=read_rows,
    )


class CorpusStore:
    """Corpora that are read once and kept for as long as their files stay as they were."""

    def __init__(self) -> None:
        self._kept: dict[tuple[FilePath, FilePath], LoadedCorpus] = {}

    def load(self, path: FilePath, *, root: FilePath) -> LoadedCorpus:
        """The corpus of a manifest; raises CorpusError as `load_corpus` does."""
        kept = self._kept.get((path, root))
        if kept is None or any(_Stamp.of(stamp.path) != stamp for stamp in kept.stamps):
            kept = self._kept[path, root] = read_corpus(path, root=root)
        return kept


@dataclass(frozen=True, slots=True)
class _Stamp:
    """A file as it was when it was read: time of change, size and number."""

    path: FilePath
    state: tuple[int, int, int]

    @classmethod
    def of(cls, path: FilePath) -> _Stamp:
        try:
            stat = path.stat()
        except OSError:
            return cls(path, (0, -1, 0))
        return cls(path, (stat.st_mtime_ns, stat.st_size, stat.st_ino))


@dataclass(frozen=True, slots=True)
class _Written:
    """The manifest as a document, with the name it is shown by."""

    file: str
    document: Document

    def problem(self, fault: Fault) -> Problem:
        line, column = fault.spot or self.document.spot(fault.path, key=fault.at_key)
        return Problem(
            message=fault.message,
            code=f"corpus.{fault.kind}",
            file=self.file,
            line=line,
            column=column,
            field=spelled(fault.path) or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Chunks as they are written, and where: in the lines of a file, or inline in the manifest."""

    file: str
    objects: list[dict[str, Any]] = field(default_factory=list)
    indices: array[int] = field(default_factory=lambda: array("L"))
    document: Document | None = None
    source: FilePath | None = None
    problems: tuple[Problem, ...] = ()

    def spot(self, index: int, path: Path = (), *, key: bool = False) -> tuple[int, int | None]:
        """Line of a part of a chunk, and its column where the chunk is inline."""
        if self.document is None:
            return self.indices[index], None
        return self.document.spot(("chunks", self.indices[index], *path), key=key)

    def problem(self, index: int, fault: Fault) -> Problem:
        """A fault of one chunk, `fault.path` beginning in the chunk."""
        line, column = self.spot(index, fault.path, key=fault.at_key)
        chunk_id = self.objects[index].get("id")
        name = shown(chunk_id)[1:-1] if isinstance(chunk_id, str) and chunk_id else f"chunks[{index}]"
        return Problem(
            message=fault.message,
            code=f"corpus.{fault.kind}",
            file=self.file,
            line=line,
            column=column,
            field=".".join(part for part in (name, spelled(fault.path)) if part),
        )


def _document(path: FilePath, file: str) -> _Written:
    try:
        document = load_yaml(path)
    except OSError as error:
        reason = "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        raise CorpusError(Problem(message=f"the corpus manifest {reason}", code="corpus.type", file=file)) from error
    written = _Written(file, document)
    if any(fault.kind == "yaml" for fault in document.faults):
        raise CorpusError(map(written.problem, document.faults))
    if not isinstance(document.data, dict):
        message = f"needs a mapping with the keys corpus and chunks, found {found(document.data)}"
        raise CorpusError(written.problem(Fault(kind="type", message=message)))
    return written


def _manifest(written: _Written) -> tuple[Manifest | None, list[Problem]]:
    faults = list(written.document.faults)
    manifest = None
    try:
        manifest = Manifest.model_validate(written.document.data)
    except ValidationError as error:
        faults += faults_of(error, Manifest, synonyms=MANIFEST_SYNONYMS)
    return manifest, [written.problem(fault) for fault in faults]


def _rows(written: _Written, path: FilePath, root: FilePath, environ: Mapping[str, str]) -> _Rows:
    """The chunks that the manifest holds or names; what is no chunk at all is a problem."""
    chunks = written.document.data.get("chunks")
    if isinstance(chunks, list):
        indices = array("L", (index for index, chunk in enumerate(chunks) if isinstance(chunk, dict)))
        objects = [chunks[index] for index in indices]
        return _Rows(file=written.file, objects=objects, indices=indices, document=written.document)
    if not isinstance(chunks, str) or not chunks.strip():
        return _Rows(file=written.file)
    try:
        elsewhere = outside(chunks, environ, root=root)
        source = inside(path.parent, chunks) if elsewhere is None else elsewhere
        read = _json_lines(source)
    except PathRefusedError as error:
        fault = Fault(kind="type", message=f"{shown(chunks)} {error}", path=("chunks",))
        return _Rows(file=written.file, problems=(written.problem(fault),))
    file = relative(source, root) if elsewhere is None else chunks
    problems = tuple(_line_problem(file, fault) for fault in read.faults)
    return _Rows(file=file, objects=read.objects, indices=read.lines, source=source, problems=problems)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Make many objects, none of which is garbage: 100,000 chunks take 1.0 s so, and 4.0 s with the collector."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _unlabelled(rows: _Rows) -> Iterator[str]:
    return (written["id"] for written in rows.objects if "readers" not in written)


def _json_lines(source: FilePath) -> JsonLines:
    if not source.is_file():
        raise PathRefusedError("is no file (name a JSON Lines file, one chunk on each line)")
    try:
        with source.open("rb") as lines:
            return read_json_lines(lines)
    except OSError as error:
        raise PathRefusedError(f"cannot be read: {error.strerror}") from error


def _line_problem(file: str, fault: Fault) -> Problem:
    line, column = fault.spot or (None, None)
    return Problem(message=fault.message, code=f"corpus.{fault.kind}", file=file, line=line, column=column)


def _chunks(rows: _Rows, default_readers: tuple[str, ...]) -> tuple[list[Chunk], list[Problem]]:
    """The chunks, all validated in one go; a problem for every field that is wrong and every id that is."""
    problems = [rows.problem(index, fault) for index, fault in _id_faults(rows)]
    try:
        chunks = _CHUNKS.validate_python([chunk_as_written(one, default_readers) for one in rows.objects])
    except ValidationError as error:
        faults = faults_of(error, list[Chunk], synonyms=CHUNK_SYNONYMS, hidden=SECRET_FIELDS)
        problems += (_inner_problem(rows, fault) for fault in faults)
        chunks = []
    return chunks, sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0))


def _inner_problem(rows: _Rows, fault: Fault) -> Problem:
    index, *path = fault.path
    inner = Fault(kind=fault.kind, message=fault.message, path=tuple(path), at_key=fault.at_key)
    return rows.problem(int(index), inner)


def _id_faults(rows: _Rows) -> Iterator[tuple[int, Fault]]:
    first: dict[str, int] = {}
    for index, written in enumerate(rows.objects):
        chunk_id = written.get("id")
        if not isinstance(chunk_id, str) or not chunk_id:
            continue
        if chunk_id in first:
            line = rows.spot(first[chunk_id])[0]
            message = f"chunk id {shown(chunk_id)} stands twice, first in line {line} (an id is unique in its corpus)"
            yield index, Fault(kind="duplicate_id", message=message, path=("id",))
        elif reason := unsafe_chunk_id(chunk_id):
            yield index, Fault(kind="unsafe_id", message=f"chunk id {shown(chunk_id)} {reason}", path=("id",))
        first.setdefault(chunk_id, index)


def _verify_digest(corpus: Corpus, manifest: Manifest, written: _Written) -> None:
    if manifest.digest is None:
        if isinstance(manifest.chunks, str) and manifest.chunks.startswith("$"):
            message = f"chunks outside of the project need a digest (run `pytest-grounded freeze {written.file}`)"
            raise CorpusError(written.problem(Fault(kind="digest", message=message, path=("chunks",))))
    elif manifest.digest != corpus.digest:
        message = (
            f"the chunks have {corpus.digest}, the lock says {manifest.digest} "
            f"(if they were meant to change, run `pytest-grounded freeze {written.file}`)"
        )
        raise CorpusError(written.problem(Fault(kind="digest", message=message, path=("digest",))))


def _capped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    listed = tuple(problems)
    if len(listed) <= MAX_PROBLEMS:
        return listed
    more = Problem(message=f"and {len(listed) - MAX_PROBLEMS} more problems", code="corpus.type", file=listed[-1].file)
    return (*listed[:MAX_PROBLEMS], more)
