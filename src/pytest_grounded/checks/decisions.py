"""Whether the system decided rightly to answer or not, and kept to it.

A decision is read from its field, never from phrases. What an abstention may not do is state a fact all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.statements import Statement, disclosed_values, stated_facts, stated_slots
from pytest_grounded.checks.traces import Step, steps_of
from pytest_grounded.checks.wording import either, named, quoted
from pytest_grounded.model.finding import Finding, Observation
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import CaseKind, Decision, Owner

__all__ = ["check_decisions"]


def check_decisions(judged: Judged) -> Iterator[Observation]:
    """Compare the decision with what the case allows, and with what the response then does."""
    failure = judged.outcome.failure
    if failure is not None and failure.kind is FailureKind.NOT_RECORDED:
        yield not_run("decision.wrong", "there is no reply to judge")
        return
    yield from _wrong(judged)
    if judged.response is not None:
        yield from _answered_without_evidence(judged, judged.response)
        yield from _contradictory(judged, judged.response)
    yield from _model_called(judged)


def _wrong(judged: Judged) -> Iterator[Observation]:
    expected, actual = judged.case.expect.decision, judged.outcome.decision
    # An empty list of allowed decisions demands null: that the system failed.
    if expected is None or actual in expected or (not expected and actual is None):
        return
    if not judged.outcome.decision_stated and actual is not None and _same_side(actual, expected):
        message = "a reply in prose has no field for its decision: whether it cites is all that is told"
        yield not_run("decision.wrong", message, field="decision")
        return
    found = actual.value if actual is not None else "none (the system failed)"
    yield report("decision.wrong", f"decision: expected {either(expected)}, found {found}", field="decision")
    if actual is not None and not actual.answers and any(allowed.answers for allowed in expected):
        yield _over_refusal(judged, actual)


def _same_side(actual: Decision, expected: Iterable[Decision]) -> bool:
    """Whether an allowed decision answers, or does not, as the actual one does: all that prose can tell."""
    return any(allowed.answers == actual.answers for allowed in expected)


def _over_refusal(judged: Judged, actual: Decision) -> Finding:
    evidence = judged.internal.evidence
    given = "" if evidence is None else f"; the model was given {named(judged.view, evidence[:8]) or 'nothing'}"
    message = f"this question can be answered and was met with {actual.value}{given}"
    return report("decision.over_refusal", message, field="decision")


def _answered_without_evidence(judged: Judged, response: Response) -> Iterator[Observation]:
    if not response.decision.answers:
        return
    allowed = judged.case.expect.decision
    if judged.internal.evidence == ():
        message = f"decision {response.decision.value}, and the model was given no evidence"
        yield report("decision.answered_without_evidence", message, field="internal.evidence")
    elif judged.case.kind is CaseKind.UNANSWERABLE and (allowed is None or response.decision not in allowed):
        message = f"decision {response.decision.value}, and the corpus does not answer this question"
        yield report("decision.answered_without_evidence", message, field="decision")


def _contradictory(judged: Judged, response: Response) -> Iterator[Observation]:
    """What an abstention states: values that fill a slot, facts of chunks that the question does not have.

    A clarifying question may name what it asks to choose from, a shown conflict its sides.
    """
    if response.decision not in (Decision.ABSTAIN, Decision.ESCALATE):
        return
    disclosed = disclosed_values(judged)
    found: dict[tuple[str, str], Statement] = {}
    for statement in (*stated_slots(judged), *stated_facts(judged)):
        if not disclosed.covers(statement):
            found.setdefault((statement.path, statement.value), statement)
    for statement in found.values():
        where = f" of {named(judged.view, statement.chunks)}" if statement.chunks else ""
        what = f"fills slot {quoted(statement.slot)} with" if statement.slot else "states"
        message = f"decision {response.decision.value}, and it {what} {quoted(statement.value)}{where}"
        yield report("decision.contradictory", message, field=statement.path, chunks=statement.chunks)


def _model_called(judged: Judged) -> Iterator[Observation]:
    prompt, expected = judged.internal.prompt, judged.case.expect.model_called
    steps = steps_of(judged) or ()
    if expected is not None and prompt is None:
        yield not_run("decision.model_called", "the prompts that reached a model were not observed")
    elif expected is False and prompt:
        message = f"no model should have been called; {len(prompt)} prompts reached one"
        yield report("decision.model_called", message, field="internal.prompt")
    elif expected is True and not prompt:
        yield report(
            "decision.model_called", "a model should have been called; no prompt reached one", field="internal.prompt"
        )
    elif expected is None:
        closed = next((step for step in steps if _is_closed_gate(step)), None)
        called = closed and next((step for step in steps[closed.index + 1 :] if _is_generation(step)), None)
        if closed and called and prompt != ():
            message = f"step {closed.name} closed the gate, and step {called.name} called a model after it"
            yield report("decision.model_called", message, field=called.path, owner=Owner.RETRIEVAL)


def _is_closed_gate(step: Step) -> bool:
    if step.name.casefold() != "gate":
        return False
    closed = [one.value for one in Decision if not one.answers]
    return step.raw.get("decision") in closed or step.raw.get("open") is False


def _is_generation(step: Step) -> bool:
    return step.name.casefold() in {"generate", "generation", "generator", "llm"} and bool(step.raw.get("prompt", True))
