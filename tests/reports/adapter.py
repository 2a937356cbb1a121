"""Reads a reproduction of a reported fault (tests/data/reports/SOURCE.md) and writes it as a suite of a project.

The one place that knows the layout of those files; it knows no single one of them. A file about an answer becomes a
corpus, a case file and a recording, a file about a case file becomes that file; what the harness makes of them is read
from what it writes (`tests.reports.running`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

__all__ = [
    "RECORDING",
    "Report",
    "load_reports",
    "our_names",
    "quoted_texts",
    "suite_of",
    "titles_and_questions",
    "write_answer",
    "write_case_file",
]

RECORDING = "responses.jsonl"

_NAMES = {
    "completeness.missing_part": frozenset({"slot.missing", "slot.unnamed"}),
    "threshold.not_monotonic": frozenset({"trace.not_monotonic"}),
    "case_file.type_coercion": frozenset({"case_file.type", "case_file.unknown_key"}),
    "snapshot.unused": frozenset({"snapshot.orphan"}),
    "snapshot.mismatch": frozenset({"trace.changed"}),
    "leak.text": frozenset({"leak.text", "leak.fact"}),
}
_NOT_AUTHORIZED = "NOT_AUTHORIZED"
_NO_EVIDENCE = "NO_EVIDENCE"


@dataclass(frozen=True)
class Report:
    """One file. `failing_check` and the like are named as the file names them."""

    path: Path
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The file's id, by which its suite and its test are called."""
        return str(self.data["id"])

    @property
    def subject(self) -> str:
        """answer, case_file, snapshot or run_output."""
        return str(self.data["subject"])

    @property
    def fails(self) -> bool:
        """Whether a correct harness has to report a failure."""
        return bool(self.data["expected_verdict"] == "fail")

    @property
    def checks(self) -> frozenset[str]:
        """The names under which this project reports the fault."""
        return our_names(self.data["failing_check"])

    @property
    def is_semantic(self) -> bool:
        """Whether the fault needs meaning, so that it may also be declared not judged."""
        return bool(self.data["detectable"] == "semantic")

    @cached_property
    def artifact(self) -> Mapping[str, str]:
        """What a harness file is about: path, text, action."""
        return dict(self.data["artifact"] or {})


def load_reports(folder: Path) -> list[Report]:
    """Every file of a folder, by name."""
    return [_load(path) for path in sorted(folder.glob("*.yaml"))]


def _load(path: Path) -> Report:
    with path.open(encoding="utf-8") as file:
        return Report(path=path, data=yaml.load(file, Loader=_FASTEST))  # noqa: S506 - a safe loader


_FASTEST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def our_names(check: str | None) -> frozenset[str]:
    """The names under which this project reports what a file calls `check`."""
    return frozenset() if check is None else _NAMES.get(check, frozenset({check}))


def suite_of(report: Report) -> str:
    """The name of the suite a file becomes, which is its case's id as well."""
    return report.id.lower()


# --- an answer: a corpus, a case, and what the system said ---------------------------------------------------------


def write_answer(report: Report, cases: Path) -> None:
    """Write a file about an answer as a suite below a folder of cases."""
    folder = cases / suite_of(report)
    folder.mkdir(parents=True)
    manifest = {"corpus": suite_of(report), "as_of": str(report.data["as_of"]), "chunks": "chunks.jsonl"}
    _write_lines(folder / "chunks.jsonl", map(_chunk, report.data["corpus"]))
    _write_yaml(folder / "corpus.yaml", manifest)
    _write_yaml(folder / "report.yaml", {"cases": [_case(report)]})
    _write_lines(folder / RECORDING, _recorded(report))


def _chunk(data: Mapping[str, Any]) -> dict[str, Any]:
    chunk = {_CHUNK_KEYS.get(key, key): value for key, value in data.items() if key != "fact" and value is not None}
    if fact := data.get("fact"):
        chunk["facts"] = fact if isinstance(fact, list) else [fact]
    return chunk


_CHUNK_KEYS = {"doc": "document", "allowed": "readers"}


def _case(report: Report) -> dict[str, Any]:
    data, expect = report.data, report.data["expect"] or {}
    unreadable = _unreadable(data)
    kind = _kind(expect, hides=bool(unreadable))
    case: dict[str, Any] = {"id": suite_of(report), "kind": kind, "question": data["question"]}
    if data["requester"]:
        case["requester"] = {key: value for key, value in data["requester"].items() if value is not None}
    if data["history"]:
        case["history"] = [_turn(turn) for turn in data["history"]]
    if kind == "restricted":
        case["about"] = unreadable
        if paired := (data["response"] or {}).get("paired_with"):
            case["absent_question"] = paired["question"]
    case["expect"] = _expected(expect)
    if forbidden := expect.get("must_not_contain"):
        case["forbid"] = {"values": list(forbidden)}
    return case


def _kind(expect: Mapping[str, Any], *, hides: bool) -> str:
    """The kind of case; `hides`: the corpus holds something that this requester may not read."""
    reasons, decisions = _listed(expect.get("reason")), _listed(expect.get("decision"))
    if _NOT_AUTHORIZED in reasons and hides:
        return "restricted"
    if "CONFLICTING_EVIDENCE" in reasons:
        return "conflicting"
    if "partial" in decisions:
        return "partial"
    return "answerable" if not decisions or "answer" in decisions else "unanswerable"


def _expected(expect: Mapping[str, Any]) -> dict[str, Any]:
    decisions, reasons = _listed(expect.get("decision")), _listed(expect.get("reason"))
    written: dict[str, Any] = {
        "decision": decisions or "any",
        "reason_code": [_public(reason) for reason in reasons] or None,
    }
    for key, name in (("must_cite", "cite"), ("missing", "missing")):
        if expect.get(key):
            written[name] = list(expect[key])
    return written


def _unreadable(data: Mapping[str, Any]) -> list[str]:
    """The chunks that the requester may not read: of another tenant, or for none of their groups."""
    requester = data["requester"] or {}
    groups = {*(requester.get("groups") or ()), "*"}
    return [
        chunk["id"]
        for chunk in data["corpus"]
        if chunk.get("tenant") not in (None, requester.get("tenant")) or groups.isdisjoint(chunk.get("allowed") or ())
    ]


def _turn(data: Mapping[str, Any]) -> dict[str, Any]:
    turn = {key: value for key, value in data.items() if key != "as_groups" and value is not None}
    if (groups := data.get("as_groups")) is not None:
        turn["requester"] = {"groups": list(groups)}
    return turn


def _recorded(report: Report) -> Iterator[dict[str, Any]]:
    response, expect = report.data["response"], report.data["expect"] or {}
    hides = _NOT_AUTHORIZED in _listed(expect.get("reason"))
    yield {"case": suite_of(report), **_reply(response, hides=hides)}
    if response and (paired := response.get("paired_with")):
        said = {key: value for key, value in paired.items() if key != "question"}
        yield {"case": suite_of(report), "variant": "absent", **_reply({**response, **said}, hides=hides)}


def _reply(response: Mapping[str, Any] | None, *, hides: bool) -> dict[str, Any]:
    """What came back, and what was observed beside it; `hides`: the public is not told that something is forbidden."""
    if response is None:
        return {"response": None}
    reason, trace = response.get("reason"), response.get("trace")
    internal = {
        "evidence": response.get("evidence"),
        "reason_code": reason if reason == _NOT_AUTHORIZED else None,
        "steps": None if trace is None else [{**trace, "name": "report"}],
    }
    if "raw" in response:
        return {"response": response["raw"], "internal": internal}
    shown = {key: value for key, value in response.items() if key not in _READ_APART}
    shown["reason_code"] = _public(reason) if hides else reason
    if response.get("shown_sources") is not None:
        shown["sources"] = [_source(source) for source in response["shown_sources"]]
    return {"response": {**shown, "internal": internal}}


_READ_APART = frozenset({"reason", "evidence", "raw", "trace", "paired_with", "shown_sources"})


def _source(source: Any) -> Any:
    """An entry of the sources shown: `id` is its chunk; a bare text is what the reader sees of it."""
    if not isinstance(source, Mapping):
        return {"title": source}
    return {"chunk" if key == "id" else key: value for key, value in source.items()}


def _public(reason: str | None) -> str | None:
    """What a forbidden thing is called in public: as if it were not there."""
    return _NO_EVIDENCE if reason == _NOT_AUTHORIZED else reason


def _listed(value: Any) -> Sequence[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


# --- a case file -----------------------------------------------------------------------------------------------------


def write_case_file(report: Report, cases: Path) -> PurePosixPath:
    """Write the artefact of a file below a folder of cases, in a suite of its own; returns its path in the project.

    A corpus without a chunk stands beside it: what is asked about is the file.
    """
    inside = PurePosixPath(report.artifact["path"])
    below = inside.relative_to("cases") if inside.is_relative_to("cases") else PurePosixPath(inside.name)
    path = cases / report.id / below
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.artifact["text"], encoding="utf-8")
    if not (path.parent / "corpus.yaml").exists():
        chunks = [_chunk(chunk) for chunk in report.data["corpus"] or ()]
        _write_yaml(path.parent / "corpus.yaml", {"corpus": "empty", "as_of": "2025-03-01", "chunks": chunks})
    return PurePosixPath(cases.name, report.id, *below.parts)


def titles_and_questions(report: Report) -> list[str]:
    """What people call the cases of an artefact and ask in them, which has to be shown as it is written."""
    cases = yaml.load(report.artifact["text"], Loader=yaml.BaseLoader)["cases"]  # noqa: S506 - makes texts only
    return [case[key] for case in cases for key in ("title", "question") if key in case]


def _write_yaml(path: Path, data: Any) -> None:
    path.write_text(yaml.dump(data, Dumper=_Plain, sort_keys=False, width=10_000), encoding="utf-8")


class _Plain(yaml.SafeDumper):
    """Writes what stands twice twice: case files have no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - nothing is an alias
        return True


def _write_lines(path: Path, rows: Iterable[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


# --- what a run writes -----------------------------------------------------------------------------------------------

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def quoted_texts(report: Report) -> list[str]:
    """Every text in double quotes of an artefact."""
    return _QUOTED.findall(report.artifact["text"])
