"""Says what a plan comes to, for people and for programs. What the case's requester may not read is taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounded.incidents.adding import Plan
from pytest_grounded.incidents.edits import Edit, changed_lines
from pytest_grounded.incidents.freezing import ChunkOrigin, FrozenChunk
from pytest_grounded.redaction import Redactor
from pytest_grounded.reporting.requesters import described_requester

__all__ = ["as_json", "closing_lines", "diff_lines", "lines"]

_WIDTH = 10
_FEWEST_SHOWN = 5
_LONGEST = 300


def lines(planned: Plan, *, originals: bool = False) -> list[str]:
    """What a person needs to review the new case before it is written, most important first.

    `originals`: whether what stand-ins stand for is shown too; only a person at a terminal sees it, never a log.
    """
    redactor = Redactor(planned.proof.case.view)
    incident, case, suite = planned.incident, planned.proof.case, planned.suite
    return [
        *_row("incident", _one(f"{incident.incident or ''} {_source(planned)}".strip())),
        *_row("case", f"{case.id}, {case.kind.value}, in {_place(planned)}{' (a new suite)' if suite.is_new else ''}"),
        *_row("", *(f"because {redactor.text(reason)}" for reason in planned.label.because)),
        *_row("question", _one(redactor.text(case.question))),
        *_row(
            "asked as",
            f"{described_requester(planned.proof.case.requester)}, as of {planned.settled.as_of.isoformat()}",
        ),
        *_row("chunks", *_chunks(planned, redactor)),
        *_row("stand-ins", *_stand_ins(planned, originals=originals)),
        *_row("fails by" if planned.proof.is_red else "passes", *_findings(planned, redactor)),
        *_row("lost", *(f"{check}: the original fails by it, the stand-ins do not" for check in planned.lost)),
        *_row("guessed", *map(redactor.text, planned.label.guessed)),
        *_row("weak", *(f"{one.field}: {redactor.text(one.message)}" for one in planned.proof.weak)),
        *_row("disturbs", *(redactor.text(str(one)) for one in planned.proof.disturbed)),
        *_row("not told", *map(redactor.text, planned.notes)),
    ]


def closing_lines(planned: Plan, *, wrote: bool, dry_run: bool = False) -> list[str]:
    """What was written, or would be, and how to see it; where nothing is, what to do."""
    if not planned.is_red:
        return [*_row("written", "nothing"), *_row("do", *_ways_out(planned))]
    verb = "written" if wrote else "would write" if dry_run else "not written"
    see = _row("see it", planned.command) if wrote or dry_run else []
    return [*_row(verb, *(_edit(one, planned) for one in planned.edits)), *see]


def diff_lines(planned: Plan, *, whole: bool = False) -> Iterator[str]:
    """What is added to which file. `whole`: chunks and replies as well, which only a person at a terminal sees."""
    redactor = Redactor(planned.proof.case.view)
    for edit in planned.edits:
        if not whole and edit is not planned.case_edit:
            continue
        yield f"{'new file' if edit.is_new else 'in'} {planned.suite.workspace.shown(edit.path)}"
        yield from (_one_line(line if whole else redactor.text(line)) for line in changed_lines(edit))


def _one_line(line: str) -> str:
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " ..."


def as_json(planned: Plan, *, wrote: bool, dry_run: bool) -> dict[str, Any]:
    """The same for a program."""
    redactor = Redactor(planned.proof.case.view)
    case, workspace = planned.proof.case, planned.suite.workspace
    return {
        "added": wrote,
        "dry_run": dry_run,
        "fails": planned.is_red,
        "case": {
            "id": case.id,
            "suite": planned.suite.name,
            "file": workspace.shown(planned.case_edit.path),
            "line": planned.case_edit.line,
            "kind": case.kind.value,
            "question": redactor.text(case.question),
            "as_of": planned.settled.as_of.isoformat(),
            "requester": redactor.value(case.requester.model_dump(mode="json", exclude_defaults=True)),
            "incident": case.incident,
        },
        "because": [redactor.text(one) for one in planned.label.because],
        "findings": [
            {
                "check": one.check,
                "field": one.field,
                "message": one.message,
                "chunks": list(one.chunks),
                "owner": one.owner.value,
            }
            for one in map(redactor.finding, planned.proof.result.findings)
        ],
        "stand_ins": [{"kind": one.kind, "stand_in": one.stand_in, "count": one.count} for one in planned.stand_ins],
        "lost": list(planned.lost),
        "guessed": [redactor.text(one) for one in planned.label.guessed],
        "weak": [{"field": one.field, "message": redactor.text(one.message)} for one in planned.proof.weak],
        "disturbed": [redactor.text(str(one)) for one in planned.proof.disturbed],
        "not_told": [redactor.text(one) for one in planned.notes],
        "chunks": [
            _chunk_as_json(one, redactor, case.view.name_of(one.chunk.id)) for one in planned.settled.frozen.chunks
        ],
        "files": [
            {
                "path": workspace.shown(one.path),
                "new": one.is_new,
                "line": one.line,
                "what": one.what,
                "diff": [redactor.text(line) for line in changed_lines(one)] if one is planned.case_edit else None,
            }
            for one in (planned.edits if planned.is_red else ())
        ],
        "command": planned.command if planned.is_red else None,
    }


def _chunk_as_json(one: FrozenChunk, redactor: Redactor, name: str) -> Mapping[str, Any]:
    return {
        "id": name,
        "from": one.origin.value,
        "added": one.is_added,
        "readers": redactor.value(list(one.chunk.readers)),
        "readers_from": one.readers_from or "suite",
    }


def _row(title: str, *texts: str) -> list[str]:
    """Lines under one title, which stands before the first."""
    return [f"{title if not place else '':<{_WIDTH}} {text}".rstrip() for place, text in enumerate(texts)]


def _source(planned: Plan) -> str:
    return f"from {planned.incident.form} ({planned.incident.file})"


def _place(planned: Plan) -> str:
    edit = planned.case_edit
    return f"{planned.suite.workspace.shown(edit.path)}:{edit.line}"


def _chunks(planned: Plan, redactor: Redactor) -> Iterator[str]:
    view = planned.proof.case.view
    known = [view.name_of(one.chunk.id) for one in planned.settled.frozen.chunks if not one.is_added]
    if known:
        yield f"{', '.join(known)}: in the corpus already"
    for one in planned.settled.frozen.chunks:
        if one.is_added:
            readers = ", ".join(map(redactor.text, one.chunk.readers)) or "nobody"
            said = {"you": "as you said", "store": "says the store"}.get(one.readers_from, "says the record")
            if one.origin is ChunkOrigin.STORE:
                said = "says the store"
            yield f"{view.name_of(one.chunk.id)}: added, readable by {readers} ({said})"


def _findings(planned: Plan, redactor: Redactor) -> Iterator[str]:
    findings = planned.proof.result.findings
    if not findings:
        yield "the new case does not fail on the reply: it would not have noticed the incident"
    for one in map(redactor.finding, findings):
        place = f" at {one.field}" if one.field else ""
        yield _one(f"{one.check}{place}: {one.message}")


def _stand_ins(planned: Plan, *, originals: bool) -> Iterator[str]:
    """What was replaced: how much of each kind, and each thing but single words; originals only where they may show."""
    if not planned.stand_ins:
        return
    kinds = Counter(one.kind for one in planned.stand_ins)
    counted = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in kinds.items())
    hidden = len(planned.sensitive.restricted)
    why = f"{hidden} restricted chunk{'' if hidden == 1 else 's'}" if hidden else "personal data"
    yield f"{counted} replaced by made-up ones, the same everywhere ({why})"
    for one in planned.stand_ins:
        if one.kind != "word" or originals:
            original = one.original if originals else _masked(one.original)
            yield _one(f"{one.kind} {original} -> {one.stand_in}{'' if one.count == 1 else f', {one.count} times'}")


def _masked(text: str) -> str:
    """What can be recognised by who knows it, and by nobody else."""
    signs = sum(map(str.isalnum, text))
    return f"{text[0]}... ({signs} letters and digits)" if signs > _FEWEST_SHOWN else f"({signs} letters and digits)"


def _ways_out(planned: Plan) -> Iterator[str]:
    """What to say so that the case can tell a right answer from this one."""
    if planned.lost:
        yield "make the record simpler, or the stand-ins fewer: --keep TEXT for what may be committed"
        return
    yield "say what should have happened: --value, --evidence, --decision, --reason, --missing, --forbid-value, ..."
    undecided = sorted({one.check for one in planned.proof.result.not_judged})
    if undecided:
        yield f"no rule decides here, a support judge would: {', '.join(undecided)}"


def _edit(edit: Edit, planned: Plan) -> str:
    name = planned.suite.workspace.shown(edit.path)
    return f"{name} (new): {edit.what}" if edit.is_new else f"{name}:{edit.line}: {edit.what}"


def _one(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[:_LONGEST] + " ..."
