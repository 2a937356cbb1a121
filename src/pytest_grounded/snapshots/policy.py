"""What follows from a comparison: whether the case fails, what is written, what the person types next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots.classify import Comparison
from pytest_grounded.snapshots.render import drift_line
from pytest_grounded.snapshots.schema import ChangeClass

__all__ = ["Drift", "Mode", "Ruling", "Write", "rule"]


class Mode(StrEnum):
    """What a run may do with traces; `auto` is resolved by the caller."""

    PENDING = "pending"
    CHECK = "check"
    NEW = "new"
    UPDATE = "update"
    OFF = "off"


class Drift(StrEnum):
    """What a change of order, wording or scores does."""

    FAIL = "fail"
    WARN = "warn"
    OFF = "off"


class Write(StrEnum):
    """What is written for a case."""

    NOTHING = "nothing"
    PENDING = "pending"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a comparison comes to. `check` names the finding of a case that fails; `message` says what to type.

    `passed` tells the caller to note that the case equals its approved trace, which deletes its pending record.
    """

    check: str | None = None
    write: Write = Write.NOTHING
    passed: bool = False
    message: str = ""

    @property
    def fails(self) -> bool:
        """Whether the trace fails the case."""
        return self.check is not None

    @property
    def warns(self) -> bool:
        """Whether the case passes and there is something to say."""
        return self.check is None and bool(self.message)


def rule(
    comparison: Comparison | None,
    *,
    suite: str,
    case: str,
    mode: Mode,
    drift: Drift = Drift.WARN,
    risk: Risk = Risk.MEDIUM,
    findings: Sequence[str] = (),
    nodeid: str = "",
    ci: bool = False,
    run_dir: bool = False,
) -> Ruling:
    """Decide on one case; `comparison` is None where it has no approved trace.

    `findings` are the checks the case failed otherwise: its trace is then never approved. `nodeid` is what pytest calls
    the case, for the message. `ci` says that `CI` is set, `run_dir` that the run has a folder of its own, the only
    place where `check` may write.

    >>> rule(None, suite="travel", case="hotel", mode=Mode.CHECK).check
    'snapshot.missing'
    """
    asked = _Asked(
        suite=suite,
        case=case,
        mode=mode,
        findings=tuple(sorted(set(findings))),
        nodeid=nodeid,
        ci=ci,
        run_dir=run_dir,
    )
    if mode is Mode.OFF:
        return Ruling()
    if comparison is None:
        return _missing(asked)
    if comparison.same:
        return _equal(comparison, asked)
    if mode is Mode.UPDATE and not findings:
        return Ruling(write=Write.BASELINE, message=f"approved anew: {_what(comparison)}")
    if not comparison.changes:
        return Ruling(write=asked.pending, message=f"{_what(comparison)}; {asked.review}")
    if comparison.drifts_only and not _drift_fails(drift, risk):
        return _drifted(comparison, asked, drift)
    return Ruling(check="trace.changed", write=asked.pending, message=f"{_what(comparison)}; {asked.review}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    suite: str
    case: str
    mode: Mode
    findings: tuple[str, ...]
    nodeid: str
    ci: bool
    run_dir: bool

    @property
    def pending(self) -> Write:
        """A pending record, where this mode may write one."""
        return Write.NOTHING if self.mode is Mode.CHECK and not self.run_dir else Write.PENDING

    @property
    def review(self) -> str:
        """What a person types to look at the difference and settle it."""
        if self.findings:
            return f"mend {', '.join(self.findings)} first, a trace that breaks a rule cannot be approved"
        node = [self.nodeid] if self.nodeid else []
        look = shlex.join(["pytest", *node, "-vv"])
        update = shlex.join(["pytest", *node, "--snapshot-update"])
        if self.mode is Mode.CHECK:
            return f"look at it where CI is not set: {look}; approve it: {update}"
        return f"look at it: {look}; approve it: {update}"


def _missing(asked: _Asked) -> Ruling:
    name = f"{asked.suite}/{asked.case}"
    if asked.mode in {Mode.NEW, Mode.UPDATE}:
        if asked.findings:
            return Ruling(write=asked.pending, message=f"no trace of {name} was approved: {asked.review}")
        return Ruling(write=Write.BASELINE, message=f"the first trace of {name} was approved")
    if asked.mode is Mode.CHECK or asked.ci:
        return Ruling(
            check="snapshot.missing",
            write=asked.pending,
            message=f"{name} has no approved trace; {asked.review}; then commit the file",
        )
    return Ruling(write=asked.pending, message=f"{name} has no approved trace yet; {asked.review}")


def _equal(comparison: Comparison, asked: _Asked) -> Ruling:
    return Ruling(
        passed=asked.pending is Write.PENDING,
        message=drift_line(comparison) if comparison.near_limit else "",
    )


def _drifted(comparison: Comparison, asked: _Asked, drift: Drift) -> Ruling:
    if drift is Drift.OFF and not comparison.stale:
        return Ruling(passed=asked.pending is Write.PENDING)
    return Ruling(write=asked.pending, message=f"{_what(comparison)}; {asked.review}")


def _drift_fails(drift: Drift, risk: Risk) -> bool:
    """`risk: high` turns the warning into a failure; who turned drift off has said so."""
    return drift is Drift.FAIL or (drift is Drift.WARN and risk is Risk.HIGH)


def _what(comparison: Comparison) -> str:
    """What changed in one clause: the stale header first, then the classes from the most severe."""
    parts = []
    if comparison.stale:
        parts.append("stale baseline (" + ", ".join(_short(comparison)) + ")")
    if comparison.flip is not None:
        old, new = comparison.decisions
        parts.append(f"decision {old or 'none'} -> {new or 'none'} ({comparison.flip})")
    named = {ChangeClass.STALE_BASELINE} | ({ChangeClass.DECISION} if comparison.flip else set())
    for kind, changes in comparison.by_class.items():
        if kind not in named:
            more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
            parts.append(f"{kind} ({changes[0].path}{more})")
    return ", ".join(parts)


def _short(comparison: Comparison) -> list[str]:
    return list(dict.fromkeys(change.path.split(".")[0].split("[")[0] for change in comparison.stale))
