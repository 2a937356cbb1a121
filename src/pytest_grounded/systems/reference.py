"""The embedded reference pipeline as a system under test, with a suite's own settings where it has any."""

from __future__ import annotations

from pathlib import Path

from pytest_grounded.errors import SystemContractError
from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.naming import make_importable
from pytest_grounded.systems.restarting import Restartable
from pytest_grounded.systems.settings_files import load_settings_file

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
    return load_settings_file(path, PipelineSettings, shown=shown, error=SystemContractError)
