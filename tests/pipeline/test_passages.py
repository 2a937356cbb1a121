"""What a chunk of Markdown states, passage by passage."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.pipeline.passages import PassageKind, has_header, passages, plain, states_something

PAGE = """# Cars

You may rent a car. It must be **compact**
unless two travel together.

We pay for:

- fuel
- [tolls](https://example.org/tolls)

| Zone | Limit |
|------|-------|
| A    | $24   |

```
code line
```
"""


def test_a_page_falls_into_sentences_items_and_rows() -> None:
    assert [(passage.kind.value, passage.plain) for passage in passages(PAGE)] == [
        ("sentence", "You may rent a car."),
        ("sentence", "It must be compact unless two travel together."),
        ("sentence", "We pay for:"),
        ("item", "fuel"),
        ("item", "tolls"),
        ("row", "Zone: A; Limit: $24"),
        ("sentence", "code line"),
    ]


def test_a_passage_knows_what_it_stands_under() -> None:
    by_text = {passage.plain: passage for passage in passages(PAGE)}
    assert by_text["fuel"].context == "Cars\nWe pay for:"
    assert by_text["Zone: A; Limit: $24"].context == "Cars\nZone Limit"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        pytest.param("a **bold** and _lean_ word", "a bold and lean word", id="emphasis"),
        pytest.param("see [the form][1] and [x](y)", "see the form and x", id="links"),
        pytest.param("text ![alt](img.png) more", "text more", id="image"),
        pytest.param("text <b>bold</b><!-- note --> end", "text bold end", id="html"),
        pytest.param("snake_case stays, 2 * 3 too", "snake_case stays, 2 * 3 too", id="no-emphasis"),
        pytest.param("a fact.[12] Another[ 3 ].", "a fact. Another.", id="note-numbers"),
        pytest.param(r"an escaped \* star", "an escaped * star", id="escape"),
        pytest.param("> quoted\n> text", "quoted text", id="quotation"),
        pytest.param("We pay:\n\n- fuel\n- tolls", "We pay: fuel; tolls", id="list"),
        pytest.param("{% image 'x' %}text", "text", id="template-tag"),
        pytest.param("set `__init__` and ``*args``, __now__", "set __init__ and *args, now", id="code"),
        pytest.param("![`gone`](x) then [`kept_`](y)", "then kept_", id="code-in-link"),
        pytest.param("an `open backtick and __bold__", "an open backtick and bold", id="no-code"),
    ],
)
def test_what_is_shown_has_no_markup(markdown: str, shown: str) -> None:
    assert plain(markdown) == shown


def test_a_table_without_a_header_is_not_given_one() -> None:
    assert [passage.plain for passage in passages("B | $18\nC | $11", "table")] == ["B; $18", "C; $11"]
    assert has_header("Zone | Limit\n---|---\nA | high")


def test_an_escaped_bar_is_part_of_its_cell() -> None:
    assert [passage.plain for passage in passages("a | b\n1 | x\\|y", "table")] == ["a: 1; b: x|y"]


@pytest.mark.parametrize("text", ["", "\n\n", "# Heading alone", "---", "![only](image.png)", "```\n```"])
def test_text_that_states_nothing_has_no_passages(text: str) -> None:
    assert passages(text) == ()


@given(st.text(alphabet="ab .|-*#\n:1`[]()", max_size=200), st.sampled_from(["text", "table"]))
def test_every_passage_is_a_slice_in_order(text: str, kind: Literal["text", "table"]) -> None:
    found = passages(text, kind)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(one.kind in PassageKind for one in found)


@given(st.text(alphabet="aé限_ .|-*#<>\n:1`[]()~", max_size=40), st.sampled_from(["text", "table"]))
def test_whether_a_text_states_something_is_known_as_well_without_reading_it(
    text: str, kind: Literal["text", "table"]
) -> None:
    assert states_something(text, kind) is bool(passages(text, kind))


@pytest.mark.parametrize(
    "hostile",
    ["[" * 100_000, "<!--" * 50_000, "**" * 100_000, "| " * 100_000, "- \n" * 50_000, "{%" * 100_000, "_a" * 100_000],
)
def test_hostile_markdown_is_read_in_linear_time(hostile: str) -> None:
    assert len(passages(hostile)) == ("a" in hostile)
    assert plain(hostile).count("a") == hostile.count("a")
