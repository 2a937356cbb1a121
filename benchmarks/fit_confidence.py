"""Fits both sets of weights of `pipeline/confidence.py` on SQuAD 2.0 articles.

    python benchmarks/fit_confidence.py dev-v2.0.json [areas]

The file is one in the set's own format; it is not part of the project. Articles the project measures itself on, or
that are kept for that, are left out: Rhine, Normans, Computational_complexity_theory. Each question is asked of its own
paragraph and of its whole article, with the evidence that the pipeline's default settings select.

Which passage is the place of the answer: a conditional logistic fit over the passages of one question, where one of
them holds a reference answer. Whether there is an answer: a logistic fit on the signals of the passage so chosen. Both
by Newton's method with a quadratic penalty, in plain Python; weights of standardised signals are turned back to those
of the signals as they are. With `areas`, the area under the curve for each article by weights fitted on the others
(five minutes).
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from answering import auroc

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.model.request import Request
from pytest_grounded.pipeline.alignment import compare
from pytest_grounded.pipeline.confidence import CLOSENESS, WEIGHTS
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.gathering import Search
from pytest_grounded.pipeline.question import read_question
from pytest_grounded.pipeline.retrieve import Scorer
from pytest_grounded.pipeline.scorers import make_scorer
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.pipeline.signals import SIGNALS, Fit
from pytest_grounded.pipeline.stages import Stages

LEFT_OUT = {"Rhine", "Normans", "Computational_complexity_theory"}
PENALTY, PASSAGE_PENALTY = 60.0, 20.0
SETTINGS, STAGES = PipelineSettings(), Stages()

Signals = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A question with the signals of the passages closest to it; `holds` says which of them hold its answer."""

    article: str
    answerable: bool
    passages: tuple[Signals, ...]
    holds: tuple[bool, ...]


def rows(path: Path) -> Iterator[Row]:
    scorer = make_scorer(SETTINGS.retrieval)
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        if article["title"] in LEFT_OUT:
            continue
        texts = [paragraph["context"] for paragraph in article["paragraphs"]]
        corpus = Corpus(
            name=article["title"],
            chunks=[Chunk(id=str(place), text=text, readers=("*",)) for place, text in enumerate(texts)],
        )
        for place, paragraph in enumerate(article["paragraphs"]):
            alone = (Evidence(chunk=Chunk(id=str(place), text=texts[place]), score=1.0),)
            for asked in paragraph["qas"]:
                for evidence in (alone, selected(asked["question"], corpus, scorer)):
                    row = _row(article["title"], str(place), asked, evidence)
                    if row is not None:
                        yield row


def selected(question: str, corpus: Corpus, scorer: Scorer) -> tuple[Evidence, ...]:
    """The evidence that the gate sees."""
    request = Request(question=question, requester=ANONYMOUS, as_of=date(2024, 1, 1), corpus=corpus)
    search = Search(
        question=STAGES.read(question, SETTINGS.retrieval.words),
        readable=STAGES.permit(request),
        settings=SETTINGS,
        stages=STAGES,
        scorer=scorer,
    )
    return search.first().resolution.evidence


def _row(article: str, home: str, asked: Mapping[str, Any], evidence: Sequence[Evidence]) -> Row | None:
    comparison = compare(read_question(asked["question"]), evidence)
    if comparison is None:
        return None
    answers = [answer["text"].lower() for answer in asked["answers"] if answer["text"]]
    needed = {*CLOSENESS, *WEIGHTS}
    fits = [Fit(comparison=comparison, alignment=alignment) for alignment in comparison.alignments]
    return Row(
        article=article,
        answerable=not asked["is_impossible"],
        passages=tuple({name: SIGNALS[name](fit) for name in needed} for fit in fits),
        holds=tuple(
            fit.alignment.chunk == home and any(answer in fit.alignment.text.lower() for answer in answers)
            for fit in fits
        ),
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights by signal, and what is added to their sum."""

    bias: float
    weights: Mapping[str, float]

    def __call__(self, signals: Signals) -> float:
        return self.bias + sum(weight * signals[name] for name, weight in self.weights.items())


def fit_closeness(data: Sequence[Row]) -> Fitted:
    """The weights under which a passage that holds the answer beats the others of its question."""
    names = list(CLOSENESS)
    sets = [row for row in data if row.answerable and any(row.holds) and not all(row.holds)]
    scale = Scale.of([passage for row in data for passage in row.passages], names)
    groups = [[scale(passage) for passage in row.passages] for row in sets]
    width = len(names)
    weights = [0.0] * width
    for _ in range(8):
        slope = [-PASSAGE_PENALTY * weight for weight in weights]
        bend = [[PASSAGE_PENALTY * (i == j) for j in range(width)] for i in range(width)]
        for row, points in zip(sets, groups, strict=True):
            raw = [math.exp(sum(w * x for w, x in zip(weights, point, strict=True))) for point in points]
            right = sum(value for value, holds in zip(raw, row.holds, strict=True) if holds)
            shares = [value / sum(raw) for value in raw]
            wanted = [value / right if holds else 0.0 for value, holds in zip(raw, row.holds, strict=True)]
            mean = [sum(s * point[k] for s, point in zip(shares, points, strict=True)) for k in range(width)]
            for share, target, point in zip(shares, wanted, points, strict=True):
                for i in range(width):
                    slope[i] += (target - share) * point[i]
                    for j in range(i + 1):
                        bend[i][j] += share * (point[i] - mean[i]) * (point[j] - mean[j])
        weights = stepped(weights, bend, slope)
    return scale.unscaled(0.0, weights)


def fit_answerable(data: Sequence[Row], closeness: Fitted) -> Fitted:
    """The weights that tell questions with an answer from those without, by the passage that fits best."""
    names = list(WEIGHTS)
    chosen = [max(row.passages, key=closeness) for row in data]
    scale = Scale.of(chosen, names)
    points = [[1.0, *scale(signals)] for signals in chosen]
    width = len(names) + 1
    weights = [0.0] * width
    for _ in range(8):
        slope = [0.0] + [-PENALTY * weight for weight in weights[1:]]
        bend = [[PENALTY * (i == j > 0) for j in range(width)] for i in range(width)]
        for point, row in zip(points, data, strict=True):
            chance = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, point, strict=True))))
            for i, x in enumerate(point):
                slope[i] += (row.answerable - chance) * x
                scaled = chance * (1 - chance) * x
                line = bend[i]
                for j in range(i + 1):
                    line[j] += scaled * point[j]
        weights = stepped(weights, bend, slope)
    return scale.unscaled(weights[0], weights[1:])


@dataclass(frozen=True, slots=True)
class Scale:
    """The mean and the spread of each signal."""

    names: Sequence[str]
    means: Sequence[float]
    spreads: Sequence[float]

    @classmethod
    def of(cls, data: Sequence[Signals], names: Sequence[str]) -> Scale:
        means = [sum(signals[name] for signals in data) / len(data) for name in names]
        spreads = [
            math.sqrt(sum((signals[name] - mean) ** 2 for signals in data) / len(data)) or 1.0
            for name, mean in zip(names, means, strict=True)
        ]
        return cls(names, means, spreads)

    def __call__(self, signals: Signals) -> list[float]:
        return [
            (signals[name] - mean) / spread
            for name, mean, spread in zip(self.names, self.means, self.spreads, strict=True)
        ]

    def unscaled(self, bias: float, weights: Sequence[float]) -> Fitted:
        plain = [weight / spread for weight, spread in zip(weights, self.spreads, strict=True)]
        shift = sum(weight * mean for weight, mean in zip(plain, self.means, strict=True))
        return Fitted(bias - shift, dict(zip(self.names, plain, strict=True)))


def stepped(weights: Sequence[float], bend: list[list[float]], slope: list[float]) -> list[float]:
    """One step of Newton's method; only the lower triangle of the bend is filled."""
    for i in range(len(bend)):
        for j in range(i):
            bend[j][i] = bend[i][j]
    return [w + s for w, s in zip(weights, solved(bend, slope), strict=True)]


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations by elimination; the matrix is positive definite."""
    size = len(right)
    work = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            factor = work[below][at] / work[at][at]
            work[below] = [x - factor * y for x, y in zip(work[below], work[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (work[at][size] - sum(work[at][k] * found[k] for k in range(at + 1, size))) / work[at][at]
    return found


def areas(data: Sequence[Row]) -> Iterator[tuple[str, float]]:
    """Each article by weights fitted on the others."""
    for article in dict.fromkeys(row.article for row in data):
        others = [row for row in data if row.article != article]
        closeness = fit_closeness(others)
        score = fit_answerable(others, closeness)
        own = [(row.answerable, score(max(row.passages, key=closeness))) for row in data if row.article == article]
        yield article, auroc([value for there, value in own if there], [value for there, value in own if not there])


def main(path: str, *more: str) -> None:
    data = list(rows(Path(path)))
    closeness = fit_closeness(data)
    answerable = fit_answerable(data, closeness)
    print(f"{len(data)} rows of {len({row.article for row in data})} articles")
    for title, fitted in (("CLOSENESS", closeness), ("WEIGHTS", answerable)):
        print(f"{title} (bias {fitted.bias:.3f})")
        for name, weight in fitted.weights.items():
            print(f'    "{name}": {weight:.3f},')
    if "areas" in more:
        found = dict(areas(data))
        for article, area in found.items():
            print(f"{article}: {area:.3f}")
        print(f"mean over {len(found)} articles: {sum(found.values()) / len(found):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
