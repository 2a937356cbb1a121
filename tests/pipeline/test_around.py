"""What stands around the pipeline: the stream gate, the audit probe, the ticket store."""

from __future__ import annotations

import itertools
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.probe import AuditedPipeline
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.streaming import gate_stream, streamed
from pytest_grounded.pipeline.tickets import EscalatingPipeline, TicketStore, narrowest_readers
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step, steps

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
MEMO = make_chunk("memo", "The retention bonus of the crew is $42,000.", readers=["board"])
BONUS = "What is the retention bonus of the crew?"
BOARD = Requester(id="b", groups=("board",))
DAY = date(2024, 10, 2)


@given(st.lists(st.text(alphabet="ab 1.!? ", max_size=8), max_size=12))
def test_nothing_is_shown_before_its_sentence_is_whole_and_verified(deltas: list[str]) -> None:
    shown = "".join(piece.text for piece in gate_stream(deltas, lambda sentence: "1" not in sentence))
    assert "1" not in shown
    whole = "".join(piece.text for piece in gate_stream(deltas, lambda _: True))
    assert whole.split() == "".join(deltas).split()


def test_a_sentence_that_fails_is_held_back_for_good() -> None:
    pieces = gate_stream(["It is $180. It is", " $999. Ask us."], lambda sentence: "999" not in sentence)
    assert "".join(piece.text for piece in pieces) == "It is $180. Ask us."


def test_the_pieces_of_an_answer_are_its_text() -> None:
    response = streamed(ReferencePipeline().answer(ask("What is the mileage rate?", [HOTEL])))
    assert "".join(piece.text for piece in response.stream) == response.text
    assert all(piece.verified for piece in response.stream)


def test_the_probe_sets_the_internal_reason_and_touches_nothing_visible() -> None:
    pipeline = ReferencePipeline()
    plain, audited = (one.answer(ask(BONUS, [HOTEL, MEMO])) for one in (pipeline, AuditedPipeline(pipeline)))
    assert audited.internal.reason_code == "NOT_AUTHORIZED"
    assert audited.reason_code == "NO_EVIDENCE"
    assert audited.visible() == plain.visible()
    assert audited.internal.candidates == plain.internal.candidates


@pytest.mark.parametrize(
    ("question", "requester", "expected"),
    [
        pytest.param("What is the attention bonus of the fleet?", Requester(id="x"), "NO_EVIDENCE", id="absent"),
        pytest.param(BONUS, BOARD, None, id="permitted"),
    ],
)
def test_the_probe_finds_nothing_where_nothing_is_hidden(
    question: str, requester: Requester, expected: str | None
) -> None:
    response = AuditedPipeline(ReferencePipeline()).answer(ask(question, [HOTEL, MEMO], requester=requester))
    assert response.internal.reason_code == expected


def test_the_probe_is_not_part_of_the_measured_time() -> None:
    ticks = itertools.count(1.0, 0.5)
    response = AuditedPipeline(ReferencePipeline(), clock=lambda: next(ticks)).answer(ask(BONUS, [MEMO]))
    assert response.internal.timings == {"total_ms": 500.0}


@pytest.mark.parametrize("around", [{}, {"cache": 8}, {"probe": "yes"}, {"cache": 8, "probe": "yes", "remember": 4}])
def test_what_stands_around_the_pipeline_changes_nothing_that_is_said(around: dict[str, object]) -> None:
    system = assemble(PipelineSettings.model_validate({"around": around}))
    for question in ("What is the nightly hotel limit in a standard city?", BONUS):
        request = ask(question, [HOTEL, MEMO])
        answers = [system.answer(request).visible() for _ in range(2)]
        assert answers == [ReferencePipeline().answer(request).visible()] * 2


def test_settings_put_a_stream_around_the_pipeline() -> None:
    response = assemble(PipelineSettings.model_validate({"around": {"stream": "yes"}})).answer(ask(BONUS, [HOTEL]))
    assert [piece.verified for piece in response.stream] == [True]


def test_a_question_that_was_not_answered_becomes_a_ticket() -> None:
    with TicketStore() as store:
        pipeline = EscalatingPipeline(ReferencePipeline(), store)
        question = "What is the nightly hotel limit in Paris?"
        response = pipeline.answer(ask(question, [HOTEL]))
        (ticket,) = store.tickets()
        assert step(response, "ticket")["ticket"] == ticket.id
        assert (ticket.question, ticket.reason_code, ticket.candidates) == (question, "PARTIAL_EVIDENCE", ("hotel",))
        assert ticket.failed == (f"gate: {step(response, 'gate')['says']}",)
        assert response.visible() == ReferencePipeline().answer(ask(question, [HOTEL])).visible()
        pipeline.answer(ask(question, [HOTEL]))
        assert len(store.tickets(resolved=False)) == 1


@pytest.mark.parametrize(
    "question", ["What is the nightly hotel limit in a standard city?", "What dose of ibuprofen can I take?"]
)
def test_an_answer_and_a_refusal_by_policy_open_no_ticket(question: str) -> None:
    with TicketStore() as store:
        response = EscalatingPipeline(ReferencePipeline(), store).answer(ask(question, [HOTEL]))
        assert store.tickets() == ()
        assert "ticket" not in steps(response)


def test_a_resolution_answers_the_question_in_a_new_revision(tmp_path: Path) -> None:
    question = "What is the nightly hotel limit in Paris?"
    corpus = Corpus(name="travel", chunks=[HOTEL], revision="1")
    path = tmp_path / "tickets.sqlite"
    with TicketStore(path) as store:
        EscalatingPipeline(ReferencePipeline(), store).answer(ask(question, corpus))
        (ticket,) = store.tickets()
        store.resolve(ticket.id, "Paris is a high-cost city: $260 a night.", effective_from=DAY, evidence=[HOTEL])
    with TicketStore(path) as store:
        revised = store.revised(corpus, revision="2")
        assert store.revised(revised, revision="2").ids == revised.ids
    assert revised.revision == "2"
    answered = ReferencePipeline().answer(ask(question, revised, as_of=DAY))
    before = ReferencePipeline().answer(ask(question, revised))
    assert (answered.decision.value, answered.cited) == ("answer", (f"ticket-{ticket.id}",))
    assert before.decision.value == "clarify"


def test_a_resolution_may_be_read_only_by_those_who_may_read_its_evidence() -> None:
    with TicketStore() as store:
        pipeline = EscalatingPipeline(ReferencePipeline(), store)
        pipeline.answer(ask(BONUS, [HOTEL, MEMO]))
        (ticket,) = store.tickets()
        chunk = store.resolve(
            ticket.id, "The retention bonus of the crew is $42,000.", effective_from=DAY, evidence=[HOTEL, MEMO]
        )
        revised = store.revised(Corpus(name="c", chunks=[HOTEL, MEMO]), revision="2")
    assert chunk.readers == ("board",)
    assert ReferencePipeline().answer(ask(BONUS, revised, as_of=DAY)).reason_code == "NO_EVIDENCE"
    assert ReferencePipeline().answer(ask(BONUS, revised, as_of=DAY, requester=BOARD)).decision.value == "answer"


def test_readers_without_a_common_group_are_nobody() -> None:
    staff, board = make_chunk("a", readers=["staff"]), make_chunk("b", readers=["board"])
    assert narrowest_readers([staff, board]) == ()
    assert narrowest_readers([HOTEL]) == ("*",)
    assert narrowest_readers([staff, make_chunk("c", readers=[])]) == ()


def test_an_answer_from_a_persons_head_needs_its_readers_said() -> None:
    with TicketStore() as store:
        ticket = store.open(ask(BONUS, []), ReferencePipeline().answer(ask(BONUS, [])))
        with pytest.raises(ValueError, match="needs `readers`"):
            store.resolve(ticket.id, "It is so.", effective_from=DAY)
        assert store.resolve(ticket.id, "It is so.", effective_from=DAY, readers=["hr"]).readers == ("hr",)


def test_evidence_of_two_tenants_makes_no_document() -> None:
    ours, theirs = make_chunk("a", tenant="acme"), make_chunk("b", tenant="other")
    with TicketStore() as store:
        ticket = store.open(ask(BONUS, []), ReferencePipeline().answer(ask(BONUS, [])))
        with pytest.raises(ValueError, match="several tenants: acme, other"):
            store.resolve(ticket.id, "Joint.", effective_from=DAY, evidence=[ours, theirs])
        assert store.resolve(ticket.id, "Ours.", effective_from=DAY, evidence=[ours]).tenant == "acme"


def test_a_resolution_applies_where_all_of_its_evidence_does() -> None:
    staff = make_chunk("a", audience=["employee", "intern"], scope={"region": "EMEA"})
    board = make_chunk("b", audience=["employee", "board"], scope={"city": "Rome"})
    with TicketStore() as store:
        ticket = store.open(ask(BONUS, []), ReferencePipeline().answer(ask(BONUS, [])))
        chunk = store.resolve(ticket.id, "So it is.", effective_from=DAY, evidence=[staff, board, HOTEL])
        assert (chunk.audience, dict(chunk.scope)) == (("employee",), {"region": "EMEA", "city": "Rome"})
        contractors = make_chunk("c", audience=["contractor"])
        with pytest.raises(ValueError, match="applies to nobody in common: contractor, employee, intern"):
            store.resolve(ticket.id, "So it is.", effective_from=DAY, evidence=[staff, contractors])
        apac = make_chunk("d", scope={"region": "APAC"})
        with pytest.raises(ValueError, match="several values of region: EMEA, APAC"):
            store.resolve(ticket.id, "So it is.", effective_from=DAY, evidence=[staff, apac])


def test_a_ticket_keeps_who_asked() -> None:
    with TicketStore() as store:
        asked = ask(BONUS, [], requester=Requester(id="ann", groups=("staff",), tenant="acme"))
        ticket = store.open(asked, ReferencePipeline().answer(asked))
    assert (ticket.requester, ticket.as_of) == (asked.requester, asked.as_of)


def test_a_ticket_says_at_which_check_the_drafts_failed(tmp_path: Path) -> None:
    draft = {"claims": [{"text": "It is $999 a night.", "citations": [{"chunk": "hotel", "quote": HOTEL.text}]}]}
    settings = PipelineSettings.model_validate({"verification": {"on_failure": "escalate", "mend": "no"}})
    with TicketStore(tmp_path / "tickets.sqlite") as store:
        answers = ReferencePipeline(settings=settings, generator=ScriptedGenerator(draft))
        EscalatingPipeline(answers, store).answer(ask("What is the nightly hotel limit?", [HOTEL]))
        (ticket,) = store.tickets()
    assert ticket.reason_code == "UNVERIFIED_ANSWER"
    assert ticket.failed == ("numbers: numbers not in cited chunks: ['999']",)


def test_a_ticket_that_does_not_exist_is_an_error() -> None:
    with TicketStore() as store, pytest.raises(KeyError, match="no ticket 'x'"):
        store.get("x")
