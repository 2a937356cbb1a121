"""Approved traces and pending records on disk."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.snapshots import store as store_module
from pytest_grounded.snapshots.classify import compare
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.names import key_of, path_below
from pytest_grounded.snapshots.pending import Pending
from pytest_grounded.snapshots.store import Baseline, SnapshotStore
from pytest_grounded.snapshots.writer import dumps, loads
from tests.snapshots.traces import changed, full_trace

ABSTAINS = changed(full_trace(), (("decision",), "abstain"))


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path)


@pytest.fixture
def approved(store: SnapshotStore) -> Path:
    store.approve("travel", "hotel", full_trace())
    return store.path_of("travel", "hotel")


def files_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def read(store: SnapshotStore) -> Baseline:
    baseline = store.read("travel", "hotel")
    assert baseline is not None
    return baseline


def code_of(caught: pytest.ExceptionInfo[SnapshotError]) -> str:
    return caught.value.code


# Names


@pytest.mark.parametrize(
    "case_id", ["../x", "A", "", "a/b", "a" * 101, "a b", "con", "lpt1.x", ".a", "a@", "ümlaut", "a\n"]
)
def test_a_case_id_that_is_unsafe_as_a_file_name_is_refused(store: SnapshotStore, case_id: str) -> None:
    with pytest.raises(SnapshotError) as caught:
        store.path_of("travel", case_id)
    assert code_of(caught) == "case_file.unsafe_id"


@pytest.mark.parametrize("suite", ["..", "a/../b", "", "a//b", "/abs", "a\\b", "c:", "a/", "nul", "a\x00b", " a", "a."])
def test_a_suite_that_leads_elsewhere_is_refused(store: SnapshotStore, suite: str) -> None:
    with pytest.raises(SnapshotError) as caught:
        store.path_of(suite, "hotel")
    assert code_of(caught) == "case_file.unsafe_id"


@pytest.mark.parametrize(
    ("suite", "case_id"), [("travel", "hotel"), ("a/b c/d", "hotel@2024-10"), ("root", "x"), ("旅行", "a")]
)
def test_a_path_leads_back_to_its_case(suite: str, case_id: str) -> None:
    root = Path("snapshots")
    assert key_of(root, path_below(root, suite, case_id)) == (suite, case_id)


# Approved traces


def test_a_case_without_a_trace_has_none(store: SnapshotStore) -> None:
    assert store.read("travel", "hotel") is None


def test_an_approved_trace_is_read_back(store: SnapshotStore, approved: Path) -> None:
    baseline = read(store)
    assert (baseline.trace, baseline.path) == (full_trace(), approved)
    assert approved.read_bytes() == dumps(full_trace()).encode()


def test_the_hash_of_a_trace_does_not_depend_on_its_line_ends(store: SnapshotStore, approved: Path) -> None:
    before = read(store).sha
    approved.write_bytes(approved.read_bytes().replace(b"\n", b"\r\n"))
    assert read(store).sha == before


def test_approving_the_same_again_writes_nothing(store: SnapshotStore, approved: Path) -> None:
    stamp = approved.stat().st_mtime_ns
    assert store.approve("travel", "hotel", full_trace()) is False
    assert approved.stat().st_mtime_ns == stamp


def test_numbers_that_only_drifted_keep_their_stored_value(store: SnapshotStore, approved: Path) -> None:
    store.approve("travel", "hotel", changed(ABSTAINS, (("confidence",), 0.8104)))
    assert loads(approved.read_text())["confidence"] == 0.81


@pytest.mark.parametrize("content", [b"<<<<<<< HEAD\n", b"\xff\xfe", b"{}"], ids=["conflict", "not utf-8", "no trace"])
def test_an_approved_trace_that_cannot_be_read_is_an_error_and_can_be_taken_again(
    store: SnapshotStore, approved: Path, content: bytes
) -> None:
    approved.write_bytes(content)
    with pytest.raises(SnapshotError, match=r"snapshots/travel/hotel\.json"):
        store.read("travel", "hotel")
    assert store.approve("travel", "hotel", full_trace())
    assert read(store).trace == full_trace()


def test_a_folder_in_the_place_of_a_trace_is_an_error(store: SnapshotStore) -> None:
    store.path_of("travel", "hotel").mkdir(parents=True)
    with pytest.raises(SnapshotError, match="cannot be read"):
        store.read("travel", "hotel")


# Writing whole or not at all


def fail_with(number: int) -> Callable[..., Any]:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("stage", ["write", "replace", "open"])
@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=["full disk", "read-only", "no permission"]
)
def test_a_write_that_fails_leaves_the_trace_as_it_was(
    store: SnapshotStore, approved: Path, monkeypatch: pytest.MonkeyPatch, stage: str, number: int
) -> None:
    before = approved.read_bytes()
    if stage == "write":
        original = Path.open

        def half_open(self: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            file = original(self, mode, *args, **kwargs)
            if "w" in mode:
                file.write("{ half")
                monkeypatch.setattr(file, "writelines", fail_with(number))
            return file

        monkeypatch.setattr(Path, "open", half_open)
    else:
        monkeypatch.setattr(Path, stage, fail_with(number))
    with pytest.raises(SnapshotError, match=os.strerror(number)) as caught:
        store.approve("travel", "hotel", ABSTAINS) if stage != "open" else store._write(approved, "x")
    monkeypatch.undo()
    assert code_of(caught) == "snapshot.not_written"
    assert approved.read_bytes() == before
    assert files_below(store.root) == ["snapshots/travel/hotel.json"]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "snapshots").write_text("a file")
    with pytest.raises(SnapshotError) as caught:
        SnapshotStore(tmp_path).approve("travel", "hotel", full_trace())
    assert code_of(caught) == "snapshot.not_written"


def test_a_pending_record_that_cannot_be_written_is_an_error(
    store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "write_whole", fail_with(errno.ENOSPC))
    with pytest.raises(SnapshotError, match="No space left"):
        store.keep_pending("travel", "hotel", full_trace())
    assert files_below(store.root) == []


def test_two_writers_at_once_leave_one_whole_trace(tmp_path: Path) -> None:
    stores = [SnapshotStore(tmp_path) for _ in range(8)]
    traces = [changed(full_trace(), (("text", 0), f"It is ${n}. " * 2000)) for n in range(8)]
    start = threading.Barrier(8)

    def write(one: SnapshotStore, trace: dict[str, Any]) -> None:
        start.wait()
        for _ in range(20):
            one.approve("travel", "hotel", trace)

    threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, traces, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read(stores[0]).trace in traces
    assert files_below(tmp_path) == ["snapshots/travel/hotel.json"]


def test_a_written_trace_has_the_permissions_of_any_new_file(store: SnapshotStore, approved: Path) -> None:
    plain = store.root / "plain"
    plain.write_text("")
    assert approved.stat().st_mode == plain.stat().st_mode


# Secrets


def test_a_trace_that_holds_a_credential_is_written_nowhere(store: SnapshotStore) -> None:
    leaky = full_trace() | {"other": {"authorization": "Bearer sk-live-4eC39HqLyjWDarjtT1zdp7dc"}}
    for write in (store.approve, store.keep_pending):
        with pytest.raises(SnapshotError) as caught:
            write("travel", "hotel", leaky)
        assert code_of(caught) == "snapshot.secret"
        assert "sk-live" not in str(caught.value)
    assert files_below(store.root) == []


# Pending records


def test_a_pending_record_says_what_it_was_compared_with_and_how_it_differs(
    store: SnapshotStore, approved: Path
) -> None:
    base = read(store)
    comparison = compare(base.trace, ABSTAINS)
    kept = store.keep_pending(
        "travel", "hotel", ABSTAINS, base=base, comparison=comparison, run={"model": "m-2", "started_at": 1740823200}
    )
    assert store.read_pending("travel", "hotel") == kept
    assert (kept.base_sha, kept.summary["headline"], kept.run) == (base.sha, "decision", {"model": "m-2"})
    assert approved.read_text() == dumps(full_trace())


def test_the_trace_in_a_pending_record_is_laid_out_like_an_approved_one(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", full_trace())
    text = store.pending_path_of("travel", "hotel").read_text()
    assert text.startswith('{\n "pending": 1,\n "suite": "travel",\n "case": "hotel",\n "base_sha": null,\n')
    assert '\n   {"chunk": "c1", "kept": true, "score": 0.9, "reason": "best"},\n' in text


def test_pending_records_are_kept_out_of_git(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", full_trace())
    assert files_below(store.root) == [".grounded/.gitignore", ".grounded/pending/travel/hotel.json"]
    assert (store.root / ".grounded/.gitignore").read_text() == "*\n"


def test_a_run_with_a_folder_of_its_own_writes_nowhere_else(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path, tmp_path / "artefacts")
    store.keep_pending("travel", "hotel", full_trace())
    assert files_below(tmp_path) == ["artefacts/pending/travel/hotel.json"]


def test_pending_records_come_in_one_order(store: SnapshotStore) -> None:
    for suite, case_id in [("b", "x"), ("a", "y"), ("a", "x")]:
        store.keep_pending(suite, case_id, full_trace())
    assert [(one.suite, one.case) for one in store.pending()] == [("a", "x"), ("a", "y"), ("b", "x")]


def test_the_bytes_of_a_record_depend_on_the_case_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        store = SnapshotStore(tmp_path / name)
        store.keep_pending(
            "a", "x", full_trace(), comparison=compare(full_trace(), ABSTAINS), findings=["b.x", "a.y", "b.x"]
        )
    records = [(tmp_path / name / ".grounded/pending/a/x.json").read_bytes() for name in ("one", "two")]
    assert records[0] == records[1]
    assert b'"blocked_by": ["a.y", "b.x"]' in records[0]


def test_a_case_that_passes_deletes_its_own_pending_record_and_no_other(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS)
    store.keep_pending("travel", "meals", ABSTAINS)
    other_run = SnapshotStore(store.root)
    assert other_run.passed("travel", "hotel") is False
    assert [one.case for one in store.pending()] == ["meals"]


@pytest.mark.parametrize("content", ["", "[]", '{"pending": 1}', '{"pending": 9, "new": {}}', "{" * 9000])
def test_a_broken_pending_record_says_so(store: SnapshotStore, content: str) -> None:
    store.keep_pending("travel", "hotel", full_trace())
    store.pending_path_of("travel", "hotel").write_text(content)
    with pytest.raises(SnapshotError, match="delete it and run pytest again"):
        store.read_pending("travel", "hotel")


# Accepting


def test_accepting_makes_the_pending_trace_the_approved_one(store: SnapshotStore, approved: Path) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS, base=read(store))
    assert store.accept("travel", "hotel") == approved
    assert read(store).trace == ABSTAINS
    assert store.pending() == ()


def test_the_first_trace_of_a_case_can_be_accepted(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", full_trace())
    store.accept("travel", "hotel")
    assert read(store).trace == full_trace()


def test_accepting_refuses_what_was_compared_with_another_trace(store: SnapshotStore, approved: Path) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS, base=read(store))
    approved.write_text(dumps(changed(full_trace(), (("confidence",), 0.5))))
    before = approved.read_bytes()
    with pytest.raises(SnapshotError, match=r"out of date.*run pytest again") as caught:
        store.accept("travel", "hotel")
    assert code_of(caught) == "snapshot.out_of_date"
    assert approved.read_bytes() == before
    assert store.read_pending("travel", "hotel") is not None


@pytest.mark.parametrize("appears", [True, False], ids=["appeared", "vanished"])
def test_accepting_refuses_where_the_approved_trace_appeared_or_vanished(
    store: SnapshotStore, approved: Path, *, appears: bool
) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS, base=None if appears else read(store))
    if not appears:
        approved.unlink()
    with pytest.raises(SnapshotError) as caught:
        store.accept("travel", "hotel")
    assert code_of(caught) == "snapshot.out_of_date"


def test_a_case_that_breaks_a_rule_cannot_be_accepted(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS, findings=["leak.text"])
    with pytest.raises(SnapshotError, match=r"blocked by leak\.text") as caught:
        store.accept("travel", "hotel", allow_unstable=True)
    assert code_of(caught) == "snapshot.blocked"


def test_nothing_pending_is_said(store: SnapshotStore) -> None:
    with pytest.raises(SnapshotError) as caught:
        store.accept("travel", "hotel")
    assert code_of(caught) == "snapshot.nothing_pending"


@pytest.mark.parametrize("first", ["another result", "a pass"])
def test_two_results_in_one_run_make_a_case_unstable(store: SnapshotStore, first: str) -> None:
    if first == "a pass":
        store.passed("travel", "hotel")
    else:
        store.keep_pending("travel", "hotel", full_trace())
    assert store.keep_pending("travel", "hotel", ABSTAINS).unstable
    with pytest.raises(SnapshotError, match="--allow-unstable"):
        store.accept("travel", "hotel")
    store.accept("travel", "hotel", allow_unstable=True)


def test_once_unstable_a_case_stays_so_in_this_run(store: SnapshotStore) -> None:
    for trace in (full_trace(), ABSTAINS, full_trace()):
        kept = store.keep_pending("travel", "hotel", trace)
    assert kept.unstable
    assert store.passed("travel", "hotel") is True


def test_the_same_result_twice_is_stable(store: SnapshotStore) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS)
    assert not store.keep_pending("travel", "hotel", ABSTAINS).unstable


def test_rejecting_deletes_the_record_alone(store: SnapshotStore, approved: Path) -> None:
    store.keep_pending("travel", "hotel", ABSTAINS)
    assert (store.reject("travel", "hotel"), store.reject("travel", "hotel")) == (True, False)
    assert approved.exists()


# Files without a case


def test_orphans_are_files_without_a_case_in_one_order(store: SnapshotStore) -> None:
    for suite, case_id in [("b", "gone"), ("a/deep", "gone"), ("a", "here")]:
        store.approve(suite, case_id, full_trace())
    (store.snapshots / "README.md").write_text("x")
    found = store.orphans([("a", "here"), ("a", "never-run")])
    assert [store.shown(path) for path in found] == ["snapshots/a/deep/gone.json", "snapshots/b/gone.json"]


@pytest.mark.usefixtures("approved")
def test_a_case_that_did_not_run_is_no_orphan(store: SnapshotStore) -> None:
    store.passed("travel", "other")
    assert store.orphans([("travel", "hotel"), ("travel", "other")]) == ()


def test_a_suite_in_another_unicode_form_is_the_same_suite(store: SnapshotStore) -> None:
    store.approve("caf\u00e9", "x", full_trace())
    assert store.orphans([("cafe\u0301", "x")]) == ()


@pytest.mark.usefixtures("approved")
def test_pruning_deletes_traces_and_records_without_a_case_and_nothing_else(store: SnapshotStore) -> None:
    store.approve("travel", "gone", full_trace())
    store.keep_pending("travel", "gone", ABSTAINS)
    store.keep_pending("travel", "hotel", ABSTAINS)
    (store.snapshots / "travel" / "package.json").write_text('{"name": "x"}')
    pruned = store.prune([("travel", "hotel")], complete=True, dry_run=False)
    assert [path.name for path in (*pruned.baselines, *pruned.pending, *pruned.left)] == [
        "gone.json",
        "gone.json",
        "package.json",
    ]
    assert files_below(store.root) == [
        ".grounded/.gitignore",
        ".grounded/pending/travel/hotel.json",
        "snapshots/travel/hotel.json",
        "snapshots/travel/package.json",
    ]


def test_a_dry_run_deletes_nothing(store: SnapshotStore) -> None:
    store.approve("travel", "gone", full_trace())
    pruned = store.prune([("travel", "hotel")], complete=True, dry_run=True)
    assert [path.exists() for path in pruned.baselines] == [True]


@pytest.mark.parametrize(
    ("catalogue", "complete"), [([("travel", "x")], False), ([], True)], ids=["filtered", "no cases"]
)
def test_pruning_needs_a_complete_catalogue(
    store: SnapshotStore, approved: Path, catalogue: list[tuple[str, str]], *, complete: bool
) -> None:
    with pytest.raises(SnapshotError) as caught:
        store.prune(catalogue, complete=complete, dry_run=False)
    assert code_of(caught) == "snapshot.incomplete"
    assert approved.exists()


def test_overlays_and_hidden_files_are_left_alone(store: SnapshotStore) -> None:
    for folder in ("@gpu/travel", ".cache"):
        (store.snapshots / folder).mkdir(parents=True)
        (store.snapshots / folder / "x.json").write_text(dumps(full_trace()))
    assert store.orphans([("travel", "hotel")]) == ()


def test_no_way_but_pruning_deletes_an_approved_trace(store: SnapshotStore, approved: Path) -> None:
    before = approved.read_bytes()
    store.passed("travel", "hotel")
    store.reject("travel", "hotel")
    store.keep_pending("travel", "hotel", ABSTAINS)
    store.pending()
    store.orphans([])
    assert approved.read_bytes() == before


def test_a_record_is_read_by_itself() -> None:
    pending = Pending(
        suite="a", case="b", base_sha=None, new=full_trace(), summary={"headline": None}, blocked_by=("x.y",)
    )
    assert Pending.from_text(pending.to_text(), where="p.json") == pending
    assert json.loads(pending.to_text())["new"]["decision"] == "answer"
