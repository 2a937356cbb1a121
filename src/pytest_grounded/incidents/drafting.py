"""The new case as a case file writes it: only what the kind and the file's defaults do not imply already."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from pytest_grounded.cases.defaults import implied_expectation
from pytest_grounded.cases.fields import CASE_ID
from pytest_grounded.incidents.labels import Label
from pytest_grounded.model.case import Case, Expectation, Slot
from pytest_grounded.model.evidence import ANONYMOUS, Requester
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.text.words import content_words

__all__ = ["free_id", "label_of_case", "requester_as_written", "same_requester", "written_case", "written_requester"]

_MOST_WORDS = 6
_LONGEST = 60


def free_id(wanted: str | None, question: str, taken: Collection[str]) -> str:
    """An id for a case that no case of the suite has: the one wanted, else words of the question.

    >>> free_id(None, "What is the nightly hotel limit?", {"nightly-hotel-limit"})
    'nightly-hotel-limit-2'
    >>> free_id("INC 1042", "", ())
    'inc-1042'
    """
    words = content_words(question)[:_MOST_WORDS]
    base = _slug(wanted or "") or _slug(" ".join(words)) or "incident"
    lowered = {one.lower() for one in taken}
    number, name = 1, base
    while name in lowered or CASE_ID.fullmatch(name) is None:
        number += 1
        name = f"{base}-{number}"
    return name


def _slug(text: str) -> str:
    slug = re.sub(r"[^a-z0-9._]+", "-", text.casefold().encode("ascii", "ignore").decode()).strip("-._")
    return slug[:_LONGEST].rstrip("-._")


def requester_as_written(requester: Requester, *, with_id: bool = False) -> dict[str, Any]:
    """A requester as an inline mapping. Their id names a person, and is left out unless something refers to it.

    >>> requester_as_written(Requester(id="u-17", audience="employee", groups=("staff",)))
    {'audience': 'employee', 'groups': ['staff']}
    """
    written: dict[str, Any] = {"id": requester.id} if with_id and requester.id else {}
    if requester.tenant is not None:
        written["tenant"] = requester.tenant
    if requester.audience:
        written["audience"] = requester.audience[0] if len(requester.audience) == 1 else list(requester.audience)
    if requester.groups:
        written["groups"] = list(requester.groups)
    if requester.scope:
        written["scope"] = dict(requester.scope)
    return written


def same_requester(left: Requester, right: Requester) -> bool:
    """Whether two requesters may read the same and are told the same: all but their ids is equal."""
    return _rights(left) == _rights(right)


def _rights(requester: Requester) -> tuple[object, ...]:
    return (
        requester.tenant,
        frozenset(requester.audience),
        frozenset(requester.groups),
        tuple(sorted(requester.scope.items())),
    )


def written_requester(
    requester: Requester, *, named: Mapping[str, Requester], default: str | None, with_id: bool = False
) -> dict[str, Any] | str | None:
    """How a case says who asks: not where the file's default does, by name where the file has one, else inline.

    `with_id`: something refers to the requester by their id, so that a name of ours would be somebody else.
    """
    if with_id and requester.id not in named:
        return requester_as_written(requester, with_id=True)
    default_is = named.get(default, ANONYMOUS) if default is not None else ANONYMOUS
    if same_requester(requester, default_is):
        return None
    name = next((name for name, one in named.items() if same_requester(one, requester)), None)
    if name is not None:
        return name
    return requester_as_written(requester) or ANONYMOUS.id


def written_case(
    *,
    case_id: str,
    label: Label,
    question: str,
    requester: dict[str, Any] | str | None,
    as_of: date | None,
    history: Sequence[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The case, its keys in the order the documentation has them. None and empty values are left out."""
    more = more or {}
    case: dict[str, Any] = {
        "id": case_id,
        "title": more.get("title"),
        "kind": label.kind.value,
        "requester": requester,
        "as_of": as_of,
        "corpus": more.get("corpus"),
        "question": question,
        "steps": more.get("steps"),
        "history": [dict(turn) for turn in history],
        "about": list(label.about),
        "control": more.get("control"),
        "absent_question": more.get("absent_question"),
        "expect": dict(label.expect),
        "forbid": dict(label.forbid),
        "risk": more.get("risk"),
        "incident": more.get("incident"),
        "why": more.get("why"),
        "tags": list(more.get("tags") or ()),
    }
    if case["steps"]:
        case["question"] = None
    return {key: value for key, value in case.items() if value not in (None, [], {}, ())}


# --- a case of ours again ----------------------------------------------------------------------------------------


def label_of_case(case: Case) -> Label:
    """What a case there is expects, written anew: beyond its kind, with ids and names resolved."""
    return Label(
        kind=case.kind,
        expect=_expect(case.kind, case.expect),
        forbid={
            key: list(value)
            for key, value in (
                ("evidence", case.forbid.evidence),
                ("text", case.forbid.text),
                ("values", case.forbid.values),
            )
            if value
        },
        about=case.about,
        because=(f"case {case.id} of suite {case.suite} says so",),
    )


def _expect(kind: CaseKind, expect: Expectation) -> dict[str, Any]:
    conflict = expect.conflict
    implied = implied_expectation(kind, resolved=conflict is not None and conflict.resolved_to is not None)
    written: dict[str, Any] = {}
    if expect.decision != implied.decision:
        written["decision"] = _choice(expect.decision)
    if expect.reason_code != implied.reason_code:
        written["reason_code"] = _choice(expect.reason_code)
    if expect.internal_reason_code is not None:
        written["internal_reason_code"] = _choice(expect.internal_reason_code)
    if expect.next_step is not None:
        written["next_step"] = _choice(expect.next_step)
    if expect.slots:
        written["slots"] = [_slot(slot) for slot in expect.slots]
    if expect.missing:
        written["missing"] = [
            part.name if part.names == (part.name,) else {"name": part.name, "names": list(part.names)}
            for part in expect.missing
        ]
    if conflict is not None and conflict.resolved_to is not None:
        written["conflict"] = {"resolved_to": conflict.resolved_to}
    elif conflict is not None and conflict.sides:
        written["conflict"] = {"sides": [{"value": one.value, "chunks": list(one.chunks)} for one in conflict.sides]}
    if expect.cite:
        written["cite"] = list(expect.cite)
    if expect.model_called is not None:
        written["model_called"] = expect.model_called
    return written


def _slot(slot: Slot) -> dict[str, Any]:
    written: dict[str, Any] = {"name": slot.name}
    if slot.values:
        written["values"] = list(slot.values)
    if slot.evidence:
        groups = [list(group) for group in slot.evidence]
        written["evidence"] = groups[0] if len(groups) == 1 else groups
    if slot.weight != 1.0:
        written["weight"] = slot.weight
    for key in ("blocking", "derived"):
        if getattr(slot, key):
            written[key] = True
    if slot.states is not None:
        written["states"] = slot.states
    return written


def _choice(allowed: Sequence[object] | None) -> Any:
    """What a list of words allows, as written: everything is any, nothing but a failure is null."""
    if allowed is None:
        return "any"
    words = [None if one is None else str(one) for one in allowed] or [None]
    return words[0] if len(words) == 1 else words
