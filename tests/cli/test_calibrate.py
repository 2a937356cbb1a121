"""`pytest-grounded calibrate` from the shell: what it writes, prints, refuses, and how it ends."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cli import main
from tests.calibration.samples import ordered_rows

FILES = {
    "calibration.json",
    "calibration.html",
    "curve.csv",
    "reliability.svg",
    "risk-coverage.svg",
    "scores.svg",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_it_writes_everything_and_says_the_operating_point(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "rows.jsonl", ordered_rows(200, 40))
    assert main(["calibrate", "rows.jsonl"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "answers 86% of queries; at most 10% of those wrong with 90% confidence; 11 wrong of 171 seen\n"
    )
    assert {path.name for path in (folder / "calibration").iterdir()} == FILES
    stored = json.loads((folder / "calibration" / "calibration.json").read_text("utf-8"))
    assert (stored["schema"], stored["choice"]["state"], stored["exit_code"]) == (1, "found", 0)
    assert len((folder / "calibration" / "curve.csv").read_text("utf-8").splitlines()) == 201


def test_the_same_rows_in_another_order_give_the_same_bytes(folder: Path) -> None:
    rows = ordered_rows(150, 20) + ordered_rows(60, 25, prefix="x")
    write(folder / "rows.jsonl", rows)
    write(folder / "mixed.jsonl", random.Random(2).sample(rows, len(rows)))  # noqa: S311 - a shuffle
    options = [
        "--cost-wrong",
        "5",
        "--cost-abstain",
        "1",
        "--abstain-cost",
        "all",
        "--test-share",
        "0.3",
        "--fit",
        "platt",
    ]
    codes = [
        main(["calibrate", name, "--out", name[:5], "--alpha", "0.2", *options])
        for name in ("rows.jsonl", "mixed.jsonl")
    ]
    assert codes[0] == codes[1]
    for path in (folder / "rows.").iterdir():
        assert path.read_bytes() == (folder / "mixed" / path.name).read_bytes()
    assert (folder / "mixed" / "cost.svg").exists()


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_it_prints_in_the_asked_form_and_writes_nothing_where_told_so(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    write(folder / "rows.jsonl", ordered_rows(200, 40))
    assert main(["calibrate", "rows.jsonl", "--no-files", "--format", form]) == 0
    printed = capsys.readouterr().out
    assert not (folder / "calibration").exists()
    if form == "json":
        assert json.loads(printed)["rule"] == "answer iff score >= 0.1493"
    if form == "html":
        assert printed.count("<svg") == 3


def test_too_few_rows_end_with_one_and_the_number_that_is_needed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "rows.jsonl", ordered_rows(15, 3))
    assert main(["calibrate", "rows.jsonl"]) == 1
    assert "at least 22 are needed, even if none is wrong" in capsys.readouterr().out
    assert (
        json.loads((folder / "calibration" / "calibration.json").read_text("utf-8"))["choice"]["state"] == "infeasible"
    )


def test_a_limit_missed_on_the_test_file_ends_with_one(folder: Path) -> None:
    write(folder / "rows.jsonl", ordered_rows(200, 20))
    write(folder / "test.jsonl", ordered_rows(60, 40, prefix="t"))
    assert main(["calibrate", "rows.jsonl", "--test", "test.jsonl", "--no-files"]) == 1


UNUSABLE: dict[str, tuple[list[dict[str, Any]], list[str], str]] = {
    "no such file": ([], ["nowhere.jsonl"], "nowhere.jsonl: cannot be read: No such file or directory"),
    "regression cases": (ordered_rows(9, 3, sample="regression"), ["rows.jsonl"], "9 of 9 rows are regression cases"),
    "the cheapest without prices": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--method", "cost"],
        "--method cost needs --cost-wrong and --cost-abstain",
    ),
    "prices without their convention": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--method", "cost", "--cost-wrong", "5", "--cost-abstain", "1"],
        (
            "prices need --abstain-cost missed or --abstain-cost all: charging only abstentions on right drafts, a calibrated "
            "probability is cut at 0.833; charging every abstention, at 0.800"
        ),
    ),
    "half of the prices": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--cost-wrong", "5"],
        "--cost-wrong needs --cost-abstain",
    ),
    "a mix that cannot be read": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--target-mix", "answerable"],
        "cannot be read at 'answerable'",
    ),
    "a stored calibration that is none": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--drift", "rows.jsonl"],
        "rows.jsonl: is not JSON",
    ),
    "a drift check as a page": (
        ordered_rows(9, 3),
        ["rows.jsonl", "--drift", "rows.jsonl", "--format", "html"],
        "--drift prints text or json (--format html is for a calibration)",
    ),
    "a case id that speaks to the terminal": (
        [{"case": "\x1b[2J", "score": "x"}],
        ["rows.jsonl"],
        "rows.jsonl:1: \\u001b[2J.score: is 'x'",
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_input_ends_with_two_and_says_what_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    rows, arguments, words = UNUSABLE[name]
    if rows:
        write(folder / "rows.jsonl", rows)
    assert main(["calibrate", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert not captured.out
    assert not (folder / "calibration").exists()


@pytest.mark.parametrize("option", [["--alpha", "x"], ["--cost-wrong", "1/0"], ["--split-by", "case"]])
def test_an_option_that_is_no_number_is_refused_by_the_parser(folder: Path, option: list[str]) -> None:
    write(folder / "rows.jsonl", ordered_rows(30, 3))
    with pytest.raises(SystemExit) as caught:
        main(["calibrate", "rows.jsonl", *option])
    assert caught.value.code == 2


def test_a_stored_calibration_is_checked_on_new_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "rows.jsonl", ordered_rows(400, 40))
    write(folder / "same.jsonl", ordered_rows(300, 30, prefix="s"))
    write(folder / "worse.jsonl", ordered_rows(300, 150, prefix="w"))
    assert main(["calibrate", "rows.jsonl"]) == 0
    check = ["--drift", "calibration/calibration.json"]
    capsys.readouterr()
    assert main(["calibrate", "same.jsonl", *check]) == 0
    assert "this can be noise" in capsys.readouterr().out
    assert main(["calibrate", "worse.jsonl", *check, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "drift"
    assert main(["calibrate", "worse.jsonl", *check, "--format", "html"]) == 2


def test_a_folder_that_cannot_be_written_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "rows.jsonl", ordered_rows(200, 40))
    (folder / "taken").write_text("a file", encoding="utf-8")
    assert main(["calibrate", "rows.jsonl", "--out", "taken"]) == 2
    assert "taken: cannot be written" in capsys.readouterr().err
