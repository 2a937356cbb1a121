"""What the direct checks say of every scenario; the differential, statistical and timing findings are not theirs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.leakage import check_leaks
from pytest_grounded.model.finding import Finding
from pytest_grounded.redaction import Redactor, neutralise
from tests.leaks.adapter import FILES, Scenario, load

DIRECT = ("content", "content-joined", "content-stream", "fact", "id", "model-input")
SCENARIOS = [pytest.param(path, id=path.stem) for path in FILES]


def findings(scenario: Scenario) -> list[Finding]:
    """The leak findings of the first run, with the reduced run beside it."""
    judged = Judged(case=scenario.case, outcome=scenario.live[0], view=scenario.case.view)
    return [item for item in check_leaks(judged, reduced=scenario.reduced[:1]) if isinstance(item, Finding)]


def test_every_scenario_is_there() -> None:
    assert len(FILES) >= (1 if "GROUNDED_LEAKS" in os.environ else 24)


@pytest.mark.parametrize("path", SCENARIOS)
def test_every_direct_finding_is_made_and_none_where_nothing_leaks(path: Path) -> None:
    scenario = load(path)
    made = {finding.check for finding in findings(scenario)}
    if scenario.verdict == "clean":
        assert made == set()
    for checks in scenario.expects(DIRECT):
        assert made & checks


@pytest.mark.parametrize("path", SCENARIOS)
def test_no_finding_repeats_what_leaked(path: Path) -> None:
    scenario = load(path)
    hidden = [chunk for chunk in scenario.case.view.unreadable if len(chunk.text) > 20]
    for finding in findings(scenario):
        assert not any(word in finding.message for chunk in hidden for word in (chunk.id, chunk.text[:20]))


@pytest.mark.parametrize("path", SCENARIOS)
def test_what_must_not_be_printed_is_not(path: Path) -> None:
    scenario = load(path)
    redactor = Redactor(scenario.case.view)
    for outcome in (*scenario.live[:1], *scenario.reduced[:1]):
        assert outcome.response is not None
        written = redactor.value({"question": scenario.case.question, "shown": outcome.response.visible()})
        printed = "\n" + neutralise(redactor.text(scenario.case.question)) + "\n" + neutralise(written["shown"]["text"])
        assert not any(text in printed or text in str(written["question"]) for text in scenario.must_not_print)
        assert not any(chunk.text in str(written) for chunk in scenario.case.view.unreadable)
