"""Whether the answer contains what the case says it has to contain, each part from the evidence that supports it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.checks.base import Judged, not_judged, report
from pytest_grounded.checks.passages import Passage, passages_of, roots_of
from pytest_grounded.checks.said import all_said
from pytest_grounded.checks.shown import unshown_slots
from pytest_grounded.checks.states import (
    cited_chunks,
    claim_states,
    is_answered,
    quantities_said,
    question_quantities,
    shown_text,
)
from pytest_grounded.checks.wording import listing, named, quoted
from pytest_grounded.model.case import Slot
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.vocabulary import CaseKind, Decision, Owner
from pytest_grounded.text.quantities import Match, Quantity, find_quantities, match_quantity
from pytest_grounded.text.values import contains_value, same_value

__all__ = ["check_slots"]


def check_slots(judged: Judged) -> Iterator[Observation]:
    """Look for every slot of the case in the claims and shown sides of the response.

    Where nothing is answered and the case allows that, or the decision is wrong already, nothing has to be filled.
    """
    if judged.response is None or not _has_to_be_filled(judged):
        return
    statements = tuple(_statements(judged))
    for index, slot in enumerate(judged.case.expect.slots):
        yield from _slot(judged, slot, f"expect.slots[{index}]", statements)
    yield from _demanded(judged)
    yield from unshown_slots(judged)


def _has_to_be_filled(judged: Judged) -> bool:
    return is_answered(judged) or judged.case.expect.decision is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    """A claim or a shown side: what it says, what it cites, and where it stands."""

    path: str
    text: str
    cited: tuple[str, ...]


def _statements(judged: Judged) -> Iterator[_Stated]:
    for state in claim_states(judged):
        yield _Stated(path=state.at("text"), text=state.text, cited=state.claim.cited)
    for index, conflict in enumerate(judged.response.conflicts if judged.response else ()):
        for place, side in enumerate(conflict.sides):
            yield _Stated(path=f"conflicts[{index}].sides[{place}].value", text=side.value, cited=side.chunks)


def _slot(judged: Judged, slot: Slot, path: str, statements: tuple[_Stated, ...]) -> Iterator[Observation]:
    if slot.states is not None:
        yield from _sentence(judged, slot, slot.states, path)
    if not slot.values and not slot.evidence:
        return
    filling = [one for one in statements if _fills(one.text, slot)] if slot.values else _resting(statements, slot)
    if filling:
        yield from _evidence(judged, slot, filling)
    elif slot.values and _fills(shown_text(judged), slot):
        message = f"slot {quoted(slot.name)}: the text says {_either(slot)}, and no claim does"
        yield report("slot.wrong_evidence", message, field="text", chunks=_named(slot))
    else:
        yield from _unfilled(judged, slot, path, statements)


def _sentence(judged: Judged, slot: Slot, sentence: str, path: str) -> Iterator[Observation]:
    """Whether the claims together state a sentence: word for word, or a judge says that they entail it."""
    claims = [state.text for state in claim_states(judged) if state.text.strip()]
    if all_said(sentence, [Chunk(id=f"claim-{place}", text=text) for place, text in enumerate(claims)]):
        return
    asked = judged.support if claims and not _may_stay_open(judged, slot) else None
    ruling = asked(sentence, claims) if asked else None
    if claims and (ruling is None or ruling.verdict is None):
        why = "" if ruling is None else f" (judge {ruling.by}: {ruling.reason})"
        reason = f"whether the answer states {quoted(sentence)} is for a support judge{why}"
        yield not_judged("slot.missing", reason, field=path)
    elif ruling is None or ruling.verdict != "support":
        says = "" if ruling is None else f", says judge {ruling.by} (its error: {ruling.error})"
        message = f"slot {quoted(slot.name)}: no claim states {quoted(sentence)}{says}"
        yield report("slot.missing", message, field=path, chunks=_named(slot))


def _demanded(judged: Judged) -> Iterator[Observation]:
    """Chunks that have to be cited and of which the answer says nothing: not only the citation is missing."""
    cited = frozenset(cited_chunks(judged))
    if cited.issuperset(judged.case.expect.cite):
        return
    said = roots_of(" ".join((shown_text(judged), *(state.text for state in claim_states(judged)))))
    for index, chunk_id in enumerate(judged.case.expect.cite):
        chunk = judged.view.readable.get(chunk_id)
        if chunk is None or chunk_id in cited or any(_says_most_of(said, passage) for passage in passages_of(chunk)):
            continue
        message = f"nothing of what {chunk_id} says is in the answer, and it has to be cited"
        yield report("slot.missing", message, field=f"expect.cite[{index}]", chunks=[chunk_id])


_MOST = 0.6


def _says_most_of(said: frozenset[str], passage: Passage) -> bool:
    return bool(passage.words) and len(passage.words & said) >= _MOST * len(passage.words)


def _fills(text: str, slot: Slot) -> bool:
    return any(contains_value(text, value) for value in slot.values)


def _resting(statements: tuple[_Stated, ...], slot: Slot) -> list[_Stated]:
    named_chunks = frozenset(_named(slot))
    return [one for one in statements if named_chunks.intersection(one.cited)]


def _named(slot: Slot) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chunk for group in slot.evidence for chunk in group))


def _either(slot: Slot) -> str:
    """The values that fill a slot, as they are said in a message."""
    return listing(map(quoted, slot.values), last="or")


def _evidence(judged: Judged, slot: Slot, filling: list[_Stated]) -> Iterator[Observation]:
    """Whether what fills a slot cites one of its groups of evidence whole."""
    if not slot.evidence:
        return
    cited = dict.fromkeys(chunk for one in filling for chunk in one.cited)
    if any(cited.keys() >= set(group) for group in slot.evidence):
        return
    path = filling[0].path
    view = judged.view
    partial = [group for group in slot.evidence if cited.keys() & set(group)]
    if partial:
        group = min(partial, key=lambda one: len(set(one) - cited.keys()))
        lacking = [chunk for chunk in group if chunk not in cited]
        message = (
            f"slot {quoted(slot.name)} rests on {named(view, group)} together, and {named(view, lacking)} is not cited"
        )
        yield report("citation.insufficient", message, field=path, chunks=group)
        return
    groups = listing((named(view, group) for group in slot.evidence), last="or")
    found = named(view, cited) or "nothing"
    message = f"slot {quoted(slot.name)} has to rest on {groups}; what states it cites {found}"
    yield report("slot.wrong_evidence", message, field=path, chunks=(*cited, *_named(slot)))


def _unfilled(judged: Judged, slot: Slot, path: str, statements: tuple[_Stated, ...]) -> Iterator[Observation]:
    blocks = slot.blocking and is_answered(judged)
    if not _may_stay_open(judged, slot):
        wrong = next(_competing(judged, slot, statements), None)
        if wrong is not None:
            place, value = wrong
            message = f"slot {quoted(slot.name)}: expected {_either(slot)}, found {quoted(value)}"
            yield report("slot.wrong_value", message, field=place, chunks=_named(slot))
            return
        expected = f" ({_either(slot)})" if slot.values else f" (resting on {named(judged.view, _named(slot))})"
        message = f"slot {quoted(slot.name)}{expected} is not filled: no claim states it"
        yield report("slot.missing", message, field=path, chunks=_named(slot), owner=_owner(judged, slot))
    if blocks:
        message = f"slot {quoted(slot.name)} is not filled, and without it nothing may be answered"
        yield report("slot.blocking", message, field=path, chunks=_named(slot))


def _may_stay_open(judged: Judged, slot: Slot) -> bool:
    """Whether a part may be missing: one the case says is missing, or one a partial answer that is allowed names so."""
    response, expect = judged.response, judged.case.expect
    if any(slot.name == part.name for part in expect.missing):
        return True
    if response is None or response.decision is not Decision.PARTIAL or judged.case.kind is CaseKind.PARTIAL:
        return False
    allowed = expect.decision is None or Decision.PARTIAL in expect.decision
    return allowed and any(contains_value(part, slot.name) for part in response.missing)


def _owner(judged: Judged, slot: Slot) -> Owner | None:
    """Retrieval's, where none of the slot's evidence reached the model."""
    evidence = judged.internal.evidence
    if evidence is None or not slot.evidence:
        return None
    return None if any(set(group) <= set(evidence) for group in slot.evidence) else Owner.RETRIEVAL


def _competing(judged: Judged, slot: Slot, statements: tuple[_Stated, ...]) -> Iterator[tuple[str, str]]:
    """Other values given in the slot's place: of the same sort, by statements that rest on its evidence or fact."""
    readable = judged.view.readable
    evidence = [readable[chunk] for chunk in _named(slot) if chunk in readable]
    keys = frozenset(fact.key for chunk in evidence for fact in chunk.facts if _is_value(slot, fact.value))
    sorts = _sorts(slot, evidence)
    for one in statements:
        cited = [readable[chunk] for chunk in one.cited if chunk in readable]
        if not any(chunk in evidence or not keys.isdisjoint(fact.key for fact in chunk.facts) for chunk in cited):
            continue
        for quantity in quantities_said(judged, one.text):
            sort = (quantity.kind, quantity.unit)
            if sort in sorts and not _asked(judged, quantity) and not _is_another_fact(slot, quantity, cited, keys):
                yield one.path, quantity.raw
        for chunk in cited:
            for fact in chunk.facts:
                if fact.key in keys and not _is_value(slot, fact.value) and contains_value(one.text, fact.value):
                    yield one.path, fact.value


def _is_value(slot: Slot, value: str) -> bool:
    return any(same_value(value, own) for own in slot.values)


def _sorts(slot: Slot, evidence: list[Chunk]) -> frozenset[tuple[object, str | None]]:
    """Kind and unit of the slot's values, where they stand in the evidence and as the case writes them."""
    own = [quantity for value in slot.values for quantity in find_quantities(value, incidental=True)]
    there = [
        source
        for chunk in evidence
        for source in find_quantities(chunk.text, lang=chunk.lang, incidental=True)
        if any(set(source.readings) & set(quantity.readings) for quantity in own)
    ]
    return frozenset((quantity.kind, quantity.unit) for quantity in there or own)


def _asked(judged: Judged, quantity: Quantity) -> bool:
    return any(match_quantity(quantity, asked) is Match.EQUAL for asked in question_quantities(judged))


def _is_another_fact(slot: Slot, quantity: Quantity, cited: list[Chunk], keys: frozenset[str]) -> bool:
    """Whether it is another thing that a cited chunk says as well: a chunk may state two limits."""
    if slot.derived:
        return any(_states(chunk, quantity) for chunk in cited)
    stated = [chunk for chunk in cited if _states(chunk, quantity)]
    return bool(stated) and not any(
        fact.key in keys and any(match_quantity(quantity, one) is Match.EQUAL for one in find_quantities(fact.value))
        for chunk in stated
        for fact in chunk.facts
    )


def _states(chunk: Chunk, quantity: Quantity) -> bool:
    found = find_quantities(chunk.text, lang=chunk.lang, incidental=True, labels=True)
    return any(match_quantity(quantity, one) is Match.EQUAL for one in found)
