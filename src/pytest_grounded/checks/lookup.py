"""Finding a quantity among thousands: keys under which equal ones meet, so that few are compared one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Generic, TypeVar

from pytest_grounded.text.folding import fold
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, match_quantity

__all__ = ["QuantityIndex", "lookup_keys"]

_Held = TypeVar("_Held")
_MOST_ALIKE = 500
"""How many of one key are compared; only a text made of one number has more."""


def lookup_keys(quantity: Quantity) -> tuple[object, ...]:
    """Keys of which equal quantities share one. 12 months and 1 year are equal and share none.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> lookup_keys(find_quantities("$180.00")[0])
    (Decimal('1.8E+2'),)
    """
    year = quantity.calendar_year
    match quantity.kind:
        case QuantityKind.CODE | QuantityKind.LABEL:
            return ((quantity.kind, fold(quantity.raw)),)
        case QuantityKind.DATE:
            return (("year", year) if year is not None else ("month", quantity.month),)
        case _:
            values = tuple(value.normalize() if value else Decimal(0) for value in quantity.readings)
            return (*values, ("year", year)) if year is not None else values


class QuantityIndex(Generic[_Held]):
    """Things by the quantities they hold."""

    def __init__(self, pairs: Iterable[tuple[Quantity, _Held]]) -> None:
        self._by_key: dict[object, list[tuple[Quantity, _Held]]] = defaultdict(list)
        seen: set[object] = set()
        for quantity, held in pairs:
            # Written alike in one place is held once: a text of one number a thousand times holds one number.
            written = (quantity.raw, quantity.unit, quantity.noun, quantity.per, id(held))
            if written in seen:
                continue
            seen.add(written)
            for key in lookup_keys(quantity):
                if len(self._by_key[key]) < _MOST_ALIKE:
                    self._by_key[key].append((quantity, held))

    def alike(self, quantity: Quantity) -> tuple[tuple[Quantity, _Held], ...]:
        """What may be equal, in the order it was given."""
        return tuple(pair for key in lookup_keys(quantity) for pair in self._by_key.get(key, ()))

    def __contains__(self, quantity: object) -> bool:
        """Whether a stated quantity is equal to any of them."""
        if not isinstance(quantity, Quantity):
            return False
        return any(match_quantity(quantity, other) is Match.EQUAL for other, _ in self.alike(quantity))

    def equal(self, quantity: Quantity) -> tuple[tuple[Quantity, _Held], ...]:
        """What a stated quantity is equal to."""
        return tuple(pair for pair in self.alike(quantity) if match_quantity(quantity, pair[0]) is Match.EQUAL)
