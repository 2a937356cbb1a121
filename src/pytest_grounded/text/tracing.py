"""Tracing: rewriting a text step by step without losing where each character came from.

A rewriting is a tuple of steps. Each step works on a plain string, fast, and on a `Traced` one, which carries for
every character the span of the original that it stands for; both give the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = ["Casefold", "Normalize", "Step", "Substitute", "Traced", "Translate", "compatible", "rewrite", "trace"]


@dataclass(frozen=True, slots=True)
class Traced:
    """A text and, for each of its characters, start and end of what it stands for in the original."""

    text: str
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str) -> Traced:
        """The original: every character stands for itself.

        >>> Traced.of("ab")
        Traced(text='ab', spans=((0, 1), (1, 2)))
        """
        return cls(text, tuple((i, i + 1) for i in range(len(text))))


class Step(Protocol):
    """One rewriting of a text."""

    def apply(self, text: str) -> str:
        """The rewritten text."""

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and replacement of each rewritten part, in order; what lies between them stays."""


def rewrite(text: str, steps: Iterable[Step]) -> str:
    """The text after all steps."""
    for step in steps:
        text = step.apply(text)
    return text


def trace(traced: Traced, steps: Iterable[Step]) -> Traced:
    """The same as `rewrite`, with the way back."""
    for step in steps:
        traced = _replace(traced, step.pieces(traced.text))
    return traced


@dataclass(frozen=True, slots=True)
class Translate:
    """Character by character."""

    table: Mapping[int, str | None]

    def apply(self, text: str) -> str:
        """The text with each listed character exchanged or, for None, dropped."""
        return text.translate(self.table)

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each listed character."""
        for i, character in enumerate(text):
            if ord(character) in self.table:
                yield i, i + 1, self.table[ord(character)] or ""


@dataclass(frozen=True, slots=True)
class Substitute:
    """A pattern exchanged; skipped at once where none of `needles` occurs, or in ASCII where it matches only beyond."""

    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    needles: tuple[str, ...] = ()
    beyond_ascii: bool = False

    def apply(self, text: str) -> str:
        """The text with every match exchanged."""
        return self.pattern.sub(self._replaced, text) if self._may_match(text) else text

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each match."""
        if self._may_match(text):
            for match in self.pattern.finditer(text):
                yield match.start(), match.end(), self._replaced(match)

    def _replaced(self, match: re.Match[str]) -> str:
        return self.replacement if isinstance(self.replacement, str) else self.replacement(match)

    def _may_match(self, text: str) -> bool:
        if self.beyond_ascii and text.isascii():
            return False
        return not self.needles or any(needle in text for needle in self.needles)


@dataclass(frozen=True, slots=True)
class Normalize:
    """A Unicode normalization form, in linear time.

    Sorting marks is quadratic in their number, so that a letter with 100,000 of them would take minutes: marks after
    the thirtieth on one letter are dropped (UAX 15, stream-safe text, cuts there as well).
    """

    form: Literal["NFC", "NFKC"]

    def apply(self, text: str) -> str:
        """The normalized text."""
        return text if text.isascii() else unicodedata.normalize(self.form, _with_bearable_marks(text))

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each letter whose form changes, with its marks."""
        if text.isascii():
            return
        for start, end in _clusters(text):
            cluster = text[start:end]
            normalized = self.apply(cluster)
            if normalized != cluster:
                yield start, end, normalized


def compatible(text: str) -> str:
    """The compatibility form (NFKC) of a text, in linear time however many marks stand on a letter.

    >>> compatible("ﬁt １８０ e\u0301")
    'fit 180 é'
    """
    return Normalize("NFKC").apply(text)


@dataclass(frozen=True, slots=True)
class Casefold:
    """Case, by the default rules of Unicode after `special` letters."""

    special: Mapping[int, str]

    def apply(self, text: str) -> str:
        """The text without case."""
        return (text.translate(self.special) if self.special else text).casefold()

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each letter that changes."""
        for i, character in enumerate(text):
            folded = self.apply(character)
            if folded != character:
                yield i, i + 1, folded


def _replace(traced: Traced, pieces: Iterable[tuple[int, int, str]]) -> Traced:
    text: list[str] = []
    spans: list[tuple[int, int]] = []
    done = 0
    for start, end, replacement in pieces:
        text += (traced.text[done:start], replacement)
        spans += traced.spans[done:start]
        spans += [_covering(traced, start, end)] * len(replacement)
        done = end
    if not text:
        return traced
    text.append(traced.text[done:])
    spans += traced.spans[done:]
    return Traced("".join(text), tuple(spans))


def _covering(traced: Traced, start: int, end: int) -> tuple[int, int]:
    """The original of a part; of an empty part, the place in front of it."""
    if start < end:
        return traced.spans[start][0], traced.spans[end - 1][1]
    place = traced.spans[start - 1][1] if start else 0
    return place, place


_MOST_MARKS = 30
_LONG_RUN_WITHOUT_LETTERS = re.compile(r"[^\w\s!-/:-@\[-`{-~]{31,}")


def _with_bearable_marks(text: str) -> str:
    return _LONG_RUN_WITHOUT_LETTERS.sub(_cut_marks, text)


def _cut_marks(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for character in run[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


# Letters of other categories than M that compose with the one before them: Korean vowels and finals, also half-width,
# and the half-width Japanese voicing marks.
_COMPOSING = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff\uff9e-\uffdc]")


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each character with whatever can compose with it."""
    start = 0
    for i, character in enumerate(text):
        if i > start and not _joins(character):
            yield start, i
            start = i
    if text:
        yield start, len(text)


def _joins(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.category(character)[0] == "M" or _COMPOSING.match(character) is not None
