"""Whether the time a reply takes depends on what its requester may not read; only where a case opts in.

What a system reports of itself (`internal.timings.total_ms`) goes before what is measured around the call. From fifty
pairs on, medians are compared by a permutation test; from fewer only a difference nobody can overlook counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from pytest_grounded.checks.base import report
from pytest_grounded.harness.asking import Asked
from pytest_grounded.harness.parts import Part, PartState
from pytest_grounded.harness.replays import Replays
from pytest_grounded.harness.statistics import ALPHA, median_shift
from pytest_grounded.harness.variants import Variant, in_turn
from pytest_grounded.model.finding import Finding

__all__ = ["ENOUGH_PAIRS", "compare_times", "timing"]

ENOUGH_PAIRS = 50
"""Pairs from which on a test decides."""

_PLAIN_RATIO, _PLAIN_GAP_MS = 10.0, 100.0
_LEAST_RATIO, _LEAST_GAP_MS = 1.25, 2.0


def timing(replays: Replays, runs: int, *, seed: int) -> tuple[Part, Finding | None]:
    """Compare the times of the judged request with and without the hidden chunks, asked in turn."""
    pairs = max(runs, ENOUGH_PAIRS) if replays.live_asker is not None else runs
    times: dict[Variant, list[float]] = {Variant.LIVE: [], Variant.REDUCED: []}
    for run in range(pairs):
        found = {variant: _milliseconds(replays.ask(variant, run)) for variant in in_turn(run)}
        if None in found.values():
            break
        for variant, value in found.items():
            times[variant].append(value or 0.0)
    part, message = compare_times(times[Variant.LIVE], times[Variant.REDUCED], seed=seed)
    if part.state is not PartState.FAILED:
        return part, None
    return part, report("leak.timing", message, field="internal.timings.total_ms", chunks=replays.case.about)


def _milliseconds(asked: Asked | None) -> float | None:
    if asked is None:
        return None
    reported = (asked.outcome.internal.timings or {}).get("total_ms")
    if isinstance(reported, int | float) and not isinstance(reported, bool):
        return float(reported)
    return asked.elapsed_ms


def compare_times(live: Sequence[float], reduced: Sequence[float], *, seed: int) -> tuple[Part, str]:
    """What the times of both sides say, in milliseconds, and how much they differ.

    >>> compare_times([3.0], [410.0], seed=1)[0].state.value, compare_times([400.0], [410.0], seed=1)[0].state.value
    ('failed', 'not_run')
    """
    if not live or not reduced:
        return Part(PartState.NOT_RUN, "no times were reported"), ""
    low, high = sorted((median(live), median(reduced)))
    gap = high - low
    ratio = high / low if low > 0 else float("inf") if high > 0 else 1.0
    message = f"with the hidden chunks it took {median(live):g} ms, without them {median(reduced):g} ms (medians)"
    if len(live) < ENOUGH_PAIRS:
        if ratio >= _PLAIN_RATIO and gap >= _PLAIN_GAP_MS:
            return Part(PartState.FAILED), message
        return Part(PartState.NOT_RUN, f"{len(live)} pairs of runs are too few to compare times; {ENOUGH_PAIRS} do"), ""
    _, p = median_shift(live, reduced, seed=seed)
    if p < ALPHA and gap >= _LEAST_GAP_MS and ratio >= _LEAST_RATIO:
        return Part(PartState.FAILED), f"{message} over {len(live)} pairs (p = {p:.2g})"
    return Part(PartState.PASSED), ""
