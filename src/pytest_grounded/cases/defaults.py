"""What a kind of case asserts when its `expect` says nothing else (contract, section 2, the table of kinds)."""

from __future__ import annotations

from pytest_grounded.model.case import Expectation
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode

__all__ = ["implied_expectation"]

_ANSWERED = ((Decision.ANSWER,), (None,))
_NO_EVIDENCE = ((Decision.ABSTAIN,), (ReasonCode.NO_EVIDENCE.value,))
_IMPLIED: dict[CaseKind, tuple[tuple[Decision, ...], tuple[str | None, ...]]] = {
    CaseKind.ANSWERABLE: _ANSWERED,
    CaseKind.MULTI_EVIDENCE: _ANSWERED,
    CaseKind.PARTIAL: ((Decision.PARTIAL,), (ReasonCode.PARTIAL_EVIDENCE.value,)),
    CaseKind.UNANSWERABLE: _NO_EVIDENCE,
    CaseKind.RESTRICTED: _NO_EVIDENCE,
    CaseKind.CONFLICTING: (
        (Decision.ABSTAIN, Decision.ESCALATE, Decision.CLARIFY, Decision.ANSWER),
        (ReasonCode.CONFLICTING_EVIDENCE.value,),
    ),
}


def implied_expectation(kind: CaseKind, *, resolved: bool = False) -> Expectation:
    """The decisions and reason codes a kind allows by itself.

    `resolved` is for a conflict that a rule settles (`conflict.resolved_to`): it is answered, without a reason code.

    >>> implied_expectation(CaseKind.PARTIAL).reason_code
    ('PARTIAL_EVIDENCE',)
    >>> implied_expectation(CaseKind.CONFLICTING, resolved=True).decision
    (<Decision.ANSWER: 'answer'>,)
    """
    decision, reason_code = _ANSWERED if resolved and kind is CaseKind.CONFLICTING else _IMPLIED[kind]
    return Expectation(decision=decision, reason_code=reason_code)
