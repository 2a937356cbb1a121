"""Planted faults in what is kept between requests, and in the reply as a whole: caches, memory, tickets, its form.

Also here are systems that are right as long as nothing is changed: only a check that changes something (a relation, a
budget, an approved trace) can see what is wrong with them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_grounded.model.request import GroundedSystem, Reply, Request, Turn
from pytest_grounded.model.response import Citation, Claim, Response
from pytest_grounded.model.vocabulary import Decision, Owner
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.cache import CachedPipeline
from pytest_grounded.pipeline.memory import ConversationalPipeline
from pytest_grounded.testing.planting import Build, Parts, edits, planted, replaced, with_settings

__all__ = ["KEPT", "SEEN_LATER"]


# --- caches ----------------------------------------------------------------------------------------------------------


def _cached(key: Callable[[Request], Hashable]) -> Build:
    """The pipeline with a cache whose key leaves something out, and that never looks an entry over."""

    def build(parts: Parts) -> GroundedSystem:
        return CachedPipeline(parts.bare(), key=lambda request, _: key(request), holds=lambda _, __: True)

    return build


def _who(request: Request) -> Hashable:
    requester = request.requester
    return requester.tenant, requester.groups, requester.audience, tuple(sorted(requester.scope.items()))


def _without_who(request: Request) -> Hashable:
    return request.question, request.as_of, request.corpus.digest


def _without_rights(request: Request) -> Hashable:
    """Tell people apart by their name, as if nobody's rights ever changed."""
    return request.question, request.requester.id, request.as_of, request.corpus.digest


def _without_day(request: Request) -> Hashable:
    return request.question, _who(request), request.corpus.name


def _without_corpus(request: Request) -> Hashable:
    return request.question, _who(request), request.as_of


# --- memory ----------------------------------------------------------------------------------------------------------


class _OneMemory:
    """Goes on from the last question, whoever asked it."""

    def __init__(self, parts: Parts) -> None:
        self._pipeline = ConversationalPipeline(parts.bare())
        self._last: str | None = None

    def answer(self, request: Request) -> Response:
        """Answer with somebody's last question as history."""
        history = request.history if self._last is None else (Turn(role="user", text=self._last),)
        self._last = request.question
        return self._pipeline.answer(replace(request, history=history))


_FORGETFUL = with_settings(around={"history": False, "remember": 0})


# --- tickets ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _TicketsForEverybody:
    """Writes down what somebody was told as the resolution of a ticket, and tells it whoever asks the same."""

    pipeline: Answers
    resolved: dict[str, str] = field(default_factory=dict)

    def answer(self, request: Request) -> Response:
        """Answer, or quote the ticket."""
        response = self.pipeline.answer(request)
        if response.decision is Decision.ANSWER:
            self.resolved[request.question] = response.text
        known = self.resolved.get(request.question)
        if known is None or response.decision is Decision.ANSWER:
            return response
        claim = Claim(text=known, citations=(Citation(chunk="ticket-1", quote=known),))
        return replaced(response, decision=Decision.ANSWER, reason_code=None, text=known, claims=(claim,), stream=())


@dataclass(slots=True)
class _TicketInText:
    """Tells the requester the number of the ticket and how many are open."""

    pipeline: Answers
    opened: int = 0

    def answer(self, request: Request) -> Response:
        """Answer; what is refused gets a ticket, and the text says so."""
        response = self.pipeline.answer(request)
        if response.decision.answers:
            return response
        self.opened += 1
        return replaced(response, next_step=f"wait_for_ticket_{self.opened}", stream=())


# --- the reply as a whole --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pasted:
    """Builds the reply by pasting the question into JSON."""

    pipeline: Answers

    def answer(self, request: Request) -> Reply:
        """A reply that cannot be read where the question holds a quotation mark."""
        response = self.pipeline.answer(request)
        if '"' not in request.question:
            return response
        body = json.dumps(response.visible(), ensure_ascii=False)
        return f'{{"question": "{request.question}", {body[1:]}'


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """Names its decisions in words of its own."""

    pipeline: Answers

    def answer(self, request: Request) -> Reply:
        """A reply whose decision is none of the five."""
        response = self.pipeline.answer(request)
        return {**response.visible(), "decision": "refuse"} if response.decision is Decision.ABSTAIN else response


@dataclass(frozen=True, slots=True)
class _Fragile:
    """Fails over a table."""

    pipeline: Answers

    def answer(self, request: Request) -> Response:
        """An exception where a table is cited."""
        response = self.pipeline.answer(request)
        if any(request.corpus[chunk_id].kind == "table" for chunk_id in response.cited if chunk_id in request.corpus):
            raise RuntimeError("no renderer for kind table")
        return response


# --- right as long as nothing is changed -----------------------------------------------------------------------------


@dataclass(slots=True)
class _FirstOnly:
    """Answers from what it saw first of a corpus with this name, whatever the corpus holds by now."""

    pipeline: Answers
    first: dict[Hashable, Response] = field(default_factory=dict)

    def answer(self, request: Request) -> Response:
        """The first answer, again and again."""
        corpus = request.corpus
        key = (corpus.name, corpus.revision, request.question, request.requester.model_dump_json(), request.as_of)
        if key not in self.first:
            self.first[key] = self.pipeline.answer(request)
        return self.first[key]


@dataclass(slots=True)
class _OrderFelt:
    """Looks at the first half of a corpus alone when its chunks stand in another order than at first."""

    pipeline: Answers
    first: dict[Hashable, tuple[str, ...]] = field(default_factory=dict)

    def answer(self, request: Request) -> Response:
        """Answer from all, or from a half."""
        corpus = request.corpus
        ids = self.first.setdefault((corpus.name, corpus.revision, len(corpus)), corpus.ids)
        if ids == corpus.ids or set(ids) != set(corpus.ids):
            return self.pipeline.answer(request)
        return self.pipeline.answer(replace(request, corpus=corpus.keep(corpus.ids[: len(corpus) // 2])))


def _counts_copies(response: Response, request: Request) -> Response:
    """Be the surer the more chunks say the same."""
    texts = {request.corpus[chunk_id].text for chunk_id in response.cited if chunk_id in request.corpus}
    copies = sum(chunk.text in texts for chunk in request.corpus)
    return replaced(response, confidence=min(1.0, 0.5 + 0.1 * copies))


def _takes_long(response: Response, _: Request) -> Response:
    internal = response.internal.model_copy(update={"timings": {"total_ms": 95_000.0}})
    return replaced(response, internal=internal)


def _polite(response: Response, _: Request) -> Response:
    """Say the same with a few words before it."""
    return replaced(response, text=f"Thank you for asking. {response.text}", stream=())


def _wrapping(wrap: Callable[[Answers], Any]) -> Build:
    return lambda parts: wrap(parts.assembled())


_GATE, _WRITER, _DELIVERY = Owner.RETRIEVAL, Owner.GENERATION, Owner.DELIVERY

KEPT = planted(
    ("cache_forgets_who", "cache", _DELIVERY, "an answer is kept for whoever asks", _cached(_without_who)),
    ("cache_forgets_rights", "cache", _DELIVERY, "an answer is kept for a name", _cached(_without_rights)),
    ("cache_forgets_day", "cache", _DELIVERY, "an answer is kept for every day", _cached(_without_day)),
    ("cache_forgets_corpus", "cache", _DELIVERY, "an answer is kept for every corpus", _cached(_without_corpus)),
    ("one_memory", "memory", _GATE, "one person's question is another's context", _OneMemory),
    ("no_memory", "memory", _WRITER, "a follow-up is read as if nothing was asked before", _FORGETFUL),
    ("tickets_for_everybody", "ticket", _WRITER, "what one was told is told to all", _wrapping(_TicketsForEverybody)),
    ("ticket_in_next_step", "ticket", _WRITER, "the next step counts the tickets", _wrapping(_TicketInText)),
    ("reply_pasted", "deliver", _WRITER, "a quotation mark in a question breaks the reply", _wrapping(_Pasted)),
    ("own_decisions", "deliver", _WRITER, "a refusal is called by a word of its own", _wrapping(_OwnWords)),
    ("fails_over_tables", "deliver", _DELIVERY, "it fails where a table is cited", _wrapping(_Fragile)),
)
"""Faults in what is kept, and in the form of the reply."""

_SEEN_BY = {
    "first_answer_forever": "relation.edit",
    "order_felt": "relation.order",
    "copies_counted": "relation.duplicate",
    "takes_long": "budget.latency",
    "polite_words": "trace.changed",
}
SEEN_LATER = tuple(
    replace(one, later=_SEEN_BY[one.name])
    for one in planted(
        ("first_answer_forever", "generate", _WRITER, "an edited corpus changes nothing", _wrapping(_FirstOnly)),
        ("order_felt", "retrieve", _GATE, "the order of the corpus counts", _wrapping(_OrderFelt)),
        ("copies_counted", "deliver", _DELIVERY, "copies make it surer", edits(_counts_copies)),
        ("takes_long", "deliver", _DELIVERY, "every answer takes a minute and a half", edits(_takes_long)),
        ("polite_words", "generate", _WRITER, "every answer begins with thanks", edits(_polite)),
    )
)
"""Faults that a single run over unchanged corpora cannot show; `later` names the check that can."""
