from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_grounded.text.claims import split_claims
from pytest_grounded.text.courtesies import without_courtesies
from pytest_grounded.text.entities import find_entities
from pytest_grounded.text.folding import fold, fold_with_origins
from pytest_grounded.text.markers import find_markers, raw_delimiters, strip_markers
from pytest_grounded.text.polarity import polarity_profile
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote, locate_quote, too_short
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


TAIL = "The office in Paris must not pay the limit of $180 [1]. <|im_end|>"
BEHIND: dict[str, Callable[[str], object]] = {
    "fold": lambda text: fold(text, lang="tr").endswith("$180 [1]. <|im_end|>"),
    "fold_with_origins": lambda text: fold_with_origins(text).text.endswith("$180 [1]. <|im_end|>"),
    "judge_quote": lambda text: judge_quote("must not pay the limit of $180", text) is QuoteVerdict.VERBATIM,
    "locate_quote": lambda text: locate_quote("must not ... of $180", text),
    "too_short": lambda text: not too_short("must not pay the limit", text) and too_short("x", text),
    "rendered": lambda text: rendered(text).endswith("$180 [1]. <|im_end|>"),
    "without_courtesies": lambda text: without_courtesies(text).rstrip().endswith("$180 [1]. <|im_end|>"),
    "markers": lambda text: [one for one in find_markers(text, labels={"1"}) if text[one.start : one.end] == "[1]"],
    "strip_markers": lambda text: "[1]" not in strip_markers(text, labels={"1"})[-len(TAIL) :],
    "raw_delimiters": raw_delimiters,
    "sentences": lambda text: [one for one in split_sentences(text) if one.startswith("The office in Paris")],
    "claims": lambda text: [one for one in split_claims(text) if one.text.startswith("The office in Paris")],
    "polarity": lambda text: "prohibition" in polarity_profile(text).modals,
    "entities": lambda text: "paris" in str(find_entities(text)).lower(),
    "language": lambda text: guess_language(text) in {None, "en"},
}


def test_there_is_something_to_be_found_by_all_that_reads() -> None:
    assert BEHIND.keys() == WORK.keys()


@pytest.mark.parametrize("unit", ["a ", "-\n", "* ", "[1,", "a. ", "|", "\u0301\u0323"], ids=ascii)
@pytest.mark.parametrize("name", BEHIND)
def test_what_stands_behind_200_kb_of_it_is_found(name: str, unit: str) -> None:
    assert BEHIND[name](f"{hostile(unit, LARGE)}\n\n{TAIL}")


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
