"""Which candidates may be relied on to answer this requester, now: one logged decision with a reason for each.

Relevance is not applicability. A candidate is tested against the rules in the order of the settings; the first that
excludes it is said. What is left is kept within the budget, and a clause cut from its context gets it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import Status
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.instructions import instruction_spans
from pytest_grounded.pipeline.neighbours import context_needed
from pytest_grounded.pipeline.packing import pack
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.retrieve import Scored
from pytest_grounded.pipeline.sameness import Repeats
from pytest_grounded.pipeline.settings import PipelineSettings, SelectionRule
from pytest_grounded.pipeline.terms import WordForm, terms

__all__ = ["Choice", "Selection", "below_floor", "floor_of", "select"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was decided about one candidate: `rule` for programs, `reason` for people; both are "kept" when it stays.

    `fused` are the scores by scorer that its score was fused from, where it was.
    """

    chunk: str
    score: float | None
    kept: bool
    rule: str
    reason: str
    fused: Mapping[str, float] = field(default_factory=dict)


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
    chunks = [candidate.chunk for candidate in candidates]
    seen = Repeats(settings.selection.duplicate, chunks, asked=terms(question.text, WordForm.PLAIN))
    against = _Against(question=question, seen=seen, readable=readable, settings=settings)
    choices: dict[str, Choice] = {}
    for candidate in candidates:
        verdict = _excluded(candidate, against)
        if verdict is None:
            eligible.append(candidate)
            seen.add(candidate.chunk)
        choices[candidate.chunk.id] = _choice(candidate, verdict)
    packing = pack(question, eligible, settings)
    scored_by_id = {scored.chunk.id: scored for scored in eligible}
    for chunk_id, rule, reason in packing.dropped:
        choices[chunk_id] = _choice(scored_by_id[chunk_id], (rule, reason))
    kept = [_evidence(scored.chunk, scored.score, settings) for scored in packing.kept]
    if settings.selection.neighbours:
        for chunk, choice in _restored(kept, choices, against):
            kept.append(_evidence(chunk, choice.score, settings))
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
        floor=floor_of(question, settings),
    )


def below_floor(candidate: Scored, question: Question, settings: PipelineSettings) -> str | None:
    """Why a score is too low, or None; of scores that were fused one that is high enough will do.

    >>> from pytest_grounded.pipeline.question import read_question
    >>> question = read_question("What do hotels cost?")
    >>> chunk = Chunk(id="c", text="Hotels: $180.")
    >>> below_floor(Scored(chunk=chunk, score=0.05), question, PipelineSettings())
    'score 0.05 below floor 0.08'
    >>> fused = Scored(chunk=chunk, score=1.0, fused={"bm25": 0.05, "embedding": 0.7})
    >>> below_floor(fused, question, PipelineSettings())
    'bm25 0.05 below floor 0.08, embedding 0.7 below floor 0.8'
    """
    floor = floor_of(question, settings)
    if candidate.score < floor:
        return f"score {candidate.score:g} below floor {floor:g}"
    words = _words(question)
    floors = {
        name: round(settings.floors.get(name, 0.0) * settings.floor_share(words, name), 6) for name in candidate.fused
    }
    if not floors or any(candidate.fused[name] >= floor for name, floor in floors.items()):
        return None
    return ", ".join(f"{name} {candidate.fused[name]:g} below floor {floor:g}" for name, floor in floors.items())


def floor_of(question: Question, settings: PipelineSettings) -> float:
    """The lowest score that is kept for a question."""
    return round(settings.floor * settings.floor_share(_words(question)), 6)


def _words(question: Question) -> int:
    """How many words of a question count; a run of text without spaces is one."""
    return sum(bool(word.terms) for word in question.words)


_Verdict = tuple[str, str] | None
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

    question: Question
    seen: Repeats
    readable: Readable
    settings: PipelineSettings


def _excluded(candidate: Scored, against: _Against) -> _Verdict:
    """The first rule that excludes a candidate, with its reason."""
    for rule in against.settings.selection.rules:
        verdict = _RULES[rule](candidate, against)
        if verdict is not None:
            return verdict
    return None


def _choice(candidate: Scored, verdict: _Verdict) -> Choice:
    rule, reason = verdict or ("kept", "kept")
    return Choice(
        chunk=candidate.chunk.id,
        score=candidate.score,
        kept=verdict is None,
        rule=rule,
        reason=reason,
        fused=candidate.fused,
    )


def _evidence(chunk: Chunk, score: float | None, settings: PipelineSettings) -> Evidence:
    evidence = Evidence(chunk=chunk, score=score)
    if SelectionRule.INSTRUCTIONS in settings.selection.rules:
        return evidence.withhold(instruction_spans(chunk, settings.selection.instructions))
    return evidence


def _below_floor(candidate: Scored, against: _Against) -> _Verdict:
    why = below_floor(candidate, against.question, against.settings)
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
    for key, value in sorted(candidate.chunk.scope.items()):
        if asked.get(key, value) != value:
            return "scope", f"applies to {key} {value}, requester's is {asked[key]}"
    return None


def _nothing_stated(candidate: Scored, _: _Against) -> _Verdict:
    return None if Evidence(chunk=candidate.chunk, score=None).statements else ("empty", "states nothing")


def _only_instructions(candidate: Scored, against: _Against) -> _Verdict:
    spans = instruction_spans(candidate.chunk, against.settings.selection.instructions)
    if not spans or Evidence(chunk=candidate.chunk, score=None, withheld=spans).statements:
        return None
    return "instructions", "speaks to the assistant and states nothing"


def _repeats(candidate: Scored, against: _Against) -> _Verdict:
    twin = against.seen.repeated_by(candidate.chunk)
    return None if twin is None else ("duplicate", f"near-duplicate of {twin.id}")


_RULES: Mapping[SelectionRule, Callable[[Scored, _Against], _Verdict]] = {
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
            reason = f"neighbour of {evidence.id}: {why}"
            choice = Choice(chunk=neighbour.id, score=None, kept=True, rule="neighbour", reason=reason)
            yield neighbour, replace(choice, score=known.score, fused=known.fused) if known else choice


def _unreliable(chunk: Chunk, against: _Against) -> bool:
    """Whether a rule that does not depend on rank excludes a chunk."""
    return any(
        _RULES[rule](Scored(chunk=chunk, score=1.0), against) is not None
        for rule in against.settings.selection.rules
        if rule not in _BY_RANK
    )


_BY_RANK = frozenset({SelectionRule.FLOOR, SelectionRule.DUPLICATE})
