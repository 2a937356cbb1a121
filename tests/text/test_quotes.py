from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_grounded.text.alignment import occurrences
from pytest_grounded.text.folding import BREAK, JOINED_WRAP, fold
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote, locate_quote, too_short
from tests.text.typesetting import TOKENS, WORDS, typeset

VERBATIM, ELIDED, BAD_ELISION, NOT_VERBATIM = QuoteVerdict


@settings(deadline=None)
@given(st.data(), TOKENS)
def test_a_part_set_in_any_other_type_is_a_quote(data: st.DataObject, tokens: list[str]) -> None:
    start = data.draw(st.integers(0, len(tokens) - 1))
    end = data.draw(st.integers(start + 1, len(tokens)))
    quote, source = data.draw(typeset(tokens[start:end])), data.draw(typeset(tokens))
    assert judge_quote(quote, source) is VERBATIM
    ((begin, stop),) = locate_quote(quote, source)
    assert judge_quote(quote, source[begin:stop]) is VERBATIM


@settings(deadline=None)
@given(st.data(), TOKENS, WORDS)
def test_a_dropped_changed_added_or_swapped_word_is_no_quote(data: st.DataObject, tokens: list[str], other: str) -> None:
    assume(fold(other) not in {fold(token) for token in tokens})
    at = data.draw(st.integers(1, len(tokens) - 2))
    spoiled = data.draw(
        st.sampled_from(
            [
                tokens[:at] + tokens[at + 1 :],
                [*tokens[:at], other, *tokens[at + 1 :]],
                [*tokens[:at], other, *tokens[at:]],
                [*tokens[: at - 1], tokens[at], tokens[at - 1], *tokens[at + 1 :]],
            ]
        )
    )
    assert judge_quote(data.draw(typeset(spoiled)), data.draw(typeset(tokens))) is NOT_VERBATIM
    assert fold(" ".join(spoiled)) != fold(" ".join(tokens))
