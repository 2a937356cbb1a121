from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.entities import codes, entities, find_entities, names

NAMES = {
    "inside a sentence": ("There is a pilot project in Lisbon.", ["Lisbon"]),
    "an acronym": ("The director flies from IEH; the desk books.", ["IEH"]),
    "an acronym in front": ("IEH is the home airport.", ["IEH"]),
    "a run": ("Ask the Travel Desk in New York.", ["Travel Desk", "New York"]),
    "a run in front": ("New York is far.", ["York"]),
    "a linked run": (
        "Only the Ministry of Health and the Bank of England know.",
        ["Ministry of Health", "Bank of England"],
    ),
    "initials": ("It was signed by J. Smith and Dr. Ho.", ["J. Smith", "Dr. Ho"]),
    "a possessive": ("It is in Ms Park's office.", ["Ms Park"]),
    "inner capitals": ("Use GitHub or an iPhone.", ["GitHub", "iPhone"]),
    "an opener that is a name elsewhere": ("Lisbon is warm. We like Lisbon.", ["Lisbon"]),
    "a repeat": ("From Lisbon to Lisbon.", ["Lisbon"]),
    "accents": ("We go to Évry and Zürich.", ["Évry", "Zürich"]),
    "Cyrillic": ("Офис находится в городе Казань.", ["Казань"]),
    "a sentence's opener": ("Contractors cannot book. Employees can.", []),
    "an opener behind a colon": ("Note: Receipts are kept. “Ignore them” is wrong.", []),
    "list items": ("* Receipts are kept\n* Visas are not", []),
    "I": ("I think I'm right.", []),
    "a month": ("In March 2024 and on 3 May it was $150.", []),
    "words of a rule": ("A request MUST contain it and MAY NOT be cached.", []),
    "a heading": ("Travel Policy For Standard Cities", []),
    "shouting": ("NO SMOKING HERE. It is cold.", []),
    "all small": ("nothing here", []),
    "all capitals": ("IMPORTANT NOTICE", []),
    "a single letter": ("Plan A costs more than plan B.", []),
    "a currency": ("It costs EUR 180 or 200 USD.", []),
    "a Roman number": ("See clause IX and part II.", []),
    "Chinese": ("加班须经主管批准。", []),
}
CODES = {
    "a code": ("Form QX-441 and order DE123777888.", ["QX-441", "DE123777888"]),
    "a standard": ("PEP 484, RFC 9110 and ISO 27001:2022.", ["PEP 484", "RFC 9110", "ISO 27001:2022"]),
    "a disease and a size": ("COVID-19 on A4", ["COVID-19", "A4"]),
    "an address": ("See https://x.org/a?b=1, or mail a.b@c.org.", ["https://x.org/a?b=1", "a.b@c.org"]),
    "a site and a file": ("See example.com and guide.html.", ["example.com", "guide.html"]),
    "a machine": ("It runs on 203.0.113.10.", ["203.0.113.10"]),
    "a path": ("In /srv/app/conf it is.", ["/srv/app/conf"]),
    "a setting": ("append the line CONFIG=/srv/app/conf.", ["CONFIG=/srv/app/conf"]),
    "an identifier": ("Set grounded_cases and --grounded-system.", ["grounded_cases", "--grounded-system"]),
    "a version": ("Use v3.2.1 now.", ["v3.2.1"]),
    "a chunk's id": ("memo-7 and trv#1", ["memo-7", "trv#1"]),
    "quantities": ("10am, 180km, 5kWh, 4.2bn, 10km/h, 100k", []),
    "ordinals and decades": ("the 2nd, 20th-century, 1930s", []),
    "compounds of a number": ("a 12-month, 24-hour, 5/month plan", []),
    "dates": ("2024-10-01, 2024-10-01T10:00Z, mid-2024, 31.12.2024, Q3 2024", []),
    "amounts": ("EUR 180, USD 20, 180 EUR, $4.2", []),
    "labels": ("section 3.2, Table 2, Grade 3, clause 9a", []),
    "slashes": ("and/or, km/h, 24/7, 1/2", []),
    "words": ("well-known e-mail", []),
}


@pytest.mark.parametrize(("text", "expected"), NAMES.values(), ids=NAMES)
def test_names_are_found_by_form(text: str, expected: list[str]) -> None:
    assert list(names(text)) == expected


@pytest.mark.parametrize(("text", "expected"), CODES.values(), ids=CODES)
def test_codes_are_found_by_form(text: str, expected: list[str]) -> None:
    assert list(codes(text)) == expected


def test_german_nouns_are_no_names() -> None:
    text = "Die Regelung der HR gilt für alle Mitarbeiter bei GitHub in München."
    assert names(text) == names(text, lang="de-AT") == ("HR", "GitHub")


def test_a_code_is_not_a_name_as_well() -> None:
    found = find_entities("Staff of IEH file QX-441 under PEP 484 in Lisbon.")
    assert [(entity.kind, entity.text) for entity in found] == [
        ("name", "IEH"),
        ("code", "QX-441"),
        ("code", "PEP 484"),
        ("name", "Lisbon"),
    ]


@settings(deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(st.sampled_from([*"Aa1.-_/@ &'\n#", "Ab ", "of ", "IEH", "QX-441", "1.2", "--x"])).map("".join),
    )
)
def test_entities_are_parts_of_the_text_in_order(text: str) -> None:
    found = find_entities(text)
    assert all(text[entity.start : entity.end] == entity.text and entity.text.strip() for entity in found)
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))
    assert set(entities(text)) == {*names(text), *codes(text)}
