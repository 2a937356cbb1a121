"""Writes the labelled rows that the pages calibrate on: what the reference pipeline does with the questions of squad2.

    python benchmarks/calibration_rows.py > benchmarks/data/calibration/rows.jsonl

One row a question, asked of its own paragraph, with the gate's score and whether showing the draft is right: its text
holds a reference answer. A question without an answer is never right; one that the pipeline did not draft an answer to
has no score. No text of the set is in the rows. The file is kept as it was written, so that the pages do not change
with every change of a score; `data/calibration/SOURCE.md` says when that was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from answering import DATA, Asked, lines, squad2

from pytest_grounded.pipeline.reference import ReferencePipeline

RIGHT = "answered right"


def rows(pipeline: ReferencePipeline) -> Iterator[dict[str, Any]]:
    questions = lines("squad2/questions.jsonl")
    corpus = "sha256:" + hashlib.sha256((DATA / "squad2" / "paragraphs.jsonl").read_bytes()).hexdigest()
    for question, asked in zip(questions, squad2(pipeline, of="paragraph"), strict=True):
        yield {
            "case": question["id"],
            "group": question["id"],
            "kind": asked.kind,
            "slice": question["article"],
            "answerable": asked.kind == "answerable",
            "score": asked.score if asked.answered else None,
            "score_name": "confidence",
            "correct": _label(asked),
            "label_source": "reference answers of squad2",
            "sample": "traffic",
            "corpus": corpus,
        }


def _label(asked: Asked) -> int | None:
    if asked.kind != "answerable":
        return 0
    return int(asked.outcome == RIGHT) if asked.answered else None


if __name__ == "__main__":
    for row in rows(ReferencePipeline()):
        print(json.dumps(row))
