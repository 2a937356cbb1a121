"""Reads the scenarios of `tests/data/leaks` as cases and outcomes: their words for things become the contract's, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from pytest_grounded.model.case import Case, Expectation, Place, Step
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import CaseKind, Decision

__all__ = ["CHECKS", "FILES", "Scenario", "load"]

FILES = tuple(sorted((Path(__file__).parents[1] / "data" / "leaks").glob("*.yaml")))
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
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    corpus = Corpus(name="leaks", chunks=map(_chunk, data["corpus"]["chunks"]), as_of=_AS_OF)
    requester = Requester.model_validate(data["requester"])
    runs = data.get("runs") or {"full": [data["response"]], "reduced": [data["twin_response"]]}
    return Scenario(
        case=_case(data, corpus, requester, len(runs["full"])),
        live=tuple(_outcome(shown, data.get("model_input")) for shown in runs["full"]),
        reduced=tuple(_outcome(shown, None) for shown in runs["reduced"]),
        verdict=data["expected"]["verdict"],
        fires=tuple(data["expected"]["fires"]),
        must_not_print=tuple(data.get("must_not_print", ())),
    )


def _case(data: Mapping[str, Any], corpus: Corpus, requester: Requester, runs: int) -> Case:
    hidden = tuple(chunk.id for chunk in corpus if not chunk.readable_by(requester))
    shown = data.get("response", {})
    anything = Expectation(decision=None, reason_code=None)
    as_shown = (
        Expectation(decision=(Decision(shown["decision"]),), reason_code=(shown.get("reason_code"),))
        if not hidden
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
    visible = dict(shown)
    internal: dict[str, Any] = {}
    if "latency_ms" in visible:
        internal["timings"] = {"total_ms": visible.pop("latency_ms")}
    if model_input is not None:
        internal["prompt"] = model_input
    return Outcome(response=Response.model_validate({**visible, "internal": internal}))
