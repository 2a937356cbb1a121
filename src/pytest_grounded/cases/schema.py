"""A case file as it is written: the whole vocabulary, with what each key is for. JSON Schema is made from these models.

Every key is laid down here, those included whose check this version does not build (`cases.supported` names them).
What is left out stays unset; names and aliases are not resolved: that is `cases.resolving`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from pytest_grounded.cases.fields import (
    CaseId,
    Codes,
    Count,
    Day,
    Decisions,
    EvidenceGroups,
    FreeCodes,
    Ids,
    Observed,
    Positive,
    Text,
    Texts,
    YesNo,
)
from pytest_grounded.model.vocabulary import CaseKind, Risk

__all__ = [
    "SYNONYMS",
    "BudgetWritten",
    "CaseWritten",
    "ConflictWritten",
    "DefaultsWritten",
    "ExpectWritten",
    "FileWritten",
    "ForbidWritten",
    "HeaderWritten",
    "MissingWritten",
    "RequesterWritten",
    "RevisionWritten",
    "SideWritten",
    "SlotWritten",
    "StepWritten",
    "TurnWritten",
    "WaiverWritten",
    "Who",
]

SYNONYMS: Mapping[str, str] = {
    "query": "question",
    "name": "id",
    "type": "kind",
    "user": "requester",
    "expected": "expect",
    "description": "why",
    "date": "as_of",
    "must_cite": "cite",
    "citations": "cite",
    "cites": "cite",
    "must_not_contain": "forbid",
    "value": "values",
    "chunks": "evidence",
    "role": "audience",
    "roles": "groups",
    "insufficient": "PARTIAL_EVIDENCE",
    "INSUFFICIENT_EVIDENCE": "NO_EVIDENCE",
    "UNGROUNDED_SYNTHESIS": "UNVERIFIED_ANSWER",
    "refuse": "abstain",
    "refusal": "abstain",
}
"""Keys and codes that people write for one of ours, where spelling alone does not lead to it."""

RelationName = Literal[
    "order",
    "evidence_order",
    "noninterference",
    "irrelevant",
    "duplicate",
    "superseded",
    "removal",
    "edit",
    "contradiction",
    "injection",
    "paraphrase",
    "clock",
]


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class RequesterWritten(_Written):
    """Who asks."""

    id: Text | None = Field(
        default=None, description="Name of the requester; default: its name in the file", examples=["ann"]
    )
    tenant: Text | None = Field(default=None, description="Tenant the requester belongs to", examples=["acme"])
    audience: Texts = Field(
        default=(), description="Roles, for applicability only; none: nothing is left out", examples=["employee"]
    )
    groups: Texts = Field(default=(), description="Groups that decide what may be read", examples=[["staff"]])
    scope: Mapping[str, str] = Field(
        default_factory=dict, description="Free key/value that applicability looks at", examples=[{"region": "EMEA"}]
    )


def _scalar_or_mapping(value: object) -> str:
    return "<name>" if isinstance(value, str) else "<inline>"


Who = Annotated[
    Annotated[Text, Tag("<name>")] | Annotated[RequesterWritten, Tag("<inline>")], Discriminator(_scalar_or_mapping)
]
"""A requester by its name in the file, or written out."""


class SlotWritten(_Written):
    """A part that the answer has to contain."""

    name: Text = Field(description="What the part is called in messages", examples=["limit"])
    values: Ids | None = Field(
        default=None,
        description="Any of these fills the slot; numbers, dates and amounts are compared by value",
        examples=[["180"]],
    )
    evidence: EvidenceGroups | None = Field(
        default=None,
        description="Chunk ids: a list is all of them together, a list of lists any of the lists",
        examples=[["c1"], [["c4"], ["c5"]]],
    )
    weight: Positive = Field(default=1.0, description="How much the slot counts", examples=[3])
    blocking: YesNo = Field(default=False, description="When it is missing nothing may be answered")
    derived: YesNo = Field(default=False, description="The value is computed and stands in no chunk")
    states: Text | None = Field(
        default=None,
        description="A sentence the answer has to state; a support judge decides",
        examples=["Receipts are needed from $25 on."],
    )


class MissingWritten(_Written):
    """A part of the question that the corpus does not cover."""

    name: Text = Field(description="What the part is called in messages", examples=["breakfast"])
    names: Ids | None = Field(
        default=None, description="Any of these words names it; default: its name", examples=[["breakfast", "meal"]]
    )


Missing = Annotated[
    Annotated[Text, Tag("<name>")] | Annotated[MissingWritten, Tag("<inline>")], Discriminator(_scalar_or_mapping)
]


class SideWritten(_Written):
    """One side of a conflict."""

    value: Text = Field(description="The value this side states", examples=["0.60"])
    chunks: Ids = Field(description="Chunk ids that state it", examples=[["c9"]])


class ConflictWritten(_Written):
    """The sides that have to be shown, or the chunk that wins by a rule."""

    sides: Annotated[tuple[SideWritten, ...], Field(min_length=2)] | None = Field(
        default=None,
        description="Every side with its chunks; default: what the corpus's facts say",
        examples=[[{"value": "0.60", "chunks": ["c9"]}, {"value": "0.67", "chunks": ["c10"]}]],
    )
    resolved_to: Text | None = Field(
        default=None, description="The chunk that a rule lets win; it is answered and cited", examples=["c7"]
    )


class ExpectWritten(_Written):
    """What has to hold. A key left out keeps what the kind implies, null demands null, `any` is not checked.

    An empty tuple is a key left out: what is written is never empty.
    """

    decision: Decisions = Field(
        default=(), description="The decisions allowed", examples=["abstain", ["abstain", "clarify"]]
    )
    reason_code: Codes = Field(default=(), description="The public reason codes allowed", examples=["NO_EVIDENCE"])
    reason: Codes = Field(default=(), description="The same as reason_code", examples=["NO_EVIDENCE"])
    internal_reason_code: FreeCodes = Field(
        default=(), description="Checked where the system reports its internal code", examples=["NOT_AUTHORIZED"]
    )
    next_step: FreeCodes = Field(default=(), description="The next steps allowed", examples=["contact_travel_desk"])
    slots: tuple[SlotWritten, ...] = Field(
        default=(),
        description="What the answer has to contain",
        examples=[[{"name": "limit", "values": ["180"], "evidence": ["c1"]}]],
    )
    missing: tuple[Missing, ...] = Field(
        default=(), description="Parts that are not covered, to be named and given no value", examples=[["Paris"]]
    )
    conflict: ConflictWritten | None = Field(
        default=None, description="The conflict that has to be disclosed or settled", examples=[{"resolved_to": "c7"}]
    )
    cite: Texts = Field(default=(), description="Chunk ids that have to be cited", examples=[["c1"]])
    model_called: YesNo | None = Field(default=None, description="Whether a model may be called", examples=[False])


class ForbidWritten(_Written):
    """What must not appear."""

    evidence: Texts = Field(
        default=(), description="Chunk ids that must be neither cited nor given to a model", examples=[["c2"]]
    )
    text: Texts = Field(default=(), description="Literal texts, even in a denial", examples=[["150"]])
    values: Texts = Field(default=(), description="Values that must not be asserted", examples=[["120"]])


class TurnWritten(_Written):
    """An earlier turn of a conversation: passed on, not judged."""

    role: Literal["user", "assistant"] = Field(description="Who said it", examples=["user"])
    text: str = Field(description="What was said", examples=["What about Berlin?"])
    requester: Who | None = Field(
        default=None, description="Who asked then; default: the case's requester", examples=["contractor"]
    )
    cites: Texts = Field(default=(), description="Chunk ids cited then; they need not exist", examples=[["c1"]])


class StepWritten(_Written):
    """One request of a scenario; the last is the judged one."""

    question: Text = Field(description="The question", examples=["What is the hotel limit?"])
    requester: Who | None = Field(
        default=None, description="Who asks; default: the case's requester", examples=["contractor"]
    )
    as_of: Day | None = Field(
        default=None, description="The day of the request; default: the case's", examples=["2024-11-01"]
    )
    corpus: Text | None = Field(
        default=None, description="The corpus of the request; default: the case's", examples=["corpus-2023.yaml"]
    )
    expect: ExpectWritten | None = Field(
        default=None, description="What has to hold; without it: sent, not judged", examples=[{"decision": "abstain"}]
    )
    forbid: ForbidWritten | None = Field(
        default=None, description="What must not appear", examples=[{"values": ["120"]}]
    )


class RevisionWritten(_Written):
    """What a case expects of one revision of the corpus."""

    kind: CaseKind | None = Field(
        default=None, description="The kind of case it is on this revision", examples=["unanswerable"]
    )
    as_of: Day | None = Field(
        default=None, description="The day of the request on this revision", examples=["2023-10-01"]
    )
    expect: ExpectWritten | None = Field(
        default=None, description="What has to hold, key by key over the case's own", examples=[{"decision": "abstain"}]
    )
    forbid: ForbidWritten | None = Field(
        default=None, description="What must not appear, instead of the case's own", examples=[{"values": ["180"]}]
    )


class BudgetWritten(_Written):
    """How much a reply may cost."""

    latency_ms: Positive | None = Field(default=None, description="Longest time to the reply", examples=[2000])
    tokens: Positive | None = Field(default=None, description="Most tokens in and out", examples=[4000])


class WaiverWritten(_Written):
    """A known failure with an owner and a date: reported, not failing."""

    check: Text = Field(description="Name of the check", examples=["quote.elision"])
    until: Day = Field(description="Last day it holds", examples=["2025-01-31"])
    owner: Text = Field(description="Who mends it", examples=["search team"])
    why: Text = Field(
        description="Why it is accepted until then",
        examples=["The PDF reader drops a line; mended in the next release."],
    )


class DefaultsWritten(_Written):
    """What a case of the file has where it does not say otherwise."""

    requester: Who | None = Field(default=None, description="Who asks", examples=["employee"])
    as_of: Day | None = Field(
        default=None, description="The day of the request; default: the corpus's", examples=["2024-10-01"]
    )
    risk: Risk = Field(default=Risk.MEDIUM, description="How much a wrong answer would cost", examples=["high"])
    tags: Texts = Field(default=(), description="Words to select cases by", examples=[["hotel"]])
    relations: tuple[RelationName, ...] = Field(
        default=(), description="Metamorphic tests to run as well", examples=[["order", "edit"]]
    )
    runs: Count = Field(default=1, description="How often the case is asked", examples=[3])
    require: Count | None = Field(
        default=None, description="How many of the runs have to pass; default: all", examples=[2]
    )
    serial: YesNo = Field(default=False, description="Never asked beside another case")
    budget: BudgetWritten | None = Field(
        default=None, description="How much a reply may cost", examples=[{"latency_ms": 2000}]
    )
    observe: tuple[Observed, ...] = Field(
        default=(), description="What the leak comparison looks at beside the visible", examples=[["timing", "-debug"]]
    )
    strict_memory: YesNo = Field(default=False, description="Text known from elsewhere is a leak too")
    unjudged: Literal["pass", "inconclusive"] | None = Field(
        default=None,
        description="What becomes of what neither a rule nor a judge decided; risk: high is inconclusive",
        examples=["inconclusive"],
    )


class CaseWritten(DefaultsWritten):
    """One case."""

    id: CaseId = Field(description="Short name, unique in the suite", examples=["hotel-standard-limit"])
    kind: CaseKind = Field(
        description="answerable, multi_evidence, partial, unanswerable, conflicting or restricted",
        examples=["answerable"],
    )
    title: Text | None = Field(
        default=None, description="Name for people, in any script", examples=["Hotel limit, standard city"]
    )
    question: Text | None = Field(
        default=None, description="The question", examples=["What is the nightly hotel limit in a standard city?"]
    )
    paraphrases: Texts = Field(
        default=(), description="The same question in other words", examples=[["How much may a room cost per night?"]]
    )
    expect: ExpectWritten | None = Field(
        default=None,
        description="What has to hold beyond what the kind implies",
        examples=[{"slots": [{"name": "limit", "values": ["180"], "evidence": ["c1"]}]}],
    )
    forbid: ForbidWritten | None = Field(
        default=None, description="What must not appear", examples=[{"values": ["120"]}]
    )
    incident: Text | None = Field(default=None, description="The incident the case comes from", examples=["INC-1042"])
    why: Text | None = Field(
        default=None,
        description="Why this label is right, for people",
        examples=["v3 is the only current policy that applies to employees"],
    )
    corpus: Text | None = Field(
        default=None, description="Another corpus than the file's", examples=["corpus-2023.yaml"]
    )
    history: tuple[TurnWritten, ...] = Field(
        default=(),
        description="Earlier turns, passed on and not judged",
        examples=[[{"role": "user", "text": "I am going to Berlin."}]],
    )
    steps: tuple[StepWritten, ...] = Field(
        default=(),
        description="Requests sent in order; the last is judged",
        examples=[[{"question": "What is the limit?"}, {"question": "And in Paris?"}]],
    )
    on: Mapping[str, RevisionWritten] = Field(
        default_factory=dict,
        description="An expectation for each revision of the corpus; a test of each",
        examples=[{"corpus-2023.yaml": {"kind": "unanswerable"}, "corpus.yaml": {}}],
    )
    about: Texts = Field(default=(), description="Chunk ids the requester may not read", examples=[["memo-7"]])
    control: Who | None = Field(default=None, description="A requester who may read them", examples=["board-member"])
    absent_question: Text | None = Field(
        default=None,
        description="The same about something that exists nowhere",
        examples=["What is the retention bonus for the lunar team?"],
    )
    waive: tuple[WaiverWritten, ...] = Field(
        default=(),
        description="Known failures with an owner and a date",
        examples=[
            [
                {
                    "check": "quote.elision",
                    "until": "2025-01-31",
                    "owner": "search team",
                    "why": "mended in the next release",
                }
            ]
        ],
    )


class HeaderWritten(_Written):
    """What the cases of a file share."""

    corpus: Text = Field(
        default="corpus.yaml",
        description="Manifest of the corpus, beside or below this file",
        examples=["corpus-2023.yaml"],
    )
    requesters: Mapping[str, RequesterWritten] = Field(
        default_factory=dict,
        description="Who may ask, by name",
        examples=[{"employee": {"audience": "employee", "groups": ["staff"]}}],
    )
    defaults: DefaultsWritten = Field(
        default_factory=DefaultsWritten,
        description="What a case has where it does not say otherwise",
        examples=[{"requester": "employee"}],
    )
    aliases: Mapping[str, Text] = Field(
        default_factory=dict,
        description="Short names for chunk ids",
        examples=[{"std": "travel-policy@v3#hotel-standard"}],
    )


class FileWritten(HeaderWritten):
    """A case file."""

    cases: Annotated[tuple[CaseWritten, ...], Field(min_length=1)] = Field(
        description="The cases",
        examples=[[{"id": "parking", "kind": "unanswerable", "question": "What does airport parking cost?"}]],
    )
