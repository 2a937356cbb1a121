"""How much of what was computed of texts is kept: many short ones, a few long ones.

A cache that counts entries holds little of ordinary claims and chunks, and hundreds of megabytes of long ones: what is
read of a text of 200 kB is many times as large as the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

__all__ = ["Remembering", "remembered"]

_Options = ParamSpec("_Options")
_Answer = TypeVar("_Answer")

_LONG = 16_000
"""A text of so many characters counts as long; hardly a chunk and no claim is."""
_LONG_KEPT = 32


class Remembering(Generic[_Options, _Answer]):
    """A function of a text that remembers its last answers."""

    def __init__(self, compute: Callable[Concatenate[str, _Options], _Answer], maxsize: int) -> None:
        self._short: Callable[..., _Answer] = lru_cache(maxsize=maxsize)(compute)
        self._long: Callable[..., _Answer] = lru_cache(maxsize=_LONG_KEPT)(compute)
        update_wrapper(self, compute)

    def __call__(self, text: str, /, *args: _Options.args, **kwargs: _Options.kwargs) -> _Answer:
        """The answer, computed or remembered."""
        return self._short(text, *args, **kwargs) if len(text) < _LONG else self._long(text, *args, **kwargs)

    def cache_clear(self) -> None:
        """Forget everything."""
        caches: tuple[Any, ...] = (self._short, self._long)
        for cache in caches:
            cache.cache_clear()


def remembered(
    maxsize: int,
) -> Callable[[Callable[Concatenate[str, _Options], _Answer]], Remembering[_Options, _Answer]]:
    """Make a function of a text remember its last answers: `maxsize` of short texts, 32 of long ones.

    >>> @remembered(100)
    ... def shout(text: str) -> str:
    ...     print("listening")
    ...     return text.upper()
    >>> shout("ah"), shout("ah")
    listening
    ('AH', 'AH')
    """
    return lambda compute: Remembering(compute, maxsize)
