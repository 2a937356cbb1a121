"""`assert trace == trace_snapshot` in hand-written tests: syrupy's assertion over the same files and the same rules.

The extension takes place, comparison and ruling from where the case's own test takes them, so that both approve one
file. syrupy discovers nothing of ours: it deletes what it takes for unused, also after a crash or a skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from pytest_grounded.model.vocabulary import Risk
from pytest_grounded.snapshots.checking import Cleaner, TraceCheck, TraceOptions, cleaned
from pytest_grounded.snapshots.classify import Comparison, compare
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.policy import Commands, Mode, Write, rule
from pytest_grounded.snapshots.render import comparison_lines
from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.writer import dumps, loads

if TYPE_CHECKING:
    import pytest
    from syrupy.types import SnapshotIndex

__all__ = ["TraceSnapshotExtension", "TracedCase", "trace_assertion"]


def _nothing_found() -> tuple[str, ...]:
    return ()


def _tell_nobody(_: TraceCheck) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class TracedCase:
    """The case of a hand-written test: where its trace stands and what a difference comes to.

    `findings` gives the names of the checks the case failed in this test so far; `tell` is told what a comparison came
    to.
    """

    store: SnapshotStore
    suite: str
    case_id: str
    options: TraceOptions
    risk: Risk = Risk.MEDIUM
    commands: Commands = field(default_factory=Commands)
    cleaner: Cleaner | None = None
    findings: Callable[[], tuple[str, ...]] = _nothing_found
    tell: Callable[[TraceCheck], None] = _tell_nobody

    @property
    def path(self) -> Path:
        """The case's approved trace."""
        return self.store.path_of(self.suite, self.case_id)

    def compared(self, new: str, old: str) -> Comparison:
        """The difference of two texts of traces, free of what the requester may not read."""
        where = self.store.shown(self.path)
        comparison = compare(loads(old, where=where), loads(new), tolerance=self.options.tolerance)
        return comparison if self.cleaner is None or comparison.same else cleaned(comparison, self.cleaner)

    def judged(self, new: str, old: str) -> TraceCheck:
        """What a difference comes to under the options of the run."""
        comparison = self.compared(new, old)
        ruling = rule(
            comparison,
            suite=self.suite,
            case=self.case_id,
            mode=self.options.mode,
            drift=self.options.drift,
            risk=self.risk,
            findings=self.findings(),
            commands=self.commands,
        )
        return TraceCheck(ruling=ruling, comparison=comparison)

    def approve(self, text: str) -> None:
        """Make a trace the approved one; raises `SnapshotError` (`snapshot.blocked`) where the case breaks a rule."""
        if found := sorted(set(self.findings())):
            raise SnapshotError(
                f"{self.suite}/{self.case_id} is not approved: mend {', '.join(found)} first, a trace that breaks a "
                "rule cannot be approved",
                code="snapshot.blocked",
            )
        self.store.approve(self.suite, self.case_id, loads(text), tolerance=self.options.tolerance)


class TraceSnapshotExtension(SingleFileSnapshotExtension):
    """Stores the approved trace of one case; made for a case by `trace_assertion`, not used by itself."""

    file_extension = "json"
    write_immediately = True
    _write_mode = WriteMode.TEXT
    case: ClassVar[TracedCase]

    # Where: one file for a case, whatever the test is called

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:  # noqa: ARG003
        """The case's approved trace. A case has one; a name of its own for an assertion would make a second."""
        if isinstance(index, str):
            raise SnapshotError(
                f"trace_snapshot(name={index!r}): a case has one approved trace; leave the name out",
                code="snapshot.unreadable",
            )
        return str(cls.case.path)

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:  # noqa: ARG003
        """The place follows from the case, so it is always the test's."""
        return True

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Nothing: what belongs to no case is found from the catalogue of cases, and only `prune` deletes it."""
        return SnapshotCollections()

    def delete_snapshots(self, **_: Any) -> None:
        """Nothing is deleted, whatever syrupy takes for unused."""

    # What: the text of a trace

    def serialize(self, data: Any, **_: Any) -> str:
        """The text of a trace; raises `TypeError` for anything else."""
        if not isinstance(data, dict) or "schema" not in data:
            raise TypeError(
                f"trace_snapshot compares the trace of a case (grounded_case.run().trace), not {type(data).__name__}"
            )
        return dumps(data)

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Whether the difference passes; one that this run may approve does not match, so that it is written."""
        if serialized_data == snapshot_data:
            return True
        check = self.case.judged(serialized_data, snapshot_data)
        self.case.tell(check)
        return not check.ruling.fails and check.ruling.write is not Write.BASELINE

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """The classified difference and what to type; where there is nothing to compare with, the latter alone."""
        commands = self.case.commands
        if snapshot_data:
            yield from comparison_lines(self.case.compared(serialized_data, snapshot_data))
        yield f"approve it: {commands.accept}"

    # Reading and writing

    def read_snapshot_data_from_location(self, **_: Any) -> str | None:
        """The text of the approved trace; None where there is none, or where one that cannot be read is taken again."""
        case = self.case
        try:
            baseline = case.store.read(case.suite, case.case_id)
        except SnapshotError:
            if case.options.mode is Mode.UPDATE:
                return None
            raise
        return None if baseline is None else baseline.text

    @classmethod
    def write_snapshot(cls, *, snapshots: list[Any], **_: Any) -> None:
        """Approve the trace; the place is the store's, and syrupy's checks of its name by the test's do not apply."""
        for data, _location, _index in snapshots:
            cls.case.approve(data)


class _TraceAssertion(SnapshotAssertion):
    """An assertion that does not show the approved trace: pytest shows fixtures, and nobody cleaned it."""

    def __repr__(self) -> str:
        case = self.extension_class.case  # type: ignore[attr-defined] # made by trace_assertion
        return f"trace_snapshot of {case.suite}/{case.case_id}"


def trace_assertion(request: pytest.FixtureRequest, case: TracedCase) -> SnapshotAssertion:
    """What the fixture `trace_snapshot` returns for the case of a test: syrupy's assertion over our store.

    Our mode decides what is written, for this assertion alone: `--grounded-snapshots update` leaves other snapshots of
    syrupy's as they are.
    """
    extension = type(TraceSnapshotExtension.__name__, (TraceSnapshotExtension,), {"case": case})
    assertion: SnapshotAssertion = request.getfixturevalue("snapshot").use_extension(extension)
    # syrupy makes what it returns of the fixture's own class, and every version of it asks for other arguments.
    assertion.__class__ = _TraceAssertion
    assertion.update_snapshots = case.options.mode is Mode.UPDATE
    assertion.update_new_snapshots_only = case.options.mode is Mode.NEW
    return assertion
