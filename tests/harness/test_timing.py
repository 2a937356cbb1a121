"""Times are compared where a case opts in: by a test where there are enough, else only what nobody can overlook."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.harness.timing import compare_times
from pytest_grounded.model.request import Request
from tests.harness.systems import NOTHING, QUIET, asked, checks, recorded, saying, sees_memo, sides


def taking(milliseconds: float) -> dict[str, Any]:
    return saying(internal={**QUIET, "timings": {"total_ms": milliseconds}})


@pytest.mark.parametrize(
    ("live", "reduced", "state"),
    [
        ([3.0], [410.0], "failed"),
        ([410.0], [3.0], "failed"),
        ([50.0], [410.0], "not_run"),
        ([3.0], [90.0], "not_run"),
        ([], [], "not_run"),
        ([40.0] * 49, [80.0] * 49, "not_run"),
        ([40.0] * 50, [80.0] * 50, "failed"),
        ([40.0, 41.0] * 25, [41.0, 40.0] * 25, "passed"),
        ([40.0] * 50, [41.0] * 50, "passed"),
        ([0.0] * 50, [0.0] * 50, "passed"),
    ],
)
def test_what_times_come_to(live: list[float], reduced: list[float], state: str) -> None:
    assert compare_times(live, reduced, seed=1)[0].state.value == state


def test_times_are_compared_only_where_the_case_says_so() -> None:
    lines = sides([taking(3)], [taking(410)])
    assert not recorded(lines).findings
    result = recorded(lines, observe=("timing",))
    [finding] = result.findings
    assert (finding.check, finding.field) == ("leak.timing", "internal.timings.total_ms")
    assert "3 ms" in finding.message
    assert result.leakage is not None
    assert result.leakage.verdict.value == "leak"


def test_too_few_pairs_are_said_to_be_too_few() -> None:
    result = recorded(sides([taking(40)], [taking(60)]), observe=("timing",))
    assert not result.findings
    assert any(one.check == "leak.timing" for one in result.not_run)
    assert result.leakage is not None
    assert result.leakage.verdict.value == "clean"


def test_a_system_that_runs_is_asked_often_enough() -> None:
    calls: list[Request] = []

    def hurrying(request: Request) -> Any:
        calls.append(request)
        return taking(10 if sees_memo(request) else 60)

    assert checks(asked(hurrying, observe=("timing",))) == {"leak.timing"}
    assert len(calls) == 100


def test_times_that_are_not_reported_are_measured() -> None:
    result = asked(lambda _: NOTHING, observe=("timing",))
    assert not result.findings
    assert not any(one.check == "leak.timing" for one in result.not_run)
