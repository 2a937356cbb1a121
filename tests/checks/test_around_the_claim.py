"""What stands around a claim and states nothing: markers of every kind, greetings, talk about the search itself."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import ABSTAINED, HOTEL, answer, claim, findings, names, said

STEM = HOTEL.removesuffix(".")
CASE = make_case(
    corpus=[make_chunk("c1", HOTEL), make_chunk("c2", "A limit of $180 applies in standard cities.")],
    question="What is the hotel limit?",
)
LISTED = {"sources": [{"chunk": "c1", "title": "Travel", "marker": "1"}]}


def reply(text: str, marker: str | None = None, **fields: Any) -> dict[str, Any]:
    cited = {"text": HOTEL, "citations": [{"chunk": "c1", "quote": None, "marker": marker}]}
    return answer(cited, text=text, **fields)


@pytest.mark.parametrize(
    ("text", "marker", "fields"),
    [
        (f"{STEM} (1).", "(1)", {}),
        (f"{STEM} (1).", "1", {}),
        (f"{STEM} (1).", None, LISTED),
        (f"{STEM} (1).", None, {}),
        (f"{STEM}<sup>1</sup>.", "1", {}),
        (f"{STEM}<sup>[1]</sup>.", "1", {}),
        (f"{STEM} (source: c1).", None, {}),
        (f"{STEM} (see c1).", None, {}),
        (f"{STEM} [Source: c1, p. 3].", None, {}),
        (f"{STEM} (ref. 1).", "1", {}),
        (f"{STEM} {{1}}.", "1", {}),
        (f"{STEM} ①.", "①", {}),
        (f"{STEM}¹.", "1", {}),
        (f"{STEM} ［1］.", "1", {}),
        (f"{STEM}【1†source】.", "1", {}),
        (f"{STEM}【4:0†travel.pdf】.", "【4:0†travel.pdf】", {}),
        (f"{STEM} [[1]](https://example.org/travel).", "1", {}),
        (f"{STEM} ([1]).", "1", {}),
        (f"{HOTEL}[^1]\n\n[^1]: c1", "[^1]", {}),
        (f"{STEM} [1]\n\nSources:\n[1] c1", "1", {}),
        (f"{STEM} [1]\n\n**References**\n1. Travel policy (c1)", "1", {}),
        (f"According to c1, {HOTEL[0].lower()}{HOTEL[1:]}", None, {}),
        (f"Hello Ms. Lopez,\n\n{HOTEL}\n\nBest regards", None, {}),
        (f"Dear Mr. O'Neill, {HOTEL}", None, {}),
        (f"Good morning Anna,\n{HOTEL}\nKind regards,\nTravel Desk", None, {}),
        (f"Sehr geehrte Frau Lopez, {HOTEL} Mit freundlichen Grüßen, Ihr Reiseteam", None, {}),
        (f"TL;DR: {HOTEL}", None, {}),
        (f"I searched 3 documents and found this: {HOTEL}", None, {}),
        (f"I found the answer in 1 document: {HOTEL}", None, {}),
        (f"Based on 2 sources: {HOTEL}", None, {}),
        (f"{HOTEL} (Confidence: 95%)", None, {}),
        (f"I am 95% sure. {HOTEL}", None, {}),
    ],
)
def test_what_only_points_or_greets_states_nothing(text: str, marker: str | None, fields: dict[str, Any]) -> None:
    assert said(findings(CASE, reply(text, marker, **fields))) == "nothing was found"


@pytest.mark.parametrize("marker", ["[c1, c2]", "[c1; c2]", "[c1][c2]", "(c1, c2)", "[c1 & c2]", "[source: c1, c2]"])
def test_a_marker_may_hold_several_ids(marker: str) -> None:
    both = answer(claim(HOTEL, "c1", "c2"), text=f"{STEM} {marker}.")
    assert said(findings(CASE, both)) == "nothing was found"
    assert names(CASE, answer(claim(HOTEL, "c1"), text=f"{STEM} {marker}.")) == {"citation.render_mismatch"}


@pytest.mark.parametrize(
    ("text", "marker", "check"),
    [
        (f"{STEM} (2).", "1", "claim.uncited_text"),
        (f"{STEM}<sup>2</sup>.", "1", "citation.unknown_id"),
        (f"{STEM} [2].", "1", "citation.unknown_id"),
        (f"{STEM} (source: c9).", None, "claim.uncited_text"),
        (f"{STEM}【2†source】.", "1", "stream.raw_marker"),
        (f"Hello Ms. Lopez, the limit in Lima is $180. {HOTEL}", None, "claim.uncited_text"),
        (f"Dear Plan 9 members, {HOTEL}", None, "claim.uncited_text"),
        (f"You need 3 documents. {HOTEL}", None, "claim.uncited_text"),
        (f"A 95% confidence interval was used. {HOTEL}", None, "claim.uncited_text"),
    ],
)
def test_what_points_nowhere_or_states_more_is_found(text: str, marker: str | None, check: str) -> None:
    assert check in names(CASE, reply(text, marker))


def test_what_a_text_says_in_the_words_of_its_claims_needs_no_second_source() -> None:
    steps = ["2. Press Save in Acme Desk.", "3. Wait 10 minutes."]
    case = make_case(corpus=[make_chunk("c1", "\n".join(["1. Open it.", *steps]))], question="How?")
    text = " ".join(f"{step} [c1]" for step in steps)
    assert said(findings(case, answer(*map(claim, steps), text=text))) == "nothing was found"
    assert names(case, answer(*map(claim, steps), text=f"{text} It costs 40 euros.")) == {"claim.uncited_text"}


def test_a_claim_may_tell_how_much_was_searched_and_no_more() -> None:
    right = claim(f"Based on the 2 documents provided, {HOTEL[0].lower()}{HOTEL[1:]}")
    wrong = claim(f"For 2 guests, {HOTEL[0].lower()}{HOTEL[1:]}")
    assert said(findings(CASE, answer(right))) == "nothing was found"
    assert names(CASE, answer(wrong)) == {"number.unsupported"}


SERVICE = {
    "en": [
        "I could not find this in 1 document.",
        "I checked c1 and found nothing.",
        "Please contact HR; we get back to you within 2 days.",
        "I am only 40% sure, so I do not answer.",
        "No answer. (Confidence: 12%)",
        "Please try again in 5 minutes.",
    ],
    "de": [
        "Dazu habe ich nichts gefunden. Wir melden uns innerhalb von 2 Tagen.",
        "Ich habe 1 Dokument durchsucht und nichts gefunden.",
        "Ein Kollege meldet sich in den nächsten 2 Werktagen.",
    ],
    "fr": ["Je n'ai rien trouvé dans 1 document.", "Nous vous répondrons sous 48 heures."],
    "es": ["No encontré nada en 1 documento.", "Le responderemos en 2 días hábiles."],
    "it": ["Non ho trovato nulla in 1 documento.", "Le risponderemo entro 2 giorni."],
    "nl": ["Ik heb niets gevonden in 1 document.", "U krijgt binnen 2 werkdagen antwoord."],
    "pt": ["Não encontrei nada em 1 documento.", "Responderemos em 2 dias úteis."],
    "zh": ["在1份文件中没有找到相关信息。", "我们将在2个工作日内回复您。"],
    "ja": ["1件の文書を確認しましたが、記載がありませんでした。", "2営業日以内にご連絡します。"],
}


@pytest.mark.parametrize(("lang", "text"), [(lang, text) for lang, texts in SERVICE.items() for text in texts])
def test_an_abstention_may_tell_what_it_did_and_when_somebody_answers(lang: str, text: str) -> None:
    case = make_case("unanswerable", corpus=[make_chunk("c1", "Hotel: 180 EUR.", lang=lang)], question="?")
    assert said(findings(case, {**ABSTAINED, "text": text})) == "nothing was found"


@pytest.mark.parametrize(
    "text", ["The limit is 180 EUR; we reply within 2 days.", "Pets cost 40%.", "Das Limit ist für die ersten 14 Tage."]
)
def test_an_abstention_that_gives_a_value_is_still_found(text: str) -> None:
    case = make_case("unanswerable", corpus=[make_chunk("c1", "Hotel: 180 EUR.")], question="?")
    assert names(case, {**ABSTAINED, "text": text}) == {"decision.contradictory"}
