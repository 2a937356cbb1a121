"""Measures each stage of the reference pipeline at 1,000 and 100,000 chunks, beside the bare FTS5 query.

    python benchmarks/pipeline_stages.py [chunks ...]

The bare query is SQLite's own: an FTS5 table over the same texts with its default tokenizer, the same words joined by
OR, ranked by bm25, the same number of rows. What is kept between questions (the index, words and passages of chunks)
is warm in both. Everything is measured in one process, in turns, as the median of several
rounds of CPU time; only ratios are worth comparing. `first time` is the median of other questions that are asked once,
most of whose chunks were never read before. The aims: without generation and verification a question costs at
most twice the bare query, and at 100,000 chunks at most five times what it costs at 1,000, common words included. A
run takes about a minute, most of it to build the tables.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.model.request import Request
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.stages import Stages

WORDS, WORDS_PER_CHUNK, ROUNDS, QUESTIONS, ASKED_ONCE = 30_000, 62, 7, 12, 50
DAY = date(2026, 1, 1)
STAGES = ("permit", "read", "screen", "retrieve", "select", "resolve", "gate", "generate", "verify", "deliver")


def vocabulary() -> list[str]:
    """Made-up words that no two of are the same."""
    source = random.Random(1)
    syllables = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
    return list(dict.fromkeys("".join(source.choices(syllables, k=source.randint(2, 4))) for _ in range(2 * WORDS)))[
        :WORDS
    ]


def made_up(chunks: int, words: Sequence[str]) -> Corpus:
    """Chunks of four sentences with a figure each, in the proportions of a real vocabulary."""
    source = random.Random(2)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))

    def chunk(number: int) -> Chunk:
        drawn = source.choices(words, cum_weights=weights, k=WORDS_PER_CHUNK)
        sentences = [
            " ".join(drawn[at : at + 16]).capitalize() + f" {source.randint(1, 999)}." for at in range(0, 62, 16)
        ]
        return Chunk(
            id=f"doc-{number // 5}#{number}", document=f"doc-{number // 5}", text=" ".join(sentences), readers=("*",)
        )

    return Corpus(name="made-up", chunks=map(chunk, range(chunks)))


def questions(words: Sequence[str], ranks: range) -> list[str]:
    """Questions of four words of the given ranks of frequency: those asked in turns, then those asked once."""
    source = random.Random(3)
    many = range(QUESTIONS + ASKED_ONCE)
    return [f"What is the {' '.join(source.sample(words[ranks.start : ranks.stop], 4))}?" for _ in many]


class Clock:
    """Adds up the CPU time of each stage by wrapping its function."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = dict.fromkeys(STAGES, 0.0)

    def stages(self) -> Stages:
        plain = Stages()
        return replace(plain, **{name: self._timed(name, getattr(plain, name)) for name in STAGES})

    def _timed(self, name: str, stage: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return stage(*arguments, **named)
            finally:
                self.spent[name] += time.process_time() - start

        return timed


def bare_table(corpus: Corpus) -> sqlite3.Connection:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE docs USING fts5(text)")
    table.executemany("INSERT INTO docs(rowid, text) VALUES (?, ?)", enumerate(chunk.text for chunk in corpus))
    return table


def bare(table: sqlite3.Connection, question: str) -> None:
    words = question.removeprefix("What is the ").rstrip("?").split()
    query = "SELECT rowid, bm25(docs) FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT 50"
    table.execute(query, (" OR ".join(words),)).fetchall()


def first_time(pipeline: ReferencePipeline, request: Request) -> float:
    """Milliseconds that a question takes that was not asked before."""
    start = time.process_time()
    pipeline.answer(request)
    return (time.process_time() - start) * 1000


def measure(corpus: Corpus, asked: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float, float]]:
    """Bare query, pipeline before generation, and the rest, in milliseconds a question, for each sort of question."""
    table = bare_table(corpus)
    clock = Clock()
    pipeline = ReferencePipeline(stages=clock.stages())
    found: dict[str, tuple[float, float, float]] = {}
    for sort, texts in asked.items():
        every = [Request(question=text, requester=ANONYMOUS, as_of=DAY, corpus=corpus) for text in texts]
        requests = every[:QUESTIONS]
        pipeline.answer(requests[0])
        once = statistics.median(first_time(pipeline, request) for request in every[QUESTIONS:])
        bares: list[float] = []
        rounds: list[dict[str, float]] = []
        for _ in range(ROUNDS):
            start = time.process_time()
            for request in requests:
                bare(table, request.question)
            bares.append((time.process_time() - start) * 1000 / len(requests))
            clock.spent = dict.fromkeys(STAGES, 0.0)
            start = time.process_time()
            for request in requests:
                pipeline.answer(request)
            total = time.process_time() - start
            rounds.append({**clock.spent, "total": total})
        stages = {
            name: statistics.median(one[name] for one in rounds) * 1000 / len(requests) for name in (*STAGES, "total")
        }
        bare_ms = statistics.median(bares)
        verified = stages["generate"] + stages["verify"]
        print(f"| {len(corpus):,} | {sort} | {bare_ms:.2f} | {stages['total']:.2f} | {once:.1f} | "
              f"{(stages['permit'] + stages['retrieve']) / bare_ms:.2f} | "
              f"{(stages['total'] - verified) / bare_ms:.2f} | "
              + ", ".join(f"{name} {stages[name]:.2f}" for name in STAGES) + " |")  # fmt: skip
        found[sort] = (bare_ms, stages["total"] - verified, verified)
    return found


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [1_000, 100_000]
    words = vocabulary()
    asked = {
        "rare words": questions(words, range(2_000, 12_000)),
        "middling words": questions(words, range(200, 2_000)),
        "common words": questions(words, range(5, 60)),
    }
    print("| chunks | questions of | bare query ms | pipeline ms | first time ms | search alone, x bare | "
          "without generation and verification, x bare | stages ms |")  # fmt: skip
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    figures = [measure(made_up(size, words), asked) for size in sizes]
    print()
    for sort in asked:
        small, large = figures[0][sort], figures[-1][sort]
        print(f"{sort}: {sum(large[1:]) / sum(small[1:]):.2f} x from {sizes[0]:,} to {sizes[-1]:,} chunks "
              f"(bare query {large[0] / small[0]:.1f} x)")  # fmt: skip


if __name__ == "__main__":
    main()
