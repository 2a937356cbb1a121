"""The cross-encoder: real loading and running code, over a model that is made here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_grounded.errors import JudgeError
from pytest_grounded.judges.onnx import OnnxJudge
from pytest_grounded.model.support import JudgeFailedError
from tests.judges.tiny_model import tiny_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        pytest.param(["It agrees."], "support", id="entailed"),
        pytest.param(["It denies."], "contradict", id="contradicted"),
        pytest.param(["It is plain."], "neutral", id="neither"),
        pytest.param(["It is plain.", "It agrees."], "support", id="jointly"),
        pytest.param(["It denies.", "It agrees."], "support", id="entailment-goes-first"),
        pytest.param(["", "  "], "neutral", id="empty-evidence"),
        pytest.param([], "neutral", id="no-evidence"),
    ],
)
def test_it_says_what_the_model_says_of_all_texts_together(folder: Path, evidence: list[str], verdict: str) -> None:
    assert OnnxJudge(folder).judge("The limit is plain.", evidence) == verdict


def test_long_evidence_is_read_in_windows_to_its_end(folder: Path) -> None:
    judge = OnnxJudge(folder, max_tokens=32)
    filler = ["The limit is the limit." for _ in range(40)]
    assert judge.judge("The limit.", [" ".join(filler)]) == "neutral"
    assert judge.judge("The limit.", [" ".join([*filler, "It agrees."])]) == "support"
    assert judge.judge("The limit.", [" ".join(["limit"] * 200)]) == "neutral"


def test_a_claim_that_fills_the_model_is_not_judged(folder: Path) -> None:
    with pytest.raises(JudgeFailedError, match="claim_too_long"):
        OnnxJudge(folder, max_tokens=16).judge("limit " * 40, ["It agrees."])


def test_a_model_of_fixed_width_is_padded_and_the_padding_is_not_read(tmp_path: Path) -> None:
    votes = {"[PAD]": (9.0, 0.0, 0.0), "agrees": (0.0, 4.0, 0.0)}
    judge = OnnxJudge(tiny_model(tmp_path / "fixed", width=24, votes=votes))
    assert judge.judge("The limit.", ["It agrees."]) == "support"


def test_a_model_may_ask_which_text_a_token_is_of(tmp_path: Path) -> None:
    three = ("input_ids", "attention_mask", "token_type_ids")
    assert OnnxJudge(tiny_model(tmp_path / "three", inputs=three)).judge("The limit.", ["It agrees."]) == "support"


def test_the_threshold_decides(folder: Path) -> None:
    assert OnnxJudge(folder, threshold=0.999).judge("The limit.", ["It agrees."]) == "neutral"


def test_its_score_is_the_probability_it_cuts_and_the_model_is_asked_once_for_both(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = OnnxJudge(folder, threshold=0.9)
    asked: list[str] = []
    chances = OnnxJudge._chances

    def noted(self: OnnxJudge, premise: str, claim: str) -> dict[str, float]:
        asked.append(premise)
        return chances(self, premise, claim)

    monkeypatch.setattr(OnnxJudge, "_chances", noted)
    score = judge.score("The limit.", ["It agrees."])
    assert score is not None
    assert judge.judge("The limit.", ["It agrees."]) == ("support" if score >= judge.threshold else "neutral")
    assert asked == ["It agrees."]
    assert judge.score("The limit.", []) == 0.0


def test_two_classes_are_enough(tmp_path: Path) -> None:
    votes = {"agrees": (2.0, 0.0), "denies": (0.0, 2.0)}
    judge = OnnxJudge(tiny_model(tmp_path / "two", labels=("ENTAILMENT", "not-entailment"), votes=votes))
    assert [judge.judge("It.", [text]) for text in ("It agrees.", "It denies.")] == ["support", "neutral"]


def test_classes_without_names_are_asked_for_and_can_be_given(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "unnamed", labels=("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(JudgeError) as caught:
        OnnxJudge(model).judge("It.", ["It agrees."])
    assert str(caught.value) == (
        f"{model}: config.json does not say which class is entailment (needs id2label with 'entailment' and "
        "'contradiction', or the setting `labels: {support: 0, contradict: 2}`)"
    )
    assert OnnxJudge(model, labels={"support": 1}).judge("It.", ["It agrees."]) == "support"


def test_its_name_is_the_folder_and_its_version_all_that_decides(folder: Path, tmp_path: Path) -> None:
    judge = OnnxJudge(folder)
    assert (judge.name, len(judge.version)) == ("onnx/tiny", 12)
    assert OnnxJudge(tiny_model(tmp_path / "same")).version == judge.version
    others = [
        OnnxJudge(folder, threshold=0.6),
        OnnxJudge(folder, max_tokens=256),
        OnnxJudge(tiny_model(tmp_path / "other", votes={"agrees": (0.0, 4.5, 0.0)})),
        OnnxJudge(tiny_model(tmp_path / "named", labels=("neutral", "entailment", "contradiction"))),
    ]
    assert len({judge.version, *(other.version for other in others)}) == 5


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    model = tiny_model(tmp_path / "model")
    (model / missing).unlink()
    with pytest.raises(JudgeError) as caught:
        OnnxJudge(model).judge("It.", ["It agrees."])
    assert str(caught.value) == (
        f"{model / missing}: is missing (the folder of an exported model holds model.onnx, tokenizer.json and "
        "config.json)"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.onnx", "is no model that ONNX Runtime reads: InvalidProtobuf"),
        ("tokenizer.json", "is no tokenizer: Exception"),
        ("config.json", "is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, words: str) -> None:
    model = tiny_model(tmp_path / "model")
    (model / name).write_bytes(b"rubbish")
    with pytest.raises(JudgeError) as caught:
        OnnxJudge(model).judge("It.", ["It agrees."])
    assert str(caught.value) == f"{model / name}: {words}"


def test_a_model_that_asks_for_more_than_two_texts_is_refused(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "picture", inputs=("input_ids", "attention_mask", "pixels"))
    with pytest.raises(JudgeError) as caught:
        OnnxJudge(model).judge("It.", ["It agrees."])
    assert str(caught.value) == f"{model}: the model asks for ['pixels'], which a text pair does not give"


def test_an_output_that_is_no_number_is_no_verdict(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "broken", votes={"agrees": (0.0, float("nan"), 0.0)})
    with pytest.raises(JudgeFailedError, match="bad_output"):
        OnnxJudge(model).judge("It.", ["It agrees."])


def test_a_class_that_the_output_has_not_is_no_verdict(folder: Path) -> None:
    with pytest.raises(JudgeFailedError, match="bad_output"):
        OnnxJudge(folder, labels={"support": 7}).judge("It.", ["It agrees."])


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_without_the_extra_it_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(JudgeError) as caught:
        OnnxJudge(folder).judge("It.", ["It agrees."])
    assert str(caught.value) == (
        f"a judge of the kind onnx needs {library}, which is not installed: pip install 'pytest-grounded[nli]'"
    )


def test_nothing_heavy_is_loaded_until_it_judges(tmp_path: Path) -> None:
    OnnxJudge(tmp_path)
    code = "import sys, pytest_grounded.judges.onnx; print(sorted({'onnxruntime', 'numpy', 'tokenizers'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
