import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
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


def test_a_system_that_exits_is_a_failure_of_the_system(caller: Caller) -> None:
    def leaving(_: Request) -> None:
        raise SystemExit(3)

    outcome = caller.call(leaving, REQUEST)
    assert outcome.failure is not None
    assert outcome.failure.message == "SystemExit: 3"


def test_a_skip_and_an_interrupt_pass_through(caller: Caller) -> None:
    def skipping(_: Request) -> None:
        pytest.skip("no model here")

    def interrupted(_: Request) -> None:
        raise KeyboardInterrupt

    with pytest.raises(pytest.skip.Exception):
        caller.call(skipping, REQUEST)
    with pytest.raises(KeyboardInterrupt):
        caller.call(interrupted, REQUEST)


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


@pytest.mark.parametrize("system", [stubborn, stuck])
def test_a_call_that_takes_too_long_is_a_timeout(system: object) -> None:
    with Caller(timeout=0.05) as caller:
        outcome = caller.call(system, REQUEST)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TIMEOUT
    assert "0.05 s" in outcome.failure.message


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
