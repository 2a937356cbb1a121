"""Builds what checks judge from only what matters, and runs all of them over it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding, Observation, Unchecked
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.systems.reading import read_reply

HOTEL = "The nightly hotel limit in standard cities is $180."
ABSTAINED = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I could not find this."}


def claim(text: str = HOTEL, *cites: str, **fields: Any) -> dict[str, Any]:
    """A claim that cites c1 unless told otherwise."""
    return {"text": text, "cites": list(cites or ("c1",)), **fields}


def answer(*claims: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """An answer whose text is what its claims say."""
    listed = [dict(one) for one in claims or (claim(),)]
    return {"decision": "answer", "text": " ".join(one["text"] for one in listed), "claims": listed, **fields}


def edited(response: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The response with a value changed at each dotted path; the last part may be new."""
    changed = copy.deepcopy(dict(response))
    for path, value in changes.items():
        *parents, last = path.split(".")
        place: Any = changed
        for part in parents:
            place = place[int(part)] if isinstance(place, list) else place.setdefault(part, {})
        place[int(last) if isinstance(place, list) else last] = value
    return changed


def judged(case: Case, reply: object, *, link_hosts: tuple[str, ...] = ()) -> Judged:
    """The case with what came back; a mapping or a text is read as a system's reply."""
    outcome = reply if isinstance(reply, Outcome) else read_reply(reply)
    return Judged(case=case, outcome=outcome, view=case.view, link_hosts=link_hosts)


def observations(case: Case, reply: object, *, link_hosts: tuple[str, ...] = ()) -> list[Observation]:
    """All that the checks say."""
    looked = judged(case, reply, link_hosts=link_hosts)
    return [item for check in DEFAULT_CHECKS for item in check(looked)]


def findings(case: Case, reply: object, *, link_hosts: tuple[str, ...] = ()) -> list[Finding]:
    """What is wrong."""
    return [item for item in observations(case, reply, link_hosts=link_hosts) if isinstance(item, Finding)]


def unchecked(case: Case, reply: object) -> list[Unchecked]:
    """What was not looked at."""
    return [item for item in observations(case, reply) if isinstance(item, Unchecked)]


def names(case: Case, reply: object, *, link_hosts: tuple[str, ...] = ()) -> set[str]:
    """Names of what is wrong."""
    return {finding.check for finding in findings(case, reply, link_hosts=link_hosts)}


def said(found: list[Finding]) -> str:
    """Findings as a failing test shows them."""
    return "\n".join(f"{one.check} {one.field}: {one.message}" for one in found) or "nothing was found"
