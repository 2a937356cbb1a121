"""Reads a reproduction of a reported fault (tests/data/reports/SOURCE.md) as a case and what a system said to it.

The one place that knows the layout of those files; it knows no single one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from pytest_grounded.cases.defaults import implied_expectation
from pytest_grounded.model.case import Case, Expectation, Forbidden, MissingPart, Place
from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Turn
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode
from pytest_grounded.systems.reading import read_reply

__all__ = ["Report", "load_report", "our_names"]

_NAMES = {
    "completeness.missing_part": frozenset({"slot.missing", "slot.unnamed"}),
    "threshold.not_monotonic": frozenset({"trace.not_monotonic"}),
    "case_file.type_coercion": frozenset({"case_file.type", "case_file.unknown_key"}),
    "snapshot.unused": frozenset({"snapshot.orphan"}),
    "snapshot.mismatch": frozenset({"trace.changed"}),
    "leak.text": frozenset({"leak.text", "leak.fact"}),
}
_CHUNK_KEYS = {"doc": "document", "allowed": "readers"}
_SOURCE_KEYS = {"id": "chunk"}
_READ_APART = frozenset({"reason", "evidence", "raw", "trace", "paired_with", "shown_sources"})


def our_names(check: str | None) -> frozenset[str]:
    """The names under which this project reports what the file calls `check`."""
    return frozenset() if check is None else _NAMES.get(check, frozenset({check}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One file. `case` and `outcome` are there where its subject is an answer."""

    id: str
    subject: str
    expected_verdict: str
    failing_check: str | None
    case: Case | None = None
    outcome: Outcome | None = None


def load_report(path: Path) -> Report:
    """Read a file."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    is_answer = data["subject"] == "answer"
    case = _case(data, path) if is_answer else None
    return Report(
        id=data["id"],
        subject=data["subject"],
        expected_verdict=data["expected_verdict"],
        failing_check=data["failing_check"],
        case=case,
        outcome=_outcome(data["response"]) if is_answer else None,
    )


def _case(data: Mapping[str, Any], path: Path) -> Case:
    as_of = date.fromisoformat(data["as_of"])
    requester = Requester.model_validate(data["requester"]) if data["requester"] else ANONYMOUS
    corpus = Corpus(name=data["id"], chunks=map(_chunk, data["corpus"]), as_of=as_of)
    expect = data["expect"]
    kind = _kind(expect)
    unreadable = corpus.view(requester, as_of).unreadable
    return Case(
        id=data["id"].lower(),
        suite="reports",
        kind=kind,
        question=data["question"],
        requester=requester,
        as_of=as_of,
        corpus=corpus,
        history=tuple(map(_turn, data["history"] or ())),
        expect=_expectation(kind, expect),
        forbid=Forbidden(values=tuple(expect.get("must_not_contain") or ())),
        about=tuple(chunk.id for chunk in unreadable) if kind is CaseKind.RESTRICTED else (),
        place=Place(file=path.name, line=1),
    )


def _chunk(data: Mapping[str, Any]) -> Chunk:
    fields = {_CHUNK_KEYS.get(key, key): value for key, value in data.items() if key != "fact"}
    fact = data.get("fact")
    return Chunk.model_validate({**fields, "facts": [fact] if isinstance(fact, dict) else fact or []})


def _turn(data: Mapping[str, Any]) -> Turn:
    groups = data.get("as_groups")
    return Turn(
        role=data["role"],
        text=data["text"],
        requester=None if groups is None else Requester(groups=tuple(groups)),
        cites=tuple(data.get("cites") or ()),
    )


def _kind(expect: Mapping[str, Any]) -> CaseKind:
    reasons, decisions = _listed(expect.get("reason")), _listed(expect.get("decision"))
    if ReasonCode.NOT_AUTHORIZED in reasons:
        return CaseKind.RESTRICTED
    if ReasonCode.CONFLICTING_EVIDENCE in reasons:
        return CaseKind.CONFLICTING
    if Decision.PARTIAL in decisions:
        return CaseKind.PARTIAL
    return CaseKind.ANSWERABLE if not decisions or Decision.ANSWER in decisions else CaseKind.UNANSWERABLE


def _expectation(kind: CaseKind, expect: Mapping[str, Any]) -> Expectation:
    implied = implied_expectation(kind)
    decision = _listed(expect.get("decision"))
    reasons = tuple(_public(reason) for reason in _listed(expect.get("reason"))) or (None,)
    return Expectation(
        decision=tuple(map(Decision, decision)) or None,
        # Where any decision is right, a reason that is left open is not checked either.
        reason_code=None if not decision and reasons == (None,) else reasons,
        internal_reason_code=implied.internal_reason_code,
        missing=tuple(MissingPart(name=part, names=(part,)) for part in expect.get("missing") or ()),
        cite=tuple(expect.get("must_cite") or ()),
    )


def _listed(value: Any) -> Sequence[str]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _public(reason: str | None) -> str | None:
    """What a forbidden thing is called in public: as if it were not there."""
    return ReasonCode.NO_EVIDENCE.value if reason == ReasonCode.NOT_AUTHORIZED else reason


def _outcome(response: Mapping[str, Any] | None) -> Outcome:
    if response is None:
        return read_reply(None)
    trace = response.get("trace")
    internal = {
        "evidence": response.get("evidence"),
        "reason_code": response["reason"] if response.get("reason") == ReasonCode.NOT_AUTHORIZED else None,
        "steps": None if trace is None else [{**trace, "name": "report"}],
    }
    if "raw" in response:
        return read_reply(response["raw"], observed=internal)
    shown = {key: value for key, value in response.items() if key not in _READ_APART}
    shown["reason_code"] = _public(response.get("reason"))
    if response.get("shown_sources") is not None:
        shown["sources"] = [
            {_SOURCE_KEYS.get(key, key): value for key, value in source.items()} for source in response["shown_sources"]
        ]
    return read_reply(shown, observed=internal)
