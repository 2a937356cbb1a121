"""The approved traces of a project and the differences that wait for a person, as files.

Every file is written whole or not at all. A run writes; only `prune` deletes an approved trace.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_grounded.files import write_whole
from pytest_grounded.snapshots.classify import DEFAULT_TOLERANCE, Comparison, settle
from pytest_grounded.snapshots.credentials import refuse_secrets
from pytest_grounded.snapshots.errors import SnapshotError
from pytest_grounded.snapshots.names import CaseKey, key_of, path_below
from pytest_grounded.snapshots.pending import Pending
from pytest_grounded.snapshots.schema import Trace
from pytest_grounded.snapshots.volatile import is_volatile
from pytest_grounded.snapshots.writer import dumps, loads

__all__ = ["Baseline", "Pruned", "SnapshotStore"]


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """An approved trace as it was read."""

    path: Path
    text: str
    trace: Trace

    @cached_property
    def sha(self) -> str:
        """The hash of the file's text, whatever its line ends."""
        return _sha(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What `prune` deleted, or would delete; `left` are files among the traces that are none."""

    baselines: tuple[Path, ...] = ()
    pending: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()


class SnapshotStore:
    """`snapshots/` and `.grounded/pending/` below `root`; `run_dir` takes the place of `.grounded` where it is given.

    One store serves a run: it remembers what it saw of a case, to tell an unstable one.
    """

    def __init__(self, root: Path, run_dir: Path | None = None) -> None:
        self.root = root
        self.snapshots = root / "snapshots"
        self._own_dir = run_dir is None
        self._run_dir = root / ".grounded" if run_dir is None else run_dir
        self.pending_dir = self._run_dir / "pending"
        self._seen: defaultdict[CaseKey, set[str]] = defaultdict(set)

    def path_of(self, suite: str, case_id: str) -> Path:
        """Where the approved trace of a case stands."""
        return path_below(self.snapshots, suite, case_id)

    def pending_path_of(self, suite: str, case_id: str) -> Path:
        """Where a case's pending record stands."""
        return path_below(self.pending_dir, suite, case_id)

    def shown(self, path: Path) -> str:
        """A path as people are told it: relative to the root where it is below."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    # Approved traces

    def read(self, suite: str, case_id: str) -> Baseline | None:
        """The approved trace of a case; None where it has none. Raises `SnapshotError` where it cannot be read."""
        path = self.path_of(suite, case_id)
        text = self._text(path)
        if text is None:
            return None
        return Baseline(path=path, text=text, trace=loads(text, where=self.shown(path)))

    def approve(self, suite: str, case_id: str, new: Trace, *, tolerance: float = DEFAULT_TOLERANCE) -> bool:
        """Make a trace the approved one; False where nothing had to be written.

        Numbers that are within the tolerance of the stored ones keep those. An approved trace that cannot be read is
        replaced. Raises `SnapshotError`: `snapshot.secret` where the trace holds a credential, `snapshot.not_written`
        where the disk is full or read-only; the file is then as it was.
        """
        path = self.path_of(suite, case_id)
        old: Baseline | None = None
        with suppress(SnapshotError):
            old = self.read(suite, case_id)
        text = dumps(settle(old.trace, new, tolerance=tolerance) if old else new)
        if old and old.text == text:
            return False
        refuse_secrets(new, where=self.shown(path))
        self._write(path, text)
        return True

    # Pending records

    def keep_pending(
        self,
        suite: str,
        case_id: str,
        new: Trace,
        *,
        base: Baseline | None = None,
        comparison: Comparison | None = None,
        findings: Sequence[str] = (),
        run: Mapping[str, Any] | None = None,
        unstable: bool = False,
    ) -> Pending:
        """Write a case's pending record in place of an earlier one, and return it.

        The record says that the case is unstable where `unstable` does, or where this store has seen another result of
        the case in this run. Raises `SnapshotError` like `approve`.
        """
        path = self.pending_path_of(suite, case_id)
        unstable |= self._differs(suite, case_id, dumps(new))
        pending = Pending(
            suite=suite,
            case=case_id,
            base_sha=base.sha if base else None,
            new=new,
            summary=comparison.summary() if comparison else {"headline": "new"},
            run={key: value for key, value in (run or {}).items() if not is_volatile(key, value)},
            blocked_by=tuple(sorted(set(findings))),
            unstable=unstable,
        )
        refuse_secrets(new, where=self.shown(path))
        if self._own_dir:
            self._ignore_in_git()
        self._write(path, pending.to_text())
        return pending

    def passed(self, suite: str, case_id: str) -> bool:
        """Note that a case equals its approved trace, and delete its pending record; whether it had been unstable."""
        unstable = self._differs(suite, case_id, "")
        self.reject(suite, case_id)
        return unstable

    def read_pending(self, suite: str, case_id: str) -> Pending | None:
        """A case's pending record; None where it has none."""
        return self._pending(self.pending_path_of(suite, case_id))

    def pending(self) -> tuple[Pending, ...]:
        """Every pending record, in order of suite and case."""
        found = (self._pending(path) for path in _json_files(self.pending_dir))
        return tuple(sorted((one for one in found if one is not None), key=lambda one: (one.suite, one.case)))

    def accept(
        self, suite: str, case_id: str, *, allow_unstable: bool = False, tolerance: float = DEFAULT_TOLERANCE
    ) -> Path:
        """Make a pending trace the approved one, delete the record, and return the path of the approved trace.

        Raises `SnapshotError`: `snapshot.nothing_pending`, `snapshot.blocked` where the case breaks a rule,
        `snapshot.unstable`, and `snapshot.out_of_date` where the approved trace is no longer the one compared with.
        """
        pending = self.read_pending(suite, case_id)
        if pending is None:
            raise SnapshotError(
                f"{suite}/{case_id}: nothing is pending; run pytest to see what differs",
                code="snapshot.nothing_pending",
            )
        path = self.path_of(suite, case_id)
        self._may_be_accepted(pending, path, allow_unstable=allow_unstable)
        self.approve(suite, case_id, pending.new, tolerance=tolerance)
        self.reject(suite, case_id)
        return path

    def reject(self, suite: str, case_id: str) -> bool:
        """Delete a case's pending record; False where it has none."""
        return self._delete(self.pending_path_of(suite, case_id))

    # Files without a case

    def orphans(self, catalogue: Iterable[CaseKey]) -> tuple[Path, ...]:
        """The approved traces that belong to no case of the catalogue, in order; the catalogue has to be complete."""
        return tuple(self._without_case(self.snapshots, catalogue))

    def prune(self, catalogue: Iterable[CaseKey], *, complete: bool, dry_run: bool) -> Pruned:
        """Delete approved traces and pending records of cases that no longer exist, and say which.

        `complete` says that every case was collected: no filter, no error. Raises `SnapshotError`
        (`snapshot.incomplete`) where it was not, or where there is no case at all. A file that is no trace is left.
        """
        known = frozenset(catalogue)
        if not complete or not known:
            why = "not every case was collected" if known else "no case was collected"
            raise SnapshotError(
                f"nothing is pruned: {why}; run it without filters and with every case file readable",
                code="snapshot.incomplete",
            )
        found = self.orphans(known)
        baselines = tuple(path for path in found if self._is_trace(path))
        pending = tuple(self._without_case(self.pending_dir, known))
        if not dry_run:
            for path in (*baselines, *pending):
                self._delete(path)
        return Pruned(
            baselines=baselines, pending=pending, left=tuple(path for path in found if path not in set(baselines))
        )

    # Helpers

    def _text(self, path: Path) -> str | None:
        try:
            return path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError as error:
            raise SnapshotError(
                f"is not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8 or take it again: "
                "pytest --snapshot-update",
                file=self.shown(path),
            ) from None
        except OSError as error:
            raise SnapshotError(f"cannot be read: {error.strerror}", file=self.shown(path)) from None

    def _write(self, path: Path, text: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, (text,))
        except OSError as error:
            raise SnapshotError(
                f"cannot be written: {error.strerror or error}; the file is as it was",
                code="snapshot.not_written",
                file=self.shown(path),
            ) from None

    def _delete(self, path: Path) -> bool:
        """Delete a file; False where there is none."""
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise SnapshotError(
                f"cannot be deleted: {error.strerror}", code="snapshot.not_written", file=self.shown(path)
            ) from None
        return True

    def _ignore_in_git(self) -> None:
        """Keep pending records out of commits without asking for a line in the project's own .gitignore."""
        note = self._run_dir / ".gitignore"
        if not note.exists():
            self._write(note, "*\n")

    def _pending(self, path: Path) -> Pending | None:
        text = self._text(path)
        return None if text is None else Pending.from_text(text, where=self.shown(path))

    def _differs(self, suite: str, case_id: str, result: str) -> bool:
        """Whether another result of the case was seen; the empty text stands for the approved one."""
        seen = self._seen[suite, case_id]
        seen.add(result and _sha(result))
        return len(seen) > 1

    def _may_be_accepted(self, pending: Pending, path: Path, *, allow_unstable: bool) -> None:
        name = f"{pending.suite}/{pending.case}"
        if pending.blocked_by:
            raise SnapshotError(
                f"{name}: blocked by {', '.join(pending.blocked_by)}; a trace that breaks a rule cannot be approved, "
                "mend the system or the case first",
                code="snapshot.blocked",
            )
        if pending.unstable and not allow_unstable:
            raise SnapshotError(
                f"{name}: one run gave different results; steady the system, or accept this one with --allow-unstable",
                code="snapshot.unstable",
            )
        text = self._text(path)
        if (None if text is None else _sha(text)) != pending.base_sha:
            raise SnapshotError(
                f"{name}: out of date, another trace was approved since this one was compared; run pytest again",
                code="snapshot.out_of_date",
                file=self.shown(path),
            )

    def _without_case(self, folder: Path, catalogue: Iterable[CaseKey]) -> Iterator[Path]:
        known = {_same_spelling(key) for key in catalogue}
        for path in _json_files(folder):
            if _same_spelling(key_of(folder, path)) not in known:
                yield path

    def _is_trace(self, path: Path) -> bool:
        with suppress(SnapshotError):
            text = self._text(path)
            return text is not None and "normaliser" in loads(text, where=self.shown(path))
        return False


def _json_files(folder: Path) -> list[Path]:
    """The JSON files below a folder in one order, those in hidden and overlay folders (`@profile`) left out."""
    files = (path for path in folder.rglob("*.json") if path.is_file())
    return sorted(path for path in files if not _is_set_aside(path.relative_to(folder)))


def _is_set_aside(path: Path) -> bool:
    return any(part.startswith((".", "@")) for part in path.parts)


def _same_spelling(key: CaseKey) -> CaseKey:
    """A key in one Unicode form: some file systems hand back another than they were given."""
    suite, case_id = key
    return unicodedata.normalize("NFC", suite), case_id


def _sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
