"""Several numbers in one sentence: each is said of its own thing, and taking another's is found."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, names

HOTELS = "Hotels cost up to $180 in standard cities and up to $260 in high-cost cities."
LEAVE = "Employees get 20 days and managers get 30 days of leave."
FEES = "The fee is 20 euros for guests and 5 euros for parking."
REVENUE = "Revenue was 31 million euros in 2023 and 35 million euros in 2024."
LIMITS = "Standard cities have a limit of $180, high-cost cities of $260."
ZONES = "Zone A pays 10 euros, zone B 20 euros and zone C 30 euros."
MEALS = "Breakfast costs 9 euros and dinner costs 25 euros."
ABROAD = "Im Inland gelten 14 Tage, im Ausland 28 Tage."
TICKETS = "Adults pay 12 euros, children under 6 pay nothing and students pay 8 euros."
DEADLINES = "The deadline is 30 days after purchase and 14 days after delivery."
TRAINS = "Trains run every 10 minutes on weekdays but every 30 minutes on Sundays."
REFUNDS = "Refunds take 5 days by card (10 days by cheque)."
CLASSES = "Class 1 costs $50; Class 2 costs $80."
OFFICES = "In Berlin, the office closes at 18:00; in Munich at 17:00."
LIVES = "Men lived 78 years and women 83 years on average."
FUEL = "A car needs 6 litres and a van 9 litres per 100 km."
TOWNS = "Wien hat 1,9 Millionen Einwohner, Graz 290.000."

RIGHT = [
    (HOTELS, "Hotels in standard cities cost up to $180."),
    (HOTELS, "In high-cost cities hotels cost up to $260."),
    (LEAVE, "Employees get 20 days of leave."),
    (LEAVE, "Staff receive 20 days of leave."),
    (LEAVE, "Managers get 30 days of leave."),
    (FEES, "Guests pay 20 euros, plus parking."),
    (FEES, "Parking costs 5 euros."),
    (REVENUE, "Revenue was 35 million euros in 2024."),
    (REVENUE, "In 2023 revenue was 31 million euros."),
    (LIMITS, "High-cost cities have a limit of $260."),
    (ZONES, "Zone B pays 20 euros."),
    (ZONES, "In zone A it is 10 euros."),
    (MEALS, "Dinner costs 25 euros."),
    (MEALS, "Breakfast costs 9 euros, dinner 25 euros."),
    (ABROAD, "Im Ausland gelten 28 Tage."),
    (TICKETS, "Students pay 8 euros."),
    (DEADLINES, "The deadline after delivery is 14 days."),
    (TRAINS, "On weekdays trains run every 10 minutes."),
    (REFUNDS, "By cheque refunds take 10 days."),
    (CLASSES, "Class 2 costs $80."),
    (OFFICES, "In Munich the office closes at 17:00."),
    (LIVES, "On average, women lived 83 years."),
    (FUEL, "A van needs 9 litres per 100 km."),
    (TOWNS, "Graz hat 290.000 Einwohner."),
]
WRONG = [
    (HOTELS, "Hotels in high-cost cities cost up to $180."),
    (LEAVE, "Managers get 20 days of leave."),
    (FEES, "Parking costs 20 euros."),
    (REVENUE, "Revenue was 35 million euros in 2023."),
    (LIMITS, "High-cost cities have a limit of $180."),
    (ZONES, "Zone B pays 10 euros."),
    (ZONES, "Zone C pays 20 euros."),
    (MEALS, "Dinner costs 9 euros."),
    (ABROAD, "Im Ausland gelten 14 Tage."),
    (TICKETS, "Students pay 12 euros."),
    (DEADLINES, "The deadline after delivery is 30 days."),
    (TRAINS, "On Sundays trains run every 10 minutes."),
    (REFUNDS, "Refunds by cheque take 5 days."),
    (CLASSES, "Class 2 costs $50."),
    (OFFICES, "In Munich the office closes at 18:00."),
    (LIVES, "Women lived 78 years on average."),
    (FUEL, "A van needs 6 litres per 100 km."),
    (TOWNS, "Graz hat 1,9 Millionen Einwohner."),
]


def found(source: str, text: str) -> set[str]:
    return names(make_case(corpus=[make_chunk("c1", source)]), answer(claim(text)))


@pytest.mark.parametrize(("source", "text"), RIGHT, ids=[text for _, text in RIGHT])
def test_a_number_of_its_own_thing_raises_nothing(source: str, text: str) -> None:
    assert not found(source, text)


@pytest.mark.parametrize(("source", "text"), WRONG, ids=[text for _, text in WRONG])
def test_a_number_of_the_other_thing_is_a_mixed_source(source: str, text: str) -> None:
    assert found(source, text) == {"claim.mixed_sources"}
