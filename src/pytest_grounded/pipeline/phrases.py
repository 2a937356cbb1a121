"""Rules made of phrases: a text matches when it holds one phrase of every group and none that lifts the rule.

Rules are data, so that a suite can add its own; phrases are literal, so that no rule can be slow on any text.
"""

from __future__ import annotations

import re
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
        folded = _fold(text)
        for group in self.all_of:
            if not _pattern(group).search(folded):
                return False
        return not (self.none_of and _pattern(self.none_of).search(folded))


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
    return bool(phrases) and _pattern(phrases).search(_fold(text)) is not None


@lru_cache(maxsize=1_024)
def _fold(text: str) -> str:
    return " ".join(compatible(text).replace("\u2019", "'").casefold().split())


@lru_cache(maxsize=1_024)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_literal(_fold(phrase)) for phrase in phrases))


def _literal(phrase: str) -> str:
    """Whole words in scripts that write spaces; anywhere in those that do not."""
    stem = phrase.removesuffix("*")
    body = re.escape(stem)
    start = r"(?<!\w)" if stem[:1].isascii() and stem[:1].isalnum() else ""
    open_end = phrase.endswith("*") or not (stem[-1:].isascii() and stem[-1:].isalnum())
    return f"{start}{body}" if open_end else rf"{start}{body}(?!\w)"
