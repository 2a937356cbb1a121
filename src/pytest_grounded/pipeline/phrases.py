"""Rules made of phrases: a text matches when it holds one phrase of every group and none that lifts the rule.

Rules are data, so that a suite can add its own; phrases are literal, so that no rule can be slow on any text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field

from pytest_grounded.text.tracing import compatible

__all__ = ["PhraseRule", "first_match", "holds_any"]


class PhraseRule(BaseModel):
    """A text matches when it holds a phrase of each group in `all_of` and none of `none_of`.

    Phrases are whole words without regard to case; `diagnos*` stands for every word that begins so.

    >>> rule = PhraseRule(all_of=(("ignore", "forget"), ("instruction*", "rules")), none_of=("never",))
    >>> rule.matches("Ignore all previous instructions."), rule.matches("Never ignore the rules.")
    (True, False)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    all_of: tuple[tuple[str, ...], ...] = Field(min_length=1, description="Groups; one phrase of each has to occur.")
    none_of: tuple[str, ...] = Field(default=(), description="Phrases that lift the rule.")

    def matches(self, text: str) -> bool:
        """Whether the rule holds for a text."""
        read = _read(text)
        for phrases in self.all_of:
            if not _group(phrases).is_in(read):
                return False
        return not (self.none_of and _group(self.none_of).is_in(read))


def first_match(rules: tuple[PhraseRule, ...], text: str) -> PhraseRule | None:
    """The first rule that matches a text."""
    for rule in rules:
        if rule.matches(text):
            return rule
    return None


def holds_any(phrases: tuple[str, ...], text: str) -> bool:
    """Whether a text holds one of the phrases.

    >>> holds_any(("and what about", "how about"), "And what about Tokyo?")
    True
    """
    return bool(phrases) and _group(phrases).is_in(_read(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A text without case, its characters (one of none among them), and how its words begin."""

    folded: str
    characters: frozenset[str]
    beginnings: frozenset[str]


@lru_cache(maxsize=1_024)
def _read(text: str) -> _Text:
    folded = _fold(text)
    words = _WORD.findall(folded)
    beginnings = frozenset(word[:length] for word in words for length in range(1, _BEGINNING + 1))
    return _Text(folded=folded, characters=frozenset(("", *folded)), beginnings=beginnings)


def _fold(text: str) -> str:
    return " ".join(compatible(text).replace("\u2019", "'").casefold().split())


_WORD = re.compile(r"\w+")
_BEGINNING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Phrases of which one has to occur: each begins with one of `beginnings`, or with one of `characters` anywhere."""

    pattern: re.Pattern[str]
    beginnings: frozenset[str]
    characters: frozenset[str]

    def may_be_in(self, text: _Text) -> bool:
        """Whether a text has what one of the phrases begins with; of most rules it has nothing, and is not searched."""
        return not (self.beginnings.isdisjoint(text.beginnings) and self.characters.isdisjoint(text.characters))

    def is_in(self, text: _Text) -> bool:
        """Whether one of the phrases occurs in a text."""
        return self.may_be_in(text) and self.pattern.search(text.folded) is not None


@lru_cache(maxsize=1_024)
def _group(phrases: tuple[str, ...]) -> _Group:
    folded = [_fold(phrase) for phrase in phrases]
    stems = [phrase.removesuffix("*") for phrase in folded]
    return _Group(
        pattern=re.compile("|".join(map(_literal, folded))),
        beginnings=frozenset(_begins(stem) for stem in stems if _at_word_start(stem)),
        characters=frozenset(stem[:1] for stem in stems or [""] if not _at_word_start(stem)),
    )


def _begins(stem: str) -> str:
    """How the word begins that a phrase begins with."""
    word = _WORD.match(stem)
    return word.group()[:_BEGINNING] if word else ""


def _at_word_start(stem: str) -> bool:
    """Whether a phrase occurs only where a word begins: in scripts that write spaces."""
    return stem[:1].isascii() and stem[:1].isalnum()


def _literal(phrase: str) -> str:
    """Whole words in scripts that write spaces; anywhere in those that do not."""
    stem = phrase.removesuffix("*")
    body = re.escape(stem)
    start = r"(?<!\w)" if _at_word_start(stem) else ""
    open_end = phrase.endswith("*") or not (stem[-1:].isascii() and stem[-1:].isalnum())
    return f"{start}{body}" if open_end else rf"{start}{body}(?!\w)"
