"""What follows a draft that failed to the last, and the one retrieval for what is not covered."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step, steps

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
RECEIPTS = make_chunk("receipts", "Receipts are required for any expense above $25.")
BOTH = "What is the nightly hotel limit in standard cities, and when are receipts required?"


def claim(chunk: Chunk, text: str | None = None, quote: str | None = None) -> dict[str, Any]:
    return {"text": text or chunk.text, "cites": [chunk.id], "quote": quote or chunk.text}


def answer(question: str, *drafts: object, chunks: tuple[Chunk, ...] = (HOTEL, RECEIPTS), **settings: Any) -> Response:
    settings = {"verification": {"repairs": 0}, **settings}
    pipeline = ReferencePipeline(
        settings=PipelineSettings.model_validate(settings), generator=ScriptedGenerator(*drafts)
    )
    return pipeline.answer(ask(question, chunks))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The nightly hotel limit in standard cities is $200.", id="wrong-number"),
        pytest.param("The nightly hotel limit in standard cities is at least $180.", id="changed-bound"),
        pytest.param("Zebras in standard cities sing nightly about parrots.", id="little-overlap"),
    ],
)
def test_a_claim_is_weakened_to_what_it_quotes(text: str) -> None:
    response = answer("What is the nightly hotel limit in standard cities?", {"claims": [claim(HOTEL, text)]})
    assert (response.decision.value, response.delivery) == ("answer", "extractive")
    assert [one.text for one in response.claims] == [HOTEL.text]
    assert step(response, "mend")["says"] == "1 claim weakened to what is quoted, 0 dropped, 0 kept"
    assert steps(response)[-4:] == ["verify", "mend", "verify", "deliver"]


def test_a_claim_whose_quote_is_altered_is_dropped_and_the_sound_one_stays() -> None:
    extra = claim(HOTEL, "Hotels are nightly in cities.", "hotels are nightly in every city")
    draft = {"claims": [claim(HOTEL), extra, claim(RECEIPTS)]}
    response = answer(BOTH, draft)
    assert (response.decision.value, response.delivery) == ("answer", "generated")
    assert [one.cited for one in response.claims] == [("hotel",), ("receipts",)]
    assert step(response, "mend")["dropped"] == 1


def test_a_part_that_loses_its_only_claim_is_named_as_missing() -> None:
    draft = {"claims": [claim(HOTEL), claim(RECEIPTS, quote="receipts are never required at all")]}
    response = answer(BOTH, draft)
    assert (response.decision.value, response.reason_code) == ("partial", "PARTIAL_EVIDENCE")
    assert response.missing == ("receipts required",)
    assert response.cited == ("hotel",)


def test_where_no_partial_answer_is_allowed_nothing_is_shown() -> None:
    draft = {"claims": [claim(HOTEL), claim(RECEIPTS, quote="receipts are never required at all")]}
    response = answer(BOTH, draft, gate={"insufficient": "abstain"})
    assert (response.decision.value, response.reason_code) == ("abstain", "UNVERIFIED_ANSWER")
    assert response.claims == ()


def test_mending_can_be_switched_off() -> None:
    wrong = {"claims": [claim(HOTEL, "The hotel limit is $999.")]}
    response = answer(
        "What is the nightly hotel limit in standard cities?", wrong, verification={"repairs": 0, "mend": False}
    )
    assert steps(response)[-2:] == ["fallback", "deliver"]


def test_a_part_crowded_out_is_found_by_a_search_of_its_own() -> None:
    kennel = make_chunk("kennel", "The kennel opens at dawn.")
    question = "What is the nightly hotel limit in standard cities, and when does the kennel open?"
    chunks = (HOTEL, kennel)
    settings = {"retrieval": {"limit": 1}}
    found = ReferencePipeline(settings=PipelineSettings.model_validate(settings)).answer(ask(question, chunks))
    alone = ReferencePipeline(
        settings=PipelineSettings.model_validate({"retrieval": {"limit": 1, "gap": False}})
    ).answer(ask(question, chunks))
    assert (found.decision.value, "kennel" in found.cited) == ("answer", True)
    assert steps(found)[:8] == ["screen", "retrieve", "select", "resolve", "gate", "retrieve", "select", "resolve"]
    assert step(found, "retrieve")["query"] == "when does the kennel open"
    assert (alone.decision.value, alone.missing) == ("partial", ("kennel open",))


def test_a_gap_that_no_document_covers_stays_one() -> None:
    response = ReferencePipeline().answer(
        ask("What is the nightly hotel limit in standard cities, and who feeds the parrot?", [HOTEL])
    )
    assert (response.decision.value, response.missing) == ("partial", ("feeds", "parrot"))
    assert steps(response).count("retrieve") == 1


class TwoStepGenerator:
    """Answers only the first of several parts; asked for one part alone, it answers that."""

    name = "two-step/1"

    def __init__(self) -> None:
        self.tasks: list[GenerationTask] = []

    def generate(self, task: GenerationTask, prompt: str) -> object:
        self.tasks.append(task)
        assert prompt
        if len(task.parts) > 1:
            return {"claims": [claim(HOTEL), claim(HOTEL, "Kennels cost $5.", "kennels cost five dollars")]}
        return {"claims": [claim(item.chunk) for item in task.evidence if item.id == "kennel-hours"]}


def test_a_gap_after_verification_is_searched_once_and_everything_verified_again() -> None:
    fees = make_chunk("kennel-fees", "A kennel stay is paid for. The kennel does open on request.")
    hours = make_chunk("kennel-hours", "The kennel: we open it at dawn, each and every day of the year, rain or shine.")
    question = "What is the nightly hotel limit in standard cities, and when does the kennel open?"
    generator = TwoStepGenerator()
    settings = PipelineSettings.model_validate({"retrieval": {"limit": 2}, "verification": {"repairs": 0}})
    response = ReferencePipeline(settings=settings, generator=generator).answer(ask(question, [HOTEL, fees, hours]))
    assert len(generator.tasks) == 2
    assert [part.text for part in generator.tasks[1].parts] == ["when does the kennel open"]
    assert response.decision.value == "answer"
    assert set(response.cited) == {"hotel", "kennel-hours"}
    assert steps(response)[5:] == [
        *("generate", "verify", "mend", "verify"),
        *("retrieve", "select", "resolve", "gate"),
        *("generate", "verify", "verify", "deliver"),
    ]
    assert "five" not in step(response, "retrieve")["query"]
    assert response.internal.prompt is not None
    assert len(response.internal.prompt) == 2


def test_what_was_verified_before_a_search_for_the_gap_falls_with_a_conflict_that_it_finds() -> None:
    fees = make_chunk("kennel-fees", "A kennel stay is paid for. The kennel does open on request.")
    hours = [
        make_chunk(f"hours-{document}", f"The kennel opens at {hour} in the morning, each and every day of the year.")
        for document, hour in (("a", 6), ("b", 9))
    ]
    question = "What is the nightly hotel limit in standard cities, and when does the kennel open?"
    generator = TwoStepGenerator()
    settings = PipelineSettings.model_validate({"retrieval": {"limit": 3}, "verification": {"repairs": 0}})
    response = ReferencePipeline(settings=settings, generator=generator).answer(ask(question, [HOTEL, fees, *hours]))
    assert (response.decision.value, response.reason_code) == ("abstain", "CONFLICTING_EVIDENCE")
    assert set(response.cited) == {"hours-a", "hours-b"}
    assert len(generator.tasks) == 1
    assert steps(response)[-2:] == ["gate", "deliver"]
