from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_grounded.text.claims import split_claims
from pytest_grounded.text.courtesies import without_courtesies
from pytest_grounded.text.entities import find_entities
from pytest_grounded.text.folding import fold, fold_with_origins
from pytest_grounded.text.markers import find_markers, raw_delimiters, strip_markers
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quotes import judge_quote, locate_quote, too_short
from pytest_grounded.text.rendering import rendered
from pytest_grounded.text.scripts import guess_language
from pytest_grounded.text.sentences import split_sentences
from tests.text.hostile import LARGE, SMALL, UNITS, assert_bearable, hostile

Work = Callable[[str], object]
WORK: dict[str, Work] = {
    "fold": lambda text: fold(text, lang="tr"),
    "fold_with_origins": fold_with_origins,
    "judge_quote": lambda text: (judge_quote(text[1:-9], text), judge_quote(text[: len(text) // 2] + "q", text)),
    "locate_quote": lambda text: locate_quote("x ... x", text),
    "too_short": lambda text: too_short("x", text),
    "rendered": rendered,
    "without_courtesies": without_courtesies,
    "markers": lambda text: find_markers(text, ids={"a#1", "a-2", "1"}, labels={"1"}),
    "strip_markers": strip_markers,
    "raw_delimiters": raw_delimiters,
    "sentences": split_sentences,
    "claims": split_claims,
    "polarity": polarity_profile,
    "entities": find_entities,
    "language": guess_language,
}


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_a_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    for work in WORK.values():
        assert_bearable(work, hostile(unit, SMALL))


@pytest.mark.parametrize("unit", ["a ", "-\n", "* ", "[1,", "a. ", "|", "\u0301\u0323"], ids=ascii)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_even_200_kb_of_it(work: Work, unit: str) -> None:
    assert_bearable(work, hostile(unit, LARGE))


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("a-" * 30_000 + "b", "a-\n" * 66_000),
        ("a-" * 30_000 + "aa", "a-" * 60_000 + "a-\na"),
        ("a b " * 20_000 + "- b", "\n* a b" * 30_000),
        ("a ... " * 33_000, "a " * 100_000),
        (" ... ".join(["a"] * 30) + " ... z", "a no " * 40_000 + "z"),
        (" ... ".join(f"a{i}" for i in range(30_000)), "a " * 100_000),
        ("a a", "aa aa " * 33_000),
        ("a " * 50_000 + "c", "a " * 99_999 + "b"),
    ],
    ids=["wraps", "one wrap", "items", "too many parts", "gaps", "absent parts", "cut words", "long near miss"],
)
def test_a_quote_made_to_match_almost_everywhere_is_judged_in_linear_time(quote: str, source: str) -> None:
    assert_bearable(lambda text: judge_quote(text, source), quote)
