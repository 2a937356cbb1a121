"""What neither a rule nor a judge decided: counted in every case, and no pass where a case or its risk says so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

CORPUS = """
corpus: hotels
as_of: 2025-03-01
default_readers: ["*"]
chunks:
  - {id: c1, text: "The nightly hotel limit is $180. Contact the travel desk before booking."}
  - {id: c2, lang: de, text: "Angestellte haben 30 Tage Urlaub im Jahr."}
"""


def answering(*texts: str, chunk: str = "c1", **fields: Any) -> dict[str, Any]:
    claims = [{"text": text, "cites": [chunk]} for text in texts]
    return {"decision": "answer", "text": "", "claims": claims, "internal": {"evidence": [chunk]}, **fields}


SAID = answering("The nightly hotel limit is $180.")
WRONG_TEXT = "The nightly hotel limit is $190."
OPEN_TEXT = "Speak to the travel desk ahead of any hotel booking."
OPEN, WRONG = answering(OPEN_TEXT), answering(WRONG_TEXT)
OTHER_LANGUAGE = answering("Employees have 30 days of leave a year.", chunk="c2")
NOTHING = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I found nothing."}
SILENT = {"decision": "abstain", "reason_code": "CONFLICTING_EVIDENCE", "text": "The sources disagree."}
STATES = {"expect": {"slots": [{"name": "limit", "states": "The limit is 180 dollars a night."}]}}
HIGH = {"risk": "high"}


def waiving(check: str) -> dict[str, Any]:
    return {"waive": [{"check": check, "until": "2999-01-01", "owner": "Search team", "why": "known"}]}


Row = tuple[str, str, Mapping[str, Any], tuple[Mapping[str, Any], ...]]
ROWS: list[Row] = [
    ("open", "pass", {}, (OPEN,)),
    ("open-low", "pass", {"risk": "low"}, (OPEN,)),
    ("open-medium", "pass", {"risk": "medium"}, (OPEN,)),
    ("open-high", "inconclusive", HIGH, (OPEN,)),
    ("open-high-unless-told", "pass", {**HIGH, "unjudged": "pass"}, (OPEN,)),
    ("open-told", "inconclusive", {"unjudged": "inconclusive"}, (OPEN,)),
    ("open-low-told", "inconclusive", {"risk": "low", "unjudged": "inconclusive"}, (OPEN,)),
    ("said-high", "pass", HIGH, (SAID,)),
    ("wrong-high", "fail", HIGH, (WRONG,)),
    ("wrong-and-open-high", "fail", HIGH, (answering(OPEN_TEXT, WRONG_TEXT),)),
    ("wrong-and-open", "fail", {}, (answering(OPEN_TEXT, WRONG_TEXT),)),
    ("other-language-high", "inconclusive", HIGH, (OTHER_LANGUAGE,)),
    ("unobserved-is-not-unjudged", "pass", HIGH, ({**SAID, "internal": {}},)),
    ("abstention-high", "pass", {**HIGH, "kind": "unanswerable"}, (NOTHING,)),
    ("slot-for-a-judge", "pass", STATES, (SAID,)),
    ("slot-for-a-judge-high", "inconclusive", {**HIGH, **STATES}, (SAID,)),
    ("conflict-without-sides-high", "inconclusive", {**HIGH, "kind": "conflicting"}, (SILENT,)),
    (
        "waived-and-open-high",
        "inconclusive",
        {**HIGH, **waiving("number.unsupported")},
        (answering(OPEN_TEXT, WRONG_TEXT),),
    ),
    ("a-waiver-covers-no-open-question", "inconclusive", {**HIGH, **waiving("claim.unsupported")}, (OPEN,)),
    ("first-run-open-high", "inconclusive", {**HIGH, "runs": 2}, (OPEN, SAID)),
    ("second-run-open-high", "inconclusive", {**HIGH, "runs": 2}, (SAID, OPEN)),
    ("one-run-of-two-is-enough-high", "pass", {**HIGH, "runs": 2, "require": 1}, (OPEN, SAID)),
    ("no-run-of-two-is-judged-high", "inconclusive", {**HIGH, "runs": 2, "require": 1}, (OPEN, OPEN)),
    ("second-run-open", "pass", {"runs": 2}, (SAID, OPEN)),
]
DECIDED = {"said-high", "unobserved-is-not-unjudged", "abstention-high", "wrong-high", "one-run-of-two-is-enough-high"}
"""Cases of which nothing is left open in the results."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    root = tmp_path_factory.mktemp("unjudged")
    folder = root / "cases" / "hotels"
    folder.mkdir(parents=True)
    question = "What is the rule for hotels?"
    cases = [{"id": name, "kind": "answerable", "question": question, **keys} for name, _, keys, _ in ROWS]
    replies = [
        {"case": name, "run": run, "response": reply} for name, _, _, said in ROWS for run, reply in enumerate(said)
    ]
    (folder / "corpus.yaml").write_text(CORPUS, encoding="utf-8")
    (folder / "rules.yaml").write_text(json.dumps({"cases": cases}, indent=1), encoding="utf-8")
    (folder / "responses.jsonl").write_text("".join(json.dumps(one) + "\n" for one in replies), encoding="utf-8")
    return run_project(root)


def run_project(root: Path) -> dict[str, dict[str, Any]]:
    (root / "pytest.ini").write_text("[pytest]\ngrounded_system = recorded:responses.jsonl\n", encoding="utf-8")
    options = ["-q", "-p", "no:cacheprovider", "--grounded-snapshots", "off", "--grounded-results", "r.jsonl"]
    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=root, capture_output=True, check=False)
    rows = map(json.loads, (root / "r.jsonl").read_text(encoding="utf-8").splitlines())
    return {row["case"]: row for row in rows}


@pytest.mark.parametrize(("name", "verdict"), [(row[0], row[1]) for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_nobody_judged_has_the_verdict_the_case_asks_for(
    name: str, verdict: str, results: dict[str, dict[str, Any]]
) -> None:
    assert results[name]["verdict"] == verdict


@pytest.mark.parametrize("name", [row[0] for row in ROWS])
def test_what_nobody_judged_is_counted_wherever_it_is_left_open(name: str, results: dict[str, dict[str, Any]]) -> None:
    assert bool(results[name]["not_judged"]) == (name not in DECIDED)
