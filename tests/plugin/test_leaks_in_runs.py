"""Restricted cases in a run: their probes and what they cost, steps of several people, verdicts, large corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.projects import CORPUS, Make

ONE = """
cases:
  - id: bonus
    kind: restricted
    requester: {groups: [staff]}
    question: What is the retention bonus of the closing team?
    about: [memo]
"""
LOGGING = """
import json, pathlib

class System:
    def fresh(self):
        return System()

    def answer(self, request):
        with pathlib.Path("asked.jsonl").open("a") as log:
            asked = {"question": request.question, "by": request.requester.id, "over": len(request.corpus)}
            log.write(json.dumps(asked) + chr(10))
        return self.reply(request)

    def reply(self, request):
        return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "internal": {"evidence": [], "prompt": []}}

answer = System()
"""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def leakage(folder: Path, case: str = "bonus") -> dict[str, Any]:
    found: dict[str, Any] = next(row["leakage"] for row in lines(folder / "r.jsonl") if row["case"] == case)
    return found


# --- probes ------------------------------------------------------------------------------------------------------


def test_probes_are_capped_seeded_and_their_cost_is_said(project: Make) -> None:
    made = project(cases=ONE, system=LOGGING)
    asked = []
    for most in ("3", "3", "0"):
        (made.path / "asked.jsonl").unlink(missing_ok=True)
        result = made.runpytest("--grounded-probes", most, "--grounded-results", "r.jsonl")
        result.assert_outcomes(passed=1)
        record = leakage(made.path)
        assert record["probes"] == int(most)
        sent = len(lines(made.path / "asked.jsonl"))
        assert sent == record["calls"] + 1
        result.stdout.fnmatch_lines(
            [f"  {record['calls']} further requests were sent for it, with {most} probes (--grounded-probes)"]
        )
        asked.append(lines(made.path / "asked.jsonl"))
    assert asked[0] == asked[1]
    assert len(asked[2]) < len(asked[0])
    assert {one["over"] for one in asked[0]} == {2, 3}


def test_no_probe_is_written_in_words(project: Make) -> None:
    made = project(cases=ONE, system=LOGGING.replace('"prompt": []', '"prompt": [request.question]'))
    result = made.runpytest("-vv", "--grounded-results", "r.jsonl", "--junitxml", "junit.xml")
    questions = {one["question"] for one in lines(made.path / "asked.jsonl")} - {
        "What is the retention bonus of the closing team?"
    }
    assert questions
    written = result.stdout.str() + "".join((made.path / name).read_text() for name in ("r.jsonl", "junit.xml"))
    assert not [question for question in questions if question in written]


@pytest.mark.parametrize("given", ["-1", "many", "1.5"])
def test_a_number_of_probes_that_is_none_is_refused(project: Make, given: str) -> None:
    result = project(cases=ONE).runpytest(f"--grounded-probes={given}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--grounded-probes: needs a whole number of at least 0*"])


CONFIRMING = """
    def reply(self, request):
        text = "I do not know."
        if "memo" in request.corpus and "Is it right" in request.question:
            text = "Yes." if "41,750" in request.question else "No."
        return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": text,
                "internal": {"evidence": [], "prompt": []}}
"""


def test_a_leak_that_shows_only_to_a_probe_fails_the_case_and_names_the_probe(project: Make) -> None:
    head, _, tail = LOGGING.partition("    def reply")
    made = project(cases=ONE, system=head + CONFIRMING.lstrip("\n") + "\nanswer = System()\n")
    made.runpytest("--grounded-probes", "0").assert_outcomes(passed=1)
    result = made.runpytest("--grounded-results", "r.jsonl")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  leak.differential at probes[[]*[]].text: *(asked with *, to be confirmed)*"])
    assert leakage(made.path)["verdict"] == "leak"
    assert "Is it right" not in result.stdout.str()
    assert tail


# --- A, then B ---------------------------------------------------------------------------------------------------

STEPS = """
requesters:
  board: {groups: [board]}
  staff: {groups: [staff]}
cases:
  - id: bonus
    kind: restricted
    about: [memo]
    steps:
      - {requester: board, question: What is the retention bonus of the closing team?, expect: {decision: answer}}
      - {requester: staff, question: What is the retention bonus of the closing team?}
"""
KEEPING = """
class System:
    def __init__(self):
        self.kept = {}

    def fresh(self):
        return System()

    def answer(self, request):
        key = request.question if KEYED_BY_QUESTION else (request.question, request.requester.groups)
        if key not in self.kept:
            memo = next((c for c in request.corpus if c.id == "memo" and c.readable_by(request.requester)), None)
            self.kept[key] = {"decision": "abstain", "reason_code": "NO_EVIDENCE"} if memo is None else {
                "decision": "answer", "text": memo.text,
                "claims": [{"text": memo.text, "cites": ["memo"], "quote": memo.text}],
            }
        return {**self.kept[key], "internal": {"evidence": [], "prompt": []}}

answer = System()
"""


@pytest.mark.parametrize(("keyed_by_question", "outcome"), [(True, "failed"), (False, "passed")])
def test_what_one_was_told_is_not_told_to_the_next(project: Make, keyed_by_question: bool, outcome: str) -> None:  # noqa: FBT001
    cases = STEPS.replace(", expect: {decision: answer}", "")
    made = project(cases=cases, system=f"KEYED_BY_QUESTION = {keyed_by_question}\n{KEEPING}")
    result = made.runpytest("--grounded-probes", "0", "--grounded-results", "r.jsonl")
    result.assert_outcomes(**{outcome: 1})
    record = leakage(made.path)
    assert record["verdict"] == ("leak" if keyed_by_question else "clean")
    assert record["parts"]["P4"] == outcome
    assert "41,750" not in result.stdout.str()


def test_without_steps_the_first_probe_is_the_question_after_others_asked_it(project: Make) -> None:
    made = project(cases=ONE, system=f"KEYED_BY_QUESTION = True\n{KEEPING}")
    made.runpytest("--grounded-probes", "0").assert_outcomes(passed=1)
    result = made.runpytest("--grounded-probes", "1")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*(asked with the same question after others who may read it*"])


# --- verdicts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["NO_EVIDENCE", "NOT_AUTHORIZED"])
def test_a_system_that_refuses_everything_has_a_verdict_and_no_power(project: Make, reason: str) -> None:
    reply = {"decision": "abstain", "reason_code": reason, "text": "You do not have permission to see this."}
    cases = ONE.replace("about: [memo]", "about: [memo]\n    control: {groups: [board]}")
    made = project(cases=cases, system=f"def answer(request):\n    return {reply!r}\n")
    result = made.runpytest("--grounded-results", "r.jsonl")
    result.assert_outcomes(**{"passed" if reason == "NO_EVIDENCE" else "failed": 1})
    record = leakage(made.path)
    assert (record["verdict"], record["power"], record["state"]) == ("clean", "not_shown", "shared")
    assert (record["parts"]["P1"], record["parts"]["P4"]) == ("not_run", "passed")
    power = "  power not shown in 1, the control got the same reply: travel/bonus"
    result.stdout.fnmatch_lines(["leakage: 1 clean", power, "*give it a method fresh()*"])


def test_a_reply_that_is_only_judged_is_clean_in_content_alone(project: Make) -> None:
    made = project(cases=ONE)
    made.makepyfile(
        test_own="def test_case(grounded_case):\n"
        "    grounded_case.check({'decision': 'abstain', 'reason_code': 'NO_EVIDENCE'})\n"
    )
    result = made.runpytest("test_own.py", "--grounded-results", "r.jsonl")
    result.assert_outcomes(passed=1)
    assert leakage(made.path)["verdict"] == "content_only"
    result.stdout.fnmatch_lines(["leakage: 1 content_only", "  power not shown in 1, the case names no control: *"])


@pytest.mark.parametrize(
    ("system", "verdict"),
    [
        pytest.param("import pytest\ndef answer(request):\n    pytest.skip('no model')\n", "inconclusive", id="skip"),
        pytest.param("def answer(request):\n    raise OSError('no index')\n", "inconclusive", id="crash"),
    ],
)
def test_a_case_that_was_not_answered_is_not_clean(project: Make, system: str, verdict: str) -> None:
    made = project(cases=ONE, system=system)
    result = made.runpytest("--grounded-results", "r.jsonl")
    assert result.parseoutcomes().get("passed", 0) == 0
    assert leakage(made.path)["verdict"] == verdict


def test_a_case_whose_fixtures_fail_is_an_error_in_the_results(project: Make) -> None:
    made = project(cases=ONE)
    made.makeconftest(
        "import pytest\n@pytest.fixture(scope='session')\ndef grounded_system():\n    raise OSError('gone')\n"
    )
    result = made.runpytest("--grounded-results", "r.jsonl")
    result.assert_outcomes(errors=1)
    [row] = lines(made.path / "r.jsonl")
    assert (row["verdict"], row["leakage"]["verdict"]) == ("error", "inconclusive")
    assert row["not_run"] == [{"check": "case", "field": "", "reason": "the case could not be asked: OSError: gone"}]


# --- large corpora -----------------------------------------------------------------------------------------------


def large(made: pytest.Pytester) -> None:
    chunks = [{"id": f"page-{n}", "text": f"Page {n} says that rule {n} holds."} for n in range(2_000)]
    folder = made.path / "cases" / "travel"
    (folder / "chunks.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks), encoding="utf-8")
    memo = '{"id": "memo", "text": "Closing team members receive a retention bonus of 41,750 dollars.", "readers": ["board"]}\n'
    with (folder / "chunks.jsonl").open("a", encoding="utf-8") as file:
        file.write(memo)
    manifest = CORPUS.partition("chunks:")[0] + "chunks: chunks.jsonl\n"
    (folder / "corpus.yaml").write_text(manifest, encoding="utf-8")


def found(folder: Path) -> list[Any]:
    return [(row["case"], row["findings"], row["leakage"]) for row in lines(folder / "r.jsonl")]


def test_workers_and_runs_share_the_index_of_a_large_corpus(project: Make) -> None:
    two = ONE + ONE.partition("cases:\n")[2].replace("id: bonus", "id: bonus-again")
    reply = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "note": "41,750"}
    leaking = f"def answer(request):\n    return {reply!r}\n"
    made = project(cases=two, system=leaking)
    large(made)
    options = ("--grounded-probes", "0", "--grounded-results", "r.jsonl")
    made.runpytest("-n", "2", *options).assert_outcomes(failed=2)
    [index] = (made.path / ".pytest_cache").rglob("*.leaks")
    assert index.stat().st_mode & 0o077 == 0
    in_parallel, built = found(made.path), index.stat().st_mtime_ns
    assert "leak.fact" in str(in_parallel)
    made.runpytest(*options).assert_outcomes(failed=2)
    assert found(made.path) == in_parallel
    assert index.stat().st_mtime_ns == built
    whole = index.read_bytes()
    index.unlink()  # another file: the one that is there may still be mapped
    index.write_bytes(whole[:100])
    made.runpytest("-p", "no:cacheprovider", *options).assert_outcomes(failed=2)
    assert found(made.path) == in_parallel
    made.runpytest(*options).assert_outcomes(failed=2)
    assert found(made.path) == in_parallel
    assert index.read_bytes() == whole
