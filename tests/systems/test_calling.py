import asyncio
import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import ANONYMOUS
from pytest_grounded.model.outcome import FailureKind
from pytest_grounded.model.request import Request
from pytest_grounded.systems.calling import Caller, answer_function

REQUEST = Request(question="How much?", requester=ANONYMOUS, as_of=date(2024, 10, 1))
ABSTAIN = {"decision": "abstain", "reason_code": "NO_EVIDENCE"}


@pytest.fixture
def caller() -> Iterator[Caller]:
    with Caller(timeout=5) as made:
        yield made


class Assistant:
    def answer(self, request: Request) -> dict[str, Any]:
        return {**ABSTAIN, "text": request.question}


class AsyncAssistant:
    async def answer(self, request: Request) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {**ABSTAIN, "text": request.question}


async def answer_later(request: Request) -> dict[str, Any]:
    return {**ABSTAIN, "text": request.question}


@pytest.mark.parametrize(
    "system",
    [Assistant(), AsyncAssistant(), answer_later, lambda _: ABSTAIN],
    ids=["object", "async object", "async", "sync"],
)
def test_every_form_of_system_is_called(caller: Caller, system: object) -> None:
    assert caller.call(system, REQUEST).decision == "abstain"


def test_one_event_loop_serves_every_async_call(caller: Caller) -> None:
    loops = []

    async def answer(_: Request) -> dict[str, str]:
        loops.append(asyncio.get_running_loop())
        return ABSTAIN

    caller.call(answer, REQUEST)
    caller.call(answer, REQUEST)
    assert loops[0] is loops[1]


def test_an_async_system_is_called_from_inside_a_running_loop(caller: Caller) -> None:
    async def test() -> str | None:
        return caller.call(answer_later, REQUEST).decision

    assert asyncio.run(test()) == "abstain"


def test_a_crash_is_an_outcome_that_names_the_place_in_the_system(caller: Caller) -> None:
    def broken(_: Request) -> None:
        raise KeyError("index")

    outcome = caller.call(broken, REQUEST)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.EXCEPTION
    assert "KeyError: 'index'" in outcome.failure.message
    assert "in broken" in outcome.failure.message


def raising(error: BaseException) -> Callable[[Request], None]:
    def answer(_: Request) -> None:
        raise error

    return answer


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def with_note_and_cause() -> BaseException:
    error = ValueError("outer")
    error.__cause__ = ValueError("inner")
    error.add_note("noted")
    return error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(SystemExit(3), "SystemExit: 3", id="exit"),
        pytest.param(GeneratorExit("stop"), "GeneratorExit: stop", id="generator exit"),
        pytest.param(BaseException("base"), "BaseException: base", id="base"),
        pytest.param(asyncio.CancelledError(), "CancelledError", id="cancelled"),
        pytest.param(pytest.fail.Exception("failed"), "Failed: failed", id="fail of the test runner's"),
        pytest.param(pytest.xfail.Exception("known"), "XFailed: known", id="excuse of the test runner's"),
        pytest.param(BaseExceptionGroup("both", [SystemExit(1)]), "BaseExceptionGroup: both (1 sub-", id="group"),
        pytest.param(UnspeakableError(), "UnspeakableError: (it cannot be shown: ValueError)", id="no text"),
        pytest.param(with_note_and_cause(), "ValueError: outer", id="notes and causes are left out"),
    ],
)
def test_whatever_the_system_raises_is_its_failure(caller: Caller, error: BaseException, message: str) -> None:
    outcome = caller.call(raising(error), REQUEST)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.EXCEPTION
    assert outcome.failure.message.startswith(message)
    assert "inner" not in outcome.failure.message
    assert "noted" not in outcome.failure.message


def test_what_the_test_runner_raises_passes_through() -> None:
    with Caller(passing=(pytest.skip.Exception,)) as caller, pytest.raises(pytest.skip.Exception):
        caller.call(raising(pytest.skip.Exception("no model here")), REQUEST)


def test_an_interrupt_passes_through_without_its_text_and_what_raised_it(caller: Caller) -> None:
    def interrupted(_: Request) -> None:
        raise KeyboardInterrupt("secret") from ValueError("secret")

    with pytest.raises(KeyboardInterrupt) as caught:
        caller.call(interrupted, REQUEST)
    assert caught.value.args == ()
    assert caught.value.__context__ is None
    assert "interrupted" not in {entry.name for entry in caught.traceback}


class HostileMapping(dict[str, Any]):
    def keys(self) -> Any:
        raise RuntimeError("no keys")

    def __iter__(self) -> Any:
        raise RuntimeError("no keys")


class HostileObject:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@pytest.mark.parametrize(
    "reply",
    [HostileMapping(a=1), {"decision": HostileObject()}, {"decision": "answer", "text": HostileObject()}, HostileObject()],
    ids=["mapping", "decision", "text", "object"],
)  # fmt: skip
def test_a_reply_that_fails_when_it_is_read_is_a_failure(caller: Caller, reply: object) -> None:
    outcome = caller.call(lambda _: reply, REQUEST)
    assert outcome.failure is not None
    json.dumps(outcome.raw)


def stubborn(_: Request) -> dict[str, str]:
    """Wait long, and swallow every ordinary exception."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with contextlib.suppress(Exception):
            time.sleep(1)
    return ABSTAIN


async def stuck(_: Request) -> dict[str, str]:
    await asyncio.sleep(30)
    return ABSTAIN


def swallowing(_: Request) -> dict[str, str]:
    """Swallow whatever comes, in a loop inside a loop."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            while time.monotonic() < deadline:
                try:
                    time.sleep(1)
                except BaseException:  # noqa: BLE001, S112
                    continue
        except BaseException:  # noqa: BLE001, S112
            continue
    return ABSTAIN


async def blocking(request: Request) -> dict[str, str]:
    return swallowing(request)


async def refusing_to_be_cancelled(_: Request) -> dict[str, str]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with contextlib.suppress(BaseException):
            await asyncio.sleep(1)
    return ABSTAIN


def late(_: Request) -> dict[str, str]:
    with contextlib.suppress(BaseException):
        time.sleep(1)
    return ABSTAIN


SLOW = [stubborn, stuck, swallowing, blocking, refusing_to_be_cancelled, late]


@pytest.mark.parametrize("system", SLOW)
def test_a_call_that_takes_too_long_is_a_timeout(system: object) -> None:
    with Caller(timeout=0.05) as caller:
        outcome = caller.call(system, REQUEST)
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.TIMEOUT
        assert "0.05 s" in outcome.failure.message
        assert caller.call(answer_later, REQUEST).decision == "abstain"


def test_a_call_may_tidy_up_when_its_time_is_over() -> None:
    tidied: list[int] = []

    def tidy(_: Request) -> None:
        try:
            time.sleep(10)
        finally:
            tidied.extend(range(1000))

    with Caller(timeout=0.05) as caller:
        assert caller.call(tidy, REQUEST).failure
    assert len(tidied) == 1000


def test_a_call_outside_the_main_thread_is_limited_too() -> None:
    outcomes = []
    with Caller(timeout=0.05) as caller:
        thread = threading.Thread(target=lambda: outcomes.append(caller.call(stubborn, REQUEST)))
        thread.start()
        thread.join(10)
    assert outcomes[0].failure
    assert outcomes[0].failure.kind is FailureKind.TIMEOUT


def test_a_timeout_of_the_systems_own_is_its_exception(caller: Caller) -> None:
    def own(_: Request) -> None:
        raise TimeoutError("the model did not reply")

    outcome = caller.call(own, REQUEST)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.EXCEPTION
    assert "the model did not reply" in outcome.failure.message


def test_a_system_may_use_what_was_made_in_the_main_thread(caller: Caller) -> None:
    connection = sqlite3.connect(":memory:")
    outcome = caller.call(lambda _: ABSTAIN if connection.execute("select 1").fetchone() else None, REQUEST)
    connection.close()
    assert outcome.decision == "abstain"


def test_an_earlier_alarm_of_somebody_else_stays_in_force() -> None:
    import signal

    rung = []
    earlier = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with Caller(timeout=5) as caller:
            caller.call(lambda _: ABSTAIN, REQUEST)
        deadline = time.monotonic() + 5
        while not rung and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
    assert rung


@pytest.mark.parametrize(
    ("system", "message"),
    [(Assistant, "is the class 'Assistant'"), (7, "is an int"), ("text", "is a str")],
    ids=["class", "number", "text"],
)
def test_what_cannot_be_a_system_is_refused_with_what_to_give_instead(system: object, message: str) -> None:
    with pytest.raises(SystemContractError, match=message):
        answer_function(system)
