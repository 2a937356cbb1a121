"""Whether a claim is about what its sources are about: the same subject, names, period, and a number said of it.

Numbers by themselves are `numbers`, negations and bounds `polarities`. Whether a source entails a claim that has other
words than it is for a support judge; what no rule decides is said once per case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from pytest_grounded.checks.alignment import plain_roots, window_of
from pytest_grounded.checks.base import Judged, not_judged, once, report
from pytest_grounded.checks.cells import misread_cell, reads_cell
from pytest_grounded.checks.crossed import crossed_claims
from pytest_grounded.checks.denials import is_denied, is_former
from pytest_grounded.checks.lifted import is_cut_short
from pytest_grounded.checks.naming import knows_name, names_in
from pytest_grounded.checks.number_states import NumberFate, NumberState, numbers_of, numbers_said
from pytest_grounded.checks.passages import Passage, passage_table, passages_of, root, roots_of
from pytest_grounded.checks.reordered import keeps_order, says_in_order
from pytest_grounded.checks.said import all_said
from pytest_grounded.checks.states import (
    ClaimState,
    claim_states,
    evidence_chunks,
    is_answered,
    points_back,
    quantities_said,
    question_text,
    speaks_the_same,
)
from pytest_grounded.checks.unsaid import said_by, unsaid_inside
from pytest_grounded.checks.wording import listing, named, quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Finding, Observation
from pytest_grounded.model.support import Ruling
from pytest_grounded.text.clauses import clause_at, split_clauses
from pytest_grounded.text.counted_off import counted_off
from pytest_grounded.text.polarity import negations, polarity_profile
from pytest_grounded.text.quantities import Match, Quantity, QuantityKind, find_quantities, match_quantity
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import content_words

__all__ = ["check_claims"]

_MOST_RIVALS = 400
"""How many chunks besides the cited ones are searched for a passage that fits better."""
_FEWEST_WORDS = 3
"""From how many content words on a claim without a common word with its source is about something else."""


def check_claims(judged: Judged) -> Iterator[Observation]:
    """Report answers without a claim, and claims about something else than their sources."""
    if not is_answered(judged):
        return
    yield from _none(judged)
    wrong: set[str] = set()
    undecided: list[ClaimState] = []
    for state in claim_states(judged):
        if not state.text.strip() or not state.sources:
            continue
        if said_by(judged, state) is not None:
            undecided += [state] if is_cut_short(judged, state) else []
            continue
        comparable = _comparable(judged, state)
        found = tuple(_findings(judged, state, comparable))
        wrong |= {finding.field for finding in found}
        yield from found
        if not found and not _is_decided(judged, state, comparable):
            undecided.append(state)
    for finding in chain(_apart(judged), crossed_claims(judged)):
        if finding.field not in wrong:  # of what one claim mixes up, the first is said
            wrong.add(finding.field)
            yield finding
    yield from _left_to_a_judge(judged, undecided)


def _comparable(judged: Judged, state: ClaimState) -> tuple[Chunk, ...]:
    return tuple(chunk for chunk in state.sources if speaks_the_same(judged, state.text, chunk))


def _apart(judged: Judged) -> Iterator[Finding]:
    """Labels and numbers of what is stated inside a claim, or in the text and in no claim, compared one by one."""
    for state in unsaid_inside(judged):
        if not state.sources:
            continue
        comparable = _comparable(judged, state)
        if len(comparable) == len(state.sources) and (label := _another_label(judged, state)) is not None:
            yield label
        if state.path or counted_off(claim_states(judged)[state.index].text):
            yield from _misplaced(judged, state, comparable, numbers_said(judged, state))


def _left_to_a_judge(judged: Judged, undecided: list[ClaimState]) -> Iterator[Observation]:
    """A judge's word on claims that no rule decides; what it leaves open, or all where there is none, is not judged."""
    open_claims: dict[str, list[int]] = {}
    for state in undecided:
        ruling = judged.support(state.text, [one.text for one in state.sources]) if judged.support else None
        if ruling is None:
            open_claims.setdefault("", []).append(state.index + 1)
        elif ruling.verdict is None:
            open_claims.setdefault(f" (judge {ruling.by}: {ruling.reason})", []).append(state.index + 1)
        elif ruling.verdict != "support":
            yield _denied(judged, state, ruling)
    for why, numbers in open_claims.items():
        which = listing(map(str, numbers))
        reason = f"claim {which}: the words of the source do not decide whether it supports this; a support judge does"
        yield not_judged("claim.unsupported", reason + why, field=f"claims[{numbers[0] - 1}]")


def _denied(judged: Judged, state: ClaimState, ruling: Ruling) -> Finding:
    cited = [chunk.id for chunk in state.sources]
    says = "contradicts it" if ruling.verdict == "contradict" else "does not support it"
    message = (
        f"{quoted(state.text)}: {named(judged.view, cited)} {says}, says judge {ruling.by} (its error: {ruling.error})"
    )
    return report("claim.unsupported", message, field=state.at("text"), chunks=cited)


def _none(judged: Judged) -> Iterator[Observation]:
    response = judged.response
    if response is None or any(state.text.strip() for state in claim_states(judged)):
        return
    if not any(side.chunks for conflict in response.conflicts for side in conflict.sides):
        message = f"decision {response.decision.value} without a claim: nothing is there that could be checked"
        yield report("claim.none", message, field="claims")


def _findings(judged: Judged, state: ClaimState, comparable: tuple[Chunk, ...]) -> Iterator[Finding]:
    empty = [chunk.id for chunk in state.sources if not chunk.text.strip()]
    if len(empty) == len(state.sources):
        message = f"{quoted(state.text)} rests on {named(judged.view, empty)}, which has no text"
        yield report("claim.unsupported", message, field=state.at("text"), chunks=empty)
        return
    if not comparable:
        return
    if len(comparable) == len(state.sources):
        about = _something_else(judged, state) or _unknown_names(judged, state) or _another_label(judged, state)
        if about is not None:
            yield about
            return
    numbers = () if counted_off(state.text) else numbers_of(judged, state)
    misplaced = tuple(_misplaced(judged, state, comparable, numbers)) or tuple(_misread(judged, state, comparable))
    yield from misplaced
    yield from _other_period(judged, state)


def _misread(judged: Judged, state: ClaimState, comparable: tuple[Chunk, ...]) -> Iterator[Finding]:
    """A number of a table that stands under another heading than the claim says, in every source that has both."""
    for chunk in comparable:
        if problem := misread_cell(judged, state, chunk):
            message = f"{quoted(state.text)}: {problem}"
            yield report("claim.mixed_sources", message, field=state.at("text"), chunks=[chunk.id])
            return


_NET_TERM = re.compile(r"\bnet[ \u00a0-]\d{1,3}\b", re.IGNORECASE)
"""A term of payment in the words of accountants: other words than a contract's "payable within 30 days"."""


def _something_else(judged: Judged, state: ClaimState) -> Finding | None:
    """A claim without one common word with what it cites."""
    said = roots_of(state.text)
    heard = _heard(state.sources)
    if len(said) < _FEWEST_WORDS or not said.isdisjoint(heard) or _has_a_form_of(said, heard):
        return None
    if _NET_TERM.search(state.text):
        return None
    cited = [chunk.id for chunk in state.sources]
    message = f"{quoted(state.text)} has no word in common with {named(judged.view, cited)}"
    return report("claim.unsupported", message, field=state.at("text"), chunks=cited)


_SAME_START = 5


def _has_a_form_of(said: Iterable[str], heard: Iterable[str]) -> bool:
    """Whether some word begins as one of the others does: cancellation for cancel."""
    starts = {word[:_SAME_START] for word in heard if len(word) >= _SAME_START}
    return any(word[:_SAME_START] in starts for word in said)


def _heard(chunks: Iterable[Chunk]) -> frozenset[str]:
    return frozenset[str]().union(*(passage_table(chunk).heard for chunk in chunks))


def _unknown_names(judged: Judged, state: ClaimState) -> Finding | None:
    """Names no cited chunk has. One of the question may stand in another claim's source, or be said to be absent."""
    if roots_of(state.text) <= _heard(state.sources):
        return None
    # A name that opens the claim shows itself as one where the question has it inside a sentence.
    asked_for = (name for name in names_in(question_text(judged)) if knows_name(name, state.text))
    named_here = dict.fromkeys((*names_in(state.text), *asked_for))
    unknown = [name for name in named_here if not _know(state.sources, name)]
    if not unknown:
        return None
    requester = judged.case.requester
    own = " ".join((requester.id, requester.tenant or "", *requester.audience, *requester.groups))
    asked, denies = question_text(judged), bool(negations(state.text))
    foreign = [
        name
        for name in unknown
        if not knows_name(name, own) and not (knows_name(name, asked) and (denies or _know(_all_sources(judged), name)))
    ]
    if not foreign:
        return None
    cited = [chunk.id for chunk in state.sources]
    what, where = listing(map(quoted, foreign)), named(judged.view, cited)
    message = f"{quoted(state.text)} speaks of {what}, of which {where} does not"
    return report("claim.unsupported", message, field=state.at("text"), chunks=cited)


_NAMED_BY_NUMBER = frozenset(
    map(
        root,
        (
            *("grade", "level", "tier", "phase", "stage", "class", "category", "type", "zone", "band", "group", "room"),
            *("unit", "priority", "severity", "option", "scheme", "stufe", "klasse", "kategorie", "gruppe", "raum"),
            *("niveau", "grado", "nivel", "nível", "grau", "fase", "livello", "catégorie", "classe"),
        ),
    )
)
"""What a number tells apart, other than a part of a document: another one is another thing."""


def _another_label(judged: Judged, state: ClaimState) -> Finding | None:
    """A grade, room or section where every passage with the statement's words has another one."""
    said = roots_of(state.text)
    for label in quantities_said(judged, state.text, labels=True):
        if label.kind is not QuantityKind.LABEL or not said:
            continue
        kind = root(label.unit or "")
        if kind not in _NAMED_BY_NUMBER and any(_stands_in(label, _about(chunk)) for chunk in state.sources):
            continue  # the section the source itself is
        passages = [passage for chunk in state.sources for passage in passages_of(chunk) if said <= passage.heard]
        others = [_labels_of(passage, kind) for passage in passages]
        if not all(others) or any(_stands_in(label, passage.text) for passage in passages):
            continue
        for passage, labels in zip(passages, others, strict=True):
            message = (
                f"{quoted(state.text)} speaks of {label.unit} {label.raw}, "
                f"where {passage.chunk} has {labels[0].raw}: {quoted(passage.text)}"
            )
            return report("claim.unsupported", message, field=state.at("text"), chunks=[passage.chunk])
    return None


def _labels_of(passage: Passage, kind: str) -> list[Quantity]:
    return [one for one in passage.quantities if one.kind is QuantityKind.LABEL and root(one.unit or "") == kind]


def _stands_in(label: Quantity, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(label.raw)}(?![\w-]*\d)(?!\w)|第{re.escape(label.raw)}", text) is not None


def _know(chunks: Iterable[Chunk], name: str) -> bool:
    """Whether a name stands in the text of some chunks or in what is said about them."""
    return any(knows_name(name, chunk.text) or knows_name(name, _about(chunk)) for chunk in chunks)


def _about(chunk: Chunk) -> str:
    parts = (chunk.title, chunk.document, chunk.version, chunk.locator)
    return " ".join(part.replace("-", " ").replace("_", " ") for part in parts if part)


@once
def _all_sources(judged: Judged) -> tuple[Chunk, ...]:
    chunks = {chunk.id: chunk for state in claim_states(judged) for chunk in state.sources}
    return tuple(chunks.values())


# --- a number and what it is said of ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    """A number of a claim, the words and numbers of the part it belongs to, and how far its own passages have those."""

    number: NumberState
    words: frozenset[str]
    quantities: tuple[Quantity, ...]
    covers: tuple[frozenset[str], ...] = ()
    letters: frozenset[str] = frozenset()

    @property
    def is_covered(self) -> bool:
        """Whether a passage with the number has every word said of it."""
        return any(cover == self.words for cover in self.covers)


def _misplaced(
    judged: Judged, state: ClaimState, comparable: tuple[Chunk, ...], numbers: Iterable[NumberState]
) -> Iterator[Finding]:
    """A number whose own passage fits the claim worse than another passage, which has another number."""
    if state.claim.derivation is not None:
        return
    quantities = quantities_said(judged, state.text)
    several = sum(not _is_when(one) for one in quantities) > 1
    for number in islice(_supported(numbers), _MOST_PLACED):
        stated = _stated(state.text, number, quantities if several else None, comparable)
        if (former := _former(state, stated, comparable)) is not None:
            yield former
            return
        if stated.covers and (parallel := _parallel(stated, comparable)) is not None:
            yield _better_fit(judged, state, stated, parallel)
            return
        if not stated.covers or stated.is_covered:
            continue
        rival = next(_rivals(judged, comparable, stated), None)
        if rival is not None:
            yield _better_fit(judged, state, stated, rival)
            return


def _former(state: ClaimState, stated: _Stated, comparable: tuple[Chunk, ...]) -> Finding | None:
    """A figure that holds by the claim, and that every passage with it says was and is another now."""
    quantity = stated.number.quantity
    if is_denied(state.text, quantity.start, quantity.end) or _SPEAKS_OF_BEFORE.search(state.text):
        return None
    giving = (home for chunk in comparable for home in passage_table(chunk).giving(quantity))
    homes = [home for home in giving if stated.words <= _with_antecedent(home)]
    now = [_what_holds_now(home, quantity) for home in homes]
    if not now or None in now:
        return None
    message = (
        f"{quoted(quantity.raw)} is set aside in {homes[0].chunk} for {quoted(str(now[0]))}: {quoted(homes[0].text)}"
    )
    return report("claim.mixed_sources", message, field=state.at("text"), chunks=[homes[0].chunk])


_SPEAKS_OF_BEFORE = re.compile(
    r"\b(?:was|were|had|been|used|once|former|old|older|previous|prior|earlier|past|last|until|before|ago|original\w*|from|"
    r"war|waren|hatte|bisher\w*|früher\w*|alte\w?|vorherige\w?|bis|von|vor|était|étaient|avait|ancien\w*|précédent\w*|"
    r"jusqu|depuis|de|avant|era|eran|anterior\w*|hasta|antes)\b",
    re.IGNORECASE,
)
"""Words of a claim that may speak of the time before, or of both."""


def _what_holds_now(home: Passage, quantity: Quantity) -> str | None:
    """The figure of its sort that a passage has beside one that is no more; None where that one holds."""
    holding: str | None = None
    is_former_there = False
    for one, start, end in _placed(home):
        if match_quantity(quantity, one) is Match.EQUAL:
            if not is_former(home.text, start):
                return None
            is_former_there = True
        elif _is_alike(one, quantity) and not is_denied(home.text, start, end):
            holding = holding or one.raw
    return holding if is_former_there else None


def _parallel(stated: _Stated, comparable: tuple[Chunk, ...]) -> Passage | None:
    """The passage whose own sentence says the number of one thing and another number of the claim's thing.

    "$180 in standard cities and $260 in high-cost cities" does not say $180 of high-cost cities. Both clauses have to
    speak alike (of cities), and what tells them apart has to stand on the same side of the number.
    """
    homes = [home for chunk in comparable for home in passage_table(chunk).giving(stated.number.quantity)]
    swapped = [home for home in homes if _says_of_another(home, stated)]
    return swapped[0] if homes and len(swapped) == len(homes) else None


def _says_of_another(home: Passage, stated: _Stated) -> bool:
    sides = _sides_of_numbers(home)
    own = [side for side in sides if match_quantity(stated.number.quantity, side.quantity) is Match.EQUAL]
    if len(own) != 1:
        return False
    others = (
        side
        for side in sides
        if side is not own[0] and not side.is_denied and _is_alike(side.quantity, own[0].quantity)
    )
    return any(_is_swapped(stated.words | stated.letters, own[0], other) for other in others)


def _is_alike(left: Quantity, right: Quantity) -> bool:
    return left.kind is right.kind and left.unit == right.unit and match_quantity(left, right) is not Match.EQUAL


def _is_swapped(said: frozenset[str], own: _Sides, other: _Sides) -> bool:
    mine, theirs = own.before | own.after, other.before | other.after
    speaks_alike = mine & theirs & said
    if not speaks_alike and mine & said and not theirs <= said:
        return False
    sides = ((own.before, other.before), (own.after, other.after))
    return any((left - right) - said and ((right - left) - own.before - own.after) & said for left, right in sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """A number of a passage and the words before and after it in its clause."""

    quantity: Quantity
    before: frozenset[str]
    after: frozenset[str]
    is_denied: bool = False
    """Whether its clause only says what is not so: "no longer $150"."""


def _sides_of_numbers(home: Passage) -> list[_Sides]:
    """The numbers of a passage that stand alone in their clause; none where a clause has several."""
    found: list[_Sides] = []
    clauses = _with_lead_in(home.text)
    taken: set[object] = set()
    for quantity, place, at in _placed(home):
        if quantity.incidental or not _is_value(quantity):
            continue
        start, end = clause_at(clauses, place)
        sort = (start, quantity.kind, quantity.unit)
        if sort in taken:
            return []
        taken.add(sort)
        before, after = home.text[start:place], home.text[at : max(end, at)]
        denied = is_denied(home.text, place, at)
        sides = _words_and_letters(before), _words_and_letters(after)
        found.append(_Sides(quantity=quantity, before=sides[0], after=sides[1], is_denied=denied))
    return found


def _placed(home: Passage) -> list[tuple[Quantity, int, int]]:
    """The numbers of a passage with where they start and end in its text; none where one is written otherwise there."""
    found: list[tuple[Quantity, int, int]] = []
    end = 0
    for quantity in home.quantities:
        start = home.text.find(quantity.raw, end)
        if start < 0:
            return []
        end = start + len(quantity.raw)
        found.append((quantity, start, end))
    return found


@lru_cache(maxsize=1_024)
def _with_lead_in(text: str) -> tuple[tuple[int, int], ...]:
    """The clauses of a passage, one that only leads in ("In Berlin, ...") together with the next."""
    found: list[tuple[int, int]] = []
    start = 0
    for _, end in split_clauses(text, fine=True):
        if end < len(text) and _LEADS_IN.match(text, start) and not _DIGIT.search(text, start, end):
            continue
        found.append((start, end))
        start = end
    return tuple(found)


_DIGIT = re.compile(r"\d")
_LEADS_IN = re.compile(
    r"\W*(?:(?:and|or|but|und|oder|et|ou|y|o)\s+)?(?:for|in|at|on|with|under|during|für|bei|in|im|am|mit|pour|chez|dans|"
    r"avec|à|en|para|con|per|voor|bij)\b",
    re.IGNORECASE,
)


def _words_and_letters(text: str) -> frozenset[str]:
    """The roots of a text's words, and what tells things apart by a letter or number: zone B, Class 2."""
    return roots_of(text) | _letters(text)


def _letters(text: str) -> frozenset[str]:
    return frozenset(match.group().casefold() for match in _NAMED_APART.finditer(text))


_NAMED_APART = re.compile(r"(?<=[^\W\d_] )[A-HJ-Z]\b|\b[A-Z][a-z]+ \d{1,2}\b")


_MOST_PLACED = 50
"""For how many numbers of one claim a better passage is looked for."""


def _supported(numbers: Iterable[NumberState]) -> Iterator[NumberState]:
    for number in numbers:
        if number.fate is NumberFate.SUPPORTED and _is_value(number.quantity):
            yield number


def _is_value(quantity: Quantity) -> bool:
    return not _is_when(quantity) and quantity.kind not in (QuantityKind.ORDINAL, QuantityKind.LABEL)


def _is_when(quantity: Quantity) -> bool:
    return quantity.kind is QuantityKind.DATE or quantity.calendar_year is not None


def _stated(
    text: str, number: NumberState, quantities: tuple[Quantity, ...] | None, comparable: tuple[Chunk, ...]
) -> _Stated:
    """The whole claim where it has one number (`quantities` is None), else the clause of the number."""
    start, end = 0, len(text)
    own: tuple[Quantity, ...] = (number.quantity,)
    if quantities is not None:
        start, end = clause_at(split_clauses(text, fine=True), number.quantity.start)
        own = tuple(one for one in quantities if start <= one.start < end)
    words = roots_of(text[start:end])
    homes = (passage for chunk in comparable for passage in passage_table(chunk).giving(number.quantity))
    return _Stated(
        letters=_letters(text[start:end]),
        number=number,
        words=words,
        quantities=own,
        covers=tuple(words & _with_antecedent(home) for home in homes),
    )


def _with_antecedent(passage: Passage) -> frozenset[str]:
    """What a passage speaks of; one that begins with "it", or has no words, speaks of the one before as well."""
    if passage.before is not None and (points_back(passage.text) or not passage.words):
        return passage.heard | passage.before.heard
    return passage.heard


def _rivals(judged: Judged, comparable: tuple[Chunk, ...], stated: _Stated) -> Iterator[Passage]:
    """Passages with the words of the claim that its own passages have, and more, and with another number."""
    cited = {chunk.id for chunk in comparable}
    others = (chunk for chunk in evidence_chunks(judged) if chunk.id not in cited and judged.view.usable(chunk.id))
    lacking = stated.words.difference(*stated.covers)
    for chunk in (*comparable, *islice(others, _MOST_RIVALS)):
        for passage in passage_table(chunk).with_any(lacking):
            fits = stated.words & passage.heard
            if all(fits > cover for cover in stated.covers) and _competes(passage, stated):
                yield passage


def _competes(passage: Passage, stated: _Stated) -> bool:
    """Whether a passage has another number of the same sort, and none of those the claim states."""
    if any(match_quantity(own, one) is Match.EQUAL for own in stated.quantities for one in passage.quantities):
        return False
    source = stated.number.source or stated.number.quantity
    return any(
        one.kind is source.kind and (one.unit == source.unit or None in (one.unit, source.unit)) and not one.incidental
        for one in passage.quantities
    )


def _better_fit(judged: Judged, state: ClaimState, stated: _Stated, rival: Passage) -> Finding:
    cited = [chunk.id for chunk in state.sources]
    roots = (stated.words & rival.heard).difference(*stated.covers)
    lacking = dict.fromkeys(word for word in content_words(state.text) if root(word) in roots)
    said = f" of {listing(map(quoted, lacking))}" if lacking else ""
    other = next(one.raw for one in rival.quantities if not one.incidental)
    message = (
        f"{quoted(stated.number.quantity.raw)} is not stated{said} in {stated.number.chunk}; "
        f"{judged.view.name_of(rival.chunk)} says {quoted(other)} there: {quoted(rival.text)}"
    )
    check = "claim.mixed_sources" if rival.chunk in cited else "claim.unsupported"
    return report(check, message, field=state.at("text"), chunks=(*cited, rival.chunk))


_OPENINGS = (
    r"from|since|after|before|until|till|by|as of|effective|starting|beginning|ab|seit|bis|vor|nach|depuis|dès|avant|"
    r"après|jusqu\W?(?:à|en|au)|à partir d\w*|desde|hasta|antes de|después de|a partir de|dal|dopo|prima|fino|tot|sinds"
)
_OPEN_BEFORE = re.compile(
    rf"\b(?:{_OPENINGS})\W+(?:the\s+|de\s+|dem\s+|le\s+|el\s+|il\s+)?(?:\d{{1,2}}\.?\s+)?$", re.IGNORECASE
)
_BEFORE = 24


def _other_period(judged: Judged, state: ClaimState) -> Iterator[Finding]:
    """A number that its passage says of another year or month than the claim does."""
    if state.claim.derivation is not None:
        return
    stated = [one for one in quantities_said(judged, state.text) if _is_when(one)]
    if len(stated) != 1:
        return  # which of several times a number is said of, no rule decides
    for number in islice(_supported(numbers_of(judged, state)), _MOST_PLACED):
        homes = [home for chunk in state.sources for home in passage_table(chunk).giving(number.quantity)]
        if homes and all(_is_of_another_time(home, stated, number.quantity) for home in homes):
            times = _own_periods(homes[0], number.quantity) or homes[0].quantities
            then = next(one.raw for one in times if _is_when(one))
            message = (
                f"{quoted(number.quantity.raw)} is said of {quoted(then)} in {homes[0].chunk}, "
                f"not of {quoted(stated[0].raw)}: {quoted(homes[0].text)}"
            )
            yield report("claim.mixed_sources", message, field=state.at("text"), chunks=[homes[0].chunk])
            return


def _own_periods(passage: Passage, number: Quantity) -> list[Quantity]:
    """The times in the clause of a number: "31 in 2023 and 35 in 2024"; none where it stands with other numbers."""
    own = [one for one in passage.quantities if match_quantity(number, one) is Match.EQUAL]
    places = [passage.text.find(one.raw) for one in own]
    if len(places) != 1 or places[0] < 0:
        return []
    start, end = clause_at(split_clauses(passage.text, fine=True), places[0])
    clause = passage.text[start : max(end, places[0])]
    times = [one for one in passage.quantities if _is_when(one) and one.raw in clause]
    values = [one for one in passage.quantities if _is_value(one) and one.raw in clause]
    return times if len(times) == 1 and len(values) == 1 else []


def _is_of_another_time(passage: Passage, stated: list[Quantity], number: Quantity) -> bool:
    """Whether a passage names closed periods, and none that any of the claim's can be."""
    periods = _own_periods(passage, number) or [one for one in passage.quantities if _is_when(one)]
    if not periods or any(_OPEN_BEFORE.search(_before(passage, one)) for one in periods):
        return False
    return not any(_can_be_one(left, right) for left in periods for right in stated)


def _before(passage: Passage, quantity: Quantity) -> str:
    at = passage.text.find(quantity.raw)
    return passage.text[max(0, at - _BEFORE) : at] if at > 0 else ""


def _can_be_one(left: Quantity, right: Quantity) -> bool:
    parts = ((left.calendar_year, right.calendar_year), (left.month, right.month), (left.day, right.day))
    return all(one is None or other is None or one == other for one, other in parts)


# --- what the words decide -----------------------------------------------------------------------------------------


def _is_decided(judged: Judged, state: ClaimState, comparable: tuple[Chunk, ...]) -> bool:
    """Whether the sources say each of its sentences word for word, or one says it in other order and small words.

    A number that no source has is a finding of its own: nobody need be asked about the rest.
    """
    if any(number.fate in _WRONG for number in numbers_of(judged, state)):
        return True
    text = state.text if state.claim.derivation is None else _without_calculation(state.text)
    if all_said(text, state.sources):
        return True
    return any(_says(state, chunk) or reads_cell(judged, state, chunk) for chunk in comparable)


_WRONG = {NumberFate.UNSUPPORTED, NumberFate.UNIT_OR_SCALE, NumberFate.AMBIGUOUS_DATE}


def _without_calculation(text: str) -> str:
    """A text without the sentence that spells its derivation out; whether that is right `derivations` says."""
    return "".join(sentence for sentence in split_sentences(text) if not _CALCULATION.search(sentence))


_CALCULATION = re.compile(r"\d[^=\n]{0,40}=[^=\n]{0,10}\d")


def _has_its_numbers(text: str, window: str, lang: str | None) -> bool:
    """Whether a part of a source has every number of a text: one beside that part may belong to something else."""
    given = find_quantities(window, lang=lang, incidental=True, labels=True)
    stated = find_quantities(text, words=lang, labels=True)
    return all(any(match_quantity(one, other) is Match.EQUAL for other in given) for one in stated)


def _says(state: ClaimState, chunk: Chunk) -> bool:
    said = plain_roots(state.text, chunk.lang)
    profile = polarity_profile(state.text, lang=chunk.lang)
    alike = [passage for passage in passages_of(chunk) if said <= passage.words]
    if any(says_in_order(state.text, passage.text) for passage in alike[:_MOST_ALIKE]):
        return True
    return any(
        window is not None
        and not window.others
        and polarity_profile(window.text, lang=chunk.lang) == profile
        and keeps_order(state.text, window.text, chunk.lang)
        and _has_its_numbers(state.text, window.text, chunk.lang)
        for window in (window_of(said, passage, chunk.lang) for passage in alike)
    )


_MOST_ALIKE = 40
"""A chunk that has a claim's words more often than this is read no further for their order."""
