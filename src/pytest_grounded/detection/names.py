"""Names of chunks: whether a text names a chunk by its id, document, title, address, version or locator.

What counts depends on how telling a name is. A long one counts wherever its words stand in order; a short id with other
marks or none between its parts, in brackets or on its own; a short title only with its capitals; a version only where
it is called one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pytest_grounded.detection.skeleton import plain, skeleton
from pytest_grounded.model.evidence import Chunk

__all__ = ["MOST_WORDS", "Name", "NameKind", "name_keys", "names_of", "word_string"]

MOST_WORDS = 6
"""Words of a name that are looked up, its last ones; the rest is compared when those are met."""
_LEAST_ALNUM = 5
_LEAST_NUMBERED = 8
"""Letters and digits from which three words, a number among them, are no ordinary words: `deal room 4`."""
_LEAST_TITLE = 20
"""Letters and digits from which a title counts without its capitals."""
_WORD = re.compile(r"[^\W_]++")


class NameKind(StrEnum):
    """What of a chunk a name is."""

    ID = "id"
    DOCUMENT = "document"
    TITLE = "title"
    URL = "url"
    VERSION = "version"
    LOCATOR = "locator"


@dataclass(frozen=True, slots=True)
class Name:
    """A name in its plain form, with its words in small letters."""

    kind: NameKind
    text: str
    words: str

    @property
    def key(self) -> str:
        """The words by which the name is looked up."""
        return " ".join(self.words.split(" ")[-MOST_WORDS:])

    @property
    def is_plain(self) -> bool:
        """Whether it is one word of letters, or a number: something that is said without naming a chunk."""
        return self.text.isalpha() or self.text.isdigit()

    def is_whole(self, text: str) -> bool:
        """Whether a text is this name and nothing else."""
        return text.strip().casefold() == self.text.casefold()

    def places(self, text: str, *, quoted: bool = False) -> Iterator[tuple[int, int]]:
        """Where a longer text, in its plain form, names it: start and end.

        A short id counts between square brackets, with `quoted` also a short title, between brackets or quote marks of
        any kind.

        >>> chunk_id, *_ = names_of(Chunk(id="board-memo-7", text="..."))
        >>> list(chunk_id.places("see Board memo 7 (draft)")), list(chunk_id.places("board-memo-70"))
        ([(4, 16)], [])
        """
        yield from (match.span() for match in _pattern(self, quoted=quoted).finditer(text))


def names_of(chunk: Chunk) -> tuple[Name, ...]:
    """Every name a chunk has, each once. The part of an id before a `#` counts as a document.

    >>> [f"{name.kind}: {name.text}" for name in names_of(Chunk(id="memo#2", text="...", title="Bonus", version="3"))]
    ['id: memo#2', 'id: memo2', 'document: memo', 'title: Bonus', 'version: 3']
    """
    named = (
        (NameKind.ID, chunk.id),
        (NameKind.ID, _run_together(chunk.id)),
        *((NameKind.DOCUMENT, run) for run in _runs(chunk.id)),
        (NameKind.DOCUMENT, chunk.document),
        (NameKind.DOCUMENT, _run_together(chunk.document or "")),
        (NameKind.TITLE, chunk.title),
        (NameKind.URL, _ADDRESS.sub("", chunk.url or "")),
        (NameKind.VERSION, chunk.version),
        (NameKind.LOCATOR, chunk.locator),
    )
    found: dict[tuple[bool, str], Name] = {}
    for kind, value in named:
        text = plain(value or "").strip()
        words = word_string(text)
        if words:
            found.setdefault((kind in (NameKind.VERSION, NameKind.LOCATOR), text), Name(kind, text, words))
    return tuple(found.values())


def word_string(text: str) -> str:
    """The words of a text in small letters, one space between them.

    >>> word_string("travel-policy@v3#hotel_standard")
    'travel policy v3 hotel standard'
    """
    return " ".join(_WORD.findall(plain(text).casefold()))


def name_keys(words: str, lengths: Iterable[int]) -> Iterator[str]:
    """Every run of words that may be a name of one of these lengths.

    >>> list(name_keys("see memo 7", [2]))
    ['see memo', 'memo 7']
    """
    listed = words.split(" ")
    for length in lengths:
        if length == 1:
            yield from listed
        else:
            yield from map(" ".join, zip(*(listed[start:] for start in range(length)), strict=False))


def _run_together(name: str) -> str:
    """A short id without its marks, as `memo7` for `memo-7`; nothing where that would be an ordinary word."""
    words = word_string(name).split()
    together = "".join(words)
    is_telling = len(together) >= _LEAST_ALNUM and not together.isalpha() and not together.isdigit()
    return together if len(words) > 1 and is_telling else ""


_COUNTED = re.compile(r"[a-z]+-?\d{1,2}", re.IGNORECASE)
_MOST_PARTS = 8


def _runs(chunk_id: str) -> Iterator[str]:
    """Runs of the parts of an id that tell it by themselves: what stands before `#`, and runs with a digit in them."""
    document, mark, _ = chunk_id.rpartition("#")
    if mark:
        yield document
    parts = [match.span() for match in _WORD.finditer(chunk_id)]
    if len(parts) > _MOST_PARTS:
        return
    for first in range(len(parts)):
        for last in range(first + 1, len(parts)):
            run = chunk_id[parts[first][0] : parts[last][1]]
            letters = sum(character.isalnum() for character in run)
            if letters >= _LEAST_ALNUM and any(map(str.isdigit, run)) and not _COUNTED.fullmatch(run):
                yield run


@lru_cache(maxsize=8192)
def _pattern(name: Name, *, quoted: bool) -> re.Pattern[str]:
    """The pattern for a name inside a longer text."""
    words = name.words.split(" ")
    letters = len(skeleton(name.text))
    least = _LEAST_NUMBERED if any(map(str.isdigit, words)) else 2 * _LEAST_ALNUM
    is_long = len(words) > 2 and letters >= least  # noqa: PLR2004 - three words
    exactly = re.escape(name.text)
    match name.kind:
        case NameKind.VERSION:
            return re.compile(rf"{_CALLED_VERSION}{exactly}(?!\w|\.\w)", re.IGNORECASE)
        case NameKind.URL:
            return re.compile(rf"{_BEGIN}{exactly}(?![\w-])", re.IGNORECASE)
        case NameKind.TITLE | NameKind.LOCATOR if is_long or (letters >= _LEAST_TITLE and len(words) > 1):
            return _in_order(words)
        case NameKind.TITLE if len(words) > 1:
            return re.compile(rf"{_BEGIN}{exactly}{_END}")
        case NameKind.ID | NameKind.DOCUMENT if is_long:
            return _in_order(words)
        case NameKind.ID | NameKind.DOCUMENT if len(words) > 1 or not (name.is_plain or letters < _LEAST_ALNUM):
            joined = _JOINERS.join(map(re.escape, words))
            return re.compile(rf"{_BEGIN}(?:{exactly}|{joined}){_END}", re.IGNORECASE)
        case _ if quoted or name.kind in {NameKind.ID, NameKind.DOCUMENT}:
            marks = "[('\"`{", "])'\"`}"
            return (
                re.compile(rf"(?<=[{re.escape(marks[0])}]){exactly}(?=[{re.escape(marks[1])}])")
                if quoted
                else re.compile(rf"(?<=\[){exactly}(?=\])")
            )
        case _:
            return _NEVER


def _in_order(words: list[str]) -> re.Pattern[str]:
    return re.compile(_BEGIN + r"[\W_]{1,3}".join(map(re.escape, words)) + _END, re.IGNORECASE)


_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"
_JOINERS = r"[-_.:/\\#@+~=]{1,3}"
"""What may stand between the parts of a short id: not a space, with which it may be ordinary words."""
_CALLED_VERSION = rf"{_BEGIN}(?:version|revision|rev\.?|edition|release|v\.?)[ :=#]{{0,2}}"
_ADDRESS = re.compile(r"\A[a-z][a-z0-9+.-]*://|/\Z", re.IGNORECASE)
_NEVER = re.compile(r"(?!)")
