"""From an open gate to claims that may be shown: draft, verify, repair, and what follows the last failure.

Every string that reaches a generator is kept, every draft is verified, and what replaces a failed draft is verified
as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from pytest_grounded.model.response import Citation, Claim, Json
from pytest_grounded.pipeline import trace
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import Generation, GenerationTask, Generator, serialize
from pytest_grounded.pipeline.passages import plain
from pytest_grounded.pipeline.verify import SupportJudge, Verification

__all__ = ["GenerateStage", "VerifyStage", "Written", "fall_back", "write"]


class GenerateStage(Protocol):
    """The stage that calls a generator."""

    def __call__(self, task: GenerationTask, *, generator: Generator) -> Generation:
        """Have a draft written."""
        ...


class VerifyStage(Protocol):
    """The stage that reads a draft."""

    def __call__(self, draft: object, task: GenerationTask, *, judge: SupportJudge | None) -> Verification:
        """Hold a draft to the layers."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What came of writing: claims to show (empty: none verified), and everything that happened on the way."""

    claims: tuple[Claim, ...]
    delivery: Literal["generated", "extractive"] | None
    verification: Verification
    abstained: bool = False
    prompts: tuple[str, ...] = ()
    drafts: tuple[object, ...] = ()
    usage: tuple[Json, ...] = ()
    steps: tuple[Json, ...] = ()


def write(
    task: GenerationTask,
    *,
    generator: Generator,
    judge: SupportJudge | None,
    generate: GenerateStage,
    verify: VerifyStage,
    fall_back: Callable[[GenerationTask], Claim | None],
) -> Written:
    """Draft and verify, send failures back as often as the settings allow, then fall back or give up."""
    settings = task.settings.verification
    prompts: list[str] = []
    generations: list[Generation] = []
    steps: list[Json] = []
    verification = Verification()
    for attempt in range(1, settings.repairs + 2):
        if attempt > 1:
            steps.append(trace.repair_step(attempt - 1, verification.failures))
        task = replace(task, attempt=attempt, failures=verification.failures)
        prompts.append(serialize(task))
        generations.append(generate(task, generator=generator))
        verification = verify(generations[-1].draft, task, judge=judge)
        steps.append(trace.generate_step(attempt, generator.name))
        steps.append(trace.verify_step(attempt, verification))
        if verification.ok or verification.abstained:
            break
    written = Written(
        claims=verification.passed if verification.ok else (),
        delivery="generated" if verification.ok else None,
        verification=verification,
        abstained=verification.abstained,
        prompts=tuple(prompts),
        drafts=tuple(generation.draft for generation in generations),
        usage=tuple(generation.usage for generation in generations if generation.usage is not None),
        steps=tuple(steps),
    )
    if verification.ok or verification.abstained:
        return written
    return _after_failure(written, task, judge=judge, verify=verify, fall_back=fall_back)


def _after_failure(
    written: Written,
    task: GenerationTask,
    *,
    judge: SupportJudge | None,
    verify: VerifyStage,
    fall_back: Callable[[GenerationTask], Claim | None],
) -> Written:
    """Quote the top-ranked evidence as it stands, where the settings say so and it verifies; else show nothing."""
    claim = fall_back(task) if task.settings.verification.on_failure == "extractive" else None
    if claim is None:
        return replace(written, steps=(*written.steps, trace.fallback_step(None, "no draft verified")))
    verification = verify({"claims": [claim.model_dump()]}, task, judge=judge)
    shown = claim.cited[0] if verification.ok else None
    return replace(
        written,
        claims=verification.passed if verification.ok else (),
        delivery="extractive" if verification.ok else None,
        verification=verification if verification.ok else written.verification,
        steps=(*written.steps, trace.fallback_step(shown, "no draft verified")),
    )


def fall_back(task: GenerationTask) -> Claim | None:
    """The top-ranked evidence verbatim: no word is the pipeline's own. What is withheld ends the quotation."""
    for item in task.evidence:
        quote = _first_run(item)
        if quote:
            return Claim(text=plain(quote), citations=(Citation(chunk=item.id, quote=quote),))
    return None


def _first_run(item: Evidence) -> str:
    """The chunk's text, or the first stretch of statements that nothing withheld interrupts."""
    if not item.withheld:
        return item.chunk.text.strip()
    statements = item.statements
    if not statements:
        return ""
    barriers = sorted(start for start, _ in item.withheld if start > statements[0].start)
    end = max(one.end for one in statements if not barriers or one.end <= barriers[0])
    return item.chunk.text[statements[0].start : end]
