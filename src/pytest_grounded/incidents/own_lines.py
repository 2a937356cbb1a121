"""Our own lines: results of a run and recordings, which name a case and hold what the system returned to it.

Neither holds the question; it is the case's, or has to be said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounded.incidents.plain import read_plain
from pytest_grounded.incidents.record import ABSENT, Incident
from pytest_grounded.systems.recorded import LIVE

__all__ = ["is_recording_line", "is_results_line", "read_recording_lines", "read_results_line"]

_RECORDING = frozenset({"suite", "case", "step", "run", "variant", "response", "internal"})
_RESULTS = frozenset({"case", "suite", "verdict", "findings", "response"})


def is_results_line(row: Mapping[str, Any]) -> bool:
    """Whether a row is a line of a results file.

    >>> is_results_line({"case": "a", "suite": "s", "verdict": "fail", "findings": [], "response": None, "score": 1})
    True
    """
    return row.keys() >= _RESULTS


def is_recording_line(row: Mapping[str, Any]) -> bool:
    """Whether a row is a line of a recording.

    >>> is_recording_line({"case": "a", "response": None}), is_recording_line({"question": "?", "response": None})
    (True, False)
    """
    return {"case", "response"} <= row.keys() <= _RECORDING


def read_results_line(row: Mapping[str, Any], *, file: str) -> Incident:
    """The incident of a results line; beside ours it may hold the keys of a plain record (question, chunks, ...).

    What was not visible to the requester (evidence ids, steps) is not in it.
    """
    others = {key: value for key, value in row.items() if key not in _OF_RESULTS}
    plain = read_plain(others, file=file)
    response = row["response"]
    note = "what was not visible to the requester (evidence ids, prompts, steps): a results line has none"
    return Incident(
        form="a results line",
        file=file,
        question=plain.question,
        reply=ABSENT if response is None else response,
        history=plain.history,
        requester=plain.requester,
        as_of=plain.as_of,
        chunks=plain.chunks,
        stated=plain.stated,
        suite=str(row["suite"]),
        case=str(row["case"]),
        incident=plain.incident,
        why=plain.why,
        not_told=(*(one for one in plain.not_told if not one.startswith("not read of the record")), note),
    )


_OF_RESULTS = frozenset(
    {
        "case", "suite", "kind", "risk", "verdict", "findings", "waived", "tolerated", "decision", "reason_code",
        "score", "score_name", "answerable", "correct", "group", "slice", "label_source", "sample",
        "evidence", "response", "leakage", "trace", "not_run", "not_judged", "judge", "runs", "passed_runs",
        "versions", "timings", "corpus",
    }
)  # fmt: skip


def read_recording_lines(rows: Sequence[Mapping[str, Any]], *, file: str) -> Incident:
    """The incident of all lines of one case in a recording: the live reply to the judged step, and the others."""
    judged = next((row for row in rows if _is_judged(row)), rows[-1])
    return Incident(
        form="a recording",
        file=file,
        reply=judged["response"],
        internal=judged.get("internal"),
        replies=tuple(row for row in rows if row is not judged),
        suite=judged.get("suite"),
        case=str(judged["case"]),
    )


def _is_judged(row: Mapping[str, Any]) -> bool:
    return row.get("step") is None and row.get("run", 0) == 0 and row.get("variant", LIVE) == LIVE
