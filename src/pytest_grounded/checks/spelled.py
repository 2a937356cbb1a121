"""Which figures a text works out before the reader's eyes: the 10 % of "20 % of 50 % = 10 %", the $540 of "3 x $180".

The operands stand right before the result, joined by one operation, and are to be supported like any other figure; a
result that does not follow from them is no result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from pytest_grounded.checks.arithmetic import Operation, gives, results
from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.quantities import Quantity, QuantityKind

__all__ = ["worked_out"]

_GIVES = re.compile(
    r"\s*(?:[A-Za-z]+\s*)?[,;(\u2013\u2014-]?\s*(?:=|≈|->|→|i\.\s?e\.,?|"
    r"(?:which|that|this) (?:is|makes|gives|comes to)|(?:is|makes|gives|equals)(?: a total of)?|for a total of|"
    r"in total|"
    r"(?:also|das (?:sind|ist|ergibt|macht)|d\.\s?h\.|ergibt)|(?:soit|c'est-à-dire|ce qui (?:fait|donne)|donc)|"
    r"(?:es decir|o sea|lo que (?:da|hace)|son)|cioè|ossia|ou seja|yani|eder|यानी|अर्थात|أي|يساوي|"
    r"即|等于|等於|就是|つまり|すなわち)\s*,?\s*",
    re.IGNORECASE,
)
_JOINS = {
    Operation.PRODUCT: (
        r"×|x|\*|·|⋅|times|multiplied by|of(?: the)?|mal|von|fois|por|de|des|per|volte|vezes|keer|çarpı|"
        r"का|के|की|في|乘以|乘|的|の"
    ),
    Operation.SUM: r"\+|plus|más|mais|più|und|artı|加",
    Operation.DIFFERENCE: r"-|\u2212|\u2013|minus|less|moins|menos|meno|eksi|减|減",
    Operation.RATIO: r"/|÷|:|divided by|geteilt durch|divisé par|dividido (?:entre|por)|除以",
}
_JOINED = {
    operation: re.compile(rf"\s*(?:[A-Za-z]{{3,12}}\s+)?\(?(?:{signs})\)?\s*", re.IGNORECASE)
    for operation, signs in _JOINS.items()
}
_MOST_OPERANDS = 5
_LONGEST_GAP = 40
_HUNDRED = Decimal(100)


def worked_out(text: str, quantities: Sequence[Quantity]) -> Iterator[Quantity]:
    """The quantities that follow, by one operation, from those that stand right before them.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> def results_in(text):
    ...     return [one.raw for one in worked_out(text, find_quantities(text))]
    >>> results_in("It is 20 % of 50 % = 10 %."), results_in("3 nights x $180 = $540"), results_in("20 + 30 = 60")
    (['10 %'], ['$540'], [])
    """
    for place, (last, result) in enumerate(pairwise(quantities)):
        if _gap(text, last, result, _GIVES):
            before = quantities[max(0, place + 1 - _MOST_OPERANDS) : place + 1]
            if any(_follows(text, before, result, operation) for operation in _JOINED):
                yield result


def _gap(text: str, left: Quantity, right: Quantity, pattern: re.Pattern[str]) -> bool:
    return right.start - left.end <= _LONGEST_GAP and pattern.fullmatch(text, left.end, right.start) is not None


def _follows(text: str, before: Sequence[Quantity], result: Quantity, operation: Operation) -> bool:
    """Whether the last two or more of some quantities are joined by an operation that gives the result."""
    operands = [before[-1]]
    for left, right in pairwise(reversed(before)):
        if not _gap(text, right, left, _JOINED[operation]):
            break
        operands.insert(0, right)
        if any(gives(result, value) for value in _values(operands, result, operation)):
            return True
    return False


def _values(operands: Sequence[Quantity], result: Quantity, operation: Operation) -> Iterator[Decimal]:
    values = [one.value for one in operands if one.value is not None]
    if len(values) != len(operands):
        return
    shares = sum(one.kind is QuantityKind.PERCENT and one.unit == "%" for one in operands)
    if operation is not Operation.PRODUCT or not shares:
        yield from results(operation, values)
        return
    is_share = result.kind is QuantityKind.PERCENT
    for value in results(operation, values):
        yield ARITHMETIC.divide(value, _HUNDRED ** (shares - is_share))
