"""A response and its trace as a person reads them: question to outcome, stage by stage.

A step of any system is shown: what it says first, then its fields, lists of records as tables. A chunk that the
requester may read gets its source beside its id; of any other nothing is added to what the step itself says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Candidate, Claim, Response
from pytest_grounded.reporting.requesters import described_requester

__all__ = ["trace_lines"]

_INDENT = "   "
_WIDEST = 160
_SOURCE = "source"
_LONG = 100


def trace_lines(request: Request, outcome: Outcome) -> Iterator[str]:
    """The lines of `pytest-grounded ask`: the request, every stage with its reasons, what the requester sees."""
    known = _Known(request=request, outcome=outcome)
    yield f"question   {request.question}"
    yield f"asked as   {described_requester(request.requester)}"
    yield f"as of      {request.as_of.isoformat()}"
    yield f"corpus     {request.corpus.name}, {len(known.readable)} chunks this requester may read"
    steps = outcome.internal.steps or ()
    searched = max((place for place, step in enumerate(steps) if step.get("name") == "retrieve"), default=0)
    for place, step in enumerate(steps):
        yield ""
        yield from _step(place + 1, step, known if place >= searched else replace(known, is_last=False))
    if outcome.internal.candidates and not any(map(_kept, steps)):
        yield ""
        yield from _candidates(outcome.internal.candidates, known)
    yield ""
    if outcome.failure is not None:
        yield f"SYSTEM_FAILURE ({outcome.failure.kind.value}): {outcome.failure.message}"
    elif outcome.response is not None:
        yield from _response(outcome.response, outcome.internal.steps or (), known)


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What is known of chunks beside what a step says."""

    request: Request
    outcome: Outcome
    is_last: bool = True
    """Whether the scores of the candidates are those that a step saw: a later search may give others."""

    @cached_property
    def readable(self) -> Mapping[str, Any]:
        return self.request.corpus.view(self.request.requester, self.request.as_of).readable

    @cached_property
    def asked(self) -> frozenset[str]:
        """The question, and what it was read as."""
        steps = self.outcome.internal.steps or ()
        read_as = (step.get("query") for step in steps if step.get("name") == "follow_up")
        texts = (self.request.question, *(text for text in read_as if isinstance(text, str)))
        return frozenset(text.rstrip(_ASKING) for text in texts)

    @cached_property
    def scores(self) -> Mapping[str, float]:
        found = (self.outcome.internal.candidates or ()) if self.is_last else ()
        return {one.chunk: one.score for one in found if one.score is not None}

    def source(self, chunk_id: str) -> str:
        """Document, version and place of a chunk that may be read."""
        chunk = self.readable.get(chunk_id)
        parts = (chunk.title or chunk.document, chunk.version, chunk.locator) if chunk else ()
        return ", ".join(part for part in parts if part)


# --- steps -----------------------------------------------------------------------------------------------------------


def _step(number: int, step: Mapping[str, Any], known: _Known) -> Iterator[str]:
    says = str(step.get("says") or "")
    name = str(step.get("name", "step"))
    yield f"{number}. {name}: {says}" if says else f"{number}. {name}"
    kept = _kept(step)
    fields = {
        key: value
        for key, value in step.items()
        if key not in {"name", "says"}
        and value != kept
        and not _is_nothing(value)
        and not _is_said(key, value, says, known.asked)
    }
    yield from _fields(fields, _INDENT, known)


def _candidates(candidates: Sequence[Candidate], known: _Known) -> Iterator[str]:
    """The candidates of a system whose steps do not list them, with what it says of each."""
    yield "candidates"
    records = [
        {"chunk": one.chunk, "kept": one.kept, "reason": one.reason or ("" if one.kept else "no reason given")}
        for one in candidates
    ]
    yield from _records(records, _INDENT, known)


def _kept(step: Mapping[str, Any]) -> list[str] | None:
    """The chunks that a table of a step keeps; None where it has no such table."""
    tables = [value for value in step.values() if _holds_mappings(value)]
    records = [one for table in tables for one in table if isinstance(one, Mapping) and "kept" in one]
    return [one["chunk"] for one in records if one["kept"] is True and "chunk" in one] if records else None


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or (not isinstance(value, int | float) and not value)


def _is_said(key: str, value: Any, says: str, asked: frozenset[str]) -> bool:
    """Whether a field only repeats the step's sentence or the question."""
    if value is True or isinstance(value, Mapping) or _holds_mappings(value):
        return False
    shown = _shown(value)
    if shown.rstrip(_ASKING) in asked:
        return True
    stands = re.search(rf"(?<!\w){re.escape(shown)}(?!\w)", says) is not None
    return stands and (isinstance(value, str | Sequence) or key.rstrip("s") in says)


_ASKING = " ?？"


def _fields(values: Mapping[str, Any], indent: str, known: _Known) -> Iterator[str]:
    width = max((len(str(key)) for key in values if not _is_large(values[key])), default=0)
    for key, value in values.items():
        if _is_nothing(value):
            continue
        if not _is_large(value):
            yield f"{indent}{str(key).ljust(width)}  {_shown(value)}"
        elif isinstance(value, Mapping):
            yield f"{indent}{key}"
            yield from _mapping(value, indent + _INDENT, known)
        elif _holds_mappings(value):
            yield f"{indent}{key}"
            yield from _records(list(value), indent + _INDENT, known)
        else:
            yield f"{indent}{key}"
            yield from (f"{indent}{_INDENT}{_shown(item)}" for item in value)


def _is_large(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return _holds_mappings(value) or len(_shown(value)) > _LONG


def _holds_mappings(value: Any) -> bool:
    return (
        isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(item, Mapping) for item in value)
    )


def _mapping(values: Mapping[str, Any], indent: str, known: _Known) -> Iterator[str]:
    """A mapping; one of numbers alone in one line, many of them and those that are 0 only counted."""
    if len(values) <= _FEW or not all(_is_number(value) for value in values.values()):
        yield from _fields(values, indent, known)
        return
    zeros = sum(1 for value in values.values() if not value)
    if len(values) - zeros > _FEW:
        yield f"{indent}{len(values)} numbers, {zeros} of them 0 (all of them with --format json)"
        return
    told = ", ".join(f"{key} {_shown(value)}" for key, value in values.items() if value)
    rest = f"{zeros} more are 0" if told else f"all {zeros} are 0"
    yield f"{indent}{told}{'; ' if told else ''}{rest}" if zeros else f"{indent}{told}"


_FEW = 6


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _records(records: Sequence[Any], indent: str, known: _Known) -> Iterator[str]:
    """Records as a table; where one holds records itself each as a block."""
    if not all(isinstance(record, Mapping) for record in records):
        yield from (f"{indent}{_shown(record)}" for record in records)
    elif any(_holds_mappings(value) for record in records for value in record.values()):
        for record in records:
            (key, value), *rest = record.items()
            yield f"{indent}{key} {_shown(value)}"
            yield from _fields(dict(rest), indent + _INDENT, known)
    else:
        yield from (indent + line for line in _table([_row(record, known) for record in records]))


def _table(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Rows below the names of their columns; the source of a chunk is left out where the lines would be too long."""
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if any(row.get(key) for row in rows)]
    cells = [keys, *([row.get(key, "") for key in keys] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    if sum(widths) > _WIDEST and _SOURCE in keys:
        yield from _table([{key: cell for key, cell in row.items() if key != _SOURCE} for row in rows])
    else:
        yield from (_aligned(row, widths) for row in cells)


def _row(record: Mapping[str, Any], known: _Known) -> dict[str, str]:
    """The cells of a record; a chunk gets its score and its source where the record does not say them."""
    row = {str(key): _shown(value) for key, value in record.items() if value is not None}
    if "rule" in row and row.get("reason"):
        del row["rule"]
    if row.get("reason") == "kept":
        row["reason"] = ""
    chunk = record.get("chunk")
    if not isinstance(chunk, str):
        return row
    score = {"score": _shown(known.scores[chunk])} if chunk in known.scores and "score" not in row else {}
    source = {_SOURCE: known.source(chunk)} if _SOURCE not in row else {}
    return {"chunk": row.pop("chunk"), **score, **row, **source}


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Columns a terminal needs: two for a wide character."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        if set(value) == {"value", "chunks"}:
            return f"{_shown(value['value'])} [{_shown(value['chunks'])}]"
        return ", ".join(f"{key} {_shown(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_shown(item) for item in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# --- what the requester sees -----------------------------------------------------------------------------------------


def _response(response: Response, steps: Sequence[Mapping[str, Any]], known: _Known) -> Iterator[str]:
    reason = f" ({response.reason_code})" if response.reason_code else ""
    yield f"decision   {response.decision.value}{reason}"
    why = _why(steps) if not response.decision.answers else ""
    if why:
        yield f"why        {why}"
    if response.text:
        yield f"text       {response.text}"
    for claim in response.claims:
        yield from _claim(claim, known)
    for conflict in response.conflicts:
        yield f"conflict   {conflict.key or ''}"
        for side in conflict.sides:
            yield f"{_INDENT}{side.value} [{', '.join(side.chunks)}]"
    for source in response.sources:
        if source.url:
            yield f"source     [{source.marker}] {source.url}" if source.marker else f"source     {source.url}"
    if response.missing:
        yield f"missing    {', '.join(response.missing)}"
    if response.next_step:
        yield f"next step  {response.next_step}"


def _why(steps: Sequence[Mapping[str, Any]]) -> str:
    """What the last step before delivery said: there it was decided that nothing is answered."""
    for step in reversed(steps):
        if step.get("says") and step.get("name") != "deliver":
            return f"{step.get('name', 'step')}: {step['says']}"
    return ""


def _claim(claim: Claim, known: _Known) -> Iterator[str]:
    yield f"claim      {claim.text} [{', '.join(claim.cited)}]"
    for quote, chunks in claim.quotes:
        sources = "; ".join(dict.fromkeys(source for chunk in chunks if (source := known.source(chunk))))
        yield f"{_INDENT}quote  {quote!r}{f' ({sources})' if sources else ''}"
