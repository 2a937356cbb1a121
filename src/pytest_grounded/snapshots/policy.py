"""What follows from a comparison: whether the case fails, what is written, what the person types next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots.classify import Comparison
from pytest_grounded.snapshots.render import drift_line
from pytest_grounded.snapshots.schema import ChangeClass

__all__ = ["Commands", "Drift", "Mode", "Ruling", "TraceStatus", "Write", "rule"]


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


class TraceStatus(StrEnum):
    """What a run says of a case's trace in one word."""

    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"
    """There is no approved trace."""
    APPROVED = "approved"
    """The new trace was made the approved one."""
    ERROR = "error"
    """There is no trace, or the approved one cannot be read or written."""
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """What a person types to see how the trace of a case differs, and to approve the new one."""

    show: str = "pytest -vv"
    accept: str = "pytest --snapshot-update"

    @classmethod
    def of(cls, nodeid: str, *arguments: str, update: Sequence[str] = ("--snapshot-update",)) -> Commands:
        """The commands for one test; `arguments` are those without which it would ask another system.

        >>> Commands.of("cases/travel/hotel.yaml::limit").accept
        'pytest cases/travel/hotel.yaml::limit --snapshot-update'
        """
        return cls(
            show=shlex.join(["pytest", nodeid, *arguments, "-vv"]),
            accept=shlex.join(["pytest", nodeid, *arguments, *update]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a comparison comes to. `check` names the finding of a case that fails.

    `what` says what changed, `hint` what else to know, `show` and `accept` are what to type. `passed` tells the caller
    to note that the case equals its approved trace, which deletes its pending record.
    """

    status: TraceStatus = TraceStatus.OFF
    check: str | None = None
    write: Write = Write.NOTHING
    passed: bool = False
    what: str = ""
    show: str = ""
    accept: str = ""
    hint: str = ""

    @property
    def fails(self) -> bool:
        """Whether the trace fails the case."""
        return self.check is not None

    @property
    def warns(self) -> bool:
        """Whether the case passes and there is something to say."""
        return self.check is None and bool(self.what)

    @property
    def message(self) -> str:
        """What changed and what to type, in one line; empty where there is nothing to say."""
        look = f"look at it: {self.show}" if self.show else ""
        approve = f"approve it: {self.accept}" if self.accept else ""
        return "; ".join(part for part in (self.what, look, approve, self.hint) if part)

    def hinted(self, hint: str) -> Ruling:
        """The ruling with one more thing to know."""
        return replace(self, hint="; ".join(part for part in (self.hint, hint) if part))


def rule(
    comparison: Comparison | None,
    *,
    suite: str,
    case: str,
    mode: Mode,
    drift: Drift = Drift.WARN,
    risk: Risk = Risk.MEDIUM,
    findings: Sequence[str] = (),
    commands: Commands | None = None,
    ci: bool = False,
    run_dir: bool = False,
) -> Ruling:
    """Decide on one case; `comparison` is None where it has no approved trace.

    `findings` are the checks the case failed otherwise: its trace is then never approved. `ci` says that `CI` is set,
    `run_dir` that the run has a folder of its own, the only place where `check` may write.

    >>> rule(None, suite="travel", case="hotel", mode=Mode.CHECK).check
    'snapshot.missing'
    """
    asked = _Asked(
        suite=suite,
        case=case,
        mode=mode,
        findings=tuple(sorted(set(findings))),
        commands=commands or Commands(),
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
        return Ruling(status=TraceStatus.APPROVED, write=Write.BASELINE, what=f"approved anew: {_what(comparison)}")
    if not comparison.changes:
        return asked.ruled(TraceStatus.CHANGED, what=_what(comparison))
    if comparison.drifts_only and not _drift_fails(drift, risk):
        return _drifted(comparison, asked, drift)
    return asked.ruled(TraceStatus.CHANGED, what=_what(comparison), check="trace.changed")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    suite: str
    case: str
    mode: Mode
    findings: tuple[str, ...]
    commands: Commands
    ci: bool
    run_dir: bool

    @property
    def name(self) -> str:
        return f"{self.suite}/{self.case}"

    @property
    def pending(self) -> Write:
        """A pending record, where this mode may write one."""
        return Write.NOTHING if self.mode is Mode.CHECK and not self.run_dir else Write.PENDING

    def ruled(self, status: TraceStatus, *, what: str, check: str | None = None, hint: str = "") -> Ruling:
        """A ruling that leaves the approved trace alone and says how to look at the new one and settle it."""
        blocked = f"mend {', '.join(self.findings)} first, a trace that breaks a rule cannot be approved"
        return Ruling(
            status=status,
            check=check,
            write=self.pending,
            what=what,
            show=self.commands.show,
            accept="" if self.findings else self.commands.accept,
            hint=blocked if self.findings else hint,
        )


def _missing(asked: _Asked) -> Ruling:
    if asked.mode in {Mode.NEW, Mode.UPDATE}:
        if asked.findings:
            return asked.ruled(TraceStatus.MISSING, what=f"no trace of {asked.name} was approved")
        return Ruling(
            status=TraceStatus.APPROVED, write=Write.BASELINE, what=f"the first trace of {asked.name} was approved"
        )
    if asked.mode is Mode.CHECK or asked.ci:
        return asked.ruled(
            TraceStatus.MISSING,
            what=f"{asked.name} has no approved trace",
            check="snapshot.missing",
            hint="commit the file that is then written",
        )
    return asked.ruled(TraceStatus.MISSING, what=f"{asked.name} has no approved trace yet")


def _equal(comparison: Comparison, asked: _Asked) -> Ruling:
    return Ruling(
        status=TraceStatus.SAME,
        passed=asked.pending is Write.PENDING,
        what=drift_line(comparison) if comparison.near_limit else "",
    )


def _drifted(comparison: Comparison, asked: _Asked, drift: Drift) -> Ruling:
    if drift is Drift.OFF and not comparison.stale:
        return Ruling(status=TraceStatus.SAME, passed=asked.pending is Write.PENDING)
    return asked.ruled(TraceStatus.CHANGED, what=_what(comparison))


def _drift_fails(drift: Drift, risk: Risk) -> bool:
    """`risk: high` turns the warning into a failure; who turned drift off has said so."""
    return drift is Drift.FAIL or (drift is Drift.WARN and risk is Risk.HIGH)


def _what(comparison: Comparison) -> str:
    """What changed in one clause: the stale header, the flip, the most severe class with its field; others by name."""
    parts = []
    if comparison.stale:
        parts.append("stale baseline (" + ", ".join(_short(comparison)) + ")")
    if comparison.flip is not None:
        old, new = comparison.decisions
        parts.append(f"decision {old or 'none'} -> {new or 'none'} ({comparison.flip})")
    told = {ChangeClass.STALE_BASELINE, *((ChangeClass.DECISION,) if comparison.flip else ())}
    kinds = [kind for kind in comparison.by_class if kind not in told]
    if kinds and kinds[0] is comparison.headline:
        changes = comparison.by_class[kinds.pop(0)]
        more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
        parts.append(f"{comparison.headline} ({changes[0].path}{more})")
    return ", ".join(parts) + (f", with {', '.join(kinds)}" if kinds else "")


def _short(comparison: Comparison) -> list[str]:
    return list(dict.fromkeys(change.path.split(".")[0].split("[")[0] for change in comparison.stale))
