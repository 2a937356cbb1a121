"""From paths to case files, and from a case file to its cases or to everything that is wrong with it.

A YAML file counts as a case file when it has the top-level key `cases`; others are passed over. `build_cases` makes
cases of plain data and places, which may come from a file or from what was kept of one.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from pytest_grounded.cases.context import FileContext, Place, read_requester
from pytest_grounded.cases.resolving import resolve_case
from pytest_grounded.cases.schema import SYNONYMS, CaseWritten, FileWritten, HeaderWritten
from pytest_grounded.cases.supported import unsupported_keys
from pytest_grounded.corpus.faults import Fault, Path, faults_of, spelled
from pytest_grounded.corpus.freeze import is_manifest
from pytest_grounded.corpus.loading import CorpusStore
from pytest_grounded.corpus.paths import relative
from pytest_grounded.corpus.wording import found, shown
from pytest_grounded.corpus.yaml_reader import Document, load_yaml
from pytest_grounded.errors import CaseError, Problem
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Requester

__all__ = ["LoadedFile", "build_cases", "discover", "load_case_file", "named_requesters", "suite_of"]

MAX_PROBLEMS = 200
"""More problems than this in one file are not looked for: the first ones say what to mend."""

_FOLLOWS = frozenset({"missing_key", "asserts_nothing"})
"""Faults that may only follow from a key that is wrong and was left out."""

_STORE = CorpusStore()
"""Corpora are read once in a process: the many case files of a suite share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFile:
    """A case file and its cases, in the order they are written; a file without `cases:` is passed over."""

    path: FilePath
    file: str
    suite: str
    cases: tuple[Case, ...]
    passed_over: bool = False


def discover(paths: Iterable[FilePath]) -> tuple[FilePath, ...]:
    """Every `*.yaml` file at or below the paths, sorted; whether it is a case file shows when it is loaded."""
    found_files = (file for path in paths for file in ([path] if path.is_file() else _below(path)))
    return tuple(sorted(set(found_files)))


def _below(folder: FilePath) -> Iterator[FilePath]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (FilePath(parent, name) for name in files if name.endswith(".yaml"))


def load_case_file(
    path: FilePath,
    *,
    root: FilePath,
    cases_roots: Sequence[FilePath],
    named: bool = False,
    store: CorpusStore | None = None,
) -> LoadedFile:
    """Read a case file; raises CaseError with every problem of it and of the corpora it uses.

    `root` is where shown paths begin, `cases_roots` where suites do. A file that was `named` by a person has to have
    `cases:`; any other without it is passed over, unless it does not parse or repeats a key.
    """
    place = Place(file=relative(path, root), path=path, suite=suite_of(path, cases_roots, root), root=root)
    document = _document(place)
    tops = [top for top in (document.data, *document.others) if isinstance(top, dict) and "cases" in top]
    if document.complete and not tops and not named:
        if repeated := [fault for fault in document.faults if fault.kind == "duplicate_key"]:
            raise CaseError(_problems(repeated, place, document))
        if misspelled := _misspelled(document):
            raise CaseError(_problems([misspelled], place, document))
        return LoadedFile(path=path, file=place.file, suite=place.suite, cases=(), passed_over=True)
    if not tops and is_manifest(document):
        message = "this is the manifest of a corpus, and a file that is named has to have cases (name those beside it)"
        raise CaseError(Problem(message=message, code="case_file.missing_key", file=place.file))
    cases = build_cases(document, place, store=_STORE if store is None else store)
    return LoadedFile(path=path, file=place.file, suite=place.suite, cases=cases)


def _misspelled(document: Document) -> Fault | None:
    """A list of what look like cases under another key: such a file is not passed over, its cases would never run."""
    if _look_like_cases(document.data):
        message = "is a list of what looks like cases, and the key cases is missing (write `cases:` above the list)"
        return Fault(kind="missing_key", message=message)
    for key, value in document.data.items() if isinstance(document.data, dict) else ():
        if _look_like_cases(value):
            message = f"{shown(key)} holds what looks like cases, and the key cases is missing (did you mean 'cases'?)"
            return Fault(kind="missing_key", message=message, path=(key,), at_key=True)
    return None


def _look_like_cases(value: Any) -> bool:
    entries = value if isinstance(value, list) else []
    return any(isinstance(entry, dict) and bool({"question", "steps"} & entry.keys()) for entry in entries)


def named_requesters(path: FilePath, *, root: FilePath) -> Mapping[str, Requester]:
    """The requesters a case file names; none where it is no case file or cannot be read."""
    document = _document(Place(file=relative(path, root), path=path, suite="", root=root))
    header = _header(document, []) if document.complete and not document.faults else None
    return {} if header is None else {name: read_requester(one, name=name) for name, one in header.requesters.items()}


def suite_of(path: FilePath, cases_roots: Sequence[FilePath], root: FilePath) -> str:
    """The folder path of a file below the cases root it is in (the innermost); `root` directly in it.

    >>> suite_of(FilePath("/p/cases/travel/hotel.yaml"), [FilePath("/p/cases")], FilePath("/p"))
    'travel'
    """
    folder = path.parent.resolve()
    bases = sorted((base.resolve() for base in (*cases_roots, root)), key=lambda base: -len(base.parts))
    own = next((base for base in bases if folder.is_relative_to(base)), folder.parent)
    return folder.relative_to(own).as_posix() if folder != own else "root"


def build_cases(document: Document, place: Place, *, store: CorpusStore) -> tuple[Case, ...]:
    """The cases of a document; raises CaseError with all that is wrong."""
    if any(fault.kind == "yaml" for fault in document.faults):
        raise CaseError(_problems(document.faults, place, document))
    faults = list(document.faults)
    header = _header(document, faults)
    context = FileContext(place=place, document=document, header=header or HeaderWritten(), store=store, faults=faults)
    data = document.data if isinstance(document.data, dict) else {}
    written_cases = data.get("cases")
    entries: list[Any] = written_cases if isinstance(written_cases, list) else []
    cases: list[Case] = []
    for index, written in enumerate(entries):
        if len(faults) > MAX_PROBLEMS:
            break
        case, whole = _case(written, index, faults)
        if case is not None and header is not None:
            before = len(faults)
            cases += resolve_case(case, index, context)
            if not whole:
                faults[before:] = [fault for fault in faults[before:] if fault.kind not in _FOLLOWS]
    faults += _repeated_ids(entries)
    faults += _aliases(context)
    if faults or context.problems:
        raise CaseError([*_problems(faults, place, document), *context.problems])
    return tuple(cases)


def _document(place: Place) -> Document:
    try:
        return load_yaml(place.path)
    except OSError as error:
        reason = "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        raise CaseError(Problem(message=f"the case file {reason}", file=place.file)) from error


def _header(document: Document, faults: list[Fault]) -> HeaderWritten | None:
    """What the cases share; None where it cannot be used. Says also what is wrong with `cases` as a list."""
    data = document.data
    if not isinstance(data, dict):
        faults.append(Fault(kind="type", message=f"needs a mapping with the key cases, found {found(data)}"))
        return None
    entries = data.get("cases")
    if "cases" not in data:
        faults.append(Fault(kind="missing_key", message="key 'cases' is missing (the list of cases)"))
    elif not isinstance(entries, list) or not entries:
        message = f"needs a list of cases, found {found(entries)} (write at least one, or take the file away)"
        faults.append(Fault(kind="type", message=message, path=("cases",)))
    faults += unsupported_keys(data["defaults"], at=("defaults",)) if isinstance(data.get("defaults"), dict) else ()
    try:
        return HeaderWritten.model_validate({key: value for key, value in data.items() if key != "cases"})
    except ValidationError as error:
        faults += faults_of(error, FileWritten, synonyms=SYNONYMS)
        return None


def _case(written: Any, index: int, faults: list[Fault]) -> tuple[CaseWritten | None, bool]:
    """A case as written, and whether that is all of it: what is wrong is left out, so that the rest is looked at."""
    base: Path = ("cases", index)
    if isinstance(written, dict):
        faults += unsupported_keys(written, at=base)
    try:
        return CaseWritten.model_validate(written), True
    except ValidationError as error:
        own = list(islice(faults_of(error, CaseWritten, synonyms=SYNONYMS), MAX_PROBLEMS + 1))
    faults += (replace(fault, path=(*base, *fault.path)) for fault in own)
    try:
        return CaseWritten.model_validate(_without(written, own)), False
    except ValidationError:
        return None, False


def _without(written: Any, faults: Iterable[Fault]) -> Any:
    """The case without the keys that are wrong; an id is put in where it is one of them."""
    if not isinstance(written, dict):
        return written
    left = copy.deepcopy(written)
    for fault in faults:
        path = fault.path
        while path and isinstance(path[-1], int):
            path = path[:-1]
        holder = _at(path[:-1], left)
        if path and isinstance(holder, dict):
            holder.pop(path[-1], None)
    left.setdefault("id", "unnamed")
    return left


def _repeated_ids(entries: list[Any]) -> Iterator[Fault]:
    """Ids that stand twice; two that differ in case alone would be one file on some disks."""
    first: dict[str, int] = {}
    for index, written in enumerate(entries):
        case_id = written.get("id") if isinstance(written, dict) else None
        if not isinstance(case_id, str):
            continue
        other = first.setdefault(case_id.casefold(), index)
        if other != index:
            message = f"id {shown(case_id)} is taken by cases[{other}] (choose another)"
            yield Fault(kind="duplicate_id", message=message, path=("cases", index, "id"))


def _aliases(context: FileContext) -> Iterator[Fault]:
    """Aliases that stand for nothing, or hide a chunk whose id they are, in every corpus of the file."""
    corpora = context.loaded_corpora()
    for alias, chunk_id in context.header.aliases.items() if corpora else ():
        if not any(chunk_id in corpus for corpus in corpora):
            message = f"chunk {shown(chunk_id)} is not in corpus {shown(corpora[0].name)}"
            yield Fault(kind="unknown_chunk", message=message, path=("aliases", alias))
        elif any(alias in corpus for corpus in corpora):
            message = f"alias {shown(alias)} is the id of a chunk as well (choose another name)"
            yield Fault(kind="duplicate_id", message=message, path=("aliases", alias), at_key=True)


def _problems(faults: Iterable[Fault], place: Place, document: Document) -> list[Problem]:
    """Faults as people read them, each once, in the order of the file; of a flood only the first."""
    problems = list({_problem(fault, place, document): None for fault in faults})
    problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
    if len(problems) <= MAX_PROBLEMS:
        return problems
    more = Problem(message=f"more than {MAX_PROBLEMS} problems (mend these first)", file=place.file)
    return [*problems[:MAX_PROBLEMS], more]


_MANIFEST = "corpus.yaml"
"""What a suite's manifest is called: what is wrong with one is no case file's fault."""


def _problem(fault: Fault, place: Place, document: Document) -> Problem:
    line, column = fault.spot or document.spot(fault.path, key=fault.at_key)
    case, field = _subject(fault.path, document.data)
    return Problem(
        message=fault.message,
        code=f"{'corpus' if place.path.name == _MANIFEST else 'case_file'}.{fault.kind}",
        file=place.file,
        line=line,
        column=column,
        case=case,
        field=field,
    )


def _subject(path: Path, data: Any) -> tuple[str | None, str | None]:
    """The case and the field that a path leads to; an entry of a list goes by its list, since messages show it."""
    while path and isinstance(path[-1], int) and path[:-1] != ("cases",) and not isinstance(_at(path, data), dict):
        path = path[:-1]
    if path[:1] != ("cases",) or len(path) == 1:
        return None, spelled(path) or None
    case = _at(path[:2], data)
    case_id = case.get("id") if isinstance(case, dict) else None
    name = shown(case_id)[1:-1] if isinstance(case_id, str) and case_id.strip() else spelled(path[:2])
    return name, spelled(path[2:]) or None


def _at(path: Path, data: Any) -> Any:
    """What stands at a path; None where it leads nowhere."""
    for part in path:
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            return None
    return data
