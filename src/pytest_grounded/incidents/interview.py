"""What a person is asked about an incident of which there is no record, or of which the record says too little.

The answers are put together as a plain record, and read as one: what is typed means what it would mean in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.incidents.bare_ids import Knows
from pytest_grounded.incidents.plain import is_json_like, read_plain
from pytest_grounded.incidents.record import Incident, Stated
from pytest_grounded.incidents.suites import Workspace, open_suite
from pytest_grounded.incidents.wishes import Need, UndecidedError, Wishes
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode

__all__ = ["Interview", "Person"]

_SEVERAL = 2
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
Said = dict[str, Any]


class Person(Protocol):
    """Whoever is asked."""

    def tell(self, said: str) -> None:
        """Hear something that is no question."""

    def line(self, asked: str, *, default: str = "") -> str:
        """Answer in one line; the default where nothing is said."""

    def text(self, asked: str) -> str:
        """Answer in several lines."""


@dataclass(frozen=True, kw_only=True)
class Interview:
    """Asks one person about one incident; `knows` says whether a corpus at hand has a chunk of an id."""

    person: Person
    workspace: Workspace
    knows: Knows

    def record(self, wishes: Wishes) -> Said:
        """A plain record of an incident that a person tells of; what `wishes` say already is not asked."""
        suite = wishes.suite or self._suite()
        record: Said = {"suite": suite} if suite else {}
        if not wishes.question:
            record["question"] = self._needed("What was asked?")
        if not wishes.says_who:
            record["requester"] = self._requester(suite)
        if wishes.as_of is None:
            record["as_of"] = self._day(default=self._day_of_corpus(suite)).isoformat()
        record |= self._reply()
        if wishes.stated.is_empty:
            record = _together(record, self._expected())
        if not wishes.incident:
            record["incident"] = self.person.line("What is the incident called? Such as INC-7 (or nothing)") or None
        return record

    def answers(self, error: UndecidedError, incident: Incident, wishes: Wishes) -> tuple[Incident, Wishes]:
        """The incident and the wishes with what has to be known and was not said."""
        for need, problem in zip(error.needs, error.problems, strict=True):
            self.person.tell(problem.message)
            incident, wishes = self._answer(need, incident, wishes)
        return incident, wishes

    def _answer(self, need: Need, incident: Incident, wishes: Wishes) -> tuple[Incident, Wishes]:
        match need:
            case Need.SUITE:
                return incident, replace(wishes, suite=self._suite())
            case Need.QUESTION:
                return incident, replace(wishes, question=self._needed("What was asked?"))
            case Need.REPLY:
                return _with_reply(incident, self._reply()), wishes
            case Need.REQUESTER:
                return replace(
                    incident, requester=self._requester(wishes.suite or incident.suite or self._suite())
                ), wishes
            case Need.DAY:
                return incident, replace(wishes, as_of=self._day())
            case Need.READERS:
                return incident, replace(wishes, readers=self._readers())
            case Need.LABEL:
                return incident, replace(wishes, stated=self._label())

    # --- where and who -------------------------------------------------------------------------------------------

    def _suite(self) -> str | None:
        """The suite, of several; None where there is none yet."""
        suites = self.workspace.suites()
        if len(suites) < _SEVERAL:
            return suites[0] if suites else None
        return self._one_of(f"Which suite? {', '.join(suites)}", suites)

    def _requester(self, suite: str | None) -> str | Said:
        """A name that a case file gives a requester, or the groups they are in."""
        named = tuple(open_suite(self.workspace, suite).all_requesters) if suite in self.workspace.suites() else ()
        whom = f"One of {', '.join(named)}; or their groups" if named else "Their groups"
        said = self.person.line(f"Who asked? {whom}, commas between (nothing: somebody in no group)")
        return said if said in named else {"groups": _ids(said)}

    def _day_of_corpus(self, suite: str | None) -> date | None:
        opened = open_suite(self.workspace, suite) if suite in self.workspace.suites() else None
        return opened.corpus.corpus.as_of if opened is not None and opened.corpus is not None else None

    def _day(self, *, default: date | None = None) -> date:
        while True:
            said = self.person.line(
                "On which day was it asked? YYYY-MM-DD", default=default.isoformat() if default else ""
            )
            try:
                if _DAY.fullmatch(said):
                    return date.fromisoformat(said)
            except ValueError:
                pass
            self.person.tell(f"  {shown(said)} is no day such as 2024-10-01")

    def _readers(self, what: str = "them") -> tuple[str, ...]:
        """Groups; that it is nobody has to be said, as that it is everyone has to be."""
        while True:
            said = self.person.line(f"Who may read {what}? Groups, commas between; * for everyone, - for nobody")
            if said == "-":
                return ()
            if groups := tuple(_ids(said)):
                return groups

    # --- what came back ------------------------------------------------------------------------------------------

    def _reply(self) -> Said:
        """What was shown, the decision behind it, and the chunks it rests on."""
        text = ""
        while not text.strip():
            text = self.person.text("What did the system reply? As it was shown, or its JSON")
        if is_json_like(text):
            return {"response": text}
        decisions = [str(one) for one in Decision]
        decision = self._one_of(f"What did it decide? {', '.join(decisions)}", decisions, default="answer")
        shown_ids = (
            "Which chunks did it show or rest on? Ids in the order of [1], [2], ...; commas between (or nothing)"
        )
        ids = _ids(self.person.line(shown_ids))
        reply: Said = {"answer": text, "decision": decision}
        return _together(reply, {"sources": ids, "evidence": ids} if ids else {}, self._texts_of(ids))

    def _texts_of(self, ids: Sequence[str]) -> Said:
        """The chunks that no corpus at hand has, with their texts and readers, as far as somebody has them."""
        asked = "What does chunk {} say, which no corpus here has? Nothing where nobody knows"
        texts = {one: self.person.text(asked.format(shown(one))) for one in ids if not self.knows(one)}
        chunks = [
            {"id": one, "text": text, "readers": list(self._readers(shown(one)))}
            for one, text in texts.items()
            if text.strip()
        ]
        return {"chunks": chunks} if chunks else {}

    # --- what should have happened -------------------------------------------------------------------------------

    def _label(self) -> Stated:
        while not (said := self._expected()):
            self.person.tell("  that cannot be found out here; it has to be said")
        return read_plain(said, file="the terminal").stated

    def _expected(self) -> Said:
        """What should have happened, as a record says it; empty where it is to be found out."""
        kinds = [str(one) for one in CaseKind]
        asked = f"What should have happened? {', '.join(kinds)} (nothing: find out from the corpus)"
        kind = self._one_of(asked, ["", *kinds])
        match kind and CaseKind(kind):
            case CaseKind.ANSWERABLE | CaseKind.MULTI_EVIDENCE:
                return _together({"expected": {"kind": kind, **self._right_answer()}})
            case CaseKind.PARTIAL:
                missing = _parts(self.person.line("Which parts are not covered? Semicolons between (or nothing)"))
                return {"expected": {"kind": kind, **self._right_answer(), **({"missing": missing} if missing else {})}}
            case CaseKind.UNANSWERABLE:
                codes = [str(one) for one in ReasonCode]
                code = self._one_of(
                    f"With which reason? {', '.join(codes)}", codes, default=ReasonCode.NO_EVIDENCE.value
                )
                return {"expected": {"kind": kind, "reason_code": code}}
            case CaseKind.RESTRICTED:
                about = _ids(self.person.line("Which chunks may who asked not read? Ids, commas between (or nothing)"))
                return _together({"expected": {"kind": kind}, "about": about}, self._texts_of(about))
            case CaseKind.CONFLICTING:
                return {"expected": {"kind": kind}}
            case _:
                return {}

    def _right_answer(self) -> Said:
        line = self.person.line
        values = _parts(line("Which value does a right answer state? Any of several; semicolons between (or nothing)"))
        evidence = _ids(line("Which chunks does a right answer rest on? Ids, commas between (or nothing)"))
        return {key: said for key, said in (("values", values), ("evidence", evidence)) if said}

    # --- answers -------------------------------------------------------------------------------------------------

    def _needed(self, asked: str) -> str:
        return self._until(asked, bool, lambda _: "  it has to be known")

    def _one_of(self, asked: str, words: Sequence[str], *, default: str = "") -> str:
        return self._until(
            asked,
            words.__contains__,
            lambda said: f"  {shown(said)} is none of them{did_you_mean(said, [*filter(None, words)])}",
            default=default,
        )

    def _until(self, asked: str, fits: Callable[[str], bool], wrong: Callable[[str], str], *, default: str = "") -> str:
        while not fits(said := self.person.line(asked, default=default)):
            self.person.tell(wrong(said))
        return said


def _together(*parts: Said) -> Said:
    """Parts of a record as one; the chunks of all of them."""
    chunks = [one for part in parts for one in part.get("chunks", ())]
    whole = {key: value for part in parts for key, value in part.items()}
    return whole | ({"chunks": chunks} if chunks else {})


def _with_reply(incident: Incident, said: Mapping[str, Any]) -> Incident:
    read = read_plain(said, file=incident.file)
    known = {str(one["id"]) for one in incident.chunks}
    more = tuple(one for one in read.chunks if str(one["id"]) not in known)
    return replace(incident, reply=read.reply, chunks=(*incident.chunks, *more))


def _ids(said: str) -> list[str]:
    return [*dict.fromkeys(one.strip() for one in said.split(",") if one.strip())]


def _parts(said: str) -> list[str]:
    return [*dict.fromkeys(one.strip() for one in said.split(";") if one.strip())]
