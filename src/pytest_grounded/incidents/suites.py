"""The suite an incident goes to: its corpus, its case files, and which of them a new case belongs in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_grounded.cases.loading import discover, load_case_file, named_requesters
from pytest_grounded.corpus.loading import LoadedCorpus, read_corpus
from pytest_grounded.corpus.paths import relative
from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.corpus.yaml_reader import Document, load_yaml
from pytest_grounded.errors import GroundedError
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Corpus, Requester

__all__ = ["NEW_FILE", "CaseFile", "KnownChunks", "Suite", "Workspace", "find_case", "named_chunks", "open_suite"]

NEW_FILE = "incidents.yaml"
_NAME = re.compile(r"[\w][\w .-]{0,99}(?:/[\w][\w .-]{0,99})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The project: the folder paths are shown from, those that hold case files, and the system under test."""

    root: Path
    cases_roots: tuple[Path, ...]
    system: str = "reference"
    reason_codes: Mapping[str, str] = field(default_factory=dict)
    link_hosts: tuple[str, ...] = ()

    def shown(self, path: Path) -> str:
        """A path as it is shown to people."""
        return relative(path, self.root)

    def suites(self) -> tuple[str, ...]:
        """The suites that have a corpus, by name."""
        found = (
            path.parent.relative_to(root).as_posix() for root in self.cases_roots for path in root.rglob("corpus.yaml")
        )
        return tuple(sorted({"root" if name == "." else name for name in found}))


@dataclass(frozen=True, kw_only=True)
class KnownChunks:
    """The chunks that the corpora at hand have: of one suite or of all, and of the stores.

    Corpora are read when the first id is looked up. One that cannot be read has none here; whoever uses it says why.
    """

    workspace: Workspace
    suite: str | None = None
    manifest: str = "corpus.yaml"
    stores: Sequence[Corpus] = ()

    def __call__(self, chunk_id: str) -> bool:
        """Whether one of them has a chunk of this id."""
        return any(chunk_id in ids for ids in self._ids)

    @cached_property
    def _ids(self) -> tuple[frozenset[str], ...]:
        found = [frozenset(store.ids) for store in self.stores]
        for name in (self.suite,) if self.suite is not None else self.workspace.suites():
            path = _folder(self.workspace, name) / self.manifest
            if path.is_file():
                with suppress(GroundedError):
                    found.append(frozenset(read_corpus(path, root=self.workspace.root).corpus.ids))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class CaseFile:
    """A case file of a suite: what it says, and the cases it makes."""

    path: Path
    file: str
    document: Document
    cases: tuple[Case, ...]

    @property
    def header(self) -> Mapping[str, Any]:
        """What the file says, `cases` among it."""
        return self.document.data if isinstance(self.document.data, dict) else {}

    @cached_property
    def default_requester(self) -> str | None:
        """The name of the requester a case has that names none."""
        defaults = self.header.get("defaults")
        name = defaults.get("requester") if isinstance(defaults, dict) else None
        return name if isinstance(name, str) else None

    @property
    def default_day(self) -> str | None:
        """The day a case has that names none, where the file sets one."""
        defaults = self.header.get("defaults")
        return defaults.get("as_of") if isinstance(defaults, dict) else None


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A suite as it is on disk; a new one has a folder that is still to be made."""

    name: str
    folder: Path
    workspace: Workspace
    manifest: Path
    corpus: LoadedCorpus | None
    files: tuple[CaseFile, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether there is no corpus yet."""
        return self.corpus is None

    @property
    def cases(self) -> Iterator[Case]:
        """Every case of the suite."""
        for one in self.files:
            yield from one.cases

    def file_at(self, path: Path) -> CaseFile | None:
        """The case file at a path; None where there is none yet."""
        return next((one for one in self.files if one.path == path), None)

    @cached_property
    def all_requesters(self) -> Mapping[str, Requester]:
        """The requesters that any file of the suite names; of a name that stands twice, the first file's."""
        named: dict[str, Requester] = {}
        for one in self.files:
            named = {**self.requesters(one.path), **named}
        return named

    def requesters(self, path: Path) -> Mapping[str, Requester]:
        """The requesters a file names."""
        return named_requesters(path, root=self.workspace.root) if path.is_file() else {}

    def file_for(self, chunk_ids: Iterable[str], *, like: Case | None = None) -> Path:
        """Where a case about some chunks belongs: with the case it is like, else with those about the same chunks.

        The only file there is takes it in any case; where no file is nearer than another, the file of incidents.
        """
        if like is not None and like.suite == self.name:
            return self.workspace.root / like.place.file
        wanted = set(chunk_ids)
        shares = [(sum(len(wanted & named_chunks(case)) for case in one.cases), one.path) for one in self.files]
        best = max((share for share, _ in shares), default=0)
        if best:
            return next(path for share, path in shares if share == best)
        if len(self.files) == 1:
            return self.files[0].path
        return self.folder / NEW_FILE


def open_suite(workspace: Workspace, name: str | None, *, create: bool = False, manifest: str = "corpus.yaml") -> Suite:
    """The suite of a name, or the only one there is. Where there is none at all a new one is begun.

    Raises GroundedError where the name is none of several suites, unless `create` says that it is new.
    """
    known = workspace.suites()
    if name is None:
        name = known[0] if len(known) == 1 else "incidents"
    if name not in known and known and not create:
        hint = did_you_mean(name, known) or f" (suites: {', '.join(known)})"
        raise GroundedError(f"there is no suite {shown(name)}{hint}; to begin one, add --create")
    if _NAME.fullmatch(name) is None or ".." in name.split("/"):
        raise GroundedError(f"{shown(name)} cannot be the name of a suite: it is the name of its folder")
    folder = _folder(workspace, name)
    path = folder / manifest
    if not path.is_file():
        if name in known:
            raise GroundedError(f"{workspace.shown(path)}: there is no such corpus in suite {shown(name)}")
        return Suite(name=name, folder=folder, workspace=workspace, manifest=path, corpus=None)
    corpus = read_corpus(path, root=workspace.root)
    return Suite(
        name=name,
        folder=folder,
        workspace=workspace,
        manifest=path,
        corpus=corpus,
        files=tuple(_files(workspace, folder)),
    )


def find_case(workspace: Workspace, suite: str | None, case_id: str) -> Case | None:
    """The case a record names; None where no suite, or not the suite it says, has it."""
    for name in (suite,) if suite is not None else workspace.suites():
        folder = _folder(workspace, name)
        for one in _files(workspace, folder) if folder.is_dir() else ():
            for case in one.cases:
                if case.id == case_id:
                    return case
    return None


def named_chunks(case: Case) -> set[str]:
    """The chunks a case names in any way."""
    groups = (group for slot in case.expect.slots for group in slot.evidence)
    sides = case.expect.conflict.sides if case.expect.conflict else ()
    return {
        *case.expect.cite,
        *case.about,
        *case.forbid.evidence,
        *(chunk for group in groups for chunk in group),
        *(chunk for side in sides for chunk in side.chunks),
    }


def _folder(workspace: Workspace, name: str) -> Path:
    """The folder of a suite, below the first root that has it, else the first."""
    roots: Sequence[Path] = workspace.cases_roots
    folders = [root if name == "root" else root / name for root in roots]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def _files(workspace: Workspace, folder: Path) -> Iterator[CaseFile]:
    """The case files right in a folder; those below it are other suites."""
    for path in discover([folder]):
        if path.parent != folder:
            continue
        loaded = load_case_file(path, root=workspace.root, cases_roots=workspace.cases_roots)
        if not loaded.passed_over:
            yield CaseFile(path=path, file=loaded.file, document=load_yaml(path), cases=loaded.cases)
