"""What came of asking a system: a response, or the way it failed. Both are judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pytest_grounded.model.response import Internal, Response
from pytest_grounded.model.vocabulary import Decision, ReasonCode

__all__ = ["Failure", "FailureKind", "Outcome"]


class FailureKind(StrEnum):
    """How a system failed to give a response; the last three: there was none to be had."""

    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    PARSE = "parse"
    SCHEMA = "schema"
    NOT_RECORDED = "not_recorded"
    SKIPPED = "skipped"
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why there is no response; `message` may hold text of the system and is redacted before it is written."""

    kind: FailureKind
    message: str

    def __repr__(self) -> str:
        return f"Failure({self.kind}, {len(self.message)} characters)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A response, or a failure that counts as SYSTEM_FAILURE with no decision. `raw` is what came before reading.

    `decision_stated` is False where the reply was prose, which has no field for it: the decision tells only whether it
    cites, and there is no reason code.

    >>> Outcome(failure=Failure(kind=FailureKind.TIMEOUT, message="60 s")).reason_code
    'SYSTEM_FAILURE'
    """

    response: Response | None = None
    failure: Failure | None = None
    raw: Any = field(default=None, repr=False)
    observed: Internal | None = field(default=None, repr=False)
    decision_stated: bool = True

    @property
    def decision(self) -> Decision | None:
        """The decision, None after a failure."""
        return self.response.decision if self.response else None

    @property
    def reason_code(self) -> str | None:
        """The public reason code; SYSTEM_FAILURE after a failure."""
        return self.response.reason_code if self.response else ReasonCode.SYSTEM_FAILURE.value

    @property
    def internal(self) -> Internal:
        """What is not visible, as far as it was observed, also beside a reply that could not be read."""
        if self.response is not None:
            return self.response.internal
        return self.observed or Internal()
