"""Writes the results file and the terminal summary from the gathered records of judged cases."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_grounded.errors import JudgeError
from pytest_grounded.files import write_whole
from pytest_grounded.plugin.commands import approve_new
from pytest_grounded.plugin.options import judge_path, results_path, snapshot_mode, system_name
from pytest_grounded.redaction import neutral_json, neutralise
from pytest_grounded.reporting.changes import orphan_lines
from pytest_grounded.reporting.summary import summary_lines

__all__ = ["said_of_stop", "write_results", "write_summary", "write_verdicts"]

Records = Mapping[str, Sequence[dict[str, Any]]]


def write_results(config: pytest.Config, gathered: Records) -> str | None:
    """One line per case, in order of suite and case: serial and parallel runs write the same bytes.

    What went wrong is returned in words: a run whose results are missing has failed, whatever its tests say.
    """
    path = results_path(config)
    if path is None:
        return None
    # Half characters, which UTF-8 cannot hold, are written as escapes: one reply must not cost the others their lines.
    records = _one_per_case(gathered)
    lines = (neutral_json(json.dumps(record, ensure_ascii=False, allow_nan=False)) + "\n" for record in records)
    try:
        write_whole(path, lines)
    except OSError as error:
        return f"--grounded-results {path}: not written: {error.strerror}"
    return None


def said_of_stop(config: pytest.Config, gathered: Records) -> str:
    """What the results file holds after a run that was stopped: what was judged, or what it held before."""
    path, count = results_path(config), len(_one_per_case(gathered))
    if count:
        return f"--grounded-results {path}: partial, {count} case{'s' if count > 1 else ''}: the run was stopped"
    earlier = "; the file there is of an earlier run" if path is not None and path.is_file() else ""
    return f"--grounded-results {path}: not written, the run was stopped before a case was judged{earlier}"


def write_verdicts(config: pytest.Config, gathered: Records) -> None:
    """Keep what the judge ruled, where its file says so and the run may write among the project's files."""
    path = judge_path(config)
    if path is None or snapshot_mode(config) == "check":
        return
    from pytest_grounded.judges.verdicts import KeptVerdict
    from pytest_grounded.systems.judges import keep_verdicts

    judges = [record["judge"] for records in gathered.values() for record in records if record.get("judge")]
    new = [
        KeptVerdict(judge=judge["name"], version=judge["version"], key=one["key"], verdict=one["verdict"])
        for judge in judges
        for one in judge["rulings"]
        if one["verdict"] is not None and not one["cached"]
    ]
    try:
        keep_verdicts(path, new)
    except (OSError, JudgeError) as error:
        config.issue_config_time_warning(
            pytest.PytestWarning(f"ini option grounded_judge: verdicts not kept: {error}"), stacklevel=2
        )


def write_summary(
    reporter: pytest.TerminalReporter,
    gathered: Records,
    *,
    details: Mapping[str, Sequence[str]],
    orphans: Sequence[str],
) -> None:
    """The summary of the run in the terminal."""
    rows = _one_per_case(gathered)
    lines = [*summary_lines(rows, details=details, approve_new=approve_new(reporter.config)), *orphan_lines(orphans)]
    if lines:
        lines[1:1] = _of_the_default(reporter.config, rows)
        reporter.write_sep("=", "grounded answers")
        for line in lines:
            reporter.write_line(neutralise(line))


def _of_the_default(config: pytest.Config, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """That the embedded pipeline was asked although nobody named it: else it is taken for one's own assistant."""
    if system_name(config) or not any((row["versions"] or {}).keys() >= _OF_THE_REFERENCE for row in rows):
        return []
    return ["asked was the embedded pipeline: neither --grounded-system nor grounded_system names a system of yours"]


_OF_THE_REFERENCE = {"pipeline", "scorer", "generator", "verifier", "settings"}


def _one_per_case(gathered: Records) -> list[dict[str, Any]]:
    """The record of each case; where a hand-written test judged it too, the one of the case file's own test."""
    chosen: dict[tuple[str, str], tuple[tuple[bool, str], dict[str, Any]]] = {}
    for nodeid, records in gathered.items():
        for record in records:
            key = (record["suite"], record["case"])
            rank = (not _is_case_file(nodeid), nodeid)
            if key not in chosen or rank <= chosen[key][0]:
                chosen[key] = (rank, record)
    return [chosen[key][1] for key in sorted(chosen)]


def _is_case_file(nodeid: str) -> bool:
    return nodeid.partition("::")[0].endswith(".yaml")
