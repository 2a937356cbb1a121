"""Whether quotes are what the cited chunks say, word for word."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.quote_states import QuoteFate, QuoteState, is_verbatim, quote_states
from pytest_grounded.checks.states import claim_states
from pytest_grounded.checks.wording import named, quoted
from pytest_grounded.model.finding import Observation

__all__ = ["check_quotes"]


def check_quotes(judged: Judged) -> Iterator[Observation]:
    """Report every quote that is altered, shortened so that it says something else, misplaced, or too short."""
    for state in quote_states(judged):
        yield from _report(judged, state)
    yield from _extracts(judged)


def _report(judged: Judged, state: QuoteState) -> Iterator[Observation]:
    cited = [chunk.id for chunk in state.sources]
    where = named(judged.view, cited)
    match state.fate:
        case QuoteFate.NOWHERE:
            message = f"{quoted(state.quote)} does not stand in {where}"
            yield report("quote.not_verbatim", message, field=state.path, chunks=cited)
        case QuoteFate.BAD_ELISION:
            message = (
                f"{quoted(state.quote)}: all its parts stand in {where}, but what was left out between them changes "
                "the meaning, or they are in another order or too far apart"
            )
            yield report("quote.elision", message, field=state.path, chunks=cited)
        case QuoteFate.TOO_SHORT:
            what = (
                f"{quoted(state.quote)} is too short to show anything" if state.quote.strip() else "the quote is empty"
            )
            message = f"{what}: quote at least the decisive phrase of {where}, or give no quote"
            yield report("quote.too_short", message, field=state.path, chunks=cited)
        case QuoteFate.ELSEWHERE:
            found = named(judged.view, state.elsewhere)
            message = f"{quoted(state.quote)} does not stand in {where}, it stands in {found}"
            yield report("citation.wrong_source", message, field=state.path, chunks=(*cited, *state.elsewhere))
        case QuoteFate.GOOD | QuoteFate.UNCHECKED:
            return


def _extracts(judged: Judged) -> Iterator[Observation]:
    """What is delivered as extracts has no words of its own."""
    if judged.response is None or judged.response.delivery != "extractive":
        return
    for state in claim_states(judged):
        if state.text.strip() and state.sources and not any(is_verbatim(state.text, chunk) for chunk in state.sources):
            cited = [chunk.id for chunk in state.sources]
            message = f"delivered as an extract, and {quoted(state.text)} does not stand in {named(judged.view, cited)}"
            yield report("quote.not_verbatim", message, field=state.at("text"), chunks=cited)
