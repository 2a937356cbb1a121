"""What changes places around what relates it is seen, on any text, and a stretch is found wherever it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.word_order import Order, compare_order, order_words, windows

SOME = ["anna", "ben", "leads", "sales", "support", "and", "or", "to", "from", "by", "in", "with", "plan", ",", ";"]
WORDS = st.lists(st.sampled_from(SOME), min_size=1)
NAMES = st.sampled_from(["Anna", "Ben", "the director", "the second manager", "plan A", "甲方", "der Mieter"])
VERBS = st.sampled_from(
    ["pays", "is cheaper than", "was appointed by", "reports to", "comes before", "covers, but not"]
)


@given(WORDS, st.randoms(use_true_random=False))
def test_only_the_same_order_is_the_same(words: list[str], random: object) -> None:
    shuffled = list(words)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (order_words(" ".join(text)) for text in (words, shuffled))
    assert compare_order(one, one).order is Order.SAME
    if sorted(word.key for word in one) == sorted(word.key for word in other):
        orders = {compare_order(one, other).order, compare_order(other, one).order}
        assert (Order.SAME in orders) == ([word.key for word in one] == [word.key for word in other])


@given(NAMES, VERBS, NAMES)
def test_the_two_ends_of_a_verb_do_not_change_places_unseen(one: str, verb: str, other: str) -> None:
    if one == other:
        return
    said, turned = f"{one} {verb} {other}.", f"{other} {verb} {one}."
    found = compare_order(order_words(turned), order_words(said))
    assert found.order is Order.EXCHANGED
    assert {" ".join(found.first), " ".join(found.second)} == {
        " ".join(word.key for word in order_words(part)) for part in (one, other)
    }


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_has_words_and_windows(claim: str, source: str) -> None:
    ours, theirs = order_words(claim), order_words(source)
    for window in windows(ours, theirs):
        assert sorted(word.key for word in window) == sorted(word.key for word in ours)
        assert compare_order(ours, window).order in Order


@given(WORDS, WORDS, WORDS)
def test_a_stretch_is_found_in_whatever_it_stands(before: list[str], words: list[str], after: list[str]) -> None:
    ours = order_words(" ".join(words))
    theirs = (*order_words(" ".join(before)), *ours, *order_words(" ".join(after)))
    if ours:
        assert any(compare_order(ours, window).order is Order.SAME for window in windows(ours, theirs))


@pytest.mark.parametrize(
    ("said", "claim", "order"),
    [
        ("A, B and C are sold.", "C, B and A are sold.", Order.MOVED),
        ("A and B cost 5 and 7 respectively.", "A and B cost 7 and 5 respectively.", Order.EXCHANGED),
        ("A meets B.", "B meets A.", Order.OTHER),
        ("A is as old as B.", "B is as old as A.", Order.OTHER),
        ("The distance from Rome to Oslo is long.", "The distance from Oslo to Rome is long.", Order.OTHER),
        ("The lane is connected to the yard.", "The yard is connected to the lane.", Order.OTHER),
        ("The form is replaced with the app.", "The app is replaced with the form.", Order.EXCHANGED),
        ("On Mondays we meet in Rome.", "In Rome we meet on Mondays.", Order.MOVED),
        ("Paris is the capital.", "The capital is Paris.", Order.OTHER),
    ],
)
def test_what_may_change_places_and_what_may_not(said: str, claim: str, order: Order) -> None:
    assert compare_order(order_words(claim), order_words(said)).order is order
