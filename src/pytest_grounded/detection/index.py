"""The index: which runs of text, facts and names of a corpus are there, and who may read each of them?

One index serves every requester. Chunks are sorted into *reader classes* (tenant and groups); the index holds what stands
in chunks that not everybody may read, each entry with the set of all classes that have it. An entry counts for a requester
when no class of the set is readable by them: what also stands in readable text is thereby taken out, exactly, without
knowing the requester. Entries that everybody may read are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from pytest_grounded.detection.facts import Probe, strict_keys
from pytest_grounded.detection.grams import GRAM, PUBLIC_LANES, SHORTEST, Lanes, gram_hashes, winnow
from pytest_grounded.detection.names import name_keys, names_of
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.detection.tables import DictTable, PackedBuilder, Table, TableBuilder
from pytest_grounded.model.evidence import Chunk, Corpus, Requester

__all__ = [
    "ClassSets",
    "LeakIndex",
    "ReaderClass",
    "build_index",
    "chunk_pieces",
    "index_of",
    "readable_texts",
    "text_hash",
    "use_index",
]

_PACKED_FROM = 2_000
"""Chunks from which an index is packed: a dictionary needs ten times the memory."""
_LEAST_VALUE = 16
"""Bytes of the shortest fact value that is looked up as a passage of its own."""


@dataclass(frozen=True, slots=True)
class ReaderClass:
    """Chunks with the same readers and tenant."""

    tenant: str | None
    readers: tuple[str, ...]

    @classmethod
    def of(cls, chunk: Chunk) -> ReaderClass:
        """The class a chunk belongs to."""
        return cls(chunk.tenant, tuple(sorted(set(chunk.readers))))

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it, whoever they are."""
        return self.tenant is None and "*" in self.readers

    def readable_by(self, requester: Requester) -> bool:
        """Whether a requester may read the chunks of the class."""
        return Chunk(id="-", text="", tenant=self.tenant, readers=self.readers).readable_by(requester)


class ClassSets:
    """Sets of reader classes, each known by a small number; 0 is the empty set and 1 any set with a public class."""

    PUBLIC = 1

    def __init__(self, classes: Iterable[ReaderClass], sets: Iterable[Iterable[int]] = ((), ())) -> None:
        self.classes = list(classes)
        self.sets = [frozenset(members) for members in sets]
        self._numbers = {members: number for number, members in enumerate(self.sets)}
        self._numbers[frozenset()] = 0
        self._joined: dict[tuple[int, int], int] = {}

    def joined(self, number: int, member: int) -> int:
        """The number of a set with one class more."""
        if number == self.PUBLIC or self.classes[member].is_public:
            return self.PUBLIC
        found = self._joined.get((number, member))
        if found is None:
            members = self.sets[number] | {member}
            found = self._numbers.setdefault(members, len(self.sets))
            if found == len(self.sets):
                self.sets.append(members)
            self._joined[number, member] = found
        return found

    def hidden_from(self, requester: Requester) -> list[bool]:
        """For every set whether the requester may read none of its classes."""
        readable = {place for place, one in enumerate(self.classes) if one.readable_by(requester)}
        hidden = [readable.isdisjoint(members) for members in self.sets]
        hidden[self.PUBLIC] = False
        return hidden


@dataclass(eq=False)
class LeakIndex:
    """What stands in the chunks of a corpus that not everybody may read, and for which readers."""

    class_sets: ClassSets
    grams: Table
    facts: Table
    names: Table
    short_sizes: tuple[int, ...]
    name_lengths: tuple[int, ...]
    lanes: Lanes = PUBLIC_LANES
    _hidden: dict[str, list[bool]] = field(default_factory=dict, repr=False)

    def hidden_from(self, requester: Requester) -> list[bool]:
        """For every set of classes whether it is hidden from the requester; kept per requester."""
        key = repr((requester.tenant, sorted(requester.groups)))
        hidden = self._hidden.get(key)
        if hidden is None:
            hidden = self._hidden[key] = self.class_sets.hidden_from(requester)
        return hidden

    def gram_places(self, skeleton: bytes, hidden: Sequence[bool]) -> list[tuple[int, int]]:
        """Place and length of every run in a skeleton that stands in hidden text alone."""
        found: list[tuple[int, int]] = []
        for size in (GRAM, *self.short_sizes):
            held = self.grams.matches(gram_hashes(skeleton, self.lanes, size))
            if held:
                found += [(place, size) for place, number in held if hidden[number]]
        found.sort()
        return found

    def hidden_facts(self, keys: Sequence[str], hidden: Sequence[bool]) -> list[str]:
        """Those of the facts that stand in hidden chunks alone."""
        return self._held(self.facts, keys, hidden)

    def hidden_names(self, words: str, hidden: Sequence[bool]) -> list[str]:
        """Those runs of words that are names of hidden chunks alone."""
        keys = list(dict.fromkeys(name_keys(words, self.name_lengths)))
        return self._held(self.names, keys, hidden)

    def _held(self, table: Table, keys: Sequence[str], hidden: Sequence[bool]) -> list[str]:
        held = table.matches([text_hash(key, self.lanes) for key in keys])
        return [keys[place] for place, number in held if hidden[number]]


def text_hash(text: str, lanes: Lanes = PUBLIC_LANES) -> int:
    """The hash of a short text, the same in every process.

    >>> text_hash("n41750") == text_hash("n41750"), text_hash("n41750") == text_hash("n41751")
    (True, False)
    """
    return hash((lanes[0], int.from_bytes(text.encode("utf-8", "surrogatepass"), "little"), lanes[1]))


_INDEXES: WeakKeyDictionary[Corpus, LeakIndex] = WeakKeyDictionary()


def index_of(corpus: Corpus) -> LeakIndex:
    """The index of a corpus, built once for as long as the corpus lives."""
    index = _INDEXES.get(corpus)
    if index is None:
        index = _INDEXES[corpus] = build_index(corpus)
    return index


def use_index(corpus: Corpus, index: LeakIndex) -> None:
    """Use an index for a corpus that was built elsewhere, such as one opened from a file by `store.open_index`."""
    _INDEXES[corpus] = index


def build_index(chunks: Iterable[Chunk], *, lanes: Lanes = PUBLIC_LANES, packed: bool | None = None) -> LeakIndex:
    """Index the chunks of a corpus. `packed`: in arrays rather than dictionaries; by default from 2,000 chunks on.

    >>> chunks = [Chunk(id="a", text="The bonus is 41,750 dollars.", readers=("board",)),
    ...           Chunk(id="b", text="The limit is 180 dollars.", readers=("*",))]
    >>> index = build_index(chunks)
    >>> hidden = index.hidden_from(Requester(groups=("staff",)))
    >>> index.hidden_facts(["n41750", "wdollar", "n180"], hidden)
    ['n41750']
    """
    chunks = tuple(chunks)
    if packed is None:
        packed = len(chunks) >= _PACKED_FROM
    return _Build(chunks, lanes, packed=packed).run()


class _Build:
    """Two passes: what to hold, from the chunks that not everybody may read; then for whom, from all chunks."""

    def __init__(self, chunks: tuple[Chunk, ...], lanes: Lanes, *, packed: bool) -> None:
        self.chunks = chunks
        self.lanes = lanes
        numbers: dict[ReaderClass, int] = {}
        self.class_of = [numbers.setdefault(ReaderClass.of(chunk), len(numbers)) for chunk in chunks]
        self.class_sets = ClassSets(numbers)
        make: type[TableBuilder] = PackedBuilder if packed else DictTable
        self.grams, self.facts, self.names = make(), make(), make()
        self.short_sizes: set[int] = set()
        self.name_lengths: set[int] = set()
        self.hashes: dict[str, int] = {}

    def run(self) -> LeakIndex:
        for chunk, number in zip(self.chunks, self.class_of, strict=True):
            if not self.class_sets.classes[number].is_public:
                self.collect(chunk)
        if self.name_lengths:
            for chunk, number in zip(self.chunks, self.class_of, strict=True):
                self.revise(chunk, number)
        return LeakIndex(
            class_sets=self.class_sets,
            grams=self.grams.finish(self.is_kept),
            facts=self.facts.finish(self.is_kept),
            names=self.names.finish(self.is_kept),
            short_sizes=tuple(sorted(self.short_sizes)),
            name_lengths=tuple(sorted(self.name_lengths)),
            lanes=self.lanes,
        )

    def is_kept(self, number: int) -> bool:
        return number > ClassSets.PUBLIC

    def collect(self, chunk: Chunk) -> None:
        for piece in chunk_pieces(chunk):
            self.grams.collect(self.kept_grams(piece))
        self.facts.collect(map(self.hash, _fact_keys(chunk)))
        for name in names_of(chunk):
            self.names.collect((self.hash(name.key),))
            self.name_lengths.add(name.key.count(" ") + 1)

    def revise(self, chunk: Chunk, number: int) -> None:
        def joined(members: int) -> int:
            return self.class_sets.joined(members, number)

        texts = tuple(readable_texts(chunk))
        skeletons = b"\0".join(map(skeleton, texts))
        for size in (GRAM, *sorted(self.short_sizes)):
            self.grams.revise(gram_hashes(skeletons, self.lanes, size), joined)
        keys = {self.hash(key) for text in texts for key in Probe.of(text).keys}
        keys.update(map(self.hash, _fact_keys(chunk)))
        self.facts.revise(list(keys), joined)
        names = {name.key for name in names_of(chunk)}
        self.names.revise([self.hash(key) for key in names], joined)

    def kept_grams(self, piece: bytes) -> set[int]:
        """The hashes of a passage that are held. Which ones is the same for every key, so that findings are."""
        size = min(GRAM, len(piece))
        if size < GRAM:
            self.short_sizes.add(size)
        hashes = gram_hashes(piece, PUBLIC_LANES, size)
        kept = winnow(hashes)
        if self.lanes == PUBLIC_LANES:
            return kept
        keyed = gram_hashes(piece, self.lanes, size)
        return {mine for common, mine in zip(hashes, keyed, strict=True) if common in kept}

    def hash(self, key: str) -> int:
        found = self.hashes.get(key)
        if found is None:
            found = self.hashes[key] = text_hash(key, self.lanes)
        return found


def chunk_pieces(chunk: Chunk) -> Iterator[bytes]:
    """The skeletons of a chunk's passages: its text, and every value of a fact that is long enough to be one.

    >>> list(chunk_pieces(Chunk(id="c", text="Not enough", facts=[{"key": "k", "value": "quarterly dividend waiver"}])))
    [b'quarteriydividendwaiver']
    """
    text = skeleton(chunk.text)
    if len(text) >= SHORTEST:
        yield text
    for fact in chunk.facts:
        value = skeleton(fact.value)
        if len(value) >= _LEAST_VALUE and " " in fact.value.strip():
            yield value


def readable_texts(chunk: Chunk) -> Iterator[str]:
    """Everything that somebody who may read a chunk knows from it."""
    yield chunk.text
    yield from (
        text for text in (chunk.id, chunk.document, chunk.title, chunk.url, chunk.locator, chunk.version) if text
    )
    yield from (str(day) for day in (chunk.effective_from, chunk.effective_to, chunk.ingested_at) if day)
    for fact in chunk.facts:
        yield fact.key
        yield fact.value


def _fact_keys(chunk: Chunk) -> frozenset[str]:
    """The facts a chunk is known by: those of its text and of its stated facts."""
    keys = strict_keys(chunk.text)
    for fact in chunk.facts:
        keys |= strict_keys(fact.value)
        if "_" in fact.key:
            keys |= {key for key in strict_keys(fact.key) if key[0] == "i"}
    return keys
