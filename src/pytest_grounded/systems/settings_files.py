"""Reads a YAML file of settings; everything that is wrong with it is said at once, with its place."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_grounded.corpus.faults import Fault
from pytest_grounded.corpus.yaml_reader import Document, load_yaml
from pytest_grounded.errors import GroundedError, Problem

__all__ = ["load_settings_file"]

_Model = TypeVar("_Model", bound=BaseModel)


def load_settings_file(
    path: Path,
    model: type[_Model],
    *,
    shown: str,
    error: Callable[[list[Problem]], GroundedError],
    prepare: Callable[[Any], Any] = lambda data: data,
) -> _Model:
    """The settings of a file, called `shown` in what is wrong with it; raises what `error` makes of all problems.

    `prepare` makes of what the file says what the model reads.
    """
    document = load_yaml(path)
    if document.faults:
        raise error([_fault(fault, shown) for fault in document.faults])
    try:
        return model.model_validate(prepare(document.data or {}))
    except ValidationError as failed:
        problems = _problems(failed, document, shown, model)
    raise error(problems)


def _fault(fault: Fault, shown: str) -> Problem:
    line, column = fault.spot or (None, None)
    return Problem(file=shown, line=line, column=column, message=fault.message, code="settings.yaml")


def _problems(error: ValidationError, document: Document, shown: str, model: type[BaseModel]) -> list[Problem]:
    problems = []
    for item in error.errors(include_url=False):
        unknown = item["type"] == "extra_forbidden"
        line, column = document.spot(item["loc"], key=unknown)
        message = _unknown(item["loc"], model) if unknown else f"{item['msg']}, found {item['input']!r}"
        field = ".".join(str(part) for part in item["loc"]) or None
        problems.append(
            Problem(file=shown, line=line, column=column, field=field, message=message, code="settings.type")
        )
    return problems


def _unknown(location: tuple[int | str, ...], model: type) -> str:
    """What to write instead of a setting that does not exist."""
    for part in location[:-1]:
        field = getattr(model, "model_fields", {}).get(part)
        model = field.annotation if field is not None and isinstance(field.annotation, type) else object
    known = list(getattr(model, "model_fields", {}))
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"is not a setting{hint}; settings here: {', '.join(known) or 'none'}"
