"""Traces of cases compared with their approved ones, in every mode."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tests.plugin.traced import QUESTIONS, Traced, replies, summary_of

ALL = {f"travel/{case}.json" for case in QUESTIONS}
PASSED = len(QUESTIONS)


def abstaining() -> dict[str, Any]:
    """Replies in which the hotel question is no longer answered."""
    given = replies()
    given["hotel"] = replies()["parking"]
    return given


def rerouted() -> dict[str, Any]:
    """Replies in which parking is sent elsewhere, which its case allows too."""
    given = replies()
    given["parking"]["decision"] = "clarify"
    return given


def reworded(case: str = "hotel") -> dict[str, Any]:
    """Replies in which one text says the same in other words."""
    given = replies()
    given[case]["text"] = "In standard cities the nightly hotel limit is $180 per night [c1]"
    return given


# Modes


def test_a_case_without_an_approved_trace_passes_and_leaves_a_pending_one(traced: Traced) -> None:
    result = traced.run()
    result.assert_outcomes(passed=PASSED)
    assert traced.approved() == {}
    assert traced.pending().keys() == ALL
    result.stdout.fnmatch_lines(
        [
            "traces: 6 missing",
            "without an approved trace x6: travel/bonus, travel/breakfast, *",
            "  show: pytest cases/travel/meals.yaml::bonus -vv",
            "  accept: pytest cases/travel/meals.yaml::bonus --snapshot-update",
            "  accept all that break no rule: pytest --grounded-snapshots new",
        ]
    )


@pytest.mark.parametrize("value", ["1", "true", "yes please"])
def test_where_ci_is_set_it_fails_and_nothing_is_written(
    traced: Traced, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", value)
    result = traced.run()
    result.assert_outcomes(failed=PASSED)
    result.stdout.fnmatch_lines(["  snapshot.missing: travel/hotel has no approved trace"])
    result.stdout.fnmatch_lines(["where it went wrong: nowhere in the answer: whoever keeps the approved traces"])
    result.stdout.fnmatch_lines(["  approve it: pytest cases/travel/stay.yaml::hotel --snapshot-update"])
    assert not (traced.path / ".grounded").exists()
    assert traced.approved() == {}


@pytest.mark.parametrize("value", ["", "0", "false", " False "])
def test_a_ci_that_says_no_is_none(traced: Traced, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", value)
    traced.run().assert_outcomes(passed=PASSED)
    assert traced.pending().keys() == ALL


def test_an_update_approves_and_the_next_run_is_the_same(traced: Traced) -> None:
    approved = traced.approve()
    assert approved.keys() == ALL
    result = traced.run()
    result.assert_outcomes(passed=PASSED)
    result.stdout.fnmatch_lines(["traces: 6 same"])
    result.stdout.no_fnmatch_line("*changes by class*")
    assert (traced.approved(), traced.pending()) == (approved, {})


@pytest.mark.parametrize(
    ("arguments", "failed", "pending", "approved"),
    [
        pytest.param([], 1, {"travel/parking.json"}, False, id="auto"),
        pytest.param(["--grounded-snapshots", "pending"], 1, {"travel/parking.json"}, False, id="pending"),
        pytest.param(["--grounded-snapshots", "new"], 1, {"travel/parking.json"}, False, id="new"),
        pytest.param(["--grounded-snapshots", "check"], 1, set(), False, id="check"),
        pytest.param(["--grounded-snapshots", "update"], 0, set(), True, id="update"),
        pytest.param(["--snapshot-update"], 0, set(), True, id="syrupy's update"),
        pytest.param(["-p", "no:syrupy", "--grounded-snapshots", "update"], 0, set(), True, id="update without syrupy"),
        pytest.param(["-p", "no:syrupy"], 1, {"travel/parking.json"}, False, id="without syrupy"),
        pytest.param(["--grounded-snapshots", "off"], 0, set(), False, id="off"),
        pytest.param(["--grounded-snapshots", "off", "--snapshot-update"], 0, set(), False, id="off goes before"),
    ],
)
def test_a_changed_trace_is_written_where_the_mode_says(
    traced: Traced, arguments: list[str], failed: int, pending: set[str], *, approved: bool
) -> None:
    before = traced.approve()
    traced.give(rerouted())
    traced.run(*arguments).assert_outcomes(passed=PASSED - failed, failed=failed)
    assert traced.pending().keys() == pending
    changed = {name for name, text in traced.approved().items() if text != before[name]}
    assert changed == ({"travel/parking.json"} if approved else set())


@pytest.mark.parametrize("arguments", [["--grounded-snapshots", "new"], ["--snapshot-update-new-only"]])
def test_new_writes_missing_ones_only(traced: Traced, arguments: list[str], pytestconfig: pytest.Config) -> None:
    if arguments[0].startswith("--snapshot") and not hasattr(pytestconfig.option, "update_new_snapshots_only"):
        pytest.skip("this syrupy has no such option")
    before = traced.approve()
    (traced.path / "snapshots/travel/hotel.json").unlink()
    traced.give(rerouted())
    traced.run(*arguments).assert_outcomes(passed=PASSED - 1, failed=1)
    assert traced.approved() == before


@pytest.mark.parametrize("mode", ["check", "pending", "new"])
def test_two_options_that_contradict_each_other_are_refused(traced: Traced, mode: str) -> None:
    result = traced.run("--snapshot-update", "--grounded-snapshots", mode)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--snapshot-update and --grounded-snapshots {mode} contradict each other*"])


def test_a_case_that_passes_again_clears_its_pending_record(traced: Traced) -> None:
    traced.approve()
    traced.give(rerouted())
    traced.run()
    assert traced.pending()
    traced.give(replies())
    traced.run().assert_outcomes(passed=PASSED)
    assert traced.pending() == {}


# A folder of the run's own


def test_a_run_with_its_own_folder_writes_nowhere_else(traced: Traced) -> None:
    traced.approve()
    traced.give(rerouted())
    traced.run("--grounded-snapshots", "check", "--grounded-run-dir", "out/run").assert_outcomes(
        passed=PASSED - 1, failed=1
    )
    assert (traced.path / "out/run/pending/travel/parking.json").is_file()
    assert not (traced.path / ".grounded").exists()


@pytest.mark.parametrize(
    ("folder", "said"),
    [("app.py", "*app.py: is no folder*"), ("snapshots/run", "*snapshots/run: is among the approved traces*")],
)
def test_a_folder_that_cannot_be_used_is_refused_before_anything_runs(traced: Traced, folder: str, said: str) -> None:
    result = traced.run("--grounded-run-dir", folder)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([said])


# What a change says


def test_a_failure_shows_the_flip_where_it_began_and_what_to_type(traced: Traced) -> None:
    traced.approve()
    traced.give(rerouted())
    result = traced.run()
    result.stdout.fnmatch_lines(
        [
            "parking: expected decision abstain or clarify, reason NO_EVIDENCE; got it (decision clarify*",
            "1 finding",
            "  trace.changed at decision: decision abstain -> clarify (rerouted)",
            "trace, against the approved one",
            "  decision: abstain -> clarify (rerouted)",
            "  first divergence: gate",
            "  every difference: pytest cases/travel/stay.yaml::parking -vv",
            "  approve it: pytest cases/travel/stay.yaml::parking --snapshot-update",
            "where it went wrong: retrieval or the gate*",
        ]
    )
    result.stdout.no_fnmatch_line("*deepdiff*")


def test_two_v_show_every_difference_as_deepdiff_reports_it(traced: Traced) -> None:
    traced.approve()
    traced.give(rerouted())
    traced.run("-vv").stdout.fnmatch_lines(
        ["  every difference (deepdiff)", "    [[]'decision'] values_changed: 'abstain' -> 'clarify'"]
    )


def test_a_case_that_breaks_a_rule_is_never_approved(traced: Traced) -> None:
    before = traced.approve()
    traced.give(abstaining())
    result = traced.run("--snapshot-update")
    result.assert_outcomes(passed=PASSED - 1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "  trace.changed at decision: decision answer -> abstain (lost)*",
            "  mend decision.*first, a trace that breaks a rule cannot be approved",
        ]
    )
    result.stdout.no_fnmatch_line("*approve it*")
    assert traced.approved() == before
    assert b"decision.over_refusal" in traced.pending()["travel/hotel.json"]


def test_a_change_does_not_make_a_right_answer_wrong_in_the_results(traced: Traced) -> None:
    traced.approve()
    given = replies()
    given["hotel"]["internal"]["steps"][1]["outcome"] = "repaired"
    traced.give(given)
    traced.run("--grounded-results", "results.jsonl").assert_outcomes(passed=PASSED - 1, failed=1)
    row = traced.results()["hotel"]
    assert (row["verdict"], row["correct"], row["findings"][0]["owner"]) == ("fail", 1, "generation")
    assert row["trace"] == {
        "status": "changed",
        "headline": "step",
        "flip": None,
        "first_divergence": "verify",
        "classes": {"step": 1},
        "fingerprint": row["trace"]["fingerprint"],
        "message": "step (steps[verify].outcome)",
        "hint": None,
        "notes": [],
        "show": f"pytest {traced.node('hotel')} -vv",
        "accept": f"pytest {traced.node('hotel')} --snapshot-update",
    }
    assert traced.results()["receipts"]["trace"]["status"] == "same"


def test_results_say_nothing_of_traces_that_were_not_compared(traced: Traced) -> None:
    traced.run("--grounded-results", "results.jsonl", "--grounded-snapshots", "off")
    assert {row["trace"] for row in traced.results().values()} == {None}


def test_the_summary_lists_changes_by_class_flips_first(traced: Traced) -> None:
    traced.approve()
    given = rerouted()
    given["hotel"]["text"] = reworded()["hotel"]["text"]
    given["laundry"]["internal"]["steps"][0]["kept"] = 2
    given["receipts"]["confidence"] = 0.5
    given["breakfast"]["confidence"] = 0.5
    traced.give(given)
    lines = summary_of(traced.run())
    start = lines.index("traces: 1 same, 5 changed")
    assert lines[start + 1 : start + 19] == [
        "changes by class, flips first",
        "  decision x1 (1 rerouted)",
        "    travel/parking: decision abstain -> clarify (rerouted); first divergence: gate",
        "      show: pytest cases/travel/stay.yaml::parking -vv",
        "      accept: pytest cases/travel/stay.yaml::parking --snapshot-update",
        "  step x1",
        "    travel/laundry: step (steps[select].kept); first divergence: select",
        "      show: pytest cases/travel/stay.yaml::laundry -vv",
        "      accept: pytest cases/travel/stay.yaml::laundry --snapshot-update",
        "  wording x1",
        "    travel/hotel: wording (text); first divergence: generate",
        "      show: pytest cases/travel/stay.yaml::hotel -vv",
        "      accept: pytest cases/travel/stay.yaml::hotel --snapshot-update",
        "  score_drift x2",
        "    travel/breakfast: score_drift (confidence); first divergence: gate",
        "      show: pytest cases/travel/meals.yaml::breakfast -vv",
        "      accept: pytest cases/travel/meals.yaml::breakfast --snapshot-update",
        "    travel/receipts: score_drift (confidence); first divergence: gate",
    ]


def test_an_update_lists_what_it_approved_flips_first(traced: Traced) -> None:
    traced.approve()
    given = rerouted()
    given["hotel"]["text"] = reworded()["hotel"]["text"]
    traced.give(given)
    lines = summary_of(traced.run("--snapshot-update"))
    start = lines.index("traces: 4 same, 2 approved")
    assert lines[start + 1 : start + 6] == [
        "approved anew, flips first",
        "  decision x1 (1 rerouted)",
        "    travel/parking: approved anew: decision abstain -> clarify (rerouted); first divergence: gate",
        "  wording x1",
        "    travel/hotel: approved anew: wording (text); first divergence: generate",
    ]


# Drift


@pytest.mark.parametrize(
    ("arguments", "failed", "status"),
    [([], 0, "changed"), (["--grounded-drift", "fail"], 1, "changed"), (["--grounded-drift", "off"], 0, "same")],
    ids=["warn", "fail", "off"],
)
def test_drift_does_what_its_option_says(traced: Traced, arguments: list[str], failed: int, status: str) -> None:
    traced.approve()
    traced.give(reworded())
    result = traced.run("--grounded-results", "results.jsonl", *arguments)
    result.assert_outcomes(passed=PASSED - failed, failed=failed)
    assert traced.results()["hotel"]["trace"]["status"] == status


def test_drift_fails_a_case_of_high_risk(traced: Traced) -> None:
    traced.approve()
    given = replies()
    given["parking"]["text"] = "I could find nothing on this."
    traced.give(given)
    traced.run().assert_outcomes(passed=PASSED - 1, failed=1)


def test_two_v_show_a_drift_that_passes_in_the_summary(traced: Traced) -> None:
    traced.approve()
    traced.give(reworded())
    lines = summary_of(traced.run("-vv", "-n", "2"))
    assert "      wording: text" in lines
    assert any(line.startswith("        [[]'text']".replace("[[]", "[")) for line in lines)


def test_thirty_days_to_sixty_days_is_no_drift(traced: Traced) -> None:
    both = "after 30 nights. Return it within 30 days, from abroad within 60 days"
    traced.edit("cases/travel/corpus.yaml", "after 7 nights", both)
    traced.edit("cases/travel/stay.yaml", 'values: ["7"]', 'values: ["30"]')
    given = replies()
    old = "Laundry is paid after 30 nights."
    given["laundry"] |= {"text": f"{old} [c4]", "claims": [{"text": old, "cites": ["c4"], "quote": old}]}
    given["laundry"]["other_note"] = "Return it within 30 days."
    traced.give(given)
    traced.approve()
    given["laundry"]["other_note"] = "Return it within 60 days."
    traced.give(given)
    result = traced.run("--grounded-results", "results.jsonl")
    result.assert_outcomes(passed=PASSED - 1, failed=1)
    assert traced.results()["laundry"]["trace"]["headline"] == "fact_wording"


def test_a_number_within_the_tolerance_is_the_same_and_is_not_rewritten(traced: Traced) -> None:
    before = traced.approve()
    given = replies()
    given["hotel"]["confidence"] = 0.9004
    traced.give(given)
    traced.run("--snapshot-update").assert_outcomes(passed=PASSED)
    assert traced.approved() == before


def test_a_number_close_to_its_tolerance_is_said(traced: Traced) -> None:
    traced.approve()
    given = replies()
    given["hotel"]["confidence"] = 0.9009
    traced.give(given)
    traced.run().stdout.fnmatch_lines(["close to the tolerance x1", "  travel/hotel: numbers moved by at most 0.0009*"])


# Versions


def test_a_changed_chunk_makes_the_traces_that_used_it_stale_and_no_other(traced: Traced) -> None:
    traced.approve()
    traced.edit("cases/travel/corpus.yaml", "{id: c4, ", "{id: c4, title: Laundry, ")
    result = traced.run("--grounded-results", "results.jsonl")
    result.assert_outcomes(passed=PASSED)
    headlines = {case: row["trace"]["headline"] for case, row in traced.results().items() if row["trace"]["headline"]}
    assert headlines == {"laundry": "stale_baseline"}
    result.stdout.fnmatch_lines(["  stale_baseline x1", "    travel/laundry: stale baseline (chunks)"])


def test_another_model_that_changes_nothing_changes_nothing(traced: Traced) -> None:
    before = traced.approve()
    given = replies()
    for reply in given.values():
        reply["internal"]["versions"]["model"] = "m-2"
    traced.give(given)
    result = traced.run("--snapshot-update")
    result.assert_outcomes(passed=PASSED)
    result.stdout.fnmatch_lines(["traces: 6 same"])
    assert traced.approved() == before


def test_another_model_is_noted_beside_what_it_changed(traced: Traced) -> None:
    traced.approve()
    given = rerouted()
    given["parking"]["internal"]["versions"]["model"] = "m-2"
    traced.give(given)
    traced.run().stdout.fnmatch_lines(["  note: versions.model: m-1 -> m-2"])


def test_another_model_of_every_changed_case_is_said_once_in_the_summary(traced: Traced) -> None:
    traced.approve()
    given = {**rerouted(), "hotel": reworded()["hotel"]}
    for reply in given.values():
        reply["internal"]["versions"]["model"] = "m-2"
    given["hotel"]["internal"]["versions"]["prompt"] = "p-2"
    traced.give(given)
    lines = summary_of(traced.run())
    start = lines.index("changes by class, flips first")
    assert lines[start + 1 : start + 3] == ["  with versions.model: m-1 -> m-2", "  decision x1 (1 rerouted)"]
    assert "p-2" not in "\n".join(lines)


# What cannot be compared or kept


@pytest.mark.parametrize(
    ("content", "check", "said"),
    [
        pytest.param(
            "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
            "snapshot.conflict_marker",
            "*snapshots/travel/hotel.json:1: holds the conflict marker <<<<<<< *git checkout --ours -- *",
            id="merge",
        ),
        pytest.param("{", "snapshot.unreadable", "*is not JSON*--snapshot-update*", id="broken"),
        pytest.param("", "snapshot.unreadable", "*is not JSON*--snapshot-update*", id="truncated to nothing"),
    ],
)
def test_an_approved_trace_that_cannot_be_read_fails_and_an_update_takes_it_again(
    traced: Traced, content: str, check: str, said: str
) -> None:
    before = traced.approve()
    path = traced.path / "snapshots/travel/hotel.json"
    path.write_text(content, encoding="utf-8")
    result = traced.run()
    result.assert_outcomes(passed=PASSED - 1, failed=1)
    result.stdout.fnmatch_lines([f"  {check}: {said}"])
    assert path.read_text(encoding="utf-8") == content
    traced.run("--snapshot-update").assert_outcomes(passed=PASSED)
    assert traced.approved() == before


def test_a_credential_fails_the_case_and_is_written_nowhere(traced: Traced) -> None:
    given = replies()
    given["hotel"]["debug"] = {"headers": {"Authorization": "Bearer 8xLOxBtZp8a91kq2Zr"}}
    traced.give(given)
    result = traced.run("--snapshot-update", "--grounded-results", "results.jsonl", "-vv")
    result.assert_outcomes(passed=PASSED - 1, failed=1)
    result.stdout.fnmatch_lines(["  snapshot.secret: holds a credential (other.debug.headers.Authorization*"])
    assert "travel/hotel.json" not in traced.approved()
    written = [*traced.approved().values(), *traced.pending().values(), (traced.path / "results.jsonl").read_bytes()]
    assert not any(b"8xLOxBtZp8" in text for text in (*written, result.stdout.str().encode()))


def test_what_may_no_longer_be_read_is_shown_nowhere_though_it_was_approved(traced: Traced) -> None:
    traced.approve()
    traced.edit("cases/travel/corpus.yaml", "{id: c4, ", "{id: c4, readers: [board], title: Washing, ")
    traced.edit(
        "cases/travel/stay.yaml", 'expect: {slots: [{name: nights, values: ["7"], evidence: [c4]}]}', "expect: {}"
    )
    traced.edit(
        "cases/travel/stay.yaml",
        "kind: answerable\n    question: When is laundry",
        "kind: unanswerable\n    question: When is laundry",
    )
    given = replies()
    given["laundry"] = replies()["parking"]
    traced.give(given)
    result = traced.run("-vv", "-l", "--grounded-results", "results.jsonl", "--junitxml", "junit.xml")
    result.stdout.fnmatch_lines(["  decision: answer -> abstain (lost)"])
    written = (
        result.stdout.str() + (traced.path / "results.jsonl").read_text() + (traced.path / "junit.xml").read_text()
    )
    written += b"".join(traced.pending().values()).decode()
    assert "paid after 7 nights" not in written
    assert "c4" not in written
    assert "Washing" not in written


def test_a_reply_that_was_not_recorded_has_no_trace(traced: Traced) -> None:
    before = traced.approve()
    traced.write("replies.jsonl", json.dumps({"case": "hotel", "response": replies()["hotel"]}))
    result = traced.run("--snapshot-update", "--grounded-system", "recorded:replies.jsonl")
    result.assert_outcomes(passed=1, failed=PASSED - 1)
    assert traced.approved() == before
    assert traced.pending() == {}


# A long run


@pytest.mark.parametrize(("arguments", "told"), [([], True), (["-n", "2"], True), (["-q"], False)])
def test_a_long_run_says_how_far_it_is(
    traced: Traced, arguments: list[str], monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    monkeypatch.setattr("pytest_grounded.plugin._TOLD_EVERY", 4)
    traced.approve()
    traced.give(rerouted())
    lines = traced.run(*arguments).outlines
    found = [line for line in lines if "cases done" in line]
    assert [line.split(",")[0] for line in found] == (["4 cases done"] if told else [])


def test_nothing_is_imported_for_traces_where_no_case_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    pytester.makeconftest(
        """
        import sys

        def pytest_sessionfinish():
            loaded = {name for name in sys.modules if name.startswith("pytest_grounded")}
            assert loaded <= {"pytest_grounded", "pytest_grounded.plugin", "pytest_grounded.plugin.options"}, loaded
        """
    )
    (pytester.path / "snapshots" / "travel").mkdir(parents=True)
    (pytester.path / "snapshots" / "travel" / "old.json").write_text("{}")
    for arguments in ([], ["--grounded-orphans", "fail"]):
        result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", *arguments)
        result.assert_outcomes(passed=1)
        assert result.ret == os.EX_OK
