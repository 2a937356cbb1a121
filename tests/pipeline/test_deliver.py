"""What is shown: verified claims with markers and sources from the application's own records."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Claim, Response
from pytest_grounded.model.vocabulary import Decision, ReasonCode
from pytest_grounded.pipeline.deliver import Outcome, deliver
from pytest_grounded.pipeline.messages import Message
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

A = make_chunk("a", title="Hotel rules", version="v3", locator="2.1", url="https://example.org/hotels")
B = make_chunk("b", "Receipts are required above $25.", document="faq")


def shown(outcome: Outcome, *chunks: Chunk) -> Response:
    return deliver(outcome, permit(ask("x", chunks or (A, B))), PipelineSettings())


def claim(text: str, *chunks: str) -> Claim:
    return Claim.model_validate({"text": text, "citations": [{"chunk": chunk, "quote": text} for chunk in chunks]})


def answer(*claims: Claim, **parts: Any) -> Outcome:
    return Outcome(decision=Decision.ANSWER, claims=claims, delivery="generated", **parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The limit is $180.", "The limit is $180 [1]."),
        ("The limit is $180", "The limit is $180 [1]."),
        ("Is it $180?", "Is it $180 [1]?"),
        ("上限为180美元。", "上限为180美元 [1]。"),
        ("We pay for:", "We pay for [1]."),
    ],
)
def test_a_marker_stands_in_its_sentence(text: str, expected: str) -> None:
    assert shown(answer(claim(text, "a"))).text == expected


def test_markers_sources_and_citations_agree() -> None:
    response = shown(answer(claim("One.", "b"), claim("Two.", "a", "b")))
    assert response.text == "One [1].\nTwo [2][1]."
    assert [(one.marker, one.chunk) for one in response.rendered] == [("1", "b"), ("2", "a")]
    assert [(one.marker, one.chunk, one.title, one.url) for one in response.sources] == [
        ("1", "b", "faq", None),
        ("2", "a", "Hotel rules", "https://example.org/hotels"),
    ]
    citation = response.claims[1].citations[0]
    assert (citation.marker, citation.version, citation.locator) == ("2", "v3", "2.1")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "http://[bad", "ftp://example.org"])
def test_an_unsafe_link_is_not_rendered(url: str) -> None:
    chunk = make_chunk("a", url=url)
    assert shown(answer(claim("One.", "a")), chunk).sources[0].url is None


def test_a_partial_answer_says_what_is_missing_and_what_to_do() -> None:
    message = Message(text="The documents do not cover {missing}.", next_step="ask_human")
    outcome = Outcome(
        decision=Decision.PARTIAL,
        reason_code=ReasonCode.PARTIAL_EVIDENCE,
        claims=(claim("One.", "a"),),
        message=message,
        missing=("meals", "Paris"),
    )
    response = shown(outcome)
    assert response.text == "One [1].\nThe documents do not cover meals, Paris."
    assert (response.missing, response.next_step) == (("meals", "Paris"), "ask_human")


def test_an_abstention_shows_its_message_alone() -> None:
    outcome = Outcome(
        decision=Decision.ABSTAIN, reason_code=ReasonCode.NO_EVIDENCE, message=PipelineSettings().messages.no_evidence
    )
    response = shown(outcome)
    assert (response.claims, response.sources, response.rendered, response.delivery) == ((), (), (), None)


def test_a_message_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(TypeError, match="no_evidence"):
        PipelineSettings().messages.named("filled")
