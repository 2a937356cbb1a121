"""What a system under test is asked, and the one-method protocols of what can be swapped."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Protocol, runtime_checkable

from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.model.response import Response

__all__ = ["GroundedSystem", "Reply", "Request", "Turn"]

Reply = Response | Mapping[str, Any] | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An earlier turn of a conversation, passed on and not judged."""

    role: Literal["user", "assistant"]
    text: str = field(repr=False)
    requester: Requester | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question. The corpus still holds what the requester may not read: leaving it out is the system's task.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS
    >>> Request(question="How much?", requester=ANONYMOUS, as_of=date(2024, 10, 1)).history
    ()
    """

    question: str = field(repr=False)
    requester: Requester
    as_of: date
    history: tuple[Turn, ...] = ()
    corpus: Corpus = field(default_factory=lambda: Corpus(name="none", chunks=()), repr=False)


@runtime_checkable
class GroundedSystem(Protocol):
    """What is under test: an object with this method, sync or async; a function of a request will do as well."""

    def answer(self, request: Request) -> Reply | Awaitable[Reply]:
        """Answer one request; a crash is judged as SYSTEM_FAILURE."""
        ...
