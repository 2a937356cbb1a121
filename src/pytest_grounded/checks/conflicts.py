"""Whether a disagreement between sources of equal rank is shown with its sources, or settled by its rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from pytest_grounded.checks.base import Judged, not_judged, report
from pytest_grounded.checks.number_states import NumberFate, numbers_of
from pytest_grounded.checks.passages import Passage, PassageTable, once_per_table, passage_table, root
from pytest_grounded.checks.states import ClaimState, claim_states, is_answered, shown_text
from pytest_grounded.checks.wording import listing, named, quoted
from pytest_grounded.corpus.conflicts import contrary_chunks, outranking_chunks, sides_for
from pytest_grounded.model.case import ConflictExpectation, ExpectedSide
from pytest_grounded.model.evidence import Chunk, Fact
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.vocabulary import CaseKind, ReasonCode
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, match_quantity
from pytest_grounded.text.values import contains_value, same_value

__all__ = ["check_conflicts"]


def check_conflicts(judged: Judged) -> Iterator[Observation]:
    """Hold the response to the conflict of the case, and every claim to what sources of equal rank say."""
    if judged.response is None:
        return
    expected = judged.case.expect.conflict
    settled: frozenset[str] = frozenset()
    if expected is not None and expected.resolved_to is not None:
        yield from _resolution(judged, expected, expected.resolved_to)
    elif judged.case.kind is CaseKind.CONFLICTING or expected is not None:
        sides = (expected.sides if expected is not None else ()) or sides_for(judged.view, judged.case.question)
        yield from _sides(judged, sides)
        settled = frozenset(chunk for side in sides for chunk in side.chunks)
    yield from _silent(judged, settled)
    yield from _at_odds_with_itself(judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Showing:
    """How a value of one side is shown: at all, and with one of its sources."""

    value: bool
    source: bool


def _showing(judged: Judged, value: str, chunks: frozenset[str]) -> _Showing:
    response = judged.response
    if response is None:
        return _Showing(value=False, source=False)
    stated = [
        (chunks.isdisjoint(side.chunks), True)
        for conflict in response.conflicts
        for side in conflict.sides
        if same_value(side.value, value) or contains_value(side.value, value)
    ]
    stated += [
        (chunks.isdisjoint(state.claim.cited), True)
        for state in claim_states(judged)
        if contains_value(state.text, value)
    ]
    return _Showing(
        value=bool(stated) or contains_value(shown_text(judged), value),
        source=any(not unsourced for unsourced, _ in stated),
    )


def _sides(judged: Judged, sides: tuple[ExpectedSide, ...]) -> Iterator[Observation]:
    """Every side with its value and one of its chunks."""
    if not sides:
        reason = "the case names no sides, and no chunks of equal authority give one fact key different values"
        yield not_judged("conflict.undisclosed", reason)
        return
    showings = [(side, _showing(judged, side.value, frozenset(side.chunks))) for side in sides]
    lacking = [(side, showing) for side, showing in showings if not showing.source]
    if not lacking:
        return
    view = judged.view
    if not _is_said(judged, [showing for _, showing in showings]):
        stated = [side for side, showing in showings if showing.value]
        what = listing(quoted(side.value) for side in stated) or "no side"
        against = listing(f"{quoted(side.value)} ({named(view, side.chunks)})" for side, _ in lacking)
        message = f"{what} is stated silently, while sources of equal rank disagree: {against} is not shown"
        chunks = [chunk for side, _ in lacking for chunk in side.chunks]
        yield report("conflict.undisclosed", message, field="claims", chunks=chunks)
        return
    for side, showing in lacking:
        lacks = "its source" if showing.value else "its value and its source"
        message = f"the sources disagree, and the side {quoted(side.value)} of {named(view, side.chunks)} lacks {lacks}"
        yield report("conflict.sources_not_named", message, field="conflicts", chunks=side.chunks)


def _is_said(judged: Judged, showings: list[_Showing]) -> bool:
    """Whether the response says that sources disagree: by its reason, by `conflicts`, or by stating both."""
    if judged.outcome.reason_code == ReasonCode.CONFLICTING_EVIDENCE:
        return True
    conflicts = judged.response.conflicts if judged.response else ()
    return bool(conflicts) or sum(showing.value for showing in showings) > 1


def _resolution(judged: Judged, expected: ConflictExpectation, winner_id: str) -> Iterator[Observation]:
    """Whether the side that a rule prefers was answered and cited."""
    view = judged.view
    winner = view.readable.get(winner_id)
    if winner is None or not is_answered(judged):
        return
    claims = [state for state in claim_states(judged) if winner_id in state.claim.cited]
    values = _values_of(winner, expected)
    name = view.name_of(winner_id)
    said = f" ({listing(map(quoted, values), last='or')})" if values else ""
    others = [
        value
        for value in _losing(judged, winner, expected)
        if any(contains_value(s.text, value) for s in claim_states(judged))
    ]
    if not claims:
        found = f"; {listing(map(quoted, others))} is stated" if others else ""
        message = f"the rule settles this for {name}{said}, which no claim cites{found}"
        yield report("conflict.wrong_resolution", message, field="claims", chunks=[winner_id])
    elif values and not any(contains_value(state.text, value) for state in claims for value in values):
        found = listing(map(quoted, others)) or quoted(claims[0].text)
        message = f"the rule settles this for {name}{said}; stated is {found}"
        yield report("conflict.wrong_resolution", message, field=claims[0].at("text"), chunks=[winner_id])


def _values_of(winner: Chunk, expected: ConflictExpectation) -> tuple[str, ...]:
    sides = [side.value for side in expected.sides if winner.id in side.chunks]
    return tuple(sides) or tuple(fact.value for fact in winner.facts)


def _losing(judged: Judged, winner: Chunk, expected: ConflictExpectation) -> list[str]:
    sides = [side.value for side in expected.sides if winner.id not in side.chunks]
    own = {fact.key: fact.value for fact in winner.facts}
    facts = (
        fact.value
        for chunk in judged.view.readable.values()
        for fact in chunk.facts
        if fact.key in own and not same_value(fact.value, own[fact.key])
    )
    return list(dict.fromkeys((*sides, *facts)))


# --- on every kind of case -----------------------------------------------------------------------------------------


def _silent(judged: Judged, settled: frozenset[str]) -> Iterator[Observation]:
    """A claim that states the value of a fact while a source of equal rank gives it another, without a word on that.

    `settled`: chunks whose disagreement is reported as the case's own.
    """
    winner = judged.case.expect.conflict.resolved_to if judged.case.expect.conflict else None
    reported: set[tuple[str, str]] = set()
    for state in claim_states(judged):
        for chunk in state.sources:
            if chunk.id == winner or not judged.view.usable(chunk.id):
                continue
            for fact in chunk.facts:
                if (fact.key, fact.value) in reported or not contains_value(state.text, fact.value):
                    continue
                reported.add((fact.key, fact.value))
                others = [other for other in contrary_chunks(judged.view, chunk, fact.key) if other.id != chunk.id]
                unsettled = [other for other in others if not {chunk.id, other.id} <= settled]
                yield from _undisclosed(judged, state, chunk, fact, unsettled)
                yield from _outranked(judged, state, chunk, fact)
                yield from _two_values(judged, state, chunk, fact)


def _undisclosed(
    judged: Judged, state: ClaimState, chunk: Chunk, fact: Fact, others: list[Chunk]
) -> Iterator[Observation]:
    key, value = fact.key, fact.value
    for other in others:
        contrary = next(
            (fact.value for fact in other.facts if fact.key == key and not same_value(fact.value, value)), None
        )
        if contrary is None:
            continue
        showing = _showing(judged, contrary, frozenset({other.id}))
        if showing.source:
            continue
        chunks = (chunk.id, other.id)
        if showing.value:
            message = f"{quoted(contrary)} is shown beside {quoted(value)}, and its source {other.id} is not named"
            yield report("conflict.sources_not_named", message, field=state.at("text"), chunks=chunks)
        else:
            message = (
                f"{quoted(value)} ({chunk.id}) is stated silently, while {other.id} of equal rank gives "
                f"{quoted(contrary)} for {key}"
            )
            yield report("conflict.undisclosed", message, field=state.at("text"), chunks=chunks)
        return


def _outranked(judged: Judged, state: ClaimState, chunk: Chunk, fact: Fact) -> Iterator[Observation]:
    """A value of a lower rank, stated while a higher one that gives another is not shown: the rank settles it."""
    for other in outranking_chunks(judged.view, chunk, fact.key):
        value = next(one.value for one in other.facts if one.key == fact.key)
        if not _showing(judged, value, frozenset({other.id})).source:
            message = (
                f"{quoted(fact.value)} ({chunk.id}, rank {chunk.authority}) is stated, while {other.id} of rank "
                f"{other.authority} gives {quoted(value)} for {fact.key}"
            )
            yield report("conflict.wrong_resolution", message, field=state.at("text"), chunks=[chunk.id, other.id])
            return


def _two_values(judged: Judged, state: ClaimState, chunk: Chunk, stated: Fact) -> Iterator[Observation]:
    """A chunk whose own facts contradict each other."""
    for fact in chunk.facts:
        if fact.key == stated.key and not same_value(fact.value, stated.value):
            if not _showing(judged, fact.value, frozenset({chunk.id})).value:
                value, contrary = quoted(stated.value), quoted(fact.value)
                message = f"{value} is stated silently, while {chunk.id} itself also gives {contrary}"
                yield report("conflict.undisclosed", message, field=state.at("text"), chunks=[chunk.id])
            return


def _at_odds_with_itself(judged: Judged) -> Iterator[Observation]:
    """A claim on one of two passages of a chunk that say the same in the same words with another number."""
    claims = claim_states(judged)
    for state in claims:
        twins = {chunk.id: own for chunk in state.sources if judged.view.usable(chunk.id) and (own := _twins(chunk))}
        for number in numbers_of(judged, state) if twins else ():
            if number.fate is not NumberFate.SUPPORTED or number.chunk not in twins:
                continue
            other = next((one for own, one in twins[number.chunk] if _is_same(number.quantity, own)), None)
            if other is not None and not any(
                contains_value(text, other.raw) for text in (shown_text(judged), *(one.text for one in claims))
            ):
                stated, contrary = quoted(number.quantity.raw), quoted(other.raw)
                message = f"{stated} is stated silently, while {number.chunk} itself also says {contrary}"
                yield report("conflict.undisclosed", message, field=state.at("text"), chunks=[number.chunk])


def _is_same(left: Quantity, right: Quantity) -> bool:
    return match_quantity(left, right) is Match.EQUAL


def _twins(chunk: Chunk) -> tuple[tuple[Quantity, Quantity], ...]:
    """Pairs of values that two passages of a chunk give in the same words; empty for nearly every chunk."""
    return _twin_values(passage_table(chunk))


@once_per_table
def _twin_values(table: PassageTable) -> tuple[tuple[Quantity, Quantity], ...]:
    alike: dict[object, list[Passage]] = defaultdict(list)
    for passage in table.passages:
        words = passage.words - _OF_PLACES
        if len(words) >= _FEWEST_WORDS and passage.quantities:
            alike[words, passage.context].append(passage)
    pairs = (pair for group in alike.values() for pair in combinations(group[:_MOST_ALIKE], 2))
    found = [differing for left, right in pairs if (differing := _differing(left, right)) is not None]
    return (*found, *((right, left) for left, right in found))


_FEWEST_WORDS = 2
_OF_PLACES = frozenset(
    map(root, ("annex", "appendix", "section", "chapter", "table", "page", "note", "footnote", "summary", "overview"))
)
"""Words that only say where in the document a passage stands."""
_MOST_ALIKE = 30
"""Of rows that all have the same words only the first are compared with each other."""


def _differing(left: Passage, right: Passage) -> tuple[Quantity, Quantity] | None:
    """The one value in which two passages differ, where it is the only one and of one sort."""
    own, theirs = _facts_of(left), _facts_of(right)
    if len(own) != len(theirs) or polarity_profile(left.text) != polarity_profile(right.text):
        return None
    pairs = [(one, other) for one, other in zip(own, theirs, strict=True) if not _is_same(one, other)]
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    is_fact = one.kind not in (QuantityKind.DATE, QuantityKind.LABEL) and one.calendar_year is None
    return pairs[0] if is_fact and one.kind is other.kind and one.unit == other.unit else None


_PLACES = frozenset({"section", "clause", "page", "paragraph", "article", "chapter", "part", "line", "item", "note"})


def _facts_of(passage: Passage) -> list[Quantity]:
    """The numbers of a passage without those that only say where in the document it stands."""
    return [one for one in passage.quantities if not (one.kind is QuantityKind.LABEL and one.unit in _PLACES)]
