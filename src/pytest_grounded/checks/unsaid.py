"""Which claims and statements no source says word for word: all that there is to compare with what the sources say.

Most claims of an extractive answer are said so. It is found out once per response, for every check that compares.
"""

from __future__ import annotations

from pytest_grounded.checks.base import Judged, once
from pytest_grounded.checks.said import is_said
from pytest_grounded.checks.states import ClaimState, claim_states, statements, statements_inside
from pytest_grounded.model.evidence import Chunk

__all__ = ["said_by", "unsaid_claims", "unsaid_inside", "unsaid_statements"]


def said_by(judged: Judged, claim: ClaimState) -> Chunk | None:
    """The first of a claim's sources that says it word for word."""
    return _sayers(judged)[claim.index]


@once
def _sayers(judged: Judged) -> tuple[Chunk | None, ...]:
    return tuple(map(_sayer, claim_states(judged)))


def _sayer(state: ClaimState) -> Chunk | None:
    return next((chunk for chunk in state.sources if is_said(state.text, chunk)), None)


@once
def unsaid_claims(judged: Judged) -> tuple[ClaimState, ...]:
    """The claims that none of their sources says."""
    return tuple(state for state in claim_states(judged) if said_by(judged, state) is None)


@once
def unsaid_inside(judged: Judged) -> tuple[ClaimState, ...]:
    """The statements inside claims, and in the text alone, that none of their sources says."""
    return tuple(state for state in statements_inside(judged) if _sayer(state) is None)


@once
def unsaid_statements(judged: Judged) -> tuple[ClaimState, ...]:
    """All statements that none of their sources says, in order."""
    unsaid = {id(state) for state in (*unsaid_claims(judged), *unsaid_inside(judged))}
    return tuple(state for state in statements(judged) if id(state) in unsaid)
