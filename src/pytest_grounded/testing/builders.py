"""Chunks, corpora and cases for tests: say what matters, the rest is harmless."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from pytest_grounded.cases.defaults import implied_conflict, implied_expectation
from pytest_grounded.model.case import Case, ConflictExpectation, Expectation, Forbidden, MissingPart, Place, Slot
from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus, Requester
from pytest_grounded.model.vocabulary import CaseKind, Decision

__all__ = ["AS_OF", "make_case", "make_chunk", "make_corpus", "make_requester", "make_slot"]

AS_OF = date(2024, 10, 1)
"""The day on which built corpora and cases stand."""

QUESTION = "What is the nightly hotel limit?"


def make_chunk(chunk_id: str = "c1", text: str = "The nightly hotel limit is $180.", **fields: Any) -> Chunk:
    """Build a chunk that everyone may read and that is in force, unless `fields` say otherwise.

    Dates may be given as text and facts as a mapping of key to value.

    >>> make_chunk("c2", effective_to="2024-06-30", facts={"limit": "150"}).facts[0].value
    '150'
    """
    facts = fields.get("facts")
    if isinstance(facts, dict):
        fields["facts"] = [{"key": key, "value": value} for key, value in facts.items()]
    return Chunk.model_validate({"id": chunk_id, "text": text, "readers": ("*",), **fields})


def make_corpus(*chunks: Chunk | str, name: str = "travel", as_of: date | str | None = AS_OF) -> Corpus:
    """Build a corpus of chunks; a text stands for a chunk of its own, named c1, c2 ... by its place.

    >>> make_corpus("The limit is $180.", "Parking costs $12.").ids
    ('c1', 'c2')
    """
    built = (
        make_chunk(f"c{place}", chunk) if isinstance(chunk, str) else chunk
        for place, chunk in enumerate(chunks, start=1)
    )
    return Corpus(name=name, chunks=built, as_of=_day(as_of))


def make_requester(*groups: str, **fields: Any) -> Requester:
    """Build a requester of some groups.

    >>> make_requester("staff", audience="employee").groups
    ('staff',)
    """
    return Requester.model_validate({"id": groups[0] if groups else "anonymous", "groups": groups, **fields})


def make_slot(*values: str, evidence: Sequence[str | Sequence[str]] = (), **fields: Any) -> Slot:
    """Build a slot; `evidence` is a list of ids that belong together, or a list of such lists.

    >>> make_slot("180", evidence=["c1", "c2"]).evidence
    (('c1', 'c2'),)
    >>> make_slot("180", evidence=[["c1"], ["c2"]]).evidence
    (('c1',), ('c2',))
    """
    flat = tuple(part for part in evidence if isinstance(part, str))
    groups = (flat,) if flat else tuple(tuple(group) for group in evidence)
    return Slot(**{"name": "slot", "values": values, "evidence": groups, **fields})


def make_case(
    kind: CaseKind | str = CaseKind.ANSWERABLE,
    *,
    corpus: Corpus | Iterable[Chunk | str] = (),
    requester: Requester = ANONYMOUS,
    as_of: date | str | None = None,
    expect: Expectation | None = None,
    decision: Decision | str | Sequence[Decision | str] | None = None,
    reason_code: str | Sequence[str | None] | None = None,
    slots: Sequence[Slot] = (),
    missing: Sequence[str | MissingPart] = (),
    conflict: ConflictExpectation | None = None,
    cite: Sequence[str] = (),
    forbid: Forbidden | None = None,
    **fields: Any,
) -> Case:
    """Build a case that expects what its kind implies, changed by what is given; `"any"` is not checked.

    The day is the corpus's unless `as_of` is given. `fields` are fields of `Case`; `expect` replaces the expectation
    whole.

    >>> case = make_case("unanswerable", corpus=["Parking costs $12."], decision=["abstain", "clarify"])
    >>> case.expect.decision, case.expect.reason_code
    ((<Decision.ABSTAIN: 'abstain'>, <Decision.CLARIFY: 'clarify'>), ('NO_EVIDENCE',))
    """
    kind = CaseKind(kind)
    built = corpus if isinstance(corpus, Corpus) else make_corpus(*corpus)
    day = _day(as_of) or built.as_of or AS_OF
    question = fields.pop("question", QUESTION)
    if expect is None:
        expect = replace(
            implied_expectation(kind, resolved=conflict is not None and conflict.resolved_to is not None),
            slots=tuple(slots),
            missing=tuple(_missing(part) for part in missing),
            conflict=conflict or implied_conflict(kind, built.view(requester, day), question),
            cite=tuple(cite),
        )
        expect = _decided(expect, decision, reason_code)
    base: dict[str, Any] = {"id": "case", "suite": "root", "place": Place(file="case.yaml", line=1)}
    return Case(
        kind=kind,
        question=question,
        corpus=built,
        requester=requester,
        as_of=day,
        expect=expect,
        forbid=forbid or Forbidden(),
        **(base | fields),
    )


def _decided(
    expect: Expectation,
    decision: Decision | str | Sequence[Decision | str] | None,
    reason_code: str | Sequence[str | None] | None,
) -> Expectation:
    if decision is not None:
        listed = (decision,) if isinstance(decision, str) else tuple(decision)
        expect = replace(expect, decision=None if listed == ("any",) else tuple(Decision(one) for one in listed))
    if reason_code is not None:
        codes = (reason_code,) if isinstance(reason_code, str) else tuple(reason_code)
        expect = replace(expect, reason_code=None if codes == ("any",) else codes)
    return expect


def _missing(part: str | MissingPart) -> MissingPart:
    return MissingPart(name=part, names=(part,)) if isinstance(part, str) else part


def _day(value: date | str | None) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value
