"""The parts of a verdict about leaks, each reported on its own, and which check speaks for which part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["PARTS", "Part", "PartState", "part_of"]

PARTS = {
    "P0": "there is something to compare",
    "P1": "what reaches the model",
    "P2": "ids, titles, addresses and versions",
    "P3": "text and facts",
    "P4": "the same is shown without the hidden chunks",
    "P5": "decision and public reason",
}


class PartState(StrEnum):
    """What came of a part."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class Part:
    """A part's state, and why it has it where that is not plain."""

    state: PartState
    why: str = ""


_CHECKS = {
    "P1": ("leak.evidence", "leak.model_input", "leak.trace"),
    "P2": ("leak.metadata", "citation.not_permitted"),
    "P3": ("leak.text", "leak.fact", "leak.followup"),
    "P4": ("leak.differential", "leak.existence", "leak.timing"),
}
_PART_OF = {check: part for part, checks in _CHECKS.items() for check in checks}


def part_of(check: str) -> str | None:
    """The part a check speaks for; None for one that says nothing of leaks.

    >>> part_of("leak.fact"), part_of("decision.wrong"), part_of("quote.elision")
    ('P3', 'P5', None)
    """
    if check.startswith(("decision.", "reason.")):
        return "P5"
    return _PART_OF.get(check)
