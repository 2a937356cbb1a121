"""Whether what the evidence states is stated of what is asked about.

A limit for one city, beside a text that only mentions another, answers nothing about the other. The names of a
question, the codes of its documents and zones, and, where a figure is asked, its conditions have to stand where the
answer stands: in the passage itself, above it, around it in its chunk, or in a passage that leads to it by a word they
share (`Tokyo counts as high-cost`, `in high-cost cities it is $260`). So have somebody named by what they do, and the
group of people that is asked about, where the passage speaks of another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_grounded.pipeline.answer_kinds import AnswerKind, states_kind
from pytest_grounded.pipeline.evidence import Evidence, Span, words_held
from pytest_grounded.pipeline.passages import Passage, PassageKind
from pytest_grounded.pipeline.question import PREPOSITIONS, Part, Question, Word
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import root, terms, word_set, words_in_order
from pytest_grounded.pipeline.whom import holds_for, is_doer, is_group, names_doer, names_group, other_groups

__all__ = ["Binding", "Place", "conditions_of", "holds_code", "holds_other_code", "tells_of_former"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Place:
    """A passage where an answer could stand: the words in it, above it (`own` holds both) and around it in its chunk.

    The other rows of a table and the other items of a list speak of other things, and are not around it.
    """

    evidence: Evidence
    passage: Passage
    own: frozenset[str]
    inside: frozenset[str]
    near: frozenset[str]
    text: str
    around: str
    document: frozenset[str] = frozenset()

    def touches(self, chunk: str, span: Span) -> bool:
        """Whether the passage has characters of a slice of a chunk."""
        start, end = span
        return self.evidence.id == chunk and start < self.passage.end and self.passage.start < end


@dataclass(frozen=True, kw_only=True)
class Binding:
    """A question over the passages of its evidence."""

    question: Question
    evidence: tuple[Evidence, ...]
    settings: PipelineSettings

    @classmethod
    def of(cls, question: Question, evidence: Iterable[Evidence], settings: PipelineSettings) -> Binding:
        """Take some evidence for a question."""
        return cls(question=question, evidence=tuple(evidence), settings=settings)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The passages of the evidence, read for the question."""
        return tuple(place for item in self.evidence for place in _places(item, self.question, self.settings))

    def loose(self, part: Part) -> tuple[Word, ...]:
        """The words of a part that have to stand where its answer stands, and do not; none where nothing answers it.

        >>> from pytest_grounded.model.evidence import Chunk
        >>> from pytest_grounded.pipeline.question import read_question
        >>> texts = ("In standard cities the hotel limit is $180.", "Offices are in Tokyo and Geneva.")
        >>> evidence = [Evidence(chunk=Chunk(id=str(n), text=text), score=1.0) for n, text in enumerate(texts)]
        >>> question = read_question("What is the hotel limit in Tokyo?")
        >>> [word.text for word in Binding.of(question, evidence, PipelineSettings()).loose(question.parts[0])]
        ['Tokyo']
        """
        anchors = self._anchors(part) if self.settings.gate.bound else ()
        if not anchors:  # spares reading the passages
            return ()
        homes = self._homes(part)
        return tuple(
            word
            for word in anchors
            if homes and not any(self._holds(word, home) or self._lead(word, home) for home in homes)
        )

    def answers(self, part: Part) -> bool:
        """Whether a passage could answer a part, with all that has to stand there."""
        return not self.settings.gate.bound or (bool(self._homes(part)) and not self.loose(part))

    def leads(self, part: Part, home: Place) -> tuple[Place, ...] | None:
        """The passages that lead from the names of a part to a passage; None where a name does not belong to it."""
        found: list[Place] = []
        for word in self._anchors(part) if self.settings.gate.bound else ():
            if self._holds(word, home):
                continue
            lead = self._lead(word, home)
            if lead is None:
                return None
            found.append(lead)
        return tuple(dict.fromkeys(found))

    def concerns(self, part: Part, places: Iterable[Place]) -> bool:
        """Whether some passages may be about what a part names, and are so about its conditions as much as others.

        They are not where each has something else in the stead of a name, a code or a group of people.
        """
        if not self.settings.gate.bound:
            return True
        ours = tuple(places)
        if any(ours and all(self._is_of_another(word, place) for place in ours) for word in self._anchors(part)):
            return False
        others = [place for place in self.places if place not in ours]
        conditions = _conditions(part)
        return all(
            any(word.terms <= place.near for place in ours) or not any(word.terms <= place.own for place in others)
            for word in part.content
            if word.start in conditions
        )

    def is_of_another(self, part: Part, home: Place) -> bool:
        """Whether a passage has another code or group of people in the stead of one that a part asks about."""
        asked = [word for word in part.content if word.label or is_group(word.text)] if self.settings.gate.bound else []
        return any(self._is_of_another(word, home) for word in asked)

    def meant(self, part: Part) -> frozenset[str]:
        """What groups of people are compared by whom a passage that could answer a part has in other words."""
        homes = self._homes(part) if any(is_group(word.text) for word in part.content) else ()
        return frozenset[str]().union(
            *(
                word.terms
                for word in part.content
                if is_group(word.text) and any(holds_for(word.text, home.text) for home in homes)
            )
        )

    def of_others(self, part: Part) -> tuple[Word, ...]:
        """The groups of people a part asks about of whom no passage that could answer it speaks, but of others."""
        asked = {word.start for word in part.content if is_group(word.text)}
        return tuple(word for word in self.loose(part) if word.start in asked) if asked else ()

    def _homes(self, part: Part) -> tuple[Place, ...]:
        """The passages that could answer a part: they hold enough of it, and the kind of figure it asks for.

        Enough of all of it or of what it asks for, names and conditions aside.
        """
        core = part.terms - frozenset[str]().union(*(word.terms for word in self._anchors(part)))
        share = self.settings.gate.one_passage
        about = (
            place
            for place in self.places
            if any(len(place.own & words) >= max(1.0, share * len(words)) for words in (part.terms, core))
            and not tells_of_former(part, place.passage.plain)
        )
        kind = part.figure_asked if self.settings.gate.figures else None
        return tuple(place for place in about if kind is None or _states(place, kind, self.question))

    def _anchors(self, part: Part) -> tuple[Word, ...]:
        """The names and codes of a part, a verb that it ends with (to check in), conditions where a figure is asked.

        And people: a doer, and the group of people it asks about.
        """
        names = {word.start for word in self.question.names}
        conditions = _conditions(part) if part.figure_asked else frozenset[int]()
        places = names | conditions | _doers(part)
        return tuple(
            word for word in part.content if word.label or word.particle or word.start in places or is_group(word.text)
        )

    def _holds(self, word: Word, home: Place) -> bool:
        """Whether a word stands in a passage, or around it where the passage has nothing else in its stead."""
        if word.label:
            if _code(word.label, word.text).search(home.text):
                return True
            around = _code(word.label, word.text).search(home.around)
            return around is not None and not _any_code(word.label).search(home.passage.plain)
        if word.particle:
            return _phrase(word.text, word.particle).search(f"{home.text}\n{home.around}") is not None
        if is_group(word.text):
            text = f"{home.text}\n{home.around}"
            return names_group(word.text, text) or not other_groups(word.text, home.text)
        if is_doer(word.text) and not names_doer(word.text, self._said_of(word), f"{home.text}\n{home.around}"):
            return False
        if word.terms <= home.own:
            return True
        return word.terms <= home.near | home.document and not self._has_other(word, home)

    def _is_of_another(self, word: Word, home: Place) -> bool:
        """Whether a passage speaks of another thing of a word's kind, and nothing leads from the word to it."""
        if self._holds(word, home) or self._lead(word, home) is not None:
            return False
        if word.label:
            return _any_code(word.label).search(home.text) is not None
        return other_groups(word.text, home.text) if is_group(word.text) else self._has_other(word, home)

    def _has_other(self, word: Word, home: Place) -> bool:
        """Whether another name stands in a passage behind the preposition that a name has in the question."""
        names = {name.start: name.text for name in self.question.names}
        preposition = self._preposition(word) if word.start in names else None
        if preposition is None:
            return False
        return any(match[1] not in names.values() for match in _named_behind(preposition).finditer(home.passage.plain))

    def _said_of(self, doer: Word) -> str:
        """The word before a doer that says what it does it to, if there is one: account, in account manager."""
        before = (one for one in self.question.words if one.terms and one.end == doer.start - 1)
        return next((one.text for one in before), "")

    def _preposition(self, word: Word) -> str | None:
        """The preposition before a word, over at most two other words."""
        before = [one.text.casefold() for one in self.question.words if one.start < word.start]
        return next((one for one in before[: -_FAR - 1 : -1] if one in PREPOSITIONS), None)

    def _lead(self, word: Word, home: Place) -> Place | None:
        """A passage of another chunk that holds a name and leads to a passage by a telling word that both hold."""
        if word.label or word.particle or is_group(word.text) or is_doer(word.text):
            return None
        if any(other.terms <= home.own for other in self._beside(word)):
            return None
        telling = {term for term in home.inside - self.question.terms if self._counts[term] <= self._few}
        leads = (place for place in self.places if place.evidence.id != home.evidence.id and word.terms <= place.own)
        return next((place for place in leads if not telling.isdisjoint(place.inside)), None)

    def _beside(self, word: Word) -> tuple[Word, ...]:
        """The other words of a name of several: of Harbour Pass that of the other word, which alone is another name."""
        names = self.question.names if word in self.question.names else ()
        return tuple(name for name in names if name.start == word.end + 1 or name.end + 1 == word.start)

    @cached_property
    def _counts(self) -> Mapping[str, int]:
        return Counter(term for place in self.places for term in place.inside)

    @property
    def _few(self) -> float:
        """In how many passages a word may stand to be telling."""
        return max(_TWO, _TELLING * len(self.places))


_NO_LETTER = re.compile(r"[\W_]+")
_FAR = 3
_TWO = 2
_TELLING = 0.15


def _places(item: Evidence, question: Question, settings: PipelineSettings) -> Iterator[Place]:
    form, titles = settings.retrieval.folding, settings.retrieval.titles
    statements = item.statements
    around = "\n".join(one.plain for one in statements if one.kind is PassageKind.SENTENCE)
    near = question.with_bridges(terms(around, form))
    for passage, held in zip(statements, words_held(item, form, titles=titles), strict=True):
        own = question.with_bridges(held)
        yield Place(
            evidence=item,
            passage=passage,
            own=own,
            inside=terms(passage.plain, form),
            near=own | near,
            text="\n".join((item.chunk.title or "", item.lead, passage.context, passage.plain)),
            document=frozenset(words_in_order(_NO_LETTER.sub(" ", item.chunk.document or ""), form)),
            around=around,
        )


def holds_code(label: str, code: str, text: str) -> bool:
    """Whether a text has a code behind its label, alone or in a list.

    >>> holds_code("Annex", "D", "See annexes A, C and D."), holds_code("Annex", "D", "See Annex E, form D.")
    (True, False)
    """
    return _code(label, code).search(text) is not None


def holds_other_code(label: str, code: str, text: str) -> bool:
    """Whether a text has another code behind a label, and not this one.

    >>> holds_other_code("Annex", "D", "See Annex E, form D."), holds_other_code("Annex", "D", "See form D.")
    (True, False)
    """
    return not holds_code(label, code, text) and _any_code(label).search(text) is not None


def tells_of_former(part: Part, text: str) -> bool:
    """Whether a text speaks of the former one of what a part asks about as it is: the previous version, the old rate.

    >>> from pytest_grounded.pipeline.question import read_question
    >>> asked, text = read_question("What is the rate?"), "The old rate was $3."
    >>> tells_of_former(asked.parts[0], text), tells_of_former(read_question("What was the old rate?").parts[0], text)
    (True, False)
    """
    if any(word.text.casefold() in _FORMER for word in part.words):
        return False
    return any(
        not part.terms.isdisjoint(root(word) for word in found[1].lower().split()) for found in _OLD.finditer(text)
    )


_FORMER = word_set(
    "previous previously former formerly earlier prior old older outdated obsolete superseded last was were"
)
_OLD = re.compile(
    r"\b(?:previous|former|earlier|prior|old|older|outdated|obsolete|superseded)((?: [^\W\d_]+){1,2})", re.IGNORECASE
)


def conditions_of(part: Part) -> frozenset[str]:
    """What the words of a part are compared by that say where, for whom or under what.

    >>> from pytest_grounded.pipeline.question import read_question
    >>> sorted(conditions_of(read_question("How much is paid for a taxi at night?").parts[0]))
    ['night', 'taxi']
    """
    starts = _conditions(part)
    return frozenset[str]().union(*(word.terms for word in part.content if word.start in starts))


def _conditions(part: Part) -> frozenset[int]:
    """Where the words of a part start that say where, for whom or under what: up to the next function word.

    One's own things (to hand in my report) and what another clause says are no conditions.
    """
    found: set[int] = set()
    inside = False
    for word in part.words:
        text = word.text.casefold()
        goes_on = inside and (bool(word.terms) or text in _ARTICLES) and text not in _NEXT_CLAUSE
        inside = text in _CONDITIONS or goes_on
        if goes_on and word.terms and text not in _ARTICLES:
            found.add(word.start)
    return frozenset(found)


_CONDITIONS = word_set("at during for in on under within")
_ARTICLES = word_set("the a an one")
_NEXT_CLAUSE = word_set("least most all once when if after before while since because until unless")


def _doers(part: Part) -> frozenset[int]:
    """Where words start that name somebody by what they do: asked for with `who`, or said of what (a team leader)."""
    asks_who = any(word.text.casefold() in _WHO for word in part.words)
    before = {word.end for word in part.content}
    return frozenset(
        word.start for word in part.content if is_doer(word.text) and (asks_who or word.start - 1 in before)
    )


_WHO = word_set("who whom whose")


def _states(place: Place, kind: AnswerKind, question: Question) -> bool:
    return states_kind(kind, place.passage.plain, lang=place.evidence.chunk.lang, asked=question.text)


@lru_cache(maxsize=256)
def _code(label: str, code: str) -> re.Pattern[str]:
    """A code behind its label, alone or in a list: `Annex D`, `PEP: 3`, `zones A, B and D`."""
    return re.compile(
        rf"(?<!\w){re.escape(label)}(?:s|es)?[\s:;|#`.\-]*(?:no[.\s]+)?{_LISTED}(?<![\w.]){re.escape(code)}(?![\w])",
        re.IGNORECASE,
    )


_LISTED = r"(?:(?:[A-Za-z]|\d{1,6})(?: *(?:,|and|or|to|&|/|-|–) *)+){0,8}"


@lru_cache(maxsize=256)
def _any_code(label: str) -> re.Pattern[str]:
    """Any code behind a label."""
    return re.compile(rf"(?<!\w)(?i:{re.escape(label)}(?:s|es)?)[\s:;|#`.\-]*(?:[A-Z]|\d{{1,6}})(?!\w)")


@lru_cache(maxsize=256)
def _phrase(verb: str, particle: str) -> re.Pattern[str]:
    """A verb with its particle: check in, checked in, check-in."""
    return re.compile(rf"(?<!\w){re.escape(root(verb.casefold()))}\w{{0,5}}[ -]{particle}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=256)
def _named_behind(preposition: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?i:{re.escape(preposition)}) (?:the )?([A-Z][\w-]+)")
