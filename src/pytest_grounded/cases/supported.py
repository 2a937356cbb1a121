"""Which keys of the case language this version does not act on yet: using one is an error, never a silent pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounded.corpus.faults import Fault, Path

__all__ = ["NOT_YET_SUPPORTED", "needs_unsupported", "unsupported_keys"]

NOT_YET_SUPPORTED = frozenset(
    {
        "budget",
        "relations",
    }
)
"""Keys as they stand in a case, lists as `[]`. Taking a name out is all it needs once its check is built."""


_KEY_OF_FAMILY = {"budget": "budget", "relation": "relations"}


def needs_unsupported(check: str) -> bool:
    """Whether no case can exercise a check, because the key that asks for it is not supported.

    >>> needs_unsupported("quote.elision")
    False
    """
    return _KEY_OF_FAMILY.get(check.partition(".")[0]) in NOT_YET_SUPPORTED


def unsupported_keys(written: Mapping[str, Any], *, at: Path = ()) -> Iterator[Fault]:
    """A fault for every key of a case, or of `defaults`, that is known and not supported; `at` is where that stands.

    >>> [fault.message for fault in unsupported_keys({"id": "a", "budget": {}})]
    ["'budget' is known, not supported by this version (take it out)"]
    """
    for path in _used(written):
        message = f"{str(path[-1])!r} is known, not supported by this version (take it out)"
        yield Fault(kind="unknown_key", message=message, path=(*at, *path), at_key=True)


def _used(written: Mapping[str, Any]) -> Iterator[Path]:
    """Where unsupported keys stand: in the case, and what it may expect also in its steps and revisions."""
    for name in sorted(NOT_YET_SUPPORTED):
        parts = tuple(name.split("."))
        yield from _found(written, parts, ())
        if parts[0] == "expect":
            yield from _found(written, ("steps[]", *parts), ())
            revisions = written.get("on")
            for corpus, revision in revisions.items() if isinstance(revisions, dict) else ():
                yield from _found(revision, parts, ("on", corpus))


def _found(value: Any, name: tuple[str, ...], path: Path) -> Iterator[Path]:
    if not name:
        yield path
        return
    key = name[0].removesuffix("[]")
    if not isinstance(value, dict) or key not in value:
        return
    if key == name[0]:
        yield from _found(value[key], name[1:], (*path, key))
        return
    for index, entry in enumerate(value[key] if isinstance(value[key], list) else ()):
        yield from _found(entry, name[1:], (*path, key, index))
