"""The page of what may be imported is whole, and its example runs as it stands."""

import re
from pathlib import Path

import pytest

import pytest_grounded
from pytest_grounded import testing

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
_CODE = re.compile(r"^```python\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
_NAMES = re.compile(r"^\| `(?P<name>\w+)` \| \S", re.MULTILINE)


def test_every_name_that_may_be_imported_is_told_once() -> None:
    told = _NAMES.findall(PAGE)
    builders = [name for name in testing.__all__ if name.islower()]
    assert sorted(told) == sorted([*pytest_grounded.__all__, *builders])


def test_a_case_without_files_is_judged(pytester: pytest.Pytester) -> None:
    found = _CODE.search(PAGE)
    assert found
    pytester.makepyfile(found["code"])
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
