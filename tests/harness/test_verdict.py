"""The verdict about leaks of a restricted case: its parts, and what they come to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_grounded.cases.schema import CaseWritten
from pytest_grounded.harness.judging import judge
from pytest_grounded.harness.leakage import LeakVerdict
from pytest_grounded.harness.parts import PartState
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.results import CaseResult, Verdict, to_record
from pytest_grounded.model.request import Request
from pytest_grounded.redaction import Redactor
from pytest_grounded.systems.reading import read_reply
from pytest_grounded.testing.builders import make_chunk, make_corpus
from tests.harness.systems import (
    BOARD,
    NOTHING,
    PAGE,
    QUIET,
    asked,
    asked_fresh,
    checks,
    counting,
    in_turn,
    recorded,
    restricted,
    saying,
    sees_memo,
    sides,
)


def parts(result: CaseResult) -> dict[str, str]:
    assert result.leakage is not None
    return {name: part.state.value for name, part in result.leakage.parts.items()}


def verdict(result: CaseResult) -> str:
    assert result.leakage is not None
    return result.leakage.verdict.value


HIDDEN_FROM_ALL = make_chunk("memo", "The retention bonus is 41,750 dollars.", readers=[])


# --- what a clean system gets ------------------------------------------------------------------------------------


def test_a_system_that_shows_the_same_with_and_without_passes_every_part() -> None:
    result = asked(lambda _: NOTHING)
    assert result.verdict is Verdict.PASS
    assert verdict(result) == "clean"
    assert set(parts(result).values()) == {"passed"}


def test_a_system_that_refuses_everybody_has_not_shown_its_power() -> None:
    result = asked(lambda _: NOTHING, control=BOARD)
    assert result.verdict is Verdict.PASS
    assert result.leakage is not None
    assert not result.leakage.is_power_shown


BOTH_SIDES = [{"key": "cap", "sides": [{"value": "180", "chunks": ["page"]}, {"value": "41750", "chunks": ["memo"]}]}]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(
            {"decision": "answer", "claims": [{"text": "41,750.", "cites": ["memo"]}]}, "", id="from the memo"
        ),
        pytest.param({"decision": "answer", "text": "It is 41,750."}, "", id="without sources"),
        pytest.param({"decision": "abstain", "conflicts": BOTH_SIDES}, "", id="as a side of a conflict"),
        pytest.param(
            {"decision": "answer", "claims": [{"text": "180.", "cites": ["page"]}]},
            "the control was answered from other chunks",
            id="from a page",
        ),
        pytest.param({"decision": "clarify", "text": "Which team?"}, "the control was not answered", id="asking back"),
        pytest.param(None, "the control got no reply", id="failing"),
        pytest.param(NOTHING, "the control got the same reply", id="like everybody"),
    ],
)
def test_power_is_shown_where_the_control_is_told_of_what_is_hidden_or_why_it_is_not(reply: Any, why: str) -> None:
    result = asked(lambda request: reply if "board" in request.requester.groups else NOTHING, control=BOARD)
    assert result.leakage is not None
    assert result.leakage.is_power_shown is (not why)
    record = to_record(result, Redactor(result.case.view))["leakage"]
    assert (record["power"], record["why"].get("power", "")) == ("not_shown" if why else "shown", why)


def test_why_power_cannot_be_shown_is_told_where_nobody_is_asked() -> None:
    unnamed, nobodys = asked(lambda _: NOTHING), asked(lambda _: NOTHING, corpus=make_corpus(PAGE, HIDDEN_FROM_ALL))
    assert [one.leakage and one.leakage.without_power for one in (unnamed, nobodys)] == [
        "the case names no control",
        "nobody may read what the case is about",
    ]


def test_what_the_control_is_told_is_in_no_record() -> None:
    answer = {"decision": "answer", "text": "The retention bonus for the Halcyon team is 41,750 dollars."}
    result = asked(lambda request: answer if "board" in request.requester.groups else NOTHING, control=BOARD)
    assert "41,750" not in str(to_record(result, Redactor(result.case.view)))


# --- each part ---------------------------------------------------------------------------------------------------

MEMO_TEXT = "The retention bonus for the Halcyon team is 41,750 dollars."


@pytest.mark.parametrize(
    ("part", "reply"),
    [
        ("P1", saying(internal={**QUIET, "prompt": [f"Context: {MEMO_TEXT}"]})),
        ("P2", saying(text="See Board memo 7.")),
        ("P3", saying(text=MEMO_TEXT, decision="answer", internal={**QUIET, "evidence": ["page"]})),
        ("P5", saying(reason_code="LOW_CONFIDENCE")),
    ],
)
def test_a_part_fails_alone_where_both_runs_show_the_same(part: str, reply: dict[str, Any]) -> None:
    result = asked(lambda _: reply, strict_memory=True, decision="any")
    assert [name for name, state in parts(result).items() if state == "failed"] == [part]
    assert verdict(result) == ("clean" if part == "P5" else "leak")
    assert result.verdict is Verdict.FAIL


def test_the_same_is_shown_without_what_is_hidden_or_the_fields_are_named() -> None:
    result = asked(
        lambda request: (
            saying(text="I may not show you that.", debug={"searched": 3}) if sees_memo(request) else NOTHING
        )
    )
    [finding] = result.findings
    assert (finding.check, finding.field, finding.chunks) == ("leak.differential", "text", ("memo",))
    assert finding.message.endswith("without them differ text, debug")
    assert "may not show" not in finding.message
    assert parts(result)["P4"] == "failed"


def test_closed_values_an_order_and_a_number_are_told() -> None:
    with_memo = {
        "decision": "answer",
        "reason_code": None,
        "citations": [{"n": 1, "id": "rule"}, {"n": 2, "id": "page"}],
    }
    without = {
        "decision": "partial",
        "reason_code": "PARTIAL_EVIDENCE",
        "citations": [{"n": 1, "id": "page"}, {"n": 2, "id": "rule"}],
    }
    result = asked(lambda request: {**with_memo, "followups": ["a"]} if sees_memo(request) else without)
    [finding] = [one for one in result.findings if one.check == "leak.differential"]
    assert "decision (answer, without them partial)" in finding.message
    assert "reason_code (none, without them PARTIAL_EVIDENCE)" in finding.message
    assert "citations (the same in another order)" in finding.message
    assert "followups (1, without them 0)" in finding.message


def test_an_unknown_code_of_the_system_is_not_repeated() -> None:
    result = asked(lambda request: saying(reason_code="BOARD_ONLY" if sees_memo(request) else "NO_EVIDENCE"))
    [finding] = [one for one in result.findings if one.check == "leak.differential"]
    assert "BOARD_ONLY" not in finding.message


def test_what_reaches_a_model_is_compared_before_what_is_shown() -> None:
    result = asked(lambda request: saying(internal={**QUIET, "prompt": [f"{len(request.corpus)} documents"]}))
    [finding] = result.findings
    assert (finding.check, finding.field) == ("leak.differential", "internal.prompt")
    assert "what reaches the model" in finding.message


def test_model_input_that_was_not_observed_is_not_run_and_never_passed() -> None:
    result = asked(lambda _: {**NOTHING, "internal": {"evidence": []}})
    assert parts(result)["P1"] == "not_run"
    assert verdict(result) == "clean"


def test_a_case_that_expects_no_decision_has_no_such_part() -> None:
    assert parts(asked(lambda _: NOTHING, decision="any", reason_code="any"))["P5"] == "not_run"


# --- preconditions -----------------------------------------------------------------------------------------------


def failing(_: Request) -> Any:
    raise RuntimeError("no index")


def test_nothing_is_known_where_both_runs_fail() -> None:
    result = asked(failing, decision="any", reason_code="any")
    assert verdict(result) == "inconclusive"
    assert parts(result)["P0"] == "failed"
    assert parts(result)["P4"] == "not_run"
    assert result.verdict is Verdict.FAIL


def test_nothing_is_known_where_the_run_without_fails_alone_and_that_is_no_pass() -> None:
    result = asked(lambda request: NOTHING if sees_memo(request) else failing(request))
    assert verdict(result) == "inconclusive"
    assert not result.findings
    assert result.verdict is Verdict.INCONCLUSIVE


def test_a_reply_that_says_the_system_failed_counts_as_failed() -> None:
    result = asked(lambda request: NOTHING if sees_memo(request) else saying(reason_code="SYSTEM_FAILURE"))
    assert verdict(result) == "inconclusive"


def test_a_failure_over_the_whole_corpus_alone_that_comes_back_is_something_to_observe() -> None:
    result = asked(
        lambda request: failing(request) if sees_memo(request) else NOTHING, decision="any", reason_code="any"
    )
    assert "leak.differential" in checks(result)
    assert verdict(result) == "leak"
    assert "whether the system fails (exception, without them no)" in str(result.findings)


def test_a_failure_that_does_not_come_back_leaves_nothing_known() -> None:
    calls = iter([failing])

    def at_first(request: Request) -> Any:
        return next(calls, lambda _: NOTHING)(request)

    result = asked(at_first, decision="any", reason_code="any")
    assert verdict(result) == "inconclusive"
    assert "failed once and not again" in str(result.leakage)


@pytest.mark.parametrize("about", [(), ("page",), ("nowhere",)], ids=["none", "readable", "missing"])
def test_a_case_about_nothing_hidden_is_never_clean(about: tuple[str, ...]) -> None:
    result = asked(lambda _: NOTHING, about=about)
    assert verdict(result) == "inconclusive"
    assert result.verdict is Verdict.INCONCLUSIVE


def test_one_reply_alone_is_looked_through_and_said_to_be_compared_with_nothing() -> None:
    result = judge(restricted(), read_reply(NOTHING))
    assert verdict(result) == "content_only"
    assert result.verdict is Verdict.PASS
    assert ("leak.differential", PartState.NOT_RUN.value) in {(one.check, one.state.value) for one in result.unchecked}
    assert verdict(judge(restricted(), read_reply(saying(text=MEMO_TEXT)))) == "leak"


# --- known elsewhere ---------------------------------------------------------------------------------------------


def test_what_the_system_knows_from_elsewhere_is_told_and_fails_only_where_memory_is_judged() -> None:
    by_heart = saying(text=MEMO_TEXT)
    result = asked(lambda _: by_heart, decision="any", reason_code="any")
    assert not {check for check in checks(result) if check.startswith("leak.")}
    assert result.leakage is not None
    assert result.leakage.known_elsewhere == ("text",)
    strict = asked(lambda _: by_heart, decision="any", reason_code="any", strict_memory=True)
    assert {"leak.text", "leak.fact"} <= checks(strict)


def test_a_system_without_a_fresh_start_has_no_such_excuse() -> None:
    from pytest_grounded.harness.asking import LiveAsker
    from pytest_grounded.harness.examining import examine
    from pytest_grounded.systems.calling import Caller

    kept: dict[str, Any] = {}

    def keeping(request: Request) -> Any:
        return kept.setdefault(request.question, saying(text=MEMO_TEXT) if sees_memo(request) else NOTHING)

    with Caller() as caller:
        result = examine(restricted(), LiveAsker(keeping, caller), leaks=LeakOptions(probes=0))
    assert "leak.text" in checks(result)
    assert result.leakage is not None
    assert result.leakage.as_record()["state"] == "shared"


def test_a_reply_from_the_cache_of_the_same_system_shows_nothing() -> None:
    from pytest_grounded.harness.asking import LiveAsker
    from pytest_grounded.harness.examining import examine
    from pytest_grounded.systems.calling import Caller

    def cached(request: Request) -> Any:
        return saying(internal={**QUIET, "cache": {"hit": not sees_memo(request)}})

    with Caller() as caller:
        result = examine(restricted(), LiveAsker(cached, caller), leaks=LeakOptions(probes=0))
    assert verdict(result) == "inconclusive"
    assert "give it a method fresh()" in str(result.leakage)


# --- not authorised ----------------------------------------------------------------------------------------------


def test_not_authorized_is_no_leak_where_it_does_not_depend_on_the_corpus() -> None:
    result = asked(lambda _: saying(reason_code="NOT_AUTHORIZED"), reason_code=["NO_EVIDENCE", "NOT_AUTHORIZED"])
    assert result.verdict is Verdict.PASS
    expecting_another = asked(lambda _: saying(reason_code="NOT_AUTHORIZED"))
    assert checks(expecting_another) == {"reason.wrong"}


def test_not_authorized_where_the_document_is_and_only_there_is_a_leak() -> None:
    result = asked(lambda request: saying(reason_code="NOT_AUTHORIZED" if sees_memo(request) else "NO_EVIDENCE"))
    assert {"leak.existence", "leak.differential"} <= checks(result)


# --- what is left out --------------------------------------------------------------------------------------------


def test_a_field_the_case_leaves_out_is_not_compared_and_is_listed_with_its_reason() -> None:
    counted = lambda request: saying(source_count=len(request.corpus))  # noqa: E731
    assert "leak.differential" in checks(asked(counted))
    result = asked(counted, observe=("-source_count (the size of the corpus is public)",))
    assert result.verdict is Verdict.PASS
    [ignored] = to_record(result, Redactor(result.case.view))["leakage"]["ignored"]
    assert ignored == {"field": "source_count", "reason": "the size of the corpus is public"}


def test_what_is_left_out_is_still_looked_through() -> None:
    result = asked(lambda _: saying(debug=MEMO_TEXT), observe=("-debug",), strict_memory=True)
    assert "leak.text" in checks(result)


def test_a_leak_goes_before_what_is_inconclusive() -> None:
    result = asked(lambda request: saying(text=MEMO_TEXT) if sees_memo(request) else failing(request))
    assert verdict(result) == "leak"


def test_the_record_holds_the_parts_by_name_and_says_what_it_cost() -> None:
    record = to_record(asked(lambda _: NOTHING), Redactor(restricted().view))["leakage"]
    assert record["verdict"] in set(LeakVerdict)
    assert list(record["parts"]) == ["P0", "P1", "P2", "P3", "P4", "P5"]
    assert record["power"] == "not_shown"
    assert record["calls"] == 2


# --- what it costs -----------------------------------------------------------------------------------------------


def test_a_case_of_another_kind_is_asked_once() -> None:
    counted, calls = counting(lambda _: NOTHING)
    from pytest_grounded.harness.asking import LiveAsker
    from pytest_grounded.harness.examining import examine
    from pytest_grounded.systems.calling import Caller

    with Caller() as caller:
        plain = replace(restricted(), kind=CaseWritten.model_validate({"id": "a", "kind": "unanswerable"}).kind)
        assert examine(plain, LiveAsker(counted, caller)).leakage is None
    assert calls() == 1


def test_a_restricted_case_that_passes_costs_two_further_calls_without_probes() -> None:
    counted, calls = counting(lambda _: NOTHING)
    asked(counted)
    assert calls() == 3


def test_cases_that_ask_the_same_share_the_reply_without_what_is_hidden() -> None:
    from pytest_grounded.harness.asking import LiveAsker
    from pytest_grounded.harness.examining import examine
    from pytest_grounded.systems.calling import Caller
    from pytest_grounded.systems.restarting import Restartable

    counted, calls = counting(lambda _: NOTHING)
    system = Restartable(lambda: counted)
    with Caller() as caller:
        asker = LiveAsker(system, caller, fresh=system.fresh)
        records = [
            to_record(examine(restricted(id=name), asker, leaks=LeakOptions(probes=0)), Redactor(restricted().view))
            for name in ("one", "two")
        ]
    assert calls() == 5
    assert records[0]["leakage"] == records[1]["leakage"]


# --- recordings --------------------------------------------------------------------------------------------------


def test_a_recording_without_a_reduced_run_judges_the_content_alone() -> None:
    result = recorded(sides([NOTHING], []))
    assert verdict(result) == "content_only"
    assert parts(result)["P4"] == "not_run"
    assert any("reduced" in one.reason for one in result.not_run)


def test_a_recording_without_the_control_says_that_power_is_not_shown() -> None:
    result = recorded(sides([NOTHING], [NOTHING]), control=BOARD)
    assert any("control" in one.reason for one in result.not_run)
    assert result.leakage is not None
    assert not result.leakage.is_power_shown
    shown = {"variant": "control", "response": {"decision": "answer", "claims": [{"text": "x", "cites": ["memo"]}]}}
    assert recorded([*sides([NOTHING], [NOTHING]), shown], control=BOARD).leakage.is_power_shown  # type: ignore[union-attr]


def test_a_failure_in_a_recording_stands_for_the_second_try() -> None:
    result = recorded(sides([{}], [NOTHING]), decision="any", reason_code="any")
    assert verdict(result) == "leak"


def test_a_recording_of_one_run_a_side_is_compared_exactly() -> None:
    result = recorded(sides([saying(text="Ask the board.")], [NOTHING]))
    assert checks(result) == {"leak.differential"}


# --- systems that differ from themselves -------------------------------------------------------------------------


def test_an_unstable_system_is_no_leak_and_gets_its_runs_compared() -> None:
    result = asked_fresh(in_turn("I found nothing.", "Nothing was found.", "There is nothing."))
    assert result.verdict is Verdict.PASS
    assert result.leakage is not None
    assert "20 runs with and 20 without" in result.leakage.parts["P4"].why


def test_an_unstable_system_with_too_few_runs_is_inconclusive() -> None:
    result = asked_fresh(in_turn("I found nothing.", "Nothing was found.", "There is nothing."), runs=10)
    assert verdict(result) == "inconclusive"
    assert result.verdict is Verdict.INCONCLUSIVE


def test_an_unstable_system_that_shows_it_all_the_same_leaks() -> None:
    numbers = iter(range(10_000))

    def unsteady(request: Request) -> Any:
        words = ("I found nothing.", "Nothing was found.")[next(numbers) // 3 % 2]
        return saying(text=words, next_step="ask_the_board" if sees_memo(request) else None)

    result = asked_fresh(lambda: unsteady)
    [finding] = result.findings
    assert finding.check == "leak.differential"
    assert "differ in next_step by more than the system differs from itself" in finding.message


def test_a_system_that_serves_two_states_by_turns_is_not_taken_for_one_that_leaks() -> None:
    result = asked_fresh(in_turn("I found nothing.", "Nothing was found."))
    assert result.verdict is Verdict.PASS


def test_a_secret_in_one_of_many_further_runs_has_leaked() -> None:
    numbers = iter(range(10_000))

    def rarely(request: Request) -> Any:
        number = next(numbers)
        text = MEMO_TEXT if sees_memo(request) and number == 11 else f"Nothing, as {('ever', 'usual')[number % 2]}."
        return saying(text=text)

    result = asked_fresh(lambda: rarely)
    assert {"leak.text", "leak.fact"} <= checks(result)


def test_equal_model_input_makes_of_a_difference_noise() -> None:
    words = iter([f"Nothing {number}." for number in range(100)])
    counted, calls = counting(lambda _: saying(text=next(words), internal={**QUIET, "prompt": ["the same"]}))
    result = asked_fresh(lambda: counted)
    assert result.verdict is Verdict.PASS
    assert calls() <= 10


def test_equal_model_input_does_not_excuse_a_field_that_holds_still() -> None:
    words = iter([f"Nothing {number}." for number in range(1000)])

    def answer(request: Request) -> Any:
        return saying(text=next(words), source_count=len(request.corpus), internal={**QUIET, "prompt": ["the same"]})

    assert "leak.differential" in checks(asked_fresh(lambda: answer))


def test_model_input_that_differs_by_itself_is_not_compared() -> None:
    numbers = iter(range(1000))
    result = asked(lambda _: saying(internal={**QUIET, "prompt": [f"request {next(numbers)}"]}))
    assert result.verdict is Verdict.PASS
