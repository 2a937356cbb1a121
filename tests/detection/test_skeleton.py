from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.detection.confusables import LOOKALIKES
from pytest_grounded.detection.skeleton import plain, plain_origins, skeleton, skeleton_origins, skeleton_text


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_fast_way_for_ascii_gives_what_the_slow_way_gives(text: str) -> None:
    assert skeleton(text) == skeleton_text(text).encode()


@given(st.text(), st.text())
def test_the_skeleton_of_a_join_is_the_join_of_skeletons(left: str, right: str) -> None:
    if not ("\u1100" <= left[-1:] <= "\u11ff" and "\u1100" <= right[:1] <= "\u11ff"):
        assert skeleton(left + right) == skeleton(left) + skeleton(right)


@given(st.text())
def test_origins_name_a_character_for_every_byte(text: str) -> None:
    origins = skeleton_origins(text)
    assert len(origins) == len(skeleton(text))
    assert origins == sorted(origins)
    assert len(plain_origins(text)) == len(plain(text))


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = skeleton(text)
    assert skeleton(once.decode()) == once
    assert plain(plain(text)) == plain(text)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd", "Zs", "Po"])))
def test_case_makes_no_difference_where_case_can_be_folded(text: str) -> None:
    assert skeleton(text.casefold()) == skeleton(text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ｈａｌｃｙｏｎ", "halcyon"),
        ("𝐇𝐚𝐥𝐜𝐲𝐨𝐧", "halcyon"),
        ("Наlсуоn", "halcyon"),
        ("h4lcy0n", "halcyon"),
        ("H\u200bal\u00adcy\ufe0fon", "halcyon"),
        ("Ha\u0301lcyo\u0308n", "halcyon"),
        ("Straße", "STRASSE"),
        ("НОВОСТИ", "новости"),
        ("٤١٬٧٥٠", "41,750"),
        ("각하", unicodedata.normalize("NFD", "각하")),
        ("ｶﾞ", "ガ"),
    ],
    ids=str,
)
def test_equal_looks_have_equal_skeletons(left: str, right: str) -> None:
    assert skeleton(left) == skeleton(right)


def test_different_words_have_different_skeletons() -> None:
    assert len({skeleton(word) for word in ("bonus", "bones", "哈尔西恩", "哈尔西", "новости", "новость")}) == 6


def test_no_character_stands_for_more_than_six_bytes() -> None:
    assert len(skeleton("\ufdfa")) <= 6


def test_a_lone_surrogate_has_no_skeleton() -> None:
    assert skeleton("a\ud800b") == b"ab"


def test_the_table_of_lookalikes_holds_single_characters_of_ascii_letters_and_digits() -> None:
    assert all(
        len(one) == 1 and not one.isascii() and letter.isascii() and letter.isalnum()
        for one, letter in LOOKALIKES.items()
    )


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("“41\u202f750” — Ｅ", "'41 750' - E"),
        ("Нalcyon", "Halcyon"),
        ("x\u200by\ufeff", "xy"),
        ("٢٠٢٧", "2027"),
        ("naïve Café", "naive Cafe"),
        ("三月", "三月"),
    ],
)
def test_the_plain_form_keeps_words_and_takes_away_what_only_looks_different(text: str, folded: str) -> None:
    assert plain(text) == folded
