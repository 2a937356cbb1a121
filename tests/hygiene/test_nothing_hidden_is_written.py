"""Nothing that a run writes holds what the requester of a case may not read, however the system shows it.

The system answers with it, prints, logs, warns, raises and returns it in every way; every byte of the terminal and of
the files a run writes is searched, in every form.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from tests.hygiene.project import PLAIN, SECRET, WAYS, Written, ask, forms_of, run_pytest, search, write_project

EVERYTHING = "-vv -l --junitxml junit.xml --snapshot-update -n 2 --grounded-results r.jsonl"
SOME = ("answer", "encoded", "base exception", "group", "skip", "garbage", "thread", "warning")
RUNS = {
    "shown as it comes": "-s -vv -l --full-trace --tb=long -rA --durations=0 --log-file log.txt --log-file-level=DEBUG"
    " -o log_cli=true -o log_cli_level=DEBUG -o junit_logging=all --junitxml junit.xml",
    "shown and kept": "--capture=tee-sys --tb=native -l --show-capture=all -rA --setup-show -p no:warnings",
    "without Python tests": "--capture=sys --tb=line -W error -p no:python cases",
    "shown in parallel": "-s -n 2 --tb=short --show-capture=log -rA --grounded-results r.jsonl",
    "with what pytest does": "--debug -n 2 -rA -o faulthandler_timeout=1 --durations=0 --junitxml junit.xml",
    "without the runner's other plugins": "-p no:xdist -p no:logging -p no:capture -vv -l --lf --tb=long --showlocals",
    "with every report": "-rA --tb=auto -o junit_logging=all --junitxml junit.xml --show-capture=all -vvv",
}


OTHERS = {
    "pytest_html": "--html=report.html --self-contained-html -l -rA",
    "pytest_jsonreport": "--json-report --json-report-file=report.json -o log_level=DEBUG -l -rA",
}
"""Reports of other plugins, by the module of each."""

GOING_ON = {
    "captured": "-rA --junitxml junit.xml --log-file log.txt",
    "shown as it comes": "-s -vv",
    "live logs": "-o log_cli=true -o log_cli_level=DEBUG",
    "shown and kept": "--capture=tee-sys -rA",
}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "COV_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_project(tmp_path, *SOME)
    return tmp_path


def assert_ran_and_told_nothing(written: Written, *, code: int = 1) -> None:
    assert written.exit_code == code, written.terminal.decode()
    assert not search(written)
    assert b"\x1b[2J" not in written.terminal
    assert b"\x1b]0" not in written.terminal
    lines = [line.strip() for line in written.terminal.splitlines()]
    assert not [line for line in lines if line.startswith(b"::") or b"##vso[" in line]


def test_a_run_that_tries_every_way_writes_nothing_hidden_and_leaves_no_case_out(tmp_path: Path) -> None:
    write_project(tmp_path)
    written = run_pytest(tmp_path, *EVERYTHING.split())
    assert_ran_and_told_nothing(written)
    assert any(name.startswith(".grounded/pending/") for name in written.files)
    rows = {row["case"]: row for row in map(json.loads, written.files["r.jsonl"].splitlines())}
    assert rows.keys() == {*(way.replace(" ", "-") for way in WAYS), "bonus"}
    assert {case for case, row in rows.items() if row["verdict"] != "fail"} == {"skip"}
    assert rows["skip"]["verdict"] == "inconclusive"
    [unlooked] = rows["skip"]["not_run"]
    assert unlooked == {"check": "case", "field": "", "reason": "the system skipped: [redacted 99 characters]."}
    assert "restricted-1" in json.dumps(rows["bonus"]["findings"])


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_a_run_writes_nothing_hidden(options: str, root: Path) -> None:
    assert_ran_and_told_nothing(run_pytest(root, *options.split()))


@pytest.mark.parametrize(("module", "options"), OTHERS.items())
def test_a_report_of_another_plugin_shows_nothing_hidden(module: str, options: str, root: Path) -> None:
    pytest.importorskip(module)
    written = run_pytest(root, *options.split())
    assert any(name.startswith("report.") for name in written.files)
    assert_ran_and_told_nothing(written)


@pytest.mark.parametrize("options", GOING_ON.values(), ids=GOING_ON)
def test_a_thread_that_goes_on_after_its_test_shows_nothing_hidden(options: str, tmp_path: Path) -> None:
    write_project(tmp_path, "answer", "going on", "late")
    (tmp_path / "test_plain.py").write_text(PLAIN, encoding="utf-8")
    written = run_pytest(tmp_path, *options.split())
    assert_ran_and_told_nothing(written)
    assert b"still [redacted 99 characters]." in written.terminal


@pytest.mark.parametrize("way", ["interrupt", "stop"])
def test_a_system_that_ends_the_run_takes_no_text_along(way: str, tmp_path: Path) -> None:
    write_project(tmp_path, "answer", way)
    options = ("-l", "--full-trace", "--grounded-results", "r.jsonl", "-rA", "cases")
    written = run_pytest(tmp_path, *options)
    assert_ran_and_told_nothing(written, code=2)
    assert len(written.files["r.jsonl"].splitlines()) == 1


def test_a_question_asked_by_hand_shows_what_its_requester_may_read(root: Path) -> None:
    question = ("What is there by way of encoded?", "--suite", "s", "--as", "employee", "--system", "app:system")
    for form in ("text", "json"):
        written = ask(root, *question, "--format", form)
        assert_ran_and_told_nothing(written, code=0)
        assert b"redacted" in written.terminal


def test_the_search_finds_what_is_not_contained(root: Path) -> None:
    """Without what keeps it in, the same run shows it: the other tests look at something."""
    (root / "uncontained.py").write_text(_UNCONTAINED, encoding="utf-8")
    found = search(run_pytest(root, "-p", "uncontained", "-rA", "--junitxml", "junit.xml"))
    assert {one.split(":")[0] for one in found} == {"terminal", "junit.xml"}
    assert any("base64" in one for one in found)


_UNCONTAINED = """
def pytest_collection_finish(session):
    session.config.pluginmanager.unregister(name="grounded-containing")
"""


@pytest.mark.parametrize("offset", range(3))
def test_the_search_knows_base64_from_any_place_on(offset: int) -> None:
    needle = SECRET[20:60]
    code = base64.b64encode(b"x" * offset + needle.encode() + b"and more")
    assert dict(forms_of(needle))[f"base64 {offset}"] in code
