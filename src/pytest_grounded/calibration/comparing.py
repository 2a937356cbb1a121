"""Is the second run worse than the first? Two results files over the same cases, paired by case.

What makes a comparison mean something else than it seems to is said first: another support judge, another corpus. Then
the cases that turned, those that must pass before all others, and only then rates, with what so many cases can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pytest_grounded.calibration.comparison import (
    PairedDifference,
    detectable_effect,
    holm,
    mcnemar,
    paired_difference,
    paired_mean_difference,
)
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.curves import curve_of
from pytest_grounded.calibration.inputs import CalibrationError, Number, exact, rank, share
from pytest_grounded.calibration.intervals import Interval, clopper_pearson, wilson
from pytest_grounded.calibration.options import Prices
from pytest_grounded.calibration.repeats import RepeatSummary, changed_cases, summarise_repeats
from pytest_grounded.calibration.runs import CaseRun, Run
from pytest_grounded.calibration.wording import count

__all__ = [
    "CaseChange",
    "OperatingPoint",
    "PairedTest",
    "Repeats",
    "RunComparison",
    "SupportFigures",
    "compare_runs",
]

FailOn = Literal["any", "must-pass", "significant"]

_NAMED = 3
_JUDGED = frozenset({"claim.unsupported", "slot.missing"})
"""What a support judge may find where no rule does."""
_GRAVE = ("leak.", "cache.cross_user")
_GRAVE_CHECKS = frozenset(
    {"citation.not_permitted", "citation.not_current", "claim.stale_value", "cache.stale", "forbid.evidence"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """What became of one case. `must_pass`: a restricted case, or a leak, permission or stale finding."""

    case: str
    kind: str
    before: str
    after: str
    must_pass: bool
    checks: tuple[str, ...] = ()
    what: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """Passes of the same cases in both runs, with the exact McNemar test of what turned.

    `detectable` is the smallest share of cases going from pass to fail that so many cases show four times in five;
    `p_holm` is corrected over the kinds.
    """

    name: str
    n: int
    both: int
    only_before: int
    only_after: int
    neither: int
    rate_before: float | None
    rate_after: float | None
    interval_before: Interval
    interval_after: Interval
    p_exact: float
    p_mid: float
    p_holm: float | None
    difference: PairedDifference
    detectable: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """What a run answered, and how much of that wrongly; at a threshold, or as it decided itself (None).

    Wrong are labelled answers (`correct` 0) of the labelled ones; the interval is Clopper-Pearson's, 95 percent.
    """

    run: str
    threshold: float | None
    n: int
    n_answered: int
    n_labelled: int
    n_wrong: int
    coverage: float | None
    selective_risk: float | None
    interval: Interval | None
    cost_per_query: float | None
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportFigures:
    """The share of rulings that are support; None where the two runs asked different judges."""

    judges_before: tuple[str, ...]
    judges_after: tuple[str, ...]
    before: float | None
    after: float | None
    n_before: int
    n_after: int
    undefined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """Cases that both runs asked several times: pass^k for the most k there is, and which changed beyond noise."""

    k: int
    before: RepeatSummary
    after: RepeatSummary
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Two runs, paired. `first` is what has to be said before anything else.

    `set_apart` turned by nothing but a judge that is another one now; `unequal` are labelled otherwise in the two
    files; neither is in any test.
    """

    before: str
    after: str
    first: tuple[str, ...]
    judge_changed: bool
    versions: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    not_asked: tuple[str, ...]
    unequal: tuple[str, ...]
    set_apart: tuple[str, ...]
    worse: tuple[CaseChange, ...]
    better: tuple[CaseChange, ...]
    otherwise: tuple[CaseChange, ...]
    whole: PairedTest
    kinds: tuple[PairedTest, ...]
    decisions: tuple[tuple[str, str, int], ...]
    reasons: tuple[tuple[str, str, int], ...]
    support: SupportFigures
    recall: PairedDifference
    precision: PairedDifference
    operating: tuple[OperatingPoint, ...]
    augrc: tuple[float | None, float | None]
    undefined: Mapping[str, str]
    repeats: Repeats | None
    level: float

    @property
    def must_pass(self) -> tuple[CaseChange, ...]:
        """What turned to fail and must not."""
        return tuple(change for change in self.worse if change.must_pass)

    @property
    def significant(self) -> bool:
        """Whether the cases that turned are more on the failing side than chance makes them, whole or in a kind."""
        tests = [(self.whole, self.whole.p_exact), *((kind, kind.p_holm) for kind in self.kinds)]
        return any(p is not None and p <= self.level and test.only_before > test.only_after for test, p in tests)

    def exit_code(self, fail_on: FailOn = "any") -> int:
        """0: none worse; 1: a regression, of the sort that is asked for."""
        match fail_on:
            case "any":
                return int(bool(self.worse))
            case "must-pass":
                return int(bool(self.must_pass))
            case "significant":
                return int(bool(self.must_pass) or self.significant)


def compare_runs(
    before: Run,
    after: Run,
    *,
    across_corpora: bool = False,
    thresholds: Sequence[Number] = (),
    prices: Prices | None = None,
    level: Number = 0.05,
    seed: int = 0,
) -> RunComparison:
    """Compare two runs case by case.

    `thresholds` (usually those of both runs) are each applied to the scores of both, so that two operating points are
    seen on both curves; `prices` give what each costs. Raises `CalibrationError` where the two cannot be compared: no
    case in common, none with a verdict in both, or another state of the corpus, which a label does not survive
    (`across_corpora` compares nevertheless, and says so first).

    >>> from pytest_grounded.calibration.runs import read_run
    >>> lines = [b'{"case": "c%d", "kind": "answerable", "verdict": "pass"}' % i for i in range(40)]
    >>> found = compare_runs(read_run(lines), read_run([b.replace(b"pass", b"fail") for b in lines[:6]] + lines[6:]))
    >>> [change.case for change in found.worse], found.whole.p_exact, found.whole.detectable
    (['c0', 'c1', 'c2', 'c3', 'c4', 'c5'], 0.03125, 0.191)
    """
    limit = float(share("level", level, open_ended=True))
    shared = [case.case for case in before.cases if case.case in after.by_id]
    if not shared:
        raise CalibrationError(
            f"{before.name} and {after.name} have no case in common ({_first(before)}, {_first(after)}): compare two "
            "runs of the same cases"
        )
    pairs = [(before.by_id[case], after.by_id[case]) for case in shared]
    _require_one_corpus(before, after, pairs, across_corpora=across_corpora)
    changed = _judges(before) != _judges(after)
    asked = [pair for pair in pairs if all(side.verdict != "error" for side in pair)]
    equal = [pair for pair in asked if pair[0].kind == pair[1].kind]
    used = [pair for pair in equal if not (changed and _turned_by_judge(*pair))]
    if not asked:
        raise CalibrationError(
            f"no case has a verdict in both {before.name} and {after.name}: every one of {count(len(pairs), 'case')} "
            "was not asked in one of them (verdict error; run them again)"
        )
    corpora = [one.case for one, other in pairs if _corpora_differ(one, other)]
    areas = _augrc([one for one, _ in used]), _augrc([other for _, other in used])
    return RunComparison(
        before=before.name,
        after=after.name,
        first=tuple(_said_first(before, after, corpora, changed=changed)),
        judge_changed=changed,
        versions=tuple(_versions(pairs)),
        only_before=tuple(case.case for case in before.cases if case.case not in after.by_id),
        only_after=tuple(case.case for case in after.cases if case.case not in before.by_id),
        not_asked=tuple(one.case for one, other in pairs if "error" in (one.verdict, other.verdict)),
        unequal=tuple(one.case for one, other in asked if one.kind != other.kind),
        set_apart=tuple(one.case for one, other in equal if changed and _turned_by_judge(one, other)),
        worse=_ordered(pair for pair in used if pair[0].passed and not pair[1].passed),
        better=_ordered(pair for pair in used if pair[1].passed and not pair[0].passed),
        otherwise=_ordered(pair for pair in used if pair[0].passed == pair[1].passed and _what(*pair)),
        whole=_test("all", used, seed),
        kinds=_by_kind(used, seed),
        decisions=_transitions(used, lambda case: case.decision),
        reasons=_transitions(used, lambda case: case.reason_code),
        support=_support(before, after, changed=changed),
        recall=_figures(used, lambda case: case.recall, seed),
        precision=_figures(used, lambda case: case.precision, seed),
        operating=tuple(_operating(used, (before.name, after.name), thresholds, prices)),
        augrc=areas,
        undefined={"augrc": "no answer has a score and a label in one of the runs"} if None in areas else {},
        repeats=_repeats(used, level),
        level=limit,
    )


def _first(run: Run) -> str:
    return f"{run.name}: {count(len(run.cases), 'case')}, first {run.cases[0].case!r}"


def _require_one_corpus(
    before: Run, after: Run, pairs: Sequence[tuple[CaseRun, CaseRun]], *, across_corpora: bool
) -> None:
    differing = [one.case for one, other in pairs if _corpora_differ(one, other)]
    if differing and not across_corpora:
        one, other = before.by_id[differing[0]], after.by_id[differing[0]]
        raise CalibrationError(
            f"{before.name} and {after.name} differ in their corpus for {_some(differing)}: {one.corpus} and "
            f"{other.corpus} (a label holds for one state of it: run both on one, or compare across corpora on purpose)"
        )


def _corpora_differ(one: CaseRun, other: CaseRun) -> bool:
    return one.corpus is not None and other.corpus is not None and one.corpus != other.corpus


def _some(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
    return f"{count(len(cases), 'case')} ({', '.join(cases[:_NAMED])}{more})"


# What is said first


def _judges(run: Run) -> tuple[str, ...]:
    return tuple(sorted({*run.judges, *run.versions("judge")}))


def _said_first(before: Run, after: Run, corpora: Sequence[str], *, changed: bool) -> Iterator[str]:
    if changed:
        one, other = (", ".join(_judges(run)) or "none" for run in (before, after))
        yield (
            f"the support judge changed: {one} before, {other} after. No figure of support can be compared, and cases "
            "that turned by its rulings alone are set apart: put both runs to one judge in one version"
        )
    if corpora:
        yield (
            f"the corpus changed for {_some(corpora)}: what turned there may be the documents' doing, not the system's"
        )


def _versions(pairs: Sequence[tuple[CaseRun, CaseRun]]) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What differs in some case, and what it was and is in those cases."""
    seen: dict[str, tuple[set[str], set[str]]] = {}
    # Most cases of a run say the same, so this looks at few pairs, not at each case.
    for one, other in {(one.versions, other.versions) for one, other in pairs if one.versions != other.versions}:
        sides = dict(one), dict(other)
        for name in sides[0].keys() | sides[1].keys():
            if sides[0].get(name) != sides[1].get(name):
                kept = seen.setdefault(name, (set(), set()))
                for side, values in zip(sides, kept, strict=True):
                    values.update([side[name]] if name in side else [])
    for name, (was, now) in sorted(seen.items()):
        yield name, tuple(sorted(was)), tuple(sorted(now))


def _turned_by_judge(one: CaseRun, other: CaseRun) -> bool:
    """Whether a judge ruled, and nothing but what a judge may find tells the two apart."""
    if not (one.n_ruled or other.n_ruled) or one.verdict == other.verdict:
        return False
    return set(one.checks) ^ set(other.checks) <= _JUDGED


# Cases


def _ordered(pairs: Iterator[tuple[CaseRun, CaseRun]]) -> tuple[CaseChange, ...]:
    """Those that must pass first, then by case."""
    changes = [
        CaseChange(
            case=one.case,
            kind=one.kind,
            before=one.verdict,
            after=other.verdict,
            must_pass=one.kind == "restricted" or any(map(_is_grave, {*one.checks, *other.checks})),
            checks=tuple(sorted(set(other.checks) - set(one.checks)))
            if one.passed
            else tuple(sorted(set(one.checks) - set(other.checks))),
            what=tuple(_what(one, other)),
        )
        for one, other in pairs
    ]
    return tuple(sorted(changes, key=lambda change: (not change.must_pass, change.case)))


def _is_grave(check: str) -> bool:
    return check.startswith(_GRAVE) or check in _GRAVE_CHECKS


def _what(one: CaseRun, other: CaseRun) -> list[str]:
    """What is different in what was decided and cited."""
    return [
        f"{name}: {a or 'none'} -> {b or 'none'}"
        for name, a, b in (
            ("decision", one.decision, other.decision),
            ("reason", one.reason_code, other.reason_code),
            ("citations", ", ".join(one.cited), ", ".join(other.cited)),
        )
        if a != b
    ]


def _transitions(
    pairs: Sequence[tuple[CaseRun, CaseRun]], of: Callable[[CaseRun], str | None]
) -> tuple[tuple[str, str, int], ...]:
    counts = Counter((of(one) or "none", of(other) or "none") for one, other in pairs)
    return tuple((one, other, n) for (one, other), n in sorted(counts.items()))


# Rates


def _test(name: str, pairs: Sequence[tuple[CaseRun, CaseRun]], seed: int) -> PairedTest:
    table = Counter((one.passed, other.passed) for one, other in pairs)
    n = len(pairs)
    turned = mcnemar(table[True, False], table[False, True])
    passes = table[True, True] + table[True, False], table[True, True] + table[False, True]
    detectable = detectable_effect(n) if n else None
    undefined = {} if n else dict.fromkeys(("rate_before", "rate_after"), "there are no cases")
    if detectable is None:
        undefined["detectable"] = f"{count(n, 'case')} cannot show that every one of them failed"
    return PairedTest(
        name=name,
        n=n,
        both=table[True, True],
        only_before=table[True, False],
        only_after=table[False, True],
        neither=table[False, False],
        rate_before=passes[0] / n if n else None,
        rate_after=passes[1] / n if n else None,
        interval_before=wilson(passes[0], n) if n else Interval(0.0, 1.0),
        interval_after=wilson(passes[1], n) if n else Interval(0.0, 1.0),
        p_exact=turned.p_exact,
        p_mid=turned.p_mid,
        p_holm=None,
        difference=paired_difference(
            [one.passed for one, _ in pairs],
            [other.passed for _, other in pairs],
            groups=[one.group for one, _ in pairs],
            seed=seed,
        ),
        detectable=detectable,
        undefined={**undefined, "p_holm": "one test is not corrected"},
    )


def _by_kind(pairs: Sequence[tuple[CaseRun, CaseRun]], seed: int) -> tuple[PairedTest, ...]:
    kinds = sorted({one.kind for one, _ in pairs})
    tests = [_test(kind, [pair for pair in pairs if pair[0].kind == kind], seed) for kind in kinds]
    adjusted = holm([test.p_exact for test in tests])
    return tuple(_corrected(test, p) for test, p in zip(tests, adjusted, strict=True))


def _corrected(test: PairedTest, p: float) -> PairedTest:
    undefined = {name: why for name, why in test.undefined.items() if name != "p_holm"}
    return replace(test, p_holm=p, undefined=undefined)


def _figures(
    pairs: Sequence[tuple[CaseRun, CaseRun]], of: Callable[[CaseRun], float | None], seed: int
) -> PairedDifference:
    """Over the cases in which both runs have the figure."""
    found = [(a, b, one.group) for one, other in pairs if (a := of(one)) is not None and (b := of(other)) is not None]
    return paired_mean_difference(
        [a for a, _, _ in found], [b for _, b, _ in found], groups=[group for *_, group in found], seed=seed
    )


def _support(before: Run, after: Run, *, changed: bool) -> SupportFigures:
    def rate(run: Run) -> tuple[float | None, int]:
        n = sum(case.n_ruled for case in run.cases)
        supported = sum(case.n_supported for case in run.cases)
        return (supported / n if n and not changed else None), n

    (one, n_before), (other, n_after) = rate(before), rate(after)
    undefined: dict[str, str] = {}
    for name, value, run in (("before", one, before), ("after", other, after)):
        if value is None:
            undefined[name] = "another judge was asked in the other run" if changed else f"no ruling in {run.name}"
    return SupportFigures(
        judges_before=_judges(before),
        judges_after=_judges(after),
        before=one,
        after=other,
        n_before=n_before,
        n_after=n_after,
        undefined=undefined,
    )


# Answering


def _operating(
    pairs: Sequence[tuple[CaseRun, CaseRun]],
    names: tuple[str, str],
    thresholds: Sequence[Number],
    prices: Prices | None,
) -> Iterator[OperatingPoint]:
    for threshold in (None, *dict.fromkeys(thresholds)):
        for side, name in enumerate(names):
            yield _point([pair[side] for pair in pairs], name, threshold, prices)


def _point(cases: Sequence[CaseRun], name: str, threshold: Number | None, prices: Prices | None) -> OperatingPoint:
    limit = None if threshold is None else float(threshold)
    shown = [case for case in cases if _is_shown(case, limit)]
    labelled = [case for case in shown if case.correct is not None]
    wrong = sum(case.correct == 0 for case in labelled)
    undefined: dict[str, str] = {}
    if not cases:
        undefined["coverage"] = "there are no cases"
    if not labelled:
        undefined |= dict.fromkeys(("selective_risk", "interval"), "no answer has a label")
    cost = None if prices is None or not cases else _cost(cases, shown, wrong, prices)
    if cost is None:
        undefined["cost_per_query"] = "no prices are given" if prices is None else "there are no cases"
    return OperatingPoint(
        run=name,
        threshold=limit,
        n=len(cases),
        n_answered=len(shown),
        n_labelled=len(labelled),
        n_wrong=wrong,
        coverage=len(shown) / len(cases) if cases else None,
        selective_risk=wrong / len(labelled) if labelled else None,
        interval=clopper_pearson(wrong, len(labelled)) if labelled else None,
        cost_per_query=cost,
        undefined=undefined,
    )


def _is_shown(case: CaseRun, threshold: float | None) -> bool:
    return case.answers if threshold is None else case.score is not None and case.score >= threshold


def _cost(cases: Sequence[CaseRun], shown: Sequence[CaseRun], wrong: int, prices: Prices) -> float:
    """Per query; of abstentions that hid a draft nobody labelled none is known to have missed a right one."""
    kept_back = len(cases) - len(shown)
    if prices.convention is AbstentionCost.MISSED:
        kept_back = sum(case.correct == 1 for case in cases) - sum(case.correct == 1 for case in shown)
    return float((exact(prices.wrong) * wrong + exact(prices.abstain) * kept_back) / len(cases))


def _augrc(cases: Sequence[CaseRun]) -> float | None:
    scored = [case for case in cases if case.score is not None and case.correct is not None]
    if not scored:
        return None
    ranking = rank(
        [case.score for case in scored if case.score is not None],
        [case.correct for case in scored],
        never_answered=sum(case.score is None for case in cases),
    )
    return curve_of(ranking).augrc


# Repeats


def _repeats(pairs: Sequence[tuple[CaseRun, CaseRun]], level: Number) -> Repeats | None:
    repeated = [(one, other) for one, other in pairs if one.runs > 1 and other.runs > 1]
    if not repeated:
        return None
    k = min(case.runs for pair in repeated for case in pair)
    before = [(one.runs, one.passed_runs) for one, _ in repeated]
    after = [(other.runs, other.passed_runs) for _, other in repeated]
    flags = changed_cases(before, after, level=level)
    return Repeats(
        k=k,
        before=summarise_repeats(before, k),
        after=summarise_repeats(after, k),
        changed=tuple(one.case for (one, _), flag in zip(repeated, flags, strict=True) if flag),
    )
