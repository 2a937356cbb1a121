"""Where in somebody's own code an exception came from: the line to open, below all frames of libraries."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path
from types import TracebackType

__all__ = ["place_in_own_code"]

_OURS = Path(__file__).resolve().parents[1]


def place_in_own_code(error: BaseException) -> str:
    """File, line and function of the innermost frame that is neither this package's nor an installed library's.

    Where there is none, of the innermost that is not this package's; empty where there is none either. The file is
    named without its folder, so that the same failure is said in the same words on every machine.

    >>> try:
    ...     exec(compile("1 / 0", "shop/prices.py", "exec"))
    ... except ZeroDivisionError as error:
    ...     place_in_own_code(error)
    'prices.py:1'
    """
    frames = [frame for frame in _frames(error.__traceback__) if not _is_below(frame[0], (_OURS,))]
    own = [frame for frame in frames if not _is_below(frame[0], _libraries())]
    return _said(*(own or frames)[-1]) if frames else ""


def _frames(traceback: TracebackType | None) -> list[tuple[str, int, str]]:
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        found.append((code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    return found


def _said(file: str, line: int, function: str) -> str:
    return f"{Path(file).name}:{line}" + ("" if function.startswith("<module") else f", in {function}")


def _is_below(file: str, folders: tuple[Path, ...]) -> bool:
    """Frozen modules have no file; the import machinery is one of them."""
    return file.startswith("<frozen ") or any(folder in Path(file).parents for folder in folders)


@cache
def _libraries() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple({Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
