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
from tests.counting import assert_linear
from tests.text.hostile import LARGE, MANY, UNITS, hostile

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
def test_a_hostile_text_takes_calls_by_its_length(unit: str) -> None:
    for work in WORK.values():
        assert_linear(work, lambda size: hostile(unit, size), MANY)


@pytest.mark.parametrize("unit", ["a ", "-\n", "* ", "[1,", "a. ", "|", "\u0301\u0323"], ids=ascii)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_even_200_kb_of_it_are_read_to_the_end(work: Work, unit: str) -> None:
    work(hostile(unit, LARGE))


@pytest.mark.parametrize(
    "made",
    [
        lambda n: ("a-" * n + "b", "a-\n" * 2 * n),
        lambda n: ("a-" * n + "aa", "a-" * 2 * n + "a-\na"),
        lambda n: ("a b " * n + "- b", "\n* a b" * 2 * n),
        lambda n: ("a ... " * n, "a " * 3 * n),
        lambda n: (" ... ".join(["a"] * 30) + " ... z", "a no " * n + "z"),
        lambda n: (" ... ".join(f"a{i}" for i in range(n)), "a " * 3 * n),
        lambda n: ("a a", "aa aa " * n),
        lambda n: ("a " * n + "c", "a " * 2 * n + "b"),
    ],
    ids=["wraps", "one wrap", "items", "too many parts", "gaps", "absent parts", "cut words", "long near miss"],
)
def test_a_quote_made_to_match_almost_everywhere_takes_calls_by_its_length(
    made: Callable[[int], tuple[str, str]],
) -> None:
    assert_linear(lambda pair: judge_quote(*pair), made, MANY)
    judge_quote(*made(LARGE // 6))
