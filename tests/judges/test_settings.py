"""Which judge settings name, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pytest_grounded.errors import JudgeError
from pytest_grounded.judges.settings import JudgeSettings, make_judge
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.testing.builders import make_chunk
from tests.judges.judges import Scripted
from tests.judges.tiny_model import tiny_model
from tests.pipeline.scripted import ask

INSTANCE = Scripted(name="instance")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        pytest.param({"kind": "rules"}, "rules", id="rules"),
        pytest.param({"kind": "overlap"}, "overlap-0.8", id="overlap"),
        pytest.param({"kind": "overlap", "threshold": "0"}, "overlap-0", id="overlap-at-zero"),
        pytest.param({"kind": "onnx", "path": "tiny"}, "onnx/tiny", id="onnx"),
        pytest.param(
            {"kind": "openai", "endpoint": {"base_url": "http://localhost:1/v1", "model": "m"}},
            "openai-compatible/m",
            id="openai",
        ),
        pytest.param({"kind": "python", "path": "tests.judges.judges:Scripted"}, "scripted", id="class"),
        pytest.param({"kind": "python", "path": "tests.judges.test_settings:INSTANCE"}, "instance", id="instance"),
    ],
)
def test_settings_name_a_judge(tmp_path: Path, written: dict[str, Any], name: str) -> None:
    tiny_model(tmp_path / "tiny")
    judge = make_judge(JudgeSettings.model_validate(written), folder=tmp_path)
    assert judge.name == name
    assert judge.version


@pytest.mark.parametrize(
    ("written", "words"),
    [
        pytest.param({}, "Field required", id="no-kind"),
        pytest.param(
            {"kind": "oracle"}, "Input should be 'rules', 'overlap', 'onnx', 'openai' or 'python'", id="unknown-kind"
        ),
        pytest.param({"kind": "onnx"}, "a judge of the kind onnx needs 'path'", id="no-path"),
        pytest.param({"kind": "openai"}, "a judge of the kind openai needs 'endpoint'", id="no-endpoint"),
        pytest.param({"kind": "rules", "treshold": 1}, "Extra inputs are not permitted", id="misspelled"),
        pytest.param({"kind": "overlap", "threshold": 2}, "less than or equal to 1", id="threshold"),
        pytest.param(
            {"kind": "onnx", "path": "x", "labels": {"yes": 0}},
            "labels name support, contradict or neutral, found ['yes']",
            id="labels",
        ),
    ],
)
def test_settings_that_name_none_are_refused(written: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        JudgeSettings.model_validate(written)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("judges", "judge 'judges': needs module:attribute"),
        (
            "no_such_module:x",
            "judge 'no_such_module:x': 'no_such_module' cannot be imported: No module named 'no_such_module'",
        ),
        ("tests.judges.judges:Nobody", "judge 'tests.judges.judges:Nobody': 'tests.judges.judges' has no 'Nobody'"),
        ("builtins:dict", "judge 'builtins:dict': is none (needs name, version and judge(claim, evidence))"),
    ],
)
def test_a_judge_that_cannot_be_imported_is_refused(path: str, words: str) -> None:
    with pytest.raises(JudgeError) as caught:
        make_judge(JudgeSettings.model_validate({"kind": "python", "path": path}))
    assert str(caught.value) == words


# --- in the pipeline's settings

HOTEL = make_chunk("hotel", "The nightly hotel limit in standard cities is $180.")
QUESTION = "What is the nightly hotel limit in a standard city?"


def test_a_suite_names_the_judge_of_its_verifier() -> None:
    def answer(path: str) -> Any:
        judge = {"kind": "python", "path": path}
        settings = PipelineSettings.model_validate({"verification": {"judge": judge, "on_failure": "abstain"}})
        return assemble(settings).answer(ask(QUESTION, [HOTEL]))

    shown = answer("tests.judges.test_settings:INSTANCE")
    assert (shown.decision.value, shown.internal.versions["judge"]) == ("answer", "instance/1")
    refused = answer("tests.judges.test_settings:refuses")
    assert (refused.decision.value, refused.reason_code) == ("abstain", "UNVERIFIED_ANSWER")
    failed = answer("tests.judges.test_settings:fails")
    assert failed.decision.value == "abstain"
    (cell,) = failed.internal.support
    assert (cell["verdict"], cell["judge"]) == ("not_judged", "scripted")


def refuses() -> Scripted:
    return Scripted("neutral")


def fails() -> Scripted:
    return Scripted("fails")


def test_without_a_judge_the_settings_and_their_digest_are_as_before() -> None:
    assert "judge" not in PipelineSettings().model_dump(mode="json")["verification"]
    other = PipelineSettings.model_validate({"verification": {"judge": {"kind": "rules"}}})
    assert other.digest != PipelineSettings().digest
    assert other.summary["verification"]["judge"]["kind"] == "rules"
