"""`pytest-grounded add`: from the record of an incident to a case that fails on its reply."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import Project, add_cases_option, find_project
from pytest_grounded.cli.terminal import Terminal, can_ask
from pytest_grounded.cli.values import day, word
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.adding import Plan, apply, plan
from pytest_grounded.incidents.freezing import read_store
from pytest_grounded.incidents.interview import Interview
from pytest_grounded.incidents.labels import read_decisions
from pytest_grounded.incidents.plain import read_mapping_options, read_plain
from pytest_grounded.incidents.record import Incident, Stated
from pytest_grounded.incidents.sources import read_record
from pytest_grounded.incidents.suites import KnownChunks, Workspace
from pytest_grounded.incidents.telling import as_json, closing_lines, diff_lines, lines
from pytest_grounded.incidents.wishes import UndecidedError, Wishes
from pytest_grounded.model.vocabulary import CaseKind, Risk
from pytest_grounded.redaction import neutralise

__all__ = ["add_arguments", "run"]

FINE, FINDINGS, UNUSABLE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `add`, by what they are about."""
    parser.add_argument(
        "record",
        metavar="RECORD",
        nargs="?",
        help="JSON or JSON Lines: a results line of ours, a recording, OpenTelemetry spans, a plain record; - is "
        "stdin; without one you are asked in the terminal",
    )
    _of_record(parser.add_argument_group("what is in the record"))
    _of_place(parser.add_argument_group("where the case goes"))
    _of_label(parser.add_argument_group("what should have happened (default: what the record says, else inferred)"))
    _of_case(parser.add_argument_group("about the case"))
    _of_secrecy(parser.add_argument_group("what must not be committed"))
    parser.add_argument("--dry-run", action="store_true", help="show everything, write nothing")
    parser.add_argument(
        "--yes",
        action="store_true",
        help="ask nothing: write without a confirmation, and stop where something is not known (default where no "
        "terminal is there)",
    )
    add_format_option(parser)


def _of_record(group: Any) -> None:
    group.add_argument(
        "--pick", metavar="NAME", help="case, trace, incident or line that is meant where there are several"
    )
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=PATH",
        help="where a field of a plain record stands, such as question=input.text or chunks.text=body; may be repeated",
    )
    group.add_argument("--question", metavar="TEXT", help="the question, where the record has none")
    group.add_argument("--as", dest="requester", metavar="NAME", help="who asked: a requester a case file names")
    group.add_argument(
        "--group",
        type=word,
        action="append",
        default=[],
        metavar="GROUP",
        help="a group who asked is in; may be repeated",
    )
    group.add_argument(
        "--audience",
        type=word,
        action="append",
        default=[],
        metavar="ROLE",
        help="a role who asked has; may be repeated",
    )
    group.add_argument("--tenant", type=word, metavar="ID", help="tenant of who asked")
    group.add_argument(
        "--as-of", type=day, metavar="DATE", help="day of the question (default: the record's, else the corpus's)"
    )
    group.add_argument(
        "--store",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="corpus.yaml or JSON Lines of chunks with the text of those the record only names; may be repeated",
    )
    group.add_argument(
        "--readers",
        action="append",
        metavar="GROUP",
        help="who may read chunks whose readers nobody states ('*' is everyone); may be repeated",
    )
    group.add_argument(
        "--prefer-suite", action="store_true", help="keep the suite's words of a chunk where the record has others"
    )


def _of_place(group: Any) -> None:
    group.add_argument("--suite", metavar="NAME", help="suite (default: the record's, or the only one there is)")
    group.add_argument("--create", action="store_true", help="begin the suite where there is none of that name")
    group.add_argument(
        "--corpus", default="corpus.yaml", metavar="FILE", help="manifest in the suite (default: corpus.yaml)"
    )
    group.add_argument(
        "--file", type=Path, metavar="FILE", help="case file in the suite (default: the one about the same chunks)"
    )
    group.add_argument(
        "--id", dest="case_id", metavar="ID", help="id of the case (default: of the incident or the question)"
    )
    add_cases_option(group)


def _of_label(group: Any) -> None:
    group.add_argument("--kind", choices=[str(kind) for kind in CaseKind], help="kind of case")
    group.add_argument(
        "--decision", action="append", default=[], metavar="WORD", help="right decision; may be repeated"
    )
    group.add_argument(
        "--reason", action="append", default=[], metavar="CODE", help="right reason code, or null; may be repeated"
    )
    group.add_argument("--answer", metavar="TEXT", help="a right answer in prose: its values become slots")
    group.add_argument(
        "--value", action="append", default=[], metavar="VALUE", help="value a right answer has; any of several"
    )
    group.add_argument(
        "--evidence",
        action="append",
        default=[],
        metavar="CHUNK",
        help="chunk a right answer rests on; may be repeated",
    )
    group.add_argument(
        "--cite", action="append", default=[], metavar="CHUNK", help="chunk that has to be cited; may be repeated"
    )
    group.add_argument(
        "--missing", action="append", default=[], metavar="TEXT", help="part that is not covered; may be repeated"
    )
    group.add_argument(
        "--about",
        action="append",
        default=[],
        metavar="CHUNK",
        help="chunk a restricted case is about; may be repeated",
    )
    group.add_argument("--control", metavar="NAME", help="requester who may read what a restricted case is about")
    group.add_argument(
        "--absent-question", metavar="TEXT", help="the same question about something that exists nowhere"
    )
    group.add_argument(
        "--forbid-value",
        action="append",
        default=[],
        metavar="VALUE",
        help="value that must not be asserted; may be repeated",
    )
    group.add_argument(
        "--forbid-text", action="append", default=[], metavar="TEXT", help="text that must not appear; may be repeated"
    )
    group.add_argument(
        "--forbid-evidence",
        action="append",
        default=[],
        metavar="CHUNK",
        help="chunk that must not be used; may be repeated",
    )


def _of_secrecy(group: Any) -> None:
    group.add_argument(
        "--stand-ins",
        choices=("auto", "always", "never"),
        default="auto",
        help="write made-up text for what is restricted or personal (auto), for all that is added (always), or, in a "
        "suite that is kept outside of the repository, for nothing (never)",
    )
    group.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="TEXT",
        help="text that may be committed as it is; may be repeated",
    )


def _of_case(group: Any) -> None:
    group.add_argument("--incident", metavar="ID", help="what the incident is called")
    group.add_argument("--title", metavar="TEXT", help="name of the case for people")
    group.add_argument("--why", metavar="TEXT", help="why the label is right")
    group.add_argument(
        "--tag", action="append", default=[], metavar="WORD", help="word to select cases by; may be repeated"
    )
    group.add_argument("--risk", choices=[str(risk) for risk in Risk], help="how much a wrong answer costs")


def run(arguments: argparse.Namespace) -> int:
    """Plan, show, write; 0 where the case is added, 1 where it is not, 2 where there is nothing it can be made of."""
    as_data = arguments.format == "json"
    person = Terminal() if not (as_data or arguments.yes) and can_ask() else None
    try:
        planned = _planned(arguments, person)
        if not as_data:
            _print(lines(planned, originals=sys.stdout.isatty()))
            sys.stdout.flush()  # what cannot be shown is not written
        wrote = planned.is_red and not arguments.dry_run and _confirmed(planned, person)
        if wrote:
            apply(planned)
    except GroundedError as error:
        if not as_data:
            raise
        said = {"added": False, "problems": [_problem(one) for one in error.problems]}
        print_json(said)
        return UNUSABLE
    if as_data:
        print_json(as_json(planned, wrote=wrote, dry_run=arguments.dry_run))
    else:
        if arguments.dry_run and planned.is_red:
            _print(diff_lines(planned, whole=sys.stdout.isatty()))
        _print(closing_lines(planned, wrote=wrote, dry_run=arguments.dry_run))
    return FINE if planned.is_red and (wrote or arguments.dry_run) else FINDINGS


def _confirmed(planned: Plan, person: Terminal | None) -> bool:
    """Whether what is shown may be written; where nobody is there to ask, it may."""
    if person is None:
        return True
    _print(["", *diff_lines(planned, whole=True), ""])
    number = len(planned.edits)
    return person.yes(f"Write {number} files?" if number > 1 else "Write this file?")


def _planned(arguments: argparse.Namespace, person: Terminal | None) -> Plan:
    """The plan, with what has to be known and is not said asked for."""
    mapping = read_mapping_options(arguments.map)
    wishes, workspace = _wishes(arguments)
    knows = KnownChunks(workspace=workspace, suite=wishes.suite, manifest=wishes.manifest, stores=wishes.stores)
    interview = Interview(person=person, workspace=workspace, knows=knows) if person is not None else None
    if arguments.record is not None:
        raw, file = _read(arguments.record)
        incident = read_record(raw, file=file, pick=arguments.pick, mapping=mapping, knows=knows)
    elif interview is not None:
        record = interview.record(wishes)
        try:
            return _plan(read_plain(record, file=_ASKED, knows=knows), wishes, workspace, interview)
        except GroundedError:
            kept = json.dumps(record, ensure_ascii=False, indent=1)
            interview.person.tell(f"What you answered, as a record to mend and to give again:\n{kept}\n")
            raise
    else:
        raise GroundedError(
            "name the record of the incident (a JSON file, or - for standard input), "
            "or run this in a terminal, without --yes, and be asked"
        )
    return _plan(incident, wishes, workspace, interview)


_ASKED = "what you answered"


def _plan(incident: Incident, wishes: Wishes, workspace: Workspace, interview: Interview | None) -> Plan:
    while True:
        try:
            return plan(incident, wishes, workspace)
        except UndecidedError as error:
            if interview is None:
                raise
            incident, wishes = interview.answers(error, incident, wishes)


def _problem(problem: Any) -> dict[str, Any]:
    return {"code": problem.code, "file": problem.file, "line": problem.line, "message": problem.message}


def _print(shown: Iterable[str]) -> None:
    for line in shown:
        print(neutralise(line))


def _read(name: str) -> tuple[bytes, str]:
    if name == "-":
        if sys.stdin is None:
            raise GroundedError("standard input is closed (name the record of the incident)")
        return sys.stdin.buffer.read(), "standard input"
    try:
        return Path(name).read_bytes(), name
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else str(error.strerror)
        raise GroundedError(f"{name}: {reason} (name the record of the incident)") from None


def _wishes(arguments: argparse.Namespace) -> tuple[Wishes, Workspace]:
    project = find_project(arguments.cases)
    workspace = _workspace(project)
    wishes = Wishes(
        suite=arguments.suite,
        create=arguments.create,
        manifest=arguments.corpus,
        file=arguments.file,
        case_id=arguments.case_id,
        question=arguments.question,
        requester=arguments.requester,
        groups=tuple(arguments.group),
        audience=tuple(arguments.audience),
        tenant=arguments.tenant,
        as_of=arguments.as_of,
        readers=None if arguments.readers is None else tuple(arguments.readers),
        stores=tuple(read_store(path, root=project.root, shown_as=str(path)) for path in arguments.store),
        prefer_suite=arguments.prefer_suite,
        stated=_stated(arguments),
        control=arguments.control,
        absent_question=arguments.absent_question,
        incident=arguments.incident,
        title=arguments.title,
        why=arguments.why,
        tags=tuple(arguments.tag),
        risk=arguments.risk,
        stand_ins=arguments.stand_ins,
        keep=tuple(arguments.keep),
    )
    return wishes, workspace


def _workspace(project: Project) -> Workspace:
    return Workspace(
        root=project.root,
        cases_roots=project.cases_roots,
        system=project.system,
        reason_codes=project.reason_codes,
        link_hosts=project.link_hosts,
    )


def _stated(arguments: argparse.Namespace) -> Stated:
    read_decisions(arguments.decision)
    return Stated(
        kind=arguments.kind,
        decision=tuple(arguments.decision),
        reason_code=tuple(None if code == "null" else code for code in arguments.reason),
        answer=arguments.answer,
        values=tuple(arguments.value),
        evidence=tuple(arguments.evidence),
        cite=tuple(arguments.cite),
        missing=tuple(arguments.missing),
        about=tuple(arguments.about),
        forbid_evidence=tuple(arguments.forbid_evidence),
        forbid_text=tuple(arguments.forbid_text),
        forbid_values=tuple(arguments.forbid_value),
    )
