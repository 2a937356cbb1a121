"""Reads a YAML file of settings; everything that is wrong with it is said at once, with its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_grounded.corpus.faults import Fault
from pytest_grounded.corpus.wording import shown as shown_value
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
    try:
        document = load_yaml(path)
    except OSError as failed:
        reason = f"cannot be read: {failed.strerror or failed}"
        raise error([Problem(file=shown, message=reason, code="settings.file")]) from None
    if document.faults:
        raise error([_fault(fault, shown) for fault in document.faults])
    try:
        return model.model_validate(prepare({} if document.data in (None, "") else document.data))
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
        message = _unknown(item["loc"], model) if unknown else _wrong(item["msg"], item["input"])
        field = ".".join(str(part) for part in item["loc"]) or None
        problems.append(
            Problem(file=shown, line=line, column=column, field=field, message=message, code="settings.type")
        )
    return problems


_CREDENTIALS = re.compile(r"(?<=//)[^/@\s]*@")


def _wrong(message: str, found: object) -> str:
    """What is wrong with a value and which one was found; a password in an address does not come into a log."""
    said = message.removeprefix("Value error, ")
    return said if "found" in said else f"{said}, found {shown_value(_CREDENTIALS.sub('***@', str(found)))}"


def _unknown(location: tuple[int | str, ...], model: type) -> str:
    """What to write instead of a setting that does not exist."""
    for part in location[:-1]:
        field = getattr(model, "model_fields", {}).get(part)
        model = field.annotation if field is not None and isinstance(field.annotation, type) else object
    known = list(getattr(model, "model_fields", {}))
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"is not a setting{hint}; settings here: {', '.join(known) or 'none'}"
