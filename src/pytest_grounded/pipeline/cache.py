"""Answers kept for the same question of someone with the same permissions, on the same corpus, day and verifier.

A cached answer is looked at again before it is shown: every chunk it cites must still be readable, in force and
applicable, and the text must be the one it was made from. The key leaves out who asks and keeps what they may read.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Json, Response
from pytest_grounded.model.vocabulary import ReasonCode
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.text.tracing import compatible

__all__ = ["CachedPipeline", "Entry", "answer_key", "still_holds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A response with what it was made for; `texts` are the content hashes of the chunks it cites."""

    response: Response
    made_for: Json
    texts: tuple[tuple[str, str], ...]


def answer_key(request: Request, pipeline: ReferencePipeline) -> Hashable:
    """What has to be equal for an answer to be shown again.

    Question (folded), permissions and applicability of the requester, the corpus as they may read it, the day, the
    conversation so far, and every version of the pipeline, its verifier included.
    """
    requester = request.requester
    view = request.corpus.view(requester, request.as_of)
    return (
        " ".join(compatible(request.question).casefold().split()),
        requester.tenant,
        tuple(sorted(requester.groups)),
        tuple(sorted(requester.audience)),
        tuple(sorted(requester.scope.items())),
        view.readable_corpus.digest,
        request.as_of,
        tuple((turn.role, turn.text, turn.cites) for turn in request.history),
        pipeline.settings.digest,
        pipeline.generator.name,
        pipeline.scorer.name,
        pipeline.verifier,
    )


def still_holds(entry: Entry, request: Request) -> bool:
    """Whether every chunk a cached answer cites may be relied on by this requester today, with the same text."""
    view = request.corpus.view(request.requester, request.as_of)
    return all(
        view.usable(chunk_id) and view.readable[chunk_id].content_hash == content_hash
        for chunk_id, content_hash in entry.texts
    )


class CachedPipeline:
    """A pipeline that shows an answer again where everything it depends on is the same.

    `answers` is what is asked where nothing is kept: the pipeline itself, or the pipeline with something around it.
    Failures of a dependency are not kept. `key` and `holds` are functions, so that a test can break either.
    """

    def __init__(
        self,
        pipeline: ReferencePipeline,
        *,
        answers: Answers | None = None,
        size: int = 512,
        key: Callable[[Request, ReferencePipeline], Hashable] = answer_key,
        holds: Callable[[Entry, Request], bool] = still_holds,
    ) -> None:
        self.pipeline = pipeline
        self._answers: Answers = answers or pipeline
        self._size = size
        self._key = key
        self._holds = holds
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, request: Request) -> Response:
        """Answer from the cache where that is allowed, else from the pipeline."""
        key = self._key(request, self.pipeline)
        with self._lock:
            entry = self._entries.get(key)
        if entry is not None and self._holds(entry, request):
            return _with_cache(entry.response, {"hit": True, **entry.made_for})
        response = self._answers.answer(request)
        made_for = _made_for(request, self.pipeline)
        if response.reason_code != ReasonCode.SYSTEM_FAILURE:
            self._keep(key, Entry(response=response, made_for=made_for, texts=_texts(response, request)))
        return _with_cache(response, {"hit": False, **made_for})

    def _keep(self, key: Hashable, entry: Entry) -> None:
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


def _made_for(request: Request, pipeline: ReferencePipeline) -> Json:
    """What an entry depends on, as the trace says it: permissions and never a name."""
    requester = request.requester
    return {
        "corpus": request.corpus.view(requester, request.as_of).readable_corpus.digest,
        "as_of": request.as_of.isoformat(),
        "verifier": pipeline.verifier,
        "requester": {"tenant": requester.tenant, "groups": sorted(requester.groups)},
    }


def _texts(response: Response, request: Request) -> tuple[tuple[str, str], ...]:
    shown = (*response.cited, *(source.chunk for source in response.sources if source.chunk))
    chunks = (request.corpus.get(chunk_id) for chunk_id in dict.fromkeys(shown))
    return tuple((chunk.id, chunk.content_hash) for chunk in chunks if chunk is not None)


def _with_cache(response: Response, cache: Json) -> Response:
    return response.model_copy(update={"internal": response.internal.model_copy(update={"cache": cache})})
