"""Keeps syrupy's cleanup away from the approved traces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

__all__ = ["shield_traces"]


def shield_traces(config: pytest.Config, folder: Path) -> None:
    """Let syrupy delete nothing below the folder of approved traces, also where `--snapshot-dirname` names it.

    syrupy deletes on update every file below its folders that no test of the run used. There is no public way to set
    files aside, so its session is told to pass over ours; where it has no such method there is nothing to shield from.
    """
    session = getattr(config, "_syrupy", None)
    remove = getattr(session, "remove_unused_snapshots", None)
    if remove is None:
        return
    from syrupy.data import SnapshotCollections

    ours = folder.resolve()

    def remove_others(unused_snapshot_collections: Any, used_snapshot_collections: Any) -> None:
        others = SnapshotCollections()
        for collection in unused_snapshot_collections:
            if not Path(collection.location).resolve().is_relative_to(ours):
                others.add(collection)
        remove(unused_snapshot_collections=others, used_snapshot_collections=used_snapshot_collections)

    session.remove_unused_snapshots = remove_others  # type: ignore[union-attr]
