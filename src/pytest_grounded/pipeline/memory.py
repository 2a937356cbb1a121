"""A conversation: what a follow-up question refers to, with everything it refers to looked at again.

What was citable a turn ago need not be now: the requester, the day or the documents may have changed. Memory holds
questions and the identity of what was cited, never text; nothing that another requester said is used.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_grounded.model.evidence import Requester
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.question import read_question

__all__ = ["ConversationalPipeline", "Resolved", "resolve_follow_up", "usable_turns"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A question on its own feet, and why it was rewritten; `reason` is None where it stands as asked."""

    question: str
    reason: str | None = None


def usable_turns(request: Request, remembered: Sequence[Turn] = ()) -> tuple[Turn, ...]:
    """The turns a follow-up may refer to: this requester's own, citing only what they may still rely on.

    A citation that is not readable, in force or applicable any more is dropped; an answer that loses one is dropped
    whole, because what it said is not known to hold.
    """
    view = request.corpus.view(request.requester, request.as_of)
    turns = tuple(request.history) or tuple(remembered)
    own = [turn for turn in turns if turn.requester is None or _same(turn.requester, request.requester)]
    return tuple(turn for turn in own if turn.role == "user" or all(view.usable(chunk_id) for chunk_id in turn.cites))


def resolve_follow_up(question: str, turns: Sequence[Turn]) -> Resolved:
    """Give a follow-up what it leaves unsaid, from the last question before it.

    >>> turns = (Turn(role="user", text="What is the nightly hotel limit in a standard city?"),)
    >>> resolve_follow_up("And in a high-cost city?", turns).question
    'nightly hotel limit in a high-cost city?'
    >>> resolve_follow_up("When are receipts required?", turns).question
    'When are receipts required?'
    """
    asked = [turn.text for turn in turns if turn.role == "user"]
    if not asked:
        return Resolved(question=question)
    topic = _topic(asked[-1])
    if not topic:
        return Resolved(question=question)
    opened = _OPENING.sub("", question.strip(), count=1)
    if opened != question.strip() and _is_short(opened):
        return Resolved(question=f"{topic} {opened}", reason="goes on from the question before")
    if _is_short(question) and _PRONOUN.search(question):
        return Resolved(
            question=_PRONOUN.sub(lambda _: topic, question, count=1), reason="points back to the question before"
        )
    return Resolved(question=question)


_OPENING = re.compile(
    r"(?:and|or|but|also|ok|okay|so)\b[,\s]+(?:what about\s+|how about\s+)?|"
    r"(?:what|how) about\s+|(?:那么|那|还有)[,，]?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|that|this|they|them|those|these)\b|它|这个|那个", re.IGNORECASE)
_FEW_WORDS = 5


def _is_short(question: str) -> bool:
    return len([word for word in read_question(question).words if word.terms]) <= _FEW_WORDS


def _topic(question: str) -> str:
    parts = read_question(question).parts
    return " ".join(word.text for word in parts[-1].focus) if parts else ""


def _same(left: Requester, right: Requester) -> bool:
    """Whether two turns come from one requester with the same permissions."""
    return _key(left) == _key(right)


_Key = tuple[str, str | None, tuple[str, ...]]


def _key(requester: Requester) -> _Key:
    return requester.id, requester.tenant, tuple(sorted(requester.groups))


class ConversationalPipeline:
    """A pipeline that understands follow-ups: from the request's history, or from what it `remembers`.

    With `turns` it keeps that many turns of each requester (id, tenant and groups together); without, nothing.
    """

    def __init__(self, pipeline: Answers, *, turns: int = 0) -> None:
        self.pipeline = pipeline
        self._turns = turns
        self._remembered: dict[_Key, tuple[Turn, ...]] = {}
        self._lock = threading.Lock()

    def answer(self, request: Request) -> Response:
        """Answer one turn; what is remembered of it are the question and the ids it cites."""
        key = _key(request.requester)
        with self._lock:
            remembered = self._remembered.get(key, ())
        turns = usable_turns(request, remembered)
        resolved = resolve_follow_up(request.question, turns)
        standalone = replace(request, question=resolved.question)
        response = self.pipeline.answer(standalone)
        if resolved.reason is not None:
            response = _told(response, resolved)
        if self._turns:
            self._remember(key, remembered, standalone, response)
        return response

    def _remember(self, key: _Key, before: tuple[Turn, ...], request: Request, response: Response) -> None:
        asked = Turn(role="user", text=request.question, requester=request.requester)
        told = Turn(role="assistant", text="", requester=request.requester, cites=response.cited)
        with self._lock:
            self._remembered[key] = (*before, asked, told)[-self._turns :]


def _told(response: Response, resolved: Resolved) -> Response:
    """The response with the rewriting as its first step."""
    step = {
        "name": "follow_up",
        "question": resolved.question,
        "reason": resolved.reason,
        "says": f"read as: {resolved.question}",
    }
    steps = (step, *(response.internal.steps or ()))
    return response.model_copy(update={"internal": response.internal.model_copy(update={"steps": steps})})
