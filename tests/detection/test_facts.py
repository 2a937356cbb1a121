from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.detection import HitKind
from pytest_grounded.detection.facts import Probe, is_strong, known_keys, needle, readings, strict_keys
from pytest_grounded.detection.skeleton import skeleton
from tests.detection.corpora import detector, handbook, hidden_chunk, make_chunk

pieces = st.sampled_from(
    ["41,750", "9.400,00", "0.65", "HX-41750-B", "DE123777888", "203.0.113.1", "dana.okafor@corp.example", "halcyon_bonus",
     "14 March 2027", "March 14, 2027", "2027-03-14", "14.03.2027", "12-month", "Level-3", "25th", "180k", "IEH", "Halcyon",
     "the", "cities", "41 750", "877-472-6716", "v3.2.1", "https://a.example/b/7731?x=1", "2027年3月14日", "¥", "Dana's", "A1"]
)  # fmt: skip


@given(st.lists(pieces, max_size=8).map(" ".join) | st.text(max_size=60))
def test_whatever_a_passage_is_known_by_is_met_when_the_passage_is_read(text: str) -> None:
    figures, words = known_keys(text)
    assert strict_keys(text) <= {*figures, *words, *(reading for word in words for reading in readings(word))}


@given(st.lists(pieces, max_size=8).map(" ".join))
def test_the_needle_of_a_fact_stands_in_the_passage(text: str) -> None:
    data = skeleton(text.replace("@", ""))
    assert all(skeleton(needle(key)) in data for key in strict_keys(text))


def kinds(
    hidden: str, shown: str, *, readable: str = "Hotels cost 180 dollars.", known: str = "", **fields: object
) -> set[str]:
    """How what is shown gives away a fact of a hidden chunk."""
    looking = detector(hidden_chunk("memo", hidden, **fields), make_chunk("page", readable), known=[known])
    return {hit.kind.value for hit in looking.scan({"text": shown})}


MEMO = "The retention bonus for the Halcyon closing team is 41,750 dollars per person, payable on 14 March 2027."


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        pytest.param(MEMO, "I cannot confirm 41750 or any other figure.", id="number without a separator"),
        pytest.param(MEMO, "It is 41.750,00 each.", id="number in another convention"),
        pytest.param(MEMO, "41\u202f750", id="number with narrow spaces"),
        pytest.param(MEMO, "USD 41'750", id="number with apostrophes"),
        pytest.param(MEMO, "４１，７５０", id="number in full width"),
        pytest.param(MEMO, "٤١٧٥٠", id="number in Arabic digits"),
        pytest.param(MEMO, "4\u200b1\u200b7\u200b5\u200b0", id="number with zero-width characters"),
        pytest.param(MEMO, "about 41.75k", id="scaled number"),
        pytest.param(MEMO, "It is $41,75K each", id="scaled number in another convention"),
        pytest.param(MEMO, "roughly 41.75 thousand dollars", id="scaled by a word"),
        pytest.param(MEMO, "0.04175m", id="scaled down"),
        pytest.param(MEMO, "4 1 7 5 0", id="digits with spaces"),
        pytest.param(MEMO, "It is 4-1-7-5-0.", id="digits with hyphens"),
        pytest.param(MEMO, "4, 1, 7, 5, 0", id="digits in a list"),
        pytest.param(MEMO, "4\n1\n7\n5\n0", id="digits in lines"),
        pytest.param(MEMO, "4 - 1 - 7 - 5 - 0", id="digits with spaced hyphens"),
        pytest.param(MEMO, "4·1·7·5·0", id="digits with points"),
        pytest.param("It comes to 41.75k.", "It is 41,750.", id="scaled number of the passage"),
        pytest.param("It comes to 2.345 million.", "2,345,000 euros", id="millions of the passage"),
        pytest.param(MEMO, r"\34 \31 \37 \35 \30", id="escapes of CSS"),
        pytest.param(MEMO, r"\x{34}\x{31}\x{37}\x{35}\x{30}", id="braced byte escapes"),
        pytest.param(MEMO, "On 2027-03-14.", id="ISO date"),
        pytest.param(MEMO, "On 14 March 2027.", id="the same date"),
        pytest.param(MEMO, "on March 14th, 2027", id="American date"),
        pytest.param(MEMO, "am 14.3.2027", id="German date in figures"),
        pytest.param(MEMO, "den 14. März 2027", id="German date in words"),
        pytest.param(MEMO, "2027年3月14日", id="Chinese date"),
        pytest.param(MEMO, "&#52;1750 it is", id="number with an entity"),
        pytest.param("Case HX-41750-B is open.", "see hx-41750-b", id="identifier in small letters"),
        pytest.param("Case HX-41750-B is open.", "see HX 41750 B", id="identifier with spaces"),
        pytest.param("Case HX-41750-B is open.", "see HX41750", id="run of parts of an identifier"),
        pytest.param("Tax number of the owner: DE123777888.", "What is DE123777888?", id="identifier in one piece"),
        pytest.param("Tax number of the owner: DE123777888.", "DE 123 777 888", id="identifier taken apart"),
        pytest.param("The gateway runs on 203.0.113.1.", "It is 203.0.113.1.", id="address of a machine"),
        pytest.param("Write to dana.okafor@corp.example now.", "dana.okafor (at) corp", id="local part of an address"),
        pytest.param("Call 877-472-6716 at night.", "877 472 6716", id="telephone number"),
    ],
)
def test_a_fact_that_tells_a_passage_is_found_in_any_notation(hidden: str, shown: str) -> None:
    assert "fact" in kinds(hidden, shown)


@pytest.mark.parametrize(
    ("hidden", "shown", "known", "readable"),
    [
        pytest.param(MEMO, "Is it 41,750?", "Is it 41750?", "", id="number of the question"),
        pytest.param(
            MEMO, "The grant came to 41.750 euros.", "", "A grant of 41,750 dollars.", id="number of readable text"
        ),
        pytest.param(MEMO, "It is 417500.", "", "", id="longer number"),
        pytest.param(MEMO, "It is 1750.", "", "", id="end of a number"),
        pytest.param("It is 5,000 a year.", "It is 5k.", "", "", id="round number that is scaled"),
        pytest.param("It is 1,500,000 a year.", "It is 1.5m long.", "", "", id="length in metres"),
        pytest.param(MEMO, "It is 41.75km away.", "", "", id="distance"),
        pytest.param(MEMO, "Sizes are 4 1-7 5/0.", "", "", id="digits with several marks between"),
        pytest.param(MEMO, "It is 4 1 7 5 0 2.", "", "", id="longer number taken apart"),
        pytest.param(MEMO, "Is it 41,750?", "About 41.75k?", "", id="scaled number of the question"),
        pytest.param(MEMO, "In 2027 we will see.", "", "", id="year alone"),
        pytest.param("The fee is 10,000 euros.", "About 10,000 people live there.", "", "", id="round number alone"),
        pytest.param(
            "The gateway runs on 203.0.113.1.",
            "It runs on 203.0.113.10.",
            "",
            "Status: 203.0.113.10",
            id="prefix of a public address",
        ),
        pytest.param("The pool is 95 dollars.", "It costs 95 dollars.", "", "", id="short figure alone"),
        pytest.param("Ask Halcyon.", "Halcyon?", "", "", id="name alone"),
        pytest.param(
            "A 12-month notice, Level-3.", "A level 3 notice for 12 months.", "", "", id="counts are no identifiers"
        ),
        pytest.param("It ends in 2027.The rest follows.", "In 2027. The rest.", "", "", id="missing space"),
    ],
)
def test_what_is_known_or_says_nothing_is_no_fact(hidden: str, shown: str, known: str, readable: str) -> None:
    assert "fact" not in kinds(hidden, shown, known=known, readable=readable)


@pytest.mark.parametrize(
    ("hidden", "shown", "kind"),
    [
        pytest.param(
            "Home airport of the director: IEH.", "The director flies from IEH.", {"pair"}, id="code and word"
        ),
        pytest.param("Home airport of the director: IEH.", "Somebody flies from IEH.", set(), id="code alone"),
        pytest.param("Employee 17 is on a warning.", "Number 17 got a warning.", {"pair"}, id="figure and word"),
        pytest.param("We ask Dana Okafor to leave.", "Dana Okafor?", {"pair"}, id="two words of a name"),
        pytest.param("We plan Halcyon for autumn.", "halcyon comes in autumn", {"pair"}, id="name in small letters"),
        pytest.param(
            "Contact HRD about documents.", "HRD has no documents.", set(), id="code and a word of any refusal"
        ),
        pytest.param(
            "We plan Halcyon for autumn.", "Nothing about Halcyon in my sources.", set(), id="name and stock words"
        ),
        pytest.param(
            "Die Frist für Verträge beträgt lange Wochen im Amt der Stadt.",
            "Frist und Verträge",
            set(),
            id="German nouns",
        ),
    ],
)
def test_a_name_a_code_or_a_short_figure_needs_a_second_word_of_the_passage(
    hidden: str, shown: str, kind: set[str]
) -> None:
    assert kinds(hidden, shown) == kind


def test_the_second_word_must_stand_in_that_passage_alone() -> None:
    hidden = (hidden_chunk("a", "The plan Halcyon needs welding."), hidden_chunk("b", "The site needs welding."))
    assert not detector(*hidden).scan("Halcyon has welding.")
    assert detector(hidden[0]).scan("Halcyon has welding.")


def test_company_in_another_field_does_not_count() -> None:
    looking = detector(hidden_chunk("memo", "Home airport of the director: IEH."))
    assert looking.scan({"text": "From IEH, says the director."})
    assert not looking.scan({"text": "From IEH.", "next_step": "Ask the director."})


def test_a_stated_fact_value_counts_like_the_text() -> None:
    assert "fact" in kinds("See the annex.", "It is 41,750.", facts={"bonus": "41750"})
    assert "text" in kinds(
        "See the annex.", "a quarterly dividend waiver it is", facts={"plan": "quarterly dividend waiver"}
    )


def test_a_number_that_is_no_text_counts_where_it_is_shown() -> None:
    looking = detector(hidden_chunk("memo", MEMO))
    assert {hit.kind for hit in looking.scan({"total": 41750})} == {HitKind.FACT}
    assert not looking.scan({"total": 41750}, is_shown=False)


def test_a_number_cut_over_stream_pieces_is_found() -> None:
    looking = detector(hidden_chunk("memo", MEMO))
    hits = looking.scan({"stream": ["it is 41", ",7", "50 then"]})
    assert {(hit.kind.value, hit.field) for hit in hits} == {("fact", "stream[*]")}


def test_the_clock_of_the_case_is_known() -> None:
    looking = detector(hidden_chunk("memo", "Signed on 1 October 2024 by all."))
    assert not looking.scan("As of 2024-10-01 nothing is known.")


def test_a_probe_of_real_text_is_strong_only_by_figures_and_identifiers() -> None:
    for text in handbook()[:40]:
        assert all(key[0] in "ndi" and is_strong(key) for key in Probe.of(text).strong)


def test_the_number_of_a_character_in_html_is_no_figure() -> None:
    looking = detector(hidden_chunk("memo", "The fee is 8217 dollars."), make_chunk("page", "You pay at the desk."))
    assert not looking.scan({"text": "you&#8217;re right, it&#x2019;s at the desk"})
    assert {hit.kind.value for hit in looking.scan({"text": "you&#8217;re right: 8,217"})} == {"fact"}
    assert {hit.view for hit in looking.scan({"text": "&#56;&#50;&#49;&#55;"})} == {"html"}
