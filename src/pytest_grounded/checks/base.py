"""What a check is given and what it returns.

A check is a function `check(judged: Judged) -> Iterator[Observation]`. It looks at one thing, knows no other check,
and says either what is wrong (`Finding`) or what it could not look at (`Unchecked`). Nothing said means: looked at,
and right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Internal, Response

__all__ = ["Check", "Judged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case, what came of asking, and the corpus as the requester sees it.

    `link_hosts`: hosts a link may point to besides those of the corpus's own urls; empty: any host.
    """

    case: Case
    outcome: Outcome
    view: CorpusView
    link_hosts: tuple[str, ...] = ()

    @property
    def response(self) -> Response | None:
        """The response; None after a failure of the system."""
        return self.outcome.response

    @property
    def internal(self) -> Internal:
        """What was observed beside the visible response."""
        return self.outcome.internal


Check = Callable[[Judged], Iterator[Observation]]
