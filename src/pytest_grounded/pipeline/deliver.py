"""What is shown: verified claims with markers and sources, a message with a next step, or both sides of a conflict.

The application renders markers and links from its own records; nothing a generator wrote becomes a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.response import (
    Citation,
    Claim,
    Conflict,
    ConflictSide,
    RenderedMarker,
    Response,
    ShownSource,
    SystemErrorInfo,
)
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.opening import safe_url
from pytest_grounded.pipeline.passages import passages
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.resolve import ConflictReport, Side
from pytest_grounded.pipeline.settings import PipelineSettings

__all__ = ["Outcome", "deliver", "side_claims"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the stages came to, before it is put into words.

    `claims` passed verification; `message` is an entry of the settings' messages; `conflicts` are shown with every
    side, whether they are open or settled by a rule that is disclosed.
    """

    decision: Decision
    reason_code: ReasonCode | None = None
    claims: tuple[Claim, ...] = ()
    message: Message | None = None
    missing: tuple[str, ...] = ()
    conflicts: tuple[ConflictReport, ...] = ()
    delivery: Literal["generated", "extractive"] | None = None
    error: SystemErrorInfo | None = None
    confidence: float | None = None


def deliver(outcome: Outcome, readable: Readable, settings: PipelineSettings) -> Response:
    """Put an outcome into words, with sources, markers and links from the chunks the requester may read."""
    corpus = readable.corpus
    disclosed = tuple(report for report in outcome.conflicts if report.outcome == "settled")
    sides = side_claims(outcome.conflicts)
    claims = outcome.claims + tuple(claim for _, claim in sides)
    shown = tuple(dict.fromkeys(chunk for claim in claims for chunk in claim.cited if chunk in corpus))
    markers = {chunk: str(number) for number, chunk in enumerate(shown, start=1)}
    lines = [_marked(claim, markers) for claim in outcome.claims]
    if outcome.message is not None:
        lines.append(outcome.message.filled(outcome.missing))
    elif disclosed:
        lines.append(settings.messages.disclosed.text)
    lines += [f"{_attribution(side, corpus)}: {_marked(claim, markers)}" for side, claim in sides]
    return Response(
        decision=outcome.decision,
        reason_code=outcome.reason_code,
        text="\n".join(lines),
        claims=tuple(_located(claim, corpus, markers) for claim in claims),
        conflicts=tuple(_conflict(report, corpus) for report in outcome.conflicts),
        missing=outcome.missing,
        next_step=outcome.message.next_step if outcome.message else None,
        sources=tuple(_source(corpus[chunk], marker) for chunk, marker in markers.items()),
        rendered=tuple(RenderedMarker(marker=marker, chunk=chunk) for chunk, marker in markers.items()),
        delivery=outcome.delivery,
        confidence=outcome.confidence,
        error=outcome.error,
    )


def side_claims(reports: Sequence[ConflictReport]) -> tuple[tuple[Side, Claim], ...]:
    """One claim per side of each conflict, quoting the passage that states its value."""
    return tuple((side, _side_claim(side)) for report in reports for side in shown_sides(report))


def shown_sides(report: ConflictReport) -> tuple[Side, ...]:
    """The sides to show: those between which no rule decides, or for a settled conflict those that lost."""
    if report.outcome == "open":
        return report.open_sides
    return tuple(side for side in report.sides if set(side.chunks) <= set(report.losers))


def _side_claim(side: Side) -> Claim:
    stated = side.stated[0]
    start, end = min(stated.spans)
    chunk = stated.chunk
    shown = next((p.plain for p in passages(chunk.text, chunk.kind) if (p.start, p.end) == (start, end)), None)
    quote = chunk.text[start:end]
    return Claim(text=shown or quote, citations=(Citation(chunk=chunk.id, quote=quote),))


def _attribution(side: Side, corpus: Corpus) -> str:
    """Source, version and date of a side, as a person reads it."""
    chunk = corpus[side.chunks[0]]
    details = [chunk.version, f"in force from {chunk.effective_from}" if chunk.effective_from else None]
    known = ", ".join(detail for detail in details if detail)
    name = chunk.title or chunk.document or chunk.id
    return f"{name} ({known})" if known else name


def _conflict(report: ConflictReport, corpus: Corpus) -> Conflict:
    sides = report.open_sides if report.outcome == "open" else report.sides
    return Conflict(key=report.key, sides=tuple(_side(side, corpus) for side in sides))


def _side(side: Side, corpus: Corpus) -> ConflictSide:
    """A side with its source, so that a reader can weigh it."""
    chunk = corpus[side.chunks[0]]
    return ConflictSide.model_validate(
        {
            "value": side.value,
            "chunks": side.chunks,
            "source": chunk.title or chunk.document or chunk.id,
            "version": chunk.version,
            "effective_from": chunk.effective_from.isoformat() if chunk.effective_from else None,
        }
    )


_STOPS = ".!?。！？"


def _marked(claim: Claim, markers: Mapping[str, str]) -> str:
    """The claim with its markers in front of the full stop, so that each belongs to its sentence."""
    marks = "".join(f"[{markers[chunk]}]" for chunk in claim.cited if chunk in markers)
    body = claim.text.rstrip()
    stop = body[-1] if body and body[-1] in _STOPS else "."
    return f"{body.rstrip(_STOPS + ';:, ')} {marks}{stop}" if marks else body


def _located(claim: Claim, corpus: Corpus, markers: Mapping[str, str]) -> Claim:
    """The claim with version, locator and marker of each citation from the application's own records."""
    citations = tuple(
        Citation(
            chunk=citation.chunk,
            quote=citation.quote,
            marker=markers.get(citation.chunk),
            version=chunk.version if (chunk := corpus.get(citation.chunk)) else None,
            locator=chunk.locator if chunk else None,
        )
        for citation in claim.citations
    )
    return claim.model_copy(update={"citations": citations})


def _source(chunk: Chunk, marker: str) -> ShownSource:
    return ShownSource(chunk=chunk.id, title=chunk.title or chunk.document, url=safe_url(chunk), marker=marker)
