"""Calls a system under test and turns whatever happens into an `Outcome`.

This is the one place that catches `Exception`: a crash, a timeout or a wrong shape of the system is an outcome to be
judged. `KeyboardInterrupt` and pytest's own skip, fail and exit pass through.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.systems.reading import a_or_an, read_reply

__all__ = ["Caller", "answer_function"]

_Answer = Callable[[Request], Any]
_LONGEST_MESSAGE = 2000


def answer_function(system: object) -> _Answer:
    """The callable behind a system: itself, or its `answer` method.

    >>> answer_function(len) is len
    True
    """
    if inspect.isclass(system):
        message = (
            f"the system is the class {system.__name__!r}: name an instance of it, or a function that takes a request"
        )
        raise SystemContractError(message)
    answer = getattr(system, "answer", None)
    if callable(answer):
        return answer  # type: ignore[no-any-return]
    if callable(system):
        return system
    raise SystemContractError(
        f"the system is {a_or_an(type(system).__name__)}: "
        "it needs to be callable with a request or to have a method answer(request)"
    )


class _TimedOut(BaseException):
    """Raised in the called system; a BaseException, so that its own `except Exception` does not swallow it."""


class Caller:
    """Calls systems, sync or async, with a time limit in seconds (0 or less: none).

    One event loop serves every async call of a session, so that a client kept by the system stays usable. Use as a
    context manager, or call `close`.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS
    >>> request = Request(question="?", requester=ANONYMOUS, as_of=date(2024, 1, 1))
    >>> with Caller(timeout=5) as caller:
    ...     caller.call(lambda request: {"decision": "abstain"}, request).decision.value
    'abstain'
    """

    def __init__(self, *, timeout: float = 60.0) -> None:
        self.timeout = timeout if timeout > 0 and math.isfinite(timeout) else None
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the event loop, if one was needed."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def call(self, system: object, request: Request) -> Outcome:
        """Ask once. Never raises for what the system does."""
        answer = answer_function(system)
        try:
            reply = self._limited(answer, request)
            if inspect.isawaitable(reply):
                reply = self._await(reply)
        except (_TimedOut, TimeoutError) as error:
            return _failed_in_time(error, self.timeout)
        except asyncio.CancelledError:
            return _failed(FailureKind.EXCEPTION, "CancelledError: the system's own task was cancelled")
        except SystemExit as error:
            return _failed(FailureKind.EXCEPTION, f"SystemExit: {error.code}")
        except Exception as error:  # noqa: BLE001 - whatever the system under test raises is what is judged
            return _failed(FailureKind.EXCEPTION, _describe(error))
        return read_reply(reply)

    def _limited(self, answer: _Answer, request: Request) -> Any:
        if self.timeout is None:
            return answer(request)
        if _can_use_alarm():
            with _alarm(self.timeout):
                return answer(request)
        return _in_thread(lambda: answer(request), self.timeout)

    def _await(self, reply: Any) -> Any:
        async def limited() -> Any:
            return await asyncio.wait_for(reply, self.timeout)

        if _loop_is_running():
            return _in_thread(lambda: asyncio.run(limited()), None)
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(limited())


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _can_use_alarm() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt the main thread after some time, leaving an earlier alarm of somebody else in force.

    A signal, not a thread: a system built in the main thread (an SQLite connection, say) may only be used there.
    """

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        raise _TimedOut

    remaining, _ = signal.getitimer(signal.ITIMER_REAL)
    if 0 < remaining <= seconds:
        yield
        return
    earlier = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
        if remaining:
            signal.setitimer(signal.ITIMER_REAL, max(remaining - (seconds - left), 0.001))


def _in_thread(work: Callable[[], Any], seconds: float | None) -> Any:
    """Run in a daemon thread, so that a call that never returns does not keep the session alive."""
    results: list[Any] = []
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
        raise _TimedOut
    if errors:
        raise errors[0]
    return results[0]


def _failed(kind: FailureKind, message: str) -> Outcome:
    return Outcome(failure=Failure(kind=kind, message=message[:_LONGEST_MESSAGE]))


def _failed_in_time(error: BaseException, timeout: float | None) -> Outcome:
    if timeout is None or (isinstance(error, TimeoutError) and str(error)):
        return _failed(FailureKind.EXCEPTION, _describe(error))
    return _failed(FailureKind.TIMEOUT, f"no reply within {timeout:g} s, the time limit")


def _describe(error: BaseException) -> str:
    """Type, message and the place in the system's own code, without the frames of this package."""
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if "pytest_grounded" not in code.co_filename:
            place = f" (line {traceback.tb_lineno}, in {code.co_name})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {error}{place}"
