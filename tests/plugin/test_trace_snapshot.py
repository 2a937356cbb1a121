"""`assert grounded_case.run().trace == trace_snapshot`: the idiom of syrupy over the traces of cases."""

from __future__ import annotations

import pytest

from tests.plugin.traced import QUESTIONS, Traced, replies

_TEST = """
    def test_trace(grounded_case, trace_snapshot):
        assert grounded_case.run().trace == trace_snapshot
"""
ALL = len(QUESTIONS)


@pytest.fixture
def by_hand(traced: Traced) -> Traced:
    """The project with one hand-written test over its cases."""
    traced.write("test_hand.py", _TEST)
    return traced


def test_it_reads_what_the_cases_own_tests_approved(by_hand: Traced) -> None:
    by_hand.run("cases", "--snapshot-update").assert_outcomes(passed=ALL)
    by_hand.run("test_hand.py").assert_outcomes(passed=ALL)


def test_it_approves_what_the_cases_own_tests_read(by_hand: Traced) -> None:
    by_hand.run("test_hand.py", "--snapshot-update").assert_outcomes(passed=ALL)
    first = by_hand.approved()
    result = by_hand.run("cases", "--snapshot-update")
    result.stdout.fnmatch_lines([f"traces: {ALL} same"])
    assert by_hand.approved() == first


def test_both_in_one_run_write_one_file(by_hand: Traced) -> None:
    by_hand.run("--snapshot-update").assert_outcomes(passed=2 * ALL)
    by_hand.run("-n", "2").assert_outcomes(passed=2 * ALL)
    assert len(by_hand.approved()) == ALL


def test_a_mismatch_reads_like_syrupys_and_says_what_to_type(by_hand: Traced) -> None:
    by_hand.run("cases", "--snapshot-update")
    given = replies()
    given["parking"]["decision"] = "clarify"
    by_hand.give(given)
    result = by_hand.run("test_hand.py")
    result.assert_outcomes(passed=ALL - 1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "trace_snapshot = trace_snapshot of travel/parking",
            ">       assert grounded_case.run().trace == trace_snapshot",
            "E       assert [[]+ received] == [[]- snapshot]",
            "E*decision: abstain -> clarify (rerouted)",
            "E*approve it: pytest cases/travel/stay.yaml::parking --snapshot-update",
        ]
    )


def test_a_drift_passes_as_in_the_cases_own_test_and_is_in_the_summary(by_hand: Traced) -> None:
    by_hand.run("cases", "--snapshot-update")
    given = replies()
    given["hotel"]["confidence"] = 0.5
    by_hand.give(given)
    result = by_hand.run("test_hand.py")
    result.assert_outcomes(passed=ALL)
    result.stdout.fnmatch_lines(["  score_drift x1", "    travel/hotel: score_drift (confidence)*"])
    by_hand.run("test_hand.py", "--grounded-drift", "fail").assert_outcomes(passed=ALL - 1, failed=1)


def test_a_case_that_breaks_a_rule_is_not_approved(by_hand: Traced) -> None:
    by_hand.run("cases", "--snapshot-update")
    before = by_hand.approved()
    given = replies()
    given["hotel"] = replies()["parking"]
    by_hand.give(given)
    result = by_hand.run("test_hand.py", "--snapshot-update")
    result.assert_outcomes(passed=ALL - 1, failed=1)
    result.stdout.fnmatch_lines(["*travel/hotel is not approved: mend decision.*first*"])
    (by_hand.path / "snapshots/travel/hotel.json").unlink()
    by_hand.run("test_hand.py", "--snapshot-update").assert_outcomes(passed=ALL - 1, failed=1)
    del before["travel/hotel.json"]
    assert by_hand.approved() == before


def test_our_own_update_leaves_other_snapshots_of_syrupys_alone(by_hand: Traced) -> None:
    by_hand.write("test_other.py", "def test_it(snapshot):\n    assert {'a': 1} == snapshot\n")
    result = by_hand.run("test_hand.py", "test_other.py", "--grounded-snapshots", "update")
    result.assert_outcomes(passed=ALL, failed=1)
    assert len(by_hand.approved()) == ALL
    assert not (by_hand.path / "__snapshots__").exists()


def test_where_no_trace_is_compared_the_test_is_skipped(by_hand: Traced) -> None:
    by_hand.run("test_hand.py", "--grounded-snapshots", "off").assert_outcomes(skipped=ALL)


def test_without_syrupy_it_says_what_is_missing(by_hand: Traced) -> None:
    result = by_hand.run("test_hand.py", "-p", "no:syrupy")
    result.assert_outcomes(errors=ALL)
    result.stdout.fnmatch_lines(["the fixture trace_snapshot needs the plugin syrupy, which is turned off here"])


def test_what_the_requester_may_not_read_is_in_no_mismatch(by_hand: Traced) -> None:
    by_hand.run("cases", "--snapshot-update")
    by_hand.edit("cases/travel/corpus.yaml", "{id: c4, ", "{id: c4, readers: [board], ")
    by_hand.edit(
        "cases/travel/stay.yaml", 'expect: {slots: [{name: nights, values: ["7"], evidence: [c4]}]}', "expect: {}"
    )
    given = replies()
    given["laundry"] = replies()["parking"]
    by_hand.give(given)
    result = by_hand.run("test_hand.py", "-vv", "-k", "laundry")
    result.assert_outcomes(failed=1, deselected=ALL - 1)
    result.stdout.fnmatch_lines(["E*decision: answer -> abstain (lost)"])
    assert "paid after 7 nights" not in result.stdout.str()
    assert "c4" not in result.stdout.str()
