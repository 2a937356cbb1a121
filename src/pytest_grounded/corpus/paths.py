"""Which file a path written in an input file names, so that it never leads out of where it may look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

__all__ = ["PathRefusedError", "inside", "outside", "relative"]

_DRIVE = re.compile(r"[A-Za-z]:")
_VARIABLE = re.compile(r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}/(?P<rest>.+)", re.DOTALL)


class PathRefusedError(Exception):
    """Why a written path is not followed; the message says what was found and what would be right."""


def inside(folder: Path, written: str) -> Path:
    """The file a path names below a folder; links are followed and must end below it too.

    >>> inside(Path("cases"), "../secret")
    Traceback (most recent call last):
    ...
    pytest_grounded.corpus.paths.PathRefusedError: leads out of the folder with '..' (name a file below the folder)
    """
    if reason := _refusal(written):
        raise PathRefusedError(f"{reason} (name a file below the folder)")
    named = folder / written
    try:
        real, base = named.resolve(), folder.resolve()
    except (OSError, RuntimeError) as error:
        raise PathRefusedError("is a symbolic link without an end (name a file below the folder)") from error
    if not real.is_relative_to(base):
        raise PathRefusedError("is a symbolic link that leads out of the folder (name a file below the folder)")
    return named


def outside(written: str, environ: Mapping[str, str], *, root: Path) -> Path | None:
    """The file that `${VARIABLE}/path` names below the variable's folder; None where a path has no variable.

    >>> outside("chunks.jsonl", {}, root=Path("."))
    """
    match = _VARIABLE.fullmatch(written)
    if match is None:
        return None
    name = match["name"]
    if not environ.get(name):
        raise PathRefusedError(f"environment variable {name} is not set (set it to the folder of the documents)")
    return inside(root / environ[name], match["rest"])


def relative(path: Path, root: Path) -> str:
    """A path as it is shown to people: from the root where it is below it, with forward slashes.

    >>> relative(Path("/project/cases/a.yaml"), Path("/project"))
    'cases/a.yaml'
    """
    for base in (root, root.resolve()):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()


def _refusal(written: str) -> str | None:
    if not written.strip():
        return "names no file"
    if "\0" in written:
        return "holds a NUL character"
    if "\\" in written:
        return "holds a backslash; folders are separated by /"
    if written.startswith(("/", "~")) or _DRIVE.match(written):
        return "is absolute"
    if "$" in written:
        return "holds a $ outside of a leading ${VARIABLE}/"
    return "leads out of the folder with '..'" if ".." in written.split("/") else None
