"""What to say right after collection to somebody whose run is not what they meant it to be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.corpus.paths import relative
from pytest_grounded.corpus.wording import did_you_mean
from pytest_grounded.corpus.yaml_reader import load_yaml
from pytest_grounded.errors import GroundedError
from pytest_grounded.plugin.options import cases_roots

__all__ = ["hints"]

_MOST_FILES = 2_000


def hints(config: pytest.Config, items: Sequence[pytest.Item], *, is_told: bool) -> list[str]:
    """Lines of advice; none where the run collected what it should.

    `is_told`: pytest says itself why nothing is left, by an error or as deselected. Where nothing was collected: what
    was named and is not there, else where cases are looked for. Where something was: corpora of which nobody may read
    anything, since a case over one passes or fails for no reason of the system's.
    """
    if items:
        return [*_unreadable(config, items)]
    if config.getoption("collectonly", False) or is_told:
        return []
    return [*_misnamed(config)] or _nothing_found(config)


def _unreadable(config: pytest.Config, items: Iterable[pytest.Item]) -> Iterator[str]:
    seen: set[int] = set()
    for item in items:
        corpus: Any = getattr(getattr(item, "case", None), "corpus", None)
        if corpus is None or id(corpus) in seen:
            continue
        seen.add(id(corpus))
        if len(corpus) and not any(chunk.readers for chunk in corpus):
            source = config.rootpath / corpus.source if corpus.source else None
            name = relative(source, config.invocation_params.dir) if source else corpus.name
            yield (
                f'grounded: nobody may read any chunk of {name}: add `default_readers: ["*"]` to it where everyone '
                "may, or `readers` to its chunks"
            )


def _nothing_found(config: pytest.Config) -> list[str]:
    """Where case files are looked for, in a project that names a system or has a folder of cases."""
    is_ours = config.getini("grounded_cases") or config.getoption("grounded_system", None)
    if not is_ours and not any(root.is_dir() for root in cases_roots(config)):
        return []
    said = f"grounded: no case was found; case files are *.yaml with the key `cases`, below {_roots(config)}"
    return [f"{said} (`pytest-grounded lint` lists what was passed over, `pytest-grounded init` writes a first suite)"]


def _roots(config: pytest.Config) -> str:
    return ", ".join(os.path.relpath(root, config.invocation_params.dir) for root in cases_roots(config))


# --- what was named ----------------------------------------------------------------------------------------------


def _misnamed(config: pytest.Config) -> Iterator[str]:
    """What was named on the command line and has no case, with what may have been meant."""
    for argument in config.args:
        name, _, case = str(argument).partition("::")
        path = config.invocation_params.dir / name
        if not path.exists():
            yield from _not_there(config, name)
        elif case and path.suffix == ".yaml":
            ids = _ids(path)
            known = did_you_mean(case, ids) or (f" (cases there: {', '.join(ids[:_FEW])})" if ids else "")
            yield f"grounded: {name} has no case {case!r}{known}"
        elif path.is_dir() and not _is_below_roots(config, path):
            yield from _outside(config, path)


_FEW = 8


def _not_there(config: pytest.Config, name: str) -> Iterator[str]:
    here = config.invocation_params.dir
    there = [relative(path, here) for root in cases_roots(config) if root.is_dir() for path in _below(root)]
    if near := did_you_mean(name.rstrip("/"), there):
        yield f"grounded: there is no {name}{near}"


def _outside(config: pytest.Config, folder: Path) -> Iterator[str]:
    for path in _below(folder):
        if path.suffix == ".yaml" and _ids(path):
            shown = relative(path, config.invocation_params.dir)
            yield (
                f"grounded: {shown} has cases and stands outside of {_roots(config)}: name the file itself, or add its "
                "folder to the ini option grounded_cases"
            )
            return


def _is_below_roots(config: pytest.Config, path: Path) -> bool:
    where = path.resolve()
    return any(where.is_relative_to(root) or root.is_relative_to(where) for root in cases_roots(config))


def _below(folder: Path) -> list[Path]:
    """Files and folders below a folder, the folder first; of very many the first."""
    found = [folder]
    for path in folder.rglob("*"):
        if len(found) >= _MOST_FILES:
            break
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            found.append(path)
    return [found[0], *sorted(found[1:])]


def _ids(path: Path) -> list[str]:
    try:
        data = load_yaml(path).data
    except (GroundedError, OSError):
        return []
    cases = data.get("cases") if isinstance(data, dict) else None
    written = cases if isinstance(cases, list) else []
    return [str(case["id"]) for case in written if isinstance(case, dict) and case.get("id")]
