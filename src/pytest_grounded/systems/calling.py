"""Calls a system under test and turns whatever happens into an `Outcome`.

This is the one place that catches everything: a crash, an exit, a timeout or a wrong shape of the system is an outcome
to be judged. `KeyboardInterrupt` and what the test runner raises to skip or to end the run pass through.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, Self

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.outcome import Failure, FailureKind, Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.systems.blaming import place_in_own_code
from pytest_grounded.systems.limiting import OutOfTime, Waiting, in_time
from pytest_grounded.systems.prose import ProseReply, read_prose
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
    if system is None:
        raise SystemContractError(
            "the system is None: it needs to be callable with a request or to have a method answer(request) "
            "(does the fixture grounded_system return one?)"
        )
    raise SystemContractError(
        f"the system is {a_or_an(type(system).__name__)}: "
        "it needs to be callable with a request or to have a method answer(request)"
    )


class Caller:
    """Calls systems, sync or async, with a time limit in seconds (0 or less: none).

    `passing`: exceptions that are not the system's but its test runner's, and go through, such as a skip. Use as a
    context manager, or call `close`.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS
    >>> request = Request(question="?", requester=ANONYMOUS, as_of=date(2024, 1, 1))
    >>> with Caller(timeout=5) as caller:
    ...     caller.call(lambda request: {"decision": "abstain"}, request).decision.value
    'abstain'
    """

    def __init__(self, *, timeout: float = 60.0, passing: tuple[type[BaseException], ...] = ()) -> None:
        self.timeout = min(timeout, _LONGEST) if timeout > 0 and math.isfinite(timeout) else None
        self._passing = passing
        self._waiting = Waiting()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the event loop, if one was needed."""
        self._waiting.close()

    def call(self, system: object, request: Request) -> Outcome:
        """Ask once. Whatever the system raises is its failure; only an interrupt goes through, and takes no text along.

        Raises SystemContractError for what is no system.
        """
        answer = answer_function(system)
        try:
            reply = self._reply(answer, request)
            if isinstance(reply, ProseReply):
                return read_prose(reply.reply, reply.corpus)
            return read_reply(reply)
        except self._passing:
            raise
        except OutOfTime:
            return _failed(FailureKind.TIMEOUT, f"no reply within {self.timeout:g} s, the time limit")
        except KeyboardInterrupt:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever the system under test raises is what is judged
            return _failed(FailureKind.EXCEPTION, _describe(error))
        # Anew, and outside the except clause: the text and the frames of the system's own would be printed.
        raise KeyboardInterrupt

    def _reply(self, answer: _Answer, request: Request) -> Any:
        reply = in_time(lambda: answer(request), self.timeout)
        return self._waiting.result(reply, self.timeout) if inspect.isawaitable(reply) else reply


_LONGEST = 1e8
"""Seconds, three years: a clock of the system overflows at more."""


def _failed(kind: FailureKind, message: str) -> Outcome:
    return Outcome(failure=Failure(kind=kind, message=message[:_LONGEST_MESSAGE]))


def _describe(error: BaseException) -> str:
    """Type, message and the place in the system's own code."""
    place = place_in_own_code(error)
    return ": ".join(part for part in (type(error).__name__, _text_of(error)) if part) + (
        f" ({place})" if place else ""
    )


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:_LONGEST_MESSAGE]
    except Exception as second:  # noqa: BLE001 - an exception may fail to say what it is
        return f"(it cannot be shown: {type(second).__name__})"
