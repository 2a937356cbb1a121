"""The corpus as values: chunks, requesters, and what may be read, is in force and applies.

Three questions are answered here and nowhere else: may this requester *read* a chunk (tenant and groups), is it *in
force* on a day (dates, status, supersession over what the requester may read), does it *apply* to the requester
(audience and scope; never a permission). Reading and writing files is left to `pytest_grounded.corpus`.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pytest_grounded.model.vocabulary import Status

__all__ = ["ANONYMOUS", "EVERYONE", "Chunk", "Corpus", "CorpusView", "Fact", "IsoDate", "Requester", "Window"]

EVERYONE = "*"


def _iso_date(value: object) -> object:
    """Accept a date or `YYYY-MM-DD`; pydantic alone would read digits as seconds since 1970."""
    if value is None or type(value) is date:
        return value
    if isinstance(value, str) and len(value) == len("2024-07-01") and value[4] == value[7] == "-":
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("needs a date as YYYY-MM-DD")


def _listed(value: object) -> object:
    """Read one text as a list of one."""
    return (value,) if isinstance(value, str) else value


IsoDate = Annotated[date, BeforeValidator(_iso_date)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Fact(_Frozen):
    """A value that a chunk states for a key, both as text."""

    key: str = Field(description="Name of the fact, the same in every chunk that states it.", examples=["hotel-limit"])
    value: str = Field(
        description="The value, as text; compared by value where it is a number, date or amount.", examples=["$180"]
    )


class Requester(_Frozen):
    """Who asks. Without groups only what everyone may read is readable.

    >>> Requester(id="ann", groups=("staff",), audience="employee").audience
    ('employee',)
    """

    id: str = Field(default="", description="Name of the requester; default: its name in the case file.")
    tenant: str | None = Field(default=None, description="Tenant the requester belongs to.")
    audience: Texts = Field(default=(), description="Roles the requester has, for applicability only.")
    groups: Texts = Field(default=(), description="Groups that decide what the requester may read.")
    scope: Mapping[str, str] = Field(default_factory=dict, description="Free key/value such as region: EU.")


ANONYMOUS = Requester(id="anonymous")


class Chunk(_Frozen):
    """A stored unit of evidence with what decides whether it may be relied on.

    >>> Chunk(id="c1", text="The limit is $180.", readers=("*",)).status.value
    'current'
    """

    id: str = Field(
        min_length=1, description="Stable id, unique in the corpus.", examples=["travel-policy@v3#hotel-standard"]
    )
    text: str = Field(description="The words that may be quoted.", examples=["The nightly hotel limit is $180."])
    document: str | None = Field(
        default=None, description="Id of the document the chunk is part of.", examples=["travel-policy"]
    )
    version: str | None = Field(default=None, description="Version label; labels are never ordered.", examples=["v3"])
    title: str | None = Field(default=None, description="Title of the document or section.", examples=["Hotels"])
    locator: str | None = Field(
        default=None, description="Page, section or row where the text stands.", examples=["section 4.2"]
    )
    url: str | None = Field(
        default=None,
        description="Link the application may render.",
        examples=["https://intranet.example/travel#hotels"],
    )
    effective_from: IsoDate | None = Field(
        default=None, description="First day it holds; null: always has.", examples=["2024-07-01"]
    )
    effective_to: IsoDate | None = Field(
        default=None, description="Last day it holds; null: no end stated.", examples=["2024-06-30"]
    )
    ingested_at: IsoDate | None = Field(
        default=None, description="Day the system learned of it; null: always known.", examples=["2024-07-03"]
    )
    status: Status = Field(
        default=Status.CURRENT,
        description="current; superseded: until effective_to or a successor, else never; "
        "withdrawn: until effective_to, else never.",
        examples=["superseded"],
    )
    supersedes: Texts = Field(
        default=(), description="Ids of the chunks this one replaces.", examples=[["travel-policy@v2#hotel-standard"]]
    )
    readers: Texts = Field(
        default=(),
        description='Groups that may read it; "*" is everyone, empty is nobody.',
        examples=[["staff", "audit"]],
    )
    tenant: str | None = Field(default=None, description="Tenant it belongs to; null: all tenants.", examples=["acme"])
    audience: Texts = Field(
        default=(), description="Whom it applies to; empty: everyone. Never a permission.", examples=[["employee"]]
    )
    scope: Mapping[str, str] = Field(
        default_factory=dict, description="What it applies to, such as region: EU.", examples=[{"region": "EU"}]
    )
    authority: int = Field(default=0, description="Rank of the source type; higher wins.", examples=[10])
    facts: tuple[Fact, ...] = Field(
        default=(), description="Facts the chunk states.", examples=[[{"key": "hotel-limit", "value": "$180"}]]
    )
    lang: str | None = Field(
        default=None, description="Language tag, possibly with region: en, tr, de-CH.", examples=["de-CH"]
    )
    kind: Literal["text", "table"] = Field(default="text", description="text or table.", examples=["table"])

    @cached_property
    def content_hash(self) -> str:
        """`sha256:` over the canonical JSON of every field that is not at its default."""
        data = self.model_dump(mode="json", exclude_defaults=True)
        canonical = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other fields, and with the hash of those.

        >>> chunk = Chunk(id="c", text="t")
        >>> chunk.content_hash == chunk.model_copy(update={"text": "other"}).content_hash
        False
        """
        copied = super().model_copy(update=update, deep=deep)
        vars(copied).pop("content_hash", None)
        return copied

    def readable_by(self, requester: Requester) -> bool:
        """Whether the requester may read it: the tenants agree and a group of theirs is among the readers.

        >>> Chunk(id="c", text="t", readers=("board",)).readable_by(ANONYMOUS)
        False
        """
        if self.tenant is not None and self.tenant != requester.tenant:
            return False
        return EVERYONE in self.readers or not set(self.readers).isdisjoint(requester.groups)

    def applies_to(self, requester: Requester) -> bool:
        """Whether it speaks about the requester, judged on what the requester states about themselves.

        An audience or a scope value that the requester does not state excludes nothing.

        >>> Chunk(id="c", text="t", audience=("contractor",)).applies_to(Requester(audience="employee"))
        False
        """
        if self.audience and requester.audience and set(self.audience).isdisjoint(requester.audience):
            return False
        return all(requester.scope.get(key, value) == value for key, value in self.scope.items())

    def __repr__(self) -> str:
        return f"Chunk(id={self.id!r}, {len(self.text)} characters)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class Window:
    """The days on which a chunk is in force, both ends included; None is open. `never` is in force on no day."""

    start: date | None = None
    end: date | None = None
    never: bool = False

    def holds(self, day: date) -> bool:
        """Whether the chunk is in force on `day`."""
        if self.never:
            return False
        return (self.start is None or self.start <= day) and (self.end is None or day <= self.end)


class Corpus:
    """A named, ordered, immutable set of chunks.

    >>> corpus = Corpus(name="travel", chunks=[Chunk(id="c1", text="Hotels cost at most $180.", readers=("*",))])
    >>> len(corpus), "c1" in corpus
    (1, True)
    """

    def __init__(
        self,
        *,
        name: str,
        chunks: Iterable[Chunk],
        revision: str | None = None,
        as_of: date | None = None,
        source: str | None = None,
    ) -> None:
        self.name = name
        self.revision = revision
        self.as_of = as_of
        self.source = source
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._views: dict[tuple[str, date], CorpusView] = {}

    def __len__(self) -> int:
        return len(self._chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks.values())

    def __contains__(self, chunk_id: object) -> bool:
        return chunk_id in self._chunks

    def __getitem__(self, chunk_id: str) -> Chunk:
        return self._chunks[chunk_id]

    def get(self, chunk_id: str) -> Chunk | None:
        """The chunk with this id, or None."""
        return self._chunks.get(chunk_id)

    def __repr__(self) -> str:
        return f"Corpus(name={self.name!r}, {len(self)} chunks)"

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.name, tuple(self), self.revision, self.as_of, self.source))

    @property
    def ids(self) -> tuple[str, ...]:
        """Every chunk id, in corpus order."""
        return tuple(self._chunks)

    @cached_property
    def digest(self) -> str:
        """`sha256:` over the content hashes in order of id: independent of the order of the chunks."""
        lines = (f"{chunk_id} {self._chunks[chunk_id].content_hash}\n" for chunk_id in sorted(self._chunks))
        return "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()

    def keep(self, chunk_ids: Iterable[str]) -> Corpus:
        """The same corpus with only these chunks, in the same order."""
        wanted = set(chunk_ids)
        kept = (chunk for chunk in self if chunk.id in wanted)
        return Corpus(name=self.name, chunks=kept, revision=self.revision, as_of=self.as_of, source=self.source)

    def known_at(self, as_of: date) -> Corpus:
        """The corpus as the system knew it on that day: chunks ingested later are absent."""
        if all(chunk.ingested_at is None or chunk.ingested_at <= as_of for chunk in self):
            return self
        return self.keep(chunk.id for chunk in self if chunk.ingested_at is None or chunk.ingested_at <= as_of)

    def readable_by(self, requester: Requester) -> Corpus:
        """The corpus reduced to what the requester may read."""
        return self.keep(chunk.id for chunk in self if chunk.readable_by(requester))

    def view(self, requester: Requester, as_of: date) -> CorpusView:
        """What this requester may read, rely on and be told of on that day; kept per requester and day."""
        key = (requester.model_dump_json(), as_of)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = CorpusView(self, requester, as_of)
        return view


def _rebuild(
    name: str, chunks: tuple[Chunk, ...], revision: str | None, as_of: date | None, source: str | None
) -> Corpus:
    return Corpus(name=name, chunks=chunks, revision=revision, as_of=as_of, source=source)


class CorpusView:
    """A corpus seen by one requester on one day.

    `present` are the chunks known to the system by then; everything else here is about those, except `alias`, which
    names any chunk of the corpus that the requester may not read.
    """

    def __init__(self, corpus: Corpus, requester: Requester, as_of: date) -> None:
        self.corpus = corpus
        self.requester = requester
        self.as_of = as_of

    @cached_property
    def present(self) -> Corpus:
        """The corpus handed to the system: chunks ingested after the day are absent."""
        return self.corpus.known_at(self.as_of)

    @cached_property
    def readable(self) -> Mapping[str, Chunk]:
        """The present chunks this requester may read, by id."""
        return {chunk.id: chunk for chunk in self.present if chunk.readable_by(self.requester)}

    @cached_property
    def readable_corpus(self) -> Corpus:
        """The present corpus reduced to what the requester may read: all that a careful system ever looks at."""
        return self.present.keep(self.readable)

    @cached_property
    def unreadable(self) -> tuple[Chunk, ...]:
        """Every chunk of the whole corpus this requester may not read, in order of id."""
        hidden = (chunk for chunk in self.corpus if not chunk.readable_by(self.requester))
        return tuple(sorted(hidden, key=lambda chunk: chunk.id))

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Chunk id -> `restricted-<n>` for every chunk this requester may not read."""
        return {chunk.id: f"restricted-{rank}" for rank, chunk in enumerate(self.unreadable, start=1)}

    def name_of(self, chunk_id: str) -> str:
        """The id as it may be shown to or about this requester: the alias where they may not read the chunk."""
        return self.aliases.get(chunk_id, chunk_id)

    @cached_property
    def _successors(self) -> Mapping[str, tuple[Chunk, ...]]:
        """Chunk id -> the readable chunks whose `supersedes` names it."""
        found: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in self.readable.values():
            for replaced in chunk.supersedes:
                if replaced != chunk.id:
                    found[replaced].append(chunk)
        return {replaced: tuple(chunks) for replaced, chunks in found.items()}

    @cached_property
    def _by_document_fact(self) -> Mapping[tuple[str, str], tuple[Chunk, ...]]:
        found: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
        for chunk in self.readable.values():
            if chunk.document is not None:
                for key in {fact.key for fact in chunk.facts}:
                    found[chunk.document, key].append(chunk)
        return {key: tuple(chunks) for key, chunks in found.items()}

    def successors(self, chunk: Chunk) -> tuple[Chunk, ...]:
        """What replaces a chunk, among the readable: those that name it, else later ones of its document and fact."""
        named = self._successors.get(chunk.id, ())
        if named or chunk.document is None or chunk.effective_from is None:
            return named
        later = {
            other.id: other
            for fact in chunk.facts
            for other in self._by_document_fact.get((chunk.document, fact.key), ())
            if other.effective_from is not None and other.effective_from > chunk.effective_from
        }
        return tuple(later[chunk_id] for chunk_id in sorted(later))

    def window(self, chunk: Chunk) -> Window:
        """The days on which a chunk is in force for this requester (an unreadable successor does not show through)."""
        if chunk.status is Status.WITHDRAWN and chunk.effective_to is None:
            return Window(never=True)
        end = chunk.effective_to
        superseded = chunk.status is Status.SUPERSEDED or chunk.id in self._successors
        if end is None and superseded:
            starts = [other.effective_from for other in self.successors(chunk)]
            if not starts or None in starts:
                return Window(never=True)
            end = min(start for start in starts if start is not None) - timedelta(days=1)
        if end is not None and chunk.effective_from is not None and end < chunk.effective_from:
            return Window(never=True)
        return Window(start=chunk.effective_from, end=end)

    @cached_property
    def _in_force(self) -> Mapping[str, bool]:
        return {chunk.id: self.window(chunk).holds(self.as_of) for chunk in self.present}

    def is_readable(self, chunk_id: str) -> bool:
        """Whether the chunk is present and the requester may read it."""
        return chunk_id in self.readable

    def in_force(self, chunk_id: str) -> bool:
        """Whether the chunk is present and in force on the day."""
        return self._in_force.get(chunk_id, False)

    def applies(self, chunk_id: str) -> bool:
        """Whether the chunk is present and applies to the requester."""
        return chunk_id in self.present and self.present[chunk_id].applies_to(self.requester)

    def usable(self, chunk_id: str) -> bool:
        """Whether an answer may rely on the chunk: readable, in force and applicable."""
        return chunk_id in self._usable

    @cached_property
    def _usable(self) -> frozenset[str]:
        return frozenset(chunk.id for chunk in self.usable_chunks)

    @cached_property
    def usable_chunks(self) -> tuple[Chunk, ...]:
        """The chunks an answer may rely on, in corpus order."""
        found = self.readable.values()
        return tuple(chunk for chunk in found if self.in_force(chunk.id) and chunk.applies_to(self.requester))
