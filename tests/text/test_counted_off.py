"""A sentence that counts off is as many statements as its lists have members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.text.counted_off import counted_off


@pytest.mark.parametrize(
    ("text", "lang", "last"),
    [
        ("Lyon, Nice and Metz have 5, 7 and 9 offices respectively.", "en", "Metz have 9 offices."),
        ("The north wing and the south wing measure 5 and 7 km, respectively.", "en", "the south wing measure 7 km."),
        ("The fee is 5 and 7 euros in Lyon and Nice respectively.", "en", "The fee is 7 euros in Nice."),
        ("In 2024, Lyon and Nice had respectively 5 and 7 offices.", "en", "In 2024, Nice had 7 offices."),
        ("Lyon and Nice are painted red and blue, respectively.", "en", "Nice are painted blue."),
        ("Lyon und Nizza haben 5 bzw. 7 Büros.", "de", "Nizza haben 7 Büros."),
        ("Lyon et Nice ont respectivement 5 et 7 bureaux.", "fr", "Nice ont 7 bureaux."),
        ("Lyon y Niza tienen 5 y 7 oficinas, respectivamente.", "es", "Niza tienen 7 oficinas."),
        ("里昂和尼斯分别有5和7个办事处。", "zh", "尼斯有7个办事处。"),
        ("リヨンとニースにはそれぞれ5と7の事務所がある。", "ja", "ニースには7の事務所がある。"),
        ("Lyon ve Nice sırasıyla 5 ve 7 ofise sahiptir.", "tr", "Nice 7 ofise sahiptir."),
        ("लियोन और नीस में क्रमशः 5 और 7 कार्यालय हैं।", "hi", "नीस में 7 कार्यालय हैं।"),
        ("لدى ليون ونيس 5 و 7 مكاتب على التوالي.", "ar", "لدى نيس 7 مكاتب."),
    ],
)
def test_the_last_of_each_list_belong_together(text: str, lang: str, last: str) -> None:
    assert counted_off(text, lang)[-1] == last


@pytest.mark.parametrize(
    "text",
    [
        "Lyon and Nice have 5 offices.",
        "Die Frist beträgt 5 bzw. 7 Tage.",
        "Das Gebäude kostet 5 Mio. bzw. mehr.",
        "Each respectively.",
        "They respectively agree and disagree.",
        "Lyon, Nice and Metz have 5 and 7 offices respectively.",
    ],
)
def test_what_does_not_count_off_is_left_whole(text: str) -> None:
    assert counted_off(text) == ()


@given(
    st.text(max_size=200), st.sampled_from(["", " respectively", "分别", " bzw. ", " क्रमशः "]), st.text(max_size=200)
)
def test_any_text_is_read(before: str, mark: str, after: str) -> None:
    assert all(isinstance(one, str) for one in counted_off(before + mark + after))
