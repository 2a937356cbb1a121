"""From a case file to cases: what counts as one, which suite it is in, and what a kind, a default or a name fills in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pytest_grounded.cases.loading import discover, load_case_file, suite_of
from pytest_grounded.errors import CaseError
from pytest_grounded.model.case import ConflictExpectation, ExpectedSide, Forbidden, MissingPart, Place, Slot
from pytest_grounded.model.evidence import ANONYMOUS, Requester
from pytest_grounded.model.request import Turn
from pytest_grounded.model.vocabulary import CaseKind, Decision, Risk

from .files import CORPUS, HEAD, case_of, cases_of, load, write

FULL = """\
  - id: hotel
    title: 호텔 한도
    kind: answerable
    question: What is the limit?
    paraphrases: [How much may a room cost?]
    expect:
      slots:
        - name: limit
          values: [180, "one hundred eighty"]
          evidence: [c1]
          weight: 3
          blocking: true
    forbid: {evidence: [c2, memo-7], text: [150], values: "120"}
    risk: high
    incident: INC-1042
    why: c1 holds
    tags: [hotel, no]
"""


def test_a_case_is_read_whole(tmp_path: Path) -> None:
    case = case_of(tmp_path, FULL)
    assert (case.id, case.suite, case.kind, case.title) == ("hotel", "travel", CaseKind.ANSWERABLE, "호텔 한도")
    assert case.question == "What is the limit?"
    assert case.paraphrases == ("How much may a room cost?",)
    assert case.expect.slots == (
        Slot(name="limit", values=("180", "one hundred eighty"), evidence=(("c1",),), weight=3.0, blocking=True),
    )
    assert case.forbid == Forbidden(evidence=("c2", "memo-7"), text=("150",), values=("120",))
    assert (case.risk, case.incident, case.why, case.tags) == (Risk.HIGH, "INC-1042", "c1 holds", ("hotel", "no"))
    assert case.requester == Requester(id="employee", audience=("employee",), groups=("staff",))
    assert case.as_of == date(2024, 10, 1)
    assert case.corpus.name == "travel"
    assert case.place == Place(file="cases/travel/a.yaml", line=6, column=5)


@pytest.mark.parametrize("written", ["no", "on", "1.10", "010", "1:30", "2024-01-01", "0.60", "1e3", "true", "=1+1"])
def test_what_looks_like_another_type_stays_text_where_text_is_wanted(tmp_path: Path, written: str) -> None:
    case = case_of(
        tmp_path,
        f"  - {{id: a, kind: answerable, question: {written}, tags: [{written}], expect: {{slots: [{{name: {written}, values: [{written}]}}]}}}}\n",
    )
    assert case.question == case.tags[0] == case.expect.slots[0].name == case.expect.slots[0].values[0] == written


ANSWERED = ((Decision.ANSWER,), (None,))
NO_EVIDENCE = ((Decision.ABSTAIN,), ("NO_EVIDENCE",))
KINDS = {
    "answerable": ANSWERED,
    "multi_evidence": ANSWERED,
    "partial": ((Decision.PARTIAL,), ("PARTIAL_EVIDENCE",)),
    "unanswerable": NO_EVIDENCE,
    "conflicting": (
        (Decision.ABSTAIN, Decision.ESCALATE, Decision.CLARIFY, Decision.ANSWER),
        ("CONFLICTING_EVIDENCE",),
    ),
    "restricted": NO_EVIDENCE,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_alone_asserts_its_decision_and_reason(tmp_path: Path, kind: str) -> None:
    about = "about: [memo-7], " if kind == "restricted" else ""
    expect = case_of(tmp_path, f"  - {{id: a, kind: {kind}, {about}question: x}}\n").expect
    assert (expect.decision, expect.reason_code) == KINDS[kind]
    assert (expect.internal_reason_code, expect.next_step, expect.model_called, expect.cite) == (None, None, None, ())


@pytest.mark.parametrize(
    ("written", "decision", "reason_code"),
    [
        ("decision: [abstain, clarify]", (Decision.ABSTAIN, Decision.CLARIFY), ("NO_EVIDENCE",)),
        ("decision: clarify", (Decision.CLARIFY,), ("NO_EVIDENCE",)),
        ("decision: any", None, ("NO_EVIDENCE",)),
        ("decision: null", (), ("NO_EVIDENCE",)),
        ("reason_code: any", (Decision.ABSTAIN,), None),
        ("reason_code: null", (Decision.ABSTAIN,), (None,)),
        ("reason_code: ~", (Decision.ABSTAIN,), (None,)),
        ("reason: OUT_OF_SCOPE", (Decision.ABSTAIN,), ("OUT_OF_SCOPE",)),
        ("reason: [null, NO_EVIDENCE]", (Decision.ABSTAIN,), (None, "NO_EVIDENCE")),
        ("cite: c1", (Decision.ABSTAIN,), ("NO_EVIDENCE",)),
    ],
)
def test_expect_overrides_what_the_kind_implies(
    tmp_path: Path, written: str, decision: tuple[Decision, ...] | None, reason_code: tuple[str | None, ...] | None
) -> None:
    expect = case_of(tmp_path, f"  - {{id: a, kind: unanswerable, question: x, expect: {{{written}}}}}\n").expect
    assert (expect.decision, expect.reason_code) == (decision, reason_code)


def test_what_only_some_systems_report_is_expected_where_it_is_written(tmp_path: Path) -> None:
    written = "internal_reason_code: [NOT_AUTHORIZED, ours], next_step: null, model_called: false, cite: [c1]"
    expect = case_of(tmp_path, f"  - {{id: a, kind: unanswerable, question: x, expect: {{{written}}}}}\n").expect
    assert expect.internal_reason_code == ("NOT_AUTHORIZED", "ours")
    assert (expect.next_step, expect.model_called, expect.cite) == ((None,), False, ("c1",))


@pytest.mark.parametrize(
    ("written", "groups"),
    [("c1", (("c1",),)), ("[c1, c6]", (("c1", "c6"),)), ("[[c1], [c6, c7]]", (("c1",), ("c6", "c7")))],
)
def test_a_list_of_evidence_is_one_group_and_a_list_of_lists_are_several(
    tmp_path: Path, written: str, groups: tuple[tuple[str, ...], ...]
) -> None:
    case = case_of(
        tmp_path,
        f"  - {{id: a, kind: answerable, question: x, expect: {{slots: [{{name: n, evidence: {written}}}]}}}}\n",
    )
    assert case.expect.slots[0].evidence == groups


def test_a_derived_value_need_not_stand_in_its_evidence(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        "  - {id: a, kind: answerable, question: x, expect: {slots: [{name: n, values: ['360'], evidence: [c1], derived: true}]}}\n",
    )
    assert case.expect.slots[0].derived


def test_missing_parts_are_named_by_themselves_or_by_other_words(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        "  - {id: a, kind: partial, question: x, expect: {missing: [Paris, {name: meal, names: [breakfast, meal]}, {name: form}]}}\n",
    )
    assert case.expect.missing == (
        MissingPart(name="Paris", names=("Paris",)),
        MissingPart(name="meal", names=("breakfast", "meal")),
        MissingPart(name="form", names=("form",)),
    )


def test_sides_are_derived_from_facts_where_none_are_written(tmp_path: Path) -> None:
    case = case_of(tmp_path, "  - {id: a, kind: conflicting, question: What is the mileage?}\n")
    assert case.expect.conflict == ConflictExpectation(
        sides=(ExpectedSide(value="0.60", chunks=("c6",)), ExpectedSide(value="0.65", chunks=("c7",)))
    )


def test_sides_that_are_written_count(tmp_path: Path) -> None:
    sides = "[{value: '0.60', chunks: [c6]}, {value: '0.65', chunks: c7}]"
    case = case_of(
        tmp_path, f"  - {{id: a, kind: conflicting, question: x, expect: {{conflict: {{sides: {sides}}}}}}}\n"
    )
    assert case.expect.conflict is not None
    assert [side.chunks for side in case.expect.conflict.sides] == [("c6",), ("c7",)]


def test_a_conflict_without_facts_has_no_sides(tmp_path: Path) -> None:
    corpus = "corpus: t\nas_of: 2024-10-01\nchunks: [{id: c1, text: One.}]\n"
    case = case_of(tmp_path, "  - {id: a, kind: conflicting, question: x}\n", corpus=corpus)
    assert case.expect.conflict == ConflictExpectation()


def test_a_conflict_that_a_rule_settles_is_answered_without_a_reason(tmp_path: Path) -> None:
    case = case_of(tmp_path, "  - {id: a, kind: conflicting, question: x, expect: {conflict: {resolved_to: c7}}}\n")
    assert (case.expect.decision, case.expect.reason_code) == ANSWERED
    assert case.expect.conflict == ConflictExpectation(resolved_to="c7")


def test_a_case_that_asserts_only_what_is_forbidden_is_enough(tmp_path: Path) -> None:
    written = (
        "  - {id: a, kind: answerable, question: x, expect: {decision: any, reason: any}, forbid: {text: ['150']}}\n"
    )
    case = case_of(tmp_path, written)
    assert (case.expect.decision, case.expect.reason_code, case.forbid.text) == (None, None, ("150",))


def test_a_restricted_case_always_asserts_its_leak_checks(tmp_path: Path) -> None:
    case = case_of(
        tmp_path, "  - {id: a, kind: restricted, question: x, about: memo-7, expect: {decision: any, reason: any}}\n"
    )
    assert case.about == ("memo-7",)


@pytest.mark.parametrize(
    ("written", "requester"),
    [
        ("requester: executive", Requester(id="executive", audience=("employee",), groups=("staff", "board"))),
        (
            "requester: {groups: a, audience: [b, c], scope: {region: no}, tenant: 1}",
            Requester(groups=("a",), audience=("b", "c"), scope={"region": "no"}, tenant="1"),
        ),
        ("requester: {id: ann}", Requester(id="ann")),
        ("requester: null", ANONYMOUS),
        ("requester: anonymous", ANONYMOUS),
        ("tags: []", Requester(id="employee", audience=("employee",), groups=("staff",))),
    ],
)
def test_a_requester_is_a_name_or_written_out(tmp_path: Path, written: str, requester: Requester) -> None:
    assert case_of(tmp_path, f"  - {{id: a, kind: answerable, question: x, {written}}}\n").requester == requester


def test_without_a_requester_the_request_is_anonymous(tmp_path: Path) -> None:
    assert case_of(tmp_path, "  - {id: a, kind: answerable, question: x}\n", head="cases:\n").requester == ANONYMOUS


def test_a_requester_may_have_an_id_other_than_its_name(tmp_path: Path) -> None:
    head = "requesters: {staff: {id: u-1, groups: [all]}}\ndefaults: {requester: staff}\ncases:\n"
    assert case_of(tmp_path, "  - {id: a, kind: answerable, question: x}\n", head=head).requester.id == "u-1"


def test_defaults_fill_in_what_a_case_leaves_out(tmp_path: Path) -> None:
    head = "defaults: {as_of: 2024-05-01, risk: low, tags: [old], requester: {groups: [staff]}}\ncases:\n"
    left_out, own = cases_of(
        tmp_path,
        "  - {id: a, kind: answerable, question: x}\n  - {id: b, kind: answerable, question: x, as_of: 2024-09-01, risk: high, tags: []}\n",
        head=head,
    )
    assert (left_out.as_of, left_out.risk, left_out.tags) == (date(2024, 5, 1), Risk.LOW, ("old",))
    assert (own.as_of, own.risk, own.tags) == (date(2024, 9, 1), Risk.HIGH, ())
    assert left_out.requester == own.requester == Requester(groups=("staff",))


def test_evidence_is_judged_on_the_day_of_the_case(tmp_path: Path) -> None:
    case = case_of(tmp_path, "  - {id: a, kind: answerable, question: x, as_of: 2024-06-30, expect: {cite: [c2]}}\n")
    assert case.view.usable("c2")


def test_an_alias_stands_wherever_an_id_does(tmp_path: Path) -> None:
    head = "aliases: {one: c6, two: c7, memo: memo-7}\n" + HEAD
    first, second = cases_of(
        tmp_path,
        """\
  - id: a
    kind: conflicting
    question: x
    history: [{role: assistant, text: y, cites: [one, gone]}]
    expect:
      cite: [one]
      slots: [{name: n, evidence: [[one], [two]]}]
      conflict: {resolved_to: two, sides: [{value: '1', chunks: [one]}, {value: '2', chunks: two}]}
    forbid: {evidence: [memo]}
  - {id: b, kind: restricted, question: x, about: [memo]}
""",
        head=head,
    )
    assert first.expect.cite == ("c6",)
    assert first.expect.slots[0].evidence == (("c6",), ("c7",))
    assert first.expect.conflict is not None
    assert first.expect.conflict.resolved_to == "c7"
    assert [side.chunks for side in first.expect.conflict.sides] == [("c6",), ("c7",)]
    assert first.forbid.evidence == second.about == ("memo-7",)
    assert first.history[0].cites == ("c6", "gone")


def test_history_is_passed_on(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        "  - {id: a, kind: answerable, question: x, history: [{role: user, text: y, requester: executive, cites: c99}, {role: assistant, text: ''}]}\n",
    )
    executive = Requester(id="executive", audience=("employee",), groups=("staff", "board"))
    assert case.history == (
        Turn(role="user", text="y", requester=executive, cites=("c99",)),
        Turn(role="assistant", text=""),
    )


def test_a_case_may_name_another_corpus_below_its_folder(tmp_path: Path) -> None:
    older = tmp_path / "cases" / "travel" / "2023" / "corpus.yaml"
    older.parent.mkdir(parents=True)
    older.write_text(CORPUS.replace("travel", "older").replace("as_of: 2024-10-01", "as_of: 2024-05-01"))
    own, other = cases_of(
        tmp_path,
        "  - {id: a, kind: answerable, question: x}\n  - {id: b, kind: answerable, question: x, corpus: 2023/corpus.yaml}\n",
    )
    assert (own.corpus.name, own.as_of) == ("travel", date(2024, 10, 1))
    assert (other.corpus.name, other.as_of) == ("older", date(2024, 5, 1))


def test_cases_of_a_suite_share_one_corpus(tmp_path: Path) -> None:
    first, second = cases_of(
        tmp_path, "  - {id: a, kind: answerable, question: x}\n  - {id: b, kind: answerable, question: x}\n"
    )
    assert first.corpus is second.corpus
    assert first.view is second.view


def test_what_nobody_judged_does_not_pass_at_high_risk(tmp_path: Path) -> None:
    low, high = cases_of(
        tmp_path, "  - {id: a, kind: answerable, question: x}\n  - {id: b, kind: answerable, question: x, risk: high}\n"
    )
    assert low.unjudged_passes
    assert not high.unjudged_passes


# --- which files, which suite


@pytest.mark.parametrize(
    ("path", "suite"),
    [
        ("cases/travel/a.yaml", "travel"),
        ("cases/travel/eu/a.yaml", "travel/eu"),
        ("cases/a.yaml", "root"),
        ("more/cases/a.yaml", "more/cases"),
        ("a.yaml", "root"),
        ("cases/inner/deep/a.yaml", "deep"),
    ],
)
def test_the_suite_is_the_folder_below_the_innermost_root_of_cases(tmp_path: Path, path: str, suite: str) -> None:
    roots = [tmp_path / "cases", tmp_path / "cases" / "inner"]
    assert suite_of(tmp_path / path, roots, tmp_path) == suite


PASSED_OVER = {
    "a corpus": CORPUS,
    "settings": "threshold: 0.4\n",
    "a list": "- a\n- b\n",
    "nothing": "# nothing\n",
    "text": "just text\n",
    "cases elsewhere": "suite: {cases: [a]}\n",
    "anchors of another tool": "a: &x {b: c}\nd: {<<: *x}\n",
    "tags of another tool": "a: !secret b\n",
    "several documents of another tool": "kind: Pod\n---\nkind: Service\n",
}


@pytest.mark.parametrize("text", PASSED_OVER.values(), ids=PASSED_OVER)
def test_another_yaml_file_is_passed_over(tmp_path: Path, text: str) -> None:
    loaded = load(tmp_path, write(tmp_path, "", head=text))
    assert loaded.passed_over
    assert loaded.cases == ()


@pytest.mark.parametrize(
    "text", [text for text in PASSED_OVER.values() if "cases" not in text and "chunks" not in text]
)
def test_a_file_that_is_named_has_to_have_cases(tmp_path: Path, text: str) -> None:
    with pytest.raises(CaseError):
        load(tmp_path, write(tmp_path, "", head=text), named=True)


def test_a_manifest_that_is_named_is_called_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"^cases/travel/a\.yaml: this is the manifest of a corpus, [^\n]*$"):
        load(tmp_path, write(tmp_path, "", head="corpus: travel\nchunks: chunks.jsonl\n"), named=True)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: b: c\n", "case_file.yaml"),
        ("a: 1\na: 2\n", "case_file.duplicate_key"),
        ("hotel: {kind: answerable}\nparking: {}\nhotel: {kind: unanswerable}\n", "case_file.duplicate_key"),
        ("a: \x00\n", "case_file.yaml"),
        ("a: " + "x" * 2**20, "case_file.yaml"),
        ("[" * 60, "case_file.yaml"),
        ("a: b\n---\ncases: []\n", "case_file.yaml"),
    ],
    ids=["syntax", "repeated key", "repeated case", "NUL", "too large", "too deep", "cases in a second document"],
)
def test_a_file_that_cannot_be_told_apart_is_an_error(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(CaseError) as caught:
        load(tmp_path, write(tmp_path, "", head=text))
    assert caught.value.problems[0].code == code


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"^a\.yaml: the case file does not exist$"):
        load_case_file(tmp_path / "a.yaml", root=tmp_path, cases_roots=[tmp_path])


def test_yaml_files_are_found_in_order_of_path_and_hidden_folders_are_not_looked_into(tmp_path: Path) -> None:
    for name in ("b/z.yaml", "a.yaml", "b/a.yaml", "b/readme.md", "b/c.yml", ".git/x.yaml", "b/.cache/y.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = discover([tmp_path, tmp_path / "b" / "a.yaml", tmp_path / "gone"])
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a.yaml", "b/a.yaml", "b/z.yaml"]


# --- the content hash

HASHED = "  - {id: a, kind: answerable, question: x, expect: {cite: [c1], decision: any}, forbid: {text: ['150']}}\n"
SAME = {
    "a comment": HASHED + "    # a comment\n",
    "another order of keys": "  - {question: x, forbid: {text: ['150']}, expect: {decision: any, cite: [c1]}, kind: answerable, id: a}\n",
    "block style": "  - id: a\n    kind: answerable\n    question: x\n    expect:\n      cite: c1\n      decision: any\n    forbid: {text: 150}\n",
    "a default spelled out": HASHED.replace("id: a", "id: a, risk: medium, requester: employee, as_of: 2024-10-01"),
    "words for people": HASHED.replace("id: a", "id: a, title: T, why: W, incident: I, tags: [t]"),
    "another id": HASHED.replace("id: a", "id: b"),
}
OTHER = {
    "the question": HASHED.replace("question: x", "question: y"),
    "the kind": HASHED.replace("answerable", "unanswerable"),
    "the requester": HASHED.replace("id: a", "id: a, requester: executive"),
    "the day": HASHED.replace("id: a", "id: a, as_of: 2024-10-02"),
    "what is expected": HASHED.replace("decision: any", "decision: answer"),
    "null for what is left out": HASHED.replace("decision: any", "decision: any, next_step: null"),
    "what is forbidden": HASHED.replace("150", "151"),
    "a paraphrase": HASHED.replace("id: a", "id: a, paraphrases: [y]"),
    "the risk": HASHED.replace("id: a", "id: a, risk: high"),
}


@pytest.mark.parametrize("written", SAME.values(), ids=SAME)
def test_the_content_hash_does_not_change_with(tmp_path: Path, written: str) -> None:
    assert case_of(tmp_path, written).content_hash == case_of(tmp_path, HASHED).content_hash


@pytest.mark.parametrize("written", OTHER.values(), ids=OTHER)
def test_the_content_hash_changes_with(tmp_path: Path, written: str) -> None:
    assert case_of(tmp_path, written).content_hash != case_of(tmp_path, HASHED).content_hash


def test_the_content_hash_does_not_change_with_an_alias(tmp_path: Path) -> None:
    aliased = case_of(tmp_path, HASHED.replace("c1", "std"), head="aliases: {std: c1}\n" + HEAD)
    assert aliased.content_hash == case_of(tmp_path, HASHED).content_hash


def test_the_content_hash_changes_with_what_a_requester_is(tmp_path: Path) -> None:
    other = case_of(tmp_path, HASHED, head=HEAD.replace("[staff]}", "[staff, board]}", 1))
    assert other.content_hash != case_of(tmp_path, HASHED).content_hash
