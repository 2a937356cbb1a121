"""The variants of a case that are asked beside the case itself, each as a case of its own to be sent.

What is compared is how the same request is met when one thing is different: the corpus without what the requester may
not read (`reduced`), a requester who may read it (`control`), a question about nothing (`absent`).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from pytest_grounded.model.case import Case, Step
from pytest_grounded.model.request import Request

__all__ = ["Variant", "in_turn", "requests_of", "variant_of"]


class Variant(StrEnum):
    """Under which name a recording keeps it."""

    LIVE = "live"
    REDUCED = "reduced"
    CONTROL = "control"
    ABSENT = "absent"


def in_turn(run: int) -> tuple[Variant, Variant]:
    """The order in which the two sides of a run are asked: the other one first in every second run.

    A system that serves two states by turns would else show one of them to one side alone.

    >>> [one.value for run in (0, 1) for one in in_turn(run)]
    ['live', 'reduced', 'reduced', 'live']
    """
    return (Variant.REDUCED, Variant.LIVE) if run % 2 else (Variant.LIVE, Variant.REDUCED)


def variant_of(case: Case, variant: Variant) -> Case | None:
    """The case as it is sent for a variant; None where the case does not say what that would be.

    In `reduced` every corpus loses what the *judged* requester may not read, those of earlier steps by others too.

    >>> from pytest_grounded.testing import builders
    >>> memo = builders.make_chunk("memo", "The bonus is 41,750.", readers=["board"])
    >>> case = builders.make_case("restricted", corpus=[builders.make_chunk(), memo], about=("memo",))
    >>> variant_of(case, Variant.REDUCED).corpus.ids
    ('c1',)
    """
    match variant:
        case Variant.LIVE:
            return case
        case Variant.REDUCED:
            steps = tuple(_reduced(step, case) for step in case.steps)
            return replace(case, corpus=case.view.readable_corpus, steps=steps)
        case Variant.CONTROL:
            return None if case.control is None else replace(case, requester=case.control)
        case Variant.ABSENT:
            return None if case.absent_question is None else replace(case, question=case.absent_question)


def _reduced(step: Step, case: Case) -> Step:
    return replace(step, corpus=step.corpus.view(case.requester, step.as_of).readable_corpus)


def requests_of(case: Case) -> tuple[Request, ...]:
    """What is sent, in order, to one state of the system: the earlier steps, then the judged question."""
    earlier = (
        Request(
            question=step.question,
            requester=step.requester,
            as_of=step.as_of,
            history=case.history,
            corpus=step.corpus.known_at(step.as_of),
        )
        for step in case.steps
    )
    return (*earlier, case.request())
