"""What a person sees who opens a citation, later than the answer and perhaps after the source has changed.

Everything comes from the application's own records as they are on the day of opening; nothing a generator wrote is
followed. The words that were quoted are looked for anew, a newer version is said, withdrawn text is never shown, and
what may not be read looks like what does not exist. An audit with rights of its own reads an earlier revision of the
corpus instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Citation
from pytest_grounded.model.vocabulary import Status
from pytest_grounded.pipeline.evidence import Span
from pytest_grounded.pipeline.passages import passages
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.text.quotes import locate_quote

__all__ = ["Notice", "NoticeKind", "Opened", "OpenedAs", "open_citation", "safe_url"]


class OpenedAs(StrEnum):
    """What became of opening a citation."""

    SHOWN = "shown"
    WITHDRAWN = "withdrawn"
    NOT_AVAILABLE = "not_available"


class NoticeKind(StrEnum):
    """What a reader has to know beside the text."""

    NEWER_VERSION = "newer_version"
    NOT_IN_FORCE = "not_in_force"
    OTHER_VERSION = "other_version"
    VERSION_UNKNOWN = "version_unknown"
    QUOTE_GONE = "quote_gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice for programs and for people; `chunks` are what it speaks of, such as the newer version."""

    kind: NoticeKind
    text: str
    chunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A source as it is opened. `spans` are the quoted words in `text`; `context` is the headings they stand under.

    Withdrawn and unavailable sources have neither text nor link.
    """

    chunk: str
    state: OpenedAs
    title: str | None = None
    version: str | None = None
    locator: str | None = None
    url: str | None = None
    text: str = ""
    spans: tuple[Span, ...] = ()
    context: str = ""
    notices: tuple[Notice, ...] = ()


def open_citation(citation: Citation, readable: Readable) -> Opened:
    r"""Open a citation for a requester on a day: `readable` is what `permit` gives for the request to open it.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus
    >>> chunk = Chunk(id="c", text="# Hotels\n\nThe limit is $180.", version="v3", locator="2.1", readers=("*",))
    >>> corpus = Corpus(name="travel", chunks=[chunk])
    >>> readable = Readable(corpus=corpus, requester=ANONYMOUS, as_of=date(2024, 10, 1))
    >>> opened = open_citation(Citation(chunk="c", quote="limit is $180"), readable)
    >>> opened.locator, [opened.text[start:end] for start, end in opened.spans], opened.context, opened.notices
    ('2.1', ['limit is $180'], 'Hotels', ())
    >>> open_citation(Citation(chunk="somewhere else"), readable).state.value
    'not_available'
    """
    chunk = readable.corpus.get(citation.chunk)
    if chunk is None:
        return Opened(chunk=citation.chunk, state=OpenedAs.NOT_AVAILABLE)
    newer = tuple(_newer(chunk, readable))
    if chunk.status is Status.WITHDRAWN and not readable.view.in_force(chunk.id):
        return Opened(
            chunk=chunk.id,
            state=OpenedAs.WITHDRAWN,
            title=_title(chunk),
            version=chunk.version,
            notices=newer,
        )
    spans = locate_quote(citation.quote, chunk.text, lang=chunk.lang) if citation.quote else ()
    return Opened(
        chunk=chunk.id,
        state=OpenedAs.SHOWN,
        title=_title(chunk),
        version=chunk.version,
        locator=chunk.locator,
        url=safe_url(chunk),
        text=chunk.text,
        spans=spans,
        context=_context(chunk, spans),
        notices=(*newer, *_about_versions(citation, chunk, readable), *_about_quote(citation, spans)),
    )


_SAFE_SCHEMES = frozenset({"http", "https", "mailto", ""})


def safe_url(chunk: Chunk) -> str | None:
    """The link the application knows for a chunk, unless a browser would run it.

    >>> safe_url(Chunk(id="c", text="t", url="https://example.org/a")), safe_url(Chunk(id="c", text="t", url="data:,x"))
    ('https://example.org/a', None)
    """
    try:
        safe = chunk.url is not None and urlsplit(chunk.url).scheme.casefold() in _SAFE_SCHEMES
    except ValueError:
        return None
    return chunk.url if safe else None


def _title(chunk: Chunk) -> str | None:
    return chunk.title or chunk.document


def _newer(chunk: Chunk, readable: Readable) -> Iterator[Notice]:
    """What replaces a chunk by the day of opening, as far as the requester may read it."""
    view = readable.view
    found = [other for other in view.successors(chunk) if view.in_force(other.id)]
    if found:
        named = ", ".join(_named(other) for other in found)
        text = f"a newer version is in force: {named}"
        yield Notice(kind=NoticeKind.NEWER_VERSION, text=text, chunks=tuple(other.id for other in found))


def _named(chunk: Chunk) -> str:
    since = f", since {chunk.effective_from}" if chunk.effective_from else ""
    return f"{chunk.version or _title(chunk) or chunk.id}{since}"


def _about_versions(citation: Citation, chunk: Chunk, readable: Readable) -> Iterator[Notice]:
    if not readable.view.in_force(chunk.id):
        future = chunk.effective_from is not None and readable.as_of < chunk.effective_from
        day = f"only from {chunk.effective_from}" if future else f"not on {readable.as_of}"
        yield Notice(kind=NoticeKind.NOT_IN_FORCE, text=f"this text is in force {day}")
    if citation.version is not None and chunk.version is not None and citation.version != chunk.version:
        text = f"cited was version {citation.version}, shown is {chunk.version}"
        yield Notice(kind=NoticeKind.OTHER_VERSION, text=text)
    if chunk.version is None:
        yield Notice(kind=NoticeKind.VERSION_UNKNOWN, text="the version of this source is not known")


def _about_quote(citation: Citation, spans: tuple[Span, ...]) -> Iterator[Notice]:
    if citation.quote and not spans:
        yield Notice(kind=NoticeKind.QUOTE_GONE, text="the quoted words no longer stand in this text")


def _context(chunk: Chunk, spans: tuple[Span, ...]) -> str:
    """Headings, and the header of a table, above the first quoted words."""
    if not spans:
        return ""
    at = spans[0][0]
    found = (one.context for one in passages(chunk.text, chunk.kind) if one.start <= at < one.end)
    return next(found, "")
