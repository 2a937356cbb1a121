"""Do the citations of an answer carry it? Recall, precision, and why a citation does not count.

After ALCE (Gao et al. 2023), with three departures on purpose: an id that resolves to nothing stays in the
denominator, an id cited twice counts once, and an answer without citations has no precision (it is counted, not
scored 0; `precision_macro_zero` reproduces the script). Support is a function of a set of passages; verdicts on single
ones are never averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from pytest_grounded.calibration.inputs import CalibrationError, Number, exact, exact_mean, numbers, said

__all__ = [
    "CitationScores",
    "CitationStatus",
    "CitationSummary",
    "Layer",
    "Statement",
    "StatementScores",
    "Support",
    "aggregate_citations",
    "citation_layers",
    "citation_scores",
    "exact_sets",
    "minimal_sets",
]

Support = Callable[[frozenset[str]], bool]
"""A judge: whether these passages together support the statement."""


class CitationStatus(StrEnum):
    """What a citation is worth. Redundant is not wrong: its statement is supported without it."""

    COUNTS = "counts"
    REDUNDANT = "redundant"
    WRONG = "wrong"


def minimal_sets(families: Iterable[Iterable[str]]) -> Support:
    """A consistent judge: a set supports iff it contains one of these sets.

    >>> support = minimal_sets([["a", "b"]])
    >>> support(frozenset("abz")), support(frozenset("a"))
    (True, False)
    """
    sets = [frozenset(family) for family in families]
    return lambda passages: any(family <= passages for family in sets)


def exact_sets(families: Iterable[Iterable[str]]) -> Support:
    """A judge as recorded, which may be inconsistent: a set supports iff it is one of these sets.

    >>> support = exact_sets([["b"]])
    >>> support(frozenset("b")), support(frozenset("ab"))
    (True, False)
    """
    sets = {frozenset(family) for family in families}
    return lambda passages: passages in sets


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement of an answer: the ids it cites in order, who judges its support, and its importance."""

    cites: tuple[str, ...]
    support: Support
    weight: Number = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementScores:
    """Verdicts on one statement, its citations distinct and in order.

    `inconsistent`: the judge accepts a part of the cited passages and rejects all of them together.
    """

    supported: bool
    citations: tuple[str, ...]
    citation_ok: tuple[bool, ...]
    status: tuple[CitationStatus, ...]
    inconsistent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationScores:
    """Citation quality of one answer, shares between 0 and 1, weighted forms by statement weight."""

    n_statements: int
    n_citations: int
    n_redundant: int
    n_wrong: int
    citation_recall: float | None
    citation_precision: float | None
    weighted_cited: float | None
    weighted_supported: float | None
    weighted_precision: float | None
    weighted_f: float | None
    per_statement: tuple[StatementScores, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


def citation_scores(statements: Sequence[Statement]) -> CitationScores:
    """Recall and precision of an answer's citations.

    Recall: statements that have a citation and are supported by all their cited passages together, of all statements.
    A citation counts iff its statement is supported and it is the only one, or supports alone, or support is lost
    without it; precision is counting citations of all citations. With overlapping joint support this rule can call
    every citation of a supported statement redundant: read precision beside `n_redundant`.

    Weighted forms (source: weights w of statements): `weighted_cited` = w cited / w, `weighted_supported` =
    w supported / w, `weighted_precision` = w supported / w cited, `weighted_f` = 2CP/(C + P) of cited and precision.
    Recall is None without statements, precision without citations.

    >>> cited = Statement(cites=("a", "b"), support=minimal_sets([["a"]]))
    >>> found = citation_scores([cited, Statement(cites=(), support=minimal_sets([]))])
    >>> found.citation_recall, found.citation_precision, found.per_statement[0].status[1].value
    (0.5, 0.5, 'redundant')
    """
    weights = [exact(weight) for weight in numbers("weight", [statement.weight for statement in statements])]
    for place, weight in enumerate(weights):
        if weight < 0:
            raise CalibrationError(
                f"weight[{place}] is {said(statements[place].weight)} (needs a weight of at least 0)"
            )
    per_statement = tuple(_judged(statement) for statement in statements)
    all_ok = [ok for scores in per_statement for ok in scores.citation_ok]
    statuses = [status for scores in per_statement for status in scores.status]
    weighted = _weighted(per_statement, weights)
    undefined: dict[str, str] = {}
    if not statements:
        undefined["citation_recall"] = "there are no statements"
    if not all_ok:
        undefined["citation_precision"] = "nothing is cited"
    return CitationScores(
        n_statements=len(statements),
        n_citations=len(all_ok),
        n_redundant=statuses.count(CitationStatus.REDUNDANT),
        n_wrong=statuses.count(CitationStatus.WRONG),
        citation_recall=sum(s.supported for s in per_statement) / len(statements) if statements else None,
        citation_precision=sum(all_ok) / len(all_ok) if all_ok else None,
        weighted_cited=weighted.cited,
        weighted_supported=weighted.supported,
        weighted_precision=weighted.precision,
        weighted_f=weighted.f,
        per_statement=per_statement,
        undefined={**undefined, **weighted.undefined},
    )


def _judged(statement: Statement) -> StatementScores:
    cited = tuple(dict.fromkeys(statement.cites))
    together = frozenset(cited)
    supported = bool(cited) and bool(statement.support(together))
    several = len(cited) > 1
    alone = [several and bool(statement.support(frozenset({citation}))) for citation in cited]
    without = [several and bool(statement.support(together - {citation})) for citation in cited]
    ok = tuple(supported and (not several or alone[i] or not without[i]) for i in range(len(cited)))
    return StatementScores(
        supported=supported,
        citations=cited,
        citation_ok=ok,
        status=tuple(
            CitationStatus.COUNTS if counts else CitationStatus.REDUNDANT if supported else CitationStatus.WRONG
            for counts in ok
        ),
        inconsistent=bool(cited) and not supported and (any(alone) or any(without)),
    )


@dataclass(frozen=True, slots=True)
class _Weighted:
    cited: float | None
    supported: float | None
    precision: float | None
    f: float | None
    undefined: Mapping[str, str]


def _weighted(per_statement: Sequence[StatementScores], weights: Sequence[Fraction]) -> _Weighted:
    pairs = list(zip(per_statement, weights, strict=True))
    total = sum(weights, Fraction())
    cited = sum((weight for scores, weight in pairs if scores.citations), Fraction())
    supported = sum((weight for scores, weight in pairs if scores.supported), Fraction())
    if not total:
        why = "there are no statements" if not pairs else "every weight is 0"
        names = ("weighted_cited", "weighted_supported", "weighted_precision", "weighted_f")
        return _Weighted(None, None, None, None, dict.fromkeys(names, why))
    coverage = cited / total
    if not cited:
        nothing = dict.fromkeys(("weighted_precision", "weighted_f"), "nothing with a weight is cited")
        return _Weighted(float(coverage), float(supported / total), None, None, nothing)
    precision = supported / cited
    f = 2 * coverage * precision / (coverage + precision)
    return _Weighted(float(coverage), float(supported / total), float(precision), float(f), {})


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationSummary:
    """Citation quality over answers. Answers without statements, and without citations, are counted apart."""

    n_answers: int
    n_without_statements: int
    n_without_citations: int
    recall_macro: float | None
    recall_micro: float | None
    precision_macro_defined: float | None
    precision_macro_zero: float | None
    precision_micro: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def aggregate_citations(answers: Sequence[Sequence[Statement]]) -> CitationSummary:
    """Means over answers (macro) and over all statements or citations (micro).

    `precision_macro_defined` leaves out answers that cite nothing, `precision_macro_zero` scores them 0 as the ALCE
    script does. Answers without statements are in no mean.

    >>> cited = [Statement(cites=("a",), support=minimal_sets([["a"]]))]
    >>> uncited = [Statement(cites=(), support=minimal_sets([]))]
    >>> found = aggregate_citations([cited, uncited, []])
    >>> found.precision_macro_defined, found.precision_macro_zero, found.n_without_citations
    (1.0, 0.5, 1)
    """
    scores = [citation_scores(statements) for statements in answers]
    stated = [score for score in scores if score.n_statements]
    citing = [score for score in stated if score.n_citations]
    statements, citations = sum(s.n_statements for s in stated), sum(s.n_citations for s in stated)
    supported = [sum(verdict.supported for verdict in score.per_statement) for score in stated]
    counting = [sum(sum(verdict.citation_ok) for verdict in score.per_statement) for score in stated]
    precisions = [Fraction(ok, max(1, score.n_citations)) for ok, score in zip(counting, stated, strict=True)]
    defined = [value for value, score in zip(precisions, stated, strict=True) if score.n_citations]
    undefined: dict[str, str] = {}
    if not stated:
        undefined |= dict.fromkeys(("recall_macro", "recall_micro", "precision_macro_zero"), "no answer has statements")
    if not citing:
        undefined |= dict.fromkeys(("precision_macro_defined", "precision_micro"), "no answer cites anything")
    return CitationSummary(
        n_answers=len(scores),
        n_without_statements=len(scores) - len(stated),
        n_without_citations=len(stated) - len(citing),
        recall_macro=exact_mean([Fraction(n, s.n_statements) for n, s in zip(supported, stated, strict=True)]),
        recall_micro=sum(supported) / statements if statements else None,
        precision_macro_defined=exact_mean(defined),
        precision_macro_zero=exact_mean(precisions),
        precision_micro=sum(counting) / citations if citations else None,
        undefined=undefined,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of citation checks: how many reached it, passed it, and could not be judged there."""

    name: str
    reached: int
    passed: int
    not_judged: int
    rate: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


def citation_layers(
    citations: Sequence[Mapping[str, bool | None]],
    *,
    layers: Sequence[str] = ("resolves", "permitted_and_current", "verbatim", "supports"),
) -> tuple[Layer, ...]:
    """Each layer with its own denominator: a citation that fails a layer never reaches the next.

    So a dead link is not also counted as unsupported. None is not judged: it is counted, and goes no further. A key
    left out is None.

    >>> found = citation_layers([{"resolves": True, "permitted_and_current": False}, {"resolves": False}])
    >>> [(layer.name, layer.reached, layer.passed) for layer in found[:3]]
    [('resolves', 2, 1), ('permitted_and_current', 1, 0), ('verbatim', 0, 0)]
    """
    for place, citation in enumerate(citations):
        if unknown := sorted(citation.keys() - set(layers)):
            raise CalibrationError(f"citations[{place}] has {unknown[0]!r} (needs {', '.join(layers)})")
    found: list[Layer] = []
    left = list(citations)
    for name in layers:
        verdicts = [citation.get(name) for citation in left]
        passed = [citation for citation, verdict in zip(left, verdicts, strict=True) if verdict]
        judged = len(left) - verdicts.count(None)
        found.append(
            Layer(
                name=name,
                reached=len(left),
                passed=len(passed),
                not_judged=verdicts.count(None),
                rate=len(passed) / judged if judged else None,
                undefined={} if judged else {"rate": "no citation was judged at this layer"},
            )
        )
        left = passed
    return tuple(found)
