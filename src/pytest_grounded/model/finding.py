"""What a check says: a `Finding` fails the case, an `Unchecked` says that something was not looked at, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pytest_grounded.model.vocabulary import Owner

__all__ = ["Finding", "Observation", "Unchecked", "UncheckedState"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a response. `chunks` are chunk ids as they stand in the corpus.

    A message may quote the response; whoever writes it passes it through `pytest_grounded.redaction` first.

    >>> Finding(check="citation.missing", message="claim 1 cites nothing", owner=Owner.GENERATION).check
    'citation.missing'
    """

    check: str
    message: str
    owner: Owner
    field: str = ""
    chunks: tuple[str, ...] = ()
    case: str = ""


class UncheckedState(StrEnum):
    """Why a check gave no verdict: what it needs was not observed, or no rule and no judge decides it."""

    NOT_RUN = "not_run"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A check, or a part of one, that gave no verdict. It never counts as passed.

    >>> Unchecked(check="citation.not_retrieved", reason="evidence not observed").state.value
    'not_run'
    """

    check: str
    reason: str
    state: UncheckedState = UncheckedState.NOT_RUN
    field: str = ""


Observation = Finding | Unchecked
