"""What a kind of case asserts when its `expect` says nothing else (contract, section 2, the table of kinds)."""

from __future__ import annotations

from pytest_grounded.corpus.conflicts import sides_for
from pytest_grounded.model.case import ConflictExpectation, Expectation
from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode

__all__ = ["implied_conflict", "implied_expectation"]

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


def implied_conflict(kind: CaseKind, view: CorpusView, question: str) -> ConflictExpectation | None:
    """The sides a conflicting case asks for when it writes none: those that the facts give; None for another kind.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus
    >>> view = Corpus(name="c", chunks=()).view(ANONYMOUS, date(2024, 10, 1))
    >>> implied_conflict(CaseKind.CONFLICTING, view, "What is the rate?")
    ConflictExpectation(sides=(), resolved_to=None)
    """
    return ConflictExpectation(sides=sides_for(view, question)) if kind is CaseKind.CONFLICTING else None
