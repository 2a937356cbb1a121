from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.polarity import exceptions, modals, negations, polarity_profile, reverses
from pytest_grounded.text.polarity_words import languages_with_lexicon, lexicon

EQUAL = {
    "contractions": ("They can't book.", "They cannot book.", None),
    "a spaced contraction": ("They can not book.", "They can’t book.", None),
    "bans": ("Staff must not book.", "Staff may not book.", None),
    "a ban in other words": ("Staff are not allowed to book.", "Staff mustn't book.", None),
    "duties": ("Staff must book.", "Staff are required to book.", None),
    "duties by shall": ("Staff shall book.", "Staff have to book.", None),
    "permissions": ("Staff may book.", "Staff are permitted to book.", None),
    "exemptions": ("Staff need not book.", "Staff do not have to book.", None),
    "upper bounds": ("at most 5 days", "no more than 5 days", None),
    "upper bounds by a verb": ("It may not exceed 5 days.", "up to 5 days", None),
    "lower bounds": ("at least 5 days", "no fewer than 5 days", None),
    "signs": (">= 5 days", "at least 5 days", None),
    "quantifiers": ("Every employee", "All employees", None),
    "hedges": ("about 5 days", "approximately 5 days", None),
    "exceptions": ("all except interns", "all other than interns", None),
    "neither and nor": ("neither red nor blue", "not red or blue", None),
    "not only": ("Not only staff may enter", "Staff may enter", None),
    "about something": ("a rule about travel", "a travel rule", None),
    "over something else": ("over the phone, under clause 9", "on the phone, by clause 9", None),
    "the month of May": ("In May 2024, on 3 May, it opened", "In June 2024, on 3 June, it opened", None),
    "a can": ("a can of paint", "a tin of paint", None),
    "a numbered thing": ("see No. 5", "see number 5", None),
    "German bounds": ("höchstens 5 Tage", "maximal 5 Tage", "de"),
    "German duties": ("Sie müssen buchen", "Sie sind verpflichtet zu buchen", "de"),
    "French denials": ("Il n'est pas permis", "Ce n'est pas autorisé", "fr"),
    "French only": ("Il ne paie que cela", "Il paie seulement cela", "fr"),
    "Chinese bans": ("不得携带", "禁止携带", None),
    "Chinese bounds": ("不超过100元", "最多100元", None),
}
DIFFERENT = {
    "a dropped not": ("Staff may not book.", "Staff may book.", None, {"modals"}),
    "a plain not": ("It is not refunded.", "It is refunded.", None, {"negations"}),
    "no": ("There is no limit.", "There is a limit.", None, {"negations"}),
    "never": ("It is never paid.", "It is not paid.", None, {"negations"}),
    "without": ("without a badge", "with a badge", None, {"negations"}),
    "a prefix": ("a non-refundable fare", "a refundable fare", None, {"negations"}),
    "must and may": ("Staff must book.", "Staff may book.", None, {"modals"}),
    "must and should": ("Staff must book.", "Staff should book.", None, {"modals"}),
    "may and might": ("Staff may book.", "Staff might book.", None, {"modals"}),
    "is and is at least": ("The limit is 5.", "The limit is at least 5.", None, {"bounds"}),
    "at least and at most": ("at least 5", "at most 5", None, {"bounds"}),
    "more than and at least": ("more than 5", "at least 5", None, {"bounds"}),
    "over and under": ("over 500 euros", "under EUR 500", None, {"bounds"}),
    "within and after": ("within 30 days", "after 30 days", None, {"bounds"}),
    "before and after": ("before 1 May", "after 1 May", None, {"bounds"}),
    "all and some": ("all employees", "some employees", None, {"quantifiers"}),
    "all and most": ("all employees", "most employees", None, {"quantifiers"}),
    "first and last": ("the first year", "the last year", None, {"quantifiers"}),
    "a hedge": ("about 5 days", "5 days", None, {"hedges"}),
    "unless": ("free unless late", "free when late", None, {"exceptions"}),
    "except": ("all days except Sunday", "all days and Sunday", None, {"exceptions"}),
    "only": ("only staff may enter", "staff may enter", None, {"exceptions"}),
    "German not": ("Das gilt nicht.", "Das gilt.", "de", {"negations"}),
    "German bounds": ("mindestens 5 Tage", "höchstens 5 Tage", "de", {"bounds"}),
    "French bounds": ("au moins 5 jours", "au plus 5 jours", "fr", {"bounds"}),
    "French not": ("Il n'est pas payé", "Il est payé", "fr", {"negations"}),
    "Spanish not": ("El hotel no está incluido", "El hotel está incluido", "es", {"negations"}),
    "Italian exceptions": ("tutti tranne i minori", "tutti anche i minori", "it", {"exceptions"}),
    "Portuguese not": ("O hotel não é pago", "O hotel é pago", "pt", {"negations"}),
    "Dutch bounds": ("minstens 5 dagen", "hoogstens 5 dagen", "nl", {"bounds"}),
    "Russian not": ("Это не оплачивается", "Это оплачивается", None, {"negations"}),
    "Turkish exceptions": ("pazar hariç her gün", "pazar her gün", "tr", {"exceptions"}),
    "Chinese not": ("费用未报销", "费用报销", None, {"negations"}),
    "Chinese bounds": ("至少三天", "至多三天", None, {"bounds"}),
    "Chinese modals": ("必须申请", "可以申请", None, {"modals"}),
    "Chinese exceptions": ("除非主管批准", "主管批准", None, {"exceptions"}),
    "Japanese not": ("許可されていない", "許可されている", None, {"negations"}),
    "Japanese bounds": ("18歳以上", "18歳未満", None, {"bounds"}),
    "Korean bounds": ("3일 이상", "3일 이하", None, {"bounds"}),
    "Arabic bounds": ("على الأقل خمسة", "على الأكثر خمسة", None, {"bounds"}),
}


@pytest.mark.parametrize(("left", "right", "lang"), EQUAL.values(), ids=EQUAL)
def test_words_of_one_sense_have_one_profile(left: str, right: str, lang: str | None) -> None:
    assert polarity_profile(left, lang=lang).differences(polarity_profile(right, lang=lang)) == ()


@pytest.mark.parametrize(("left", "right", "lang", "kinds"), DIFFERENT.values(), ids=DIFFERENT)
def test_words_that_turn_a_rule_change_its_profile(left: str, right: str, lang: str | None, kinds: set[str]) -> None:
    assert set(polarity_profile(left, lang=lang).differences(polarity_profile(right, lang=lang))) == kinds


def test_what_is_found_is_named_in_text_order() -> None:
    text = "You must not smoke; guests can't, unless asked, and only outside. Nobody has to."
    assert negations(text) == ("not", "not", "not")
    assert exceptions(text) == ("unless", "only")
    assert modals(text) == ("prohibition", "prohibition", "exemption")


def test_a_profile_is_sorted_and_keeps_repeats() -> None:
    profile = polarity_profile("no more than 5, at least 2, at most 3")
    assert profile.bounds == ("at_least", "at_most", "at_most")


@pytest.mark.parametrize(
    ("text", "lang", "turns"),
    [
        ("which is set out in Schedule B,", None, False),
        ("if any,", None, False),
        ("and its annexes (as amended)", None, False),
        ("not", None, True),
        ("isn't", None, True),
        ("other than on Sundays", None, True),
        ("is forbidden from", None, True),
        ("unable to", None, True),
        ("hardly", None, True),
        ("nicht", None, True),
        ("sans badge", None, True),
        ("der in Anlage B steht", "de", False),
        ("不", "zh", True),
        ("不仅", "zh", False),
        ("", None, False),
    ],
)
def test_a_left_out_part_may_turn_what_stands_around_it(text: str, lang: str | None, turns: bool) -> None:  # noqa: FBT001
    assert reverses(text, lang=lang) is turns


@pytest.mark.parametrize("language", sorted(languages_with_lexicon()))
def test_every_lexicon_can_deny_allow_oblige_and_bound(language: str) -> None:
    known = lexicon(language)
    senses = {sense for entries in known.phrases.values() for _, _, sense in entries} | {
        sense for _, sense in known.stems
    }
    assert {
        ("negation", "not"),
        ("modal", "obligation"),
        ("modal", "permission"),
        ("bound", "at_least"),
        ("bound", "at_most"),
    } <= senses
    assert {kind for kind, _ in senses} <= {"negation", "exception", "modal", "bound", "quantifier", "hedge", "neutral"}
    assert "" not in known.phrases


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from([None, "en", "de", "fr", "zh", "xx", ""]))
def test_any_text_has_a_profile(text: str, lang: str | None) -> None:
    profile = polarity_profile(text, lang=lang)
    assert profile.differences(profile) == ()
    modals(text, lang=lang)
    reverses(text, lang=lang)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["not", "must", "may", "can't", "unless", "only", "at", "least", "neither", "nor", "no", "over", "5"]
        )
    )
)
def test_case_and_spacing_make_no_difference(words: list[str]) -> None:
    assert polarity_profile(" ".join(words)) == polarity_profile("\n ".join(words).upper().replace("MAY", "may"))
