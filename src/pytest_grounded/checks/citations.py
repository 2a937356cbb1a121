"""Whether what is cited is there, may be read, was given to the model, is in force, applies, and is cited at all.

Where a quote stands is left to `quotes`, what rendered markers open to `seen`, whether a slot's evidence is cited to
`slots`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.states import ClaimState, cited_chunks, claim_states, is_answered
from pytest_grounded.checks.wording import named, quoted, standing
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode
from pytest_grounded.text.folding import fold

__all__ = ["check_citations"]


def check_citations(judged: Judged) -> Iterator[Observation]:
    """Look at every id that is given as a source: in claims, in the sides of conflicts, in the list of sources."""
    if judged.response is None:
        return
    pointers = tuple(_pointers(judged))
    for pointer in pointers:
        yield from _standing(judged, pointer)
    yield from _supplied(judged, pointers)
    for state in claim_states(judged):
        yield from _missing(state)
        yield from _versions(judged, state)
    yield from _demanded(judged)
    yield from _several(judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pointer:
    """An id given as a source, and where."""

    path: str
    chunk: str


def _pointers(judged: Judged) -> Iterator[_Pointer]:
    response = judged.response
    if response is None:
        return
    for index, claim in enumerate(response.claims):
        for place, citation in enumerate(claim.citations):
            yield _Pointer(path=f"claims[{index}].citations[{place}].chunk", chunk=citation.chunk)
    for index, conflict in enumerate(response.conflicts):
        for side, shown in enumerate(conflict.sides):
            for place, chunk in enumerate(shown.chunks):
                yield _Pointer(path=f"conflicts[{index}].sides[{side}].chunks[{place}]", chunk=chunk)
    for index, source in enumerate(response.sources):
        if source.chunk is not None:
            yield _Pointer(path=f"sources[{index}].chunk", chunk=source.chunk)


def _standing(judged: Judged, pointer: _Pointer) -> Iterator[Observation]:
    """The first thing that is wrong with a cited chunk; a chunk that may not be read is not looked at further."""
    view = judged.view
    if view.usable(pointer.chunk):
        return
    if pointer.chunk not in view.present:
        yield report("citation.unknown_id", _unknown(judged, pointer.chunk), field=pointer.path, chunks=[pointer.chunk])
    elif not view.is_readable(pointer.chunk):
        message = f"{view.name_of(pointer.chunk)} may not be read by this requester"
        yield report("citation.not_permitted", message, field=pointer.path, chunks=[pointer.chunk])
    elif not view.in_force(pointer.chunk) and not _may_show_staleness(judged):
        yield _unfit(judged, "citation.not_current", pointer)
    elif view.in_force(pointer.chunk) and not view.applies(pointer.chunk) and is_answered(judged):
        yield _unfit(judged, "citation.not_applicable", pointer)


def _unknown(judged: Judged, chunk_id: str) -> str:
    view = judged.view
    chunk = view.corpus.get(chunk_id)
    if chunk is not None and chunk.readable_by(view.requester) and chunk.ingested_at is not None:
        asked, known = view.as_of.isoformat(), chunk.ingested_at.isoformat()
        return f"{chunk_id} was not known to the system on {asked}, only from {known}"
    # A later chunk that may not be read is spoken of like one that does not exist.
    return f"{quoted(view.name_of(chunk_id))} is no chunk of corpus {view.corpus.name}"


def _may_show_staleness(judged: Judged) -> bool:
    """An abstention because only old text is there may cite that text."""
    return not is_answered(judged) and judged.outcome.reason_code == ReasonCode.STALE_OR_WITHDRAWN


def _unfit(judged: Judged, check: str, pointer: _Pointer) -> Observation:
    chunk = judged.view.readable[pointer.chunk]
    why = standing(judged.view, chunk)
    message = f"{chunk.id} may not be relied on: {why} (asked on {judged.view.as_of.isoformat()}"
    if check == "citation.not_applicable":
        requester = judged.view.requester
        whom = ", ".join((*requester.audience, *(f"{key} {value}" for key, value in sorted(requester.scope.items()))))
        message += f", by {whom}"
    return report(check, message + ")", field=pointer.path, chunks=[chunk.id])


def _supplied(judged: Judged, pointers: tuple[_Pointer, ...]) -> Iterator[Observation]:
    """Whether what is cited was given to the model; only of chunks that exist and may be read."""
    evidence = judged.internal.evidence
    cited = [pointer for pointer in pointers if judged.view.is_readable(pointer.chunk)]
    if evidence is None:
        if cited:
            yield not_run("citation.not_retrieved", "the evidence given to the model was not observed")
        return
    supplied = frozenset(evidence)
    if not is_answered(judged):
        cited = [pointer for pointer in cited if not pointer.path.startswith("sources")]
    for pointer in cited:
        if pointer.chunk not in supplied:
            given = named(judged.view, evidence[:8]) or "nothing"
            message = f"{pointer.chunk} is cited, but the model was given {given}"
            yield report("citation.not_retrieved", message, field=pointer.path, chunks=[pointer.chunk])


def _missing(state: ClaimState) -> Iterator[Observation]:
    if not state.claim.citations and (state.text.strip() or state.claim.quote):
        message = f"claim {state.index + 1} cites nothing: {quoted(state.claim.text or state.claim.quote or '')}"
        yield report("citation.missing", message, field=state.at("citations"))


def _versions(judged: Judged, state: ClaimState) -> Iterator[Observation]:
    for place, citation in enumerate(state.claim.citations):
        chunk = judged.view.readable.get(citation.chunk)
        if chunk is None:
            continue
        for part, stated, actual in (
            ("version", citation.version, chunk.version),
            ("locator", citation.locator, chunk.locator),
        ):
            if stated is not None and _label(stated) != _label(actual):
                held = f"is {quoted(actual)}" if actual is not None else "is not known"
                message = f"{chunk.id}: stated as {part} {quoted(stated)}, the chunk's {part} {held}"
                path = state.at(f"citations[{place}].{part}")
                yield report("citation.version", message, field=path, chunks=[chunk.id])


def _label(text: str | None) -> str:
    return "" if text is None else fold(text)


def _demanded(judged: Judged) -> Iterator[Observation]:
    """Chunks that the case says have to be cited. A refusal of what should be answered has its own finding."""
    if _is_over_refusal(judged):
        return
    cited = frozenset(cited_chunks(judged))
    for chunk_id in judged.case.expect.cite:
        if chunk_id not in cited:
            found = named(judged.view, cited_chunks(judged)) or "nothing"
            message = f"{judged.view.name_of(chunk_id)} has to be cited; cited is {found}"
            yield report("citation.missing", message, field="claims", chunks=[chunk_id])


def _several(judged: Judged) -> Iterator[Observation]:
    """An answer from several sources cites at least two that may be relied on."""
    if judged.case.kind is not CaseKind.MULTI_EVIDENCE or not is_answered(judged):
        return
    usable = [chunk_id for chunk_id in cited_chunks(judged) if judged.view.usable(chunk_id)]
    texts = {_text(judged.view.readable[chunk_id]) for chunk_id in usable}
    if len(texts) < len(("one", "two")):
        found = f"only {named(judged.view, usable)} is" if usable else "none is"
        message = f"this answer rests on several chunks together, and {found} cited that may be relied on"
        yield report("citation.insufficient", message, field="claims", chunks=usable)


def _text(chunk: Chunk) -> str:
    """Copies of a chunk count once: the same words twice are no second source."""
    return fold(chunk.text, lang=chunk.lang) or chunk.id


def _is_over_refusal(judged: Judged) -> bool:
    expected = judged.case.expect.decision
    if expected is None or judged.response is None:
        return False
    return (
        judged.response.decision not in expected
        and not judged.response.decision.answers
        and any(Decision(one).answers for one in expected)
    )
