from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.folding import (
    BREAK,
    GROUP,
    JOINED_WRAP,
    KEPT_WRAP,
    fold,
    fold_with_origins,
    marked,
    marked_with_origins,
)
from tests.text.typesetting import TOKENS, typeset

ODD = st.sampled_from(
    [
        *"aAbzß1205'\"-|*+.,;:!?%()[]{}<>\\/ \n\t\f\r#_`^~=",
        *"\u00a0\u00ad\u200b\u2011\u2013\u2014\u2019\u201c\u00ab\u00bb\u2026\u2022\ufb01\u00b2\u2082\u00bd\u2460\u0301\u0323",
        *"\u00e9\u0130\u0131\u017f\u52a0\uff0c\u3002\uff76\uff9e\u0e41\ud55c\u1161\u3000\u202f\ufdd0\ufdd2\u0149\u00a8\ufdfa",
        *["page", "Page 3", "--", "- ", "\n- ", "[[PAGE_BREAK]]", "\n|", "|\n", "---", "a-\nb", "1 ", "\u207b\u00b2"],
    ]
)
ODD_TEXT = st.one_of(st.text(max_size=60), st.lists(ODD, max_size=30).map("".join))
LANGS = st.sampled_from([None, "en", "tr"])

SAME = {
    "composed and decomposed": ("caf\u00e9", "cafe\u0301"),
    "a ligature": ("\ufb01nal o\ufb03ce", "final office"),
    "a long s": ("Congre\u017fs", "congress"),
    "full width": ("ＡＢＣ１２３", "abc123"),
    "half-width kana": ("\uff76\uff9e\uff72\uff84\uff9e", "ガイド"),
    "a unit sign": ("5 \u339e at 20 \u2103", "5 km at 20 °C"),
    "curly quote marks": ("\u201cit\u2019s\u201d", '"it\'s"'),
    "single for double quote marks": ("say 'yes' now", 'say "yes" now'),
    "angle quote marks with spaces": ("dit «\u00a0oui\u00a0» et", 'dit "oui" et'),
    "reversed angle quote marks": ("sagt »Ja« und", 'sagt "Ja" und'),
    "corner brackets": ("「はい」と", '"はい"と'),
    "typewriter quote marks": ("``yes''", '"yes"'),
    "an acute for an apostrophe": ("don\u00b4t", "don't"),
    "hyphens": ("well\u2010known non\u2011stop", "well-known non-stop"),
    "dashes": ("a \u2013 b", "a - b"),
    "a long dash without spaces": ("a\u2014b", "a \u2014 b"),
    "two hyphens for a dash": ("limit -- which", "limit \u2014 which"),
    "a minus sign": ("\u22125 \u00b0C", "-5 \u00b0C"),
    "spaces of every width": ("12\u00a0EUR per\u2009day\u202fnow\u3000ok", "12 EUR per day now ok"),
    "tabs and line ends": ("a\tb\r\nc\u2028d\x0be", "a b c d e"),
    "a space before a stop": ("Taux\u00a0: 12,5\u202f% ; oui !", "Taux: 12,5%; oui!"),
    "zero-width characters": ("te\u200brmi\u200dna\ufeffte\u2060", "terminate"),
    "directions": ("\u200fabc\u202e", "abc"),
    "a soft hyphen": ("ter\u00adminate", "terminate"),
    "a soft hyphen at a line's end": ("ter\u00ad\nminate", "terminate"),
    "a hyphen at a line's end": ("exam-\nple", "example"),
    "the same, indented": ("exam-  \n    ple", "example"),
    "the same, where the line end became a space": ("exam- ple", "example"),
    "the same, over a page break": ("exam-\n[[PAGE_BREAK]]\nple", "example"),
    "a hyphen between numbers at a line's end": ("2020-\n2024", "2020-2024"),
    "a hyphenated pair of names at a line's end": ("Anglo-\nAmerican", "Anglo-American"),
    "bullets": ("\n*  one\n\u2022 two\n - three\n\u2013 four", "one two three four"),
    "no-space bullets": ("\u2022one\n\u2022two", "one two"),
    "nested bullets": ("* - one", "one"),
    "escaped table pipes": ("a \\| b", "a | b"),
    "table pipes at the edges": ("| a | b |", "a|b"),
    "a table's ruled line": ("| a | b |\n|---|:-:|\n| c | d |", "a | b\nc | d"),
    "a form feed": ("one\ftwo", "one two"),
    "a page-break mark": ("in Schedule B, [[PAGE_BREAK]] is due", "in Schedule B, is due"),
    "a page-break comment": ("one <!-- PageBreak --> two", "one two"),
    "a page-number rule": ("one\n--- page 3 of 9 ---\ntwo", "one two"),
    "a page-number line": ("one\nPage 3 of 9\ntwo", "one two"),
    "a page-break line": ("one\nPAGE BREAK\ntwo", "one two"),
    "a dashed page-number line": ("one\n- 3 -\ntwo", "one two"),
    "a Chinese page-number line": ("甲\n第 3 页 共 9 页\n乙", "甲乙"),
    "an ellipsis": ("and so on\u2026", "and so on..."),
    "a spaced ellipsis": ("and . . . so", "and ... so"),
    "case": ("STRASSE", "straße"),
    "Greek case": ("ΟΔΟΣ", "οδος"),
    "a line end in Chinese": ("请假需提前\n三天，\nAPI", "请假需提前三天，API"),
    "spaces around Latin in Chinese": ("限额为 180 元", "限额为180元"),
    "a fraction": ("\u00bd", "1/2"),
    "a fraction behind a number": ("1\u00bd", "1 1/2"),
    "Arabic stretching": ("مـــا", "ما"),
}
DIFFERENT = {
    "a dropped not": ("is not permitted", "is permitted"),
    "accents": ("pêche", "péché"),
    "a missing accent": ("résumé", "resume"),
    "a hyphen in a word": ("re-sign", "resign"),
    "a missing hyphen": ("co-op", "coop"),
    "a raised digit": ("10²", "102"),
    "a raised minus": ("10⁻⁶", "10-6"),
    "a raised unit": ("m⁻²", "m-2"),
    "a lowered digit": ("log₂8", "log28"),
    "a fraction glued to a number": ("1½", "11/2"),
    "circled numbers": ("①②", "12"),
    "a sign": ("at -5", "at 5"),
    "a sign and a dash": ("at -5", "at - 5"),
    "feet and inches": ("5'", '5"'),
    "a decimal point": ("1.5", "15"),
    "digit groups": ("1 500", "1500"),
    "cells": ("| 1 | 500 |", "1 500"),
    "a page reference": ("see (page 3)", "see (page 4)"),
    "a page of a form": ("Page 3 of 9 must be signed", "Page 4 of 9 must be signed"),
    "letters of another script": ("caf\u0435", "cafe"),
    "an option": ("--all", "-all"),
    "a suspended hyphen": ("pre- and post-tax", "preand post-tax"),
    "Greek accents": ("νόμος", "νομός"),
    "comparison": ("> 5", "5"),
    "words run together": ("un able", "unable"),
    "numbered items": ("1. one", "2. one"),
    "emphasis": ("**limit**", "limit"),
}


@pytest.mark.parametrize(("left", "right"), SAME.values(), ids=SAME)
def test_type_makes_no_difference(left: str, right: str) -> None:
    assert fold(left) == fold(right)


@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=DIFFERENT)
def test_words_numbers_and_signs_make_a_difference(left: str, right: str) -> None:
    assert fold(left) != fold(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("DIŞI", "dışı"), ("İZİN", "izin"), ("\u0130ZI\u0307N", "izin"), ("i\u0307zin", "izin")],
    ids=["dotless", "dotted", "decomposed", "lower-cased by other rules"],
)
@pytest.mark.parametrize("lang", ["tr", "tr-TR", "az"])
def test_turkish_letters_fold_by_turkish_rules(left: str, right: str, lang: str) -> None:
    assert fold(left, lang=lang) == fold(right, lang=lang)


def test_turkish_dotless_and_dotted_letters_stay_apart() -> None:
    assert fold("KISIM", lang="tr") != fold("kisim", lang="tr")
    assert fold("KISIM") == fold("kisim")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("well-\nknown", f"well{JOINED_WRAP}known"),
        ("30-\nday", f"30{KEPT_WRAP}day"),
        ("a:\n* b", f"a:{BREAK}b"),
        ("1\u00a0500", f"1{GROUP}500"),
        ("a \u2013 b", "a\u2014b"),
        ("5\u201310", "5\u201310"),
    ],
)
def test_a_marked_text_keeps_the_layout_that_has_several_readings(text: str, expected: str) -> None:
    assert marked(text) == expected


def test_marks_in_the_text_itself_are_dropped() -> None:
    assert fold(f"a{JOINED_WRAP}b{BREAK}c{GROUP}d") == "abcd"


def test_marks_on_a_letter_are_cut_where_nobody_can_read_them() -> None:
    assert len(fold("a" + "\u0301\u0323" * 1000)) < 40
    assert fold("\u2192" * 100) == "\u2192" * 100


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("Le cafe\u0301 ouvre", "café", "cafe\u0301"),
        ("the exam-\nple text", "example", "exam-\nple"),
        ("o\ufb03ce", "office", "o\ufb03ce"),
        ("a \u2014 b", "-", " \u2014 "),
        ("x te\u200brm y", "term", "te\u200brm"),
        ("\uff76\uff9e!", "ガ", "\uff76\uff9e"),
    ],
)
def test_a_part_of_the_folded_text_is_found_in_the_original(text: str, part: str, original: str) -> None:
    folded = fold_with_origins(text)
    start = folded.text.index(part)
    begin, end = folded.original_span(start, start + len(part))
    assert text[begin:end] == original


def test_an_empty_part_has_a_place() -> None:
    assert fold_with_origins("ab").original_span(1, 1) == (1, 1)
    assert fold_with_origins("ab").original_span(2, 2) == (2, 2)
    assert fold_with_origins("").original_span(0, 0) == (0, 0)


@settings(deadline=None)
@given(ODD_TEXT, LANGS)
def test_folding_twice_changes_nothing_more(text: str, lang: str | None) -> None:
    once = fold(text, lang=lang)
    assert fold(once, lang=lang) == once


@settings(deadline=None)
@given(ODD_TEXT, LANGS)
def test_the_traced_folding_gives_the_same_text(text: str, lang: str | None) -> None:
    folded = fold_with_origins(text, lang=lang)
    assert folded.text == fold(text, lang=lang)
    assert marked_with_origins(text, lang=lang).text == marked(text, lang=lang)
    assert all(0 <= start <= end <= len(text) for start, end in folded.spans)
    assert list(folded.spans) == sorted(folded.spans)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_normal_forms_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


@settings(deadline=None)
@given(st.data(), TOKENS)
def test_the_same_words_in_any_type_fold_alike(data: st.DataObject, tokens: list[str]) -> None:
    assert fold(data.draw(typeset(tokens))) == fold(data.draw(typeset(tokens)))
