"""No credential of whoever runs the tests is written into a trace, and none stays unnoticed in an approved one."""

from __future__ import annotations

from pytest_grounded.redaction.secrets import find_secrets, mask_secrets
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.schema import JsonValue

__all__ = ["refuse_secrets"]

_LEAVE_OUT = "let the system leave it out of its response and its trace"


def refuse_secrets(value: JsonValue, *, where: str | None = None, advice: str = _LEAVE_OUT) -> None:
    """Raise `SnapshotError` (`snapshot.secret`) where a value holds a credential, naming its place, never the value.

    >>> refuse_secrets({"other": {"digest": "sha256:" + "0" * 64, "total_tokens": 812}})
    """
    found = find_secrets(value)
    if found:
        places = mask_secrets(", ".join(dict.fromkeys(map(str, found))))
        raise SnapshotError(f"holds a credential ({places}): {advice}", code="snapshot.secret", file=where)
