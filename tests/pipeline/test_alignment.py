"""Where a question's words stand in a passage, and which words count as the same."""

from __future__ import annotations

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.alignment import Alignment, compare
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.terms import WordForm
from pytest_grounded.pipeline.tokens import tokens


def align(question: str, text: str, title: str | None = None) -> dict[str, float]:
    """How well the only passage of a text holds each word of a question."""
    evidence = [Evidence(chunk=Chunk(id="c", text=text, title=title), score=1.0)]
    comparison = compare(read_question(question), evidence)
    assert comparison is not None
    (alignment,) = comparison.alignments
    return {word.text: alignment.around.get(word.place, 0.0) for word in comparison.asked}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("colonist", "The colony grew.", id="form"),
        pytest.param("favor", "Many were in favour.", id="spelling"),
        pytest.param("guarentee", "It is a guarantee.", id="slip"),
        pytest.param("EU", "The European Union decides.", id="spelled-out"),
        pytest.param("3", "There are three seats.", id="number-word"),
        pytest.param("third", "It was the 3rd time.", id="ordinal"),
        pytest.param("1,500", "It seats 1500 people.", id="grouped-figure"),
        pytest.param("won", "They win often.", id="irregular-verb"),
        pytest.param("death", "He died young.", id="noun-of-a-verb"),
        pytest.param("french", "France rules.", id="people-of-a-country"),
    ],
)
def test_a_word_is_found_in_another_form(asked: str, said: str) -> None:
    assert align(f"What about {asked}?", said)[asked.casefold()] >= 0.7


def test_a_name_is_found_by_its_abbreviation() -> None:
    held = align("Who leads the European Union?", "The EU has a president.")
    assert held["european"] == held["union"] == 1.0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("third", "There are three seats.", id="ordinal-is-no-number"),
        pytest.param("adapt", "They adopt it.", id="short-words-are-no-slips"),
        pytest.param("1501", "It seats 1500 people.", id="figures-are-no-slips"),
        pytest.param("Rome", "Roads are long.", id="other-word"),
    ],
)
def test_another_word_is_not_taken_for_it(asked: str, said: str) -> None:
    assert align(f"What about {asked}?", said)[asked.casefold()] == 0.0


def test_what_a_title_or_the_sentence_before_holds_counts_for_less() -> None:
    assert align("How deep is the gorge?", "It has 300 metres.", title="The gorge")["gorge"] == pytest.approx(0.7)
    comparison = compare(
        read_question("How deep is the gorge?"),
        [Evidence(chunk=Chunk(id="c", text="The gorge is old. It is 300 metres deep."), score=1.0)],
    )
    assert comparison is not None
    second: Alignment = comparison.alignments[1]
    gorge = next(word.place for word in comparison.asked if word.text == "gorge")
    assert (gorge in second.held, second.near[gorge], second.around[gorge]) == (False, 1.0, 0.7)


def test_only_the_passages_that_hold_most_are_looked_at_word_by_word() -> None:
    text = " ".join(f"Sentence {number} speaks of the gorge." for number in range(30)) + " The gorge is deep."
    comparison = compare(read_question("Is the gorge deep?"), [Evidence(chunk=Chunk(id="c", text=text), score=1.0)])
    assert comparison is not None
    assert len(comparison.alignments) == 6
    assert comparison.alignments[-1].text == "The gorge is deep."


def test_clauses_are_counted_by_marks_and_by_words() -> None:
    words = tokens("The gorge (which is old) is deep where rivers cut it.")
    assert [(word.text, word.clause) for word in words if word.key] == [
        ("gorge", 0),
        ("old", 1),
        ("deep", 2),
        ("rivers", 3),
        ("cut", 3),
    ]


def test_a_very_long_text_keeps_its_first_words() -> None:
    assert len(tokens("gorge " * 50_000, WordForm.PLAIN)) == 400
