"""Every check has an example that passes and one edit of it that only that check finds; the pages show what it says."""

from __future__ import annotations

import pytest
from check_examples import Verdicts, load_examples, run_examples
from check_pages import is_built
from generate import pages, stale_pages

from pytest_grounded.checks.catalogue import CATALOGUE

EXAMPLES = load_examples()
_LONGEST_EDIT = 8
"""Lines that an edit may take out or put in."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Verdicts:
    return run_examples(EXAMPLES.values(), tmp_path_factory.mktemp("examples"))


def test_every_check_has_an_example() -> None:
    assert set(EXAMPLES) == {name for name in CATALOGUE if is_built(name)}


@pytest.mark.parametrize("check", EXAMPLES)
def test_an_example_passes(check: str, verdicts: Verdicts) -> None:
    assert not verdicts.passing[check]


@pytest.mark.parametrize("check", EXAMPLES)
def test_its_edit_is_found_by_that_check_alone(check: str, verdicts: Verdicts) -> None:
    found = {one.check for one in verdicts.failing[check]}
    assert found == {check, *EXAMPLES[check].also}


@pytest.mark.parametrize("check", EXAMPLES)
def test_the_edit_is_small_and_the_page_says_what_is_asserted(check: str) -> None:
    example = EXAMPLES[check]
    edited = [line for line in example.diff().splitlines()[2:] if line.startswith(("+", "-"))]
    assert 0 < len(edited) <= _LONGEST_EDIT
    assert example.rule.endswith(".")
    assert example.unless.endswith(".")


def test_the_reference_pages_are_current(verdicts: Verdicts) -> None:
    assert not stale_pages(pages(EXAMPLES, verdicts)), "write them anew: python docs/generate.py"
