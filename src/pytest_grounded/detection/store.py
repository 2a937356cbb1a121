"""The index on disk: how the workers of a run share the index of a large corpus.

A directory outside version control holds a random key and one file per corpus and format, named by a keyed digest of
both, readable by its owner alone. The file is written beside its place and moved into it, so that nobody sees half of
one, and is mapped, so that all workers share its pages. It holds no text, but keyed 50-bit hashes of runs of it and the
names of groups: treat it like the corpus, never commit it, never upload it. Who builds it when several processes find
none is the caller's task; without a lock each builds its own, and the last one moved into place wins.
"""

from __future__ import annotations

import json
import mmap
import os
import secrets
import sys
import unicodedata
from array import array
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from pytest_grounded.detection.confusables import LOOKALIKES
from pytest_grounded.detection.facts import strict_keys
from pytest_grounded.detection.grams import Lanes, text_hash
from pytest_grounded.detection.index import ClassSets, LeakIndex, ReaderClass, build_index, use_index
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.detection.tables import HashedTable, PackedTable
from pytest_grounded.model.evidence import Corpus

__all__ = ["index_path", "open_index"]

_FORMAT = 3
"""To be raised when skeletons, facts, names or the file itself change."""
_MAGIC = b"grounded"
_KEY_FILE, _KEY_BYTES = "key", 32
_SUFFIX = ".leaks"
_OWNER_ONLY = 0o600
_ALIGNED = 8
_TABLES = ("grams", "facts", "names")


def open_index(corpus: Corpus, directory: Path) -> LeakIndex:
    """The index of a corpus, mapped from its file in `directory`, which is built when it is not there or not whole.

    From then on every detector of the corpus object uses it. Worth it from some thousand chunks on; below, an index in
    memory is built sooner than a file is read.
    """
    path = index_path(corpus, directory)
    lanes = _lanes(_key(directory))
    index = _mapped(path, lanes)
    if index is None:
        _write(build_index(corpus, lanes=lanes, packed=True), path)
        index = _mapped(path, lanes)
        if index is None:
            raise OSError(f"the index just written to {path} cannot be read back; is the disk full?")
    use_index(corpus, index)
    return index


def index_path(corpus: Corpus, directory: Path) -> Path:
    """Where the index of a corpus is kept: a name that tells nothing, another for every corpus and format."""
    read_as = (skeleton("".join(LOOKALIKES)), sorted(strict_keys(_PROBE)))
    made_by = (_FORMAT, sys.byteorder, unicodedata.unidata_version, text_hash("probe"), read_as, corpus.digest)
    name = blake2b(repr(made_by).encode(), key=_key(directory), digest_size=16).hexdigest()
    return directory / (name + _SUFFIX)


_PROBE = "Ask Dana about case HX-41750-B: you&#8217;ll pay 41,750 on 14 March 2027, from IEH."
"""A text with facts of every kind: an index made while they were read otherwise is not used."""


def _key(directory: Path) -> bytes:
    """The directory's key, drawn when first asked for."""
    path = directory / _KEY_FILE
    with suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
        path.unlink()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = directory / f"{_KEY_FILE}.{os.getpid()}"
    with _create(fresh) as file:
        file.write(secrets.token_bytes(_KEY_BYTES))
    # A link fails where another process was first, and then its key is everybody's.
    with suppress(FileExistsError):
        os.link(fresh, path)
    fresh.unlink()
    return path.read_bytes()


def _lanes(key: bytes) -> Lanes:
    digest = blake2b(b"lanes", key=key, digest_size=16).digest()
    first, second = (int.from_bytes(half, "little") >> 4 for half in (digest[:8], digest[8:]))
    return first, second


def _create(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY), "wb")


# --- the file ----------------------------------------------------------------------------------------------------


def _write(index: LeakIndex, path: Path) -> None:
    tables = [_packed(getattr(index, name)) for name in _TABLES]
    header = json.dumps(
        {
            "classes": [[one.tenant, list(one.readers)] for one in index.class_sets.classes],
            "sets": [sorted(members) for members in index.class_sets.sets],
            "short_sizes": index.short_sizes,
            "name_lengths": index.name_lengths,
            "tables": [[table.bits, len(table), table.values.typecode] for table in tables],
        }
    ).encode()
    unfinished = path.with_suffix(f".{os.getpid()}")
    with _create(unfinished) as file:
        file.write(_MAGIC + len(header).to_bytes(8, "little") + header)
        for table in tables:
            for part in (table.offsets, table.rests, table.values):
                file.write(bytes(-file.tell() % _ALIGNED))
                part.tofile(file)
    unfinished.replace(path)


def _packed(table: Any) -> Any:
    return table.table if isinstance(table, HashedTable) else table


def _mapped(path: Path, lanes: Lanes) -> LeakIndex | None:
    """The index in a file; None when there is none, or it is no whole index."""
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (FileNotFoundError, ValueError):
        return None
    try:
        return _read(data, lanes)
    except (ValueError, KeyError, TypeError):
        return None


def _read(data: memoryview, lanes: Lanes) -> LeakIndex:
    """The index in mapped bytes; raises ValueError where they are cut short."""
    start = len(_MAGIC) + 8
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError("no index")
    place = start + int.from_bytes(data[len(_MAGIC) : start], "little")
    header = json.loads(bytes(data[start:place]))
    tables: list[PackedTable] = []
    for bits, count, typecode in header["tables"]:
        parts: list[Sequence[int]] = []
        for code, length in (("I", (1 << bits) + 1), ("I", count), (typecode, count)):
            place += -place % _ALIGNED
            end = place + length * array(code).itemsize
            if end > len(data):
                raise ValueError("cut short")
            part = data[place:end]
            parts.append(part.cast("H") if code == "H" else part.cast("I"))
            place = end
        tables.append(PackedTable(bits, *parts))
    grams, facts, names = tables
    return LeakIndex(
        class_sets=ClassSets(
            (ReaderClass(tenant, tuple(readers)) for tenant, readers in header["classes"]), header["sets"]
        ),
        grams=grams,
        facts=HashedTable(facts, lanes),
        names=HashedTable(names, lanes),
        short_sizes=tuple(header["short_sizes"]),
        name_lengths=tuple(header["name_lengths"]),
        lanes=lanes,
    )
