"""From the spans of one trace to an incident: what was asked, what was found, what went into the model, what came out.

Follows the semantic conventions for generative AI (`gen_ai.*`, as of 2026), their older forms, and OpenInference's
names for the same. Instrumentations record no content unless they are told to: what is not in the spans is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from pytest_grounded.incidents.otel_messages import Message, is_cut_off, messages_in, messages_out, system_texts
from pytest_grounded.incidents.otel_spans import Span, structured
from pytest_grounded.incidents.plain import is_json_like
from pytest_grounded.incidents.plain_chunks import read_chunks
from pytest_grounded.incidents.prose import response_of
from pytest_grounded.incidents.record import ABSENT, Incident

__all__ = ["is_genai", "read_trace"]

_OURS = ("gen_ai.", "openinference.", "llm.", "retrieval.")
_AGENTS = frozenset({"invoke_agent", "invoke_workflow", "AGENT", "CHAIN"})
_SEARCHES = frozenset({"retrieval", "search_memory", "RETRIEVER"})


def is_genai(span: Span) -> bool:
    """Whether a span, or an event of it, tells of generative AI.

    >>> is_genai(Span(trace="t", id="s", attributes={"gen_ai.operation.name": "chat"}))
    True
    """
    held = (*span.attributes, *(event.name for event in span.events))
    return any(key.startswith(_OURS) for key in held)


def read_trace(spans: Sequence[Span], *, file: str) -> Incident:
    """The incident that a trace tells of."""
    return _Reading(spans, file).incident()


class _Reading:
    """One trace being read; its spans from the root down, in the order they began."""

    def __init__(self, spans: Sequence[Span], file: str) -> None:
        depth = _depths(spans)
        self.all = sorted(spans, key=lambda span: (depth[span.id], span.start, span.id))
        self.spans = [span for span in self.all if is_genai(span)] or self.all
        self.file = file
        self.notes: list[str] = []

    def incident(self) -> Incident:
        chunks, scores = self._chunks()
        asked, history = self._asked()
        prompts = self._prompts()
        evidence = self._evidence(chunks, prompts)
        reply = self._reply(evidence)
        if asked is None or reply is ABSENT:
            self._note_content()
        internal = self._internal(evidence, prompts, scores)
        if isinstance(reply, Mapping):
            reply, internal = {**reply, "internal": {**internal}}, {}
        return Incident(
            form="an OpenTelemetry trace",
            file=self.file,
            question=asked,
            reply=reply,
            internal=internal or None,
            history=history,
            requester=self._requester(),
            as_of=self._day(),
            chunks=tuple(chunks),
            trace=self.all[0].trace or None,
            not_told=tuple(self.notes),
        )

    # --- what was asked and what came back

    def _asked(self) -> tuple[str | None, tuple[Mapping[str, Any], ...]]:
        """The question and the turns before it: what the user said to the outermost span that records it."""
        queries = [str(query) for span in self.spans if (query := _first(span, _QUERIES))]
        for span in self.spans:
            turns = [one for one in messages_in(span) if one.role in ("user", "assistant")]
            asked = next((place for place in range(len(turns) - 1, -1, -1) if turns[place].role == "user"), None)
            if asked is not None and not _is_search(span):
                history = tuple({"role": one.role, "text": one.text} for one in turns[:asked])
                return self._question(turns[asked].text, queries), history
        if queries:
            self.notes.append("the question: no message is recorded; taken for the words that were searched for")
        return (queries[0] if queries else None), ()

    def _question(self, text: str, queries: Sequence[str]) -> str:
        """A prompt that holds the question among its context is cut down to what was searched for."""
        held = next((query for query in queries if query in text and len(query) < len(text)), None)
        if held is not None:
            self.notes.append("the question: taken out of the prompt, by the words that were searched for")
        return held or text

    def _reply(self, evidence: Sequence[str]) -> Any:
        """What the outermost span that records it returned; of several at one depth, the last."""
        answers = [(span, out) for span in self._by_depth() if (out := _last(messages_out(span))) is not None]
        if not answers:
            is_error = any(span.is_error for span in self.spans)
            return None if is_error else ABSENT
        span, text = answers[0][0], answers[0][1].text
        if span.attributes.get("gen_ai.output.type") == "json" or is_json_like(text):
            return text
        self.notes.append("the decision: spans have none; taken for answer, because a text was shown")
        response = response_of(text, decision="answer", given=evidence)
        if not any(one.get("marker") for claim in response["claims"] for one in claim["citations"]):
            self.notes.append("citations: the text has no markers; each sentence is taken to rest on all of the chunks")
        return response

    def _by_depth(self) -> Iterator[Span]:
        """Spans that may have answered: agents and workflows from the outermost, then calls from the last."""
        outer = [span for span in self.spans if _operation(span) in _AGENTS]
        yield from outer
        rest = (span for span in self.spans if span not in outer and not _is_search(span))
        yield from sorted(rest, key=lambda span: (-span.start, span.id))

    # --- what was found, and what went into the model

    def _chunks(self) -> tuple[list[dict[str, Any]], dict[str, float]]:
        found: dict[str, dict[str, Any]] = {}
        scores: dict[str, float] = {}
        for written in (one for span in self.spans for one in _documents(span)):
            chunks, _ = read_chunks([written], {})
            for chunk in chunks:
                taken = found.get(chunk["id"])
                if taken is not None and taken["text"] != chunk["text"]:
                    chunk["id"] = f"{chunk['id']}-{len(found) + 1}"
                found.setdefault(chunk["id"], chunk)
                if isinstance(score := written.get("score"), int | float):
                    scores.setdefault(chunk["id"], float(score))
            if not chunks and isinstance(written.get("id"), str):
                scores.setdefault(written["id"], float(written.get("score") or 0))
        return list(found.values()), scores

    def _prompts(self) -> list[str]:
        calls = [span for span in self.spans if not _is_search(span) and _operation(span) not in _AGENTS]
        texts = [text for span in calls for text in (*system_texts(span), *(one.text for one in messages_in(span)))]
        return list(dict.fromkeys(texts))

    def _evidence(self, chunks: Sequence[Mapping[str, Any]], prompts: Sequence[str]) -> list[str]:
        """The chunks that stand in a prompt; all that were found where no prompt was recorded or holds any."""
        flat = [" ".join(prompt.split()) for prompt in prompts]
        given = [str(one["id"]) for one in chunks if any(" ".join(one["text"].split()) in prompt for prompt in flat)]
        return given or [str(one["id"]) for one in chunks]

    def _internal(self, evidence: Sequence[str], prompts: Sequence[str], scores: Mapping[str, float]) -> dict[str, Any]:
        internal: dict[str, Any] = {"evidence": list(evidence)}
        if scores:
            internal["candidates"] = [{"chunk": chunk, "score": score} for chunk, score in scores.items()]
        if prompts:
            internal["prompt"] = list(prompts)
        models = [str(model) for span in self.spans if (model := _first(span, _MODELS))]
        if models:
            internal["versions"] = {"model": models[-1]}
        return internal

    # --- who and when

    def _requester(self) -> Mapping[str, Any] | str | None:
        held: dict[str, Any] = {}
        for span in reversed(self.all):
            for key, ours in _WHO.items():
                value = structured(span.attributes.get(key))
                if value:
                    held[ours] = value if isinstance(value, list) else str(value)
        if set(held) == {"id"}:
            return str(held["id"])
        for key in ("groups", "audience"):
            if isinstance(held.get(key), str):
                held[key] = [one for one in re.split(r"[\s,]+", held[key]) if one]
        return held or None

    def _day(self) -> date | None:
        starts = [span.start for span in self.all if span.start]
        if not starts:
            return None
        return datetime.fromtimestamp(min(starts) / 1_000_000_000, tz=UTC).date()

    def _note_content(self) -> None:
        if any(map(is_cut_off, self.spans)):
            self.notes.append(
                "messages: they were cut off by the exporter (raise its limit on the length of attributes)"
            )
            return
        self.notes.append(
            "messages: the spans hold none (instrumentations record content only when told to, for one with "
            "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)"
        )


_QUERIES = ("gen_ai.retrieval.query.text", "gen_ai.memory.query.text", "retrieval.query")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
_WHO: Mapping[str, str] = {
    "enduser.id": "id",
    "user.id": "id",
    "enduser.role": "audience",
    "enduser.scope": "groups",
    "user.roles": "groups",
    "tenant.id": "tenant",
    "enduser.tenant": "tenant",
}


def _operation(span: Span) -> str:
    return str(_first(span, ("gen_ai.operation.name", "openinference.span.kind")) or "")


def _is_search(span: Span) -> bool:
    return _operation(span) in _SEARCHES or "gen_ai.retrieval.query.text" in span.attributes


def _first(span: Span, keys: Sequence[str]) -> Any:
    return next((span.attributes[key] for key in keys if span.attributes.get(key)), None)


def _last(messages: Sequence[Message]) -> Message | None:
    said = [one for one in messages if one.role == "assistant"]
    return said[-1] if said else None


_INDEXED = re.compile(r"(?:retrieval|reranker\.output)\.documents\.(?P<place>\d{1,4})\.document\.(?P<part>\w+)")


def _documents(span: Span) -> Iterator[dict[str, Any]]:
    """Documents as a search recorded them: as a list, or one attribute a part; else what a tool returned as one."""
    held = (span.attributes, *(event.attributes for event in span.events))
    for key in ("gen_ai.retrieval.documents", "gen_ai.memory.records"):
        for written in (structured(one[key]) for one in held if key in one):
            yield from (dict(one) for one in written or () if isinstance(one, Mapping))
    found: dict[int, dict[str, Any]] = {}
    for key, value in span.attributes.items():
        if match := _INDEXED.fullmatch(key):
            found.setdefault(int(match["place"]), {})[match["part"]] = structured(value)
    yield from (found[place] for place in sorted(found))
    result = structured(_first(span, ("gen_ai.tool.call.result",)))
    inner = result.get("documents") or result.get("results") if isinstance(result, Mapping) else result
    for one in inner if isinstance(inner, list) else ():
        if isinstance(one, Mapping) and any(isinstance(one.get(key), str) for key in _TEXTS):
            yield dict(one)


_TEXTS = ("text", "content", "page_content")


def _depths(spans: Sequence[Span]) -> dict[str, int]:
    """How far each span is from the root of its trace; a parent that was not exported counts as none."""
    parents = {span.id: span.parent for span in spans}
    depths: dict[str, int] = {}
    for span in spans:
        path: list[str] = []
        at = span.id
        while at in parents and at not in depths and at not in path:
            path.append(at)
            at = parents[at]
        base = depths.get(at, -1)
        for distance, one in enumerate(reversed(path), start=1):
            depths[one] = base + distance
    return depths
