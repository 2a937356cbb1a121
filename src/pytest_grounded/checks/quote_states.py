"""What became of every quote: verbatim, honestly shortened, too short, or found somewhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pytest_grounded.checks.base import Judged, once
from pytest_grounded.checks.states import ClaimState, claim_states, without_markers
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote, too_short

__all__ = ["QuoteFate", "QuoteState", "is_verbatim", "quote_states"]


class QuoteFate(StrEnum):
    """What a quote turned out to be."""

    GOOD = "good"
    TOO_SHORT = "too_short"
    BAD_ELISION = "bad_elision"
    ELSEWHERE = "elsewhere"
    NOWHERE = "nowhere"
    UNCHECKED = "unchecked"
    """No cited chunk is there to be looked into; that is another check's finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteState:
    """A quote, where it stands in the response, the readable chunks it was looked up in, and what came of it.

    `elsewhere`: readable chunks that hold it though they are not cited for it.
    """

    claim: int
    path: str
    quote: str
    sources: tuple[Chunk, ...]
    fate: QuoteFate
    elsewhere: tuple[str, ...] = ()


@once
def quote_states(judged: Judged) -> tuple[QuoteState, ...]:
    """Every quote of every claim."""
    return tuple(state for claim in claim_states(judged) for state in _of_claim(judged, claim))


def is_verbatim(text: str, chunk: Chunk) -> bool:
    """Whether a text stands in a chunk, whole or honestly shortened."""
    return judge_quote(text, chunk.text, lang=chunk.lang) in (QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED)


def _of_claim(judged: Judged, state: ClaimState) -> Iterator[QuoteState]:
    readable = judged.view.readable
    for place, citation in enumerate(state.claim.citations):
        if citation.quote is not None:
            sources = (readable[citation.chunk],) if citation.chunk in readable else ()
            yield _judge(judged, state, state.at(f"citations[{place}].quote"), citation.quote, sources)
    if state.claim.quote is not None:
        yield _judge(judged, state, state.at("quote"), state.claim.quote, state.sources)


def _judge(judged: Judged, state: ClaimState, path: str, quote: str, sources: tuple[Chunk, ...]) -> QuoteState:
    fate, elsewhere = _fate(judged, quote, sources)
    return QuoteState(claim=state.index, path=path, quote=quote, sources=sources, fate=fate, elsewhere=elsewhere)


def _fate(judged: Judged, quote: str, sources: tuple[Chunk, ...]) -> tuple[QuoteFate, tuple[str, ...]]:
    if not sources:
        return QuoteFate.UNCHECKED, ()
    if not quote.strip():
        return QuoteFate.TOO_SHORT, ()
    found = _looked_up(judged, quote, sources)
    if found[0] in (QuoteFate.NOWHERE, QuoteFate.BAD_ELISION):
        bare = without_markers(judged, quote)
        if bare != quote and bare.strip():
            return _looked_up(judged, bare, sources)  # a marker of the answer got into the quote
    return found


def _looked_up(judged: Judged, quote: str, sources: tuple[Chunk, ...]) -> tuple[QuoteFate, tuple[str, ...]]:
    verdicts = []
    for source in sources:
        verdict = judge_quote(quote, source.text, lang=source.lang)
        if verdict in (QuoteVerdict.VERBATIM, QuoteVerdict.ELIDED):
            short = too_short(quote, source.text, lang=source.lang)
            return (QuoteFate.TOO_SHORT if short else QuoteFate.GOOD), ()
        verdicts.append(verdict)
    elsewhere = _elsewhere(judged, quote, sources)
    if elsewhere:
        return QuoteFate.ELSEWHERE, elsewhere
    return (QuoteFate.BAD_ELISION if QuoteVerdict.BAD_ELISION in verdicts else QuoteFate.NOWHERE), ()


def _elsewhere(judged: Judged, quote: str, sources: tuple[Chunk, ...]) -> tuple[str, ...]:
    """Where else it stands, among what the requester may read. A quote that says nothing says nothing of its source."""
    here = {source.id for source in sources}
    return tuple(
        chunk.id
        for chunk in judged.view.readable.values()
        if chunk.id not in here and is_verbatim(quote, chunk) and not too_short(quote, chunk.text, lang=chunk.lang)
    )
