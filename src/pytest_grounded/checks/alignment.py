"""Which part of a source says what a claim says: the words that hold the claim's, and those around that turn them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.checks.passages import Passage, root, without_quantities
from pytest_grounded.text.clauses import clause_at, split_clauses
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.polarity_words import languages_with_lexicon, lexicon
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import primary_subtag, spelled_out
from pytest_grounded.text.words import content_words

__all__ = ["Window", "ordered_roots", "plain_roots", "window_of"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TURNS_NOTHING = PolarityProfile()
_FARTHEST = 8
"""How many small words before and after the window still belong to it."""
_LONGEST = 4_000
"""A passage longer than this has no sentences to align."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A part of a passage that holds every content word of a claim; `others` are the content words it has besides.

    `clause` is the part with the rest of the clause it ends in.
    """

    text: str
    clause: str
    others: frozenset[str]


@remembered(2_048)
def plain_roots(text: str, lang: str | None) -> frozenset[str]:
    """Roots of the content words of a text, without its numbers and without words that only negate, bound or allow."""
    return frozenset(ordered_roots(text, lang))


@remembered(2_048)
def ordered_roots(text: str, lang: str | None) -> tuple[str, ...]:
    """The same roots in order, repeats kept.

    >>> ordered_roots("You must repaint walls within 30 days.", None)
    ('repaint', 'wall')
    """
    plain = without_quantities(text, find_quantities(text, words=lang, labels=True))
    return tuple(root for token in _TOKEN.findall(spelled_out(plain)) for root in _roots(token, lang))


def window_of(said: frozenset[str], passage: Passage, lang: str | None) -> Window | None:
    """The shortest part of a passage with all of some words; None where it lacks one."""
    text = passage.text
    if not said or len(text) > _LONGEST or not said <= passage.words:
        return None
    tokens = _tokens(text, lang)
    span = _shortest(said, [roots for _, _, roots in tokens])
    if span is None:
        return None
    first, last = _widened(text, tokens, span)
    start, end = tokens[first][0], tokens[last][1]
    end += text[end : end + 1] == "+"
    words = text[start:end]
    clause_end = clause_at(split_clauses(text), end - 1)[1]
    return Window(text=words, clause=text[start : max(end, clause_end)], others=plain_roots(words, lang) - said)


@lru_cache(maxsize=1_024)
def _tokens(text: str, lang: str | None) -> list[tuple[int, int, tuple[str, ...]]]:
    """Start, end and roots of each word; those of a quantity ("30 days") have none."""
    quantities = iter(find_quantities(text, lang=lang, labels=True))
    quantity = next(quantities, None)
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for match in _TOKEN.finditer(spelled_out(text)):
        while quantity is not None and quantity.end <= match.start():
            quantity = next(quantities, None)
        inside = quantity is not None and quantity.start < match.end()
        found.append((match.start(), match.end(), () if inside else _roots(match.group(), lang)))
    return found


@lru_cache(maxsize=16_384)
def _roots(token: str, lang: str | None) -> tuple[str, ...]:
    if token.casefold() in _bounding(lang) or polarity_profile(token, lang=lang) != _TURNS_NOTHING:
        return ()
    if any(character.isdigit() for character in token):
        return ()
    return tuple(root(word) for word in content_words(token))


@lru_cache(maxsize=64)
def _bounding(lang: str | None) -> frozenset[str]:
    """Words that are part of a bound and mean little alone: least, later, excess."""
    subtag = primary_subtag(lang) or "en"
    known = lexicon(subtag if subtag in languages_with_lexicon() else "en")
    phrases = (words for group in known.phrases.values() for words, _, (kind, _) in group if kind == "bound")
    return frozenset(word for words in phrases for word in words)


def _shortest(said: frozenset[str], tokens: list[tuple[str, ...]]) -> tuple[int, int] | None:
    """First and last token of the leftmost shortest run that has every word."""
    counts: Counter[str] = Counter()
    missing = len(said)
    best: tuple[int, int] | None = None
    start = 0
    for end, roots in enumerate(tokens):
        for word in said.intersection(roots):
            missing -= counts[word] == 0
            counts[word] += 1
        while missing == 0:
            if best is None or end - start < best[1] - best[0]:
                best = start, end
            for word in said.intersection(tokens[start]):
                counts[word] -= 1
                missing += counts[word] == 0
            start += 1
    return best


def _widened(text: str, tokens: list[tuple[int, int, tuple[str, ...]]], span: tuple[int, int]) -> tuple[int, int]:
    """The run with the small words beside it, as far as its own clause goes: "no" before it, "never" behind it."""
    clauses = split_clauses(text, fine=True)
    start = clause_at(clauses, tokens[span[0]][0])[0]
    end = clause_at(clauses, max(tokens[span[1]][1] - 1, 0))[1]
    first, last = span
    while first > 0 and span[0] - first < _FARTHEST and tokens[first - 1][0] >= start and not tokens[first - 1][2]:
        first -= 1
    while (
        last + 1 < len(tokens) and last - span[1] < _FARTHEST and tokens[last + 1][1] <= end and not tokens[last + 1][2]
    ):
        last += 1
    return first, last
