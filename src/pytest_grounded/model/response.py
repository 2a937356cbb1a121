"""What a system returns, read leniently where its meaning is plain and strictly where it is not.

Everything outside `internal` is what the requester can see. Keys that are not in the table are kept: they count as
visible. A wrong type is an error of the system, reported by whoever calls `Response.model_validate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from pytest_grounded.model.vocabulary import Decision

__all__ = [
    "Action",
    "Candidate",
    "Citation",
    "Claim",
    "Conflict",
    "ConflictSide",
    "Derivation",
    "Internal",
    "Json",
    "Operand",
    "RenderedMarker",
    "Response",
    "ShownSource",
    "StreamPiece",
    "SystemErrorInfo",
]

Json = Mapping[str, Any]


def _none_is_empty(value: object) -> object:
    return () if value is None else value


def _none_is_text(value: object) -> object:
    return "" if value is None else value


def _as_marker(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_none_is_text)]
Marker = Annotated[str | None, BeforeValidator(_as_marker)]


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Scalar = Annotated[str, BeforeValidator(_as_text)]


def _rename(data: object, renames: Mapping[str, str]) -> object:
    """Read short forms of keys; the full key wins where both are there."""
    if not isinstance(data, Mapping):
        return data
    out = dict(data)
    for short, full in renames.items():
        if short in out and full not in out:
            out[full] = out.pop(short)
    return out


_ID = re.compile(r"[\w.:@#/+-]{1,120}")
_NAMING = frozenset({"chunk", "chunks", "evidence", "marker"})


def _told(key: str, value: object) -> object:
    """What may be told of a field: ids and closed values as they are, of texts the length alone."""
    if isinstance(value, StrEnum | bool | BaseModel) or value is None:
        return value
    if isinstance(value, str):
        return value if key in _NAMING and _ID.fullmatch(value) else _Told(f"<{len(value)} characters>")
    if isinstance(value, tuple):
        return tuple(_told(key, item) for item in value)
    if isinstance(value, int | float):
        return _Told("<a number>")
    return _Told(f"<{len(value)} keys>") if isinstance(value, Mapping) else _Told(f"<{type(value).__name__}>")


class _Told(str):
    """Shown without quote marks."""

    __slots__ = ()
    __repr__ = str.__str__


class _Quiet(BaseModel):
    """Shows ids and lengths in its `repr`, never a text: it is printed wherever a test fails."""

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for key in type(self).model_fields:
            value = getattr(self, key)
            if value is not None and value not in ("", (), {}):
                yield key, _told(key, value)
        if self.model_extra:
            yield None, _Told(f"{len(self.model_extra)} more")

    def __str__(self) -> str:
        return repr(self)


class _Visible(_Quiet):
    model_config = ConfigDict(frozen=True, extra="allow")

    @property
    def others(self) -> Json:
        """Keys that are not in the table, as they came."""
        return self.model_extra or {}


class Citation(_Visible):
    """A pointer from a claim to a chunk; `quote` are words said to stand in it."""

    chunk: str
    quote: str | None = None
    marker: Marker = None
    version: str | None = None
    locator: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare_id(cls, data: object) -> object:
        return {"chunk": data} if isinstance(data, str) else data


class Operand(_Visible):
    """One value that goes into a derivation, and the chunk it was read from."""

    value: Scalar
    unit: str | None = None
    chunk: str | None = None


class Derivation(_Visible):
    """How a value was computed from cited values: `sum`, `difference`, `product`, `ratio`, ..."""

    operation: str
    operands: Annotated[tuple[Operand, ...], BeforeValidator(_none_is_empty)] = ()


class Claim(_Visible):
    """One statement with its citations. `quote` is the short form: words that stand in one of the cited chunks.

    >>> Claim.model_validate({"text": "It is $180.", "cites": ["c1"], "quote": "$180"}).citations[0].chunk
    'c1'
    """

    text: Text = ""
    citations: Annotated[tuple[Citation, ...], BeforeValidator(_none_is_empty), BeforeValidator(_listed)] = ()
    quote: str | None = None
    status: Literal["supported", "inferred"] = "supported"
    derivation: Derivation | None = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: object) -> object:
        return _rename(data, {"cites": "citations"})

    @property
    def cited(self) -> tuple[str, ...]:
        """Ids of the cited chunks, each once, in order."""
        return tuple(dict.fromkeys(citation.chunk for citation in self.citations))

    @property
    def quotes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Every quote with the chunks it may stand in: one for a citation's own, all cited ones for the short form."""
        own = tuple((citation.quote, (citation.chunk,)) for citation in self.citations if citation.quote is not None)
        return own if self.quote is None else (*own, (self.quote, self.cited))


class ConflictSide(_Visible):
    """One of the values that sources disagree on, with the chunks that state it."""

    value: Scalar
    chunks: Annotated[tuple[str, ...], BeforeValidator(_none_is_empty), BeforeValidator(_listed)] = ()

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: object) -> object:
        return _rename(data, {"cites": "chunks"})


class Conflict(_Visible):
    """A disagreement shown to the requester."""

    key: str | None = None
    sides: Annotated[tuple[ConflictSide, ...], BeforeValidator(_none_is_empty)] = ()


class ShownSource(_Visible):
    """An entry of the list of sources shown."""

    chunk: str | None = None
    title: str | None = None
    url: str | None = None
    marker: Marker = None


class RenderedMarker(_Visible):
    """What a shown marker opens."""

    marker: Marker = None
    chunk: str | None = None


class StreamPiece(_Visible):
    """A piece of text in the order it was shown; `verified` is None where the system does not say."""

    text: str
    verified: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare_text(cls, data: object) -> object:
        return {"text": data} if isinstance(data, str) else data


class Action(_Visible):
    """What the application would execute."""

    name: str
    arguments: Annotated[Json, BeforeValidator(lambda v: {} if v is None else v)] = Field(default_factory=dict)
    authorized: bool | None = None


class SystemErrorInfo(_Visible):
    """An error shown to the requester."""

    kind: str | None = None
    status: int | str | None = None


class Candidate(_Visible):
    """A chunk that retrieval proposed, and what became of it."""

    chunk: str
    score: float | None = None
    kept: bool | None = None
    reason: str | None = None


class Internal(_Quiet):
    """What the requester cannot see. A list that is None was not observed; an empty one is known to be empty."""

    model_config = ConfigDict(frozen=True, extra="allow")

    reason_code: str | None = None
    evidence: tuple[str, ...] | None = None
    candidates: tuple[Candidate, ...] | None = None
    prompt: Annotated[tuple[str, ...] | None, BeforeValidator(_listed)] = None
    support: tuple[Json, ...] | None = None
    steps: tuple[Json, ...] | None = None
    raw: Any = None
    usage: Json | None = None
    timings: Json | None = None
    cache: Json | None = None
    versions: Json | None = None


class Response(_Visible):
    """A system's reply. Only `decision` is required. Its `repr` shows ids and lengths.

    >>> Response.model_validate({"decision": "answer", "claims": [{"text": "It is $180.", "cites": ["c1"]}]}).claims
    (Claim(text=<11 characters>, citations=(Citation(chunk='c1'),), status=<9 characters>),)
    >>> Response.model_validate({"decision": "abstain", "reason": "NO_EVIDENCE", "evidence": []}).internal.evidence
    ()
    """

    decision: Decision
    reason_code: str | None = None
    text: Text = ""
    claims: Annotated[tuple[Claim, ...], BeforeValidator(_none_is_empty)] = ()
    conflicts: Annotated[tuple[Conflict, ...], BeforeValidator(_none_is_empty)] = ()
    missing: Annotated[tuple[str, ...], BeforeValidator(_none_is_empty), BeforeValidator(_listed)] = ()
    next_step: str | None = None
    followups: Annotated[tuple[str, ...], BeforeValidator(_none_is_empty), BeforeValidator(_listed)] = ()
    sources: Annotated[tuple[ShownSource, ...], BeforeValidator(_none_is_empty)] = ()
    rendered: Annotated[tuple[RenderedMarker, ...], BeforeValidator(_none_is_empty)] = ()
    delivery: Literal["generated", "extractive"] | None = None
    confidence: float | None = None
    stream: Annotated[tuple[StreamPiece, ...], BeforeValidator(_none_is_empty)] = ()
    actions: Annotated[tuple[Action, ...], BeforeValidator(_none_is_empty)] = ()
    error: SystemErrorInfo | None = None
    internal: Annotated[Internal, BeforeValidator(lambda v: {} if v is None else v)] = Field(default_factory=Internal)

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: object) -> object:
        data = _rename(data, {"reason": "reason_code"})
        if isinstance(data, dict) and "evidence" in data:
            evidence = data.pop("evidence")
            internal = data.get("internal") or {}
            if isinstance(internal, Mapping) and internal.get("evidence") is None:
                data["internal"] = {**internal, "evidence": evidence}
        return data

    @property
    def cited(self) -> tuple[str, ...]:
        """Ids of every chunk that a claim cites, each once, in order."""
        return tuple(dict.fromkeys(chunk for claim in self.claims for chunk in claim.cited))

    def visible(self) -> Json:
        """The part the requester can see, as plain JSON values, unknown keys included."""
        return self.model_dump(mode="json", exclude={"internal"})
