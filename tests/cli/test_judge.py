"""`pytest-grounded judge` from the shell: on the sets that ship, what it writes and keeps, refuses, and how it ends."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cli import main
from tests.judges.tiny_model import tiny_model

DATA = Path(__file__).parents[2] / "benchmarks" / "data"
BEGIN = DATA / "begin_wow" / "pairs.jsonl"
WICE = DATA / "wice" / "claims.jsonl"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows(n: int = 12) -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{place:02}",
            "claim": f"The limit is ${place + (place % 2)}.",
            "evidence": f"The limit is ${place}.",
            "label": "unsupported" if place % 2 else "supported",
        }
        for place in range(n)
    ]


@pytest.mark.parametrize(("path", "n"), [(BEGIN, 400), (WICE, 349)])
def test_the_sets_that_ship_are_read_as_they_are(path: Path, n: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(path), "--judge", "overlap", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["whole"]["n"], found["labels"]) == (n, path.name)
    assert found["whole"]["quality"]["tnr"] > 0.85


def test_the_report_says_both_errors_and_every_slice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "labels.jsonl", rows())
    assert main(["judge", "labels.jsonl"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "rules says support of 100% of what people call supported, and denies it of 100% of the rest\n"
    )
    assert "  TPR           100%  (6 of 6; 54.1% to 100%)\n" in printed
    assert "  numbers        12 claims; TPR 100%  (6 of 6; 54.1% to 100%); TNR 100%" in printed


def test_the_measurement_is_written_and_the_same_bytes_in_any_order(folder: Path) -> None:
    write(folder / "a.jsonl", rows())
    write(folder / "b.jsonl", rows()[::-1])
    (folder / "b").mkdir()
    (folder / "b.jsonl").rename(folder / "b" / "a.jsonl")
    for name in ("a.jsonl", "b/a.jsonl"):
        assert main(["judge", name, "--out", f"{name}.json"]) == 0
    assert (folder / "a.jsonl.json").read_bytes() == (folder / "b" / "a.jsonl.json").read_bytes()


def test_a_model_is_measured_and_its_verdicts_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_model(folder / "model")
    (folder / "judge.yaml").write_text("kind: onnx\npath: model\n", encoding="utf-8")
    texts = [("It agrees.", "yes"), ("It denies.", "no"), ("It agrees here.", "no")]
    write(
        folder / "labels.jsonl",
        [
            {"id": str(i), "claim": "The limit.", "evidence": text, "label": label}
            for i, (text, label) in enumerate(texts)
        ],
    )
    command = ["judge", "labels.jsonl", "--judge", "judge.yaml", "--verdicts", "kept.jsonl", "--out", "judge.json"]
    assert main(command) == 0
    first = (folder / "judge.json").read_bytes(), (folder / "kept.jsonl").read_bytes()
    assert json.loads(first[0])["whole"]["quality"]["unsupported_judged"] == [1, 1, 0]
    assert len(first[1].splitlines()) == 3
    monkeypatch.setattr("pytest_grounded.judges.onnx.OnnxJudge.judge", None)
    assert main(command) == 0
    assert ((folder / "judge.json").read_bytes(), (folder / "kept.jsonl").read_bytes()) == first


@pytest.mark.parametrize("judge", ["overlap", "rules", "judge.yaml"])
def test_it_is_drawn_and_put_on_a_page(folder: Path, judge: str, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_model(folder / "model")
    (folder / "judge.yaml").write_text("kind: onnx\npath: model\n", encoding="utf-8")
    words = {"claim": "Guests like the rooms.", "evidence": "Visitors like the rooms.", "label": "supported"}
    write(folder / "labels.jsonl", [*rows(), {**words, "id": '<b>"&', "slices": ['<b>"&']}])
    main(["judge", "labels.jsonl", "--judge", judge, "--charts", "out/charts"])
    printed = capsys.readouterr().out
    names = {path.name for path in (folder / "out/charts").iterdir()}
    scored = {"reliability.svg"} if judge != "rules" else set()
    assert names == {"judge.html", "slices.svg", "confusion.svg", *scored}
    assert ("  score " in printed) == bool(scored)
    for drawing in (folder / "out/charts").glob("*.svg"):
        root = ET.fromstring(drawing.read_text(encoding="utf-8"))  # noqa: S314 - our own text
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
    page = (folder / "out/charts/judge.html").read_text(encoding="utf-8")
    assert '<b>"&' not in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    main(["judge", "labels.jsonl", "--judge", judge, "--format", "html"])
    assert capsys.readouterr().out == page


def test_the_rate_behind_other_claims_is_corrected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "labels.jsonl", rows(40))
    write(folder / "traffic.jsonl", [{**row, "label": None} for row in rows(30)])
    assert main(["judge", "labels.jsonl", "--traffic", "traffic.jsonl"]) == 0
    printed = capsys.readouterr().out
    assert "supported among the other claims\n  as judged  50%  (15 of 30)\n  corrected  50%  (95% " in printed


def test_a_sample_does_not_depend_on_the_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "labels.jsonl", rows(40))
    (folder / "other").mkdir()
    write(folder / "other" / "labels.jsonl", rows(40)[::-1])
    printed = []
    for name in ("labels.jsonl", "other/labels.jsonl"):
        assert main(["judge", name, "--sample", "15", "--seed", "3"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "15 claims of labels.jsonl" in printed[0]


def test_a_missed_limit_ends_with_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "labels.jsonl", rows())
    assert main(["judge", "labels.jsonl", "--min-tnr", "0.9"]) == 1
    assert "the limit is missed: TNR may be as low as 0.541, and at least 0.9 is asked for" in capsys.readouterr().out


UNUSABLE: dict[str, tuple[list[str], str]] = {
    "no such file": (
        ["nowhere.jsonl"],
        "nowhere.jsonl: cannot be read: No such file or directory (name a file of JSON Lines)",
    ),
    "no such judge": (
        ["labels.jsonl", "--judge", "oracle"],
        "--judge 'oracle': needs rules, overlap, or a YAML file of settings that is there",
    ),
    "settings of no judge": (
        ["labels.jsonl", "--judge", "bad.yaml"],
        (
            "bad.yaml:1:1: knid: is not a setting (did you mean 'kind'?); settings here: kind, path, threshold, "
            "max_tokens, labels, endpoint, measured, verdicts"
        ),
    ),
    "a model that is not there": (
        ["labels.jsonl", "--judge", "model.yaml"],
        "gone/model.onnx: is missing (the folder of an exported model holds model.onnx, tokenizer.json and config.json)",
    ),
    "a label that cannot be read": (
        ["labels.jsonl", "--label", "ok"],
        "--label 'ok' cannot be read (needs WORD=supported or WORD=unsupported)",
    ),
    "a sample of none": (["labels.jsonl", "--sample", "0"], "--sample is 0 (needs at least 1 claim)"),
    "an id that speaks to the terminal": (
        ["spoken.jsonl"],
        "spoken.jsonl:1: \\u001b[2J.claim: is missing (needs the sentence that was judged)",
    ),
    "verdicts that are none": (
        ["labels.jsonl", "--verdicts", "bad.yaml"],
        (
            "bad.yaml:1: is no kept verdict (needs judge, version, key and verdict; delete the file to have every verdict "
            "given anew)"
        ),
    ),
    "one label only": (
        ["same.jsonl"],
        (
            "same.jsonl: all 1 labelled claims are supported (needs unsupported ones too: a judge that says supported of "
            "everything would look perfect)"
        ),
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_input_ends_with_two_and_says_what_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    write(folder / "labels.jsonl", rows())
    write(folder / "same.jsonl", rows(1))
    write(folder / "spoken.jsonl", [{"id": "\x1b[2J", "evidence": "x"}])
    (folder / "bad.yaml").write_text("knid: rules\n", encoding="utf-8")
    (folder / "model.yaml").write_text("kind: onnx\npath: gone\n", encoding="utf-8")
    arguments, words = UNUSABLE[name]
    assert main(["judge", *arguments]) == 2
    assert words in capsys.readouterr().err.splitlines()


OWN = """
class Mine:
    name, version = "mine", "1"
    def judge(self, claim, evidence):
        raise RuntimeError("a secret: " + claim)

class Nonsense(Mine):
    def judge(self, claim, evidence):
        return 42

class Later(Mine):
    async def judge(self, claim, evidence):
        return "support"

class Scores(Mine):
    threshold = 0.5
    def judge(self, claim, evidence):
        return "support"
    def score(self, claim, evidence):
        return float("nan")

class Words(Scores):
    def score(self, claim, evidence):
        return "0.9" if "4" in claim else 0.9

class LaterScores(Scores):
    async def score(self, claim, evidence):
        return 0.9

class WordThreshold(Scores):
    threshold = "0.5"
"""


@pytest.mark.parametrize(
    ("judge", "kind"), [("Mine", "raised_RuntimeError"), ("Nonsense", "no_verdict"), ("Later", "no_verdict")]
)
def test_a_judge_of_ones_own_that_goes_wrong_gave_no_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], judge: str, kind: str
) -> None:
    module = f"own_judges_{judge.lower()}"
    (folder / f"{module}.py").write_text(OWN)
    monkeypatch.syspath_prepend(folder)
    (folder / "judge.yaml").write_text(f"kind: python\npath: {module}:{judge}\n")
    write(folder / "labels.jsonl", rows())
    code = main(["judge", "labels.jsonl", "--judge", "judge.yaml", "--verdicts", "kept.jsonl", "--format", "json"])
    seen = capsys.readouterr()
    assert (code, seen.err) == (1, "")
    assert json.loads(seen.out)["failures"] == {kind: 12}
    assert "secret" not in seen.out
    assert not (folder / "kept.jsonl").read_text()


def test_a_score_that_is_none_is_left_out_of_the_chart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own_scores.py").write_text(OWN)
    monkeypatch.syspath_prepend(folder)
    (folder / "judge.yaml").write_text("kind: python\npath: own_scores:Scores\n")
    write(folder / "labels.jsonl", rows())
    assert main(["judge", "labels.jsonl", "--judge", "judge.yaml", "--charts", "charts"]) == 1
    assert (folder / "charts" / "judge.html").is_file()


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("Words", "labels.jsonl:4: c03.score: judge 'mine' gives a str (needs a number from 0 to 1, or None where no"),
        ("LaterScores", "labels.jsonl:1: c00.score: judge 'mine' gives a coroutine (needs a number from 0 to 1, or"),
        ("WordThreshold", "judge 'mine': its threshold has to be a number from 0 to 1, found '0.5'"),
    ],
)
def test_a_score_that_is_no_number_is_named_by_its_claim(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], judge: str, said: str
) -> None:
    (folder / "own_worded_scores.py").write_text(OWN)
    monkeypatch.syspath_prepend(folder)
    (folder / "judge.yaml").write_text(f"kind: python\npath: own_worded_scores:{judge}\n")
    write(folder / "labels.jsonl", rows())
    for asked in (["--charts", "charts"], ["--format", "html"]):
        assert main(["judge", "labels.jsonl", "--judge", "judge.yaml", *asked]) == 2
        seen = capsys.readouterr()
        assert seen.out == ""
        assert seen.err.startswith(said)
    assert not (folder / "charts").exists()


def test_labels_of_traffic_need_the_traffic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "labels.jsonl", rows())
    assert main(["judge", "labels.jsonl", "--labels-are", "traffic"]) == 2
    assert capsys.readouterr().err == (
        "--labels-are traffic needs --traffic FILE: the claims that the labelled ones are a part of\n"
    )
