"""What a run writes and says of traces depends on the cases alone: not on workers, order or hash seeds."""

from __future__ import annotations

import json

import pytest

from tests.plugin.traced import Traced, replies, summary_of

_SHUFFLE = """
import random


def pytest_collection_modifyitems(items):
    random.Random({seed}).shuffle(items)
"""


@pytest.fixture
def changed(traced: Traced) -> Traced:
    """A project in which every case differs from its approved trace in another way, and one has none."""
    traced.approve()
    given = replies()
    given["parking"]["decision"] = "clarify"
    given["hotel"]["text"] = "In standard cities the nightly hotel limit is $180 per night [c1]"
    given["laundry"]["confidence"] = 0.5
    given["receipts"]["internal"]["steps"][1] = {"name": "verify", "outcome": "repaired", "parts": ["b", "a"]}
    given["bonus"]["internal"]["candidates"] = [{"chunk": "memo", "score": 0.7, "kept": False, "reason": "no right"}]
    given["bonus"]["note"] = {"seen_by": ["x", "y"], "request_id": "7f3a-11", "at": "2027-03-01T10:00:00Z"}
    traced.give(given)
    (traced.path / "snapshots/travel/breakfast.json").unlink()
    return traced


def outcome(
    changed: Traced, monkeypatch: pytest.MonkeyPatch, *arguments: str, seed: str = "0", shuffle: int | None = None
) -> tuple[dict[str, bytes], list[str], bytes]:
    """Pending records, summary and results of a run in a process of its own."""
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    changed.write("conftest.py", "" if shuffle is None else _SHUFFLE.format(seed=shuffle))
    result = changed.pytester.runpytest_subprocess(
        "-p",
        "no:cacheprovider",
        "--grounded-results",
        "results.jsonl",
        "--grounded-run-dir",
        f"run-{seed}-{shuffle}",
        *arguments,
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    folder = changed.path / f"run-{seed}-{shuffle}" / "pending"
    pending = {path.name: path.read_bytes() for path in sorted(folder.rglob("*.json"))}
    return pending, summary_of(result), (changed.path / "results.jsonl").read_bytes()


def test_serial_parallel_and_shuffled_runs_write_and_say_the_same(
    changed: Traced, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending, summary, results = outcome(changed, monkeypatch)
    assert len(pending) == 6
    assert any("flips first" in line for line in summary)
    assert len({json.loads(row)["trace"]["fingerprint"] for row in results.splitlines()}) == 6
    files = ("cases/travel/stay.yaml", "cases/travel/meals.yaml")
    for seed, shuffle, arguments in (
        ("1", None, ("-n", "2")),
        ("2", 1, ()),
        ("3", 2, ("-n", "2")),
        ("4", None, files),
        ("5", None, (*files[::-1], "-n", "2")),
    ):
        again = outcome(changed, monkeypatch, *arguments, seed=seed, shuffle=shuffle)
        assert again[0] == pending
        assert again[1] == summary
        assert again[2] == results


def test_approved_traces_are_the_same_bytes_in_every_process(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    before = traced.approve()
    for seed, arguments in (("1", ()), ("2", ("-n", "2"))):
        for name in before:
            (traced.path / "snapshots" / name).unlink()
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        traced.pytester.runpytest_subprocess("--snapshot-update", *arguments).assert_outcomes(passed=len(before))
        assert traced.approved() == before
