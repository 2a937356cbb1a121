"""Turns a reproduction of a reported fault into the record that its application would have kept.

Nothing here knows a single file: what a report calls a requester, a chunk or a reply is what a record calls it. With
`expected` the record also says what should have happened, as whoever triaged the incident would; without, nothing does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.reports.adapter import Report

__all__ = ["record_of"]


def record_of(report: Report, *, expected: bool) -> str:
    """The record as JSON."""
    data, response = report.data, report.data["response"]
    record: dict[str, Any] = {
        "incident": report.id,
        "time": f"{data['as_of']}T09:00:00Z",
        "requester": data["requester"],
        "question": data["question"],
        "chunks": [_present(chunk) for chunk in data["corpus"]],
        "note": data["happened"],
    }
    if data["history"]:
        record["history"] = data["history"]
    if expected:
        record["expected"] = _present(data["expect"] or {}, keep=("reason",))
    hides = "NOT_AUTHORIZED" in json.dumps((data["expect"] or {}).get("reason"))
    record.update(_reply(response, hides=hides))
    if response and (paired := response.get("paired_with")):
        said = {key: value for key, value in paired.items() if key != "question"}
        record["absent_question"] = paired["question"]
        record["replies"] = [{"variant": "absent", **_reply({**response, **said}, hides=hides)}]
    return json.dumps(record, ensure_ascii=False)


def _reply(response: Mapping[str, Any] | None, *, hides: bool) -> dict[str, Any]:
    """What came back; `hides`: what the report calls forbidden is in public as if it were absent."""
    if response is None:
        return {"response": None}
    trace, reason = response.get("trace"), response.get("reason")
    internal = {"evidence": response.get("evidence"), **({"steps": [{"name": "report", **trace}]} if trace else {})}
    if "raw" in response:
        return {"raw": response["raw"], "internal": internal}
    shown = {key: value for key, value in response.items() if key not in _READ_APART}
    if hides and reason == "NOT_AUTHORIZED":
        shown["reason"], internal["reason_code"] = "NO_EVIDENCE", reason
    if response.get("shown_sources"):
        shown["sources"] = [{"chunk": one["id"], "title": one.get("title")} for one in response["shown_sources"]]
    return {"response": {**shown, "internal": internal}}


_READ_APART = frozenset({"evidence", "trace", "shown_sources", "paired_with"})


def _present(data: Mapping[str, Any], keep: tuple[str, ...] = ()) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None or key in keep}
