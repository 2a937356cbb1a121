from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_grounded.text.folding import fold, fold_with_origins, marked, marked_with_origins

ODD = st.sampled_from(
    list("aAbzß1205'\"-|*+.,;:!?%()[]{}<>\\/ \n\t\f#_`^~=")
    + list(
        "\u00a0\u00ad\u200b\u2011\u2013\u2014\u2019\u201c\u00ab\u00bb\u2026\u2022\ufb01\u00b2\u2082\u00bd\u2460\u0301\u0323\u00e9İıſ加，。カﾞแ한\u1161\u3000\u202f\ufdd0\ufdd2"
    )
    + ["page", "Page 3", "--", "- ", "\n- ", "[[PAGE_BREAK]]", "\n|", "|\n", "---"]
)
ODD_TEXT = st.one_of(st.text(max_size=60), st.lists(ODD, max_size=30).map("".join))


@settings(deadline=None, max_examples=600)
@given(ODD_TEXT, st.sampled_from([None, "tr"]))
def test_folding_twice_changes_nothing_more(text: str, lang: str | None) -> None:
    once = fold(text, lang=lang)
    assert fold(once, lang=lang) == once


@settings(deadline=None, max_examples=600)
@given(ODD_TEXT, st.sampled_from([None, "tr"]))
def test_the_traced_folding_gives_the_same_text(text: str, lang: str | None) -> None:
    assert fold_with_origins(text, lang=lang).text == fold(text, lang=lang)
    assert marked_with_origins(text, lang=lang).text == marked(text, lang=lang)
