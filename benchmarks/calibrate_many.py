"""Measures what a calibration of many rows costs, as a multiple of reading the same rows as JSON.

    python benchmarks/calibrate_many.py [rows]

Made-up rows: a score with distinct values and a label that is right with that probability. 100,000 of them and every
method take well under a minute on one core; `benchmarks/README.md` keeps the table.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from pytest_grounded.calibration.calibrate import calibrate
from pytest_grounded.calibration.charts import charts
from pytest_grounded.calibration.costs import AbstentionCost
from pytest_grounded.calibration.options import Fit, Method, Options, Prices
from pytest_grounded.calibration.report import curve_csv, document, pointwise_band, text_report
from pytest_grounded.calibration.rows import read_rows

PRICES = Prices(wrong=5, abstain=1, convention=AbstentionCost.ALL)


def made_up(n: int) -> list[bytes]:
    source = random.Random(7)
    rows = []
    for place in range(n):
        score = source.random()
        right = source.random() < score
        rows.append({"case": f"q{place:06}", "group": f"q{place:06}", "score": score, "correct": int(right)})
    return [json.dumps({**row, "sample": "traffic"}).encode() for row in rows]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main(n: int) -> None:
    lines = made_up(n)
    bare, _ = timed(lambda: [json.loads(line) for line in lines])
    reading, sample = timed(lambda: read_rows(lines))
    print(f"{n:,} rows; bare JSON {bare:.2f} s, reading and checking {reading:.2f} s ({reading / bare:.1f} x)")
    print("| method | calibrate s | x bare | writing s |\n| --- | ---: | ---: | ---: |")
    for name, options in (
        ("ltt", Options(method=Method.LTT, alpha=0.2)),
        ("crc", Options(method=Method.CRC)),
        ("empirical", Options(method=Method.EMPIRICAL, alpha=0.2)),
        ("cost", Options(method=Method.COST, prices=PRICES)),
        ("ltt, half held out, Platt", Options(method=Method.LTT, alpha=0.2, test_share=0.5, fit=Fit.PLATT)),
    ):
        took, found = timed(lambda options=options: calibrate(sample, options))
        writing, _ = timed(
            lambda found=found: (
                document(found),
                text_report(found),
                charts(found, band := pointwise_band(found)),
                list(curve_csv(found, band)),
            )
        )
        print(f"| {name} | {took:.1f} | {took / bare:.0f} | {writing:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
