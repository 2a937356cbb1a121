"""Labelled rows for tests: only the fields that matter need to be given."""

from __future__ import annotations

import json
from typing import Any

from pytest_grounded.calibration.rows import Sample, read_rows

__all__ = ["as_lines", "make_sample", "ordered_rows"]


def ordered_rows(n: int, wrong: int, *, prefix: str = "q", **facts: Any) -> list[dict[str, Any]]:
    """Rows with rising scores of which the lowest `wrong` ones are wrong."""
    return [
        {
            "case": f"{prefix}{i:04}",
            "score": round((i + 1) / (n + 1), 4),
            "correct": int(i >= wrong),
            "sample": "traffic",
        }
        | facts
        for i in range(n)
    ]


def as_lines(rows: list[dict[str, Any]]) -> list[bytes]:
    """The rows as they stand in a file."""
    return [json.dumps(row).encode() + b"\n" for row in rows]


def make_sample(rows: list[dict[str, Any]], *, name: str = "rows.jsonl") -> Sample:
    """The rows as they are read."""
    return read_rows(as_lines(rows), name=name)
