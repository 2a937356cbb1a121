"""Two results files against each other: what is said first, what turned, what so many cases can show."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.calibration.comparing import RunComparison, compare_runs
from pytest_grounded.calibration.comparing_report import comparison_document, comparison_text
from pytest_grounded.calibration.comparison import detectable_effect, mcnemar
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.options import Prices
from pytest_grounded.calibration.report import LINE
from pytest_grounded.calibration.runs import Run, read_run

VERDICTS = st.sampled_from(["pass", "fail", "inconclusive"])


def line(case: str, verdict: str = "pass", **facts: Any) -> dict[str, Any]:
    return {"case": case, "suite": "s", "kind": "answerable", "verdict": verdict, "corpus": "sha256:a"} | facts


def run(*rows: dict[str, Any], name: str = "a.jsonl") -> Run:
    return read_run([json.dumps(row).encode() + b"\n" for row in rows], name=name)


def compared(before: list[dict[str, Any]], after: list[dict[str, Any]], **options: Any) -> RunComparison:
    return compare_runs(run(*before), run(*after, name="b.jsonl"), **options)


def found(check: str) -> list[dict[str, str]]:
    return [{"check": check}]


def judged(version: str, verdict: str) -> dict[str, Any]:
    return {"judge": {"name": "nli", "version": version, "rulings": [{"verdict": verdict}]}}


def test_what_turned_is_named_with_those_that_must_pass_first() -> None:
    before = [line("a"), line("b", kind="restricted"), line("c", "fail", findings=found("slot.missing")), line("d")]
    after = [
        line("a", "fail", findings=found("number.unsupported")),
        line("b", "fail", kind="restricted", findings=found("leak.text")),
        line("c"),
        line("d", decision="abstain", reason_code="NO_EVIDENCE"),
    ]
    seen = compared(before, after)
    assert [(one.case, one.must_pass, one.checks) for one in seen.worse] == [
        ("s/b", True, ("leak.text",)),
        ("s/a", False, ("number.unsupported",)),
    ]
    assert [(one.case, one.checks) for one in seen.better] == [("s/c", ("slot.missing",))]
    assert [one.what for one in seen.otherwise] == [("decision: none -> abstain", "reason: none -> NO_EVIDENCE")]
    assert [seen.exit_code(fail_on) for fail_on in ("any", "must-pass", "significant")] == [1, 1, 1]


def test_one_case_that_turned_proves_nothing_of_the_whole() -> None:
    rows = [line(f"c{i:02}") for i in range(40)]
    seen = compared(rows, [line("c00", "fail"), *rows[1:]])
    assert (seen.whole.p_exact, seen.significant) == (1.0, False)
    assert [seen.exit_code(fail_on) for fail_on in ("any", "must-pass", "significant")] == [1, 0, 0]
    assert seen.whole.detectable == detectable_effect(40)
    assert "so many cases cannot show less than 19.1% going wrong" in comparison_text(seen)


def test_a_changed_judge_is_said_first_and_no_figure_of_support_survives_it() -> None:
    before = [line("a", **judged("1", "support")), line("b"), line("c", **judged("1", "support"))]
    after = [
        line("a", "fail", findings=found("claim.unsupported"), **judged("2", "neutral")),
        line("b"),
        line("c", "fail", findings=found("number.unsupported"), **judged("2", "support")),
    ]
    seen = compared(before, after)
    assert comparison_text(seen).lstrip().startswith("!  the support judge changed: nli/1 before, nli/2 after.")
    assert (seen.support.before, seen.support.after) == (None, None)
    assert seen.support.undefined["after"] == "another judge was asked in the other run"
    assert seen.set_apart == ("s/a",)
    assert [one.case for one in seen.worse] == ["s/c"]
    assert seen.whole.n == 2


def test_with_one_judge_its_rulings_are_compared() -> None:
    before = [line("a", **judged("1", "support")), line("b", **judged("1", "support"))]
    after = [line("a", "fail", findings=found("claim.unsupported"), **judged("1", "neutral")), before[1]]
    seen = compared(before, after)
    assert (seen.first, seen.support.before, seen.support.after) == ((), 1.0, 0.5)
    assert [one.case for one in seen.worse] == ["s/a"]


def test_a_judge_of_the_system_itself_that_changed_is_said_too() -> None:
    seen = compared(
        [line("a", versions={"judge": "nli/1", "model": "m"})], [line("a", versions={"judge": "nli/2", "model": "n"})]
    )
    assert seen.judge_changed
    assert seen.versions == (("judge", ("nli/1",), ("nli/2",)), ("model", ("m",), ("n",)))
    assert "model   m -> n" in comparison_text(seen)


def test_cases_of_one_side_not_asked_or_labelled_otherwise_are_in_no_test() -> None:
    before = [line("a"), line("b"), line("c"), line("d")]
    after = [line("a"), line("b", "error"), line("c", "fail", kind="unanswerable"), line("e")]
    seen = compared(before, after)
    assert (seen.only_before, seen.only_after) == (("s/d",), ("s/e",))
    assert (seen.not_asked, seen.unequal, seen.whole.n) == (("s/b",), ("s/c",), 1)
    assert "  only before         1 case, in no test: s/d\n" in comparison_text(seen)


def test_answers_are_compared_at_both_thresholds_on_both_runs() -> None:
    scores = [(0.9, 1), (0.6, 0), (0.4, 1)]
    before = [line(f"c{i}", score=s, correct=c, decision="answer") for i, (s, c) in enumerate(scores)]
    after = [line(f"c{i}", score=s - 0.3, correct=c, decision="answer") for i, (s, c) in enumerate(scores)]
    prices = Prices(wrong=5, abstain=1, convention=AbstentionCost.MISSED)
    seen = compared(before, after, thresholds=(0.5, 0.2), prices=prices)
    assert [(p.run, p.threshold, p.n_answered, p.n_wrong) for p in seen.operating] == [
        ("a.jsonl", None, 3, 1),
        ("b.jsonl", None, 3, 1),
        ("a.jsonl", 0.5, 2, 1),
        ("b.jsonl", 0.5, 1, 0),
        ("a.jsonl", 0.2, 3, 1),
        ("b.jsonl", 0.2, 2, 1),
    ]
    assert [p.cost_per_query for p in seen.operating] == pytest.approx([5 / 3, 5 / 3, 2, 1 / 3, 5 / 3, 2])
    assert seen.augrc[0] == seen.augrc[1]


def test_recall_and_precision_of_citations_are_paired() -> None:
    def cited(recall: float, precision: float | None) -> dict[str, Any]:
        return {"evidence": {"cited": {"recall": recall, "precision": precision}}}

    seen = compared(
        [line("a", **cited(1.0, None)), line("b", **cited(1.0, 0.5))],
        [line("a", **cited(0.5, 0.5)), line("b", **cited(1.0, 1.0))],
    )
    assert (seen.recall.difference, seen.recall.n) == (-0.25, 2)
    assert (seen.precision.difference, seen.precision.n) == (0.5, 1)


def test_repeated_cases_have_pass_hat_k_and_change_only_beyond_noise() -> None:
    before = [line("a", runs=8, passed_runs=8), line("b", runs=8, passed_runs=6)]
    after = [line("a", "fail", runs=8, passed_runs=0), line("b", runs=8, passed_runs=5)]
    repeats = compared(before, after).repeats
    assert repeats is not None
    assert (repeats.k, repeats.changed, repeats.before.n_flaky) == (8, ("s/a",), 1)
    assert (repeats.before.pass_hat_k, repeats.after.pass_hat_k) == (0.5, 0.0)


def test_another_corpus_is_compared_on_purpose_only() -> None:
    before, after = [line("a"), line("b")], [line("a", corpus="sha256:b"), line("b")]
    with pytest.raises(CalibrationError) as caught:
        compared(before, after)
    assert str(caught.value) == (
        "a.jsonl and b.jsonl differ in their corpus for 1 case (s/a): sha256:a and sha256:b (a label holds for one "
        "state of it: run both on one, or compare across corpora on purpose)"
    )
    assert compared(before, after, across_corpora=True).first == (
        "the corpus changed for 1 case (s/a): what turned there may be the documents' doing, not the system's",
    )


def test_runs_of_other_cases_and_runs_that_asked_nothing_are_refused() -> None:
    with pytest.raises(CalibrationError) as caught:
        compared([line("a")], [line("b")])
    assert str(caught.value) == (
        "a.jsonl and b.jsonl have no case in common (a.jsonl: 1 case, first 's/a', b.jsonl: 1 case, first 's/b'): "
        "compare two runs of the same cases"
    )
    with pytest.raises(CalibrationError) as caught:
        compared([line("a")], [line("a", "error")])
    assert str(caught.value) == (
        "no case has a verdict in both a.jsonl and b.jsonl: every one of 1 case was not asked in one of them (verdict "
        "error; run them again)"
    )


LINES: dict[str, tuple[bytes, str]] = {
    "cut off": (
        b'{"case": "a", "verdict": "pa',
        "is not JSON: unterminated string starting at in column 26 (one object on each line)",
    ),
    "no object": (b"[]", "is list (needs an object {...} on each line)"),
    "a key twice": (b'{"case": "a", "case": "a"}', "holds the key 'case' twice (keep one of them)"),
    "no case": (b"{}", "case: is None (needs the id of the case: what `--grounded-results` wrote)"),
    "no verdict": (
        b'{"case": "a"}',
        "a.verdict: is None (needs one of pass, fail, inconclusive, error)",
    ),
    "a score that is NaN": (
        b'{"case": "a", "verdict": "pass", "score": NaN}',
        "a.score: is NaN (needs a finite number or null)",
    ),
    "a label that is none": (
        b'{"case": "a", "verdict": "pass", "correct": 2}',
        "a.correct: is 2 (needs 0, 1 or null)",
    ),
    "a kind that is no text": (b'{"case": "a", "verdict": "pass", "kind": 3}', "a.kind: is 3 (needs text)"),
    "more passes than runs": (
        b'{"case": "a", "verdict": "pass", "runs": 2, "passed_runs": 3}',
        "a.passed_runs: is 3, more than the 2 runs (needs the file as it was written)",
    ),
    "runs that are no number": (
        b'{"case": "a", "verdict": "pass", "runs": "2"}',
        "a.runs: is '2' (needs a whole number)",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_refused_in_these_words(name: str) -> None:
    raw, words = LINES[name]
    with pytest.raises(CalibrationError) as caught:
        read_run([raw], name="a.jsonl")
    assert str(caught.value) == f"a.jsonl:1: {words}"


def test_a_case_that_stands_twice_and_an_empty_file_are_refused() -> None:
    row = json.dumps(line("a")).encode()
    with pytest.raises(CalibrationError) as caught:
        read_run([row, b"\n", row], name="a.jsonl")
    assert str(caught.value) == "a.jsonl:3: s/a: stands twice, first in line 1 (compare the files of single runs)"
    with pytest.raises(CalibrationError) as caught:
        read_run([b"\n"], name="a.jsonl")
    assert str(caught.value) == "a.jsonl: holds no case (needs what `--grounded-results` wrote)"


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=1, max_size=25), st.randoms(use_true_random=False))
def test_it_counts_what_turned_and_knows_no_order_of_lines(pairs: list[tuple[str, str]], source: Any) -> None:
    before = [line(f"c{i:02}", a) for i, (a, _) in enumerate(pairs)]
    after = [line(f"c{i:02}", b) for i, (_, b) in enumerate(pairs)]
    seen = compared(before, after)
    worse = sum(a == "pass" != b for a, b in pairs)
    better = sum(b == "pass" != a for a, b in pairs)
    assert (len(seen.worse), len(seen.better)) == (worse, better)
    assert seen.whole.p_exact == mcnemar(worse, better).p_exact
    mixed = compared(source.sample(before, len(before)), source.sample(after, len(after)))
    assert comparison_document(mixed) == comparison_document(seen)
    back = compared(after, before)
    assert (back.whole.p_exact, back.whole.only_before) == (seen.whole.p_exact, better)


def test_the_document_is_plain_json() -> None:
    rows = [line("a"), line("b", "fail")]
    assert json.loads(json.dumps(comparison_document(compared(rows, rows)), allow_nan=False))["whole"]["both"] == 1


def test_a_changed_setting_is_named_by_its_path_and_not_by_a_digest() -> None:
    def asked(coverage: float, rules: list[str]) -> dict[str, Any]:
        told = {"gate": {"coverage": coverage, "score": None}, "rules": rules}
        return {"versions": {"settings": told, "settings_digest": f"sha256:{coverage}"}}

    seen = compared([line("a", **asked(0.8, ["x"]))], [line("a", **asked(0.9, ["x", "y"]))])
    assert seen.versions == (
        ("settings.gate.coverage", ("0.8",), ("0.9",)),
        ("settings.rules", ('["x"]',), ('["x", "y"]',)),
        ("settings_digest", ("sha256:0.8",), ("sha256:0.9",)),
    )
    text = comparison_text(seen)
    assert "settings.gate.coverage  0.8 -> 0.9" in text
    assert "digest" not in text


def test_what_only_other_cases_were_asked_with_is_no_change() -> None:
    seen = compared(
        [line("a", versions={"model": "m"}), line("b", versions={"model": "n"})], [line("a", versions={"model": "m"})]
    )
    assert seen.versions == ()
    crossed = compared(
        [line("a", versions={"model": "m"}), line("b", versions={"model": "n"})],
        [line("a", versions={"model": "n"}), line("b", versions={"model": "m"})],
    )
    assert crossed.versions == (("model", ("m", "n"), ("m", "n")),)


def test_a_matrix_too_wide_for_a_line_becomes_a_list() -> None:
    codes = [f"A_RATHER_LONG_REASON_{i}" for i in range(8)]
    before = [line(f"c{i}", reason_code=code) for i, code in enumerate(codes)]
    after = [line("c0", reason_code=codes[1]), *before[1:]]
    text = comparison_text(compared(before, after))
    assert f"reasons (before -> after)\n  {codes[0]} -> {codes[1]}  1\n  the same in both" in text
    assert max(map(len, text.splitlines()[1:])) <= LINE


def test_an_area_that_cannot_be_had_is_said_with_its_reason() -> None:
    text = comparison_text(compared([line("a", score=0.5, correct=1)], [line("a")]))
    assert "AUGRC  n/a (no answer has a score and a label in one of the runs)" in text


def test_what_a_case_lost_is_told_from_what_it_gained() -> None:
    text = comparison_text(compared([line("a", "fail", findings=found("slot.missing"))], [line("a")]))
    assert "fail -> pass; no more slot.missing" in text
