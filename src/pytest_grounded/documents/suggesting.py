"""Suggests first cases of each kind from the chunks of a corpus, without knowing any question that people ask.

Questions are made of plain statements ("The nightly limit is $180."; see `stating`), of headings, and of things that no
document speaks of. A suggestion is a start for a person: whether a system gets it right is for the caller to
see.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_grounded.documents.splitting import slug
from pytest_grounded.documents.stating import Statement, lowered, statements_in
from pytest_grounded.model.evidence import Chunk, Corpus, CorpusView, Requester
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.words import terms

__all__ = ["SlotSuggested", "Suggestion", "likely_requester", "suggest"]

_TOPICS = (
    "swimming pool opening time",
    "helicopter charter rate",
    "dog grooming allowance",
    "library fine",
    "bicycle repair budget",
    "wedding gift limit",
    "piano tuning interval",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSuggested:
    """What an answer has to contain: a value that stands in the evidence, or the evidence alone."""

    name: str
    value: str | None
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A case to try: only the fields of its kind are filled."""

    kind: CaseKind
    id: str
    question: str
    why: str
    slots: tuple[SlotSuggested, ...] = ()
    missing: str | None = None
    sides: tuple[tuple[str, str], ...] = ()
    """Values that contradict each other, each with the chunk that states it."""
    about: str | None = None
    insiders: tuple[str, ...] = ()
    """The groups that may read the chunk a restricted case is about."""


def likely_requester(corpus: Corpus) -> Requester:
    """Who most probably asks: in the group that may read the most, where most is not for everyone.

    >>> likely_requester(Corpus(name="c", chunks=(Chunk(id="a", text="t", readers=("staff",)),))).groups
    ('staff',)
    """
    groups = Counter(group for chunk in corpus for group in chunk.readers if "*" not in chunk.readers)
    public = sum("*" in chunk.readers for chunk in corpus)
    if not groups or public >= len(corpus) / 2:
        return Requester(id="reader")
    best = max(sorted(groups), key=lambda group: groups[group])
    return Requester(id="reader", groups=(best,))


def suggest(view: CorpusView, corpus: Corpus, *, each: int = 12) -> tuple[Suggestion, ...]:
    """At most `each` suggestions per kind, the best first, ids unique; fewer or none where the documents give no more.

    `view` is what the requester may read of `corpus` on the day of the cases.
    """
    usable = [*view.usable_chunks]
    statements = [*statements_in(usable)]
    absent = _absent_topic(corpus)
    hidden = [chunk for chunk in corpus if not chunk.readable_by(view.requester)]
    made = (
        _answerable(statements, usable),
        _multi_evidence(statements),
        _partial(statements, absent) if absent else (),
        _unanswerable(absent) if absent else (),
        _conflicting(statements),
        _restricted(hidden),
    )
    taken: set[str] = set()
    return tuple(
        one for kind in made for one in itertools.islice((one for one in kind if _is_first(one.id, taken)), each)
    )


def _is_first(name: str, taken: set[str]) -> bool:
    is_new = name not in taken
    taken.add(name)
    return is_new


def _by_subject(statements: Iterable[Statement]) -> dict[frozenset[str], list[Statement]]:
    by_subject: defaultdict[frozenset[str], list[Statement]] = defaultdict(list)
    for statement in statements:
        by_subject[statement.about].append(statement)
    return by_subject


def _alone(statements: Sequence[Statement]) -> list[Statement]:
    return [same[0] for same in _by_subject(statements).values() if len({one.value for one in same}) == 1]


def _slot(one: Statement) -> SlotSuggested:
    return SlotSuggested(name=one.name, value=one.value, evidence=one.chunk.id)


def _case_id(*parts: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")
    return words[:60].strip("-") or "case"


def _sentence(question: str) -> str:
    return question[:1].upper() + question[1:]


def _answerable(statements: Sequence[Statement], chunks: Sequence[Chunk]) -> Iterator[Suggestion]:
    for one in _alone(statements):
        yield Suggestion(
            kind=CaseKind.ANSWERABLE,
            id=_case_id(one.subject),
            question=_sentence(one.asked),
            why=f"{one.chunk.id} says so in one sentence, and no other text speaks of it in other figures",
            slots=(_slot(one),),
        )
    for chunk in chunks:
        if chunk.title and chunk.kind == "text" and len(chunk.title.split()) > 1:
            yield Suggestion(
                kind=CaseKind.ANSWERABLE,
                id=_case_id("about", slug(chunk.title)),
                question=chunk.title if chunk.title.endswith("?") else f"What is said about {lowered(chunk.title)}?",
                why=f"{chunk.id} is the passage under this heading",
                slots=(SlotSuggested(name="passage", value=None, evidence=chunk.id),),
            )


def _multi_evidence(statements: Sequence[Statement]) -> Iterator[Suggestion]:
    alone = _alone(statements)
    for left, right in itertools.pairwise(alone):
        if left.chunk.id != right.chunk.id:
            yield Suggestion(
                kind=CaseKind.MULTI_EVIDENCE,
                id=_case_id(left.subject, "and", right.subject),
                question=f"{_sentence(left.asked)[:-1]}, and {right.asked}",
                why="the two figures stand in two passages, and both are asked for",
                slots=(_slot(left), _slot(right)),
            )


def _partial(statements: Sequence[Statement], absent: str) -> Iterator[Suggestion]:
    for one in _alone(statements):
        yield Suggestion(
            kind=CaseKind.PARTIAL,
            id=_case_id(one.subject, "and", absent),
            question=f"{_sentence(one.asked)[:-1]}, and what is the {absent}?",
            why=f"the first half stands in {one.chunk.id}; no document speaks of the {absent}",
            slots=(_slot(one),),
            missing=absent,
        )


def _unanswerable(absent: str) -> Iterator[Suggestion]:
    yield Suggestion(
        kind=CaseKind.UNANSWERABLE,
        id=_case_id(absent),
        question=f"What is the {absent}?",
        why="no document speaks of it",
    )


def _conflicting(statements: Sequence[Statement]) -> Iterator[Suggestion]:
    for same in _by_subject(statements).values():
        sides = {one.value: one for one in reversed(same)}
        documents = {one.chunk.document for one in sides.values()}
        titles = {one.title for one in sides.values()}
        if len(sides) == len(documents) == 2 and len(titles) == 1:  # noqa: PLR2004 (two sides)
            ordered = sorted(sides.values(), key=lambda one: one.chunk.id)
            yield Suggestion(
                kind=CaseKind.CONFLICTING,
                id=_case_id(same[0].subject, "conflict"),
                question=_sentence(same[0].asked),
                why="two documents in force give two figures, and nothing says which one counts",
                sides=tuple((one.value, one.chunk.id) for one in ordered),
            )


def _restricted(hidden: Sequence[Chunk]) -> Iterator[Suggestion]:
    for one in statements_in(hidden):
        yield Suggestion(
            kind=CaseKind.RESTRICTED,
            id=_case_id("restricted", str(hidden.index(one.chunk) + 1), one.subject),
            question=_sentence(one.asked),
            why="only others may read the passage that answers this",
            about=one.chunk.id,
            insiders=one.chunk.readers,
        )
    for number, chunk in enumerate(hidden, 1):
        if chunk.title:
            yield Suggestion(
                kind=CaseKind.RESTRICTED,
                id=_case_id("restricted", str(number), chunk.title),
                question=f"What is said about {lowered(chunk.title)}?",
                why="only others may read the passage that answers this",
                about=chunk.id,
                insiders=chunk.readers,
            )


def _absent_topic(corpus: Corpus) -> str | None:
    """A topic none of whose words stands in any document."""
    known = frozenset().union(*(terms(f"{chunk.title or ''} {chunk.text}") for chunk in corpus))
    return next((topic for topic in _TOPICS if known.isdisjoint(terms(topic))), None)
