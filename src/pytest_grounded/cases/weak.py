"""Which cases pass too easily: what their expectation leaves open, and what to add.

A weak case is not wrong. It holds for answers that a reader of its question would not accept, because nothing in it
says so. Messages name chunks by id and never show their texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_grounded.corpus.wording import few, shown
from pytest_grounded.errors import Problem
from pytest_grounded.model.case import Case, Slot
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.values import same_value

__all__ = ["weak_cases"]

Weakness = tuple[str, str]
"""The field that something could be added to, and what is left open until then."""

_ANSWERED = frozenset({CaseKind.ANSWERABLE, CaseKind.MULTI_EVIDENCE})


def weak_cases(cases: Iterable[Case]) -> list[Problem]:
    """What could be added to some cases, in their order, at the line where each begins."""
    return [
        Problem(
            message=message,
            code="lint.weak",
            file=case.place.file,
            line=case.place.line,
            column=case.place.column,
            case=case.id,
            field=field,
        )
        for case in cases
        for field, message in _weaknesses(case)
    ]


def _weaknesses(case: Case) -> Iterator[Weakness]:
    yield from _any_answer(case)
    yield from _any_part(case)
    for index, slot in enumerate(case.expect.slots):
        yield from ((f"expect.slots[{index}]", message) for message in _any_filling(slot))
    yield from _tempting(case)
    yield from _no_control(case)
    if case.why is None:
        yield "why", "nothing says why this label is right (add why, so that the next reader need not work it out)"


def _any_answer(case: Case) -> Iterator[Weakness]:
    expect = case.expect
    if case.kind in _ANSWERED and expect.decision is not None and not (expect.slots or expect.cite):
        yield "expect", "any answer from permitted evidence passes (add slots with values and evidence)"
    free = expect.decision is None and expect.reason_code is None and not expect.slots
    if free and case.kind is not CaseKind.RESTRICTED:
        yield "expect", "any decision for any reason passes (add the decisions that are right)"


def _any_part(case: Case) -> Iterator[Weakness]:
    if case.kind is not CaseKind.PARTIAL or case.expect.decision is None:
        return
    if not case.expect.missing:
        yield "expect.missing", "whatever is left unsaid passes (add the part that has to be named as not covered)"
    if not case.expect.slots:
        yield "expect.slots", "whatever is answered passes (add a slot for the part that is covered)"


def _any_filling(slot: Slot) -> Iterator[str]:
    if slot.states is not None:
        return
    name = shown(slot.name)
    if not slot.evidence:
        yield f"slot {name} may rest on any source (add evidence: the chunks that support it)"
    if not slot.values:
        yield f"slot {name} is filled by any statement from its evidence (add values: what has to be stated)"


def _tempting(case: Case) -> Iterator[Weakness]:
    """Chunks that may be relied on and give another value for the fact that fills a slot.

    Chunks out of force, unreadable or for others are found by the checks in any case.
    """
    conflict = case.expect.conflict
    if conflict is not None and conflict.resolved_to is None:
        return
    wanted = {chunk_id for slot in case.expect.slots for group in slot.evidence for chunk_id in group}
    rivals: dict[str, None] = {}
    for slot in case.expect.slots:
        for rival in _rivals(case, slot):
            if rival.id not in wanted and not _is_forbidden(case, rival):
                rivals[rival.id] = None
    if rivals:
        names = few(list(rivals))
        yield "forbid", f"{names} could be relied on and says otherwise (add it to forbid.evidence, or its value)"


def _rivals(case: Case, slot: Slot) -> Iterator[Chunk]:
    """Usable chunks that give another value for a fact that fills the slot."""
    evidence = (case.corpus[chunk_id] for group in slot.evidence for chunk_id in group)
    facts = [fact for chunk in evidence for fact in chunk.facts]
    filling = {fact.key: fact.value for fact in facts if any(same_value(fact.value, value) for value in slot.values)}
    for other in case.view.usable_chunks if filling else ():
        if any(fact.key in filling and not same_value(fact.value, filling[fact.key]) for fact in other.facts):
            yield other


def _is_forbidden(case: Case, chunk: Chunk) -> bool:
    forbidden = (*case.forbid.values, *case.forbid.text)
    return chunk.id in case.forbid.evidence or any(
        same_value(fact.value, value) for fact in chunk.facts for value in forbidden
    )


def _no_control(case: Case) -> Iterator[Weakness]:
    if case.kind is not CaseKind.RESTRICTED or case.control is not None:
        return
    hidden = [case.corpus[chunk_id] for chunk_id in case.about if chunk_id in case.corpus]
    if hidden and all(chunk.readers for chunk in hidden):
        yield "control", "that the system could have told is not shown (add control: a requester who may read it)"
