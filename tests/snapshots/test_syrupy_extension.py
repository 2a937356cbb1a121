"""`assert trace == trace_snapshot` in hand-written tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.writer import dumps
from tests.snapshots.traces import changed, full_trace

CONFTEST = """
    import json
    import pytest
    from pytest_grounded.plugin.options import snapshot_mode
    from pytest_grounded.snapshots.checking import TraceOptions
    from pytest_grounded.snapshots.policy import Mode
    from pytest_grounded.snapshots.store import SnapshotStore
    from pytest_grounded.snapshots.syrupy_extension import TracedCase, trace_assertion

    @pytest.fixture(params=["hotel", "meals", "parking"])
    def case_id(request):
        return request.param

    @pytest.fixture
    def trace(case_id, pytestconfig):
        return json.loads((pytestconfig.rootpath / f"{case_id}.trace").read_text())

    @pytest.fixture
    def trace_snapshot(request, case_id):
        store = SnapshotStore(request.config.rootpath)
        options = TraceOptions(mode=Mode(snapshot_mode(request.config)))
        return trace_assertion(request, TracedCase(store=store, suite="travel", case_id=case_id, options=options))
"""
TEST = """
    def test_trace(trace, trace_snapshot):
        assert trace == trace_snapshot
"""
CASES = ("hotel", "meals", "parking")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with one hand-written test over three cases, none approved."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_hand=TEST)
    for case_id in CASES:
        give(pytester, case_id, full_trace())
    return pytester


@pytest.fixture
def approved(project: pytest.Pytester) -> pytest.Pytester:
    store = SnapshotStore(project.path)
    for case_id in CASES:
        store.approve("travel", case_id, full_trace())
    return project


def give(project: pytest.Pytester, case_id: str, trace: dict[str, Any]) -> None:
    """Let the system of the project answer a case with a trace."""
    (project.path / f"{case_id}.trace").write_text(json.dumps(trace))


def stored(project: pytest.Pytester) -> dict[str, str]:
    """Every file among the approved traces."""
    folder = project.path / "snapshots"
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    return project.runpytest("-p", "no:cacheprovider", *args)


ALL = {f"travel/{case_id}.json": dumps(full_trace()) for case_id in CASES}


def test_an_approved_trace_matches(approved: pytest.Pytester) -> None:
    result = run(approved)
    result.assert_outcomes(passed=3)
    assert result.ret == 0


def test_a_trace_that_was_never_approved_fails_and_says_what_to_type(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*does not exist!*", "*approve it: pytest --snapshot-update*"])
    assert not (project.path / "snapshots").exists()


def test_an_update_writes_the_file_the_cases_own_test_reads(project: pytest.Pytester) -> None:
    result = run(project, "--snapshot-update", "-W", "error")
    result.assert_outcomes(passed=3)
    assert stored(project) == ALL


def test_a_change_is_reported_by_class_and_word(approved: pytest.Pytester) -> None:
    give(
        approved,
        "hotel",
        changed(full_trace(), (("decision",), "abstain"), (("text", 1), "Meals are paid for 60 days.")),
    )
    result = run(approved)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*decision: answer -> abstain (lost)*",
            "*- Meals are paid for [[]-30-] days.*",
            "*+ Meals are paid for {+60+} days.*",
            "*approve it: pytest --snapshot-update*",
        ]
    )


def test_a_number_within_the_tolerance_matches_and_is_not_rewritten(approved: pytest.Pytester) -> None:
    give(approved, "hotel", changed(full_trace(), (("confidence",), 0.8104)))
    run(approved, "--snapshot-update").assert_outcomes(passed=3)
    assert stored(approved) == ALL


def test_a_stale_header_matches_and_an_update_renews_it(approved: pytest.Pytester) -> None:
    stale = changed(full_trace(), (("case_sha",), "sha256:bb"))
    give(approved, "hotel", stale)
    run(approved).assert_outcomes(passed=3)
    assert stored(approved) == ALL
    run(approved, "--snapshot-update").assert_outcomes(passed=3)
    assert stored(approved) == ALL | {"travel/hotel.json": dumps(stale)}


def test_a_merge_nobody_finished_is_said_and_an_update_takes_the_trace_again(approved: pytest.Pytester) -> None:
    path = approved.path / "snapshots/travel/hotel.json"
    path.write_text("<<<<<<< HEAD\n" + path.read_text())
    result = run(approved)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*holds the conflict marker <<<<<<< of a merge that nobody finished*"])
    run(approved, "--snapshot-update").assert_outcomes(passed=3)
    assert stored(approved) == ALL


@pytest.mark.parametrize(
    ("args", "trouble"),
    [
        pytest.param(("-k", "hotel"), "none", id="by keyword"),
        pytest.param(("test_hand.py::test_trace[hotel]",), "none", id="by node id"),
        pytest.param((), "skip", id="a skipped case"),
        pytest.param((), "body", id="an error before the assertion"),
        pytest.param(("test_hand.py",), "fixture", id="an error in a fixture, by file"),
        pytest.param(("-x",), "body", id="stopped at the first failure"),
        pytest.param((), "exit", id="interrupted"),
        pytest.param(("-n", "2"), "skip", id="two workers"),
        pytest.param(("--snapshot-dirname", "snapshots"), "body", id="a folder of syrupy's that is ours"),
        pytest.param(("--snapshot-dirname", "snapshots", "-n", "2"), "body", id="the same with two workers"),
    ],
)
def test_an_update_of_a_part_deletes_nothing(approved: pytest.Pytester, args: tuple[str, ...], trouble: str) -> None:
    broken = {
        "none": "",
        "skip": "pytest.skip('later')",
        "body": "raise RuntimeError('before the assertion')",
        "fixture": "",
        "exit": "pytest.exit('interrupted')",
    }[trouble]
    approved.makepyfile(
        test_hand=f"""
        import pytest

        @pytest.fixture
        def troubled(case_id):
            if case_id == "meals" and {trouble == "fixture"}:
                raise RuntimeError("in a fixture")

        def test_trace(troubled, case_id, trace, trace_snapshot):
            if case_id == "meals":
                {broken or "pass"}
            assert trace == trace_snapshot
        """
    )
    (approved.path / "snapshots/travel/README.md").write_text("kept")
    (approved.path / "snapshots/travel/old-case.json").write_text(dumps(full_trace()))
    before = stored(approved)
    run(approved, "--snapshot-update", *args)
    assert stored(approved) == before


def test_syrupys_report_knows_no_unused_traces_of_ours(approved: pytest.Pytester) -> None:
    (approved.path / "snapshots/travel/old-case.json").write_text(dumps(full_trace()))
    result = run(approved)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*snapshot* unused*")


def test_syrupys_own_snapshots_work_beside(approved: pytest.Pytester) -> None:
    approved.makepyfile(test_other="def test_it(snapshot):\n    assert {'a': 1} == snapshot")
    run(approved, "--snapshot-update").assert_outcomes(passed=4)
    result = run(approved)
    result.assert_outcomes(passed=4)
    assert stored(approved) == ALL


def test_new_traces_alone_can_be_written(approved: pytest.Pytester, pytestconfig: pytest.Config) -> None:
    if not hasattr(pytestconfig.option, "update_new_snapshots_only"):
        pytest.skip("this syrupy has no such option")
    (approved.path / "snapshots/travel/meals.json").unlink()
    give(approved, "hotel", changed(full_trace(), (("decision",), "abstain")))
    run(approved, "--snapshot-update-new-only").assert_outcomes(passed=2, failed=1)
    assert stored(approved) == ALL


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param("assert 'text' == trace_snapshot", "*compares the trace of a case*not str*", id="no trace"),
        pytest.param("assert trace == trace_snapshot(name='second')", "*a case has one approved trace*", id="a name"),
    ],
)
def test_what_cannot_be_compared_says_why(approved: pytest.Pytester, body: str, message: str) -> None:
    approved.makepyfile(test_hand=f"def test_trace(trace, trace_snapshot):\n    {body}")
    result = run(approved, "-k", "hotel")
    result.assert_outcomes(failed=1, deselected=2)
    result.stdout.fnmatch_lines([message])


def test_two_assertions_of_one_test_compare_with_one_trace(approved: pytest.Pytester) -> None:
    approved.makepyfile(
        test_hand="def test_it(trace, trace_snapshot):\n    assert trace == trace_snapshot\n    assert trace == trace_snapshot"
    )
    run(approved).assert_outcomes(passed=3)


def test_without_syrupy_the_store_works(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys
        from pathlib import Path

        def test_store(tmp_path):
            from pytest_grounded.snapshots import checking, classify, policy, render, store, trace
            store.SnapshotStore(tmp_path).approve("a", "b", {"schema": 1})
            assert "syrupy" not in sys.modules
            assert "deepdiff" not in sys.modules
        """
    )
    pytester.runpytest_subprocess("-p", "no:syrupy", "-p", "no:cacheprovider").assert_outcomes(passed=1)
