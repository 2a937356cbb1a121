"""A value is given only for what the evidence states it of: the entity, the code, the condition that is asked about."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

STANDARD = make_chunk("standard", "In standard cities the hotel limit is $180 per night.")
HIGH = make_chunk("high", "In high-cost cities the hotel limit is $260 per night.")
LISTED = make_chunk("listed", "Tokyo and Geneva count as high-cost.")
OFFICES = make_chunk("offices", "The company has offices in Tokyo and in Oslo.")
ZONES = make_chunk("zones", "Zone | Amount for incidentals\nA | $24\nB | $18", kind="table")
INSURANCE = make_chunk("insurance", "Annex D caps luggage insurance at $35.")
NEIGHBOURS = make_chunk("cities", "In Paris the hotel limit is $200. In Rome ask the desk.")
ROWS = make_chunk("rows", "City | Hotel limit\nParis | $200\nRome | ask the desk", kind="table")


def answer(question: str, chunks: Sequence[Chunk], **gate: bool) -> Response:
    settings = PipelineSettings.model_validate({"gate": gate, "selection": {"share_of_best": 0, "floor": 0}})
    return ReferencePipeline(settings=settings).answer(ask(question, chunks))


@pytest.mark.parametrize(
    ("question", "chunks", "cited"),
    [
        pytest.param(
            "What is the hotel limit in Tokyo?",
            [STANDARD, HIGH, LISTED],
            ("high", "listed"),
            id="by way of the class a place belongs to",
        ),
        pytest.param("What is the hotel limit in Paris?", [NEIGHBOURS], ("cities",), id="in the passage itself"),
        pytest.param("What is the amount for incidentals in zone B?", [ZONES], ("zones",), id="in its row"),
        pytest.param(
            "What is the cap for luggage insurance in Annex D?", [INSURANCE], ("insurance",), id="by its code"
        ),
        pytest.param(
            "What is the hotel limit in Oslo?",
            [make_chunk("oslo", "This page is on Oslo. The hotel limit is $190.")],
            ("oslo",),
            id="around it where nothing else stands in its place",
        ),
    ],
)
def test_a_value_is_given_for_what_it_is_stated_of(
    question: str, chunks: Sequence[Chunk], cited: tuple[str, ...]
) -> None:
    response = answer(question, chunks)
    assert (response.decision.value, set(response.cited)) == ("answer", set(cited))


OTHERS = (
    pytest.param("What is the hotel limit in Tokyo?", [STANDARD, OFFICES], "Tokyo", id="a name in another chunk"),
    pytest.param("What is the amount for incidentals in zone D?", [ZONES, INSURANCE], "zone D", id="a code elsewhere"),
    pytest.param("What is the hotel limit in Rome?", [NEIGHBOURS], "Rome", id="another name behind the preposition"),
    pytest.param("What is the hotel limit in Rome?", [ROWS], "Rome", id="the value of another row"),
    pytest.param(
        "How many hours before departure can I check in?",
        [
            make_chunk("ticket", "Tickets are issued 48 hours before departure."),
            make_chunk("bag", "You may check two bags on any flight."),
        ],
        "check in",
        id="a verb without its particle",
    ),
)


@pytest.mark.parametrize(("question", "chunks", "missing"), OTHERS)
def test_no_value_is_given_for_what_the_evidence_only_mentions(
    question: str, chunks: Sequence[Chunk], missing: str
) -> None:
    response = answer(question, chunks)
    assert not response.decision.answers
    assert not response.claims
    gate = next(step for step in response.internal.steps or () if step["name"] == "gate")
    assert missing in gate["missing"]


@pytest.mark.parametrize(("question", "chunks", "missing"), OTHERS)
def test_without_the_rule_the_value_of_another_thing_is_given(
    question: str, chunks: Sequence[Chunk], missing: str
) -> None:
    assert missing
    assert answer(question, chunks, bound=False).decision.answers


def test_two_words_that_stand_apart_answer_nothing() -> None:
    chunks = [
        make_chunk("hotel", "Hotels have flexible cancellation."),
        make_chunk("air", "A flight is booked in economy."),
    ]
    response = answer("How do I cancel a flight?", chunks)
    assert (response.decision.value, response.reason_code) == ("abstain", "NO_EVIDENCE")


def test_text_out_of_force_that_says_nothing_of_what_is_named_is_not_called_stale() -> None:
    old = make_chunk("old", "In Paris the hotel limit was $150.", status="withdrawn")
    response = answer("What is the hotel limit in Rome?", [old, make_chunk("rome", "Rome has two offices.")])
    assert response.reason_code == "NO_EVIDENCE"


A = make_chunk("a", "Schedule A charges $4 for the storage of a crate.", facts={"storage": "4"})
B = make_chunk("b", "Under Schedule B the storage of a crate is charged at $6.", facts={"storage": "6"})
C = make_chunk("c", "Schedule C lists the harbours.")


def test_a_dispute_of_two_schedules_says_nothing_about_a_third() -> None:
    asked = answer("What does Schedule C charge for the storage of a crate?", [A, B, C])
    assert (asked.reason_code, asked.claims, asked.conflicts) == ("NO_EVIDENCE", (), ())
    assert answer("What is charged for the storage of a crate?", [A, B, C]).reason_code == "CONFLICTING_EVIDENCE"


def test_what_another_schedule_says_is_no_dispute_about_the_one_that_is_named() -> None:
    response = answer("What does Schedule B charge for the storage of a crate?", [A, B, C])
    assert (response.decision.value, response.cited, response.conflicts) == ("answer", ("b",), ())
    rival = make_chunk("rival", "Schedule B charges $7 for the storage of a crate.", facts={"storage": "7"})
    both = answer("What does Schedule B charge for the storage of a crate?", [A, B, rival])
    assert both.reason_code == "CONFLICTING_EVIDENCE"
    assert {side.value for conflict in both.conflicts for side in conflict.sides} == {"6", "7"}


def test_a_dispute_on_one_condition_does_not_stop_a_question_on_another() -> None:
    chunks = [
        make_chunk(
            "old",
            "Tickets are checked at the gate.\n- On ferries tickets are checked twice.",
            facts={"ferry_checks": "twice"},
        ),
        make_chunk(
            "new",
            "Tickets are checked on board.\n- On ferries tickets are checked once.",
            facts={"ferry_checks": "once"},
        ),
        make_chunk("bus", "Tickets for buses are checked by the driver."),
    ]
    assert answer("Where are tickets checked for buses?", chunks).cited == ("bus",)
    assert answer("How are tickets checked for ferries?", chunks).reason_code == "CONFLICTING_EVIDENCE"


def test_an_item_that_is_a_chunk_of_its_own_is_read_under_the_sentence_that_leads_into_its_list() -> None:
    texts = ("The grant:", "is for crews", "is paid in May", "The office is closed in June.")
    chunks = [make_chunk(f"page#{n}", text, document="page") for n, text in enumerate(texts, start=1)]
    assert answer("How is the grant paid?", chunks).cited == ("page#3",)
    assert not answer("Is the grant closed?", chunks).decision.answers


def test_the_name_of_a_document_is_what_its_passages_are_about() -> None:
    question = "How long does an online application of a crew for Harbour Passes take?"
    named = make_chunk("n", "Harbour Passes are green.")
    text = "An online application of a crew takes 3 days."
    assert "c" in answer(question, [named, make_chunk("c", text, document="apply-for-harbour-passes")]).cited
    assert not answer(question, [named, make_chunk("c", text, document="apply-for-parking")]).decision.answers


RENT = make_chunk("rent", "The rent of the hall is $90 a day.")


@pytest.mark.parametrize(
    ("question", "chunks", "cited"),
    [
        pytest.param("How much did the rent of the hall grow?", [RENT], (), id="one figure is no growth"),
        pytest.param("What was the rent increase for the hall?", [RENT], (), id="nor an increase"),
        pytest.param(
            "How much did the rent of the hall grow?",
            [make_chunk("told", "The rent of the hall will grow by $10 a day."), RENT],
            ("told",),
            id="a text that tells the growth",
        ),
        pytest.param("What is the current rent of the hall?", [RENT], ("rent",), id="what is in force is current"),
        pytest.param(
            "What is the current of the canal?", [make_chunk("canal", "The canal is deep.")], (), id="another current"
        ),
        pytest.param(
            "What is the rent of the hall?",
            [make_chunk("old", "The previous rent of the hall was $70 a day."), RENT],
            ("rent",),
            id="not what it was before",
        ),
        pytest.param(
            "What is the rent of the hall?",
            [make_chunk("old", "The previous rent of the hall was $70 a day.")],
            (),
            id="nor where nothing else is told",
        ),
        pytest.param(
            "What was the previous rent of the hall?",
            [make_chunk("old", "The previous rent of the hall was $70 a day."), RENT],
            ("old",),
            id="what it was before where that is asked",
        ),
        pytest.param(
            "Which version of the Harbour Protocol is described?",
            [
                make_chunk("new", "This page describes the Harbour Protocol 3.1.", title="Harbour Protocol"),
                make_chunk(
                    "old", "The previous version 2.0 of the Harbour Protocol is kept.", title="Harbour Protocol"
                ),
            ],
            ("new", "old"),
            id="a version with its number, and not the one before alone",
        ),
    ],
)
def test_what_is_asked_as_it_is_now_is_not_told_as_it_was(
    question: str, chunks: Sequence[Chunk], cited: tuple[str, ...]
) -> None:
    assert answer(question, chunks).cited == cited


def test_one_word_of_a_name_that_stands_alone_is_another_name() -> None:
    chunks = [
        make_chunk("harbour", "The Harbour Protocol is telltale."),
        make_chunk("snow", "The Snow Protocol has a telltale length of 40 pages."),
    ]
    assert answer("How many pages has the Snow Protocol?", chunks).cited == ("snow",)
    assert not answer("How many pages has the Harbour Protocol?", chunks).decision.answers
