from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_grounded.text.folding import fold
from pytest_grounded.text.quotes import QuoteVerdict, judge_quote, locate_quote, too_short
from tests.text.typesetting import TOKENS, WORDS, typeset

VERBATIM, ELIDED, BAD_ELISION, NOT_VERBATIM = QuoteVerdict

LIST = "A request MUST contain:\n\n*  the method field\n\n*  the target field (see\n   section 7)"
TABLE = "| City | Limit |\n|---|---:|\n| Standard | 180 |\n| High-cost | 260 |"
LEASE = "Under clause 9 the landlord is not permitted to terminate this lease during the fixed term."
FEE = "The annual fee, which is set out in Schedule B, [[PAGE_BREAK]] is due within ten days of the invoice date."

QUOTES = {
    "a negation before a word of degree": ("The limit is … waived", "The limit is not, under any rule, waived.", BAD_ELISION),
    "a link by reference": ("See the travel guide for limits", "See the [travel guide][1] for limits.", VERBATIM),
    "an index is no link": ("rows[a]", "rows[a][b]", VERBATIM),
    "an address in angle brackets": ("Write to desk@x.example today", "Write to <desk@x.example> today.", VERBATIM),
    "a blank before a degree sign": ("Keep it at 20°C or below", "Keep it at 20 °C or below.", VERBATIM),
    "hard line wraps": ("The model is trained for 100,000 steps", "The model is trained for\n100,000 steps", VERBATIM),
    "Unicode spaces": ("12 EUR per day; free", "12\u00a0EUR per\u2009day;\nfree", VERBATIM),
    "decomposed letters": ("Le café près de l'entrée", "Le cafe\u0301 pre\u0300s de l\u2019entre\u0301e", VERBATIM),
    "bullets and blank lines": ("A request MUST contain:\n* the method field\n* the target", LIST, VERBATIM),
    "bullets in one line": ("A request MUST contain: * the method field * the target field", LIST, VERBATIM),
    "other bullets in one line": ("a request must contain: - the method field \u2022 the target field", LIST, VERBATIM),
    "no bullets": ("A request MUST contain: the method field the target field (see section 7)", LIST, VERBATIM),
    "items for a flat source": ("uses:\n* red ink\n* blue ink", "Uses: red ink blue ink", VERBATIM),
    "a dash at a line's start": ("the limit – which applies – is 5", "the limit\n– which applies – is 5", VERBATIM),
    "a table row": ("| Standard | 180 |", TABLE, VERBATIM),
    "a table row without pipes": ("Standard 180", TABLE, VERBATIM),
    "table rows": ("City | Limit |\n|---|---|\n| Standard | 180", TABLE, VERBATIM),
    "table rows in one line": ("| City | Limit | | Standard | 180 |", TABLE, VERBATIM),
    "cells that are not neighbours": ("Standard | 260", TABLE, NOT_VERBATIM),
    "cells of two numbers run together": ("1 500 items", "| 1 | 500 items |", NOT_VERBATIM),
    "an escaped pipe": ("a \\| b is shown", "Then a | b is shown.", VERBATIM),
    "over a page break": ("in Schedule B, is due within ten days", FEE, VERBATIM),
    "a printed hyphen": ("an example text", "an exam-\nple text", VERBATIM),
    "a printed hyphen, kept": ("an exam-ple text", "an exam-\nple text", VERBATIM),
    "a real hyphen at a line's end": ("a well-known fact", "a well-\nknown fact", VERBATIM),
    "both kinds in one quote": ("an example of a well-known fact", "an exam-\nple of a well-\nknown fact", VERBATIM),
    "wraps in the quote": ("an exam-\nple of a well-\nknown fact", "an example of a well-known fact", VERBATIM),
    "a line end become a space": ("an example text", "an exam- ple text", VERBATIM),
    "a suspended hyphen": ("pre- and post-tax pay", "the pre-\nand post-tax pay", VERBATIM),
    "a suspended hyphen taken for a wrap": ("preand post-tax pay", "the pre- and post-tax pay", NOT_VERBATIM),
    "a dash between numbers stays": ("from 2020 2024", "from 2020-\n2024", NOT_VERBATIM),
    "other quote marks": ("the text 'ignore this' is", "the text “ignore this” is", VERBATIM),
    "quote marks around the quote": ("“The limit is 180 euros.”", "So the limit is 180 euros.", VERBATIM),
    "quote marks around a part": ('"limit is 180 euros".', "So the limit is 180 euros a night.", VERBATIM),
    "full width": ("ＡＢＣ１２３ code", "The ABC123 code", VERBATIM),
    "another case": ("THE LIMIT IS 180", "The limit is 180.", VERBATIM),
    "an ellipsis that the source has": ("parts ... within scope", "all parts … within scope", VERBATIM),
    "a Chinese line end": ("请假需提前三天申请", "请假需提前\n三天申请。", VERBATIM),
    "a part of a Chinese sentence": ("提前三天申请", "请假需提前三天申请。", VERBATIM),
    "a Korean word without its particle": ("호텔 한도", "호텔 한도는 180유로", VERBATIM),
    "after a French article": ("entrée du personnel", "près de l’entrée du personnel", VERBATIM),
    "after a dash": ("B begins here", "A—B begins here", VERBATIM),
    "a number behind a list dash": ("5 euros per day", "- 5 euros per day", VERBATIM),
    "a negative number": ("−5 euros per day", "a charge of -5 euros per day", VERBATIM),
    "a mixed fraction": ("1 1/2 cups of", "Use 1½ cups of", VERBATIM),
    "grouped digits": ("1 500 euros", "up to 1\u202f500 euros", VERBATIM),
    "a dropped not": ("the landlord is permitted to terminate", LEASE, NOT_VERBATIM),
    "a changed number": ("within 60 days", "within 30 days", NOT_VERBATIM),
    "an added stop": ("the limit is 180.", "the limit is 180 per night", NOT_VERBATIM),
    "two sentences of two places": ("red ink. green ink", "red ink. blue ink. green ink", NOT_VERBATIM),
    "inside a word": ("able to go home", "He is unable to go home.", NOT_VERBATIM),
    "the end of a word missing": ("they do", "they don't go", NOT_VERBATIM),
    "half a compound": ("refundable fees apply", "These are non-refundable fees apply", NOT_VERBATIM),
    "half a compound, at the end": ("the gift is tax", "the gift is tax-free", NOT_VERBATIM),
    "half a wrapped word": ("ample text", "an ex-\nample text", NOT_VERBATIM),
    "a wrapped word's first half": ("this is un", "this is un-\ntrue", NOT_VERBATIM),
    "inside a number": ("180 euros", "1180 euros", NOT_VERBATIM),
    "inside a grouped number": ("180 euros", "1,180 euros", NOT_VERBATIM),
    "inside a number grouped by spaces": ("500 euros", "1\u202f500 euros", NOT_VERBATIM),
    "inside a number grouped by plain spaces": ("000 euros", "20 000 euros", NOT_VERBATIM),
    "before the decimals": ("it is 4", "it is 4.2 million", NOT_VERBATIM),
    "before the scale letter": ("costs 4.2", "costs 4.2bn", NOT_VERBATIM),
    "half a range": ("10 days after", "5-10 days after", NOT_VERBATIM),
    "half a range with a dash": ("within 5", "within 5–10 days", NOT_VERBATIM),
    "half a date": ("10-01 on", "at 2024-10-01 on", NOT_VERBATIM),
    "half a mixed fraction": ("1/2 cup of", "1 1/2 cup of", NOT_VERBATIM),
    "without the sign": ("5 euros per day", "a charge of -5 euros per day", NOT_VERBATIM),
    "with a sign too many": ("-5 euros per day", "a charge of 5 euros per day", NOT_VERBATIM),
    "a negative amount": ("-$5 per day", "a charge of -$5 per day", VERBATIM),
    "an en dash for a minus sign": ("\u20135 euros per day", "a charge of -5 euros per day", VERBATIM),
    "a year and a number": ("500 people", "in 2024\u00a0500 people", VERBATIM),
    "an option": ("-v for more", "use -v for more", VERBATIM),
    "without the sign of an amount": ("$5 per day", "a charge of -$5 per day", NOT_VERBATIM),
    "before the exponent": ("a rate of 10", "a rate of 10⁻⁶", NOT_VERBATIM),
    "half an IP address": ("203.0.113.1", "It runs on 203.0.113.10.", NOT_VERBATIM),
    "half a Chinese number": ("八十元一晚", "一百八十元一晚", NOT_VERBATIM),
    "after a Chinese not": ("得携带宠物入内", "员工不得携带宠物入内", NOT_VERBATIM),
    "before a Japanese not": ("ファイルを保存でき", "ファイルを保存できない", NOT_VERBATIM),
    "inside a katakana word": ("インストール可", "アンインストール可", NOT_VERBATIM),
    "inside a Korean word": ("가능하다고 한다", "불가능하다고 한다", NOT_VERBATIM),
    "after a French not": ("est pas permis", "ce n'est pas permis", NOT_VERBATIM),
    "look-alike letters": ("the l\u0456mit is", "the limit is", NOT_VERBATIM),
    "Turkish case without Turkish": ("ışık kapalı", "IŞIK KAPALI", NOT_VERBATIM),
    "an empty quote": ("", "The limit is 180.", NOT_VERBATIM),
    "an empty source": ("the limit", "", NOT_VERBATIM),
    "nothing at all": ("", "", NOT_VERBATIM),
    "no word": ("...", "a ... b", NOT_VERBATIM),
    "no word but a sign": (" - ", "a - b", NOT_VERBATIM),
    "an honest ellipsis": ("The annual fee \u2026 is due within ten days", FEE, ELIDED),
    "a bracketed ellipsis": ("The annual fee [...] is due within ten days", FEE, ELIDED),
    "two ellipses": ("The annual fee (…) is due … of the invoice date", FEE, ELIDED),
    "an ellipsis with spaces": ("The annual fee . . . is due", FEE, ELIDED),
    "an ellipsis in front": ("… is due within ten days", FEE, ELIDED),
    "an ellipsis at the end": ("The annual fee...", FEE, ELIDED),
    "an ellipsis for nothing": ("The annual ... fee", FEE, ELIDED),
    "a quoted ellipsis": ("'The annual fee … is due'", FEE, ELIDED),
    "a word cut by an ellipsis": ("The annual fee, which is se...", FEE, NOT_VERBATIM),
    "an ellipsis over a not": ("the landlord is ... permitted to terminate", LEASE, BAD_ELISION),
    "an ellipsis over a contraction": ("he may, if he ... go", "he may, if he doesn't want to, go", BAD_ELISION),
    "an ellipsis over an exception": ("free … for staff", "free except on Sundays for staff", BAD_ELISION),
    "an ellipsis over other than": ("staff ... may enter", "staff other than interns may enter", BAD_ELISION),
    "an ellipsis over a ban": ("staff are ... to enter", "staff are forbidden to enter", BAD_ELISION),
    "an ellipsis over only": ("staff may ... enter", "staff may only, with a badge, enter", BAD_ELISION),
    "an ellipsis over a Chinese not": ("员工…携带宠物入内", "员工不得携带宠物入内", BAD_ELISION),
    "an ellipsis over a Chinese exception": ("可以入内…周末", "可以入内，除非是周末", BAD_ELISION),
    "an ellipsis over a German not": ("Der Mieter darf … kündigen", "Der Mieter darf den Vertrag nicht kündigen", BAD_ELISION),
    "an ellipsis against the order": ("the fixed term ... the landlord", LEASE, BAD_ELISION),
    "an ellipsis with a part that is not there": ("Under clause 9 … 60 days", LEASE, NOT_VERBATIM),
    "a short part that is not there": ("Refunds are paid within … 60 days", "Refunds are paid within 30 days", NOT_VERBATIM),
    "the nearest repeat": ("a start ... an end", "a start not then a start then an end", ELIDED),
    "too many parts": (" ... ".join("abcdefghijklmnopqrstuvwxyz0123456789"), "abcdefghijklmnopqrstuvwxyz0123456789", NOT_VERBATIM),
}  # fmt: skip


@pytest.mark.parametrize(("quote", "source", "verdict"), QUOTES.values(), ids=QUOTES)
def test_a_quote_is_judged(quote: str, source: str, verdict: QuoteVerdict) -> None:
    assert judge_quote(quote, source) is verdict


def test_the_source_language_decides_about_case() -> None:
    assert judge_quote("ışık kapalı", "IŞIK KAPALI", lang="tr") is VERBATIM


@pytest.mark.parametrize(("gap", "verdict"), [(118, ELIDED), (119, BAD_ELISION)], ids=["120 apart", "121 apart"])
def test_parts_are_at_most_120_folded_characters_apart(gap: int, verdict: QuoteVerdict) -> None:
    source = f"Refunds are paid {'x' * gap} in thirty days."
    assert judge_quote("Refunds are paid … in thirty days.", source) is verdict


def test_the_language_of_a_gap_is_the_one_of_the_source() -> None:
    source = "El arrendador no puede rescindir el contrato durante el plazo fijado."
    assert judge_quote("El arrendador … puede rescindir", source) is BAD_ELISION
    assert judge_quote("El arrendador … durante el plazo", source) is BAD_ELISION
    assert judge_quote("El arrendador no puede … durante el plazo", source) is ELIDED


def test_the_places_of_the_parts_are_those_in_the_source() -> None:
    parts = [FEE[start:end] for start, end in locate_quote("THE ANNUAL FEE … is due", FEE)]
    assert parts == ["The annual fee", "is due"]
    assert locate_quote("the annual fees", FEE) == ()
    assert locate_quote("the landlord is ... permitted", LEASE) == ()


@pytest.mark.parametrize(
    ("quote", "source", "short"),
    [
        ("the limit is", "the limit is low", True),
        ("the limits are", "the limits are low", False),
        ("a b c d e f g h i j k", "a b c d e f g h i j k l m", True),
        ("limit 180", "the limit 180 is", False),
        ("٣ أيام", "خلال ٣ أيام عمل", False),
        ("Yes", "Yes.", False),
        ("Yes", "Yes, it is.", True),
        ("加班须", "加班须经主管批准。", True),
        ("加班须经", "加班须经主管批准。", False),
        ("한도는", "한도는 높다", True),
        ("the ... limit", "the lower limit of it", True),
        ("", "", True),
        ("...", "...", True),
        ("—", "—", True),
    ],
)
def test_a_quote_is_too_short_below_12_characters(quote: str, source: str, short: bool) -> None:  # noqa: FBT001
    assert too_short(quote, source) is short


@settings(deadline=None)
@given(st.data(), TOKENS)
def test_a_part_set_in_any_other_type_is_a_quote(data: st.DataObject, tokens: list[str]) -> None:
    start = data.draw(st.integers(0, len(tokens) - 1))
    end = data.draw(st.integers(start + 1, len(tokens)))
    quote, source = data.draw(typeset(tokens[start:end])), data.draw(typeset(tokens))
    assert judge_quote(quote, source) is VERBATIM
    ((begin, stop),) = locate_quote(quote, source)
    assert judge_quote(quote, source[begin:stop]) is VERBATIM


@settings(deadline=None)
@given(st.data(), TOKENS, WORDS)
def test_a_dropped_changed_added_or_swapped_word_is_no_quote(
    data: st.DataObject, tokens: list[str], other: str
) -> None:
    assume(fold(other) not in {fold(token) for token in tokens})
    at = data.draw(st.integers(1, len(tokens) - 2))
    spoiled = data.draw(
        st.sampled_from(
            [
                tokens[:at] + tokens[at + 1 :],
                [*tokens[:at], other, *tokens[at + 1 :]],
                [*tokens[:at], other, *tokens[at:]],
                [*tokens[: at - 1], tokens[at], tokens[at - 1], *tokens[at + 1 :]],
            ]
        )
    )
    assert judge_quote(data.draw(typeset(spoiled)), data.draw(typeset(tokens))) is NOT_VERBATIM
    assert fold(" ".join(spoiled)) != fold(" ".join(tokens))


@settings(deadline=None)
@given(st.data(), TOKENS)
def test_a_quote_cut_inside_a_word_is_none(data: st.DataObject, tokens: list[str]) -> None:
    source = " ".join(tokens)
    start = data.draw(st.integers(1, len(source) - 1).filter(lambda i: not {source[i - 1], source[i]} & {" "}))
    assume(all(f" {half} " not in f" {source} " for half in (source[:start], source[start:])))
    assert judge_quote(source[start:], source) is NOT_VERBATIM
    assert judge_quote(source[:start], source) is NOT_VERBATIM


@settings(deadline=None)
@given(st.data(), TOKENS)
def test_an_ellipsis_may_stand_for_words_in_between(data: st.DataObject, tokens: list[str]) -> None:
    start = data.draw(st.integers(1, len(tokens) - 1))
    end = data.draw(st.integers(start, len(tokens) - 1))
    quote = " … ".join([data.draw(typeset(tokens[:start], lists=False)), data.draw(typeset(tokens[end:], lists=False))])
    assert judge_quote(quote, " ".join(tokens)) in {ELIDED, BAD_ELISION}


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=60), st.sampled_from([None, "tr", "zh", "fr"]))
def test_any_two_texts_can_be_judged(quote: str, source: str, lang: str | None) -> None:
    verdict = judge_quote(quote, source, lang=lang)
    spans = locate_quote(quote, source, lang=lang)
    assert bool(spans) == (verdict in {VERBATIM, ELIDED})
    assert all(0 <= start < end <= len(source) for start, end in spans)
    too_short(quote, source, lang=lang)
