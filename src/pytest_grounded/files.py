"""Writes a file whole or not at all: a reader never sees half of one, and a failed write leaves the old one."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write UTF-8 with LF line ends beside the file, then put it in its place.

    The temporary name holds the ids of process and thread, so that two writers at once do not write into each other's
    file; which of them is the last one wins. Raises OSError where the disk is full or the folder cannot be written.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    path = path.resolve()
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
