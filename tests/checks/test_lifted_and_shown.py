"""What is left outside a verbatim part of a sentence, what the text says beside its claims, and one word turned round."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.harness.judging import JudgingOptions, default_checks, judged_alone
from pytest_grounded.systems.reading import read_reply
from pytest_grounded.testing.builders import make_case, make_chunk, make_slot


def found(
    source: str,
    claim: str,
    *,
    text: str | None = None,
    value: str = "",
    question: str = "What is the rule?",
    **more: Any,
) -> set[str]:
    reply = {
        "decision": "answer",
        "text": claim if text is None else text,
        "claims": [{"text": claim, "citations": [{"chunk": "c1"}]}],
        **more,
    }
    slots = [make_slot(value, evidence=["c1"])] if value else []
    case = make_case(corpus=[make_chunk("c1", source)], slots=slots, question=question)
    result = judged_alone(case, read_reply(reply), options=JudgingOptions(), checks=default_checks())
    return {finding.check for finding in result.findings}


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        pytest.param(
            "It is not true that contractors may book first class.", "Contractors may book first class.", id="not-true"
        ),
        pytest.param("Neither contractors nor interns may book rail.", "Interns may book rail.", id="nor"),
        pytest.param("It is unclear whether interns may book rail.", "Interns may book rail.", id="whether"),
        pytest.param("The board denied that the fund was closed.", "The fund was closed.", id="denied"),
        pytest.param("Es ist nicht wahr, dass Gäste parken dürfen.", "Gäste parken dürfen.", id="nicht-wahr"),
        pytest.param("All employees may book rail, except interns.", "All employees may book rail.", id="except"),
        pytest.param("You may book a flex fare unless the trip is domestic.", "You may book a flex fare.", id="unless"),
        pytest.param(
            "If a flight lasts over 8 hours, you may book premium economy.", "You may book premium economy.", id="if"
        ),
        pytest.param(
            "You may book business class only if the board agrees.", "You may book business class.", id="only-if"
        ),
    ],
)
def test_a_part_of_a_sentence_that_does_not_say_it_is_no_support(source: str, claim: str) -> None:
    assert found(source, claim) == {"claim.polarity"}


@pytest.mark.parametrize(
    ("source", "claim", "more"),
    [
        pytest.param(
            "It is not true that contractors may book first class.",
            "It is not true that contractors may book first class.",
            {},
            id="denial-kept",
        ),
        pytest.param(
            "All employees may book rail, except interns.",
            "All employees may book rail, except interns.",
            {},
            id="exception-kept",
        ),
        pytest.param(
            "All employees may book rail, except interns.",
            "All employees may book rail.",
            {"text": "All employees may book rail. Interns may not."},
            id="exception-told",
        ),
        pytest.param(
            "If a flight lasts over 8 hours, you may book premium economy.",
            "You may book premium economy.",
            {"question": "What may I book on a flight of more than 8 hours?"},
            id="condition-asked",
        ),
        pytest.param(
            "Interns may book rail. It is not true that interns may book rail.",
            "Interns may book rail.",
            {},
            id="said-elsewhere",
        ),
        pytest.param("Note: interns may book rail.", "Interns may book rail.", {}, id="a-word-before"),
        pytest.param(
            "Meals are paid, and the hotel limit is $180.", "The hotel limit is $180.", {}, id="another-clause-before"
        ),
    ],
)
def test_a_part_of_a_sentence_that_says_it_is_support(source: str, claim: str, more: dict[str, Any]) -> None:
    assert found(source, claim, **more) == set()


@pytest.mark.parametrize(
    ("source", "claim", "text", "checks"),
    [
        ("Receipts are required for taxis.",) * 2 + ("Receipts are not required for taxis.", {"claim.polarity"}),
        ("Receipts are required for taxis.",) * 2 + ("Receipts are required for taxis [c1].", set()),
        ("Receipts are required for taxis.",) * 2 + ("For taxis, receipts are required.", set()),
        ("You must book early.",) * 2 + ("You may book early.", {"claim.polarity"}),
    ],
)
def test_the_text_may_not_turn_a_claim_around(source: str, claim: str, text: str, checks: set[str]) -> None:
    assert found(source, claim, text=text) == checks


@pytest.mark.parametrize(
    ("text", "checks"),
    [
        ("I do not know.", {"slot.missing"}),
        ("See the list of claims.", {"slot.missing"}),
        ("It is one hundred and eighty dollars.", set()),
        ("", set()),
    ],
)
def test_what_fills_a_slot_has_to_be_shown(text: str, checks: set[str]) -> None:
    assert found("The limit is $180.", "The limit is $180.", text=text, value="180") == checks


@pytest.mark.parametrize(
    ("more", "checks"),
    [
        ({"summary": "The limit is $280 a night."}, {"number.unsupported"}),
        ({"followups": ["Why is the limit $280?"]}, {"number.unsupported"}),
        ({"next_step": "Ask for $280 at the desk."}, {"number.unsupported"}),
        ({"summary": "The limit is $180 a night."}, set()),
        ({"followups": ["Is $300 too much?"], "question": "Is $300 too much?"}, set()),
        ({"model": "gpt-280", "latency": "280 ms", "trace": "t-280"}, set()),
    ],
)
def test_what_stands_beside_the_answer_names_no_amount_from_nowhere(more: dict[str, Any], checks: set[str]) -> None:
    assert found("The limit is $180.", "The limit is $180.", **more) == checks


@pytest.mark.parametrize(
    "more",
    [
        {"next_step": "Ask the desk, it is $150."},
        {"missing": ["the limit, $150"]},
        {"hint": "It is $150."},
        {"followups": ["Is the limit $150?"]},
    ],
)
def test_an_abstention_gives_no_value_beside_its_text(more: dict[str, Any]) -> None:
    reply = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I could not find this."}
    case = make_case("unanswerable", corpus=[make_chunk("c1", "The old limit is $150.")], question="What is the limit?")
    clean = judged_alone(case, read_reply(reply), options=JudgingOptions(), checks=default_checks())
    assert clean.findings == ()
    told = judged_alone(case, read_reply({**reply, **more}), options=JudgingOptions(), checks=default_checks())
    assert {finding.check for finding in told.findings} == {"decision.contradictory"}


@pytest.mark.parametrize(
    ("source", "claim", "checks"),
    [
        ("Reports are due weekly.", "Reports are due monthly.", {"claim.polarity"}),
        ("Reports are due weekly.", "Weekly reports are due.", set()),
        ("The net price is $180.", "The gross price is $180.", {"claim.polarity"}),
        ("Breakfast is included.", "Breakfast is excluded.", {"claim.polarity"}),
        ("Reports are due weekly and accounts monthly.", "Accounts are due monthly.", set()),
        ("You should book early.", "You must book early.", {"claim.polarity"}),
        ("Check-in opens at noon.", "Check-in opens at midnight.", {"number.unit_or_scale"}),
        ("Check-in opens at 12 am.", "Check-in opens at midnight.", set()),
    ],
)
def test_one_word_may_turn_a_claim_around(source: str, claim: str, checks: set[str]) -> None:
    assert found(source, claim) == checks
