"""Opposite words: what is listed, what a prefix reverses, and what is neither."""

from __future__ import annotations

import pytest

from pytest_grounded.text.opposites import opposites, reversed_words


@pytest.mark.parametrize(
    ("asked", "said", "found"),
    [
        pytest.param("the southern flank", "the northern flank", ("southern",), id="listed"),
        pytest.param("is it unlimited", "it is limited", ("unlimited",), id="prefix-on-the-question"),
        pytest.param("is it regular", "it is irregular", ("regular",), id="prefix-on-the-text"),
        pytest.param("the lowest and the highest", "the highest and the lowest", (), id="both-are-said"),
        pytest.param("in a form", "to perform", (), id="a-short-word-has-no-prefix"),
        pytest.param("hotel limit", "hotel cap", (), id="nothing"),
    ],
)
def test_a_word_is_reversed_where_only_its_opposite_is_said(asked: str, said: str, found: tuple[str, ...]) -> None:
    assert reversed_words(asked.split(), said.split()) == found


def test_opposites_hold_both_ways() -> None:
    for word in ("begin", "north", "bought", "mandatory"):
        assert all(word in opposites(other) for other in opposites(word))


def test_no_word_is_its_own_opposite() -> None:
    for word in ("left", "second", "lower", "ended"):
        assert word not in opposites(word)
