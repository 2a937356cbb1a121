"""The four charts of a calibration: risk against coverage, reliability, cost against threshold, scores by outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from pytest_grounded.calibration.calibrate import Calibration
from pytest_grounded.calibration.claims import ClaimStage
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.fitting import PlattMap
from pytest_grounded.calibration.intervals import Interval
from pytest_grounded.calibration.options import Method
from pytest_grounded.calibration.reliability import ReliabilityBin, reliability_table
from pytest_grounded.calibration.rows import Row
from pytest_grounded.calibration.svg import (
    ACCENT,
    BAND,
    INK,
    LIGHT,
    LINE,
    MUTED,
    Axis,
    Drawing,
    Point,
    thinned,
    ticks,
)
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = ["charts"]

_LEFT, _RIGHT, _TOP, _BOTTOM = 66.0, 736.0, 112.0, 362.0
_GUTTER = 142.0
_WIDE, _BOLD = 6.5, 7.4
_MANY_POINTS = 60
_MANY_KINDS = 6
_BARS = 20
_NEAR = Fraction(1, 20)
_OTHERS = "other kinds"
_FINE = 0.08


def charts(found: Calibration, band: Sequence[Interval]) -> dict[str, str]:
    """The SVG documents by name; `cost` only where prices are given.

    `band` holds the pointwise intervals of the realizable points, in their order.
    """
    drawn = {
        "risk_coverage": _risk_coverage(found, band),
        "reliability": _reliability(found),
        "scores": _scores(found),
    }
    if found.sweep is not None and found.sweep.rows:
        drawn["cost"] = _cost(found)
    if found.claims is not None:
        drawn["claims"] = _claims(found.claims)
    return drawn


def _shares(axis_high: float) -> list[tuple[float, str]]:
    return [(value, percent(value, 0 if axis_high > _FINE else 1)) for value in ticks(0, axis_high)]


# Risk against coverage


def _risk_coverage(found: Calibration, band: Sequence[Interval]) -> str:
    curve, choice = found.curve, found.choice
    subtitle = (
        f"{count(curve.n, 'query', 'queries')}, answered from the highest score down; AUGRC {_figure(curve.augrc)}"
    )
    drawing = Drawing(
        "risk-coverage", "How wrong, if only the most confident share is answered", choice.operating_point
    )
    drawing.heading(subtitle)
    settled = [
        interval.high
        for point, interval in zip(curve.points, band, strict=True)
        if point.n_answered >= (choice.n_needed or 1)
    ]
    base = curve.base_risk or 0.0
    high = min(1.0, 1.12 * max([base, choice.alpha, *settled, *(p.selective_risk for p in curve.points[-1:])]) or 1.0)
    x, y = Axis(0, 1, _LEFT, _RIGHT), Axis(0, high, _BOTTOM, _TOP)
    drawing.legend(_LEFT, 72, _risk_legend(found))
    drawing.y_axis(y, _LEFT, _RIGHT, _shares(high), "share wrong of the answered")
    _too_few(drawing, found, x)
    steps = _steps([(p.coverage, p.selective_risk) for p in curve.points], 0.0)
    upper = _steps([(p.coverage, i.high) for p, i in zip(curve.points, band, strict=True)], 0.0)
    lower = _steps([(p.coverage, i.low) for p, i in zip(curve.points, band, strict=True)], 0.0)
    drawing.area(_placed(upper, x, y), _placed(lower, x, y), fill=BAND, opacity=0.75)
    drawing.path(_placed(_oracle(base, curve.max_coverage or 1.0), x, y), colour=MUTED, width=1.6, dash="6 3")
    drawing.line((_LEFT, y(base)), (_RIGHT, y(base)), colour=INK, width=1.4, dash="1.5 3")
    if found.options.method is not Method.COST:
        _limit(drawing, found, x, y)
    drawing.path(_placed(steps, x, y), width=2.2)
    if len(curve.points) <= _MANY_POINTS:
        for point in curve.points:
            if point.selective_risk <= high:
                drawing.dot((x(point.coverage), y(point.selective_risk)), radius=2.6)
    _chosen(drawing, found, x, y)
    labels = [(v, f"{percent(v)}\n{round(v * curve.n)}") for v in ticks(0, 1, 5)]
    drawing.x_axis(x, _BOTTOM, labels, "share of queries answered (below: number answered)", second=True)
    return drawing.render()


def _risk_legend(found: Calibration) -> list[tuple[str, str, str]]:
    entries = [
        ("line", LINE, "this score"),
        ("box", BAND, "95% interval at each point"),
        ("dash", MUTED, "perfect order"),
        ("dots", INK, "answer everything"),
    ]
    if found.choice.threshold is not None:
        entries.append(("dot", ACCENT, "chosen"))
    return entries


def _too_few(drawing: Drawing, found: Calibration, x: Axis) -> None:
    """Hatch what so few answered cases can never show."""
    fewest, n = found.choice.n_needed, found.curve.n
    if fewest is None or found.options.method is not Method.LTT:
        return
    end = x(min(1.0, fewest / n))
    drawing.box(_LEFT, _TOP, end - _LEFT, _BOTTOM - _TOP, fill=drawing.hatch("thin"))
    if end - _LEFT < 0.75 * (_RIGHT - _LEFT):
        words = f"under {fewest} answered: too few to show the limit"
        drawing.text(end + 6, _TOP + 12, words, size=11, colour=MUTED, halo=True)


def _limit(drawing: Drawing, found: Calibration, x: Axis, y: Axis) -> None:
    """The limit: level for a share of the answered, falling with coverage for a share of all queries."""
    alpha = found.choice.alpha
    if found.options.method is Method.CRC:
        places = [0.02 + 0.98 * i / 98 for i in range(99)]
        points = [(c, alpha / c) for c in places if alpha / c <= y.high]
        words = f"limit {percent(alpha, 1)} of all queries"
    else:
        points = [(0.0, alpha), (1.0, alpha)]
        words = f"limit {percent(alpha, 1)}"
    if points:
        drawing.path(_placed(points, x, y), colour=ACCENT, width=1.4, dash="9 4")
        # At the right end the curve is above the limit, or everything may be answered and it is below.
        beside = 15 if (found.curve.base_risk or 0.0) > alpha else -6
        drawing.text(_RIGHT - 4, y(points[-1][1]) + beside, words, anchor="end", size=11, colour=ACCENT, halo=True)


def _chosen(drawing: Drawing, found: Calibration, x: Axis, y: Axis) -> None:
    choice = found.choice
    if choice.threshold is None or choice.coverage is None or choice.selective_risk is None:
        return
    place = (x(choice.coverage), y(min(y.high, choice.selective_risk)))
    if choice.interval is not None:
        drawing.bar(place[0], y(min(y.high, choice.interval.low)), y(min(y.high, choice.interval.high)), colour=ACCENT)
    drawing.dot(place, radius=5.5, fill=ACCENT)
    seen = f"{choice.n_wrong} of {choice.n_answered} wrong"
    words = f"score ≥ {choice.threshold:g}: answers {percent(choice.coverage)}, {seen}"
    left = choice.coverage > 0.45  # noqa: PLR2004 - the half with more room
    # Above the interval and the line of all drafts there is nothing but the limit of a share of all, far to the left.
    clear = min(y(found.curve.base_risk or 0.0), y(min(y.high, choice.interval.high if choice.interval else 0.0))) - 10
    below = max(_TOP + 14, place[1] - 34) if left else min(_BOTTOM - 8, place[1] + 30)
    drawing.text(
        place[0] + (-14 if left else 14),
        clear if clear >= _TOP + 14 else below,
        words,
        anchor="end" if left else "start",
        size=12.5,
        weight="600",
        colour=ACCENT,
        halo=True,
    )


def _oracle(base: float, reach: float) -> list[Point]:
    """The lowest curve there is: right before wrong."""
    free = (1 - base) * reach
    return [
        (0.0, 0.0),
        (free, 0.0),
        *((c, 1 - free / c) for c in (free + (reach - free) * i / 60 for i in range(1, 61))),
    ]


def _steps(points: Sequence[Point], start: float) -> list[Point]:
    """Each level holds from the point before to its own."""
    stepped: list[Point] = []
    before = start
    for x, y in points:
        stepped += [(before, y), (x, y)]
        before = x
    return stepped


def _placed(points: Sequence[Point], x: Axis, y: Axis) -> list[Point]:
    shown = thinned(points, x.low, x.high) if x.high > x.low else list(points)
    return [(x(a), y(min(y.high, max(y.low, b)))) for a, b in shown]


def _figure(value: float | None) -> str:
    return "n/a" if value is None else decimal(value)


# Reliability


def _reliability(found: Calibration) -> str:
    scored = [row for row in found.sample.rows if row.score is not None]
    scores = [row.score for row in scored if row.score is not None]
    low, high = (0.0, 1.0) if all(0 <= s <= 1 for s in scores) else (min(scores), max(scores))
    drawing = Drawing("reliability", "Does the score mean what it says", _quality_words(found), height=472)
    drawing.heading(_quality_words(found))
    spread = high - low or 1.0
    # Bins are made of scores laid onto [0, 1]; for a probability that changes nothing.
    bins = reliability_table(
        [min(1.0, max(0.0, (s - low) / spread)) for s in scores],
        [r.correct for r in scored],
        n_bins=found.options.n_bins,
    )
    x, y = Axis(low, low + spread, _LEFT, _RIGHT), Axis(0, 1, _BOTTOM, _TOP)
    drawing.legend(_LEFT, 72, _reliability_legend(found, is_probability=(low, high) == (0.0, 1.0)))
    drawing.y_axis(y, _LEFT, _RIGHT, _shares(1), "share right")
    if (low, high) == (0.0, 1.0):
        drawing.line((x(0), y(0)), (x(1), y(1)), colour=MUTED, width=1.4, dash="6 3")
    _fitted_line(drawing, found, x, y)
    for one in bins:
        place = x(low + spread * one.mean_probability)
        drawing.bar(place, y(one.interval.low), y(one.interval.high))
        drawing.dot((place, y(one.right_rate)), radius=4.5)
    _bin_counts(drawing, bins, x, low, spread)
    labels = [(v, f"{v:g}") for v in ticks(low, low + spread, 5)]
    drawing.x_axis(x, _BOTTOM + 58, labels, f"score ({found.sample.score_name or 'unnamed'})")
    return drawing.render()


def _quality_words(found: Calibration) -> str:
    quality = found.quality
    if quality.brier is None or quality.ece is None or quality.reference is None:
        return f"no probability to judge: {quality.undefined.get('brier', '')}"
    raw = "" if found.fitted is None or quality.brier_raw is None else f" (unfitted {decimal(quality.brier_raw)})"
    return (
        f"Brier {decimal(quality.brier)}{raw}; ECE {decimal(quality.ece)} in {quality.n_bins} equal-width bins, where "
        f"a perfect score would show {decimal(quality.reference)}"
    )


def _reliability_legend(found: Calibration, *, is_probability: bool) -> list[tuple[str, str, str]]:
    entries = [("dot", LINE, "equal-mass bins, 95% Wilson intervals")]
    if is_probability:
        entries.append(("dash", MUTED, "score = share right"))
    if found.fitted is not None:
        entries.append(("line", ACCENT, f"fitted map ({found.options.fit.value})"))
    return entries


def _fitted_line(drawing: Drawing, found: Calibration, x: Axis, y: Axis) -> None:
    fitted = found.fitted
    if fitted is None or (isinstance(fitted, PlattMap) and fitted.a is None):
        return
    places = [x.low + (x.high - x.low) * i / 200 for i in range(201)]
    drawing.path([(x(s), y(min(1.0, max(0.0, fitted.probability(s))))) for s in places], colour=ACCENT, width=1.8)


def _bin_counts(drawing: Drawing, bins: Sequence[ReliabilityBin], x: Axis, low: float, spread: float) -> None:
    most = max((one.n for one in bins), default=1)
    ground = _BOTTOM + 58
    for one in bins:
        left, right = x(low + spread * one.low), x(low + spread * one.high)
        centre, width = (left + right) / 2, max(3.0, right - left - 2)
        height = 26 * one.n / most
        drawing.box(centre - width / 2, ground - height, width, height, fill=LIGHT, line="#8ea4b8")
        if width > 14:  # noqa: PLR2004 - room for a number
            drawing.text(centre, ground - height - 4, str(one.n), anchor="middle", size=10, colour=MUTED)


# Cost against threshold


def _cost(found: Calibration) -> str:
    sweep, choice = found.sweep, found.choice
    assert sweep is not None
    which = "every abstention" if sweep.convention is AbstentionCost.ALL else "only missed right answers"
    drawing = Drawing(
        "cost",
        "What each threshold costs",
        f"wrong {sweep.cost_wrong:g}, abstention {sweep.cost_abstain:g}, charging {which}",
    )
    best = sweep.best.min_cost_per_query or 0.0
    drawing.heading(
        f"prices {sweep.cost_wrong:g} for a wrong answer and {sweep.cost_abstain:g} for an abstention, charging {which}"
    )
    rows = [(row.threshold, row) for row in sweep.rows if row.threshold is not None][::-1]
    n = found.curve.n
    wrong = [(t, sweep.cost_wrong * row.n_wrong / n) for t, row in rows]
    total = [(t, row.cost_per_query or 0.0) for t, row in rows]
    low, high = rows[0][0], rows[-1][0]
    margin = (high - low) * 0.06 or 0.5
    nothing = sweep.never_answer or 0.0
    wrong.append((high + margin, 0.0))
    total.append((high + margin, nothing))
    top = 1.1 * max([value for _, value in total] + [sweep.always_answer or 0.0]) or 1.0
    x, y = Axis(low - margin / 2, high + margin, _LEFT, _RIGHT - _GUTTER), Axis(0, top, _BOTTOM, _TOP)
    drawing.legend(
        _LEFT,
        72,
        [
            ("box", drawing.hatch("dark"), "wrong answers"),
            ("box", LIGHT, "abstentions"),
            ("line", INK, "together"),
            ("box", ACCENT, "within 5% of the least"),
            ("dot", ACCENT, "chosen"),
        ],
    )
    drawing.y_axis(y, _LEFT, x.end, [(v, f"{v:g}") for v in ticks(0, top)], "cost per query")
    _near_optimal(drawing, total, best, x, low)
    stepped_total, stepped_wrong = _steps(total, x.low), _steps(wrong, x.low)
    drawing.area(_placed(stepped_total, x, y), _placed(stepped_wrong, x, y), fill=LIGHT)
    drawing.area(_placed(stepped_wrong, x, y), [(x(x.high), y(0)), (x(x.low), y(0))][::-1], fill=drawing.hatch("dark"))
    drawing.path(_placed(stepped_total, x, y), colour=INK, width=1.8)
    levels = [("answer everything", sweep.always_answer), ("answer nothing", sweep.never_answer)]
    if found.band is not None and found.band.min_total_cost is not None and found.band.review_can_pay:
        levels.append(("with reviews", found.band.min_total_cost / n))
    _levels(drawing, [(words, value) for words, value in levels if value is not None], x, y)
    _theory(drawing, found, x)
    if choice.threshold is not None:
        here = next((value for t, value in total if t >= choice.threshold), nothing)
        drawing.line((x(choice.threshold), _TOP), (x(choice.threshold), _BOTTOM), colour=ACCENT, width=1.6)
        drawing.dot((x(choice.threshold), y(here)), radius=5.5, fill=ACCENT)
        words = f"score ≥ {choice.threshold:g}: {decimal(here)} per query"
        right = x(choice.threshold) + _BOLD * len(words) < x.end
        drawing.text(
            x(choice.threshold) + (9 if right else -9),
            _TOP + 14,
            words,
            anchor="start" if right else "end",
            weight="600",
            colour=ACCENT,
            halo=True,
        )
    drawing.x_axis(
        x, _BOTTOM, [(v, f"{v:g}") for v in ticks(x.low, x.high, 8)], "threshold on the score (answer at or above)"
    )
    return drawing.render()


def _near_optimal(drawing: Drawing, total: Sequence[Point], best: float, x: Axis, low: float) -> None:
    """Mark where the cost is within a twentieth of the least."""
    near = [t for t, value in total[:-1] if value <= best * float(1 + _NEAR)]
    if near:
        left = max((t for t, _ in total if t < near[0]), default=low)
        drawing.box(x(left), _BOTTOM + 1, x(near[-1]) - x(left), 5, fill=ACCENT)


def _levels(drawing: Drawing, levels: Sequence[tuple[str, float]], x: Axis, y: Axis) -> None:
    """Dotted lines with their words in the gutter at the right, kept apart."""
    lowest = -1.0
    for words, value in sorted(levels, key=lambda level: -level[1]):
        if value > y.high:
            continue
        drawing.line((x.start, y(value)), (x.end, y(value)), colour=INK, width=1.2, dash="1.5 3")
        lowest = max(y(value), lowest + 15)
        drawing.text(x.end + 8, lowest + 4, f"{words} {decimal(value)}", size=11)


def _theory(drawing: Drawing, found: Calibration, x: Axis) -> None:
    score = found.theory_score
    if score is None or found.sweep is None:
        return
    cut = found.sweep.theory.under(found.sweep.convention)
    drawing.line((x(score), _TOP), (x(score), _BOTTOM), colour=MUTED, width=1.6, dash="6 3")
    words = f"theory: {percent(cut or 0.0, 1)} right"
    right = x(score) + _WIDE * len(words) < x.end
    drawing.text(
        x(score) + (7 if right else -7),
        _TOP + 34,
        words,
        anchor="start" if right else "end",
        size=11,
        colour=MUTED,
        halo=True,
    )


# Claims kept against false claims


def _claims(found: ClaimStage) -> str:
    backoff = found.backoff
    drawing = Drawing("claims", "How many claims can stay", found.words)
    drawing.heading(f"{count(backoff.n_claims, 'claim')} of {count(backoff.n_answers, 'answer')}, best supported first")
    most = max([backoff.alpha, *(point.mean_loss for point in found.frontier)])
    high = min(1.0, 1.2 * max(most, *(point.false_among_kept for point in found.frontier[-1:])) or 1.0)
    x, y = Axis(0, 1, _LEFT, _RIGHT), Axis(0, high, _BOTTOM, _TOP)
    drawing.legend(
        _LEFT,
        72,
        [
            ("line", LINE, "false and kept, of those drafted (controlled)"),
            ("dash", MUTED, "false among the kept (not controlled)"),
            ("dot", ACCENT, "chosen"),
        ],
    )
    drawing.y_axis(y, _LEFT, _RIGHT, _shares(high), "share of false claims")
    among = [(point.kept_claims, point.false_among_kept) for point in found.frontier]
    loss = [(point.kept_claims, point.mean_loss) for point in found.frontier]
    drawing.path(_placed(_steps(among, 0.0), x, y), colour=MUTED, width=1.6, dash="6 3")
    drawing.path(_placed([(0.0, 0.0), *_steps(loss, 0.0)], x, y), width=2.2)
    drawing.line((_LEFT, y(backoff.alpha)), (_RIGHT, y(backoff.alpha)), colour=ACCENT, width=1.4, dash="9 4")
    words = f"limit {percent(backoff.alpha, 1)}"
    drawing.text(_LEFT + 6, y(backoff.alpha) - 6, words, size=11, colour=ACCENT, halo=True)
    if backoff.threshold is not None and backoff.mean_loss is not None and backoff.kept_claims is not None:
        place = (x(backoff.kept_claims), y(backoff.mean_loss))
        drawing.dot(place, radius=5.5, fill=ACCENT)
        words = f"score ≥ {backoff.threshold:g}: keeps {percent(backoff.kept_claims)}"
        left = backoff.kept_claims > 0.7  # noqa: PLR2004 - no room at the right
        # The loss only grows, so below it and to the right there is nothing; at its right end the ground is free.
        drawing.text(
            place[0] + (-12 if left else 12),
            _BOTTOM - 8 if left else min(_BOTTOM - 8, place[1] + 26),
            words,
            anchor="end" if left else "start",
            size=12.5,
            weight="600",
            colour=ACCENT,
            halo=True,
        )
    labels = [(v, percent(v)) for v in ticks(0, 1, 5)]
    drawing.x_axis(x, _BOTTOM, labels, "share of drafted claims kept")
    return drawing.render()


# Scores by outcome


def _scores(found: Calibration) -> str:
    kinds = _kinds(row for row in found.sample.rows if row.score is not None)
    rows, columns = -(-len(kinds) // 2), min(2, len(kinds))
    height = 110 + 150 * rows
    words = "right drafts upwards, wrong ones downwards"
    drawing = Drawing("scores", "Scores of right and wrong drafts", words, height=height)
    drawing.heading(words + (", by kind" if len(kinds) > 1 else ""))
    drawing.legend(
        _LEFT,
        72,
        [
            ("box", LIGHT, "right"),
            ("box", drawing.hatch("dark"), "wrong"),
            *([("line", ACCENT, "threshold")] if found.choice.threshold is not None else []),
        ],
    )
    scores = [row.score for rows_ in kinds.values() for row in rows_ if row.score is not None]
    low, high = min(scores), max(scores)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    high = high if high > low else low + 1
    width = (_RIGHT - _LEFT + 20) / columns - 40
    for place, (kind, members) in enumerate(kinds.items()):
        left = _LEFT - 20 + (place % columns) * (width + 40)
        top = 92 + 150 * (place // columns)
        across = Axis(low, high, left, left + width)
        _panel(drawing, found.choice.threshold, kind, members, x=across, top=top)
    return drawing.render()


def _kinds(rows: Iterable[Row]) -> Mapping[str, list[Row]]:
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row.kind or "all", []).append(row)
    largest = sorted(kinds, key=lambda kind: (-len(kinds[kind]), kind))
    if len(largest) > _MANY_KINDS:
        rest = [row for kind in largest[_MANY_KINDS - 1 :] for row in kinds[kind]]
        return {kind: kinds[kind] for kind in sorted(largest[: _MANY_KINDS - 1])} | {_OTHERS: rest}
    return {kind: kinds[kind] for kind in sorted(largest)}


def _panel(
    drawing: Drawing, threshold: float | None, kind: str, members: Sequence[Row], *, x: Axis, top: float
) -> None:
    right, wrong = [0] * _BARS, [0] * _BARS
    for row in members:
        place = min(_BARS - 1, int(((row.score or 0.0) - x.low) / (x.high - x.low) * _BARS))
        (right if row.correct else wrong)[place] += 1
    ground, tall = top + 68, 46.0
    most = max([*right, *wrong, 1])
    wide = (x.end - x.start) / _BARS
    for i in range(_BARS):
        up, down = tall * right[i] / most, tall * wrong[i] / most
        drawing.box(x.start + wide * i + 0.6, ground - up, wide - 1.2, up, fill=LIGHT, line="#8ea4b8")
        drawing.box(x.start + wide * i + 0.6, ground, wide - 1.2, down, fill=drawing.hatch("dark"))
    drawing.line((x.start, ground), (x.end, ground), colour=INK)
    title = f"{kind}: {sum(right)} right, {sum(wrong)} wrong (peak {most})"
    drawing.text(x.start, top + 10, title, size=12, weight="600")
    if threshold is not None and x.low <= threshold <= x.high:
        cut = x(threshold)
        drawing.line((cut, top + 18), (cut, ground + tall), colour=ACCENT, width=1.6)
    for value in ticks(x.low, x.high, 5):
        drawing.text(x(value), ground + tall + 14, f"{value:g}", anchor="middle", size=10, colour=MUTED)
