"""Skeletons: what is left of a text when everything a disguise may change is taken away.

The *skeleton* is what passages are compared by: letters and digits alone, without case, marks, typography, lookalike
letters and letters written as digits. The *plain* form is what facts are read from: it keeps words, numbers and
capitals apart and takes away only what cannot be seen or only looks different. Both map every character on its own, so
they cost the same whatever the text is, and the skeleton of two texts joined is the two skeletons joined.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pytest_grounded.detection.confusables import LOOKALIKES

__all__ = ["plain", "plain_origins", "skeleton", "skeleton_origins", "skeleton_text"]

_LEET = {"0": "o", "1": "i", "l": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "|": "i", "!": "i"}
_MOST_BYTES = 6
"""What one character may stand for: some ligatures hold a whole sentence, and 64 KiB of them would be a bomb."""
_JAMO = re.compile("[\u1100-\u11ff]{2,}")
_HANGUL = range(0xAC00, 0xD7A4)
_SURROGATES = range(0xD800, 0xE000)


def skeleton(text: str) -> bytes:
    r"""The canonical bytes of a text: UTF-8 of its letters and digits after folding.

    Folded are compatibility forms, marks, case, decimal digits of any script, characters that look like a Latin letter
    (UTS #39), and the digits and signs that are written for letters (4 for a, 0 for o, 1 and l for i).

    >>> skeleton("Board-approved: 41,750 dollars!")
    b'boardapprovedaitsodoiiarsi'
    >>> skeleton("ｂｏａｒｄ") == skeleton("b\u200bо\u0301ard") == skeleton("BOARD")
    True
    """
    if text.isascii():
        return text.encode().translate(_ASCII_SKELETON, _ASCII_DROPPED)
    return skeleton_text(text).encode()


def skeleton_text(text: str) -> str:
    """The skeleton as text, before it is encoded.

    >>> skeleton_text("Größe: 5 m²")
    'grossesm2'
    """
    return _composed(text).translate(_SKELETON)


def skeleton_origins(text: str) -> list[int]:
    """For each byte of the skeleton, the index of the character of the text it came from.

    >>> skeleton_origins("a-é b")
    [0, 2, 4]
    """
    composed = _composed(text)
    if composed != text:
        # Jamo that were composed: every byte of a syllable points to where its run began.
        return _origins_of_jamo(text)
    origins: list[int] = []
    for index, character in enumerate(text):
        origins.extend([index] * len(_SKELETON[ord(character)].encode()))
    return origins


def plain(text: str) -> str:
    r"""The text with lookalikes, marks and invisible characters folded, its words, numbers and capitals kept.

    >>> plain("Ｈａｌ\u200bcyon\u00a0– 41\u202f750 €")
    'Halcyon - 41 750 €'
    """
    return text if text.isascii() else text.translate(_PLAIN)


def plain_origins(text: str) -> list[int]:
    r"""For each character of the plain form, the index of the character of the text it came from.

    >>> plain_origins("a\u200b½")
    [0, 2, 2, 2]
    """
    origins: list[int] = []
    for index, character in enumerate(text):
        origins.extend([index] * (1 if character.isascii() else len(_PLAIN[ord(character)])))
    return origins


def _composed(text: str) -> str:
    """Korean syllables written as their parts, put together: the parts alone would count as three letters each."""
    return _JAMO.sub(lambda run: unicodedata.normalize("NFC", run.group()), text)


def _origins_of_jamo(text: str) -> list[int]:
    origins: list[int] = []
    place = 0
    for run in _JAMO.finditer(text):
        origins.extend(place + index for index in skeleton_origins(text[place : run.start()]))
        origins.extend([run.start()] * len(skeleton(run.group())))
        place = run.end()
    origins.extend(place + index for index in skeleton_origins(text[place:]))
    return origins


class _Folding(dict[int, str]):
    """A table for `str.translate` that is filled as characters are met."""

    def __missing__(self, point: int) -> str:
        folded = self[point] = self.fold(chr(point))
        return folded

    def fold(self, character: str) -> str:
        raise NotImplementedError


class _SkeletonFolding(_Folding):
    def fold(self, character: str) -> str:
        if ord(character) in _SURROGATES:
            return ""
        if ord(character) in _HANGUL:
            return character
        parts = (part for letter in _decomposed(character) for part in _decomposed(letter.casefold()))
        folded = "".join(filter(str.isalnum, map(_canonical, parts)))
        return folded.encode()[:_MOST_BYTES].decode(errors="ignore")


class _PlainFolding(_Folding):
    def fold(self, character: str) -> str:
        if character.isascii():
            return character
        if ord(character) in _HANGUL:
            return character
        return "".join(map(_visible, _decomposed(character)))[:_MOST_BYTES]


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _canonical(character: str) -> str:
    """The letter or digit that a case-folded character stands for, as it stands in skeletons."""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        character = str(digit)
    elif not character.isascii():
        # Case was folded before, so a letter whose capital alone looks Latin is looked up by its capital.
        character = LOOKALIKES.get(character) or LOOKALIKES.get(character.upper(), character)
    character = character.lower()
    return _LEET.get(character, character)


def _visible(character: str) -> str:
    """A character as a reader sees it: marks and invisible characters gone, digits, spaces and dashes plain."""
    if character.isascii():
        return character
    category = unicodedata.category(character)
    if category in {"Mn", "Me", "Cf", "Cs"} or "\ufe00" <= character <= "\ufe0f":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs":
        return " "
    if category == "Pd" or character == "\u2212":
        return "-"
    if category in {"Pi", "Pf"}:
        return "'"
    return _latin_letter(character)


@lru_cache(maxsize=4096)
def _latin_letter(character: str) -> str:
    """The Latin letter (never a digit) a character looks like, in its case, else the character."""
    letter = LOOKALIKES.get(character)
    if letter is None:
        lower = character.lower()
        letter = LOOKALIKES.get(lower)
        if letter is not None and lower != character:
            letter = letter.upper()
        elif letter is None and character.upper() != character:
            letter = LOOKALIKES.get(character.upper(), "").lower()
    return letter if letter and letter.isalpha() else character


_SKELETON = _SkeletonFolding()
_PLAIN = _PlainFolding()
_ASCII_SKELETON = bytes(ord(_SKELETON[point] or "\0") for point in range(128)) + bytes(128)
_ASCII_DROPPED = bytes(point for point in range(128) if not _SKELETON[point])
