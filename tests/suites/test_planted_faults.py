"""Whether the shipped cases notice what goes wrong in real systems: each fault is planted, at least one case must fail.

A fault is planted around the reference pipeline: in what it is asked, in one of its stages, or in its response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.harness.judging import judge
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Claim, Response
from pytest_grounded.model.vocabulary import Decision, ReasonCode, Status
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gate import GateDecision, gate
from pytest_grounded.pipeline.memory import ConversationalPipeline
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.reference import ReferencePipeline, Stages
from pytest_grounded.pipeline.resolve import Resolution
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import ConflictRule, PipelineSettings
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings

ROOT = Path(__file__).parents[2]
SUITES = ("travel-policy", "handbook")
System = Callable[[Request], Response]
Fault = Callable[[PipelineSettings], System]


@cache
def cases(suite: str) -> tuple[Case, ...]:
    files = discover([ROOT / "cases" / suite])
    return tuple(case for file in files for case in load_case_file(file, root=ROOT, cases_roots=[ROOT / "cases"]).cases)


@cache
def settings_of(suite: str) -> PipelineSettings:
    return load_settings(ROOT / "cases" / suite / SETTINGS_FILE, root=ROOT)


def found_in(case: Case, system: System) -> frozenset[str]:
    result = judge(case, Outcome(response=system(case.request())))
    return frozenset(finding.check for finding in result.findings)


# --- in what is asked --------------------------------------------------------------------------------------------


def without(**lost: Any) -> Fault:
    """The pipeline over a corpus whose chunks have lost metadata."""

    @cache
    def forgetful(corpus: Corpus) -> Corpus:
        chunks: Iterator[Chunk] = (chunk.model_copy(update=lost) for chunk in corpus)
        return Corpus(name=corpus.name, chunks=chunks, revision=corpus.revision, as_of=corpus.as_of)

    def plant(settings: PipelineSettings) -> System:
        right = assemble(settings)
        return lambda request: right.answer(replace(request, corpus=forgetful(request.corpus)))

    return plant


def as_of_ignored(settings: PipelineSettings) -> System:
    right = assemble(settings)
    return lambda request: right.answer(replace(request, as_of=request.corpus.as_of or date.max))


# --- in a stage --------------------------------------------------------------------------------------------------


def with_stage(**stages: Callable[..., Any]) -> Fault:
    def plant(settings: PipelineSettings) -> System:
        return ConversationalPipeline(ReferencePipeline(settings=settings, stages=Stages(**stages))).answer

    return plant


def conflict_rules_reversed(settings: PipelineSettings) -> System:
    rules = settings.conflicts.model_copy(update={"rules": tuple(reversed(ConflictRule))})
    return assemble(settings.model_copy(update={"conflicts": rules})).answer


def best_score_wins(_question: Question, evidence: Iterable[Evidence], *_: object) -> Resolution:
    """Whatever ranks first for a fact is kept, whichever source it is from."""
    taken: set[str] = set()
    kept: list[Evidence] = []
    for item in sorted(evidence, key=lambda one: -(one.score or 0.0)):
        keys = {fact.key for fact in item.chunk.facts}
        if keys.isdisjoint(taken):
            kept.append(item)
        taken |= keys
    return Resolution(evidence=tuple(kept))


def nothing_conflicts(_question: Question, evidence: Iterable[Evidence], *_: object) -> Resolution:
    return Resolution(evidence=tuple(evidence))


def gate_open(
    question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings
) -> GateDecision:
    found = gate(question, selection, resolution, settings)
    return replace(found, decision=Decision.ANSWER, reason_code=None, parts=question.parts, missing=(), conflicts=())


def gate_closed(
    question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings
) -> GateDecision:
    found = gate(question, selection, resolution, settings)
    return replace(found, decision=Decision.ABSTAIN, reason_code=ReasonCode.NO_EVIDENCE, message="no_evidence")


# --- in the response ---------------------------------------------------------------------------------------------


def spoilt(change: Callable[[Request, Response], dict[str, Any]]) -> Fault:
    """The pipeline, its response changed."""

    def plant(settings: PipelineSettings) -> System:
        right = assemble(settings)

        def answer(request: Request) -> Response:
            response = right.answer(request)
            return response.model_copy(update=change(request, response))

        return answer

    return plant


def each_claim(change: Callable[[Request, Claim], Claim]) -> Fault:
    return spoilt(lambda request, response: {"claims": tuple(change(request, claim) for claim in response.claims)})


def where(decision: Decision, **fields: Any) -> Fault:
    return spoilt(lambda _, response: fields if response.decision is decision else {})


def cited_with(claim: Claim, **fields: Any) -> Claim:
    return claim.model_copy(update={"citations": tuple(one.model_copy(update=fields) for one in claim.citations)})


def quote_altered(_: Request, claim: Claim) -> Claim:
    words = (claim.citations[0].quote or "").split() if claim.citations else []
    return cited_with(claim, quote=" ".join([*words[:1], "usually", *words[2:]])) if words[2:] else claim


def number_changed(_: Request, claim: Claim) -> Claim:
    return claim.model_copy(update={"text": claim.text.translate(str.maketrans("0123456789", "1234567890"))})


def under_another_chunk(request: Request, claim: Claim) -> Claim:
    usable = request.corpus.view(request.requester, request.as_of).usable_chunks
    other = next((chunk.id for chunk in usable if chunk.id not in claim.cited), None)
    return cited_with(claim, chunk=other) if other else claim


def value_for_a_missing_part(_: Request, response: Response) -> dict[str, Any]:
    if not response.missing or not response.claims:
        return {}
    invented = response.claims[0].model_copy(update={"text": f"For {response.missing[0]} it is $20."})
    return {"claims": (*response.claims, invented)}


def answers_while_abstaining(settings: PipelineSettings) -> System:
    right, eager = assemble(settings), with_stage(gate=gate_open)(settings)

    def answer(request: Request) -> Response:
        response = right.answer(request)
        if response.decision is not Decision.ABSTAIN:
            return response
        said = eager(request)
        return response.model_copy(update={"claims": said.claims, "text": said.text})

    return answer


def not_authorized_shown(request: Request, response: Response) -> dict[str, Any]:
    restricted = any(not chunk.readable_by(request.requester) for chunk in request.corpus)
    hidden = restricted and response.reason_code == ReasonCode.NO_EVIDENCE
    return {"reason_code": ReasonCode.NOT_AUTHORIZED} if hidden else {}


FAULTS: dict[str, Fault] = {
    "no-permission-filter": without(readers=("*",)),
    "status-ignored": without(status=Status.CURRENT, supersedes=()),
    "as-of-ignored": as_of_ignored,
    "audience-ignored": without(audience=()),
    "scope-ignored": without(scope={}),
    "conflict-rules-reversed": conflict_rules_reversed,
    "conflict-decided-by-score": with_stage(resolve=best_score_wins),
    "conflicts-not-detected": with_stage(resolve=nothing_conflicts),
    "gate-always-open": with_stage(gate=gate_open),
    "gate-always-closed": with_stage(gate=gate_closed),
    "fabricated-id": each_claim(lambda _, claim: cited_with(claim, chunk="c99")),
    "quote-altered-by-a-word": each_claim(quote_altered),
    "number-changed": each_claim(number_changed),
    "right-quote-wrong-chunk": each_claim(under_another_chunk),
    "claim-without-citation": each_claim(lambda _, claim: claim.model_copy(update={"citations": ()})),
    "missing-part-not-named": where(Decision.PARTIAL, missing=(), text="This is all I can say."),
    "value-for-missing-part": spoilt(value_for_a_missing_part),
    "abstention-that-answers": answers_while_abstaining,
    "wrong-reason-code": where(Decision.ABSTAIN, reason_code=ReasonCode.LOW_CONFIDENCE),
    "not-authorized-shown": spoilt(not_authorized_shown),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed_by_a_case_that_passes_without_it(fault: str) -> None:
    for suite in SUITES:
        settings = settings_of(suite)
        right, wrong = assemble(settings).answer, FAULTS[fault](settings)
        if any(found_in(case, wrong) and not found_in(case, right) for case in cases(suite)):
            return
    pytest.fail("no case noticed it")
