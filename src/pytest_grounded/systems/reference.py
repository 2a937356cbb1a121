"""The embedded reference pipeline as a system under test, with a suite's own settings where it has any."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.errors import Problem, SystemContractError
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble, versions_of
from pytest_grounded.pipeline.calibrated import CalibratedThreshold, read_calibrated
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.naming import make_importable
from pytest_grounded.systems.restarting import Restartable
from pytest_grounded.systems.settings_files import load_settings_file

__all__ = ["SETTINGS_FILE", "load_settings", "reference_system", "restartable_reference"]

SETTINGS_FILE = "reference.yaml"
MANIFEST = "corpus.yaml"


def reference_system(folder: Path, *, root: Path) -> Answers:
    """The pipeline with the settings of `reference.yaml` in a suite's folder, or with its defaults."""
    return assemble(_settings(folder, root), folder=folder)


def restartable_reference(folder: Path, *, root: Path) -> Restartable:
    """The same as a system that can be started anew; its settings are read once."""
    settings = _settings(folder, root)
    return Restartable(lambda: assemble(settings, folder=folder))


def _settings(folder: Path, root: Path) -> PipelineSettings:
    path = folder / SETTINGS_FILE
    if not os.path.lexists(path):  # a folder or a broken link of that name is said, not passed over
        return PipelineSettings()
    make_importable(root)  # an encoder may be a module of the project
    return load_settings(path, root=root)


def load_settings(path: Path, *, root: Path) -> PipelineSettings:
    """Read settings; everything that is wrong with them is reported at once, with its place.

    `gate.calibrated` names a calibration.json beside the file. It is refused where it was chosen for another corpus,
    score or system than this suite's.
    """
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)

    def prepare(data: Any) -> Any:
        return _with_calibration(data, path.parent, shown)

    settings = load_settings_file(path, PipelineSettings, shown=shown, error=SystemContractError, prepare=prepare)
    if settings.gate.calibrated is not None:
        _require_valid(settings.gate.calibrated, settings, path.parent, root, shown)
    return settings


_FIELD = "gate.calibrated"


def _with_calibration(data: Any, folder: Path, shown: str) -> Any:
    """The settings with the calibration that they name in its place."""
    gate = data.get("gate") if isinstance(data, dict) else None
    if not isinstance(gate, dict) or not isinstance(gate.get("calibrated"), str):
        return data
    name = gate["calibrated"]
    try:
        found = read_calibrated(json.loads((folder / name).read_bytes()), name=name)
    except OSError as error:
        raise _fault(shown, f"{name} cannot be read: {error.strerror or error}") from None
    except CalibrationError as error:
        raise _fault(shown, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _fault(shown, f"{name} is not JSON: {error}") from None
    return {**data, "gate": {**gate, "calibrated": found.model_dump()}}


def _require_valid(
    found: CalibratedThreshold, settings: PipelineSettings, folder: Path, root: Path, shown: str
) -> None:
    """Refuse a threshold that was chosen for something else: it would promise what nobody measured."""
    manifest = folder / MANIFEST
    corpus = load_corpus(manifest, root=root).digest if found.corpus and manifest.is_file() else None
    void = found.void(corpus=corpus, versions=versions_of(_uncalibrated(settings), folder=folder))
    if void:
        raise _fault(
            shown, f"does not hold here: {'; '.join(void)} (calibrate anew on rows of this system, or take it out)"
        )


def _uncalibrated(settings: PipelineSettings) -> PipelineSettings:
    """The settings under which the rows were made: the same without the threshold that was chosen on them."""
    written = settings.model_dump(mode="json")
    written["gate"].pop("calibrated", None)
    return PipelineSettings.model_validate(written)


def _fault(shown: str, message: str) -> SystemContractError:
    return SystemContractError(Problem(file=shown, field=_FIELD, message=message, code="settings.calibrated"))
