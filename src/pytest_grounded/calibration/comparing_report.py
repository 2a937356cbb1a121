"""A comparison of two runs as it is written: the JSON document, and the report that people read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_grounded.calibration.comparing import CaseChange, OperatingPoint, PairedTest, RunComparison
from pytest_grounded.calibration.comparison import PairedDifference
from pytest_grounded.calibration.intervals import Interval
from pytest_grounded.calibration.report import LINE, interval_words, table
from pytest_grounded.calibration.results import rounded, to_json
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = ["comparison_document", "comparison_text"]

SCHEMA = 1
_SHOWN = 20
_FIGURES = 3


def comparison_document(found: RunComparison) -> dict[str, Any]:
    """The JSON document; the same for the same two files, in any order of their lines."""
    return dict(rounded({"schema": SCHEMA, "what": "comparison", **to_json(found)}, as_given=frozenset({"threshold"})))


def comparison_text(found: RunComparison) -> str:
    """The report for a terminal: what must be said first, what turned, then rates."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: RunComparison) -> Iterator[str]:
    for words in found.first:
        yield from (line for line in table([("!", words)]))
    yield _headline(found)
    yield ""
    yield from table(list(_facts(found)))
    yield from _changes("must pass and does not any more", found.must_pass)
    yield from _changes("passed, does not any more", [one for one in found.worse if not one.must_pass])
    yield from _changes("passes now", found.better)
    yield from _changes("same verdict, decided or cited otherwise", found.otherwise)
    yield "passes"
    yield from table([(test.name, _test(test)) for test in (found.whole, *found.kinds)])
    yield from _matrix("decisions", found.decisions)
    yield from _matrix("reasons", found.reasons)
    yield "answers"
    yield from table([(_point_name(point), _point(point)) for point in found.operating])
    yield from table([("AUGRC", _areas(found))])
    yield "citations"
    yield from table([("recall", _difference(found.recall)), ("precision", _difference(found.precision))])
    yield "support, as a judge says"
    yield from table(list(_support(found)))
    yield from _repeats(found)


def _headline(found: RunComparison) -> str:
    test, detectable = found.whole, found.whole.detectable
    turned = f"{test.only_before} of {count(test.n, 'case')} passed and fail now, {test.only_after} the other way round"
    unseen = (
        "anything, even if all of them went wrong"
        if detectable is None
        else f"less than {percent(detectable, 1)} going wrong"
    )
    return f"{turned}: p = {test.p_exact:.4f}; so many cases cannot show {unseen}"


def _facts(found: RunComparison) -> Iterator[tuple[str, str]]:
    yield "before", found.before
    yield "after", found.after
    for name, one, other in _said(found.versions):
        yield name, f"{', '.join(one) or 'not said'} -> {', '.join(other) or 'not said'}"
    for name, cases in (
        ("only before", found.only_before),
        ("only after", found.only_after),
        ("not asked", found.not_asked),
        ("labelled otherwise", found.unequal),
        ("turned by the judge", found.set_apart),
    ):
        if cases:
            yield name, f"{count(len(cases), 'case')}, in no test: {_some(cases)}"


def _said(
    versions: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]],
) -> Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """A digest of settings says nothing beside the settings that differ."""
    named = any(name.startswith("settings.") for name, *_ in versions)
    return [one for one in versions if not (named and one[0] == "settings_digest")]


def _areas(found: RunComparison) -> str:
    why = found.undefined.get("augrc")
    return f"n/a ({why})" if why else " -> ".join(decimal(area) for area in found.augrc if area is not None)


def _some(cases: Sequence[str]) -> str:
    more = f", and {len(cases) - _SHOWN} more" if len(cases) > _SHOWN else ""
    return ", ".join(cases[:_SHOWN]) + more


def _changes(title: str, changes: Sequence[CaseChange]) -> Iterator[str]:
    if not changes:
        return
    yield f"{title} ({len(changes)})"
    yield from table([(one.case, _change(one)) for one in changes[:_SHOWN]])
    if len(changes) > _SHOWN:
        yield f"  and {len(changes) - _SHOWN} more"


def _change(one: CaseChange) -> str:
    checks = ", ".join(one.checks)
    if checks and one.before != "pass":
        checks = f"no more {checks}"
    return "; ".join(part for part in (f"{one.before} -> {one.after}", checks, *one.what) if part)


def _test(test: PairedTest) -> str:
    if test.rate_before is None or test.rate_after is None:
        return "no case"
    corrected = "" if test.p_holm is None else f", {test.p_holm:.4f} over the kinds"
    rates = f"{_rate(test.rate_before, test.interval_before)} -> {_rate(test.rate_after, test.interval_after)}"
    return (
        f"{rates} of {test.n}; {_difference(test.difference)}; {test.only_before} worse, {test.only_after} better: "
        f"p = {test.p_exact:.4f} (mid-p {test.p_mid:.4f}{corrected})"
    )


def _rate(rate: float, interval: Interval) -> str:
    return f"{percent(rate, 1)} ({interval_words(interval)})"


def _difference(found: PairedDifference) -> str:
    if found.difference is None or found.low is None or found.high is None:
        return "n/a (no case has the figure in both runs)"
    return f"{found.difference:+.3f} [{found.low:+.3f} to {found.high:+.3f}; {found.n_groups} groups]"


def _matrix(title: str, transitions: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    """Rows are before, columns after; what nothing came to is left blank. Too wide for a line, it becomes a list."""
    names = sorted({name for one, other, _ in transitions for name in (one, other)})
    if len(names) <= 1:
        return
    counts = {(one, other): n for one, other, n in transitions}
    width = max(map(len, names))
    lines = [f"  {'':<{width}}" + "".join(f"  {name:>{max(_FIGURES, len(name))}}" for name in names)]
    for one in names:
        cells = (f"{counts.get((one, other), ''):>{max(_FIGURES, len(other))}}" for other in names)
        lines.append(f"  {one:<{width}}  " + "  ".join(cells))
    if max(map(len, lines)) <= LINE:
        yield f"{title} (row: before, column: after)"
        yield from lines
        return
    yield f"{title} (before -> after)"
    same = sum(n for one, other, n in transitions if one == other)
    turned = [(f"{one} -> {other}", str(n)) for one, other, n in transitions if one != other]
    yield from table([*turned, ("the same in both", str(same))])


def _point_name(point: OperatingPoint) -> str:
    return point.run if point.threshold is None else f"{point.run} at {point.threshold:g}"


def _point(point: OperatingPoint) -> str:
    answered = "n/a" if point.coverage is None else percent(point.coverage, 1)
    wrong = f"n/a ({point.undefined.get('selective_risk')})"
    if point.selective_risk is not None:
        wrong = f"{percent(point.selective_risk, 1)} ({interval_words(point.interval)}) of {point.n_labelled} labelled"
    cost = "" if point.cost_per_query is None else f"; costs {decimal(point.cost_per_query)} per query"
    return f"answers {answered} of {point.n}, wrong {wrong}{cost}"


def _support(found: RunComparison) -> Iterator[tuple[str, str]]:
    for name, rate, n in (
        ("before", found.support.before, found.support.n_before),
        ("after", found.support.after, found.support.n_after),
    ):
        why = found.support.undefined.get(name)
        yield name, f"n/a ({why})" if rate is None else f"{percent(rate, 1)} of {count(n, 'ruling')}"


def _repeats(found: RunComparison) -> Iterator[str]:
    repeats = found.repeats
    if repeats is None:
        return
    yield f"repeated cases ({repeats.before.n_cases})"
    rates = " -> ".join(
        "n/a" if one.pass_hat_k is None else percent(one.pass_hat_k, 1) for one in (repeats.before, repeats.after)
    )
    flaky = f"{repeats.before.n_flaky} -> {repeats.after.n_flaky}"
    yield from table(
        [
            (f"pass^{repeats.k}", rates),
            ("flaky", flaky),
            ("changed beyond noise", _some(repeats.changed) or "none"),
        ]
    )
