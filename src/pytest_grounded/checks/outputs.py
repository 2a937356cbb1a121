"""Whether there is a response at all.

A system that crashed, ran out of time or replied with something unreadable has failed, and a failure is never a pass:
also a case that expects `SYSTEM_FAILURE` expects a *response* that says so. Nothing to read (an exception, a timeout,
no JSON object) is `output.parse`, something of the wrong form is `output.schema`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.outcome import Failure, FailureKind
from pytest_grounded.model.vocabulary import Owner

__all__ = ["check_outputs"]


def check_outputs(judged: Judged) -> Iterator[Observation]:
    """Report a failure of the system with what it said."""
    failure = judged.outcome.failure
    if failure is None:
        if judged.response is None:
            yield report("output.parse", "nothing came back from the system", owner=Owner.DELIVERY)
        return
    match failure.kind:
        case FailureKind.SCHEMA:
            yield report("output.schema", f"the reply has not the form of a response: {failure.message}")
        case FailureKind.PARSE:
            yield report("output.parse", f"the reply cannot be read: {failure.message}")
        case FailureKind.EXCEPTION | FailureKind.TIMEOUT | FailureKind.NOT_RECORDED:
            yield report("output.parse", _nothing_came(failure), owner=Owner.DELIVERY)
        case FailureKind.SKIPPED | FailureKind.NOT_ASKED:
            yield not_run("output.parse", failure.message)
        case _:
            assert_never(failure.kind)


def _nothing_came(failure: Failure) -> str:
    happened = {
        FailureKind.EXCEPTION: "the system raised an exception instead of replying",
        FailureKind.TIMEOUT: "the system did not reply in time",
        FailureKind.NOT_RECORDED: "there is no reply to judge",
    }
    return f"{happened[failure.kind]}: {failure.message}"
