"""Is the evidence enough to answer at all? Decided before any model is called, over the whole set of evidence.

The signal is which of the question's words the evidence holds. It is crude on purpose and says what is missing: a
passage about hotel limits is similar to a question about Paris and still says nothing about Paris.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.vocabulary import Decision, ReasonCode, Risk
from pytest_grounded.pipeline.costs import answer_probability
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.passages import Passage
from pytest_grounded.pipeline.phrases import first_match
from pytest_grounded.pipeline.question import Part, Question, Word, name_missing
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution
from pytest_grounded.pipeline.select import Selection
from pytest_grounded.pipeline.settings import GateSettings, InsufficientPolicy, PipelineSettings
from pytest_grounded.pipeline.terms import terms
from pytest_grounded.text.quantities import find_quantities

__all__ = ["GateDecision", "gate", "risk_of", "too_thin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """What may be attempted, and why.

    `parts` are what is to be answered; `missing` what is not covered, named for the user; `terms_missing` the same as
    sorted stems, for the log; `message` names the entry of the settings' messages; `conflicts` are open and about what
    is asked; `gap` are parts of a question with several that are not covered.
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
    conflicts: tuple[ConflictReport, ...] = ()
    gap: tuple[Part, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether an answer is attempted; below the gate no generator is called."""
        return self.decision.answers and not self.conflicts


def gate(question: Question, selection: Selection, resolution: Resolution, settings: PipelineSettings) -> GateDecision:
    """Decide between answering, answering in part, asking back and abstaining."""
    look = _Look(question=question, selection=selection, resolution=resolution, settings=settings)
    conflicts = tuple(report for report in resolution.open if look.asks_about(report))
    if conflicts:
        decision = Decision(settings.conflicts.unresolved)
        return look.closed(
            decision, ReasonCode.CONFLICTING_EVIDENCE, "conflict", conflicts[0].reason, conflicts=conflicts
        )
    if look.stale_fits_better():
        return look.closed(Decision.ABSTAIN, ReasonCode.STALE_OR_WITHDRAWN, "stale", "only text out of force covers it")
    if not resolution.evidence:
        return look.no_evidence("no evidence is left")
    if settings.gate.score is not None and look.best_score < settings.gate.score:
        return look.no_evidence(f"best score {look.best_score:g} is below {settings.gate.score:g}")
    if all(look.sufficient(part) for part in question.parts) and look.enough_in_all():
        if not any(look.answers_figure(part) for part in question.parts):
            return look.no_evidence(f"coverage {look.coverage:g}, and no passage about it states a figure")
        return look.weighed(Decision.ANSWER, question.parts, f"coverage {look.coverage:g} with {look.named_missing()}")
    return look.insufficient()


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


def held_terms(text: str, chunk: Chunk, settings: PipelineSettings) -> frozenset[str]:
    """The words that a text of a chunk answers by: its own, and those of the title where titles count."""
    title = chunk.title if settings.retrieval.titles else None
    return terms(f"{title}\n{text}" if title else text, settings.retrieval.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """The question against the evidence."""

    question: Question
    selection: Selection
    resolution: Resolution
    settings: PipelineSettings

    @property
    def asked(self) -> frozenset[str]:
        return frozenset[str]().union(*(part.terms for part in self.question.parts))

    @property
    def covered(self) -> frozenset[str]:
        return self._held_by(self.resolution.evidence)

    def _held_by(self, evidence: Iterable[Evidence]) -> frozenset[str]:
        return self.asked & frozenset[str]().union(
            *(held_terms(item.text, item.chunk, self.settings) for item in evidence)
        )

    @property
    def best_score(self) -> float:
        return max((item.score or 0.0 for item in self.resolution.evidence), default=0.0)

    @property
    def coverage(self) -> float:
        return round(len(self.covered) / len(self.asked), 4) if self.asked else 0.0

    def enough_in_all(self) -> bool:
        return self.coverage >= self.settings.gate.coverage and bool(self.asked)

    def sufficient(self, part: Part, covered: frozenset[str] | None = None) -> bool:
        """Whether a part is covered: enough of its words, every name and every condition."""
        covered = self.covered if covered is None else covered
        rules = self.settings.gate
        if rules.per_part and len(part.terms & covered) < rules.coverage * len(part.terms):
            return False
        if rules.names and any(not word.terms <= covered for word in self._names(part)):
            return False
        return not rules.conditions or all(word.terms <= covered for word in part.conditions)

    def _names(self, part: Part) -> list[Word]:
        return [word for word in self.question.names if word in part.words]

    def stale_fits_better(self) -> bool:
        """Whether text out of force would answer alone, and what is in force does not hold as much."""
        if not self.selection.stale:
            return False
        stale = self._held_by(Evidence(chunk=chunk, score=None) for chunk in self.selection.stale)
        if self.asked <= self.covered or not self.asked - self.covered <= stale:
            return False
        if not all(self.sufficient(part, stale) for part in self.question.parts):
            return False
        if not self.settings.gate.stale_first and self.enough_in_all():
            return False
        return len(stale) >= self.settings.gate.coverage * len(self.asked) and not self._supported()

    def asks_about(self, report: ConflictReport) -> bool:
        """Whether a disagreement is about what is asked.

        Its passages hold half the words of a part, and half as many as the passage that holds most.
        """
        disputed = [
            held_terms(one.chunk.text[start:end], one.chunk, self.settings)
            for side in report.open_sides
            for one in side.stated
            for start, end in one.spans
        ]
        others = [
            held_terms(passage.plain, item.chunk, self.settings)
            for item in self.resolution.evidence
            for passage in item.statements
        ]
        return any(
            0 < _HALF * max(len(part.terms), _most(part, others)) <= _most(part, disputed)
            for part in self.question.parts
        )

    def insufficient(self) -> GateDecision:
        """Something is missing: answer the parts that are covered, ask back, or abstain, as the policy says."""
        rules = self.settings.gate
        policy = rules.insufficient_by_risk.get(risk_of(self.question, rules), rules.insufficient)
        why = f"coverage {self.coverage:g} with {self.named_missing()}"
        blocked = first_match(rules.blocking, " ".join(self.missing())) is not None
        may_answer = policy in {InsufficientPolicy.AUTO, InsufficientPolicy.PARTIAL} and not blocked
        supported = self._supported()
        if supported and may_answer:
            return self.weighed(Decision.PARTIAL, supported, why)
        if self.coverage < rules.partial_floor or not self.coverage or not self._focus_covered():
            return self.no_evidence(f"{why}: what is asked for is not among it")
        why = f"{why}; the missing part changes the whole answer" if blocked else why
        match policy:
            case InsufficientPolicy.PARTIAL if may_answer:
                return self.weighed(Decision.PARTIAL, self.question.parts, why)
            case InsufficientPolicy.PARTIAL | InsufficientPolicy.ABSTAIN:
                return self.closed(Decision.ABSTAIN, ReasonCode.PARTIAL_EVIDENCE, "insufficient", why)
            case InsufficientPolicy.AUTO | InsufficientPolicy.CLARIFY:
                return self.closed(Decision.CLARIFY, ReasonCode.PARTIAL_EVIDENCE, "clarify", why)

    def weighed(self, decision: Decision, parts: tuple[Part, ...], why: str) -> GateDecision:
        """Open the gate, unless the cost rule says that answering is too risky."""
        rules = self.settings.gate
        costs = rules.costs_by_risk.get(risk_of(self.question, rules), rules.costs)
        if costs is None:
            return self.opened(decision, parts, why)
        score = self.coverage if rules.signal == "coverage" else self.best_score
        probability = answer_probability(score, costs.calibration)
        why = f"{why}; right with probability {probability:g}, needed {costs.threshold:.4g}"
        match costs.cheapest(probability):
            case "answer":
                return self.opened(decision, parts, why)
            case "human":
                return self.closed(Decision.ESCALATE, ReasonCode.LOW_CONFIDENCE, "low_confidence", why)
            case "abstain":
                return self.closed(Decision.ABSTAIN, ReasonCode.LOW_CONFIDENCE, "low_confidence", why)

    def _supported(self) -> tuple[Part, ...]:
        """Parts of the question, or pieces of a part, that are covered while others are not."""
        found: list[Part] = []
        for part in self.question.parts:
            pieces = (part,) if self.sufficient(part) else part.pieces
            found.extend(
                Part(words=(*part.focus_before(piece), *piece.words))
                for piece in pieces
                if piece.terms & self.covered and self.sufficient(piece)
            )
        return tuple(found) if any(not self.sufficient(part) for part in self.question.parts) else ()

    def answers_figure(self, part: Part) -> bool:
        """Whether a part that asks for a figure has a passage that states one and holds half of the part's words."""
        if not self.settings.gate.figures or not part.asks_for_figure:
            return True
        return any(
            len(held & part.terms) >= _HALF * len(part.terms)
            for held, passage, lang in self._passages()
            if find_quantities(passage.plain, lang=lang, incidental=True)
        )

    def _passages(self) -> Iterator[tuple[frozenset[str], Passage, str | None]]:
        """Every passage of the evidence with the words it answers by, those of its headings included."""
        for item in self.resolution.evidence:
            for passage in item.statements:
                held = held_terms(f"{passage.context}\n{passage.plain}", item.chunk, self.settings)
                yield held, passage, item.chunk.lang

    def gap(self) -> tuple[Part, ...]:
        """The parts, of several, that are not covered."""
        parts = self.question.parts
        parts = parts if len(parts) > 1 else tuple(piece for part in parts for piece in part.pieces)
        return tuple(part for part in parts if not self.sufficient(part)) if len(parts) > 1 else ()

    def _focus_covered(self) -> bool:
        """Whether one passage is about what a part asks for, whatever circumstance it leaves out."""
        if not self.settings.gate.focus:
            return True
        needed = self.settings.gate.partial_floor
        return any(
            all(word.terms <= held for word in part.focus) and len(part.terms & held) >= needed * len(part.terms)
            for held, _, _ in self._passages()
            for part in self.question.parts
        )

    def missing(self) -> tuple[str, ...]:
        if self.settings.gate.missing_as == "terms":
            return self.terms_missing()
        words = [word for part in self.question.parts for word in part.words]
        return name_missing(words, self.covered)

    def terms_missing(self) -> tuple[str, ...]:
        return tuple(sorted(self.asked - self.covered))

    def named_missing(self) -> str:
        missing = self.terms_missing()
        return f"{', '.join(missing)} missing" if missing else "nothing missing"

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
            coverage=self.coverage,
            risk=risk_of(self.question, self.settings.gate),
            missing=self.missing() if reason_code is ReasonCode.PARTIAL_EVIDENCE else (),
            terms_missing=self.terms_missing(),
            conflicts=conflicts,
            gap=() if conflicts else self.gap(),
        )

    def opened(self, decision: Decision, parts: tuple[Part, ...], why: str) -> GateDecision:
        partial = decision is Decision.PARTIAL
        return GateDecision(
            decision=decision,
            reason_code=ReasonCode.PARTIAL_EVIDENCE if partial else None,
            message="partial" if partial else None,
            why=why,
            coverage=self.coverage,
            risk=risk_of(self.question, self.settings.gate),
            parts=parts,
            missing=self.missing() if partial else (),
            terms_missing=self.terms_missing(),
            gap=self.gap() if partial else (),
        )


_HALF = 0.5


def _most(part: Part, held: Iterable[frozenset[str]]) -> int:
    return max((len(part.terms & words) for words in held), default=0)
