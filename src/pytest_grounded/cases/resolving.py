"""From a case as written to the cases it stands for: one, or one for each revision of the corpus it is written `on`.

Names become requesters, corpora and chunk ids, and defaults are filled in. What is wrong goes to the file's context,
each at the place where it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from pytest_grounded.cases.context import FileContext
from pytest_grounded.cases.expecting import Expecting, asserts_something
from pytest_grounded.cases.fields import CASE_ID
from pytest_grounded.cases.hashing import content_hash
from pytest_grounded.cases.rules import rule_faults
from pytest_grounded.cases.schema import (
    BudgetWritten,
    CaseWritten,
    DefaultsWritten,
    ExpectWritten,
    ForbidWritten,
    RevisionWritten,
    StepWritten,
)
from pytest_grounded.corpus.faults import Path
from pytest_grounded.corpus.wording import shown
from pytest_grounded.model.case import Case, Expectation, Forbidden, Place, Step, Waiver
from pytest_grounded.model.evidence import Corpus, CorpusView, Requester
from pytest_grounded.model.request import Turn
from pytest_grounded.model.vocabulary import CaseKind, Risk

__all__ = ["resolve_case"]


def resolve_case(written: CaseWritten, index: int, context: FileContext) -> Iterator[Case]:
    """The cases that entry `index` of the file stands for; those that cannot be built are left out and reported."""
    resolving = _Resolving(written, index, context)
    context.faults += (replace(fault, path=resolving.at(*fault.path)) for fault in rule_faults(resolving.written))
    taken: dict[str, str] = {}
    for variant in resolving.variants():
        case = resolving.case(variant)
        if case is None:
            continue
        if case.id in taken:
            message = f"has the same revision as {shown(taken[case.id])} (label the two corpora apart)"
            context.report("duplicate_id", f"corpus {shown(variant.corpus)} {message}", variant.at, at_key=True)
        taken.setdefault(case.id, str(variant.corpus))
        yield case


@dataclass(frozen=True, slots=True, kw_only=True)
class _Variant:
    """A case on one corpus: the corpus where it is not the file's, and what is said for this revision alone."""

    at: Path
    corpus: str | None = None
    corpus_at: Path = ("corpus",)
    revision: RevisionWritten = RevisionWritten()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One request: what is asked, by whom, on which day, of which corpus."""

    question: str
    requester: Requester
    as_of: date
    corpus: Corpus

    @property
    def view(self) -> CorpusView:
        return self.corpus.view(self.requester, self.as_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Demanded:
    """What has to hold and what must not appear, as written, and where each key is."""

    expect: ExpectWritten
    at: Callable[[str], Path]
    forbid: ForbidWritten | None
    forbid_at: Path


class _Resolving:
    """A case as written with the file's defaults, and where its parts stand."""

    def __init__(self, written: CaseWritten, index: int, context: FileContext) -> None:
        defaults = context.header.defaults
        self.written = _with_defaults(written, defaults)
        self.context = context
        self.base: Path = ("cases", index)
        self.by_default = defaults.model_fields_set - written.model_fields_set

    def at(self, *path: str | int) -> Path:
        """Where a part of the case is written: in the case, or in the file's defaults."""
        return ("defaults", *path) if path and path[0] in self.by_default else (*self.base, *path)

    def variants(self) -> Iterator[_Variant]:
        """The case on its corpus, or on each of those that `on` names."""
        if not self.written.on:
            corpus = self.written.corpus
            yield _Variant(at=self.base, corpus=corpus, corpus_at=("corpus",) if corpus is None else self.at("corpus"))
        for corpus, revision in self.written.on.items():
            at = self.at("on", corpus)
            yield _Variant(at=at, corpus=corpus, corpus_at=at, revision=revision)

    def case(self, variant: _Variant) -> Case | None:
        """The case on one corpus; None where what is asked, by whom, when or of what cannot be told."""
        written = self.written
        before, last = written.steps[:-1], written.steps[-1] if written.steps else None
        asked = self._asked(last, self.at("steps", len(before)), variant)
        earlier = [self._step(step, self.at("steps", index), variant) for index, step in enumerate(before)]
        history = [self._turn(index) for index in range(len(written.history))]
        if asked is None:
            return None
        kind = variant.revision.kind or written.kind
        demanded = self._demanded(last, self.at("steps", len(before)), variant)
        expect, forbid, about = self._held(kind, asked, demanded)
        line, column = self.context.document.spot(self.base)
        return Case(
            id=self._id(variant, asked.corpus),
            suite=self.context.place.suite,
            kind=kind,
            question=asked.question,
            requester=asked.requester,
            as_of=asked.as_of,
            corpus=asked.corpus,
            expect=expect,
            forbid=forbid,
            place=Place(file=self.context.place.file, line=line, column=column),
            title=written.title,
            paraphrases=written.paraphrases,
            risk=written.risk,
            history=tuple(turn for turn in history if turn is not None),
            incident=written.incident,
            why=written.why,
            tags=written.tags,
            about=about,
            control=self._control(asked, about),
            absent_question=written.absent_question,
            steps=tuple(step for step in earlier if step is not None),
            waive=tuple(Waiver(check=w.check, until=w.until, owner=w.owner, why=w.why) for w in written.waive),
            observe=written.observe,
            strict_memory=written.strict_memory,
            serial=written.serial,
            runs=written.runs,
            require=written.require,
            budget=_budget(written.budget),
            relations=written.relations,
            unjudged_passes=_unjudged_passes(written),
            content_hash=content_hash(
                written,
                kind=kind,
                requester=asked.requester,
                as_of=asked.as_of,
                expect=demanded.expect,
                forbid=demanded.forbid,
                context=self.context,
            ),
        )

    def _asked(self, step: StepWritten | None, step_at: Path, variant: _Variant) -> _Asked | None:
        written = self.written
        question = written.question if step is None else step.question
        if step is not None and step.requester is not None:
            requester = self.context.requester(step.requester, (*step_at, "requester"))
        else:
            requester = self.context.requester(written.requester, self.at("requester"))
        if step is not None and step.corpus is not None:
            corpus = self.context.corpus(step.corpus, (*step_at, "corpus"))
        else:
            corpus = self.context.corpus(variant.corpus or self.context.header.corpus, variant.corpus_at)
        if question is None or requester is None or corpus is None:
            return None
        as_of = (step and step.as_of) or variant.revision.as_of or written.as_of or corpus.as_of
        if as_of is None:
            message = f"no day is set, neither here nor in the defaults nor in corpus {shown(corpus.name)} (set as_of)"
            self.context.report("missing_key", message, (*(step_at if step else self.base), "as_of"))
            return None
        return _Asked(question=question, requester=requester, as_of=as_of, corpus=corpus)

    def _demanded(self, last: StepWritten | None, last_at: Path, variant: _Variant) -> _Demanded:
        """What the judged request has to meet: written in the case or in its last step, and over it per revision."""
        written, here = self.written, variant.revision
        in_step = last is not None and written.expect is None and last.expect is not None
        expect = last.expect if last and in_step else written.expect
        expect_at = (*last_at, "expect") if in_step else self.at("expect")
        over = here.expect

        def at(key: str) -> Path:
            return (*variant.at, "expect", key) if over and key in over.model_fields_set else (*expect_at, key)

        forbid: ForbidWritten | None
        if here.forbid is not None:
            forbid, forbid_at = here.forbid, (*variant.at, "forbid")
        elif written.forbid is None and last is not None:
            forbid, forbid_at = last.forbid, (*last_at, "forbid")
        else:
            forbid, forbid_at = written.forbid, self.at("forbid")
        return _Demanded(expect=_over(expect, over), at=at, forbid=forbid, forbid_at=forbid_at)

    def _expecting(self, asked: _Asked, demanded: _Demanded) -> Expecting:
        return Expecting(
            context=self.context,
            view=asked.view,
            question=asked.question,
            at=demanded.at,
            forbid_at=demanded.forbid_at,
        )

    def _held(
        self, kind: CaseKind, asked: _Asked, demanded: _Demanded
    ) -> tuple[Expectation, Forbidden, tuple[str, ...]]:
        expecting = self._expecting(asked, demanded)
        expect, forbid = expecting.expectation(kind, demanded.expect), expecting.forbidden(demanded.forbid)
        if kind is CaseKind.RESTRICTED:
            return expect, forbid, expecting.restricted(self.written.about, self.at("about"))
        if not asserts_something(expect, forbid, conflict=demanded.expect.conflict is not None):
            message = "decision and reason are any and nothing else is set (set what has to hold)"
            self.context.report("asserts_nothing", f"asserts nothing: {message}", self.at("expect"), at_key=True)
        return expect, forbid, ()

    def _step(self, step: StepWritten, at: Path, variant: _Variant) -> Step | None:
        """A request that is sent before the judged one; judged itself only where it expects something."""
        asked = self._asked(step, at, variant)
        if asked is None:
            return None
        demanded = _Demanded(
            expect=step.expect or ExpectWritten(),
            at=lambda key: (*at, "expect", key),
            forbid=step.forbid,
            forbid_at=(*at, "forbid"),
        )
        expecting = self._expecting(asked, demanded)
        return Step(
            question=asked.question,
            requester=asked.requester,
            as_of=asked.as_of,
            corpus=asked.corpus,
            expect=None if step.expect is None else expecting.expectation(None, step.expect),
            forbid=expecting.forbidden(step.forbid),
        )

    def _turn(self, index: int) -> Turn | None:
        turn = self.written.history[index]
        requester = None
        if turn.requester is not None:
            requester = self.context.requester(turn.requester, self.at("history", index, "requester"))
        cites = tuple(map(self.context.chunk_id, turn.cites))
        return Turn(role=turn.role, text=turn.text, requester=requester, cites=cites)

    def _control(self, asked: _Asked, about: tuple[str, ...]) -> Requester | None:
        """The requester who may read what the case is about; one who may not shows nothing."""
        if self.written.control is None:
            return None
        control = self.context.requester(self.written.control, self.at("control"))
        chunks = [asked.corpus[chunk_id] for chunk_id in about if chunk_id in asked.corpus]
        hidden = next((chunk.id for chunk in chunks if control and not chunk.readable_by(control)), None)
        if hidden is not None:
            message = f"the control may not read chunk {shown(hidden)} either (name a requester who may)"
            self.context.report("unreadable_evidence", message, self.at("control"))
        return control

    def _id(self, variant: _Variant, corpus: Corpus) -> str:
        if not self.written.on:
            return self.written.id
        revision = corpus.revision or ""
        if CASE_ID.fullmatch(revision) is None:
            what = f"revision {shown(revision)} of corpus {shown(corpus.name)}"
            message = f"{what} cannot be part of an id (lower-case letters, digits, '.', '_' and '-')"
            self.context.report("unsafe_id", message, variant.at, at_key=True)
        return f"{self.written.id}@{revision}"


def _with_defaults(written: CaseWritten, defaults: DefaultsWritten) -> CaseWritten:
    """The case with the file's defaults where it says nothing itself."""
    left_out = defaults.model_fields_set - written.model_fields_set
    return written.model_copy(update={key: getattr(defaults, key) for key in left_out}) if left_out else written


def _over(expect: ExpectWritten | None, revision: ExpectWritten | None) -> ExpectWritten:
    """What a case expects with what it expects on one revision, key by key over it; `reason` is `reason_code`."""
    own = expect or ExpectWritten()
    if revision is None:
        return own
    said = {key: getattr(revision, key) for key in revision.model_fields_set}
    if not said.keys().isdisjoint({"reason", "reason_code"}):
        said = {"reason": (), "reason_code": ()} | said
    return own.model_copy(update=said)


def _budget(written: BudgetWritten | None) -> tuple[tuple[str, float], ...]:
    limits = () if written is None else (("latency_ms", written.latency_ms), ("tokens", written.tokens))
    return tuple((name, limit) for name, limit in limits if limit is not None)


def _unjudged_passes(written: CaseWritten) -> bool:
    unjudged = written.unjudged or ("inconclusive" if written.risk is Risk.HIGH else "pass")
    return unjudged == "pass"
