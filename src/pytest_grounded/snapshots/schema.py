"""What a trace holds, in which order, and what a change of each part of it means.

This is the only place that knows the fields of a trace. The writer takes the order and the layout from it, the
classifier the identity of list elements and the class of every leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

__all__ = [
    "DRIFTING",
    "FIELDS",
    "NORMALISER",
    "PIPELINE",
    "SCHEMA",
    "SEVERITY",
    "ChangeClass",
    "Field",
    "JsonValue",
    "Leaf",
    "Listing",
    "Named",
    "Node",
    "Open",
    "Prose",
    "Record",
    "Score",
    "Table",
    "Trace",
]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Trace: TypeAlias = dict[str, JsonValue]

SCHEMA = 1
"""Version of the fields of a trace; an approved trace of a later one is refused."""

NORMALISER = 1
"""Version of what is dropped, replaced and rounded on the way into a trace."""


class ChangeClass(StrEnum):
    """What a change means, most severe first; `stale_baseline` stands beside the others and hides none.

    >>> min([ChangeClass.WORDING, ChangeClass.CITATION], key=SEVERITY.index).value
    'citation'
    """

    LEAK = "leak"
    DECISION = "decision"
    REASON = "reason"
    CITATION = "citation"
    FACT_WORDING = "fact_wording"
    EVIDENCE = "evidence"
    CLAIM = "claim"
    STEP = "step"
    DROP_REASON = "drop_reason"
    ORDER = "order"
    WORDING = "wording"
    SCORE_DRIFT = "score_drift"
    STALE_BASELINE = "stale_baseline"


SEVERITY = tuple(kind for kind in ChangeClass if kind is not ChangeClass.STALE_BASELINE)
"""The classes that say how bad a difference is, most severe first."""

DRIFTING = frozenset({ChangeClass.ORDER, ChangeClass.WORDING, ChangeClass.SCORE_DRIFT})
"""The classes for which `--grounded-drift` decides whether they fail."""

PIPELINE = ("filter", "retrieve", "select", "resolve", "gate", "generate", "verify", "repair", "deliver")
"""The stages of a grounded answer in order; what is observed of a response belongs to one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A value compared exactly; any change of it is of class `kind`."""

    kind: ChangeClass
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A number compared with a tolerance against the stored one."""

    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Words shown to the requester: a change is `wording` while every fact in them stays, `fact_wording` otherwise."""

    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A short text that names something: `wording` while its content words stay, class `kind` otherwise."""

    kind: ChangeClass
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """JSON of a shape this schema does not know; a leaf is classed by its name and type, `kind` is the rest.

    Where it is `prose`, texts in it are words shown to the requester.
    """

    kind: ChangeClass
    prose: bool = False
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An object with known keys, in this order."""

    fields: Mapping[str, Node]
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """An object whose keys are ids. A key that only one side has is an effect, told where the id is used."""

    value: Leaf
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list whose elements are told apart by the keys in `identity`, or by themselves where there are none.

    `member` is the class of an element that came or went. Where `pairs`, elements without a counterpart are compared
    with each other in order first, so that an edited element is an edit; with `within` only those that agree in that
    key: a step that was run again is no other step. `order` is None where order says nothing.
    """

    element: Node
    member: ChangeClass | Callable[[JsonValue], ChangeClass]
    identity: tuple[str, ...] = ()
    pairs: bool = False
    within: str = ""
    order: ChangeClass | None = ChangeClass.ORDER
    stage: str = ""


Node: TypeAlias = Leaf | Score | Prose | Named | Open | Record | Table | Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A key at the top of a trace.

    `stage` is where in the pipeline it comes from, unless a node below says otherwise; `opened` is that stage where the
    model was given evidence both times, so that the gate did not close. `visible` is what the requester can see. `depth`
    is how many levels are written one element a line.
    """

    node: Node
    stage: str = ""
    opened: str = ""
    visible: bool = True
    depth: int = field(default=1)


def _candidate_member(candidate: JsonValue) -> ChangeClass:
    """Only what was kept is evidence; another candidate that came or went is an outcome of retrieval."""
    kept = isinstance(candidate, dict) and candidate.get("kept") is True
    return ChangeClass.EVIDENCE if kept else ChangeClass.DROP_REASON


_CITED = Leaf(kind=ChangeClass.CITATION)
_STATED = Leaf(kind=ChangeClass.FACT_WORDING)
_JUDGED = Leaf(kind=ChangeClass.CLAIM)
_HEADER = Leaf(kind=ChangeClass.STALE_BASELINE)
_OTHER = Open(kind=ChangeClass.FACT_WORDING, prose=True)
_ATTEMPT = Open(kind=ChangeClass.STEP)

FIELDS: Mapping[str, Field] = {
    "schema": Field(node=_HEADER, visible=False),
    "normaliser": Field(node=_HEADER, visible=False),
    "case_sha": Field(node=_HEADER, visible=False),
    "chunks": Field(node=Table(value=_HEADER), visible=False),
    "decision": Field(node=Leaf(kind=ChangeClass.DECISION), stage="gate", opened="deliver"),
    "reason_code": Field(node=Leaf(kind=ChangeClass.REASON), stage="gate", opened="deliver"),
    "next_step": Field(node=Named(kind=ChangeClass.REASON), stage="gate", opened="deliver"),
    "missing": Field(
        node=Listing(element=Named(kind=ChangeClass.FACT_WORDING), member=ChangeClass.FACT_WORDING, pairs=True),
        stage="gate",
        opened="deliver",
    ),
    "text": Field(node=Prose(), stage="generate"),
    "claims": Field(
        node=Listing(
            element=Record(
                fields={
                    "text": Prose(),
                    "quote": _CITED,
                    "status": _JUDGED,
                    "derivation": Open(kind=ChangeClass.CLAIM),
                    "other": _OTHER,
                }
            ),
            member=ChangeClass.CLAIM,
            identity=("text",),
            pairs=True,
        ),
        stage="generate",
    ),
    "citations": Field(
        node=Listing(
            element=Record(
                fields={
                    "claim": _CITED,
                    "chunk": _CITED,
                    "quote": _CITED,
                    "marker": _CITED,
                    "version": _CITED,
                    "locator": _CITED,
                    "other": _OTHER,
                }
            ),
            member=ChangeClass.CITATION,
            identity=("claim", "chunk"),
        ),
        stage="generate",
    ),
    "conflicts": Field(
        node=Listing(
            element=Record(
                fields={
                    "key": _STATED,
                    "sides": Listing(
                        element=Record(
                            fields={
                                "value": _STATED,
                                "chunks": Listing(element=_CITED, member=ChangeClass.CITATION, order=None),
                                "other": _OTHER,
                            }
                        ),
                        member=ChangeClass.FACT_WORDING,
                        identity=("value",),
                        pairs=True,
                    ),
                    "other": _OTHER,
                }
            ),
            member=ChangeClass.FACT_WORDING,
            identity=("key",),
            pairs=True,
        ),
        stage="resolve",
    ),
    "sources": Field(
        node=Listing(
            element=Record(fields={"chunk": _CITED, "title": _CITED, "url": _CITED, "marker": _CITED, "other": _OTHER}),
            member=ChangeClass.CITATION,
            identity=("chunk",),
        ),
        stage="deliver",
    ),
    "rendered": Field(
        node=Listing(
            element=Record(fields={"marker": _CITED, "chunk": _CITED, "other": _OTHER}),
            member=ChangeClass.CITATION,
            identity=("marker",),
        ),
        stage="deliver",
    ),
    "followups": Field(
        node=Listing(element=Prose(), member=ChangeClass.FACT_WORDING, pairs=True),
        stage="deliver",
    ),
    "delivery": Field(node=Leaf(kind=ChangeClass.STEP), stage="deliver"),
    "confidence": Field(node=Score(), stage="gate"),
    "stream": Field(
        node=Listing(
            element=Record(fields={"verified": Leaf(kind=ChangeClass.STEP), "text": Prose(), "other": _OTHER}),
            member=ChangeClass.STEP,
            identity=("text",),
            pairs=True,
        ),
        stage="deliver",
        depth=3,
    ),
    "actions": Field(
        node=Listing(
            element=Record(
                fields={
                    "name": Leaf(kind=ChangeClass.DECISION),
                    "arguments": Open(kind=ChangeClass.DECISION),
                    "authorized": Leaf(kind=ChangeClass.DECISION),
                    "other": _OTHER,
                }
            ),
            member=ChangeClass.DECISION,
            identity=("name",),
        ),
        stage="deliver",
    ),
    "error": Field(
        node=Record(
            fields={
                "kind": Leaf(kind=ChangeClass.REASON),
                "status": Leaf(kind=ChangeClass.REASON),
                "other": _OTHER,
            }
        ),
        stage="deliver",
    ),
    "other": Field(node=_OTHER, stage="deliver", depth=2),
    "failure": Field(node=Leaf(kind=ChangeClass.REASON), stage="deliver", visible=False),
    "internal_reason_code": Field(
        node=Leaf(kind=ChangeClass.REASON), stage="gate", opened="deliver", visible=False
    ),
    "evidence": Field(
        # Shown to the model, not to the requester; an unreadable chunk in it is a leak all the same.
        node=Listing(element=Leaf(kind=ChangeClass.EVIDENCE), member=ChangeClass.EVIDENCE),
        stage="select",
    ),
    "candidates": Field(
        node=Listing(
            element=Record(
                fields={
                    "chunk": Leaf(kind=ChangeClass.DROP_REASON),
                    "kept": Leaf(kind=ChangeClass.EVIDENCE, stage="select"),
                    "score": Score(),
                    "reason": Leaf(kind=ChangeClass.DROP_REASON, stage="select"),
                }
            ),
            member=_candidate_member,
            identity=("chunk",),
        ),
        stage="retrieve",
        visible=False,
    ),
    "support": Field(
        node=Listing(
            element=Record(
                fields={
                    "claim": _JUDGED,
                    "evidence": _JUDGED,
                    "verdict": _JUDGED,
                    "score": Score(),
                    "judge": _JUDGED,
                    "version": _JUDGED,
                }
            ),
            member=ChangeClass.CLAIM,
            identity=("claim", "evidence"),
        ),
        stage="verify",
        visible=False,
    ),
    "steps": Field(
        node=Listing(
            element=_ATTEMPT, member=ChangeClass.STEP, identity=("name", "attempt"), pairs=True, within="name"
        ),
        visible=False,
        depth=3,
    ),
    "versions": Field(node=Open(kind=ChangeClass.STALE_BASELINE), visible=False, depth=2),
}
"""Every key of a trace, in the order in which it is written: the header, what was shown, what was observed, with what.

What the run was done with stands last: where a setting changed, a reviewer first sees what it changed.
"""
