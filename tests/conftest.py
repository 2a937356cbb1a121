"""Imports once what runs inside `pytester` need.

A run inside this process forgets every module it imported; extension modules (PyYAML's, pydantic's) do not survive
being imported a second time, and importing them anew for every inner run would be most of the tests' time.
"""

import hypothesis  # noqa: F401
import pytest
import yaml  # noqa: F401

import pytest_grounded.harness.judging
import pytest_grounded.plugin.collect
import pytest_grounded.plugin.orphans
import pytest_grounded.plugin.report
import pytest_grounded.plugin.traces
import pytest_grounded.reporting.failure
import pytest_grounded.systems.reference  # noqa: F401


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inner runs are runs on a person's machine, also where these tests run in CI or in a worker of xdist."""
    for name in ("CI", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
        monkeypatch.delenv(name, raising=False)
