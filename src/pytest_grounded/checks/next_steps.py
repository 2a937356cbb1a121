"""Whether the user is told to do next what the case expects."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.wording import either, quoted
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.folding import fold

__all__ = ["check_next_step"]


def check_next_step(judged: Judged) -> Iterator[Observation]:
    """Compare the next step with those the case allows, typography, case and a final full stop aside."""
    response, expected = judged.response, judged.case.expect.next_step
    if expected is None or response is None:
        return
    if _plain(response.next_step) not in {_plain(step) for step in expected}:
        shown = either(None if step is None else quoted(step) for step in expected)
        found = "none" if response.next_step is None else quoted(response.next_step)
        yield report("next_step.wrong", f"next step: expected {shown}, found {found}", field="next_step")


def _plain(step: str | None) -> str:
    return "" if step is None else fold(step).rstrip(".!… ")
