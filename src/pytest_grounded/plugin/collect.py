"""Case files as pytest collectors, cases as pytest items."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.model.case import Case
from pytest_grounded.plugin.running import run_in_test
from pytest_grounded.plugin.session import session_of

__all__ = ["GroundedFile", "GroundedItem", "collect_file"]


def collect_file(path: Path, parent: pytest.Collector) -> GroundedFile | None:
    """A collector for a YAML file that is ours to look at."""
    named = parent.session.isinitpath(path)
    roots = session_of(parent.config).cases_roots
    resolved = path.resolve()
    if not named and not any(resolved.is_relative_to(root) for root in roots):
        return None
    return GroundedFile.from_parent(parent, path=path)


class GroundedFile(pytest.Module):
    """A case file. A module, because its cases use fixtures of every scope; it has no Python object."""

    obj = None

    def collect(self) -> Iterator[GroundedItem]:
        """One item per case; every problem of the file at once where it cannot be used."""
        try:
            session = session_of(self.config)
            loaded = session.load(self.path, named=self.session.isinitpath(self.path))
        except GroundedError as error:
            raise self.CollectError(str(error)) from None
        fixtureinfo = None
        for case in loaded.cases:
            item = GroundedItem.from_parent(self, name=case.id, callobj=run_case, fixtureinfo=fixtureinfo, case=case)
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

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """The case's line in its file."""
        return self.path, self.case.place.line - 1, self.name


def run_case(request: pytest.FixtureRequest, grounded_system: Any) -> None:
    """Ask the system, judge the answer, fail with what was found."""
    run_in_test(request, request.node.case, grounded_system)
