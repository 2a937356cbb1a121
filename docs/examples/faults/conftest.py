"""What is tested: the team's own pipeline, without a fault."""

import pytest
from assistant import Teller

from pytest_grounded.pipeline.answers import Answers
from pytest_grounded.testing.faults import Parts


@pytest.fixture(scope="session")
def grounded_system() -> Answers:
    """The pipeline, its settings the defaults."""
    return Parts(generator=Teller()).assembled()
