"""The embedded reference pipeline as a system under test, with a suite's own settings where it has any."""

from __future__ import annotations

import difflib
from pathlib import Path

from pydantic import ValidationError

from pytest_grounded.corpus.faults import Fault
from pytest_grounded.corpus.yaml_reader import Document, load_yaml
from pytest_grounded.errors import Problem, SystemContractError
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.naming import make_importable
from pytest_grounded.systems.restarting import Restartable

__all__ = ["SETTINGS_FILE", "load_settings", "reference_system", "restartable_reference"]

SETTINGS_FILE = "reference.yaml"


def reference_system(folder: Path, *, root: Path) -> Answers:
    """The pipeline with the settings of `reference.yaml` in a suite's folder, or with its defaults."""
    return assemble(_settings(folder, root), folder=folder)


def restartable_reference(folder: Path, *, root: Path) -> Restartable:
    """The same as a system that can be started anew; its settings are read once."""
    settings = _settings(folder, root)
    return Restartable(lambda: assemble(settings, folder=folder))


def _settings(folder: Path, root: Path) -> PipelineSettings:
    path = folder / SETTINGS_FILE
    if not path.is_file():
        return PipelineSettings()
    make_importable(root)  # an encoder may be a module of the project
    return load_settings(path, root=root)


def load_settings(path: Path, *, root: Path) -> PipelineSettings:
    """Read settings; everything that is wrong with them is reported at once, with its place."""
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    document = load_yaml(path)
    if document.faults:
        raise SystemContractError(_fault(fault, shown) for fault in document.faults)
    try:
        return PipelineSettings.model_validate(document.data or {})
    except ValidationError as error:
        raise SystemContractError(_problems(error, document, shown)) from None


def _fault(fault: Fault, shown: str) -> Problem:
    line, column = fault.spot or (None, None)
    return Problem(file=shown, line=line, column=column, message=fault.message, code="settings.yaml")


def _problems(error: ValidationError, document: Document, shown: str) -> list[Problem]:
    problems = []
    for item in error.errors(include_url=False):
        unknown = item["type"] == "extra_forbidden"
        spot = document.spot(item["loc"], key=unknown)
        message = _unknown(item["loc"]) if unknown else f"{item['msg']}, found {item['input']!r}"
        field = ".".join(str(part) for part in item["loc"])
        problems.append(
            Problem(file=shown, line=spot.line, column=spot.column, field=field, message=message, code="settings.type")
        )
    return problems


def _unknown(location: tuple[int | str, ...]) -> str:
    """What to write instead of a setting that does not exist."""
    model: type = PipelineSettings
    for part in location[:-1]:
        field = getattr(model, "model_fields", {}).get(part)
        model = field.annotation if field is not None and isinstance(field.annotation, type) else object
    known = list(getattr(model, "model_fields", {}))
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"is not a setting{hint}; settings here: {', '.join(known) or 'none'}"
