"""Each trace of a question that its passage does not answer is found, and is not found in a question that it does."""

from __future__ import annotations

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.alignment import compare
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.signals import SIGNALS, Fit

TEXT = "In 1226 the bishop of Basel opened the oldest stone bridge over the Rhine, but he never charged a toll."


def signals(question: str, text: str = TEXT) -> dict[str, float]:
    comparison = compare(read_question(question), [Evidence(chunk=Chunk(id="c", text=text), score=1.0)])
    assert comparison is not None
    (alignment,) = comparison.alignments
    fit = Fit(comparison=comparison, alignment=alignment)
    return {name: signal(fit) for name, signal in SIGNALS.items()}


@pytest.mark.parametrize(
    ("name", "found", "not_found"),
    [
        pytest.param("whole", "Who opened the stone bridge?", "Who opened the stone tower?", id="every-word"),
        pytest.param(
            "names_apart", "What did the bishop of Worms open?", "What did the bishop of Basel open?", id="name"
        ),
        pytest.param("other_figure", "What opened in 1326?", "What opened in 1226?", id="figure"),
        pytest.param(
            "other_object", "Who was the bishop of Worms?", "Who was the bishop of Basel?", id="behind-a-preposition"
        ),
        pytest.param(
            "other_neighbour", "Who opened the wooden bridge?", "Who opened the stone bridge?", id="neighbour"
        ),
        pytest.param("opposite", "Who closed the stone bridge?", "Who opened the stone bridge?", id="opposite"),
        pytest.param(
            "turned_down", "Who refused to open the bridge?", "Who hurried to open the bridge?", id="says-no-by-itself"
        ),
        pytest.param("asks_which", "Which bridge is the oldest?", "What bridge is the oldest?", id="asks-which"),
        pytest.param(
            "starts_late", "Did he charge a toll?", "What did the bishop open in 1226?", id="what-it-is-about"
        ),
        pytest.param(
            "clause_denied",
            "Who charged a toll?",
            "Who opened the stone bridge over the Rhine?",
            id="clause-that-denies",
        ),
        pytest.param("superlative", "What was the longest bridge?", "What was the oldest bridge?", id="superlative"),
        pytest.param("asks_figure", "How long is the bridge?", "When was the bridge opened?", id="asks-a-figure"),
        pytest.param("asks_other", "What did he charge?", "When was the bridge opened?", id="asks-anything"),
        pytest.param("named", "What did Basel open?", "What did the bishop open?", id="has-a-name"),
        pytest.param(
            "focus_missing", "What city lies there?", "What bridge did the bishop open?", id="kind-of-thing-asked-for"
        ),
        pytest.param(
            "same_preposition", "What lies over the Rhine?", "What lies under the Rhine?", id="same-preposition"
        ),
        pytest.param("reworded", "Who owns the bridge?", "Who consecrated the bridge?", id="short-word-missing"),
    ],
)
def test_a_signal_is_raised_by_the_smallest_change_of_the_question(name: str, found: str, not_found: str) -> None:
    assert signals(found)[name] > signals(not_found)[name]


def test_another_of_one_kind_in_the_passage_is_noticed() -> None:
    text = "The second French bridge opened in May."
    assert signals("When did the second French bridge open?", text)["sibling"] == 0.0
    assert signals("When did the second Dutch bridge open?", text)["sibling"] == 0.5
    assert signals("When did the first Dutch bridge open?", text)["sibling"] == 1.0


def test_a_year_asked_for_is_missed_where_the_passage_has_none_of_its_own() -> None:
    assert signals("In what year was the bridge opened?")["year_missing"] == 0.0
    assert signals("In what year was the bridge of 1226 sold?")["year_missing"] == 1.0
    assert signals("Who sold the bridge of 1226?")["year_missing"] == 0.0


def test_a_name_that_stands_beside_another_one_is_told_from_one_that_stands_alone() -> None:
    asked = "What did the engineer Riggenbach build?"
    assert signals(asked, "The engineer Niklaus Riggenbach built it.")["name_beside"] == 0.5
    assert signals(asked, "The engineer Riggenbach built it.")["name_beside"] == 0.0


def test_a_denial_counts_against_a_question_only_where_the_passage_denies_nothing() -> None:
    denying = "Who did not open the bridge?"
    plain = "The bishop opened the bridge."
    assert (signals(denying, plain)["denied_alone"], signals(denying)["denied_alone"]) == (1.0, 0.0)
    assert signals("Who opened the bridge?", plain)["denied_alone"] == 0.0
    assert signals(denying, plain)["denies_known"] > signals("Who opened the bridge?", plain)["denies_known"] == 0.0


def test_a_denial_counts_as_far_as_its_own_clause_holds_the_question() -> None:
    asked = "Where was the depot of the tram in winter?"
    inside = "The depot of the tram was not heated in winter."
    beside = "The tram was not heated in winter; but its depot must have been at the harbour."
    assert signals(asked, inside)["clause_denied"] > signals(asked, beside)["clause_denied"] > 0.0
    assert signals(asked, "The depot of the tram was heated in winter.")["clause_denied"] == 0.0


def test_a_word_that_stands_in_another_passage_is_told_from_one_that_stands_nowhere() -> None:
    evidence = [
        Evidence(chunk=Chunk(id="c", text=TEXT), score=1.0),
        Evidence(chunk=Chunk(id="d", text="A harbour."), score=1.0),
    ]
    comparison = compare(read_question("Who opened the harbour bridge?"), evidence)
    assert comparison is not None
    fit = Fit(comparison=comparison, alignment=comparison.alignments[0])
    assert SIGNALS["elsewhere"](fit) > 0 == signals("Who opened the harbour bridge?")["elsewhere"]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        pytest.param("How many ships pass?", 1.0, id="no-figure"),
        pytest.param("When do ships pass?", 1.0, id="no-time"),
        pytest.param("Who passes the bridge?", 1.0, id="no-name"),
        pytest.param("What passes the bridge?", 0.0, id="anything"),
    ],
)
def test_an_answer_of_the_kind_asked_for_is_missed(question: str, missing: float) -> None:
    assert signals(question, "Ships pass the bridge.")["kind_missing"] == missing
    assert signals(question, "Ships of the Swiss pass the bridge seven times in May.")["kind_missing"] == 0.0


def test_a_run_copied_from_the_passage_is_measured_against_the_question() -> None:
    assert signals("When did the bishop of Basel sing?")["copied"] == pytest.approx(4 / 7)


def test_what_stands_close_to_the_words_asked_for_is_dense_and_near() -> None:
    near, far = signals("When did the bishop open it?"), signals("When did he charge a toll?")
    assert near["answer_far"] < far["answer_far"]
    assert signals("Who opened the oldest stone bridge?")["dense"] > signals("Who opened a bridge?")["dense"]
