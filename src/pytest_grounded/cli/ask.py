"""`pytest-grounded ask`: questions to a system over a suite's corpus, and the trace of how each was answered.

Shown is what the requester may read, of what the system prints as well: what one asks for somebody is often pasted.
"""

from __future__ import annotations

import argparse
import difflib
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_grounded.cases.loading import discover, load_case_file, named_requesters
from pytest_grounded.cli.formats import add_format_option, print_json
from pytest_grounded.cli.project import Project, add_cases_option, find_project
from pytest_grounded.cli.values import day, word
from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.model.evidence import ANONYMOUS, Corpus, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.response import Response
from pytest_grounded.redaction import Redactor, neutralise
from pytest_grounded.reporting.trace_text import trace_lines
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.naming import SystemKind, SystemName, import_system, parse_system_name
from pytest_grounded.systems.outputs import Kept
from pytest_grounded.systems.prose import in_prose

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `ask`."""
    parser.add_argument("question", help="the question, in quotes")
    parser.add_argument(
        "--then",
        action="append",
        default=[],
        metavar="QUESTION",
        help="ask on in the same conversation, with what was said so far as history; may be repeated",
    )
    parser.add_argument(
        "--suite", required=True, metavar="NAME", help="suite whose corpus is asked, such as travel-policy"
    )
    parser.add_argument(
        "--as",
        dest="requester",
        metavar="NAME",
        help="requester that a case file of the suite names (default: anonymous)",
    )
    parser.add_argument(
        "--group", type=word, action="append", metavar="GROUP", help="a group the requester is in; may be repeated"
    )
    parser.add_argument(
        "--audience", type=word, action="append", metavar="ROLE", help="a role the requester has; may be repeated"
    )
    parser.add_argument("--tenant", type=word, metavar="ID", help="tenant of the requester")
    parser.add_argument(
        "--scope",
        type=word,
        action="append",
        metavar="KEY=VALUE",
        help="what the requester falls under, such as region=EU; may be repeated",
    )
    parser.add_argument("--as-of", type=day, metavar="DATE", help="day of the question (default: the corpus's as_of)")
    parser.add_argument(
        "--system",
        metavar="NAME",
        help="package.module:attribute, with prose: before it where it answers in prose, or reference "
        "(default: the ini option grounded_system where it names a live system, else reference)",
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=60.0, metavar="SECONDS", help="time limit of the call (default: 60)"
    )
    add_format_option(parser)
    add_cases_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask and print; 0 unless the system failed."""
    project = find_project(arguments.cases)
    folder = project.suite_folder(arguments.suite)
    corpus = load_corpus(folder / "corpus.yaml", root=project.root)
    requests = _requests(arguments, corpus, _requester(arguments, project, folder))
    name = _system_name(arguments.system, project)
    first = requests[0]
    known = tuple(request.question for request in requests)
    redactor = Redactor(corpus.view(first.requester, first.as_of), known=known)
    kept = Kept(lambda text: neutralise(redactor.lines(text), tags=False), into=sys.stderr)
    with kept, Caller(timeout=arguments.timeout) as caller:
        asked = list(_asked(requests, caller, _system(name, folder, project)))
    if arguments.format == "json":
        told = [redactor.value(_as_json(request, outcome)) for request, outcome in asked]
        print_json(told if arguments.then else told[0])
    else:
        prose = "prose:" if name.prose else ""
        print(f"system     {neutralise(prose + (name.target or name.kind.value))}")
        for number, (request, outcome) in enumerate(asked, start=1):
            if arguments.then:
                print(f"{'' if number == 1 else chr(10)}turn       {number} of {len(asked)}")
            for line in trace_lines(request, outcome):
                print("\n".join(neutralise(part) for part in redactor.text(line).split("\n")))
    return 0 if all(outcome.failure is None for _, outcome in asked) else 1


def _asked(requests: Sequence[Request], caller: Caller, system: object) -> Iterator[tuple[Request, Outcome]]:
    """Each request with what came of it; a later one knows what was said before."""
    said: tuple[Turn, ...] = ()
    for asked in requests:
        request = replace(asked, history=said)
        outcome = caller.call(system, request)
        yield request, outcome
        said = (*said, Turn(role="user", text=request.question, requester=request.requester))
        if outcome.response is not None:
            said = (*said, _told(outcome.response, request))


def _told(response: Response, request: Request) -> Turn:
    return Turn(role="assistant", text=response.text, requester=request.requester, cites=response.cited)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds <= 0:
        raise argparse.ArgumentTypeError(f"needs a number of seconds above 0, found {text!r}")
    return seconds


def _requests(arguments: argparse.Namespace, corpus: Corpus, requester: Requester) -> tuple[Request, ...]:
    as_of = arguments.as_of or corpus.as_of
    if as_of is None:
        raise GroundedError(f"corpus {corpus.name!r} has no as_of: say the day of the question with --as-of YYYY-MM-DD")
    questions = (arguments.question, *arguments.then)
    if not all(question.strip() for question in questions):
        raise GroundedError("the question is empty")
    corpus = corpus.known_at(as_of)
    return tuple(Request(question=question, requester=requester, as_of=as_of, corpus=corpus) for question in questions)


def _requester(arguments: argparse.Namespace, project: Project, folder: Path) -> Requester:
    """The named requester, with what the other options add to or set on it."""
    known: dict[str, Requester] = {ANONYMOUS.id: ANONYMOUS}
    for path in discover([folder]):
        if path.parent == folder:
            known.update(named_requesters(path, root=project.root))
    name = arguments.requester or ANONYMOUS.id
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        message = f"no case file of suite {arguments.suite!r} names a requester {name!r}{hint}"
        said = Problem(message=f"{message}; named there: {', '.join(sorted(known))}")
        raise GroundedError([said, *_unusable(project, folder)])
    found = known[name]
    added = {
        "groups": (*found.groups, *(arguments.group or ())),
        "audience": (*found.audience, *(arguments.audience or ())),
        "tenant": arguments.tenant or found.tenant,
        "scope": {**found.scope, **_scope(arguments.scope or ())},
    }
    return found.model_copy(update=added)


def _unusable(project: Project, folder: Path) -> Iterator[Problem]:
    """What is wrong with the suite's case files: a requester may be named in one that cannot be used."""
    for path in discover([folder]):
        if path.parent == folder:
            try:
                load_case_file(path, root=project.root, cases_roots=project.cases_roots)
            except GroundedError as error:
                yield from error.problems


def _scope(pairs: list[str] | tuple[str, ...]) -> dict[str, str]:
    scope = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise GroundedError(f"--scope needs KEY=VALUE, such as region=EU; found {pair!r}")
        scope[key] = value
    return scope


def _system_name(named: str | None, project: Project) -> SystemName:
    """The system to ask; where the project's own is a recording, which knows no new question, the reference."""
    parsed = parse_system_name(named or project.system)
    if parsed.kind is not SystemKind.RECORDED:
        return parsed
    if named:
        raise GroundedError("a recording has no reply to a new question: ask a live system or the reference")
    return SystemName(SystemKind.REFERENCE)


def _system(name: SystemName, folder: Path, project: Project) -> object:
    if name.kind is SystemKind.PYTHON:
        system = import_system(name.target, rootdir=project.root)
        return in_prose(system) if name.prose else system
    from pytest_grounded.systems.reference import reference_system

    return reference_system(folder, root=project.root)


def _as_json(request: Request, outcome: Outcome) -> Mapping[str, object]:
    failure = outcome.failure
    return {
        "question": request.question,
        "requester": request.requester.model_dump(mode="json", exclude_defaults=True),
        "as_of": request.as_of.isoformat(),
        "corpus": {"name": request.corpus.name, "digest": request.corpus.digest},
        "response": outcome.response.model_dump(mode="json") if outcome.response else None,
        "failure": {"kind": failure.kind.value, "message": failure.message} if failure else None,
    }
