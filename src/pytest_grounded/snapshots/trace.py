"""The canonical trace of a case's outcome: what is compared with the approved one, and stored.

What is kept is allowed by name (`shown`, `observed`), then cleaned of what the requester may not read, then freed of
what differs between two runs that did the same (`volatile`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Protocol

from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import CorpusView
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.snapshots.canonical import canonical, in_order
from pytest_grounded.snapshots.credentials import refuse_secrets
from pytest_grounded.snapshots.observed import observed
from pytest_grounded.snapshots.schema import FIELDS, NORMALISER, SCHEMA, JsonValue, Trace
from pytest_grounded.snapshots.shown import shown
from pytest_grounded.snapshots.volatile import drop_volatile, rename_request_ids
from pytest_grounded.text.sentences import split_sentences

__all__ = ["Cleaner", "build_trace"]


class Cleaner(Protocol):
    """Takes out of a text or a JSON value what the requester of the case may not read."""

    def text(self, text: str, /) -> str:
        """The text, cleaned."""
        ...

    def value(self, value: Any, /) -> Any:
        """The JSON value, cleaned, keys too."""
        ...


def build_trace(case: Case, outcome: Outcome, *, redactor: Cleaner, root: PurePath | None = None) -> Trace:
    """The canonical trace of what came of asking a case: plain JSON, the same on every machine and in every process.

    Keys without a value are left out, except those every trace begins with; `evidence: []` (none) differs from no
    `evidence` (not observed). Chunks the requester may not read are named `restricted-<n>`; paths below `root` are
    made relative to it. Raises `SnapshotError`: `output.schema` where a number is not finite, `snapshot.secret` where
    something that would be kept is a credential.
    """
    view, response = case.view, outcome.response
    body = canonical(
        {
            "decision": outcome.decision,
            "reason_code": outcome.reason_code,
            **_EMPTY,
            **(shown(response, view) if response else {}),
            **({"failure": outcome.failure.kind} if outcome.failure else {}),
            **observed(outcome.internal, response, view),
        }
    )
    assert isinstance(body, dict)
    body["versions"] = canonical(outcome.internal.versions or {}, "versions", digits=None)
    # Cleaned before its keys are put in order: words hidden in keys say something only as they came.
    cleaned = in_order(_cleaned(body, redactor))
    assert isinstance(cleaned, dict)
    header: Trace = {
        "schema": SCHEMA,
        "normaliser": NORMALISER,
        "case_sha": case.content_hash,
        "chunks": _chunk_hashes(outcome, view),
        "versions": _labels(cleaned["versions"]),
    }
    trace = _in_sentences(_steadied({**cleaned, **header}, view, root))
    return {key: trace[key] for key in FIELDS if key in trace}


def _cleaned(value: Trace, redactor: Cleaner) -> Trace:
    """The value, cleaned. Cleaning masks a credential; the case has to fail for it, so what changed is searched first.

    A cleaner gives back what it leaves as it is, and most traces are left: searching them all costs more than the rest.
    """
    cleaned: Trace = redactor.value(value)
    if cleaned is not value:
        refuse_secrets(value)
    return cleaned


_EMPTY: dict[str, object] = {"next_step": None, "missing": (), "text": "", "claims": (), "citations": ()}


def _chunk_hashes(outcome: Outcome, view: CorpusView) -> dict[str, JsonValue]:
    """The content hashes of the readable chunks this outcome used: cited, given to the model, or kept as candidates."""
    response, internal = outcome.response, outcome.internal
    used = {*(response.cited if response else ()), *(internal.evidence or ())}
    used |= {candidate.chunk for candidate in internal.candidates or () if candidate.kept}
    for conflict in response.conflicts if response else ():
        used.update(chunk for side in conflict.sides for chunk in side.chunks)
    return {chunk: view.readable[chunk].content_hash for chunk in sorted(used & view.readable.keys())}


_LONGEST_LABEL = 200


def _labels(value: JsonValue) -> JsonValue:
    """A version is a label; a whole prompt in its place is kept as its hash, taken after cleaning."""
    if isinstance(value, dict):
        return {key: _labels(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_labels(item) for item in value]
    if isinstance(value, str) and (len(value) > _LONGEST_LABEL or "\n" in value):
        return "sha256:" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return value


_OPEN = ("versions", "other", "steps")
_WITH_OTHERS = ("claims", "citations", "conflicts", "sources", "rendered", "stream")


def _steadied(trace: Trace, view: CorpusView, root: PurePath | None) -> Trace:
    """The trace without what differs between equal runs, in the parts whose keys are the system's own."""
    for record, key in list(_open_parts(trace)):
        record[key] = drop_volatile(record[key], root)
        if record[key] == {}:
            del record[key]
    unknown = (*(record[key] for record, key in _open_parts(trace)), trace.get("actions"))
    renamed = rename_request_ids(trace, unknown, keep=lambda given: given in view.corpus or _is_alias(given))
    assert isinstance(renamed, dict)
    return renamed


def _is_alias(given: str) -> bool:
    return given.startswith("restricted-")


def _open_parts(trace: Trace) -> Iterator[tuple[dict[str, JsonValue], str]]:
    """Every part of a trace with keys this package does not define, as the object that holds it and its key there."""
    for key in _OPEN:
        if key in trace:
            yield trace, key
    error = trace.get("error")
    if isinstance(error, dict) and "other" in error:
        yield error, "other"
    for key in _WITH_OTHERS:
        for record in _records(trace.get(key)):
            if "other" in record:
                yield record, "other"
            for side in _records(record.get("sides")):
                if "other" in side:
                    yield side, "other"


def _records(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _in_sentences(trace: Trace) -> Trace:
    """The trace with its long texts as arrays of sentences, so that a one-word edit touches one line."""
    trace["text"] = _sentences(trace["text"])
    for run in _records(trace.get("stream")):
        run["text"] = _sentences(run["text"])
    return trace


def _sentences(text: JsonValue) -> JsonValue:
    return list(split_sentences(text)) if isinstance(text, str) else text
