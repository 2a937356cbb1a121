"""Would something the requester may not read have answered? Asked for the audit log alone, after the fact.

The probe runs when the visible response is made, changes nothing in it, and what it finds goes to
`internal.reason_code` only. It runs for every question, whatever came of it, and the time it takes is not part of the
measured time; a server that cannot have the requester wait for it sends the response first and probes afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import ReasonCode
from pytest_grounded.pipeline.gathering import Search
from pytest_grounded.pipeline.permit import Readable
from pytest_grounded.pipeline.reference import ReferencePipeline

__all__ = ["AuditedPipeline", "probe"]


def probe(request: Request, pipeline: ReferencePipeline) -> ReasonCode | None:
    """NOT_AUTHORIZED where the gate would open with everything readable, and not without; no generator is called."""
    readable = pipeline.stages.permit(request)
    everything = Readable(
        corpus=request.corpus.known_at(request.as_of), requester=request.requester, as_of=request.as_of
    )
    with_all, with_own = (_opens(request, pipeline, corpus) for corpus in (everything, readable))
    return ReasonCode.NOT_AUTHORIZED if with_all and not with_own else None


def _opens(request: Request, pipeline: ReferencePipeline, readable: Readable) -> bool:
    settings = pipeline.settings
    question = pipeline.stages.read(request.question, settings.retrieval.folding)
    search = Search(
        question=question, readable=readable, settings=settings, stages=pipeline.stages, scorer=pipeline.scorer
    )
    decision = search.first().decision
    return decision.opens or bool(decision.conflicts)


class AuditedPipeline:
    """A pipeline whose internal reason code tells a forbidden thing from an absent one. Nothing visible does.

    `clock` (such as `time.perf_counter`) measures the answer without the probe into `internal.timings`.
    """

    def __init__(self, pipeline: ReferencePipeline, *, clock: Callable[[], float] | None = None) -> None:
        self.pipeline = pipeline
        self._clock = clock

    def answer(self, request: Request) -> Response:
        """Answer, and note in the internal part alone what the probe finds."""
        started = self._clock() if self._clock else None
        response = self.pipeline.answer(request)
        timings = None
        if self._clock is not None and started is not None:
            timings = {"total_ms": round((self._clock() - started) * 1000, 3)}
        found = probe(request, self.pipeline)
        code = response.reason_code if found is None else found.value
        internal = response.internal.model_copy(update={"reason_code": code, "timings": timings})
        return response.model_copy(update={"internal": internal})
