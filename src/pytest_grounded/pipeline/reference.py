"""The embedded reference system: every stage in order, each a function that can be replaced, every decision traced.

It is a `GroundedSystem` like any other; the harness judges it without favours. A stage is swapped by giving another
function in `Stages`, which is how a fault is planted in exactly one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Claim, Internal, Json, Response, SystemErrorInfo
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline import trace
from pytest_grounded.pipeline.deliver import Outcome, deliver
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.extractive import ExtractiveGenerator
from pytest_grounded.pipeline.gate import GateDecision, gate, too_thin
from pytest_grounded.pipeline.generate import (
    GenerationTask,
    Generator,
    GeneratorFailedError,
    generate,
)
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.question import Question, read_question
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution, resolve
from pytest_grounded.pipeline.retrieve import Retrieval, Scored, Scorer, make_scorer, retrieve
from pytest_grounded.pipeline.screen import FilterSettings, Screening, screen
from pytest_grounded.pipeline.select import Selection, select
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.terms import WordForm
from pytest_grounded.pipeline.verify import SupportJudge, verify
from pytest_grounded.pipeline.writing import GenerateStage, VerifyStage, Written, fall_back, write

__all__ = ["ReferencePipeline", "RetrieveStage", "Stages"]

VERSION = "1"


class RetrieveStage(Protocol):
    """The stage that ranks readable chunks."""

    def __call__(
        self, question: Question, readable: Readable, settings: PipelineSettings, *, scorer: Scorer
    ) -> Retrieval:
        """Rank the readable chunks for a question."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """The functions the pipeline is made of, in order. `dataclasses.replace` swaps one."""

    permit: Callable[[Request], Readable] = permit
    read: Callable[[str, WordForm], Question] = read_question
    screen: Callable[[Question, FilterSettings], Screening] = screen
    retrieve: RetrieveStage = retrieve
    select: Callable[[Question, Sequence[Scored], Readable, PipelineSettings], Selection] = select
    resolve: Callable[[Question, Sequence[Evidence], Readable, PipelineSettings], Resolution] = resolve
    gate: Callable[[Question, Selection, Resolution, PipelineSettings], GateDecision] = gate
    too_thin: Callable[[GateDecision, int, PipelineSettings], str | None] = too_thin
    generate: GenerateStage = generate
    verify: VerifyStage = verify
    fall_back: Callable[[GenerationTask], Claim | None] = fall_back
    deliver: Callable[[Outcome, Readable, PipelineSettings], Response] = deliver


class ReferencePipeline:
    """Answers from evidence the requester may read, says why it does not, and shows how it came to either.

    Without settings it is set for real text; without a generator it quotes. One pipeline may serve many requests, also
    from several threads; what it keeps between them is the full-text index of each readable set.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
    >>> limit = Chunk(id="c1", text="The nightly hotel limit is $180.", readers=("*",))
    >>> corpus = Corpus(name="travel", chunks=[limit])
    >>> ask = Request(
    ...     question="What is the nightly hotel limit?", requester=ANONYMOUS, as_of=date(2024, 10, 1), corpus=corpus
    ... )
    >>> ReferencePipeline().answer(ask).text
    'The nightly hotel limit is $180 [1].'
    """

    def __init__(
        self,
        *,
        settings: PipelineSettings | None = None,
        generator: Generator | None = None,
        scorer: Scorer | None = None,
        judge: SupportJudge | None = None,
        stages: Stages | None = None,
    ) -> None:
        self.settings = settings or PipelineSettings()
        self.generator = generator or ExtractiveGenerator()
        self.scorer = scorer or make_scorer(self.settings.retrieval)
        self.judge = judge
        self.stages = stages or Stages()

    def answer(self, request: Request) -> Response:
        """Answer one request; `internal` of the response holds the whole trace."""
        settings, stages = self.settings, self.stages
        readable = stages.permit(request)
        question = stages.read(request.question, settings.retrieval.words)
        run = _Run()
        screening = stages.screen(question, settings.filters)
        run.steps.append(trace.screen_step(screening))
        if screening.decision is not None:
            return self._delivered(_screened(screening), readable, run)
        retrieval = stages.retrieve(question, readable, settings, scorer=self.scorer)
        run.steps.append(trace.retrieve_step(retrieval))
        selection = stages.select(question, retrieval.candidates, readable, settings)
        run.steps.append(trace.select_step(selection, settings))
        resolution = stages.resolve(question, selection.evidence, readable, settings)
        run.steps.append(trace.resolve_step(resolution))
        decision = stages.gate(question, selection, resolution, settings)
        run.steps.append(trace.gate_step(decision, settings))
        run.selection = selection
        run.evidence = resolution.evidence
        return self._delivered(self._outcome(question, resolution, decision, run), readable, run)

    def _delivered(self, outcome: Outcome, readable: Readable, run: _Run) -> Response:
        response = self.stages.deliver(outcome, readable, self.settings)
        run.steps.append(trace.deliver_step(outcome, response))
        return response.model_copy(update={"internal": self._internal(response, run)})

    def _outcome(self, question: Question, resolution: Resolution, decision: GateDecision, run: _Run) -> Outcome:
        if not decision.opens:
            return _not_attempted(decision, self.settings)
        task = GenerationTask(
            question=question,
            parts=decision.parts,
            evidence=resolution.evidence,
            settings=self.settings,
            missing=decision.missing,
        )
        try:
            run.written = write(
                task,
                generator=self.generator,
                judge=self.judge,
                generate=self.stages.generate,
                verify=self.stages.verify,
                fall_back=self.stages.fall_back,
            )
        except GeneratorFailedError as error:
            run.failed_prompts = error.prompts
            run.steps.append(trace.failure_step(error.kind))
            return _failed(error, self.settings)
        run.steps.extend(run.written.steps)
        thin = self.stages.too_thin(decision, len(run.written.claims), self.settings)
        if thin is not None and run.written.claims:
            run.steps.append(trace.thin_step(thin))
            return _given_up(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, self.settings.messages.low_confidence)
        return _attempted(decision, resolution, run.written, self.settings)

    def _internal(self, response: Response, run: _Run) -> Internal:
        written = run.written
        called = written is not None or bool(run.failed_prompts)
        return Internal(
            reason_code=response.reason_code,
            evidence=tuple(item.id for item in run.evidence) if called else response.cited,
            candidates=trace.candidates(run.selection),
            prompt=written.prompts if written else run.failed_prompts,
            support=trace.support_matrix(written.verification) if written else (),
            steps=tuple(run.steps),
            raw=next((draft for draft in reversed(written.drafts) if isinstance(draft, str)), None)
            if written
            else None,
            usage=_summed(written.usage) if written else None,
            versions=self.versions,
        )

    @property
    def versions(self) -> Json:
        """What a run depends on: the pipeline's own version, its parts by name, the settings and their digest."""
        return {
            "pipeline": VERSION,
            "scorer": self.scorer.name,
            "generator": self.generator.name,
            "judge": f"{self.judge.name}/{self.judge.version}" if self.judge else None,
            "settings": self.settings.summary,
            "settings_digest": self.settings.digest,
        }


@dataclass(slots=True)
class _Run:
    """What one request collects on its way."""

    steps: list[Json] = field(default_factory=list)
    selection: Selection = field(default_factory=lambda: Selection(evidence=(), choices=()))
    evidence: tuple[Evidence, ...] = ()
    written: Written | None = None
    failed_prompts: tuple[str, ...] = ()


def _screened(screening: Screening) -> Outcome:
    decision = screening.decision or Decision.ABSTAIN
    return Outcome(decision=decision, reason_code=screening.reason_code, message=screening.message)


def _not_attempted(decision: GateDecision, settings: PipelineSettings) -> Outcome:
    return Outcome(
        decision=decision.decision,
        reason_code=decision.reason_code,
        message=_message(decision.message, settings),
        missing=decision.missing,
        conflicts=decision.conflicts,
    )


def _attempted(decision: GateDecision, resolution: Resolution, written: Written, settings: PipelineSettings) -> Outcome:
    if written.abstained:
        return _given_up(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, settings.messages.low_confidence)
    if not written.claims:
        escalates = settings.verification.on_failure == "escalate"
        chosen = Decision.ESCALATE if escalates else Decision.ABSTAIN
        return _given_up(chosen, ReasonCode.UNVERIFIED_ANSWER, settings.messages.unverified)
    return Outcome(
        decision=decision.decision,
        reason_code=decision.reason_code,
        claims=written.claims,
        message=_message(decision.message, settings),
        missing=decision.missing,
        conflicts=tuple(report for report in resolution.reports if _disclosed(report, written, settings)),
        delivery=written.delivery,
    )


def _given_up(decision: Decision, reason_code: ReasonCode, message: Message) -> Outcome:
    return Outcome(decision=decision, reason_code=reason_code, message=message)


def _failed(error: GeneratorFailedError, settings: PipelineSettings) -> Outcome:
    """Fail closed: a dependency is down, so nothing is stated."""
    return Outcome(
        decision=Decision.ABSTAIN,
        reason_code=ReasonCode.SYSTEM_FAILURE,
        message=settings.messages.system_failure,
        error=SystemErrorInfo(kind=error.kind, status=error.status),
    )


def _disclosed(report: ConflictReport, written: Written, settings: PipelineSettings) -> bool:
    """Whether a settled disagreement is shown: its rule says so, and the side that won is cited."""
    cited = {chunk for claim in written.claims for chunk in claim.cited}
    return report.rule in settings.conflicts.disclose and not cited.isdisjoint(report.standing)


def _message(name: str | None, settings: PipelineSettings) -> Message | None:
    return None if name is None else settings.messages.named(name)


def _summed(usages: Sequence[Json]) -> Json | None:
    """Counts of all calls added up."""
    if not usages:
        return None
    keys = dict.fromkeys(key for usage in usages for key in usage)
    return {"calls": len(usages), **{key: sum(usage.get(key, 0) for usage in usages) for key in keys}}
