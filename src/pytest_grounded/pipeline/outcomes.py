"""What each way to end comes to: decision, reason, claims or message, before it is put into words."""

from __future__ import annotations

from pytest_grounded.model.response import SystemErrorInfo
from pytest_grounded.model.support import JudgeFailedError
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.deliver import Outcome
from pytest_grounded.pipeline.gate import GateDecision
from pytest_grounded.pipeline.generate import GeneratorFailedError
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution
from pytest_grounded.pipeline.screen import Screening
from pytest_grounded.pipeline.settings import InsufficientPolicy, PipelineSettings
from pytest_grounded.pipeline.writing import Written

__all__ = ["attempted", "not_attempted", "screened", "too_thin"]


def screened(screening: Screening) -> Outcome:
    """A filter stopped the question."""
    decision = screening.decision or Decision.ABSTAIN
    return Outcome(decision=decision, reason_code=screening.reason_code, message=screening.message)


def not_attempted(decision: GateDecision, settings: PipelineSettings) -> Outcome:
    """The gate stayed closed."""
    return Outcome(
        decision=decision.decision,
        reason_code=decision.reason_code,
        message=_message(decision.message, settings),
        missing=decision.missing,
        conflicts=decision.conflicts,
    )


def too_thin(settings: PipelineSettings) -> Outcome:
    """What was verified is not worth showing."""
    return _given_up(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, settings.messages.low_confidence)


def attempted(decision: GateDecision, resolution: Resolution, written: Written, settings: PipelineSettings) -> Outcome:
    """An answer was written: show what verified, whole or in part, or say why nothing is shown."""
    if written.failure is not None:
        return _failed(written.failure, settings)
    if written.abstained:
        return too_thin(settings)
    if not written.claims or (written.uncovered and not _partial_allowed(decision, settings)):
        escalates = settings.verification.on_failure == "escalate"
        chosen = Decision.ESCALATE if escalates else Decision.ABSTAIN
        return _given_up(chosen, ReasonCode.UNVERIFIED_ANSWER, settings.messages.unverified)
    unanswered = tuple(" ".join(word.text for word in part.content) for part in written.uncovered)
    partial = decision.decision is Decision.PARTIAL or bool(unanswered)
    return Outcome(
        decision=Decision.PARTIAL if partial else decision.decision,
        reason_code=ReasonCode.PARTIAL_EVIDENCE if partial else decision.reason_code,
        claims=written.claims,
        message=settings.messages.partial if partial else _message(decision.message, settings),
        missing=(*decision.missing, *unanswered),
        conflicts=tuple(report for report in resolution.reports if _disclosed(report, written, settings)),
        delivery=written.delivery,
    )


def _partial_allowed(decision: GateDecision, settings: PipelineSettings) -> bool:
    policy = settings.gate.insufficient_by_risk.get(decision.risk, settings.gate.insufficient)
    return policy in {InsufficientPolicy.AUTO, InsufficientPolicy.PARTIAL}


def _given_up(decision: Decision, reason_code: ReasonCode, message: Message) -> Outcome:
    return Outcome(decision=decision, reason_code=reason_code, message=message)


def _failed(error: GeneratorFailedError | JudgeFailedError, settings: PipelineSettings) -> Outcome:
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
