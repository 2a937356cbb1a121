"""`assert trace == trace_snapshot` in hand-written tests: syrupy's assertion over the same files and the same rules.

The extension takes place and comparison from the store, so that a hand-written test and the case's own test approve
one file. syrupy discovers nothing of ours: it deletes what it takes for unused, also after a crash or a skip.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from pytest_grounded.snapshots.classify import DEFAULT_TOLERANCE, compare
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.render import comparison_lines
from pytest_grounded.snapshots.store import SnapshotStore
from pytest_grounded.snapshots.writer import dumps, loads

if TYPE_CHECKING:
    import pytest
    from syrupy.assertion import SnapshotAssertion
    from syrupy.types import SnapshotIndex

__all__ = ["TraceSnapshotExtension", "shield_traces", "trace_assertion"]


class TraceSnapshotExtension(SingleFileSnapshotExtension):
    """Stores the approved trace of one case; made for a case by `trace_assertion`, not used by itself."""

    file_extension = "json"
    write_immediately = True
    _write_mode = WriteMode.TEXT
    store: ClassVar[SnapshotStore]
    suite: ClassVar[str]
    case_id: ClassVar[str]
    tolerance: ClassVar[float] = DEFAULT_TOLERANCE
    updating: ClassVar[bool] = False

    # Where: one file for a case, whatever the test is called

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:  # noqa: ARG003
        """The case's approved trace. A case has one; a name of its own for an assertion would make a second."""
        if isinstance(index, str):
            raise SnapshotError(
                f"trace_snapshot(name={index!r}): a case has one approved trace; leave the name out",
                code="snapshot.unreadable",
            )
        return str(cls.store.path_of(cls.suite, cls.case_id))

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
            raise TypeError(f"trace_snapshot compares the trace of a case (grounded_trace), not {type(data).__name__}")
        return dumps(data)

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Whether nothing changed but numbers within the tolerance; a stale header matches unless it can be renewed."""
        if serialized_data == snapshot_data:
            return True
        comparison = self._compare(serialized_data, snapshot_data)
        return comparison.same if self.updating else not comparison.changes

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """The classified difference; where there is nothing to compare with, the way to approve the trace."""
        if not snapshot_data:
            yield "approve it: pytest --snapshot-update"
            return
        yield from comparison_lines(self._compare(serialized_data, snapshot_data))
        yield f"look at it: pytest-grounded review --suite {self.suite} --case {self.case_id}"
        yield "or approve it unseen: pytest --snapshot-update"

    def _compare(self, serialized_data: str, snapshot_data: str) -> Any:
        where = self.store.shown(self.store.path_of(self.suite, self.case_id))
        return compare(loads(snapshot_data, where=where), loads(serialized_data), tolerance=self.tolerance)

    # Reading and writing

    def read_snapshot_data_from_location(self, **_: Any) -> str | None:
        """The text of the approved trace; None where there is none, or where one that cannot be read is taken again."""
        try:
            baseline = self.store.read(self.suite, self.case_id)
        except SnapshotError:
            if self.updating:
                return None
            raise
        return None if baseline is None else baseline.text

    @classmethod
    def write_snapshot(cls, *, snapshots: list[Any], **_: Any) -> None:
        """Approve the trace; the place is the store's, and syrupy's checks of its name by the test's do not apply."""
        for data, _location, _index in snapshots:
            cls.store.approve(cls.suite, cls.case_id, loads(data), tolerance=cls.tolerance)


def trace_assertion(
    request: pytest.FixtureRequest,
    *,
    store: SnapshotStore,
    suite: str,
    case_id: str,
    tolerance: float = DEFAULT_TOLERANCE,
) -> SnapshotAssertion:
    """What a fixture `trace_snapshot` returns for the case of a test: syrupy's assertion over our store."""
    bound = {
        "store": store,
        "suite": suite,
        "case_id": case_id,
        "tolerance": tolerance,
        "updating": bool(request.config.getoption("update_snapshots")),
    }
    extension = type(TraceSnapshotExtension.__name__, (TraceSnapshotExtension,), bound)
    assertion: SnapshotAssertion = request.getfixturevalue("snapshot").use_extension(extension)
    return assertion


def shield_traces(config: pytest.Config, store: SnapshotStore) -> None:
    """Keep syrupy's cleanup away from the approved traces, also where `--snapshot-dirname` names their folder.

    syrupy deletes on update every file below its folders that no test of the run used. There is no public way to set
    files aside, so its session is told to pass over ours; where it has no such method there is nothing to shield from.
    """
    session = getattr(config, "_syrupy", None)
    remove = getattr(session, "remove_unused_snapshots", None)
    if remove is None:
        return
    ours = store.snapshots.resolve()

    def remove_others(unused_snapshot_collections: Any, used_snapshot_collections: Any) -> None:
        others = SnapshotCollections()
        for collection in unused_snapshot_collections:
            if not Path(collection.location).resolve().is_relative_to(ours):
                others.add(collection)
        remove(unused_snapshot_collections=others, used_snapshot_collections=used_snapshot_collections)

    session.remove_unused_snapshots = remove_others  # type: ignore[union-attr]
