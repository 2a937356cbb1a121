"""How the time of reading and checking grows with the length of texts made to be slow.

    python benchmarks/hostile.py [--most 200000] [--only NAME]

Every reader of text and every check gets every hostile text (one awkward piece repeated, with an end at which a pattern
fails) at a quarter of the length and in full. A step that is linear takes four times as long for four times the text; a
quadratic one sixteen times. Whatever comes out above six is measured once more at about twice the length. Times below 5
ms are too short to compare and counted as linear; the garbage collector is off meanwhile. The tests count calls
(`tests/counting.py`), which patterns that go back over a text do not show in. Takes about six minutes in full, one with
`--most 40000`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.text.quantities import find_quantities
from tests.checks.building import answer, claim, judged
from tests.checks.test_properties import HOSTILE, HOSTILE_CASE, hostile_reply
from tests.text.hostile import UNITS, hostile
from tests.text.test_hostile_text import WORK

SHORTEST, STAR = 0.005, 6.0


def spent(work: Callable[[Any], object], given: object) -> float:
    """Seconds of CPU."""
    started = time.process_time()
    work(given)
    return time.process_time() - started


def ratios(name: str, work: Callable[[Any], object], make: Callable[[int], Any], most: int) -> tuple[float, str, float]:
    """How many times longer the full length takes than a quarter of it, and how long that is."""
    work(make(most // 16))
    short, long = spent(work, make(most // 4)), spent(work, make(most))
    if long > STAR * short > STAR * SHORTEST:
        short, long = spent(work, make(most // 2 - 1)), spent(work, make(2 * most - 1))
    return (long / short if short > SHORTEST else 4.0, name, long)


def readers(most: int) -> list[tuple[float, str, float]]:
    """Every reader of text on every hostile text."""
    works = {**WORK, "find_quantities": find_quantities}
    return [
        ratios(f"{name} on {unit!a}", work, lambda size, unit=unit: hostile(unit, size), most)
        for name, work in works.items()
        for unit in UNITS
    ]


def checks(most: int) -> list[tuple[float, str, float]]:
    """Every check on a reply whose every field is hostile."""

    def looked(check: Any) -> Callable[[Any], object]:
        return lambda reply: list(check(judged(HOSTILE_CASE, reply)))

    shapes = {**HOSTILE, **{unit: (lambda size, unit=unit: hostile(unit, size)) for unit in UNITS}}
    return [
        ratios(
            f"{check.__name__} on {name!a}", looked(check), lambda size, shape=shape: hostile_reply(shape(size)), most
        )
        for check in DEFAULT_CHECKS
        for name, shape in shapes.items()
    ]


def many_claims() -> tuple[float, str, float]:
    """All checks on four times as many claims."""
    names = [f"The nightly hotel limit of city {place} is ${place}." for place in range(1_000)]

    def work(reply: Any) -> object:
        return [list(check(judged(HOSTILE_CASE, reply))) for check in DEFAULT_CHECKS]

    return ratios("all checks on claims", work, lambda size: answer(*map(claim, names[:size])), 1_000)


def main() -> None:
    """Measure and print the worst."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=200_000)
    parser.add_argument("--only", choices=["readers", "checks"])
    options = parser.parse_args()
    gc.disable()
    found = [many_claims()]
    found += readers(options.most) if options.only != "checks" else []
    found += checks(options.most) if options.only != "readers" else []
    found.sort(reverse=True)
    print(f"{len(found)} pairs of lengths, {sum(ratio > STAR for ratio, _, _ in found)} above {STAR:.0f}")
    for ratio, name, seconds in found[:15]:
        print(f"{'*' if ratio > STAR else ' '} {ratio:5.1f} times, {seconds:6.2f} s  {name}")
    longest = sorted(found, key=lambda one: -one[2])[:5]
    print("longest:", ", ".join(f"{name} {seconds:.1f} s" for _, name, seconds in longest))


if __name__ == "__main__":
    main()
