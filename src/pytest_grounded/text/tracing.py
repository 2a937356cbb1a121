"""Tracing: rewriting a text step by step without losing where each character came from.

A rewriting is a tuple of steps. Each step works on a plain string, fast, and on a `Traced` one, which carries for
every character the span of the original that it stands for; both give the same text.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "Blanks",
    "Casefold",
    "Normalize",
    "Rewriting",
    "Step",
    "Strip",
    "Substitute",
    "Traced",
    "Translate",
    "compatible",
]


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A text and, for each of its characters, start and end of what it stands for in the original."""

    text: str
    starts: array[int]
    ends: array[int]

    @classmethod
    def of(cls, text: str) -> Traced:
        """The original: every character stands for itself.

        >>> Traced.of("ab").spans
        ((0, 1), (1, 2))
        """
        return cls(text, array("I", range(len(text))), array("I", range(1, len(text) + 1)))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each character's original."""
        return tuple(zip(self.starts, self.ends, strict=True))

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the original of a part; of an empty part, the place in front of it.

        >>> Traced.of("ab").original_span(1, 2), Traced.of("ab").original_span(2, 2)
        ((1, 2), (2, 2))
        """
        if start < end:
            return self.starts[start], self.ends[end - 1]
        place = self.ends[start - 1] if start else 0
        return place, place


class Step(ABC):
    """One rewriting of a text."""

    __slots__ = ()

    signs: frozenset[str] | None
    """Characters of which a text has one where this step may change it; None where that says nothing."""
    beyond_ascii: bool
    """Whether a text in ASCII stays as it is."""

    def may_change(self, characters: frozenset[str], is_ascii: bool) -> bool:  # noqa: FBT001  a pair that is a key
        """Whether a text with these signs can be rewritten at all."""
        if self.beyond_ascii and is_ascii:
            return False
        return self.signs is None or not self.signs.isdisjoint(characters)

    @abstractmethod
    def apply(self, text: str) -> str:
        """The rewritten text."""

    @abstractmethod
    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and replacement of each rewritten part, in order; what lies between them stays."""

    def trace(self, traced: Traced) -> Traced:
        """The rewritten text with the way back."""
        return _replace(traced, self.pieces(traced.text))


class Rewriting:
    """Steps taken one after the other, those left out at once that a text's characters give nothing to do."""

    __slots__ = ("_by_signs", "_signs", "_steps")

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = tuple(steps)
        self._signs = frozenset[str]().union(*(step.signs for step in self._steps if step.signs is not None))
        self._by_signs: dict[tuple[frozenset[str], bool], tuple[tuple[int, Step], ...]] = {}

    def __call__(self, text: str) -> str:
        """The text after all steps."""
        done = -1
        following = self._following(text)
        while following:
            for place, step in following:
                if place <= done:
                    continue
                done = place
                before, text = text, step.apply(text)
                if text != before:
                    following = self._following(text)
                    break
            else:
                return text
        return text

    def trace(self, traced: Traced) -> Traced:
        """The same, with the way back."""
        for step in self._steps:
            traced = step.trace(traced)
        return traced

    def _following(self, text: str) -> tuple[tuple[int, Step], ...]:
        """The steps that may change a text of such signs, with their places."""
        key = self._signs.intersection(text), text.isascii()
        known = self._by_signs.get(key)
        if known is None:
            if len(self._by_signs) >= _MOST_REMEMBERED:
                self._by_signs.clear()
            known = tuple((place, step) for place, step in enumerate(self._steps) if step.may_change(*key))
            self._by_signs[key] = known
        return known


_MOST_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class Translate(Step):
    """Character by character."""

    table: Mapping[int, str | None]
    signs: frozenset[str] = field(init=False)
    beyond_ascii: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "signs", frozenset(map(chr, self.table)))

    def apply(self, text: str) -> str:
        """The text with each listed character exchanged or, for None, dropped."""
        return text.translate(self.table)

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each listed character."""
        listed = {character: self.table[ord(character)] or "" for character in self.signs.intersection(text)}
        if listed:
            for i, character in enumerate(text):
                if character in listed:
                    yield i, i + 1, listed[character]


@dataclass(frozen=True, slots=True)
class Substitute(Step):
    """A pattern exchanged; skipped at once where none of `needles` occurs, or in ASCII where it matches only beyond."""

    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    needles: tuple[str, ...] = ()
    beyond_ascii: bool = False
    signs: frozenset[str] | None = field(init=False)
    """A character of each needle; a blank is in nearly every text and no sign of anything."""
    long_needles: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        signs = frozenset((needle.strip(" ") or needle)[0] for needle in self.needles)
        object.__setattr__(self, "signs", signs or None)
        object.__setattr__(self, "long_needles", self.needles if any(len(one) > 1 for one in self.needles) else ())

    def apply(self, text: str) -> str:
        """The text with every match exchanged."""
        return self.pattern.sub(self.replacement, text) if self._may_match(text) else text

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
        return not self.long_needles or any(needle in text for needle in self.long_needles)


class Blanks(Step):
    """Every run of white space made one blank."""

    __slots__ = ()
    signs = None
    beyond_ascii = False

    def apply(self, text: str) -> str:
        """The text with one blank between its words; one before the first and behind the last where one stood there."""
        words = text.split()
        if not words:
            return " " if text else ""
        return f"{' ' if text[0].isspace() else ''}{' '.join(words)}{' ' if text[-1].isspace() else ''}"

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each run that is not a blank yet."""
        for match in _RUN.finditer(text):
            yield match.start(), match.end(), " "


_RUN = re.compile(r"\s{2,}|[^\S ]")


class Strip(Step):
    """White space at both ends taken away."""

    __slots__ = ()
    signs = None
    beyond_ascii = False

    def apply(self, text: str) -> str:
        """The text between its first and its last word."""
        return text.strip()

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """What stands before the first word and behind the last."""
        left, right = len(text) - len(text.lstrip()), len(text.rstrip())
        if left:
            yield 0, left, ""
        if left < right < len(text):
            yield right, len(text), ""


@dataclass(frozen=True, slots=True)
class Normalize(Step):
    """A Unicode normalization form, in linear time.

    Sorting marks is quadratic in their number, so that a letter with 100,000 of them would take minutes: marks after
    the thirtieth on one letter are dropped (UAX 15, stream-safe text, cuts there as well).
    """

    form: Literal["NFC", "NFKC"]
    signs: frozenset[str] | None = None
    beyond_ascii: bool = True

    def apply(self, text: str) -> str:
        """The normalized text."""
        return text if text.isascii() else unicodedata.normalize(self.form, _with_bearable_marks(text))

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each letter whose form changes, with its marks."""
        if self.apply(text) == text:
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
class Casefold(Step):
    """Case, by the default rules of Unicode after `special` letters."""

    special: Mapping[int, str]
    signs: frozenset[str] | None = None
    beyond_ascii: bool = False

    def apply(self, text: str) -> str:
        """The text without case."""
        return (text.translate(self.special) if self.special else text).casefold()

    def pieces(self, text: str) -> Iterator[tuple[int, int, str]]:
        """One piece for each letter that changes."""
        for i, character in enumerate(text):
            folded = self.apply(character)
            if folded != character:
                yield i, i + 1, folded

    def trace(self, traced: Traced) -> Traced:
        """The text without case; no letter vanishes, so that one of the same length has each in its place."""
        folded = self.apply(traced.text)
        if len(folded) == len(traced.text):
            return Traced(folded, traced.starts, traced.ends)
        return _replace(traced, self.pieces(traced.text))


def _replace(traced: Traced, pieces: Iterable[tuple[int, int, str]]) -> Traced:
    text: list[str] = []
    starts, ends = array("I"), array("I")
    done = 0
    for start, end, replacement in pieces:
        text += (traced.text[done:start], replacement)
        first, last = traced.original_span(start, end)
        starts += traced.starts[done:start]
        ends += traced.ends[done:start]
        for _ in replacement:
            starts.append(first)
            ends.append(last)
        done = end
    if not text:
        return traced
    text.append(traced.text[done:])
    starts += traced.starts[done:]
    ends += traced.ends[done:]
    return Traced("".join(text), starts, ends)


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
