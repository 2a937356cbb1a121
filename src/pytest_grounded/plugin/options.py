"""The command line options and ini settings, and what they mean."""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

__all__ = [
    "add_options",
    "cases_roots",
    "check_judge",
    "check_options",
    "check_results_path",
    "check_snapshot_options",
    "is_below_cases",
    "is_ci",
    "judge_path",
    "link_hosts",
    "probes",
    "reason_codes",
    "results_path",
    "run_dir",
    "runs",
    "snapshot_mode",
    "system_name",
    "timeout",
    "today",
]

_MODES = ("auto", "check", "pending", "new", "update", "off")


def add_options(parser: pytest.Parser) -> None:
    """Add every option that this version builds."""
    group = parser.getgroup("grounded", "grounded answers (pytest-grounded)")
    group.addoption(
        "--grounded-system",
        dest="grounded_system",
        metavar="NAME",
        help="system under test: package.module:attribute, recorded:FILE or reference (overrides the ini option)",
    )
    group.addoption(
        "--grounded-results",
        dest="grounded_results",
        metavar="FILE",
        help="write one JSON object per case to FILE (JSON Lines); a run that is stopped before any was judged leaves "
        "it as it was",
    )
    group.addoption(
        "--grounded-snapshots",
        dest="grounded_snapshots",
        choices=_MODES,
        default="auto",
        help="approved traces: check writes nothing, pending writes what differs to .grounded/pending, new writes only "
        "missing ones, update approves (as --snapshot-update does), off compares none; auto: check where CI is set, "
        "else pending",
    )
    group.addoption(
        "--grounded-drift",
        dest="grounded_drift",
        choices=("fail", "warn", "off"),
        default="warn",
        help="what a changed order, wording or score does (default: warn; a case of high risk then fails)",
    )
    group.addoption(
        "--grounded-orphans",
        dest="grounded_orphans",
        choices=("fail", "warn"),
        default="warn",
        help="what approved traces of no case do after a run over all cases (default: warn)",
    )
    group.addoption(
        "--grounded-run-dir",
        dest="grounded_run_dir",
        metavar="DIR",
        help="folder for what this run writes about traces, in place of .grounded; the only one with check",
    )
    group.addoption(
        "--grounded-probes",
        dest="grounded_probes",
        metavar="N",
        type=_count_from(0),
        default=None,
        help="further questions per restricted case, made from what its requester may not read, each asked over the "
        "whole corpus and over the readable one (default: 8 for systems that take a corpus; 0 asks none)",
    )
    group.addoption(
        "--grounded-runs",
        dest="grounded_runs",
        metavar="K",
        type=_count_from(1),
        default=1,
        help="ask every case at least K times; a case's `require` says how many have to pass (default: all)",
    )
    parser.addini("grounded_cases", "folders that hold case files (default: cases)", type="paths", default=None)
    parser.addini("grounded_system", "system under test (default: reference)", default="")
    parser.addini(
        "grounded_judge",
        "YAML file that names the support judge for claims that no rule decides (default: none; they are not judged)",
        default="",
    )
    parser.addini("grounded_timeout", "seconds after which a call counts as SYSTEM_FAILURE (default: 60)", default="60")
    parser.addini(
        "grounded_reason_codes",
        "own reason codes, one a line: OURS = NO_EVIDENCE",
        type="linelist",
        default=[],
    )
    parser.addini(
        "grounded_link_hosts",
        "hosts that links in answers may point to, besides those of the corpus (default: any)",
        type="args",
        default=[],
    )


def _count_from(least: int) -> Callable[[str], int]:
    """Reads a whole number that is at least so large."""

    def count(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"needs a whole number of at least {least}, found {text!r}")
        return int(text)

    return count


def probes(config: pytest.Config) -> int:
    """How many probes a restricted case gets."""
    from pytest_grounded.harness.probing import DEFAULT_PROBES

    wanted: int | None = config.getoption("grounded_probes", None)
    return DEFAULT_PROBES if wanted is None else wanted


def runs(config: pytest.Config) -> int:
    """How often every case is asked at least."""
    return int(config.getoption("grounded_runs", 1))


def check_options(config: pytest.Config) -> None:
    """Refuse what cannot work before anything runs: one error, not one in every case."""
    timeout(config)
    if config.getini("grounded_reason_codes"):
        reason_codes(config)
    for folder in config.getini("grounded_cases") or ():
        if not Path(folder).is_dir():
            raise pytest.UsageError(f"ini option grounded_cases: there is no folder {str(folder)!r}")
    check_results_path(config)
    check_snapshot_options(config)
    check_judge(config)


def cases_roots(config: pytest.Config) -> tuple[Path, ...]:
    """The folders that hold case files, resolved."""
    configured: Sequence[Path] | None = config.getini("grounded_cases")
    roots = [Path(path) for path in configured or ()] or [config.rootpath / "cases"]
    return tuple(root.resolve() for root in roots)


def is_below_cases(config: pytest.Config, path: Path) -> bool:
    """Whether a file stands below a folder of cases, by its own place or by what it links to."""
    places = (path.parent.resolve() / path.name, path.resolve())
    return any(place.is_relative_to(root) for place in places for root in cases_roots(config))


def timeout(config: pytest.Config) -> float:
    """Seconds a call may take."""
    value = str(config.getini("grounded_timeout"))
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds <= 0:
        raise pytest.UsageError(f"ini option grounded_timeout: needs a number of seconds above 0, found {value!r}")
    return seconds


def today() -> date:
    """The day that waivers are held to: that of `SOURCE_DATE_EPOCH` where it is set, so that a run can be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(tz=UTC).date()
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC).date()
    except (ValueError, OverflowError, OSError):
        raise pytest.UsageError(f"SOURCE_DATE_EPOCH: needs whole seconds since 1970, found {epoch!r}") from None


def reason_codes(config: pytest.Config) -> dict[str, str]:
    """A project's own reason codes, mapped to those of the contract."""
    from pytest_grounded.model.vocabulary import ReasonCode

    mapping: dict[str, str] = {}
    for line in config.getini("grounded_reason_codes"):
        own, equals, target = (part.strip() for part in line.partition("="))
        if not equals or not own or target not in list(ReasonCode):
            known = ", ".join(ReasonCode)
            message = f"ini option grounded_reason_codes: needs lines such as OURS = NO_EVIDENCE, found {line!r}"
            raise pytest.UsageError(f"{message}; known codes: {known}")
        if own in mapping and mapping[own] != target:
            raise pytest.UsageError(f"ini option grounded_reason_codes: {own!r} is mapped twice")
        mapping[own] = target
    return mapping


def link_hosts(config: pytest.Config) -> tuple[str, ...]:
    """Hosts that links may point to, in lower case."""
    return tuple(str(host).lower() for host in config.getini("grounded_link_hosts"))


def system_name(config: pytest.Config) -> str:
    """The system under test as the option or the ini setting names it; empty where neither does."""
    return config.getoption("grounded_system", None) or str(config.getini("grounded_system"))


def judge_path(config: pytest.Config) -> Path | None:
    """The file that names the support judge, relative to the rootdir; None where none is named."""
    name = str(config.getini("grounded_judge"))
    return config.rootpath / name if name else None


def check_judge(config: pytest.Config) -> None:
    """Refuse a judge that cannot be used, or whose measurement is of another version, before any system is asked."""
    path = judge_path(config)
    if path is None:
        return
    from pytest_grounded.errors import JudgeError
    from pytest_grounded.systems.judges import load_jury

    if not path.is_file():
        raise pytest.UsageError(f"ini option grounded_judge: there is no file {str(path)!r}")
    try:
        load_jury(path, shown=str(config.getini("grounded_judge")))
    except JudgeError as error:
        raise pytest.UsageError(f"ini option grounded_judge: {error}") from None


def results_path(config: pytest.Config) -> Path | None:
    """Where the results go: relative to the folder pytest was started in."""
    option = config.getoption("grounded_results", None)
    return config.invocation_params.dir / option if option else None


def check_results_path(config: pytest.Config) -> None:
    """Refuse a results file that cannot be written, before any system is asked."""
    path = results_path(config)
    if path is None:
        return
    if path.is_dir():
        raise pytest.UsageError(f"--grounded-results {path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise pytest.UsageError(f"--grounded-results {path}: is a device or a pipe; name a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise pytest.UsageError(f"--grounded-results {path}: its folder cannot be made: {error.strerror}") from None
    try:
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except OSError as error:
        message = f"--grounded-results {path}: no file can be written in its folder: {error.strerror}"
        raise pytest.UsageError(message) from None


def snapshot_mode(config: pytest.Config) -> str:
    """The mode of the run, `auto` resolved; raises UsageError where two options say different things."""
    mode = str(config.getoption("grounded_snapshots"))
    if config.getoption("update_snapshots", False) and mode != "off":
        if mode not in {"auto", "update"}:
            raise pytest.UsageError(
                f"--snapshot-update and --grounded-snapshots {mode} contradict each other; leave one out, or say "
                "--grounded-snapshots update"
            )
        return "update"
    if mode != "auto":
        return mode
    if config.getoption("update_new_snapshots_only", False):
        return "new"
    return "check" if is_ci() else "pending"


def is_ci() -> bool:
    """Whether the environment variable `CI` is set to anything but a no."""
    return os.environ.get("CI", "").strip().lower() not in {"", "0", "false", "no"}


def run_dir(config: pytest.Config) -> Path | None:
    """The folder the run may write into, relative to the folder pytest was started in; None where none was named."""
    option = config.getoption("grounded_run_dir", None)
    return (config.invocation_params.dir / option).resolve() if option else None


def check_snapshot_options(config: pytest.Config) -> None:
    """Refuse what cannot work before any system is asked."""
    snapshot_mode(config)
    folder = run_dir(config)
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise pytest.UsageError(f"--grounded-run-dir {folder}: is no folder; name another")
    if folder.is_relative_to(config.rootpath / "snapshots"):
        raise pytest.UsageError(f"--grounded-run-dir {folder}: is among the approved traces; name a folder elsewhere")
