"""Which keys of the case language this version does not act on yet: using one is an error, never a silent pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounded.corpus.faults import Fault, Path

__all__ = ["NOT_YET_SUPPORTED", "unsupported_keys"]

NOT_YET_SUPPORTED = frozenset(
    {
        "absent_question",
        "budget",
        "control",
        "expect.slots[].states",
        "observe",
        "on",
        "relations",
        "require",
        "runs",
        "serial",
        "steps",
        "strict_memory",
        "unjudged",
        "waive",
    }
)
"""Keys as they stand in a case, lists as `[]`. Taking a name out is all it needs once its check is built."""


def unsupported_keys(written: Mapping[str, Any], *, at: Path = ()) -> Iterator[Fault]:
    """A fault for every key of a case, or of `defaults`, that is known and not supported; `at` is where that stands.

    >>> [fault.message for fault in unsupported_keys({"id": "a", "runs": "5"})]
    ["'runs' is known, not supported by this version (take it out)"]
    """
    for name in sorted(NOT_YET_SUPPORTED):
        for path in _found(written, tuple(name.split(".")), at):
            message = f"{str(path[-1])!r} is known, not supported by this version (take it out)"
            yield Fault(kind="unknown_key", message=message, path=path, at_key=True)


def _found(value: Any, name: tuple[str, ...], path: Path) -> Iterator[Path]:
    if not name:
        yield path
        return
    key, *rest = name
    if isinstance(value, dict) and key.removesuffix("[]") in value:
        key, inner = key.removesuffix("[]"), value[key.removesuffix("[]")]
        if not name[0].endswith("[]"):
            yield from _found(inner, tuple(rest), (*path, key))
        elif isinstance(inner, list):
            for index, one in enumerate(inner):
                yield from _found(one, tuple(rest), (*path, key, index))
