"""Which words are the same word, and which do not count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.pipeline.terms import SameWords, WordForm, pieces, root, terms, words_in_order


@pytest.mark.parametrize(
    "family",
    [
        "book booking booked",
        "reimburse reimbursement reimbursed reimbursable",
        "file filing filed",
        "rate rating",
        "travel traveler travelling traveled",
        "plan planned planning",
        "approve approval approved",
        "require requirement required",
        "pay payment paying",
        "apply applied applying",
        "exceed exceeding exceeded",
        "agree agreement",
        "complete completion completed",
        "stay stayed",
    ],
)
def test_a_family_of_words_has_one_root(family: str) -> None:
    assert len({root(word) for word in family.split()}) == 1


@pytest.mark.parametrize("pair", ["number numb", "string str", "employer employee", "seed see", "wing w"])
def test_words_that_only_look_alike_keep_their_own_root(pair: str) -> None:
    left, right = pair.split()
    assert root(left) != root(right)


@pytest.mark.parametrize("word", ["qx-441", "v3.2", "größe", "180", "限额"])
def test_codes_numbers_and_other_scripts_are_not_folded(word: str) -> None:
    assert root(word) == word


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("How much may I spend per night on a hotel?", {"spend", "night", "hotel"}, id="english"),
        pytest.param("Wie hoch ist die Hotelgrenze in Paris?", {"hotelgrenz", "paris"}, id="german"),
        pytest.param("Quel est le plafond pour un hôtel ?", {"plafond", "hôtel"}, id="french"),
        pytest.param(
            "标准城市的酒店每晚限额是多少?",
            {"标准", "准城", "城市", "酒店", "店每", "每晚", "晚限", "限额"},
            id="chinese",
        ),
        pytest.param("ホテルの上限はいくらですか", {"ホテ", "テル", "上限"}, id="japanese"),
    ],
)
def test_what_a_question_is_asked_with_does_not_count(question: str, expected: set[str]) -> None:
    assert terms(question, WordForm.ROOT) == expected


@pytest.mark.parametrize("form", list(WordForm))
def test_words_of_a_group_are_one_word_and_others_stay(form: WordForm) -> None:
    same = SameWords(form, (("bag", "suitcase", "luggage"), ("限额", "上限")))
    assert words_in_order("Suitcases, luggage, 上限 and hats", same) == words_in_order("bag, bag, 限额 and hats", form)


def test_text_without_spaces_is_cut_alike_whichever_words_are_one() -> None:
    same = SameWords(WordForm.ROOT, (("bag", "suitcase"),))
    assert pieces("酒店的限额", same) == pieces("酒店的限额", WordForm.ROOT)


def test_text_of_function_words_alone_keeps_its_characters() -> None:
    assert words_in_order("是多少", WordForm.ROOT)


def test_pieces_stand_where_they_say() -> None:
    run = "标准城市的酒店限额是多少"
    assert [piece for _, piece, counts in pieces(run, WordForm.ROOT) if counts] == ["标准城市", "酒店限额"]
    assert all(run[start : start + len(piece)] == piece for start, piece, _ in pieces(run, WordForm.ROOT))


@given(st.text(max_size=80))
def test_folding_never_fails_and_is_the_same_twice(text: str) -> None:
    assert words_in_order(text, WordForm.ROOT) == words_in_order(text, WordForm.ROOT)


@given(st.from_regex(r"[a-z]{1,14}", fullmatch=True))
def test_a_root_is_never_empty_or_longer(word: str) -> None:
    assert 0 < len(root(word)) <= len(word)
