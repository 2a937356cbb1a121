"""Whether what a requester can observe depends on what they may not read: the same request with and without it.

A stable system shows the same over both corpora, exactly. One that differs from itself is run several times a side and
compared by statistics, unless its model was given the same input each time: then only fields that hold still count.
What is said of a difference are the fields, never their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounded.checks.base import report
from pytest_grounded.harness.features import side_by_side
from pytest_grounded.harness.observation import Observed, differences, is_only_reordered, top_level
from pytest_grounded.harness.parts import Part, PartState
from pytest_grounded.harness.replays import Replays, has_failed, is_missing
from pytest_grounded.harness.statistics import ALPHA, POWER, Alike, compare
from pytest_grounded.harness.variants import Variant, in_turn
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.vocabulary import ReasonCode

__all__ = [
    "CONFIRMING_RUNS",
    "STATISTICAL_RUNS",
    "Difference",
    "compared_paths",
    "difference_finding",
    "differential",
    "precondition",
]

CONFIRMING_RUNS = 5
"""Runs a side that have to agree before a difference counts as exact: by Fisher's test p = 0.008."""

STATISTICAL_RUNS = 20
"""Runs a side for a system that turns out unstable, where the case does not say how many."""

_Run = tuple[Outcome, Observed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What the comparison came to; `inconclusive`: it was made and could not tell; `is_exact`: without statistics."""

    part: Part
    finding: Finding | None = None
    inconclusive: bool = False
    is_exact: bool = True


def precondition(replays: Replays, runs: int) -> Part:
    """Whether there is anything to compare: the run without the hidden chunks did not fail, the other failed twice.

    Where only the whole corpus makes the system fail, that is something to observe.
    """
    live, reduced = replays.outcome(Variant.LIVE), replays.outcomes(Variant.REDUCED, runs)
    if live is None:
        return Part(PartState.NOT_RUN, "nothing was asked")
    if has_failed(live) and not reduced:
        return Part(PartState.FAILED, "the system failed")
    if reduced and all(map(has_failed, reduced)):
        which = "both runs failed" if has_failed(live) else "the run without the hidden chunks failed"
        return Part(PartState.FAILED, f"{which}: {_kind(reduced[0])}")
    if has_failed(live) and replays.live_asker is not None:
        again = replays.outcome(Variant.LIVE, 1)
        if again is None or not has_failed(again):
            return Part(PartState.FAILED, "the system failed once and not again")
    return Part(PartState.PASSED)


def _kind(outcome: Outcome) -> str:
    return outcome.failure.kind.value if outcome.failure else "SYSTEM_FAILURE"


def differential(replays: Replays, runs: int, *, seed: int) -> Difference:
    """Compare the judged request over both corpora; asks as few further runs as settle it."""
    if replays.outcome(Variant.REDUCED) is None:
        return Difference(part=Part(PartState.NOT_RUN, _no_reduced(replays)))
    comparing = _Comparing(replays, runs)
    if not replays.is_fresh and any(map(_came_from_a_cache, replays.outcomes(Variant.REDUCED, 1))):
        why = "the reply without the hidden chunks came from a cache of the same system: give it a method fresh()"
        return Difference(part=Part(PartState.NOT_RUN, why), inconclusive=True)
    comparing.take(2)
    if comparing.is_stable and not comparing.differing:
        return Difference(part=Part(PartState.PASSED))
    comparing.take(CONFIRMING_RUNS)
    if comparing.is_stable and not comparing.differing:
        return Difference(part=Part(PartState.PASSED))
    if comparing.is_stable:
        return _failed(difference_finding(replays, comparing.live[0], comparing.reduced[0], comparing.differing))
    if comparing.is_noise:
        why = "the model was given the same input; what differs, differs by itself"
        return Difference(part=Part(PartState.PASSED, why), is_exact=False)
    comparing.take(runs if runs > 1 else STATISTICAL_RUNS)
    return _by_statistics(replays, comparing, seed)


def _no_reduced(replays: Replays) -> str:
    if replays.asker is None:
        return "a single reply was judged; nothing was asked without the hidden chunks"
    return "no reply of the variant reduced is recorded"


def _came_from_a_cache(outcome: Outcome) -> bool:
    cache = outcome.internal.cache
    return isinstance(cache, Mapping) and cache.get("hit") is True


class _Comparing:
    """Runs of both sides, as many as were taken so far."""

    def __init__(self, replays: Replays, runs: int) -> None:
        self._replays = replays
        self._runs = runs
        self.live: list[_Run] = []
        self.reduced: list[_Run] = []

    def take(self, runs: int) -> None:
        """Look at so many runs a side at least: of a system that runs, in turn; of a recording, what there is."""
        is_live = self._replays.live_asker is not None
        wanted = max(runs, self._runs) if is_live else self._runs
        sides = {Variant.LIVE: self.live, Variant.REDUCED: self.reduced}
        for run in range(wanted):
            for variant in in_turn(run):
                # That it agrees with itself is seen over the whole corpus: a case that passes costs no more than that.
                is_spared = is_live and variant is Variant.REDUCED and self._runs <= run < _A_PAIR == wanted
                if not is_spared:
                    self._add(sides[variant], variant, run)

    def _add(self, side: list[_Run], variant: Variant, run: int) -> None:
        found = self._replays.outcome(variant, run) if run == len(side) else None
        if found is not None and not is_missing(found):
            side.append((found, self._replays.observed(found)))

    @property
    def is_stable(self) -> bool:
        """Whether neither side differs from itself."""
        return all(len({observed.key for _, observed in side}) == 1 for side in (self.live, self.reduced))

    @property
    def differing(self) -> tuple[str, ...]:
        """Where the first runs differ; what reached a model first, where it was observed and holds still."""
        holds_still = all(len({one.internal.prompt for one, _ in side}) == 1 for side in (self.live, self.reduced))
        return compared_paths(self.live[0], self.reduced[0], with_prompts=holds_still)

    @property
    def is_noise(self) -> bool:
        """Whether a model was given the same input in every run, and only differs what differs by itself."""
        prompts = {outcome.internal.prompt for outcome, _ in (*self.live, *self.reduced)}
        if len(prompts) != 1 or not next(iter(prompts)):
            return False
        moving = {field for side in (self.live, self.reduced) for field in _moving(side)}
        apart = (top_level(differences(one.value, other.value)) for _, one in self.live for _, other in self.reduced)
        return all(moving.issuperset(fields) for fields in apart)


_A_PAIR = 2


def _moving(side: Sequence[_Run]) -> Iterable[str]:
    """The fields in which the runs of a side differ."""
    first = side[0][1].value
    return (field for _, run in side for field in top_level(differences(first, run.value)))


def _by_statistics(replays: Replays, comparing: _Comparing, seed: int) -> Difference:
    sides = side_by_side([run for _, run in comparing.live], [run for _, run in comparing.reduced])
    found = compare(*sides, seed=seed)
    counts = f"{found.runs[0]} runs with and {found.runs[1]} without the hidden chunks"
    match found.answer:
        case Alike.DIFFER:
            worst = next(iter(found.p_values))
            message = (
                f"{counts} differ in {', '.join(found.fields)} by more than the system differs from itself "
                f"(p = {found.p_values[worst]:.2g} after correction for {len(found.p_values)} comparisons)"
            )
            finding = report("leak.differential", message, field=worst.partition(" (")[0], chunks=replays.case.about)
            return _failed(finding, is_exact=False)
        case Alike.ALIKE:
            part = Part(PartState.PASSED, f"{counts} do not differ (power {found.power:.2f})")
            return Difference(part=part, is_exact=False)
        case Alike.TOO_FEW:
            why = (
                f"the system differs from itself, and {counts} cannot tell (power {found.power:.2f}, at least {POWER} "
                f"is needed at p < {ALPHA}): raise runs, or let a deterministic model reply"
            )
            return Difference(part=Part(PartState.NOT_RUN, why), inconclusive=True, is_exact=False)


def compared_paths(live: _Run, reduced: _Run, *, with_prompts: bool = True) -> tuple[str, ...]:
    """Where two replies differ; what reached a model first, where that was observed of both."""
    (one, seen), (other, also_seen) = live, reduced
    if (one.response is None) != (other.response is None):
        return ("failure",)
    prompts = (one.internal.prompt, other.internal.prompt)
    is_input = with_prompts and None not in prompts and prompts[0] != prompts[1]
    return (*(("internal.prompt",) if is_input else ()), *differences(seen.value, also_seen.value))


def _failed(finding: Finding, *, is_exact: bool = True) -> Difference:
    return Difference(part=Part(PartState.FAILED, finding.message), finding=finding, is_exact=is_exact)


def difference_finding(replays: Replays, live: _Run, reduced: _Run, paths: Sequence[str]) -> Finding:
    """What is said of two replies that differ: the fields, and of closed ones the values."""
    fields = top_level(paths) if "internal.prompt" not in paths else ("internal.prompt", *top_level(paths[1:]))
    said = ", ".join(_described(field, live, reduced) for field in fields)
    message = f"what is shown depends on chunks the requester may not read: without them differ {said}"
    return report("leak.differential", message, field=paths[0], chunks=replays.case.about)


def _described(field: str, live: _Run, reduced: _Run) -> str:
    """A field with what may be said of the difference: closed values, an order, a number."""
    if field == "internal.prompt":
        return "what reaches the model"
    one, other = live[1].value.get(field), reduced[1].value.get(field)
    if field == "failure":
        return f"whether the system fails ({one or 'no'}, without them {other or 'no'})"
    if field == "decision" or (field == "reason_code" and _is_closed(one) and _is_closed(other)):
        return f"{field} ({one or 'none'}, without them {other or 'none'})"
    if is_only_reordered(one, other):
        return f"{field} (the same in another order)"
    if isinstance(one, list) and isinstance(other, list) and len(one) != len(other):
        return f"{field} ({len(one)}, without them {len(other)})"
    return field


def _is_closed(value: Any) -> bool:
    return value is None or value in list(ReasonCode)
