"""Whether the shipped cases notice what goes wrong in real systems: each fault is planted, at least one case must fail.

A fault is planted around the reference pipeline: in what it is asked, in one of its stages, or in its response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gate import GateDecision, gate
from pytest_grounded.pipeline.question import Question
from pytest_grounded.pipeline.reference import ReferencePipeline, Stages
from pytest_grounded.pipeline.resolve import Resolution
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import PipelineSettings

ROOT = Path(__file__).parents[2]
SUITES = ("travel-policy", "handbook")
System = Callable[[Request], Response]


@cache
def cases(suite: str) -> tuple[Case, ...]:
    files = discover([ROOT / "cases" / suite])
    return tuple(case for file in files for case in load_case_file(file, root=ROOT, cases_roots=[ROOT / "cases"]).cases)


def noticed(case: Case, system: System) -> frozenset[str]:
    result = judge(case, Outcome(response=system(case.request())))
    return frozenset(finding.check for finding in result.findings)


@pytest.mark.parametrize("suite", SUITES)
def test_every_shipped_case_passes_with_the_reference_pipeline(suite: str) -> None:
    answer = ReferencePipeline().answer
    assert {case.id: found for case in cases(suite) if (found := noticed(case, answer))} == {}


def rewritten(corpus: Corpus, change: Callable[[Chunk], dict[str, Any]]) -> Corpus:
    chunks = [chunk.model_copy(update=change(chunk)) for chunk in corpus]
    return Corpus(name=corpus.name, chunks=chunks, revision=corpus.revision, as_of=corpus.as_of)


def asked_of(change: Callable[[Chunk], dict[str, Any]]) -> System:
    """The pipeline over a corpus in which some metadata are lost."""
    known: dict[str, Corpus] = {}

    def answer(request: Request) -> Response:
        corpus = known.setdefault(request.corpus.digest, rewritten(request.corpus, change))
        return ReferencePipeline().answer(replace(request, corpus=corpus))

    return answer


def asked_on(day: date) -> System:
    return lambda request: ReferencePipeline().answer(replace(request, as_of=day))


def with_settings(**changes: Any) -> System:
    return ReferencePipeline(settings=PipelineSettings.model_validate(changes)).answer


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


def with_gate(stage: Callable[..., GateDecision]) -> System:
    return ReferencePipeline(stages=Stages(gate=stage)).answer


def changed(change: Callable[[Request, Response], dict[str, Any]]) -> System:
    """The pipeline, its response spoilt."""
    pipeline = ReferencePipeline()

    def answer(request: Request) -> Response:
        response = pipeline.answer(request)
        return response.model_copy(update=change(request, response))

    return answer


def claims_changed(change: Callable[[Request, Claim], Claim | None]) -> System:
    def update(request: Request, response: Response) -> dict[str, Any]:
        return {"claims": tuple(change(request, claim) or claim for claim in response.claims)}

    return changed(update)


def cites(claim: Claim, **fields: Any) -> Claim:
    return claim.model_copy(update={"citations": tuple(c.model_copy(update=fields) for c in claim.citations)})


def one_word_altered(_: Request, claim: Claim) -> Claim | None:
    quote = claim.citations[0].quote if claim.citations else None
    words = quote.split() if quote else []
    if len(words) < 3:
        return None
    return cites(claim, quote=" ".join([*words[:1], "usually", *words[2:]]))


def number_changed(_: Request, claim: Claim) -> Claim:
    digits = str.maketrans("0123456789", "1234567890")
    return claim.model_copy(update={"text": claim.text.translate(digits)})


def under_another_chunk(request: Request, claim: Claim) -> Claim | None:
    view = request.corpus.view(request.requester, request.as_of)
    other = next((chunk.id for chunk in view.usable_chunks if chunk.id not in claim.cited), None)
    return cites(claim, chunk=other) if other else None


def on(kind: Decision, fields: dict[str, Any]) -> Callable[[Request, Response], dict[str, Any]]:
    return lambda _, response: fields if response.decision is kind else {}


def value_for_missing(_: Request, response: Response) -> dict[str, Any]:
    if not response.missing or not response.claims:
        return {}
    first = response.claims[0]
    invented = first.model_copy(update={"text": f"For {response.missing[0]} it is $20."})
    return {"claims": (*response.claims, invented)}


def answers_while_abstaining(request: Request, response: Response) -> dict[str, Any]:
    if response.decision is not Decision.ABSTAIN:
        return {}
    everything = ReferencePipeline(stages=Stages(gate=gate_open)).answer(request)
    return {"claims": everything.claims, "text": everything.text}


def not_authorized_shown(request: Request, response: Response) -> dict[str, Any]:
    readable = all(chunk.readable_by(request.requester) for chunk in request.corpus)
    hidden = response.reason_code == ReasonCode.NO_EVIDENCE and not readable
    return {"reason_code": ReasonCode.NOT_AUTHORIZED} if hidden else {}


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


FAULTS: dict[str, System] = {
    "no-permission-filter": asked_of(lambda _: {"readers": ("*",)}),
    "status-ignored": asked_of(lambda _: {"status": Status.CURRENT, "supersedes": ()}),
    "as-of-ignored": asked_on(date(2025, 3, 1)),
    "audience-ignored": asked_of(lambda _: {"audience": ()}),
    "scope-ignored": asked_of(lambda _: {"scope": {}}),
    "conflict-rules-reversed": with_settings(
        conflicts={"rules": ["effective_date", "authority", "scope", "supersession"]}
    ),
    "conflict-decided-by-score": ReferencePipeline(stages=Stages(resolve=best_score_wins)).answer,
    "conflicts-not-detected": ReferencePipeline(stages=Stages(resolve=nothing_conflicts)).answer,
    "gate-always-open": with_gate(gate_open),
    "gate-always-closed": with_gate(gate_closed),
    "fabricated-id": claims_changed(lambda _, claim: cites(claim, chunk="c99")),
    "quote-altered-by-a-word": claims_changed(one_word_altered),
    "number-changed": claims_changed(number_changed),
    "right-quote-wrong-chunk": claims_changed(under_another_chunk),
    "claim-without-citation": claims_changed(lambda _, claim: claim.model_copy(update={"citations": ()})),
    "missing-part-not-named": changed(
        on(Decision.PARTIAL, {"missing": (), "text": "I cannot say more.", "next_step": None})
    ),
    "value-for-missing-part": changed(value_for_missing),
    "abstention-that-answers": changed(answers_while_abstaining),
    "wrong-reason-code": changed(on(Decision.ABSTAIN, {"reason_code": ReasonCode.OUT_OF_SCOPE})),
    "not-authorized-shown": changed(not_authorized_shown),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed_by_a_shipped_case(fault: str) -> None:
    assert any(noticed(case, FAULTS[fault]) for suite in SUITES for case in cases(suite))
