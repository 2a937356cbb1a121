"""What changed, how severe is it, and where did it begin?"""

from __future__ import annotations

import copy
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.snapshots.classify import DEFAULT_TOLERANCE, Flip, compare, settle
from pytest_grounded.snapshots.schema import FIELDS, SEVERITY, ChangeClass
from tests.snapshots.traces import Keys, changed, full_trace, leaves, value_at

_CLASSES = {
    r"schema|normaliser|case_sha|chunks\..*": "stale_baseline",
    r"decision|actions\..*\.(name|arguments\..*|authorized)": "decision",
    r"reason_code|internal_reason_code|next_step|error\.(kind|status)|failure": "reason",
    r"citations\.\d+\.(claim|chunk|quote|marker|version|locator)": "citation",
    r"claims\.\d+\.quote|conflicts\.\d+\.sides\.\d+\.chunks\..*": "citation",
    r"sources\.\d+\.(chunk|title|url|marker)|rendered\.\d+\.(marker|chunk)": "citation",
    r"missing\..*|text\..*|claims\.\d+\.text|followups\..*|stream\.\d+\.text\..*": "fact_wording",
    r"conflicts\.\d+\.key|conflicts\.\d+\.sides\.\d+\.value": "fact_wording",
    r"(.*\.)?other\.(?!score$).*": "fact_wording",
    r"evidence\..*|candidates\.\d+\.kept|steps\.1\.chunks\.0\.kept|candidates\.[01]\.chunk": "evidence",
    r"claims\.\d+\.(status|derivation\..*)|support\.\d+\.(claim|evidence\..*|verdict|judge|version)": "claim",
    r"delivery|stream\.\d+\.verified|steps\.\d+\.(name|attempt|found|bound|outcome)": "step",
    r"candidates\.\d+\.reason|steps\.1\.chunks\.0\.(reason|chunk)|candidates\.2\.chunk": "drop_reason",
    r"confidence|candidates\.\d+\.score|support\.\d+\.score|other\.score|steps\.0\.best": "score_drift",
}
_VERSIONS = tuple(path for path in leaves(full_trace()) if path[0] == "versions")
_LEAVES = tuple(path for path in leaves(full_trace()) if path not in _VERSIONS)


def expected_class(path: Keys) -> ChangeClass:
    """The class of a change of one leaf, stated here a second time and independently."""
    name = ".".join(map(str, path))
    found = [kind for pattern, kind in _CLASSES.items() if re.fullmatch(pattern, name)]
    assert len(found) == 1, f"{name} has {found}"
    return ChangeClass(found[0])


def mutated(value: object) -> object:
    """Another value of the same type; a text states another fact afterwards."""
    match value:
        case bool():
            return not value
        case int():
            return value + 7
        case float():
            return value + 0.05
        case str():
            return f"{value} not 77"
    raise AssertionError(value)


def mutate(*paths: Keys) -> tuple[tuple[Keys, object], ...]:
    trace = full_trace()
    return tuple((path, mutated(value_at(trace, path))) for path in paths)


def test_the_full_trace_has_every_field_of_the_schema() -> None:
    assert list(full_trace()) == list(FIELDS)


def test_equal_traces_have_no_headline_and_the_same_is_said() -> None:
    comparison = compare(full_trace(), full_trace())
    assert (comparison.headline, comparison.same, comparison.changes) == (None, True, ())


@pytest.mark.parametrize("path", _LEAVES, ids=lambda path: ".".join(map(str, path)))
def test_a_change_of_one_leaf_has_its_class(path: Keys) -> None:
    comparison = compare(full_trace(), changed(full_trace(), *mutate(path)))
    assert comparison.headline is expected_class(path)


@given(st.sampled_from(_LEAVES))
def test_a_leaf_that_vanishes_has_its_class_or_a_more_severe_one(path: Keys) -> None:
    trace = full_trace()
    holder = value_at(trace, path[:-1])
    old = copy.deepcopy(trace)
    if isinstance(holder, list):
        del holder[int(path[-1])]
    else:
        del holder[path[-1]]
    headline = compare(old, trace).headline
    if path[0] == "chunks":
        assert headline is None  # which chunks were used is told where they are used
        return
    assert headline is not None
    if expected_class(path) is not ChangeClass.STALE_BASELINE:
        assert headline is not ChangeClass.STALE_BASELINE


_ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.floats(-1e6, 1e6), st.text(max_size=30))
_MILDER = {
    ChangeClass.FACT_WORDING: {ChangeClass.WORDING},  # the same facts in other words, whatever those are
    ChangeClass.REASON: {ChangeClass.WORDING},  # a next step by another name
    ChangeClass.STEP: {ChangeClass.SCORE_DRIFT},  # a number that is no longer whole was computed
}


@given(st.sampled_from(_LEAVES), _ANYTHING)
def test_a_leaf_that_becomes_anything_else_has_its_class_or_a_more_severe_one(path: Keys, value: Any) -> None:
    old = value_at(full_trace(), path)
    comparison = compare(full_trace(), changed(full_trace(), (path, value)))
    numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in (old, value)]
    if old == value or (all(numbers) and abs(old - value) <= 2 * DEFAULT_TOLERANCE):
        return
    if isinstance(old, str) and isinstance(value, str) and old.split() == value.split():
        return
    expected, headline = expected_class(path), comparison.headline
    assert headline is not None
    assert headline in {expected, *_MILDER.get(expected, ())} or headline in SEVERITY[: SEVERITY.index(expected)]


@given(st.sampled_from(list(combinations(_LEAVES, 2))))
def test_of_two_changes_the_more_severe_is_the_headline(pair: tuple[Keys, Keys]) -> None:
    kinds = [expected_class(path) for path in pair]
    severe = [kind for kind in kinds if kind is not ChangeClass.STALE_BASELINE]
    comparison = compare(full_trace(), changed(full_trace(), *mutate(*pair)))
    assert comparison.headline is (min(severe, key=SEVERITY.index) if severe else ChangeClass.STALE_BASELINE)
    assert bool(comparison.stale) is (ChangeClass.STALE_BASELINE in kinds)


@given(st.sampled_from(_VERSIONS), st.sampled_from(_LEAVES))
def test_another_version_is_a_note_and_hides_nothing_but_bounds(version: Keys, path: Keys) -> None:
    alone = compare(full_trace(), changed(full_trace(), *mutate(version)))
    assert (alone.same, alone.headline) == (True, None)
    assert alone.notes
    assert all(note.startswith(f"versions.{version[1]}") for note in alone.notes)
    comparison = compare(full_trace(), changed(full_trace(), *mutate(version, path)))
    assert comparison.headline is (None if path == ("steps", 1, "bound") else expected_class(path))
    assert comparison.notes[: len(alone.notes)] == alone.notes


def test_a_digest_of_the_settings_is_told_only_where_nothing_says_more() -> None:
    def noted(**versions: str) -> tuple[str, ...]:
        old, new = ({key: f"{value}{n}" for key, value in versions.items()} for n in "12")
        return compare({"versions": {**old}}, {"versions": {**new}}).notes

    assert noted(digest="sha256:") == ("versions.digest: sha256:1 -> sha256:2",)
    assert noted(digest="sha256:", model="m-") == ("versions.model: m-1 -> m-2",)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        pytest.param([(("steps", 1, "bound"), 0.5)], None, id="a bound"),
        pytest.param([(("steps", 2, "by"), "m-2")], None, id="the name of a part"),
        pytest.param([(("support", 0, "judge"), "m-2")], None, id="the name of a judge"),
        pytest.param([(("steps", 2, "by"), "m-3")], ChangeClass.STEP, id="another name"),
        pytest.param([(("steps", 2, "outcome"), "failed")], ChangeClass.STEP, id="an outcome"),
        pytest.param([(("steps", 0, "found"), 4)], ChangeClass.STEP, id="a count"),
        pytest.param([(("candidates", 2, "reason"), "score 0.3 below floor 0.5")], None, id="a bound in words"),
        pytest.param(
            [(("candidates", 2, "reason"), "score 0.2 below floor 0.5")], ChangeClass.SCORE_DRIFT, id="and a score"
        ),
        pytest.param(
            [(("candidates", 2, "reason"), "score 0.3 is under 0.5")], ChangeClass.DROP_REASON, id="other words"
        ),
        pytest.param([(("candidates", 2, "kept"), True)], ChangeClass.EVIDENCE, id="what was kept"),
    ],
)
def test_a_case_changes_by_what_a_setting_does_not_by_being_told_it(changes: Any, kind: ChangeClass | None) -> None:
    old = changed(
        full_trace(),
        (("steps", 2, "by"), "m-1"),
        (("support", 0, "judge"), "m-1"),
        (("candidates", 2, "reason"), "score 0.3 below floor 0.4"),
    )
    versions = ((("versions", "model"), "m-2"), (("versions", "settings", "floor"), 0.5))
    assert compare(old, changed(old, *versions, *changes)).headline is kind


def test_a_decision_in_the_words_of_a_setting_is_told_in_its_step() -> None:
    settings = {"unresolved": "answer"}
    old = changed(full_trace(), (("versions", "settings"), settings), (("steps", 2, "outcome"), "answer"))
    flips = ((("versions", "settings", "unresolved"), "abstain"), (("steps", 2, "outcome"), "abstain"))
    told = compare(old, changed(old, *flips, (("decision",), "abstain")))
    assert ("steps[verify/1].outcome", "verify") in {(change.path, change.stage) for change in told.changes}
    assert compare(old, changed(old, *flips)).same


def test_an_unknown_field_counts_as_shown() -> None:
    trace = full_trace() | {"brand_new": {"note": "The limit is $180."}}
    other = full_trace() | {"brand_new": {"note": "The limit is $190."}}
    assert compare(trace, other).headline is ChangeClass.FACT_WORDING


@pytest.mark.parametrize(
    ("path", "new"),
    [
        pytest.param(("text", 1), "Meals will be paid for 30 days.", id="text"),
        pytest.param(("claims", 1, "text"), "For 30 days meals are paid.", id="claim"),
        pytest.param(("followups", 0), "What is the cost of parking?", id="follow-up"),
        pytest.param(("missing", 0), "fees for parking", id="missing part"),
        pytest.param(("next_step",), "ask travel desk", id="next step"),
        pytest.param(("other", "banner"), "Please read the policy.", id="unknown field"),
    ],
)
def test_other_words_for_the_same_are_wording(path: Keys, new: Any) -> None:
    assert compare(full_trace(), changed(full_trace(), (path, new))).headline is ChangeClass.WORDING


def test_thirty_days_to_sixty_days_is_a_change_of_fact() -> None:
    new = changed(full_trace(), (("text", 1), "Meals are paid for 60 days."))
    assert compare(full_trace(), new).headline is ChangeClass.FACT_WORDING


def test_a_modal_is_wording_only_while_claims_and_citations_are_equal() -> None:
    added = (("text", 1), "Meals must be paid for 30 days.")
    assert compare(full_trace(), changed(full_trace(), added)).headline is ChangeClass.WORDING
    requoted = changed(full_trace(), added, (("citations", 1, "quote"), "for 30 days"))
    kinds = {change.path: change.kind for change in compare(full_trace(), requoted).changes}
    assert kinds["text"] is ChangeClass.FACT_WORDING


def test_the_same_text_cut_into_other_sentences_is_the_same() -> None:
    new = changed(full_trace(), (("text",), ["The hotel limit is $180. Meals are paid for 30 days."]))
    assert compare(full_trace(), new).same


# Lists


def test_one_candidate_less_is_one_change() -> None:
    new = full_trace()
    del new["candidates"][0]
    assert [(change.path, change.kind) for change in compare(full_trace(), new).changes] == [
        ("candidates[c1]", ChangeClass.EVIDENCE)
    ]


def test_a_candidate_that_was_not_kept_is_no_evidence() -> None:
    new = full_trace()
    new["candidates"].append({"chunk": "c9", "kept": False, "score": 0.1, "reason": "floor"})
    assert compare(full_trace(), new).headline is ChangeClass.DROP_REASON


@pytest.mark.parametrize("key", ["candidates", "evidence", "missing", "followups", "claims", "citations"])
def test_another_order_is_an_order(key: str) -> None:
    new = changed(full_trace(), ((key,), full_trace()[key][::-1]))
    if key == "claims":
        new["citations"] = [dict(one, claim=3 - one["claim"]) for one in new["citations"]]
        new["citations"].reverse()
        new["support"][0]["claim"] = 1
    headlines = {change.kind for change in compare(full_trace(), new).changes}
    assert headlines == {ChangeClass.ORDER}


def test_a_claim_put_in_front_leaves_the_citations_of_the_others() -> None:
    new = full_trace()
    new["claims"].insert(0, {"text": "Parking is free.", "status": "supported"})
    for citation in new["citations"]:
        citation["claim"] += 1
    assert [(change.path, change.kind) for change in compare(full_trace(), new).changes] == [
        ("claims[1]", ChangeClass.CLAIM)
    ]


def test_a_chunk_cited_twice_for_one_claim_is_compared_in_order_and_said() -> None:
    old = full_trace()
    old["citations"].append({"claim": 2, "chunk": "c2", "quote": "a second one"})
    new = copy.deepcopy(old)
    new["citations"][2]["quote"] = "a third one"
    comparison = compare(old, new)
    assert [change.kind for change in comparison.changes] == [ChangeClass.CITATION]
    assert comparison.notes == ("citations: 2/c2 stands more than once; its entries were compared in order",)


def test_a_lost_repeat_is_seen() -> None:
    old = changed(full_trace(), (("evidence",), ["c1", "c1", "c2"]))
    new = changed(full_trace(), (("evidence",), ["c1", "c2", "c2"]))
    assert compare(old, new).headline is ChangeClass.EVIDENCE


@pytest.mark.parametrize("key", ["evidence", "candidates", "steps", "support"])
def test_not_observed_differs_from_none(key: str) -> None:
    old, new = full_trace(), full_trace()
    del old[key]
    new[key] = []
    assert not compare(old, new).same


def test_truth_is_not_the_number_one() -> None:
    old = changed(full_trace(), (("other",), {"flag": True, "count": 1}))
    new = changed(full_trace(), (("other",), {"flag": 1, "count": 1, "more": 2}))
    assert "other.flag" in {change.path for change in compare(old, new).changes}


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        pytest.param([0.91, 0.83], [0.9104, 0.8296], None, id="within the tolerance"),
        pytest.param([0.91, 0.83], [0.91, 0.5], ChangeClass.SCORE_DRIFT, id="beyond it"),
        pytest.param([0.91, 0.83], [0.91], ChangeClass.STEP, id="one less"),
        pytest.param([3, 4], [3, 5], ChangeClass.STEP, id="counts"),
    ],
)
def test_a_list_of_scores_drifts_like_one(old: Any, new: Any, kind: ChangeClass | None) -> None:
    before, after = (changed(full_trace(), (("steps", 0, "values"), values)) for values in (old, new))
    assert compare(before, after).headline is kind


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        pytest.param("score 0.3124 is below 0.40", None, id="within the tolerance"),
        pytest.param("score 0.3424 is below 0.40", ChangeClass.SCORE_DRIFT, id="beyond it"),
        pytest.param("score 0.3121 is beneath 0.40", ChangeClass.DROP_REASON, id="other words"),
    ],
)
def test_a_score_in_a_reason_drifts_like_one(new: str, kind: ChangeClass | None) -> None:
    old = changed(full_trace(), (("candidates", 2, "reason"), "score 0.3121 is below 0.40"))
    comparison = compare(old, changed(old, (("candidates", 2, "reason"), new)))
    assert comparison.headline is kind
    assert settle(old, changed(old, (("candidates", 2, "reason"), new)))["candidates"] == (
        old["candidates"] if kind is None else changed(old, (("candidates", 2, "reason"), new))["candidates"]
    )


def test_a_decimal_that_compares_nothing_is_no_score() -> None:
    old = changed(full_trace(), (("candidates", 2, "reason"), "superseded by version 2.1"))
    new = changed(old, (("candidates", 2, "reason"), "superseded by version 2.2"))
    assert compare(old, new).headline is ChangeClass.DROP_REASON


def test_one_more_unreadable_chunk_in_the_corpus_changes_no_other_trace() -> None:
    hidden = {"kept": False, "reason": "not readable"}
    old = changed(
        full_trace(), (("candidates",), [{"chunk": "restricted-1", **hidden}, {"chunk": "restricted-3", **hidden}])
    )
    new = changed(
        full_trace(), (("candidates",), [{"chunk": "restricted-2", **hidden}, {"chunk": "restricted-4", **hidden}])
    )
    comparison = compare(old, new)
    assert (comparison.same, comparison.notes) == (True, ())
    new["candidates"].pop()
    assert compare(old, new).headline is ChangeClass.DROP_REASON


# Leaks


@pytest.mark.parametrize(
    ("path", "new"),
    [
        pytest.param(("text", 0), "The hotel limit is [redacted 4 characters]. ", id="text"),
        pytest.param(("citations", 0, "chunk"), "restricted-1", id="citation"),
        pytest.param(("evidence", 1), "restricted-2", id="evidence"),
        pytest.param(("candidates", 2, "reason"), "[redacted 12 characters]", id="words in a candidate"),
        pytest.param(("steps", 0, "found"), ["[redacted 12 characters]"], id="words in a step"),
        pytest.param(("other", "banner"), "see restricted-1", id="unknown field"),
    ],
)
def test_what_may_not_be_read_and_appears_is_a_leak(path: Keys, new: Any) -> None:
    assert compare(full_trace(), changed(full_trace(), (path, new))).headline is ChangeClass.LEAK


def test_a_chunk_that_may_not_be_read_among_the_dropped_candidates_is_no_leak() -> None:
    new = full_trace()
    new["candidates"].append({"chunk": "restricted-1", "kept": False, "reason": "not readable"})
    assert compare(full_trace(), new).headline is ChangeClass.DROP_REASON


def test_a_leak_that_goes_away_is_none() -> None:
    leaking = changed(full_trace(), (("citations", 0, "chunk"), "restricted-1"))
    assert compare(leaking, full_trace()).headline is ChangeClass.CITATION


# Decisions


@pytest.mark.parametrize(
    ("old", "new", "flip"),
    [
        ("answer", "abstain", Flip.LOST),
        ("abstain", "answer", Flip.GAINED),
        ("clarify", "partial", Flip.GAINED),
        ("answer", "partial", Flip.PARTIAL),
        ("partial", "answer", Flip.PARTIAL),
        ("abstain", "escalate", Flip.REROUTED),
        ("answer", None, Flip.LOST),
        ("answer", "answer", None),
    ],
)
def test_a_decision_flips_one_of_four_ways(old: Any, new: Any, flip: Flip | None) -> None:
    before, after = full_trace() | {"decision": old}, full_trace() | {"decision": new}
    assert compare(before, after).flip is flip


# Scores


@pytest.mark.parametrize("drift", [0.0001, -0.0004, 0.001, -0.001])
def test_a_number_within_the_tolerance_is_no_change(drift: float) -> None:
    comparison = compare(full_trace(), changed(full_trace(), (("confidence",), round(0.81 + drift, 4))))
    assert comparison.same
    assert comparison.max_drift == pytest.approx(abs(drift))


def test_a_number_on_the_edge_of_rounding_does_not_flip() -> None:
    old = changed(full_trace(), (("confidence",), 0.1234))
    assert compare(old, changed(old, (("confidence",), 0.1235))).same


@pytest.mark.parametrize(("drift", "near"), [(0.0007, False), (0.0008, True), (0.001, True)])
def test_four_fifths_of_the_tolerance_are_said_to_be_close(drift: float, *, near: bool) -> None:
    comparison = compare(full_trace(), changed(full_trace(), (("confidence",), 0.81 + drift)))
    assert comparison.near_limit is near


def test_the_tolerance_is_an_argument() -> None:
    new = changed(full_trace(), (("confidence",), 0.85))
    assert compare(full_trace(), new, tolerance=0.05).same
    assert compare(full_trace(), new).headline is ChangeClass.SCORE_DRIFT


@pytest.mark.parametrize("tolerance", [0.0, 0.0001, -1.0, float("nan")])
def test_a_tolerance_below_the_step_of_rounding_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="step of rounding"):
        compare(full_trace(), changed(full_trace(), (("confidence",), 0.85)), tolerance=tolerance)


def test_a_threshold_in_a_step_is_no_score() -> None:
    comparison = compare(full_trace(), changed(full_trace(), (("steps", 1, "bound"), 0.4005)))
    assert comparison.headline is ChangeClass.STEP


def test_an_accepted_trace_keeps_the_numbers_that_only_drifted() -> None:
    new = changed(
        full_trace(), (("confidence",), 0.8103), (("candidates", 1, "score"), 0.7), (("decision",), "partial")
    )
    settled = settle(full_trace(), new)
    assert (settled["confidence"], value_at(settled, ("candidates", 1, "score"))) == (0.81, 0.7)
    assert new["confidence"] == 0.8103


@given(st.lists(st.floats(-0.001, 0.001), min_size=1, max_size=20))
def test_small_drifts_never_add_up_in_what_is_approved(drifts: list[float]) -> None:
    approved = full_trace()
    for drift in drifts:
        new = changed(full_trace(), (("confidence",), round(0.81 + drift, 4)), (("decision",), "abstain"))
        approved = settle(approved, new)
    assert abs(approved["confidence"] - 0.81) <= DEFAULT_TOLERANCE


# Where it began


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        pytest.param([(("candidates", 0, "score"), 0.5), (("decision",), "abstain")], "retrieve", id="ranking"),
        pytest.param([(("candidates", 1, "kept"), False), (("text", 0), "It is $9.")], "select", id="selection"),
        pytest.param([(("steps", 2, "outcome"), "failed"), (("delivery",), "extractive")], "verify", id="verification"),
        pytest.param([(("text", 0), "It is $9.")], "generate", id="generation"),
        pytest.param([(("rendered", 0, "chunk"), "c2")], "deliver", id="delivery"),
        pytest.param([(("evidence",), ["c1"]), (("decision",), "partial")], "resolve", id="lost behind selection"),
        pytest.param([(("evidence",), []), (("decision",), "abstain")], "gate", id="a gate that closes"),
        pytest.param([(("evidence",), ["c1", "c9"])], "select", id="a chunk that was no candidate"),
        pytest.param(
            [(("decision",), "abstain"), (("text",), ["Ask us."])], "generate", id="a model that declines its evidence"
        ),
        pytest.param([(("next_step",), "Wait.")], "deliver", id="nothing but what is shown"),
        pytest.param([(("case_sha",), "sha256:bb")], None, id="nothing but the header"),
    ],
)
def test_the_first_divergence_is_the_earliest_changed_stage(changes: Any, stage: str | None) -> None:
    assert compare(full_trace(), changed(full_trace(), *changes)).first_divergence == stage


def test_a_stage_of_the_systems_own_stands_behind_the_step_it_followed() -> None:
    steps = [{"name": "retrieve"}, {"name": "rerank", "top": 5}, {"name": "select"}]
    old = changed(full_trace(), (("steps",), steps))
    new = changed(old, (("steps", 1, "top"), 3), (("candidates", 1, "kept"), False))
    assert compare(old, new).first_divergence == "rerank"


# Grouping


def test_two_cases_with_one_kind_of_change_have_one_fingerprint() -> None:
    first = compare(full_trace(), changed(full_trace(), (("candidates", 0, "kept"), False)))
    second = compare(full_trace(), changed(full_trace(), (("candidates", 1, "kept"), False)))
    third = compare(full_trace(), changed(full_trace(), (("candidates", 1, "reason"), "late")))
    assert first.fingerprint == second.fingerprint != third.fingerprint


def test_the_decisions_are_part_of_the_fingerprint() -> None:
    lost = compare(full_trace(), full_trace() | {"decision": "abstain"})
    asked = compare(full_trace(), full_trace() | {"decision": "clarify"})
    assert lost.fingerprint != asked.fingerprint


def test_the_classes_stand_stale_first_then_by_severity() -> None:
    new = changed(full_trace(), (("confidence",), 0.9), (("case_sha",), "sha256:bb"), (("decision",), "abstain"))
    assert list(compare(full_trace(), new).by_class) == [
        ChangeClass.STALE_BASELINE,
        ChangeClass.DECISION,
        ChangeClass.SCORE_DRIFT,
    ]


def test_another_chunk_that_was_used_makes_no_header_stale() -> None:
    new = changed(
        full_trace(), (("chunks",), {"c1": "sha256:11", "c3": "sha256:33"}), (("candidates", 2, "kept"), True)
    )
    comparison = compare(full_trace(), new)
    assert (comparison.stale, comparison.headline) == ((), ChangeClass.EVIDENCE)


def test_a_stale_header_hides_nothing() -> None:
    new = changed(full_trace(), (("chunks", "c1"), "sha256:99"), (("reason_code",), None))
    comparison = compare(full_trace(), new)
    assert (comparison.headline, [change.path for change in comparison.stale]) == (ChangeClass.REASON, ["chunks[c1]"])


def test_the_summary_is_plain_json_without_ids() -> None:
    new = changed(full_trace(), (("candidates", 0, "kept"), False))
    summary = compare(full_trace(), new).summary()
    assert (summary["headline"], summary["classes"], summary["first_divergence"]) == (
        "evidence",
        {"evidence": 1},
        "select",
    )


def test_a_hand_edited_trace_with_wrong_types_is_compared_all_the_same() -> None:
    odd = full_trace() | {"claims": "none", "candidates": {"c1": 1}, "steps": [1, None], "text": None, "chunks": []}
    assert not compare(odd, full_trace()).same
    assert not compare(full_trace(), odd).same
