"""Approved traces of cases that no longer exist: said once, by a run over all cases."""

from __future__ import annotations

import pytest

from tests.plugin.traced import QUESTIONS, Traced

SAID = "snapshot.orphan x1: an approved trace belongs to no case; delete it: pytest-grounded prune"


@pytest.fixture
def orphaned(traced: Traced) -> Traced:
    """The project with an approved trace of a case that is gone."""
    traced.approve()
    traced.write("snapshots/travel/removed-case.json", (traced.path / "snapshots/travel/hotel.json").read_text())
    return traced


@pytest.mark.parametrize(
    "arguments", [(), (".",), ("cases",), ("-n", "2"), ("-x",), ("--grounded-snapshots", "check")], ids=" ".join
)
def test_a_run_over_all_cases_says_it_once(orphaned: Traced, arguments: tuple[str, ...]) -> None:
    result = orphaned.run(*arguments)
    result.assert_outcomes(passed=len(QUESTIONS))
    result.stdout.fnmatch_lines([SAID, "  snapshots/travel/removed-case.json"])
    assert result.stdout.str().count("removed-case") == 1
    assert result.ret == pytest.ExitCode.OK
    assert (orphaned.path / "snapshots/travel/removed-case.json").is_file()


@pytest.mark.parametrize("arguments", [(), ("-n", "2"), ("--snapshot-update",)], ids=" ".join)
def test_where_it_is_asked_for_it_fails_the_run(orphaned: Traced, arguments: tuple[str, ...]) -> None:
    result = orphaned.run("--grounded-orphans", "fail", *arguments)
    result.assert_outcomes(passed=len(QUESTIONS))
    result.stdout.fnmatch_lines([SAID])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert (orphaned.path / "snapshots/travel/removed-case.json").is_file()


@pytest.mark.parametrize(
    "arguments",
    [
        ("-k", "hotel"),
        ("-m", "grounded(kind='restricted')"),
        ("cases/travel/stay.yaml",),
        ("cases/travel/stay.yaml::hotel", "cases/travel/meals.yaml"),
        ("--deselect", "cases/travel/stay.yaml::hotel"),
        ("--ignore", "cases/travel/stay.yaml"),
        ("--lf",),
        ("test_other.py",),
    ],
    ids=" ".join,
)
def test_a_run_over_some_cases_says_nothing(orphaned: Traced, arguments: tuple[str, ...]) -> None:
    orphaned.write("test_other.py", "def test_it(): pass\n")
    result = orphaned.run("--grounded-orphans", "fail", *arguments)
    assert "removed-case" not in result.stdout.str()
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=" ".join)
def test_a_case_file_that_cannot_be_read_makes_no_trace_an_orphan(orphaned: Traced, arguments: tuple[str, ...]) -> None:
    orphaned.write("cases/other/meals.yaml", "cases: [\n")
    result = orphaned.run("--continue-on-collection-errors", *arguments)
    result.assert_outcomes(passed=len(QUESTIONS), errors=1)
    assert "snapshot.orphan" not in result.stdout.str()


def test_a_case_that_is_skipped_or_fails_is_no_orphan(traced: Traced) -> None:
    traced.approve()
    traced.write(
        "conftest.py", "import pytest\n@pytest.fixture(autouse=True)\ndef skipped():\n    pytest.skip('later')\n"
    )
    traced.write(
        "cases/travel/parking.yaml", (traced.path / "cases/travel/stay.yaml").read_text().replace("id: ", "id: other-")
    )
    assert "snapshot.orphan" not in traced.run().stdout.str()


def test_several_are_counted_and_listed(traced: Traced) -> None:
    traced.approve()
    for number in range(25):
        traced.write(f"snapshots/travel/old-{number:02}.json", "{}\n")
    result = traced.run()
    result.stdout.fnmatch_lines(
        [
            "snapshot.orphan x25: approved traces belong to no case; delete them: pytest-grounded prune",
            "  snapshots/travel/old-19.json",
            "  and 5 more",
        ]
    )
