"""Keys of a case that change what a run makes of it: `waive`, `on`, `unjudged`, `serial`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.projects import INI, SYSTEM, Make

MISQUOTED = SYSTEM.replace("is $180 per night.", "was $180 per night.")
WAIVED = """
cases:
  - id: hotel-limit
    kind: answerable
    question: What is the nightly hotel limit in standard cities?
    waive: [{check: quote.not_verbatim, until: 2025-01-31, owner: search team, why: INC-7}]
"""


def on_day(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    monkeypatch.setenv(
        "SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=UTC).timestamp()))
    )


def results(made: pytest.Pytester, *options: str) -> tuple[pytest.RunResult, dict[str, dict[str, Any]]]:
    ran = made.runpytest("--grounded-snapshots", "off", "--grounded-results", "results.jsonl", *options)
    lines = Path(made.path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return ran, {row["case"]: row for row in map(json.loads, lines)}


def checks(row: dict[str, Any], key: str = "findings") -> list[str]:
    return [one["check"] for one in row[key]]


# --- waive ---------------------------------------------------------------------------------------------------------


def test_a_waived_finding_is_reported_with_its_owner_and_does_not_fail(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_day(monkeypatch, "2025-01-31")
    ran, rows = results(project(cases=WAIVED, system=MISQUOTED))
    ran.assert_outcomes(passed=1)
    row = rows["hotel-limit"]
    assert (row["verdict"], checks(row), checks(row, "waived")) == ("pass", [], ["quote.not_verbatim"])
    assert row["waived"][0]["waiver"] == {"owner": "search team", "until": "2025-01-31", "why": "INC-7"}
    assert row["correct"] == 0
    ran.stdout.fnmatch_lines(["waived, reported and not failing: 1"])
    ran.stdout.fnmatch_lines(["  quote.not_verbatim in travel/hotel-limit: search team, until 2025-01-31"])


def test_a_waiver_that_ran_out_fails_beside_what_it_waived(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-02-01")
    ran, rows = results(project(cases=WAIVED, system=MISQUOTED))
    ran.assert_outcomes(failed=1)
    assert checks(rows["hotel-limit"]) == ["quote.not_verbatim", "waive.expired"]
    ran.stdout.fnmatch_lines(["*waive.expired at waive?0?: the waiver of quote.not_verbatim ran out on 2025-01-31; *"])


def test_a_waiver_that_covers_nothing_fails(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-01-01")
    ran, rows = results(project(cases=WAIVED))
    ran.assert_outcomes(failed=1)
    assert checks(rows["hotel-limit"]) == ["waive.unneeded"]


def test_what_was_not_looked_at_may_still_be_needed(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-01-01")
    _, rows = results(project(cases=WAIVED, system="def answer(request):\n    raise OSError"))
    assert checks(rows["hotel-limit"]) == ["output.parse", "decision.wrong", "reason.wrong"]
    _, rows = results(project(cases=WAIVED.replace("quote.not_verbatim", "trace.changed"), system=MISQUOTED))
    assert checks(rows["hotel-limit"]) == ["quote.not_verbatim"]


def test_a_waiver_covers_its_own_check_only(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-01-01")
    ran, rows = results(project(cases=WAIVED, system=MISQUOTED.replace("cities is $180", "cities is $190")))
    ran.assert_outcomes(failed=1)
    assert "number.unsupported" in checks(rows["hotel-limit"])
    assert "quote.not_verbatim" not in checks(rows["hotel-limit"])
    ran.stdout.fnmatch_lines(["*quote.not_verbatim (search team, until 2025-01-31): *"])


def test_a_run_with_nothing_but_a_waived_finding_has_passed(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-01-01")
    ran, rows = results(project(cases=WAIVED + "    runs: 3\n", system=MISQUOTED))
    ran.assert_outcomes(passed=1)
    assert (rows["hotel-limit"]["passed_runs"], checks(rows["hotel-limit"], "waived")) == (3, ["quote.not_verbatim"])


def test_a_waived_change_of_the_trace_does_not_fail(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    on_day(monkeypatch, "2025-01-01")
    cases = WAIVED.replace("quote.not_verbatim", "trace.changed")
    made = project(cases=WAIVED.partition("    waive")[0])
    made.runpytest("--grounded-snapshots", "update").assert_outcomes(passed=1)
    made = project(
        cases=cases, system=SYSTEM.replace("limit in standard cities is $180 [c1]", "limit is $180, not $25 [c1]")
    )
    made.runpytest_subprocess("--grounded-snapshots", "check").assert_outcomes(passed=1)


def test_a_day_that_is_none_is_refused(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "tomorrow")
    ran = project(cases=WAIVED).runpytest()
    assert ran.ret != pytest.ExitCode.OK
    text = ran.stdout.str() + ran.stderr.str()
    assert "SOURCE_DATE_EPOCH: needs whole seconds since 1970, found 'tomorrow'" in text


# --- on ------------------------------------------------------------------------------------------------------------

REVISIONS = """
cases:
  - id: parking
    kind: answerable
    question: What does parking cost?
    on:
      corpus-2023.yaml: {kind: unanswerable}
      corpus.yaml: {expect: {slots: [{name: price, values: ["12"], evidence: [p1]}]}}
"""
OLD = 'corpus: travel\nrevision: r2023\nas_of: 2023-10-01\ndefault_readers: ["*"]\nchunks: [{id: c1, text: Hotels.}]\n'
NEW = OLD.replace("2023", "2024").replace("chunks: [", 'chunks: [{id: p1, text: "Parking costs $12."}, ')
PARKING = """
ANSWER = {
    "decision": "answer", "text": "$12.", "internal": {"evidence": ["p1"]},
    "claims": [{"text": "Parking costs $12.", "cites": ["p1"], "quote": "Parking costs $12."}],
}


def answer(request):
    if KNOWS_ALL or "p1" in request.corpus:
        return ANSWER
    return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "internal": {"evidence": []}}
"""


def revisions(project: Make, *, knows_all: bool) -> pytest.Pytester:
    made = project(cases=REVISIONS, corpus=NEW, system=f"KNOWS_ALL = {knows_all}\n{PARKING}")
    (made.path / "cases" / "travel" / "corpus-2023.yaml").write_text(OLD, encoding="utf-8")
    return made


def test_a_case_is_one_test_on_each_revision_and_held_to_what_that_revision_says(project: Make) -> None:
    ran, rows = results(revisions(project, knows_all=False), "-v")
    ran.assert_outcomes(passed=2)
    ran.stdout.fnmatch_lines(["*::parking@r2023 PASSED*", "*::parking@r2024 PASSED*"])
    assert {case: (row["kind"], row["decision"]) for case, row in rows.items()} == {
        "parking@r2023": ("unanswerable", "abstain"),
        "parking@r2024": ("answerable", "answer"),
    }
    assert len({row["corpus"] for row in rows.values()}) == 2


def test_an_old_revision_must_not_know_later_documents(project: Make) -> None:
    ran, rows = results(revisions(project, knows_all=True))
    ran.assert_outcomes(passed=1, failed=1)
    assert {"citation.unknown_id", "decision.answered_without_evidence"} <= set(checks(rows["parking@r2023"]))


def test_one_revision_is_run_by_its_id_and_has_an_approved_trace_of_its_own(project: Make) -> None:
    made = revisions(project, knows_all=False)
    made.runpytest("--grounded-snapshots", "update").assert_outcomes(passed=2)
    names = sorted(path.name for path in (made.path / "snapshots" / "travel").iterdir())
    assert names == ["parking@r2023.json", "parking@r2024.json"]
    ran = made.runpytest("--grounded-snapshots", "check", "cases/travel/hotel.yaml::parking@r2023")
    ran.assert_outcomes(passed=1)


def test_a_recording_names_the_revision(project: Make) -> None:
    made = revisions(project, knows_all=False)
    said = {"decision": "abstain", "reason_code": "NO_EVIDENCE"}
    rows = [{"case": "parking@r2023", "response": said}, {"case": "parking@r2024", "response": said}]
    (made.path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran, found = results(made, "--grounded-system", "recorded:said.jsonl")
    ran.assert_outcomes(passed=1, failed=1)
    assert "decision.over_refusal" in checks(found["parking@r2024"])


# --- unjudged ------------------------------------------------------------------------------------------------------

PARAPHRASED = SYSTEM.replace(
    '"text": "The nightly hotel limit in standard cities is $180.",',
    '"text": "In ordinary cities a hotel room may cost $180.",',
)
OPEN = """
cases:
  - {id: hotel-limit, kind: answerable, question: What is the hotel limit?, %s}
"""


@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        ("risk: medium", "pass"),
        ("risk: high", "inconclusive"),
        ("risk: high, unjudged: pass", "pass"),
        ("risk: low, unjudged: inconclusive", "inconclusive"),
    ],
)
def test_what_nothing_decides_passes_or_not_as_the_case_says(project: Make, keys: str, verdict: str) -> None:
    ran, rows = results(project(cases=OPEN % keys, system=PARAPHRASED))
    assert rows["hotel-limit"]["verdict"] == verdict
    assert checks(rows["hotel-limit"], "not_judged") == ["claim.unsupported"]
    if verdict == "inconclusive":
        ran.assert_outcomes(failed=1)
        ran.stdout.fnmatch_lines(["*; inconclusive", "not judged, and nothing unjudged passes here (unjudged)"])


# --- serial --------------------------------------------------------------------------------------------------------

WATCHED = """
import os, time
from pathlib import Path

ASKING = Path(__file__).parent / "asking"
ASKING.mkdir(exist_ok=True)


def answer(request):
    here = ASKING / f"{os.getpid()}"
    here.write_text(request.question)
    beside = []
    for _ in range(5):
        time.sleep(0.01)
        beside += [path.name for path in ASKING.iterdir() if path != here]
    here.unlink()
    if "alone" in request.question and beside:
        raise RuntimeError("asked beside another case")
    return {"decision": "abstain", "reason_code": "NO_EVIDENCE"}
"""
MANY = "cases:\n" + "".join(
    f"  - {{id: case-{n}, kind: unanswerable, question: Who is {'alone' if n % 4 == 0 else 'not'} {n}?"
    f"{', serial: true' if n % 4 == 0 else ''}}}\n"
    for n in range(16)
)


def test_a_serial_case_is_never_asked_beside_another(project: Make) -> None:
    made = project(cases=MANY, system=WATCHED, ini=INI)
    made.runpytest_subprocess("-n", "2", "--grounded-snapshots", "off").assert_outcomes(passed=16)
    made.runpytest_subprocess("--grounded-snapshots", "off").assert_outcomes(passed=16)
