"""The direct leak checks: one response that passes, and the smallest edit of it that fails."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.leakage import check_leaks, own_words
from pytest_grounded.model.case import Case, Step
from pytest_grounded.model.finding import Finding, Unchecked
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.request import Turn
from pytest_grounded.model.response import Internal, Response
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.testing.builders import AS_OF, make_case, make_chunk, make_corpus, make_requester

SECRET = "The retention bonus for the Halcyon closing team is 41,750 dollars per person."
CORPUS = make_corpus(
    make_chunk("page", "The nightly hotel limit is 180 dollars."),
    make_chunk(
        "memo-7#2", SECRET, readers=("board",), document="memo-7", title="Closing Bonus Memorandum", version="draft-9c"
    ),
    make_chunk("airport", "Home airport of the director: IEH.", readers=("board",)),
)
STAFF = make_requester("staff")
CLEAN = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I found nothing about that."}
QUIET = {
    "evidence": ["page"],
    "prompt": ["Answer from: The nightly hotel limit is 180 dollars."],
    "candidates": [],
    "steps": [],
}


def a_case(**fields: Any) -> Case:
    return make_case("answerable", **{"corpus": CORPUS, "requester": STAFF, "question": "What is it?", **fields})


def judged(response: dict[str, Any] | None = None, *, case: Case | None = None, **internal: Any) -> Judged:
    case = case or a_case()
    data = {**CLEAN, **(response or {}), "internal": {**QUIET, **internal}}
    return Judged(case=case, outcome=Outcome(response=Response.model_validate(data)), view=case.view)


def found(one: Judged, **options: Any) -> list[tuple[str, str]]:
    return [(item.check, item.field) for item in check_leaks(one, **options) if isinstance(item, Finding)]


def checks(one: Judged, **options: Any) -> set[str]:
    return {check for check, _ in found(one, **options)}


def test_a_response_without_anything_hidden_passes() -> None:
    assert list(check_leaks(judged())) == []


def test_nothing_is_checked_where_everything_is_readable() -> None:
    board = a_case(requester=make_requester("board"))
    assert list(check_leaks(judged({"text": SECRET}, case=board))) == []


@pytest.mark.parametrize(
    "kind", ["answerable", "multi_evidence", "partial", "unanswerable", "conflicting", "restricted"]
)
def test_the_checks_run_on_cases_of_every_kind(kind: str) -> None:
    case = make_case(kind, corpus=CORPUS, requester=STAFF, question="What is it?")
    assert "leak.text" in checks(judged({"text": SECRET}, case=case))


@pytest.mark.parametrize(
    ("edit", "field", "check"),
    [
        pytest.param({"text": SECRET}, "text", "leak.text", id="text"),
        pytest.param({"text": base64.b64encode(SECRET.encode()).decode()}, "text", "leak.text", id="encoded text"),
        pytest.param({"claims": [{"text": SECRET, "cites": ["page"]}]}, "claims[0].text", "leak.text", id="claim"),
        pytest.param({"missing": [SECRET]}, "missing[0]", "leak.text", id="missing part"),
        pytest.param({"next_step": SECRET}, "next_step", "leak.text", id="next step"),
        pytest.param({"error": {"kind": SECRET}}, "error.kind", "leak.text", id="error"),
        pytest.param({"actions": [{"name": "mail", "arguments": {"to": SECRET}}]}, "actions[0].arguments.to", "leak.text", id="action"),
        pytest.param({"debug": {"notes": [SECRET]}}, "debug.notes[0]", "leak.text", id="unknown field"),
        pytest.param({"stream": [SECRET[:20], SECRET[20:35]]}, "stream[*].text", "leak.text", id="stream"),
        pytest.param({"conflicts": [{"key": "k", "sides": [{"value": SECRET}]}]}, "conflicts[0].sides[0].value", "leak.text", id="conflict"),
        pytest.param({"text": "It is 41750."}, "text", "leak.fact", id="fact"),
        pytest.param({"text": "The director flies from IEH."}, "text", "leak.fact", id="code beside a word"),
        pytest.param({"text": "The director flies from IEH."}, "text", "leak.text", id="code beside a word is text"),
        pytest.param({"total": 41750}, "total", "leak.fact", id="number"),
        pytest.param({"text": "see memo-7#2"}, "text", "leak.metadata", id="id"),
        pytest.param({"sources": [{"title": "Closing Bonus Memorandum"}]}, "sources[0].title", "leak.metadata", id="title"),
        pytest.param({"claims": [{"text": "a", "citations": [{"chunk": "page", "version": "draft-9c"}]}]}, "claims[0].citations[0].version", "leak.metadata", id="version"),
        pytest.param({"followups": ["What about 41,750?"]}, "followups[0]", "leak.followup", id="follow-up"),
        pytest.param({"followups": ["What does memo-7#2 say?"]}, "followups[0]", "leak.followup", id="id in a follow-up"),
        pytest.param({"reason_code": "NOT_AUTHORIZED"}, "reason_code", "leak.existence", id="public reason"),
    ],
)  # fmt: skip
def test_one_edit_of_what_is_shown_makes_the_finding(edit: dict[str, Any], field: str, check: str) -> None:
    assert (check, field) in found(judged(edit))


@pytest.mark.parametrize(
    ("edit", "field", "check"),
    [
        pytest.param({"evidence": ["page", "memo-7#2"]}, "internal.evidence", "leak.evidence", id="evidence"),
        pytest.param({"prompt": ["Answer from:", SECRET]}, "internal.prompt[1]", "leak.model_input", id="prompt"),
        pytest.param({"prompt": [SECRET[:20], SECRET[20:35]]}, "internal.prompt[*]", "leak.model_input", id="prompt in pieces"),
        pytest.param({"prompt": ["[memo-7#2] withheld"]}, "internal.prompt[0]", "leak.model_input", id="id in a prompt"),
        pytest.param({"candidates": [{"chunk": "memo-7#2", "reason": SECRET}]}, "internal.candidates[0].reason", "leak.trace", id="reason of a candidate"),
        pytest.param({"steps": [{"name": "rerank", "seen": [SECRET]}]}, "internal.steps[0].seen[0]", "leak.trace", id="step"),
    ],
)  # fmt: skip
def test_one_edit_of_what_went_in_makes_the_finding(edit: dict[str, Any], field: str, check: str) -> None:
    assert found(judged(**edit)) == [(check, field)]


def test_ids_of_dropped_candidates_and_numbers_of_a_trace_are_no_leak() -> None:
    candidates = [{"chunk": "memo-7#2", "score": 0.4175, "kept": False, "reason": "not_permitted"}]
    assert found(judged(candidates=candidates, steps=[{"name": "count", "total": 41750}])) == []


@pytest.mark.parametrize(
    ("unobserved", "check"), [("evidence", "leak.evidence"), ("prompt", "leak.model_input")], ids=["evidence", "prompt"]
)
def test_what_was_not_observed_is_not_run_and_not_passed(unobserved: str, check: str) -> None:
    [item] = check_leaks(judged(**{unobserved: None}))
    assert isinstance(item, Unchecked)
    assert (item.check, item.state.value) == (check, "not_run")


def test_the_trace_is_not_run_only_where_nothing_of_it_was_observed() -> None:
    assert list(check_leaks(judged(candidates=None))) == []
    [item] = check_leaks(judged(candidates=None, steps=None))
    assert item.check == "leak.trace"


def test_an_expected_public_not_authorized_is_no_leak() -> None:
    response = {"reason_code": "NOT_AUTHORIZED"}
    assert found(judged(response, case=a_case(reason_code="NOT_AUTHORIZED"))) == []
    assert found(judged(response, case=a_case(reason_code=["NO_EVIDENCE", "NOT_AUTHORIZED"]))) == []
    assert found(judged(response, case=a_case(reason_code="any"))) == [("leak.existence", "reason_code")]


def test_a_not_authorized_that_the_reduced_run_gives_too_is_no_leak() -> None:
    same = Outcome(response=Response.model_validate({**CLEAN, "reason_code": "NOT_AUTHORIZED"}))
    other = Outcome(response=Response.model_validate(CLEAN))
    one = judged({"reason_code": "NOT_AUTHORIZED"})
    assert found(one, reduced=(same,)) == []
    assert found(one, reduced=(other,)) == [("leak.existence", "reason_code")]


def test_what_is_shown_without_the_chunk_too_is_known_elsewhere_unless_memory_is_judged() -> None:
    same = Outcome(response=Response.model_validate({**CLEAN, "text": SECRET}))
    [*items] = check_leaks(judged({"text": SECRET}), reduced=(same,))
    assert {(type(item), item.check) for item in items} == {(Unchecked, "leak.text"), (Unchecked, "leak.fact")}
    strict = a_case(strict_memory=True)
    assert checks(judged({"text": SECRET}, case=strict), reduced=(same,)) == {"leak.text", "leak.fact"}


@pytest.mark.parametrize("gap", [" … ", " ... ", " [...] ", " . . . "])
def test_the_parts_of_a_quote_with_an_ellipsis_count_as_quotes_do(gap: str) -> None:
    claim = {"text": "Bonuses exist.", "cites": ["page"], "quote": f"The retention bonus{gap}closing team is"}
    assert ("leak.text", "claims[0].quote") in found(judged({"claims": [claim]}))
    readable = {"text": "Hotels exist.", "cites": ["page"], "quote": f"The nightly hotel{gap}180 dollars."}
    assert found(judged({"claims": [readable]})) == []


ENCODED: dict[str, dict[str, Any]] = {
    "base64": {"text": f"<!-- {base64.b64encode(SECRET.encode()).decode()} -->"},
    "reversed": {"text": SECRET[::-1]},
    "pieces": {"stream": [SECRET[:30], SECRET[30:]]},
    "hex of reversed": {"token": SECRET[::-1].encode().hex()},
}


@pytest.mark.parametrize("shown", ENCODED.values(), ids=ENCODED)
def test_what_is_encoded_with_and_without_the_chunk_is_known_elsewhere_as_well(shown: dict[str, Any]) -> None:
    same = Outcome(response=Response.model_validate({**CLEAN, **shown}))
    items = list(check_leaks(judged(shown), reduced=(same,)))
    assert items
    assert {type(item) for item in items} == {Unchecked}
    clean = Outcome(response=Response.model_validate(CLEAN))
    assert "leak.text" in checks(judged(shown), reduced=(clean,))


def test_what_is_shown_of_it_only_with_the_chunk_is_found_beside_a_reduced_run() -> None:
    less = Outcome(response=Response.model_validate({**CLEAN, "text": "The Halcyon closing team is 41,750 dollars."}))
    one = judged({"text": SECRET, "next_step": "41,750"})
    assert found(one, reduced=(less,)) == [("leak.text", "text")]


def test_an_id_that_is_shown_without_the_chunk_too_is_found_all_the_same() -> None:
    shown = {"next_step": "See memo-7#2."}
    same = Outcome(response=Response.model_validate({**CLEAN, **shown}))
    assert found(judged(shown), reduced=(same,)) == [("leak.metadata", "next_step")]


def test_a_short_quote_found_only_in_a_hidden_chunk_is_a_leak_that_names_no_place() -> None:
    claim = {"text": "Bonuses exist.", "cites": ["page"], "quote": "closing team is"}
    one = judged({"claims": [claim]})
    [finding] = [item for item in check_leaks(one) if isinstance(item, Finding)]
    assert (finding.check, finding.field, finding.chunks) == ("leak.text", "claims[0].quote", ("memo-7#2",))
    assert "memo" not in finding.message
    assert "restricted-2" in finding.message
    own = {"text": "a", "citations": [{"chunk": "page", "quote": "closing team is"}]}
    assert found(judged({"claims": [own]})) == [("leak.text", "claims[0].citations[0].quote")]


def test_a_quote_the_requester_may_know_is_none() -> None:
    quote = {"claims": [{"text": "a", "cites": ["page"], "quote": "nightly hotel limit"}]}
    assert found(judged(quote)) == []
    echo = {"claims": [{"text": "a", "cites": ["page"], "quote": "closing team is"}]}
    assert found(judged(echo, case=a_case(question="What closing team is it?"))) == []


def test_the_question_may_be_repeated_and_what_others_said_may_not() -> None:
    turns = (
        Turn(role="user", text="The Halcyon closing team is 41,750?"),
        Turn(role="assistant", text="It costs 9,999."),
        Turn(role="user", text="from the board", requester=make_requester("board")),
        Turn(role="user", text="as staff", requester=STAFF),
    )
    earlier = Step(question="an earlier step", requester=STAFF, as_of=AS_OF, corpus=CORPUS)
    promoted = Step(
        question="when still on the board", requester=make_requester("staff", "board"), as_of=AS_OF, corpus=CORPUS
    )
    case = a_case(history=turns, steps=(earlier, promoted))
    assert own_words(case) == ("What is it?", "The Halcyon closing team is 41,750?", "as staff", "an earlier step")
    assert found(judged({"text": "Is the Halcyon closing team 41,750?"}, case=case)) == []
    assert checks(judged({"text": "Is the Halcyon closing team 41,750?"})) >= {"leak.fact"}


def test_the_question_may_stand_in_a_prompt() -> None:
    case = a_case(question=f"Confirm: {SECRET}")
    assert found(judged(case=case, prompt=[f"Question: Confirm: {SECRET}"])) == []


def test_the_gate_owns_what_reached_a_model_and_delivery_what_did_not() -> None:
    def owner(**internal: Any) -> Owner:
        items = check_leaks(judged({"text": SECRET}, **internal))
        return next(item.owner for item in items if isinstance(item, Finding) and item.check == "leak.text")

    assert owner() is Owner.DELIVERY
    assert owner(prompt=[SECRET]) is Owner.RETRIEVAL
    assert owner(evidence=["memo-7#2"]) is Owner.RETRIEVAL
    assert owner(prompt=None) is Owner.RETRIEVAL


def test_what_came_instead_of_a_response_is_looked_through() -> None:
    case = a_case()
    failure = Failure(kind=FailureKind.PARSE, message="no JSON")
    outcome = Outcome(failure=failure, raw=f"Sorry! {SECRET}", observed=Internal(evidence=("memo-7#2",)))
    assert checks(Judged(case=case, outcome=outcome, view=case.view)) == {"leak.text", "leak.fact", "leak.evidence"}
    clean = Outcome(failure=failure, raw="Sorry!", observed=Internal(evidence=(), prompt=(), steps=()))
    assert list(check_leaks(Judged(case=case, outcome=clean, view=case.view))) == []


def test_messages_name_aliases_and_views_and_hold_no_text() -> None:
    one = judged({"text": base64.b64encode(SECRET.encode()).decode()})
    message = next(item.message for item in check_leaks(one) if isinstance(item, Finding) and item.check == "leak.text")
    assert message == (
        "in text (read as base64) a passage of 64 letters and digits stands only in restricted-2, which the requester may not read"
    )


def test_readable_evidence_in_a_prompt_hides_nothing_round_it() -> None:
    page = " ".join(f"Rule {n} of the travel guide says what is paid on day {n}." for n in range(12))
    corpus = make_corpus(
        make_chunk("page", page),
        make_chunk("word", "a"),
        make_chunk("memo", f"{page} Osprey is sold.", readers=("board",)),
        make_chunk("note", SECRET, readers=("board",)),
    )
    case = a_case(corpus=corpus)
    evidence = ["page", "word"]
    assert found(judged(case=case, evidence=evidence, prompt=[f"Answer from: {page} {page}"])) == []
    for prompt in (f"Answer from: {page} Osprey is sold.", f"Answer from: a {SECRET}"):
        assert checks(judged(case=case, evidence=evidence, prompt=[prompt])) == {"leak.model_input"}
