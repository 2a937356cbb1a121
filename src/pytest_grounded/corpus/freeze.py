"""Writes the lock over a corpus into its manifest, and leaves every other byte of the file as it is.

A person wrote the manifest: their comments, order and line ends stay. Whether the edited file says what it said before,
and the lock, is read back before it is handed on; where no edit does, the line to write is said instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_grounded.corpus.faults import Path
from pytest_grounded.corpus.yaml_reader import Document, read_yaml
from pytest_grounded.errors import CorpusError, Problem

__all__ = ["is_manifest", "with_digest"]

_DIGEST = "digest"
_HASH = re.compile(r"sha256:[0-9a-fA-F]{64}")


def is_manifest(document: Document) -> bool:
    r"""Whether a YAML file is the manifest of a corpus: it has chunks and no cases.

    >>> is_manifest(read_yaml(b"corpus: travel\nchunks: chunks.jsonl\n")), is_manifest(read_yaml(b"gate: {}\n"))
    (True, False)
    """
    data = document.data
    return isinstance(data, dict) and {"corpus", "chunks"} <= data.keys() and "cases" not in data


def with_digest(raw: bytes, digest: str, *, file: str) -> bytes:
    r"""The bytes of a manifest with this digest as its lock; the same bytes where they hold it already.

    Raises CorpusError where the file is written so that no edit of one line can add it.

    >>> lock = "sha256:" + "0" * 64
    >>> print(with_digest(b"corpus: a # ours\nchunks: a.jsonl\n", lock, file="corpus.yaml").decode()[:47])
    corpus: a # ours
    chunks: a.jsonl
    digest: sha256
    """
    document = read_yaml(raw)
    data: Any = document.data if isinstance(document.data, dict) else {}
    if data.get(_DIGEST) == digest:
        return raw
    for edited in _edits(raw.decode("utf-8"), document, digest) if is_manifest(document) else ():
        written = edited.encode("utf-8")
        again = read_yaml(written)
        if not again.faults and again.data == {**data, _DIGEST: digest}:
            return written
    message = f"the lock cannot be written without changing more of the file (write this line: digest: {digest})"
    raise CorpusError(Problem(message=message, code="corpus.digest", file=file))


def _edits(text: str, document: Document, digest: str) -> Iterator[str]:
    """Ways to write the lock, the least surprising first; which of them holds is for the caller to see."""
    if document.known((_DIGEST,)):
        yield from _replaced(text, document, digest)
        return
    line = f"{_DIGEST}: {digest}"
    in_the_file = not isinstance(document.data.get("chunks"), str)
    for key in ("corpus",) if in_the_file else ("chunks", "corpus"):
        yield _after_line(text, document.spot((key,)).line, line)
    yield _after_line(text, text.count("\n") + 1, line)
    start = _offset(text, document, ("corpus",), key=True)
    yield f"{text[:start]}{line}, {text[start:]}"  # a mapping in braces


def _replaced(text: str, document: Document, digest: str) -> Iterator[str]:
    value = _offset(text, document, (_DIGEST,))
    written = _HASH.match(text, value) or _HASH.match(text, value + 1)  # behind a quotation mark
    if written is not None:
        yield text[: written.start()] + digest + text[written.end() :]
    colon = text.find(":", _offset(text, document, (_DIGEST,), key=True))
    yield f"{text[: colon + 1]} {digest}{text[colon + 1 :]}"  # a key without a value


def _offset(text: str, document: Document, path: Path, *, key: bool = False) -> int:
    """Where a part of the document begins in the text; a mark at the very start of the file is no column."""
    line, column = document.spot(path, key=key)
    start = sum(map(len, text.splitlines(keepends=True)[: line - 1]))
    mark = 1 if line == 1 and text.startswith("\ufeff") else 0
    return start + mark + column - 1


def _after_line(text: str, number: int, line: str) -> str:
    """The text with a line behind the line of that number, ended as that one is, or as those before it."""
    lines = text.splitlines(keepends=True)
    before, rest = lines[:number], lines[number:]
    ending = next((found for one in reversed(before) if (found := _ending(one))), "\n")
    if before and not _ending(before[-1]):
        return "".join((*before, ending, line))
    return "".join((*before, line, ending, *rest))


def _ending(line: str) -> str:
    r"""The line break of a line: `\n`, `\r\n`, or `\r` alone; empty where it has none."""
    return line[len(line.rstrip("\r\n")) :]
