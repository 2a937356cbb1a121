"""From `expect` and `forbid` as written to what is judged, held against the corpus as the requester sees it.

Evidence that a slot, a citation or a conflict asks for has to be there, readable, in force and applicable, and has to
hold the value it stands for: otherwise no system could pass, or only one that leaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_grounded.cases.context import FileContext, describe
from pytest_grounded.cases.defaults import implied_conflict, implied_expectation
from pytest_grounded.cases.fields import ANY
from pytest_grounded.cases.schema import ConflictWritten, ExpectWritten, ForbidWritten, MissingWritten, SlotWritten
from pytest_grounded.corpus.faults import Path
from pytest_grounded.corpus.wording import did_you_mean, listed, shown
from pytest_grounded.model.case import ConflictExpectation, Expectation, ExpectedSide, Forbidden, MissingPart, Slot
from pytest_grounded.model.evidence import CorpusView, Window
from pytest_grounded.model.vocabulary import CaseKind, Decision
from pytest_grounded.text.values import contains_value

__all__ = ["Expecting", "asserts_something"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expecting:
    """One judged request: its view of the corpus, and where each key of its `expect` and its `forbid` are written."""

    context: FileContext
    view: CorpusView
    question: str
    at: Callable[[str], Path]
    forbid_at: Path

    def expectation(self, kind: CaseKind | None, written: ExpectWritten) -> Expectation:
        """What has to hold; without a kind (an earlier step of a scenario) nothing is implied."""
        resolved = written.conflict is not None and written.conflict.resolved_to is not None
        implied = _NOTHING_IMPLIED if kind is None else implied_expectation(kind, resolved=resolved)
        decision = self._decision(written.decision) if written.decision else implied.decision
        if written.missing and decision == (Decision.ANSWER,):
            message = "missing parts cannot be named by a full answer (kind: partial, or another expect.decision)"
            self.context.report("type", message, self.at("missing"), at_key=True)
        return Expectation(
            decision=decision,
            reason_code=self._reason_code(written, implied),
            internal_reason_code=_allowed(written.internal_reason_code),
            next_step=_allowed(written.next_step),
            slots=self._slots(written.slots),
            missing=tuple(_missing(part) for part in written.missing),
            conflict=self._conflict(kind, written.conflict),
            cite=self._usable(written.cite, self.at("cite")),
            model_called=written.model_called,
        )

    def forbidden(self, written: ForbidWritten | None) -> Forbidden:
        """What must not appear; a forbidden chunk has to be in the corpus, readable or not."""
        if written is None:
            return Forbidden()
        path = (*self.forbid_at, "evidence")
        for index, chunk_id in enumerate(written.evidence):
            self._known(self.context.chunk_id(chunk_id), self.context.part(path, index))
        return Forbidden(
            evidence=tuple(map(self.context.chunk_id, written.evidence)), text=written.text, values=written.values
        )

    def restricted(self, written: tuple[str, ...], path: Path) -> tuple[str, ...]:
        """The chunks a restricted case is about: in the corpus on that day, and not readable by the requester."""
        ids = tuple(map(self.context.chunk_id, written))
        for index, chunk_id in enumerate(ids):
            part = self.context.part(path, index)
            if chunk_id not in self.view.corpus:
                self.context.report("unknown_chunk", self._not_there(chunk_id), part)
            elif self.view.corpus[chunk_id].readable_by(self.view.requester):
                message = (
                    f"chunk {shown(chunk_id)} may be read by {describe(self.view)}: nothing about it is restricted"
                )
                self.context.report("type", f"{message} (name one they may not read)", part)
            elif chunk_id not in self.view.present:
                self.context.report("stale_evidence", self._not_yet_known(chunk_id), part)
        return ids

    def _decision(self, written: tuple[str | None, ...]) -> tuple[Decision, ...] | None:
        if None in written and len(written) > 1:
            message = "null means that the system failed and stands alone, found it beside other decisions"
            self.context.report("type", message, self.at("decision"))
        allowed = _allowed(written)
        return None if allowed is None else tuple(Decision(one) for one in allowed if one is not None)

    def _reason_code(self, written: ExpectWritten, implied: Expectation) -> tuple[str | None, ...] | None:
        if written.reason and written.reason_code:
            message = "'reason' is another spelling of 'reason_code', found both (keep one)"
            self.context.report("duplicate_key", message, self.at("reason"), at_key=True)
        codes = written.reason_code or written.reason
        return _allowed(codes) if codes else implied.reason_code

    def _slots(self, written: tuple[SlotWritten, ...]) -> tuple[Slot, ...]:
        names: set[str] = set()
        slots = []
        for index, slot in enumerate(written):
            path = (*self.at("slots"), index)
            if slot.name in names:
                message = f"slot name {shown(slot.name)} stands twice (name each slot once)"
                self.context.report("duplicate_id", message, (*path, "name"))
            names.add(slot.name)
            slots.append(self._slot(slot, path))
        return tuple(slots)

    def _slot(self, written: SlotWritten, path: Path) -> Slot:
        if written.values is None and written.evidence is None and written.states is None:
            self.context.report("missing_key", "a slot needs values, evidence or states (one of them is enough)", path)
        evidence = self._evidence(written, (*path, "evidence"))
        self._hold_values(written, evidence, (*path, "values"))
        return Slot(
            name=written.name,
            values=written.values or (),
            evidence=evidence,
            weight=written.weight,
            blocking=written.blocking,
            derived=written.derived,
            states=written.states,
        )

    def _evidence(self, written: SlotWritten, path: Path) -> tuple[tuple[str, ...], ...]:
        groups = tuple(tuple(map(self.context.chunk_id, group)) for group in written.evidence or ())
        for place, group in enumerate(groups):
            for index, chunk_id in enumerate(group):
                self._check_usable(chunk_id, path, place, index)
        return groups

    def _hold_values(self, written: SlotWritten, evidence: tuple[tuple[str, ...], ...], path: Path) -> None:
        """One of a slot's values has to occur in one of its chunks; what cannot be used was reported already."""
        ids = tuple(dict.fromkeys(chunk_id for group in evidence for chunk_id in group))
        if not written.values or not ids or written.derived or not all(map(self.view.usable, ids)):
            return
        chunks = [self.view.readable[chunk_id] for chunk_id in ids]
        if any(contains_value(chunk.text, value, lang=chunk.lang) for chunk in chunks for value in written.values):
            return
        stated = listed(map(shown, written.values))
        message = (
            f"{stated} {'does' if len(written.values) == 1 else 'do'} not occur in {listed(map(shown, ids))} "
            "(write a value that stands there, or mark the slot derived: true)"
        )
        self.context.report("type", message, path)

    def _conflict(self, kind: CaseKind | None, written: ConflictWritten | None) -> ConflictExpectation | None:
        if written is None or (written.sides is None and written.resolved_to is None):
            given = None if written is None else ConflictExpectation()
            return given if kind is None else implied_conflict(kind, self.view, self.question) or given
        path = self.at("conflict")
        resolved_to = None
        if written.resolved_to is not None:
            resolved_to = self.context.chunk_id(written.resolved_to)
            self._check_usable(resolved_to, (*path, "resolved_to"))
        sides = tuple(
            ExpectedSide(value=side.value, chunks=self._usable(side.chunks, (*path, "sides", index, "chunks")))
            for index, side in enumerate(written.sides or ())
        )
        return ConflictExpectation(sides=sides, resolved_to=resolved_to)

    def _usable(self, written: tuple[str, ...], path: Path) -> tuple[str, ...]:
        ids = tuple(map(self.context.chunk_id, written))
        for index, chunk_id in enumerate(ids):
            self._check_usable(chunk_id, path, index)
        return ids

    def _check_usable(self, chunk_id: str, path: Path, *indices: int) -> None:
        view = self.view
        if view.usable(chunk_id):
            return
        part = self.context.part(path, *indices) if indices else path
        if not self._known(chunk_id, part):
            return
        name = shown(chunk_id)
        if not view.corpus[chunk_id].readable_by(view.requester):
            nobody = not view.corpus[chunk_id].readers
            hint = "; nobody may: give it readers, or the corpus default_readers" if nobody else ""
            message = f"chunk {name} may not be read by {describe(view)}{hint} (name one they may read)"
            self.context.report("unreadable_evidence", message, part)
        elif chunk_id not in view.present:
            self.context.report("stale_evidence", self._not_yet_known(chunk_id), part)
        elif not view.in_force(chunk_id):
            held = _held(view.window(view.corpus[chunk_id]))
            instead = next((one.id for one in view.successors(view.corpus[chunk_id]) if view.usable(one.id)), None)
            meant = "one that is" if instead is None else f"{shown(instead)}, which took its place"
            message = f"chunk {name} is not in force on {view.as_of}, it is {held} (name {meant}, or set as_of)"
            self.context.report("stale_evidence", message, part)
        else:
            message = f"chunk {name} does not apply to {describe(view)} by its audience or scope (name one that does)"
            self.context.report("stale_evidence", message, part)

    def _known(self, chunk_id: str, path: Path) -> bool:
        if chunk_id in self.view.corpus:
            return True
        names = (*self.view.readable, *self.context.header.aliases)
        self.context.report("unknown_chunk", self._not_there(chunk_id) + did_you_mean(chunk_id, names), path)
        return False

    def _not_there(self, chunk_id: str) -> str:
        return f"chunk {shown(chunk_id)} is not in corpus {shown(self.view.corpus.name)}"

    def _not_yet_known(self, chunk_id: str) -> str:
        since = self.view.corpus[chunk_id].ingested_at
        return f"chunk {shown(chunk_id)} became known on {since}, after {self.view.as_of} (name another, or set as_of)"


def asserts_something(expect: Expectation, forbid: Forbidden, *, conflict: bool = False) -> bool:
    """Whether a case says more than `any`; `conflict` is whether it writes one (derived sides are no word of its own).

    >>> asserts_something(Expectation(decision=None, reason_code=None), Forbidden(text=("$150",)))
    True
    """
    checked = (expect.decision, expect.reason_code, expect.internal_reason_code, expect.next_step, expect.model_called)
    parts = (expect.slots, expect.missing, expect.cite, forbid.evidence, forbid.text, forbid.values)
    return conflict or any(one is not None for one in checked) or any(parts)


_NOTHING_IMPLIED = Expectation(decision=None, reason_code=None)


def _allowed(written: tuple[str | None, ...]) -> tuple[str | None, ...] | None:
    """What a list of words allows: everything where it is left out or says any."""
    return None if not written or ANY in written else written


def _missing(written: str | MissingWritten) -> MissingPart:
    if isinstance(written, str):
        return MissingPart(name=written, names=(written,))
    return MissingPart(name=written.name, names=written.names or (written.name,))


def _held(window: Window) -> str:
    if window.never:
        return "never in force"
    ends = (f"from {window.start}" if window.start else "", f"until {window.end}" if window.end else "")
    return "in force " + " ".join(end for end in ends if end)
