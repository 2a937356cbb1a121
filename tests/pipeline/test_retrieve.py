"""Which readable chunks are about a question, best first."""

from __future__ import annotations

import sqlite3
import threading
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.pipeline import lexical
from pytest_grounded.pipeline.lexical import Bm25Scorer, OverlapScorer
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.postings import Postings
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.retrieve import retrieve
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import PipelineSettings, RetrievalSettings
from pytest_grounded.pipeline.terms import WordForm
from tests.pipeline.scripted import ask

HOTELS = ("The nightly hotel limit is $180.", "Hotel minibars are not paid for.", "Trains replace planes below 500 km.")


def corpus_of(*texts: str, **fields: object) -> Corpus:
    chunks = [
        Chunk.model_validate({"id": f"c{number}", "text": text, "readers": ["*"], **fields})
        for number, text in enumerate(texts, start=1)
    ]
    return Corpus(name="test", chunks=chunks)


def bm25(**changes: object) -> Bm25Scorer:
    return Bm25Scorer(RetrievalSettings.model_validate(changes))


def test_the_chunk_with_more_telling_words_ranks_first() -> None:
    scores = bm25().scores("What is the nightly hotel limit?", corpus_of(*HOTELS))
    assert list(scores) == ["c1", "c2"]
    assert 0 < scores["c2"] < scores["c1"] <= 1


def test_a_score_means_the_same_in_a_small_and_in_a_large_corpus() -> None:
    alone = bm25().scores("nightly hotel limit", corpus_of(HOTELS[0]))["c1"]
    among = bm25().scores("nightly hotel limit", corpus_of(HOTELS[0], *[f"Text {n} on pay." for n in range(300)]))["c1"]
    assert abs(alone - among) < 0.15


def test_an_unknown_word_lowers_the_score() -> None:
    corpus = corpus_of(*HOTELS)
    known, unknown = (bm25().scores(query, corpus)["c1"] for query in ("hotel limit", "hotel limit Paris"))
    assert unknown < known


def test_scores_do_not_depend_on_the_order_of_the_corpus() -> None:
    corpus = corpus_of(*HOTELS, "Hotel limit again.", "Nightly hotel limit once more.")
    shuffled = list(corpus)
    shuffled.reverse()
    again = Corpus(name="test", chunks=shuffled)
    query = "nightly hotel limit"
    assert list(bm25().scores(query, corpus).items()) == list(bm25().scores(query, again).items())


def test_equal_scores_are_decided_by_chunk_id() -> None:
    corpus = Corpus(name="t", chunks=[Chunk(id=name, text="Hotel limit.", readers=("*",)) for name in ("b", "a", "c")])
    found = retrieve(read_question("hotel limit"), permit(ask("x", corpus)), PipelineSettings(), scorer=bm25())
    assert [candidate.chunk.id for candidate in found.candidates] == ["a", "b", "c"]


def test_equal_scores_of_any_scorer_are_decided_by_chunk_id() -> None:
    class Flat:
        name = "flat/1"

        def scores(self, query: str, corpus: Corpus) -> dict[str, float]:
            del query
            return dict.fromkeys(sorted(corpus.ids, reverse=True), 0.5)

    corpus = Corpus(name="t", chunks=[Chunk(id=name, text="Hotel limit.", readers=("*",)) for name in ("b", "a", "c")])
    settings = PipelineSettings.model_validate({"retrieval": {"limit": 2}})
    found = retrieve(read_question("hotel limit"), permit(ask("x", corpus)), settings, scorer=Flat())
    assert [candidate.chunk.id for candidate in found.candidates] == ["a", "b"]


def test_chinese_is_found_by_pairs_of_characters() -> None:
    corpus = corpus_of("标准城市的酒店每晚限额为180美元。", "火车票在出发前预订。")
    assert list(bm25().scores("酒店限额是多少?", corpus)) == ["c1"]


def test_a_title_counts_as_its_chunk_words_unless_told_otherwise() -> None:
    corpus = corpus_of("It is $180.", title="Nightly hotel limit")
    assert bm25().scores("hotel limit", corpus)
    assert not bm25(titles=False).scores("hotel limit", corpus)


@pytest.mark.parametrize("query", ["", "?", 'hotel" OR 1=1 --', "NEAR(hotel limit)", "hotel*", "words:hotel", "\x00"])
def test_a_query_is_words_and_never_syntax(query: str) -> None:
    scores = bm25().scores(query, corpus_of(*HOTELS))
    assert set(scores) <= {"c1", "c2"}


@pytest.mark.parametrize("texts", [(), ("",), ("...", "the of and")], ids=["no-chunks", "empty", "no-words"])
def test_a_corpus_without_words_has_no_candidates(texts: tuple[str, ...]) -> None:
    assert bm25().scores("hotel limit", corpus_of(*texts)) == {}


def test_the_limit_keeps_the_best() -> None:
    corpus = corpus_of(*[f"Hotel {'limit ' * n}" for n in range(1, 9)])
    assert len(bm25(limit=3).scores("hotel limit", corpus)) == 3


def test_in_a_large_corpus_common_words_rank_nothing() -> None:
    corpus = corpus_of(*["common word here"] * 9, "common and telling")
    assert list(bm25(large=5).scores("common telling", corpus)) == ["c10"]
    assert len(bm25(large=5).scores("common", corpus)) == 10


def test_statistics_come_from_readable_chunks_alone() -> None:
    readable = [Chunk(id=f"c{n}", text=text, readers=("*",)) for n, text in enumerate(HOTELS)]
    hidden = [Chunk(id=f"h{n}", text="Nightly hotel limit of the board.", readers=("board",)) for n in range(20)]
    scorer = bm25()
    seen = [
        retrieve(read_question("nightly hotel limit"), permit(ask("x", chunks)), PipelineSettings(), scorer=scorer)
        for chunks in (readable, [*hidden, *readable])
    ]
    assert seen[0] == seen[1]


def test_one_index_serves_equal_readable_sets_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    original = lexical._Index

    def counting(*arguments: object) -> object:
        built.append(1)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(lexical, "_Index", counting)
    scorer = bm25()
    for _ in range(3):
        scorer.scores("hotel", corpus_of(*HOTELS))
    assert len(built) == 1


def test_a_scorer_serves_many_threads() -> None:
    scorer, corpus = bm25(), corpus_of(*HOTELS)
    results: list[object] = []
    threads = [threading.Thread(target=lambda: results.append(scorer.scores("hotel", corpus))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [scorer.scores("hotel", corpus)] * 8


WORDS = st.lists(st.sampled_from(["hotel", "limit", "night", "meal", "train", "visa"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=12), st.lists(st.sampled_from(["hotel", "limit", "night", "tax"]), unique=True))
def test_scores_are_those_of_sqlites_full_text_search(texts: list[list[str]], asked: list[str]) -> None:
    average = max(1, round(sum(map(len, texts)) / max(1, len(texts))))
    background = [["background"] * average] * max(128, len(texts) + 1)
    table = sqlite3.connect(":memory:")
    try:
        table.execute("CREATE VIRTUAL TABLE docs USING fts5(words, tokenize='ascii')")
        rows = ((number, " ".join(words)) for number, words in enumerate([*texts, *background]))
        table.executemany("INSERT INTO docs(rowid, words) VALUES (?, ?)", rows)
        query = "SELECT rowid, -bm25(docs) FROM docs WHERE docs MATCH ? ORDER BY bm25(docs), rowid LIMIT 5"
        expected = table.execute(query, (" OR ".join(asked) or "nothing",)).fetchall()
    finally:
        table.close()
    found = Postings(texts).best(asked, 5)
    assert [text for text, _ in found] == [text for text, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected])


def test_the_best_texts_are_those_of_a_full_sort() -> None:
    postings = Postings([["hotel"] * (number % 5) + ["limit"] * (number % 3) for number in range(60)])
    everything = postings.best(["hotel", "limit"], 100)
    assert everything == sorted(everything, key=lambda one: (-one[1], one[0]))
    assert all(postings.best(["hotel", "limit"], limit) == everything[:limit] for limit in (1, 7, 20))


def test_overlap_is_the_share_of_the_question_words() -> None:
    scorer = OverlapScorer(form=WordForm.PLAIN)
    assert scorer.scores("hotel limit train", corpus_of(*HOTELS)) == {"c1": 0.666667, "c2": 0.333333, "c3": 0.333333}
    assert scorer.scores("the of", corpus_of(*HOTELS)) == {}


def test_settings_choose_the_scorer() -> None:
    assert make_scorer(RetrievalSettings()).name == "bm25:root:2"
    assert make_scorer(PipelineSettings.toy().retrieval).name == "overlap:plain:1"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(alphabet="ab cd", max_size=30), max_size=6), st.text(alphabet="ab cd", max_size=20))
def test_scores_are_between_nought_and_one(texts: list[str], query: str) -> None:
    scores = bm25().scores(query, corpus_of(*texts))
    assert all(0 < score <= 1 for score in scores.values())


def test_what_was_not_yet_known_is_not_retrieved() -> None:
    late = Chunk(id="c1", text="Hotel limit.", readers=("*",), ingested_at=date(2024, 11, 1))
    readable = permit(ask("hotel limit", [late]))
    assert len(readable.corpus) == 0
    assert permit(ask("x", [late], as_of=date(2024, 12, 1))).corpus.ids == ("c1",)
    assert readable.requester == ANONYMOUS
