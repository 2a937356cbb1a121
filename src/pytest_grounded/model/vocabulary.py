"""The closed sets of words that cases, responses and findings are written in."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["CaseKind", "Decision", "Owner", "ReasonCode", "Risk", "Status"]


class Decision(StrEnum):
    """What a system decided to do with a question."""

    ANSWER = "answer"
    PARTIAL = "partial"
    ABSTAIN = "abstain"
    CLARIFY = "clarify"
    ESCALATE = "escalate"

    @property
    def answers(self) -> bool:
        """Whether something is stated as an answer: `answer` and `partial`."""
        return self in (Decision.ANSWER, Decision.PARTIAL)


class ReasonCode(StrEnum):
    """Why a question was not, or only partly, answered."""

    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    NO_EVIDENCE = "NO_EVIDENCE"
    PARTIAL_EVIDENCE = "PARTIAL_EVIDENCE"
    CONFLICTING_EVIDENCE = "CONFLICTING_EVIDENCE"
    STALE_OR_WITHDRAWN = "STALE_OR_WITHDRAWN"
    NOT_AUTHORIZED = "NOT_AUTHORIZED"
    UNSAFE_INPUT = "UNSAFE_INPUT"
    SYSTEM_FAILURE = "SYSTEM_FAILURE"
    POLICY_REFUSAL = "POLICY_REFUSAL"
    UNVERIFIED_ANSWER = "UNVERIFIED_ANSWER"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"


class CaseKind(StrEnum):
    """The six kinds of case; each implies what is asserted by default."""

    ANSWERABLE = "answerable"
    MULTI_EVIDENCE = "multi_evidence"
    PARTIAL = "partial"
    UNANSWERABLE = "unanswerable"
    CONFLICTING = "conflicting"
    RESTRICTED = "restricted"


class Risk(StrEnum):
    """How much a wrong answer to a case would cost."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Status(StrEnum):
    """What a document's owner says about a version of it."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Owner(StrEnum):
    """Whose failure a finding is: the people who can mend it."""

    CORPUS = "corpus"
    RETRIEVAL = "retrieval/gate"
    GENERATION = "generation"
    DELIVERY = "delivery"
