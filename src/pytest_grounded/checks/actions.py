"""Whether what the application would execute is authorized, and rests on what was verified.

A value in an argument comes from a verified claim or from the question: text that was not verified must not become a
parameter of a tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_grounded.checks.base import Judged, not_run, once, report
from pytest_grounded.checks.number_states import numbers_of
from pytest_grounded.checks.quote_states import QuoteFate, quote_states
from pytest_grounded.checks.states import ClaimState, claim_states, quantities_said, question_text
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.folding import fold
from pytest_grounded.text.quantities import Match, Quantity, best_match, find_quantities
from pytest_grounded.text.values import contains_value

__all__ = ["check_actions"]


def check_actions(judged: Judged) -> Iterator[Observation]:
    """Look at every action and every value in its arguments."""
    if judged.response is None:
        return
    for index, action in enumerate(judged.response.actions):
        path = f"actions[{index}]"
        if action.authorized is False:
            yield report("action.unauthorized", f"{quoted(action.name)} was not authorized", field=path)
        elif action.authorized is None:
            yield not_run("action.unauthorized", "whether actions were authorized was not observed", field=path)
        for value in _values(action.arguments, f"{path}.arguments"):
            if not _is_founded(judged, value.text):
                message = f"{quoted(value.text)} comes neither from a verified claim nor from the question"
                yield report("action.unverified", message, field=value.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    path: str
    text: str


def _values(arguments: Mapping[str, Any], path: str) -> Iterator[_Value]:
    """Texts and numbers inside the arguments; true, false and null are choices, not values."""
    stack: list[tuple[Any, str]] = [(value, f"{path}.{key}") for key, value in reversed(list(arguments.items()))]
    while stack:
        value, at = stack.pop()
        if isinstance(value, Mapping):
            stack.extend((inner, f"{at}.{key}") for key, inner in reversed(list(value.items())))
        elif isinstance(value, list | tuple):
            stack.extend((inner, f"{at}[{place}]") for place, inner in reversed(list(enumerate(value))))
        elif isinstance(value, str) and value.strip():
            yield _Value(path=at, text=value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield _Value(path=at, text=f"{value!r}")


def _is_founded(judged: Judged, value: str) -> bool:
    requester = judged.case.requester
    if value in (requester.id, requester.tenant, judged.case.as_of.isoformat()):
        return True
    texts = _founding_texts(judged)
    if any(contains_value(text, value) or fold(value) in fold(text) for text in texts):
        return True
    stated = find_quantities(value)
    founded = _founding_quantities(judged)
    return (
        bool(stated)
        and len(stated) == len(value.split())
        and all(best_match(quantity, founded)[0] is Match.EQUAL for quantity in stated)
    )


@once
def _founding_texts(judged: Judged) -> tuple[str, ...]:
    claims = [state for state in claim_states(judged) if _is_verified(judged, state)]
    quotes = [quote.quote for quote in quote_states(judged) if quote.fate is QuoteFate.GOOD]
    return (question_text(judged), *(state.text for state in claims), *quotes)


@once
def _founding_quantities(judged: Judged) -> tuple[Quantity, ...]:
    return tuple(one for text in _founding_texts(judged) for one in quantities_said(judged, text, incidental=True))


def _is_verified(judged: Judged, state: ClaimState) -> bool:
    """Whether the mechanical checks of a claim hold: sources to rely on, quotes and numbers that are there."""
    cited = state.claim.cited
    if not cited or not all(judged.view.usable(chunk_id) for chunk_id in cited):
        return False
    evidence = judged.internal.evidence
    if evidence is not None and not set(cited) <= set(evidence):
        return False
    quotes = (quote for quote in quote_states(judged) if quote.claim == state.index)
    numbers = numbers_of(judged, state)
    return all(quote.fate is QuoteFate.GOOD for quote in quotes) and all(number.fate.is_good for number in numbers)
