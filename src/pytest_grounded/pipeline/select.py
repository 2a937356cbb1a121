"""Which candidates may be relied on to answer this requester, now: one logged decision with a reason for each.

Relevance is not applicability. A candidate is tested against the rules in the order of the settings; the first that
excludes it is said. What is left is kept within the budget, and a clause cut from its context gets it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pytest_grounded.model.evidence import Chunk, CorpusView
from pytest_grounded.model.vocabulary import Status
from pytest_grounded.pipeline.evidence import Evidence, statements_of
from pytest_grounded.pipeline.instructions import instruction_spans
from pytest_grounded.pipeline.neighbours import context_needed, lead_in
from pytest_grounded.pipeline.packing import pack
from pytest_grounded.pipeline.passages import states_something
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.retrieve import Scored
from pytest_grounded.pipeline.sameness import Repeats
from pytest_grounded.pipeline.settings import PipelineSettings, SelectionRule
from pytest_grounded.pipeline.terms import WordForm, terms

__all__ = ["Choice", "Floors", "Selection", "select"]


_NOT_FUSED: Mapping[str, float] = {}


class Choice(NamedTuple):
    """What was decided about one candidate: `rule` for programs, `reason` for people; both are "kept" when it stays.

    `fused` are the scores by scorer that its score was fused from, where it was.
    """

    chunk: str
    score: float | None
    kept: bool
    rule: str
    reason: str
    fused: Mapping[str, float] = _NOT_FUSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The evidence by rank, one choice per candidate, and the candidates that are out of force but would do else.

    `floor` is the lowest score that was kept.
    """

    evidence: tuple[Evidence, ...]
    choices: tuple[Choice, ...]
    stale: tuple[Chunk, ...] = ()
    tokens: int = 0
    floor: float = 0.0


def select(
    question: Question, candidates: Sequence[Scored], readable: Readable, settings: PipelineSettings
) -> Selection:
    """Decide about every candidate, best first."""
    eligible: list[Scored] = []
    seen = Repeats(settings.selection.duplicate, asked=terms(question.text, WordForm.PLAIN))
    floors = Floors.of(question, settings)
    against = _Against(seen=seen, floors=floors, readable=readable, settings=settings)
    rules = list(_rules(against))
    verdicts: dict[str, _Verdict] = {}
    for candidate in candidates:
        verdict = _excluded(candidate, rules, against)
        if verdict is None:
            eligible.append(candidate)
            seen.add(candidate.chunk)
        verdicts[candidate.chunk.id] = verdict
    packing = pack(question, eligible, settings)
    verdicts.update((chunk_id, (rule, reason)) for chunk_id, rule, reason in packing.dropped)
    choices = {one.chunk.id: _choice(one, verdicts[one.chunk.id]) for one in candidates}
    kept = [_evidence(scored.chunk, scored.score, against) for scored in packing.kept]
    if settings.selection.neighbours:
        for chunk, choice in _restored(kept, choices, against):
            kept.append(_evidence(chunk, choice.score, against))
            choices[chunk.id] = choice
    return Selection(
        evidence=tuple(kept),
        choices=tuple(choices.values()),
        stale=tuple(
            scored.chunk
            for scored in candidates
            if choices[scored.chunk.id].rule in _OUT_OF_FORCE and _would_apply(scored, against)
        ),
        tokens=packing.tokens,
        floor=floors.lowest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """The lowest scores that are kept for a question: of the scorer, and of each that a score was fused from."""

    lowest: float
    by_scorer: Mapping[str, float]

    @classmethod
    def of(cls, question: Question, settings: PipelineSettings) -> Floors:
        """The floors of a question: a long one lowers those of scorers that count its words."""
        words = _words(question)
        return cls(
            lowest=round(settings.floor * settings.floor_share(words), 6),
            by_scorer={
                name: round(floor * settings.floor_share(words, name), 6) for name, floor in settings.floors.items()
            },
        )

    def below(self, candidate: Scored) -> str | None:
        """Why a score is too low, or None; of scores that were fused one that is high enough will do.

        >>> from pytest_grounded.pipeline.question import read_question
        >>> floors = Floors.of(read_question("What do hotels cost?"), PipelineSettings())
        >>> chunk = Chunk(id="c", text="Hotels: $180.")
        >>> floors.below(Scored(chunk=chunk, score=0.05))
        'score 0.05 below floor 0.08'
        >>> floors.below(Scored(chunk=chunk, score=1.0, fused={"bm25": 0.05, "embedding": 0.7}))
        'bm25 0.05 below floor 0.08, embedding 0.7 below floor 0.8'
        """
        if candidate.score < self.lowest:
            return f"score {candidate.score:g} below floor {self.lowest:g}"
        if not candidate.fused:
            return None
        floors = {name: self.by_scorer.get(name, 0.0) for name in candidate.fused}
        if any(candidate.fused[name] >= floor for name, floor in floors.items()):
            return None
        return ", ".join(f"{name} {candidate.fused[name]:g} below floor {floor:g}" for name, floor in floors.items())


def _words(question: Question) -> int:
    """How many words of a question count; a run of text without spaces is one."""
    return sum(bool(word.terms) for word in question.words)


_Verdict = tuple[str, str] | None
_Rule = Callable[[Scored, "_Against"], _Verdict]
_OUT_OF_FORCE = frozenset({"superseded", "withdrawn", "ended"})


def _would_apply(candidate: Scored, against: _Against) -> bool:
    """Whether a candidate would apply to the requester if it were in force: of other people's rules nothing is said."""
    rules = (SelectionRule.AUDIENCE, SelectionRule.SCOPE)
    return all(
        rule not in against.settings.selection.rules or _RULES[rule](candidate, against) is None for rule in rules
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Against:
    """What a candidate is tested against."""

    seen: Repeats
    floors: Floors
    readable: Readable
    settings: PipelineSettings


def _excluded(candidate: Scored, rules: Iterable[_Rule], against: _Against) -> _Verdict:
    """What the first rule that excludes a candidate says, with its reason."""
    for rule in rules:
        verdict = rule(candidate, against)
        if verdict is not None:
            return verdict
    return None


def _rules(against: _Against) -> Iterator[_Rule]:
    """The rules in order; those in a row that look at a chunk alone as one, asked of it once for a view of a corpus."""
    selection = against.settings.selection
    said_by = _SAID.setdefault(against.readable.view, {})
    for by_rank, names in groupby(selection.rules, key=_BY_RANK.__contains__):
        row = tuple(names)
        rules = [_RULES[name] for name in row]
        if by_rank:
            yield from rules
        else:
            yield _remembering(rules, said_by.setdefault((row, selection.instructions), {}))


_Said = dict[str, tuple[Chunk, _Verdict]]
_SAID: WeakKeyDictionary[CorpusView, dict[object, _Said]] = WeakKeyDictionary()


def _remembering(rules: Sequence[_Rule], said: _Said) -> _Rule:
    def rule(candidate: Scored, against: _Against) -> _Verdict:
        chunk = candidate.chunk
        known = said.get(chunk.id)
        if known is None or known[0] is not chunk:
            known = said[chunk.id] = (chunk, _excluded(candidate, rules, against))
        return known[1]

    return rule


def _choice(candidate: Scored, verdict: _Verdict) -> Choice:
    rule, reason = verdict or ("kept", "kept")
    return Choice(candidate.chunk.id, candidate.score, verdict is None, rule, reason, candidate.fused)


def _evidence(chunk: Chunk, score: float | None, against: _Against) -> Evidence:
    rules = against.settings.selection
    lead = lead_in(chunk, against.readable.corpus) if rules.neighbours else ""
    evidence = Evidence(chunk=chunk, score=score, lead=lead)
    if SelectionRule.INSTRUCTIONS in rules.rules:
        return evidence.withhold(instruction_spans(chunk, rules.instructions))
    return evidence


def _below_floor(candidate: Scored, against: _Against) -> _Verdict:
    why = against.floors.below(candidate)
    return None if why is None else ("floor", why)


def _out_of_force(candidate: Scored, against: _Against) -> _Verdict:
    """Not in force on the day, judged over what the requester may read."""
    chunk, readable, view = candidate.chunk, against.readable, against.readable.view
    if view.in_force(chunk.id):
        return None
    if chunk.effective_from is not None and readable.as_of < chunk.effective_from:
        return "future", f"in force only from {chunk.effective_from}"
    if chunk.status is Status.WITHDRAWN:
        return "withdrawn", f"withdrawn on {chunk.effective_to}" if chunk.effective_to else "withdrawn"
    if chunk.status is Status.SUPERSEDED or view.successors(chunk):
        return "superseded", "superseded by a newer version"
    return "ended", f"ended on {chunk.effective_to}"


def _other_audience(candidate: Scored, against: _Against) -> _Verdict:
    theirs, asks = candidate.chunk.audience, against.readable.requester.audience
    if not theirs or not asks or not set(theirs).isdisjoint(asks):
        return None
    return "audience", f"applies to {', '.join(theirs)}, requester is {', '.join(asks)}"


def _other_scope(candidate: Scored, against: _Against) -> _Verdict:
    asked = against.readable.requester.scope
    scope = candidate.chunk.scope
    for key, value in sorted(scope.items()) if scope else ():
        if asked.get(key, value) != value:
            return "scope", f"applies to {key} {value}, requester's is {asked[key]}"
    return None


def _nothing_stated(candidate: Scored, _: _Against) -> _Verdict:
    return None if states_something(candidate.chunk.text, candidate.chunk.kind) else ("empty", "states nothing")


def _only_instructions(candidate: Scored, against: _Against) -> _Verdict:
    spans = instruction_spans(candidate.chunk, against.settings.selection.instructions)
    if not spans or statements_of(candidate.chunk.text, candidate.chunk.kind, spans):
        return None
    return "instructions", "speaks to the assistant and states nothing"


def _repeats(candidate: Scored, against: _Against) -> _Verdict:
    twin = against.seen.repeated_by(candidate.chunk)
    return None if twin is None else ("duplicate", f"near-duplicate of {twin.id}")


_RULES: Mapping[SelectionRule, _Rule] = {
    SelectionRule.FLOOR: _below_floor,
    SelectionRule.VALIDITY: _out_of_force,
    SelectionRule.AUDIENCE: _other_audience,
    SelectionRule.SCOPE: _other_scope,
    SelectionRule.EMPTY: _nothing_stated,
    SelectionRule.INSTRUCTIONS: _only_instructions,
    SelectionRule.DUPLICATE: _repeats,
}


def _restored(
    kept: Iterable[Evidence], choices: Mapping[str, Choice], against: _Against
) -> Iterator[tuple[Chunk, Choice]]:
    """Neighbours of kept chunks that may be relied on themselves, each once."""
    held = {evidence.id for evidence in kept}
    for evidence in tuple(kept):
        for neighbour, why in context_needed(evidence.chunk, against.readable.corpus):
            if neighbour.id in held or _unreliable(neighbour, against):
                continue
            held.add(neighbour.id)
            known = choices.get(neighbour.id)
            score, fused = (known.score, known.fused) if known else (None, _NOT_FUSED)
            reason = f"neighbour of {evidence.id}: {why}"
            yield neighbour, Choice(neighbour.id, score, True, "neighbour", reason, fused)


def _unreliable(chunk: Chunk, against: _Against) -> bool:
    """Whether a rule that does not depend on rank excludes a chunk."""
    return any(
        _RULES[rule](Scored(chunk=chunk, score=1.0), against) is not None
        for rule in against.settings.selection.rules
        if rule not in _BY_RANK
    )


_BY_RANK = frozenset({SelectionRule.FLOOR, SelectionRule.DUPLICATE})
