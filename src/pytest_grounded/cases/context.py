"""What the cases of one file share, and what its names stand for: requesters, corpora, aliases.

A name that stands for nothing becomes a fault at the place where it is used, and None here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path as FilePath

from pytest_grounded.cases.schema import HeaderWritten, RequesterWritten
from pytest_grounded.corpus.faults import Fault, Path
from pytest_grounded.corpus.loading import CorpusStore
from pytest_grounded.corpus.paths import PathRefusedError, inside
from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.corpus.yaml_reader import Document
from pytest_grounded.errors import CorpusError, Problem
from pytest_grounded.model.evidence import ANONYMOUS, Corpus, CorpusView, Requester

__all__ = ["FileContext", "Place", "Who"]

Who = str | RequesterWritten | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a case file is: as it is shown, on disk, the suite it belongs to, and where shown paths begin."""

    file: str
    path: FilePath
    suite: str
    root: FilePath


@dataclass(slots=True, kw_only=True)
class FileContext:
    """Looks names up and gathers what is wrong: `faults` of the case file, `problems` of its corpora."""

    place: Place
    document: Document
    header: HeaderWritten
    store: CorpusStore
    faults: list[Fault] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _corpora: dict[str, Corpus | None] = field(default_factory=dict)
    _requesters: dict[str, Requester] = field(default_factory=dict)

    def report(self, kind: str, message: str, path: Path, *, at_key: bool = False) -> None:
        """Note a fault of the case file."""
        self.faults.append(Fault(kind=kind, message=message, path=path, at_key=at_key))

    def requester(self, who: Who, path: Path) -> Requester | None:
        """The requester of a name or of an inline mapping; anonymous where there is none."""
        if who is None:
            return ANONYMOUS
        if isinstance(who, RequesterWritten):
            return read_requester(who, name="")
        if who in self._requesters:
            return self._requesters[who]
        written = self.header.requesters.get(who)
        if written is None:
            if who == ANONYMOUS.id:
                return ANONYMOUS
            names = [*self.header.requesters, ANONYMOUS.id]
            message = f"requester {shown(who)} is not among the requesters of this file{did_you_mean(who, names)}"
            self.report("type", message, path)
            return None
        requester = self._requesters[who] = read_requester(written, name=who)
        return requester

    def corpus(self, written: str, path: Path) -> Corpus | None:
        """The corpus of a manifest beside or below the file, read once for all cases; what is wrong is said once."""
        if written not in self._corpora:
            self._corpora[written] = self._load(written, path)
        return self._corpora[written]

    def _load(self, written: str, path: Path) -> Corpus | None:
        try:
            manifest = inside(self.place.path.parent, written)
            if manifest.is_file():
                return self.store.load(manifest, root=self.place.root).corpus
            reason = (
                "is no file beside or below this one (name the manifest of a corpus; `pytest-grounded init` writes one)"
            )
        except PathRefusedError as error:
            reason = str(error)
        except CorpusError as error:
            self.problems += error.problems
            return None
        self.report("type", f"corpus {shown(written)} {reason}", path)
        return None

    def chunk_id(self, written: str) -> str:
        """The chunk id that an alias stands for; any other text is an id already."""
        return self.header.aliases.get(written, written)

    def part(self, path: Path, *indices: int) -> Path:
        """The path of an entry of a list that may be written short: as one text, or without its inner list."""
        candidates = ((*path, *indices), (*path, *indices[1:]), (*path, indices[-1]))
        return next((one for one in candidates if self.document.known(one) == one), path)

    def loaded_corpora(self) -> tuple[Corpus, ...]:
        """Every corpus that a case of the file has used."""
        return tuple(corpus for corpus in self._corpora.values() if corpus is not None)


def read_requester(written: RequesterWritten, *, name: str) -> Requester:
    """A requester as written, with the name it goes by where it states no id."""
    return Requester(
        id=written.id or name,
        tenant=written.tenant,
        audience=written.audience,
        groups=written.groups,
        scope=written.scope,
    )


def describe(view: CorpusView) -> str:
    """Who asks, in words.

    >>> from datetime import date
    >>> describe(Corpus(name="c", chunks=()).view(ANONYMOUS, date(2024, 10, 1)))
    "requester 'anonymous'"
    """
    return f"requester {shown(view.requester.id)}" if view.requester.id else "this requester"
