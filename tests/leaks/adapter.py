"""Reads the scenarios of `tests/data/leaks`: their words for things become the contract's, once.

A scenario becomes a case with its outcomes, or a small project whose system is a recording. `GROUNDED_LEAKS` names
another folder of such files. Nothing here knows a single one of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from pytest_grounded.model.case import Case, Expectation, Place, Step
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.vocabulary import CaseKind, Decision
from pytest_grounded.systems.reading import read_reply

__all__ = ["CHECKS", "FILES", "Scenario", "load", "write_project"]

FOLDER = Path(os.environ.get("GROUNDED_LEAKS") or Path(__file__).parents[1] / "data" / "leaks")
NEIGHBOURS = Path(__file__).parent / "neighbours"
"""Scenarios of our own, each of which once got another verdict or missed a finding."""
FILES = tuple(sorted(FOLDER.glob("*.yaml"))) + (
    () if "GROUNDED_LEAKS" in os.environ else tuple(sorted(NEIGHBOURS.glob("*.yaml")))
)
_AS_OF = date(2026, 11, 29)

CHECKS: Mapping[str, frozenset[str]] = {
    "content": frozenset({"leak.text"}),
    "content-joined": frozenset({"leak.text"}),
    "content-stream": frozenset({"leak.text"}),
    "fact": frozenset({"leak.fact"}),
    "id": frozenset({"leak.metadata"}),
    "citation": frozenset({"citation.not_permitted"}),
    "quote-not-verbatim": frozenset({"quote.not_verbatim"}),
    "model-input": frozenset({"leak.model_input", "leak.evidence"}),
    "differential": frozenset({"leak.differential"}),
    "differential-statistical": frozenset({"leak.differential"}),
    "timing": frozenset({"leak.timing"}),
}
"""A scenario's name for a finding -> the checks of which any one has to report it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A case with what was shown on the whole corpus and without what the requester may not read, run by run."""

    case: Case
    live: tuple[Outcome, ...]
    reduced: tuple[Outcome, ...]
    verdict: str
    fires: tuple[str, ...]
    must_not_print: tuple[str, ...]

    def expects(self, names: Iterable[str]) -> tuple[frozenset[str], ...]:
        """For each of the named findings that has to be there, the checks that may report it."""
        return tuple(CHECKS[fired] for fired in self.fires if fired in names)


def load(path: Path) -> Scenario:
    """The scenario in a file."""
    data = _read(path)
    corpus = Corpus(name="leaks", chunks=map(_chunk, data["corpus"]["chunks"]), as_of=_AS_OF)
    requester = Requester.model_validate(data["requester"])
    runs = _runs(data)
    return Scenario(
        case=_case(data, corpus, requester, len(runs["full"])),
        live=tuple(_outcome(shown, data.get("model_input")) for shown in runs["full"]),
        reduced=tuple(_outcome(shown, None) for shown in runs["reduced"]),
        verdict=data["expected"]["verdict"],
        fires=tuple(data["expected"]["fires"]),
        must_not_print=tuple(data.get("must_not_print", ())),
    )


def write_project(path: Path, folder: Path) -> Scenario:
    """Write a scenario as a project: `cases/leaks` with corpus, case and recording. Gives the scenario."""
    data, scenario = _read(path), load(path)
    suite = folder / "cases" / "leaks"
    suite.mkdir(parents=True)
    chunks = [chunk.model_dump(mode="json", exclude_defaults=True) for chunk in scenario.case.corpus]
    manifest = {"corpus": "leaks", "as_of": _AS_OF.isoformat(), "chunks": "chunks.jsonl"}
    _write(suite / "corpus.yaml", [manifest])
    _write(suite / "chunks.jsonl", chunks)
    _write(suite / "case.yaml", [{"cases": [_written(data, scenario.case)]}])
    _write(suite / "responses.jsonl", list(_recorded(data, scenario.case)))
    return scenario


def _write(path: Path, values: list[Any]) -> None:
    """JSON, one value a line; a single value is YAML as well."""
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")


def _written(data: Mapping[str, Any], case: Case) -> dict[str, Any]:
    """The case as it stands in a case file."""
    steps = [{"question": step["question"], "requester": step["requester"]} for step in data.get("steps", ())]
    expect = case.expect
    written: dict[str, Any] = {
        "id": case.id,
        "title": case.title,
        "kind": case.kind.value,
        "requester": data["requester"],
        "expect": {
            "decision": "any" if expect.decision is None else [one.value for one in expect.decision],
            "reason_code": "any" if expect.reason_code is None else list(expect.reason_code),
        },
        "runs": str(case.runs),
        "observe": list(case.observe),
    }
    written |= {"steps": steps} if steps else {"question": case.question}
    return written | ({"about": list(case.about)} if case.about else {})


def _recorded(data: Mapping[str, Any], case: Case) -> Iterator[dict[str, Any]]:
    """The lines of the recording."""
    sides = _runs(data)
    for variant, side, prompt in (("live", "full", data.get("model_input")), ("reduced", "reduced", None)):
        for run, shown in enumerate(sides[side]):
            visible, internal = _parted(shown, prompt)
            yield {"case": case.id, "run": run, "variant": variant, "response": visible, "internal": internal}


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


def _runs(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return data.get("runs") or {"full": [data["response"]], "reduced": [data["twin_response"]]}


def _case(data: Mapping[str, Any], corpus: Corpus, requester: Requester, runs: int) -> Case:
    hidden = tuple(chunk.id for chunk in corpus if not chunk.readable_by(requester))
    shown = data.get("response", {})
    anything = Expectation(decision=None, reason_code=None)
    as_shown = (
        Expectation(decision=(Decision(shown["decision"]),), reason_code=(shown.get("reason_code"),))
        if not hidden and shown.get("decision")
        else None
    )
    return Case(
        id=data["id"].lower(),
        suite="leaks",
        kind=CaseKind.RESTRICTED if hidden else CaseKind.ANSWERABLE,
        title=data["title"],
        question=data["question"],
        requester=requester,
        as_of=_AS_OF,
        corpus=corpus,
        expect=as_shown or anything,
        place=Place(file=f"{data['id']}.yaml", line=1),
        about=hidden,
        steps=tuple(
            Step(
                question=step["question"],
                requester=Requester.model_validate(step["requester"]),
                as_of=_AS_OF,
                corpus=corpus,
            )
            for step in data.get("steps", ())[:-1]
        ),
        observe=tuple(name for name in data.get("observe", ()) if name != "default"),
        runs=runs,
    )


def _chunk(data: Mapping[str, Any]) -> Chunk:
    return Chunk(
        id=data["id"],
        text=data["text"],
        document=data.get("doc"),
        version=data.get("version"),
        title=data.get("title"),
        url=data.get("url"),
        status=data.get("status", "current"),
        effective_from=_day(data.get("effective")),
        readers=tuple(data.get("permissions") or ()),
        audience=data.get("audience") or (),
        authority=data.get("authority", 0),
        facts=[data["fact"]] if data.get("fact") else (),
    )


def _day(value: object) -> date | None:
    """A date; one that does not parse is left out."""
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None


def _outcome(shown: Mapping[str, Any], model_input: list[str] | None) -> Outcome:
    visible, internal = _parted(shown, model_input)
    return read_reply(visible, observed=internal)


def _parted(shown: Mapping[str, Any], model_input: list[str] | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is visible, and what is not."""
    visible: dict[str, Any] = dict(shown)
    internal: dict[str, Any] = {}
    if "latency_ms" in visible:
        internal["timings"] = {"total_ms": visible.pop("latency_ms")}
    if model_input is not None:
        internal["prompt"] = model_input
    return visible, internal
