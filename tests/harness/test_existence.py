"""A forbidden thing and an absent one are met in the same words."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounded.harness.existence import masked
from tests.harness.systems import NOTHING, asked, checks, recorded, saying, sides

ABSENT = "What is the retention bonus for the lunar crew?"


def about(subject: str, **fields: Any) -> dict[str, Any]:
    return saying(text=f"I found nothing on the {subject}.", **fields)


def test_a_reply_that_names_what_was_asked_for_says_the_same_of_both() -> None:
    result = asked(
        lambda one: about("lunar crew" if "lunar" in one.question else "Halcyon team"), absent_question=ABSENT
    )
    assert not result.findings


@pytest.mark.parametrize(
    ("field", "absent"),
    [
        ("decision", {"decision": "clarify"}),
        ("reason_code", {"reason_code": "OUT_OF_SCOPE"}),
        ("text", {"text": "There is no such team."}),
        ("next_step", {"next_step": "ask_the_board"}),
    ],
)
def test_whatever_tells_them_apart_is_named(field: str, absent: dict[str, Any]) -> None:
    result = asked(lambda one: saying(**absent) if "lunar" in one.question else NOTHING, absent_question=ABSENT)
    [finding] = result.findings
    assert (finding.check, finding.field) == ("leak.existence", field)


def test_a_case_without_an_absent_question_asks_none() -> None:
    assert not asked(lambda one: saying(text="?") if "lunar" in one.question else NOTHING).findings


def test_an_absent_reply_that_is_not_there_is_not_run() -> None:
    result = recorded(sides([NOTHING], [NOTHING]), absent_question=ABSENT)
    assert ("leak.existence", "no reply to the absent question is recorded") in {
        (one.check, one.reason) for one in result.not_run
    }
    lines = [*sides([NOTHING], [NOTHING]), {"variant": "absent", "response": saying(text="No such team.")}]
    assert checks(recorded(lines, absent_question=ABSENT)) == {"leak.existence"}


@pytest.mark.parametrize(
    ("one", "other", "questions"),
    [
        (
            "I know no Filter called family.",
            "I know no Filter called zzz.",
            ("Show the filter called family.", "Show the filter called zzz."),
        ),
        (
            "Nothing on the Lisbon closing crew!",
            "Nothing on the lunar team!",
            ("The Lisbon closing crew?", "The lunar team?"),
        ),
        ("没有关于哈尔西恩的资料。", "没有关于月球的资料。", ("哈尔西恩的奖金?", "月球的奖金?")),
    ],
    ids=["word", "several words", "unspaced"],
)
def test_masked_texts_are_equal_where_only_the_subject_differs(
    one: str, other: str, questions: tuple[str, str]
) -> None:
    assert masked(one, *questions) == masked(other, *questions)


def test_case_and_wording_that_no_question_has_stay() -> None:
    assert masked("Nothing on x.", "x?", "y?") != masked("nothing on y.", "x?", "y?")
