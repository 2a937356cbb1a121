"""Finds a project's root and its folders of cases the way a pytest run finds them."""

from __future__ import annotations

import argparse
import configparser
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_grounded.corpus.wording import did_you_mean
from pytest_grounded.errors import GroundedError

__all__ = ["FIRST_SUITE", "Project", "add_cases_option", "configuration_of", "find_project", "is_configured"]


FIRST_SUITE = "`pytest-grounded init` writes a first suite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The folder paths are shown relative to, the folders that hold case files, the system under test.

    `reason_codes` are the project's own ones, mapped to those of the contract; `link_hosts` what links may point to.
    """

    root: Path
    cases_roots: tuple[Path, ...]
    system: str = "reference"
    reason_codes: Mapping[str, str] = field(default_factory=dict)
    link_hosts: tuple[str, ...] = ()

    def suite_folder(self, suite: str) -> Path:
        """The folder of a suite, or an error that names those there are."""
        for root in self.cases_roots:
            folder = root if suite == "root" else root / suite
            if (folder / "corpus.yaml").is_file():
                return folder
        where = ", ".join(self.shown(root) for root in self.cases_roots)
        message = f"there is no suite {suite!r} with a corpus.yaml below {where}"
        if not (known := self.suites()):
            raise GroundedError(f"{message} ({FIRST_SUITE})")
        raise GroundedError(f"{message} (suites there: {', '.join(known)}){did_you_mean(suite, known)}")

    def suites(self) -> list[str]:
        """The suites that have a corpus, by name."""
        found = (
            path.parent.relative_to(root).as_posix() for root in self.cases_roots for path in root.rglob("corpus.yaml")
        )
        return sorted({"root" if name == "." else name for name in found})

    def shown(self, path: Path) -> str:
        """A path as it is shown to people."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def add_cases_option(parser: argparse.ArgumentParser) -> None:
    """Add `--cases`."""
    parser.add_argument(
        "--cases",
        metavar="DIR",
        action="append",
        type=Path,
        help="folder that holds the suites (default: the ini option grounded_cases, else cases)",
    )


def find_project(cases: list[Path] | None = None, *, start: Path | None = None) -> Project:
    """The project around a folder: the nearest one upwards with a configuration of pytest."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        configured = _configured(folder)
        if configured is not None:
            own = _as_list(configured.get("grounded_cases")) or ["cases"]
            roots = [(here / path).resolve() for path in cases] if cases else [folder / name for name in own]
            system = str(configured.get("grounded_system") or "reference")
            return Project(
                root=folder,
                cases_roots=tuple(roots),
                system=system,
                reason_codes=_reason_codes(configured.get("grounded_reason_codes")),
                link_hosts=tuple(one.lower() for one in _as_lines(configured.get("grounded_link_hosts"))),
            )
    return Project(root=here, cases_roots=tuple((here / path).resolve() for path in cases or [Path("cases")]))


def is_configured(folder: Path) -> bool:
    """Whether a folder has a file that configures pytest; a pyproject.toml without a table for it does not."""
    if (folder / "pyproject.toml").is_file() and not _configured(folder):
        return False
    return _configured(folder) is not None


def configuration_of(folder: Path) -> str:
    """The name of the file that configures pytest in a folder, or that is written where there is none."""
    found = _configuration(folder)
    return "pytest.ini" if found is None else found[0]


def _configured(folder: Path) -> Mapping[str, Any] | None:
    """The options of pytest in a folder's configuration file; None where it has none."""
    found = _configuration(folder)
    return None if found is None else found[1]


def _configuration(folder: Path) -> tuple[str, Mapping[str, Any]] | None:
    for name in ("pytest.toml", ".pytest.toml"):
        if (folder / name).is_file():
            return name, _table(_toml(folder / name).get("pytest"))
    for name, section in (
        ("pytest.ini", "pytest"),
        (".pytest.ini", "pytest"),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        if (folder / name).is_file():
            parser = configparser.ConfigParser(interpolation=None)
            try:
                parser.read(folder / name, encoding="utf-8")
            except (configparser.Error, UnicodeDecodeError) as error:
                raise GroundedError(f"{folder / name}: cannot be read: {error}") from None
            if parser.has_section(section):
                return name, dict(parser.items(section))
    if (folder / "pyproject.toml").is_file():
        pytest_table = _table(_table(_toml(folder / "pyproject.toml").get("tool")).get("pytest"))
        return "pyproject.toml", _table(pytest_table.get("ini_options", pytest_table))
    return None


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GroundedError(f"{path}: cannot be read: {error}") from None


def _as_list(value: str | list[str] | None) -> list[str]:
    return value.split() if isinstance(value, str) else list(value or ())


def _reason_codes(value: str | list[str] | None) -> dict[str, str]:
    """Lines such as OURS = NO_EVIDENCE; whether they can be used is said by the run itself."""
    pairs = (line.partition("=") for line in _as_lines(value))
    return {own.strip(): code.strip() for own, equals, code in pairs if equals}


def _as_lines(value: str | list[str] | None) -> list[str]:
    written = value.splitlines() if isinstance(value, str) else list(value or ())
    return [line.strip() for line in written if line.strip()]
