"""Whether this project's cases notice what may break in its pipeline."""

from pathlib import Path

import pytest
from assistant import Teller

from pytest_grounded.testing.faults import Parts, Trial, fault, suites_below

CASES, _ = suites_below([Path(__file__).parent / "cases"])
TRIAL = Trial(parts=Parts(generator=Teller()))


@pytest.mark.parametrize("name", ["as_of_ignored", "gate_always_closed", "number_changed", "quote_altered"])
def test_some_case_notices(name: str) -> None:
    """Some case blames the part that is broken."""
    planted = fault(name)
    assert any(planted.owner in noticed.owners for noticed in TRIAL.noticed(planted, CASES))


def test_a_case_is_still_to_be_written() -> None:
    """No case has anything to hide, so nobody would notice if everybody read everything."""
    assert not any(TRIAL.noticed(fault("no_permission_filter"), CASES))
