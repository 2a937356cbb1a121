"""Measures what a calibration of many rows costs, as a multiple of reading the same rows as JSON, and how it grows.

    python benchmarks/calibrate_many.py [rows]

Made-up rows: a score with distinct values and a label that is right with that probability. One method on more and more
of them, up to ten times as many as are asked for (100,000), with the most memory held; then every method on that many.
About two minutes of one core; `benchmarks/README.md` keeps the tables.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from pytest_grounded.calibration.calibrate import Calibration, calibrate
from pytest_grounded.calibration.charts import charts
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.options import Fit, Method, Options, Prices
from pytest_grounded.calibration.report import curve_csv, document, pointwise_band, text_report
from pytest_grounded.calibration.rows import read_rows

PRICES = Prices(wrong=5, abstain=1, convention=AbstentionCost.ALL)
METHODS = {
    "ltt": Options(method=Method.LTT, alpha=0.2),
    "crc": Options(method=Method.CRC),
    "empirical": Options(method=Method.EMPIRICAL, alpha=0.2),
    "cost": Options(method=Method.COST, prices=PRICES),
    "ltt, half held out, Platt": Options(method=Method.LTT, alpha=0.2, test_share=0.5, fit=Fit.PLATT),
}


def made_up(n: int) -> Iterator[bytes]:
    source = random.Random(7)
    for place in range(n):
        score = source.random()
        right = source.random() < score
        row = {"case": f"q{place:06}", "group": f"q{place:06}", "score": score, "correct": int(right)}
        yield json.dumps({**row, "sample": "traffic"}).encode()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def written(found: Calibration) -> None:
    document(found)
    text_report(found)
    charts(found, band := pointwise_band(found))
    for _ in curve_csv(found, band):
        pass


def every_method(n: int) -> None:
    lines = list(made_up(n))
    bare, _ = timed(lambda: [json.loads(line) for line in lines])
    reading, sample = timed(lambda: read_rows(lines))
    print(f"\n{n:,} rows; bare JSON {bare:.2f} s, reading and checking {reading:.2f} s ({reading / bare:.1f} x)\n")
    print("| method | calibrate s | x bare | writing s |\n| --- | ---: | ---: | ---: |")
    for name, options in METHODS.items():
        took, found = timed(lambda options=options: calibrate(sample, options))
        writing, _ = timed(lambda found=found: written(found))
        print(f"| {name} | {took:.1f} | {took / bare:.0f} | {writing:.1f} |", flush=True)


def growth(n: int) -> None:
    print("| rows | bare JSON s | reading s | calibrate s | writing s | all, x bare | held MB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for rows in (n // 100, n // 10, n, 10 * n):
        bare, _ = timed(lambda rows=rows: sum(bool(json.loads(line)) for line in made_up(rows)))
        making, _ = timed(lambda rows=rows: sum(map(bool, made_up(rows))))
        bare -= making
        reading, sample = timed(lambda rows=rows: read_rows(made_up(rows)))
        took, found = timed(lambda sample=sample: calibrate(sample, METHODS["ltt"]))
        writing, _ = timed(lambda found=found: written(found))
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        reading -= making
        times = (reading + took + writing) / bare
        costs = f"{bare:.3f} | {reading:.2f} | {took:.2f} | {writing:.2f} | {times:.0f} | {held:,.0f}"
        print(f"| {rows:,} | {costs} |", flush=True)


def main(n: int) -> None:
    growth(n)
    every_method(n)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
