"""Settles what a case stands on: the suite, what was asked by whom and when, the reply, the chunks.

The record says it, or the person, or a case of ours that the record belongs to; what was taken from elsewhere is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pytest_grounded.corpus.wording import did_you_mean, shown
from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.freezing import Frozen, Sources, freeze
from pytest_grounded.incidents.record import Incident, Stated
from pytest_grounded.incidents.suites import Suite, Workspace, find_case, named_chunks, open_suite
from pytest_grounded.incidents.wishes import DuplicateError, Need, UndecidedError, Wishes
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Turn
from pytest_grounded.systems.reading import read_reply

__all__ = ["Settled", "settle"]


@dataclass(frozen=True, kw_only=True)
class Settled:
    """What is known before anything is decided. `base` is the case of ours that the record belongs to."""

    suite: Suite
    base: Case | None
    question: str
    requester: Requester
    as_of: date
    outcome: Outcome
    frozen: Frozen
    stated: Stated
    notes: tuple[str, ...] = ()

    @property
    def corpus(self) -> Corpus:
        """The suite's corpus with what would be added to it."""
        own: Sequence[Chunk] = tuple(self.suite.corpus.corpus) if self.suite.corpus is not None else ()
        return Corpus(name=self.suite.name, chunks=(*own, *self.frozen.added), as_of=self.as_of)

    def turns(self, incident: Incident) -> tuple[Turn, ...]:
        """The earlier turns of the conversation."""
        if not incident.history and self.base is not None:
            return self.base.history
        return tuple(_turns(incident, self.requester))


def settle(incident: Incident, wishes: Wishes, workspace: Workspace) -> Settled:
    """Everything that is known about an incident; raises UndecidedError with all that is not and has to be."""
    return _Settling(incident, wishes, workspace).settled()


class _Settling:
    """Gathers what is still needed, and notes what was taken from elsewhere."""

    def __init__(self, incident: Incident, wishes: Wishes, workspace: Workspace) -> None:
        self.incident = incident
        self.wishes = wishes
        self.workspace = workspace
        self.stated = wishes.stated.over(incident.stated)
        self.needs: dict[Need, str] = {}
        self.notes = list(incident.not_told)

    def settled(self) -> Settled:
        base = self._base()
        suite = self._suite(base)
        question = self.wishes.question or self.incident.question or (base.question if base else None)
        if not question:
            self.needs[Need.QUESTION] = "the record holds no question (say it with --question TEXT)"
        self._refuse_same_incident(suite)
        outcome = self._outcome()
        frozen = self._frozen(suite, base, outcome)
        requester = self._requester(suite, base)
        as_of = self._day(suite, base)
        if self.needs or requester is None or as_of is None or not question:
            raise UndecidedError(self.needs)
        return Settled(
            suite=suite,
            base=base,
            question=question,
            requester=requester,
            as_of=as_of,
            outcome=outcome,
            frozen=frozen,
            stated=self.stated,
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _base(self) -> Case | None:
        """The case of ours that the record belongs to."""
        case_id = self.incident.case
        if case_id is None:
            return None
        found = find_case(self.workspace, self.incident.suite, case_id)
        if found is None:
            where = f" of suite {shown(self.incident.suite)}" if self.incident.suite else ""
            self.notes.append(f"the case: there is no case {shown(case_id)}{where} here")
        return found

    def _suite(self, base: Case | None) -> Suite:
        wishes, said = self.wishes, self.incident.suite
        name = wishes.suite or (base.suite if base else None)
        known = self.workspace.suites()
        if name is None and (said in known or not known):
            name = said
        if name is None and len(known) > 1:
            message = f"there are several suites; say which with --suite: {', '.join(known)}"
            raise UndecidedError({Need.SUITE: message})
        manifest = wishes.manifest
        if base is not None and name == base.suite and base.corpus.source and manifest == "corpus.yaml":
            manifest = base.corpus.source.rpartition("/")[2]
        return open_suite(self.workspace, name, create=wishes.create, manifest=manifest)

    def _refuse_same_incident(self, suite: Suite) -> None:
        """An incident is one case, unless somebody names a second one."""
        name = self.wishes.incident or self.incident.name
        same = next((case for case in suite.cases if name is not None and case.incident == name), None)
        if same is not None and self.wishes.case_id is None:
            message = (
                f"case {shown(same.id)} is of incident {shown(str(name))} already (name another case of it with --id)"
            )
            place = same.place
            raise DuplicateError(Problem(file=place.file, line=place.line, message=message, code="add.duplicate"))

    def _outcome(self) -> Outcome:
        if not self.incident.has_reply:
            self.needs[Need.REPLY] = (
                "the record holds no reply, and without one nothing shows that the case fails "
                "(name where it stands with --map response=PATH, or --map answer=PATH for prose)"
            )
            return Outcome()
        return read_reply(self.incident.reply, observed=self.incident.internal)

    # --- chunks

    def _frozen(self, suite: Suite, base: Case | None, outcome: Outcome) -> Frozen:
        stated = self.stated
        given = outcome.internal.evidence or ()
        cited = outcome.response.cited if outcome.response else ()
        said = (*stated.evidence, *stated.cite, *stated.about, *stated.forbid_evidence)
        own = suite.corpus.corpus if suite.corpus is not None else None
        of_base = [chunk for chunk in base.corpus.ids if chunk in named_chunks(base)] if base is not None else []
        sources = Sources(
            recorded=self.incident.chunks,
            suite=own,
            stores=(*((base.corpus,) if base is not None else ()), *self.wishes.stores),
            readers=self.wishes.readers,
            prefer_suite=self.wishes.prefer_suite,
            file=self.incident.file,
        )
        frozen = freeze((*said, *of_base, *given, *cited), sources)
        self._note_missing(frozen, said, given)
        if frozen.unread:
            names = " and ".join(map(shown, frozen.unread))
            self.needs[Need.READERS] = (
                f"who may read {names} is stated neither in the record nor in a store "
                "(say it with --readers GROUP, '*' for everyone; or name a --store that knows)"
            )
        return frozen

    def _note_missing(self, frozen: Frozen, said: Sequence[str], given: Sequence[str]) -> None:
        for chunk_id in frozen.missing:
            name = shown(chunk_id)
            if chunk_id in said:
                raise GroundedError(
                    f"chunk {name} is expected and its text is nowhere: not in the record, the suite or a store "
                    "(name the store with --store FILE)"
                )
            if chunk_id in given:
                self.notes.append(f"chunk {name}: it was given to the model, and nobody has its text")
            else:
                self.notes.append(f"chunk {name}: it is cited, and nobody has its text; taken for made up")

    # --- who and when

    def _requester(self, suite: Suite, base: Case | None) -> Requester | None:
        found = self._known_requester(suite, base)
        if found is None and not self.wishes.says_who:
            named = ", ".join(suite.all_requesters) or "none"
            self.needs[Need.REQUESTER] = (
                f"the record names who asked only as {shown(str(self.incident.requester))}: what they may read is not "
                f"known (say it with --as NAME or --group GROUP; named here: {named})"
            )
            return None
        found, wishes = found or ANONYMOUS, self.wishes
        added = {
            "groups": tuple(dict.fromkeys((*found.groups, *wishes.groups))),
            "audience": tuple(dict.fromkeys((*found.audience, *wishes.audience))),
            "tenant": wishes.tenant or found.tenant,
        }
        return found.model_copy(update=added)

    def _known_requester(self, suite: Suite, base: Case | None) -> Requester | None:
        written, named = self.incident.requester, suite.all_requesters
        if (name := self.wishes.requester) is not None:
            if name in named or name == ANONYMOUS.id:
                return named.get(name, ANONYMOUS)
            hint = did_you_mean(name, list(named)) or f" (named: {', '.join(named) or 'none'})"
            raise GroundedError(f"no case file of suite {shown(suite.name)} names a requester {shown(name)}{hint}")
        if isinstance(written, str):
            return named.get(written)
        if written is not None:
            return Requester.model_validate(dict(written))
        return base.requester if base is not None else self._default_requester(suite)

    def _default_requester(self, suite: Suite) -> Requester:
        names = {one.default_requester for one in suite.files if one.default_requester}
        name = next(iter(names)) if len(names) == 1 else None
        if name is not None and name in suite.all_requesters:
            self.notes.append(f"who asked: the record does not say; taken for {shown(name)}, as the suite's cases")
            return suite.all_requesters[name]
        if not self.wishes.says_who:
            self.notes.append(
                "who asked: the record does not say; taken for anonymous (say it with --as NAME or --group GROUP)"
            )
        return ANONYMOUS

    def _day(self, suite: Suite, base: Case | None) -> date | None:
        day = self.wishes.as_of or self.incident.as_of or (base.as_of if base is not None else None)
        own = suite.corpus.corpus.as_of if suite.corpus is not None else None
        if day is None and own is not None:
            self.notes.append(f"the day: the record has none; taken for {own}, the corpus's own")
            return own
        if day is None:
            self.needs[Need.DAY] = "the record has no day (say it with --as-of YYYY-MM-DD)"
        return day


def _turns(incident: Incident, requester: Requester) -> Iterator[Turn]:
    for turn in incident.history:
        by: Any = turn.get("requester")
        yield Turn(
            role=turn["role"],
            text=str(turn["text"]),
            requester=Requester.model_validate(dict(by)) if isinstance(by, Mapping) else requester,
            cites=tuple(turn.get("cites", ())),
        )
