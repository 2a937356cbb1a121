"""All settings in one object, read from plain text values."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import ValidationError

from pytest_grounded.pipeline.settings import PipelineSettings


def test_values_written_as_text_take_the_type_of_their_field() -> None:
    settings = PipelineSettings.model_validate(
        {
            "retrieval": {"scorer": "overlap", "limit": "20", "titles": "no"},
            "selection": {"floor": "null", "max_tokens": "~", "rules": ["floor", "validity"]},
            "gate": {"coverage": "0.9", "insufficient_by_risk": {"high": "abstain"}},
            "messages": {"no_evidence": {"text": "Nothing found.", "next_step": "ask_hr"}},
        }
    )
    assert (settings.retrieval.limit, settings.retrieval.titles) == (20, False)
    assert (settings.selection.floor, settings.selection.max_tokens, settings.floor) == (None, None, 0.4)
    assert settings.gate.coverage == 0.9
    assert settings.messages.no_evidence.next_step == "ask_hr"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        pytest.param({"gates": {}}, ("gates",), id="unknown-section"),
        pytest.param({"gate": {"covrage": "0.9"}}, ("gate", "covrage"), id="unknown-key"),
        pytest.param({"gate": {"coverage": "1.5"}}, ("gate", "coverage"), id="out-of-range"),
        pytest.param({"gate": {"coverage": "nan"}}, ("gate", "coverage"), id="not-a-number"),
        pytest.param({"selection": {"rules": ["flor"]}}, ("selection", "rules", 0), id="unknown-rule"),
        pytest.param({"verification": {"repairs": "3"}}, ("verification", "repairs"), id="too-many-repairs"),
        pytest.param({"retrieval": {"same_words": [["bag"]]}}, ("retrieval", "same_words", 0), id="alone-in-a-group"),
        pytest.param(
            {"gate": {"risks": {"high": [{"all_of": []}]}}}, ("gate", "risks", "high", 0, "all_of"), id="empty-rule"
        ),
    ],
)
def test_a_mistake_is_refused_with_its_place(given: dict[str, object], place: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError) as raised:
        PipelineSettings.model_validate(given)
    assert raised.value.errors()[0]["loc"] == place


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        pytest.param([["laundry", "washing clothes"]], "single words that count, found 'washing clothes'", id="phrase"),
        pytest.param([["much", "amount"]], "single words that count, found 'much'", id="function-word"),
        pytest.param(
            [["bag", "suitcase"], ["sack", "bags"]],
            "every word once, found 'bags', which counts like 'bag'",
            id="twice",
        ),
        pytest.param(
            [["travel", "traveler"]],
            "every word once, found 'traveler', which counts like 'travel'",
            id="same-root-anyway",
        ),
    ],
)
def test_words_that_cannot_count_as_one_are_refused(groups: list[list[str]], said: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(said)) as raised:
        PipelineSettings.model_validate({"retrieval": {"same_words": groups}})
    assert raised.value.errors()[0]["loc"] == ("retrieval", "same_words")


def test_words_that_count_as_one_stay_out_of_the_summary_and_leave_no_trace_while_unused() -> None:
    used = PipelineSettings.model_validate({"retrieval": {"same_words": [["bag", "suitcase"]]}})
    assert "same_words" not in used.summary["retrieval"]
    assert used.digest != PipelineSettings().digest
    assert "same_words" not in PipelineSettings().model_dump(mode="json")["retrieval"]


def test_the_summary_is_plain_json_without_long_texts() -> None:
    summary = json.loads(json.dumps(PipelineSettings().summary))
    assert summary["gate"]["coverage"] == 0.8
    assert summary["verification"]["layers"][0] == "schema"
    assert "messages" not in summary
    assert "instructions" not in summary["generation"]


def test_the_digest_changes_with_any_setting_and_with_nothing_else() -> None:
    changed = PipelineSettings.model_validate({"messages": {"no_evidence": {"text": "Nothing."}}})
    assert PipelineSettings().digest == PipelineSettings.model_validate({}).digest != changed.digest


@pytest.mark.parametrize(
    "settings",
    [
        PipelineSettings(),
        PipelineSettings.toy(),
        PipelineSettings.model_validate(
            {
                "gate": {"costs": {"wrong": 5, "abstain": 1}, "insufficient_by_risk": {"high": "abstain"}},
                "generation": {"model": {"base_url": "http://localhost/v1", "model": "m"}},
                "around": {"cache": 4},
            }
        ),
    ],
    ids=["default", "toy", "changed"],
)
def test_settings_written_as_json_are_read_back_the_same(settings: PipelineSettings) -> None:
    again = PipelineSettings.model_validate(json.loads(settings.model_dump_json()))
    assert (again, again.digest) == (settings, settings.digest)


def test_the_toy_can_be_changed_by_section() -> None:
    assert PipelineSettings.toy(conflicts={"rules": ["effective_date"]}).conflicts.rules == ("effective_date",)
