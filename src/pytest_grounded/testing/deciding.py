"""Planted faults in what is decided: filters, dates, ranks, conflict rules, the gate, the verifier.

Each swaps one stage of the pipeline, or one of its settings, for one that does its work wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Claim
from pytest_grounded.model.vocabulary import Decision, Owner, ReasonCode
from pytest_grounded.pipeline.drafts import Unreadable, read_claim, read_draft
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gate import GateDecision, gate
from pytest_grounded.pipeline.generate import Generation, GenerationTask, Generator, generate
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.resolve import Resolution, resolve
from pytest_grounded.pipeline.retrieve import Retrieval, Scorer, retrieve
from pytest_grounded.pipeline.screen import FilterSettings, Screening, screen
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import ConflictRule, PipelineSettings
from pytest_grounded.pipeline.verify import SupportJudge, Verification
from pytest_grounded.testing.planting import Build, misreading, planted, staged, with_settings

__all__ = ["DECISIONS"]


# --- filters ---------------------------------------------------------------------------------------------------------


def _stops_nothing(_: Question, __: FilterSettings) -> Screening:
    return Screening()


def _hears_words(question: Question, settings: FilterSettings) -> Screening:
    """Stop at every word that may be dangerous, whatever it is about."""
    if re.search(r"\b(?:key|vaccinations?|insurance|liability)\b|药", question.text, re.IGNORECASE):
        return Screening(name="words", decision=Decision.ABSTAIN, reason_code=ReasonCode.POLICY_REFUSAL)
    return screen(question, settings)


# --- dates, applicability --------------------------------------------------------------------------------------------


def _without_start(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"effective_from": None})


def _without_end(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"effective_to": None})


def _without_audience(chunk: Chunk) -> Chunk:
    return chunk.model_copy(update={"audience": ()})


def _from_nowhere(request: Request) -> Readable:
    """Forget which region, or other scope, the requester is in."""
    readable = permit(request)
    who = request.requester
    nowhere = Requester(id=who.id, tenant=who.tenant, groups=who.groups, audience=who.audience)
    return replace(readable, requester=nowhere)


# --- ranks -----------------------------------------------------------------------------------------------------------


def _worst_first(question: Question, readable: Readable, settings: PipelineSettings, *, scorer: Scorer) -> Retrieval:
    """Take the least likely candidates, with the scores of the likeliest."""
    found = retrieve(question, readable, settings, scorer=scorer)
    scores = [one.score for one in found.candidates]
    turned = zip(reversed(found.candidates), scores, strict=True)
    return replace(found, candidates=tuple(replace(one, score=score) for one, score in turned)[:_FEW])


_FEW = 4


def _finds_nothing(question: Question, readable: Readable, settings: PipelineSettings, *, scorer: Scorer) -> Retrieval:
    return replace(retrieve(question, readable, settings, scorer=scorer), candidates=())


# --- rules -----------------------------------------------------------------------------------------------------------


def _without_rule(rule: ConflictRule) -> Build:
    return with_settings(conflicts={"rules": [one.value for one in ConflictRule if one is not rule]})


def _keeps_losers(
    question: Question, evidence: Sequence[Evidence], readable: Readable, settings: PipelineSettings
) -> Resolution:
    """Settle disagreements and go on with both sides all the same."""
    found = resolve(question, evidence, readable, settings)
    return replace(found, evidence=tuple(evidence), reports=found.open)


# --- gate ------------------------------------------------------------------------------------------------------------


def _decided(change: Callable[[GateDecision, Question], GateDecision]) -> Callable[..., GateDecision]:
    def decide(
        question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings
    ) -> GateDecision:
        return change(gate(question, selection, resolution, settings), question)

    return decide


def _partial_as_whole(decided: GateDecision, _: Question) -> GateDecision:
    """Call it an answer where only a part is covered."""
    if decided.decision is not Decision.PARTIAL:
        return decided
    return replace(decided, decision=Decision.ANSWER, reason_code=None, message=None, missing=())


def _parts_refused(decided: GateDecision, _: Question) -> GateDecision:
    """Refuse the whole question where a part of it is not covered."""
    if decided.decision is not Decision.PARTIAL:
        return decided
    return replace(decided, decision=Decision.ABSTAIN, message="insufficient", parts=())


def _stale_unsaid(decided: GateDecision, _: Question) -> GateDecision:
    """Say that nothing was found where only old text was."""
    if decided.reason_code is not ReasonCode.STALE_OR_WITHDRAWN:
        return decided
    return replace(decided, reason_code=ReasonCode.NO_EVIDENCE, message="no_evidence")


def _refuses_instead_of_asking(decided: GateDecision, _: Question) -> GateDecision:
    if decided.decision is not Decision.CLARIFY:
        return decided
    return replace(decided, decision=Decision.ABSTAIN, message="insufficient")


# --- what is written, and what is let through ------------------------------------------------------------------------


def _careless(task: GenerationTask, *, generator: Generator) -> Generation:
    """Write every figure one too high."""
    made = generate(task, generator=generator)
    if not isinstance(made.draft, Mapping):
        return made
    claims = [{**claim, "text": _higher(claim["text"])} for claim in made.draft.get("claims", ())]
    return replace(made, draft={**made.draft, "claims": claims})


def _higher(text: str) -> str:
    return re.sub(r"(?<![\w.,])\d+(?![\w.,]*\d)", lambda match: str(int(match[0]) + 1), text)


def _lets_through(draft: object, task: GenerationTask, *, judge: SupportJudge | None) -> Verification:  # noqa: ARG001
    """Take every draft that can be read for verified."""
    read = read_draft(draft)
    if isinstance(read, Unreadable):
        return Verification()
    claims = tuple(claim for claim in map(read_claim, read.claims) if isinstance(claim, Claim))
    return Verification(passed=claims, abstained=read.abstained)


_GATE, _WRITER = Owner.RETRIEVAL, Owner.GENERATION

DECISIONS = planted(
    ("filters_off", "screen", _GATE, "no question is stopped", staged(screen=_stops_nothing)),
    ("filters_hear_words", "screen", _GATE, "a word alone stops a question", staged(screen=_hears_words)),
    (
        "starts_ignored",
        "select",
        _GATE,
        "text of the future counts as in force",
        staged(permit=misreading(_without_start)),
    ),
    ("ends_ignored", "select", _GATE, "text counts as in force after its end", staged(permit=misreading(_without_end))),
    (
        "whom_ignored",
        "select",
        _GATE,
        "rules for others count for everybody",
        staged(permit=misreading(_without_audience)),
    ),
    ("scope_ignored", "select", _GATE, "where the requester is does not count", staged(permit=_from_nowhere)),
    ("worst_first", "retrieve", _GATE, "the least likely candidates are taken", staged(retrieve=_worst_first)),
    ("nothing_found", "retrieve", _GATE, "no candidate is found", staged(retrieve=_finds_nothing)),
    ("floor_too_high", "select", _GATE, "good candidates are dropped", with_settings(selection={"floor": "0.9"})),
    (
        "newest_wins",
        "resolve",
        _GATE,
        "the newer source wins, whatever its rank",
        with_settings(conflicts={"rules": ["effective_date"]}),
    ),
    ("no_supersession_rule", "resolve", _GATE, "what replaces does not win", _without_rule(ConflictRule.SUPERSESSION)),
    ("no_scope_rule", "resolve", _GATE, "the closer rule does not win", _without_rule(ConflictRule.SCOPE)),
    ("no_authority_rule", "resolve", _GATE, "the higher source does not win", _without_rule(ConflictRule.AUTHORITY)),
    ("no_date_rule", "resolve", _GATE, "the newer notice does not win", _without_rule(ConflictRule.EFFECTIVE_DATE)),
    (
        "losers_kept",
        "resolve",
        _GATE,
        "a settled disagreement is answered with both sides",
        staged(resolve=_keeps_losers),
    ),
    (
        "conditions_ignored",
        "gate",
        _GATE,
        "a city or a person that no text names does not count",
        with_settings(gate={"names": False, "conditions": False, "coverage": "0.5"}),
    ),
    (
        "risk_ignored",
        "gate",
        _GATE,
        "a costly mistake counts like any other",
        with_settings(gate={"costs_by_risk": {}}),
    ),
    (
        "whom_not_blocking",
        "gate",
        _GATE,
        "whom it is for does not block an answer",
        with_settings(gate={"blocking": [], "conditions": False}),
    ),
    ("partial_as_whole", "gate", _GATE, "a part is called the whole", staged(gate=_decided(_partial_as_whole))),
    ("parts_refused", "gate", _GATE, "a part that is missing refuses the whole", staged(gate=_decided(_parts_refused))),
    ("stale_unsaid", "gate", _GATE, "that only old text answers is not said", staged(gate=_decided(_stale_unsaid))),
    (
        "refuses_instead_of_asking",
        "gate",
        _GATE,
        "nobody is asked for the missing condition",
        staged(gate=_decided(_refuses_instead_of_asking)),
    ),
    (
        "verifier_off",
        "verify",
        _WRITER,
        "figures are written one too high, and every draft is let through",
        staged(generate=_careless, verify=_lets_through),
    ),
    (
        "nothing_derived",
        "generate",
        _WRITER,
        "what two texts give together is not computed",
        with_settings(generation={"derive": False}),
    ),
)
"""Faults in what is decided, in the order of the stages."""
