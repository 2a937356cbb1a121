"""Rankings fused by place, from settings to trace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Chunk, Corpus, Requester
from pytest_grounded.pipeline.assembly import assemble
from pytest_grounded.pipeline.hybrid import HybridScorer
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.retrieve import FusedScorer, retrieve
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.reference import load_settings, reference_system
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step

CHUNKS = [
    make_chunk("hotel", "The nightly hotel limit in standard cities is $180."),
    make_chunk("lodging", "Overnight lodging abroad is booked by the travel desk."),
    make_chunk("meal", "Meals are paid up to $40 per day."),
]
CORPUS = Corpus(name="travel", chunks=CHUNKS)
WORDS = {"retrieval": {"scorer": "hybrid", "fuse": ["bm25", "overlap"]}}


class Given:
    """A scorer that says what it is told to."""

    def __init__(self, scores: Mapping[str, float], name: str = "given/1") -> None:
        self.name = name
        self._scores = scores

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        del query
        return {chunk: score for chunk, score in self._scores.items() if chunk in corpus}


def fused(*rankings: Mapping[str, float], constant: int = 60, limit: int = 50) -> Mapping[str, float]:
    chunks = [make_chunk(chunk, "text") for ranking in rankings for chunk in ranking]
    scorers = {f"s{number}": Given(ranking) for number, ranking in enumerate(rankings)}
    return HybridScorer(scorers, constant=constant, limit=limit).scores("?", Corpus(name="c", chunks=chunks))


def test_fusion_counts_places_and_never_adds_scores_of_two_scales() -> None:
    assert fused({"x": 0.9, "y": 0.8}, {"y": 0.02, "z": 0.01}) == {
        "y": round((1 / 62 + 1 / 61) / (2 / 61), 6),
        "x": 0.5,
        "z": round((1 / 62) / (2 / 61), 6),
    }


def test_equal_scores_share_their_place_and_stand_in_order_of_id() -> None:
    scores = fused({"y": 0.5, "x": 0.5, "z": 0.1})
    assert list(scores) == ["x", "y", "z"]
    assert scores["x"] == scores["y"] == 1.0 > scores["z"]


def test_of_each_ranking_only_the_best_count() -> None:
    assert list(fused({"a": 0.9, "b": 0.8, "c": 0.7}, {"c": 0.9}, limit=2)) == ["a", "c", "b"]


def test_a_smaller_constant_weighs_first_places_more() -> None:
    flat, steep = (fused({"a": 0.9, "b": 0.8}, constant=constant)["b"] for constant in (60, 0))
    assert (round(flat, 3), steep) == (0.984, 0.5)


def test_a_fusion_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one scorer"):
        HybridScorer({})
    with pytest.raises(ValueError, match="0 or more"):
        HybridScorer({"a": Given({})}, constant=-1)


@given(st.dictionaries(st.sampled_from("uvwxyz"), st.floats(0.01, 1), max_size=6))
def test_fused_scores_are_shares_and_keep_a_single_ranking(scores: dict[str, float]) -> None:
    found = fused(scores)
    assert all(0 < score <= 1 for score in found.values())
    assert all((scores[a] > scores[b]) <= (found[a] > found[b]) for a in scores for b in scores)


def test_settings_name_what_is_fused() -> None:
    scorer = make_scorer(
        PipelineSettings.model_validate({"retrieval": {**WORDS["retrieval"], "fusion_constant": "10"}}).retrieval
    )
    assert isinstance(scorer, FusedScorer)
    assert scorer.name == "rrf10(bm25 bm25:root:2 + overlap overlap:root:1)"


@pytest.mark.parametrize("fuse", [[], ["bm25"], "bm25", ["bm25", "bm25"]], ids=["none", "one", "text", "twice"])
def test_fewer_than_two_scorers_are_no_hybrid(fuse: object) -> None:
    with pytest.raises(ValidationError, match="two different scorers"):
        PipelineSettings.model_validate({"retrieval": {"scorer": "hybrid", "fuse": fuse}})


def test_a_suite_asks_for_a_hybrid_in_its_settings_file(tmp_path: Path) -> None:
    (tmp_path / "reference.yaml").write_text(
        "retrieval: {scorer: hybrid, fuse: [overlap, bm25]}\nselection: {floors: {bm25: 0.2}}\n", encoding="utf-8"
    )
    response = reference_system(tmp_path, root=tmp_path).answer(ask("What is the nightly hotel limit?", CHUNKS))
    assert response.cited == ("hotel",)
    assert response.internal.versions is not None
    assert response.internal.versions["scorer"].startswith("rrf60(overlap ")
    assert load_settings(tmp_path / "reference.yaml", root=tmp_path).floors["bm25"] == 0.2


def test_a_settings_file_that_names_no_encoder_says_so_before_any_question(tmp_path: Path) -> None:
    (tmp_path / "reference.yaml").write_text(
        "retrieval: {scorer: embedding, encoder: our_encoders:fast}\n", encoding="utf-8"
    )
    with pytest.raises(SystemContractError, match=r"retrieval\.encoder 'our_encoders:fast': importing our_encoders"):
        reference_system(tmp_path, root=tmp_path)


def test_an_encoder_may_be_a_module_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "letter_encoder.py").write_text(
        "name = 'letters/1'\n"
        "def query(text): return [text.casefold().count(letter) for letter in 'aehilmnoprst']\n"
        "def passages(texts): return [query(text) for text in texts]\n"
        "class Letters:\n"
        "    name, query, passages = name, staticmethod(query), staticmethod(passages)\n",
        encoding="utf-8",
    )
    suite = tmp_path / "cases"
    suite.mkdir()
    (suite / "reference.yaml").write_text(
        "retrieval: {scorer: hybrid, encoder: letter_encoder:Letters}\n", encoding="utf-8"
    )
    response = reference_system(suite, root=tmp_path).answer(ask("What is the nightly hotel limit?", CHUNKS))
    assert step(response, "retrieve")["scorer"].endswith("embedding embedding/letters/1)")


def test_the_trace_shows_the_score_of_each_scorer_beside_each_choice() -> None:
    pipeline = assemble(PipelineSettings.model_validate(WORDS))
    response = pipeline.answer(ask("What is the nightly hotel limit in a standard city?", CHUNKS))
    choice = step(response, "select")["choices"][0]
    assert (choice["chunk"], choice["kept"], sorted(choice["fused"])) == ("hotel", True, ["bm25", "overlap"])
    assert choice["fused"]["overlap"] == 1.0
    assert step(response, "retrieve")["scorer"].startswith("rrf60(")


def test_a_single_scorer_shows_no_fused_scores() -> None:
    response = ReferencePipeline().answer(ask("What is the nightly hotel limit?", CHUNKS))
    assert all("fused" not in choice for choice in step(response, "select")["choices"])


def test_first_by_place_is_not_enough_where_no_scorer_finds_it_good() -> None:
    settings = PipelineSettings.model_validate({"retrieval": {"scorer": "hybrid"}})
    weak = HybridScorer({"bm25": Given({"hotel": 0.05, "meal": 0.01}), "embedding": Given({"hotel": 0.7})})
    generator = ScriptedGenerator({"claims": []})
    pipeline = ReferencePipeline(settings=settings, scorer=weak, generator=generator)
    response = pipeline.answer(ask("What is the nightly hotel limit in a standard city?", CHUNKS))
    assert (response.decision.value, response.reason_code) == ("abstain", "NO_EVIDENCE")
    choices = {choice["chunk"]: choice for choice in step(response, "select")["choices"]}
    assert choices["hotel"]["reason"] == "bm25 0.05 below floor 0.08, embedding 0.7 below floor 0.8"
    assert choices["meal"]["reason"] == "bm25 0.01 below floor 0.08"
    assert generator.tasks == []


def test_one_scorer_that_finds_it_good_is_enough() -> None:
    settings = PipelineSettings.model_validate({"retrieval": {"scorer": "hybrid"}})
    scorer = HybridScorer({"bm25": Given({"hotel": 0.05}), "embedding": Given({"hotel": 0.9})})
    pipeline = ReferencePipeline(settings=settings, scorer=scorer)
    assert pipeline.answer(ask("What is the nightly hotel limit in a standard city?", CHUNKS)).cited == ("hotel",)


def test_a_hybrid_sees_readable_chunks_alone_and_no_rank_is_moved_by_a_hidden_one() -> None:
    settings = PipelineSettings.model_validate(WORDS)
    hidden = [make_chunk(f"h{n}", "The nightly hotel limit of the board is $900.", readers=["board"]) for n in range(9)]
    scorer = make_scorer(settings.retrieval)
    question = read_question("What is the nightly hotel limit?")
    alone, among = (
        retrieve(question, permit(ask("x", chunks, requester=Requester(groups=("staff",)))), settings, scorer=scorer)
        for chunks in (CHUNKS, [*hidden, *CHUNKS])
    )
    assert alone == among


@given(st.permutations(CHUNKS))
def test_a_hybrid_does_not_depend_on_the_order_of_the_corpus(chunks: list[Chunk]) -> None:
    scorer = make_scorer(PipelineSettings.model_validate(WORDS).retrieval)
    query = "Who pays for overnight lodging and meals?"
    shuffled = scorer.scores(query, Corpus(name="travel", chunks=chunks))
    assert list(shuffled.items()) == list(scorer.scores(query, CORPUS).items())
