"""Approved traces that belong to no case: found from the catalogue of cases, never from what ran.

A run says so only when it was asked for all cases, so that it costs nothing elsewhere; it never deletes.
"""

from __future__ import annotations

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.plugin.session import session_of

__all__ = ["find_orphans", "is_over_all_cases"]

_FILTERS = ("keyword", "markexpr", "lf", "deselect", "stepwise", "ignore", "ignore_glob", "collectonly")


def find_orphans(config: pytest.Config) -> tuple[str, ...]:
    """The files without a case, as people are told them; none where the catalogue cannot be read."""
    session = session_of(config)
    try:
        cases = session.all_cases()
    except GroundedError:
        return ()
    store = session.tracing.store
    return tuple(store.shown(path) for path in store.orphans((case.suite, case.id) for case in cases))


def is_over_all_cases(config: pytest.Config) -> bool:
    """Whether the command line asked for every case: all folders of cases, and no filter."""
    if any(config.getoption(name, None) for name in _FILTERS):
        return False
    here = config.invocation_params.dir
    asked = [(here / argument).resolve() for argument in config.args if "::" not in argument]
    return all(any(root.is_relative_to(path) for path in asked) for root in session_of(config).cases_roots)
