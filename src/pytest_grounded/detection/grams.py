"""k-grams of skeletons as numbers: which fixed-length runs of bytes a text holds.

Runs of 16 bytes are hashed over UTF-8, so that one length serves every script: 16 Latin letters, 8 Cyrillic, 5 Chinese.
Of the hashes of a restricted passage only the least of every eight neighbours are kept (winnowing; Schleimer, Wilkerson
and Aiken 2003): any run of 23 bytes that two texts share then shares a kept hash.

Hashing runs in C: the eight-byte words at every place are unpacked at once, and CPython's hash of a tuple of whole
numbers, which no seed changes, mixes two words with two *lanes*. With secret lanes a file of hashes tells little to
somebody who has the file alone; it is no cipher, and a match is always confirmed on the text itself.
"""

from __future__ import annotations

import struct
from itertools import repeat

__all__ = ["GRAM", "PUBLIC_LANES", "SHORTEST", "WINDOW", "Lanes", "gram_hashes", "text_hash", "winnow"]

GRAM = 16
"""Bytes of a run that is looked up."""
SHORTEST = 12
"""Bytes of the shortest passage that is looked up whole."""
WINDOW = 8
"""Neighbouring runs of which one is kept."""

Lanes = tuple[int, int]
"""Two numbers below 2**61 that are mixed into every hash."""
PUBLIC_LANES: Lanes = (0x1E37_79B9_7F4A_7C15, 0x1F58_476D_1CE4_E5B9)
"""The lanes of an index that never leaves memory, and of the choice which hashes are kept."""

_WORD = 8


def gram_hashes(skeleton: bytes, lanes: Lanes = PUBLIC_LANES, size: int = GRAM) -> list[int]:
    """The hash of the run of `size` bytes (8 to 16) at every place of a skeleton; none where it is shorter.

    >>> left, right = gram_hashes(b"the quick brown fox jumps"), gram_hashes(b"a quick brown fox")
    >>> left[4:] [:1] == right[2:][:1], len(gram_hashes(b"short"))
    (False, 0)
    >>> len(set(gram_hashes(b"xx the quick brown fox")) & set(gram_hashes(b"yy the quick brown fox")))
    5
    """
    if len(skeleton) < size:
        return []
    words = _words(skeleton)
    first, second = lanes
    return list(map(hash, zip(words, repeat(first), words[size - _WORD :], repeat(second ^ size))))


def text_hash(text: str, lanes: Lanes = PUBLIC_LANES) -> int:
    """The hash of a short text, the same in every process.

    >>> text_hash("n41750") == text_hash("n41750"), text_hash("n41750") == text_hash("n41751")
    (True, False)
    """
    return hash((lanes[0], int.from_bytes(text.encode("utf-8", "surrogatepass"), "little"), lanes[1]))


def winnow(hashes: list[int]) -> set[int]:
    """The least hash of every eight neighbours; all of fewer than eight.

    >>> sorted(winnow([9, 8, 7, 6, 5, 4, 3, 2, 1]))
    [1, 2]
    """
    if len(hashes) < WINDOW:
        return set(hashes)
    least = hashes
    for step in (1, 2, 4):
        least = list(map(min, least, least[step:]))
    return set(least)


def _words(data: bytes) -> list[int]:
    """The number that the eight bytes at every place make."""
    words = [0] * (len(data) - _WORD + 1)
    for offset in range(min(_WORD, len(words))):
        count = (len(data) - offset) // _WORD
        words[offset::_WORD] = struct.unpack_from(f"<{count}Q", data, offset)
    return words
