"""Whether a changed text is only worded differently, or states something else.

Reworded means: every number, date, entity, negation, exception and quantifier is still there, as often and at the same
words, and no modal or bound became one of another class. 30 days -> 60 days is never a rewording.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pytest_grounded.snapshots.schema import JsonValue
from pytest_grounded.text.entities import entities
from pytest_grounded.text.folding import fold
from pytest_grounded.text.opposites import reversed_words
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.quantities import Quantity, find_quantities
from pytest_grounded.text.scripts import same_language
from pytest_grounded.text.words import content_words, jaccard

__all__ = ["only_renamed", "only_reworded", "prose"]


def prose(value: JsonValue) -> str:
    """The words in a text or in an array of sentences; anything else has none.

    >>> prose(["One. ", "Two."])
    'One. Two.'
    """
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def only_reworded(old: str, new: str, *, supported: bool = False) -> bool:
    """Whether two texts state the same facts in other words.

    A text that appears or vanishes is no rewording, nor is a translation. `supported` says that claims, citations and
    quotes are equal on both sides: only then may a modal or an inclusive bound stand in one text where the other has
    none at all ("the limit is $180", "you may spend up to $180"); a prohibition never may. A word in the place of its
    opposite (included, excluded) states something else.

    >>> only_reworded("Return it within 30 days.", "Within 30 days please bring it back.")
    True
    >>> only_reworded("Return it within 30 days.", "Return it within 60 days.")
    False
    """
    if fold(old) == fold(new):
        return True
    if not old.strip() or not new.strip() or same_language(old, new) is False:
        return False
    if not _same_polarity(old, new, supported=supported) or _is_turned_round(old, new):
        return False
    return _same_entities(old, new) and _same_quantities(old, new)


def only_renamed(old: str, new: str) -> bool:
    """Whether two short texts name the same thing: their content words, numbers and negations are equal.

    >>> only_renamed("Ask the travel desk.", "Travel desk: ask"), only_renamed("parking fee", "breakfast price")
    (True, False)
    """
    if sorted(content_words(old)) != sorted(content_words(new)):
        return False
    return _same_polarity(old, new, supported=False) and _same_quantities(old, new)


def _same_polarity(old: str, new: str, *, supported: bool) -> bool:
    before, after = polarity_profile(old), polarity_profile(new)
    if _fixed(before) != _fixed(after):
        return False
    same_modals = _on_one_side(before.modals, after.modals, supported=supported)
    if _DENYING.intersection(before.modals) != _DENYING.intersection(after.modals):
        return False
    return same_modals and _same_bounds(old, before.bounds, new, after.bounds, supported=supported)


_DENYING = frozenset({"prohibition", "exemption", "recommendation_against"})
_WORD = re.compile(r"[^\W\d_]+")


def _is_turned_round(old: str, new: str) -> bool:
    """Whether a word went and its opposite came."""
    before, after = (dict.fromkeys(_WORD.findall(fold(text))) for text in (old, new))
    gone, come = (word for word in before if word not in after), (word for word in after if word not in before)
    return bool(reversed_words(gone, come))


def _fixed(profile: PolarityProfile) -> tuple[tuple[str, ...], ...]:
    """The words that may not come or go; hedges may, modals and bounds are compared on their own."""
    return profile.negations, profile.exceptions, profile.quantifiers


def _on_one_side(old: Sequence[str], new: Sequence[str], *, supported: bool) -> bool:
    """Whether both have the same words, or, where claims support either, one of them has none."""
    return Counter(old) == Counter(new) or (supported and not (old and new))


_INCLUSIVE = frozenset({"at_least", "at_most"})
_UPPER = re.compile(r"\b(?:allowance|budget|cap|ceiling|limit)s?\b", re.IGNORECASE)


def _same_bounds(old: str, before: Sequence[str], new: str, after: Sequence[str], *, supported: bool) -> bool:
    """Whether no bound became another one: "at least $180" does not say what "the limit is $180" says."""
    if Counter(before) == Counter(after):
        return True
    come, other = (after, old) if after else (before, new)
    is_contrary = "at_least" in come and _UPPER.search(other) is not None
    return _on_one_side(before, after, supported=supported) and _INCLUSIVE.issuperset(come) and not is_contrary


_MOST_STRANGERS = 100


def _same_entities(old: str, new: str) -> bool:
    """Whether each name and code of either text stands in the other, in capital letters or not."""
    before, after = {fold(name) for name in entities(old)}, {fold(name) for name in entities(new)}
    if len(before ^ after) > _MOST_STRANGERS:
        return False
    return _all_stand_in(after - before, fold(old)) and _all_stand_in(before - after, fold(new))


def _all_stand_in(names: Iterable[str], text: str) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


def _same_quantities(old: str, new: str) -> bool:
    before, after = find_quantities(old, labels=True), find_quantities(new, labels=True)
    values = [_value(quantity) for quantity in before]
    if Counter(values) != Counter(_value(quantity) for quantity in after):
        return False
    return values == [_value(quantity) for quantity in after] or not _changed_places(old, before, new, after)


def _value(quantity: Quantity) -> tuple[object, ...]:
    """What a quantity says, without where and how it is written."""
    named = quantity.raw.casefold() if quantity.value is None and quantity.year is None else None
    return (
        quantity.kind,
        quantity.value,
        quantity.unit,
        tuple(sorted(quantity.per)),
        (quantity.year, quantity.month, quantity.day),
        quantity.bound,
        quantity.noun,
        named,
    )


_NEAR = 2
_MOST_PLACES = 200


def _changed_places(old: str, before: Sequence[Quantity], new: str, after: Sequence[Quantity]) -> bool:
    """Whether a value now stands at the words another of its kind stood at: $180 and $260 exchanged between cities.

    Each value is looked for where it stood by the nearest words around it. A tie counts as changed, and so does a text
    with too many values to compare each with each.
    """
    if len(before) > _MOST_PLACES:
        return True
    places = list(zip(before, _around(old, before), strict=True))
    for quantity, words in zip(after, _around(new, after), strict=True):
        value = _value(quantity)
        own = max((jaccard(words, around) for was, around in places if _value(was) == value), default=0.0)
        rivals = [around for was, around in places if _value(was) != value and _alike(was, quantity)]
        if any(jaccard(words, around) >= own for around in rivals):
            return True
    return False


def _alike(left: Quantity, right: Quantity) -> bool:
    return (left.kind, left.unit) == (right.kind, right.unit)


def _around(text: str, quantities: Sequence[Quantity]) -> list[frozenset[str]]:
    """For each quantity the nearest content words on both sides, up to the next quantity."""
    ends = [0, *(quantity.end for quantity in quantities)]
    starts = [*(quantity.start for quantity in quantities), len(text)]
    gaps = [content_words(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    return [frozenset(left[-_NEAR:]) | frozenset(right[:_NEAR]) for left, right in pairwise(gaps)]
