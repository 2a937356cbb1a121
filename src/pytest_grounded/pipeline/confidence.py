"""How likely is it that the evidence answers the question at all? A score from what can be seen without a model.

The words of a question stand in a passage far more often than its answer does: on SQuAD 2.0, where people wrote
unanswerable questions to look answerable, their share tells the two apart hardly better than chance (area 0.56). So
one passage is chosen, the one that looks most like the place of the answer, and the score is a weighted sum of what
speaks for it and against it (`signals`). Both sets of weights are published here; they come from logistic fits on 14
articles of that set (`benchmarks/fit_confidence.py`), and the trace shows every signal. On any other text the score is
a ranking and no probability, to be calibrated before a cost rule relies on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_grounded.pipeline.alignment import Comparison, compare
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.question import Part, Question, Word
from pytest_grounded.pipeline.signals import SIGNALS, Fit

__all__ = ["CLOSENESS", "WEIGHTS", "Confidence", "closest", "confidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """A score between 0 and 1, the signals it was made from, and the chunk of the passage they were found in."""

    score: float
    features: Mapping[str, float]
    chunk: str | None = None


NOTHING = Confidence(score=0.0, features={})
_DIGITS = 4


def confidence(question: Question, evidence: Sequence[Evidence], *, parts: Sequence[Part] | None = None) -> Confidence:
    """Score the evidence by the passage that fits best: of several parts the weakest counts; 0 where nothing is there.

    `parts` are those to be answered where not all are.

    >>> from pytest_grounded.model.evidence import Chunk
    >>> from pytest_grounded.pipeline.question import read_question
    >>> text = "The Rhine ends in the North Sea. The largest city on the Rhine is Cologne."
    >>> evidence = [Evidence(chunk=Chunk(id="c", text=text), score=1.0)]
    >>> asked = ("What is the largest city on the Rhine?", "What is the smallest city on the Danube?")
    >>> right, wrong = (confidence(read_question(one), evidence).score for one in asked)
    >>> right > 0.5 > wrong
    True
    """
    scores = [_of_part(part, question, evidence) for part in (question.parts if parts is None else parts)]
    return min(scores, key=lambda one: one.score, default=NOTHING)


def closest(comparison: Comparison) -> Fit:
    """The passage that looks most like the place of the answer; of equal ones the first."""
    fits = [Fit(comparison=comparison, alignment=alignment) for alignment in comparison.alignments]
    return max(fits, key=lambda fit: sum(weight * SIGNALS[name](fit) for name, weight in CLOSENESS.items()))


def _of_part(part: Part, question: Question, evidence: Sequence[Evidence]) -> Confidence:
    comparison = compare(_alone(part, question), evidence)
    if comparison is None:
        return NOTHING
    fit = closest(comparison)
    found = {name: round(SIGNALS[name](fit), _DIGITS) for name in WEIGHTS}
    raw = BIAS + sum(WEIGHTS[name] * value for name, value in found.items())
    score = round(1 / (1 + math.exp(-raw)), _DIGITS)
    return Confidence(score=score, features=found, chunk=fit.alignment.chunk)


def _alone(part: Part, question: Question) -> Question:
    """A part as a question of its own."""
    start = part.words[0].start
    text = question.text[start : part.words[-1].end]
    words = tuple(_moved(word, start) for word in part.words)
    names = tuple(_moved(word, start) for word in question.names if word in part.words)
    return replace(question, text=text, words=words, parts=(Part(words=words),), names=names)


def _moved(word: Word, start: int) -> Word:
    return replace(word, start=word.start - start, end=word.end - start) if start else word


# Fitted; the sign says which way a signal speaks.
CLOSENESS: Mapping[str, float] = {
    "own": 3.021,
    "around": 4.131,
    "elsewhere": -1.682,
    "names_unmet": 1.068,
    "superlative": -1.598,
    "copied": 3.609,
    "dense": 2.303,
    "kind_missing": -1.769,
    "focus_missing": -2.057,
}
BIAS = 0.436
WEIGHTS: Mapping[str, float] = {
    "length": 0.371,
    "asks_figure": -0.557,
    "asks_which": 0.880,
    "asks_other": -0.309,
    "named": 0.246,
    "topic": 1.167,
    "chunk_share": -1.530,
    "around_squared": 1.350,
    "whole": 0.350,
    "elsewhere": -0.413,
    "reworded": 0.418,
    "names_apart": -0.616,
    "other_figure": -1.293,
    "other_neighbour": -0.488,
    "other_name": -1.251,
    "name_beside": -0.399,
    "other_object": -1.479,
    "same_preposition": 0.197,
    "opposite": -3.639,
    "sibling": -1.418,
    "turned_down": -1.111,
    "denied_alone": -2.425,
    "denies_known": -1.949,
    "clause_denied": -2.231,
    "superlative": -1.178,
    "copied": -1.319,
    "dense": 1.203,
    "kind_missing": -0.469,
    "year_missing": -2.081,
    "starts_late": -0.645,
    "answer_far": -0.252,
    "focus_missing": -0.441,
}
