"""Which values a right answer has to have: read from a right answer in prose, or from chunks that answer.

Only what stands in a chunk the requester may rely on, and not in the question, is such a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_grounded.incidents.seeing import Seen
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Claim
from pytest_grounded.text.entities import find_entities
from pytest_grounded.text.quantities import Quantity, QuantityKind, equal_quantities, find_quantities
from pytest_grounded.text.values import contains_value
from pytest_grounded.text.words import terms

__all__ = ["RightSlot", "slot_from_chunk", "slots_from_answer", "slots_from_claims"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RightSlot:
    """A part of the answer: what it is called, the value it has, the chunks of which any one states it."""

    name: str
    values: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]

    @property
    def chunk(self) -> str | None:
        """The one chunk it has to rest on; None where any of several will do."""
        return self.evidence[0][0] if len(self.evidence) == 1 else None

    def written(self) -> dict[str, Any]:
        """As a case file writes it."""
        groups = [list(group) for group in self.evidence]
        written: dict[str, Any] = {"name": self.name}
        if self.values:
            written["values"] = list(self.values)
        return {**written, "evidence": groups[0] if len(groups) == 1 else groups}


def slots_from_answer(answer: str, seen: Seen) -> list[RightSlot]:
    """A slot for each number, date, code or name of a right answer that stands in one usable chunk."""
    slots: list[RightSlot] = []
    for value in dict.fromkeys(_values(answer)):
        if contains_value(seen.question, value):
            continue
        holding = [chunk for chunk in seen.view.usable_chunks if contains_value(chunk.text, value, lang=chunk.lang)]
        if holding:
            best = max(holding, key=lambda chunk: len(terms(answer) & terms(chunk.text)))
            slots.append(RightSlot(name=_free(_name((value,), best), slots), values=(value,), evidence=((best.id,),)))
    return slots


def slots_from_claims(seen: Seen) -> list[RightSlot]:
    """A slot for each claim that some chunk answers: with the claim's own value where the chunk states it too.

    Of a claim that is wrong the chunk's counterpart is the value: its fact, or its one value of the same sort. Where no
    value is sure, the slot has only the chunks it may rest on.
    """
    slots: list[RightSlot] = []
    for index, claim in enumerate(seen.claims):
        support = seen.support(index)
        chunks = tuple(chunk for chunk in support if chunk.id in claim.cited) or support
        if not chunks:
            continue
        values = _values_of_claim(claim, chunks, seen, is_wrong=seen.is_wrong(index))
        groups = tuple((chunk.id,) for chunk in chunks)
        slot = RightSlot(name=_name(values, chunks[0]), values=values, evidence=groups)
        if not any(slot.evidence == other.evidence and slot.values == other.values for other in slots):
            slots.append(replace(slot, name=_free(slot.name, slots)))
    return slots


def slot_from_chunk(chunk: Chunk, seen: Seen) -> RightSlot:
    """A slot for a chunk that answers the question, though nothing was answered: with its one fact as the value."""
    value = _fact(chunk, seen)
    values = () if value is None else (value,)
    return RightSlot(name=_name(values, chunk), values=values, evidence=((chunk.id,),))


def _values_of_claim(claim: Claim, chunks: Sequence[Chunk], seen: Seen, *, is_wrong: bool) -> tuple[str, ...]:
    said = [one.raw.strip() for one in find_quantities(claim.text) if not one.incidental]
    own = [one for one in said if not contains_value(seen.question, one) and _all_state(chunks, one)]
    if own:
        return (own[0],) if len(own) == 1 else ()
    if not is_wrong or len(chunks) > 1:
        return ()
    value = _fact(chunks[0], seen) or _counterpart(chunks[0], claim, seen)
    return () if value is None else (value,)


def _all_state(chunks: Sequence[Chunk], value: str) -> bool:
    return all(contains_value(chunk.text, value, lang=chunk.lang) for chunk in chunks)


def _fact(chunk: Chunk, seen: Seen) -> str | None:
    """The value of the chunk's one fact that its text states and the question does not."""
    values = [
        fact.value
        for fact in chunk.facts
        if contains_value(chunk.text, fact.value, lang=chunk.lang) and not contains_value(seen.question, fact.value)
    ]
    return values[0] if len(values) == 1 else None


def _counterpart(chunk: Chunk, claim: Claim, seen: Seen) -> str | None:
    """The one value of a chunk of the same sort as a value that a wrong claim states."""
    ours = [one for one in find_quantities(chunk.text, lang=chunk.lang) if not contains_value(seen.question, one.raw)]
    said = find_quantities(claim.text)
    like = [one for one in ours if any(_is_like(one, other) for other in said)]
    distinct = [
        one for place, one in enumerate(like) if not any(equal_quantities(one, other) for other in like[:place])
    ]
    return distinct[0].raw if len(distinct) == 1 else None


def _is_like(left: Quantity, right: Quantity) -> bool:
    """Whether two values could stand for one another: of a kind, a unit and a counted thing."""
    if left.kind in _NO_VALUES or left.incidental or right.incidental:
        return False
    return left.kind is right.kind and (
        (left.unit == right.unit and left.noun == right.noun) or (left.value is not None and left.value == right.value)
    )


_NO_VALUES = (QuantityKind.CODE, QuantityKind.LABEL)


def _values(answer: str) -> Iterator[str]:
    for quantity in find_quantities(answer):
        if not quantity.incidental and quantity.kind is not QuantityKind.LABEL:
            yield quantity.raw.strip()
    for entity in find_entities(answer):
        if not any(map(str.isdigit, entity.text)):
            yield entity.text


def _name(values: Sequence[str], chunk: Chunk) -> str:
    """What the slot is called: the fact's key, else what is counted, else the answer."""
    for fact in chunk.facts:
        if fact.value in values:
            return fact.key
    found = [one for value in values for one in find_quantities(value)]
    return (found[0].noun if found and found[0].noun else None) or "answer"


def _free(name: str, slots: Sequence[RightSlot]) -> str:
    taken = {slot.name for slot in slots}
    return name if name not in taken else f"{name}-{len(slots) + 1}"
