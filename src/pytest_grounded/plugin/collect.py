"""Case files as pytest collectors, cases as pytest items."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.paths import relative
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.errors import GroundedError
from pytest_grounded.model.case import Case
from pytest_grounded.plugin.running import run_in_test
from pytest_grounded.plugin.session import session_of
from pytest_grounded.redaction import neutralise

__all__ = ["GroundedFile", "GroundedItem", "RefusedFile", "collect_file"]


def collect_file(path: Path, parent: pytest.Collector) -> pytest.File | None:
    """A collector for a YAML file that is ours to look at.

    What looks like a case file but cannot be used as one (`*.yml`, a link that leads out of the folders of cases) is an
    error: cases that silently do not run are worse than none.
    """
    named = parent.session.isinitpath(path)
    leads_out = not any(path.resolve().is_relative_to(root) for root in session_of(parent.config).cases_roots)
    if path.suffix == ".yml":
        return RefusedFile.from_parent(parent, path=path, why=_YML) if _has_cases(path) else None
    if leads_out and not named:
        return RefusedFile.from_parent(parent, path=path, why=_LINK)
    return GroundedFile.from_parent(parent, path=path)


_YML = "case files end in .yaml: rename it"
_LINK = "is a link to a file outside the folders of cases: put the file here, or name its folder in grounded_cases"


def _has_cases(path: Path) -> bool:
    try:
        data = load_yaml(path).data
    except (GroundedError, OSError):
        return False
    return isinstance(data, dict) and "cases" in data


class RefusedFile(pytest.File):
    """A file that cannot be collected, and why."""

    def __init__(self, *, why: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.why = why

    def collect(self) -> Iterator[pytest.Item]:
        """Always an error."""
        raise self.CollectError(f"{relative(self.path, self.config.rootpath)}: {self.why}")


class GroundedFile(pytest.Module):
    """A case file. A module, because its cases use fixtures of every scope; it has no Python object."""

    obj = None

    def collect(self) -> Iterator[GroundedItem]:
        """One item per case; every problem of the file at once where it cannot be used."""
        try:
            session = session_of(self.config)
            loaded = session.load(self.path, named=self.session.isinitpath(self.path))
        except GroundedError as error:
            raise self.CollectError(neutralise(str(error), tags=False)) from None
        fixtureinfo = None
        for case in loaded.cases:
            item = GroundedItem.from_parent(self, name=case.id, callobj=asks, fixtureinfo=fixtureinfo, case=case)
            # The fixtures of one file's cases are the same; looking them up anew cost most of collection.
            fixtureinfo = getattr(item, "_fixtureinfo", None)
            yield item


class GroundedItem(pytest.Function):
    """One case as a test."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        self.add_marker(pytest.mark.grounded(kind=case.kind.value, suite=case.suite, risk=case.risk.value))
        self.extra_keyword_matches.update((case.kind.value, case.suite, *case.tags))

    def runtest(self) -> None:
        """Ask and judge here: where pytest's own plugin for Python tests is off nobody else would, and it passed."""
        request = self.funcargs["request"]
        assert isinstance(request, pytest.FixtureRequest)
        try:
            run_in_test(request, self.case, self.funcargs["grounded_system"])
        except KeyboardInterrupt:
            ended: BaseException | None = KeyboardInterrupt()
        except pytest.exit.Exception as error:
            ended = pytest.exit.Exception(error.msg, error.returncode)
        else:
            ended = None
        # Anew, from here: --full-trace shows the arguments of every frame on the way, the system among them.
        if ended is not None:
            raise ended

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """The case's line in its file."""
        return self.path, self.case.place.line - 1, self.name


def asks(request: pytest.FixtureRequest, grounded_system: Any) -> None:
    """Name the fixtures of a case's test."""
