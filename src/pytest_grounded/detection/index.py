"""The index: which runs of text, facts and names of a corpus are there, and who may read each of them.

One index serves every requester. Chunks are sorted into *reader classes* (tenant and groups); the index holds what
stands in chunks that not everybody may read, each entry with the set of all classes that have it. An entry counts for a
requester when no class of the set is readable by them: what also stands in readable text is thereby taken out, exactly,
without knowing the requester. Entries that everybody may read are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from pytest_grounded.detection.facts import known_keys, readings, strict_keys
from pytest_grounded.detection.grams import GRAM, PUBLIC_LANES, SHORTEST, Lanes, gram_hashes, winnow
from pytest_grounded.detection.names import name_keys, names_of
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.detection.tables import DictTable, HashedBuilder, PackedBuilder, Table, TableBuilder
from pytest_grounded.model.evidence import Chunk, Corpus, Requester

__all__ = [
    "ClassSets",
    "LeakIndex",
    "ReaderClass",
    "build_index",
    "chunk_facts",
    "chunk_pieces",
    "fact_texts",
    "index_of",
    "readable_texts",
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
        self._joiners = [_Joiner(self, member) for member in range(len(self.classes))]

    def joiner(self, member: int) -> Callable[[int], int]:
        """What gives the number of a set with this class more."""
        return self._joiners[member].__getitem__

    def number_of(self, members: frozenset[int]) -> int:
        """The number of a set, a new one where it was not met yet."""
        number = self._numbers.setdefault(members, len(self.sets))
        if number == len(self.sets):
            self.sets.append(members)
        return number

    def hidden_from(self, requester: Requester) -> list[bool]:
        """For every set whether the requester may read none of its classes."""
        readable = {place for place, one in enumerate(self.classes) if one.readable_by(requester)}
        hidden = [readable.isdisjoint(members) for members in self.sets]
        hidden[self.PUBLIC] = False
        return hidden


class _Joiner(dict[int, int]):
    """Set number -> number of the set with one class more, filled as sets are met."""

    def __init__(self, class_sets: ClassSets, member: int) -> None:
        super().__init__({ClassSets.PUBLIC: ClassSets.PUBLIC})
        self._class_sets = class_sets
        self._member = member

    def __missing__(self, number: int) -> int:
        if self._class_sets.classes[self._member].is_public:
            joined = ClassSets.PUBLIC
        else:
            joined = self._class_sets.number_of(self._class_sets.sets[number] | {self._member})
        self[number] = joined
        return joined


@dataclass(eq=False)
class LeakIndex:
    """What stands in the chunks of a corpus that not everybody may read, and for which readers."""

    class_sets: ClassSets
    grams: Table[int]
    facts: Table[str]
    names: Table[str]
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

    def _held(self, table: Table[str], keys: Sequence[str], hidden: Sequence[bool]) -> list[str]:
        return [keys[place] for place, number in table.matches(keys) if hidden[number]]


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
        self.grams: TableBuilder[int] = PackedBuilder() if packed else DictTable()
        self.facts: TableBuilder[str] = HashedBuilder(lanes) if packed else DictTable()
        self.names: TableBuilder[str] = HashedBuilder(lanes) if packed else DictTable()
        self.short_sizes: set[int] = set()
        self.name_lengths: set[int] = set()
        self.name_words: set[str] = set()
        self.names_by_chunk = {chunk.id: list({name.key: None for name in names_of(chunk)}) for chunk in chunks}

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
        facts = chunk_facts(chunk)
        self.facts.collect(facts)
        self.name_words.update("w" + key[1:] for key in facts if key[0] in "NC")
        keys = self.names_by_chunk[chunk.id]
        self.names.collect(keys)
        self.name_lengths.update(key.count(" ") + 1 for key in keys)

    def revise(self, chunk: Chunk, number: int) -> None:
        joined = self.class_sets.joiner(number)
        texts = tuple(readable_texts(chunk))
        skeletons = b"\0".join(map(skeleton, texts))
        for size in (GRAM, *sorted(self.short_sizes)):
            self.grams.revise(gram_hashes(skeletons, self.lanes, size), joined)
        self.facts.revise(self.known_facts("\n".join(texts)), joined)
        self.names.revise(self.names_by_chunk[chunk.id], joined)

    def known_facts(self, text: str) -> list[str]:
        """Every fact that counts as known from a text; words as names only where they are a name somewhere."""
        figures, words = known_keys(text)
        names = (reading for word in words if word in self.name_words for reading in readings(word)[1:])
        return [*figures, *words, *names]

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


def fact_texts(chunk: Chunk) -> Iterator[str]:
    """The texts whose facts a chunk is known by: its text and title, its stated values, keys that are made-up names."""
    yield chunk.text
    if chunk.title:
        yield chunk.title
    for fact in chunk.facts:
        yield fact.value
        if "_" in fact.key:
            yield fact.key


def chunk_facts(chunk: Chunk) -> frozenset[str]:
    """The facts a chunk is known by; of its title the figures alone, because every word of a title may have a capital.

    >>> chunk = Chunk(id="c", text="It is IEH.", title="Plan 4175 Osprey")
    >>> sorted(key for key in chunk_facts(chunk) if key[0] in "nN")
    ['Nieh', 'n4175']
    """
    facts = frozenset[str]().union(*(strict_keys(text) for text in fact_texts(chunk) if text != chunk.title))
    return facts | {key for key in strict_keys(chunk.title or "") if key[0] in "ndi"}
