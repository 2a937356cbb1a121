"""Measures whether text without spaces is found as well as English is: recall at 1 and 3, by scorer and language.

    python benchmarks/languages.py

40 passages with a question each, the same in English, Chinese and Japanese (`tests/data/parallel`), and the questions
of `cases/equipment-zh` with the chunks they need. Half a minute with the extra `embeddings`, less without it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_grounded.cases.loading import load_case_file
from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Chunk, Corpus
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import RetrievalSettings

ROOT = Path(__file__).parents[1]
SCORERS = {
    "overlap": {"scorer": "overlap"},
    "bm25": {},
    "bm25 and overlap": {"scorer": "hybrid", "fuse": ["bm25", "overlap"]},
    "embedding": {"scorer": "embedding"},
    "bm25 and embedding": {"scorer": "hybrid"},
}

Asked = tuple[str, Corpus, frozenset[str]]


def parallel(language: str) -> Iterator[Asked]:
    lines = (ROOT / "tests" / "data" / "parallel" / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    chunks = [Chunk(id=row["id"], text=row[language]["text"], readers=("*",), lang=language) for row in rows]
    corpus = Corpus(name=language, chunks=chunks)
    for row in rows:
        yield row[language]["question"], corpus, frozenset({row["id"]})


def shipped() -> Iterator[Asked]:
    for path in sorted((ROOT / "cases" / "equipment-zh").glob("*.yaml")):
        for case in load_case_file(path, root=ROOT, cases_roots=[ROOT / "cases"]).cases:
            needed = frozenset(one for slot in case.expect.slots for group in slot.evidence for one in group)
            request = case.request()
            if needed:
                yield request.question, permit(request).corpus, needed


def recall(scorer: Scorer, asked: Iterable[Asked]) -> tuple[float, float]:
    """The share of needed chunks among the first, and among the first three."""
    first = third = needed_in_all = 0
    for question, corpus, needed in asked:
        scores = scorer.scores(question, corpus)
        ranked = sorted(scores, key=lambda one: (-scores[one], one))
        first += len(needed & set(ranked[: len(needed)]))
        third += len(needed & set(ranked[: len(needed) + 2]))
        needed_in_all += len(needed)
    return first / needed_in_all, third / needed_in_all


def main() -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sets = {"English": [*parallel("en")], "Chinese": [*parallel("zh")], "Japanese": [*parallel("ja")],
            "equipment-zh": [*shipped()]}  # fmt: skip
    print(f"| recall at 1 / 3 | {' | '.join(f'{name} ({len(asked)})' for name, asked in sets.items())} |")
    print("| --- |" + " ---: |" * len(sets))
    for name, settings in SCORERS.items():
        try:
            scorer = make_scorer(RetrievalSettings.model_validate(settings))
        except SystemContractError as error:
            print(f"| {name} |" + f" {error} |" * len(sets))
            continue
        found = [recall(scorer, asked) for asked in sets.values()]
        print(f"| {name} | {' | '.join(f'{first:.3f} / {third:.3f}' for first, third in found)} |")


if __name__ == "__main__":
    main()
