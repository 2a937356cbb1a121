"""What the deterministic generator quotes, and what any generator is shown."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.evidence import Evidence, estimate_tokens
from pytest_grounded.pipeline.extractive import ExtractiveGenerator
from pytest_grounded.pipeline.generate import Failure, GenerationTask, serialize
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.verify import verify
from pytest_grounded.testing.builders import make_chunk

PAGE = """When you travel by car, keep these rules in mind.

Rental cars are compact. They must be booked at least 14 days ahead.

We pay for:

- fuel
- tolls on the way

Parking is not paid for. However, airport parking of up to $12 a day is.

| Zone | Daily amount |
|------|--------------|
| A    | $24          |
| B    | $18          |
"""


def task(question: str, *chunks: Chunk, **settings: Any) -> GenerationTask:
    read = read_question(question)
    evidence = tuple(Evidence(chunk=chunk, score=1.0) for chunk in chunks)
    return GenerationTask(
        question=read, parts=read.parts, evidence=evidence, settings=PipelineSettings.model_validate(settings)
    )


def claims(question: str, *chunks: Chunk, **settings: Any) -> list[dict[str, Any]]:
    given = task(question, *chunks, **settings)
    draft: Any = ExtractiveGenerator().generate(given, serialize(given))
    return list(draft["claims"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("Are rental cars compact?", "Rental cars are compact.", id="sentence"),
        pytest.param(
            "How many days ahead must they be booked?",
            "Rental cars are compact. They must be booked at least 14 days ahead.",
            id="points-back",
        ),
        pytest.param("What do we pay for?", "We pay for: fuel; tolls on the way", id="leads-into-a-list"),
        pytest.param(
            "Is parking paid for?",
            "Parking is not paid for. However, airport parking of up to $12 a day is.",
            id="with-its-exception",
        ),
        pytest.param("What is the daily amount in zone B?", "Zone: B; Daily amount: $18", id="row"),
    ],
)
def test_the_passage_that_answers_is_quoted_whole(question: str, expected: str) -> None:
    first = claims(question, make_chunk(text=PAGE))[0]
    assert first["text"] == expected


@pytest.mark.parametrize(
    "question",
    [
        "Is airport parking paid for?",
        "What do we pay for?",
        "What is the daily amount in zone B?",
        "Are rental cars compact?",
    ],
)
def test_every_quote_stands_verbatim_in_its_chunk_and_the_draft_verifies(question: str) -> None:
    chunk = make_chunk(text=PAGE)
    given = task(question, chunk)
    draft: Any = ExtractiveGenerator().generate(given, "")
    assert all(citation["quote"] in chunk.text for claim in draft["claims"] for citation in claim["citations"])
    assert verify(draft, given).ok


def test_each_part_of_a_question_gets_its_own_chunk() -> None:
    hotel = make_chunk("hotel", "The hotel limit is $180.")
    receipts = make_chunk("receipts", "Receipts are required above $25.")
    found = claims("What is the hotel limit, and when are receipts required?", receipts, hotel)
    assert [claim["citations"][0]["chunk"] for claim in found] == ["hotel", "receipts"]


def test_a_comparison_within_one_part_quotes_both_sides() -> None:
    standard = make_chunk("standard", "The nightly limit in standard cities is $180.")
    costly = make_chunk("costly", "The nightly limit in high-cost cities is $260.")
    found = claims("How do the nightly limits in standard cities and in high-cost cities compare?", standard, costly)
    assert {claim["citations"][0]["chunk"] for claim in found} == {"standard", "costly"}


def test_the_chunk_that_matches_the_qualifier_wins() -> None:
    standard = make_chunk("standard", "The nightly limit in standard cities is $180.")
    costly = make_chunk("costly", "The nightly limit in high-cost cities is $260.")
    (claim,) = claims("What is the nightly limit in a high-cost city?", standard, costly)
    assert claim["citations"][0]["chunk"] == "costly"


def test_where_a_figure_is_asked_for_a_passage_that_states_one_comes_first() -> None:
    whom = make_chunk("whom", "The equipment allowance of permanent employees is for permanent employees.")
    figure = make_chunk("figure", "The equipment allowance is $500.")
    found = claims("How much is the equipment allowance of permanent employees?", whom, figure)
    assert [claim["citations"][0]["chunk"] for claim in found] == ["figure", "whom"]


def test_a_heading_that_asks_the_question_counts_for_its_text() -> None:
    asked = make_chunk("asked", "Only those above $75.", title="Which receipts must I keep?")
    other = make_chunk("other", "Keep in mind that receipts can be lost.", title="Advice")
    assert claims("Which receipts must I keep?", asked, other)[0]["citations"][0]["chunk"] == "asked"


def test_a_passage_about_something_else_is_not_added_for_one_shared_word() -> None:
    answer = make_chunk("answer", "Airfare must be booked 14 days in advance.")
    other = make_chunk("other", "Call the desk about a number of things.")
    found = claims("Which number of days in advance must airfare be booked?", answer, other)
    assert [claim["citations"][0]["chunk"] for claim in found] == ["answer"]


def test_a_quote_too_short_to_show_anything_grows() -> None:
    (claim,) = claims("Are pets allowed?", make_chunk(text="Pets: yes. They may board every train."))
    assert claim["citations"][0]["quote"] == "Pets: yes. They may board every train."


def test_what_is_withheld_is_neither_quoted_nor_serialized() -> None:
    text = "The rate is $0.60. The rate was $0.99 once."
    item = Evidence(chunk=make_chunk(text=text), score=1.0).withhold([(19, 43)])
    read = read_question("What is the rate?")
    given = GenerationTask(question=read, parts=read.parts, evidence=(item,), settings=PipelineSettings())
    assert "0.99" not in serialize(given) + str(ExtractiveGenerator().generate(given, ""))


def test_the_number_of_claims_is_bounded_but_each_part_keeps_one() -> None:
    chunks = [make_chunk(f"c{n}", f"The {word} fee is ${n}.") for n, word in enumerate(("visa", "taxi", "hotel"))]
    question = "What is the visa fee, and what is the taxi fee, and what is the hotel fee?"
    assert len(claims(question, *chunks, generation={"max_claims": 1})) == 3


def test_evidence_order_changes_the_prompt_and_not_the_draft() -> None:
    chunks = [make_chunk("b", "The hotel limit is $180."), make_chunk("a", "Hotel bars are closed.")]
    tasks = {
        order: task("What is the hotel limit?", *chunks, generation={"evidence_order": order})
        for order in ("rank", "reversed", "id")
    }
    places = {order: serialize(one).index('"b"') < serialize(one).index('"a"') for order, one in tasks.items()}
    assert places == {"rank": True, "reversed": False, "id": False}
    drafts = [ExtractiveGenerator().generate(one, serialize(one)) for one in tasks.values()]
    assert drafts[0] == drafts[1] == drafts[2]


def test_a_prompt_holds_evidence_as_data_and_what_failed_before() -> None:
    given = task("What is the limit?", make_chunk(title="Hotel", version="v3", effective_from="2024-07-01"))
    failure = Failure(claim=0, check="quote", detail="quote is not a substring of the cited chunks")
    prompt = serialize(
        GenerationTask(
            question=given.question,
            parts=given.parts,
            evidence=given.evidence,
            settings=given.settings,
            missing=("Paris",),
            attempt=2,
            failures=(failure,),
        )
    )
    assert '"id": "c1", "title": "Hotel", "version": "v3", "effective_from": "2024-07-01"' in prompt
    assert 'Not covered, give no value for it: "Paris"' in prompt
    assert prompt.endswith("Your last draft failed: quote: quote is not a substring of the cited chunks")


def test_tokens_are_estimated_alike_everywhere() -> None:
    assert [estimate_tokens(text) for text in ("", "a", "abcd", "abcde", "限额", "\ud800")] == [0, 1, 1, 2, 2, 1]


def test_each_case_of_a_figure_is_told_where_the_question_says_none_of_them() -> None:
    hall = make_chunk("hall", "In the hall a locker costs $2 a day.")
    tower = make_chunk("tower", "In the tower a locker costs $3 a day.")
    lost = make_chunk("lost", "A lost key for a locker costs $15, which is charged to the card.")
    asked = "How much does a locker cost a day?"
    assert [claim["text"] for claim in claims(asked, hall, tower, lost)] == [hall.text, tower.text]
    assert [claim["text"] for claim in claims("How much does a locker in the tower cost a day?", hall, tower)] == [
        tower.text
    ]
    visas = [make_chunk(name, f"A {name} visa costs ${cost}.") for name, cost in (("work", 80), ("student", 30))]
    assert [claim["text"] for claim in claims("What does a visa cost?", *visas)] == [visa.text for visa in visas]
    same = make_chunk("same", "In the annex a locker costs $2 a day.")
    assert [claim["text"] for claim in claims(asked, hall, same)] == [hall.text]


def test_a_list_is_quoted_to_its_last_item_however_long_its_items_are() -> None:
    told = "it is told at some length why this one is kept apart from the others " * 5
    items = "\n".join(f"- A **{name}** form: {told.strip()}." for name in ("green", "blue", "yellow"))
    (claim,) = claims(
        "Which kinds of form are there?", make_chunk("forms", f"There are three kinds of form:\n\n{items}")
    )
    assert [name for name in ("green", "blue", "yellow") if f"A {name} form" in claim["text"]] == [
        "green",
        "blue",
        "yellow",
    ]


def test_a_passage_under_the_conditions_of_the_question_comes_before_one_with_more_of_its_words() -> None:
    groups = make_chunk("groups", "The form for all school and group tickets is the green one.")
    single = make_chunk("single", "Choose the form that you need, and hand in a receipt for single tickets.")
    first = claims("What form do I choose for a group ticket?", single, groups)[0]
    assert first["text"] == groups.text


def test_a_condition_may_stand_in_the_heading_of_what_answers() -> None:
    under = make_chunk("dogs", "No leash is needed.", title="Dogs in the park")
    beside = make_chunk("beside", "A leash for dogs is a fine present, and some like to look at one.")
    assert claims("Do I need a leash for dogs?", under, beside)[0]["text"] == under.text


def test_what_is_needed_is_required() -> None:
    helpful = make_chunk("helpful", "Keeping a stamp for parcels may be helpful.")
    needed = make_chunk("needed", "No stamp is needed.", title="Parcels")
    assert claims("Are stamps required for parcels?", helpful, needed)[0]["text"] == needed.text


def test_of_two_things_that_are_compared_each_is_told() -> None:
    first = make_chunk("first", "The rent of the hall in the harbour was $90 a day in 2023.")
    second = make_chunk("second", "The rent of the hall in the harbour is $99 a day in 2024.")
    note = make_chunk("note", "In 2024 the office moved, in 2024 the desk was closed.")
    asked = "What is the difference between the rent of the hall in the harbour of 2023 and that of 2024?"
    assert [claim["text"] for claim in claims(asked, first, second, note)] == [first.text, second.text]


@pytest.mark.parametrize(
    "question",
    ["How much are school lunch and the music lesson?", "What do the music lesson and school lunch cost?"],
)
def test_of_two_things_joined_each_is_told_with_its_figure(question: str) -> None:
    texts = [
        "School lunch costs 4.20 euros per day.",
        "The music lesson fee is 35 euros per month.",
        "The school bus leaves at 07:35.",
        "Phones are returned after 2 school days.",
    ]
    chunks = [make_chunk(f"c{place}", text=text) for place, text in enumerate(texts)]
    assert {claim["text"] for claim in claims(question, *chunks)} == set(texts[:2])


def test_what_another_article_says_is_not_added_to_what_is_told_of_the_one_that_is_named() -> None:
    seventh = make_chunk("seventh", "Article 7 was repealed in spring.")
    fifth = make_chunk("fifth", "Article 5 requires form B.")
    asked = "Which form does article 7 require?"
    assert [claim["text"] for claim in claims(asked, seventh, fifth)] == [seventh.text]
    added = make_chunk("added", "As to the form, a letter is required.")
    assert added.text in [claim["text"] for claim in claims(asked, seventh, added)]
