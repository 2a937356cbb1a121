from __future__ import annotations

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.alignment import occurrences
from pytest_grounded.text.folding import BREAK, JOINED_WRAP, KEPT_WRAP

READINGS = {
    JOINED_WRAP: ("", "-", "- "),
    KEPT_WRAP: ("-", "- "),
    BREAK: (" ", "-", " * "),
}
"""What each layout mark may stand for, written as the marks between the letters of a marked text."""
LETTERS = st.sampled_from("ab")
MARKED = st.tuples(
    LETTERS, st.lists(st.tuples(st.sampled_from(["", "", " ", "-", "\u2014", *READINGS]), LETTERS), max_size=5)
).map(lambda drawn: drawn[0] + "".join(map("".join, drawn[1])))


def every_reading(text: str) -> set[str]:
    """All plain texts that a marked one may stand for."""
    pieces = re.split(f"([{''.join(READINGS)}])", text)
    options = [READINGS.get(piece, (piece.replace("\u2014", "-"),)) for piece in pieces]
    return {"".join(chosen) for chosen in itertools.product(*options)}


@settings(deadline=None, max_examples=500)
@given(MARKED, MARKED)
def test_a_part_occurs_exactly_where_some_reading_of_both_agrees(part: str, whole: str) -> None:
    """An independent slow version: write out every reading of both and compare the texts."""
    parts, wholes = every_reading(part), every_reading(whole)
    slow = any(one in other for one in parts for other in wholes)
    assert bool(list(occurrences(part, whole))) == slow


def test_the_places_are_those_of_the_letters() -> None:
    whole = f"a b{JOINED_WRAP}c b-c"
    assert [whole[start:end] for start, end in occurrences("b-c", whole)] == [f"b{JOINED_WRAP}c", "b-c"]


def test_nothing_occurs_nowhere() -> None:
    assert list(occurrences(" - ", "a - b")) == []
    assert list(occurrences("a", "")) == []
