"""When one chunk only repeats another: nearly the same words, and nothing that makes it another statement.

Shared words alone are not enough: "the rate is $0.60" and "the rate is $0.65" share almost all of theirs.
"""

from __future__ import annotations

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.terms import WordForm, terms
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.quantities import Match, best_match, find_quantities
from pytest_grounded.text.words import jaccard

__all__ = ["denies", "near_duplicates", "overlap_of", "states_the_same"]


def near_duplicates(left: Chunk, right: Chunk, *, threshold: float) -> bool:
    """Whether one of two chunks adds nothing to the other.

    >>> fee = Chunk(id="a", text="The visa fee cap is $100 per trip.")
    >>> near_duplicates(fee, Chunk(id="b", text="The cap of the visa fee is $100 per trip."), threshold=0.7)
    True
    >>> near_duplicates(fee, Chunk(id="c", text="The visa fee cap is $160 per trip."), threshold=0.7)
    False
    """
    few, many = sorted((len(_words(left)), len(_words(right))))
    if few < threshold * many:  # too unequal in length to share as much; spares the comparison
        return False
    return overlap_of(left, right) >= threshold and states_the_same(left, right)


def overlap_of(left: Chunk, right: Chunk) -> float:
    """Shared share of the distinct content words of two chunks, between 0 and 1."""
    return jaccard(_words(left), _words(right))


def _words(chunk: Chunk) -> frozenset[str]:
    return terms(chunk.text, WordForm.PLAIN)


def states_the_same(left: Chunk, right: Chunk) -> bool:
    """Whether two chunks agree in facts, numbers, negations, exceptions and in what they apply to."""
    return (
        left.scope == right.scope
        and _facts_agree(left, right)
        and _quantities_within(left, right)
        and _quantities_within(right, left)
        and _polarity(left) == _polarity(right)
    )


def _facts_agree(left: Chunk, right: Chunk) -> bool:
    known = {fact.key: fact.value for fact in left.facts}
    return all(known.get(fact.key, fact.value) == fact.value for fact in right.facts)


def _quantities_within(part: Chunk, whole: Chunk) -> bool:
    sources = find_quantities(whole.text, lang=whole.lang, incidental=True)
    return all(best_match(stated, sources)[0] is Match.EQUAL for stated in find_quantities(part.text, lang=part.lang))


def _polarity(chunk: Chunk) -> tuple[bool, bool]:
    profile = polarity_profile(chunk.text, lang=chunk.lang)
    return denies(profile), bool(profile.exceptions)


def denies(profile: PolarityProfile) -> bool:
    """Whether a text with this profile denies or prohibits something.

    >>> denies(polarity_profile("Remote work is not allowed.")), denies(polarity_profile("Remote work is allowed."))
    (True, False)
    """
    return bool(profile.negations) or "prohibition" in profile.modals
