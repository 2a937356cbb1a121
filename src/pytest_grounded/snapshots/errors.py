"""What can be wrong with a stored trace, or with a trace that was about to be stored."""

from __future__ import annotations

from pytest_grounded.errors import GroundedError, Problem

__all__ = ["SnapshotError"]


class SnapshotError(GroundedError):
    """A trace cannot be read, written, accepted or pruned; `code` says why in a stable word.

    >>> error = SnapshotError("take one side", code="snapshot.conflict_marker", file="snapshots/a/b.json", line=3)
    >>> error.code, str(error)
    ('snapshot.conflict_marker', 'snapshots/a/b.json:3: take one side')
    """

    def __init__(
        self,
        message: str | Problem,
        *,
        code: str = "snapshot.unreadable",
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
    ) -> None:
        if isinstance(message, str):
            message = Problem(message=message, code=code, file=file, line=line, column=column, field=field)
        super().__init__(message)

    @property
    def code(self) -> str:
        """The name of what is wrong: `snapshot.conflict_marker`, `snapshot.secret`, `snapshot.out_of_date` ..."""
        return self.problems[0].code

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problems[0],))
