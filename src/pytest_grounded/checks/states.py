"""What several checks need to know about a response.

Its claims with the chunks they rest on, its text without markers, the question's own values, all that a person reads.

All of it is computed once per judged case (`once`), and nothing of it looks into a chunk the requester may not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pytest_grounded.checks.base import Judged, once
from pytest_grounded.checks.passages import passages_of, roots_of
from pytest_grounded.checks.said import is_said
from pytest_grounded.model.evidence import Chunk, CorpusView
from pytest_grounded.model.response import Claim
from pytest_grounded.text.counted_off import counted_off
from pytest_grounded.text.courtesies import without_courtesies
from pytest_grounded.text.folding import fold
from pytest_grounded.text.markers import marker_labels, strip_markers
from pytest_grounded.text.quantities import (
    Match,
    Quantity,
    QuantityKind,
    date_quantity,
    find_quantities,
    match_quantity,
)
from pytest_grounded.text.scripts import guess_language, same_language, script_of
from pytest_grounded.text.sentences import split_sentences

__all__ = [
    "ClaimState",
    "KnownMarkers",
    "Shown",
    "cited_chunks",
    "claim_states",
    "echoes",
    "evidence_chunks",
    "is_answered",
    "is_echo",
    "known_markers",
    "pieces_of",
    "points_back",
    "prose",
    "quantities_said",
    "question_quantities",
    "question_text",
    "shown_text",
    "speaks_the_same",
    "statements",
    "statements_inside",
    "statements_of",
    "unclaimed_text",
    "unsaid_sentences",
    "without_markers",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimState:
    """A claim, its text without markers, and those of the chunks it cites that the requester may read, in order."""

    index: int
    claim: Claim
    text: str
    sources: tuple[Chunk, ...]
    path: str = ""
    """Where it stands, if that is not in the claim of its index: a sentence of the text."""

    def at(self, part: str = "") -> str:
        """The path of a part of the claim; of a sentence of the text that of the text.

        >>> ClaimState(index=1, claim=Claim(), text="", sources=()).at("quote")
        'claims[1].quote'
        """
        return self.path or (f"claims[{self.index}].{part}" if part else f"claims[{self.index}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMarkers:
    """What makes a bracket a marker in this response: the ids of the corpus and the labels the response knows."""

    ids: frozenset[str]
    labels: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A piece of prose the requester sees and where it stands; `quoted` where it is given as somebody else's words."""

    path: str
    text: str
    quoted: bool = False


def is_answered(judged: Judged) -> bool:
    """Whether the response answers, whole or in part."""
    return judged.response is not None and judged.response.decision.answers


@once
def claim_states(judged: Judged) -> tuple[ClaimState, ...]:
    """Every claim with what it rests on."""
    if judged.response is None:
        return ()
    readable = judged.view.readable
    return tuple(
        ClaimState(
            index=index,
            claim=claim,
            text=without_courtesies(without_markers(judged, claim.text)),
            sources=tuple(readable[chunk_id] for chunk_id in claim.cited if chunk_id in readable),
        )
        for index, claim in enumerate(judged.response.claims)
    )


@once
def statements_inside(judged: Judged) -> tuple[ClaimState, ...]:
    """The statements that are no whole claim."""
    whole = {id(state) for state in claim_states(judged)}
    return tuple(state for state in statements(judged) if id(state) not in whole)


@once
def statements(judged: Judged) -> tuple[ClaimState, ...]:
    """What the response states, one by one: the statements of each claim, then those of the text that no claim has.

    A sentence of the text rests on all that is cited. One that points back ("It is ...") says nothing by itself.
    """
    if judged.response is None:
        return ()
    found = [one for state in claim_states(judged) for one in _apart(state)]
    sources = tuple(judged.view.readable[one] for one in cited_chunks(judged) if one in judged.view.readable)
    if sources:
        for sentence in unsaid_sentences(judged)[: max(_FEWEST_COMPARED, _MOST_COMPARED // len(sources))]:
            claim = Claim(text=sentence.strip())
            found += _apart(ClaimState(index=-1, claim=claim, text=claim.text, sources=sources, path="text"))
    return tuple(found)


_MOST_COMPARED = 20_000
_FEWEST_COMPARED = 20
"""A sentence of the text is compared with all that is cited; an answer of thousands of either is compared in part."""


def _apart(state: ClaimState) -> list[ClaimState]:
    if any(is_said(state.text, chunk) for chunk in state.sources):
        return [state]  # what stands there as it is needs nobody to take it apart
    texts = statements_of(state.text)
    return [state] if texts == (state.text,) else [replace(state, text=text) for text in texts]


@lru_cache(maxsize=4_096)
def statements_of(text: str) -> tuple[str, ...]:
    """The statements of a text: its sentences, parts of one that a semicolon ends, and what is counted off.

    >>> statements_of("A costs 5; B costs 7. It is new."), statements_of("A and B cost 5 and 7 euros respectively.")
    (('A costs 5', 'B costs 7.'), ('A cost 5 euros.', 'B cost 7 euros.'))
    """
    pieces = tuple(piece for sentence in split_sentences(text) for piece in pieces_of(sentence))
    if len(pieces) == 1 and not counted_off(text):
        return (text,)
    alone = (piece.strip() for place, piece in enumerate(pieces) if not place or not points_back(piece))
    return tuple(statement for piece in alone for statement in counted_off(piece) or (piece,) if statement)


def pieces_of(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence that stand for themselves: what a semicolon or a stroke with blanks sets apart."""
    if not _MAY_SET_APART.search(sentence):
        return (sentence,)
    return tuple(piece for piece in _SETS_APART.split(sentence) if any(map(str.isalnum, piece)))


_MAY_SET_APART = re.compile(r"[;；؛]|\s/\s")
_SETS_APART = re.compile(r"[;؛]\s+|；|\s/\s")
_POINTS_BACK = re.compile(
    r"\W*(?:it|its|this|that|they|their|these|those|he|she|then|there|here|such|es|er|sie|dies\w*|jene\w*|das|il|elle|ils|elles|"
    r"ce|cela|ceci|cette|ces|lo|esto|este|esta|eso|ello|ellos|questo|questa|ciò|dit|dat|deze|die|isto|isso)\b",
    re.IGNORECASE,
)


def points_back(text: str) -> bool:
    """Whether a text begins with a word for what was spoken of before: it, these.

    >>> points_back("It costs 5 euros."), points_back("Item 5 costs more.")
    (True, False)
    """
    return _POINTS_BACK.match(text) is not None


@once
def unsaid_sentences(judged: Judged) -> tuple[str, ...]:
    """The sentences of the shown text that no claim has, typography aside."""
    if not any(map(str.isalnum, unclaimed_text(judged))):
        return ()
    written = {sentence.strip() for state in claim_states(judged) for sentence in split_sentences(state.text)}
    others = [sentence for sentence in split_sentences(shown_text(judged)) if sentence.strip() not in written]
    said = {fold(one).strip() for one in written} if others else set[str]()
    return tuple(sentence for sentence in others if fold(sentence).strip() not in said)


@once
def cited_chunks(judged: Judged) -> tuple[str, ...]:
    """Ids of every chunk that a claim or a side of a shown conflict names as its source, each once, in order."""
    if judged.response is None:
        return ()
    sides = (chunk for conflict in judged.response.conflicts for side in conflict.sides for chunk in side.chunks)
    return tuple(dict.fromkeys((*judged.response.cited, *sides)))


@once
def evidence_chunks(judged: Judged) -> tuple[Chunk, ...]:
    """The readable chunks the model was given; where that was not observed those cited, then all that are usable."""
    readable, evidence = judged.view.readable, judged.internal.evidence
    if evidence is not None:
        ids = dict.fromkeys((*evidence, *cited_chunks(judged)))
        return tuple(readable[chunk_id] for chunk_id in ids if chunk_id in readable)
    cited = {chunk_id: readable[chunk_id] for chunk_id in cited_chunks(judged) if chunk_id in readable}
    return tuple({**cited, **{chunk.id: chunk for chunk in judged.view.usable_chunks}}.values())


@once
def known_markers(judged: Judged) -> KnownMarkers:
    """The labels that `rendered`, `sources` and citations give, and the ids of the corpus."""
    response = judged.response
    marks: list[str | None] = []
    if response is not None:
        marks += [rendered.marker for rendered in response.rendered]
        marks += [source.marker for source in response.sources]
        marks += [citation.marker for claim in response.claims for citation in claim.citations]
    labels = (label for mark in marks if mark is not None for label in marker_labels(mark))
    return KnownMarkers(ids=present_ids(judged.view), labels=frozenset(labels))


@lru_cache(maxsize=256)
def present_ids(view: CorpusView) -> frozenset[str]:
    """Ids of the corpus as it was handed over."""
    return frozenset(view.present.ids)


@once
def shown_text(judged: Judged) -> str:
    """The text of the response without its markers, and without whom it greets and who signs it."""
    return "" if judged.response is None else without_courtesies(without_markers(judged, judged.response.text))


@once
def unclaimed_text(judged: Judged) -> str:
    """The shown text with a line's end where it says a claim word for word: what stands there has its source."""
    return _without_claims(shown_text(judged), [state.text for state in claim_states(judged)])


def _without_claims(text: str, claims: list[str]) -> str:
    kept: list[str] = []
    at = 0
    for start, end in sorted(_said_spans(text, claims)):
        if start >= at:
            kept.append(text[at:start])
            at = end
    return "\n".join((*kept, text[at:]))


_MOST_LOOKED_UP = 500
"""How many claims are looked up that do not stand behind the one before them: each costs a pass over the text."""


def _said_spans(text: str, claims: list[str]) -> Iterator[tuple[int, int]]:
    """Where each claim stands, one after the other where they are in order."""
    at = 0
    left = _MOST_LOOKED_UP
    for claim in filter(None, map(str.strip, claims)):
        start = text.find(claim, at)
        if start < 0 or start > at + _NEAR:
            left -= 1
        if start < 0:
            start = text.find(claim)
        if left < 0:
            return
        end = start + len(claim)
        if start >= 0 and not _cuts_a_word(text, start) and not _cuts_a_word(text, end):
            yield start, end
            at = max(at, end)


_NEAR = 4_000


def _cuts_a_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalnum() and text[place : place + 1].isalnum() if place else False


def without_markers(judged: Judged, text: str) -> str:
    """A text of the response without the brackets that are markers in it."""
    if not _MAY_MARK.search(text):
        return text
    return strip_markers(text, ids=known_markers(judged).ids, labels=_labels_and_numbers(judged))


@once
def _labels_and_numbers(judged: Judged) -> frozenset[str]:
    """The known labels, and the numbers that the sources of a response may have without saying so: one for each."""
    response = judged.response
    count = 0 if response is None else max(len(cited_chunks(judged)), len(response.sources), len(response.rendered))
    return known_markers(judged).labels | frozenset(map(str, range(1, count + 1)))


_MAY_MARK = re.compile(r"[\[\]【】［］〔〕()（）{}<\u00b9\u00b2\u00b3\u2070-\u2079\u2460-\u2473]")


def quantities_said(
    judged: Judged, text: str, *, incidental: bool = False, labels: bool = False
) -> tuple[Quantity, ...]:
    """The quantities of a text of the response; words of one that is too short to tell are in the answer's language."""
    words = _language_of_words(judged) if guess_language(text) is None else None
    return find_quantities(text, words=words, incidental=incidental, labels=labels)


@once
def _language_of_words(judged: Judged) -> str | None:
    """The language of the response, else of the evidence it shares a word with, else of question or evidence."""
    said = _language(judged)
    if said is not None:
        return said
    evidence = evidence_chunks(judged)
    tags = {chunk.lang for chunk in evidence}
    tag = tags.pop() if len(tags) == 1 else None
    if tag is not None and not roots_of(shown_text(judged)).isdisjoint(_words_of(evidence)):
        return tag
    return guess_language(question_text(judged)) or tag


def _words_of(chunks: Iterable[Chunk]) -> Iterator[str]:
    return (word for chunk in chunks for passage in passages_of(chunk) for word in passage.words)


def question_text(judged: Judged) -> str:
    """The question and what the same user said before it."""
    turns = [turn.text for turn in judged.case.history if turn.role == "user"]
    return "\n".join((*turns, judged.case.question))


@once
def question_quantities(judged: Judged) -> tuple[Quantity, ...]:
    """The question's own numbers, dates and codes."""
    return find_quantities(question_text(judged), incidental=True, labels=True)


@once
def echoes(judged: Judged) -> tuple[Quantity, ...]:
    """What a date or period may restate without stating anything: the question's own and the day of the question."""
    periods = (quantity for quantity in question_quantities(judged) if quantity.is_period)
    return (*periods, date_quantity(judged.case.as_of))


def is_echo(judged: Judged, quantity: Quantity) -> bool:
    """Whether a date or period only restates the question or the day of the question, whole or in part.

    In part: "in March 2024", or "in 2024", after a question about 15 March 2024.
    """
    if not quantity.is_period:
        return False
    return any(match_quantity(quantity, echo) is Match.EQUAL or _is_part(quantity, echo) for echo in echoes(judged))


def _is_part(quantity: Quantity, echo: Quantity) -> bool:
    if quantity.kind is not QuantityKind.DATE:
        return quantity.calendar_year is not None and quantity.calendar_year == echo.calendar_year
    if echo.kind is not QuantityKind.DATE or quantity.unit is not None:
        return quantity.month is None and quantity.unit is None and quantity.calendar_year == echo.calendar_year
    stated = ((quantity.year, echo.year), (quantity.month, echo.month), (quantity.day, echo.day))
    return all(part is None or part == of for part, of in stated)


def speaks_the_same(judged: Judged, text: str, chunk: Chunk) -> bool:
    """Whether words of a text of the response may be looked up in a chunk: both are in one language.

    A text too short to tell by is in the language of the whole response; where nothing tells at all, the two are taken
    to be in one language when they share a word that is no number.
    """
    own = guess_language(text) or _language(judged)
    known = same_language(text, chunk.text, left_lang=own, right_lang=chunk.lang)
    if known or (known is False and script_of(text) != script_of(chunk.text)):
        return known
    roots = roots_of(text)
    shared = roots.intersection(_words_of((chunk,)))
    # A word or two may be of another language by chance ("su"); most of a sentence is not.
    return bool(shared) if known is None else len(roots) > _FEW and len(shared) >= _MOST_SHARED * len(roots)


_FEW = 2
_MOST_SHARED = 0.6


@once
def _language(judged: Judged) -> str | None:
    response = judged.response
    return (
        None if response is None else guess_language(" ".join((response.text, *(one.text for one in response.claims))))
    )


@once
def prose(judged: Judged) -> tuple[Shown, ...]:
    """Every text the requester reads, with its path: also follow-ups, source lists, stream and unknown fields."""
    return tuple(shown for shown in _prose(judged) if shown.text)


def _prose(judged: Judged) -> Iterator[Shown]:
    response = judged.response
    if response is None:
        return
    yield Shown(path="text", text=response.text)
    for index, claim in enumerate(response.claims):
        yield Shown(path=f"claims[{index}].text", text=claim.text)
        if claim.quote is not None:
            yield Shown(path=f"claims[{index}].quote", text=claim.quote, quoted=True)
        for place, citation in enumerate(claim.citations):
            if citation.quote is not None:
                yield Shown(path=f"claims[{index}].citations[{place}].quote", text=citation.quote, quoted=True)
            yield from _others(citation.others, f"claims[{index}].citations[{place}]")
        yield from _others(claim.others, f"claims[{index}]")
    for index, conflict in enumerate(response.conflicts):
        for place, side in enumerate(conflict.sides):
            yield Shown(path=f"conflicts[{index}].sides[{place}].value", text=side.value)
        yield from _others(conflict.others, f"conflicts[{index}]")
    for index, part in enumerate(response.missing):
        yield Shown(path=f"missing[{index}]", text=part)
    if response.next_step is not None:
        yield Shown(path="next_step", text=response.next_step)
    for index, followup in enumerate(response.followups):
        yield Shown(path=f"followups[{index}]", text=followup)
    for index, source in enumerate(response.sources):
        yield Shown(path=f"sources[{index}].title", text=source.title or "")
        yield Shown(path=f"sources[{index}].url", text=source.url or "")
        yield from _others(source.others, f"sources[{index}]")
    if response.stream:
        yield Shown(path="stream", text="".join(piece.text for piece in response.stream))
    for index, action in enumerate(response.actions):
        yield Shown(path=f"actions[{index}].name", text=action.name)
        yield from _others(action.arguments, f"actions[{index}].arguments")
    yield from _others(response.others, "")


def _others(values: Mapping[str, Any], path: str) -> Iterator[Shown]:
    for key, value in values.items():
        yield from _strings(value, f"{path}.{key}" if path else str(key))


def _strings(value: Any, path: str) -> Iterator[Shown]:
    """The texts inside a JSON value; a stack instead of recursion, since a reply may be nested as deep as it likes."""
    stack: list[tuple[Any, str]] = [(value, path)]
    while stack:
        value, path = stack.pop()
        if isinstance(value, str):
            yield Shown(path=path, text=value)
        elif isinstance(value, Mapping):
            stack.extend((inner, f"{path}.{key}") for key, inner in reversed(list(value.items())))
        elif isinstance(value, list | tuple):
            stack.extend((inner, f"{path}[{place}]") for place, inner in reversed(list(enumerate(value))))
