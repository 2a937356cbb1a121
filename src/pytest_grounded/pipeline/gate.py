"""Is the evidence enough to answer at all? Decided before any generator is called, over the whole set of evidence.

How far it covers the question is `sufficiency`'s to say; here is what follows: answer, answer in part, ask back,
abstain or hand over, by the policies and costs of the settings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from pytest_grounded.model.vocabulary import Decision, ReasonCode, Risk
from pytest_grounded.pipeline.confidence import Confidence, confidence
from pytest_grounded.pipeline.costs import answer_probability
from pytest_grounded.pipeline.phrases import first_match
from pytest_grounded.pipeline.question import Part, Question
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import GateSettings, InsufficientPolicy, PipelineSettings
from pytest_grounded.pipeline.sufficiency import Sufficiency

__all__ = ["GateDecision", "gate", "risk_of", "too_thin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """What may be attempted, and why.

    `parts` are what is to be answered; `missing` what is not covered, named for the user; `terms_missing` and
    `words_missing` the uncovered words as sorted stems and as the question writes them; `message` names the entry of
    the settings' messages; `conflicts` are open and about what is asked; `gap` are parts of a question with several
    that are not covered. `confidence` is None where an open conflict decided: a disagreement is no low confidence.
    """

    decision: Decision
    reason_code: ReasonCode | None
    message: str | None
    why: str
    coverage: float
    risk: Risk = Risk.MEDIUM
    parts: tuple[Part, ...] = ()
    missing: tuple[str, ...] = ()
    terms_missing: tuple[str, ...] = ()
    words_missing: tuple[str, ...] = ()
    conflicts: tuple[ConflictReport, ...] = ()
    gap: tuple[Part, ...] = ()
    confidence: Confidence | None = None

    @property
    def opens(self) -> bool:
        """Whether an answer is attempted; below the gate no generator is called."""
        return self.decision.answers and not self.conflicts


def gate(question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings) -> GateDecision:
    """Decide between answering, answering in part, asking back and abstaining."""
    look = Sufficiency(question=question, selection=selection, resolution=resolution, settings=settings)
    decide = _Gate(look=look, settings=settings)
    conflicts = tuple(report for report in resolution.open if look.asks_about(report))
    if conflicts:
        decision = Decision(settings.conflicts.unresolved)
        why = "; ".join(f"open conflict on {report.key} ({report.reason})" for report in conflicts)
        return decide.closed(decision, ReasonCode.CONFLICTING_EVIDENCE, "conflict", why, conflicts=conflicts)
    if look.stale_fits_better():
        why = "only text out of force covers it"
        return decide.closed(Decision.ABSTAIN, ReasonCode.STALE_OR_WITHDRAWN, "stale", why)
    if not resolution.evidence:
        return decide.no_evidence("no evidence is left")
    if settings.gate.score is not None and look.best_score < settings.gate.score:
        return decide.no_evidence(f"best score {look.best_score:g} is below {settings.gate.score:g}")
    depends = tuple(dict.fromkeys(scope for scope, report in resolution.depends if look.asks_about(report)))
    if depends:
        return decide.depending(depends)
    if look.enough_in_all() and all(look.sufficient(part) for part in question.parts):
        return decide.weighed(Decision.ANSWER, question.parts, decide.coverage_said)
    return decide.insufficient()


def too_thin(decision: GateDecision, claims: int, settings: PipelineSettings) -> str | None:
    """The second stage, after verification: why what is left is not worth showing, or None."""
    needed = settings.gate.min_claims
    if not decision.opens or claims >= needed:
        return None
    return f"{claims} verified claims, {needed} needed"


def risk_of(question: Question, settings: GateSettings) -> Risk:
    """The highest class of risk whose rules match a question; medium where none does.

    >>> from pytest_grounded.pipeline.question import read_question
    >>> rules = {"high": ({"all_of": [["dose*", "overdose"]]},)}
    >>> risk_of(read_question("What dose is safe?"), GateSettings(risks=rules)).value
    'high'
    """
    for risk in (Risk.HIGH, Risk.MEDIUM, Risk.LOW):
        if first_match(settings.risks.get(risk, ()), question.text) is not None:
            return risk
    return Risk.MEDIUM


@dataclass(frozen=True, kw_only=True)
class _Gate:
    """The decisions, from how far the evidence covers the question."""

    look: Sufficiency
    settings: PipelineSettings

    @cached_property
    def confidence(self) -> Confidence:
        """How likely an answer to all parts is."""
        return self.confidence_in(self.look.question.parts)

    def confidence_in(self, parts: tuple[Part, ...]) -> Confidence:
        """How likely an answer to some parts is."""
        return confidence(self.look.question, self.look.resolution.evidence, parts=parts)

    @property
    def coverage_said(self) -> str:
        asked, held = len(self.look.asked), len(self.look.covered)
        missing = ", ".join(self.look.words_missing())
        said = f"the evidence holds {held} of {asked} words of the question"
        return f"{said}, not {missing}" if missing else said

    def insufficient(self) -> GateDecision:
        """Something is missing: answer the parts that are covered, ask back, or abstain, as the policy says."""
        rules = self.settings.gate
        policy = rules.insufficient_by_risk.get(risk_of(self.look.question, rules), rules.insufficient)
        why = self.coverage_said
        blocked = first_match(rules.blocking, " ".join(self.look.missing())) is not None
        may_answer = policy in {InsufficientPolicy.AUTO, InsufficientPolicy.PARTIAL} and not blocked
        supported = self.look.supported()
        if supported and may_answer:
            return self.weighed(Decision.PARTIAL, supported, why)
        if self.look.coverage < rules.partial_floor or not self.look.coverage or not self.look.focus_covered():
            if self.look.asked <= self.look.covered:
                return self.no_evidence(f"{why}, and no passage alone holds what is asked for")
            return self.no_evidence(f"{why}: what is asked for is not among it")
        if self.look.asked <= self.look.covered and not supported:
            return self.no_evidence(f"{why}, and no passage says it of one thing, with a figure if one is asked")
        why = f"{why}; the missing part changes the whole answer" if blocked else why
        match policy:
            case InsufficientPolicy.PARTIAL if may_answer:
                return self.weighed(Decision.PARTIAL, self.look.question.parts, why)
            case InsufficientPolicy.PARTIAL | InsufficientPolicy.ABSTAIN:
                return self.closed(Decision.ABSTAIN, ReasonCode.PARTIAL_EVIDENCE, "insufficient", why)
            case InsufficientPolicy.AUTO | InsufficientPolicy.CLARIFY:
                return self.closed(Decision.CLARIFY, ReasonCode.PARTIAL_EVIDENCE, "clarify", why)

    def depending(self, scopes: tuple[str, ...]) -> GateDecision:
        """The answer is another one for each value of a scope: ask for it, unless the policy is to abstain."""
        rules = self.settings.gate
        policy = rules.insufficient_by_risk.get(risk_of(self.look.question, rules), rules.insufficient)
        abstains = policy is InsufficientPolicy.ABSTAIN
        why = f"the answer depends on {', '.join(scopes)}, which neither requester nor question states"
        decision, message = (Decision.ABSTAIN, "insufficient") if abstains else (Decision.CLARIFY, "clarify")
        closed = self.closed(decision, ReasonCode.PARTIAL_EVIDENCE, message, why)
        return replace(closed, missing=tuple(f"which {scope}" for scope in scopes), gap=())

    def weighed(self, decision: Decision, parts: tuple[Part, ...], why: str) -> GateDecision:
        """Open the gate, unless the cost rule says that answering is too risky."""
        rules = self.settings.gate
        sure = self.confidence_in(parts)
        least = rules.least_confidence
        if least is not None and sure.score < least:
            why = f"{why}; confidence {sure.score:g} is below {least:g}"
            return self.closed(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, "low_confidence", why)
        costs = rules.costs_by_risk.get(risk_of(self.look.question, rules), rules.costs)
        if costs is None:
            return self.opened(decision, parts, why, sure)
        score = self._signal(sure)
        probability = answer_probability(score, costs.calibration)
        why = f"{why}; right with probability {probability:g}, needed {costs.threshold:.4g}"
        match costs.cheapest(probability):
            case "answer":
                return self.opened(decision, parts, why, sure)
            case "human":
                return self.closed(Decision.ESCALATE, ReasonCode.LOW_CONFIDENCE, "low_confidence", why)
            case "abstain":
                return self.closed(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, "low_confidence", why)

    def _signal(self, sure: Confidence) -> float:
        """What the cost rule takes for a score."""
        match self.settings.gate.signal:
            case "confidence":
                return sure.score
            case "coverage":
                return self.look.coverage
            case "score":
                return self.look.best_score

    def no_evidence(self, why: str) -> GateDecision:
        return self.closed(Decision.ABSTAIN, ReasonCode.NO_EVIDENCE, "no_evidence", why)

    def closed(
        self,
        decision: Decision,
        reason_code: ReasonCode,
        message: str,
        why: str,
        *,
        conflicts: tuple[ConflictReport, ...] = (),
    ) -> GateDecision:
        """Nothing is attempted. Only a question covered in part says which part is missing."""
        return GateDecision(
            decision=decision,
            reason_code=reason_code,
            message=message,
            why=why,
            coverage=self.look.coverage,
            risk=risk_of(self.look.question, self.settings.gate),
            missing=self.look.missing() if reason_code is ReasonCode.PARTIAL_EVIDENCE else (),
            terms_missing=self.look.terms_missing(),
            words_missing=self.look.words_missing(),
            conflicts=conflicts,
            gap=() if conflicts else self.look.gap(),
            confidence=None if conflicts else self.confidence,
        )

    def opened(self, decision: Decision, parts: tuple[Part, ...], why: str, sure: Confidence) -> GateDecision:
        partial = decision is Decision.PARTIAL
        return GateDecision(
            decision=decision,
            reason_code=ReasonCode.PARTIAL_EVIDENCE if partial else None,
            message="partial" if partial else None,
            why=why,
            coverage=self.look.coverage,
            risk=risk_of(self.look.question, self.settings.gate),
            parts=parts,
            missing=self.look.missing() if partial else (),
            terms_missing=self.look.terms_missing(),
            words_missing=self.look.words_missing(),
            gap=self.look.gap() if partial else (),
            confidence=sure,
        )
