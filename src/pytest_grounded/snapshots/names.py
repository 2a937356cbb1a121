"""Where the trace of a case stands: the one way from suite and case id to a path, and back.

Nothing is cleaned up silently: an id that is not safe in a file name on every system is refused.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from pytest_grounded.snapshots.errors import SnapshotError

__all__ = ["CaseKey", "key_of", "path_below"]

CaseKey = tuple[str, str]
"""Suite and case id."""

_ID = r"[a-z0-9][a-z0-9._-]{0,99}"
_CASE = re.compile(rf"{_ID}(?:@{_ID})?\Z")
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]|\A\.\.?\Z|[. ]\Z|\A\s|\A\Z')
_DEVICE = re.compile(r"(?:aux|con|nul|prn|com[0-9]|lpt[0-9])(?:\.|@|\Z)", re.IGNORECASE)


def path_below(root: Path, suite: str, case_id: str) -> Path:
    """The file of a case below a folder; raises `SnapshotError` (`case_file.unsafe_id`) for an unsafe name.

    >>> path_below(Path("snapshots"), "travel/eu", "hotel-limit@2024").as_posix()
    'snapshots/travel/eu/hotel-limit@2024.json'
    """
    if not _CASE.match(case_id) or _DEVICE.match(case_id):
        raise _unsafe("case id", case_id, "lower-case letters, digits, '.', '_' and '-', at most 100")
    parts = suite.split("/")
    if any(_UNSAFE.search(part) or _DEVICE.match(part) for part in parts):
        raise _unsafe("suite", suite, "a folder path of names that are safe on every system")
    return root.joinpath(*parts, f"{case_id}.json")


def key_of(root: Path, path: Path) -> CaseKey:
    """The suite and case id that a path below a folder stands for.

    >>> key_of(Path("snapshots"), Path("snapshots/travel/eu/hotel.json"))
    ('travel/eu', 'hotel')
    """
    relative = PurePosixPath(path.relative_to(root).as_posix())
    return relative.parent.as_posix(), relative.name.removesuffix(".json")


def _unsafe(what: str, name: str, needed: str) -> SnapshotError:
    return SnapshotError(f"{what} {name!r} cannot name a file: it needs {needed}", code="case_file.unsafe_id")
