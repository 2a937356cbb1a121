"""Puts the new case together as a case file writes it: who asks by a name where the file has one, and so on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.drafting import requester_as_written, same_requester, written_case, written_requester
from pytest_grounded.incidents.labels import Label
from pytest_grounded.incidents.record import Incident
from pytest_grounded.incidents.settling import Settled
from pytest_grounded.incidents.suites import Suite
from pytest_grounded.incidents.wishes import Wishes
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import ANONYMOUS, Requester
from pytest_grounded.model.vocabulary import Risk

__all__ = ["compose"]

Named = Mapping[str, Requester]


def compose(
    incident: Incident, wishes: Wishes, settled: Settled, label: Label, *, case_id: str, file: Path
) -> dict[str, Any]:
    """The case for a file of the suite, which may be a new one."""
    suite, base = settled.suite, settled.base
    own = suite.file_at(file)
    named = suite.requesters(file)
    day = own.default_day if own is not None else None
    if suite.corpus is None:
        day = settled.as_of.isoformat()
    elif day is None and suite.corpus.corpus.as_of is not None:
        day = suite.corpus.corpus.as_of.isoformat()
    header_corpus = own.header.get("corpus", _CORPUS) if own is not None else _CORPUS
    more = {
        **_said(incident, wishes, base),
        "corpus": suite.manifest.name if suite.manifest.name != header_corpus else None,
        "control": _control(wishes, suite, named, base),
        "steps": _steps(base, named) if base is not None else None,
    }
    return written_case(
        case_id=case_id,
        label=label,
        question=settled.question,
        requester=written_requester(
            settled.requester,
            named=named,
            default=own.default_requester if own else None,
            with_id=_refers(settled.outcome.internal.model_dump(mode="json"), settled.requester.id),
        ),
        as_of=None if settled.as_of.isoformat() == day else settled.as_of,
        history=incident.history or (_history(base, named) if base is not None else ()),
        more=more,
    )


_CORPUS = "corpus.yaml"


def _said(incident: Incident, wishes: Wishes, base: Case | None) -> dict[str, Any]:
    """What is for people: from the person, else the record, else the case it belongs to."""
    risk = base.risk.value if base is not None and base.risk is not Risk.MEDIUM else None
    return {
        "title": wishes.title or incident.title or (base.title if base else None),
        "absent_question": wishes.absent_question
        or incident.absent_question
        or (base.absent_question if base else None),
        "risk": wishes.risk or incident.risk or risk,
        "incident": wishes.incident or incident.name or (base.incident if base else None),
        "why": wishes.why or incident.why or (base.why if base else None),
        "tags": wishes.tags or incident.tags or (base.tags if base else ()),
    }


def _control(wishes: Wishes, suite: Suite, named: Named, base: Case | None) -> Any:
    if wishes.control is None:
        return None if base is None or base.control is None else _who(base.control, named)
    requester = suite.all_requesters.get(wishes.control)
    if requester is None:
        raise GroundedError(f"--control {wishes.control}: no case file of the suite names this requester")
    return wishes.control if wishes.control in named else requester_as_written(requester)


def _refers(value: Any, requester_id: str) -> bool:
    """Whether a value of what was observed is the requester's id: whose cache entry it was, for one."""
    if isinstance(value, Mapping):
        return any(_refers(item, requester_id) for item in value.values())
    if isinstance(value, list):
        return any(_refers(item, requester_id) for item in value)
    return bool(requester_id) and value == requester_id


def _who(requester: Requester, named: Named) -> Any:
    name = next((name for name, one in named.items() if same_requester(one, requester)), None)
    return name or requester_as_written(requester) or ANONYMOUS.id


def _history(case: Case, named: Named) -> list[dict[str, Any]]:
    turns = []
    for turn in case.history:
        written: dict[str, Any] = {"role": turn.role, "text": turn.text}
        if turn.requester is not None:
            written["requester"] = _who(turn.requester, named)
        if turn.cites:
            written["cites"] = list(turn.cites)
        turns.append(written)
    return turns


def _steps(case: Case, named: Named) -> list[dict[str, Any]] | None:
    """The earlier steps and the judged question as the last one; what an earlier step expects is not taken over."""
    if not case.steps:
        return None
    asked = [*((one.requester, one.as_of, one.question) for one in case.steps)]
    asked.append((case.requester, case.as_of, case.question))
    return [{"requester": _who(who, named), "as_of": day, "question": text} for who, day, text in asked]
