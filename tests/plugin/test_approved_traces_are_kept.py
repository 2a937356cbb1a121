"""No path but pruning deletes, empties or cuts an approved trace, whatever happens to the run."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.plugin.traced import QUESTIONS, Traced, replies

_TROUBLE = {
    "none": "",
    "setup": """
        @pytest.fixture(autouse=True)
        def _broken(request):
            if request.node.name == "laundry":
                raise RuntimeError("the index is not there")
    """,
    "skip": """
        @pytest.fixture(autouse=True)
        def _skipped(request):
            if request.node.name == "laundry":
                pytest.skip("later")
    """,
    "collection": """
        def pytest_collect_file(file_path, parent):
            if file_path.name == "meals.yaml":
                raise RuntimeError("cannot be read today")
    """,
    "interrupt": """
        @pytest.fixture(autouse=True)
        def _interrupted(request):
            if request.node.name == "laundry":
                raise KeyboardInterrupt
    """,
    "exit": """
        @pytest.fixture(autouse=True)
        def _left(request):
            if request.node.name == "laundry":
                pytest.exit("enough")
    """,
}


def prepared(traced: Traced, trouble: str = "none") -> dict[str, bytes]:
    """Approve, put foreign files among the traces, break something; returns what has to stay as it is."""
    traced.approve()
    traced.write("snapshots/travel/README.md", "Kept by hand.\n")
    traced.write("snapshots/travel/no-such-case.json", (traced.path / "snapshots/travel/hotel.json").read_text())
    traced.write("snapshots/elsewhere/other.json", "{}\n")
    traced.write("conftest.py", "import pytest\n" + textwrap.dedent(_TROUBLE[trouble]))
    return traced.approved()


@pytest.mark.parametrize(
    ("trouble", "arguments"),
    [
        pytest.param("none", ("-k", "hotel"), id="a keyword"),
        pytest.param("none", ("-m", "grounded(kind='restricted')"), id="a marker"),
        pytest.param("none", ("cases/travel/stay.yaml::hotel",), id="a node id"),
        pytest.param("none", ("cases/travel/stay.yaml",), id="a file"),
        pytest.param("none", ("--deselect", "cases/travel/meals.yaml"), id="deselected"),
        pytest.param("none", ("--ignore", "cases/travel/meals.yaml"), id="ignored"),
        pytest.param("none", ("--collect-only",), id="collected only"),
        pytest.param("none", ("-n", "2"), id="two workers"),
        pytest.param("none", ("--snapshot-dirname", "snapshots"), id="a folder of syrupy's that is ours"),
        pytest.param("setup", (), id="an error in a fixture"),
        pytest.param("setup", ("-n", "2"), id="an error in a fixture, two workers"),
        pytest.param("setup", ("-x",), id="stopped at the first failure"),
        pytest.param("skip", (), id="a skipped case"),
        pytest.param("skip", ("-n", "2"), id="a skipped case, two workers"),
        pytest.param("collection", (), id="an error in collection"),
        pytest.param("interrupt", (), id="interrupted"),
        pytest.param("exit", (), id="left"),
    ],
)
@pytest.mark.parametrize("update", [False, True], ids=["run", "update"])
def test_what_a_run_does_not_reach_stays_byte_for_byte(
    traced: Traced, trouble: str, arguments: tuple[str, ...], *, update: bool
) -> None:
    before = prepared(traced, trouble)
    run = traced.pytester.runpytest_subprocess if trouble == "interrupt" else traced.run
    run(*arguments, *(("--snapshot-update",) if update else ()))
    assert traced.approved() == before


def test_the_last_failed_alone_are_run_and_the_others_stay(traced: Traced) -> None:
    before = prepared(traced)
    given = replies()
    given["parking"]["decision"] = "clarify"
    traced.give(given)
    traced.run().assert_outcomes(passed=len(QUESTIONS) - 1, failed=1)
    traced.run("--lf", "--snapshot-update").assert_outcomes(passed=1)
    changed = {name for name, text in traced.approved().items() if text != before[name]}
    assert (changed, traced.approved().keys()) == ({"travel/parking.json"}, before.keys())


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["serial", "two workers"])
def test_a_system_that_crashes_is_a_finding_and_its_trace_stays(traced: Traced, arguments: tuple[str, ...]) -> None:
    before = prepared(traced)
    traced.give({**replies(), "laundry": "crash"})
    traced.run("--snapshot-update", *arguments).assert_outcomes(passed=len(QUESTIONS) - 1, failed=1)
    assert traced.approved() == before


@pytest.mark.parametrize(("end", "update"), [("kill", False), ("kill", True), ("exit", True)])
def test_a_worker_that_is_killed_takes_nothing_with_it(traced: Traced, end: str, *, update: bool) -> None:
    before = prepared(traced)
    traced.give({**replies(), "laundry": end})
    result = traced.run("-n", "2", *(("--snapshot-update",) if update else ()))
    result.stdout.fnmatch_lines(["*worker 'gw?' crashed while running 'cases/travel/stay.yaml::laundry'"])
    assert traced.approved() == before


_NO_WRITE = """
import errno
import os

import pytest_grounded.files
import pytest_grounded.snapshots.store

REAL = pytest_grounded.snapshots.store.write_whole


def refuse(path, pieces):
    if "snapshots" in path.parts:
        {how}
    REAL(path, pieces)


pytest_grounded.snapshots.store.write_whole = refuse


def pytest_unconfigure():
    pytest_grounded.snapshots.store.write_whole = REAL
"""


@pytest.mark.parametrize(
    ("how", "said"),
    [
        pytest.param(
            "raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))", "No space left on device", id="a full disk"
        ),
        pytest.param(
            "raise OSError(errno.EROFS, os.strerror(errno.EROFS))", "Read-only file system", id="a read-only disk"
        ),
        pytest.param("raise PermissionError(errno.EACCES, 'Permission denied')", "Permission denied", id="no right"),
        pytest.param(
            "path.with_name('.half.tmp').write_text(list(pieces)[0][:10]); raise OSError(errno.ENOSPC, 'No space')",
            "No space",
            id="half a file",
        ),
    ],
)
def test_a_trace_that_cannot_be_written_fails_its_case_and_stays(traced: Traced, how: str, said: str) -> None:
    before = prepared(traced)
    given = replies()
    given["parking"]["decision"] = "clarify"
    traced.give(given)
    traced.write("conftest.py", _NO_WRITE.format(how=how))
    result = traced.run("--snapshot-update")
    result.assert_outcomes(passed=len(QUESTIONS) - 1, failed=1)
    result.stdout.fnmatch_lines([f"  snapshot.not_written: snapshots/travel/parking.json: cannot be written: {said}*"])
    assert {name: text for name, text in traced.approved().items() if not name.endswith(".tmp")} == before


_SMALL_FILES = """
import resource

resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_file_that_the_system_cuts_in_the_middle_takes_the_place_of_none(traced: Traced) -> None:
    before = prepared(traced)
    given = replies()
    for reply in given.values():
        reply["followups"] = ["Who approves it?"]
    traced.give(given)
    traced.write("conftest.py", _SMALL_FILES.format(limit=len(before["travel/hotel.json"]) // 2))
    command = [sys.executable, "-B", "-m", "pytest", "-s", "-p", "no:cacheprovider", "--snapshot-update"]
    done = subprocess.run(command, cwd=traced.path, capture_output=True, text=True, check=False)
    assert "snapshots/travel/hotel.json: cannot be written: File too large; the file is as it was" in done.stdout
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert traced.approved() == before


def test_pending_records_that_cannot_be_written_change_no_verdict(traced: Traced) -> None:
    before = prepared(traced)
    traced.write(".grounded", "a file in the place of the folder\n")
    given = replies()
    given["parking"]["decision"] = "clarify"
    given["hotel"]["confidence"] = 0.5
    traced.give(given)
    result = traced.run()
    result.assert_outcomes(passed=len(QUESTIONS) - 1, failed=1)
    result.stdout.fnmatch_lines(["  trace.changed at decision: *", "  its pending record: .grounded/*"])
    assert traced.approved() == before


def test_two_runs_at_once_leave_every_trace_whole(traced: Traced) -> None:
    before = traced.approve()
    given = replies()
    for reply in given.values():
        reply["followups"] = ["Who approves it?"]
    traced.give(given)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    modes = (["--snapshot-update"], ["--snapshot-update", "-n", "2"], ["--grounded-snapshots", "pending"])
    runs = [
        subprocess.Popen([*command, *mode], cwd=traced.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for mode in modes
    ]
    for run in runs:
        run.wait(timeout=120)
    assert [run.returncode for run in runs[:2]] == [0, 0]
    after = traced.approved()
    assert after.keys() == before.keys()
    assert all(json.loads(text)["followups"] == ["Who approves it?"] for text in after.values())
    assert all(json.loads(text)["new"] for text in traced.pending().values())
    traced.run().assert_outcomes(passed=len(QUESTIONS))


def test_a_run_killed_while_it_approves_leaves_old_or_new_traces_whole(traced: Traced) -> None:
    before = traced.approve()
    given = replies()
    for reply in given.values():
        reply["followups"] = ["Who approves it?"]
    traced.give({**given, "laundry": "exit"})
    traced.pytester.runpytest_subprocess("--snapshot-update")
    after = traced.approved()
    assert after.keys() == before.keys()
    new = {name for name, text in after.items() if text != before[name]}
    assert new
    assert all(json.loads(after[name])["followups"] for name in new)


def test_the_snapshots_of_other_tests_are_still_cleaned_up_by_syrupy(traced: Traced) -> None:
    before = prepared(traced)
    traced.write("tests/test_other.py", "def test_it(snapshot):\n    assert {'a': 1} == snapshot\n")
    traced.run("--snapshot-update")
    stale = traced.path / "tests" / "__snapshots__" / "test_gone.ambr"
    stale.write_text((Path(stale.parent) / "test_other.ambr").read_text(encoding="utf-8"), encoding="utf-8")
    traced.run("--snapshot-update")
    assert not stale.exists()
    assert traced.approved() == before
