"""What a trace keeps of what the requester was shown: all of it, in the shape of the trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.response import Claim, Conflict, Derivation, Response, StreamPiece, SystemErrorInfo

__all__ = ["Raw", "filled", "shown"]

Raw = dict[str, object]
"""A part of a trace before it is made plain JSON."""


def shown(response: Response, view: CorpusView) -> Raw:
    """The visible part of a response, chunks named as they may be; a field that holds nothing is left out."""
    parts: Raw = {
        "next_step": response.next_step,
        "missing": response.missing or None,
        "text": response.text or None,
        "claims": [_claim(claim, view) for claim in response.claims] or None,
        "citations": list(_citations(response.claims, view)) or None,
        "conflicts": [_conflict(conflict, view) for conflict in response.conflicts] or None,
        "sources": [
            filled(chunk=_name(view, s.chunk), title=s.title, url=s.url, marker=s.marker, other=s.others)
            for s in response.sources
        ]
        or None,
        "rendered": [
            filled(marker=opened.marker, chunk=_name(view, opened.chunk), other=opened.others)
            for opened in response.rendered
        ]
        or None,
        "followups": response.followups or None,
        "delivery": response.delivery,
        "confidence": response.confidence,
        "stream": list(_runs(response.stream, response.text)) or None,
        "actions": [
            filled(name=action.name, arguments=action.arguments, authorized=action.authorized, other=action.others)
            for action in response.actions
        ]
        or None,
        "error": _error(response.error),
        "other": response.others,
    }
    return filled(**parts)


def filled(**record: object) -> Raw:
    """A record without the keys that hold nothing.

    >>> filled(chunk="c1", quote=None, kept=False, other={})
    {'chunk': 'c1', 'kept': False}
    """
    return {key: value for key, value in record.items() if value is not None and value != {}}


def _name(view: CorpusView, chunk: str | None) -> str | None:
    return None if chunk is None else view.name_of(chunk)


def _claim(claim: Claim, view: CorpusView) -> Raw:
    return filled(
        text=claim.text,
        quote=claim.quote,
        status=claim.status,
        derivation=_derivation(claim.derivation, view),
        other=claim.others,
    )


def _derivation(derivation: Derivation | None, view: CorpusView) -> Raw | None:
    if derivation is None:
        return None
    operands = [
        filled(value=operand.value, unit=operand.unit, chunk=_name(view, operand.chunk), other=operand.others)
        for operand in derivation.operands
    ]
    return filled(operation=derivation.operation, operands=operands, other=derivation.others)


def _citations(claims: Iterable[Claim], view: CorpusView) -> Iterator[Raw]:
    for number, claim in enumerate(claims, start=1):
        for citation in claim.citations:
            yield filled(
                claim=number,
                chunk=view.name_of(citation.chunk),
                quote=citation.quote,
                marker=citation.marker,
                version=citation.version,
                locator=citation.locator,
                other=citation.others,
            )


def _conflict(conflict: Conflict, view: CorpusView) -> Raw:
    sides = [
        filled(value=side.value, chunks=sorted(map(view.name_of, side.chunks)), other=side.others)
        for side in conflict.sides
    ]
    return filled(key=conflict.key, sides=sides, other=conflict.others)


def _error(error: SystemErrorInfo | None) -> Raw | None:
    return None if error is None else filled(kind=error.kind, status=error.status, other=error.others)


def _runs(pieces: Sequence[StreamPiece], text: str) -> Iterator[Raw]:
    """The stream as runs of equally verified pieces: where a piece ends is chance, what was shown is not.

    A run that does not stand in the final text was a draft, and its words are not kept.
    """
    place = 0
    while place < len(pieces):
        verified, words = pieces[place].verified, ""
        others: Mapping[str, object] = {}
        while place < len(pieces) and pieces[place].verified is verified:
            words += pieces[place].text
            others = {**others, **pieces[place].others}
            place += 1
        yield filled(verified=verified, text=words if words in text else _withheld(words), other=others)


def _withheld(words: str) -> str:
    return f"[not in the text: {len(words)} characters]"
