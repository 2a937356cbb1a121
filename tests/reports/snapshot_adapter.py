"""Reads a report about snapshots (tests/data/reports/SOURCE.md) as approved traces and what is then done with them.

Such a report gives its artefact and its action in words. What is read: a list of snapshots on disk, the content of one
snapshot, or the texts of two runs; which cases are run, how, and what the system returns then. Knows no single file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import yaml

__all__ = ["SnapshotReport", "is_about_snapshots", "load_snapshot_report"]

CHUNK = "trv#1"
STATED = "The nightly hotel limit in standard cities is $180."
CASE = "hotel-limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotReport:
    """What stands on disk, and the runs that follow.

    `cases` are those of the project, `gone` names of approved traces without a case. `stored` is the approved trace of
    the first case as a reply, `raw` its text where that is no trace; where both are None what the system replies is
    approved first. `reply` is what the system then returns for that case. `runs` are the arguments of each run, with
    the names of cases that are skipped in it.
    """

    id: str
    expected_verdict: str
    failing_check: str | None
    cases: tuple[str, ...] = (CASE,)
    gone: tuple[str, ...] = ()
    stored: Mapping[str, Any] | None = None
    raw: str | None = None
    reply: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()


def is_about_snapshots(data: Mapping[str, Any]) -> bool:
    """Whether a file's subject is snapshots, or two runs against one."""
    return data["subject"] == "snapshot" or (
        data["subject"] == "run_output" and _TEXT_OF_RUN.search(_text(data)) is not None
    )


def load_snapshot_report(data: Mapping[str, Any]) -> SnapshotReport:
    """Read the data of a file."""
    named = {"id": data["id"], "expected_verdict": data["expected_verdict"], "failing_check": data["failing_check"]}
    text, action = _text(data), str(data["artifact"]["action"])
    if listed := _ON_DISK.search(text):
        return SnapshotReport(**named, **_disk(listed["names"], action), reply=reply())
    if texts := _TEXT_OF_RUN.findall(text):
        first, last = ({**reply(), "text": said.replace('\\"', '"')} for said in (texts[0], texts[-1]))
        return SnapshotReport(**named, stored=first, reply=last, runs=(_CHECK,))
    case = PurePosixPath(str(data["artifact"]["path"])).stem
    content = _mapping(text)
    runs = (_UPDATE,) if _WRITES.search(action) else (_CHECK,)
    if content is None:
        return SnapshotReport(**named, cases=(case,), raw=text, reply=reply(), runs=runs)
    stored = None if runs == (_UPDATE,) else reply(content)
    return SnapshotReport(**named, cases=(case,), stored=stored, reply=_returned(content, action), runs=runs)


def reply(content: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The right reply, with what a snapshot says of it in the snapshot's own short keys."""
    given = dict(content or {})
    chunk = next(iter(given.pop("cites", None) or [CHUNK]))
    quote = given.pop("quote", STATED)
    claim = {"text": given.pop("claim", STATED), "cites": [chunk], "quote": quote}
    internal = {"evidence": [chunk], "prompt": []}
    return {"decision": "answer", "reason_code": None, "text": STATED, "claims": [claim], "internal": internal, **given}


_CHECK = (("--grounded-snapshots", "check", "--grounded-orphans", "fail"), ())
_UPDATE = (("--grounded-snapshots", "update"), ())
_ON_DISK = re.compile(r"\bsnapshots? on disk: (?P<names>.+)\Z", re.DOTALL)
_TEXT_OF_RUN = re.compile(r'^run \d+ text: "((?:[^"\\]|\\.)*)"', re.MULTILINE)
_WRITES = re.compile(r"\b(?:creat|record|sav|updat|writ)(?:e|es|ed|ing|s)?\b", re.IGNORECASE)
_WORKERS = re.compile(r"(\d+) workers?")


def _text(data: Mapping[str, Any]) -> str:
    return str(data["artifact"]["text"])


def _disk(names: str, action: str) -> dict[str, Any]:
    """The names on disk, those without a case, and the runs the action speaks of."""
    listed = [(name.split()[0], "(" in name) for name in re.split(r",\s*(?![^(]*\))", names.strip())]
    cases = tuple(name for name, is_gone in listed if not is_gone)
    mode, _ = _UPDATE if _WRITES.search(action) else _CHECK
    workers = _WORKERS.search(action)
    arguments = (*mode, "--grounded-orphans", "fail", *(("-n", workers[1]) if workers else ()))
    return {
        "cases": cases,
        "gone": tuple(name for name, is_gone in listed if is_gone),
        "runs": tuple(_ways(cases, action, arguments)) or ((arguments, ()),),
    }


def _ways(
    cases: tuple[str, ...], action: str, arguments: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """How a part of the cases is run, each way once."""
    only = re.search(r"\bonly (\S+)", action)
    if only is None:
        return
    chosen = only[1]
    if "node id" in action:
        yield (*arguments, f"cases/travel/stay.yaml::{chosen}"), ()
    if "-k" in action:
        yield (*arguments, "-k", chosen), ()
    if "skip" in action:
        yield arguments, tuple(case for case in cases if case != chosen)


def _mapping(text: str) -> dict[str, Any] | None:
    """The content of a snapshot; None where it is no mapping, such as one with the markers of a merge."""
    try:
        found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - every scalar stays text
    except yaml.YAMLError:
        return None
    return {key: _number(value) for key, value in found.items()} if isinstance(found, dict) else None


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, str) and re.fullmatch(r"-?\d+(?:\.\d+)?", value) else value


def _returned(content: Mapping[str, Any], action: str) -> dict[str, Any]:
    """What the system returns now: the keys the action gives another value, else the right reply.

    Keys that are no part of a reply's contract are returned as they stand in the snapshot.
    """
    given = {
        key: _number(found[1].strip())
        for key in content
        if (found := re.search(rf"\b{re.escape(key)}[ :=]+([^,;\n]+)", action)) is not None
    }
    if given:
        return reply({**content, **given})
    known = {"decision", "reason", "reason_code", "cites", "quote", "claim", "text"}
    return reply({key: value for key, value in content.items() if key not in known})
