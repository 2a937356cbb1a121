"""From an open gate to claims that may be shown: draft, verify, repair, and what follows the last failure.

Every string that reaches a generator is kept and every draft is verified. A claim that failed to the last is weakened
to what it quotes or dropped; a part of the question that nothing is left for is searched once more; whatever comes of
that is verified again, all of it, against the evidence as it then is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pytest_grounded.model.response import Claim, Json
from pytest_grounded.model.support import JudgeFailedError, SupportJudge
from pytest_grounded.pipeline import trace
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gathering import Gathered
from pytest_grounded.pipeline.generate import (
    Failure,
    Generation,
    GenerationTask,
    Generator,
    GeneratorFailedError,
    serialize,
)
from pytest_grounded.pipeline.question import Part
from pytest_grounded.pipeline.settings import Layer
from pytest_grounded.pipeline.stages import Stages
from pytest_grounded.pipeline.terms import terms
from pytest_grounded.pipeline.verify import Verification

__all__ = ["Writer", "Written"]

FindMore = Callable[[Sequence[Part]], Gathered | None]
"""Searches once for uncovered parts, and decides anew over all that was found; None where nothing new was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What came of writing: claims to show (empty: none verified), and everything that happened on the way.

    `uncovered` are parts that were to be answered and are not; `more` is what a search for them came to: where its
    evidence contradicts itself on what is asked, nothing that was verified before it stands. `failure` is set where
    generator or judge was down.
    """

    claims: tuple[Claim, ...] = ()
    delivery: Literal["generated", "extractive"] | None = None
    verification: Verification = field(default_factory=Verification)
    evidence: tuple[Evidence, ...] = ()
    uncovered: tuple[Part, ...] = ()
    more: Gathered | None = None
    abstained: bool = False
    failure: GeneratorFailedError | JudgeFailedError | None = None
    prompts: tuple[str, ...] = ()
    drafts: tuple[object, ...] = ()
    usage: tuple[Json, ...] = ()
    steps: tuple[Json, ...] = ()


class Writer:
    """Writes one answer; what it collects on the way becomes part of the trace."""

    def __init__(
        self, stages: Stages, *, generator: Generator, judge: SupportJudge | None, find_more: FindMore
    ) -> None:
        self._stages = stages
        self._generator = generator
        self._judge = judge
        self._find_more = find_more
        self._prompts: list[str] = []
        self._generations: list[Generation] = []
        self._steps: list[Json] = []
        self._more: Gathered | None = None

    def write(self, task: GenerationTask) -> Written:
        """Draft and verify, send failures back as often as the settings allow, then mend, fall back or give up."""
        try:
            written = self._written(task)
        except GeneratorFailedError as error:
            self._steps.append(trace.failure_step("generate", error.kind))
            written = Written(failure=error, evidence=task.evidence)
        except JudgeFailedError as error:
            self._steps.append(trace.failure_step("verify", error.kind))
            written = Written(failure=error, evidence=task.evidence)
        return replace(
            written,
            more=self._more,
            prompts=tuple(self._prompts),
            drafts=tuple(generation.draft for generation in self._generations),
            usage=tuple(generation.usage for generation in self._generations if generation.usage is not None),
            steps=tuple(self._steps),
        )

    def _written(self, task: GenerationTask) -> Written:
        verification = Verification()
        for attempt in range(1, task.settings.verification.repairs + 2):
            if attempt > 1:
                self._steps.append(trace.repair_step(attempt - 1, verification.failures))
            task = replace(task, attempt=attempt, failures=verification.failures)
            verification = self._verify(self._draft(task), task)
            if verification.abstained:
                return Written(verification=verification, evidence=task.evidence, abstained=True)
            if verification.ok:
                return self._shown(verification, task, "generated")
        if task.settings.verification.mend:
            mended = self._mended(verification, task)
            if mended is not None:
                return mended
        return self._fallen_back(verification, task)

    def _draft(self, task: GenerationTask) -> object:
        self._prompts.append(serialize(task))
        self._generations.append(self._stages.generate(task, generator=self._generator))
        self._steps.append(trace.generate_step(task.attempt, self._generator.name))
        return self._generations[-1].draft

    def _verify(self, draft: object, task: GenerationTask) -> Verification:
        verification = self._stages.verify(draft, task, judge=self._judge)
        self._steps.append(trace.verify_step(task.attempt, verification))
        return verification

    def _mended(self, verification: Verification, task: GenerationTask) -> Written | None:
        """Weaken or drop what failed, search once for what is then uncovered; None where nothing is left."""
        said = {claim.text for claim in verification.passed}
        new: list[Claim] = []
        mended: list[tuple[Failure, bool]] = []
        refused = {failure: claim for claim, failure in verification.refused}
        for failure in verification.failures:
            weaker = self._weakened(refused.get(failure), failure)
            is_new = weaker is not None and weaker.text not in said
            mended.append((failure, is_new))
            if weaker is not None and is_new:
                said.add(weaker.text)
                new.append(weaker)
        if not verification.passed and not new:
            return None
        draft = {"claims": [claim.model_dump() for claim in (*verification.passed, *new)]}
        self._steps.append(trace.mend_step(len(verification.passed), mended))
        verified = self._verify(draft, task)
        uncovered = _uncovered(verified.passed, task)
        if uncovered:
            return self._completed(verified, uncovered, task)
        delivery: Literal["generated", "extractive"] = "generated" if verification.passed else "extractive"
        return self._shown(verified, task, delivery)

    def _weakened(self, claim: Claim | None, failure: Failure) -> Claim | None:
        """A failed claim cut down to its quotes, where these and its citations are sound, so that they stand for it."""
        if claim is None or failure.check not in _CARRIED_BY_ITS_QUOTE:
            return None
        return self._stages.weaken(claim)

    def _completed(self, mended: Verification, uncovered: tuple[Part, ...], task: GenerationTask) -> Written | None:
        """One retrieval for the gap, a draft for it, and everything verified against the evidence as it then is."""
        found = self._find_more(uncovered)
        if found is not None:
            self._steps.extend(found.steps)
        if found is not None and found.decision.conflicts:
            self._more = found
            return Written(verification=mended, evidence=task.evidence)
        if found is not None and found.decision.opens:
            self._more = found
            task = replace(task, evidence=found.resolution.evidence, failures=())
            more = self._verify(self._draft(replace(task, parts=uncovered)), task)
            draft = {"claims": [claim.model_dump() for claim in (*mended.passed, *more.passed)]}
            mended = self._verify(draft, task)
        if not mended.passed:
            return None
        return replace(self._shown(mended, task, "generated"), uncovered=_uncovered(mended.passed, task))

    def _fallen_back(self, verification: Verification, task: GenerationTask) -> Written:
        """Quote the top-ranked evidence as it stands, where the settings say so and it verifies; else show nothing."""
        why = "no draft verified"
        claim = self._stages.fall_back(task) if task.settings.verification.on_failure == "extractive" else None
        if claim is None:
            self._steps.append(trace.fallback_step(None, why))
            return Written(verification=verification, evidence=task.evidence)
        fallen = self._stages.verify({"claims": [claim.model_dump()]}, task, judge=self._judge)
        self._steps.append(trace.fallback_step(claim.cited[0] if fallen.ok else None, why))
        if not fallen.ok:
            return Written(verification=verification, evidence=task.evidence)
        return self._shown(fallen, task, "extractive")

    def _shown(
        self, verification: Verification, task: GenerationTask, delivery: Literal["generated", "extractive"]
    ) -> Written:
        return Written(claims=verification.passed, delivery=delivery, verification=verification, evidence=task.evidence)


_CARRIED_BY_ITS_QUOTE = frozenset(
    {Layer.DERIVATION, Layer.NUMBERS, Layer.BOUNDS, Layer.MIXED_SOURCES, Layer.TERM_OVERLAP, Layer.SUPPORT}
)


_HALF = 0.5


def _uncovered(claims: Sequence[Claim], task: GenerationTask) -> tuple[Part, ...]:
    """Parts to answer for which no claim, with the titles of what it cites, holds half of the words."""
    form = task.settings.retrieval.folding
    titles = {item.id: item.chunk.title or "" for item in task.evidence}
    said = [terms("\n".join((claim.text, *(titles.get(chunk, "") for chunk in claim.cited))), form) for claim in claims]
    return tuple(
        part for part in task.parts if not any(len(part.terms & words) >= _HALF * len(part.terms) for words in said)
    )
