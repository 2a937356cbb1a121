"""Is the evidence enough? Decided before any generator is called."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
COSTLY = make_chunk("costly", "The nightly hotel limit in high-cost cities is $260.")
RECEIPTS = make_chunk("receipts", "Receipts are required for expenses above $25.")
BAGS = make_chunk("bags", "One checked bag is paid for on every flight.")


def answer(question: str, *chunks: Chunk, **gate: Any) -> Response:
    settings = PipelineSettings.model_validate({"gate": gate})
    return ReferencePipeline(settings=settings).answer(ask(question, chunks))


def outcome(response: Response) -> tuple[str, str | None, tuple[str, ...]]:
    return response.decision.value, response.reason_code, response.missing


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("What is the nightly hotel limit in a standard city?", ("answer", None, ()), id="covered"),
        pytest.param(
            "What is the nightly hotel limit in Paris?", ("clarify", "PARTIAL_EVIDENCE", ("Paris",)), id="name-missing"
        ),
        pytest.param(
            "What is the nightly hotel limit in a coastal city?",
            ("clarify", "PARTIAL_EVIDENCE", ("coastal",)),
            id="condition-missing",
        ),
        pytest.param(
            "What is the nightly hotel limit in standard cities, and who keeps the kennel?",
            ("partial", "PARTIAL_EVIDENCE", ("keeps", "kennel")),
            id="one-part-missing",
        ),
        pytest.param(
            "What is the nightly hotel limit in standard cities and in coastal cities?",
            ("partial", "PARTIAL_EVIDENCE", ("coastal",)),
            id="one-piece-missing",
        ),
        pytest.param("What is the meal allowance?", ("abstain", "NO_EVIDENCE", ()), id="nothing"),
        pytest.param("Who owns the nightly parrot?", ("abstain", "NO_EVIDENCE", ()), id="what-is-asked-is-missing"),
        pytest.param("Which is it?", ("abstain", "NO_EVIDENCE", ()), id="no-word-that-counts"),
    ],
)
def test_the_gate_tells_covered_from_covered_in_part(question: str, expected: tuple[str, str, tuple[str, ...]]) -> None:
    assert outcome(answer(question, HOTEL, COSTLY, RECEIPTS)) == expected


def test_each_name_has_to_stand_in_the_evidence_wherever_it_stands_in_the_question() -> None:
    response = answer("What is the Marriott nightly hotel limit in a standard city?", HOTEL, COSTLY, RECEIPTS)
    assert outcome(response) == ("abstain", "NO_EVIDENCE", ())
    assert step(response, "gate")["coverage"] > PipelineSettings().gate.coverage


def test_each_part_has_to_be_covered_however_much_the_others_hold() -> None:
    travel = make_chunk(
        "travel",
        "Hotel rooms, rail tickets, rental cars and taxi rides booked through the travel desk are paid for staff.",
    )
    question = (
        "Are hotel rooms, rail tickets, rental cars and taxi rides booked through the travel desk paid for staff, "
        "and who changes the hotel limit afterwards?"
    )
    response = answer(question, travel, HOTEL)
    assert outcome(response) == ("partial", "PARTIAL_EVIDENCE", ("changes", "afterwards"))
    assert step(response, "gate")["coverage"] > PipelineSettings().gate.coverage


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("partial", ("partial", "PARTIAL_EVIDENCE", ("Paris",))),
        ("clarify", ("clarify", "PARTIAL_EVIDENCE", ("Paris",))),
        ("abstain", ("abstain", "PARTIAL_EVIDENCE", ("Paris",))),
    ],
)
def test_the_policy_for_insufficient_evidence_is_a_setting(policy: str, expected: tuple[Any, ...]) -> None:
    assert outcome(answer("What is the nightly hotel limit in Paris?", HOTEL, insufficient=policy)) == expected


def test_a_class_of_risk_has_its_own_policy() -> None:
    rules = {"high": [{"all_of": [["hotel"]]}]}
    question = "What is the nightly hotel limit in standard cities, and who keeps the kennel?"
    response = answer(question, HOTEL, risks=rules, insufficient_by_risk={"high": "abstain"})
    assert outcome(response)[:2] == ("abstain", "PARTIAL_EVIDENCE")
    assert step(response, "gate")["risk"] == "high"


def test_a_partial_answer_names_the_missing_part_and_gives_it_no_value() -> None:
    question = "What is the nightly hotel limit in standard cities, and what is the minibar budget?"
    response = answer(question, HOTEL, RECEIPTS)
    assert response.decision.value == "partial"
    assert "minibar budget" in response.text
    assert [claim.cited for claim in response.claims] == [("hotel",)]


def test_text_out_of_force_that_alone_answers_is_stale_and_shows_no_value() -> None:
    old = make_chunk("old", "The kennel fee is $77 a day.", status="withdrawn")
    response = answer("What is the kennel fee?", old, HOTEL)
    assert outcome(response)[:2] == ("abstain", "STALE_OR_WITHDRAWN")
    assert "77" not in response.model_dump_json(exclude={"internal"})


def test_text_out_of_force_that_fits_better_stops_a_near_miss() -> None:
    old = make_chunk("old", "The nightly hotel limit in standard cities is $150.", status="withdrawn")
    question = "What is the nightly hotel limit in a standard city?"
    assert outcome(answer(question, old, COSTLY, conditions=False))[:2] == ("abstain", "STALE_OR_WITHDRAWN")
    assert outcome(answer(question, old, HOTEL))[0] == "answer"


def test_text_from_the_future_alone_is_no_evidence() -> None:
    later = make_chunk("later", "The kennel fee is $77 a day.", effective_from="2025-01-01")
    assert outcome(answer("What is the kennel fee?", later))[:2] == ("abstain", "NO_EVIDENCE")


def test_a_question_for_a_figure_is_not_answered_by_a_passage_without_one() -> None:
    mention = make_chunk("mention", "Kennel fees are described in the annex.")
    assert outcome(answer("How much are kennel fees?", mention))[:2] == ("abstain", "NO_EVIDENCE")
    assert outcome(answer("How much are kennel fees?", mention, figures=False))[0] == "answer"


def test_the_part_that_asks_for_a_figure_and_gets_none_is_named_as_missing() -> None:
    mention = make_chunk("mention", "Kennel fees are described in the annex.")
    question = "How much are kennel fees, and when are receipts required?"
    response = answer(question, mention, RECEIPTS)
    assert outcome(response) == ("partial", "PARTIAL_EVIDENCE", ("kennel fees",))
    assert response.cited == ("receipts",)


def test_words_that_lie_scattered_over_passages_answer_nothing() -> None:
    chunks = [
        make_chunk("a", "Parrots may board."),
        make_chunk("b", "Insurance is arranged."),
        make_chunk("c", "Quarterly reports follow."),
        make_chunk("d", "Refunds are slow."),
    ]
    question = "Are parrots insurance quarterly refunds arranged?"
    assert outcome(answer(question, *chunks))[:2] == ("abstain", "NO_EVIDENCE")
    assert outcome(answer(question, *chunks, one_passage=0))[0] == "answer"


def test_a_best_score_below_the_cut_off_is_no_evidence() -> None:
    question = "What is the nightly hotel limit in a standard city?"
    assert outcome(answer(question, HOTEL, score=0.99))[:2] == ("abstain", "NO_EVIDENCE")


def test_an_open_conflict_about_something_else_does_not_stop_an_answer() -> None:
    one = make_chunk("one", "Pets cost $5. The nightly hotel limit in standard cities is $180.", facts={"pets": "5"})
    two = make_chunk("two", "Pets cost $9 in hotels.", facts={"pets": "9"})
    response = answer("What is the nightly hotel limit in standard cities?", one, two)
    assert (outcome(response)[0], response.cited) == ("answer", ("one",))
    assert "$5" not in response.text


def test_a_passage_that_says_more_of_what_is_asked_is_answered_beside_an_open_conflict() -> None:
    one = make_chunk("one", "Spending of $10 beyond the maximum is paid.", facts={"excess": "$10"})
    text = "Up to $20 beyond the maximum is paid. The second level approves spending beyond the maximum."
    two = make_chunk("two", text, facts={"excess": "$20"})
    response = answer("Which level approves spending beyond the maximum?", one, two)
    assert (outcome(response)[0], response.cited) == ("answer", ("two",))
    assert "$20" not in response.text


@pytest.mark.parametrize("policy", ["abstain", "answer", "clarify", "escalate"])
def test_an_open_conflict_shows_both_sides_whatever_is_decided(policy: str) -> None:
    chunks = [
        make_chunk(
            name,
            f"{title} pays mileage at ${value} a mile.",
            title=title,
            version="v1",
            facts={"rate": value},
            effective_from="2024-07-01",
        )
        for name, title, value in (("a", "Annex A", "0.60"), ("b", "Annex B", "0.65"))
    ]
    generator = ScriptedGenerator({"claims": []})
    pipeline = ReferencePipeline(
        settings=PipelineSettings.model_validate({"conflicts": {"unresolved": policy}}), generator=generator
    )
    response = pipeline.answer(ask("What is the mileage rate?", chunks))
    assert (response.decision.value, response.reason_code) == (policy, "CONFLICTING_EVIDENCE")
    assert [(side.value, side.chunks) for side in response.conflicts[0].sides] == [("0.60", ("a",)), ("0.65", ("b",))]
    assert "Annex A (v1, in force from 2024-07-01): " in response.text
    assert "$0.65" in response.text
    assert generator.prompts == []


def test_a_settled_conflict_is_disclosed_where_its_rule_says_so() -> None:
    chunks = [
        make_chunk("old", "The visa fee cap is $100.", facts={"cap": "100"}, effective_from="2024-01-01"),
        make_chunk("new", "The visa fee cap is $160.", facts={"cap": "160"}, effective_from="2024-08-01"),
    ]
    question = "What is the visa fee cap?"
    silent = ReferencePipeline().answer(ask(question, chunks))
    settings = PipelineSettings.model_validate({"conflicts": {"disclose": ["effective_date"]}})
    open_about_it = ReferencePipeline(settings=settings).answer(ask(question, chunks))
    assert (silent.cited, silent.conflicts) == (("new",), ())
    assert open_about_it.decision.value == "answer"
    assert [side.value for side in open_about_it.conflicts[0].sides] == ["160", "100"]
    assert "$100" in open_about_it.text


def test_an_absent_and_a_forbidden_thing_are_answered_alike() -> None:
    secret = make_chunk("secret", "The retention bonus of the crew is $42,000.", readers=["board"])
    forbidden = answer("What is the retention bonus of the crew?", HOTEL, secret)
    absent = answer("What is the attention bonus of the fleet?", HOTEL, secret)
    assert forbidden.visible() == absent.visible()
    board = ReferencePipeline().answer(
        ask("What is the retention bonus of the crew?", [secret], requester=Requester(id="b", groups=("board",)))
    )
    assert board.decision.value == "answer"


EMEA = make_chunk(
    "emea", "In EMEA the train replaces the plane below 500 km.", scope={"region": "EMEA"}, facts={"km": "500"}
)
APAC = make_chunk(
    "apac", "In APAC the train replaces the plane below 300 km.", scope={"region": "APAC"}, facts={"km": "300"}
)


def test_an_answer_that_depends_on_the_region_is_not_given_silently() -> None:
    question = "Below how many km does the train replace the plane?"
    assert outcome(answer(question, EMEA, APAC)) == ("clarify", "PARTIAL_EVIDENCE", ("which region",))
    assert outcome(answer(question, EMEA, APAC, insufficient="abstain"))[0] == "abstain"
    assert outcome(answer("How many checked bags are paid for on a flight?", EMEA, APAC, BAGS))[0] == "answer"


def test_one_figure_is_no_sum() -> None:
    budgets = [make_chunk(f"b{year}", f"The car park budget was ${year - 800} in {year}.") for year in (2023, 2024)]
    response = answer("What is the sum of the car park budgets in 2023 and 2024?", *budgets)
    assert outcome(response) == ("abstain", "NO_EVIDENCE", ())
    assert step(response, "gate")["missing"] == ["sum"]
