"""`pytest-grounded corpus update`: the next revision of a corpus from the next edition of its documents."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from pytest_grounded.cases.coverage import named_chunks
from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import Project, add_cases_option, find_project
from pytest_grounded.cli.values import day
from pytest_grounded.corpus.freeze import with_digest
from pytest_grounded.corpus.loading import read_corpus
from pytest_grounded.corpus.rewriting import with_values
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.documents import LONGEST, Change, Collected, Revision, read_documents, revise
from pytest_grounded.documents.writing import chunk_lines
from pytest_grounded.errors import GroundedError
from pytest_grounded.files import write_together
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]

_REVISION = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `corpus update`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    says = "Read the documents again and write the next revision of a suite's corpus beside the last one."
    update = actions.add_parser(
        "update", help="write the next revision of a corpus beside the last one", description=says
    )
    update.add_argument("suite", help="the suite whose corpus.yaml is renewed, such as travel-policy")
    update.add_argument(
        "--from-docs", type=Path, required=True, metavar="DIR", help="folder with the documents as they are now"
    )
    update.add_argument("--revision", metavar="LABEL", help="label of the new revision (default: its day)")
    update.add_argument(
        "--as-of",
        type=day,
        metavar="DATE",
        help="first day of the new edition (default: the newest day of the documents, where it is later than the "
        "corpus's as_of)",
    )
    update.add_argument(
        "--longest",
        type=int,
        default=LONGEST,
        metavar="N",
        help=f"characters of a chunk, as for init (default: {LONGEST})",
    )
    update.add_argument("--dry-run", action="store_true", help="write nothing; say what would change")
    add_format_option(update)
    add_cases_option(update)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Touched:
    """A case that names a chunk which is superseded or withdrawn now, and what superseded it."""

    file: str
    line: int
    case: str
    chunk: str
    now: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Update:
    """A corpus, its documents as they are now, and the revision made of both."""

    manifest: Path
    corpus: Corpus
    collected: Collected
    day: date
    label: str
    revised: Revision

    @property
    def kept_as(self) -> Path:
        """Where the last revision's manifest is kept, for `on:`."""
        return self.manifest.with_name(
            f"corpus-{_slug(self.corpus.revision or str(self.corpus.as_of or 'before'))}.yaml"
        )


def run(arguments: argparse.Namespace) -> int:
    """Write the next revision; 0 also where nothing changed. Nothing is written where anything is wrong."""
    project = find_project(arguments.cases)
    made = _revised(arguments, project)
    contents = _contents(made, project) if made.revised.changes else {}
    touched = [*_touched(made, project)]
    if contents and not arguments.dry_run:
        try:
            write_together(contents)
        except OSError as error:
            raise GroundedError(
                f"nothing is written: {error.filename or ''} cannot be written: {error.strerror}"
            ) from None
    written = [project.shown(path) for path in contents]
    if arguments.format == "json":
        print_json(_as_json(made, written, touched, dry_run=arguments.dry_run))
    else:
        for line in _lines(made, project, written, touched, dry_run=arguments.dry_run):
            print(neutralise(line))
    return 0


def _revised(arguments: argparse.Namespace, project: Project) -> _Update:
    if arguments.longest < 1:
        raise GroundedError(f"--longest needs a whole number above 0, found {arguments.longest}")
    manifest = project.suite_folder(arguments.suite) / "corpus.yaml"
    corpus = read_corpus(manifest, root=project.root).corpus
    readers = (load_yaml(manifest).data or {}).get("default_readers") or ()
    default = (readers,) if isinstance(readers, str) else tuple(readers)
    collected = read_documents(Path.cwd() / arguments.from_docs, default_readers=default, longest=arguments.longest)
    if not revise(
        [*corpus], collected.chunks, day=date.max, revision="next", stated_readers=collected.stated_readers
    ).changes:
        day = arguments.as_of or corpus.as_of or date.max  # nothing will be written, so no day is asked for
    else:
        day = arguments.as_of or _newest(collected, corpus)
    label = arguments.revision or day.isoformat()
    if not _REVISION.fullmatch(label):
        raise GroundedError(f"--revision {label!r}: needs small letters, digits, dots and hyphens, such as 2025-07-01")
    if label == corpus.revision and arguments.revision:
        raise GroundedError(f"--revision {label!r}: is what the corpus has already; name another")
    revised = revise([*corpus], collected.chunks, day=day, revision=label, stated_readers=collected.stated_readers)
    return _Update(manifest=manifest, corpus=corpus, collected=collected, day=day, label=label, revised=revised)


def _newest(collected: Collected, corpus: Corpus) -> date:
    """The newest day of the documents, where the corpus is older than it."""
    newest = max((chunk.effective_from for chunk in collected.chunks if chunk.effective_from), default=None)
    if newest is None or (corpus.as_of and newest <= corpus.as_of):
        said = f"none of them is dated later than {corpus.as_of}" if corpus.as_of else "none of them is dated"
        raise GroundedError(f"since when do the documents hold? {said}: say so with --as-of YYYY-MM-DD")
    return newest


def _contents(made: _Update, project: Project) -> dict[Path, bytes]:
    """The files of the new revision and the last one's manifest under its new name; nothing that is there goes."""
    raw = made.manifest.read_bytes()
    chunks = load_yaml(made.manifest).data["chunks"]
    name = f"chunks-{_slug(made.label)}.jsonl"
    reference = str(PurePosixPath(chunks).with_name(name)) if isinstance(chunks, str) else name
    values = {"revision": made.label, "as_of": made.day.isoformat(), "chunks": reference}
    shown = project.shown(made.manifest)
    had_lock = "digest" in (load_yaml(made.manifest).data or {})
    renewed = with_values(raw, values | ({"digest": None} if had_lock else {}), file=shown)
    if had_lock:
        renewed = with_digest(renewed, Corpus(name=made.corpus.name, chunks=made.revised.chunks).digest, file=shown)
    beside = _folder_of(made, project) / name
    for path in (made.kept_as, beside):
        if path.exists():
            raise GroundedError(f"nothing is written: {project.shown(path)} is there already (name another --revision)")
    return {
        beside: "".join(chunk_lines(made.revised.chunks)).encode(),
        made.kept_as: raw,
        made.manifest: renewed,
    }


def _folder_of(made: _Update, project: Project) -> Path:
    """Where the chunks are: beside the manifest, or outside the repository where a variable says so."""
    import os

    from pytest_grounded.corpus.paths import inside, outside

    chunks = load_yaml(made.manifest).data["chunks"]
    if not isinstance(chunks, str):
        return made.manifest.parent
    there = outside(chunks, os.environ, root=project.root)
    return (there or inside(made.manifest.parent, chunks)).parent


def _touched(made: _Update, project: Project) -> Iterator[_Touched]:
    """Cases that use this corpus and name a chunk that this update ends."""
    ended = {change.old: change.new for change in made.revised.changes if change.kind in {"changed", "withdrawn"}}
    if not ended:
        return
    source = project.shown(made.manifest)
    for path in discover(project.cases_roots):
        loaded = load_case_file(path, root=project.root, cases_roots=project.cases_roots)
        for case in loaded.cases:
            if case.corpus.source != source:
                continue
            for chunk in dict.fromkeys(named_chunks(case)):
                if chunk in ended:
                    yield _Touched(file=loaded.file, line=case.place.line, case=case.id, chunk=chunk, now=ended[chunk])


def _lines(
    made: _Update, project: Project, written: Sequence[str], touched: Sequence[_Touched], *, dry_run: bool
) -> Iterator[str]:
    shown = project.shown(made.manifest)
    yield from (one.said for one in made.collected.passed_over)
    if not made.revised.changes:
        yield f"{shown}: the documents say what the corpus says; nothing to write"
        return
    yield f"{shown}: revision {made.corpus.revision or 'without a label'} -> {made.label}, as of {made.day}"
    for change in made.revised.changes:
        yield f"  {change.kind:<11}{_said(change)}"
        yield from (f"             {note}" for note in change.notes)
    yield ""
    yield from (f"{'would write' if dry_run else 'wrote'} {path}" for path in written)
    if touched:
        yield ""
        yield "cases that name what has changed (mend them, or keep both answers with `on:`, as below)"
        for one in touched:
            now = f"now {one.now}" if one.now else "withdrawn"
            yield f"  {one.file}:{one.line}: {one.case} names {one.chunk}, {now}"
        yield f"  on: {{{made.kept_as.name}: {{expect: ...}}, corpus.yaml: {{expect: ...}}}}"


def _said(change: Change) -> str:
    if change.kind == "changed":
        return f"{change.old} -> {change.new}"
    return change.new or change.old or ""


def _as_json(made: _Update, written: Sequence[str], touched: Sequence[_Touched], *, dry_run: bool) -> dict[str, object]:
    return {
        "revision": made.label,
        "as_of": made.day.isoformat(),
        "changes": [asdict(change) for change in made.revised.changes],
        "would_write" if dry_run else "written": list(written),
        "touched": [asdict(one) for one in touched],
        "passed_over": [asdict(one) for one in made.collected.passed_over],
    }


def _slug(label: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", label.lower()).strip("-.") or "before"
