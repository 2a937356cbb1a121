"""Fits the weights of `pipeline/confidence.py` on SQuAD 2.0 articles.

    python benchmarks/fit_confidence.py dev-v2.0.json

The file is one in the set's own format; it is not part of the project. Articles the project measures itself on, or
that are kept for that, are left out: Rhine, Normans, Computational_complexity_theory. A logistic fit with a quadratic
penalty by Newton's method, in plain Python; weights of the standardised features are turned back to those of the
features as they are. Also prints the area under the curve for each article, fitted on the others.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answering import auroc

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.confidence import features
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import read_question

LEFT_OUT = {"Rhine", "Normans", "Computational_complexity_theory"}
PENALTY = 5.0

Row = tuple[str, list[float], int]


def rows(path: Path) -> tuple[list[str], list[Row]]:
    """Article, feature values and whether there is an answer, for each question."""
    names: list[str] = []
    found: list[Row] = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        if article["title"] in LEFT_OUT:
            continue
        for paragraph in article["paragraphs"]:
            evidence = [Evidence(chunk=Chunk(id="p", text=paragraph["context"]), score=1.0)]
            for asked in paragraph["qas"]:
                values = features(read_question(asked["question"]), evidence)
                if values is not None:
                    names = list(values)
                    found.append((article["title"], list(values.values()), int(not asked["is_impossible"])))
    return names, found


def fit(data: Sequence[Row]) -> tuple[float, list[float]]:
    """Bias and weights for the features as they are."""
    width = len(data[0][1])
    means = [sum(values[k] for _, values, _ in data) / len(data) for k in range(width)]
    spreads = [
        math.sqrt(sum((values[k] - means[k]) ** 2 for _, values, _ in data) / len(data)) or 1.0 for k in range(width)
    ]
    points = [
        [1.0, *((value - mean) / spread for value, mean, spread in zip(values, means, spreads, strict=True))]
        for _, values, _ in data
    ]
    weights = [0.0] * (width + 1)
    for _ in range(8):
        slope = [0.0] + [-PENALTY * weight for weight in weights[1:]]
        bend = [[PENALTY * (i == j > 0) for j in range(width + 1)] for i in range(width + 1)]
        for point, (_, _, label) in zip(points, data, strict=True):
            chance = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, point, strict=True))))
            for i, x in enumerate(point):
                slope[i] += (label - chance) * x
                scaled = chance * (1 - chance) * x
                row = bend[i]
                for j in range(i + 1):
                    row[j] += scaled * point[j]
        for i in range(width + 1):
            for j in range(i + 1, width + 1):
                bend[i][j] = bend[j][i]
        weights = [w + s for w, s in zip(weights, solved(bend, slope), strict=True)]
    scaled_back = [weight / spread for weight, spread in zip(weights[1:], spreads, strict=True)]
    return weights[0] - sum(w * mean for w, mean in zip(scaled_back, means, strict=True)), scaled_back


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
    for article in dict.fromkeys(title for title, _, _ in data):
        bias, weights = fit([row for row in data if row[0] != article])
        scores: dict[int, list[float]] = {0: [], 1: []}
        for title, values, label in data:
            if title == article:
                scores[label].append(bias + sum(w * v for w, v in zip(weights, values, strict=True)))
        yield article, auroc(scores[1], scores[0])


def main(path: str) -> None:
    names, data = rows(Path(path))
    bias, weights = fit(data)
    print(f"_BIAS = {bias:.3f}")
    for name, weight in zip(names, weights, strict=True):
        print(f'    "{name}": {weight:.3f},')
    found = dict(areas(data))
    for article, area in found.items():
        print(f"{article}: {area:.3f}")
    print(f"mean over {len(found)} articles: {sum(found.values()) / len(found):.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
