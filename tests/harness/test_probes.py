"""Probes: what they are made of, that they are always the same, and what they show that the question does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.harness.leakage import LeakVerdict
from pytest_grounded.harness.probes import authorised, probes_for
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.harness.results import Verdict, to_record
from pytest_grounded.model.request import Request
from pytest_grounded.redaction import Redactor
from pytest_grounded.testing.builders import make_case, make_chunk, make_corpus, make_requester
from tests.harness.systems import (
    CORPUS,
    MEMO,
    NOTHING,
    STAFF,
    asked,
    asked_fresh,
    checks,
    restricted,
    saying,
    sees_memo,
)

TEXTS = st.text(alphabet="abc 19$.\u4e00\u4e8c'-", max_size=40)


def test_the_kinds_of_probes_of_a_chunk() -> None:
    kinds = [probe.what for probe in probes_for(restricted(), 20)]
    assert kinds == [
        "words of page, which shares some with restricted-1",
        "the first words of restricted-1",
        "words of restricted-1 among those of page",
        "the right figure of restricted-1, to be confirmed",
        "a wrong figure of restricted-1, to be confirmed",
        "restricted-1 with a gap to be filled",
        "words of rule, which shares some with restricted-1",
        "the title of restricted-1",
        "the name of the document of restricted-1",
    ]


def test_a_probe_says_what_it_is_without_its_words() -> None:
    for probe in probes_for(restricted(), 20):
        for word in ("41,750", "Halcyon", "retention", "Board", "memo"):
            assert word not in probe.what
            assert word not in repr(probe)


def test_the_same_case_has_the_same_probes_and_another_others() -> None:
    papers = [
        make_chunk(f"paper-{n}", f"The paper number {n} speaks of team {n}.", readers=["board"]) for n in range(9)
    ]
    corpus = make_corpus(*CORPUS, *papers)
    one, again, other = (probes_for(restricted(corpus=corpus, id=name), 8) for name in ("a", "a", "b"))
    assert one == again
    assert one != other


def test_what_the_case_is_about_has_most_of_the_probes() -> None:
    papers = [
        make_chunk(f"paper-{n}", f"The paper number {n} speaks of team {n}.", readers=["board"]) for n in range(9)
    ]
    case = restricted(corpus=make_corpus(*CORPUS, *papers), about=("memo",))
    name = case.view.name_of("memo")
    kinds = [probe.what for probe in probes_for(case, 8)]
    assert len(kinds) == 8
    assert sum(name in kind for kind in kinds) == 6


@given(TEXTS, TEXTS, st.integers(0, 12))
@settings(max_examples=60)
def test_any_texts_make_probes_that_are_few_and_distinct(hidden: str, shown: str, most: int) -> None:
    corpus = make_corpus(make_chunk("h", hidden, readers=["board"]), make_chunk("s", shown))
    case = make_case("restricted", corpus=corpus, requester=STAFF, question="What?", about=("h",))
    questions = [probe.question for probe in probes_for(case, most)]
    assert len(questions) == len(set(questions)) <= most
    assert all(question.strip() for question in questions)


def test_a_chunk_that_is_not_there_yet_makes_no_probe() -> None:
    corpus = make_corpus(make_chunk("later", "The bonus is 5.", readers=["board"], ingested_at="2030-01-01"), MEMO)
    assert all("restricted-1" not in probe.what for probe in probes_for(restricted(corpus=corpus), 20))


def test_others_who_may_read_it_are_somebody_else_and_the_requester_before() -> None:
    case = restricted(
        requester=make_requester("staff", id="ann"), corpus=make_corpus(MEMO.model_copy(update={"tenant": "acme"}))
    )
    somebody, before = authorised(case)
    assert (somebody.groups, before.groups) == (("staff", "board"), ("staff", "board"))
    assert (somebody.id, before.id, before.tenant) == ("grounded-other", "ann", "acme")
    control = make_requester("board", id="chair")
    assert authorised(restricted(control=control))[0] == control


# --- what they show ----------------------------------------------------------------------------------------------


def confirming(request: Request) -> Any:
    """Tell whether a guess is right, where there is something to be right about."""
    return saying(text="Indeed." if "41,750" in request.question and sees_memo(request) else "I found nothing.")


def test_a_leak_that_only_a_probe_shows_names_the_probe_and_not_its_words() -> None:
    assert asked(confirming).verdict is Verdict.PASS
    result = asked(confirming, leaks=LeakOptions(after_others=False))
    [finding] = result.findings
    assert (finding.check, finding.field) == ("leak.differential", "probes[3].text")
    assert finding.message.endswith("(asked with the right figure of restricted-1, to be confirmed)")
    record = str(to_record(result, Redactor(result.case.view)))
    assert "41,750" not in record
    assert "Halcyon" not in record.replace(str(result.case.question), "")


def test_the_reply_to_a_probe_is_looked_through() -> None:
    def telling(request: Request) -> Any:
        return (
            saying(text="It is 41,750 dollars.")
            if "gap" in request.question or "Complete" in request.question
            else NOTHING
        )

    result = asked(telling, leaks=LeakOptions(after_others=False), strict_memory=True)
    assert "leak.fact" in checks(result)
    assert all(finding.field.startswith("probes[") for finding in result.findings)


def keeping() -> Any:
    """A system that keeps answers by their question alone."""
    kept: dict[str, Any] = {}

    def answer(request: Request) -> Any:
        if "board" in request.requester.groups and sees_memo(request):
            kept[request.question] = saying(text="As you know.")
        return kept.get(request.question, NOTHING)

    return answer


def test_what_is_kept_for_others_shows_only_after_others_asked() -> None:
    assert asked_fresh(keeping, leaks=LeakOptions(after_others=False)).verdict is Verdict.PASS
    result = asked_fresh(keeping, leaks=LeakOptions(probes=1))
    [finding] = result.findings
    assert finding.check == "leak.differential"
    assert "after others who may read it" in finding.message


def test_no_probes_no_further_calls() -> None:
    result = asked(lambda _: NOTHING, leaks=LeakOptions(probes=0))
    assert result.leakage is not None
    assert (result.leakage.probes, result.leakage.calls) == (0, 2)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_there_are_at_most_as_many_probes_as_allowed(most: int) -> None:
    result = asked(lambda _: NOTHING, leaks=LeakOptions(probes=most))
    assert result.leakage is not None
    assert result.leakage.probes == most


def test_a_probe_that_is_answered_anew_each_time_is_counted_and_not_a_finding() -> None:
    numbers = iter(range(10_000))

    def unsteady(request: Request) -> Any:
        return saying(text=f"As in {next(numbers)}.") if "hotel" in request.question else NOTHING

    result = asked(unsteady, leaks=LeakOptions(after_others=False))
    assert result.leakage is not None
    assert result.leakage.verdict is LeakVerdict.CLEAN
    assert result.leakage.unsettled == 2


def test_a_probe_over_which_both_fail_is_counted() -> None:
    def failing(request: Request) -> Any:
        if "hotel" in request.question:
            raise RuntimeError("no index")
        return NOTHING

    result = asked(failing, leaks=LeakOptions(after_others=False))
    assert result.leakage is not None
    assert result.leakage.unsettled == 2
    assert result.verdict is Verdict.PASS


def test_a_probe_over_which_only_the_whole_corpus_fails_is_a_finding() -> None:
    def failing(request: Request) -> Any:
        if "hotel" in request.question and sees_memo(request):
            raise RuntimeError("a bad date in the memo")
        return NOTHING

    result = asked(failing, leaks=LeakOptions(after_others=False))
    assert checks(result) == {"leak.differential"}
    assert "memo" not in str([finding.message for finding in result.findings])


def test_an_unstable_system_is_only_looked_through() -> None:
    numbers = iter(range(10_000))
    result = asked(lambda _: saying(text=f"As in {next(numbers)}."), leaks=LeakOptions(probes=3))
    assert result.leakage is not None
    assert result.leakage.probes == 3
    assert result.verdict is Verdict.PASS
