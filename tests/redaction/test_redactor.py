from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.detection import Detector
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.redaction import Redactor, redacted
from tests.detection.corpora import AS_OF, BOARD, STAFF, corpus_of, handbook, hidden_chunk, make_chunk
from tests.detection.disguises import DISGUISES

SECRET = "The retention bonus for the Halcyon closing team is 41,750 dollars per person."
CHUNKS = (
    hidden_chunk(
        "board-memo-7#2",
        SECRET,
        title="Closing Bonus Memorandum",
        url="https://intranet.example/board/7",
        locator="annex B, third row",
    ),
    hidden_chunk("board-memo-9", "Home airport of the director: IEH."),
    hidden_chunk("c2", "Two people will be dismissed before the summer begins."),
    make_chunk("travel-policy#1", "The nightly hotel limit in standard cities is 180 dollars.", title="Travel policy"),
)
VIEW = corpus_of(CHUNKS).view(STAFF, AS_OF)


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(VIEW)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        pytest.param(f"said '{SECRET}'", f"said '{redacted(len(SECRET) - 1)}.'", id="whole text"),
        pytest.param("it says: the Halcyon closing team is 41,750", f"it says: {redacted(34)}", id="part of a text"),
        pytest.param("number 41.750 is unsupported", f"number {redacted(6)} is unsupported", id="fact"),
        pytest.param("cites board-memo-7#2 and travel-policy#1", "cites restricted-1 and travel-policy#1", id="id"),
        pytest.param("chunk 'c2' was dropped", "chunk 'restricted-3' was dropped", id="short id in quote marks"),
        pytest.param("see Closing Bonus Memorandum, p. 2", f"see {redacted(24)}, p. 2", id="title"),
        pytest.param("at https://intranet.example/board/7?a=1", f"at https://{redacted(24)}?a=1", id="address"),
        pytest.param("in annex B, third row", f"in {redacted(18)}", id="locator"),
        pytest.param("board-memo-7 is a document", f"{redacted(12)} is a document", id="document"),
        pytest.param(
            "The director flies from IEH.", f"The {redacted(8)} flies from {redacted(3)}.", id="name and company"
        ),
        pytest.param("key sk-test-11112222 used", "key [secret removed] used", id="credential"),
    ],
)
def test_what_may_not_be_read_is_replaced(text: str, cleaned: str, redactor: Redactor) -> None:
    assert redactor.text(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "The nightly hotel limit in standard cities is 180 dollars.",
        "decision: expected abstain, got answer",
        "Travel policy",
        "",
        "c2"[:1],
    ],
)
def test_what_may_be_read_stays(text: str, redactor: Redactor) -> None:
    assert redactor.text(text) == text


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_no_disguise_gets_through(disguise: Any, redactor: Redactor) -> None:
    shown = disguise(SECRET)
    cleaned = redactor.text(f"before {shown} after")
    assert shown not in cleaned
    assert not Detector(VIEW).scan(cleaned)


def test_a_question_that_holds_restricted_text_is_cleaned_too(redactor: Redactor) -> None:
    assert "41,750" not in redactor.text(f"Confirm: {SECRET}")
    assert "Halcyon" not in redactor.text("What is the retention bonus for the Halcyon closing team?")


def test_whoever_may_read_everything_reads_everything() -> None:
    everyone = Redactor(corpus_of([make_chunk("c", SECRET)]).view(STAFF, AS_OF))
    assert everyone.text(SECRET) == SECRET
    assert Redactor(corpus_of(CHUNKS).view(BOARD, AS_OF)).text(SECRET) == SECRET


def test_json_is_cleaned_in_values_numbers_and_keys(redactor: Redactor) -> None:
    cleaned = redactor.value(
        {
            "decision": "answer",
            "text": SECRET,
            "total": 41750,
            "count": 3,
            "scores": {"board-memo-7#2": 0.5, "travel-policy#1": 0.4},
            "lines": ["ok", None, True, SECRET[:60]],
        }
    )
    assert cleaned == {
        "decision": "answer",
        "text": f"{redacted(len(SECRET) - 1)}.",
        "total": redacted(5),
        "count": 3,
        "scores": {"restricted-1": 0.5, "travel-policy#1": 0.4},
        "lines": ["ok", None, True, redacted(60)],
    }


def test_text_spread_over_fields_costs_the_fields(redactor: Redactor) -> None:
    pieces = [SECRET[place : place + 5] for place in range(0, len(SECRET), 5)]
    cleaned = redactor.value(
        {"text": "Nothing found.", "stream": [{"text": piece, "verified": False} for piece in pieces]}
    )
    assert cleaned["text"] == "Nothing found."
    assert not Detector(VIEW).scan(cleaned)
    assert all(piece["verified"] is False for piece in cleaned["stream"])


def nested(words: list[str]) -> Any:
    return {words[0]: nested(words[1:])} if words else 0


WORDS = SECRET.split()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(dict.fromkeys(WORDS, 1), id="one word a key"),
        pytest.param({"scores": {word: {"n": 1} for word in WORDS}}, id="one word a key, further down"),
        pytest.param({"hits": [{word: 1} for word in WORDS]}, id="one key an entry"),
        pytest.param({"debug": nested(WORDS)}, id="keys in keys"),
        pytest.param({"debug": {f"{word}-{n}"[::-1]: n for n, word in enumerate(WORDS)}}, id="keys backwards"),
        pytest.param({"debug": {base64.b64encode(SECRET.encode()).decode()[n : n + 9]: n for n in range(0, 110, 9)}}, id="base64 in keys"),
        pytest.param({"error": {"kind": "index", "status": 41750}}, id="figure as a status"),
        pytest.param({"confidence": 41750.0}, id="figure as a confidence"),
        pytest.param({"error": {"kind": SECRET, "status": SECRET}}, id="text in closed fields"),
        pytest.param({"decision": "answer", "reason_code": "board-memo-7#2"}, id="id as a reason"),
        pytest.param([WORDS, [[word] for word in WORDS]], id="lists of words"),
    ],
)  # fmt: skip
def test_no_shape_of_json_gets_anything_through(value: Any, redactor: Redactor) -> None:
    cleaned = redactor.value(value)
    assert not Detector(VIEW).scan(cleaned)
    assert not any(word in json.dumps(cleaned) for word in ("Halcyon", "41750", "closing", "memo"))
    assert redactor.value(cleaned) == cleaned


def test_a_value_without_anything_restricted_is_given_back_as_it_is(redactor: Redactor) -> None:
    value = {"decision": "abstain", "text": "I found nothing about that.", "n": [1, 2.5]}
    assert redactor.value(value) is value


def test_words_of_the_contract_stay_though_a_title_is_one() -> None:
    view = corpus_of([hidden_chunk("x1", SECRET, title="Answer")]).view(STAFF, AS_OF)
    assert Redactor(view).value({"decision": "answer"}) == {"decision": "answer"}


def test_two_keys_that_become_one_stay_two(redactor: Redactor) -> None:
    cleaned = redactor.value({"41,750": 1, "41.750": 2})
    assert sorted(cleaned.values()) == [1, 2]


def test_a_finding_is_cleaned_and_its_chunks_are_named_as_they_may_be(redactor: Redactor) -> None:
    finding = Finding(
        check="quote.not_verbatim",
        message=f"the quote {SECRET!r} is not in travel-policy#1",
        owner=Owner.GENERATION,
        field="scores.board-memo-7#2",
        chunks=("board-memo-7#2", "travel-policy#1"),
        case="x",
    )
    cleaned = redactor.finding(finding)
    assert cleaned.chunks == ("restricted-1", "travel-policy#1")
    assert cleaned.field == "scores.restricted-1"
    assert "Halcyon" not in cleaned.message
    assert (cleaned.check, cleaned.case, cleaned.owner) == (finding.check, finding.case, finding.owner)


def test_extra_texts_are_taken_out_as_whole_words() -> None:
    redactor = Redactor(VIEW, extra=["IEH", "Dana Okafor", ""])
    assert redactor.text("ieh, Dana Okafor and IEHX") == f"{redacted(3)}, {redacted(11)} and IEHX"
    assert redactor.value({"a": ["IEH"]}) == {"a": [redacted(3)]}


def test_the_same_bytes_come_out_on_every_machine(redactor: Redactor) -> None:
    again = Redactor(corpus_of(reversed(CHUNKS)).view(STAFF, AS_OF))
    text = f"{SECRET} and board-memo-9; {base64.b64encode(SECRET.encode()).decode()}"
    assert again.text(text) == redactor.text(text)


words = st.sampled_from(
    [*SECRET.split(), "board-memo-7#2", "c2", "'c2'", "IEH", "director", "180", "41750", *handbook()[3].split()[:8]]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(words, max_size=25).map(" ".join))
def test_cleaned_text_holds_nothing_more_and_stays_as_it_is(text: str) -> None:
    redactor = Redactor(VIEW)
    cleaned = redactor.text(text)
    assert not Detector(VIEW).scan(cleaned)
    assert redactor.text(cleaned) == cleaned


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        words | st.integers(0, 50000) | st.none(),
        lambda v: st.lists(v, max_size=4) | st.dictionaries(words, v, max_size=3),
        max_leaves=12,
    )
)
def test_cleaned_json_holds_nothing_more_and_stays_json(value: Any) -> None:
    cleaned = Redactor(VIEW).value(value)
    assert not Detector(VIEW).scan(cleaned)
    json.dumps(cleaned)


def test_what_is_nested_too_deeply_is_not_written(redactor: Redactor) -> None:
    value: Any = SECRET
    for _ in range(400):
        value = [value]
    cleaned = json.dumps(redactor.value({"x": value, "y": SECRET}))
    assert "Halcyon" not in cleaned
    assert "nested too deeply" in cleaned or "secret removed" in cleaned
