"""Planted leaks: the reference pipeline, letting through by one way out what its requester may not read.

One or more for every channel of docs/leakage.md but T17, which is the harness itself. Each leaks whatever corpus it is
asked over; none knows a document by name. Those that say something only of a chunk the question is about look for two
content words in common.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.model.request import GroundedSystem, Request
from pytest_grounded.model.response import Citation, Claim, Response
from pytest_grounded.model.vocabulary import Decision, Owner, Status
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.cache import CachedPipeline
from pytest_grounded.pipeline.lexical import OverlapScorer
from pytest_grounded.pipeline.permit import Readable, permit
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.testing.planting import Build, Edit, Edited, Fault, Parts, edits, rebuilt, replaced, staged
from pytest_grounded.text.words import terms

__all__ = ["LEAKS"]

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_SHARED = 2


def _hidden(request: Request) -> tuple[Chunk, ...]:
    """The chunks that the requester may not read and the question is about, the nearest first."""
    view = request.corpus.view(request.requester, request.as_of)
    asked = terms(request.question)
    found = [(len(asked & terms(f"{chunk.title or ''} {chunk.text}")), chunk) for chunk in view.unreadable]
    near = [(shared, chunk) for shared, chunk in found if shared >= _SHARED and chunk.id in view.present]
    return tuple(chunk for _, chunk in sorted(near, key=lambda item: (-item[0], item[1].id)))


def _where_hidden(change: Callable[[Response, Chunk, Request], Response]) -> Edit:
    """Change the response where the question is about something hidden."""

    def edit(response: Response, request: Request) -> Response:
        hidden = _hidden(request)
        return change(response, hidden[0], request) if hidden else response

    return edit


def _says(response: Response, text: str) -> Response:
    return replaced(response, text=f"{response.text} {text}".strip())


# --- T1 to T5: what is said --------------------------------------------------------------------------------------


def _quotes(response: Response, chunk: Chunk, _: Request) -> Response:
    claim = Claim(text=chunk.text, citations=(Citation(chunk=chunk.id, quote=chunk.text),))
    return replaced(_says(response, chunk.text), claims=(*response.claims, claim))


def _encodes(response: Response, chunk: Chunk, _: Request) -> Response:
    return _says(response, f"<!-- {b64encode(chunk.text.encode()).decode()} -->")


def _splits(response: Response, chunk: Chunk, _: Request) -> Response:
    words = chunk.text.split()
    pieces = tuple(" ".join(words[place : place + 3]) for place in range(0, len(words), 3))
    return replaced(response, hints=[{"text": f"{piece} "} for piece in pieces])


_SIZES = ("no", "a tiny", "a small", "a fair", "a large", "a huge")


def _paraphrases(response: Response, chunk: Chunk, _: Request) -> Response:
    digits = max((sum(map(str.isdigit, figure)) for figure in _FIGURE.findall(chunk.text)), default=0)
    return _says(response, f"People speak of {_SIZES[min(digits, len(_SIZES) - 1)]} sum.")


def _confirms(response: Response, request: Request) -> Response:
    """Say of a guessed figure whether it is the right one; a single digit is a number of a paper, not a guess."""
    guesses, hidden = {one for one in _FIGURE.findall(request.question) if len(one) > 1}, _hidden(request)
    if not guesses or not hidden:
        return response
    known = {figure for chunk in hidden for figure in _FIGURE.findall(chunk.text)}
    return _says(response, "That figure is right." if guesses & known else "That figure is not right.")


# --- T6 and T7: that it is there ---------------------------------------------------------------------------------


def _names_an_owner(response: Response, chunk: Chunk, _: Request) -> Response:
    if response.decision.answers:
        return response
    return replaced(response, next_step=f"ask_{chunk.readers[0]}" if chunk.readers else "ask_the_owner")


def _numbers_from(response: Response, request: Request) -> Response:
    """Number the sources as if the hidden ones had been listed before them."""
    skipped = len(_hidden(request))
    if not skipped or not response.claims:
        return response

    def shifted(text: str) -> str:
        return re.sub(r"\[(\d+)\]", lambda match: f"[{int(match[1]) + skipped}]", text)

    def renumbered(marker: str | None) -> str | None:
        return str(int(marker) + skipped) if marker is not None and marker.isdecimal() else marker

    claims = (
        claim.model_copy(
            update={
                "text": shifted(claim.text),
                "citations": tuple(
                    one.model_copy(update={"marker": renumbered(one.marker)}) for one in claim.citations
                ),
            }
        )
        for claim in response.claims
    )
    return replaced(
        response,
        text=shifted(response.text),
        claims=tuple(claims),
        sources=tuple(one.model_copy(update={"marker": renumbered(one.marker)}) for one in response.sources),
        rendered=tuple(one.model_copy(update={"marker": renumbered(one.marker)}) for one in response.rendered),
    )


def _known_id_in_help(weights: _Weights) -> Edit:
    """A document's name is part of the help text that the application was built with."""

    def edit(response: Response, request: Request) -> Response:
        known = weights.learned(request)
        return response if not known else replaced(response, help=f"See also {known[0].document or known[0].id}.")

    return edit


# --- T8 to T11: what it does to the rest -------------------------------------------------------------------------

_PLACES = 2


@dataclass(frozen=True, slots=True)
class _Asking:
    """The clean pipeline, asked something else than what was asked."""

    pipeline: Answers
    change: Callable[[Request], Request]

    def answer(self, request: Request) -> Response:
        return self.pipeline.answer(self.change(request))


def _asks(change: Callable[[Request], Request]) -> Build:
    return lambda parts: _Asking(parts.assembled(), change)


def _top_before_filter(request: Request) -> Request:
    """Keep the few best of everything; who may read them is looked at afterwards."""
    present = request.corpus.known_at(request.as_of)
    scores = OverlapScorer().scores(request.question, present)
    best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[:_PLACES]
    return replace(request, corpus=request.corpus.keep(best))


def _replaced_by_hidden(request: Request) -> Request:
    """Take a chunk for superseded when one that nobody asked may read replaces it."""
    view = request.corpus.view(request.requester, request.as_of)
    gone = {chunk_id for chunk in view.unreadable for chunk_id in chunk.supersedes}
    chunks = (
        chunk.model_copy(update={"status": Status.SUPERSEDED}) if chunk.id in gone else chunk
        for chunk in request.corpus
    )
    return replace(request, corpus=rebuilt(request.corpus, chunks)) if gone else request


class _ScoringOverAll:
    """The clean pipeline, its scores computed over everything before the hidden chunks are left out."""

    def __init__(self, parts: Parts) -> None:
        self._whole: Corpus | None = None
        self._scorer: Scorer = parts.scorer or make_scorer(parts.settings.retrieval)
        self._pipeline = replace(parts, scorer=self).assembled()

    @property
    def name(self) -> str:
        return f"over-all/{self._scorer.name}"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Scores as a share of the best one of all chunks."""
        found = self._scorer.scores(query, self._whole or corpus)
        best = max(found.values(), default=1.0)
        return {chunk_id: score / best for chunk_id, score in found.items() if chunk_id in corpus}

    def answer(self, request: Request) -> Response:
        self._whole = request.corpus.known_at(request.as_of)
        return self._pipeline.answer(request)


def _breaks(response: Response, request: Request) -> Response:
    """Fail over what is hidden, naming it as exceptions do."""
    for chunk in _hidden(request):
        raise ValueError(f"cannot read the validity of {chunk.id}: {chunk.text!r}")
    return response


# --- T12: what goes in -------------------------------------------------------------------------------------------


def _prompted(response: Response, *texts: str) -> Response:
    prompt = (*(response.internal.prompt or ()), *texts)
    return replaced(response, internal=response.internal.model_copy(update={"prompt": prompt}))


def _filters_afterwards(response: Response, chunk: Chunk, _: Request) -> Response:
    return _prompted(response, f"Context: {chunk.text}")


def _known_text_in_prompt(weights: _Weights) -> Edit:
    """An example in the instructions to the model was taken from a document."""

    def edit(response: Response, request: Request) -> Response:
        known = weights.learned(request)
        return _prompted(response, f"Answer like this: {known[0].text}") if known else response

    return edit


# --- T13 to T16: what is kept ------------------------------------------------------------------------------------


def _cached_for_everybody(parts: Parts) -> GroundedSystem:
    return CachedPipeline(
        parts.bare(),
        answers=parts.assembled(),
        key=lambda request, _: request.question.casefold(),
        holds=lambda _entry, _request: True,
    )


@dataclass(slots=True)
class _Remembering:
    """The clean pipeline, answering from what the same person was told before, whatever they may read by now."""

    pipeline: Answers
    told: dict[str, tuple[frozenset[str], Response]] = field(default_factory=dict)

    def answer(self, request: Request) -> Response:
        asked = terms(request.question)
        before, response = self.told.get(request.requester.id, (frozenset[str](), None))
        if response is not None and len(asked & before) >= _SHARED:
            return response
        response = self.pipeline.answer(request)
        if response.decision is Decision.ANSWER:
            self.told[request.requester.id] = (asked, response)
        return response


def _hurries(response: Response, request: Request) -> Response:
    """Take less time over what is worked out already, for others."""
    took = 3.0 if _hidden(request) else 40.0
    return replaced(response, internal=response.internal.model_copy(update={"timings": {"total_ms": took}}))


class _Weights:
    """What a model was trained on: all it was ever asked over, and no longer the corpus it is asked over now."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, Chunk]] = {}

    def learned(self, request: Request) -> Sequence[Chunk]:
        """The chunks it knows that its requester may not read, the nearest to the question first."""
        seen = self._seen.setdefault(request.corpus.name, {})
        seen.update((chunk.id, chunk) for chunk in request.corpus)
        trained = replace(request, corpus=rebuilt(request.corpus, seen.values()))
        return _hidden(trained)


def _trained(edit: Callable[[_Weights], Edit]) -> Build:
    """Every instance has the same weights: starting it anew makes it forget nothing."""
    weights = _Weights()
    return lambda parts: Edited(parts.assembled(), edit(weights))


def _knows_by_heart(weights: _Weights) -> Edit:
    def edit(response: Response, request: Request) -> Response:
        known = weights.learned(request)
        return _says(response, known[0].text) if known else response

    return edit


def _knows_in_code(weights: _Weights) -> Edit:
    """What is known by heart shows only in a field of the application's own, in base64."""

    def edit(response: Response, request: Request) -> Response:
        known = weights.learned(request)
        return replaced(response, token=b64encode(known[0].text.encode()).decode()) if known else response

    return edit


# --- T18: who may read -------------------------------------------------------------------------------------------


def _no_readers_is_everybody(request: Request) -> Readable:
    opened = (chunk if chunk.readers else chunk.model_copy(update={"readers": ("*",)}) for chunk in request.corpus)
    return permit(replace(request, corpus=rebuilt(request.corpus, opened)))


# --- all of them -------------------------------------------------------------------------------------------------


_GATE, _WRITER, _DELIVERY = Owner.RETRIEVAL, Owner.GENERATION, Owner.DELIVERY
# Where hidden text itself shows, the failure is of who shows it; where only its effect does, of who let it in.
_TABLE: tuple[tuple[str, str, str, Owner, str, Build], ...] = (
    ("T1", "hidden_text_quoted", "generate", _WRITER, "a hidden text is quoted", edits(_where_hidden(_quotes))),
    (
        "T2",
        "hidden_text_encoded",
        "deliver",
        _DELIVERY,
        "it stands in a comment, in base64",
        edits(_where_hidden(_encodes)),
    ),
    ("T3", "hidden_text_in_pieces", "deliver", _DELIVERY, "it comes in pieces", edits(_where_hidden(_splits))),
    (
        "T4",
        "hidden_text_paraphrased",
        "generate",
        _GATE,
        "it is told in other words",
        edits(_where_hidden(_paraphrases)),
    ),
    ("T5", "guess_confirmed", "generate", _GATE, "a guess is told right or wrong", edits(_confirms)),
    ("T6", "owner_named", "deliver", _GATE, "the next step names who has it", edits(_where_hidden(_names_an_owner))),
    (
        "T7",
        "numbering_before_filter",
        "deliver",
        _GATE,
        "sources are numbered with the hidden ones",
        edits(_numbers_from),
    ),
    (
        "T7",
        "hidden_id_in_help",
        "deliver",
        _DELIVERY,
        "a fixed text names a hidden document",
        _trained(_known_id_in_help),
    ),
    ("T8", "top_before_filter", "retrieve", _GATE, "hidden chunks take places", _asks(_top_before_filter)),
    ("T9", "replaced_by_hidden", "resolve", _GATE, "a hidden successor counts", _asks(_replaced_by_hidden)),
    ("T10", "scores_over_all", "retrieve", _GATE, "scores depend on hidden chunks", _ScoringOverAll),
    ("T11", "hidden_chunk_breaks", "select", _GATE, "a hidden chunk makes it fail", edits(_breaks)),
    (
        "T12",
        "filter_after_generation",
        "generate",
        _GATE,
        "a model is given hidden text",
        edits(_where_hidden(_filters_afterwards)),
    ),
    (
        "T12",
        "hidden_text_in_prompt",
        "generate",
        _GATE,
        "the instructions hold hidden text",
        _trained(_known_text_in_prompt),
    ),
    ("T13", "cache_for_everybody", "cache", _GATE, "answers are kept whoever asks", _cached_for_everybody),
    (
        "T14",
        "memory_not_checked",
        "memory",
        _GATE,
        "what was told is told again",
        lambda parts: _Remembering(parts.assembled()),
    ),
    ("T15", "faster_where_hidden", "deliver", _GATE, "it takes another time", edits(_hurries)),
    ("T16", "known_by_heart", "generate", _WRITER, "the model knows it without the corpus", _trained(_knows_by_heart)),
    (
        "T16",
        "known_by_heart_in_code",
        "deliver",
        _DELIVERY,
        "the model's memory shows in base64",
        _trained(_knows_in_code),
    ),
    (
        "T18",
        "no_readers_is_everybody",
        "permit",
        _GATE,
        "no readers counts as everybody",
        staged(permit=_no_readers_is_everybody),
    ),
)

LEAKS = tuple(
    Fault(
        name=name,
        stage=stage,
        owner=owner,
        what=what,
        build=build,
        channel=channel,
        later="leak.timing" if channel == "T15" else None,  # times are looked at only where a case says so
    )
    for channel, name, stage, owner, what, build in _TABLE
)
"""Every planted leak, in the order of the channels."""
