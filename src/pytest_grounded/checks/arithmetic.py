"""Recomputing a stated derivation: what its operation makes of its operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from enum import StrEnum
from functools import lru_cache

from pytest_grounded.model.response import Claim, Derivation, Operand
from pytest_grounded.text.quantities import Quantity, find_quantities, rounds_to

__all__ = ["Operation", "derived_values", "gives", "operand_quantity", "operation_of", "results"]


class Operation(StrEnum):
    """What a derivation may do with its operands."""

    SUM = "sum"
    DIFFERENCE = "difference"
    PRODUCT = "product"
    RATIO = "ratio"
    AVERAGE = "average"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    COUNT = "count"
    SHARE = "share"
    CHANGE = "change"

    @property
    def needs_one_unit(self) -> bool:
        """Whether the operands have to be of one kind: a product or a ratio makes a new unit, a count needs none."""
        return self not in (Operation.PRODUCT, Operation.RATIO, Operation.COUNT)

    @property
    def puts_together(self) -> bool:
        """Whether the operands become one amount, so that what they are said of has to be the same."""
        return self in (Operation.SUM, Operation.AVERAGE)


_NAMES: Mapping[str, Operation] = {
    **dict.fromkeys(("sum", "add", "addition", "total", "plus", "+"), Operation.SUM),
    **dict.fromkeys(("difference", "subtract", "subtraction", "minus", "-", "−"), Operation.DIFFERENCE),
    **dict.fromkeys(("product", "multiply", "multiplication", "times", "*", "×"), Operation.PRODUCT),
    **dict.fromkeys(("ratio", "quotient", "divide", "division", "/", "÷"), Operation.RATIO),
    **dict.fromkeys(("average", "mean", "avg"), Operation.AVERAGE),
    **dict.fromkeys(("minimum", "min", "smallest", "lowest"), Operation.MINIMUM),
    **dict.fromkeys(("maximum", "max", "largest", "highest"), Operation.MAXIMUM),
    **dict.fromkeys(("count", "number"), Operation.COUNT),
    **dict.fromkeys(("share", "percentage", "percent", "proportion"), Operation.SHARE),
    **dict.fromkeys(("change", "percent_change", "percentage_change", "growth", "increase"), Operation.CHANGE),
}
_HUNDRED = Decimal(100)


def operation_of(derivation: Derivation) -> Operation | None:
    """The operation, under any of its usual names; None where it is none of them.

    >>> operation_of(Derivation(operation="Subtraction")).value
    'difference'
    """
    return _NAMES.get(derivation.operation.strip().casefold().replace(" ", "_"))


@lru_cache(maxsize=1_024)
def operand_quantity(value: str, unit: str | None) -> Quantity | None:
    """An operand read as a quantity; None where it is none, or more than one.

    >>> operand_quantity("260", "USD").unit
    'USD'
    """
    for text in (f"{value} {unit}", value) if unit else (value,):
        found = find_quantities(text, incidental=True)
        if len(found) == 1 and found[0].value is not None:
            return found[0]
    return None


def results(operation: Operation, values: Sequence[Decimal]) -> frozenset[Decimal]:
    """What the operation makes of the values; several where the order of the operands may be meant either way.

    >>> sorted(results(Operation.DIFFERENCE, [Decimal(180), Decimal(260)]))
    [Decimal('-80'), Decimal('80')]
    """
    if not values:
        return frozenset()
    with localcontext() as context:
        context.prec = 50
        context.traps[Overflow] = False
        try:
            return frozenset(_RESULTS[operation](values))
        except (DivisionByZero, InvalidOperation):
            return frozenset()


def _product(values: Sequence[Decimal]) -> Decimal:
    product = Decimal(1)
    for value in values:
        product *= value
    return product


def _difference(values: Sequence[Decimal]) -> tuple[Decimal, ...]:
    difference = values[0] - sum(values[1:], Decimal(0))
    return (difference, -difference) if len(values) > 1 else ()


def _pair(
    compute: Callable[[Decimal, Decimal], tuple[Decimal, ...]],
) -> Callable[[Sequence[Decimal]], tuple[Decimal, ...]]:
    return lambda values: compute(values[0], values[1]) if len(values) == len(("one", "two")) else ()


_RESULTS: Mapping[Operation, Callable[[Sequence[Decimal]], tuple[Decimal, ...]]] = {
    Operation.SUM: lambda values: (sum(values, Decimal(0)),),
    Operation.DIFFERENCE: _difference,
    Operation.PRODUCT: lambda values: (_product(values),),
    Operation.RATIO: _pair(lambda left, right: (left / right, left / right * _HUNDRED)),
    Operation.AVERAGE: lambda values: (sum(values, Decimal(0)) / len(values),),
    Operation.MINIMUM: lambda values: (min(values),),
    Operation.MAXIMUM: lambda values: (max(values),),
    Operation.COUNT: lambda values: (Decimal(len(values)),),
    Operation.SHARE: _pair(lambda left, right: (left / right * _HUNDRED,)),
    Operation.CHANGE: _pair(
        lambda left, right: (
            (left - right) / right * _HUNDRED,
            (right - left) / left * _HUNDRED,
            abs((left - right) / right * _HUNDRED),
            abs((right - left) / left * _HUNDRED),
        )
    ),
}


def gives(stated: Quantity, result: Decimal) -> bool:
    """Whether a stated quantity is a result, exactly or rounded to the digits shown where it has more.

    >>> stated = find_quantities("0.33")[0]
    >>> gives(stated, Decimal(1) / Decimal(3)), gives(stated, Decimal("0.3"))
    (True, False)
    """
    if any(reading == result for reading in stated.readings):
        return True
    endless = not stated.approximate and -int(result.as_tuple().exponent) < _DIGITS_THAT_END_LATE
    if stated.value is None or stated.step <= 0 or endless:
        return False
    return rounds_to(result, stated.value, stated.step)


# A quotient with this many decimals is one nobody would write out, so it may be shown rounded without saying so.
_DIGITS_THAT_END_LATE = 5


def derived_values(claim: Claim) -> frozenset[Decimal]:
    """What the claim's derivation makes of its operands as stated; empty without one that can be recomputed."""
    derivation = claim.derivation
    operation = None if derivation is None else operation_of(derivation)
    if derivation is None or operation is None:
        return frozenset()
    values = _values(derivation.operands)
    return frozenset() if values is None else results(operation, values)


def _values(operands: Sequence[Operand]) -> list[Decimal] | None:
    found: list[Decimal] = []
    for operand in operands:
        quantity = operand_quantity(operand.value, operand.unit)
        if quantity is None or quantity.value is None:
            return None
        found.append(quantity.value)
    return found
