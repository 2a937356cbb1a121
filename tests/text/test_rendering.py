"""Quotes of what mark-up shows, and what may not go with the mark-up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.quotes import QuoteVerdict, folded_before, judge_quote, locate_quote
from pytest_grounded.text.rendering import rendered

QUOTE = "The limit is $180 per night in standard cities."


@pytest.mark.parametrize(
    "source",
    [
        "**The limit** is _$180_ per `night` in ***standard*** cities.",
        "The limit[3] is $180 per night[^4] in standard cities.",
        "The limit¹ is $180 per night in standard cities.",
        "The limit is [$180](https://example.org/a) per night in [standard cities](b.html).",
        "<p>The limit is <b>$180</b> per&nbsp;night<br/>in <a href='x'>standard</a> cities.</p>",
        "<td>The limit is</td><td>$180 per night</td> in standard cities.",
        "## The limit is \\$180 per night in standard cities.",
        "> The limit is $180 per night\n> in standard cities.",
        "The limit is $180 per night in stan -\ndard cities.",
        "The limit is $ 180 per night in standard cities .",
        "The limit is $180 per night in standard cities, and more in others.",
        "So the limit is $180 per night in standard cities; taxes apply.",
    ],
)
def test_a_quote_of_what_is_shown_is_found(source: str) -> None:
    assert judge_quote(QUOTE, source) is QuoteVerdict.VERBATIM
    ((start, end),) = locate_quote(QUOTE, source)
    assert "180" in source[start:end]


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("**The limit** is $180 per night", QUOTE),
        ("[T]he limit is $180 per night", "In general, the limit is $180 per night."),
        ("“The limit is $180 per night.”", "The limit is $180 per night, and more."),
        ("the rate is 5 &ndash; 10 % per year", "The rate is 5 – 10 % per year"),
    ],
)
def test_a_quote_may_be_marked_up_itself(quote: str, source: str) -> None:
    assert judge_quote(quote, source) is QuoteVerdict.VERBATIM


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("The limit is $18 per night.", "The limit is $180 per night."),
        ("The limit is $180.", "The limit is $180.50 per night."),
        ("The fee is 10 euros a month", "The fee is 10<sup>2</sup> euros a month"),
        ("The plot has 50 m of land", "The plot has 50 m² of land"),
        ("The limit is $180 a night", "The limit is ~~$150~~ $180 a night"),
        ("The List of names is returned", "The List<String> of names is returned"),
        ("if a d then stop at once", "if a <b and c> d then stop at once"),
        ("two times three is six in all", "two * times * three is not six in all"),
        ("The limit is $180 per night", "The limit is **not** $180 per night"),
    ],
)
def test_what_is_no_mark_up_is_part_of_a_quote(quote: str, source: str) -> None:
    assert judge_quote(quote, source) is QuoteVerdict.NOT_VERBATIM


def test_what_stands_before_a_rendered_quote_is_what_is_shown() -> None:
    source = "Guests are <b>not</b> permitted to **leave** early."
    assert folded_before("permitted to leave early", source) == "guests are not"


@given(st.text(alphabet="ab1 *_`[]()<>&#;.,-\\\n²$", max_size=60))
def test_what_is_shown_has_no_word_that_is_not_written(text: str) -> None:
    shown = rendered(text)
    written = iter(text)
    assert all(character in written for character in shown if character.isalnum())
