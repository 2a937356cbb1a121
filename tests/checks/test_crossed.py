"""What is said of one thing is not said of another: subjects, values, labels and names that changed their sentence."""

from __future__ import annotations

import pytest

from pytest_grounded.model.case import Case
from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, names, said

CROSSED: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    (("سعر التذكرة للبالغين ٤٠ درهمًا وللأطفال ٢٠ درهمًا.",), ("سعر التذكرة للأطفال ٤٠ درهمًا.",), "ar"),
    (("Bilet yetişkinler için 40 lira ve çocuklar için 20 liradır.",), ("Bilet çocuklar için 40 liradır.",), "tr"),
    (("The court may order costs against the claimant.",), ("The court may order costs against the defendant.",), "en"),
    (("Le vol est annulé si le commandant le décide.",), ("Le vol est annulé si le copilote le décide.",), "fr"),
    (
        ("Der Vertrag kann nur schriftlich gekündigt werden.",),
        ("Der Vertrag kann auch mündlich gekündigt werden.",),
        "de",
    ),
    (("Paris is nice. Rome is loud.",), ("Rome is nice. Paris is loud.",), "en"),
    (("Paris is nice. Rome is loud.",), ("Rome is nice.", "Paris is loud."), "en"),
    (("Paris is nice. Rome is loud.",), ("Rome is nice.",), "en"),
    (("Paris is nice; Rome is loud.",), ("Rome is nice.",), "en"),
    (("Paris is nice. / Rome is loud.",), ("Rome is nice. / Paris is loud.",), "en"),
    (("Paris is nice.", "Rome is loud."), ("Rome is nice.",), "en"),
    (("Cats are allowed. Dogs are banned.",), ("Dogs are allowed. Cats are banned.",), "en"),
    (("Cats are allowed in the garden. Dogs are allowed in the lobby.",), ("Dogs are allowed in the garden.",), "en"),
    (("Der Käufer trägt die Kosten. Der Verkäufer trägt das Risiko.",), ("Der Verkäufer trägt die Kosten.",), "de"),
    (
        ("Le bailleur paie les réparations. Le locataire paie les charges.",),
        ("Le locataire paie les réparations.",),
        "fr",
    ),
    (("El portero usa guantes. El delantero usa tacos.",), ("El delantero usa guantes.",), "es"),
    (("巴黎很美。罗马很吵。",), ("罗马很美。",), "zh"),
    (("パリは美しい。ローマは騒がしい。",), ("ローマは美しい。",), "ja"),
    (("पेरिस सुंदर है। रोम महँगा है।",), ("रोम सुंदर है।",), "hi"),
    (("Paris güzel bir şehir. Roma pahalı bir şehir.",), ("Roma güzel bir şehir.",), "tr"),
    (("باريس مدينة جميلة. روما مدينة غالية.",), ("روما مدينة جميلة.",), "ar"),
    (("Die Kündigung richtet sich nach § 573 BGB.",), ("Die Kündigung richtet sich nach § 574 BGB.",), "de"),
    (
        ("Die Kündigung richtet sich nach § 573 BGB. Der Widerspruch richtet sich nach § 574 BGB.",),
        ("Die Kündigung richtet sich nach § 574 BGB. Der Widerspruch richtet sich nach § 573 BGB.",),
        "de",
    ),
    (
        ("Die Kündigung richtet sich nach § 573 BGB. Der Widerspruch richtet sich nach § 574 BGB.",),
        ("Die Kündigung richtet sich nach § 574 BGB.",),
        "de",
    ),
    (
        ("Theft is punished under section 242. Fraud is punished under section 263.",),
        ("Theft is punished under section 263.",),
        "en",
    ),
    (
        ("La résiliation est régie par l'article 12. La cession est régie par l'article 14.",),
        ("La résiliation est régie par l'article 14.",),
        "fr",
    ),
    (
        ("El despido se rige por el artículo 52. La cesión se rige por el artículo 43.",),
        ("El despido se rige por el artículo 43.",),
        "es",
    ),
    (("解除は第5条による。譲渡は第7条による。",), ("解除は第7条による。",), "ja"),
    (("合同解除适用第563条。",), ("合同解除适用第565条。",), "zh"),
    (("Fesih 18. maddeye göre yapılır. Devir 20. maddeye göre yapılır.",), ("Fesih 20. maddeye göre yapılır.",), "tr"),
    (("यह अपराध धारा 302 के अंतर्गत है।",), ("यह अपराध धारा 304 के अंतर्गत है।",), "hi"),
    (("يخضع الفسخ للمادة 12.",), ("يخضع الفسخ للمادة 14.",), "ar"),
    (("Lyon and Nice have 5 and 7 offices respectively.",), ("Lyon has 7 offices and Nice has 5 offices.",), "en"),
    (("Lyon and Nice have 5 and 7 offices respectively.",), ("Lyon has 7 offices. Nice has 5 offices.",), "en"),
    (("Lyon and Nice have 5 and 7 offices respectively.",), ("Lyon has 7 offices.", "Nice has 5 offices."), "en"),
    (
        ("Lyon and Nice have 5 and 7 offices respectively.",),
        ("Lyon and Nice have 7 and 5 offices respectively.",),
        "en",
    ),
    (
        ("Lyon and Nice have 5 and 7 offices respectively.",),
        ("Nice and Lyon have 5 and 7 offices respectively.",),
        "en",
    ),
    (("Lyon has 5 offices and Nice has 7 offices.",), ("Lyon and Nice have 7 and 5 offices respectively.",), "en"),
    (("The doors and the windows are painted red and blue respectively.",), ("The windows are painted red.",), "en"),
    (("Adults and children take 500 mg and 250 mg respectively.",), ("Children take 500 mg.",), "en"),
]
RIGHT: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    (("Paris is nice. Rome is loud.",), ("Rome is loud. Paris is nice.",), "en"),
    (("Paris is nice. Rome is nice.",), ("Rome is nice too.",), "en"),
    (("Acme makes cars. The company makes trucks.",), ("Acme makes trucks.",), "en"),
    (("Acme makes cars. It makes trucks.",), ("Acme makes trucks.",), "en"),
    (("Employees must wear badges. Everyone must wear helmets.",), ("Employees must wear helmets.",), "en"),
    (
        ("Die Kündigung richtet sich nach § 573 BGB. Der Widerspruch richtet sich nach § 574 BGB.",),
        ("Nach § 573 BGB richtet sich die Kündigung, der Widerspruch nach § 574 BGB.",),
        "de",
    ),
    (
        ("Lyon and Nice have 5 and 7 offices respectively.",),
        ("Nice and Lyon have 7 and 5 offices respectively.",),
        "en",
    ),
    (("Lyon and Nice have 5 and 7 offices respectively.",), ("Lyon has 5 offices and Nice has 7 offices.",), "en"),
    (
        ("Lyon and Nice have 5 and 7 offices respectively.",),
        ("Lyon and Nice have 5 and 7 offices, respectively.",),
        "en",
    ),
    (("Lyon has 5 offices and Nice has 7 offices.",), ("Lyon and Nice have 5 and 7 offices respectively.",), "en"),
    (("The doors and the windows are painted red and blue respectively.",), ("The windows are painted blue.",), "en"),
    (("Adults and children take 500 mg and 250 mg respectively.",), ("Children take 250 mg.",), "en"),
    (("Nach § 573a BGB gilt das.",), ("Das gilt nach § 573a BGB.",), "de"),
    (
        ("Theft is punished under section 242 and fraud under section 263.",),
        ("Fraud is punished under section 263.",),
        "en",
    ),
    (("Rome is loud. Rome is nice.",), ("Rome is nice; Rome is loud.",), "en"),
]


def case_of(sources: tuple[str, ...], lang: str) -> Case:
    return make_case(corpus=[make_chunk(f"c{place}", text, lang=lang) for place, text in enumerate(sources, 1)])


def ids(sources: tuple[str, ...]) -> list[str]:
    return [f"c{place}" for place, _ in enumerate(sources, 1)]


@pytest.mark.parametrize(("sources", "texts", "lang"), CROSSED, ids=[" / ".join(texts) for _, texts, _ in CROSSED])
def test_what_is_said_of_something_else_is_found(sources: tuple[str, ...], texts: tuple[str, ...], lang: str) -> None:
    reply = answer(*(claim(text, *ids(sources)) for text in texts))
    assert names(case_of(sources, lang), reply) & {
        "claim.mixed_sources",
        "claim.unsupported",
        "claim.polarity",
        "number.unsupported",
    }


@pytest.mark.parametrize(("sources", "texts", "lang"), RIGHT, ids=[" / ".join(texts) for _, texts, _ in RIGHT])
def test_what_is_said_of_its_own_thing_is_left_alone(
    sources: tuple[str, ...], texts: tuple[str, ...], lang: str
) -> None:
    found = findings(case_of(sources, lang), answer(*(claim(text, *ids(sources)) for text in texts)))
    assert not found, said(found)


@pytest.mark.parametrize(
    "text", ["Plan A costs 5 euros. Plan B costs 7 euros.", "Plan A costs 5 euros; plan B costs 7 euros."]
)
def test_values_exchanged_in_the_text_alone_are_found(text: str) -> None:
    case = case_of(("Plan A costs 7 euros. Plan B costs 5 euros.",), "en")
    reply = answer(claim("Plan A costs 7 euros."), claim("Plan B costs 5 euros."), text=text)
    assert [one.check for one in findings(case, reply) if one.field == "text"] == ["claim.mixed_sources"]
