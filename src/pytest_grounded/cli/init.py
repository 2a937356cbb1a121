"""`pytest-grounded init`: a first suite, its corpus, the configuration and a workflow, each line explained."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath

from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import Project, find_project, is_configured
from pytest_grounded.cli.schema import SCHEMAS, schema
from pytest_grounded.cli.starting import files
from pytest_grounded.cli.starting.trying import those_that_hold
from pytest_grounded.cli.values import day
from pytest_grounded.documents import LONGEST, Collected, read_documents
from pytest_grounded.documents.suggesting import Suggestion, likely_requester, suggest
from pytest_grounded.documents.writing import case_file, chunk_lines, manifest
from pytest_grounded.errors import GroundedError
from pytest_grounded.files import write_together
from pytest_grounded.model.evidence import EVERYONE, Corpus, Requester
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]

_EACH = 2
"""Cases of each kind that a first suite begins with."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `init`."""
    parser.add_argument("suite", nargs="?", default="assistant", help="name of the suite (default: assistant)")
    parser.add_argument(
        "--kind",
        choices=("reference", "python", "recorded"),
        default="reference",
        help="what is tested: the embedded reference pipeline (default), a Python function or object, or recorded "
        "replies",
    )
    parser.add_argument(
        "--from-docs",
        type=Path,
        metavar="DIR",
        help="make the corpus of the Markdown, HTML and text files below DIR and suggest cases (needs the extra docs)",
    )
    parser.add_argument(
        "--readers",
        metavar="GROUPS",
        default="*",
        help="who may read documents that do not say, groups with commas between (default: * for everyone)",
    )
    parser.add_argument(
        "--longest",
        type=int,
        default=LONGEST,
        metavar="N",
        help=f"characters of a chunk; longer passages are split between paragraphs (default: {LONGEST})",
    )
    parser.add_argument(
        "--as-of",
        type=day,
        metavar="DATE",
        help="day of the cases (default: the newest day of the documents, today where none has one)",
    )
    parser.add_argument(
        "--ci", choices=("github", "none"), default="github", help="workflow to write (default: github)"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; say what would be written")
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write a first suite. Raises GroundedError where a file of it is there already; nothing is written then."""
    project = find_project()
    suite = _suite(arguments.suite)
    root = project.cases_roots[0]
    folder = root / PurePosixPath(suite)
    readers = tuple(group.strip() for group in arguments.readers.split(",") if group.strip())
    started = _from_documents(arguments, suite, readers) if arguments.from_docs else _example(arguments.as_of)
    schemas = PurePosixPath(*[".."] * len(PurePosixPath(suite).parts), ".schema")
    contents = {root / ".schema" / f"{what}.schema.json": schema(what) for what in SCHEMAS}
    contents |= _suite_files(folder, suite, started, schemas, readers)
    contents |= files.configuration(project.root, arguments.kind, is_configured=is_configured(project.root))
    if arguments.ci == "github":
        is_for_all = all(EVERYONE in chunk.readers for chunk in started.corpus)
        contents[project.root / ".github" / "workflows" / "grounded.yml"] = files.workflow(is_for_all=is_for_all)
    contents = _to_write(contents, root, project)
    if not arguments.dry_run:
        _write(contents, project)
    _say(arguments, project, contents, started, files.still_to_do(project.root, arguments.kind, suite, contents))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Started:
    """What a suite begins with: its corpus and cases, and what a person should know about them."""

    corpus: Corpus
    as_of: date
    requester: Requester
    suggestions: tuple[Suggestion, ...]
    left_out: int = 0
    source: str
    collected: Collected | None = None


def _from_documents(arguments: argparse.Namespace, suite: str, readers: tuple[str, ...]) -> _Started:
    if arguments.longest < 1:
        raise GroundedError(f"--longest needs a whole number above 0, found {arguments.longest}")
    collected = read_documents(Path.cwd() / arguments.from_docs, default_readers=readers, longest=arguments.longest)
    newest = max((chunk.effective_from for chunk in collected.chunks if chunk.effective_from), default=None)
    as_of = arguments.as_of or newest or datetime.now(tz=UTC).date()
    corpus = Corpus(name=suite, chunks=collected.chunks, as_of=as_of)
    requester = likely_requester(corpus)
    suggested = suggest(corpus.view(requester, as_of), corpus)
    kept = those_that_hold(suggested, corpus=corpus, requester=requester, as_of=as_of, each=_EACH)
    return _Started(
        corpus=corpus,
        as_of=as_of,
        requester=requester,
        suggestions=kept,
        left_out=len(suggested) - len(kept),
        source=f"the documents in {arguments.from_docs.as_posix()}",
        collected=collected,
    )


def _example(as_of: date | None) -> _Started:
    day = as_of or files.EXAMPLE_DAY
    return _Started(
        corpus=files.example_corpus(day),
        as_of=day,
        requester=files.EXAMPLE_REQUESTER,
        suggestions=files.EXAMPLE_CASES,
        source="a made-up corpus of three chunks",
    )


def _suite_files(
    folder: Path, suite: str, started: _Started, schemas: PurePosixPath, readers: tuple[str, ...]
) -> dict[Path, str]:
    inline = None if started.collected else files.inline_chunks(started.corpus)
    made = {
        folder / "corpus.yaml": manifest(
            name=suite,
            as_of=started.as_of,
            default_readers=readers,
            schema=schemas / "corpus.schema.json",
            inline=inline,
        ),
        folder / "first.yaml": case_file(
            started.suggestions,
            requester=started.requester,
            schema=schemas / "case.schema.json",
            source=started.source,
        ),
    }
    if started.collected:
        made[folder / "chunks.jsonl"] = "".join(chunk_lines(started.collected.chunks))
    return made


def _suite(name: str) -> str:
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or any(part.startswith(".") for part in parts) or "\\" in name:
        raise GroundedError(f"{name!r} is no name of a suite: write a name such as travel, or a path such as hr/travel")
    return PurePosixPath(name).as_posix()


def _to_write(contents: Mapping[Path, str], root: Path, project: Project) -> dict[Path, str]:
    """What is not there yet. Schemas may be renewed; any other file that is there and differs stops everything."""
    in_the_way = [
        project.shown(path)
        for path, text in contents.items()
        if path.exists() and path.parent != root / ".schema" and _held(path) != text
    ]
    if in_the_way:
        raise GroundedError(
            f"nothing is written: {', '.join(in_the_way)} {'is' if len(in_the_way) == 1 else 'are'} there already "
            "(name another suite, or move what is there)"
        )
    return {path: text for path, text in contents.items() if not path.exists() or _held(path) != text}


def _held(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _write(contents: Mapping[Path, str], project: Project) -> None:
    try:
        write_together({path: text.encode() for path, text in contents.items()})
    except OSError as error:
        place = project.shown(Path(error.filename)) if error.filename else "a file"
        raise GroundedError(f"nothing is written: {place} cannot be written: {error.strerror}") from None


def _say(
    arguments: argparse.Namespace,
    project: Project,
    contents: Mapping[Path, str],
    started: _Started,
    steps: Sequence[str],
) -> None:
    collected = started.collected
    if arguments.format == "json":
        said = {
            "written": [] if arguments.dry_run else [project.shown(path) for path in contents],
            "would_write": [project.shown(path) for path in contents] if arguments.dry_run else [],
            "chunks": len(started.corpus),
            "documents": list(collected.documents) if collected else [],
            "passed_over": [{"file": one.file, "why": one.why} for one in collected.passed_over] if collected else [],
            "cases": [{"id": one.id, "kind": one.kind.value} for one in started.suggestions],
            "left_out": started.left_out,
            "next": list(steps),
        }
        print_json(said)
        return
    for line in _lines(arguments, project, contents, started):
        print(neutralise(line))
    print("\nnext")
    for number, step in enumerate(steps, 1):
        print(f"  {number}. " + "\n     ".join(neutralise(line) for line in step.split("\n")))


def _lines(
    arguments: argparse.Namespace, project: Project, contents: Mapping[Path, str], started: _Started
) -> Sequence[str]:
    lines = [f"{'would write' if arguments.dry_run else 'wrote'} {project.shown(path)}" for path in contents]
    if not contents:
        lines = ["everything is there already"]
    collected = started.collected
    if collected is None:
        return lines
    dated = ", ".join(
        f"{count} by {'their front matter' if source == 'front matter' else source}"
        for source, count in collected.dated.items()
        if count and source != "none"
    )
    undated = collected.dated["none"]
    lines += ["", f"{len(started.corpus)} chunks of {len(collected.documents)} documents, as of {started.as_of}"]
    lines += (
        [f"  dated: {dated}" + (f"; {undated} hold always, as nothing dates them" if undated else "")] if dated else []
    )
    lines += ["  nothing dates them (no front matter, no commit): they hold always"] if not dated else []
    lines += [f"  {one.said}" for one in collected.passed_over]
    kinds = [one.kind.value for one in started.suggestions]
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "none"
    lines.append(f"  cases suggested: {counted}")
    return lines
