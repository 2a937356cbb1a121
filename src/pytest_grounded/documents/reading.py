"""Reads a folder of documents (Markdown, HTML, text) into chunks.

Which file became which chunks, what was passed over and what a document's top could not say is part of the result:
nothing is left out silently.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounded.corpus.manifest import unsafe_chunk_id
from pytest_grounded.corpus.wording import shown
from pytest_grounded.documents.blocks import Parsed
from pytest_grounded.documents.dating import committed_days
from pytest_grounded.documents.front_matter import meant, read_front_matter
from pytest_grounded.documents.html import read_html
from pytest_grounded.documents.markdown import read_markdown
from pytest_grounded.documents.plain import read_text
from pytest_grounded.documents.splitting import LONGEST, Passage, slug, split
from pytest_grounded.errors import GroundedError
from pytest_grounded.model.evidence import Chunk

__all__ = ["Collected", "PassedOver", "read_documents"]

_READERS: Mapping[str, Callable[[str], Parsed]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".txt": read_text,
}
_LARGEST = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """A file, or something a file says, that did not become part of the corpus, and why."""

    file: str
    why: str

    @property
    def said(self) -> str:
        """The same as a line: a file of which only something in its front matter was not read was not passed over."""
        return f"{self.file}: {self.why}" if self.why.startswith(_FRONT) else f"passed over {self.file}: {self.why}"


_FRONT = "front matter: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """The chunks of a folder, in the order of files and pages.

    `stated_readers` names the documents whose front matter says who may read them; `dated` counts documents by where
    their day came from.
    """

    chunks: tuple[Chunk, ...]
    passed_over: tuple[PassedOver, ...]
    stated_readers: frozenset[str]
    dated: Mapping[str, int]

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents that gave a chunk, in order."""
        return tuple(dict.fromkeys(chunk.document or "" for chunk in self.chunks))


def read_documents(
    folder: Path, *, default_readers: tuple[str, ...] = (), longest: int = LONGEST, prefix: str = ""
) -> Collected:
    """Every document below a folder as chunks with the id `<document>#<path of headings>`.

    A chunk without stated readers gets `default_readers`; its day is the front matter's, else that of the last commit
    that touched the file, else none. Files and folders whose name begins with a dot, and links, are passed over.
    Raises GroundedError where the folder is none or nothing in it is a document.
    """
    if not folder.is_dir():
        raise GroundedError(f"{folder}: there is no such folder; name the folder that holds the documents")
    days = committed_days(folder)
    chunks: dict[str, Chunk] = {}
    passed: list[PassedOver] = []
    unread: dict[str, list[str]] = {}
    stated: set[str] = set()
    dated = {"front matter": 0, "git": 0, "none": 0}
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        read = _read(path)
        if isinstance(read, str):
            passed.append(PassedOver(file=name, why=read))
            continue
        passed += [PassedOver(file=name, why=fault) for fault in read.faults]
        document = prefix + _document(path.relative_to(folder), chunks.values())
        front = read_front_matter(read.front)
        fields = dict(front.fields)
        passed += [PassedOver(file=name, why=f"{_FRONT}{fault}") for fault in front.faults]
        for key in front.unread:
            unread.setdefault(key, []).append(name)
        if "readers" in fields:
            stated.add(document)
        source = "front matter" if "effective_from" in fields else "git" if path in days else "none"
        if source == "git":
            fields["effective_from"] = days[path]
        made = [
            _chunk(document, passage, {"readers": default_readers, **fields})
            for passage in split(read.blocks, longest=longest)
        ]
        dated[source] += bool(made)
        if not made:
            passed.append(PassedOver(file=name, why="holds no text"))
        chunks.update((chunk.id, chunk) for chunk in made)
    if not chunks:
        listed = "; ".join(f"{one.file}: {one.why}" for one in passed[:5]) or "it is empty"
        raise GroundedError(f"{folder}: holds no document to read ({listed}); {_kinds()} are read")
    return Collected(
        chunks=tuple(chunks.values()),
        passed_over=(*passed, *_unread(unread)),
        stated_readers=frozenset(stated),
        dated=dated,
    )


def _unread(files_of: Mapping[str, Sequence[str]]) -> Iterator[PassedOver]:
    """Keys of front matter that say nothing of a chunk, each once: one that may be misspelled by itself."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for key, files in files_of.items():
        hint = meant(key)
        if hint:
            yield PassedOver(file=files[0], why=f"{_FRONT}key {shown(key)} is not read{hint}{_also(files)}")
        else:
            alike.setdefault(tuple(files), []).append(shown(key))
    for files, keys in alike.items():
        said = f"key {keys[0]} is" if len(keys) == 1 else f"keys {', '.join(keys)} are"
        yield PassedOver(file=files[0], why=f"{_FRONT}{said} not read{_also(files)}")


def _also(files: Sequence[str]) -> str:
    more = len(files) - 1
    return f"; nor in {more} more file{'s' if more > 1 else ''}" if more else ""


def _kinds() -> str:
    *most, last = (f"*{ending}" for ending in _READERS)
    return f"{', '.join(most)} and {last}"


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent, name) for name in sorted(files) if not name.startswith("."))


def _read(path: Path) -> Parsed | str:
    """The document in a file, or why it is none."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        return f"is of a kind that is not read ({_kinds()} are)"
    if path.is_symlink() or not path.is_file():
        return "is a link or no regular file"
    if path.stat().st_size > _LARGEST:
        return f"is larger than {_LARGEST // 1024 // 1024} MiB"
    try:
        return reader(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start})"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _document(path: Path, before: Iterable[Chunk]) -> str:
    """The file's path as an id, without its ending where no other document has that name."""
    parts = [slug(part) for part in path.with_suffix("").parts]
    name = "/".join(part or "page" for part in parts)
    return f"{name}.{path.suffix[1:].lower()}" if any(chunk.document == name for chunk in before) else name


def _chunk(document: str, passage: Passage, fields: Mapping[str, Any]) -> Chunk:
    chunk_id = f"{document}#{passage.name}"
    if unsafe_chunk_id(chunk_id):
        chunk_id = _shorter(chunk_id)
    title = passage.headings[-1] if passage.headings else fields.get("title")
    return Chunk.model_validate(
        {
            **fields,
            "id": chunk_id,
            "text": passage.text,
            "document": document,
            "title": title,
            "locator": " > ".join(passage.headings) or None,
            "kind": passage.kind,
        }
    )


def _shorter(chunk_id: str) -> str:
    """An id that may be cited, made of one that is too long: its beginning, its end, and a digest of the whole."""
    import hashlib

    digest = hashlib.sha256(chunk_id.encode()).hexdigest()[:12]
    return f"{chunk_id[:90]}~{digest}~{chunk_id[-60:]}"
