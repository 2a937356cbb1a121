"""How the revisions of the handbook's pages become the chunks of `cases/handbook/chunks.jsonl`.

Reads `page_versions.jsonl` beside this file and nothing else, so that the same data give the same bytes:

    python tests/data/handbook18f/make_chunks.py            # write the chunks
    python tests/data/handbook18f/make_chunks.py --check    # exit 1 where the written chunks are not these

A chunk is the text below one heading up to the next, cut at blank lines where it is long; its text is a contiguous
slice of the page. Text that did not change from one revision to the next is one chunk with one longer window.
What is ours and not the handbook's, readers and facts, stands in `READERS` and `FACTS`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGES = HERE / "page_versions.jsonl"
CHUNKS = HERE.parents[2] / "cases" / "handbook" / "chunks.jsonl"

LONGEST_PART = 2_000
LONGEST_SLUG = 48

READERS: Mapping[str, tuple[str, ...]] = {
    "faq#who-is-my-authorizing-official-and-what-is-my": ("travel-approvers",),
    "faq#how-do-i-amend-my-voucher-after-it-is-approved": ("travel-approvers",),
    "faq#how-can-i-get-reimbursed-for-professional": ("supervisors",),
    "amended-authorizations#amended-authorizations-and-re-approvals": ("travel-approvers",),
}
"""Sections that only some may read, so that the suite has restricted cases; everyone may read the others."""

FACTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "faq@2023-03-08#simple-expenses": (("transit_of_25_dollars_or_less", "can be entered as-is"),),
    "faq@2023-03-08#expenses-requiring-further-justification": (
        ("transit_of_25_dollars_or_less", "do require brief descriptions"),
    ),
    "amended-authorizations@2023-03-08#amended-authorizations-and-re-approvals.1": (
        ("rental_car_over_authorized_amount", "not more than $10"),
    ),
    "amended-authorizations@2023-03-08#amended-authorizations-and-re-approvals.2": (
        ("rental_car_over_authorized_amount", "$10 or more"),
    ),
}
"""Facts that chunks state, by chunk id: labels put on where two sections speak of the same thing."""

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(.+)$", re.MULTILINE)
BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
PAGE_PREFIX = re.compile(r"^travel-guide-(?:\w-)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The text below one heading of one revision, in parts of a readable size."""

    slug: str
    title: str
    locator: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A page as it stood from one day on: its sections by slug."""

    commit: str
    effective: date
    sections: Mapping[str, Section]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A part of a section and the revisions, first and last by index, in which its text stood unchanged."""

    slug: str
    number: int
    text: str
    first: int
    last: int


def main(arguments: Sequence[str]) -> int:
    """Write the chunks, or compare them with the written ones."""
    built = "".join(json.dumps(chunk, ensure_ascii=False) + "\n" for chunk in all_chunks())
    if "--check" in arguments:
        return int(CHUNKS.read_text(encoding="utf-8") != built)
    CHUNKS.write_text(built, encoding="utf-8", newline="\n")
    return 0


def all_chunks() -> Iterator[dict[str, Any]]:
    """The chunks of every page, in the order in which their text first stood there."""
    with PAGES.open(encoding="utf-8") as lines:
        rows = sorted(map(json.loads, lines), key=lambda row: (row["page"], row["effective"]))
    for page, versions in groupby(rows, key=lambda row: row["page"]):
        yield from page_chunks(page.removesuffix(".md"), [_revision(row) for row in versions])


def _revision(row: Mapping[str, Any]) -> Revision:
    sections = {section.slug: section for section in sections_of(row["text"])}
    return Revision(commit=row["commit"], effective=date.fromisoformat(row["effective"]), sections=sections)


def sections_of(page: str) -> Iterator[Section]:
    """The sections of a page that have text of their own; what stands before the first heading is navigation."""
    text = FRONT_MATTER.sub("", page)
    headings = list(HEADING.finditer(text))
    trail: list[tuple[int, str]] = []
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        level, title = len(heading[1]), heading[2].strip().replace("\\*", "")
        trail = [(depth, name) for depth, name in trail if depth < level]
        trail.append((level, title))
        body = text[heading.end() : following.start() if following else len(text)].strip()
        if body:
            locator = " > ".join(name for _, name in trail)
            yield Section(slug=_slug(title), title=title, locator=locator, parts=tuple(_cut(body)))


def _slug(title: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return slug if len(slug) <= LONGEST_SLUG else slug[: LONGEST_SLUG + 1].rpartition("-")[0]


def _cut(body: str) -> Iterator[str]:
    """Cut at the blank lines, each part as long as it may be; a longer paragraph stays whole."""
    start = end = 0
    for blank in [*BLANK_LINES.finditer(body), None]:
        stop = blank.start() if blank else len(body)
        if stop - start > LONGEST_PART and end > start:
            yield body[start:end].strip()
            start = end
        end = stop
    yield body[start:].strip()


def page_chunks(page: str, history: Sequence[Revision]) -> Iterator[dict[str, Any]]:
    """The chunks of one page, given its revisions in order of their days."""
    spans = list(_spans(history))
    ids = {span: _chunk_id(page, span, history) for span in spans}
    for span in spans:
        after = history[span.last + 1] if span.last + 1 < len(history) else None
        section = history[span.first].sections[span.slug]
        chunk = {
            "id": ids[span],
            "text": span.text,
            "document": page,
            "version": history[span.first].commit[:8],
            "title": section.title,
            "locator": f"{section.locator} (part {span.number})" if span.number else section.locator,
            "effective_from": history[span.first].effective.isoformat(),
            "effective_to": (after.effective - timedelta(days=1)).isoformat() if after else None,
            "status": _status(span, after),
            "supersedes": [ids[old] for old in spans if old.slug == span.slug and old.last + 1 == span.first],
            "readers": list(READERS.get(f"{_short(page)}#{span.slug}", ("*",))),
            "facts": [{"key": key, "value": value} for key, value in FACTS.get(ids[span], ())],
            "lang": "en-US",
        }
        yield {name: value for name, value in chunk.items() if value not in (None, [])}


def _spans(history: Sequence[Revision]) -> Iterable[Span]:
    found: dict[tuple[str, str, int], Span] = {}
    for index, revision in enumerate(history):
        before = {(span.slug, span.text): span for span in found.values() if span.last == index - 1}
        for section in revision.sections.values():
            for number, text in enumerate(section.parts, 1):
                old = before.get((section.slug, text))
                first = old.first if old else index
                shown = old.number if old else number if len(section.parts) > 1 else 0
                found[section.slug, text, first] = Span(
                    slug=section.slug, number=shown, text=text, first=first, last=index
                )
    return found.values()


def _chunk_id(page: str, span: Span, history: Sequence[Revision]) -> str:
    part = f".{span.number}" if span.number else ""
    return f"{_short(page)}@{history[span.first].effective}#{span.slug}{part}"


def _short(page: str) -> str:
    return PAGE_PREFIX.sub("", page)


def _status(span: Span, after: Revision | None) -> str:
    if after is None:
        return "current"
    return "superseded" if span.slug in after.sections else "withdrawn"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
