"""Reads what a system returned into an `Outcome`: a response, or the plain statement of why there is none.

Read is what is unambiguous: a `Response`, a mapping, a text that holds exactly one complete top-level JSON object
(bare, fenced, or with prose around it, which is ignored). Everything else is a failure of the system, never a crash
of the harness and never a pass.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from pytest_grounded.model import response as response_fields
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.request import Reply
from pytest_grounded.model.response import Internal, Response
from pytest_grounded.text.objects import RepeatedKeyError, json_objects, unique_keys

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["MAX_REPLY_CHARACTERS", "MAX_REPLY_VALUES", "a_or_an", "json_objects", "read_reply"]

MAX_REPLY_CHARACTERS = 4 * 1024 * 1024
MAX_REPLY_VALUES = 200_000
_MOST_ERRORS = 8


def read_reply(reply: Reply | object, *, observed: Mapping[str, Any] | None = None) -> Outcome:
    """Read a reply; `observed` is what is known beside it (the `internal` of a recording).

    >>> read_reply('Here you are: {"decision": "abstain", "reason_code": "NO_EVIDENCE"}').decision.value
    'abstain'
    >>> read_reply("I think it is $180.").failure.kind.value
    'parse'
    """
    beside, problem = _read_observed(observed)
    if problem is not None:
        return problem
    if isinstance(reply, Response):
        if (too_much := _too_much(dict(reply))) is not None:
            return _failed(FailureKind.PARSE, f"the reply holds {too_much}", None, beside)
        return _usable(_with_observed(reply, beside), reply, beside)
    if isinstance(reply, Mapping):
        data = dict(reply)
        return _read_mapping(data, data, beside)
    if reply is None:
        return _failed(FailureKind.PARSE, f"the system returned None: nothing came back ({_RETURN})", reply, beside)
    if not isinstance(reply, str):
        kind = "bytes" if isinstance(reply, bytes | bytearray) else a_or_an(type(reply).__name__)
        message = f"the system returned {kind}, not a Response, a mapping or a text ({_RETURN})"
        return _failed(FailureKind.SCHEMA, message, reply, beside)
    return _read_text(reply, beside)


_RETURN = 'return a mapping such as {"decision": "answer", "text": "..."}'


def _read_text(text: str, beside: Internal | None) -> Outcome:
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return _failed(FailureKind.PARSE, "the reply is empty", text, beside)
    if len(text) > MAX_REPLY_CHARACTERS:
        message = f"the reply has {len(text):,} characters; at most {MAX_REPLY_CHARACTERS:,} are read"
        return _failed(FailureKind.PARSE, message, text[:1000], beside)
    try:
        whole = _whole(text)
        found = json_objects(text) if whole is None else ()
    except RepeatedKeyError as error:
        message = f"the reply is ambiguous: the key {str(error)!r} stands twice in one object"
        return _failed(FailureKind.PARSE, message, text, beside)
    if whole is None and len(found) != 1:
        what = "no complete JSON object" if not found else f"{len(found)} JSON objects"
        hint = "" if found else " (name a system that answers in prose with prose: before its name)"
        return _failed(FailureKind.PARSE, f"the reply holds {what}; exactly one is read{hint}", text, beside)
    data = found[0] if whole is None else whole[0]
    if not isinstance(data, dict):
        message = f"the reply is a JSON {_json_type(data)}, not an object with a `decision`"
        return _failed(FailureKind.SCHEMA, message, text, beside)
    return _read_mapping(data, text, beside)


def _whole(text: str) -> tuple[Any] | None:
    """The value of a text that is JSON from end to end, in a tuple; None where it is not."""
    stripped = text.strip()
    try:
        value, end = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode(stripped)
    except (ValueError, RecursionError):  # also a whole number of more digits than Python reads
        return None
    return (value,) if end == len(stripped) else None


def _read_mapping(data: Mapping[str, Any], raw: object, beside: Internal | None) -> Outcome:
    if (too_much := _too_much(data)) is not None:
        return _failed(FailureKind.PARSE, f"the reply holds {too_much}", None, beside)
    try:
        response = Response.model_validate(dict(data))
    except ValidationError as error:
        return _failed(FailureKind.SCHEMA, _explain(error, data), raw, beside)
    except (RecursionError, OverflowError):
        return _failed(
            FailureKind.SCHEMA, "the reply is nested too deeply, or holds a number that is too large", None, beside
        )
    return _usable(_with_observed(response, beside), raw, beside)


def _too_much(data: Mapping[str, Any]) -> str | None:
    """What the visible part of a reply has more of than is read; a cycle, gone round and round, is too much as well."""
    characters = values = 0
    waiting: list[object] = [value for key, value in data.items() if key != "internal"]
    while waiting:
        value = waiting.pop()
        values += 1
        if isinstance(value, str | bytes):
            characters += len(value)
        elif isinstance(value, Mapping):
            characters += sum(len(key) for key in value if isinstance(key, str))
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
        if characters > MAX_REPLY_CHARACTERS:
            return f"more than {MAX_REPLY_CHARACTERS:,} characters; at most that many are read"
        if values + len(waiting) > MAX_REPLY_VALUES:
            return f"more than {MAX_REPLY_VALUES:,} values; at most that many are read"
    return None


def _usable(response: Response, raw: object, beside: Internal | None) -> Outcome:
    """The response, unless it holds what is no JSON: an object of the system's, a number that is none, a cycle."""
    try:
        json.dumps(response.model_dump(mode="json"), allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        message = f"the reply holds what is no JSON value ({type(error).__name__})"
        return _failed(FailureKind.SCHEMA, message, None, beside)
    return Outcome(response=response, raw=raw)


def _read_observed(observed: Mapping[str, Any] | None) -> tuple[Internal | None, Outcome | None]:
    if observed is None:
        return None, None
    try:
        return Internal.model_validate(dict(observed)), None
    except ValidationError as error:
        return None, _failed(FailureKind.SCHEMA, "internal: " + _explain(error, observed), None, None)


def _with_observed(response: Response, beside: Internal | None) -> Response:
    """What a recording holds beside a reply fills what the reply itself does not say."""
    if beside is None:
        return response
    own = response.internal.model_dump(exclude_none=True)
    merged = Internal.model_validate({**beside.model_dump(exclude_none=True), **own})
    return response.model_copy(update={"internal": merged})


def _failed(kind: FailureKind, message: str, raw: object, beside: Internal | None) -> Outcome:
    return Outcome(failure=Failure(kind=kind, message=message), raw=_as_json(raw), observed=beside)


def _as_json(raw: object) -> object:
    """What came instead of a response as plain JSON, so that looking through it runs no code of the system's."""
    try:
        return json.loads(json.dumps(raw, default=lambda value: f"an object of type {type(value).__name__}"))
    except (ValueError, TypeError, RecursionError):
        return None


def _explain(error: ValidationError, data: Mapping[str, Any]) -> str:
    """The errors of a reply by field, without pydantic's addresses and without the values of other fields."""
    lines = []
    for item in error.errors(include_url=False)[:_MOST_ERRORS]:
        place = _place(item["loc"])
        if place == "decision" and item["type"] == "missing":
            keys = ", ".join(sorted(str(key) for key in data)[:_MOST_ERRORS]) or "none"
            lines.append(f"decision: missing at the root of the reply (keys there: {keys})")
        else:
            lines.append(f"{place}: {_wrong(item)}, found {_shown(item['input'])}")
    more = error.error_count() - len(lines)
    return "; ".join(lines) + (f"; and {more} more" if more > 0 else "")


def _wrong(item: ErrorDetails) -> str:
    """What is wrong with one field; where it has to be a mapping, with which keys."""
    inner = getattr(response_fields, str(item.get("ctx", {}).get("class_name")), None)
    if inner is None or not issubclass(inner, BaseModel):
        return item["msg"]
    needed, *others = sorted(inner.model_fields.items(), key=lambda field: not field[1].is_required())
    more = f" (and {', '.join(name for name, _ in others)})" if others else ""
    return f"needs a mapping with the key {needed[0]}{more}"


def _place(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


def _shown(value: object, limit: int = 60) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - an object of the system's own may fail to show itself
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}... ({type(value).__name__})"


def _json_type(value: object) -> str:
    names = {list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def a_or_an(name: str) -> str:
    """The name with its article.

    >>> a_or_an("int"), a_or_an("list")
    ('an int', 'a list')
    """
    return f"an {name}" if name[:1] in "aeiouAEIOU" else f"a {name}"
