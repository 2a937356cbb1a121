"""Whether the numbers, dates and amounts of a claim stand in the chunks it cites, with their unit and scale."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pytest_grounded.checks.base import Judged, not_judged, report
from pytest_grounded.checks.multiples import other_multiples
from pytest_grounded.checks.number_states import NumberFate, NumberState, numbers_of
from pytest_grounded.checks.shown import invented_amounts
from pytest_grounded.checks.statements import value_index
from pytest_grounded.checks.states import ClaimState, claim_states
from pytest_grounded.checks.unsaid import unsaid_claims
from pytest_grounded.checks.wording import named, quoted
from pytest_grounded.model.finding import Finding, Observation
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.values import contains_value

__all__ = ["check_numbers"]

_MOST_EXPLAINED = 50
"""For how many numbers it is looked up where else they stand."""


def check_numbers(judged: Judged) -> Iterator[Observation]:
    """Report every number of a claim or of a shown side that its sources do not give."""
    claims = claim_states(judged)
    wrong = 0
    for number in chain.from_iterable(numbers_of(judged, state) for state in unsaid_claims(judged)):
        if number.fate is NumberFate.UNDATED:
            reason = f"{number.chunk} has no year for {quoted(number.quantity.raw)}, and no day on which it holds"
            yield not_judged("number.unsupported", reason, field=claims[number.claim].at("text"))
        finding = _report(judged, claims[number.claim], number, explain=wrong < _MOST_EXPLAINED)
        if finding is not None:
            wrong += 1
            yield finding
    yield from other_multiples(judged)
    yield from _sides(judged)
    yield from invented_amounts(judged)


def _report(judged: Judged, claim: ClaimState, number: NumberState, *, explain: bool) -> Finding | None:
    cited = [chunk.id for chunk in claim.sources]
    stated, where = quoted(number.quantity.raw), named(judged.view, cited)
    against = "" if number.source is None else f" says {quoted(number.source.raw)}"
    match number.fate:
        case NumberFate.UNSUPPORTED:
            check = "number.unsupported"
            message = f"{stated} does not stand in {where}"
            if number.chunk is not None and against:
                message += f", which{against}"
            if explain:
                message += _elsewhere(judged, number, cited)
        case NumberFate.UNIT_OR_SCALE:
            check = "number.unit_or_scale"
            message = f"{stated} has another unit or scale than its source: {number.chunk}{against}"
        case NumberFate.AMBIGUOUS_DATE:
            check = "number.ambiguous_date"
            message = f"{stated} is one reading of a date of which nothing settles the order: {number.chunk}{against}"
        case _:
            return None
    return report(check, message, field=claim.at("text"), chunks=cited)


def _elsewhere(judged: Judged, number: NumberState, cited: list[str]) -> str:
    holders = [chunk.id for chunk in value_index(judged.view).holders(number.quantity) if chunk.id not in cited]
    return f"; it stands in {named(judged.view, holders[:5])}, which is not cited here" if holders else ""


def _sides(judged: Judged) -> Iterator[Observation]:
    """A shown side has to be what its chunks say."""
    readable = judged.view.readable
    for index, conflict in enumerate(judged.response.conflicts if judged.response else ()):
        for place, side in enumerate(conflict.sides):
            chunks = [readable[chunk_id] for chunk_id in side.chunks if chunk_id in readable]
            if not chunks or not find_quantities(side.value, incidental=True):
                continue
            if not any(contains_value(chunk.text, side.value, lang=chunk.lang) for chunk in chunks) and not any(
                contains_value(fact.value, side.value) for chunk in chunks for fact in chunk.facts
            ):
                ids = [chunk.id for chunk in chunks]
                message = (
                    f"{quoted(side.value)} is shown as what {named(judged.view, ids)} says, and does not stand there"
                )
                yield report(
                    "number.unsupported", message, field=f"conflicts[{index}].sides[{place}].value", chunks=ids
                )
