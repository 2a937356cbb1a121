"""What a check is given and what it returns.

A check is a function `check(judged: Judged) -> Iterator[Observation]`. It looks at one thing, knows no other check,
and says either what is wrong (`Finding`) or what it could not look at (`Unchecked`). Nothing said means: looked at,
and right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from pytest_grounded.checks.catalogue import CATALOGUE
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.finding import Finding, Observation, Unchecked, UncheckedState
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Internal, Response
from pytest_grounded.model.support import Support
from pytest_grounded.model.vocabulary import Owner

__all__ = ["Check", "Judged", "not_judged", "not_run", "once", "report"]

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """A case, what came of asking, and the corpus as the requester sees it.

    `link_hosts`: hosts a link may point to besides those of the corpus's own urls; empty: any host.
    `support` asks a judge what no rule decides; None: there is none.
    `remembered` holds what `once` computed, so that ten checks that ask the same thing pay for it once.
    """

    case: Case
    outcome: Outcome
    view: CorpusView
    link_hosts: tuple[str, ...] = ()
    support: Support | None = None
    remembered: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def response(self) -> Response | None:
        """The response; None after a failure of the system."""
        return self.outcome.response

    @property
    def internal(self) -> Internal:
        """What was observed beside the visible response."""
        return self.outcome.internal


Check = Callable[[Judged], Iterator[Observation]]


def once(compute: Callable[[Judged], _Answer]) -> Callable[[Judged], _Answer]:
    """Make a function of a judged case compute its value once per judged case."""
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def remembering(judged: Judged) -> _Answer:
        if key not in judged.remembered:
            judged.remembered[key] = compute(judged)
        value: _Answer = judged.remembered[key]
        return value

    return remembering


def report(
    check: str, message: str, *, field: str = "", chunks: Iterable[str] = (), owner: Owner | None = None
) -> Finding:
    """A finding under a name of the catalogue, owned by whoever usually owns it unless `owner` says better.

    >>> report("citation.missing", "cites nothing", field="claims[0].citations").owner.value
    'generation'
    """
    return Finding(
        check=check,
        message=message,
        field=field,
        chunks=tuple(dict.fromkeys(chunks)),
        owner=owner or CATALOGUE[check].owner,
    )


def not_run(check: str, reason: str, *, field: str = "") -> Unchecked:
    """What a check needs was not observed."""
    return Unchecked(check=check, reason=reason, state=UncheckedState.NOT_RUN, field=field)


def not_judged(check: str, reason: str, *, field: str = "") -> Unchecked:
    """No rule decides it and no judge was asked."""
    return Unchecked(check=check, reason=reason, state=UncheckedState.NOT_JUDGED, field=field)
