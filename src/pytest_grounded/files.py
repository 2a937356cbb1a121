"""Writes files whole or not at all: a reader never sees half of one, and a failed write leaves the old ones."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["write_together", "write_whole"]


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write UTF-8 with LF line ends beside the file, then put it in its place.

    The temporary name holds the ids of process and thread, so that two writers at once do not write into each other's
    file; which of them is the last one wins. Raises OSError where the disk is full or the folder cannot be written.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    path = path.resolve()
    temporary = _temporary(path)
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files, all or none: each is laid beside its place first, then all are put in place in order.

    Where one cannot be put in place, those before it get back what they held, and folders made for them go. A file
    that was there keeps its mode. Raises OSError.
    """
    before = {path: path.read_bytes() if path.is_file() else None for path in contents}
    made: list[Path] = []
    laid: dict[Path, Path] = {}
    placed: list[Path] = []
    try:
        for path, raw in contents.items():
            made += _made_folders(path.parent)
            laid[path] = _lay(path, raw)
        for path, temporary in laid.items():
            placed.append(path)  # before, not after: what stops in between is undone as well
            temporary.replace(path.resolve())
    except BaseException:
        for path in placed:
            _put_back(path, before[path])
        for temporary in laid.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def _made_folders(folder: Path) -> list[Path]:
    """Make a folder and those it is in; the ones that were not there, the outermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _lay(path: Path, raw: bytes) -> Path:
    """The bytes in a temporary file beside their place, with the mode of the file that is there."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    target = path.resolve()
    temporary = _temporary(target)
    try:
        temporary.write_bytes(raw)
        if target.exists():
            shutil.copymode(target, temporary)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return temporary


def _put_back(path: Path, raw: bytes | None) -> None:
    with suppress(OSError):
        if raw is None:
            path.unlink(missing_ok=True)
        else:
            _lay(path, raw).replace(path.resolve())


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}.tmp")
