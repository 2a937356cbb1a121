"""How much a failed case says, by what is asked for: nothing twice, and in a list of failures one line."""

from __future__ import annotations

import re

import pytest

from tests.plugin.traced import Traced, replies

ABSTAINED = "abstain, reason NO_EVIDENCE; expected answer, no reason"


@pytest.fixture
def lost(traced: Traced) -> Traced:
    """The project in which one answer was lost since it was approved."""
    traced.approve()
    given = replies()
    given["hotel"] = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I could not find this."}
    traced.give(given)
    return traced


def listed(result: pytest.RunResult) -> list[str]:
    """What stands behind a failed case in the short summary, with all lines below it."""
    said = result.stdout.str().partition("short test summary info")[2]
    return [line for line in said.splitlines()[1:] if line and not re.search(r"\d+ (?:failed|passed)", line)]


@pytest.mark.parametrize("options", [("-q",), (), ("-v",), ("-vv",), ("-n", "2", "-vv"), ("--tb=line", "-vv")], ids=str)
def test_the_list_of_failures_holds_one_line_for_a_case(
    lost: Traced, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert listed(lost.run(*options)) == [f"FAILED {lost.node('hotel')} - {ABSTAINED}"]


def test_where_ci_is_set_the_list_holds_one_line_too(lost: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert listed(lost.run()) == [f"FAILED {lost.node('hotel')} - {ABSTAINED}"]


def test_a_case_that_decides_as_expected_names_what_was_found(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    given = replies()
    given["hotel"]["claims"][0]["cites"] = ["c2"]
    traced.give(given)
    [line] = listed(traced.run("--grounded-snapshots", "off"))
    assert line.startswith(f"FAILED {traced.node('hotel')} - ")
    assert "citation." in line or "quote." in line
    assert "expected" not in line


@pytest.mark.parametrize(
    ("options", "said", "unsaid"),
    [
        pytest.param(("--tb=line",), [ABSTAINED], ["question:", "\nevidence\n"], id="line"),
        pytest.param(
            ("--tb=short",), ["question:", "where it went wrong"], ["\nevidence\n", "not run\n  c"], id="short"
        ),
        pytest.param((), ["question:", "\nevidence\n"], ["not run\n  forbid"], id="usual"),
        pytest.param(("-v",), ["\nevidence\n", "\nnot run\n  "], ["deepdiff"], id="more"),
        pytest.param(("-vv",), ["\nevidence\n", "\nnot run\n  ", "deepdiff"], ["every difference: "], id="everything"),
    ],
)
def test_more_is_said_where_more_is_asked_for(
    lost: Traced, options: tuple[str, ...], said: list[str], unsaid: list[str]
) -> None:
    shown = lost.run(*options).stdout.str().partition("= grounded answers =")[0]
    assert [words for words in said if words not in shown] == []
    assert [words for words in unsaid if words in shown] == []


def test_a_line_names_the_place_of_the_case(lost: Traced) -> None:
    lost.run("--tb=line").stdout.fnmatch_lines([f"*stay.yaml:*: {ABSTAINED}"])


def test_one_change_of_words_in_two_places_is_shown_once(traced: Traced) -> None:
    given = replies()
    given["hotel"]["text"] = given["hotel"]["claims"][0]["text"]
    traced.give(given)
    traced.approve()
    given["hotel"]["text"] = given["hotel"]["claims"][0]["text"] = "The nightly hotel limit is $190 per night."
    traced.give(given)
    shown = traced.run().stdout.str()
    assert re.search(r"fact_wording  (?:text, claims\[1\]\.text|claims\[1\]\.text)", shown)
    assert len(re.findall(r"^ *\+ The nightly", shown, re.MULTILINE)) == 1


LEAKING = """
def answer(request):
    text = "Closing team members receive a retention bonus of 41,750 dollars."
    return {"decision": "answer", "text": text, "claims": [{"text": text, "cites": ["memo"]}]}
"""


def test_what_further_requests_find_again_is_said_in_a_line_for_each(traced: Traced) -> None:
    traced.write("app.py", LEAKING)
    usual, more = (
        traced.run("-k", "bonus", "--grounded-snapshots", "off", *options).stdout.str() for options in ((), ("-v",))
    )
    said = re.findall(r"^  probes\[\d+\] \(asked with .+\): (.+)$", usual, re.MULTILINE)
    assert said
    assert all("leak.text" in checks.split(", ") for checks in said)
    assert not re.search(r"leak\.\w+ at probes", usual)
    assert re.search(r"leak\.text at text", usual)
    assert len(re.findall(r"leak\.text at probes\[\d+\]\.text", more)) >= len(said)
