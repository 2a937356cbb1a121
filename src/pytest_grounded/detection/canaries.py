"""Canaries: chunks that nobody can know by chance, one for every class of readers, to be put beside a corpus.

What a system says of a canary it has from the corpus: the token is random, the sentence names somebody who does not
exist and a sum that nobody owes. Useful where the real restricted chunks may also be known from elsewhere, and where a
system can only be given more documents, never fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from pytest_grounded.detection.index import ReaderClass
from pytest_grounded.model.evidence import Chunk

__all__ = ["canaries"]

_PREFIX = "grounded-canary-"
_STARTS = (
    "Bel",
    "Cor",
    "Dra",
    "Fen",
    "Gal",
    "Hol",
    "Jor",
    "Kes",
    "Lum",
    "Mar",
    "Nol",
    "Ost",
    "Per",
    "Quil",
    "Rav",
    "Tor",
)
_ENDS = ("adine", "arvik", "ebrand", "enko", "estra", "ingold", "ovar", "ulane")


def canaries(chunks: Iterable[Chunk], *, key: str) -> tuple[Chunk, ...]:
    """A canary for every class of readers but the public, in order of their ids; the same for the same key.

    >>> memo = Chunk(id="memo", text="...", readers=("board",))
    >>> [canary] = canaries([memo, Chunk(id="page", text="...", readers=("*",))], key="run 1")
    >>> canary.readers, canary.text.startswith(f"{canary.id}: The reward for ")
    (('board',), True)
    """
    classes = {ReaderClass.of(chunk) for chunk in chunks}
    made = (_canary(one, key) for one in classes if not one.is_public)
    return tuple(sorted(made, key=lambda chunk: chunk.id))


def _canary(readers: ReaderClass, key: str) -> Chunk:
    drawn = blake2b(repr((readers.tenant, readers.readers)).encode(), key=key.encode()[:64], digest_size=16).digest()
    first, second, *_ = drawn
    name = _STARTS[first % len(_STARTS)] + _ENDS[second % len(_ENDS)]
    amount = 10_000 + int.from_bytes(drawn[2:6], "big") % 90_000
    chunk_id = _PREFIX + drawn[6:].hex()
    return Chunk(
        id=chunk_id,
        text=f"{chunk_id}: The reward for {name} is {amount:,} florins, payable at the third bell.",
        tenant=readers.tenant,
        readers=readers.readers,
    )
