"""A conversation: what a follow-up question refers to, with everything it refers to looked at again.

What was citable a turn ago need not be now: the requester, the day or the documents may have changed. Memory holds
questions and the places that were cited, never text; nothing that another requester said is used. "The second one" is
the second statement of the last answer, in the words of the document as it is today.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_grounded.model.evidence import Chunk, CorpusView, Requester
from pytest_grounded.model.request import Request, Turn
from pytest_grounded.model.response import Claim, Internal, Response
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.evidence import Span, statements_of
from pytest_grounded.pipeline.messages import Message, Messages
from pytest_grounded.pipeline.question import PREPOSITIONS, read_question
from pytest_grounded.pipeline.terms import WordForm, terms
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.quotes import locate_quote

__all__ = ["ConversationalPipeline", "Resolved", "earlier_statements", "resolve_follow_up", "usable_turns"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A question on its own feet, and why it was rewritten; `reason` is None where it stands as asked.

    `lost` are the words that point at a statement of the last answer which it has not, or which may not be relied on
    any more: which of the two is not told.
    """

    question: str
    reason: str | None = None
    lost: str | None = None


def usable_turns(request: Request, remembered: Sequence[Turn] = ()) -> tuple[Turn, ...]:
    """The turns a follow-up may refer to: this requester's own, citing only what they may still rely on.

    A citation that is not readable, in force or applicable any more is dropped; an answer that loses one is dropped
    whole, because what it said is not known to hold.
    """
    view = request.corpus.view(request.requester, request.as_of)
    turns = tuple(request.history) or tuple(remembered)
    own = [turn for turn in turns if turn.requester is None or _same(turn.requester, request.requester)]
    return tuple(turn for turn in own if turn.role == "user" or all(view.usable(chunk_id) for chunk_id in turn.cites))


def earlier_statements(request: Request, remembered: Sequence[Turn] = ()) -> tuple[str | None, ...]:
    """What the last answer to this requester stated, in order: what each is about, by the documents of today.

    None for a statement whose source may not be relied on any more and has no successor that may: it keeps its place,
    so that "the second one" never becomes the third. The text of a turn is not believed, what it cites is looked up.
    """
    turns = tuple(request.history) or tuple(remembered)
    own = [turn for turn in turns if turn.requester is None or _same(turn.requester, request.requester)]
    told = next((turn for turn in reversed(own) if turn.role == "assistant" and turn.cites), None)
    if told is None:
        return ()
    asked = [turn.text for turn in own if turn.role == "user"]
    view = request.corpus.view(request.requester, request.as_of)
    places = told.places if isinstance(told, _Told) else tuple(_Place(chunk=chunk) for chunk in told.cites)
    return tuple(_stated_today(place, view, hint=f"{told.text} {' '.join(asked[-1:])}") for place in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a claim was quoted from; the span holds for the text with this hash."""

    chunk: str
    span: Span | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told(Turn):
    """An answer as memory keeps it: one place for each of its claims."""

    places: tuple[_Place, ...] = ()


def _places(claims: Sequence[Claim], view: CorpusView) -> Iterator[_Place]:
    for claim in claims:
        chunk = view.readable.get(claim.cited[0]) if claim.cited else None
        if chunk is None:
            yield _Place(chunk="")
            continue
        quote = next((quote for quote, chunks in claim.quotes if chunk.id in chunks), "")
        spans = locate_quote(quote, chunk.text, lang=chunk.lang) if quote else ()
        span = (spans[0][0], spans[-1][1]) if spans else None
        yield _Place(chunk=chunk.id, span=span, content_hash=chunk.content_hash)


def _stated_today(place: _Place, view: CorpusView, *, hint: str) -> str | None:
    """What the place is about, of a changed text its statement closest to the hint; None: not to be relied on."""
    said = view.readable.get(place.chunk)
    if said is None:
        return None
    chunk = _standing(said, view)
    if chunk is None:
        return None
    if place.span is not None and chunk.content_hash == place.content_hash:
        return _subject(chunk.text[slice(*place.span)], chunk)
    near = terms(hint, WordForm.ROOT)
    found = statements_of(chunk.text, chunk.kind)
    closest = max(found, key=lambda one: len(terms(one.plain, WordForm.ROOT) & near), default=None)
    return None if closest is None else _subject(closest.plain, chunk)


def _standing(chunk: Chunk, view: CorpusView) -> Chunk | None:
    """The chunk where it may still be relied on, else the one in its place that may."""
    if view.usable(chunk.id):
        return chunk
    return next((other for other in view.successors(chunk) if view.usable(other.id)), None)


def _subject(statement: str, chunk: Chunk) -> str | None:
    """What a statement is about: its words before the verb or the first figure."""
    start = min((one.start for one in find_quantities(statement, lang=chunk.lang)), default=len(statement))
    verb = next((found.start() for found in _VERB.finditer(statement) if found.start() > 0), start)
    words = list(read_question(statement[: min(start, verb)]).words[:_MOST_WORDS])
    while words and (words[-1].text.casefold() in PREPOSITIONS or not words[-1].terms):
        words.pop()
    while words and not words[0].terms:
        words.pop(0)
    return statement[words[0].start : words[-1].end] if words else chunk.title


_VERB = re.compile(
    r"(?<![\w-])(?:is|are|was|were|must|may|can|could|should|shall|will|needs?|costs?)(?![\w-])|为|是(?!否)|应|须|可以|不得",
    re.IGNORECASE,
)
_MOST_WORDS = 16


def resolve_follow_up(question: str, turns: Sequence[Turn], stated: Sequence[str | None] = ()) -> Resolved:
    """Give a follow-up what it leaves unsaid, from the last question before it or from what the last answer `stated`.

    >>> turns = (Turn(role="user", text="What is the nightly hotel limit in a standard city?"),)
    >>> resolve_follow_up("And in a high-cost city?", turns).question
    'nightly hotel limit in a high-cost city?'
    >>> resolve_follow_up("When are receipts required?", turns).question
    'When are receipts required?'
    >>> resolve_follow_up("Who approves the second one?", turns, ["hotel limit", "meal allowance"]).question
    'Who approves meal allowance?'
    """
    pointed = _NTH.search(question) if stated else None
    if pointed is not None:
        named = _nth(pointed, stated)
        if named is None:
            return Resolved(question=question, lost=pointed[0])
        rewritten = f"{question[: pointed.start()]}{named}{question[pointed.end() :]}"
        return Resolved(question=rewritten, reason="points back to a statement of the answer before")
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


_ORDERED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_THINGS = "one|point|item|statement|claim|part|rule|source|answer"
_NTH = re.compile(
    rf"\b(?:the|your|that) (?:(?P<word>{'|'.join(_ORDERED)}|last)|(?P<digit>[1-9])(?:st|nd|rd|th)) (?:{_THINGS})\b"
    r"|\bthe (?P<pair>former|latter)\b|(?:刚才|上面)?的?第(?P<han>[一二三四五六七八])(?:条|个|点|项)",
    re.IGNORECASE,
)
_PAIR = 2


def _nth(pointed: re.Match[str], stated: Sequence[str | None]) -> str | None:
    """The statement that a reference points at; None where there is none, or it may not be relied on."""
    if pointed["pair"]:
        places = {"former": 0, "latter": 1} if len(stated) == _PAIR else {}
        place = places.get(pointed["pair"].casefold(), len(stated))
    elif pointed["word"]:
        word = pointed["word"].casefold()
        place = len(stated) - 1 if word == "last" else _ORDERED.index(word)
    else:
        place = int(pointed["digit"]) - 1 if pointed["digit"] else "一二三四五六七八".index(pointed["han"])
    return stated[place] if place < len(stated) else None


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

    With `turns` it keeps that many turns of each requester (id, tenant and groups together); without, nothing. What a
    question points at and the last answer has not, or may not be relied on any more, is asked for with `message`.
    """

    def __init__(self, pipeline: Answers, *, turns: int = 0, message: Message | None = None) -> None:
        self.pipeline = pipeline
        self._turns = turns
        self._message = message or Messages().clarify
        self._remembered: dict[_Key, tuple[Turn, ...]] = {}
        self._lock = threading.Lock()

    def answer(self, request: Request) -> Response:
        """Answer one turn; what is remembered of it are the question and the places it cites."""
        key = _key(request.requester)
        with self._lock:
            remembered = self._remembered.get(key, ())
        turns = usable_turns(request, remembered)
        resolved = resolve_follow_up(request.question, turns, earlier_statements(request, remembered))
        if resolved.lost is not None:
            return _asked_back(resolved.lost, self._message)
        standalone = replace(request, question=resolved.question)
        response = self.pipeline.answer(standalone)
        if resolved.reason is not None:
            response = _told(response, resolved)
        if self._turns:
            self._remember(key, remembered, standalone, response)
        return response

    def _remember(self, key: _Key, before: tuple[Turn, ...], request: Request, response: Response) -> None:
        view = request.corpus.view(request.requester, request.as_of)
        asked = Turn(role="user", text=request.question, requester=request.requester)
        told = _Told(
            role="assistant",
            text="",
            requester=request.requester,
            cites=response.cited,
            places=tuple(_places(response.claims, view)),
        )
        with self._lock:
            self._remembered[key] = (*before, asked, told)[-self._turns :]


def _told(response: Response, resolved: Resolved) -> Response:
    """The response with the rewriting as its first step."""
    step = {
        "name": "follow_up",
        "query": resolved.question,
        "reason": resolved.reason,
        "says": f"read as: {resolved.question}",
    }
    steps = (step, *(response.internal.steps or ()))
    return response.model_copy(update={"internal": response.internal.model_copy(update={"steps": steps})})


def _asked_back(lost: str, message: Message) -> Response:
    """Ask what was meant; the same whether the statement was taken away or never was."""
    missing = (f'what "{lost.strip()}" is',)
    says = f'"{lost.strip()}" is no statement of the last answer that may be relied on now'
    step = {"name": "follow_up", "reason": "points back to nothing", "says": says}
    return Response(
        decision=Decision.CLARIFY,
        reason_code=ReasonCode.PARTIAL_EVIDENCE,
        text=message.filled(missing),
        missing=missing,
        next_step=message.next_step,
        internal=Internal(
            reason_code=ReasonCode.PARTIAL_EVIDENCE,
            evidence=(),
            candidates=(),
            prompt=(),
            support=(),
            steps=(step,),
            cache={"hit": False},
        ),
    )
