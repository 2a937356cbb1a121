"""Whether a claim turns its source around: denies what is affirmed, allows what is required, makes a floor of a figure.

Decided only where claim and source have the same content words, so that nothing but the small words differs. What is
said in other words is for a support judge, and is said to be not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from pytest_grounded.checks.agents import agentless_claims
from pytest_grounded.checks.alignment import Window, plain_roots, window_of
from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.contrasts import figures_set_aside, without_set_aside
from pytest_grounded.checks.denials import is_denied, is_former
from pytest_grounded.checks.denying import denying_claims
from pytest_grounded.checks.exceptions import exception_spoken_of, names_all_excepted
from pytest_grounded.checks.lifted import lifted_claims
from pytest_grounded.checks.number_states import best_in
from pytest_grounded.checks.passages import Passage, passages_of, root
from pytest_grounded.checks.reordered import reordered_claims, says_in_order, says_the_converse
from pytest_grounded.checks.reversals import reversed_claims
from pytest_grounded.checks.roughly import bounded_by
from pytest_grounded.checks.shown import turned_texts
from pytest_grounded.checks.states import ClaimState, speaks_the_same
from pytest_grounded.checks.turning import FROM_HERE, UP_TO_HERE, denies, turned_around
from pytest_grounded.checks.unsaid import unsaid_statements
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.clauses import split_clauses
from pytest_grounded.text.polarity import PolarityProfile, negations, polarity_profile, unspaced_core
from pytest_grounded.text.quantities import Match, Quantity, find_quantities, match_quantity
from pytest_grounded.text.scripts import guess_language

__all__ = ["check_polarities"]


def check_polarities(judged: Judged) -> Iterator[Observation]:
    """Compare each claim with the passage that has its words: the small ones, an odd one, what governs them."""
    seen: set[str] = set()
    kinds = (_turned, lifted_claims, reversed_claims, reordered_claims, denying_claims, agentless_claims)
    for found in chain.from_iterable(kind(judged) for kind in kinds):
        if found.field not in seen:  # of what one claim turns around, the first is said
            seen.add(found.field)
            yield found
    if "text" not in seen:
        yield from turned_texts(judged)


def _turned(judged: Judged) -> Iterator[Observation]:
    """Claims whose small words turn around what the passage with their other words says."""
    for state in unsaid_statements(judged):
        if _gives_other_figures(state):
            continue
        found = [
            (chunk, passage, problem)
            for chunk in state.sources
            if speaks_the_same(judged, state.text, chunk)
            for passage, problem in _compared(_of_its_own(judged, state, chunk), chunk)
        ]
        # One passage that says it as the claim does is enough: a chunk may state a rule and its contrary.
        if found and all(problem for _, _, problem in found):
            chunk, passage, problem = found[0]
            message = f"{quoted(state.text)} {problem} {chunk.id}: {quoted(passage.text)}"
            yield report("claim.polarity", message, field=state.at("text"), chunks=[chunk.id])


def _gives_other_figures(state: ClaimState) -> bool:
    """Whether a sentence of the text has a figure that nothing cited has, as one that names an old value to deny it."""
    return bool(state.path) and any(
        best_in(one, state.sources)[0] is not Match.EQUAL for one in find_quantities(state.text)
    )


_OPENING = re.compile(r"\A(?:no|nein|non|不|いいえ|नहीं)\s*[,.;:!，。、–-]\s*", re.IGNORECASE)


def _of_its_own(judged: Judged, state: ClaimState, chunk: Chunk) -> ClaimState:
    """A claim without the figure of the question that it sets aside, unless its source speaks of that one too."""
    aside = figures_set_aside(judged, state.text)
    if not aside or any(best_in(one.quantity, (chunk,))[0] is Match.EQUAL for one in aside):
        return state
    return replace(state, text=_OPENING.sub("", without_set_aside(judged, state.text)))


def _compared(state: ClaimState, chunk: Chunk) -> Iterator[tuple[Passage, str]]:
    claim = polarity_profile(state.text, lang=chunk.lang)
    core = unspaced_core(state.text, lang=chunk.lang)
    if len(core) >= _SHORTEST_CORE:
        yield from _same_characters(core, claim, state, chunk)
    said = plain_roots(state.text, chunk.lang)
    if not said:
        return
    for passage in passages_of(chunk):
        window = window_of(said, passage, chunk.lang)
        if window is None or (window.others and not _is_exception_to_all(state, passage, window)):
            continue
        problem = _problem(state, claim, window, passage, chunk.lang)
        if problem is not None:
            yield passage, problem


def _problem(
    state: ClaimState, claim: PolarityProfile, window: Window, passage: Passage, lang: str | None
) -> str | None:
    """What a claim does to a passage with its words; None where the small words do not tell."""
    excepted = exception_spoken_of(state.text, passage.text)
    if excepted is not None:
        main = polarity_profile(passage.text[: excepted.start()], lang=lang)
        is_wrong = denies(claim) == denies(main) and names_all_excepted(state.text, passage.text, excepted)
        return "says of what is excepted what is said of the rest in" if is_wrong else None
    if says_in_order(state.text, passage.text) and not _is_governed(claim, window, lang):
        return ""
    if says_the_converse(state.text, passage.text):
        return None  # "the exam is after the training", of "the training is before the exam"
    if denies(claim) and _denies_what_was(state, passage, lang):
        return None  # "no longer 5 euros", of "7 euros (was 5 euros)"
    source = polarity_profile(_asserting(window, passage, state, lang), lang=lang)
    problem = turned_around(_without_rough_bounds(claim, state, passage, lang), source)
    around = polarity_profile(passage.text, lang=lang) if denies(claim) != denies(source) else source
    is_bound = bool(problem) and not turned_around(replace(claim, bounds=()), source)
    if is_bound and _bounds_stand_beside(claim, window, passage, lang):
        return None
    return "" if around is not source and _complement(claim, around) else problem


def _denies_what_was(state: ClaimState, passage: Passage, lang: str | None) -> bool:
    """Whether all figures that a claim denies are ones that the passage says were and are no more."""
    denied = [one for one in find_quantities(state.text, words=lang) if is_denied(state.text, one.start, one.end)]
    former = [one for one in find_quantities(passage.text, words=lang) if is_former(passage.text, one.start)]
    return bool(denied) and all(_share_a_value((one,), former) for one in denied)


def _bounds_stand_beside(claim: PolarityProfile, window: Window, passage: Passage, lang: str | None) -> bool:
    """Whether a claim's bounds stand in the passage, but not in its part with the claim's words: of what, is open."""
    bounds = set(claim.bounds)
    if not bounds or window.text == passage.text or bounds <= set(polarity_profile(window.text, lang=lang).bounds):
        return False
    return bounds <= set(polarity_profile(passage.text, lang=lang).bounds)


def _is_governed(claim: PolarityProfile, window: Window, lang: str | None) -> bool:
    """Whether a negation stands right before what a claim says word for word: "not" of "not allowed"."""
    return not denies(claim) and denies(polarity_profile(window.text, lang=lang))


def _without_rough_bounds(
    claim: PolarityProfile, state: ClaimState, passage: Passage, lang: str | None
) -> PolarityProfile:
    """The profile of a claim; without its bounds where a bound only cuts the passage's figure off, as numbers judge."""
    if not claim.bounds or not passage.quantities:
        return claim
    stated = find_quantities(state.text, words=lang)
    is_rough = any(bounded_by(state.text, one, passage.quantities) is not None for one in stated)
    return replace(claim, bounds=()) if is_rough else claim


def _asserting(window: Window, passage: Passage, state: ClaimState, lang: str | None) -> str:
    """The part of a passage to compare with: where it only denies a number, the clause that has the claim's number.

    "The limit is no longer $150 but $180" says $180 outright.
    """
    stated = find_quantities(state.text, words=lang)
    lang = lang or guess_language(passage.text)
    denied = find_quantities(window.clause, lang=lang) if stated and negations(window.text, lang=lang) else ()
    if not denied or _share_a_value(stated, denied):
        return window.text
    clauses = (passage.text[start:end] for start, end in split_clauses(passage.text))
    with_value = (clause for clause in clauses if _share_a_value(stated, find_quantities(clause, lang=lang)))
    return next(with_value, window.text)


def _share_a_value(stated: Iterable[Quantity], given: Iterable[Quantity]) -> bool:
    given = tuple(given)
    return any(match_quantity(one, other) is Match.EQUAL for one in stated for other in given)


def _is_exception_to_all(state: ClaimState, passage: Passage, window: Window) -> bool:
    """Whether a claim speaks of what is excepted, and leaves out of its source only that it holds always: "daily"."""
    return window.others <= _ALWAYS and exception_spoken_of(state.text, passage.text) is not None


_ALWAYS = frozenset(map(root, ("daily", "day", "days", "always", "week", "year", "round", "täglich", "immer")))


_SHORTEST_CORE = 4


def _same_characters(
    core: str, claim: PolarityProfile, state: ClaimState, chunk: Chunk
) -> Iterator[tuple[Passage, str]]:
    """The passages and clauses of a text without spaces that have the claim's characters, small words aside."""
    for passage in passages_of(chunk):
        parts = dict.fromkeys((passage.text, *(passage.text[start:end] for start, end in split_clauses(passage.text))))
        for part in parts:
            if unspaced_core(part, lang=chunk.lang) == core:
                own = _without_rough_bounds(claim, state, passage, chunk.lang)
                yield passage, turned_around(own, polarity_profile(part, lang=chunk.lang))


def _complement(claim: PolarityProfile, source: PolarityProfile) -> bool:
    """Whether the two speak of the two sides of one bound: "required from $25" and "not required below $25"."""
    sides = (claim.bounds, source.bounds), (source.bounds, claim.bounds)
    return any(not FROM_HERE.isdisjoint(low) and not UP_TO_HERE.isdisjoint(high) for low, high in sides)
