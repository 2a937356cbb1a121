from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.scripts import guess_language, is_cjk, primary_subtag, same_language, script_of

GUESSES = [
    ("The average rate is 1.8260.", "en"),
    ("Contractors cannot book business class.", "en"),
    ("Urlaub: 30 Tage im Jahr.", "de"),
    ("Le café du personnel ouvre à 8 h.", "fr"),
    ("El límite es de 180 euros.", "es"),
    ("Il limite è di 180 euro.", "it"),
    ("O limite é de 180 euros por noite.", "pt"),
    ("De vergoeding is 30 euro per dag.", "nl"),
    ("Gränsen är 180 kronor och gäller inte på helger.", "sv"),
    ("Limit nie jest stały i może się zmienić.", "pl"),
    ("Otel ücreti için bir limit var ve bu değil.", "tr"),
    ("Лимит составляет 180 евро, это правило.", "ru"),
    ("Ліміт становить 180 євро.", "uk"),
    ("加班须经主管批准。", "zh"),
    ("残業は承認が必要です。", "ja"),
    ("초과 근무는 승인이 필요합니다.", "ko"),
    ("الحد الأقصى 180 يورو.", "ar"),
    ("حداکثر پنج روز.", "fa"),
    ("सीमा 180 यूरो है।", "hi"),
    ("Το όριο είναι 180 ευρώ.", "el"),
    ("วงเงิน 180 ยูโร", "th"),
    ("QX-441", None),
    ("180", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "language"), GUESSES)
def test_a_language_is_told_by_script_and_common_words(text: str, language: str | None) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    ("left", "right", "langs", "same"),
    [
        ("The rate is 1.8.", "Taux moyen : 1,8.", (None, "fr"), False),
        ("The rate is 1.8.", "It is the rate.", (None, "en-GB"), True),
        ("Kontraktors dürfen nicht.", "加班须经主管批准。", (None, None), False),
        ("Plan A", "QX-441", (None, None), None),
        ("Plan A", "Der Plan ist gut.", (None, None), None),
        ("有効期限", "有効期限は来月です", (None, "ja"), None),
        ("我们的期限", "有効期限は来月です", (None, "ja"), False),
        ("有効期限は来月です", "有効期限", (None, "ja"), True),
        ("180", "加班", (None, None), None),
        ("text", "text", ("pt-BR", "pt_PT"), True),
    ],
)
def test_two_texts_may_share_a_language(
    left: str,
    right: str,
    langs: tuple[str | None, str | None],
    same: bool | None,  # noqa: FBT001
) -> None:
    assert same_language(left, right, left_lang=langs[0], right_lang=langs[1]) is same
    assert same_language(right, left, left_lang=langs[1], right_lang=langs[0]) is same


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("abc", "latin"),
        ("加班须经 Travel Desk 批准", "han"),
        ("タクシー代", "kana"),
        ("한도 limit", "hangul"),
        ("12 €", None),
        ("Ж", "cyrillic"),
    ],
)
def test_the_script_is_the_one_of_most_letters(text: str, script: str | None) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("lang", "primary"), [("pt-BR", "pt"), ("zh_Hans_CN", "zh"), ("nb", "no"), (" EN ", "en"), ("", None), (None, None)]
)
def test_a_tag_has_a_primary_language(lang: str | None, primary: str | None) -> None:
    assert primary_subtag(lang) == primary


def test_chinese_japanese_and_korean_characters_are_cjk() -> None:
    assert [is_cjk(character) for character in "加かカ한aก1。"] == [True, True, True, True, False, False, False, False]


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_asked_for_its_language(left: str, right: str) -> None:
    if script_of(left) is None:
        assert guess_language(left) is None
    assert same_language(left, right) == same_language(right, left)
