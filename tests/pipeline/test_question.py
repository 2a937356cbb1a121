"""What a question asks for."""

from __future__ import annotations

import pytest

from pytest_grounded.pipeline.question import name_missing, read_question
from pytest_grounded.pipeline.terms import WordForm
from tests.counting import assert_linear


def parts(text: str) -> list[str]:
    return [" ".join(word.text for word in part.content) for part in read_question(text).parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("What is the hotel limit?", ["hotel limit"], id="one"),
        pytest.param(
            "What is the limit, and when are receipts required?", ["limit", "receipts required"], id="and-when"
        ),
        pytest.param(
            "When are receipts due, and for how many years are they kept?",
            ["receipts due", "years kept"],
            id="and-for-how",
        ),
        pytest.param("What is the limit? Who approves it?", ["limit", "approves"], id="two-questions"),
        pytest.param("I travel to Oslo. What is the limit?", ["limit"], id="context-is-no-part"),
        pytest.param("Tell me the limit. Thanks.", ["limit", "Thanks"], id="nothing-is-asked-by-a-mark"),
        pytest.param("酒店限额是多少？谁批准？", ["酒店限额", "批准"], id="chinese"),
        pytest.param("设备额度是多少，何时提交？", ["设备额度", "提交"], id="chinese-comma"),
        pytest.param("孩子发烧，退烧药吃多少？", ["孩子发烧 退烧药吃"], id="chinese-context"),
        pytest.param("额度是多少，谢谢", ["额度 谢谢"], id="chinese-thanks"),
        pytest.param(
            "The Rhine forms the border between Austria and what other country?",
            ["Rhine forms border Austria country"],
            id="what-comes-before-asks-nothing",
        ),
        pytest.param("Between Bonn and what city does it flow?", ["Bonn city flow"], id="only-the-second-asks"),
        pytest.param("Tell me the limit and when receipts are due.", ["limit", "receipts due"], id="bidden"),
        pytest.param("What flows south and is also deep?", ["flows south deep"], id="goes-on-with-what-was-asked"),
        pytest.param("Who pays and is a receipt needed?", ["pays", "receipt"], id="asks-anew-with-a-verb"),
        pytest.param("Who rules St. Gallen in the U.S. Army?", ["rules St Gallen U.S Army"], id="abbreviations"),
        pytest.param("", [], id="empty"),
        pytest.param("What is it?", [], id="function-words-alone"),
    ],
)
def test_a_question_falls_into_its_parts(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("text", "focus", "conditions"),
    [
        ("What is the nightly hotel limit in Paris?", "nightly hotel limit", "Paris"),
        ("When are lounge passes paid if a connection is late?", "lounge passes paid", "connection late"),
        ("On flights longer than 8 hours, is wine free?", "flights longer", "8 hours wine free"),
        ("Who approves travel?", "approves travel", ""),
    ],
)
def test_what_is_asked_for_is_told_from_its_circumstances(text: str, focus: str, conditions: str) -> None:
    (part,) = read_question(text).parts
    assert " ".join(word.text for word in part.focus) == focus
    assert " ".join(word.text for word in part.conditions) == conditions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("What is the limit in New York?", ["New", "York"], id="inside"),
        pytest.param("Paris hotels cost how much?", [], id="first-word"),
        pytest.param("What is due on Monday in May?", [], id="days-and-months"),
        pytest.param("WHAT IS THE LIMIT IN OSLO?", [], id="shouted"),
        pytest.param("What Is The Hotel Limit In Oslo?", [], id="title-case"),
        pytest.param("Wie hoch ist die Grenze für Hotels in Köln?", [], id="german-nouns"),
        pytest.param("May I go? Oslo is far.", [], id="after-a-full-stop"),
    ],
)
def test_capital_letters_alone_make_no_name(text: str, names: list[str]) -> None:
    assert [word.text for word in read_question(text).names] == names


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("How many bags are free?", True),
        ("Up to what amount are fees paid?", True),
        ("What is the hotel limit?", True),
        ("When are receipts required?", False),
        ("Who approves the fee?", False),
        ("限额是多少？", True),
    ],
)
def test_a_question_for_a_figure_is_known(text: str, asks: bool) -> None:  # noqa: FBT001
    (part,) = read_question(text).parts
    assert (part.figure_asked is not None) is asks


def test_missing_words_are_named_as_written_and_together() -> None:
    question = read_question("What is the Lunar meal allowance in Paris, and the Paris rate?")
    assert name_missing(question.words, frozenset({"rat"})) == ("Lunar meal allowance", "Paris")


def test_the_plain_form_keeps_every_word_that_is_not_a_stop_word() -> None:
    question = read_question("When must requests be submitted?", WordForm.PLAIN)
    assert question.terms == {"must", "request", "submitted"}


def test_a_long_hostile_question_is_read_in_linear_time() -> None:
    question = read_question("and what " * 20_000 + "A" * 20_000)
    assert len(question.words) == 40_001


def test_a_pair_across_two_held_words_is_held_and_a_word_at_the_edge_is_not() -> None:
    question = read_question("上海正式员工额度？")
    held = frozenset({"上海", "正式", "式员", "员工"})
    assert question.with_bridges(held) - held == {"海正"}
    assert read_question("standard city limit").with_bridges(frozenset({"standard", "limit"})) == {"standard", "limit"}


def test_the_focus_of_a_long_question_is_told_from_its_conditions_in_linear_time() -> None:
    assert_linear(lambda text: [part.conditions for part in read_question(text).parts], "hotel limit ".__mul__, 200)


def test_what_is_asked_of_it_is_asked_of_what_was_asked_before() -> None:
    (part,) = read_question("Can I bring a dog, and how much does it cost?").parts
    assert ([word.text for word in part.content], part.figure_asked) == (["bring", "dog"], "amount")
    assert parts("Can I bring a dog, and why?") == ["bring dog"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("How much is a taxi at night?", ["night"], id="behind-a-preposition"),
        pytest.param("How long has the lift in the tower been waiting?", ["tower"], id="up-to-a-function-word"),
        pytest.param(
            "What is paid if a flight is cancelled late?", ["flight", "cancelled", "late"], id="a-whole-clause"
        ),
        pytest.param("Am I eligible for this grant?", [], id="what-points-back"),
    ],
)
def test_a_question_is_asked_under_its_phrases_and_clauses(text: str, expected: list[str]) -> None:
    assert [word.text for word in read_question(text).parts[0].conditions] == expected
