import json
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.projects import CASES, INI, SYSTEM, Make

FAILING = SYSTEM.replace("is $180 per night", "is $190 per night").replace("cities is $180", "cities is $190")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_line_per_case_with_what_was_decided_and_found(project: Make) -> None:
    made = project(system=FAILING)
    made.runpytest("--grounded-results", "out/results.jsonl").assert_outcomes(passed=2, failed=1)
    rows = {row["case"]: row for row in read(made.path / "out" / "results.jsonl")}
    assert [(row["verdict"], row["decision"], row["reason_code"]) for row in rows.values()] == [
        ("pass", "abstain", "NO_EVIDENCE"),
        ("fail", "answer", None),
        ("pass", "abstain", "NO_EVIDENCE"),
    ]
    hotel = rows["hotel-limit"]
    assert hotel["suite"] == "travel"
    assert {"quote.not_verbatim", "number.unsupported", "slot.wrong_value"} & {f["check"] for f in hotel["findings"]}
    assert hotel["corpus"].startswith("sha256:")
    assert (hotel["answerable"], hotel["correct"]) == (True, 0)
    assert hotel["evidence"]["cited"] == {"recall": 1.0, "precision": 1.0}
    assert hotel["evidence"]["candidates"] is None


def test_serial_and_parallel_runs_write_the_same_bytes(project: Make) -> None:
    made = project(system=FAILING)
    made.runpytest("--grounded-results", "serial.jsonl")
    made.runpytest("--grounded-results", "parallel.jsonl", "-n", "2")
    assert (made.path / "serial.jsonl").read_bytes() == (made.path / "parallel.jsonl").read_bytes()


def test_what_ran_is_written_when_the_run_stops_early(project: Make) -> None:
    made = project(system=FAILING)
    made.runpytest("--grounded-results", "results.jsonl", "-x").assert_outcomes(failed=1)
    assert [row["case"] for row in read(made.path / "results.jsonl")] == ["hotel-limit"]


def test_what_ran_is_written_after_an_interrupt(project: Make) -> None:
    made = project(
        system=SYSTEM.replace(
            "def answer(request):",
            "def answer(request):\n    if 'parking' in request.question: raise KeyboardInterrupt",
        )
    )
    result = made.runpytest_subprocess("--grounded-results", "results.jsonl")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert [row["case"] for row in read(made.path / "results.jsonl")] == ["hotel-limit"]
    result.stdout.fnmatch_lines(["--grounded-results *results.jsonl: partial, 1 case: the run was stopped"])


@pytest.mark.parametrize("xdist", [(), ("-n", "2")], ids=["serial", "parallel"])
@pytest.mark.parametrize("before", [None, '{"case": "of yesterday"}\n'], ids=["none", "an earlier one"])
def test_a_run_stopped_before_a_case_was_judged_leaves_the_results_as_they_were(
    project: Make, xdist: tuple[str, ...], before: str | None
) -> None:
    made = project(system=SYSTEM.replace("def answer(request):", "def answer(request):\n    raise KeyboardInterrupt"))
    file = made.path / "results.jsonl"
    if before is not None:
        file.write_text(before, encoding="utf-8")
    result = made.runpytest_subprocess("--grounded-results", "results.jsonl", *xdist)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert (file.read_text(encoding="utf-8") if file.is_file() else None) == before
    assert [path.name for path in made.path.iterdir() if path.suffix == ".tmp"] == []
    of = "" if before is None else "; the file there is of an earlier run"
    result.stdout.fnmatch_lines(
        [f"--grounded-results *: not written, the run was stopped before a case was judged{of}"]
    )


def test_a_case_file_that_cannot_be_used_leaves_the_results_as_they_were(project: Make) -> None:
    made = project(cases="cases: [{id: A}]")
    (made.path / "results.jsonl").write_text("{}\n", encoding="utf-8")
    assert made.runpytest("--grounded-results", "results.jsonl").ret == pytest.ExitCode.INTERRUPTED
    assert (made.path / "results.jsonl").read_text(encoding="utf-8") == "{}\n"


def test_a_results_path_that_is_a_folder_is_refused_before_anything_runs(project: Make) -> None:
    result = project().runpytest("--grounded-results", "cases")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--grounded-results*: is a folder; name a file"])


@pytest.mark.parametrize("xdist", [(), ("-n", "2")], ids=["serial", "parallel"])
def test_results_that_cannot_be_written_fail_the_run(project: Make, xdist: tuple[str, ...]) -> None:
    made = project(
        system=SYSTEM + "\nimport pathlib\nif not pathlib.Path('r.jsonl').exists(): pathlib.Path('r.jsonl').mkdir()\n"
    )
    result = made.runpytest("--grounded-results", "r.jsonl", *xdist)
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    result.stdout.fnmatch_lines(["ERROR --grounded-results *r.jsonl: not written: *"])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder here refuses even its owner")
def test_a_results_folder_that_takes_no_file_is_refused_before_anything_runs(project: Make) -> None:
    result = project().runpytest("--grounded-results", "/proc/self/r.jsonl")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--grounded-results*: no file can be written in its folder: *"])


def test_without_pytests_plugin_for_python_tests_a_failing_case_still_fails(project: Make) -> None:
    project(system=FAILING).runpytest("-p", "no:python", "cases").assert_outcomes(passed=2, failed=1)


def test_a_failure_says_expected_and_got_first_then_findings_stage_and_evidence(project: Make) -> None:
    made = project(system=FAILING, cases=CASES.replace("kind: unanswerable", "kind: answerable"))
    result = made.runpytest()
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "hotel-limit: expected decision answer, no reason; got it (decision answer, no reason), but quote.not_verbatim, *",
            "  cases/travel/hotel.yaml:6  answerable, risk medium",
            "  question: What is the nightly hotel limit in standard cities?",
            "*finding*",
            "  quote.not_verbatim at claims*",
            "where it went wrong: *",
            "evidence",
            "  chunk *",
            "  c1 *",
        ]
    )
    result.stdout.fnmatch_lines(
        ["parking: expected decision answer, no reason; got decision abstain, reason NO_EVIDENCE"]
    )


def test_where_there_is_no_reply_no_stage_is_blamed_for_what_was_expected_of_one(project: Make) -> None:
    result = project(system="def answer(request):\n    raise RuntimeError('down')\n").runpytest()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "*expected decision answer, no reason; got no decision (SYSTEM_FAILURE: exception)",
            "trace, none is approved yet",
            "where it went wrong: before any reply: the system raised an exception",
        ]
    )
    result.stdout.no_fnmatch_line("where it went wrong: retrieval*")
    result.stdout.no_fnmatch_line("*every difference*")


def test_prose_that_is_wrong_is_not_said_to_be_what_was_expected(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(assistant="def answer(request):\n    return 'The limit is 90 EUR [limit].'\n")
    suite = pytester.mkpydir("cases")
    (suite / "corpus.yaml").write_text(
        "corpus: s\nas_of: 2024-10-01\ndefault_readers: ['*']\nchunks: [{id: limit, text: The limit is 80 EUR.}]\n",
        encoding="utf-8",
    )
    (suite / "a.yaml").write_text(
        "cases:\n  - id: fee\n    kind: partial\n    question: What is the limit, and what is the fee?\n"
        "    expect: {slots: [{name: limit, values: ['80'], evidence: [limit]}], missing: [fee]}\n",
        encoding="utf-8",
    )
    result = pytester.runpytest("cases", "--grounded-system", "prose:assistant:answer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            (
                "fee: expected decision partial, reason PARTIAL_EVIDENCE; "
                "got decision answer, reason not told, and number.unsupported, *"
            )
        ]
    )


def test_that_the_embedded_pipeline_was_asked_is_said_where_nobody_named_it(project: Make) -> None:
    made = project(ini="[pytest]\n")
    result = made.runpytest("cases", "-k", "parking")
    result.stdout.fnmatch_lines(["1 case in travel: *", "asked was the embedded pipeline: neither --grounded-system *"])
    named = made.runpytest("cases", "-k", "parking", "--grounded-system", "reference")
    named.stdout.fnmatch_lines(["1 case in travel: *"])
    named.stdout.no_fnmatch_line("asked was *")


def test_the_summary_counts_decisions_and_findings(project: Make) -> None:
    result = project(system=FAILING).runpytest()
    result.stdout.fnmatch_lines(
        [
            "*= grounded answers =*",
            "3 cases in travel: 2 pass, 1 fail",
            "decisions by kind*answer*abstain",
            "  answerable*1*.",
            "  restricted*.*1",
            "findings by owner: generation*",
            "findings by check",
        ]
    )


def test_no_summary_where_no_case_ran(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*grounded*answers*")


def test_what_the_requester_may_not_read_is_nowhere_in_the_output(project: Make) -> None:
    leaking = SYSTEM.replace(
        "def answer(request):",
        "def answer(request):\n"
        "    if 'bonus' in request.question:\n"
        "        return {'decision': 'answer', 'text': 'Closing team members receive a retention bonus of 41,750 dollars.',"
        " 'claims': [{'text': 'It is 41,750 dollars.', 'cites': ['memo'], 'quote': 'a retention bonus of 41,750 dollars'}]}",
    )
    made = project(system=leaking)
    result = made.runpytest("-vv", "-l", "--junitxml", "junit.xml", "--grounded-results", "results.jsonl")
    result.assert_outcomes(passed=2, failed=1)
    written = result.stdout.str() + (made.path / "junit.xml").read_text(encoding="utf-8")
    written += (made.path / "results.jsonl").read_text(encoding="utf-8")
    assert "41,750" not in written
    assert "Closing team members receive" not in written
    assert "restricted-1" in written
    assert "citation.not_permitted" in written


def test_a_hand_written_test_runs_over_the_cases_it_names(project: Make) -> None:
    made = project()
    made.makepyfile(
        test_own="""
        import pytest

        @pytest.mark.grounded(kind=["answerable", "restricted"])
        def test_case(grounded_case):
            result = grounded_case.run()
            assert result.verdict == "pass"
            assert "limit" in grounded_case.request.question or grounded_case.id == "bonus"

        @pytest.mark.grounded(kind="unanswerable")
        def test_reply(grounded_case):
            grounded_case.check({"decision": "answer", "text": "It costs $12."})
        """
    )
    result = made.runpytest("-v", "test_own.py")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["test_own.py::test_case[[]travel/hotel-limit] PASSED*", "parking: expected decision abstain*"]
    )


def test_the_example_of_tests_by_hand_runs_as_it_stands(project: Make) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hand-written-tests.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    made = project()
    made.makepyfile(test_own=example.replace("travel-policy", "travel"))
    made.runpytest("test_own.py").assert_outcomes(passed=1)


def test_a_case_run_by_hand_and_by_its_file_has_one_line(project: Make) -> None:
    made = project()
    made.makepyfile(test_own="def test_case(grounded_case):\n    grounded_case.check()\n")
    made.runpytest("--grounded-results", "results.jsonl").assert_outcomes(passed=6)
    assert len(read(made.path / "results.jsonl")) == 3


def test_a_marker_that_names_something_else_is_an_error(project: Make) -> None:
    made = project(ini=INI)
    made.makepyfile(test_own="import pytest\n@pytest.mark.grounded(tag='x')\ndef test_case(grounded_case):\n    pass\n")
    result = made.runpytest("test_own.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the marker grounded takes kind=, suite= and risk=, not 'tag'"])
