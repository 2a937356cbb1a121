"""A comparison as people read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_grounded.snapshots.classify import Comparison, compare
from pytest_grounded.snapshots.render import comparison_lines, raw_view
from tests.counting import assert_linear
from tests.snapshots.traces import Keys, changed, full_trace


def rendered(*changes: tuple[Keys, Any], details: bool = False) -> str:
    return "\n".join(comparison_lines(compare(full_trace(), changed(full_trace(), *changes)), details=details))


def test_equal_traces_need_no_words() -> None:
    assert comparison_lines(compare(full_trace(), full_trace())) == []


def test_a_lost_answer_with_its_cause_and_its_effects() -> None:
    new = changed(
        full_trace(),
        (("case_sha",), "sha256:bb"),
        (("chunks", "c2"), "sha256:99"),
        (("decision",), "abstain"),
        (("reason_code",), "NO_EVIDENCE"),
        (("text",), ["I found nothing on this. "]),
        (("claims",), []),
        (("citations",), []),
        (("confidence",), 0.2),
        (("candidates", 0, "kept"), False),
        (("candidates", 0, "reason"), "expired on 2024-06-30"),
        (("evidence",), ["c2"]),
    )
    assert (
        "\n".join(comparison_lines(compare(full_trace(), new)))
        == """\
stale baseline, changed since it was approved: case_sha, chunks[c2]
decision: answer -> abstain (lost)
first divergence: select
  evidence  evidence[c1]: "c1" -> none
  evidence  candidates[c1].kept: true -> false
  drop_reason  candidates[c1].reason: "best" -> "expired on 2024-06-30"
later stages, often its effects
  reason  reason_code: "PARTIAL_EVIDENCE" -> "NO_EVIDENCE"
  citation  - citations[1/c1]  quote "The limit is $180"  marker "1"  version "v3"  locator "p. 4"  other {"page": 4}
  citation  - citations[2/c2]  quote "paid for 30 days"
  fact_wording  text
    - The hotel limit is $180.
    - Meals are paid for 30 days.
    + I found nothing on this.
  claim  - claims[1]  text "The hotel limit is $180."  quote "limit is $180"  status "supported"  derivation {"operation": "sum", "operands" ...
  claim  - claims[2]  text "Meals are paid for 30 days."  status "inferred"
  and 1 score_drift"""
    )


def test_a_changed_word_is_marked_in_its_sentence_and_the_others_are_not_shown() -> None:
    assert (
        rendered((("text", 1), "Meals are paid for 60 days."))
        == """\
fact_wording: text
first divergence: generate
  fact_wording  text
    - Meals are paid for [-30-] days.
    + Meals are paid for {+60+} days."""
    )


def test_candidates_that_came_and_went_stand_with_plus_and_minus() -> None:
    new = full_trace()
    new["candidates"][2] = {"chunk": "c9", "kept": True, "score": 0.7}
    assert (
        "\n".join(comparison_lines(compare(full_trace(), new)))
        == """\
evidence: candidates[c9]
first divergence: retrieve
  evidence  + candidates[c9]  kept true  score 0.7
  drop_reason  - candidates[c3]  kept false  score 0.3  reason "floor\""""
    )


def test_another_order_is_shown_as_two_lists() -> None:
    assert (
        rendered((("evidence",), ["c2", "c1"]))
        == """\
order: evidence
first divergence: select
  order  evidence: ["c1", "c2"] -> ["c2", "c1"]"""
    )


def test_a_header_that_changed_alone() -> None:
    assert rendered((("case_sha",), "sha256:bb")) == "stale baseline, changed since it was approved: case_sha"


def test_details_show_what_is_folded_and_how_far_numbers_moved() -> None:
    changes = ((("candidates", 0, "score"), 0.5), (("confidence",), 0.2), (("support", 0, "score"), 0.9703))
    assert "and 1 score_drift" in rendered(*changes)
    detailed = rendered(*changes, details=True)
    assert "  score_drift  confidence: 0.81 -> 0.2" in detailed
    assert detailed.endswith("numbers moved by at most 0.0003, within the tolerance of 0.001")


def test_a_long_group_is_cut_and_counted() -> None:
    new = full_trace()
    new["candidates"] += [{"chunk": f"x{n}", "kept": True, "score": 0.1} for n in range(30)]
    lines = comparison_lines(compare(full_trace(), new))
    assert lines[-1] == "  and 10 evidence"
    assert len(comparison_lines(compare(full_trace(), new), details=True)) == len(lines) + 9


def test_a_step_that_repeats_what_is_shown_already_is_counted_alone() -> None:
    steps = [{"name": "select", "choices": [{"chunk": "c1", "kept": True}], "evidence": ["c1", "c2"]}]
    old = changed(full_trace(), (("steps",), [*steps, {"name": "gate", "decision": "answer"}]))
    new = changed(
        old,
        (("decision",), "abstain"),
        (("evidence",), ["c2"]),
        (("candidates", 0, "kept"), False),
        (("steps", 0, "choices", 0, "kept"), False),
        (("steps", 0, "evidence"), ["c2"]),
        (("steps", 1, "decision"), "abstain"),
    )
    assert (
        "\n".join(comparison_lines(compare(old, new)))
        == """\
decision: answer -> abstain (lost)
first divergence: select
  evidence  evidence[c1]: "c1" -> none
  evidence  candidates[c1].kept: true -> false
  and 1 evidence, 1 step
later stages, often its effects
  and 1 step"""
    )


def test_notes_are_shown() -> None:
    old = full_trace()
    old["citations"].append({"claim": 2, "chunk": "c2"})
    new = changed(old, (("citations", 2, "quote"), "x"))
    assert comparison_lines(compare(old, new))[1].startswith("note: citations: 2/c2 stands more than once")


def test_what_else_the_run_was_done_with_stands_before_what_followed() -> None:
    lines = rendered((("versions", "model"), "m-2"), (("decision",), "abstain")).splitlines()
    assert lines[:2] == ["decision: answer -> abstain (lost)", "note: versions.model: m-1 -> m-2"]


def test_another_sentence_is_shown_as_it_is() -> None:
    lines = rendered((("text", 1), "I could not find this in what I can search.")).splitlines()
    assert lines[-2:] == ["    - Meals are paid for 30 days.", "    + I could not find this in what I can search."]


def test_a_stream_that_shows_the_text_again_is_counted_alone() -> None:
    old = full_trace()
    old["stream"] = [{"verified": True, "text": old["text"]}]
    new = changed(old, (("text", 1), "Meals are paid for 60 days."))
    new["stream"] = [{"verified": True, "text": new["text"]}]
    text = "\n".join(comparison_lines(compare(old, new)))
    assert text.count("60") == 1
    assert text.endswith("  and 1 fact_wording")


@pytest.mark.parametrize("hostile", ["\x1b[2Jgone", "a\u202eb", "line\n::error::x", "\x9b31m"])
def test_no_line_holds_a_control_character(hostile: str) -> None:
    changes = ((("text", 0), f"It is {hostile} here."), (("next_step",), hostile), (("other", "banner"), hostile))
    text = rendered(*changes, details=True)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x9b" not in text
    assert not any(line.startswith("::") for line in text.splitlines())


def test_words_without_spaces_are_compared_by_character() -> None:
    old = changed(full_trace(), (("text",), ["住宿限额为每晚180元。"]))
    new = changed(full_trace(), (("text",), ["住宿限额为每天180元。"]))
    assert "    - 住宿限额为每[-晚-]180元。" in comparison_lines(compare(old, new))


def test_the_lines_are_the_same_every_time() -> None:
    changes = ((("decision",), "abstain"), (("steps", 0, "found"), 1), (("other", "source_count"), 9))
    assert rendered(*changes) == rendered(*changes)


@pytest.mark.parametrize(
    ("made", "size"),
    [
        pytest.param(
            lambda n: [[f"Row {i} says {i + more}. " for i in range(n)] for more in (0, 1)], 4_000, id="sentences"
        ),
        pytest.param(lambda n: (["word " * n], ["other " * n]), 40_000, id="words"),
        pytest.param(lambda n: (["a" * n], ["b" * n]), 200_000, id="one word"),
        pytest.param(lambda n: (["\u52a0\u73ed" * n], ["\u73ed\u52a0" * n]), 50_000, id="characters"),
    ],
)
def test_long_texts_are_compared_in_calls_by_their_length(made: Callable[[int], Any], size: int) -> None:
    def compared(length: int) -> Comparison:
        old, new = (changed(full_trace(), (("text",), text)) for text in made(length))
        return compare(old, new)

    assert_linear(lambda comparison: comparison_lines(comparison, details=True), compared, size // 16)
    assert comparison_lines(compared(size), details=True)


# The raw view


def test_the_raw_view_shows_every_difference_once() -> None:
    new = changed(full_trace(), (("decision",), "abstain"), (("steps", 0, "found"), 1), (("other", "banner"), None))
    del new["candidates"][0]
    new["brand_new"] = {"__hidden": 1}
    assert raw_view(full_trace(), new) == [
        "['brand_new'] dictionary_item_added: (none) -> {'__hidden': 1}",
        "['candidates']['c1'] dictionary_item_removed: {'chunk': 'c1', 'kept': True, 'score': 0.9, 'reason': 'best'} -> (none)",
        "['decision'] values_changed: 'answer' -> 'abstain'",
        "['other']['banner'] type_changes: 'Read the policy.' -> None",
        "['steps']['retrieve']['found'] values_changed: 3 -> 1",
    ]


def test_the_raw_view_sees_keys_that_begin_with_underscores() -> None:
    old, new = full_trace() | {"x": {"__a": 1, "b": 2}}, full_trace() | {"x": {"__a": 2, "b": 2}}
    assert raw_view(old, new) == ["['x']['__a'] values_changed: 1 -> 2"]


def test_the_raw_view_says_that_an_order_changed() -> None:
    new = full_trace()
    new["candidates"].reverse()
    assert any("(order)" in line for line in raw_view(full_trace(), new))


def test_the_raw_view_of_equal_traces_is_empty() -> None:
    assert raw_view(full_trace(), full_trace()) == []
