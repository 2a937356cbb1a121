"""Which statements of one figure are found in a text, which question each answers, and what is no plain statement."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.documents.stating import Statement, statements_in
from pytest_grounded.documents.suggesting import suggest
from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.model.vocabulary import CaseKind
from tests.counting import assert_linear

TABLE = "| Grade | Annual leave (days) | Notice period | Remarks |\n| :-- | --: | --- | --- |\n"


def found(text: str, *, kind: str = "text") -> list[Statement]:
    return list(statements_in([Chunk(id="c", text=text, kind=kind)]))


def asked(text: str, *, kind: str = "text") -> list[tuple[str, str]]:
    return [(one.asked, one.value) for one in found(text, kind=kind)]


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("The nightly hotel limit is $180.", "what is the nightly hotel limit?", "$180"),
        ("Registration costs 5 dollars.", "what does registration cost?", "5 dollars"),
        ("Parking permits cost $12 per month.", "what do parking permits cost?", "$12 per month"),
        ("A visa costs EUR 90.", "what does a visa cost?", "EUR 90"),
        ("The course takes two weeks.", "how long does the course take?", "two weeks"),
        ("Appeals must be filed within 30 days.", "when must appeals be filed?", "30 days"),
        ("Managers should reply by 5 pm.", "when should managers reply?", "5 pm"),
        (
            "Overtime has to be reported no later than 31 January.",
            "when does overtime have to be reported?",
            "31 January",
        ),
        ("All trips have to be booked at least 14 days ahead.", "when do all trips have to be booked?", "14 days"),
        ("Employees may claim up to $75 per day.", "how much may employees claim?", "$75 per day"),
        (
            "Employees may carry over up to 5 days of leave.",
            "how many days of leave may employees carry over?",
            "5 days",
        ),
        ("- Notice period: 3 months", "what is the notice period?", "3 months"),
    ],
)
def test_a_plain_statement_gives_the_question_it_answers(text: str, question: str, value: str) -> None:
    assert asked(text) == [(question, value)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs 5 dollars.",
        "Registration costs nothing.",
        "Registration costs 5 to 9 dollars.",
        "Registration costs 5 dollars unless you are a member.",
        "Registration costs two weeks of work.",
        "The course takes 90 dollars.",
        "Appeals must not be filed within 30 days.",
        "Appeals must be filed within 30 metres.",
        "Appeals must be filed within 30 days, or 60 days abroad.",
        "If you travel, you must book within 3 days.",
        "Visitors may not stay up to 3 days.",
        "Visitors may stay up to the end.",
        "Phone: +49 30 1234 5678 90 12",
        "See also: the page of 3 rules, 4 forms",
    ],
)
def test_what_is_no_plain_statement_gives_no_question(text: str) -> None:
    assert asked(text) == []


def test_a_table_with_a_header_gives_a_question_for_each_figure() -> None:
    rows = "| Junior | 25 | 1 month | from 2 grades |\n| Senior | 30 | - | none |\n| - | 3 | | |"
    assert asked(TABLE + rows, kind="table") == [
        ("what is the annual leave for Junior?", "25"),
        ("what is the notice period for Junior?", "1 month"),
        ("what are the remarks for Junior?", "2"),
        ("what is the annual leave for Senior?", "30"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "| Junior | 25 |\n| Senior | 30 |\n| Head | 35 |",
        "| 2023 | 2024 |\n| --- | --- |\n| 25 | 30 |",
        "| Grade |\n| --- |\n| 25 |",
        "no table",
    ],
    ids=["no header", "headings that are figures", "one column", "none"],
)
def test_a_table_without_named_rows_and_columns_gives_none(text: str) -> None:
    assert asked(text, kind="table") == []


@given(st.lists(st.sampled_from(["The fee", "costs", "is", "must be paid within", "5", "days", "$", ".", ":", "\n"])))
def test_a_value_always_stands_in_its_text(words: list[str]) -> None:
    text = " ".join(words)
    assert all(one.value in text and one.asked.endswith("?") for one in found(text))


@pytest.mark.parametrize("unit", ["a ", "Fees cost ", "a may b ", "must be ", "| a ", "x: "], ids=str)
def test_hostile_text_takes_calls_by_its_length(unit: str) -> None:
    for kind in ("text", "table"):
        assert_linear(lambda text, kind=kind: found(text, kind=kind), lambda n: unit * n, 400)  # type: ignore[misc]


def test_two_documents_that_give_two_prices_are_a_conflict_and_two_tables_are_not() -> None:
    def chunk(document: str, text: str, **fields: str) -> Chunk:
        return Chunk.model_validate(
            {"id": document, "document": document, "text": text, "readers": ["*"], "kind": "text", **fields}
        )

    table = "| City | Limit |\n| --- | --- |\n| Paris | {} |"
    corpus = Corpus(
        name="c",
        chunks=(
            chunk("a", "Registration costs 5 dollars."),
            chunk("b", "Registration costs 8 dollars."),
            chunk("hotels", table.format("$300"), kind="table", title="Hotels"),
            chunk("meals", table.format("$60"), kind="table", title="Meals"),
        ),
    )
    made = suggest(corpus.view(ANONYMOUS, date(2024, 10, 1)), corpus)
    assert [one.sides for one in made if one.kind is CaseKind.CONFLICTING] == [(("5 dollars", "a"), ("8 dollars", "b"))]
    assert not [one for one in made if one.kind is CaseKind.ANSWERABLE and "Paris" in one.question]
