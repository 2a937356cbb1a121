from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from pytest_grounded.text.quantities import (
    Bound,
    Match,
    Quantity,
    QuantityKind,
    best_match,
    date_quantity,
    find_quantities,
)


def facts(text: str, lang: str | None = None) -> list[str]:
    """What a claim is held to, as written."""
    return [quantity.raw for quantity in find_quantities(text, lang=lang)]


def only(text: str, lang: str | None = None) -> Quantity:
    (quantity,) = find_quantities(text, lang=lang, incidental=True)
    return quantity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opens at 7 [1, 2].", ["7"]),
        ("It is so [c1][1]【2】 ［３］.", []),
        ("See [1](guide.html) first.", []),
        ("It is so [4:0†source] and [12–14].", []),
        ("1. Above 500 euros", ["500 euros"]),
        ("1) First 20\n2) Then 30", ["20", "30"]),
        ("Do this:\n1. Add 5 g\n2. Wait", ["5 g"]),
        ("the limit is\n30. Then it ends", ["30"]),
        ("# 3.2 Fees\nThe fee is 20", ["20"]),
        ("4.2 million people", ["4.2 million"]),
        ("1. Juli 2024", ["1. Juli 2024"]),
        ("(1) a passport and (2) 40 euros", ["40 euros"]),
        ("Grade 3 approval (see Table 2)", []),
        ("Tables 2 and 3, sections 3.1, 3.2 and 4", []),
        ("pages 12–15 of step 2", []),
        ("§ 3 Abs. 2", []),
        ("Article 6(1)(b)", []),
        ("Form 12, but form 5 groups", ["5"]),
        ("phase-3 trial of 9th-grade pupils", []),
        ("Tabelle 2 und Abschnitt 3.4", []),
        ("第3条和表2", []),
        ("level 10 km", ["10 km"]),
        ("see https://example.org/2024/07?page=3 and a1@b2.org", []),
    ],
)
def test_markers_list_numbers_and_labels_are_no_facts(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


def test_labels_are_found_where_they_are_asked_for() -> None:
    (label,) = find_quantities("Grade 3 approval", labels=True)
    assert (label.kind, label.value) == (QuantityKind.LABEL, Decimal(3))


@pytest.mark.parametrize(
    "text",
    [
        "no one may enter",
        "one of the first",
        "the other one",
        "one another",
        "You may book",
        "half-hearted work",
        "the second time",
        "a third party",
        "統一价格",
        "十分重要",
        "Chapter IV",
        "for the first time",
    ],
)
def test_words_that_only_look_like_numbers_are_not_held_against_a_claim(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("one guest", 1), ("the first year", 1), ("half the staff", Decimal("0.5")), ("half a day", Decimal("0.5"))],
)
def test_evidence_may_state_a_value_with_such_a_word(text: str, value: Decimal) -> None:
    assert only(text).value == value


@pytest.mark.parametrize("text", ["one day", "at most one", "the third quarter", "half of the staff", "one hundred"])
def test_such_a_word_counts_where_it_stands_with_a_unit_or_a_bound(text: str) -> None:
    assert len(facts(text)) == 1


@pytest.mark.parametrize(
    ("text", "raw", "unit"),
    [
        ("It costs $180 per night.", "$180 per night", "$"),
        ("180 US dollars", "180 US dollars", "USD"),
        ("EUR180", "EUR180", "EUR"),
        ("CHF 1'234.50", "CHF 1'234.50", "CHF"),
        ("5 M€", "5 M€", "EUR"),
        ("5 millions d'euros", "5 millions d'euros", "EUR"),
        ("Rs. 500", "Rs. 500", "Rs"),
        ("21 °C", "21 °C", "°C"),
        ("a 30-minute walk", "30-minute", "min"),
        ("100 km²", "100 km²", "km2"),
        ("1 500 ㎞", "1 500 ㎞", "km"),
        ("10%-points", "10%-points", "pp"),
        ("１８０％", "１８０％", "%"),
    ],
)
def test_sign_code_and_word_of_a_unit_belong_to_the_quantity(text: str, raw: str, unit: str) -> None:
    quantity = only(text)
    assert (quantity.raw, quantity.unit) == (raw, unit)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 8 to 16", [8, 16]),
        ("8–16", [8, 16]),
        ("between 8 and 16", [8, 16]),
        ("8至16", [8, 16]),
        ("8 bis 16", [8, 16]),
    ],
)
def test_a_range_is_two_quantities_with_bounds(text: str, values: list[int]) -> None:
    low, high = find_quantities(text)
    assert [low.value, high.value] == values
    assert (low.bound, high.bound) == (Bound.LOW, Bound.HIGH)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-5 °C", -5),
        ("\u22125", -5),
        ("minus 5", -5),
        ("-$5", -5),
        ("$-5", -5),
        ("(-5)", -5),
        ("at + 5", 5),
    ],
)
def test_a_sign_belongs_to_its_number(text: str, value: int) -> None:
    assert only(text).value == value


def test_a_hyphen_between_numbers_is_no_sign() -> None:
    assert [quantity.value for quantity in find_quantities("10-20")] == [10, 20]


@pytest.mark.parametrize(
    "text",
    [
        "203.0.113.10",
        "DE123777888",
        "INC-1042",
        "978-3-16-148410-0",
        "+49 30 1234567",
        "GPT-4",
        "v1.2.3",
        "3D",
        "9" * 41,
    ],
)
def test_an_identifier_is_one_code_without_a_value(text: str) -> None:
    quantity = only(text)
    assert (quantity.kind, quantity.raw, quantity.value) == (QuantityKind.CODE, text, None)


@pytest.mark.parametrize(
    "text",
    ["about 85%", "roughly 85", "ca. 85", "~85", "85 or so", "约85", "85左右", "approximately $85", "close to 85"],
)
def test_a_rounding_is_marked_by_a_hedge(text: str) -> None:
    assert only(text).approximate


@pytest.mark.parametrize("text", ["over 85%", "at least 85", "up to 85", "exactly 85", "85 odds"])
def test_a_bound_is_no_hedge(text: str) -> None:
    assert not only(text).approximate


@pytest.mark.parametrize(
    ("text", "lang", "ambiguous"),
    [
        ("03/04/2025", None, True),
        ("03/04/2025", "en", True),
        ("03/04/2025", "en-US", False),
        ("03/04/2025", "en-GB", False),
        ("03.04.2025", "de", False),
        ("13/04/2025", "en", False),
        ("04/04/2025", "en", False),
        ("2025-04-03", None, False),
    ],
)
def test_only_a_region_or_a_day_above_12_settles_a_date_in_digits(
    text: str, lang: str | None, *, ambiguous: bool
) -> None:
    quantity = only(text, lang)
    assert (quantity.kind, quantity.ambiguous) == (QuantityKind.DATE, ambiguous)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("1 July 2024", (2024, 7, 1)),
        ("July 1st, 2024", (2024, 7, 1)),
        ("the 1st of July", (None, 7, 1)),
        ("first of July 2024", (2024, 7, 1)),
        ("July 2024", (2024, 7, None)),
        ("in July", (None, 7, None)),
        ("15 Feb 19", (2019, 2, 15)),
        ("Sept. 3", (None, 9, 3)),
        ("1 juillet", (None, 7, 1)),
        ("2024/07/01", (2024, 7, 1)),
        ("1990s", (1990, None, None)),
        ("FY2024", (2024, None, None)),
    ],
)
def test_a_date_has_the_fields_that_are_stated(text: str, fields: tuple[int | None, int | None, int | None]) -> None:
    quantity = only(text)
    assert (quantity.year, quantity.month, quantity.day) == fields


def test_a_bare_year_is_a_number_that_names_a_year() -> None:
    assert only("since 2024").calendar_year == 2024
    assert only("2024 crates").calendar_year == 2024
    assert only("2,024").calendar_year is None


def test_columns_of_a_table_are_not_run_together() -> None:
    assert facts("Paris 180 260 300", "en") == ["180", "260", "300"]


def test_a_grouped_number_with_spaces_is_one() -> None:
    assert [quantity.value for quantity in find_quantities("10 000 and 2 500 000")] == [10_000, 2_500_000]


def test_what_touches_an_ignored_span_is_left_out() -> None:
    assert [quantity.raw for quantity in find_quantities("5 or 6", ignore=[(0, 1)])] == ["6"]


def test_invisible_characters_do_not_hide_a_number() -> None:
    text = "It is 1\u200b80 €\u200b."
    quantity = only(text)
    assert (quantity.value, quantity.unit, text[quantity.start : quantity.end]) == (Decimal(180), "EUR", "1\u200b80 €")


def test_places_are_those_of_the_original_text() -> None:
    text = "Le cafe\u0301 ouvre a\u0300 8 h, 1\u202f500 places ㎏ 3"
    assert [text[quantity.start : quantity.end] for quantity in find_quantities(text, lang="fr")] == [
        "8 h",
        "1\u202f500",
        "3",
    ]


@pytest.mark.parametrize(
    ("text", "lang", "fields"),
    [
        ("2024-05", None, (2024, 5, None)),
        ("05/2024", None, (2024, 5, None)),
        ("am 3.4.", "de", (None, 4, 3)),
        ("1. 7. 2024", "cs", (2024, 7, 1)),
        ("13.4.24", "de", (2024, 4, 13)),
        ("07/13/98", "en-US", (1998, 7, 13)),
        ("二〇二六年四月一日", "zh", (2026, 4, 1)),
        ("十月三日", "zh", (None, 10, 3)),
        ("July '24", "en", (2024, 7, None)),
        ("twenty twenty-four", "en", (None, None, None)),
        ("the '90s", "en", (1990, None, None)),
        ("1930er Jahre", "de", (1930, None, None)),
        ("im 19. Jahrhundert", "de", (None, None, None)),
    ],
)
def test_dates_of_a_language_are_read(text: str, lang: str, fields: tuple[int | None, int | None, int | None]) -> None:
    quantity = only(text, lang)
    assert (quantity.year, quantity.month, quantity.day) == fields


@pytest.mark.parametrize("text", ["31/02/13/2024", "99/99/2024", "13/13/2024", "2024-13-40", "45:99", "1.2.3.4.5"])
def test_what_is_on_no_calendar_is_no_date(text: str) -> None:
    assert all(quantity.kind is not QuantityKind.DATE for quantity in find_quantities(text, lang="en"))


def test_a_season_is_two_years() -> None:
    assert [quantity.year for quantity in find_quantities("the 2010-11 season")] == [2010, 2011]


@pytest.mark.parametrize(
    ("lang", "text", "value", "unit"),
    [
        ("zh", "三分之一", Decimal("0.33333333333333333333"), None),
        ("zh", "三成", 3, "成"),
        ("zh", "五个人", 5, None),
        ("zh", "第三次", 3, None),
        ("zh", "每人每天30元", 30, "CNY"),
        ("zh", "金额（元）：30", 30, None),
        ("zh", "壹佰", 100, None),
        ("zh", "两千", 2000, None),
        ("en", "twenty-five hundred", 2500, None),
        ("en", "two million five hundred thousand", 2_500_000, None),
        ("de", "zweieinhalb Stunden", Decimal("2.5"), "h"),
        ("de", "einundzwanzig Tage", 21, "day"),
        ("fr", "deux heures et demie", Decimal("2.5"), "h"),
        ("es", "ciento ochenta euros", 180, "EUR"),
        ("pt", "cento e oitenta euros", 180, "EUR"),
        ("nl", "tweeënvijftig dagen", 52, "day"),
        ("fr", "1,5 × 10⁻³ m", Decimal("0.0015"), "m"),
    ],
)
def test_numerals_of_other_languages_have_their_value(
    lang: str, text: str, value: int | Decimal, unit: str | None
) -> None:
    quantity = only(text, lang)
    assert (quantity.value, quantity.unit) == (Decimal(value), unit)


def test_a_rate_before_a_chinese_amount_is_kept() -> None:
    assert only("每人每天30元", "zh").per == {"person", "day"}


def test_the_day_of_a_request_can_be_compared() -> None:
    (stated,) = find_quantities("on 1 October 2024")
    assert best_match(stated, [date_quantity(date(2024, 10, 1))])[0] is Match.EQUAL
