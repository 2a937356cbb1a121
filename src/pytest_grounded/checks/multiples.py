"""Whether a claim says of another multiple what its source says in a word: tripled for doubled.

A word that multiplies is looked at only where the source has one too, in a passage about the same things: "sales rose
from 100 to 300 units" may be told as tripled by whoever can count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import permutations

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.passages import Passage, passages_of, roots_of
from pytest_grounded.checks.states import ClaimState, is_answered
from pytest_grounded.checks.unsaid import unsaid_claims
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.numerals import ARITHMETIC
from pytest_grounded.text.quantities import Quantity
from pytest_grounded.text.remembering import remembered

__all__ = ["other_multiples"]

_WORDS = {
    "0.5": "halv(?:e|es|ed|ing)|halbier(?:t|en|te|ten)|gehalveerd|dimezzat[oaie]|halverad[et]?",
    "2": (
        "doubl(?:e|es|ed|ing)|two-?fold|verdoppel(?:t|n|te|ten)|doublé(?:e|s|es)?|duplic(?:ó|ad[oa]s?|ou)|"
        "raddoppiat[oaie]|verdubbeld?e?|fördubblad[et]?|dwukrotni\\w+|удво\\w+|вдвое"
    ),
    "3": (
        "(?:tripl|trebl)(?:e|es|ed|ing)|three-?fold|verdreifach(?:t|en|te|ten)|triplé(?:e|s|es)?|triplic(?:ó|ad[oa]s?|ou)|"
        "triplicat[oaie]|verdrievoudigd?e?|tredubblad[et]?|trzykrotni\\w+|утро\\w+|втрое"
    ),
    "4": (
        "quadrupl(?:e|es|ed|ing)|four-?fold|vervierfach(?:t|en|te|ten)|quadruplé(?:e|s|es)?|"
        "cuadruplic(?:ó|ad[oa]s?)|quadruplicat[oaie]|quadruplicou|vierdubbeld?"
    ),
    "5": "quintupl(?:e|es|ed|ing)|five-?fold|verfünffach(?:t|en|te|ten)|quintuplé(?:e|s|es)?",
    "10": "ten-?fold|verzehnfach(?:t|en|te|ten)|décuplé(?:e|s|es)?",
}
_MULTIPLE = re.compile(
    r"\b(?:" + "|".join(f"(?P<x{place}>{words})" for place, words in enumerate(_WORDS.values())) + r")\b", re.IGNORECASE
)
_FACTORS = tuple(map(Decimal, _WORDS))
_MOST_NUMBERS = 20


def other_multiples(judged: Judged) -> Iterator[Observation]:
    """Claims with a multiple that no cited passage about the same has, where one has another."""
    if not is_answered(judged):
        return
    for state in unsaid_claims(judged):
        stated = _multiples(state.text)
        passages = [one for one in _about(state) if _multiples(one.text)] if stated else []
        given = {factor for passage in passages for factor, _ in _multiples(passage.text)}
        for factor, word in stated:
            if given and factor not in given and not any(_is_ratio(factor, one.quantities) for one in _about(state)):
                other = next(said for passage in passages for _, said in _multiples(passage.text))
                message = f"{quoted(word)} is said where {passages[0].chunk} says {quoted(other)}: {quoted(state.text)}"
                yield report("number.unsupported", message, field=state.at("text"), chunks=[passages[0].chunk])
                break


@remembered(2_048)
def _multiples(text: str) -> tuple[tuple[Decimal, str], ...]:
    return tuple((_FACTORS[int((match.lastgroup or "x0")[1:])], match[0]) for match in _MULTIPLE.finditer(text))


def _about(state: ClaimState) -> Iterator[Passage]:
    """The passages that share a word with a claim, other than the multiple."""
    said = roots_of(_MULTIPLE.sub(" ", state.text))
    for chunk in state.sources:
        yield from (passage for passage in passages_of(chunk) if not said.isdisjoint(passage.heard))


def _is_ratio(factor: Decimal, quantities: Iterable[Quantity]) -> bool:
    """Whether two numbers of a passage are in the ratio, or one of them is it."""
    values = [one.value for one in quantities if one.value][:_MOST_NUMBERS]
    return factor in values or any(ARITHMETIC.divide(left, right) == factor for left, right in permutations(values, 2))
