"""Values that no passage states and two passages give together: 500 nationwide and 300 more in Shanghai make 800.

"Can be computed" is not "may be added": the operands need one unit, one period, one basis (gross or net, one way or
return) and a subject that the text itself ties together. A derivation names its operands and is marked as inferred;
`derivation_problem` recomputes it, whoever stated it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_grounded.checks.arithmetic import Operation, gives, operand_quantity, operation_of, results
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Claim
from pytest_grounded.model.response import Operand as StatedOperand
from pytest_grounded.pipeline.disagreements import read_statement
from pytest_grounded.pipeline.passages import passages
from pytest_grounded.pipeline.terms import WordForm, is_unspaced, terms, word_set
from pytest_grounded.text.bases import bases_apart
from pytest_grounded.text.quantities import Match, Quantity, best_match, find_quantities

__all__ = ["Derived", "Operand", "derivation_problem", "derived_from_increment", "difference_of", "is_increment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """The one figure of a passage, with the chunk it is from; `heading` are the words the passage stands under."""

    chunk: Chunk
    quantity: Quantity
    passage: str
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A value computed from operands, first minuend or base; `shown` is the computation as a person reads it."""

    operation: Operation
    operands: tuple[Operand, ...]
    shown: str


def derived_from_increment(increment: Operand, others: Sequence[Operand]) -> Derived | None:
    """The value of a passage that only says how much more or less than another one; None without one clear base.

    Of several passages that could be meant the one about the same subject counts, and where that one does not do
    (another unit, another basis) none does.

    >>> def operand(name, text):
    ...     return Operand(chunk=Chunk(id=name, text=text), passage=text, quantity=find_quantities(text)[0])
    >>> shanghai = operand("e1", "The allowance in Shanghai is $300 more than the national allowance.")
    >>> derived_from_increment(shanghai, [operand("e2", "The national allowance is $500.")]).shown
    '$500 + $300 = $800'
    """
    said = _increment(increment)
    if said is None:
        return None
    named = [other for other in others if _is_named(other, said)]
    closest = max((len(_held(other) & said.subject) for other in named), default=0)
    bases = [other for other in named if len(_held(other) & said.subject) == closest]
    if not closest or not all(_is_base(other, increment, said) for other in bases):
        return None
    if len({base.quantity.value for base in bases}) != 1:
        return None
    return _derived(said.operation, (bases[0], increment))


def is_increment(operand: Operand) -> bool:
    """Whether a figure says how much more or less than another one, and not how much.

    >>> text = "The allowance in Shanghai is $300 more than the national allowance."
    >>> is_increment(Operand(chunk=Chunk(id="e1", text=text), passage=text, quantity=find_quantities(text)[0]))
    True
    """
    return _increment(operand) is not None


def difference_of(left: Operand, right: Operand) -> Derived | None:
    """How far two figures of one kind are apart, the larger first; None where they cannot be compared."""
    if left.quantity.value is None or right.quantity.value is None or not _comparable(left, right):
        return None
    larger, smaller = sorted((left, right), key=lambda one: one.quantity.value or 0, reverse=True)
    return _derived(Operation.DIFFERENCE, (larger, smaller))


def derivation_problem(
    claim: Claim, texts: Mapping[str, str], chunks: Mapping[str, Chunk], *, asked: str = ""
) -> str | None:
    """What is wrong with a claim's derivation, recomputed from the texts it may rely on; None when it holds.

    What is put together has to be said: the claim, or the question that was `asked`, names what each figure is of.
    """
    derivation = claim.derivation
    if derivation is None:
        return None
    operation = operation_of(derivation)
    if operation is None:
        return f"operation {derivation.operation!r} cannot be recomputed"
    if claim.status != "inferred":
        return "a derived value has to be marked as inferred"
    operands: list[Operand] = []
    for stated in derivation.operands:
        found = _located(stated, claim, texts, chunks)
        if isinstance(found, str):
            return found
        operands.append(found)
    if len(operands) < _FEWEST:
        return f"{operation} needs at least two operands"
    apart = _apart(operands) if operation.needs_one_unit else None
    if apart is not None:
        return f"operands do not belong together: {apart}"
    unnamed = _unnamed(operands, f"{claim.text}\n{asked}") if operation.puts_together else None
    if unnamed is not None:
        return f"operands do not belong together: the claim does not name {unnamed}"
    values = [one.quantity.value for one in operands if one.quantity.value is not None]
    computed = results(operation, values)
    stated_figures = find_quantities(claim.text, incidental=True)
    if not any(gives(quantity, value) for quantity in stated_figures for value in computed):
        return f"{operation} of the operands is not what the claim states"
    return None


_FEWEST = 2


def _unnamed(operands: Sequence[Operand], said: str) -> str | None:
    """What an operand is of, where neither what is said nor the passage of another operand has a word of it.

    $180 for a room and $25 for the car park make no limit of $205 for a room.
    """
    about = [_about(one) for one in operands]
    for place, words in enumerate(about):
        others = frozenset[str]().union(*(other for at, other in enumerate(about) if at != place))
        letters = frozenset("".join(word for word in others if is_unspaced(word)))
        own = words - others - _OF_A_BASIS
        own = frozenset(word for word in own if not (is_unspaced(word) and letters.intersection(word)))
        if own and own.isdisjoint(terms(said, WordForm.ROOT)):
            return ", ".join(sorted(own))
    return None


_OF_A_BASIS = word_set("after annual before gross monthly net tax taxes yearly")  # `bases_apart` looks at these


def _about(operand: Operand) -> frozenset[str]:
    """The words that the statement with the figure is about, its heading and the name of its source left out."""
    at = operand.quantity.start
    found = passages(operand.passage, operand.chunk.kind)
    statement = next((one for one in found if one.start <= at < one.end), None)
    return frozenset() if statement is None else read_statement(operand.chunk, statement).about


def _located(
    stated: StatedOperand, claim: Claim, texts: Mapping[str, str], chunks: Mapping[str, Chunk]
) -> Operand | str:
    """A stated operand where it stands in the chunk it names, or why it does not."""
    quantity = operand_quantity(stated.value, stated.unit)
    if quantity is None:
        return f"operand {stated.value!r} is no number"
    if stated.chunk is None or stated.chunk not in claim.cited or stated.chunk not in texts:
        return f"operand {stated.value!r} names no chunk that is cited"
    text, lang = texts[stated.chunk], chunks[stated.chunk].lang
    match, source = best_match(quantity, find_quantities(text, lang=lang, incidental=True))
    if match is not Match.EQUAL and not (match is Match.UNIT_OR_SCALE and stated.unit is None):
        return f"operand {stated.value!r} does not stand in {stated.chunk}"
    return Operand(chunk=chunks[stated.chunk], quantity=source or quantity, passage=text)


_MORE = "more|higher|above|on top of|in addition to|over and above"
_LESS = "less|lower|below"
_AFTER = re.compile(
    rf"\W{{0,3}}(?:\w+ ){{0,3}}(?P<way>{_MORE}|{_LESS})\b(?: than)?(?P<base>[^.;]{{1,200}})", re.IGNORECASE
)
_BEFORE = re.compile(
    r"(?:.*\b(?:is|are|equals)\s)?(?P<base>[^.;:]{1,200}?)\b(?:plus|increased by|raised by)\s*\W{0,3}$", re.IGNORECASE
)
_CHINESE = re.compile(r"比(?P<base>[^,，。;；]{1,40}?)(?P<way>增加|高出|高|多|减少|低|少)\D{0,4}$")
_WAYS_DOWN = frozenset({*_LESS.split("|"), "减少", "低", "少"})
_STANDS_FOR_A_NOUN = frozenset({"one", "ones", "sum", "that"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A figure stated relative to another: how, the words that name the other, and those it speaks about itself."""

    operation: Operation
    base: frozenset[str]
    subject: frozenset[str]


def _increment(operand: Operand) -> _Said | None:
    passage, start, end = operand.passage, operand.quantity.start, operand.quantity.end
    near = max(0, start - _NEAR)
    found = (
        _AFTER.match(passage, end) or _CHINESE.search(passage[:start], near) or _BEFORE.search(passage[:start], near)
    )
    if found is None:
        return None
    way = found.groupdict().get("way") or "more"
    base = terms(found["base"], WordForm.ROOT) - _STANDS_FOR_A_NOUN
    first, last = found.span("base")
    subject = terms(f"{operand.heading}\n{passage[:first]}\n{passage[last:]}", WordForm.ROOT)
    operation = Operation.DIFFERENCE if way.casefold() in _WAYS_DOWN else Operation.SUM
    return _Said(operation=operation, base=base, subject=subject) if base else None


_NEAR = 240
_HALF = 0.5


def _held(operand: Operand) -> frozenset[str]:
    return terms(f"{operand.heading}\n{operand.passage}", WordForm.ROOT)


def _is_named(other: Operand, said: _Said) -> bool:
    """Whether a passage may be the one another builds on, or comes so near to it that it cannot be left unlooked at."""
    return len(_held(other) & said.base) >= _HALF * len(said.base) and _increment(other) is None


def _is_base(other: Operand, increment: Operand, said: _Said) -> bool:
    """Whether a passage states the figure that another one builds on: named by it, on the same basis."""
    return said.base <= _held(other) and _comparable(other, increment)


def _comparable(left: Operand, right: Operand) -> bool:
    return left.passage != right.passage and _apart((left, right)) is None


def _apart(operands: Sequence[Operand]) -> str | None:
    """What keeps figures from being put together: kind, unit, rate, period, scope or basis."""
    for name, values in (
        ("kind", {one.quantity.kind for one in operands}),
        ("unit", {one.quantity.unit for one in operands}),
        ("rate", {one.quantity.per for one in operands if one.quantity.per}),
    ):
        if len(values) > 1:
            return name
    years = [years for one in operands if (years := _years(one))]
    if len(years) > 1 and not frozenset.intersection(*years):
        return "period"
    scopes: dict[str, str] = {}
    for one in operands:
        if any(scopes.setdefault(key, value) != value for key, value in one.chunk.scope.items()):
            return "scope"
    return bases_apart([one.passage for one in operands])


def _years(operand: Operand) -> frozenset[int]:
    found = find_quantities(operand.passage, lang=operand.chunk.lang)
    return frozenset(year for one in found if (year := one.calendar_year) is not None)


_SIGNS = {Operation.SUM: "+", Operation.DIFFERENCE: "-"}


def _derived(operation: Operation, operands: tuple[Operand, ...]) -> Derived | None:
    """The computation written with the first operand's way of writing."""
    values = [one.quantity.value for one in operands]
    if any(value is None for value in values):
        return None
    left, right = (value for value in values if value is not None)
    result = left + right if operation is Operation.SUM else left - right
    if result < 0:
        return None
    pattern = operands[0].quantity.raw
    written = " ".join(
        (pattern, _SIGNS[operation], operands[1].quantity.raw, "=", _NUMBER.sub(f"{result:f}", pattern, count=1))
    )
    return Derived(operation=operation, operands=operands, shown=written)


_NUMBER = re.compile(r"\d[\d.,' ]*\d|\d")
