"""A case as it is judged: every default filled in, every alias and name resolved, nothing left to look up.

How a case is *written* in YAML is `pytest_grounded.cases.schema`; this is what comes out of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from pytest_grounded.model.evidence import Corpus, CorpusView, Requester
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.vocabulary import CaseKind, Decision, Risk

__all__ = [
    "Case",
    "ConflictExpectation",
    "Expectation",
    "ExpectedSide",
    "Forbidden",
    "MissingPart",
    "Place",
    "Slot",
    "Step",
    "Waiver",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a case stands: path as shown to people, and its 1-based line and column."""

    file: str
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A part that an answer has to contain.

    `evidence` holds groups of chunk ids: one group whole is enough. `values`: any one of them fills the slot.
    """

    name: str
    values: tuple[str, ...] = ()
    evidence: tuple[tuple[str, ...], ...] = ()
    weight: float = 1.0
    blocking: bool = False
    derived: bool = False
    states: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPart:
    """A part of the question that the corpus does not cover; any of `names` names it."""

    name: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedSide:
    """One side of an expected conflict."""

    value: str
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictExpectation:
    """The sides that have to be shown, or the chunk that wins by a rule."""

    sides: tuple[ExpectedSide, ...] = ()
    resolved_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What has to hold. A tuple lists what is allowed (None in it: null); the value None is *not checked*.

    No decision is null but that of a system that failed: an empty tuple demands it.
    """

    decision: tuple[Decision, ...] | None
    reason_code: tuple[str | None, ...] | None
    internal_reason_code: tuple[str | None, ...] | None = None
    next_step: tuple[str | None, ...] | None = None
    slots: tuple[Slot, ...] = ()
    missing: tuple[MissingPart, ...] = ()
    conflict: ConflictExpectation | None = None
    cite: tuple[str, ...] = ()
    model_called: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """What must not appear: chunk ids, literal texts, asserted values."""

    evidence: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A known failure with an owner and a date."""

    check: str
    until: date
    owner: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One request of a scenario; `expect` is None where it is sent and not judged."""

    question: str = field(repr=False)
    requester: Requester
    as_of: date
    corpus: Corpus = field(repr=False)
    expect: Expectation | None = None
    forbid: Forbidden = field(default_factory=Forbidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case, ready to be asked and judged. `steps` holds what is sent before the judged question."""

    id: str
    suite: str
    kind: CaseKind
    question: str
    requester: Requester
    as_of: date
    corpus: Corpus = field(repr=False)
    expect: Expectation
    place: Place
    title: str | None = None
    paraphrases: tuple[str, ...] = ()
    forbid: Forbidden = field(default_factory=Forbidden)
    risk: Risk = Risk.MEDIUM
    history: tuple[Turn, ...] = ()
    incident: str | None = None
    why: str | None = None
    tags: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    control: Requester | None = None
    absent_question: str | None = None
    steps: tuple[Step, ...] = ()
    waive: tuple[Waiver, ...] = ()
    observe: tuple[str, ...] = ()
    strict_memory: bool = False
    serial: bool = False
    runs: int = 1
    require: int | None = None
    budget: tuple[tuple[str, float], ...] = ()
    relations: tuple[str, ...] = ()
    unjudged_passes: bool = True
    content_hash: str = ""

    def __repr__(self) -> str:
        return f"Case({self.suite}/{self.id}, {self.kind})"

    @property
    def view(self) -> CorpusView:
        """The corpus as this case's requester sees it on the case's day."""
        return self.corpus.view(self.requester, self.as_of)

    def request(self) -> Request:
        """What the system is asked: never the id or the expectations."""
        return Request(
            question=self.question,
            requester=self.requester,
            as_of=self.as_of,
            history=self.history,
            corpus=self.corpus.known_at(self.as_of),
        )
