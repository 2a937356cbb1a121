"""Words of one kind exclude one another; forms of one member do not."""

from __future__ import annotations

import pytest

from pytest_grounded.text.forms import irregular_forms
from pytest_grounded.text.siblings import replaced_words, same_member, siblings


@pytest.mark.parametrize(
    ("asked", "said", "replaced"),
    [
        pytest.param("opened in may", "opened in june", ("may",), id="month"),
        pytest.param("the second treaty", "the first treaty", ("second",), id="place in a row"),
        pytest.param("the french army", "the dutch army", ("french",), id="people"),
        pytest.param("the french army", "the army of france and the dutch", (), id="another form of the same is said"),
        pytest.param("in may or june", "in june", (), id="the other is asked for as well"),
        pytest.param("the stone bridge", "the wooden bridge", (), id="no kind that is listed"),
        pytest.param("the limit for lunch", "the limit for dinner", ("lunch",), id="meal"),
    ],
)
def test_a_word_is_replaced_where_another_of_its_kind_stands_instead(
    asked: str, said: str, replaced: tuple[str, ...]
) -> None:
    assert replaced_words(asked.split(), said.split()) == replaced


@pytest.mark.parametrize("word", ["may", "first", "second", "french", "father", "north", "lunch"])
def test_siblings_are_so_both_ways_and_never_a_form_of_the_word(word: str) -> None:
    assert siblings(word)
    assert all(word in siblings(other) for other in siblings(word))
    assert siblings(word).isdisjoint(same_member(word))


def test_listed_forms_hold_both_ways() -> None:
    for word in ("wrote", "death", "children", "won"):
        assert all(word in irregular_forms(other) for other in irregular_forms(word))
        assert word not in irregular_forms(word)
