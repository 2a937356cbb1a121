"""How the stored proposals become the corpora of `cases/peps`, one for each day an index could have been built.

Reads `peps.jsonl` beside this file and nothing else, so that the same data give the same bytes:

    python tests/data/peps/make_chunks.py            # write the chunks
    python tests/data/peps/make_chunks.py --check    # exit 1 where the written chunks are not these

What holds is derived from the chains of `Replaces` and `Superseded-By`, not from the status words: a proposal is
superseded when one that stands replaces it, whatever its own status says; it never held when it was withdrawn or
rejected, whatever it replaces.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SUITE = HERE.parents[2] / "cases" / "peps"

REVISIONS: Mapping[str, date] = {
    "chunks-2012.jsonl": date(2012, 12, 31),
    "chunks-2019.jsonl": date(2019, 12, 31),
    "chunks.jsonl": date(2026, 8, 1),
}
"""File -> the last day on which a proposal of that revision was created."""

NEVER_HELD = frozenset({"Withdrawn", "Rejected", "Deferred"})
LIVING = "Active"
"""Status of a proposal that is kept up to date: its text is of the newest day, so older revisions do not have it."""

FACTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "pep-314": (("metadata_version", "1.1"),),
    "pep-345": (("metadata_version", "1.2"),),
    "pep-426": (("metadata_version", "2.0"),),
    "pep-566": (("metadata_version", "2.1"),),
    "pep-248": (("database_api_version", "1.0"),),
    "pep-249": (("database_api_version", "2.0"),),
    "pep-422": (("class_creation_hook", "__autodecorate__"),),
    "pep-487": (("class_creation_hook", "__init_subclass__"),),
    "pep-543": (("tls_api_defined_by", "abstract base classes"),),
    "pep-748": (("tls_api_defined_by", "protocol classes"),),
    "pep-611": (("cpython_hard_limit", "8000000"),),
}
"""Facts that chunks state, by chunk id: labels put on where proposals of one chain speak of the same thing."""

HEADING = re.compile(r"^(?P<title>\S.*)\n=+\n", re.MULTILINE)
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
NAMED = re.compile(r":pep:`(?:[^`<]*<)?(\d+)", re.IGNORECASE)
CUT_AT = 2_490
"""A text of at least so many characters was cut where it stands: its last sentence is dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One proposal; a replacement counts whichever of the two names the other."""

    number: int
    title: str
    created: date
    text: str
    replaces: tuple[int, ...]
    replaced_by: tuple[int, ...]
    status: str

    @property
    def never_held(self) -> bool:
        """Whether it was given up or turned down."""
        return self.status in NEVER_HELD


def main(arguments: Sequence[str]) -> int:
    """Write the chunks of every revision, or compare them with the written ones."""
    rows = [json.loads(line) for line in (HERE / "peps.jsonl").read_text(encoding="utf-8").splitlines()]
    proposals = sorted(map(_proposal, rows, [rows] * len(rows)), key=lambda one: one.number)
    wrong = 0
    for name, last_day in REVISIONS.items():
        built = "".join(json.dumps(chunk, ensure_ascii=False) + "\n" for chunk in chunks_of(proposals, last_day))
        if "--check" in arguments:
            wrong += (SUITE / name).read_text(encoding="utf-8") != built
        else:
            (SUITE / name).write_text(built, encoding="utf-8", newline="\n")
    return int(wrong > 0)


def _proposal(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Proposal:
    number = row["pep"]
    replaced = {other["pep"] for other in rows if number in other["superseded_by"]}
    replacing = {other["pep"] for other in rows if number in other["replaces"]}
    return Proposal(
        number=number,
        title=row["title"],
        created=datetime.strptime(row["created"], "%d-%b-%Y").date(),  # noqa: DTZ007 - a day, no time
        text=row["text"],
        replaces=tuple(sorted({*row["replaces"], *replaced})),
        replaced_by=tuple(sorted({*row["superseded_by"], *replacing})),
        status=row["status"],
    )


def chunks_of(proposals: Sequence[Proposal], last_day: date) -> Iterator[dict[str, Any]]:
    """The chunks of one revision: of the proposals there were, each as the others of that day leave it."""
    everything = {one.number: one for one in proposals}
    known = {one.number: one for one in proposals if one.created <= last_day}
    parts = {one.number: tuple(_parts(one)) for one in known.values() if _is_of_its_day(one, everything, last_day)}
    for number, own in parts.items():
        one = known[number]
        replaces = () if one.never_held else one.replaces
        for part_id, locator, text in own:
            chunk = {
                "id": part_id,
                "text": text,
                "document": f"pep-{number}",
                "title": f"PEP {number}: {one.title}",
                "locator": locator,
                "url": f"https://peps.python.org/pep-{number:04}/",
                "effective_from": one.created.isoformat(),
                "status": _status(one, known),
                "supersedes": [old for replaced in replaces for old, _, _ in parts.get(replaced, ())],
                "facts": [{"key": key, "value": value} for key, value in FACTS.get(part_id, ())],
                "lang": "en-US",
            }
            yield {name: value for name, value in chunk.items() if value not in (None, [])}


def _is_of_its_day(one: Proposal, everything: Mapping[int, Proposal], last_day: date) -> bool:
    """Whether a text can have stood so on a day: not where it is kept up to date, or names a later proposal."""
    if one.status == LIVING and last_day < max(REVISIONS.values()):
        return False
    named = (everything.get(int(number)) for number in NAMED.findall(one.text))
    return all(other is None or other.created <= last_day for other in named)


def _status(one: Proposal, known: Mapping[int, Proposal]) -> str:
    """What the chain makes of a proposal; one that is superseded by nobody knows what is so on every day."""
    if one.never_held:
        return "withdrawn"
    standing = [number for number in one.replaced_by if number in known and not known[number].never_held]
    is_superseded = bool(standing) or (one.status == "Superseded" and not one.replaced_by)
    return "superseded" if is_superseded else "current"


def _parts(one: Proposal) -> Iterator[tuple[str, str | None, str]]:
    """Chunk id, section and text: a contiguous slice each, cut at the headings where there are any."""
    text = one.text
    if len(text) >= CUT_AT:
        text = text[: max(match.end() for match in SENTENCE_END.finditer(text))]
    headings = list(HEADING.finditer(text))
    if not headings:
        yield f"pep-{one.number}", None, text.strip()
        return
    starts = [*headings, None]
    for heading, following in pairwise(starts):
        body = text[heading.end() : following.start() if following else len(text)].strip()
        slug = re.sub(r"[^a-z0-9]+", "-", heading["title"].lower()).strip("-")
        yield f"pep-{one.number}#{slug}", heading["title"], body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
