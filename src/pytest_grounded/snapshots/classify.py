"""What changed between the approved trace and a new one, and how much it matters.

The walk follows the schema: elements of a list are matched by their identity, so that one inserted candidate is one
change, and each changed leaf has one class. Equal traces never get here: whoever compares asks `==` first.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from pytest_grounded.snapshots.schema import DRIFTING, PIPELINE, SEVERITY, ChangeClass, JsonValue, Trace
from pytest_grounded.snapshots.walk import DEFAULT_TOLERANCE, Change, Walk

__all__ = ["DEFAULT_TOLERANCE", "Change", "Comparison", "Flip", "compare", "settle"]

_NEARLY = 0.8


class Flip(StrEnum):
    """What a changed decision means for the person who asked."""

    GAINED = "gained"
    """Nothing was stated, now something is: the riskier way."""
    LOST = "lost"
    PARTIAL = "partial"
    REROUTED = "rerouted"
    """Nothing was stated and nothing is, in another way."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The difference of two traces. `changes` stand in the order of the trace; `stale` are those of its header.

    `first_divergence` is the earliest changed stage of the pipeline: later changes may well be its effects. It may be a
    stage of the system's own; `pipeline_stage` is then the one of `PIPELINE` that it belongs to. `max_drift` is the
    largest difference of a number that stayed within `tolerance`.
    """

    changes: tuple[Change, ...] = ()
    stale: tuple[Change, ...] = ()
    first_divergence: str | None = None
    pipeline_stage: str | None = None
    max_drift: float = 0.0
    tolerance: float = DEFAULT_TOLERANCE
    decisions: tuple[str | None, str | None] = (None, None)
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing changed but numbers within the tolerance."""
        return not self.changes and not self.stale

    @cached_property
    def headline(self) -> ChangeClass | None:
        """The most severe class; `stale_baseline` where nothing but the header changed, None where nothing did."""
        if self.changes:
            return min((change.kind for change in self.changes), key=SEVERITY.index)
        return ChangeClass.STALE_BASELINE if self.stale else None

    @cached_property
    def by_class(self) -> Mapping[ChangeClass, tuple[Change, ...]]:
        """The changes of each class that has any, the stale header first, then by severity."""
        kinds = (ChangeClass.STALE_BASELINE, *SEVERITY)
        grouped = {kind: tuple(c for c in (*self.stale, *self.changes) if c.kind is kind) for kind in kinds}
        return MappingProxyType({kind: found for kind, found in grouped.items() if found})

    @property
    def drifts_only(self) -> bool:
        """Whether there are changes, all of classes for which `--grounded-drift` decides."""
        return bool(self.changes) and all(change.kind in DRIFTING for change in self.changes)

    @property
    def near_limit(self) -> bool:
        """Whether a number used up four fifths of the tolerance: soon it will not be within it."""
        return self.max_drift >= _NEARLY * self.tolerance

    @property
    def flip(self) -> Flip | None:
        """What the changed decision means; None where it is the same."""
        old, new = self.decisions
        if old == new:
            return None
        stated = {"answer", "partial"}
        if old in stated and new in stated:
            return Flip.PARTIAL
        if new in stated:
            return Flip.GAINED
        return Flip.LOST if old in stated else Flip.REROUTED

    @cached_property
    def fingerprint(self) -> str:
        """Equal for changes of one kind in different cases: class, changed paths without ids, old and new decision."""
        paths = sorted({f"{change.kind} {change.masked}" for change in (*self.stale, *self.changes)})
        identity = json.dumps([self.headline, paths, self.decisions])
        return hashlib.sha256(identity.encode()).hexdigest()[:12]

    def summary(self) -> dict[str, Any]:
        """The comparison in a few words, as plain JSON."""
        return {
            "headline": None if self.headline is None else self.headline.value,
            "flip": None if self.flip is None else self.flip.value,
            "classes": {kind.value: len(found) for kind, found in self.by_class.items()},
            "first_divergence": self.first_divergence,
            "fingerprint": self.fingerprint,
        }


def compare(old: Trace, new: Trace, *, tolerance: float = DEFAULT_TOLERANCE) -> Comparison:
    """Compare the approved trace with a new one.

    A number may differ from the stored one by `tolerance`, which has to be larger than the step of its rounding; a
    difference within it is no change. Another version of model, prompt or settings is a note, not a change: what counts
    is what it changed. Raises `ValueError` for a smaller tolerance.

    >>> old = {"decision": "answer", "text": ["It is 30 days."], "candidates": [{"chunk": "c1", "score": 0.81}]}
    >>> new = {"decision": "answer", "text": ["It is 60 days."], "candidates": [{"chunk": "c1", "score": 0.8104}]}
    >>> comparison = compare(old, new)
    >>> comparison.headline.value, [change.path for change in comparison.changes]
    ('fact_wording', ['text'])
    """
    if old == new:
        return Comparison(tolerance=tolerance, decisions=(_decision(old), _decision(new)))
    walk = Walk(old, new, tolerance=tolerance).run()
    stale = tuple(c for c in walk.changes if c.kind is ChangeClass.STALE_BASELINE and not _is_version(c))
    changes = tuple(change for change in walk.changes if change.kind is not ChangeClass.STALE_BASELINE)
    first, within = _first_divergence(changes, _stages(old, new))
    return Comparison(
        changes=changes,
        stale=stale,
        first_divergence=first,
        pipeline_stage=within,
        max_drift=walk.max_drift,
        tolerance=tolerance,
        decisions=(_decision(old), _decision(new)),
        notes=tuple(dict.fromkeys((*_version_notes(filter(_is_version, walk.changes)), *walk.notes))),
    )


def _is_version(change: Change) -> bool:
    return change.path == "versions" or change.path.startswith(("versions.", "versions["))


def _version_notes(changes: Iterable[Change]) -> list[str]:
    """What changed below `versions`; digests only where nothing says more."""
    told = [(_is_digest(change), f"{change.path}: {_brief(change.old)} -> {_brief(change.new)}") for change in changes]
    speaking = [note for is_digest, note in told if not is_digest]
    return speaking or [note for _, note in told]


def _is_digest(change: Change) -> bool:
    return any("sha256:" in value for value in (change.old, change.new) if isinstance(value, str))


def _brief(value: object) -> str:
    text = "none" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VERSION else text[:_LONGEST_VERSION] + "..."


_LONGEST_VERSION = 60


def settle(old: Trace, new: Trace, *, tolerance: float = DEFAULT_TOLERANCE) -> Trace:
    """The new trace with the stored numbers kept where they only drifted within the tolerance.

    This is what replaces an approved trace: otherwise each acceptance would move the numbers a little further.

    >>> settle({"confidence": 0.81}, {"confidence": 0.8104, "decision": "answer"})
    {'confidence': 0.81, 'decision': 'answer'}
    """
    settled = copy.deepcopy(new)
    for where, stored in Walk(old, new, tolerance=tolerance).run().drifted:
        holder: Any = settled
        for key in where[:-1]:
            holder = holder[key]
        holder[where[-1]] = stored
    return settled


def _decision(trace: Trace) -> str | None:
    decision = trace.get("decision")
    return decision if isinstance(decision, str) else None


def _stages(old: Trace, new: Trace) -> list[str]:
    """The stages in order: those every pipeline has, a system's own ones behind the furthest step before them."""
    stages = list(PIPELINE)
    for trace in (old, new):
        behind = -1
        for name in _step_names(trace.get("steps")):
            if name not in stages:
                stages.insert(behind + 1, name)
            behind = max(behind, stages.index(name))
    return stages


def _step_names(steps: JsonValue) -> Iterable[str]:
    for step in steps if isinstance(steps, list) else ():
        name = step.get("name") if isinstance(step, dict) else None
        if isinstance(name, str):
            yield name


def _first_divergence(changes: Iterable[Change], stages: list[str]) -> tuple[str | None, str | None]:
    """The earliest changed stage, and the stage of `PIPELINE` it is, follows, or stands before."""
    places = [stages.index(change.stage) for change in changes if change.stage in stages]
    if not places:
        return None, None
    first = min(places)
    around = (*reversed(stages[: first + 1]), *stages[first:])
    return stages[first], next(stage for stage in around if stage in PIPELINE)
