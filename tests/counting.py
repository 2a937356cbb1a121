"""Counting what a piece of work does, so that its growth with its input can be tested without a clock.

Counted are calls of functions, Python's own and built-in ones. What happens inside one call - a pattern that goes back
over a text again and again - is not; `benchmarks/hostile.py` measures that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

_Input = TypeVar("_Input")
GROWTH = 4
"""How many times longer the longer input is."""
_SLACK = 1.5
_CONSTANT = 3_000
"""Calls that do not grow: filling caches, building tables."""


def calls_of(work: Callable[[], object]) -> int:
    """How many functions a piece of work calls."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        del frame, argument
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def assert_linear(work: Callable[[_Input], object], make: Callable[[int], _Input], size: int) -> None:
    """Four times the input takes about four times the calls, not sixteen times."""
    work(make(size // 2))  # what is computed once is computed now
    short, long = make(size), make(GROWTH * size)
    few, many = calls_of(lambda: work(short)), calls_of(lambda: work(long))
    assert many <= GROWTH * _SLACK * few + _CONSTANT, f"{few} calls for {size}, {many} for {GROWTH * size}"
