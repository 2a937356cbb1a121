"""Does the pipeline answer where it can and refuse where it must, and what does a calibrated threshold change?

    python benchmarks/deciding.py [knee.svg]

Each public set is asked once with default settings. Its groups (paragraphs, pages) are parted into halves by a seeded
shuffle; a threshold on the confidence is chosen on one half, by cost, with the project's own calibration, and looked at
on the other. Of the trade between refusals and wrong answers the knee is found likewise: the threshold whose point lies
farthest below the straight line between answering as the gate does and answering nothing (Satopää et al. 2011). The
whole takes about a minute. The chart is written to the path given, `benchmarks/charts/knee.svg` by default.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answering import SETS, Asked, ramdocs

from pytest_grounded.calibration.confusion import Answerability, Rate, answerability_rates
from pytest_grounded.calibration.costs import AbstentionCost, threshold_sweep
from pytest_grounded.calibration.curves import risk_coverage
from pytest_grounded.calibration.intervals import wilson
from pytest_grounded.calibration.options import Method, Options
from pytest_grounded.calibration.quality import area_intervals
from pytest_grounded.calibration.rows import Row, Sample
from pytest_grounded.calibration.sampling import split_by_group
from pytest_grounded.calibration.svg import ACCENT, INK, LINE, MUTED, Axis, Drawing, Point, ticks
from pytest_grounded.pipeline.reference import ReferencePipeline

CHART = Path(__file__).parent / "charts" / "knee.svg"
HALVES = Options(method=Method.EMPIRICAL, test_share=Fraction(1, 2))
PRICES = ((1, 1), (2, 1), (5, 1))
"""What a wrong answer costs and what an abstention does; every abstention is charged."""


@dataclass(frozen=True, kw_only=True)
class Half:
    """Half of a set as rows: the score of what the gate let through, whether it was right."""

    rows: tuple[Row, ...]

    def rates(self, threshold: float = 0.0) -> Answerability:
        """What is answered and refused where only a score that reaches the threshold is answered."""
        shown = [row.score is not None and row.score >= threshold for row in self.rows]
        return answerability_rates(
            [int(bool(row.answerable)) for row in self.rows],
            [int(one) for one in shown],
            [int(bool(row.correct)) for row in self.rows],
        )

    @property
    def scored(self) -> tuple[list[float], list[int], int]:
        """Scores, labels, and how many rows were never answered."""
        known = [(row.score, int(bool(row.correct))) for row in self.rows if row.score is not None]
        return [score for score, _ in known], [right for _, right in known], len(self.rows) - len(known)

    def area(self) -> str:
        """The area under the generalized risk, with its interval."""
        scores, labels, never = self.scored
        found, interval = risk_coverage(scores, labels, never_answered=never), area_intervals(self.rows).augrc
        return f"{found.augrc:.4f} ({interval.low:.4f} to {interval.high:.4f})"

    def cheapest(self, wrong: int, abstain: int) -> float | None:
        """The lowest of the cheapest thresholds; None answers nothing."""
        scores, labels, never = self.scored
        found = threshold_sweep(
            scores,
            labels,
            cost_wrong=wrong,
            cost_abstain=abstain,
            abstain_cost=AbstentionCost.ALL,
            never_answered=never,
        )
        return min((one for one in found.best.optimal_thresholds if one is not None), default=None)

    def cost(self, threshold: float | None, wrong: int, abstain: int) -> float:
        """What a question costs at a threshold."""
        shown = [row for row in self.rows if threshold is not None and row.score is not None and row.score >= threshold]
        mistaken = sum(not row.correct for row in shown)
        return (wrong * mistaken + abstain * (len(self.rows) - len(shown))) / len(self.rows)

    def trade(self) -> list[tuple[float, Point]]:
        """Thresholds, each with the share of answerable questions refused and of all questions answered wrongly."""
        thresholds = sorted({row.score for row in self.rows if row.score is not None})
        return [(threshold, self.point(threshold)) for threshold in (*thresholds, _NOTHING)]

    def point(self, threshold: float) -> Point:
        """What a threshold costs the answerable questions, and how often it is wrong."""
        shown = [row for row in self.rows if row.score is not None and row.score >= threshold]
        able = sum(bool(row.answerable) for row in self.rows)
        refused = able - sum(bool(row.answerable) for row in shown)
        return refused / able, sum(not row.correct for row in shown) / len(self.rows)

    def knee(self) -> float:
        """The threshold whose point lies farthest below the line between the ends; the lowest of equal ones."""
        points = self.trade()
        (left, high), (right, low) = points[0][1], points[-1][1]

        def below(point: Point) -> float:
            across = (point[0] - left) / (right - left)
            return 1 - across - (point[1] - low) / (high - low)

        return max(points, key=lambda one: (below(one[1]), -one[0]))[0]


_NOTHING = 1.01


def halves(asked: Sequence[Asked]) -> tuple[Half, Half]:
    """The half to choose on and the half to confirm on, parted by group."""
    rows = tuple(
        Row(
            case=one.name,
            group=one.group,
            score=one.score if one.answered else None,
            correct=int(one.right),
            answerable=one.kind != "unanswerable",
        )
        for one in asked
    )
    chosen, held = split_by_group(Sample(rows=rows), HALVES)
    return Half(rows=chosen), Half(rows=held)


def share(rate: Rate) -> str:
    return f"{rate.k} of {rate.n} ({rate.rate:.0%})" if rate.rate is not None else "none"


def thresholds(choosing: Half) -> Iterator[tuple[str, float]]:
    """The thresholds that half of a set recommends, by what they were chosen for."""
    yield "default gate", 0.0
    for wrong, abstain in PRICES:
        cheapest = choosing.cheapest(wrong, abstain)
        yield f"least cost, {wrong} : {abstain}", _NOTHING if cheapest is None else cheapest
    yield "knee", choosing.knee()


def report(title: str, choosing: Half, confirming: Half) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    yield f"{len(choosing.rows)} questions to choose on, {len(confirming.rows)} to confirm on. On the confirming half:"
    yield ""
    yield "| threshold chosen by | at | answerable: answered rightly | refused | unanswerable: answered | refused |"
    yield "| --- |" + " ---: |" * 5
    for name, threshold in thresholds(choosing):
        rates = confirming.rates(threshold)
        four = (rates.answer_accuracy, rates.wrong_refusal, rates.wrong_answer, rates.right_refusal)
        yield f"| {name} | {written(threshold)} | " + " | ".join(map(share, four)) + " |"
    yield ""
    yield "| price of a wrong answer : of an abstention | " + " | ".join(f"{w} : {a}" for w, a in PRICES) + " |"
    yield "| --- |" + " ---: |" * len(PRICES)
    for name, cost in costs(choosing, confirming):
        yield f"| {name} | " + " | ".join(f"{value:.3f}" for value in cost) + " |"
    yield ""
    yield f"AUGRC: {choosing.area()} on the choosing half, {confirming.area()} on the confirming one."
    yield ""


def written(threshold: float) -> str:
    return "." if not threshold else "nothing" if threshold == _NOTHING else f"{threshold:.3f}"


def costs(choosing: Half, confirming: Half) -> Iterator[tuple[str, list[float]]]:
    """What a question costs: at the threshold of each price on both halves, and without one."""
    chosen = [choosing.cheapest(*prices) for prices in PRICES]
    for name, half in (("chosen threshold, choosing half", choosing), ("the same, confirming half", confirming)):
        yield name, [half.cost(threshold, *prices) for threshold, prices in zip(chosen, PRICES, strict=True)]
    best = [confirming.cheapest(*prices) for prices in PRICES]
    cheapest = [confirming.cost(threshold, *prices) for threshold, prices in zip(best, PRICES, strict=True)]
    yield "the cheapest there is on the confirming half", cheapest
    yield "default gate, confirming half", [confirming.cost(0.0, *prices) for prices in PRICES]
    yield "answering nothing", [float(abstain) for _, abstain in PRICES]


def conflicts(asked: Sequence[Asked]) -> Iterator[str]:
    """What becomes of the questions whose documents contradict each other."""
    contradicted = [one for one in asked if one.kind == "contradicted"]
    counts = Counter(one.outcome for one in contradicted)
    disclosed = counts["conflict disclosed"]
    among = sum(one.answered or one.outcome == "conflict disclosed" for one in contradicted)
    silent = sum(number for outcome, number in counts.items() if outcome.startswith("answered"))
    interval = wilson(disclosed, among)
    yield "### ramdocs, contradicted questions"
    yield ""
    yield (
        f"Of {len(contradicted)} questions {len(contradicted) - among} are refused, {silent} answered without a word "
        f"of the contradiction ({counts['answered with both, undisclosed']} of them with both answers, "
        f"{counts['answered with the planted wrong one']} with the planted one), and {disclosed} disclose it: "
        f"{disclosed / among:.0%} of those that say anything (95 % interval {interval.low:.0%} to {interval.high:.0%})."
    )
    yield ""


def chart(found: Mapping[str, tuple[Half, Half]]) -> str:
    """Refusals of answerable questions against wrong answers on the confirming half, with the knee of the other."""
    drawing = Drawing(
        "knee", "What refusing costs and spares", "squad2, confirming half, by threshold on the confidence"
    )
    drawing.heading("squad2, confirming half; from the default gate (left) down to answering nothing (right)")
    left, right, top, bottom = 66.0, 736.0, 112.0, 362.0
    curves = {name: confirming.trade() for name, (_, confirming) in found.items()}
    high = 1.12 * max(point[1] for trade in curves.values() for _, point in trade)
    x, y = Axis(0, 1, left, right), Axis(0, high, bottom, top)
    drawing.y_axis(y, left, right, [(v, f"{v:.0%}") for v in ticks(0, high)], "share of all questions answered wrongly")
    entries = []
    for (name, trade), colour, dash, height in zip(curves.items(), (LINE, INK), ("", "6 3"), (0.56, 0.76), strict=True):
        drawing.path([(x(across), y(up)) for _, (across, up) in trade], colour=colour, dash=dash, width=2.2)
        entries.append(("dash" if dash else "line", colour, name))
        knee = found[name][0].knee()
        place = found[name][1].point(knee)
        here, label = (x(place[0]), y(place[1])), y(height * high)
        drawing.line((here[0], label + 6), here, colour=ACCENT)
        drawing.dot(here, radius=5.5, fill=ACCENT)
        words = f"{name}, score \u2265 {knee:.2f}: {place[0]:.0%} refused, {place[1]:.0%} wrong"
        drawing.text(right, label, words, anchor="end", colour=ACCENT, weight="600", halo=True)
        drawing.dot((x(trade[0][1][0]), y(trade[0][1][1])), radius=3.5, fill=MUTED)
    drawing.legend(left, 72, [*entries, ("dot", ACCENT, "knee of the choosing half"), ("dot", MUTED, "default gate")])
    labels = [(v, f"{v:.0%}") for v in ticks(0, 1)]
    drawing.x_axis(x, bottom, labels, "share of answerable questions refused")
    return drawing.render()


def main(path: Path) -> None:
    pipeline = ReferencePipeline()
    parted: dict[str, tuple[Half, Half]] = {}
    for name in ("squad2", "conditionalqa"):
        for title, run in SETS[name]:
            choosing, confirming = halves(list(run(pipeline)))
            for line in report(title, choosing, confirming):
                print(line)
            if name == "squad2":
                parted[title.removeprefix("squad2, each question of its ")] = choosing, confirming
    for line in conflicts(list(ramdocs(pipeline))):
        print(line)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(chart(parted), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CHART)
