"""Puts a case's question, and the steps before it, to a system, live or recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.recorded import LIVE, Recording

__all__ = ["Asker", "LiveAsker", "RecordedAsker", "map_reason_code"]


class Asker(Protocol):
    """Asks the judged question of a case."""

    def ask(self, case: Case, *, run: int = 0, variant: str = LIVE) -> Outcome:
        """What came of it."""
        ...


@dataclass(frozen=True, slots=True)
class LiveAsker:
    """Asks a system that runs."""

    system: object
    caller: Caller

    def ask(self, case: Case, *, run: int = 0, variant: str = LIVE) -> Outcome:  # noqa: ARG002 - the same question
        """Send the earlier steps in order, then the judged question."""
        for step in case.steps:
            self.caller.call(self.system, _step_request(case, step_index=case.steps.index(step)))
        return self.caller.call(self.system, case.request())


@dataclass(frozen=True, slots=True)
class RecordedAsker:
    """Looks the reply up in a recording."""

    recording: Recording

    def ask(self, case: Case, *, run: int = 0, variant: str = LIVE) -> Outcome:
        """The recorded reply; one that is missing is a failure that says so."""
        return self.recording.reply(suite=case.suite, case=case.id, run=run, variant=variant)


def _step_request(case: Case, *, step_index: int) -> Request:
    step = case.steps[step_index]
    return Request(
        question=step.question,
        requester=step.requester,
        as_of=step.as_of,
        history=case.history,
        corpus=step.corpus.known_at(step.as_of),
    )


def map_reason_code(outcome: Outcome, mapping: Mapping[str, str]) -> Outcome:
    """Translate a project's own reason codes into the contract's, in public and inside.

    >>> from pytest_grounded.model.response import Response
    >>> asked = Outcome(response=Response(decision="abstain", reason_code="EMPTY"))
    >>> map_reason_code(asked, {"EMPTY": "NO_EVIDENCE"}).reason_code
    'NO_EVIDENCE'
    """
    response = outcome.response
    if response is None or not mapping:
        return outcome
    public, inside = response.reason_code, response.internal.reason_code
    if public not in mapping and inside not in mapping:
        return outcome
    internal = response.internal.model_copy(update={"reason_code": mapping.get(inside, inside) if inside else inside})
    mapped = mapping.get(public, public) if public else public
    update = {"reason_code": mapped, "internal": internal}
    return Outcome(response=response.model_copy(update=update), raw=outcome.raw, observed=outcome.observed)
