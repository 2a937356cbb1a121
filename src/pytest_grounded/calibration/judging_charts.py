"""The charts of a measured judge: where it can be trusted, what it says beside people, what its score means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_grounded.calibration.intervals import Interval
from pytest_grounded.calibration.judging import JudgeMeasurement, ScoreReliability, SliceQuality
from pytest_grounded.calibration.svg import ACCENT, GRID, INK, LIGHT, LINE, MUTED, Axis, Drawing
from pytest_grounded.calibration.wording import count, decimal, percent

__all__ = ["judge_charts"]

_Part = tuple[float | None, Interval | None, int]
_PANELS: tuple[tuple[str, str, Callable[[SliceQuality], _Part]], ...] = (
    ("agreement", "agrees with people", lambda one: (one.agreement, one.agreement_interval, one.n)),
    (
        "TPR",
        "of supported claims: says support",
        lambda one: (one.quality.tpr, one.quality.tpr_interval, sum(one.quality.supported_judged)),
    ),
    (
        "TNR",
        "of the others: denies it",
        lambda one: (one.quality.tnr, one.quality.tnr_interval, sum(one.quality.unsupported_judged)),
    ),
)
_LEFT, _RIGHT, _TOP, _ROW = 148.0, 740.0, 118.0, 30.0
_GAP = 48.0
_FEW = 10
_DARK_FROM = 0.55


def judge_charts(found: JudgeMeasurement) -> dict[str, str]:
    """The SVG documents by name; `reliability` only where the judge cuts a score.

    >>> from pytest_grounded.calibration.judging import Verdict, measure_judge
    >>> from pytest_grounded.calibration.labels import LabelledClaim, LabelledSet
    >>> claims = tuple(LabelledClaim(id=str(i), claim="", evidence=(), truth=i % 2) for i in range(40))
    >>> said = {str(i): Verdict(word="support" if i % 2 else "neutral") for i in range(40)}
    >>> sorted(judge_charts(measure_judge(LabelledSet(claims=claims), said, judge="j", version="1")))
    ['confusion', 'slices']
    """
    drawn = {"slices": _slices(found), "confusion": _confusion(found)}
    if found.reliability is not None:
        drawn["reliability"] = _reliability(found, found.reliability)
    return drawn


# Where it can be trusted


def _slices(found: JudgeMeasurement) -> str:
    rows = [found.whole, *(one for one in found.slices if one.n)]
    bottom = _TOP + _ROW * len(rows)
    drawing = Drawing(
        "slices",
        "Where the judge can be trusted",
        f"Agreement, TPR and TNR of {found.judge} over {count(found.whole.n, 'claim')}, whole and by slice",
        height=int(bottom + 62),
    )
    drawing.heading(f"{found.judge} against {found.labels}; 95% exact intervals, number of claims beside each")
    for place, one in enumerate(rows):
        y = _TOP + _ROW * (place + 0.5)
        name = "all claims" if place == 0 else one.name.replace("_", " ")
        drawing.text(_LEFT - 14, y + 4, name, anchor="end", weight="600" if place == 0 else "")
        if place == 1:
            drawing.line((20, _TOP + _ROW), (_RIGHT, _TOP + _ROW), colour=MUTED)
    width = (_RIGHT - _LEFT - 2 * _GAP) / len(_PANELS)
    for panel, (name, words, of) in enumerate(_PANELS):
        left = _LEFT + panel * (width + _GAP)
        _panel(drawing, Axis(0, 1, left, left + width), bottom, (name, words), [of(one) for one in rows])
    drawing.text(
        20, bottom + 50, "A claim may be in several slices. Hollow: fewer than 10 claims.", colour=MUTED, size=11
    )
    return drawing.render()


def _panel(drawing: Drawing, x: Axis, bottom: float, names: tuple[str, str], parts: Sequence[_Part]) -> None:
    name, words = names
    drawing.text(x.start, _TOP - 34, name, weight="600")
    drawing.text(x.start, _TOP - 19, words, colour=MUTED, size=11)
    for value in (0.0, 0.5, 1.0):
        drawing.line((x(value), _TOP - 6), (x(value), bottom), colour=GRID)
        drawing.text(x(value), bottom + 18, percent(value), anchor="middle", size=11)
    for place, (rate, interval, n) in enumerate(parts):
        y = _TOP + _ROW * (place + 0.5)
        if rate is None or interval is None:
            drawing.text(x(0.5), y + 4, "no claim", anchor="middle", colour=MUTED, size=11, halo=True)
            continue
        colour = ACCENT if place == 0 else LINE
        drawing.line((x(interval.low), y), (x(interval.high), y), colour=colour, width=2)
        for end in (interval.low, interval.high):
            drawing.line((x(end), y - 4), (x(end), y + 4), colour=colour, width=1.4)
        drawing.dot((x(rate), y), radius=4.5, fill="#fff" if n < _FEW else colour, line=colour if n < _FEW else "#fff")
        left = rate > 0.5  # noqa: PLR2004 - the half with more room
        edge = x(interval.low) - 7 if left else x(interval.high) + 7
        drawing.text(edge, y + 4, str(n), anchor="end" if left else "start", size=10, colour=MUTED, halo=True)


# What it says beside people


def _confusion(found: JudgeMeasurement) -> str:
    quality = found.whole.quality
    tpr, tnr = ("n/a" if rate is None else percent(rate, 1) for rate in (quality.tpr, quality.tnr))
    drawing = Drawing(
        "confusion",
        "What the judge says beside people",
        f"TPR {tpr}, TNR {tnr}, kappa {_figure(found.whole.kappa.kappa)}",
        height=286,
    )
    drawing.heading(
        f"TPR {tpr}, TNR {tnr}; agreement {_percent(found.whole.agreement)}, kappa {_figure(found.whole.kappa.kappa)}"
    )
    columns = ("judge: support", "judge: not supported", "undecided")
    left, top, width, height = 196.0, 100.0, 176.0, 72.0
    for place, words in enumerate(columns):
        drawing.text(left + width * (place + 0.5), top - 12, words, anchor="middle", weight="600")
    rows = (("people: supported", quality.supported_judged, 0), ("people: unsupported", quality.unsupported_judged, 1))
    for row, (words, counts, right) in enumerate(rows):
        y, total = top + row * (height + 6), sum(counts)
        drawing.text(left - 14, y + height / 2 - 2, words, anchor="end", weight="600")
        drawing.text(left - 14, y + height / 2 + 15, count(total, "claim"), anchor="end", colour=MUTED, size=11)
        for place, n in enumerate(counts):
            colour = LINE if place == right else ACCENT if place < len(counts) - 1 else MUTED
            _cell(drawing, (left + width * place, y, width - 6, height), n, total, colour=colour)
    return drawing.render()


def _cell(drawing: Drawing, box: tuple[float, float, float, float], n: int, total: int, *, colour: str) -> None:
    """Shaded by its share of the row; what is right has a frame, so that it is found in grey too."""
    x, y, width, height = box
    share = n / total if total else 0.0
    drawing.box(x, y, width, height, fill=_shade(colour, share), line=LINE if colour == LINE else GRID)
    ink = "#fff" if share >= _DARK_FROM else INK
    drawing.text(x + width / 2, y + height / 2 + 2, str(n), anchor="middle", size=20, weight="600", colour=ink)
    if total:
        drawing.text(x + width / 2, y + height / 2 + 20, percent(share), anchor="middle", size=11, colour=ink)


def _shade(colour: str, share: float) -> str:
    """The colour laid over white, so strong as the share; never so strong that dark words could not be read on it."""
    strength = 0.06 + 0.94 * share if share >= _DARK_FROM else 0.06 + 0.55 * share
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(255 + (part - 255) * strength):02x}" for part in parts)


def _percent(value: float | None) -> str:
    return "n/a" if value is None else percent(value, 1)


def _figure(value: float | None) -> str:
    return "n/a" if value is None else decimal(value)


# What its score means


def _reliability(found: JudgeMeasurement, score: ScoreReliability) -> str:
    words = (
        f"{count(score.n, 'claim')} with a score: AUROC {_figure(score.auroc)}, Brier {_figure(score.brier)}, ECE "
        f"{_figure(score.ece)} in 10 bins (a perfect score: {_figure(score.reference)})"
    )
    drawing = Drawing("judge-reliability", "Does its score mean what it says", words, height=470)
    drawing.heading(words)
    left, top, bottom = 66.0, 112.0, 362.0
    x, y = Axis(0, 1, left, 736.0), Axis(0, 1, bottom, top)
    drawing.legend(
        left,
        72,
        [
            ("dot", LINE, "equal-mass bins, 95% Wilson intervals"),
            ("dash", MUTED, "score = share supported"),
            ("line", ACCENT, f"support from {score.threshold:g} on"),
        ],
    )
    shares = [(value / 5, percent(value / 5)) for value in range(6)]
    drawing.y_axis(y, left, 736.0, shares, "share that people call supported")
    drawing.line((x(0), y(0)), (x(1), y(1)), colour=MUTED, width=1.4, dash="6 3")
    if 0 <= score.threshold <= 1:
        drawing.line((x(score.threshold), top), (x(score.threshold), bottom), colour=ACCENT, width=1.6)
    most = max((one.n for one in score.bins), default=1)
    ground = bottom + 58
    for one in score.bins:
        place = x(one.mean_probability)
        drawing.bar(place, y(one.interval.low), y(one.interval.high))
        drawing.dot((place, y(one.right_rate)), radius=4.5)
        centre, wide = (x(one.low) + x(one.high)) / 2, max(3.0, x(one.high) - x(one.low) - 2)
        height = 26 * one.n / most
        drawing.box(centre - wide / 2, ground - height, wide, height, fill=LIGHT, line="#8ea4b8")
        if wide > 14:  # noqa: PLR2004 - room for a number
            drawing.text(centre, ground - height - 4, str(one.n), anchor="middle", size=10, colour=MUTED)
    drawing.x_axis(x, ground, [(value / 5, f"{value / 5:g}") for value in range(6)], f"score of {found.judge}")
    return drawing.render()
