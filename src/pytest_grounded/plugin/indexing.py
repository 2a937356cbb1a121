"""Opens the leak index of a large corpus from a file, so that the workers of a run share it and the next run finds it.

The first worker that needs it builds it, the others wait. It is kept in pytest's cache folder; without one
(`-p no:cacheprovider`) every process builds its own in memory, which is what a small corpus gets anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_grounded.detection.store import index_path, open_index
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.plugin.exclusion import locked

__all__ = ["LARGE", "Indexes"]

LARGE = 2_000
"""Chunks from which a file is read sooner than an index is built."""
_MOST_KEPT = 8
"""Files of other corpora, or of earlier states of one, that are left in the folder."""


class Indexes:
    """The indexes of one process's run, each opened when a case first needs it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._opened: set[int] = set()

    def open_for(self, case: Case) -> None:
        """Open what judging and cleaning this case will look things up in."""
        for corpus in _corpora(case):
            if id(corpus) not in self._opened and len(corpus) >= LARGE:
                self._opened.add(id(corpus))
                self._open(corpus)

    def _open(self, corpus: Corpus) -> None:
        cache = getattr(self._config, "cache", None)
        if cache is None:
            return
        # Where nothing can be written the index is built in memory, as without a cache.
        with suppress(OSError):
            folder: Path = cache.mkdir("grounded-leaks")
            with locked(folder / "lock", alone=True):
                is_new = not index_path(corpus, folder).exists()
                open_index(corpus, folder)
                if is_new:
                    _forget_old(folder, index_path(corpus, folder))


def _corpora(case: Case) -> Iterator[Corpus]:
    """The corpora of a case that hold something its requesters may not read."""
    if case.view.unreadable:
        yield case.corpus
    yield from (step.corpus for step in case.steps if step.corpus.view(step.requester, step.as_of).unreadable)


def _forget_old(folder: Path, current: Path) -> None:
    others = sorted((path for path in folder.glob("*.leaks") if path != current), key=lambda path: path.stat().st_mtime)
    for path in others[: -_MOST_KEPT or None]:
        path.unlink(missing_ok=True)
