"""Questions handed to people, and their answers turned into documents, so that nobody has to ask twice.

A ticket holds the question, what retrieval proposed and who asked. Its resolution becomes a chunk of a new corpus
revision that only those may read who may read everything it rests on.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.answers import Answers

__all__ = ["ESCALATED", "EscalatingPipeline", "Ticket", "TicketStore", "narrowest_readers"]

ESCALATED = frozenset(
    {
        ReasonCode.NO_EVIDENCE,
        ReasonCode.PARTIAL_EVIDENCE,
        ReasonCode.CONFLICTING_EVIDENCE,
        ReasonCode.STALE_OR_WITHDRAWN,
        ReasonCode.UNVERIFIED_ANSWER,
        ReasonCode.LOW_CONFIDENCE,
    }
)
"""Reasons that show a gap in the documents or in the system; a refusal by policy is no question for an expert."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A question that a person has to answer; `candidates` are ids the requester could read.

    `failed` says what the pipeline found wrong: what the gate said, or each claim that failed with its layer.
    """

    id: str
    question: str
    requester: Requester
    as_of: date
    reason_code: str | None
    candidates: tuple[str, ...]
    failed: tuple[str, ...] = ()
    resolution: Chunk | None = None


class TicketStore:
    """Tickets in an SQLite file, or in memory. The same question of the same requester on one day is one ticket.

    >>> with TicketStore() as store:
    ...     store.tickets()
    ()
    """

    def __init__(self, path: Path | str = ":memory:") -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS tickets (id TEXT PRIMARY KEY, question TEXT NOT NULL, requester TEXT NOT NULL, "
            "as_of TEXT NOT NULL, reason_code TEXT, candidates TEXT NOT NULL, resolution TEXT, "
            "failed TEXT NOT NULL DEFAULT '[]')"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def open(self, request: Request, response: Response) -> Ticket:
        """Open a ticket for a question that was not answered, or find the one that is open for it."""
        ticket = Ticket(
            id=_ticket_id(request),
            question=request.question,
            requester=request.requester,
            as_of=request.as_of,
            reason_code=response.reason_code,
            candidates=tuple(candidate.chunk for candidate in response.internal.candidates or ()),
            failed=tuple(dict.fromkeys(_failures(response))),
        )
        with self._lock:
            self._connection.execute(
                "INSERT OR IGNORE INTO tickets (id, question, requester, as_of, reason_code, candidates, failed) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    ticket.id,
                    ticket.question,
                    ticket.requester.model_dump_json(),
                    ticket.as_of.isoformat(),
                    ticket.reason_code,
                    json.dumps(ticket.candidates),
                    json.dumps(ticket.failed, ensure_ascii=False),
                ),
            )
        return self.get(ticket.id)

    def get(self, ticket_id: str) -> Ticket:
        """The ticket with this id; KeyError where there is none."""
        found = self._select("WHERE id = ?", (ticket_id,))
        if not found:
            raise KeyError(f"no ticket {ticket_id!r}")
        return found[0]

    def tickets(self, *, resolved: bool | None = None) -> tuple[Ticket, ...]:
        """All tickets by id, or only those that are resolved or open."""
        condition = {None: "", True: "WHERE resolution IS NOT NULL", False: "WHERE resolution IS NULL"}[resolved]
        return self._select(f"{condition} ORDER BY id", ())

    def resolve(
        self,
        ticket_id: str,
        text: str,
        *,
        effective_from: date,
        evidence: Sequence[Chunk] = (),
        readers: Iterable[str] | None = None,
    ) -> Chunk:
        """Answer a ticket; the answer becomes a chunk with the narrowest readers of the evidence it rests on.

        It applies where all of that does. Without evidence the `readers` have to be said: nothing tells who may know.
        Raises ValueError where they are missing, or where the evidence has no tenant, audience or scope in common.
        """
        ticket = self.get(ticket_id)
        if not evidence and readers is None:
            raise ValueError(
                f"ticket {ticket_id!r}: an answer without evidence needs `readers`, nothing tells who may know"
            )
        allowed = narrowest_readers(evidence)
        if readers is not None:
            allowed = narrowest_readers((*evidence, Chunk(id="given", text="", readers=tuple(readers))))
        chunk = Chunk(
            id=f"ticket-{ticket.id}",
            text=text,
            document="tickets",
            version=ticket.id,
            title=ticket.question,
            effective_from=effective_from,
            ingested_at=effective_from,
            readers=allowed,
            tenant=_common_tenant(ticket_id, evidence),
            audience=_common_audience(ticket_id, evidence),
            scope=_common_scope(ticket_id, evidence),
            authority=min((one.authority for one in evidence), default=0),
        )
        with self._lock:
            self._connection.execute(
                "UPDATE tickets SET resolution = ? WHERE id = ?", (chunk.model_dump_json(), ticket_id)
            )
        return chunk

    def revised(self, corpus: Corpus, *, revision: str) -> Corpus:
        """A new revision of a corpus that also holds every resolution; those it already holds are replaced."""
        resolutions = [ticket.resolution for ticket in self.tickets(resolved=True) if ticket.resolution is not None]
        new = {chunk.id for chunk in resolutions}
        return Corpus(
            name=corpus.name,
            chunks=(*(chunk for chunk in corpus if chunk.id not in new), *resolutions),
            revision=revision,
            as_of=corpus.as_of,
            source=corpus.source,
        )

    def _select(self, condition: str, values: tuple[str, ...]) -> tuple[Ticket, ...]:
        columns = "id, question, requester, as_of, reason_code, candidates, resolution, failed"
        with self._lock:
            rows = self._connection.execute(f"SELECT {columns} FROM tickets {condition}", values).fetchall()  # noqa: S608
        return tuple(
            Ticket(
                id=row[0],
                question=row[1],
                requester=Requester.model_validate_json(row[2]),
                as_of=date.fromisoformat(row[3]),
                reason_code=row[4],
                candidates=tuple(json.loads(row[5])),
                resolution=Chunk.model_validate_json(row[6]) if row[6] else None,
                failed=tuple(json.loads(row[7])),
            )
            for row in rows
        )


def narrowest_readers(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """The groups of which each alone may read every chunk; empty, so nobody, where there is none.

    >>> staff, board = Chunk(id="a", text="", readers=("staff", "hr")), Chunk(id="b", text="", readers=("hr", "board"))
    >>> narrowest_readers([staff, board, Chunk(id="c", text="", readers=("*",))])
    ('hr',)
    """
    limited = [frozenset(chunk.readers) for chunk in chunks if _EVERYONE not in chunk.readers]
    return tuple(sorted(frozenset.intersection(*limited))) if limited else (_EVERYONE,)


_EVERYONE = "*"


def _common_audience(ticket_id: str, evidence: Iterable[Chunk]) -> tuple[str, ...]:
    """Those to whom all of the evidence applies; an empty audience would be everybody."""
    stated = [frozenset(one.audience) for one in evidence if one.audience]
    common = frozenset.intersection(*stated) if stated else frozenset()
    if stated and not common:
        named = ", ".join(sorted(frozenset.union(*stated)))
        raise ValueError(f"ticket {ticket_id!r}: evidence applies to nobody in common: {named}")
    return tuple(sorted(common))


def _common_scope(ticket_id: str, evidence: Iterable[Chunk]) -> Mapping[str, str]:
    scope: dict[str, str] = {}
    for one in evidence:
        for key, value in one.scope.items():
            if scope.setdefault(key, value) != value:
                raise ValueError(f"ticket {ticket_id!r}: evidence has several values of {key}: {scope[key]}, {value}")
    return scope


def _common_tenant(ticket_id: str, evidence: Iterable[Chunk]) -> str | None:
    tenants = sorted({chunk.tenant for chunk in evidence if chunk.tenant is not None})
    if len(tenants) > 1:
        raise ValueError(f"ticket {ticket_id!r}: evidence belongs to several tenants: {', '.join(tenants)}")
    return tenants[0] if tenants else None


def _failures(response: Response) -> Iterator[str]:
    """What stood between the question and an answer, as the trace says it."""
    for step in response.internal.steps or ():
        if step.get("name") in {"screen", "gate"} and step.get("reason_code"):
            yield f"{step['name']}: {step['says']}"
        failures = step.get("failures") if step.get("name") == "verify" else ()
        yield from (f"{failure['check']}: {failure['detail']}" for failure in failures or ())


def _ticket_id(request: Request) -> str:
    """An id from what was asked, by whom and for which day: no counter that would tell how many others asked."""
    what = json.dumps([request.question, request.requester.model_dump(mode="json"), request.as_of.isoformat()])
    return hashlib.sha256(what.encode()).hexdigest()[:12]


class EscalatingPipeline:
    """A pipeline that opens a ticket for what it could not answer. The requester sees nothing of it but the answer."""

    def __init__(
        self, pipeline: Answers, store: TicketStore, *, escalated: AbstractSet[ReasonCode] = ESCALATED
    ) -> None:
        self.pipeline = pipeline
        self.store = store
        self._escalated = escalated

    def answer(self, request: Request) -> Response:
        """Answer; a ticket, where one is opened, is a step of the trace."""
        response = self.pipeline.answer(request)
        if response.decision is not Decision.ESCALATE and response.reason_code not in self._escalated:
            return response
        ticket = self.store.open(request, response)
        step = {
            "name": "ticket",
            "ticket": ticket.id,
            "reason_code": response.reason_code,
            "candidates": len(ticket.candidates),
            "says": f"ticket {ticket.id} for the people who own the documents",
        }
        steps = (*(response.internal.steps or ()), step)
        return response.model_copy(update={"internal": response.internal.model_copy(update={"steps": steps})})
