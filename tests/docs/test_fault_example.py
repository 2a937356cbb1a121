"""The project that plants faults in a pipeline of its own runs as it stands in the docs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "faults"


def test_the_example_runs_as_it_stands(pytester: pytest.Pytester) -> None:
    shutil.copytree(EXAMPLE, pytester.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--grounded-snapshots", "off")
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["3 cases in hotel: 3 pass"])
