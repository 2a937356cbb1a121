"""Keeps a case that is `serial` from being asked beside another one.

One pytest process asks one case at a time. Under pytest-xdist other workers ask theirs beside it, so the workers of a
run share a lock file: an ordinary case holds it together with others, a serial case alone. Whoever waits first goes
first, so that many ordinary cases cannot keep a serial one waiting for ever. Workers on other machines share no file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_grounded.model.case import Case

__all__ = ["asked_in_turn", "locked"]


@contextmanager
def asked_in_turn(request: pytest.FixtureRequest, case: Case, *, any_serial: bool) -> Iterator[None]:
    """Hold the run's lock while a case is asked; `any_serial`: whether the run has a serial case at all."""
    if not any_serial or not hasattr(request.config, "workerinput"):
        yield
        return
    # The folder above a worker's own is the run's: the place pytest-xdist's documentation gives for such locks.
    folder: Path = request.getfixturevalue("tmp_path_factory").getbasetemp().parent
    with locked(folder / "grounded-turn.lock", alone=True):
        held = _open_locked(folder / "grounded-asking.lock", alone=case.serial)
    try:
        yield
    finally:
        os.close(held)


@contextmanager
def locked(path: Path, *, alone: bool) -> Iterator[None]:
    """Hold a lock file, alone or with others who do not need it alone."""
    descriptor = _open_locked(path, alone=alone)
    try:
        yield
    finally:
        os.close(descriptor)


def _open_locked(path: Path, *, alone: bool) -> int:
    """A file that is locked until its descriptor is closed, also by a crash."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        _lock(descriptor, alone=alone)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, *, alone: bool) -> None:  # noqa: ARG001 - there is no shared lock: cases take turns
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten seconds
                continue
            return

else:
    import fcntl

    def _lock(descriptor: int, *, alone: bool) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
