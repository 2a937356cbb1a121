"""What the small words of one statement do to another that has its other words: deny it, allow what it requires."""

from __future__ import annotations

from pytest_grounded.text.polarity import PolarityProfile

__all__ = ["FROM_HERE", "UP_TO_HERE", "denies", "turned_around"]

_DENYING = frozenset({"prohibition", "exemption", "recommendation_against"})
_FLOORS = frozenset({"at_least", "more_than"})
FROM_HERE = _FLOORS | {"after", "since"}
UP_TO_HERE = frozenset({"at_most", "less_than", "within", "before", "until"})
_AMOUNTS = _FLOORS | {"at_most", "less_than"}
_REQUIRED_FOR_ALLOWED = (frozenset({"obligation"}), frozenset({"permission"}))
_SHARES = frozenset({"all", "some", "most", "few"})


def turned_around(claim: PolarityProfile, source: PolarityProfile) -> str:
    """What the claim does to its source, as a verb; empty where its small words do not turn it.

    >>> from pytest_grounded.text.polarity import polarity_profile
    >>> turned_around(polarity_profile("can book"), polarity_profile("cannot book"))
    'affirms what is denied in'
    >>> turned_around(polarity_profile("is at least $180"), polarity_profile("is $180"))
    'makes a lower bound of a plain figure in'
    """
    if denies(claim) != denies(source) and not _has_no_predicate(claim, source):
        return "denies what is affirmed in" if denies(claim) else "affirms what is denied in"
    modals = frozenset(claim.modals), frozenset(source.modals)
    if modals == _REQUIRED_FOR_ALLOWED:
        return "requires what is allowed in"
    if modals == _REQUIRED_FOR_ALLOWED[::-1]:
        return "allows what is required in"
    if modals == (frozenset({"obligation"}), frozenset({"recommendation"})):
        return "requires what is recommended in"
    if modals == (frozenset({"recommendation"}), frozenset({"obligation"})):
        return "recommends what is required in"
    return _bound(frozenset(claim.bounds), frozenset(source.bounds)) or _share(claim, source)


def denies(profile: PolarityProfile) -> bool:
    """Whether a statement denies, by an odd number of words that do.

    >>> from pytest_grounded.text.polarity import polarity_profile
    >>> denies(polarity_profile("Dogs are not allowed")), denies(polarity_profile("Dogs are allowed"))
    (True, False)
    """
    return (len(profile.negations) + sum(modal in _DENYING for modal in profile.modals)) % 2 == 1


def _has_no_predicate(claim: PolarityProfile, source: PolarityProfile) -> bool:
    """Whether the claim denies with a modal what the source says with another word: "not allowed" for "abstinence"."""
    return bool(claim.modals) and not (source.modals or source.negations)


def _bound(claim: frozenset[str], source: frozenset[str]) -> str:
    if claim & _FLOORS and not source:
        return "makes a lower bound of a plain figure in"
    own, theirs = claim - source, source - claim
    if own and theirs and own | theirs <= _AMOUNTS:
        claim, source = own, theirs  # "before departure" says nothing of "at least 24 hours"
    for one, other in ((FROM_HERE, UP_TO_HERE), (UP_TO_HERE, FROM_HERE)):
        if claim & one and source & other and not (claim & other or source & one):
            return "turns the bound around of"
    for strict, loose in (("more_than", "at_least"), ("less_than", "at_most")):
        if strict in claim and loose in source and loose not in claim and strict not in source:
            return "leaves out the bound itself of"
    return ""


def _share(claim: PolarityProfile, source: PolarityProfile) -> str:
    shares = _SHARES.intersection(claim.quantifiers), _SHARES.intersection(source.quantifiers)
    return "says of another share what is said in" if all(shares) and not shares[0] & shares[1] else ""
