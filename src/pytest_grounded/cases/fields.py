"""The kinds of value that stand in case files, each with what it accepts and how it is said to be wrong.

Every plain scalar arrives here as text; the field's type makes a number, a date or a yes or no of it, or refuses.
`WithJsonSchema` tells editors, which read `no` and `1.10` as YAML does, that such a scalar is fine where text stands.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from pytest_grounded.corpus.wording import shown
from pytest_grounded.model.evidence import IsoDate
from pytest_grounded.model.vocabulary import Decision, ReasonCode

__all__ = [
    "ANY",
    "CASE_ID",
    "CaseId",
    "Codes",
    "Count",
    "Day",
    "Decisions",
    "EvidenceGroups",
    "FreeCodes",
    "Ids",
    "Observed",
    "Positive",
    "Text",
    "Texts",
    "YesNo",
    "read_ignored",
]

ANY = "any"
"""The word for "not checked" where a decision, a reason or a next step is expected."""

CASE_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_IGNORED = re.compile(r"-\s*(?P<field>[^\s():]+)\s*(?:\((?P<reason>[^()]*)\))?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_WHOLE = re.compile(r"[0-9]{1,9}")
_TEXT_SCHEMA: dict[str, Any] = {"type": ["string", "number", "boolean"]}
_TEXTS_SCHEMA: dict[str, Any] = {"anyOf": [_TEXT_SCHEMA, {"type": "array", "items": _TEXT_SCHEMA}]}


def _wrong(needs: str) -> PydanticCustomError:
    """An error whose message goes on with what was found."""
    return PydanticCustomError("needs", "{needs}", {"needs": needs})


def _not_blank(value: str) -> str:
    if not value.strip():
        raise _wrong("needs text that is not blank")
    return value


def _safe_id(value: str) -> str:
    if CASE_ID.fullmatch(value) is None:
        needs = "needs lower-case letters, digits, '.', '_' and '-', at most 100, a letter or digit first"
        meant = re.sub(r"[^a-z0-9._]+", "-", value.casefold()).strip("-._")
        hint = f" (did you mean {meant!r}?)" if CASE_ID.fullmatch(meant) else ""
        raise PydanticCustomError("unsafe_id", "{text}", {"text": f"{needs}, found {shown(value)}{hint}"})
    if _DEVICES.fullmatch(value):
        needs = "is the name of a device on Windows, where no file can have it (choose another)"
        raise PydanticCustomError("unsafe_id", "{text}", {"text": f"{value!r} {needs}"})
    return value


def _yes_no(value: object) -> object:
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, bool):
        return value
    raise _wrong("needs true or false")


def _number(value: object) -> object:
    if isinstance(value, str) and _NUMBER.fullmatch(value) is None:
        raise _wrong("needs a number")
    return value


def _whole(value: object) -> object:
    if isinstance(value, str) and _WHOLE.fullmatch(value) is None:
        raise _wrong("needs a whole number")
    return value


def _listed(value: object) -> object:
    """Read one text as a list of one."""
    return (value,) if isinstance(value, str) else value


def _listed_or_null(value: object) -> object:
    """Read one text, or null, as a list of one."""
    return (value,) if isinstance(value, str) or value is None else value


def _choice(value: tuple[str | None, ...]) -> tuple[str | None, ...]:
    if not value:
        raise _wrong("needs at least one")
    if ANY in value and len(value) > 1:
        raise _wrong("needs 'any' alone, or the ones that are allowed")
    return value


def _observed(value: str) -> str:
    if value not in ("timing", "usage") and _IGNORED.fullmatch(value) is None:
        raise _wrong("needs timing, usage, or - and the name of a field, such as -source_count (why it may differ)")
    return value


def read_ignored(value: str) -> tuple[str, str]:
    """The field that an entry of `observe` leaves out, and the reason given for it.

    >>> read_ignored("-source_count (the size of the corpus is public)")
    ('source_count', 'the size of the corpus is public')
    >>> read_ignored("-debug")
    ('debug', 'no reason is given')
    """
    match = _IGNORED.fullmatch(value)
    if match is None:
        raise ValueError(f"{value!r} names no field that is left out")
    return match["field"], (match["reason"] or "").strip() or "no reason is given"


def _not_empty(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value:
        raise _wrong("needs at least one entry")
    return value


def _groups(value: object) -> object:
    """Read ids as one group, and lists of ids as groups of which one is enough."""
    listed = _listed(value)
    if not isinstance(listed, list | tuple):
        return listed
    if not listed or not all(listed):
        raise _wrong("needs at least one chunk id (leave the key out where no evidence is asked for)")
    if all(isinstance(one, str) for one in listed):
        return (tuple(listed),)
    if not all(isinstance(one, list | tuple) for one in listed):
        raise _wrong("needs chunk ids (all of them together), or lists of chunk ids (any of the lists), not both")
    return listed


Text = Annotated[str, AfterValidator(_not_blank), WithJsonSchema(_TEXT_SCHEMA)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_listed), WithJsonSchema(_TEXTS_SCHEMA)]
CaseId = Annotated[
    str, AfterValidator(_safe_id), WithJsonSchema({"type": ["string", "number"], "pattern": f"^{CASE_ID.pattern}$"})
]
Ids = Annotated[Texts, AfterValidator(_not_empty)]
Observed = Annotated[str, AfterValidator(_observed)]
EvidenceGroups = Annotated[
    tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...],
    BeforeValidator(_groups),
    WithJsonSchema({"anyOf": [_TEXTS_SCHEMA, {"type": "array", "items": {"type": "array", "items": _TEXT_SCHEMA}}]}),
]
YesNo = Annotated[bool, BeforeValidator(_yes_no), WithJsonSchema({"type": "boolean"})]
Positive = Annotated[
    float,
    Field(gt=0, allow_inf_nan=False),
    BeforeValidator(_number),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
Count = Annotated[int, Field(ge=1), BeforeValidator(_whole), WithJsonSchema({"type": "integer", "minimum": 1})]
Day = Annotated[IsoDate, WithJsonSchema({"type": "string", "format": "date"})]

DecisionWord = Literal["answer", "partial", "abstain", "clarify", "escalate", "any"]
CodeWord = Literal[
    "OUT_OF_SCOPE",
    "NO_EVIDENCE",
    "PARTIAL_EVIDENCE",
    "CONFLICTING_EVIDENCE",
    "STALE_OR_WITHDRAWN",
    "NOT_AUTHORIZED",
    "UNSAFE_INPUT",
    "SYSTEM_FAILURE",
    "POLICY_REFUSAL",
    "UNVERIFIED_ANSWER",
    "LOW_CONFIDENCE",
    "any",
]


def _choice_schema(words: list[str] | None) -> dict[str, Any]:
    one: dict[str, Any] = {"type": ["string", "null"]} if words is None else {"enum": [*words, None]}
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


_Choice = (AfterValidator(_choice), BeforeValidator(_listed_or_null))
Decisions = Annotated[
    tuple[DecisionWord | None, ...], *_Choice, WithJsonSchema(_choice_schema([*map(str, Decision), ANY]))
]
Codes = Annotated[tuple[CodeWord | None, ...], *_Choice, WithJsonSchema(_choice_schema([*map(str, ReasonCode), ANY]))]
FreeCodes = Annotated[tuple[Text | None, ...], *_Choice, WithJsonSchema(_choice_schema(None))]
