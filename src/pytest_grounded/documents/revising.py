"""Compares the chunks of a corpus with the next edition of its documents, and makes the next revision.

What did not change stays as it is, with everything people wrote on it. A changed passage becomes a chunk of its own
that supersedes the old one, which ends the day before; what is gone is withdrawn from that day. A name or a place may
change while the words stay: that is the same chunk. Who may read a passage is never widened here.
"""

from __future__ import annotations

import difflib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import Status
from pytest_grounded.text.markup import plain_words

__all__ = ["Change", "Revision", "revise"]

_ALIKE = 0.6
"""Share of common words from which a passage under another name is the old one changed, not another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of a passage: `added`, `changed` (`old` is superseded by `new`), `relabelled` or `withdrawn`.

    A relabelled passage kept its words and id; its place or its readers are others.
    """

    kind: Literal["added", "changed", "relabelled", "withdrawn"]
    old: str | None = None
    new: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """All chunks of the next revision, and how it differs from the last."""

    chunks: tuple[Chunk, ...]
    changes: tuple[Change, ...]


@dataclass(slots=True, kw_only=True)
class _Edition:
    """What is known of the new edition while its chunks are made."""

    old: Sequence[Chunk]
    day: date
    revision: str
    stated: frozenset[str]
    taken: set[str]

    def free(self, name: str) -> str:
        """The name, or with a number where a chunk has it already."""
        names = itertools.chain((name,), (f"{name}.{number}" for number in itertools.count(2)))
        made = next(one for one in names if one not in self.taken)
        self.taken.add(made)
        return made


def revise(
    old: Sequence[Chunk],
    new: Sequence[Chunk],
    *,
    day: date,
    revision: str,
    stated_readers: frozenset[str] = frozenset(),
) -> Revision:
    """The next revision of `old`, of which `new` is what the documents hold now.

    `day` is the first day the new words hold where their document does not say; `revision` marks the ids of changed
    passages (`<id>@<revision>`). Chunks without a `document` were split out of none and stay. `stated_readers` are
    documents that say themselves who may read them: that narrows the readers of a passage, and never widens them. Every
    other new passage takes the readers of what it replaces, or those that all chunks of its document have in common.

    >>> page = Chunk(id="p#a", text="The limit is $150.", document="p", readers=("staff",))
    >>> edition = page.model_copy(update={"text": "The limit is $180.", "readers": ("*",)})
    >>> made = revise([page], [edition], day=date(2024, 7, 1), revision="v2")
    >>> [(chunk.id, chunk.readers, str(chunk.effective_to)) for chunk in made.chunks]
    [('p#a', ('staff',), '2024-06-30'), ('p#a@v2', ('staff',), 'None')]
    """
    taken = {chunk.id for chunk in old}
    edition = _Edition(old=old, day=day, revision=revision, stated=stated_readers, taken=taken)
    living = [chunk for chunk in old if chunk.document and chunk.status is Status.CURRENT and not chunk.effective_to]
    pairs = _paired(living, new)
    instead: dict[str, tuple[Chunk, ...]] = {}
    added: list[Chunk] = []
    changes: list[Change] = []
    for chunk in new:
        change: Change | None
        before = pairs.get(chunk.id)
        if before is None:
            made, change = _added(chunk, edition)
            added.append(made)
        elif before.text == chunk.text:
            made, change = _relabelled(before, chunk, edition)
            instead[before.id] = (made,)
        else:
            made, change = _changed(before, chunk, edition)
            instead[before.id] = (_ended(before, made.effective_from or day, Status.SUPERSEDED), made)
        if change is not None:
            changes.append(change)
    kept_on = {before.id for before in pairs.values()}
    for chunk in living:
        if chunk.id not in kept_on:
            instead[chunk.id] = (_ended(chunk, day, Status.WITHDRAWN),)
            changes.append(Change(kind="withdrawn", old=chunk.id))
    kept = [one for chunk in old for one in instead.get(chunk.id, (chunk,))]
    return Revision(chunks=(*kept, *added), changes=tuple(changes))


def _paired(old: Sequence[Chunk], new: Sequence[Chunk]) -> Mapping[str, Chunk]:
    """The old chunk of each new one, by new id: of the same name, else of the same words, else of much alike words."""
    pairs: dict[str, Chunk] = {}
    left_old, left_new = {chunk.id: chunk for chunk in old}, {chunk.id: chunk for chunk in new}

    def pair(found: Iterable[tuple[Chunk, Chunk]]) -> None:
        for before, after in found:
            if before.id in left_old and after.id in left_new:
                pairs[after.id] = left_old.pop(before.id)
                del left_new[after.id]

    by_name = {_base(chunk.id): chunk for chunk in old}
    pair((by_name[one.id], one) for one in new if one.id in by_name and by_name[one.id].text == one.text)
    by_words: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in left_old.values():
        by_words[chunk.text].append(chunk)
    pair((by_words[one.text][0], one) for one in list(left_new.values()) if by_words.get(one.text))
    pair((by_name[one.id], one) for one in list(left_new.values()) if one.id in by_name)
    pair(_alike([*left_old.values()], [*left_new.values()]))
    return pairs


def _base(chunk_id: str) -> str:
    """The name of a passage without the mark of the revision that changed it."""
    return chunk_id.rsplit("@", 1)[0] if "@" in chunk_id.rsplit("#", 1)[-1] else chunk_id


def _alike(old: Sequence[Chunk], new: Sequence[Chunk]) -> Iterator[tuple[Chunk, Chunk]]:
    """Pairs within a document whose words are much alike, the closest first."""
    found: list[tuple[float, str, str, Chunk, Chunk]] = []
    for after in new:
        words = plain_words(after.text, lang=after.lang).split()
        for before in old:
            if before.document != after.document:
                continue
            matcher = difflib.SequenceMatcher(
                None, plain_words(before.text, lang=before.lang).split(), words, autojunk=False
            )
            if (
                matcher.real_quick_ratio() >= _ALIKE
                and matcher.quick_ratio() >= _ALIKE
                and (ratio := matcher.ratio()) >= _ALIKE
            ):
                found.append((-ratio, before.id, after.id, before, after))
    yield from ((before, after) for *_, before, after in sorted(found, key=lambda one: one[:3]))


def _added(chunk: Chunk, edition: _Edition) -> tuple[Chunk, Change]:
    """A new passage, readable by those who may read all the rest of its document."""
    chunk_id = edition.free(f"{chunk.id}@{edition.revision}" if chunk.id in edition.taken else chunk.id)
    update: dict[str, object] = {"id": chunk_id, "effective_from": chunk.effective_from or edition.day}
    beside = [one for one in edition.old if one.document == chunk.document]
    notes: tuple[str, ...] = ()
    if beside and chunk.document not in edition.stated:
        common = set.intersection(*(set(one.readers) for one in beside))
        update["readers"] = tuple(group for group in beside[0].readers if group in common)
        tenants = {one.tenant for one in beside}
        update["tenant"] = tenants.pop() if len(tenants) == 1 else chunk.tenant
        if any(set(one.readers) != common for one in beside):
            notes = (f"chunks of its document differ in who may read them; this one: {_groups(sorted(common))}",)
    return chunk.model_copy(update=update), Change(kind="added", new=chunk_id, notes=notes)


def _relabelled(before: Chunk, after: Chunk, edition: _Edition) -> tuple[Chunk, Change | None]:
    """The old passage where it stands now; no change where it stands where it stood."""
    readers, notes = _readers(before, after, edition)
    update: dict[str, object] = {"readers": readers}
    if (before.document, before.locator) != (after.document, after.locator):
        update |= {"document": after.document, "locator": after.locator, "title": after.title}
        notes = (f"stands now in {after.document}", *notes)
    if not notes:
        return before, None
    return before.model_copy(update=update), Change(kind="relabelled", old=before.id, new=before.id, notes=notes)


def _changed(before: Chunk, after: Chunk, edition: _Edition) -> tuple[Chunk, Change]:
    """The new chunk of a changed passage: new words, old labels."""
    readers, notes = _readers(before, after, edition)
    facts = tuple(fact for fact in before.facts if fact.value in after.text)
    if lost := [fact.key for fact in before.facts if fact not in facts]:
        notes = (*notes, f"facts to fill in, their old values are not in the new text: {', '.join(lost)}")
    update = {
        "id": edition.free(f"{_base(before.id)}@{edition.revision}"),
        "text": after.text,
        "document": after.document,
        "title": after.title,
        "locator": after.locator,
        "kind": after.kind,
        "version": after.version or edition.revision,
        "effective_from": _later(after.effective_from, before.effective_from, edition.day),
        "supersedes": (before.id,),
        "readers": readers,
        "facts": facts,
    }
    made = before.model_copy(update=update)
    return made, Change(kind="changed", old=before.id, new=made.id, notes=notes)


def _readers(before: Chunk, after: Chunk, edition: _Edition) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who may read what replaces a passage, and what a person should know about that."""
    if after.document not in edition.stated or set(after.readers) == set(before.readers):
        return before.readers, ()
    if "*" in before.readers or set(after.readers) < set(before.readers):
        return after.readers, (f"its document narrows who may read it: {_groups(after.readers)}",)
    says = (
        f"its document says {_groups(after.readers)} may read it; that is not taken over, as it would let more people"
    )
    return before.readers, (f"{says} read it than {_groups(before.readers)} (change the chunk if it is meant)",)


def _groups(readers: Sequence[str]) -> str:
    return ", ".join("everyone" if group == "*" else group for group in readers) or "nobody"


def _later(stated: date | None, before: date | None, day: date) -> date:
    """Since when changed words hold: the day their document states where that is later than the old words' own."""
    return stated if stated is not None and (before is None or stated > before) else day


def _ended(chunk: Chunk, day: date, status: Status) -> Chunk:
    """A chunk that holds until the day before; one that was to begin later than that never was in force."""
    last = day - timedelta(days=1)
    if chunk.effective_from is not None and last < chunk.effective_from:
        return chunk.model_copy(update={"status": Status.WITHDRAWN, "effective_to": None})
    return chunk.model_copy(update={"status": status, "effective_to": last})
