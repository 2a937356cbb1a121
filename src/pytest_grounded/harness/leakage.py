"""The verdict about leaks of a restricted case: six parts, each passed, failed or not run, and what they come to.

P0 there is something to compare; P1 what reaches the model; P2 ids and names; P3 text and facts; P4 the same is shown
without what the requester may not read; P5 decision and public reason. A failed P1 to P4 is a leak; without a sound P0,
or where runs are too few to tell, nothing is known, which fails; without a run to compare with only the content is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from pytest_grounded.checks.base import not_run
from pytest_grounded.checks.leakage import KNOWN_ELSEWHERE
from pytest_grounded.harness.differential import Difference, differential, precondition
from pytest_grounded.harness.existence import existence
from pytest_grounded.harness.observation import Ignored
from pytest_grounded.harness.parts import PARTS, Part, PartState, part_of
from pytest_grounded.harness.probes import seed_of
from pytest_grounded.harness.probing import LeakOptions, Probed, direct_findings, probe
from pytest_grounded.harness.replays import Replays, is_missing
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.harness.timing import timing
from pytest_grounded.harness.variants import Variant
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding, Observation, Unchecked

__all__ = ["LeakVerdict", "Leakage", "unknown", "with_leakage"]


class LeakVerdict(StrEnum):
    """What is known about leaks. `content_only`: nothing was found in one reply, and none was compared with it."""

    LEAK = "leak"
    CLEAN = "clean"
    CONTENT_ONLY = "content_only"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """The verdict with its parts; `calls` counts requests sent beyond the judged one.

    `without_power` is why nothing showed that the system could have told; empty where somebody was told.
    """

    verdict: LeakVerdict
    parts: Mapping[str, Part]
    without_power: str = ""
    probes: int = 0
    unsettled: int = 0
    calls: int = 0
    is_fresh: bool = True
    ignored: tuple[Ignored, ...] = ()
    known_elsewhere: tuple[str, ...] = ()

    @property
    def is_power_shown(self) -> bool:
        """Whether somebody who may read what the case is about was told it."""
        return not self.without_power

    @property
    def is_inconclusive(self) -> bool:
        """Whether nothing is known, which is no pass."""
        return self.verdict is LeakVerdict.INCONCLUSIVE

    def as_record(self) -> dict[str, Any]:
        """What the results file says."""
        why = {**{name: part.why for name, part in self.parts.items()}, "power": self.without_power}
        return {
            "verdict": self.verdict.value,
            "parts": {name: part.state.value for name, part in self.parts.items()},
            "power": "shown" if self.is_power_shown else "not_shown",
            "why": {name: reason for name, reason in why.items() if reason},
            "probes": self.probes,
            "unsettled_probes": self.unsettled,
            "calls": self.calls,
            "state": "fresh" if self.is_fresh else "shared",
            "ignored": [{"field": one.field, "reason": one.reason} for one in self.ignored],
            "known_elsewhere": list(self.known_elsewhere),
        }


def unknown(why: str) -> Leakage:
    """The verdict of a restricted case that was not asked: nothing is known.

    >>> unknown("the system skipped").as_record()["parts"]["P3"]
    'not_run'
    """
    parts = dict.fromkeys(PARTS, Part(PartState.NOT_RUN, why))
    return Leakage(verdict=LeakVerdict.INCONCLUSIVE, parts=parts, without_power=why)


@dataclass(slots=True)
class _Compared:
    """What was gathered beside the direct checks."""

    precondition: Part
    difference: Difference
    probed: Probed = field(default_factory=Probed)
    observations: list[Observation] = field(default_factory=list)


def with_leakage(
    result: CaseResult, replays: Replays, *, runs: int = 1, options: LeakOptions | None = None
) -> CaseResult:
    """The result of a restricted case with what was found by comparing, and with its verdict about leaks."""
    compared = _compare(replays, runs, options or LeakOptions())
    found = [item for item in compared.observations if isinstance(item, Finding)]
    unlooked = [item for item in compared.observations if isinstance(item, Unchecked)]
    elsewhere = [item for item in result.unchecked if item.reason == KNOWN_ELSEWHERE]
    findings = tuple(dict.fromkeys((*result.findings, *found)))
    unchecked = tuple(dict.fromkeys((*(item for item in result.unchecked if item not in elsewhere), *unlooked)))
    parts = _parts(
        result.case, (*findings, *result.waived), unchecked, compared, has_reply=not is_missing(result.outcome)
    )
    leakage = Leakage(
        verdict=_verdict(parts, compared.difference),
        parts=parts,
        without_power=_without_power(replays),
        probes=compared.probed.asked,
        unsettled=compared.probed.unsettled,
        calls=max(0, replays.calls - runs * (1 + len(result.case.steps))),
        is_fresh=replays.is_fresh,
        ignored=replays.observed(result.outcome).ignored,
        known_elsewhere=tuple(dict.fromkeys(item.field for item in elsewhere)),
    )
    return replace(result, findings=findings, unchecked=unchecked, leakage=leakage)


def _compare(replays: Replays, runs: int, options: LeakOptions) -> _Compared:
    """Everything that takes another reply than the judged one."""
    ready = _with_corpus(replays.case, precondition(replays, runs))
    if ready.state is not PartState.PASSED:
        why = f"there is nothing to compare: {ready.why}"
        return _Compared(ready, Difference(part=Part(PartState.NOT_RUN, why)), Probed(), [_unlooked(why)])
    seed = seed_of(replays.case)
    difference = differential(replays, runs, seed=seed)
    compared = _Compared(ready, difference)
    seen = compared.observations
    if difference.finding is not None:
        seen.append(difference.finding)
    elif difference.part.state is PartState.NOT_RUN:
        seen.append(_unlooked(difference.part.why))
    seen += _in_further_runs(replays, runs)
    seen += existence(replays)
    if replays.scope.timing:
        part, finding = timing(replays, runs, seed=seed)
        seen += [finding] if finding else [not_run("leak.timing", part.why)] if part.why else []
    compared.probed = probe(replays, options, compares=difference.is_exact)
    seen += compared.probed.findings
    if replays.case.control is not None and replays.asker is not None and replays.ask(Variant.CONTROL) is None:
        seen.append(_unlooked("no reply of the variant control is recorded: power is not shown"))
    return compared


def _in_further_runs(replays: Replays, runs: int) -> Iterator[Finding]:
    """Leaks in replies that were asked for only to compare them: what shows in one of them has leaked."""
    asked = [asked.outcome for asked in replays.asked_so_far(Variant.LIVE)]
    reduced = [asked.outcome for asked in replays.asked_so_far(Variant.REDUCED)]
    looked_at = {replays.observed(outcome).key for outcome in asked[:runs]}
    for outcome in asked[runs:]:
        key = replays.observed(outcome).key
        if key not in looked_at:
            looked_at.add(key)
            yield from direct_findings(replays, replays.case, outcome, reduced)


def _unlooked(why: str) -> Unchecked:
    return not_run("leak.differential", why)


def _with_corpus(case: Case, ready: Part) -> Part:
    """A case that names nothing its requester may not read has nothing to compare either."""
    view = case.view
    if not case.about:
        return Part(PartState.FAILED, "the case names no chunk it is about")
    if any(chunk_id not in view.present for chunk_id in case.about):
        return Part(PartState.FAILED, "the case is about a chunk that is not there")
    if any(view.is_readable(chunk_id) for chunk_id in case.about):
        return Part(PartState.FAILED, "the case is about a chunk that its requester may read")
    return ready


def _parts(
    case: Case, findings: tuple[Finding, ...], unchecked: tuple[Unchecked, ...], compared: _Compared, *, has_reply: bool
) -> dict[str, Part]:
    found: dict[str, list[str]] = {}
    for finding in findings:
        found.setdefault(part_of(finding.check) or "", []).append(finding.check)
    parts = {}
    for name in PARTS:
        if name in found:
            parts[name] = Part(PartState.FAILED, ", ".join(dict.fromkeys(found[name])))
        else:
            parts[name] = _without_findings(name, case, unchecked, compared, has_reply=has_reply)
    return parts


def _without_findings(
    name: str, case: Case, unchecked: tuple[Unchecked, ...], compared: _Compared, *, has_reply: bool
) -> Part:
    """The state of a part in which nothing was found."""
    if name == "P0":
        return compared.precondition
    if name == "P4":
        return compared.difference.part
    if not has_reply:
        return Part(PartState.NOT_RUN, "there is no reply")
    unobserved = [item.reason for item in unchecked if item.check in ("leak.evidence", "leak.model_input")]
    if name == "P1" and unobserved:
        return Part(PartState.NOT_RUN, "; ".join(unobserved))
    if name == "P5" and case.expect.decision is None and case.expect.reason_code is None:
        return Part(PartState.NOT_RUN, "the case expects no decision")
    return Part(PartState.PASSED)


def _verdict(parts: Mapping[str, Part], difference: Difference) -> LeakVerdict:
    if any(parts[name].state is PartState.FAILED for name in ("P1", "P2", "P3", "P4")):
        return LeakVerdict.LEAK
    if parts["P0"].state is PartState.FAILED or difference.inconclusive:
        return LeakVerdict.INCONCLUSIVE
    return LeakVerdict.CONTENT_ONLY if parts["P4"].state is PartState.NOT_RUN else LeakVerdict.CLEAN


def _without_power(replays: Replays) -> str:
    """Why nothing shows that who may read the chunks is told of them; else a system that refuses everybody passes."""
    case = replays.case
    if case.control is None:
        is_nobodys = not any(case.corpus[chunk].readers for chunk in case.about if chunk in case.corpus)
        return "nobody may read what the case is about" if is_nobodys else "the case names no control"
    live, control = replays.outcome(Variant.LIVE), replays.outcome(Variant.CONTROL)
    if control is None:
        return "no reply to the control is recorded" if replays.asker is not None else "the control was not asked"
    if live is None or control.response is None:
        return "there is no reply to compare with the control's" if live is None else "the control got no reply"
    if replays.observed(control).key == replays.observed(live).key:
        return "the control got the same reply"
    stated = {chunk for conflict in control.response.conflicts for side in conflict.sides for chunk in side.chunks}
    if not stated.isdisjoint(case.about):
        return ""
    if not control.response.decision.answers:
        return "the control was not answered"
    rests_on = {*control.response.cited, *(control.internal.evidence or ())}
    is_from_others = bool(rests_on) and rests_on.isdisjoint(case.about)
    return "the control was answered from other chunks" if is_from_others else ""
