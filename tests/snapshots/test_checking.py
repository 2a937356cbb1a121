"""One case's trace against its approved one, from reading to writing."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots import store as store_module
from pytest_grounded.snapshots.checking import CaseTrace, TraceCheck, TraceOptions, check_trace
from pytest_grounded.snapshots.policy import Commands, Drift, Mode, TraceStatus, Write
from pytest_grounded.snapshots.render import comparison_lines
from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.writer import dumps
from tests.snapshots.traces import changed, full_trace

ABSTAINS = changed(full_trace(), (("decision",), "abstain"))
DRIFTS = changed(full_trace(), (("confidence",), 0.9))
STALE = changed(full_trace(), (("case_sha",), "sha256:bb"))


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    store = SnapshotStore(tmp_path)
    store.approve("travel", "hotel", full_trace())
    return store


def checked(
    store: SnapshotStore, trace: dict[str, Any], mode: Mode = Mode.PENDING, *, case: str = "hotel", **more: Any
) -> TraceCheck:
    fields = {key: more.pop(key) for key in ("risk", "findings", "commands") if key in more}
    new = CaseTrace(suite="travel", case=case, trace=trace, **fields)
    return check_trace(store, new, options=TraceOptions(mode=mode, **more))


def files(store: SnapshotStore) -> dict[str, str]:
    paths = sorted(path for path in store.root.rglob("*.json") if path.is_file())
    return {store.shown(path): path.read_text() for path in paths}


APPROVED = {"snapshots/travel/hotel.json": dumps(full_trace())}
PENDING = ".grounded/pending/travel/hotel.json"


@pytest.mark.parametrize("mode", [Mode.PENDING, Mode.CHECK, Mode.NEW, Mode.UPDATE])
def test_an_equal_trace_passes_and_touches_nothing(store: SnapshotStore, mode: Mode) -> None:
    check = checked(store, full_trace(), mode)
    assert (check.ruling.fails, check.ruling.message, files(store)) == (False, "", APPROVED)


def test_the_pass_path_walks_nothing(store: SnapshotStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("pytest_grounded.snapshots.classify.Walk")
    assert not checked(store, full_trace()).ruling.fails


@pytest.mark.parametrize(
    ("mode", "fails", "written"),
    [
        (Mode.PENDING, True, {PENDING, *APPROVED}),
        (Mode.NEW, True, {PENDING, *APPROVED}),
        (Mode.CHECK, True, {*APPROVED}),
        (Mode.UPDATE, False, {*APPROVED}),
        (Mode.OFF, False, {*APPROVED}),
    ],
)
def test_a_changed_trace_is_written_where_the_mode_says(
    store: SnapshotStore, mode: Mode, *, fails: bool, written: set[str]
) -> None:
    assert checked(store, ABSTAINS, mode).ruling.fails is fails
    assert files(store).keys() == written
    approved = dumps(ABSTAINS if mode is Mode.UPDATE else full_trace())
    assert files(store)["snapshots/travel/hotel.json"] == approved


@pytest.mark.parametrize(
    ("mode", "ci", "check", "written"),
    [
        (Mode.PENDING, False, None, PENDING.replace("hotel", "meals")),
        (Mode.CHECK, True, "snapshot.missing", None),
        (Mode.NEW, False, None, "snapshots/travel/meals.json"),
        (Mode.UPDATE, False, None, "snapshots/travel/meals.json"),
    ],
)
def test_a_first_trace_is_written_where_the_mode_says(
    store: SnapshotStore, mode: Mode, *, ci: bool, check: str | None, written: str | None
) -> None:
    assert checked(store, ABSTAINS, mode, case="meals", ci=ci).ruling.check == check
    assert files(store).keys() - APPROVED.keys() == ({written} if written else set())


def test_a_case_with_findings_is_kept_pending_and_blocked_even_in_an_update(store: SnapshotStore) -> None:
    assert checked(store, ABSTAINS, Mode.UPDATE, findings=("leak.text",)).ruling.check == "trace.changed"
    pending = store.read_pending("travel", "hotel")
    assert pending is not None
    assert pending.blocked_by == ("leak.text",)
    assert files(store)["snapshots/travel/hotel.json"] == dumps(full_trace())


def test_drift_warns_and_is_kept_pending_but_fails_at_high_risk(store: SnapshotStore) -> None:
    assert checked(store, DRIFTS).ruling.warns
    assert checked(store, DRIFTS, risk=Risk.HIGH).ruling.check == "trace.changed"
    assert PENDING in files(store)
    assert not checked(store, DRIFTS, drift=Drift.OFF).ruling.message
    assert PENDING not in files(store)


def test_a_stale_header_alone_warns_and_an_update_renews_it(store: SnapshotStore) -> None:
    assert checked(store, STALE).ruling.warns
    assert checked(store, STALE, Mode.UPDATE).ruling.write is Write.BASELINE
    assert files(store) == {"snapshots/travel/hotel.json": dumps(STALE)}


def test_a_case_that_passes_again_clears_its_record(store: SnapshotStore) -> None:
    checked(store, ABSTAINS)
    check = checked(SnapshotStore(store.root), full_trace())
    assert (check.unstable, files(store)) == (False, APPROVED)


def test_two_results_in_one_run_are_unstable(store: SnapshotStore) -> None:
    assert not checked(store, ABSTAINS).unstable
    assert checked(store, full_trace()).unstable
    assert checked(store, ABSTAINS).unstable


CONFLICT = "<<<<<<< HEAD\n=======\n>>>>>>> x\n"


@pytest.mark.parametrize(
    ("content", "check"),
    [(CONFLICT, "snapshot.conflict_marker"), ("{", "snapshot.unreadable")],
    ids=["merge", "broken"],
)
@pytest.mark.parametrize("mode", [Mode.PENDING, Mode.CHECK, Mode.NEW, Mode.UPDATE])
def test_an_approved_trace_that_cannot_be_read_fails_unless_it_is_taken_again(
    store: SnapshotStore, mode: Mode, content: str, check: str
) -> None:
    store.path_of("travel", "hotel").write_text(content)
    ruling = checked(store, full_trace(), mode).ruling
    assert ruling.check == (None if mode is Mode.UPDATE else check)
    assert files(store)["snapshots/travel/hotel.json"] == (dumps(full_trace()) if mode is Mode.UPDATE else content)


def test_a_case_with_findings_does_not_replace_what_cannot_be_read(store: SnapshotStore) -> None:
    store.path_of("travel", "hotel").write_text(CONFLICT)
    check = checked(store, full_trace(), Mode.UPDATE, findings=("quote.not_verbatim",))
    assert check.ruling.check == "snapshot.conflict_marker"
    assert files(store)["snapshots/travel/hotel.json"] == CONFLICT


def test_a_credential_in_an_approved_trace_is_said(store: SnapshotStore) -> None:
    leaky = full_trace() | {"other": {"headers": {"Authorization": "Bearer 8xLOxBtZp8a91kq2Zr"}}}
    store.path_of("travel", "hotel").write_text(dumps(leaky))
    ruling = checked(store, full_trace(), Mode.CHECK).ruling
    assert ruling.check == "snapshot.secret"
    assert "other.headers.Authorization" in ruling.message
    assert "8xLOx" not in ruling.message


def full_disk(*_args: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_fails_an_update_and_leaves_the_approved_trace(
    store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "write_whole", full_disk)
    ruling = checked(store, ABSTAINS, Mode.UPDATE).ruling
    assert (ruling.check, ruling.status) == ("snapshot.not_written", TraceStatus.ERROR)
    assert "No space left on device" in ruling.message
    assert files(store) == APPROVED


@pytest.mark.parametrize(
    ("trace", "case", "check"),
    [
        pytest.param(ABSTAINS, "hotel", "trace.changed", id="a change still fails"),
        pytest.param(DRIFTS, "hotel", None, id="a drift still warns"),
        pytest.param(ABSTAINS, "meals", None, id="a first trace still passes"),
    ],
)
def test_a_pending_record_that_cannot_be_written_changes_no_verdict_and_is_said(
    store: SnapshotStore, trace: dict[str, Any], case: str, check: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "write_whole", full_disk)
    ruling = checked(store, trace, case=case).ruling
    assert ruling.check == check
    assert "its pending record: .grounded/" in ruling.message
    assert "No space left on device" in ruling.message
    assert files(store) == APPROVED


def test_an_edit_by_hand_is_found_and_the_message_shows_field_and_command(store: SnapshotStore) -> None:
    path = store.path_of("travel", "hotel")
    path.write_text(path.read_text().replace('"quote": "The limit is $180"', '"quote": "The limit is $185"'))
    ruling = checked(store, full_trace(), Mode.CHECK, commands=Commands.of("cases/travel/t.yaml::hotel")).ruling
    assert ruling.check == "trace.changed"
    assert ruling.message.startswith("citation (citations[1/c1].quote); ")
    assert "pytest cases/travel/t.yaml::hotel --snapshot-update" in ruling.message


class Blind:
    """A cleaner that takes out one word."""

    def text(self, text: str, /) -> str:
        return text.replace("$180", "[redacted 4 characters]")

    def value(self, value: Any, /) -> Any:
        return json.loads(self.text(json.dumps(value)))


def test_what_the_requester_may_no_longer_read_is_not_told_of_an_older_trace(store: SnapshotStore) -> None:
    new = changed(full_trace(), (("text", 0), "I could not find it. "))
    check = check_trace(
        store,
        CaseTrace(suite="travel", case="hotel", trace=new),
        options=TraceOptions(mode=Mode.PENDING),
        cleaner=Blind(),
    )
    assert check.comparison is not None
    assert "$180" not in "\n".join(comparison_lines(check.comparison, details=True))
    assert check.ruling.check == "trace.changed"


def test_an_update_of_one_case_leaves_the_others_byte_for_byte(store: SnapshotStore) -> None:
    store.approve("travel", "parking", full_trace())
    before = files(store)
    checked(store, ABSTAINS, Mode.UPDATE)
    after = files(store)
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} == {"snapshots/travel/hotel.json"}
