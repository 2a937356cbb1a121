"""The cases below some folders, with the settings that each suite names for the reference pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_grounded.cases.loading import discover, load_case_file
from pytest_grounded.errors import GroundedError
from pytest_grounded.model.case import Case
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings

__all__ = ["suites_below"]


def suites_below(folders: Sequence[Path]) -> tuple[list[Case], Callable[[Case], PipelineSettings]]:
    """The cases below some folders, and the settings of each suite; a folder with a corpus is a suite itself.

    Raises GroundedError where there are none.
    """
    root = Path.cwd()
    named = [folder.resolve() for folder in folders]
    roots = [folder.parent if (folder / "corpus.yaml").is_file() else folder for folder in named]
    files = [load_case_file(path, root=root, cases_roots=roots) for path in discover(named)]
    if not files:
        raise GroundedError(f"there are no case files below {', '.join(map(str, folders))}: name a folder of suites")
    folder_of = {file.suite: file.path.parent for file in files}
    known: dict[str, PipelineSettings] = {}

    def settings_of(case: Case) -> PipelineSettings:
        if case.suite not in known:
            path = folder_of[case.suite] / SETTINGS_FILE
            known[case.suite] = load_settings(path, root=root) if path.is_file() else PipelineSettings()
        return known[case.suite]

    return [case for file in files for case in file.cases], settings_of
