"""What holds for one group of people, or is said of one doer, answers nothing about another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.test_binding import answer

PRINTING = make_chunk("printing", "Teachers pay 5 cents a page for printing.")
GUIDE = make_chunk("guide", "Ask in the wiki. Managing the collection of maps is described there.")
STORE = make_chunk("store", "The store manager keeps the keys. Managing the collection of maps takes a day.")


@pytest.mark.parametrize(
    ("question", "chunks"),
    [
        pytest.param("What does a student pay for printing a page?", [PRINTING], id="another group"),
        pytest.param("What are visitors charged for a page of printing?", [PRINTING], id="in the plural"),
        pytest.param("What is a visitor's charge for printing a page?", [PRINTING], id="in the genitive"),
        pytest.param("Who is the collection manager?", [GUIDE], id="the doing and no doer"),
        pytest.param("Who is the collection manager?", [STORE], id="the doer of something else"),
        pytest.param(
            "Who is the fire safety officer?",
            [make_chunk("c", "Safety of fire exits is checked monthly by the officer on duty.")],
            id="an officer of whom nothing more is said",
        ),
        pytest.param("What does the collection manager keep?", [STORE], id="a doer that is not asked for"),
    ],
)
def test_what_is_said_of_others_is_no_answer(question: str, chunks: Sequence[Chunk]) -> None:
    response = answer(question, chunks)
    assert (response.decision.answers, response.claims) == (False, ())


@pytest.mark.parametrize(
    ("question", "chunk"),
    [
        pytest.param("What does a teacher pay for printing a page?", PRINTING, id="the same group"),
        pytest.param(
            "What does a student pay for printing a page at the desk of the hall?",
            make_chunk("c", "Printing a page costs 5 cents; pay at the desk of the hall."),
            id="a rule that names nobody",
        ),
        pytest.param(
            "What does a student pay for printing a page?",
            make_chunk("c", "Everybody pays 5 cents a page for printing, teachers included."),
            id="a rule for everybody",
        ),
        pytest.param(
            "What does a student pay for printing a page?",
            make_chunk("c", "Pupils pay 5 cents a page for printing, teachers pay nothing."),
            id="another word for the group",
        ),
        pytest.param(
            "Who is the collection manager?",
            make_chunk("c", "The collection of maps is managed by the reading room."),
            id="who does it, in other words",
        ),
        pytest.param(
            "Who is the collection manager?",
            make_chunk("c", "The manager of the collection is elected in May."),
            id="the doer of the thing",
        ),
    ],
)
def test_what_is_said_of_the_same_people_in_other_words_is_answered(question: str, chunk: Chunk) -> None:
    assert answer(question, [chunk]).cited == (chunk.id,)
