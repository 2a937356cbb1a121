"""A judge named by a file of settings, with its measurement and its kept verdicts where the file names them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pytest_grounded.calibration.judging_report import MeasuredJudge, measured_judge
from pytest_grounded.errors import JudgeError
from pytest_grounded.files import write_whole
from pytest_grounded.judges.ruling import Jury
from pytest_grounded.judges.settings import JudgeSettings, make_judge
from pytest_grounded.judges.verdicts import KeptVerdict, Verdicts, read_verdicts, verdict_lines
from pytest_grounded.model.support import SupportJudge
from pytest_grounded.systems.settings_files import load_settings_file

__all__ = ["keep_verdicts", "load_judge_settings", "load_jury"]


def load_judge_settings(path: Path, *, shown: str | None = None) -> JudgeSettings:
    """The settings of a file; raises JudgeError with everything that is wrong with them."""
    return load_settings_file(path, JudgeSettings, shown=shown or str(path), error=JudgeError)


def load_jury(path: Path, *, shown: str | None = None) -> Jury:
    """The judge of a settings file, ready to rule; raises JudgeError where its measurement is of another version.

    Without a measurement it is there, and rules on nothing.
    """
    settings = load_judge_settings(path, shown=shown)
    judge = make_judge(settings, folder=path.parent)
    measured = None if settings.measured is None else _measured(path.parent / settings.measured, judge)
    verdicts = Verdicts() if settings.verdicts is None else _kept(path.parent / settings.verdicts)
    return Jury(judge, verdicts=verdicts, measured=None if measured is None else measured.words)


def keep_verdicts(path: Path, new: Iterable[KeptVerdict]) -> None:
    """Add verdicts to the file that a settings file names for them, if it names one and there is anything new.

    Raises OSError where it cannot be written.
    """
    settings = load_judge_settings(path)
    if settings.verdicts is None:
        return
    target = path.parent / settings.verdicts
    kept = _kept(target)
    known = set(kept)
    fresh = [one for one in new if one not in known]
    if fresh:
        judge = make_judge(settings, folder=path.parent)
        write_whole(target, verdict_lines({*known, *fresh}, judge))


def _measured(path: Path, judge: SupportJudge) -> MeasuredJudge:
    try:
        found = measured_judge(json.loads(path.read_bytes()), name=path.name)
    except OSError as error:
        raise JudgeError(
            f"{path}: cannot be read: {error.strerror or error} (write it with `pytest-grounded judge --out`)"
        ) from None
    except (ValueError, RecursionError) as error:
        raise JudgeError(f"{path}: {error}") from None
    if (found.judge, found.version) != (judge.name, judge.version):
        raise JudgeError(
            f"{path}: measures {found.judge}/{found.version}, and the judge is {judge.name}/{judge.version}: what was "
            "measured of one version says nothing of another (measure it anew with `pytest-grounded judge`)"
        )
    return found


def _kept(path: Path) -> Verdicts:
    if not path.exists():
        return Verdicts()
    try:
        with path.open("rb") as file:
            return read_verdicts(file, name=path.name)
    except OSError as error:
        raise JudgeError(f"{path}: cannot be read: {error.strerror or error}") from None
