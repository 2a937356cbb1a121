"""Stand-ins for an embedding model: pairs and triples of letters, counted in as many buckets as the encoder has."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

__all__ = ["LetterEncoder", "coarse", "fine"]


class LetterEncoder:
    """Texts with many runs of letters in common are near each other, as words of one root are."""

    def __init__(self, length: int, buckets: int) -> None:
        self.name = f"letters-{length}-{buckets}"
        self._length, self._buckets = length, buckets

    def query(self, text: str) -> list[float]:
        """How often each bucket is met."""
        folded = text.casefold()
        vector = [0.0] * self._buckets
        for start in range(len(folded) - self._length + 1):
            vector[crc32(folded[start : start + self._length].encode()) % self._buckets] += 1
        return vector

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each."""
        return [self.query(text) for text in texts]


fine = LetterEncoder(3, 256)
coarse = LetterEncoder(2, 64)
