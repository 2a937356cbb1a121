"""What a person says beside the record of an incident, and what is said back where something has to be known first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pytest_grounded.errors import GroundedError, Problem
from pytest_grounded.incidents.record import Stated
from pytest_grounded.model.evidence import Corpus

__all__ = ["DuplicateError", "Need", "UndecidedError", "Wishes"]


class Need(StrEnum):
    """What has to be known for a case and can be asked for."""

    SUITE = "suite"
    QUESTION = "question"
    REPLY = "reply"
    REQUESTER = "requester"
    DAY = "as_of"
    READERS = "readers"
    LABEL = "expected"


class UndecidedError(GroundedError):
    """Something has to be known that the record does not say.

    >>> error = UndecidedError({Need.DAY: "the record has no day"})
    >>> str(error), error.needs
    ('the record has no day', (<Need.DAY: 'as_of'>,))
    """

    def __init__(self, needs: Mapping[Need, str]) -> None:
        super().__init__([Problem(message=message, code=f"add.{need}") for need, message in needs.items()])
        self.needs = tuple(needs)


class DuplicateError(GroundedError):
    """The suite has a case that asks the same and fails on the reply already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is wanted; None and empty: the record, the suite or a default decides.

    `readers` are whom a person names for chunks whose readers nobody states; `stores` are corpora that have the text of
    chunks the record only names; `prefer_suite` keeps the suite's words where a chunk's differ. `stand_ins` says when
    made-up text takes the place of what is restricted or personal, `keep` what is neither.
    """

    suite: str | None = None
    create: bool = False
    manifest: str = "corpus.yaml"
    file: Path | None = None
    case_id: str | None = None
    question: str | None = None
    requester: str | None = None
    groups: tuple[str, ...] = ()
    audience: tuple[str, ...] = ()
    tenant: str | None = None
    as_of: date | None = None
    readers: tuple[str, ...] | None = None
    stores: tuple[Corpus, ...] = ()
    prefer_suite: bool = False
    stated: Stated = field(default_factory=Stated)
    control: str | None = None
    absent_question: str | None = None
    incident: str | None = None
    title: str | None = None
    why: str | None = None
    tags: tuple[str, ...] = ()
    risk: str | None = None
    stand_ins: Literal["auto", "always", "never"] = "auto"
    keep: tuple[str, ...] = ()

    @property
    def says_who(self) -> bool:
        """Whether anything is said about who asked."""
        return bool(self.requester or self.groups or self.audience or self.tenant)
