"""Time limits: a call ends after so many seconds, also one that never looks up or swallows what is to stop it.

In the main thread of a system with alarm signals the call is interrupted by an exception raised where it stands: code
bound to that thread (an SQLite connection, say) keeps working. Elsewhere it runs in a thread that is left behind. Code
that never returns to Python (a native loop) can be stopped by nobody within its process.
"""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, TypeVar

__all__ = ["OutOfTime", "Waiting", "in_time"]

_Result = TypeVar("_Result")
_PATIENCE = 1.0
"""Seconds for a call to end by itself once it was told, at most; after that it is told again and again."""
_AGAIN = 20e-6
"""Seconds between two tellings then: short enough to come between a call's `except BaseException` and its next try."""


class OutOfTime(BaseException):
    """Raised in the call. A BaseException, so that its own `except Exception` does not swallow it."""


def in_time(work: Callable[[], _Result], seconds: float | None) -> _Result:
    """The result of the work; raises OutOfTime where it takes longer. `None` sets no limit.

    >>> in_time(lambda: 3, 5)
    3
    """
    if seconds is None:
        return work()
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _Alarm(seconds).over(work)
    return _in_thread(work, seconds)


class Waiting:
    """Waits for what async calls give, all on one event loop, so that a client kept by the system stays usable."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None
        self._task: asyncio.Task[Any] | None = None

    def result(self, reply: Awaitable[_Result], seconds: float | None) -> _Result:
        """What it gives; raises OutOfTime where it takes longer, cancelled first and interrupted where that fails."""
        limit = None if seconds is None else seconds + _patience(seconds)
        if _loop_is_running():
            return _in_thread(lambda: asyncio.run(self._limited(reply, seconds)), limit)
        if self._runner is None:
            self._runner = asyncio.Runner()
        runner = self._runner
        try:
            return in_time(lambda: runner.run(self._limited(reply, seconds)), limit)
        except OutOfTime:
            self._leave_what_hangs(runner)
            raise

    def close(self) -> None:
        """Close the event loop, if one was needed; what cannot be cancelled on it is left."""
        runner, self._runner = self._runner, None
        if runner is not None:
            try:
                in_time(runner.close, _LONGEST_CLOSING)
            except OutOfTime:
                _LEFT_BEHIND.append(runner)

    async def _limited(self, reply: Awaitable[_Result], seconds: float | None) -> _Result:
        self._task = asyncio.current_task()
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                result = await reply
        except TimeoutError:
            if limit.expired():
                raise OutOfTime from None
            raise
        if limit.expired():
            raise OutOfTime
        return result

    def _leave_what_hangs(self, runner: asyncio.Runner) -> None:
        """Go on with another event loop where the call is still there on this one.

        It is kept and not closed: closing would wait for the call, and one that is thrown away complains.
        """
        if self._task is None or not self._task.done():
            _LEFT_BEHIND.append((runner, self._task))
            self._runner = None


_LONGEST_CLOSING = 5.0
_LEFT_BEHIND: list[object] = []


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _patience(seconds: float) -> float:
    return min(_PATIENCE, max(seconds, 0.1))


class _Alarm:
    """Interrupts the main thread after some time, leaving an earlier alarm of somebody else in force."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._told = False

    def over(self, work: Callable[[], _Result]) -> _Result:
        """The result of the work, unless it is late."""
        remaining, interval = signal.getitimer(signal.ITIMER_REAL)
        if 0 < remaining <= self._seconds:
            return work()
        started = time.monotonic()
        earlier = signal.signal(signal.SIGALRM, self._interrupt)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            result = work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, earlier)
            if remaining:
                left = remaining - (time.monotonic() - started)
                signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), interval)
        if self._told:
            raise OutOfTime
        return result

    def _interrupt(self, _signum: int, frame: FrameType | None) -> None:
        """Stop the call where it stands, and come again in case it goes on; nothing here is ever stopped."""
        signal.setitimer(signal.ITIMER_REAL, _AGAIN if self._told else _patience(self._seconds))
        self._told = True
        if frame is not None and frame.f_globals is not globals():
            raise OutOfTime


def _in_thread(work: Callable[[], _Result], seconds: float | None) -> _Result:
    """Run in a daemon thread, so that a call that never returns does not keep the session alive."""
    results: list[_Result] = []
    errors: list[BaseException] = []
    context = contextvars.copy_context()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:  # noqa: BLE001 - handed over to the waiting thread
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True, name="grounded-system")
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise OutOfTime
    if errors:
        raise errors[0]
    return results[0]
