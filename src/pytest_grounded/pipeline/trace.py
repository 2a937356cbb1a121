"""The steps of one run as a person reads them, from the question to the outcome.

Each step has a `name`, what it decided with the bounds it used, and `says`: one sentence. Ids only, never the text of
a chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import TypeAdapter

from pytest_grounded.model.response import Candidate, Json, Response
from pytest_grounded.pipeline.deliver import Outcome
from pytest_grounded.pipeline.gate import GateDecision
from pytest_grounded.pipeline.generate import Failure
from pytest_grounded.pipeline.resolve import ConflictReport, Resolution
from pytest_grounded.pipeline.retrieve import Retrieval
from pytest_grounded.pipeline.screen import Screening
from pytest_grounded.pipeline.select import Choice, Selection
from pytest_grounded.pipeline.verify import Verification

__all__ = [
    "candidates",
    "deliver_step",
    "failure_step",
    "fallback_step",
    "gate_step",
    "generate_step",
    "mend_step",
    "repair_step",
    "resolve_step",
    "retrieve_step",
    "screen_step",
    "select_step",
    "support_matrix",
    "thin_step",
    "verify_step",
]


def screen_step(screening: Screening) -> Json:
    """Which filter stopped the question before anything was searched."""
    code = screening.reason_code.value if screening.reason_code else None
    says = f"stopped by the filter {screening.name}" if screening.name else "no filter stops the question"
    return {"name": "screen", "filter": screening.name, "reason_code": code, "says": says}


def retrieve_step(retrieval: Retrieval, *, gap: bool = False) -> Json:
    """Which scorer ranked how many candidates, for the question or for the gap in it."""
    best = retrieval.candidates[0] if retrieval.candidates else None
    says = f"{_counted(len(retrieval.candidates), 'candidate')}{' for the gap' if gap else ''}"
    return {
        "name": "retrieve",
        "gap": gap,
        "scorer": retrieval.scorer,
        "query": retrieval.query,
        "candidates": len(retrieval.candidates),
        "says": f"{says}, best {best.chunk.id} at {best.score:g}" if best else says,
    }


def select_step(selection: Selection) -> Json:
    """One decision per candidate, in order of rank."""
    kept = [evidence.id for evidence in selection.evidence]
    return {
        "name": "select",
        "floor": selection.floor,
        "choices": [_choice(choice) for choice in selection.choices],
        "evidence": kept,
        "tokens": selection.tokens,
        "says": f"kept {len(kept)} of {_counted(len(selection.choices), 'candidate')}",
    }


def _choice(choice: Choice) -> Json:
    shown = {"chunk": choice.chunk, "kept": choice.kept, "rule": choice.rule, "reason": choice.reason}
    return {**shown, "fused": dict(choice.fused)} if choice.fused else shown


def resolve_step(resolution: Resolution) -> Json:
    """Every disagreement with the rule that settled it, or its open sides."""
    reports = [_report(report) for report in resolution.reports]
    depends = [
        {"scope": scope, "key": report.key, "chunks": list(report.standing)} for scope, report in resolution.depends
    ]
    return {
        "name": "resolve",
        "conflicts": reports,
        "left_out": [{"chunk": chunk, "reason": reason} for chunk, reason in resolution.left_out],
        "evidence": [evidence.id for evidence in resolution.evidence],
        **({"depends": depends} if depends else {}),
        "says": "; ".join(
            [
                *(f"{report['key']} {report['outcome']}: {report['reason']}" for report in reports),
                *(f"{one['key']} depends on {one['scope']}" for one in depends),
            ]
        )
        or "no disagreement",
    }


def _report(report: ConflictReport) -> Mapping[str, Any]:
    return {
        "key": report.key,
        "outcome": report.outcome,
        "rule": report.rule.value if report.rule else None,
        "sides": [{"value": side.value, "chunks": list(side.chunks)} for side in report.sides],
        "standing": list(report.standing),
        "losers": list(report.losers),
        "reason": report.reason,
    }


def gate_step(decision: GateDecision) -> Json:
    """What was decided before any generator was called, on what coverage."""
    return {
        "name": "gate",
        "decision": decision.decision.value,
        "reason_code": decision.reason_code.value if decision.reason_code else None,
        "opens": decision.opens,
        "coverage": decision.coverage,
        "missing": list(decision.words_missing),
        "risk": decision.risk.value,
        "parts": [part.text for part in decision.parts],
        "gap": [part.text for part in decision.gap],
        "conflicts": [report.key for report in decision.conflicts],
        "confidence": _confidence(decision),
        "says": f"{decision.decision.value}: {decision.why}",
    }


def _confidence(decision: GateDecision) -> Mapping[str, Any] | None:
    """The score with what it was made from and the chunk whose passage fits best."""
    found = decision.confidence
    return {"score": found.score, "chunk": found.chunk, "features": dict(found.features)} if found else None


def generate_step(attempt: int, generator: str) -> Json:
    """Which generator was called, for the how many-th time."""
    says = f"attempt {attempt}: {generator} writes a draft"
    return {"name": "generate", "attempt": attempt, "generator": generator, "says": says}


def failure_step(name: Literal["generate", "verify"], kind: str) -> Json:
    """The generator, or the judge of what it wrote, could not be reached or did not reply."""
    return {"name": name, "error": kind, "says": f"the {_DOES[name]} failed: {kind}"}


_DOES = {"generate": "generator", "verify": "judge"}


def verify_step(attempt: int, verification: Verification) -> Json:
    """Every failure by claim, layer and detail."""
    failures = [_failure(failure) for failure in verification.failures]
    if verification.abstained:
        says = "the generator abstained"
    elif verification.ok:
        says = f"{_counted(len(verification.passed), 'claim')} passed every layer"
    else:
        says = "; ".join(_said(failure) for failure in verification.failures)
    return {
        "name": "verify",
        "attempt": attempt,
        "passed": len(verification.passed),
        "failures": failures,
        "says": f"attempt {attempt}: {says}",
    }


def _said(failure: Failure) -> str:
    of = "the draft" if failure.claim is None else f"claims[{failure.claim}]"
    return f"{of} failed {failure.check} ({failure.detail})"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _failure(failure: Failure) -> Mapping[str, Any]:
    return {"claim": failure.claim, "check": str(failure.check), "detail": failure.detail}


def repair_step(attempt: int, failures: Sequence[Failure]) -> Json:
    """The draft goes back with what was wrong with it."""
    says = f"attempt {attempt} is sent back with {_counted(len(failures), 'failure')}"
    return {"name": "repair", "attempt": attempt, "failures": len(failures), "says": says}


def thin_step(why: str) -> Json:
    """What was verified is not worth showing."""
    return {"name": "thin", "says": why}


def mend_step(kept: int, mended: Sequence[tuple[Failure, bool]]) -> Json:
    """What became of each claim that failed to the last: weakened to its quote, or dropped."""
    weakened = sum(1 for _, is_weakened in mended if is_weakened)
    dropped = len(mended) - weakened
    says = f"{_counted(weakened, 'claim')} weakened to what is quoted, {dropped} dropped, {kept} kept"
    return {
        "name": "mend",
        "weakened": weakened,
        "dropped": dropped,
        "kept": kept,
        "claims": [
            {"claim": failure.claim, "became": "its quote" if is_weakened else "dropped", "reason": _said(failure)}
            for failure, is_weakened in mended
        ],
        "says": says,
    }


def fallback_step(chunk: str | None, why: str) -> Json:
    """What is shown in place of a draft that did not verify."""
    says = f"{why}: quote {chunk} as it stands" if chunk else f"{why}: nothing is shown"
    return {"name": "fallback", "chunk": chunk, "says": says}


def deliver_step(outcome: Outcome, response: Response) -> Json:
    """What the requester is told."""
    code = outcome.reason_code.value if outcome.reason_code else None
    cited = list(response.cited)
    says = f"{outcome.decision.value}{f' {code}' if code else ''}, cites {_listed(cited)}"
    return {
        "name": "deliver",
        "decision": outcome.decision.value,
        "reason_code": code,
        "delivery": outcome.delivery,
        "cited": cited,
        "says": says,
    }


def candidates(selection: Selection) -> tuple[Candidate, ...]:
    """The candidates as the contract lists them, read all at once, which takes half as long as one by one."""
    return _CANDIDATES.validate_python(
        [
            {"chunk": choice.chunk, "score": choice.score, "kept": choice.kept, "reason": choice.reason}
            for choice in selection.choices
        ]
    )


_CANDIDATES = TypeAdapter(tuple[Candidate, ...])


def support_matrix(verification: Verification) -> tuple[Json, ...]:
    """The claim x evidence-group matrix as the contract lists it."""
    return tuple(
        {
            "claim": cell.claim,
            "evidence": list(cell.evidence),
            "verdict": cell.verdict,
            "judge": cell.judge,
            "version": cell.version,
        }
        for cell in verification.support
    )


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids) or "nothing"
