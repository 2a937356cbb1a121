"""The deterministic generator: it writes no word of its own, it quotes the passages that cover a question.

A passage is taken whole: with the sentence it points back to, the list it leads into, the exception that follows it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from pytest_grounded.pipeline.answer_kinds import AnswerKind, states_kind
from pytest_grounded.pipeline.binding import Binding, Place, conditions_of, tells_of_former
from pytest_grounded.pipeline.derivations import Derived, Operand, derived_from_increment, difference_of, is_increment
from pytest_grounded.pipeline.evidence import Evidence, Span
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.passages import Passage, PassageKind, plain
from pytest_grounded.pipeline.question import Part
from pytest_grounded.pipeline.terms import WordForm, terms, word_set
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.quotes import too_short

__all__ = ["ExtractiveGenerator"]


@dataclass(frozen=True, slots=True)
class ExtractiveGenerator:
    """Quotes the passages that cover the question: one claim for each, its quote the passage verbatim.

    For each part the passage with the most telling words is taken (a word counts by how few passages hold it, half
    where only a heading, a title or a table header holds it), then further ones as long as they add words of the part.
    """

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        return "extractive/1"

    def generate(self, task: GenerationTask, prompt: str) -> object:
        """Claims in the order of the parts they answer."""
        del prompt  # the same content; nothing is parsed back out of it
        options = tuple(_options(task))
        reading = _Reading(task=task, options=options, weights=_weights(options))
        covers = [tuple(_cover(part, reading)) for part in task.parts]
        firsts = [cover[0] for cover in covers if cover]
        room = max(0, task.settings.generation.max_claims - len(dict.fromkeys(firsts)))
        more = [option for option in dict.fromkeys(o for cover in covers for o in cover[1:]) if option not in firsts]
        chosen = {*firsts, *more[:room]}
        in_order = list(dict.fromkeys(option for cover in covers for option in cover if option in chosen))
        return {"claims": list(_claims(in_order, options, task))}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Option:
    """A passage that could be quoted: the slice of its chunk, the words it holds and those of its headings."""

    rank: int
    evidence: Evidence
    passage: Passage
    start: int
    end: int
    own: frozenset[str]
    heading: frozenset[str]

    @property
    def around(self) -> frozenset[str]:
        """The words that only its headings hold."""
        return self.heading - self.own

    @property
    def place(self) -> tuple[int, int]:
        return self.rank, self.passage.start

    @property
    def words(self) -> frozenset[str]:
        return self.own | self.around


def _options(task: GenerationTask) -> Iterator[_Option]:
    form = task.settings.retrieval.folding
    for rank, item in enumerate(task.evidence):
        title = item.chunk.title or "" if task.settings.retrieval.titles else ""
        statements = item.statements
        for place, passage in enumerate(statements):
            start, end = _whole_thought(statements, place, item)
            told = _told_first(statements, place, end)
            said = plain(item.chunk.text[start:told]) if passage.kind is not PassageKind.ROW else passage.plain
            own = terms(said, form) | task.question.says_required(said)
            heading = terms(f"{title}\n{item.lead}\n{passage.context}", form)
            yield _Option(rank=rank, evidence=item, passage=passage, start=start, end=end, own=own, heading=heading)


_LONGEST_QUOTE = 700
_LONGEST_LIST = 2_100
_POINTS_BACK = word_set("it they this these that those he she such")
_QUALIFIES = word_set("however except exception exceptions unless otherwise")


def _whole_thought(statements: Sequence[Passage], place: int, item: Evidence) -> Span:
    """A passage with what it cannot be understood without.

    That is the sentence it points back to, the list it leads into, and the exception that follows it.
    """
    start, end, longest = statements[place].start, statements[place].end, _LONGEST_QUOTE
    if place > 0 and _first_word(statements[place]) in _POINTS_BACK and _same_block(statements, place - 1, place):
        start = statements[place - 1].start
    if statements[place].plain.endswith((":", "：")):
        end, longest = _end_of_list(statements, place, start), _LONGEST_LIST
    following = statements[place + 1] if place + 1 < len(statements) else None
    if following and _first_word(following) in _QUALIFIES and _same_block(statements, place, place + 1):
        end = max(end, following.end)
    touched = any(first < end and start < last for first, last in item.withheld)
    return (statements[place].start, statements[place].end) if touched or end - start > longest else (start, end)


def _told_first(statements: Sequence[Passage], place: int, end: int) -> int:
    """Where the words end that a passage is chosen by: a long list holds some word of any question."""
    start = statements[place].start
    if end - start <= _LONGEST_QUOTE:
        return end
    inside = takewhile(lambda one: one.end - start <= _LONGEST_QUOTE, statements[place:])
    return max((one.end for one in inside), default=end)


def _first_word(passage: Passage) -> str:
    return passage.plain.split(" ", 1)[0].strip(",.:").casefold()


def _same_block(statements: Sequence[Passage], left: int, right: int) -> bool:
    return statements[left].block == statements[right].block


def _end_of_list(statements: Sequence[Passage], place: int, start: int) -> int:
    """Where the list that a passage leads into ends, or the paragraph after it where no list follows.

    Of a list the last item is as much the answer as the first: it is quoted whole or, where it is very long, not.
    """
    end = statements[place].end
    followers = statements[place + 1 :]
    is_list = bool(followers) and followers[0].kind is PassageKind.ITEM
    longest = math.inf if is_list else _LONGEST_QUOTE
    for follower in followers:
        goes_on = follower.kind is PassageKind.ITEM if is_list else follower.block == followers[0].block
        if not goes_on or follower.end - start > longest:
            break
        end = follower.end
    return end


def _weights(options: Sequence[_Option]) -> Mapping[str, float]:
    """How telling a word is: the fewer passages hold it, the more."""
    held = Counter(word for option in options for word in option.words)
    return {word: math.log((len(options) + 1) / count) for word, count in held.items()}


_AROUND = 0.5
_FIGURE_BONUS = 1.15
_NEW_SHARE = 0.2
_ABOUT_SHARE = 0.4
_ASKS_FOR_FIGURE = word_set(
    """amount cap cost deadline far fee high how limit many maximum minimum much number often percent price rate when
    wie viel hoch combien"""
)


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """The options of a task with what is asked of them more than once."""

    task: GenerationTask
    options: tuple[_Option, ...]
    weights: Mapping[str, float]

    @cached_property
    def _binding(self) -> Binding:
        return Binding.of(self.task.question, self.task.evidence, self.task.settings)

    @cached_property
    def _place_of(self) -> Mapping[_Option, Place]:
        return dict(zip(self.options, self._binding.places, strict=True))

    @cached_property
    def _option_of(self) -> Mapping[Place, _Option]:
        return dict(zip(self._binding.places, self.options, strict=True))

    def leads(self, part: Part, option: _Option) -> tuple[_Option, ...] | None:
        """The options that lead from the names of a part to one; None where a name does not belong to it."""
        leads = self._binding.leads(part, self._place_of[option])
        return None if leads is None else tuple(self._option_of[lead] for lead in leads)

    def firsts(self, part: Part) -> list[_Option]:
        """The passages that may answer a part: with its kind of figure, and of what it names, where there are such."""
        of_now = [one for one in self.options if not tells_of_former(part, one.passage.plain)] or list(self.options)
        able = [option for option in of_now if self._states_figure(part, option)] or of_now
        named = [option for option in able if self.leads(part, option) is not None] or able
        return self._under_conditions(part, named)

    def not_of_others(self, part: Part, options: list[_Option]) -> list[_Option]:
        """Those of some passages that have no other code or group of people: not Article 5 for Article 7."""
        return [one for one in options if not self._binding.is_of_another(part, self._place_of[one])]

    def _under_conditions(self, part: Part, options: list[_Option]) -> list[_Option]:
        """Of the passages about a part those that hold the most of its conditions.

        What holds for a group ticket is not said by a passage on single ones that has a verb more of the question.
        """
        conditions = conditions_of(part)
        about = [option for option in options if len(option.words & part.terms) >= _HALF * len(part.terms)]
        most = max((len(option.words & conditions) for option in about), default=0)
        return [option for option in about if len(option.words & conditions) == most] if most else options

    def other_cases(self, part: Part, option: _Option) -> tuple[_Option, ...]:
        """The passages that give another figure of the same kind for another case, where a question says none of them.

        `In standard cities the limit is $180` is half an answer to what the limit is, beside one on high-cost cities.
        """
        if part.figure_asked is None:
            return ()
        others = (other for other in self.firsts(part) if _is_other_case(option, other, part.terms))
        return tuple(others)[: self.task.settings.generation.max_claims - 1]

    def tells_piece(self, part: Part, option: _Option, open_words: frozenset[str]) -> bool:
        """Whether a passage gives the figure asked for one of the things a part joins: the lunch of "lunch and a pass".

        It holds all words of that piece, of which some are still open, however few they are of the whole part's.
        """
        pieces = part.pieces
        told = (piece.terms for piece in pieces if len(pieces) > 1)
        return self._states_asked(part, option) and any(
            len(terms) > 1 and terms <= option.words and terms & open_words for terms in told
        )

    def _states_asked(self, part: Part, option: _Option) -> bool:
        kind = part.figure_asked
        return kind is not None and states_kind(
            kind, option.passage.plain, lang=option.evidence.chunk.lang, asked=self.task.question.text
        )

    def _states_figure(self, part: Part, option: _Option) -> bool:
        """Whether a passage states a figure of the kind asked for and holds half of the part's words."""
        kind, asked = part.figure_asked, self.task.question.text
        if kind is None and any(word.text.casefold() == "version" for word in part.focus):
            kind = AnswerKind.FIGURE
        if kind is None or len(option.words & part.terms) < _HALF * len(part.terms):
            return False
        return states_kind(kind, option.passage.plain, lang=option.evidence.chunk.lang, asked=asked)


def _is_other_case(option: _Option, other: _Option, asked: frozenset[str]) -> bool:
    """Whether two passages hold the same words of a question, one figure of a kind each, and most words alike."""
    if option.words & asked != other.words & asked:
        return False
    one, two = _operand(option), _operand(other)
    if one is None or two is None or is_increment(one) or is_increment(two):
        return False
    ours, theirs = (_words_without_figure(operand) for operand in (one, two))
    apart = 0 < len(ours - theirs) <= _OWN_WORDS and 0 < len(theirs - ours) <= _OWN_WORDS and bool(ours & theirs)
    unlike = one.quantity.value != two.quantity.value
    return apart and unlike and (one.quantity.kind, one.quantity.unit) == (two.quantity.kind, two.quantity.unit)


_OWN_WORDS = 2


def _words_without_figure(operand: Operand) -> frozenset[str]:
    words = terms(operand.passage, WordForm.ROOT)
    return frozenset(word for word in words if not any(character.isdigit() for character in word))


def _cover(part: Part, reading: _Reading) -> Iterator[_Option]:
    """Passages for one part, the most telling first, as long as each is about the part and adds a good share.

    What leads from a name of the part to the first one (`Tokyo counts as high-cost`) goes with it.
    """
    weights = reading.weights
    wants_figure = any(word.text.casefold() in _ASKS_FOR_FIGURE for word in part.words)
    compares = _ASKS_DIFFERENCE.search(part.text) is not None  # of two things each is told, however little it adds
    total = _weight(part.terms, weights)
    conditions = conditions_of(part)
    open_words = part.terms
    left = list(reading.options)
    while open_words and left:
        rating = _Rating(open_words, part.terms, weights, conditions=conditions, wants_figure=wants_figure)
        is_first = len(left) == len(reading.options)
        best = max(reading.firsts(part) if is_first else reading.not_of_others(part, left), key=rating, default=None)
        if best is None:
            return
        others = reading.other_cases(part, best) if is_first else ()
        new, held = _weight(best.words & open_words, weights), _weight(best.words & part.terms, weights)
        little = new < _NEW_SHARE * total and not compares
        is_aside = little or held < _ABOUT_SHARE * total
        if new == 0 or (not is_first and is_aside and not reading.tells_piece(part, best, open_words)):
            return
        leads = (reading.leads(part, best) or ()) if is_first else ()
        for option in dict.fromkeys((best, *others, *leads)):
            yield option
            left.remove(option)
            open_words -= option.words


_HALF = 0.5


def _weight(words: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) for word in sorted(words))


class _Rating:
    """How well an option covers open words; equal ones are decided by all words of the part, rank and place."""

    def __init__(
        self,
        open_words: frozenset[str],
        asked: frozenset[str],
        weights: Mapping[str, float],
        *,
        conditions: frozenset[str],
        wants_figure: bool,
    ) -> None:
        self._open = open_words
        self._asked = asked
        self._weights = weights
        self._conditions = conditions
        self._wants_figure = wants_figure

    def __call__(self, option: _Option) -> tuple[float, float, int, int]:
        gained = self._sum(option, self._open)
        if self._wants_figure and find_quantities(option.passage.plain, lang=option.evidence.chunk.lang):
            gained *= _FIGURE_BONUS
        rank, start = option.place
        return round(gained, 9), round(self._sum(option, self._asked), 9), -rank, -start

    def _sum(self, option: _Option, words: frozenset[str]) -> float:
        """The weight of the words an option holds; one of a better ranked chunk counts for more.

        A word of the headings counts half, and whole where the headings ask the very question or it is a condition of
        it, which headings are for.
        """
        above = option.around & words
        whole = above if self._asked <= option.heading else above & self._conditions
        held = _weight(option.own & words, self._weights) + _weight(whole, self._weights)
        held += _AROUND * _weight(above - whole, self._weights)
        return held * (1 + (option.evidence.score or 0.0))


def _claims(chosen: Sequence[_Option], options: Sequence[_Option], task: GenerationTask) -> Iterator[Mapping[str, Any]]:
    """One claim per passage; a derived one where a figure is only stated relative to another or compared with it."""
    if not task.settings.generation.derive:
        yield from map(_claim, chosen)
        return
    if _ASKS_DIFFERENCE.search(task.question.text):
        operands = [operand for option in chosen if (operand := _operand(option)) is not None]
        difference = _difference(operands) if len(operands) == len(chosen) else None
        if difference is not None:
            yield _derived_claim(difference, chosen)
            return
        if any(map(is_increment, operands)):  # a text says the difference itself
            yield from map(_claim, chosen)
            return
    for option in chosen:
        derived = _from_increment(option, options)
        yield _claim(option) if derived is None else _derived_claim(*derived)


def _difference(operands: Sequence[Operand]) -> Derived | None:
    """How far two figures are apart; None where there are not two, or one is a distance itself."""
    if len(operands) != len(("one", "other")) or any(map(is_increment, operands)):
        return None
    return difference_of(*operands)


_ASKS_DIFFERENCE = re.compile(
    r"\bdifferen(?:ce|t)\b|相差|差多少|[多高低少]多少|[高低]出多少|[增减]加?多少|"
    r"\bhow (?:much|many) (?:\w+ ){0,2}(?:more|less|higher|lower|longer|cheaper)\b",
    re.IGNORECASE,
)


def _from_increment(option: _Option, options: Sequence[_Option]) -> tuple[Derived, tuple[_Option, ...]] | None:
    increment = _operand(option)
    if increment is None:
        return None
    others = {operand.passage: (operand, other) for other in options if (operand := _operand(other)) is not None}
    derived = derived_from_increment(increment, [operand for operand, _ in others.values()])
    if derived is None:
        return None
    return derived, tuple(others[operand.passage][1] for operand in derived.operands)


def _operand(option: _Option) -> Operand | None:
    """The one figure of a passage, calendar years aside; None where it states none or several."""
    passage, chunk = option.passage.plain, option.evidence.chunk
    found = find_quantities(passage, lang=chunk.lang)
    figures = [one for one in found if one.value is not None and not one.calendar_year]
    if len(figures) != 1:
        return None
    heading = "\n".join(part for part in (chunk.title, option.passage.context) if part)
    return Operand(chunk=chunk, quantity=figures[0], passage=passage, heading=heading)


def _derived_claim(derived: Derived, options: Sequence[_Option]) -> Mapping[str, Any]:
    """A claim that states its operands, the computation and both sources, marked as inferred."""
    told = [_claim(option) for option in options]
    return {
        "text": f"{' '.join(claim['text'] for claim in told)} Derived from these: {derived.shown}.",
        "citations": [citation for claim in told for citation in claim["citations"]],
        "status": "inferred",
        "derivation": {
            "operation": derived.operation.value,
            "operands": [
                {
                    "value": f"{operand.quantity.value:f}",
                    "unit": operand.quantity.unit,
                    "chunk": operand.chunk.id,
                }
                for operand in derived.operands
            ],
        },
    }


def _claim(option: _Option) -> Mapping[str, Any]:
    """One claim: what the passage says without markup, quoted as it stands."""
    text = option.evidence.chunk.text
    shown = option.passage.plain if option.passage.kind is PassageKind.ROW else plain(text[option.start : option.end])
    start, end = _quotable(option)
    return {"text": shown, "citations": [{"chunk": option.evidence.id, "quote": text[start:end]}]}


def _quotable(option: _Option) -> Span:
    """The slice to quote: a slice too short to show anything grows by the passages before it, then those after it."""
    text, lang = option.evidence.chunk.text, option.evidence.chunk.lang
    start, end = option.start, option.end
    statements = option.evidence.statements
    growing = [(other.start, end) for other in reversed(statements) if other.start < start]
    growing += [(start, other.end) for other in statements if other.end > end]
    for wider_start, wider_end in growing:
        if not too_short(text[start:end], text, lang=lang):
            break
        start, end = min(start, wider_start), max(end, wider_end)
    return start, end
