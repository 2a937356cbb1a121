"""Whether a stated derivation holds: recomputed, from cited values that belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_grounded.checks.arithmetic import Operation, gives, operand_quantity, operation_of, results
from pytest_grounded.checks.base import Judged, not_judged, report
from pytest_grounded.checks.number_states import best_in
from pytest_grounded.checks.passages import Passage, passages_of
from pytest_grounded.checks.states import ClaimState, claim_states
from pytest_grounded.checks.wording import listing, quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.response import Derivation, Operand
from pytest_grounded.text.bases import bases_apart
from pytest_grounded.text.quantities import Match, Quantity, find_quantities
from pytest_grounded.text.values import contains_value

__all__ = ["check_derivations"]


def check_derivations(judged: Judged) -> Iterator[Observation]:
    """Recompute every derivation, and look where its operands come from."""
    for state in claim_states(judged):
        if state.claim.derivation is not None:
            yield from _check(judged, state, state.claim.derivation)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """An operand read as a quantity, the chunk it is from, and the quantity and passage there."""

    operand: Operand
    quantity: Quantity
    chunk: Chunk | None = None
    source: Quantity | None = None
    passage: Passage | None = None


def _check(judged: Judged, state: ClaimState, derivation: Derivation) -> Iterator[Observation]:
    path = state.at("derivation")
    operation = operation_of(derivation)
    if operation is None:
        reason = f"operation {quoted(derivation.operation)} is none this version recomputes"
        yield not_judged("number.derivation", reason, field=path)
        return
    if not derivation.operands:
        yield report("number.derivation", "the derivation has no operands", field=path)
        return
    read: list[_Read] = []
    for place, operand in enumerate(derivation.operands):
        one, problem = _read(judged, state, operand)
        if problem:
            message = f"operand {place + 1} ({quoted(operand.value)}) {problem}"
            chunks = [operand.chunk] if operand.chunk else []
            yield report("number.derivation", message, field=f"{path}.operands[{place}]", chunks=chunks)
        if one is not None:
            read.append(one)
    if len(read) == len(derivation.operands):
        yield from _result(state, operation, read)
        yield from _together(state, operation, read)


def _read(judged: Judged, state: ClaimState, operand: Operand) -> tuple[_Read | None, str]:
    quantity = operand_quantity(operand.value, operand.unit)
    if quantity is None:
        return None, "is no number"
    if operand.chunk is None:
        return _Read(operand=operand, quantity=quantity), "names no chunk it comes from"
    if operand.chunk not in state.claim.cited:
        return _Read(operand=operand, quantity=quantity), "comes from a chunk the claim does not cite"
    chunk = judged.view.readable.get(operand.chunk)
    if chunk is None:
        return _Read(operand=operand, quantity=quantity), ""
    match, _, source = best_in(quantity, [chunk])
    # Without a unit of its own an operand takes that of the text, so another unit there is no contradiction.
    if match is Match.EQUAL or (
        match is Match.UNIT_OR_SCALE and operand.unit is None and _same_digits(quantity, source)
    ):
        passage = next((one for one in passages_of(chunk) if source in one.quantities), None)
        return _Read(operand=operand, quantity=quantity, chunk=chunk, source=source, passage=passage), ""
    return _Read(operand=operand, quantity=quantity, chunk=chunk), f"does not stand in {chunk.id}"


def _same_digits(stated: Quantity, source: Quantity | None) -> bool:
    return source is not None and bool(set(stated.readings) & set(source.readings))


def _result(state: ClaimState, operation: Operation, read: Sequence[_Read]) -> Iterator[Observation]:
    values = [one.quantity.value for one in read if one.quantity.value is not None]
    computed = results(operation, values)
    stated = find_quantities(state.text, incidental=True)
    if not computed:
        message = f"{operation.value} of {listing(one.operand.value for one in read)} has no result"
        yield report("number.derivation", message, field=state.at("derivation"))
    elif not any(gives(quantity, value) for quantity in stated for value in computed):
        likeliest = max(computed)
        message = (
            f"{operation.value} of {listing(one.operand.value for one in read)} is {likeliest:f}, "
            f"which the claim does not state: {quoted(state.text)}"
        )
        chunks = [one.chunk.id for one in read if one.chunk is not None]
        yield report("number.derivation", message, field=state.at("derivation"), chunks=chunks)


def _together(state: ClaimState, operation: Operation, read: Sequence[_Read]) -> Iterator[Observation]:
    """Units, periods and subjects of the operands."""
    problems = []
    if operation.needs_one_unit:
        problems += [_units(read), _rates(read)]
    problems += [_periods(state, operation, read), _subjects(state, operation, read), _bases(operation, read)]
    chunks = [one.chunk.id for one in read if one.chunk is not None]
    for problem in problems:
        if problem:
            message = f"{operation.value} of values that do not belong together: {problem}"
            yield report("number.derivation", message, field=state.at("derivation"), chunks=chunks)


def _units(read: Sequence[_Read]) -> str:
    units = list(dict.fromkeys(unit for one in read if (unit := _unit(one)) is not None))
    return f"units {listing(units)}" if len(units) > 1 else ""


def _unit(one: _Read) -> str | None:
    """The unit as stated, else as in the text; None for a plain number."""
    if one.quantity.unit is not None:
        return one.quantity.unit
    return one.source.unit if one.source is not None else one.operand.unit


def _rates(read: Sequence[_Read]) -> str:
    rates = {one.source.per for one in read if one.source is not None and one.source.per}
    return (
        f"one {listing((' and '.join(sorted(per)) for per in sorted(rates, key=sorted)), last='one')}"
        if len(rates) > 1
        else ""
    )


def _periods(state: ClaimState, operation: Operation, read: Sequence[_Read]) -> str:
    """Different years are put together by nothing, and compared only by a claim that names them."""
    years = [_years(one.passage) for one in read if one.passage is not None]
    named_years = set().union(*years) if years else set()
    if not all(years) or len(named_years) < len(("one", "other")) or set.intersection(*map(set, years)):
        return ""
    if not operation.puts_together and named_years <= _years_in(find_quantities(state.text)):
        return ""
    return f"years {listing(str(year) for year in sorted(named_years))}"


def _years(passage: Passage) -> set[int]:
    return _years_in(passage.quantities)


def _years_in(quantities: Sequence[Quantity]) -> set[int]:
    return {year for quantity in quantities if (year := quantity.calendar_year) is not None}


def _subjects(state: ClaimState, operation: Operation, read: Sequence[_Read]) -> str:
    """Different scopes are put together by nothing, and compared only by a claim that names them."""
    chunks = [one.chunk for one in read if one.chunk is not None]
    for key in sorted({key for chunk in chunks for key in chunk.scope}):
        scopes = list(dict.fromkeys(chunk.scope[key] for chunk in chunks if key in chunk.scope))
        if len(scopes) > 1 and (operation.puts_together or not all(contains_value(state.text, one) for one in scopes)):
            return f"{key} {listing(scopes)}"
    return ""


def _bases(operation: Operation, read: Sequence[_Read]) -> str:
    """Figures before and after tax, one way and return, are put together by nothing; compared they may be."""
    if not operation.puts_together:
        return ""
    name = bases_apart([one.passage.text for one in read if one.passage is not None])
    return f"another {name}" if name else ""
