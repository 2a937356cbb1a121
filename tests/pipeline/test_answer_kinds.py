"""A fee is answered by an amount, how long by a period; a figure that a question wants confirmed is none to be found."""

from __future__ import annotations

import pytest

from pytest_grounded.pipeline.answer_kinds import AnswerKind, figures_to_check, kind_asked, states_kind
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

ASKED = (
    ("What is the fee for a visa?", AnswerKind.AMOUNT),
    ("What does a checked bag cost?", AnswerKind.AMOUNT),
    ("Which visa fee is paid?", AnswerKind.AMOUNT),
    ("额度是多少元？", AnswerKind.AMOUNT),
    ("How long may a stay be?", AnswerKind.PERIOD),
    ("How many working days does it take?", AnswerKind.PERIOD),
    ("How late may I arrive?", AnswerKind.PERIOD),
    ("How many days in advance must airfare be booked?", AnswerKind.LEAD),
    ("How long before a flight do I need to book?", AnswerKind.LEAD),
    ("Below how many km does the train replace the plane?", AnswerKind.MEASURE),
    ("What percentage is refunded?", AnswerKind.SHARE),
    ("How many bags are free?", AnswerKind.COUNT),
    ("What is the nightly hotel limit in Geneva?", AnswerKind.FIGURE),
    ("What hotel limit applies?", AnswerKind.FIGURE),
    ("Which kinds of PEP are there?", AnswerKind.SORTS),
    ("What are the different types of voucher?", AnswerKind.SORTS),
    ("Which fares are preferred?", None),
    ("Which level approves a rate that is higher?", None),
    ("Who sets the limit?", None),
)


@pytest.mark.parametrize(("question", "kind"), ASKED, ids=[question for question, _ in ASKED])
def test_the_kind_of_figure_is_read_from_the_question(question: str, kind: AnswerKind | None) -> None:
    assert kind_asked(question) is kind


STATED = (
    ("an amount", AnswerKind.AMOUNT, "It is $12.", True),
    ("a fee in per cent", AnswerKind.AMOUNT, "A late fee of 2.5% is charged.", True),
    ("nothing to pay", AnswerKind.AMOUNT, "Using it is free of charge.", True),
    ("a count is no amount", AnswerKind.AMOUNT, "Fees for 2 or more bags need a reason.", False),
    ("a period", AnswerKind.PERIOD, "It takes 30 days.", True),
    ("an amount is no period", AnswerKind.PERIOD, "It costs $30.", False),
    ("so much or more", AnswerKind.LEAD, "They are open 15 or more days in advance.", True),
    ("a period that lies before nothing", AnswerKind.LEAD, "Flights longer than 8 hours are in another class.", False),
    ("a distance", AnswerKind.MEASURE, "Below 500 km it is the train.", True),
    ("half in words", AnswerKind.SHARE, "Half of it is refunded.", True),
    ("an amount is no count", AnswerKind.COUNT, "Bags cost $30.", False),
    ("a year is no limit", AnswerKind.FIGURE, "The limit was set in 2019.", False),
    ("a passage on the sorts", AnswerKind.SORTS, "There are three kinds of PEP:", True),
    ("one alone", AnswerKind.SORTS, "This PEP is on rendering files.", False),
    ("no figure", AnswerKind.FIGURE, "The limit is set by the lead.", False),
)


@pytest.mark.parametrize(("kind", "passage", "is_stated"), [row[1:] for row in STATED], ids=[row[0] for row in STATED])
def test_a_passage_answers_only_with_a_figure_of_the_kind(
    kind: AnswerKind,
    passage: str,
    is_stated: bool,  # noqa: FBT001
) -> None:
    assert states_kind(kind, passage) is is_stated


@pytest.mark.parametrize("passage", ["after 2 school days", "for 10 consecutive nights", "5 non-working days"])
def test_a_measure_of_time_may_have_a_word_that_says_which(passage: str) -> None:
    assert states_kind(AnswerKind.PERIOD, passage)
    assert not states_kind(AnswerKind.PERIOD, passage.rsplit(" ", 1)[0] + " trips")


def test_a_year_that_repeats_the_question_is_no_period() -> None:
    assert not states_kind(AnswerKind.PERIOD, "In 2024 it was longer.", asked="How long was it in 2024?")


CHECKED: tuple[tuple[str, list[str]], ...] = (
    ("Is the nightly limit $150 in standard cities?", ["$150"]),
    ("Are receipts required above $50?", ["$50"]),
    ("额度是800元吗？", ["800元"]),
    ("Is the limit $150 in 2024?", ["$150"]),
    ("Does section 4 apply?", []),
    ("Was PEP 8 withdrawn?", []),
    ("Who approves $500?", []),
)


@pytest.mark.parametrize(("question", "figures"), CHECKED, ids=[question for question, _ in CHECKED])
def test_figures_that_are_to_be_confirmed_are_found(question: str, figures: list[str]) -> None:
    assert [one.raw for one in figures_to_check(question)] == figures


def test_a_figure_to_be_confirmed_and_what_compares_it_is_not_looked_for() -> None:
    (part,) = read_question("Are receipts required above $50?").parts
    assert ([word.text for word in part.content], part.figure_asked) == (["receipts", "required"], AnswerKind.AMOUNT)


NEW = make_chunk("new", "Employees have a nightly hotel limit of $180.", version="v2", supersedes=["old"])
OLD = make_chunk("old", "Employees have a nightly hotel limit of $150.", version="v1", status="superseded")


@pytest.mark.parametrize("figure", ["$150", "$180", "$999"])
def test_whether_a_limit_is_so_high_is_answered_with_the_limit_in_force(figure: str) -> None:
    response = ReferencePipeline().answer(ask(f"Is the nightly hotel limit {figure}?", [NEW, OLD]))
    assert (response.decision.value, response.cited) == ("answer", ("new",))
    assert "$150" not in (response.text or "")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the fee for using the lounge?", "The lounge fee is paid for 2 guests a day."),
        ("What does a checked bag cost?", "A checked bag of more than 23 kg needs a reason."),
        ("How long does a visa take?", "A visa costs $90."),
    ],
)
def test_a_figure_of_another_kind_answers_nothing(question: str, text: str) -> None:
    response = ReferencePipeline().answer(ask(question, [make_chunk("c", text)]))
    assert (response.decision.value, response.reason_code) == ("abstain", "NO_EVIDENCE")
