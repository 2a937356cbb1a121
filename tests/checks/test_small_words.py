"""What the small words of a claim may do: say the same otherwise, speak of the exception, name the other side of a bound."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, names, said

SAME = [
    ("The limit is no longer $150 but $180.", "The limit is $180."),
    ("The limit is not $150, it is $180.", "The limit is $180."),
    ("The limit is $180, not $150.", "The limit is $180."),
    ("The limit is $180 instead of $150.", "The limit is $180."),
    ("The limit is $180 (previously $150).", "The limit is $180."),
    ("The limit, formerly $150, is now $180.", "The limit is now $180."),
    ("The limit was raised from $150 to $180.", "The limit is $180."),
    ("The limit was raised from $150 to $180.", "The limit was $150 and is now $180."),
    ("Members must be 18 or older.", "Members must be at least 18."),
    ("Members must be at least 18.", "Members must be 18 or older."),
    ("Children under 6 travel free.", "Children younger than 6 travel free."),
    ("Children under 6 travel free.", "Children below the age of 6 travel free."),
    ("Children up to 6 travel free.", "Children aged 6 or younger travel free."),
    ("You cannot cancel after 24 hours.", "Cancellation is only possible within 24 hours."),
    ("Cancellation is possible within 24 hours.", "You can cancel within 24 hours."),
    ("You may not bring pets.", "Pets are not allowed."),
    ("No pets allowed.", "Pets are prohibited."),
    ("Pets are prohibited.", "No pets are allowed."),
    ("Form A must be filed before form B.", "Form B must be filed after form A."),
    ("Step 1 comes before step 2.", "Step 2 comes after step 1."),
    ("Pets are not permitted in the office.", "You can't bring pets into the office."),
    ("All employees except interns get leave.", "Interns do not get leave."),
    ("Only managers can approve.", "Employees other than managers cannot approve."),
    ("Employees must not exceed $180.", "The maximum for employees is $180."),
    ("The maximum is $180.", "You can spend up to $180."),
    ("It is not necessary to file a receipt below $25.", "Receipts are not required below $25."),
    ("Receipts are required for expenses of $25 or more.", "Receipts are required from $25."),
    ("Receipts are required for expenses of $25 or more.", "No receipt is required below $25."),
    ("The fee is waived.", "There is no fee."),
    ("There is no fee.", "The service is free."),
    ("Approval is needed unless the amount is under 500 euros.", "Amounts under 500 euros need no approval."),
    (
        "Approval is needed unless the amount is under 500 euros.",
        "Approval is not needed if the amount is under 500 euros.",
    ),
    ("Staff may work remotely up to 3 days.", "Staff can work remotely for at most 3 days."),
    ("The office is closed on Sundays.", "The office is not open on Sundays."),
    ("Bookings are non-refundable.", "Bookings are not refundable."),
    ("It takes at least 30 days.", "It takes 30 days or more."),
    ("It takes at least 30 days.", "It takes a minimum of 30 days."),
    ("It takes at least 30 days.", "It takes no less than 30 days."),
    ("It takes at most 30 days.", "It takes 30 days at the most."),
    ("It takes at most 30 days.", "It takes no more than 30 days."),
    ("It takes more than 30 days.", "It takes over 30 days."),
    ("It takes more than 30 days.", "It takes longer than 30 days."),
    ("More than 30 days are needed.", "Over 30 days are needed."),
    ("Employees with more than 5 years get 25 days.", "Employees with over 5 years get 25 days."),
    ("It applies from 1 July 2024.", "It applies since 1 July 2024."),
    ("It applies until 1 July 2024.", "It applies through 1 July 2024."),
    ("It applies from July 2024 onwards.", "It has applied since July 2024."),
    ("Submit by Friday.", "Submit before the end of Friday."),
    ("Submit no later than 30 June.", "The deadline is 30 June."),
    ("The deadline is 30 June.", "Submit by 30 June."),
    ("Most employees agree.", "The majority of employees agree."),
    ("Some employees disagree.", "Not all employees agree."),
    ("Neither pets nor bikes are allowed.", "Pets and bikes are not allowed."),
    ("Never leave doors open.", "Doors must not be left open."),
    ("The contract isn't renewed automatically.", "The contract is not renewed automatically."),
    ("Travel without approval is not reimbursed.", "Travel is reimbursed only with approval."),
    ("The benefit is available to all staff.", "Every staff member gets the benefit."),
    ("Die Frist beträgt nicht mehr 14, sondern 30 Tage.", "Die Frist beträgt 30 Tage."),
    ("Der Betrag darf 500 Euro nicht überschreiten.", "Der Betrag beträgt höchstens 500 Euro."),
    ("Haustiere sind nicht erlaubt.", "Haustiere sind verboten."),
    ("Le montant n'est plus de 150 mais de 180 euros.", "Le montant est de 180 euros."),
    ("限额不再是150元，而是180元。", "限额是180元。"),
    ("不得超过180元。", "最高180元。"),
    ("不得超过180元。", "不超过180元。"),
    ("未满18岁不得入内。", "18岁以下不得入内。"),
    ("A day pass costs 12 francs since 2024.", "Since 2024 a day pass costs 12 francs."),
    ("Each child got a bag in 2023.", "In 2023 each child got a bag."),
    (
        "Adults: take one tablet (500 mg) every 6 hours. Do not take more than 8 tablets in 24 hours.",
        "Adults may not take more than 8 tablets in 24 hours.",
    ),
    ("The bus leaves Basel at 07:36 and reaches Bern at 10:08.", "The bus arrives in Bern at 10:08."),
    ("The shop is open daily except Mondays.", "The shop is closed on Mondays."),
    ("The shop is open daily except Mondays.", "The shop is not open on Mondays."),
    ("Cancel at least 24 hours before departure.", "Cancel no later than 24 hours before departure."),
    ("Prices rose to $5.", "Prices climbed to $5."),
    ("The policy pays for dental work except crowns.", "Crowns are excluded."),
    ("Boarding: gates open at 06:10. They close at 06:40.", "Gates close at 06:40."),
    ("Summer: open until 20:00. Winter: open until 17:00.", "In winter it is open until 5 p.m."),
]
TURNED = [
    ("Form A must be filed before form B.", "Form A must be filed after form B."),
    ("Step 1 comes before step 2.", "Step 1 comes after step 2."),
    ("The limit is no longer $150 but $180.", "The limit is $150."),
    ("Staff may work remotely up to 3 days.", "Staff must work remotely 3 days."),
    ("Bookings are non-refundable.", "Bookings are refundable."),
    ("Bookings cannot be refunded.", "Bookings can be refunded."),
    ("Notice is 30 days.", "Notice is at least 30 days."),
    ("Die Frist beträgt nicht mehr 14, sondern 30 Tage.", "Die Frist beträgt 14 Tage."),
    ("Approval is needed unless the amount is under 500 euros.", "Approval is not needed."),
    ("The fee is waived.", "There is a fee."),
    ("Receipts are required for expenses of $25 or more.", "No receipt is required from $25."),
    ("Members must be 18 or older.", "Members must be older than 18."),
    ("At most 5 guests are allowed.", "Fewer than 5 guests are allowed."),
    ("The limit is not $150, it is $180.", "The limit is not $180."),
    ("The shop is open daily except Mondays.", "The shop is open on Mondays."),
    ("Cancel at least 24 hours before departure.", "Cancel less than 24 hours before departure."),
    ("The flag is off by default.", "The flag is on by default."),
    ("Prices rose to $5.", "Prices dropped to $5."),
    ("Summer: open until 20:00. Winter: open until 17:00.", "In winter it is open until 8 p.m."),
    ("The insurer may end the contract.", "The policyholder may end the contract."),
    (
        "Adults: 2 tablets. Not more than 8 a day. Children: 1 tablet. Not more than 4 a day.",
        "Children take not more than 8 a day.",
    ),
]
NAMED_OTHERWISE = [
    ("The European Central Bank (ECB) raised rates.", "The ECB raised rates."),
    ("Dr. Maria Garcia-Lopez leads the team.", "Maria García López leads the team."),
    ("Dr. Maria Garcia leads the team.", "Garcia leads the team."),
    ("The U.S. office is in New York.", "The US office is in New York City."),
    ("Acme Inc. signed the deal.", "Acme signed the deal."),
    ("Microsoft's Copilot was released.", "Copilot by Microsoft was released."),
    ("The United Kingdom left the EU.", "The UK left the European Union."),
    ("Contact the Human Resources team.", "Contact HR."),
    ("The company was founded by John Smith.", "John Smith founded the company."),
    ("München is the capital of Bavaria.", "Munich is the capital of Bavaria."),
    ("Beyoncé sang.", "Beyonce sang."),
    ("The Employee shall notify the Employer.", "An employee must notify the employer."),
    ("Travel by train is preferred.", "Rail travel is preferred."),
    ("O’Brien v. State was decided.", "O'Brien v. State was decided."),
    ("iPhone 15 costs $799.", "The iPhone 15 costs $799."),
    ("COVID‑19 vaccines are free.", "Covid-19 vaccines are free."),
]
OTHER_NAMES = [
    ("The European Central Bank raised rates.", "The EFTA raised rates."),
    ("The U.S. office is in New York.", "The U.S. office is in Mexico City."),
    ("Dr. Maria Garcia-Lopez leads the team.", "The team is led by Maria Fernandez."),
    ("The United Kingdom left the EU.", "The UK left the African Union."),
]


def found(source: str, text: str) -> str:
    return said(findings(make_case(corpus=[make_chunk("c1", source)], question="?"), answer(claim(text))))


@pytest.mark.parametrize(
    ("source", "text"), [*SAME, *NAMED_OTHERWISE], ids=[text for _, text in [*SAME, *NAMED_OTHERWISE]]
)
def test_the_same_in_other_words_raises_nothing(source: str, text: str) -> None:
    assert found(source, text) == "nothing was found"


@pytest.mark.parametrize(("source", "text"), TURNED, ids=[text for _, text in TURNED])
def test_what_turns_its_source_is_found(source: str, text: str) -> None:
    assert found(source, text) != "nothing was found"


@pytest.mark.parametrize(("source", "text"), OTHER_NAMES, ids=[text for _, text in OTHER_NAMES])
def test_another_name_is_found(source: str, text: str) -> None:
    case = make_case(corpus=[make_chunk("c1", source)], question="?")
    assert "claim.unsupported" in names(case, answer(claim(text)))
