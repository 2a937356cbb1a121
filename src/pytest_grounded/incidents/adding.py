"""From an incident to a plan: the case, the chunks it needs, the files they go into, the proof that it fails.

Nothing is written while planning, and everything or nothing when a plan is applied.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_grounded.corpus.wording import shown
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.files import write_together
from pytest_grounded.harness.judging import JudgingOptions
from pytest_grounded.harness.results import Verdict
from pytest_grounded.incidents.composing import compose
from pytest_grounded.incidents.drafting import free_id, label_of_case, same_requester
from pytest_grounded.incidents.edits import Edit, case_edit, corpus_edits, recording_edit, recording_path
from pytest_grounded.incidents.freezing import written_chunk
from pytest_grounded.incidents.labels import Label, choose
from pytest_grounded.incidents.proving import Proof, examine_reply, prove
from pytest_grounded.incidents.record import Incident
from pytest_grounded.incidents.seeing import look
from pytest_grounded.incidents.settling import Settled, settle
from pytest_grounded.incidents.standins.applying import Sensitive, disguised, find_sensitive, what_is_left
from pytest_grounded.incidents.standins.disguise import StandIn
from pytest_grounded.incidents.suites import Suite, Workspace
from pytest_grounded.incidents.whole_text import refuse_halves
from pytest_grounded.incidents.wishes import DuplicateError, Wishes
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.redaction import Redactor
from pytest_grounded.systems.reading import read_reply
from pytest_grounded.text.folding import fold

__all__ = ["Plan", "apply", "plan"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What would be written, and what it would do. `notes` say what could not be told.

    `stand_ins` are what stands for what must not be committed; `lost` are checks that fail only without them.
    """

    incident: Incident
    settled: Settled
    label: Label
    edits: tuple[Edit, ...]
    case_edit: Edit
    recording: Path
    proof: Proof
    written: Mapping[str, Any] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    sensitive: Sensitive = field(default_factory=Sensitive, repr=False)
    stand_ins: tuple[StandIn, ...] = field(default=(), repr=False)
    lost: tuple[str, ...] = ()

    @property
    def suite(self) -> Suite:
        """The suite the case goes to."""
        return self.settled.suite

    @property
    def is_red(self) -> bool:
        """Whether the case fails on the reply, as it has to, and for all the reasons the original did."""
        return self.proof.is_red and not self.lost

    @property
    def command(self) -> str:
        """What shows the case failing on the reply."""
        workspace = self.suite.workspace
        inside = self.recording.is_relative_to(self.suite.folder)
        name = self.recording.relative_to(self.suite.folder).as_posix() if inside else workspace.shown(self.recording)
        node = f"{workspace.shown(self.case_edit.path)}::{self.proof.case.id}"
        return f"pytest {shlex.quote(node)} --grounded-system {shlex.quote(f'recorded:{name}')}"


def plan(incident: Incident, wishes: Wishes, workspace: Workspace) -> Plan:
    """Everything that adding the incident comes to.

    Where the incident holds what must not be committed, the plan is of stand-ins, and `lost` says which checks do not
    fail any more because of them. Raises UndecidedError where something has to be known first, DuplicateError where a
    case fails on the reply already, GroundedError for what cannot be used.
    """
    refuse_halves(incident, wishes)
    options = JudgingOptions(reason_codes=workspace.reason_codes, link_hosts=workspace.link_hosts, root=workspace.root)
    settled = settle(incident, wishes, workspace)
    label = _label(incident, settled, options)
    notes = (*settled.notes, *_refuse_duplicates(incident, settled, options))
    planned = _planned(incident, replace(settled, notes=notes), label, wishes, options)
    sensitive = _sensitive(incident, settled, label, wishes)
    if not sensitive or not planned.is_red:
        return planned
    return _with_stand_ins(planned, sensitive, wishes, options)


def _planned(incident: Incident, settled: Settled, label: Label, wishes: Wishes, options: JudgingOptions) -> Plan:
    workspace = settled.suite.workspace
    file = _file(wishes, settled, label)
    _refuse_link_out(file, workspace)
    case_id = _id(incident, wishes, settled)
    case = compose(incident, wishes, settled, label, case_id=case_id, file=file)
    rows = _rows(incident, settled.suite.name, case_id)
    recording = recording_path(settled.suite)
    mine = case_edit(file, case, recording=recording.name, shown=workspace.shown(file))
    edits = (
        *corpus_edits(settled.suite, settled.frozen.added, as_of=settled.as_of),
        recording_edit(recording, rows),
        mine,
    )
    proof = prove(
        settled.suite,
        {edit.path: edit.after for edit in edits},
        case_file=file,
        case_id=case_id,
        recording=recording,
        options=options,
    )
    return Plan(
        incident=incident,
        settled=settled,
        label=label,
        written={"case": case, "recording": rows, "chunks": [*map(written_chunk, settled.frozen.added)]},
        edits=edits,
        case_edit=mine,
        recording=recording,
        proof=proof,
        notes=settled.notes,
    )


def _sensitive(incident: Incident, settled: Settled, label: Label, wishes: Wishes) -> Sensitive:
    if wishes.stand_ins == "never":
        return Sensitive()
    return find_sensitive(incident, settled, label, everything=wishes.stand_ins == "always", kept=wishes.keep)


def _with_stand_ins(original: Plan, sensitive: Sensitive, wishes: Wishes, options: JudgingOptions) -> Plan:
    """The plan in which nothing that must not be committed is left; raises GroundedError where something would be."""
    incident, settled, label, disguise = disguised(
        original.incident, original.settled, original.label, sensitive, kept=wishes.keep
    )
    said = Redactor(original.proof.case.view, extra=[one.text for one in sensitive.personal])
    settled = replace(settled, notes=tuple(map(said.text, settled.notes)))
    label = replace(label, because=tuple(map(said.text, label.because)), guessed=tuple(map(said.text, label.guessed)))
    _refuse_duplicates(incident, settled, options)
    planned = _planned(incident, settled, label, replace(wishes, question=None), options)
    if left := what_is_left(planned.written, sensitive, original.settled, kept=wishes.keep):
        raise GroundedError(
            f"what must not be committed would still stand at {', '.join(left)}, in a form nothing was found for "
            "(nothing is written; --keep TEXT for what may be committed, or take it out of the record)"
        )
    lost = tuple(check for check in original.proof.checks if check not in planned.proof.checks)
    new = [check for check in planned.proof.checks if check not in original.proof.checks]
    notes = [f"found only with the stand-ins: {', '.join(new)}"] if new else []
    return replace(
        planned, stand_ins=disguise.stand_ins, sensitive=sensitive, lost=lost, notes=(*planned.notes, *notes)
    )


def apply(planned: Plan) -> None:
    """Write all files of a plan, or none. Raises GroundedError where one changed meanwhile or cannot be written."""
    for edit in planned.edits:
        now = edit.path.read_bytes() if edit.path.is_file() else None
        if now != edit.before:
            file = planned.suite.workspace.shown(edit.path)
            raise GroundedError(Problem(file=file, message="changed while the case was made; nothing is written"))
    try:
        write_together({edit.path: edit.after for edit in planned.edits})
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise GroundedError(Problem(file=error.filename, message=f"{reason}; nothing is written")) from error


def _label(incident: Incident, settled: Settled, options: JudgingOptions) -> Label:
    """The label of the case the record belongs to, unless something else was stated; else it is chosen."""
    if settled.base is not None and settled.stated.is_empty:
        return label_of_case(settled.base)
    seen = look(
        question=settled.question,
        history=settled.turns(incident),
        requester=settled.requester,
        as_of=settled.as_of,
        corpus=settled.corpus,
        outcome=settled.outcome,
        options=options,
        reduced=_reduced(incident),
    )
    return choose(seen, settled.stated, reason_codes=options.reason_codes)


def _reduced(incident: Incident) -> Outcome | None:
    """What the record says came of the same question without what the requester may not read."""
    found = next((row for row in incident.replies if row.get("variant") == "reduced" and row.get("step") is None), None)
    return None if found is None else read_reply(found["response"], observed=found.get("internal"))


def _refuse_duplicates(incident: Incident, settled: Settled, options: JudgingOptions) -> list[str]:
    """Refuse what a case of the suite notices already; what one that asks the same does not notice is noted."""
    notes = []
    for case in settled.suite.cases:
        if not _asks_the_same(case, incident, settled):
            continue
        result = examine_reply(case, incident.reply, incident.internal, options)
        file, line = case.place.file, case.place.line
        if result.verdict is Verdict.FAIL:
            checks = ", ".join(dict.fromkeys(finding.check for finding in result.findings))
            message = f"case {shown(case.id)} asks the same and fails on this reply already ({checks})"
            raise DuplicateError(Problem(file=file, line=line, message=message, code="add.duplicate"))
        notes.append(
            f"case {shown(case.id)} ({file}:{line}) asks the same and passes on this reply: it could be made stricter"
        )
    return notes


def _asks_the_same(case: Case, incident: Incident, settled: Settled) -> bool:
    base = settled.base
    if base is not None and (case.suite, case.id) == (base.suite, base.id):
        return True
    return (
        fold(case.question) == fold(settled.question)
        and same_requester(case.requester, settled.requester)
        and case.as_of == settled.as_of
        and [step.question for step in case.steps] == [step.question for step in (base.steps if base else ())]
        and [turn.text for turn in case.history] == [turn.text for turn in settled.turns(incident)]
    )


def _file(wishes: Wishes, settled: Settled, label: Label) -> Path:
    suite = settled.suite
    if wishes.file is None:
        ids = (*(one.chunk.id for one in settled.frozen.chunks), *label.about)
        return suite.file_for(ids, like=settled.base)
    path = wishes.file if wishes.file.parent != Path() else suite.folder / wishes.file
    path = path if path.is_absolute() else suite.workspace.root / path
    if path.parent.resolve() != suite.folder.resolve() or path.suffix != ".yaml":
        raise GroundedError(
            f"--file {wishes.file}: needs a .yaml file in the suite's folder {suite.workspace.shown(suite.folder)}"
        )
    return path


def _refuse_link_out(file: Path, workspace: Workspace) -> None:
    """A file that a run refuses to collect is no place for a case."""
    if not any(file.resolve().is_relative_to(root.resolve()) for root in workspace.cases_roots):
        message = "is a link to a file outside the folders of cases, which no run collects (put the file here)"
        raise GroundedError(Problem(file=workspace.shown(file), message=message))


def _id(incident: Incident, wishes: Wishes, settled: Settled) -> str:
    base = settled.base
    wanted = wishes.case_id or wishes.incident or incident.incident or (base.id if base is not None else None)
    found = free_id(wanted, settled.question, {case.id for case in settled.suite.cases})
    if wishes.case_id is not None and found != wishes.case_id:
        why = f"is taken in suite {shown(settled.suite.name)}, or can be no id (free is {found})"
        raise GroundedError(f"--id {wishes.case_id}: {why}")
    return found


def _rows(incident: Incident, suite: str, case_id: str) -> list[Mapping[str, Any]]:
    """The lines of the recording: the bad reply, and the others the record has."""
    place = {"suite": suite, "case": case_id}
    row: dict[str, Any] = {**place, "response": incident.reply}
    if incident.internal is not None:
        row["internal"] = dict(incident.internal)
    return [row, *({**place, **{key: other[key] for key in other if key not in place}} for other in incident.replies)]
