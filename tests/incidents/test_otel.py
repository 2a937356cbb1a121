"""Exports of OpenTelemetry, in each of the ways the GenAI conventions have recorded content, tell one incident."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.record import ABSENT, Incident
from pytest_grounded.incidents.sources import read_record

TRACE, START = "f64361f1ffea23193553322e72d3a11a", 1727773920000000000
QUESTION, ANSWER = "What is the nightly hotel limit?", "It is $150 [1]."
PROMPT = f"Context:\n[1] The nightly hotel limit is $150.\nQuestion: {QUESTION}"
DOCUMENTS = [{"id": "limit-2023", "content": "The nightly hotel limit is $150.", "score": 0.9, "acl": ["staff"]}]

Attributes = Mapping[str, Any]


def message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


ROOT = {"gen_ai.operation.name": "invoke_agent", "enduser.id": "u-17", "user.roles": ["staff"]}
SEARCH = {
    "gen_ai.operation.name": "retrieval",
    "gen_ai.retrieval.query.text": QUESTION,
    "gen_ai.retrieval.documents": json.dumps(DOCUMENTS),
}
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.response.model": "m-1"}
ON_SPAN = {
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Answer from the context."}]),
    "gen_ai.input.messages": json.dumps([message("user", PROMPT)]),
    "gen_ai.output.messages": json.dumps([message("assistant", ANSWER)]),
}
STRUCTURED = {key: json.loads(value) for key, value in ON_SPAN.items()}


def typed(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [typed(one) for one in value]}}
        case dict():
            return {"kvlistValue": {"values": pairs(value)}}
        case _:
            return {"stringValue": value}


def pairs(attributes: Attributes) -> list[dict[str, Any]]:
    return [{"key": key, "value": typed(value)} for key, value in attributes.items()]


def otlp(*spans: Attributes, events: Mapping[str, Attributes] | None = None, trace: str = TRACE) -> bytes:
    """An export; the first span is the root, the others its children, the last of which has the events."""
    written: list[dict[str, Any]] = [
        {
            "traceId": trace,
            "spanId": f"s{place}",
            "parentSpanId": "s0" if place else "",
            "startTimeUnixNano": str(START + place),
            "attributes": pairs(attributes),
            "events": [
                {"name": name, "attributes": pairs(body)}
                for name, body in (events or {}).items()
                if place == len(spans) - 1
            ],
        }
        for place, attributes in enumerate(spans)
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": written}]}]}).encode() + b"\n"


def console(*spans: Attributes) -> bytes:
    """What an SDK prints: one object after the other, over lines, the children first."""
    written: list[dict[str, Any]] = [
        {
            "name": "span",
            "context": {"trace_id": f"0x{TRACE}", "span_id": f"0xs{place}"},
            "parent_id": "0xs0" if place else None,
            "start_time": "2024-10-01T09:12:00.000001Z",
            "attributes": attributes,
            "events": [],
        }
        for place, attributes in enumerate(spans)
    ]
    return "\n".join(json.dumps(one, indent=4) for one in reversed(written)).encode()


def logs(*records: Mapping[str, Any]) -> bytes:
    written: list[dict[str, Any]] = [
        {"traceId": TRACE, "spanId": "s2", "timeUnixNano": str(START), **record} for record in records
    ]
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": written}]}]}).encode()


DETAILS: dict[str, Any] = {"eventName": "gen_ai.client.inference.operation.details", "attributes": pairs(STRUCTURED)}
ONE_BY_ONE = (
    {"eventName": "gen_ai.user.message", "body": typed({"content": PROMPT})},
    {
        "attributes": pairs({"event.name": "gen_ai.choice"}),
        "body": typed({"message": {"role": "assistant", "content": ANSWER}}),
    },
)
OPENINFERENCE = {
    "openinference.span.kind": "RETRIEVER",
    "input.value": QUESTION,
    "retrieval.documents.0.document.id": "limit-2023",
    "retrieval.documents.0.document.content": DOCUMENTS[0]["content"],
    "retrieval.documents.0.document.score": 0.9,
    "retrieval.documents.0.document.metadata": json.dumps({"acl": ["staff"]}),
}

RECORDED = {
    "on the span, as JSON text": otlp(ROOT, SEARCH, {**CHAT, **ON_SPAN}),
    "on the span, structured": otlp(ROOT, SEARCH, {**CHAT, **STRUCTURED}),
    "on the agent's span as well": otlp(
        {**ROOT, **ON_SPAN, "gen_ai.input.messages": json.dumps([message("user", QUESTION)])}, SEARCH, {**CHAT, **ON_SPAN}
    ),
    "printed to a console": console(ROOT, SEARCH, {**CHAT, **ON_SPAN}),
    "on an event of the span": otlp(ROOT, SEARCH, CHAT, events={DETAILS["eventName"]: STRUCTURED}),
    "on an event in the logs": otlp(ROOT, SEARCH, CHAT) + logs(DETAILS),
    "one event a message": otlp(
        ROOT, SEARCH, CHAT, events={"gen_ai.user.message": {"content": PROMPT}, "gen_ai.choice": {"message": json.dumps({"content": ANSWER})}}
    ),
    "one log record a message": otlp(ROOT, SEARCH, CHAT) + logs(*ONE_BY_ONE),
    "the oldest events": otlp(
        ROOT,
        SEARCH,
        CHAT,
        events={
            "gen_ai.content.prompt": {"gen_ai.prompt": json.dumps([{"role": "user", "content": PROMPT}])},
            "gen_ai.content.completion": {"gen_ai.completion": json.dumps([{"role": "assistant", "content": ANSWER}])},
        },
    ),
    "one attribute a message": otlp(
        ROOT, SEARCH, {**CHAT, "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": PROMPT, "gen_ai.completion.0.content": ANSWER}
    ),
    "OpenInference": otlp(
        {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": ANSWER, "user.roles": ["staff"], "user.id": "u-17"},
        OPENINFERENCE,
        {
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": PROMPT,
            "llm.output_messages.0.message.content": ANSWER,
            "llm.model_name": "m-1",
        },
    ),
    "documents of a tool": otlp(
        ROOT,
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": json.dumps({"results": DOCUMENTS})},
        {**CHAT, **ON_SPAN, "gen_ai.input.messages": json.dumps([message("system", "Answer from the context."), message("user", QUESTION)])},
    ),
}  # fmt: skip


@pytest.mark.parametrize("raw", RECORDED.values(), ids=RECORDED)
def test_every_way_tells_the_same(raw: bytes) -> None:
    incident = read_record(raw, file="trace.json")
    assert incident.form == "an OpenTelemetry trace"
    assert incident.question == QUESTION
    assert incident.as_of == date(2024, 10, 1)
    assert incident.requester == {"id": "u-17", "groups": ["staff"]}
    assert [(one["id"], one["text"], one["readers"]) for one in incident.chunks] == [
        ("limit-2023", "The nightly hotel limit is $150.", ["staff"])
    ]
    assert incident.reply["text"] == ANSWER
    assert incident.reply["claims"] == [
        {"text": "It is $150.", "citations": [{"chunk": "limit-2023", "marker": "1"}]},
    ]
    internal = incident.reply["internal"]
    assert internal["evidence"] == ["limit-2023"]
    assert internal["candidates"] == [{"chunk": "limit-2023", "score": 0.9}]
    assert internal["versions"] == {"model": "m-1"}
    assert incident.trace == TRACE


def chat(*messages: Mapping[str, Any], out: str = ANSWER, **more: Any) -> Incident:
    span = {
        **CHAT,
        "gen_ai.input.messages": json.dumps(messages),
        "gen_ai.output.messages": json.dumps([message("assistant", out)]),
    }
    return read_record(otlp({**span, **more}), file="t.json")


def test_earlier_turns_are_the_history() -> None:
    incident = chat(
        message("system", "Be brief."),
        message("user", "Hello"),
        message("assistant", "Hi."),
        message("user", "How much?"),
    )
    assert incident.question == "How much?"
    assert incident.history == ({"role": "user", "text": "Hello"}, {"role": "assistant", "text": "Hi."})
    assert incident.reply["internal"]["prompt"] == ["Be brief.", "Hello", "Hi.", "How much?"]


def test_a_model_that_was_asked_for_json_gave_a_raw_reply() -> None:
    incident = chat(message("user", "How much?"), out='{"decision": "abstain"}')
    assert incident.reply == '{"decision": "abstain"}'
    assert incident.internal == {"evidence": [], "prompt": ["How much?"], "versions": {"model": "m-1"}}


def test_what_a_model_thought_and_called_is_no_answer() -> None:
    parts = [
        {"type": "reasoning", "content": "Hm."},
        {"type": "tool_call", "name": "f"},
        {"type": "text", "content": "It is $150."},
    ]
    incident = chat(
        message("user", "?"), **{"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}])}
    )
    assert incident.reply["text"] == "It is $150."


def test_spans_without_content_say_how_to_record_it() -> None:
    incident = read_record(otlp(ROOT, CHAT), file="t.json")
    assert incident.question is None
    assert incident.reply is ABSENT
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in incident.not_told[-1]


def test_messages_that_were_cut_off_are_told_from_none() -> None:
    incident = read_record(otlp({**CHAT, "gen_ai.input.messages": '[{"role": "user", "pa'}), file="t.json")
    assert "cut off by the exporter" in incident.not_told[-1]


def test_a_call_that_failed_gave_nothing_back() -> None:
    raw = json.loads(otlp({**CHAT, "gen_ai.input.messages": json.dumps([message("user", "?")])}))
    raw["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["status"] = {"code": "STATUS_CODE_ERROR"}
    assert read_record(json.dumps(raw).encode(), file="t.json").reply is None


def test_of_several_traces_one_is_picked_by_the_beginning_of_its_id() -> None:
    raw = (
        otlp(CHAT)
        + otlp({**CHAT, **ON_SPAN}, trace="0af7651916cd43dd8448eb211c80319c")
        + otlp({"http.route": "/"}, trace="ab")
    )
    with pytest.raises(
        GroundedError, match="holds 2 incidents; say which with --pick: 0af7651916cd43dd8448eb211c80319c, f64361f1"
    ):
        read_record(raw, file="t.jsonl")
    assert read_record(raw, file="t.jsonl", pick="0af765").trace == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    "raw",
    [
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [null, {"key": 1, "value": {"arrayValue": null}}]}]}]}]}',
        b'{"resourceSpans": [null, {"resource": 3, "scopeSpans": {}}], "resourceLogs": [{}]}',
        b'{"traceId": "t", "attributes": {"gen_ai.input.messages": "[[1, null, {}]]", "gen_ai.retrieval.documents": "{}"}}',
        b'{"traceId": "t", "spanId": "a", "parentSpanId": "a", "startTimeUnixNano": "x", "attributes": {"gen_ai.x": {}}}',
    ],
)  # fmt: skip
def test_odd_exports_are_read_or_refused_and_never_crash(raw: bytes) -> None:
    try:
        incident = read_record(raw, file="t.json")
    except GroundedError:
        return
    assert incident.form == "an OpenTelemetry trace"
