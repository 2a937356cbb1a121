"""Numbers, amounts, dates and times: finding them in a text and comparing them by value.

This is the door; `quantity` says what one is, `quantity_scan` finds them, `quantity_match` compares them.
"""

from __future__ import annotations

from pytest_grounded.text.quantity import Bound, Quantity, QuantityKind, date_quantity
from pytest_grounded.text.quantity_match import Match, best_match, equal_quantities, match_quantity, rounds_to
from pytest_grounded.text.quantity_scan import find_quantities

__all__ = [
    "Bound",
    "Match",
    "Quantity",
    "QuantityKind",
    "best_match",
    "date_quantity",
    "equal_quantities",
    "find_quantities",
    "match_quantity",
    "rounds_to",
]
