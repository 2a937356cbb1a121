"""Says when each file of a folder last changed, by the history of its git repository."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from datetime import date
from pathlib import Path

__all__ = ["committed_days"]

_MARK = "\x01"


def committed_days(folder: Path) -> Mapping[Path, date]:
    """The day of the newest commit that touched each file below the folder; empty outside a repository.

    The day is the committer's, in the committer's time zone. Files that no commit holds are left out.
    """
    command = ("git", "-C", str(folder), "log", f"--format={_MARK}%cs", "--name-only", "--relative", "-z", "--", ".")
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=120)  # noqa: S603 (fixed words, no shell)
    except (OSError, subprocess.SubprocessError):
        return {}
    days: dict[Path, date] = {}
    day: date | None = None
    for word in done.stdout.decode("utf-8", "surrogateescape").split("\0"):
        name = word.lstrip("\n")
        if name.startswith(_MARK):
            day = date.fromisoformat(name.removeprefix(_MARK))
        elif name and day is not None:
            days.setdefault(folder / name, day)
    return days
