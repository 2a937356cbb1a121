"""Suggests first cases of each kind from the chunks of a corpus, without knowing any question that people ask.

Questions are made of sentences that say what something is ("The nightly limit is $180."), of headings, and of things
that no document speaks of. A suggestion is a start for a person: whether a system gets it right is for the caller to
see.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_grounded.documents.splitting import slug
from pytest_grounded.model.evidence import Chunk, Corpus, CorpusView, Requester
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.quantity_scan import find_quantities
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.words import terms

__all__ = ["SlotSuggested", "Suggestion", "likely_requester", "suggest"]

_SAYS = re.compile(
    r"(?:(?:The|A|An|Our|Your|Each|Every)\s+)?(?P<subject>[^\W\d_][^,;:()\n|]{3,70}?)\s+(?P<verb>is|are|was|were)\s+"
    r"(?!not\b|no\b|never\b)(?P<rest>[^\n|]{1,120})",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"\b(?:it|this|that|these|those|there|they|which|who|what|when|where|if|unless|he|she|we|you|i|and|or|but)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"(?:the|a|an|our|your|each|every)\s+", re.IGNORECASE)
_TOPICS = (
    "swimming pool opening time",
    "helicopter charter rate",
    "dog grooming allowance",
    "library fine",
    "bicycle repair budget",
    "wedding gift limit",
    "piano tuning interval",
)
_MOST_WORDS = 9


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    subject: str
    verb: str
    value: str
    chunk: Chunk

    @property
    def asked(self) -> str:
        return f"what {self.verb} the {self.subject}?"

    @property
    def slot(self) -> SlotSuggested:
        return SlotSuggested(name=slug(self.subject)[:40].strip("-"), value=self.value, evidence=self.chunk.id)


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
    statements = [*_statements(usable)]
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


def _statements(chunks: Iterable[Chunk]) -> Iterator[_Statement]:
    """Sentences that say what one thing is, in one figure."""
    for chunk in chunks:
        for sentence in split_sentences(chunk.text) if chunk.kind == "text" else ():
            match = _SAYS.match(sentence.lstrip("-* "))
            if match is None:
                continue
            subject = _LEADING.sub("", match["subject"], count=1)
            quantities = find_quantities(match["rest"], lang=chunk.lang)
            fits = (
                not _UNFIT.search(subject) and 1 < len(subject.split()) <= _MOST_WORDS and not find_quantities(subject)
            )
            if fits and len(quantities) == 1:
                yield _Statement(
                    subject=_lowered(subject), verb=match["verb"].lower(), value=quantities[0].raw, chunk=chunk
                )


def _lowered(subject: str) -> str:
    """A subject as it stands inside a sentence: its first letter small, unless it begins with an abbreviation."""
    first = subject.split(maxsplit=1)[0]
    return subject if not first[1:].islower() and len(first) > 1 else subject[:1].lower() + subject[1:]


def _by_subject(statements: Iterable[_Statement]) -> dict[frozenset[str], list[_Statement]]:
    by_subject: defaultdict[frozenset[str], list[_Statement]] = defaultdict(list)
    for statement in statements:
        by_subject[terms(statement.subject)].append(statement)
    return by_subject


def _alone(statements: Sequence[_Statement]) -> list[_Statement]:
    return [same[0] for same in _by_subject(statements).values() if len({one.value for one in same}) == 1]


def _case_id(*parts: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")
    return words[:60].strip("-") or "case"


def _sentence(question: str) -> str:
    return question[:1].upper() + question[1:]


def _answerable(statements: Sequence[_Statement], chunks: Sequence[Chunk]) -> Iterator[Suggestion]:
    for one in _alone(statements):
        yield Suggestion(
            kind=CaseKind.ANSWERABLE,
            id=_case_id(one.subject),
            question=_sentence(one.asked),
            why=f"{one.chunk.id} says so in one sentence, and no other text speaks of it in other figures",
            slots=(one.slot,),
        )
    for chunk in chunks:
        if chunk.title and chunk.kind == "text" and len(chunk.title.split()) > 1:
            yield Suggestion(
                kind=CaseKind.ANSWERABLE,
                id=_case_id("about", slug(chunk.title)),
                question=chunk.title if chunk.title.endswith("?") else f"What is said about {_lowered(chunk.title)}?",
                why=f"{chunk.id} is the passage under this heading",
                slots=(SlotSuggested(name="passage", value=None, evidence=chunk.id),),
            )


def _multi_evidence(statements: Sequence[_Statement]) -> Iterator[Suggestion]:
    alone = _alone(statements)
    for left, right in itertools.pairwise(alone):
        if left.chunk.id != right.chunk.id:
            yield Suggestion(
                kind=CaseKind.MULTI_EVIDENCE,
                id=_case_id(left.subject, "and", right.subject),
                question=f"{_sentence(left.asked)[:-1]}, and {right.asked}",
                why="the two figures stand in two passages, and both are asked for",
                slots=(left.slot, right.slot),
            )


def _partial(statements: Sequence[_Statement], absent: str) -> Iterator[Suggestion]:
    for one in _alone(statements):
        yield Suggestion(
            kind=CaseKind.PARTIAL,
            id=_case_id(one.subject, "and", absent),
            question=f"{_sentence(one.asked)[:-1]}, and what is the {absent}?",
            why=f"the first half stands in {one.chunk.id}; no document speaks of the {absent}",
            slots=(one.slot,),
            missing=absent,
        )


def _unanswerable(absent: str) -> Iterator[Suggestion]:
    yield Suggestion(
        kind=CaseKind.UNANSWERABLE,
        id=_case_id(absent),
        question=f"What is the {absent}?",
        why="no document speaks of it",
    )


def _conflicting(statements: Sequence[_Statement]) -> Iterator[Suggestion]:
    for same in _by_subject(statements).values():
        sides = {one.value: one for one in reversed(same)}
        if len(sides) == 2 and len({one.chunk.document for one in sides.values()}) == 2:  # noqa: PLR2004 (two sides)
            ordered = sorted(sides.values(), key=lambda one: one.chunk.id)
            yield Suggestion(
                kind=CaseKind.CONFLICTING,
                id=_case_id(same[0].subject, "conflict"),
                question=_sentence(same[0].asked),
                why="two documents in force give two figures, and nothing says which one counts",
                sides=tuple((one.value, one.chunk.id) for one in ordered),
            )


def _restricted(hidden: Sequence[Chunk]) -> Iterator[Suggestion]:
    for one in _statements(hidden):
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
                question=f"What is said about {_lowered(chunk.title)}?",
                why="only others may read the passage that answers this",
                about=chunk.id,
                insiders=chunk.readers,
            )


def _absent_topic(corpus: Corpus) -> str | None:
    """A topic none of whose words stands in any document."""
    known = frozenset().union(*(terms(f"{chunk.title or ''} {chunk.text}") for chunk in corpus))
    return next((topic for topic in _TOPICS if known.isdisjoint(terms(topic))), None)
