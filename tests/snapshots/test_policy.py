"""What follows from a comparison."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots.classify import compare
from pytest_grounded.snapshots.policy import Commands, Drift, Mode, Ruling, Write, rule
from tests.snapshots.traces import Keys, changed, full_trace

Changes = tuple[tuple[Keys, Any], ...]

SAME: Changes = ()
LOST: Changes = ((("decision",), "abstain"),)
SCORE: Changes = ((("confidence",), 0.9),)
WORDING: Changes = ((("text", 1), "Meals will be paid for 30 days."),)
ORDER: Changes = ((("evidence",), ["c2", "c1"]),)
STALE: Changes = ((("chunks", "c1"), "sha256:99"),)
STALE_SCORE: Changes = (
    (("case_sha",), "x"),
    (("confidence",), 0.9),
)
NEAR: Changes = ((("confidence",), 0.8109),)

MODES = [Mode.PENDING, Mode.CHECK, Mode.NEW, Mode.UPDATE]


def ruled(changes: Changes | None, mode: Mode = Mode.PENDING, **more: Any) -> Ruling:
    """The ruling on an approved trace with some changes; None: nothing was approved."""
    comparison = None if changes is None else compare(full_trace(), changed(full_trace(), *changes))
    return rule(comparison, suite="travel", case="hotel", mode=mode, **more)


@pytest.mark.parametrize("changes", [None, SAME, LOST, STALE], ids=["missing", "same", "lost", "stale"])
def test_off_compares_and_says_nothing(changes: Changes | None) -> None:
    ruling = ruled(changes, Mode.OFF, ci=True)
    assert (ruling.fails, ruling.write, ruling.passed, ruling.message) == (False, Write.NOTHING, False, "")


@pytest.mark.parametrize("mode", MODES)
def test_an_equal_trace_passes_and_writes_nothing(mode: Mode) -> None:
    ruling = ruled(SAME, mode)
    assert (ruling.fails, ruling.write, ruling.warns) == (False, Write.NOTHING, False)


@pytest.mark.parametrize(
    ("mode", "run_dir", "passed"),
    [(Mode.PENDING, False, True), (Mode.UPDATE, False, True), (Mode.CHECK, False, False), (Mode.CHECK, True, True)],
)
def test_an_equal_trace_clears_its_pending_record_where_the_mode_may_write(
    mode: Mode, *, run_dir: bool, passed: bool
) -> None:
    assert ruled(SAME, mode, run_dir=run_dir).passed is passed


@pytest.mark.parametrize(
    ("mode", "fails", "write"),
    [
        (Mode.PENDING, True, Write.PENDING),
        (Mode.NEW, True, Write.PENDING),
        (Mode.CHECK, True, Write.NOTHING),
        (Mode.UPDATE, False, Write.BASELINE),
    ],
)
def test_a_change_fails_except_in_an_update(mode: Mode, *, fails: bool, write: Write) -> None:
    ruling = ruled(LOST, mode)
    assert (ruling.fails, ruling.write) == (fails, write)
    assert ruling.check == ("trace.changed" if fails else None)


def test_check_writes_a_record_only_into_the_runs_own_folder() -> None:
    assert ruled(LOST, Mode.CHECK, run_dir=True).write is Write.PENDING


@pytest.mark.parametrize("mode", MODES)
def test_a_case_with_other_findings_is_never_approved(mode: Mode) -> None:
    for changes in (LOST, STALE, SCORE, None):
        ruling = ruled(changes, mode, findings=["leak.text"])
        assert ruling.write is not Write.BASELINE
        assert "leak.text" in ruling.message or ruling.check == "snapshot.missing"


@pytest.mark.parametrize("changes", [SCORE, WORDING, ORDER], ids=["score", "wording", "order"])
@pytest.mark.parametrize(
    ("drift", "risk", "fails", "write", "warns"),
    [
        (Drift.WARN, Risk.MEDIUM, False, Write.PENDING, True),
        (Drift.WARN, Risk.LOW, False, Write.PENDING, True),
        (Drift.WARN, Risk.HIGH, True, Write.PENDING, False),
        (Drift.FAIL, Risk.LOW, True, Write.PENDING, False),
        (Drift.OFF, Risk.HIGH, False, Write.NOTHING, False),
    ],
)
def test_drift_is_decided_by_option_and_risk(
    changes: Changes, drift: Drift, risk: Risk, *, fails: bool, write: Write, warns: bool
) -> None:
    ruling = ruled(changes, drift=drift, risk=risk)
    assert (ruling.fails, ruling.write, ruling.warns) == (fails, write, warns)


@pytest.mark.parametrize("drift", list(Drift))
def test_drift_never_excuses_a_change_of_another_class(drift: Drift) -> None:
    both: Changes = (
        (("confidence",), 0.9),
        (("delivery",), "extractive"),
    )
    assert ruled(both, drift=drift).check == "trace.changed"


def test_an_update_also_approves_drift_that_is_turned_off() -> None:
    assert ruled(SCORE, Mode.UPDATE, drift=Drift.OFF).write is Write.BASELINE


@pytest.mark.parametrize("risk", list(Risk))
def test_a_stale_header_alone_warns(risk: Risk) -> None:
    ruling = ruled(STALE, risk=risk)
    assert (ruling.fails, ruling.warns, ruling.write) == (False, True, Write.PENDING)
    assert ruling.message.startswith("stale baseline (chunks)")


def test_a_stale_header_is_said_first_and_excuses_nothing() -> None:
    ruling = ruled(STALE_SCORE, drift=Drift.FAIL)
    assert ruling.check == "trace.changed"
    assert ruling.message.startswith("stale baseline (case_sha), score_drift (confidence)")


def test_a_stale_header_is_said_also_where_drift_is_off() -> None:
    assert ruled(STALE_SCORE, drift=Drift.OFF).warns


@pytest.mark.parametrize(
    ("mode", "ci", "check", "write"),
    [
        (Mode.PENDING, False, None, Write.PENDING),
        (Mode.PENDING, True, "snapshot.missing", Write.PENDING),
        (Mode.CHECK, False, "snapshot.missing", Write.NOTHING),
        (Mode.CHECK, True, "snapshot.missing", Write.NOTHING),
        (Mode.NEW, True, None, Write.BASELINE),
        (Mode.UPDATE, False, None, Write.BASELINE),
    ],
)
def test_a_case_without_an_approved_trace(mode: Mode, *, ci: bool, check: str | None, write: Write) -> None:
    ruling = ruled(None, mode, ci=ci)
    assert (ruling.check, ruling.write) == (check, write)
    assert ruling.message


def test_a_number_close_to_its_tolerance_is_said() -> None:
    ruling = ruled(NEAR)
    assert (ruling.fails, ruling.write, ruling.passed) == (False, Write.NOTHING, True)
    assert ruling.message == "numbers moved by at most 0.0009, within the tolerance of 0.001, close to its limit"


# Messages


def test_a_failure_names_the_field_that_differs_and_what_to_type() -> None:
    quoted: Changes = ((("citations", 0, "quote"), "limit is $185"),)
    ruling = ruled(quoted, commands=Commands.of("cases/travel trips/t.yaml::hotel"))
    assert ruling.message == (
        "citation (citations[1/c1].quote); look at it: pytest 'cases/travel trips/t.yaml::hotel' -vv; "
        "approve it: pytest 'cases/travel trips/t.yaml::hotel' --snapshot-update"
    )


def test_what_is_typed_asks_the_same_system_and_names_an_option_that_is_there() -> None:
    update = ("--grounded-snapshots", "update")
    commands = Commands.of("cases/t.yaml::hotel", "--grounded-system", "recorded:a b.jsonl", update=update)
    assert commands.show == "pytest cases/t.yaml::hotel --grounded-system 'recorded:a b.jsonl' -vv"
    assert commands.accept == (
        "pytest cases/t.yaml::hotel --grounded-system 'recorded:a b.jsonl' --grounded-snapshots update"
    )


def test_a_flip_is_said_in_words() -> None:
    assert ruled(LOST).message.startswith("decision answer -> abstain (lost); look at it")


def test_a_case_with_other_findings_is_told_to_mend_them_and_no_way_to_approve() -> None:
    ruling = ruled(LOST, findings=["quote.elision", "leak.text", "quote.elision"])
    assert ruling.hint == "mend leak.text, quote.elision first, a trace that breaks a rule cannot be approved"
    assert (ruling.show, ruling.accept) == ("pytest -vv", "")


def test_a_missing_trace_says_to_commit_what_is_written() -> None:
    assert ruled(None, Mode.CHECK).message == (
        "travel/hotel has no approved trace; look at it: pytest -vv; approve it: pytest --snapshot-update; "
        "commit the file that is then written"
    )


def test_an_update_says_what_it_approved() -> None:
    assert ruled(LOST, Mode.UPDATE).message == "approved anew: decision answer -> abstain (lost)"
