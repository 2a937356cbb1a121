"""One thing that is wrong in an input file, before it is known how the file and its parts are called.

YAML faults and what pydantic finds wrong with a value become the same thing here: a path into the file and a message
that says what is wrong, what was found and what would be right. Who knows the file makes `errors.Problem` of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pytest_grounded.corpus.wording import did_you_mean, found, listed, shown

__all__ = ["Fault", "Path", "Spot", "faults_of", "spelled"]

Path = tuple[str | int, ...]
"""Keys and indices from the root of a file to one of its parts."""


class Spot(NamedTuple):
    """A 1-based line and column."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with the part at `path`; `kind` ends the name of the check (`case_file.<kind>`).

    `at_key` points at the key of the part instead of its value; a part that is missing is pointed at where it should
    stand. `spot` is set where the path alone does not lead there.
    """

    kind: str
    message: str
    path: Path = ()
    at_key: bool = False
    spot: Spot | None = None


def spelled(path: Path) -> str:
    """A path as people write it.

    >>> spelled(("expect", "slots", 0, "evidence"))
    'expect.slots[0].evidence'
    """
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return words.removeprefix(".")


def faults_of(
    error: ValidationError,
    schema: Any,
    *,
    synonyms: Mapping[str, str] | None = None,
    hidden: frozenset[str] = frozenset(),
) -> Iterator[Fault]:
    """What a failed validation against `schema` (a model or another type) says, one fault for each error.

    `synonyms` are words people write for another one; of the fields in `hidden` no value is shown.
    """
    for details in error.errors(include_url=False):
        path = tuple(part for part in details["loc"] if not _is_tag(part))
        yield _fault(details, path, schema, synonyms or {}, hidden)


def _is_tag(part: str | int) -> bool:
    """Whether a part names the branch of a union, which is no part of the file."""
    return isinstance(part, str) and part.startswith("<") and part.endswith(">")


def _fault(
    details: ErrorDetails, path: Path, schema: Any, synonyms: Mapping[str, str], hidden: frozenset[str]
) -> Fault:
    kind = details["type"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        hint = _hint(key, _keys_at(schema, path[:-1]), synonyms)
        return Fault(kind="unknown_key", message=f"unknown key {shown(key)}{hint}", path=path, at_key=True)
    if kind == "missing":
        needs = f"key {path[-1]!r} is missing ({_purpose_at(schema, path)})"
        return Fault(kind="missing_key", message=needs, path=path)
    if kind in _OWN_KINDS:
        return Fault(kind=_OWN_KINDS[kind], message=details["msg"], path=path)
    value = details["input"]
    what = found(value) if hidden.isdisjoint(path) or not isinstance(value, str) else "text"
    return Fault(kind="type", message=f"{_need(details)}, found {what}{_meant(details, synonyms)}", path=path)


_OWN_KINDS = {"unsafe_id": "unsafe_id", "asserts_nothing": "asserts_nothing", "stated": "type"}
"""Errors raised by our own validators whose message is complete as it is, and the kind of fault they are."""

_NEEDS = {
    "string_type": "needs text",
    "tuple_type": "needs a list",
    "list_type": "needs a list",
    "dict_type": "needs a mapping of keys to values",
    "mapping_type": "needs a mapping of keys to values",
    "model_type": "needs a mapping of keys to values",
    "model_attributes_type": "needs a mapping of keys to values",
    "int_type": "needs a whole number",
    "int_parsing": "needs a whole number",
    "int_parsing_size": "needs a whole number of fewer digits",
    "int_from_float": "needs a whole number",
    "string_too_short": "needs text that is not empty",
}


def _need(details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx", {})
    match kind:
        case "enum" | "literal_error":
            return f"needs {listed(_expected(context))}"
        case "value_error":
            return str(context["error"])
        case "too_short":
            return f"needs at least {context['min_length']} entries"
        case "greater_than" | "greater_than_equal":
            than = "above" if kind == "greater_than" else "of at least"
            return f"needs a number {than} {next(iter(context.values())):g}"
        case _:
            return _NEEDS.get(kind, details["msg"])


def _meant(details: ErrorDetails, synonyms: Mapping[str, str]) -> str:
    written = details["input"]
    if details["type"] not in {"enum", "literal_error"} or not isinstance(written, str):
        return ""
    return _hint(written, _expected(details.get("ctx", {})), synonyms)


def _hint(written: str, choices: Sequence[str], synonyms: Mapping[str, str]) -> str:
    """What may have been meant: what a synonym stands for, else what is spelled alike."""
    meant = synonyms.get(written)
    return f" (did you mean {meant!r}?)" if meant in choices else did_you_mean(written, choices)


def _expected(context: Mapping[str, Any]) -> list[str]:
    """The words a closed set allows, from pydantic's `'a', 'b' or 'c'`."""
    return [word.strip("' ") for word in str(context.get("expected", "")).replace(" or ", ", ").split(", ")]


def _keys_at(schema: Any, path: Path) -> tuple[str, ...]:
    """The keys that may stand in the mapping at `path`."""
    return tuple(key for model in _models(_schema_at(schema, path)) for key in model.model_fields)


def _purpose_at(schema: Any, path: Path) -> str:
    """What a key is for: the description of its field."""
    for model in _models(_schema_at(schema, path[:-1])):
        field = model.model_fields.get(str(path[-1]))
        if field is not None and field.description:
            return field.description.rstrip(".")
    return "it is required"


def _schema_at(schema: Any, path: Path) -> tuple[Any, ...]:
    """The types that may stand at `path` below a type, unions taken apart."""
    types = tuple(_branches(schema))
    for part in path:
        types = tuple(branch for one in types for below in _below(one, part) for branch in _branches(below))
    return types


def _branches(schema: Any) -> Iterator[Any]:
    origin = get_origin(schema)
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        yield schema
    elif origin is None:
        return
    elif issubclass(origin, (list, tuple, Mapping)) if isinstance(origin, type) else False:
        yield schema
    else:
        for part in get_args(schema):
            yield from _branches(part)


def _below(schema: Any, part: str | int) -> Iterator[Any]:
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        if isinstance(part, str) and (field := schema.model_fields.get(part)) is not None:
            yield field.annotation
    elif isinstance(part, int) == (not issubclass(get_origin(schema) or object, Mapping)):
        yield from (argument for argument in get_args(schema) if argument is not Ellipsis)


def _models(types: tuple[Any, ...]) -> Iterator[type[BaseModel]]:
    return (one for one in types if isinstance(one, type) and issubclass(one, BaseModel))
