from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.languages import Language, add_language
from pytest_grounded.text.quantities import (
    Match,
    QuantityKind,
    best_match,
    equal_quantities,
    find_quantities,
    match_quantity,
)
from tests.counting import assert_linear
from tests.text.hostile import LARGE, MANY, UNITS, hostile

# Grouping mark, decimal mark, size of the groups above the first: as locale data lists them.
CONVENTIONS = {
    "en": (",", ".", 3),
    "en-GB": (",", ".", 3),
    "en-IN": (",", ".", 2),
    "hi": (",", ".", 2),
    "de": (".", ",", 3),
    "de-CH": ("\u2019", ".", 3),
    "fr": ("\u202f", ",", 3),
    "es": (".", ",", 3),
    "it": (".", ",", 3),
    "pt-BR": (".", ",", 3),
    "nl": (".", ",", 3),
    "sv": ("\u00a0", ",", 3),
    "pl": ("\u00a0", ",", 3),
    "ru": (" ", ",", 3),
    "tr": (".", ",", 3),
    "ja": (",", ".", 3),
    "zh": (",", ".", 3),
    "es-MX": (",", ".", 3),
}
DIGITS = {
    "ascii": "0123456789",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "devanagari": "०१२३४५६७८९",
    "full-width": "０１２３４５６７８９",
    "thai": "๐๑๒๓๔๕๖๗๘๙",
}
numbers = st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False, allow_infinity=False)
odd_texts = st.text(
    st.sampled_from("0123456789.,-–−/:%$€£ \u00a0\n()[]'~½²°ethMayKkm一二十百万年月日第約三\u0301\u200b٣９onehundred"),
    max_size=60,
)


def written(number: Decimal, convention: tuple[str, str, int]) -> str:
    """A number with two decimals as a convention writes it."""
    group, mark, size = convention
    whole, _, decimals = f"{number:.2f}".partition(".")
    head, parts = whole[:-3], [whole[-3:]]
    while head:
        parts.insert(0, head[-size:])
        head = head[:-size]
    return f"{group.join(parts)}{mark}{decimals}"


@pytest.mark.parametrize("lang", CONVENTIONS)
@given(number=numbers)
@settings(max_examples=40)
def test_a_number_written_in_the_convention_of_a_language_is_read_back(lang: str, number: Decimal) -> None:
    text = written(number, CONVENTIONS[lang])
    (quantity,) = find_quantities(f"x: {text}", lang=lang)
    assert (quantity.raw, quantity.readings) == (text, (number,))


@pytest.mark.parametrize("lang", sorted(CONVENTIONS.keys() - {"ru"}))  # plain spaces may also be columns of a table
@given(number=numbers)
@settings(max_examples=20)
def test_without_a_language_the_right_reading_is_among_those_kept(lang: str, number: Decimal) -> None:
    (quantity,) = find_quantities(f"x: {written(number, CONVENTIONS[lang])}")
    assert number in quantity.readings


@pytest.mark.parametrize("script", DIGITS)
@given(number=st.integers(0, 10**15))
@settings(max_examples=30)
def test_digits_of_every_script_have_the_same_value(script: str, number: int) -> None:
    text = str(number).translate(str.maketrans(DIGITS["ascii"], DIGITS[script]))
    (quantity,) = find_quantities(f"({text})")
    assert quantity.value == number


@given(st.integers(1, 2_000_000_000))
@settings(max_examples=100)
def test_a_number_in_chinese_numerals_has_its_value(number: int) -> None:
    (quantity,) = find_quantities(f"共{in_chinese(number)}元", lang="zh")
    assert (quantity.value, quantity.unit) == (Decimal(number), "CNY")


def in_chinese(number: int) -> str:
    """A whole number below 10**12 in everyday numerals."""
    for scale, mark in ((10**8, "亿"), (10**4, "万")):
        if number >= scale:
            head, tail = divmod(number, scale)
            return in_chinese(head) + mark + (("零" if tail < scale // 10 else "") + in_chinese(tail) if tail else "")
    text, zero = "", False
    for scale, mark in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, scale)
        if digit:
            text += ("零" if zero else "") + "零一二三四五六七八九"[digit] + mark
        zero = not digit and bool(text) and bool(number)
    return text


ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_english(number: int) -> str:
    """A whole number below 10**12 in British words."""
    for scale, word in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= scale:
            head, tail = divmod(number, scale)
            joint = " and " if 0 < tail < 100 else " "
            return f"{in_english(head)} {word}" + (f"{joint}{in_english(tail)}" if tail else "")
    if number >= 100:
        head, tail = divmod(number, 100)
        return f"{ONES[head]} hundred" + (f" and {in_english(tail)}" if tail else "")
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


@given(st.integers(2, 10**12 - 1))
@settings(max_examples=200)
def test_a_number_in_english_words_has_its_value(number: int) -> None:
    (quantity,) = find_quantities(f"of {in_english(number)} euros", lang="en")
    assert (quantity.value, quantity.unit) == (Decimal(number), "EUR")


@given(odd_texts | st.text(max_size=80), st.sampled_from([None, "en", "en-US", "de", "fr", "zh", "ru", "xx-", ""]))
@settings(max_examples=400)
def test_any_text_is_read_in_order_without_overlap_and_ever_the_same(text: str, lang: str | None) -> None:
    found = find_quantities(text, lang=lang, incidental=True, labels=True)
    assert found == find_quantities(text, lang=lang, incidental=True, labels=True)
    end = 0
    for quantity in found:
        assert end <= quantity.start < quantity.end <= len(text)
        assert quantity.raw == text[quantity.start : quantity.end]
        end = quantity.end


@given(odd_texts)
@settings(max_examples=300)
def test_what_a_text_states_is_found_in_itself(text: str) -> None:
    sources = find_quantities(text, incidental=True)
    for quantity in find_quantities(text):
        assert best_match(quantity, sources)[0] is Match.EQUAL
        assert equal_quantities(quantity, quantity)


@given(odd_texts, odd_texts)
@settings(max_examples=300)
def test_any_two_quantities_can_be_compared(left: str, right: str) -> None:
    for ours in find_quantities(left, incidental=True, labels=True):
        for theirs in find_quantities(right, incidental=True, labels=True):
            assert isinstance(match_quantity(ours, theirs), Match)
            assert equal_quantities(ours, theirs) is equal_quantities(theirs, ours)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_two_whole_numbers_are_equal_only_if_they_are(left: int, right: int) -> None:
    ours, theirs = find_quantities(f"at {left}")[0], find_quantities(f"at {right}")[0]
    assert (match_quantity(ours, theirs) is Match.EQUAL) is (left == right)


@given(st.decimals(0, 10**6, places=3, allow_nan=False, allow_infinity=False), st.integers(0, 2))
def test_a_marked_rounding_to_any_place_is_found(exact: Decimal, places: int) -> None:
    rounded = f"{exact:.{places}f}"
    (stated,), (source,) = find_quantities(f"about {rounded} kg", lang="en"), find_quantities(f"{exact} kg", lang="en")
    assert match_quantity(stated, source) is Match.EQUAL


@pytest.mark.parametrize(
    "unit",
    [
        *UNITS,
        "9",
        "1 ",
        "one ",
        "hundred ",
        "one hundred and ",
        "May 1 ",
        "July ",
        "$1",
        "$",
        "½",
        "一",
        "1万",
        "十 ",
        "1-",
        "1/",
        "1:",
        "10^",
        "1e",
        "Table 1, ",
        "(1) (2) ",
        "1. a\n",
        "half a ",
        "1 euro per day ",
        "e\u0301",
        "1\u200b",
        "einund",
        "https://1",
        "in (",
        "+1 ",
    ],
    ids=ascii,
)
def test_a_hostile_text_takes_calls_by_its_length(unit: str) -> None:
    assert_linear(find_quantities, lambda size: hostile(unit, size), MANY)


@pytest.mark.parametrize("unit", ["9", "1,", "one ", "\ufdfa", "½", "a1", "十", "$1", "1 of "], ids=ascii)
def test_a_hostile_text_of_200_kb_is_read_to_the_end(unit: str) -> None:
    last = find_quantities(hostile(unit, LARGE) + "\n\nThe limit is $180.")[-1]
    assert (last.kind, last.value) == (QuantityKind.MONEY, Decimal(180))


def test_a_very_long_number_is_a_code_and_not_a_value() -> None:
    (quantity,) = find_quantities("9" * 200_000)
    assert (quantity.kind, quantity.value) == (QuantityKind.CODE, None)


def test_a_language_can_be_added() -> None:
    text = "kakskümmend viis päeva"
    assert find_quantities(text, lang="et") == ()
    add_language(
        Language(
            tag="et",
            cardinals={"viis": 5, "kakskümmend": 20},
            units={"päeva": "day"},
            decimal_mark=",",
        )
    )
    (quantity,) = find_quantities(text, lang="et")
    assert (quantity.value, quantity.unit) == (Decimal(25), "day")
