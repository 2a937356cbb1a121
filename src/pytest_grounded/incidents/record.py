"""An incident: what is known about one bad reply, wherever the record of it came from.

Everything here is as the record says it; what the suite makes of it (kind, chunks, the case) is decided elsewhere. What
a reader of records had to assume, or could not find, stands in `not_told`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any

__all__ = ["ABSENT", "Incident", "Stated"]


class _Absent:
    """The value of a reply that a record does not hold; null in a record is a reply: nothing came back."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What should have happened, as far as somebody said so. None and empty: nothing was said.

    `answer` is a right answer in prose; `null_reason`: a reason code was said to be null.
    """

    kind: str | None = None
    decision: tuple[str, ...] = ()
    reason_code: tuple[str | None, ...] = ()
    next_step: str | None = None
    answer: str | None = None
    values: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    cite: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    forbid_evidence: tuple[str, ...] = ()
    forbid_text: tuple[str, ...] = ()
    forbid_values: tuple[str, ...] = ()

    def over(self, other: Stated) -> Stated:
        """What is said here, and what `other` says where nothing is said here.

        >>> Stated(decision=("abstain",)).over(Stated(decision=("answer",), cite=("c1",)))
        Stated(kind=None, decision=('abstain',), reason_code=(), next_step=None, answer=None, values=(), evidence=(), \
cite=('c1',), missing=(), about=(), forbid_evidence=(), forbid_text=(), forbid_values=())
        """
        said = {one.name: getattr(self, one.name) or getattr(other, one.name) for one in fields(Stated)}
        return Stated(**said)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return self == Stated()


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One bad reply with what was asked, by whom, when, and over which chunks.

    `form` says in words what kind of record it was read from. `reply` is as it came: a mapping, a text, None, or
    ABSENT; `replies` are further lines of a recording (other runs, variants, earlier steps). `chunks` are written
    like a corpus's; one without `readers` is a chunk whose readers nobody stated. `suite` and `case` name the case of
    ours that the record belongs to, where it does; `trace` is the trace it was read from.
    """

    form: str
    file: str
    question: str | None = None
    reply: Any = field(default=ABSENT, repr=False)
    internal: Mapping[str, Any] | None = field(default=None, repr=False)
    replies: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    history: tuple[Mapping[str, Any], ...] = ()
    requester: Mapping[str, Any] | str | None = None
    as_of: date | None = None
    chunks: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    stated: Stated = field(default_factory=Stated)
    suite: str | None = None
    case: str | None = None
    title: str | None = None
    incident: str | None = None
    why: str | None = None
    tags: tuple[str, ...] = ()
    risk: str | None = None
    absent_question: str | None = None
    trace: str | None = None
    not_told: tuple[str, ...] = ()

    @property
    def has_reply(self) -> bool:
        """Whether the record holds what the system returned, if only that nothing came back."""
        return self.reply is not ABSENT

    @property
    def name(self) -> str | None:
        """What the incident is called: its own name, else its trace's."""
        return self.incident or (f"trace {self.trace}" if self.trace else None)

    def noting(self, *notes: str) -> Incident:
        """The incident with more that could not be told."""
        return replace(self, not_told=tuple(dict.fromkeys((*self.not_told, *notes))))
