"""The detector: whether a text holds text, facts or names of chunks that a requester may not read, however disguised.

Passages are found by runs of letters and digits that stand in unreadable text alone, in every view of the text; a match
counts when at least 24 bytes of it are one run of a chunk (or the whole of a shorter passage) and readable text leaves
at least eight of them uncovered. Facts and names are found by what tells them. A hit never carries text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from pytest_grounded.detection.facts import Probe, is_companion, known_keys, readings, spans_of
from pytest_grounded.detection.fields import Document, Join, Leaf
from pytest_grounded.detection.grams import SHORTEST
from pytest_grounded.detection.index import LeakIndex, index_of
from pytest_grounded.detection.names import Name, NameKind, word_string
from pytest_grounded.detection.sides import Match, Sides, is_novel
from pytest_grounded.detection.skeleton import plain, plain_origins, skeleton, skeleton_origins
from pytest_grounded.detection.views import decoded_views, rotated
from pytest_grounded.model.evidence import CorpusView

__all__ = ["CERTAIN", "Detector", "Hit", "HitKind", "Span", "texts_read_in"]

_MOST_MATCHES = 256
CERTAIN = 24
"""Bytes of a shared run from which it counts; shorter ones, from 16, are fragments."""


class HitKind(StrEnum):
    """What of a chunk was found."""

    TEXT = "text"
    FRAGMENT = "fragment"
    FACT = "fact"
    PAIR = "pair"
    """A name, code or short figure with a second word of the same chunk in the same field."""
    ID = "id"
    METADATA = "metadata"


def texts_read_in(content: object) -> Iterator[str]:
    """Every text of a content as `Detector.scan` reads it: its fields and joins, decoded, reversed and rotated.

    >>> list(texts_read_in({"text": "&#72;i"}))[:3]
    ['&#72;i', 'i;27#&', '&#72;v']
    >>> "Hi" in texts_read_in({"text": "&#72;i"})
    True
    """
    document = Document(content)
    for text in dict.fromkeys((*(leaf.text for leaf in document.leaves), *(join.text for join in document.repeated))):
        for read in (text, *(view.text for view in decoded_views(text))):
            yield from (read, read[::-1], rotated(read))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something of an unreadable chunk that stands in a field; never the text itself.

    `field` is a path such as `claims[0].text`, with `[*]` where it takes several pieces read in order; `view` is empty
    for the text as it is, else how it has to be read (`base64`, `reversed`); `length` counts letters and digits.
    """

    chunk: str
    field: str
    kind: HitKind
    length: int
    view: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a text that belong to a hidden chunk."""

    start: int
    end: int
    chunk: str
    kind: HitKind


class Detector:
    """Looks for what one requester may not read.

    `known`: texts that count as known to the requester besides what they may read, such as their own question;
    `reference_text`: public texts outside the corpus; `shifts`: rotations of the alphabet that are read too.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
    >>> memo = Chunk(id="memo-7", text="The closing bonus is 41,750 dollars per person.", readers=("board",))
    >>> detector = Detector(Corpus(name="c", chunks=[memo]).view(ANONYMOUS, date(2027, 1, 1)))
    >>> [hit.kind.value for hit in detector.scan({"text": "I cannot confirm 41.750 or any other figure."})]
    ['fact']
    >>> [(hit.kind.value, hit.view) for hit in detector.scan("...nosrep rep srallod 057,14 si sunob gnisolc ehT")]
    [('text', 'reversed')]
    """

    def __init__(
        self,
        view: CorpusView,
        *,
        known: Iterable[str] = (),
        reference_text: Iterable[str] = (),
        shifts: Sequence[int] = (13,),
        index: LeakIndex | None = None,
    ) -> None:
        self.view = view
        self._known = (*known, *reference_text, str(view.as_of), str(view.as_of.year))
        self._shifts = tuple(shifts)
        self._given_index = index

    @property
    def is_idle(self) -> bool:
        """Whether the requester may read every chunk, so that nothing can be found."""
        return not self.view.unreadable

    def scan(self, content: object, *, is_shown: bool = True, fragments: bool = False) -> tuple[Hit, ...]:
        """Everything found in a text or JSON value, in order of the fields.

        `is_shown`: whether a reader sees it; names with company, and numbers that are no text, count only there.
        `fragments`: shared runs of 16 to 23 bytes too, which chance may make.
        """
        if self.is_idle:
            return ()
        document = Document(content)
        order = {leaf.path: place for place, leaf in enumerate(document.leaves)}
        hits = [*self._passages(document), *self._facts(document, is_shown=is_shown), *self._names(document)]
        best: dict[tuple[str, str, HitKind], Hit] = {}
        for hit in hits:
            if hit.kind is HitKind.FRAGMENT and not fragments:
                continue
            key = (hit.chunk, hit.field, hit.kind)
            if key not in best or best[key].length < hit.length:
                best[key] = hit
        return tuple(
            sorted(best.values(), key=lambda hit: (order.get(hit.field, len(order)), hit.field, hit.kind, hit.chunk))
        )

    def suspects(self, content: object) -> bool:
        """Whether anything might be found: False is certain, True is to be looked into by `scan` or `spans`."""
        if self.is_idle:
            return False
        document = Document(content)
        numbers = [key for leaf in document.leaves if leaf.is_number for key in Probe.of(leaf.text).strong]
        if self._unknown(numbers) or self._holds_passages(document):
            return True
        texts = (text for join in (document.distinct, *document.repeated) for _, text in self._views(join))
        for text in (document.whole.text, *texts):
            probe = Probe.of(text)
            if self._unknown((*probe.strong, *probe.weak)) or self._index.hidden_names(word_string(text), self._hidden):
                return True
        return False

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where in a text, as it stands, something hidden is; also fragments, facts and names in quote marks."""
        if self.is_idle:
            return ()
        found: list[Span] = []
        matches = list(self._matches(skeleton(text)))
        if matches:
            origins = skeleton_origins(text)
            found += [
                Span(origins[match.start], origins[match.end - 1] + 1, match.chunk, HitKind.TEXT) for match in matches
            ]
        folded = plain(text)
        facts = {**self._strong(Probe.of(text)), **dict(self._pairs(Probe.of(text)))}
        inside = [
            *((start, end, facts[key], HitKind.FACT) for start, end, key in spans_of(folded, facts)),
            *self._name_spans(folded),
        ]
        if inside:
            origins = plain_origins(text)
            found += [Span(origins[start], origins[end - 1] + 1, chunk, kind) for start, end, chunk, kind in inside]
        return tuple(sorted(found, key=lambda span: (span.start, span.end, span.chunk)))

    def sole_holder(self, quote: str) -> str | None:
        """The id of the hidden chunk that has a short quote word for word, when the requester could not know it.

        For words that are *said* to stand in a source: twelve bytes of them count. Longer ones `scan` finds anyway.
        """
        data = skeleton(quote)
        if self.is_idle or not SHORTEST <= len(data) < CERTAIN or data in self._known_data:
            return None
        return self._sides.sole_holder(data)

    # --- what is known -------------------------------------------------------------------------------------------

    @cached_property
    def _index(self) -> LeakIndex:
        return self._given_index or index_of(self.view.corpus)

    @cached_property
    def _hidden(self) -> list[bool]:
        return self._index.hidden_from(self.view.requester)

    @cached_property
    def _sides(self) -> Sides:
        return Sides.of(self.view)

    @cached_property
    def _readable_ids(self) -> frozenset[str]:
        return frozenset(chunk.id for chunk in self._sides.readable)

    @cached_property
    def _known_data(self) -> bytes:
        return b"\0".join(map(skeleton, self._known))

    @cached_property
    def _known_keys(self) -> frozenset[str]:
        known = [known_keys(text) for text in self._known]
        return frozenset(
            (
                *(key for figures, _ in known for key in figures),
                *(key for _, words in known for word in words for key in readings(word)),
            )
        )

    @cached_property
    def _known_words(self) -> str:
        return "\n".join(f" {word_string(text)} " for text in self._known)

    # --- passages ------------------------------------------------------------------------------------------------

    def _passages(self, document: Document) -> Iterator[Hit]:
        """Passages in what is read on; where there are any, they are named by the smallest field that has them."""
        fields = [(leaf.text, leaf.path) for leaf in document.whole.leaves]
        if len(fields) == 1:
            yield from self._passages_of(*fields[0])
            return
        if not self._holds_passages(document):
            return
        found: set[tuple[str, HitKind]] = set()
        lists = [(join.text, join.label) for join in document.repeated]
        whole = [(document.whole.text, document.whole.label)]
        for level in (fields, lists, whole):
            hits = [hit for text, field in level for hit in self._passages_of(text, field)]
            yield from (hit for hit in hits if (hit.chunk, hit.kind) not in found)
            found.update((hit.chunk, hit.kind) for hit in hits)

    def _holds_passages(self, document: Document) -> bool:
        """Whether runs of hidden text stand anywhere: in the whole as it is, in its distinct texts in every view.

        A place in a list is read on too: round its joints as it is, decoded where a joint may cut a code.
        """
        distinct = document.distinct
        readings = [iter([("", skeleton(document.whole.text))]), self._readings(distinct.text)]
        for join in document.repeated:
            if len(join.text) >= SHORTEST:
                readings.append(self._seams(join))
            if join.may_split_codes:
                readings.append(self._decoded(join.text))
        # All at once: a NUL stands in no skeleton, and one long look-up costs less than twenty short ones.
        data = b"\0".join(dict.fromkeys(data for reading in readings for _, data in reading))
        return bool(self._index.gram_places(data, self._hidden))

    def _passages_of(self, text: str, field: str) -> Iterator[Hit]:
        """Passages in one text, in every view of it."""
        for view, data in self._readings(text):
            for match in self._matches(data):
                length = len(data[match.start : match.end].decode(errors="ignore"))
                is_certain = match.is_whole or match.end - match.start >= CERTAIN
                kind = HitKind.TEXT if is_certain else HitKind.FRAGMENT
                yield Hit(chunk=match.chunk, field=field, kind=kind, length=length, view=view)

    def _readings(self, text: str) -> Iterator[tuple[str, bytes]]:
        """Every way to read a text, as a name and a skeleton: as it is, reversed, rotated, and each view of it so."""
        yield from self._turned("", text)
        yield from self._decoded(text)

    def _seams(self, join: Join) -> Iterator[tuple[str, bytes]]:
        """A join round its joints, as it is, reversed and rotated; what stands between was read as a field."""
        data = b"".join(_ends(skeleton(leaf.text)) for leaf in join.leaves)
        yield "", data
        yield "reversed", _reversed(data)
        for shift in self._shifts:
            yield f"rot{shift}", b"".join(_ends(skeleton(rotated(leaf.text, shift))) for leaf in join.leaves)

    def _decoded(self, text: str) -> Iterator[tuple[str, bytes]]:
        for view in decoded_views(text):
            yield from self._turned(view.name, view.text)

    def _turned(self, name: str, text: str) -> Iterator[tuple[str, bytes]]:
        data = skeleton(text)
        yield name, data
        yield f"{name}>reversed".lstrip(">"), _reversed(data)
        for shift in self._shifts:
            yield f"{name}>rot{shift}".lstrip(">"), skeleton(rotated(text, shift))

    def _matches(self, data: bytes) -> Iterator[Match]:
        """The hidden passages in a skeleton, as long as they are there; after 256 of them the text is given up."""
        done, confirmed = 0, 0
        known = (self._sides.known, self._known_data)
        rejected: set[bytes] = set()
        for place, size in self._index.gram_places(data, self._hidden):
            gram = data[place : place + size]
            if place + size <= done or gram in rejected:
                continue
            match = self._sides.longest_match(data, place, size)
            if match is None or not is_novel(data, match.start, match.end, known):
                rejected.add(gram)
                continue
            done = match.end
            yield match
            confirmed += 1
            if confirmed == _MOST_MATCHES:
                return

    # --- facts ---------------------------------------------------------------------------------------------------

    def _facts(self, document: Document, *, is_shown: bool) -> Iterator[Hit]:
        told: set[str] = set()
        for leaf in document.leaves:
            if leaf.is_number and not is_shown:
                continue
            probe = Probe.of(leaf.text)
            strong = self._strong(probe)
            told.update(strong)
            yield from (_fact_hit(key, chunk, leaf.path) for key, chunk in strong.items())
            if is_shown:
                yield from (_pair_hit(key, chunk, leaf.path) for key, chunk in self._pairs(probe))
        for join in (document.distinct, *document.repeated):
            for view, text in self._views(join):
                for key, chunk in self._strong(Probe.of(text)).items():
                    if key not in told:
                        told.add(key)
                        yield _fact_hit(key, chunk, self._place_of(key, join, view), view)

    def _views(self, join: Join) -> Iterator[tuple[str, str]]:
        """The views in which facts and names of a join are looked for, besides its single fields: name and text.

        Pieces are read on as one text, ids of readable chunks left out: two of them in a row make no identifier.
        """
        text = join.text
        if join.label:
            text = "".join(leaf.text for leaf in join.leaves if leaf.text not in self._readable_ids)
        if not join.label or join.may_split_codes:
            yield from ((view.name, view.text) for view in decoded_views(text))
        if join.is_stream:
            yield "", text

    def _place_of(self, key: str, join: Join, view: str) -> str:
        """The field in which a fact shows in a view, or the label of the join when it takes several."""
        for leaf in join.leaves:
            for decoded in decoded_views(leaf.text):
                if decoded.name == view and key in Probe.of(decoded.text).strong:
                    return leaf.path
        return join.label

    def _strong(self, probe: Probe) -> dict[str, str]:
        """Fact -> chunk, for the facts that count alone."""
        keys = self._unknown(probe.strong)
        found: dict[str, str] = {}
        if keys:
            for chunk, facts in self._sides.holders(keys):
                for key in facts.intersection(keys):
                    found.setdefault(key, chunk.id)
        return found

    def _pairs(self, probe: Probe) -> Iterator[tuple[str, str]]:
        """Facts that count in company, and their company: fact and chunk of each.

        The company has to stand in that chunk alone, or in others of its document; the name in any hidden chunk.
        """
        weak = self._unknown(probe.weak)
        if not weak:
            return
        beside = self._unknown([key for key in (*probe.words, *probe.strong, *weak) if is_companion(key)])
        if not beside:
            return
        sole = self._sole(beside)
        for chunk, facts in self._sides.holders(weak, beside):
            own = {key for key in facts.intersection(beside) if sole[key] == (chunk.document or chunk.id)}
            named = {key for key in facts.intersection(weak) if any(key[1:] != other[1:] for other in own)}
            if named:
                yield from ((key, chunk.id) for key in sorted(named | own))

    def _sole(self, keys: Sequence[str]) -> dict[str, str | None]:
        """For each fact the document, or chunk without one, that alone has it; None where several do."""
        found: dict[str, str | None] = dict.fromkeys(keys)
        seen: set[str] = set()
        for chunk, facts in self._sides.holders(keys):
            for key in facts.intersection(keys):
                source = chunk.document or chunk.id
                found[key] = source if key not in seen or found[key] == source else None
                seen.add(key)
        return found

    def _unknown(self, keys: Sequence[str]) -> list[str]:
        hidden = self._index.hidden_facts(keys, self._hidden)
        return [key for key in hidden if key not in self._known_keys]

    # --- names ---------------------------------------------------------------------------------------------------

    def _names(self, document: Document) -> Iterator[Hit]:
        if self._index.hidden_names(word_string(document.whole.text), self._hidden):
            yield from self._names_in_fields(document)
        for view in decoded_views(document.distinct.text):
            yield from self._names_in(Leaf("", "-", view.text), view.name)

    def _names_in_fields(self, document: Document) -> Iterator[Hit]:
        for leaf in document.whole.leaves:
            yield from self._names_in(leaf, "")

    def _names_in(self, leaf: Leaf, view: str) -> Iterator[Hit]:
        for chunk, name in self._named(leaf.text):
            if name.kind is NameKind.LOCATOR:
                continue
            folded = plain(leaf.text)
            if _is_alone(name, leaf, folded) or any(name.places(folded)):
                kind = HitKind.ID if name.kind is NameKind.ID else HitKind.METADATA
                yield Hit(chunk=chunk, field=leaf.path, kind=kind, length=len(skeleton(name.text)), view=view)

    def _name_spans(self, folded: str) -> Iterator[tuple[int, int, str, HitKind]]:
        for chunk, name in self._named(folded):
            kind = HitKind.ID if name.kind is NameKind.ID else HitKind.METADATA
            if name.is_whole(folded):
                yield 0, len(folded), chunk, kind
            yield from ((start, end, chunk, kind) for start, end in name.places(folded, quoted=True))

    def _named(self, text: str) -> Iterator[tuple[str, Name]]:
        """The hidden names whose words stand in a text, with their chunks; not those that are known."""
        for key in self._index.hidden_names(word_string(text), self._hidden):
            for chunk, name in self._sides.names.get(key, ()):
                if f" {name.words} " not in self._known_words:
                    yield chunk, name


_SEAM = 64
"""Bytes on either side of a joint that are read on; a match needs 23."""


def _ends(data: bytes) -> bytes:
    """The two ends of a skeleton, a NUL for what is between."""
    return data if len(data) <= 2 * _SEAM else data[:_SEAM] + b"\0" + data[-_SEAM:]


def _reversed(data: bytes) -> bytes:
    return data[::-1] if data.isascii() else data.decode(errors="ignore")[::-1].encode()


def _is_alone(name: Name, leaf: Leaf, folded: str) -> bool:
    """Whether a field is the name and nothing else, and says so by its kind where the name is an ordinary word."""
    if not name.is_whole(folded):
        return False
    if name.kind is NameKind.VERSION:
        return leaf.is_version
    return leaf.is_naming or not name.is_plain


def _fact_hit(key: str, chunk: str, field: str, view: str = "") -> Hit:
    return Hit(chunk=chunk, field=field, kind=HitKind.FACT, length=len(key) - 1, view=view)


def _pair_hit(key: str, chunk: str, field: str) -> Hit:
    return Hit(chunk=chunk, field=field, kind=HitKind.PAIR, length=len(key) - 1)
