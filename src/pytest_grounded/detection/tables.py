"""Tables: which of many hashes are in the index, and for which readers.

A table maps a 64-bit number, or a short text, to a small number (the set of reader classes that have what was hashed).
One kind lives in a dictionary and is built and asked fastest; the other is three arrays that can be a file mapped by
many processes: bucket offsets, the 32 bits that follow the bucket's, and the values. What is not told apart by these 50
bits or so is told apart when a match is confirmed on the text.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from pytest_grounded.detection.grams import Lanes, text_hash

__all__ = ["DictTable", "HashedBuilder", "HashedTable", "PackedBuilder", "PackedTable", "Table", "TableBuilder"]

_MASK = (1 << 64) - 1
_REST = (1 << 32) - 1
_MOST_SHORT = (1 << 16) - 1
_LEAST_BITS = 16
"""Bits of a bucket's number in the smallest table: fewer would let chance take one key for another."""

Key = TypeVar("Key", int, str)
Key_contra = TypeVar("Key_contra", int, str, contravariant=True)


class Table(Protocol[Key_contra]):
    """Answers which of many keys it holds."""

    def __len__(self) -> int:
        """How many it holds."""
        ...

    def matches(self, keys: Sequence[Key_contra]) -> list[tuple[int, int]]:
        """Place in `keys` and value of every key that is held."""
        ...


class TableBuilder(Protocol[Key_contra]):
    """Takes keys, then learns for every class of readers which of them they can read."""

    def collect(self, keys: Iterable[Key_contra]) -> None:
        """Keys to hold."""
        ...

    def revise(self, keys: Sequence[Key_contra], change: Callable[[int], int]) -> None:
        """Apply a change to the value of those of the keys that are held; values begin at 0."""
        ...

    def finish(self, keep: Callable[[int], bool]) -> Table[Key_contra]:
        """The table of the keys whose value is to be kept."""
        ...


class DictTable(Generic[Key]):
    """A table in a dictionary, its own builder.

    >>> table: DictTable[int] = DictTable()
    >>> table.collect([7, 9])
    >>> table.revise([9, 8], lambda value: value + 5)
    >>> table.finish(bool).matches([1, 9, 7])
    [(1, 5)]
    """

    def __init__(self) -> None:
        self._values: dict[Key, int] = {}

    def __len__(self) -> int:
        return len(self._values)

    def collect(self, keys: Iterable[Key]) -> None:
        """Keys to hold."""
        self._values.update(dict.fromkeys(keys, 0))

    def revise(self, keys: Sequence[Key], change: Callable[[int], int]) -> None:
        """Apply a change to the value of those of the keys that are held."""
        values = self._values
        for held in {key for key in keys if key in values}:
            values[held] = change(values[held])

    def finish(self, keep: Callable[[int], bool]) -> DictTable[Key]:
        """The table of the keys whose value is to be kept."""
        self._values = {key: value for key, value in self._values.items() if keep(value)}
        return self

    def matches(self, keys: Sequence[Key]) -> list[tuple[int, int]]:
        """Place and value of every key that is held."""
        values = self._values
        if values.keys().isdisjoint(keys):  # what nearly every answer is, at a third of the cost
            return []
        return [(place, values[key]) for place, key in enumerate(keys) if key in values]


class PackedTable:
    """A table in three arrays: `offsets` of the buckets, sorted `rests` of the hashes, `values`."""

    def __init__(self, bits: int, offsets: Sequence[int], rests: Sequence[int], values: Sequence[int]) -> None:
        self.bits = bits
        self.offsets = offsets
        self.rests = rests
        self.values = values

    def __len__(self) -> int:
        return len(self.rests)

    def matches(self, hashes: Sequence[int]) -> list[tuple[int, int]]:
        """Place and value of every hash that is held."""
        return [(place, self.values[slot]) for place, slot in self.slots(hashes)]

    def slots(self, hashes: Sequence[int]) -> list[tuple[int, int]]:
        """Place in `hashes` and place in the table of every hash that is held."""
        offsets, rests, found = self.offsets, self.rests, []
        bucket_shift = 64 - self.bits
        rest_shift = bucket_shift - 32
        for place, number in enumerate(hashes):
            unsigned = number & _MASK
            bucket = unsigned >> bucket_shift
            slot, end = offsets[bucket], offsets[bucket + 1]
            if slot == end:
                continue
            rest = unsigned >> rest_shift & _REST
            while slot < end and rests[slot] < rest:
                slot += 1
            if slot < end and rests[slot] == rest:
                found.append((place, slot))
        return found


class PackedBuilder:
    """Builds a packed table without ever holding its hashes as Python numbers all at once.

    >>> builder = PackedBuilder()
    >>> builder.collect([7 << 50, 9 << 50])
    >>> builder.revise([9 << 50, 8 << 50], lambda value: value + 5)
    >>> builder.finish(bool).matches([1, 9 << 50, 7 << 50])
    [(1, 5)]
    """

    _PARTS = 64
    _MOST_FILTER_BITS = 26

    def __init__(self) -> None:
        self._parts = [array("Q") for _ in range(self._PARTS)]
        self._table: PackedTable | None = None
        self._values = array("H")
        self._filter = bytearray(1)

    def collect(self, hashes: Iterable[int]) -> None:
        """Hashes to hold."""
        parts = self._parts
        for number in hashes:
            unsigned = number & _MASK
            parts[unsigned >> 58].append(unsigned)

    def revise(self, hashes: Sequence[int], change: Callable[[int], int]) -> None:
        """Apply a change to the value of those of the hashes that are held."""
        table = self._frozen()
        maybe = self._filter
        mask = len(maybe) - 1
        likely = [number for number in hashes if maybe[number & mask]]
        for slot in {slot for _, slot in table.slots(likely)}:
            value = change(self._values[slot])
            if value > _MOST_SHORT and self._values.typecode == "H":
                self._values = array("I", self._values)
            self._values[slot] = value

    def finish(self, keep: Callable[[int], bool]) -> PackedTable:
        """The table of the hashes whose value is to be kept."""
        table = self._frozen()
        kept = bytes(keep(value) for value in self._values)
        offsets, total, start = array("I", [0]), 0, 0
        for end in table.offsets[1:]:
            total += sum(kept[start:end])
            offsets.append(total)
            start = end
        rests = array("I", (rest for rest, is_kept in zip(table.rests, kept, strict=True) if is_kept))
        values = array(
            self._values.typecode, (value for value, is_kept in zip(self._values, kept, strict=True) if is_kept)
        )
        return PackedTable(table.bits, offsets, rests, values)

    def _frozen(self) -> PackedTable:
        if self._table is None:
            self._table = self._freeze()
        return self._table

    def _freeze(self) -> PackedTable:
        count = sum(map(len, self._parts))
        bits = max(_LEAST_BITS, count.bit_length() - 2)
        self._filter = bytearray(1 << min(self._MOST_FILTER_BITS, count.bit_length() + 3))
        offsets, rests = array("I", bytes(4 * ((1 << bits) + 1))), array("I")
        for bucket, rest in self._sorted(bits):
            offsets[bucket + 1] += 1
            rests.append(rest)
        for bucket in range(1 << bits):
            offsets[bucket + 1] += offsets[bucket]
        self._values = array("H", bytes(2 * len(rests)))
        return PackedTable(bits, offsets, rests, self._values)

    def _sorted(self, bits: int) -> Iterator[tuple[int, int]]:
        """Bucket and rest of every distinct hash in order; the parts are emptied on the way."""
        maybe = self._filter
        mask = len(maybe) - 1
        for place in range(self._PARTS):
            part, self._parts[place] = self._parts[place], array("Q")
            last = -1
            for number in sorted(set(part)):
                maybe[number & mask] = 1
                cut = number >> 32 - bits
                if cut != last:
                    last = cut
                    yield cut >> 32, cut & _REST


class HashedTable:
    """A packed table of texts."""

    def __init__(self, table: PackedTable, lanes: Lanes) -> None:
        self.table = table
        self._lanes = lanes

    def __len__(self) -> int:
        return len(self.table)

    def matches(self, keys: Sequence[str]) -> list[tuple[int, int]]:
        """Place and value of every text that is held."""
        return self.table.matches([text_hash(key, self._lanes) for key in keys])


class HashedBuilder:
    """Builds a packed table of texts.

    >>> builder = HashedBuilder((1, 2))
    >>> builder.collect(["n41750"])
    >>> builder.revise(["n41750", "n180"], lambda value: value + 5)
    >>> builder.finish(bool).matches(["n180", "n41750"])
    [(1, 5)]
    """

    def __init__(self, lanes: Lanes) -> None:
        self._builder = PackedBuilder()
        self._lanes = lanes
        self._hashes = _Hashes(lanes)

    def collect(self, keys: Iterable[str]) -> None:
        """Texts to hold."""
        self._builder.collect(map(self._hashes.__getitem__, keys))

    def revise(self, keys: Sequence[str], change: Callable[[int], int]) -> None:
        """Apply a change to the value of those of the texts that are held."""
        self._builder.revise(list(map(self._hashes.__getitem__, keys)), change)

    def finish(self, keep: Callable[[int], bool]) -> HashedTable:
        """The table of the texts whose value is to be kept."""
        return HashedTable(self._builder.finish(keep), self._lanes)


class _Hashes(dict[str, int]):
    """Text -> hash, filled as texts are met: most words of a corpus are met a thousand times."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__()
        self._lanes = lanes

    def __missing__(self, text: str) -> int:
        found = self[text] = text_hash(text, self._lanes)
        return found
