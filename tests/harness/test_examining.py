"""A case is asked as often as it says, in steps where it has some, and held to what its runs have to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_grounded.harness.asking import LiveAsker, RecordedAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.results import CaseResult, Verdict, to_record
from pytest_grounded.model.case import Case, Expectation, Forbidden, Step
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import Decision
from pytest_grounded.redaction import Redactor
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.recorded import RecordedReply, Recording
from pytest_grounded.systems.restarting import Restartable
from pytest_grounded.testing.builders import AS_OF, make_case, make_chunk, make_slot
from tests.harness.systems import BOARD, CORPUS, NOTHING, QUESTION, STAFF, checks, restricted, saying, sees_memo

LIMIT: dict[str, Any] = {
    "decision": "answer",
    "text": "The nightly hotel limit for every team is 180 dollars.",
    "claims": [
        {
            "text": "The nightly hotel limit for every team is 180 dollars.",
            "cites": ["page"],
            "quote": "The nightly hotel limit for every team is 180 dollars.",
        }
    ],
}


def hotel(**fields: Any) -> Case:
    slots = (make_slot("180", evidence=["page"]),)
    return make_case("answerable", corpus=CORPUS, requester=STAFF, slots=slots, **fields)


def step(question: str = QUESTION, *, decision: str | None = None, **fields: Any) -> Step:
    expect = None if decision is None else Expectation(decision=(Decision(decision),), reason_code=None)
    return Step(question=question, **{"requester": STAFF, "as_of": AS_OF, "corpus": CORPUS, "expect": expect, **fields})


def examined(case: Case, answer: Any, **fields: Any) -> CaseResult:
    with Caller() as caller:
        return examine(case, LiveAsker(answer, caller), **fields)


def of_recording(case: Case, lines: Sequence[dict[str, Any]]) -> CaseResult:
    replies = [RecordedReply(**{"case": case.id, **line}) for line in lines]
    return examine(case, RecordedAsker(Recording("r.jsonl", replies)))


# --- steps -------------------------------------------------------------------------------------------------------


def test_earlier_steps_are_sent_in_order_to_the_state_that_answers() -> None:
    sent: list[str] = []

    def answer(request: Request) -> Any:
        sent.append(request.question)
        return LIMIT

    case = hotel(steps=(step("first"), step("second")), question="last")
    assert examined(case, answer).verdict is Verdict.PASS
    assert sent == ["first", "second", "last"]


def test_a_step_that_expects_something_is_judged_at_its_place() -> None:
    case = hotel(steps=(step("first", decision="answer"), step("second", decision="abstain")))
    result = examined(case, lambda _: LIMIT)
    [finding] = [one for one in result.findings if one.check == "decision.wrong"]
    assert finding.field == "steps[1].decision"
    assert result.verdict is Verdict.FAIL


def test_a_step_that_expects_nothing_is_not_judged() -> None:
    assert (
        examined(hotel(steps=(step(),)), lambda one: {} if one.question == QUESTION else LIMIT).verdict is Verdict.PASS
    )


def test_what_a_step_forbids_holds_without_an_expectation() -> None:
    case = hotel(steps=(step("first", forbid=Forbidden(text=("180",))),))
    assert "forbid.text" in checks(examined(case, lambda _: LIMIT))


def test_a_step_is_judged_by_what_its_own_requester_may_read() -> None:
    told = {**LIMIT, "text": "The retention bonus for the Halcyon team is 41,750 dollars.", "claims": []}
    case = hotel(steps=(step(requester=BOARD, decision="answer"),))
    result = examined(case, lambda one: told if "board" in one.requester.groups else LIMIT)
    assert not {check for check in checks(result) if check.startswith("leak.")}
    for_staff = hotel(steps=(step(decision="answer"),))
    leaking = examined(for_staff, lambda one: told if one.question == QUESTION else LIMIT)
    assert {one.field for one in leaking.findings if one.check == "leak.text"} == {"steps[0].text"}


def test_each_scenario_meets_a_system_in_its_first_state() -> None:
    def make() -> Any:
        seen: list[str] = []

        def answer(request: Request) -> Any:
            seen.append(request.question)
            return {**LIMIT, "followups": seen[:-1]}

        return answer

    system = Restartable(make)
    with Caller() as caller:
        asker = LiveAsker(system, caller, fresh=system.fresh)
        for _ in range(2):
            result = examine(hotel(steps=(step("first"),)), asker)
            assert result.outcome.response is not None
            assert result.outcome.response.followups == ("first",)


def test_a_recording_may_lack_a_step_that_expects_nothing_and_no_other() -> None:
    lines: list[dict[str, Any]] = [{"response": LIMIT}]
    assert of_recording(hotel(steps=(step(),)), lines).verdict is Verdict.PASS
    lacking = of_recording(hotel(steps=(step(decision="abstain"),)), lines)
    assert lacking.verdict is Verdict.FAIL
    assert any("no reply to this step is recorded" in finding.message for finding in lacking.findings)
    recorded = [*lines, {"step": 0, "response": NOTHING}]
    assert of_recording(hotel(steps=(step(decision="abstain"),)), recorded).verdict is Verdict.PASS


@pytest.mark.parametrize("number", [None, 1], ids=["unnumbered", "numbered"])
def test_the_judged_step_of_a_recording_may_have_its_number(number: int | None) -> None:
    assert of_recording(hotel(steps=(step(),)), [{"step": number, "response": LIMIT}]).verdict is Verdict.PASS


def test_a_case_of_one_step_is_recorded_as_step_nought_or_none() -> None:
    assert of_recording(hotel(), [{"step": 0, "response": LIMIT}]).verdict is Verdict.PASS


def test_a_reduced_scenario_leaves_out_what_the_judged_requester_may_not_read_for_everybody() -> None:
    handed: list[tuple[str, bool]] = []

    def answer(request: Request) -> Any:
        handed.append((request.requester.id, sees_memo(request)))
        return NOTHING

    examined(restricted(steps=(step(requester=BOARD),)), answer)
    assert handed[:4] == [("board", True), ("staff", True), ("board", False), ("staff", False)]


def test_earlier_steps_are_not_compared() -> None:
    def answer(request: Request) -> Any:
        return saying(text="Yes.") if "board" in request.requester.groups and sees_memo(request) else NOTHING

    assert examined(restricted(steps=(step(requester=BOARD),)), answer).verdict is Verdict.PASS


# --- runs --------------------------------------------------------------------------------------------------------


def runs(*replies: Any, **fields: Any) -> CaseResult:
    """The hotel case with a recording of these runs."""
    case = hotel(runs=len(replies), **fields)
    return of_recording(case, [{"run": run, "response": reply} for run, reply in enumerate(replies)])


def test_every_run_has_to_pass_where_the_case_does_not_say() -> None:
    assert runs(LIMIT, LIMIT).verdict is Verdict.PASS
    result = runs(LIMIT, NOTHING, NOTHING)
    assert result.verdict is Verdict.FAIL
    assert result.passed_runs == 1
    [finding] = [one for one in result.findings if one.check == "decision.wrong"]
    assert finding.message.endswith("(in 2 of 3 runs)")


def test_enough_runs_that_pass_are_enough_and_the_others_are_told() -> None:
    result = runs(NOTHING, LIMIT, LIMIT, require=2)
    assert result.verdict is Verdict.PASS
    assert result.outcome.decision is Decision.ANSWER
    record = to_record(result, Redactor(result.case.view))
    assert (record["runs"], record["passed_runs"]) == (3, 2)
    assert "decision.wrong" in {finding["check"] for finding in record["tolerated"]}
    assert runs(NOTHING, NOTHING, LIMIT, require=2).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("check", "reply"),
    [
        (
            "leak.text",
            {**LIMIT, "followups": ["x"], "debug": "The retention bonus for the Halcyon team is 41,750 dollars."},
        ),
        ("citation.not_permitted", {**LIMIT, "claims": [{"text": "It is 180 dollars.", "cites": ["page", "memo"]}]}),
    ],
)
def test_no_run_may_leak_or_cite_what_is_not_permitted(check: str, reply: Any) -> None:
    result = runs(LIMIT, LIMIT, reply, require=1)
    assert result.verdict is Verdict.FAIL
    assert check in checks(result)


def test_no_run_may_show_what_is_out_of_force() -> None:
    old = make_chunk("old", "The nightly hotel limit was 90 dollars.", effective_to="2020-01-01")
    case = make_case("answerable", corpus=[*CORPUS, old], requester=STAFF, runs=2, require=1)
    stale = {**LIMIT, "claims": [*LIMIT["claims"], {"text": "It was 90 dollars.", "cites": ["old"]}]}
    result = of_recording(case, [{"run": run, "response": reply} for run, reply in enumerate((LIMIT, stale))])
    assert "citation.not_current" in checks(result)


def test_a_run_that_is_not_recorded_is_an_error() -> None:
    case = hotel(runs=3, require=1)
    assert of_recording(case, [{"run": 0, "response": LIMIT}]).verdict is Verdict.ERROR


def test_the_whole_run_may_ask_more_often_than_the_case() -> None:
    replies = iter([LIMIT, NOTHING, LIMIT])
    result = examined(hotel(), lambda _: next(replies), runs=3)
    assert (result.verdict, result.case.runs, result.passed_runs) == (Verdict.FAIL, 3, 2)


def test_a_case_with_one_run_says_nothing_of_runs() -> None:
    assert runs(LIMIT).passed_runs is None
