from __future__ import annotations

import pytest

from pytest_grounded.text.quantities import Match, Quantity, best_match, find_quantities

E, U, N, A = Match.EQUAL, Match.UNIT_OR_SCALE, Match.NONE, Match.AMBIGUOUS_DATE
ORDER = (E, A, U, N)


def worst_match(stated: str, source: str, lang: str | None, source_lang: str | None) -> Match:
    """The worst match of the quantities of a claim in its source, as a check sees it."""
    quantities = find_quantities(stated, lang=lang, incidental=True)
    assert quantities, "the claim states no quantity"
    sources = find_quantities(source, lang=source_lang, incidental=True)
    return max((best_match(quantity, sources)[0] for quantity in quantities), key=ORDER.index)


def one(text: str, lang: str | None = None) -> Quantity:
    (quantity,) = find_quantities(text, lang=lang)
    return quantity


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("50", "1500 crates", N),
        ("1500", "50 crates and 15", N),
        ("180", "$180", E),
        ("180.00", "180", E),
        ("1.5", "15", N),
        ("18.0", "180", N),
        ("€180,-", "180 euros", E),
        ("3", "three", E),
        ("24", "two dozen", E),
        ("180", "a hundred and eighty", E),
        ("2,500", "twenty-five hundred", E),
        ("500,000", "half a million", E),
        ("2.5 hours", "two and a half hours", E),
        ("2.5", "2½", E),
        ("0.75", "three-quarters", E),
        ("two point five", "2.5", E),
        ("1984", "nineteen eighty-four", E),
        ("2024", "twenty twenty-four", E),
        ("three times", "3x", E),
        ("third", "3rd", E),
        ("21st", "twenty-first", E),
        ("1000000", "1e6", E),
        ("1 million", "10^6", E),
        ("200,000", "2 × 10⁵", E),
        ("1 in 5", "one in five", E),
        ("100,000 steps", "100,000\nsteps", E),
        ("5 stars", "a 5-star hotel", E),
    ],
)
def test_numbers_match_by_value_however_they_are_written(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("$4.2 billion", "$4.2 million", U),
        ("$4.2 million", "4,200,000 dollars", E),
        ("4.2 billion", "4,200,000", U),
        ("5 million", "5", U),
        ("5", "5 million", U),
        ("41.75k", "41,750", E),
        ("£5m", "5 million pounds", E),
        ("5 m", "5 million", U),
        ("$1.5bn", "1500 million USD", E),
        ("5 million", "from 5 to 10 million", E),
        ("$5 million", "$5–10 million", E),
        ("500", "from 500 to 1.2 million", E),
    ],
)
def test_the_scale_is_part_of_the_value(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("21 meters", "21 °C", U),
        ("21 metres", "it reads 21", U),
        ("180 euros", "$180", U),
        ("18 km", "18 m", U),
        ("1500 m", "1.5 km", E),
        ("250 g", "0.25 kg", E),
        ("1 GB", "1000 MB", E),
        ("5 MB", "5 GB", U),
        ("5 mW", "5 MW", U),
        ("5 kWh", "5 kW", U),
        ("5 Mbps", "5 MB/s", U),
        ("80 mph", "80 km/h", U),
        ("80 km/h", "80 kilometres per hour", E),
        ("30 requests", "30 days", U),
        ("30 requests", "$30", U),
        ("30 requests", "30", E),
        ("2 days", "within 2 or 3 days", E),
        ("5 km", "5 to 10 km", E),
        ("65 years", "pensions start at 65", E),
        ("260 USD", "| City | Limit (USD) |\n|---|---|\n| Paris | 260 |", E),
        ("260 EUR", "| City | Limit (USD) |\n|---|---|\n| Paris | 260 |", U),
        ("5 million euros", "Revenue (in millions of euros)\n2023: 5", E),
        ("12.5%", "| Share (%) |\n| 12.5 |", E),
    ],
)
def test_the_unit_must_agree_or_be_left_out_by_the_claim(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("$180", "US$180", E),
        ("$180", "CAD 180", E),
        ("US$180", "CAD 180", U),
        ("180 USD", "180 dollars", E),
        ("180 pounds", "£180", E),
        ("50 cents", "$0.50", E),
        ("50 cents", "€0.50", E),
        ("50 cents", "£0.50", N),
        ("100 A$", "AUD 100", E),
        ("500 Kč", "CZK 500", E),
        ("10 euros a month", "10 euros per year", U),
        ("10 euros a month", "10 euros monthly", E),
        ("10 euros", "10 euros a month", E),
        ("$180 per night", "$180/night", E),
        ("$180 per week", "$180 per night", U),
    ],
)
def test_currencies_and_rates_are_units(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("5%", "5 percentage points", U),
        ("5 percentage points", "5 percent", U),
        ("50 basis points", "0.5%", E),
        ("5‰", "0.5%", E),
        ("10 per cent", "10%", E),
        ("0.05", "5%", N),
        ("5%", "5", U),
        ("half of staff", "50%", E),
        ("about half of staff", "52%", E),
        ("half of staff", "52%", N),
        ("a quarter of", "25%", E),
        ("-5%", "5%", N),
        ("5%", "-5%", N),
        ("-5%", "fell by 5%", E),
        ("minus 5 degrees", "\u22125 °C", E),
    ],
)
def test_percentages_points_shares_and_signs_are_told_apart(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("about 85%", "85.19 percent", E),
        ("85%", "85.19 percent", N),
        ("about 84%", "85.19 percent", N),
        ("about 8,000", "8234", N),
        ("8,000", "8234", N),
        ("about 8.2 thousand", "8234", E),
        ("about 8.2k", "8,234", E),
        ("about 8.3k", "8,234", N),
        ("~500", "499.6", E),
        ("500 or so", "500.2", E),
        ("about 30 km", "18.6 miles", E),
        ("about 1.83", "1.825", E),
    ],
)
def test_only_a_marked_rounding_to_the_digits_shown_is_equal(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("12-month", "12 months", E),
        ("12 months", "1 year", E),
        ("18 months", "1.5 years", E),
        ("two weeks", "14 days", E),
        ("24 hours", "1 day", E),
        ("30 days", "1 month", N),
        ("one year", "365 days", N),
        ("10 working days", "10 days", U),
        ("10 business days", "10 workdays", E),
        ("3 nights", "3 days", U),
        ("half a day", "0.5 days", E),
        ("a 10-year-old", "10 years old", E),
    ],
)
def test_durations_convert_where_the_calendar_says_so(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


@pytest.mark.parametrize(
    ("stated", "source", "langs", "expected"),
    [
        ("2024", "1 July 2024", (None, None), E),
        ("July 2024", "1 July 2024", (None, None), E),
        ("1 July 2024", "July 2024", (None, None), N),
        ("July 1", "1 July 2024", (None, None), E),
        ("2 July 2024", "1 July 2024", (None, None), N),
        ("1 July 2024", "In 2024 it is due on 1 July.", (None, None), E),
        ("1 July 2024", "In 2023 it is due on 1 July.", (None, None), N),
        ("1 July 2024", "1–5 July 2024", (None, None), E),
        ("5 July 2024", "July 1–5, 2024", (None, None), E),
        ("1 July 2023", "from 1 July to 31 December 2023", (None, None), E),
        ("the 1930s", "1934", (None, None), E),
        ("1930", "the 1930s", (None, None), N),
        ("19th century", "1850", (None, None), E),
        ("twentieth century", "the 1950s", (None, None), E),
        ("44 BC", "44 BCE", (None, None), E),
        ("2023/24", "2023-2024", (None, None), E),
        ("on the 15th", "15 July", (None, None), E),
        ("Q3", "third quarter", (None, None), E),
        ("fourth quarter", "Q3", (None, None), N),
        ("25 December 2024", "25/12/2024", (None, None), E),
        ("25 December 2024", "12/25/2024", (None, None), E),
        ("2025-03-04", "03/04/2025", ("en", "en"), A),
        ("2025-05-05", "03/04/2025", ("en", "en"), N),
        ("2025", "03/04/2025", ("en", "en"), E),
        ("03/04/2025", "3 April 2025", ("en", "en"), A),
        ("03/04/2025", "03/04/2025", ("en", "en"), E),
        ("3 April 2025", "03/04/2025", ("en", "en-GB"), E),
        ("3 April 2025", "03/04/2025", ("en", "en-US"), N),
        ("4/4/2024", "4 April 2024", ("en", "en"), E),
        ("3. April 2025", "03.04.2025", ("de", "de"), E),
        ("1 July 2024", "1er juillet 2024", ("en", "fr"), E),
        ("1 July 2024", "1 de julio de 2024", ("en", "es"), E),
        ("1 April 2026", "2026年4月1日", (None, None), E),
        ("April 2026", "二〇二六年四月", (None, None), E),
        ("2 months", "2月", (None, None), N),
        ("1 July 2024", "2024년 7월 1일", (None, None), E),
    ],
)
def test_a_date_may_say_less_than_its_source_and_never_more(
    stated: str, source: str, langs: tuple[str | None, str | None], expected: Match
) -> None:
    assert worst_match(stated, source, *langs) is expected


@pytest.mark.parametrize(
    ("stated", "source", "source_lang", "expected"),
    [
        ("7 pm", "19:00", None, E),
        ("7 pm", "7 a.m.", None, U),
        ("opens at 7", "7:00", None, E),
        ("opens at 7", "7 a.m.", None, E),
        ("7 pm", "it opens at 7", None, U),
        ("7:30 p.m.", "19.30 Uhr", "de", E),
        ("8 am", "Le café ouvre à 8 h", "fr", E),
        ("8 am", "8 hours", None, U),
        ("at noon", "12:00", None, E),
        ("8:30", "8点30分", "zh", E),
        ("9 am", "open 9 to 11 am", None, E),
    ],
)
def test_times_of_day_match_by_the_clock(stated: str, source: str, source_lang: str | None, expected: Match) -> None:
    assert worst_match(stated, source, "en", source_lang) is expected


@pytest.mark.parametrize(
    ("stated", "source", "source_lang", "expected"),
    [
        ("1.8260", "1,8260", "fr", E),
        ("18260", "1,8260", "fr", N),
        ("1,234.56", "1.234,56", None, E),
        ("1500", "1.500", None, E),
        ("1500", "1.500", "de", E),
        ("1500", "1.500", "en", N),
        ("1,234.56", "1 234,56", "fr", E),
        ("10,000 residents", "10 000 habitants", "fr", E),
        ("1,234.56 francs", "CHF 1'234.56", "de-CH", E),
        ("100,000", "1,00,000", "en-IN", E),
        ("500,000", "5 lakh", "en-IN", E),
        ("500", "٥٠٠", "ar", E),
        ("1234", "१२३४", "hi", E),
        ("500", "５００", "ja", E),
        ("500 euros", "fünfhundert Euro", "de", E),
        ("2,500", "zweitausendfünfhundert", "de", E),
        ("1.5 million", "anderthalb Millionen", "de", E),
        ("2.5 billion", "2,5 Mrd. €", "de", E),
        ("2.5 million", "2,5 Mrd. €", "de", U),
        ("30 €/month", "30 € pro Monat", "de", E),
        ("10 business days", "10 Arbeitstage", "de", E),
        ("97", "quatre-vingt-dix-sept", "fr", E),
        ("71", "soixante et onze", "fr", E),
        ("30 days", "trente jours", "fr", E),
        ("35", "treinta y cinco", "es", E),
        ("350 million", "3.5亿", "zh", E),
        ("180", "一百八十", "zh", E),
        ("100,000", "十万", "zh", E),
        ("15,000", "1.5万", "zh", E),
        ("3 days", "三天", "zh", E),
        ("12 months", "12个月", "zh", E),
        ("5%", "百分之五", "zh", E),
        ("500 yuan", "约500元", "zh", E),
        ("25,000 yen", "2万5千円", "ja", E),
        ("30 days", "30日以内", "ja", E),
        ("50,000 won", "5만원", "ko", E),
        ("30 days", "30 дней", "ru", E),
        ("40 days", "30 дней", "ru", N),
        ("30 days", "30 dagar", "sv", E),
    ],
)
def test_a_claim_matches_evidence_in_another_language_and_convention(
    stated: str, source: str, source_lang: str | None, expected: Match
) -> None:
    assert worst_match(stated, source, "en", source_lang) is expected


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("INC-1042", "INC-1043", N),
        ("INC-1042", "inc-1042", E),
        ("1042", "INC-1042", E),
        ("42", "INC-1042", N),
        ("203.0.113.1", "203.0.113.10", N),
        ("COVID-19", "Covid-19", E),
        ("24/7", "24/7", E),
        ("5G", "4G", N),
    ],
)
def test_identifiers_match_as_written(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected


def test_the_source_a_quantity_was_found_in_is_named() -> None:
    sources = find_quantities("Plan A costs 10 euros, plan B 15 euros.")
    assert best_match(one("15 euros"), sources) == (Match.EQUAL, sources[1])


def test_without_sources_nothing_matches() -> None:
    assert best_match(one("15 euros"), ()) == (Match.NONE, None)


@pytest.mark.parametrize(
    ("stated", "source", "expected"),
    [
        ("90 minutes", "1 hour 30 minutes", E),
        ("1 hour 45 minutes", "1 hour 30 minutes", N),
        ("30 months", "2 years and 6 months", E),
        ("1h30", "90 minutes", E),
        ("30 days", "within thirty (30) days", E),
        ("30 euros", "The fee is 30² euros.", E),
        ("10 cm", "10 × 15 cm", E),
        ("3m users", "3 million users", E),
        ("5 m", "5 million", U),
        ("two-thirds", "2/3", E),
        ("about a third", "31%", E),
        ("about a third", "40%", N),
        ("the over-65s", "65 and over", E),
        ("one week", "it takes a week", E),
        ("19th", "in the 19th and 20th century", N),
        ("the 19th century", "in the 19th and 20th century", E),
        ("the 1st century BC", "44 BC", E),
    ],
)
def test_what_is_written_in_parts_or_twice_is_one_value(stated: str, source: str, expected: Match) -> None:
    assert worst_match(stated, source, None, None) is expected
