"""Which files a new case is written into, and their new contents; nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pytest_grounded.corpus.freeze import with_digest
from pytest_grounded.corpus.paths import inside
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.freezing import written_chunk
from pytest_grounded.incidents.json_lines import with_lines
from pytest_grounded.incidents.suites import Suite
from pytest_grounded.incidents.yaml_insert import with_entry
from pytest_grounded.incidents.yaml_text import block_lines, scalar
from pytest_grounded.model.evidence import Chunk, Corpus

__all__ = ["Edit", "case_edit", "changed_lines", "corpus_edits", "recording_edit", "recording_path"]

_CHUNKS = "chunks.jsonl"
RECORDING = "incidents.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A file with what it held (None: it is new) and what it will hold; `line` is where the new part begins."""

    path: Path
    before: bytes | None
    after: bytes
    line: int = 1
    what: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the file is not there yet."""
        return self.before is None


def changed_lines(edit: Edit) -> Iterator[str]:
    r"""The lines that go and those that come, each with its sign, under the number of the first.

    >>> edit = Edit(path=Path("a.yaml"), before=b"a\nb\nc\n", after=b"a\nb\nx\nc\n")
    >>> [*changed_lines(edit)]
    ['@@ 3', '+x']
    """
    old = (edit.before or b"").decode("utf-8", "replace").splitlines(keepends=True)
    new = edit.after.decode("utf-8", "replace").splitlines(keepends=True)
    most = min(len(old), len(new))
    head = next((place for place in range(most) if old[place] != new[place]), most)
    tail = next((place for place in range(most - head) if old[-1 - place] != new[-1 - place]), most - head)
    yield f"@@ {head + 1}"
    yield from ("-" + line.rstrip("\r\n") for line in old[head : len(old) - tail])
    yield from ("+" + line.rstrip("\r\n") for line in new[head : len(new) - tail])


def case_edit(path: Path, case: Mapping[str, Any], *, recording: str, shown: str) -> Edit:
    """The case file with the case as its last one."""
    if not path.is_file():
        head = f"# Cases made of incidents by `pytest-grounded add`; the replies they came from are in {recording}."
        lines = [head, "cases:", *_first(case)]
        return Edit(path=path, before=None, after=_joined(lines), line=len(lines[:2]) + 1, what="the case")
    before = path.read_bytes()
    inserted = with_entry(before, ("cases",), case, file=shown)
    return Edit(path=path, before=before, after=inserted.raw, line=inserted.line, what="the case")


def _first(case: Mapping[str, Any]) -> list[str]:
    first, *rest = block_lines(case, indent=4)
    return ["  - " + first.lstrip(), *rest]


def corpus_edits(suite: Suite, chunks: Sequence[Chunk], *, as_of: date) -> list[Edit]:
    """The corpus with further chunks; its lock, where it has one, is renewed. A new suite gets its manifest."""
    if suite.corpus is None:
        return _new_corpus(suite, chunks, as_of)
    if not chunks:
        return []
    manifest, shown = suite.manifest, suite.workspace.shown(suite.manifest)
    data: Any = load_yaml(manifest).data
    raw = before = manifest.read_bytes()
    edits: list[Edit] = []
    if isinstance(data["chunks"], str):
        edits.append(_lines_edit(suite, data["chunks"], chunks, shown))
    else:
        for chunk in chunks:
            raw = with_entry(raw, ("chunks",), written_chunk(chunk), file=shown).raw
    if data.get("digest") is not None:
        corpus = suite.corpus.corpus
        digest = Corpus(name=corpus.name, chunks=(*corpus, *chunks)).digest
        raw = with_digest(raw, digest, file=shown)
    if raw != before:
        what = "its chunks" if not edits else "the lock over the chunks"
        edits.append(Edit(path=manifest, before=before, after=raw, what=what))
    return edits


def _lines_edit(suite: Suite, written: str, chunks: Sequence[Chunk], shown: str) -> Edit:
    if written.startswith("$"):
        ids = ", ".join(chunk.id for chunk in chunks)
        message = f"the chunks of this corpus lie outside of the project ({written}), so {ids} cannot be added to them"
        hint = "add them where they are kept, run `pytest-grounded freeze`, then this again"
        raise GroundedError(Problem(file=shown, message=f"{message} ({hint})"))
    path = inside(suite.manifest.parent, written)
    before = path.read_bytes()
    after = with_lines(before, map(written_chunk, chunks))
    return Edit(
        path=path, before=before, after=after, line=_line_count(before) + 1, what=_counted(len(chunks), "chunk")
    )


def _new_corpus(suite: Suite, chunks: Sequence[Chunk], as_of: date) -> list[Edit]:
    name = suite.name.rpartition("/")[2]
    lines = [
        f"corpus: {scalar(name)}",
        f"as_of: {as_of.isoformat()}  # the day of every case that sets none; here the day of the first incident",
        f"chunks: {_CHUNKS}",
    ]
    rows = with_lines(b"", map(written_chunk, chunks))
    return [
        Edit(path=suite.folder / _CHUNKS, before=None, after=rows, what=_counted(len(chunks), "chunk")),
        Edit(path=suite.manifest, before=None, after=_joined(lines), what="the corpus of a new suite"),
    ]


def recording_path(suite: Suite) -> Path:
    """Where the reply is kept: in the recording the project tests, where it tests one, else in that of incidents."""
    scheme, _, name = suite.workspace.system.partition(":")
    if scheme == "recorded" and name.strip():
        beside, at_root = suite.folder / name.strip(), suite.workspace.root / name.strip()
        return at_root if at_root.is_file() and not beside.is_file() else beside
    return suite.folder / RECORDING


def recording_edit(path: Path, rows: Sequence[Mapping[str, Any]]) -> Edit:
    """The recording with the lines of the reply."""
    before = path.read_bytes() if path.is_file() else None
    after = with_lines(before or b"", rows)
    return Edit(path=path, before=before, after=after, line=_line_count(before or b"") + 1, what="the bad reply")


def _joined(lines: Sequence[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _line_count(raw: bytes) -> int:
    return raw.count(b"\n") + (1 if raw and not raw.endswith(b"\n") else 0)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
