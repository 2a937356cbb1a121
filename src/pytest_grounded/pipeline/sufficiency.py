"""How far the evidence covers a question: word by word, part by part, and by one passage that is about it.

The signal is which of the question's words the evidence holds. It is crude on purpose and says what is missing: a
passage about hotel limits is similar to a question about Paris and still says nothing about Paris.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.answer_kinds import AnswerKind, states_kind
from pytest_grounded.pipeline.binding import Binding, tells_of_former
from pytest_grounded.pipeline.evidence import Evidence, words_held
from pytest_grounded.pipeline.passages import Passage
from pytest_grounded.pipeline.question import Part, Question, Word, name_missing
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import terms, word_set

__all__ = ["Sufficiency", "held_terms"]


def held_terms(text: str, chunk: Chunk, settings: PipelineSettings) -> frozenset[str]:
    """The words that a text of a chunk answers by: its own, and those of the title where titles count."""
    title = chunk.title if settings.retrieval.titles else None
    return terms(f"{title}\n{text}" if title else text, settings.retrieval.folding)


@dataclass(frozen=True, kw_only=True)
class Sufficiency:
    """A question against the evidence; what is asked of it more than once is kept."""

    question: Question
    selection: Selection
    resolution: Resolution
    settings: PipelineSettings

    @cached_property
    def asked(self) -> frozenset[str]:
        """The words of all parts of the question."""
        return frozenset[str]().union(*(part.terms for part in self.question.parts))

    @cached_property
    def covered(self) -> frozenset[str]:
        """Those of them that the evidence holds, names and codes only where the answer stands."""
        return self._held_by(self.resolution.evidence, self._binding)

    @property
    def coverage(self) -> float:
        """The share of them that is covered; 0 for a question without words that count."""
        return round(len(self.covered) / len(self.asked), 4) if self.asked else 0.0

    @property
    def best_score(self) -> float:
        """The score of the best candidate that is left."""
        return max((item.score or 0.0 for item in self.resolution.evidence), default=0.0)

    def enough_in_all(self) -> bool:
        """Whether the question as a whole is covered."""
        return self.coverage >= self.settings.gate.coverage and bool(self.asked)

    def sufficient(self, part: Part) -> bool:
        """Whether a part is covered: in its words, in one passage that is about it, and in a figure if it asks one."""
        return self._answered(part, part.figure_asked)

    def _answered(self, part: Part, figure: AnswerKind | None) -> bool:
        if not self._covered_by(part, self.covered) or not self._spoken_of(part):
            return False
        return figure is None or not self.settings.gate.figures or self._states_figure(part, figure)

    def _covered_by(self, part: Part, covered: frozenset[str]) -> bool:
        """Whether enough words of a part are covered, and every name and condition."""
        rules = self.settings.gate
        if rules.per_part and len(part.terms & covered) < rules.coverage * len(part.terms):
            return False
        if rules.names and any(not word.terms <= covered for word in self._names(part)):
            return False
        if self._computes_in_vain(part, covered) or self._binding.of_others(part):
            return False
        return not rules.conditions or all(word.terms <= covered for word in part.conditions)

    def _computes_in_vain(self, part: Part, covered: frozenset[str]) -> bool:
        """Whether a sum or the like is asked that no text states: one of the figures to put together is no answer.

        Nor is one of them for how much something grew.
        """
        asked = part.content if part.figure_asked else part.focus
        computed = [word for word in part.content if word.text.casefold() in _COMPUTED]
        computed += [word for word in asked if word.text.casefold() in _CHANGE]
        return self.settings.gate.figures and any(not word.terms <= covered for word in computed)

    def _spoken_of(self, part: Part) -> bool:
        """Whether one passage is about a part: words that only lie scattered over many passages answer nothing.

        Of two words one alone is about anything, so both have to stand together.
        """
        needed = self.settings.gate.one_passage * len(part.terms)
        needed = max(needed, float(min(_TWO, len(part.terms)))) if needed else needed
        return needed == 0 or any(True for _ in self._about(part, needed))

    def _about(self, part: Part, needed: float) -> Iterator[tuple[Passage, str | None]]:
        """The passages with enough words of a part, but those that speak of it as it was before."""
        bound = self.settings.gate.bound
        for held, passage, lang in self._passages:
            if len(held & part.terms) >= needed and not (bound and tells_of_former(part, passage.plain)):
                yield passage, lang

    def _states_figure(self, part: Part, kind: AnswerKind) -> bool:
        """Whether a passage that holds half of a part's words states a figure of the kind asked for."""
        return any(
            states_kind(kind, passage.plain, lang=lang, asked=self.question.text)
            for passage, lang in self._about(part, _HALF * len(part.terms))
        )

    @cached_property
    def _binding(self) -> Binding:
        return Binding.of(self.question, self.resolution.evidence, self.settings)

    def _names(self, part: Part) -> list[Word]:
        return [word for word in self.question.names if word in part.words]

    def _held_by(self, evidence: Sequence[Evidence], binding: Binding) -> frozenset[str]:
        held = frozenset[str]().union(*(held_terms(item.text, item.chunk, self.settings) for item in evidence))
        meant = frozenset[str]().union(*(binding.meant(part) for part in self.question.parts))
        return self.asked & (self.question.with_bridges(held) | meant) - self._loose_in(binding)

    def _loose_in(self, binding: Binding) -> frozenset[str]:
        """What names and codes are compared by that do not stand where an answer could, in any part."""
        loose = {word for part in self.question.parts for word in binding.loose(part)}
        bound = {word for part in self.question.parts for word in part.content} - loose
        return _terms_of(loose) - _terms_of(bound)

    def _words_of(self, item: Evidence) -> tuple[frozenset[str], ...]:
        retrieval = self.settings.retrieval
        return words_held(item, retrieval.folding, titles=retrieval.titles)

    @cached_property
    def _passages(self) -> tuple[tuple[frozenset[str], Passage, str | None], ...]:
        """Every passage of the evidence with the words it answers by, those of its headings included."""
        return tuple(
            (self.question.with_bridges(held), passage, item.chunk.lang)
            for item in self.resolution.evidence
            for passage, held in zip(item.statements, self._words_of(item), strict=True)
        )

    def stale_fits_better(self) -> bool:
        """Whether text out of force would answer alone, and what is in force does not hold as much."""
        if not self.selection.stale:
            return False
        old = [Evidence(chunk=chunk, score=None) for chunk in self.selection.stale]
        binding = Binding.of(self.question, old, self.settings)
        stale = self._held_by(old, binding)
        if self.asked <= self.covered or not self.asked - self.covered <= stale:
            return False
        if not all(self._covered_by(part, stale) and binding.answers(part) for part in self.question.parts):
            return False
        if not self.settings.gate.stale_first and self.enough_in_all():
            return False
        return len(stale) >= self.settings.gate.coverage * len(self.asked) and not self.supported()

    def asks_about(self, report: ConflictReport) -> bool:
        """Whether a disagreement is about what is asked.

        Its passages hold half the words of a part, as many as any passage that is not disputed, and what the part
        names: what Annex A and Annex B pay is no dispute about Annex C, nor one on taxis about meals.
        """
        stated = [one for side in report.open_sides for one in side.stated]
        disputed = [
            held_terms(one.chunk.text[start:end], one.chunk, self.settings)
            for one in stated
            for start, end in one.spans
        ]
        sides = [Evidence(chunk=one.chunk, score=None) for one in stated]
        binding = Binding.of(self.question, (*sides, *self.resolution.evidence), self.settings)
        spans = {(one.chunk.id, span) for one in stated for span in one.spans}
        key = terms(re.sub(r"[\W_]+", " ", report.key), self.settings.retrieval.folding)
        chunks = {one.chunk.id for one in stated}
        places = [
            place
            for place in binding.places
            if any(place.touches(*span) for span in spans) or (place.evidence.id in chunks and place.inside & key)
        ]
        others = [
            held_terms(passage.plain, item.chunk, self.settings)
            for item in self.resolution.evidence
            for passage in item.statements
        ]
        return any(
            0 < max(_HALF * len(part.terms), _most(part, others)) <= _most(part, disputed)
            and binding.concerns(part, places)
            for part in self.question.parts
        )

    def supported(self) -> tuple[Part, ...]:
        """Parts of the question, or pieces of a part, that are covered while others are not."""
        if all(self.sufficient(part) for part in self.question.parts):
            return ()
        return tuple(piece for part in self.question.parts for piece in self._supported_in(part))

    def _supported_in(self, part: Part) -> Iterator[Part]:
        """The part, or the pieces of it that are covered; none where its words are all there and say nothing of it."""
        if self.sufficient(part):
            yield part
        elif part.terms - self.covered and not self._computes_in_vain(part, self.covered):
            for piece in part.pieces:
                if piece.terms & self.covered and self._answered(piece, part.figure_asked):
                    yield Part(words=(*part.focus_before(piece), *piece.words))

    def gap(self) -> tuple[Part, ...]:
        """The parts, of several, that are not covered."""
        parts = self.question.parts
        parts = parts if len(parts) > 1 else tuple(piece for part in parts for piece in part.pieces)
        return tuple(part for part in parts if not self.sufficient(part)) if len(parts) > 1 else ()

    def focus_covered(self) -> bool:
        """Whether one passage is about what a part asks for, whatever circumstance it leaves out."""
        if not self.settings.gate.focus:
            return True
        needed = self.settings.gate.partial_floor
        return any(
            all(word.terms <= held for word in part.focus) and len(part.terms & held) >= needed * len(part.terms)
            for held, _, _ in self._passages
            for part in self.question.parts
        )

    def missing(self) -> tuple[str, ...]:
        """What is not covered, named for the user."""
        if self.settings.gate.missing_as == "terms":
            return self.terms_missing()
        named = (self._missing_of(part) for part in self.question.parts)
        return tuple(dict.fromkeys(name for names in named for name in names))

    def _missing_of(self, part: Part) -> tuple[str, ...]:
        """The uncovered words of a part; all of it where its words are there and what it asks for is not."""
        uncovered = name_missing(part.words, self.covered)
        if uncovered or self.sufficient(part):
            return uncovered
        return (" ".join(word.text for word in part.content),)

    def words_missing(self) -> tuple[str, ...]:
        """The uncovered words as the question writes them, or as stems where the settings say so."""
        if self.settings.gate.missing_as == "terms":
            return self.terms_missing()
        return name_missing([word for part in self.question.parts for word in part.words], self.covered)

    def terms_missing(self) -> tuple[str, ...]:
        """The uncovered word stems, sorted, for the log."""
        return tuple(sorted(self.asked - self.covered))


_COMPUTED = word_set("sum total combined altogether average mean median together 总共 合计 平均")
_CHANGE = word_set(
    """grow grows grew grown growth increase increases increased rise rises rose risen decrease decreases decreased
    decline declines declined drop drops dropped fall falls fell fallen shrink shrinks shrank shrunk gain gains
    gained"""
)
_HALF = 0.5
_TWO = 2


def _terms_of(words: Iterable[Word]) -> frozenset[str]:
    return frozenset[str]().union(*(word.terms for word in words))


def _most(part: Part, held: Iterable[frozenset[str]]) -> int:
    return max((len(part.terms & words) for words in held), default=0)
