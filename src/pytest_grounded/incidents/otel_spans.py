"""OpenTelemetry exports as plain spans: OTLP JSON of traces and logs, and what the SDKs print to a console.

Attribute values become plain JSON values; log records and span events become events of the span they belong to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

__all__ = ["Event", "Span", "is_export", "spans_of", "structured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that was recorded while a span ran; `attributes` holds the body's keys too."""

    name: str
    attributes: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One operation. Times are nanoseconds since 1970, 0 where they are not stated."""

    trace: str
    id: str
    parent: str = ""
    name: str = ""
    start: int = 0
    end: int = 0
    is_error: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict, repr=False)
    events: tuple[Event, ...] = ()


_CONTAINERS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")


def is_export(row: Mapping[str, Any]) -> bool:
    """Whether an object is part of an export of spans or logs.

    >>> is_export({"resourceSpans": []}), is_export({"question": "?"})
    (True, False)
    """
    if any(isinstance(row.get(key), list) for key in _CONTAINERS):
        return True
    if isinstance(row.get("context"), Mapping) and "trace_id" in row["context"]:
        return True
    return "attributes" in row and any(key in row for key in ("traceId", "trace_id"))


def spans_of(rows: Iterable[Mapping[str, Any]]) -> list[Span]:
    """Every span of some exported objects, with the events that log records hold for it.

    >>> row = {"traceId": "t", "spanId": "s", "attributes": [{"key": "a", "value": {"intValue": "3"}}]}
    >>> spans_of([row])[0].attributes
    {'a': 3}
    """
    spans: dict[tuple[str, str], Span] = {}
    events: list[tuple[str, str, int, Event]] = []
    for row in rows:
        for written, resource in _written_spans(row):
            span = _span(written, resource)
            spans[span.trace, span.id] = span
        events += _log_events(row)
    for trace, span_id, time, event in events:
        known = spans.get((trace, span_id)) or Span(trace=trace, id=span_id, start=time)
        spans[trace, span_id] = _with_events(known, event)
    return list(spans.values())


def _with_events(span: Span, *events: Event) -> Span:
    return Span(
        trace=span.trace,
        id=span.id,
        parent=span.parent,
        name=span.name,
        start=span.start,
        end=span.end,
        is_error=span.is_error,
        attributes=span.attributes,
        events=(*span.events, *events),
    )


def _written_spans(row: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Spans as they are written, each with the attributes of its resource."""
    if not any(isinstance(row.get(key), list) for key in _CONTAINERS):
        yield row, _attributes(_of(_mapping(row.get("resource")), "attributes"))
        return
    for held in _listed(row, "resourceSpans", "resource_spans"):
        resource = _attributes(_of(_mapping(held.get("resource")), "attributes"))
        for scope in _listed(held, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _listed(scope, "spans"):
                yield span, resource


def _span(written: Mapping[str, Any], resource: Mapping[str, Any]) -> Span:
    context = _mapping(written.get("context"))
    status = _mapping(written.get("status"))
    code = str(_of(status, "code", "status_code") or "")
    return Span(
        trace=_id(_of(written, "traceId", "trace_id") or context.get("trace_id")),
        id=_id(_of(written, "spanId", "span_id") or context.get("span_id")),
        parent=_id(_of(written, "parentSpanId", "parent_span_id", "parent_id")),
        name=str(written.get("name") or ""),
        start=_time(_of(written, "startTimeUnixNano", "start_time_unix_nano", "start_time")),
        end=_time(_of(written, "endTimeUnixNano", "end_time_unix_nano", "end_time")),
        is_error=code.endswith(("ERROR", "2")),
        attributes={**resource, **_attributes(written.get("attributes"))},
        events=tuple(_events(written.get("events"))),
    )


def _events(written: Any) -> Iterator[Event]:
    for event in written if isinstance(written, list) else ():
        if isinstance(event, Mapping):
            yield Event(name=str(event.get("name") or ""), attributes=_attributes(event.get("attributes")))


def _log_events(row: Mapping[str, Any]) -> Iterator[tuple[str, str, int, Event]]:
    for held in _listed(row, "resourceLogs", "resource_logs"):
        for scope in _listed(held, "scopeLogs", "scope_logs"):
            for record in _listed(scope, "logRecords", "log_records"):
                attributes = _attributes(record.get("attributes"))
                body = _value(record.get("body"))
                name = str(_of(record, "eventName", "event_name") or attributes.get("event.name") or "")
                merged = {**attributes, **(body if isinstance(body, Mapping) else {"body": body})}
                trace, span = _id(_of(record, "traceId", "trace_id")), _id(_of(record, "spanId", "span_id"))
                time = _time(_of(record, "timeUnixNano", "observedTimeUnixNano", "time_unix_nano"))
                yield trace, span, time, Event(name=name, attributes=merged)


# --- values ------------------------------------------------------------------------------------------------------


def _attributes(written: Any) -> dict[str, Any]:
    """Attributes as a mapping, written as one or as OTLP's list of keys and typed values."""
    if isinstance(written, Mapping):
        return {str(key): _value(value) for key, value in written.items()}
    pairs = [one for one in written if isinstance(one, Mapping)] if isinstance(written, list) else []
    return {str(pair.get("key")): _value(pair.get("value")) for pair in pairs}


_TYPED = ("stringValue", "intValue", "doubleValue", "boolValue", "arrayValue", "kvlistValue", "bytesValue")
_SNAKE = re.compile(r"_([a-z])")


def _value(written: Any) -> Any:
    """A typed value of OTLP as a plain one; any other value as it is."""
    if isinstance(written, list):
        return [_value(one) for one in written]
    if not isinstance(written, Mapping):
        return written
    if len(written) != 1:
        return {str(key): _value(value) for key, value in written.items()}
    key, value = next(iter(written.items()))
    kind = _SNAKE.sub(lambda match: match[1].upper(), str(key))
    if kind not in _TYPED:
        return {str(key): _value(value)}
    if kind == "intValue":
        return int(value) if str(value).lstrip("-").isdigit() else value
    if kind == "arrayValue":
        return [_value(one) for one in _mapping(value).get("values") or ()]
    if kind == "kvlistValue":
        return _attributes(_mapping(value).get("values") or [])
    return value


def _id(written: Any) -> str:
    return str(written or "").removeprefix("0x")


def _time(written: Any) -> int:
    """Nanoseconds since 1970 of a number or of a time in ISO 8601; 0 for anything else."""
    if isinstance(written, int | float) or (isinstance(written, str) and written.isdigit()):
        return int(written)
    if isinstance(written, str):
        try:
            moment = datetime.fromisoformat(written)
        except ValueError:
            return 0
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1_000_000_000)
    return 0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _of(held: Mapping[str, Any], *keys: str) -> Any:
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _listed(held: Mapping[str, Any], *keys: str) -> Sequence[Mapping[str, Any]]:
    found = _of(held, *keys)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def structured(value: Any) -> Any:
    """A value that may be recorded as JSON text; None where that text was cut off.

    >>> structured('[{"id": "c1"}]'), structured("plain"), structured('[{"id": ')
    ([{'id': 'c1'}], 'plain', None)
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
