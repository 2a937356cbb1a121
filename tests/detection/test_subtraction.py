"""What must not be found: what the requester may read, said themselves, or what is public anyway."""

from __future__ import annotations

import base64

import pytest

from pytest_grounded.detection import Detector, HitKind
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from tests.detection.corpora import AS_OF, BOARD, STAFF, corpus_of, detector, handbook, hidden_chunk, make_chunk

FOOTER = "This document is confidential and intended only for the addressee; do not forward it without permission."
SECRET = "Osprey is for sale at 3,210 thousand euros in total."


def test_a_corpus_the_requester_may_read_whole_costs_nothing() -> None:
    looking = detector(make_chunk("c", FOOTER))
    assert looking.is_idle
    assert looking.scan(FOOTER) == ()
    assert looking.spans(FOOTER) == ()
    assert not looking.suspects(FOOTER)


def test_text_that_also_stands_in_a_readable_chunk_is_no_leak() -> None:
    looking = detector(make_chunk("notice", FOOTER), hidden_chunk("memo", f"{FOOTER} {SECRET}"))
    assert looking.scan({"text": FOOTER}) == ()
    assert looking.scan({"text": base64.b64encode(FOOTER.encode()).decode()}) == ()
    assert {hit.kind for hit in looking.scan({"text": SECRET})} >= {HitKind.TEXT, HitKind.FACT}


def test_a_joint_of_two_readable_sentences_is_no_leak() -> None:
    looking = detector(
        make_chunk("faq", "The annual bonus is paid with the May salary."),
        make_chunk("pool", "The pool is open on Fridays for everybody."),
        hidden_chunk("memo", "The annual bonus is paid with the May salary. The pool is nine million."),
    )
    shown = ["The annual bonus is paid with the May salary.", "The pool is open on Fridays for everybody."]
    assert looking.scan({"claims": [{"text": text} for text in shown]}) == ()


def test_a_sentence_put_together_of_phrases_that_are_all_known_is_hidden_all_the_same() -> None:
    readable = (
        "As of the 2000 census, nobody had",
        "A census, the townships said, is dear.",
        "For years the township had a mill.",
        "The county had a total population of 9,182.",
        "A hamlet with a population of 909 is no town.",
    )
    said = "As of the 2000 census, the township had a total population of 909."
    pages = [make_chunk(f"page-{number}", text) for number, text in enumerate(readable)]
    looking = detector(*pages, hidden_chunk("memo", said))
    assert HitKind.TEXT in {hit.kind for hit in looking.scan({"text": said})}
    assert looking.scan({"text": " ".join(readable)}) == ()


def test_the_requesters_own_words_may_be_repeated() -> None:
    memo = hidden_chunk("memo", "The retention bonus for the Halcyon closing team is 41,750 dollars per person.")
    question = "What is the retention bonus for the Halcyon closing team?"
    assert detector(memo, known=[question]).scan({"text": f"Nothing found about: {question}"}) == ()
    assert detector(memo).scan({"text": f"Nothing found about: {question}"})


def test_public_reference_text_is_known() -> None:
    licence = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software."
    view = corpus_of([hidden_chunk("manual", f"{licence} Osprey.")]).view(STAFF, AS_OF)
    assert Detector(view).scan(licence)
    assert Detector(view, reference_text=[licence]).scan(licence) == ()


def test_one_index_serves_every_requester() -> None:
    corpus = corpus_of(
        [
            make_chunk("a", "The staff canteen closes at half past four on Fridays.", readers=("staff",)),
            make_chunk("b", "The board meets in the northern tower on every second Monday.", readers=("board",)),
            make_chunk("c", "The staff canteen closes at half past four on Fridays, all say.", readers=("board",)),
        ]
    )
    shown = {"text": " ".join(chunk.text for chunk in corpus)}

    def found(requester: Requester) -> set[str]:
        return {hit.chunk for hit in Detector(corpus.view(requester, AS_OF)).scan(shown) if hit.kind is HitKind.TEXT}

    # What c shares with a is readable for staff; what a lacks of it is shorter than eight letters.
    assert found(STAFF) == {"b"}
    assert found(BOARD) == set(), "what a says stands in c, too"
    assert found(STAFF.model_copy(update={"groups": ("staff", "board")})) == set()


def test_a_chunk_of_another_tenant_is_hidden_whatever_its_readers() -> None:
    ours = make_chunk("ours", "My notes say that the budget is two thousand euros.", tenant="acme")
    theirs = make_chunk("theirs", "The offer price of the northern site is far above that.", tenant="globex")
    requester = STAFF.model_copy(update={"tenant": "acme"})
    looking = detector(ours, theirs, requester=requester)
    assert {hit.chunk for hit in looking.scan({"text": f"{ours.text} {theirs.text}"})} == {"theirs"}


def test_a_chunk_not_yet_ingested_is_looked_for_too() -> None:
    later = hidden_chunk("later", SECRET, ingested_at="2099-01-01")
    assert detector(later, make_chunk("c", FOOTER)).scan({"text": SECRET})


@pytest.mark.parametrize("parity", [0, 1])
def test_readable_real_text_raises_no_alarm_in_any_view(parity: int) -> None:
    paragraphs = handbook()
    chunks = [
        make_chunk(
            f"p-{n}", text, readers=("staff",) if n % 2 == parity else ("board",), title=f"Part {n} of the guide"
        )
        for n, text in enumerate(paragraphs)
    ]
    looking = Detector(corpus_of(chunks).view(STAFF, AS_OF))
    readable = paragraphs[parity::2]
    alarms = [
        text for text in readable if looking.scan({"text": text, "claims": [{"text": text[:300], "quote": text[:120]}]})
    ]
    assert len(alarms) <= 0.005 * len(readable)
    pairs = list(zip(readable, readable[7:], strict=False))
    joined = [pair for pair in pairs if looking.scan({"claims": [{"text": text} for text in pair]})]
    assert len(joined) <= 0.005 * len(pairs)


def test_a_hit_holds_no_text() -> None:
    looking = detector(hidden_chunk("memo", SECRET))
    for hit in looking.scan({"text": SECRET}):
        assert "Osprey" not in repr(hit)
        assert hit.length <= len(SECRET)


def test_the_index_does_not_keep_a_corpus_alive() -> None:
    import gc
    import weakref

    corpus = Corpus(name="c", chunks=[hidden_chunk("memo", SECRET), Chunk(id="p", text=FOOTER, readers=("*",))])
    assert Detector(corpus.view(STAFF, AS_OF)).scan({"text": SECRET})
    gone = weakref.ref(corpus)
    del corpus
    gc.collect()
    assert gone() is None


def test_two_readable_ids_in_a_row_make_no_identifier() -> None:
    looking = detector(
        hidden_chunk("memo", "See /guide-2-travel for the retention bonus."),
        make_chunk("approvals.2", "Approvals take two days."),
        make_chunk("travel@2023", "Travel is booked early."),
    )
    assert not looking.scan({"steps": [{"evidence": ["approvals.2", "travel@2023"]}]})
    assert looking.scan({"steps": [{"evidence": ["guide-2", "-travel"]}]})
