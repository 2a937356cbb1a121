"""A stored calibration in a suite's settings: it closes the gate, and holds for what it was chosen for alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.options import Options
from pytest_grounded.calibration.report import document
from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.errors import SystemContractError
from pytest_grounded.pipeline.assembly import versions_of
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.reference import load_settings, reference_system
from pytest_grounded.testing.builders import make_chunk
from tests.calibration.samples import make_sample, ordered_rows
from tests.pipeline.scripted import ask

CORPUS = 'corpus: travel\ndefault_readers: ["*"]\nchunks:\n  - {id: c1, text: The nightly hotel limit is $180.}\n'
QUESTION = "What is the nightly hotel limit?"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "corpus.yaml").write_text(CORPUS, encoding="utf-8")
    return tmp_path


def digest(suite: Path) -> str:
    return load_corpus(suite / "corpus.yaml", root=suite).digest


def calibrated(
    suite: Path,
    *,
    n: int = 200,
    wrong: int = 40,
    settings: str = "",
    versions: Mapping[str, Any] | None = None,
    **facts: Any,
) -> Path:
    """A suite whose settings name a calibration on rows of the system as it is, unless `facts` say otherwise."""
    stated = versions_of(PipelineSettings()) if versions is None else versions
    rows = ordered_rows(n, wrong, **{"score_name": "confidence", "corpus": digest(suite), "versions": stated, **facts})
    stored = document(calibrate(make_sample(rows), Options(alpha=0.1, delta=0.1)))
    (suite / "calibration.json").write_text(json.dumps(stored), encoding="utf-8")
    path = suite / "reference.yaml"
    path.write_text(f"gate: {{calibrated: calibration.json{settings}}}\n", encoding="utf-8")
    return path


def test_the_threshold_and_where_it_comes_from_are_among_the_settings(suite: Path) -> None:
    path = calibrated(suite)
    found = load_settings(path, root=suite).gate.calibrated
    stored = json.loads((suite / "calibration.json").read_text(encoding="utf-8"))
    assert found is not None
    assert (found.threshold, found.method, found.rows) == (0.1493, "ltt", stored["sample"]["digest"])
    assert (found.score_name, found.corpus) == ("confidence", digest(suite))
    assert found.versions["scorer"] == versions_of(PipelineSettings())["scorer"]


@pytest.mark.parametrize(("wrong", "decision", "reason"), [(1, "answer", None), (1900, "abstain", "LOW_CONFIDENCE")])
def test_below_the_threshold_no_answer_is_attempted(suite: Path, wrong: int, decision: str, reason: str | None) -> None:
    calibrated(suite, n=2_000, wrong=wrong)
    chunk = make_chunk("c1", "The nightly hotel limit is $180.")
    response = reference_system(suite, root=suite).answer(ask(QUESTION, [chunk]))
    assert (response.decision.value, response.reason_code) == (decision, reason)
    assert response.internal.versions is not None
    assert response.internal.versions["settings"]["gate"]["calibrated"]["method"] == "ltt"


def test_a_stricter_setting_of_ones_own_goes_first(suite: Path) -> None:
    for confidence, least in ((0.9, 0.9), (0.1, 0.1493)):
        path = calibrated(suite, settings=f", confidence: {confidence}", versions={})
        assert load_settings(path, root=suite).gate.least_confidence == least


def refused(path: Path) -> str:
    with pytest.raises(SystemContractError) as caught:
        load_settings(path, root=path.parent)
    return str(caught.value)


ANEW = " (calibrate anew on rows of this system, or take it out)"


def test_a_changed_corpus_makes_it_void(suite: Path) -> None:
    path = calibrated(suite)
    before = digest(suite)
    (suite / "corpus.yaml").write_text(CORPUS.replace("180", "190"), encoding="utf-8")
    assert refused(path) == (
        f"reference.yaml: gate.calibrated: does not hold here: the corpus is {digest(suite)}, and the rows were labelled "
        f"on {before}{ANEW}"
    )


def test_another_score_makes_it_void(suite: Path) -> None:
    assert refused(calibrated(suite, score_name="margin")) == (
        "reference.yaml: gate.calibrated: does not hold here: the gate compares the score 'confidence', and the rows have "
        f"'margin'{ANEW}"
    )


@pytest.mark.parametrize("name", ["pipeline", "scorer", "generator", "verifier"])
def test_another_version_of_the_system_makes_it_void(suite: Path, name: str) -> None:
    now = versions_of(PipelineSettings())
    assert refused(calibrated(suite, versions={**now, name: "another"})) == (
        f"reference.yaml: gate.calibrated: does not hold here: {name} is {now[name]!r}, and was 'another'{ANEW}"
    )


def test_other_settings_make_it_void(suite: Path) -> None:
    told = refused(calibrated(suite, settings=", coverage: 0.5"))
    assert told.startswith("reference.yaml: gate.calibrated: does not hold here: settings_digest is 'sha256:")


def test_rows_that_do_not_say_what_they_are_of_are_taken_as_they_are(suite: Path) -> None:
    path = calibrated(suite, versions={}, corpus=None, score_name=None)
    assert load_settings(path, root=suite).gate.least_confidence == 0.1493


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        pytest.param(
            {"n": 15, "wrong": 3},
            "calibration.json holds no threshold: that calibration answers nothing, so nothing can drift",
            id="infeasible",
        ),
    ],
)
def test_a_calibration_that_found_nothing_is_refused(suite: Path, facts: dict[str, Any], words: str) -> None:
    assert refused(calibrated(suite, **facts)) == f"reference.yaml: gate.calibrated: {words}"


def test_a_calibration_that_missed_its_limit_is_refused(suite: Path) -> None:
    path = calibrated(suite)
    stored = json.loads((suite / "calibration.json").read_text(encoding="utf-8"))
    stored |= {"exit_code": 1, "test": {"words": "the limit is missed on 60 test rows"}}
    (suite / "calibration.json").write_text(json.dumps(stored), encoding="utf-8")
    assert refused(path) == (
        "reference.yaml: gate.calibrated: calibration.json did not end well: the limit is missed on 60 test rows (a "
        "threshold that missed its limit is none)"
    )


def test_rows_of_several_versions_are_refused(suite: Path) -> None:
    path = calibrated(suite)
    stored = json.loads((suite / "calibration.json").read_text(encoding="utf-8"))
    stored["sample"]["versions"]["scorer"] = ["a", "b"]
    (suite / "calibration.json").write_text(json.dumps(stored), encoding="utf-8")
    assert refused(path) == (
        "reference.yaml: gate.calibrated: calibration.json was chosen on rows of several versions of scorer: 'a', 'b' (a "
        "threshold holds for one: calibrate each apart)"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "calibration.json cannot be read: No such file or directory"),
        (
            "{",
            "calibration.json is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        (
            "[]",
            "calibration.json holds no calibration (no 'choice': give the file that `pytest-grounded calibrate` wrote)",
        ),
    ],
)
def test_a_file_that_is_no_calibration_is_refused(suite: Path, text: str | None, words: str) -> None:
    path = calibrated(suite)
    (suite / "calibration.json").unlink()
    if text is not None:
        (suite / "calibration.json").write_text(text, encoding="utf-8")
    assert refused(path) == f"reference.yaml: gate.calibrated: {words}"


def test_without_one_the_settings_and_their_digest_are_as_before() -> None:
    assert "calibrated" not in PipelineSettings().model_dump(mode="json")["gate"]
