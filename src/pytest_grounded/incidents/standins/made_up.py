"""Stand-ins: ordinary words of other things, made-up words, numbers and names, always the same in the same order.

Which one comes next depends on how many came before and on the length that is asked for, never on what it stands for:
nobody can read the original out of a stand-in.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from pytest_grounded.text.wordlists import listed

__all__ = ["ORDINARY", "MadeUp"]

_OPENINGS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
)
_VOWELS = ("a", "e", "i", "o", "u")
_CLOSINGS = ("l", "m", "n", "r", "nd", "rt", "lk", "mp", "sk", "ln")
_CONSONANTS = "bcdfghjklmnpqrtvwxz"
_HAN = "岩枫澜穗棠鹭岚桐汀蔚霖苇筠砚舟榕麓汐荷霁槐菱溪橹棹莺蕙岑渚梧"
_GIVEN = ("Dana", "Robin", "Noor", "Jules", "Remy", "Sasha", "Ariel", "Toni", "Lior", "Uli", "Merle", "Jona")
_FAMILY = (
    "Whitlock", "Ostmann", "Varga", "Lindqvist", "Marlowe", "Tessier", "Okonjo", "Halvorsen", "Pellegrin", "Quist",
    "Ravensby", "Trenholm", "Umbach",
)  # fmt: skip
_LETTERS_A_SYLLABLE = 3
ORDINARY = tuple(
    sorted(
        listed(
            """
            anchor blanket blossom brush bubble button candle canvas carpet castle cedar chimney cider copper cottage
            cradle crayon curtain daisy dancer ember falcon feather fern ferry fiddle flannel forest fountain garden
            garnet ginger goblet granite hammer hammock harbor harvest hazel heron jacket jasmine jigsaw juniper kettle
            lantern lemon lilac linen lizard lobster maple marble meadow mirror mitten mosaic nectar needle nutmeg
            oyster paddle pebble pepper picnic pigeon pillow plaster poppy puzzle quartz rabbit raisin ribbon saddle
            saffron sandal satchel scarf shovel sketch sparrow spiral sponge squirrel stencil sunset teapot thimble
            thistle tulip tunnel turnip turtle velvet violet waffle walnut whistle willow wreath
            """
        )
    )
)
"""Words of things that policies seldom speak of: with them a sentence stays one that can be read aloud."""


class MadeUp:
    """Draws stand-ins. Two of these draw the same ones in the same order.

    >>> first, second = MadeUp(), MadeUp()
    >>> first.word(9) == second.word(9), first.digits("4175") == second.digits("4175")
    (True, True)
    >>> first.name(), first.name(), first.email()
    ('Dana Whitlock', 'Robin Ostmann', 'person-3@example.org')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        """Draw none of the words that are taken: small letters, such as those that a corpus has already."""
        self._draw = random.Random(20_240_701)  # noqa: S311 - nothing is kept secret by it
        self._words: set[str] = set(taken)
        self._people = 0

    def word(self, length: int) -> str:
        """A word that can be spoken, about as long, in small letters, not drawn before."""
        while True:
            count = max(1, round(length / _LETTERS_A_SYLLABLE) - 1)
            parts = [self._draw.choice(_OPENINGS) + self._draw.choice(_VOWELS) for _ in range(count)]
            word = "".join(
                (*parts, self._draw.choice(_OPENINGS), self._draw.choice(_VOWELS), self._draw.choice(_CLOSINGS))
            )
            if word not in self._words:
                self._words.add(word)
                return word

    def ordinary_word(self, length: int) -> str:
        """An ordinary word about as long, in small letters, not drawn before; a made-up one where none is left.

        >>> MadeUp().ordinary_word(6) in ORDINARY, MadeUp(ORDINARY).ordinary_word(6) in ORDINARY
        (True, False)
        """
        left = [word for word in ORDINARY if word not in self._words]
        if not left:
            return self.word(length)
        nearest = min(abs(len(word) - length) for word in left)
        word = self._draw.choice([word for word in left if abs(len(word) - length) <= nearest + 1])
        self._words.add(word)
        return word

    def letters(self, length: int) -> str:
        """Small letters that make no word, for an abbreviation."""
        return "".join(self._draw.choice(_CONSONANTS) for _ in range(length))

    def character(self) -> str:
        """A Chinese character that is rare in documents."""
        return self._draw.choice(_HAN)

    def digits(self, like: str) -> str:
        """As many digits, but not the same; first and last are 0 exactly where they were."""
        while True:
            drawn = [self._draw.choice("0123456789") for _ in like]
            for place in (0, -1):
                drawn[place] = "0" if like[place] == "0" else self._draw.choice("123456789")
            if like[0] != "0":  # what could be a year stays so, and nothing else becomes one
                drawn[0] = self._draw.choice("12" if like[0] in "12" else "3456789")
            made = "".join(drawn)
            if made != like or not like.strip("0"):
                return made

    def below(self, limit: int, *, least: int = 1, but: int | None = None) -> int:
        """A whole number from `least` up to below `limit` that is not `but`."""
        return self._draw.choice([number for number in range(least, limit) if number != but])

    def name(self) -> str:
        """A person nobody is."""
        given, family = _GIVEN[self._people % len(_GIVEN)], _FAMILY[self._people % len(_FAMILY)]
        self._people += 1
        return f"{given} {family}"

    def email(self) -> str:
        """An address that no mail reaches."""
        self._people += 1
        return f"person-{self._people}@example.org"

    def made_up_name(self, what: str) -> str:
        """A name that says what it stands for: `made-up-key-2`."""
        self._people += 1
        return f"made-up-{what}-{self._people}"
