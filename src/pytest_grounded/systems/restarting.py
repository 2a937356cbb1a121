"""A system that can be started anew, so that one conversation with it does not colour the next.

Caches, memory and indexes are state. Two replies can only be compared where each came from a system in its first
state: give the harness a way to make one, and it does so for every scenario and every run of a restricted case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_grounded.model.request import Request
from pytest_grounded.systems.calling import answer_function

__all__ = ["Restartable", "fresh_maker"]


class Restartable:
    """A system made by a function that takes nothing and gives a system in its first state.

    Plain cases share one instance, made when it is first asked. An object of your own does as well: all that counts is
    a method `fresh()` beside `answer(request)`.

    >>> class Counting:
    ...     asked = 0
    ...
    ...     def answer(self, request):
    ...         self.asked += 1
    ...         return {"decision": "abstain", "text": f"question {self.asked}"}
    >>> system = Restartable(Counting)
    >>> [one.answer(None)["text"] for one in (system, system, system.fresh())]
    ['question 1', 'question 2', 'question 1']
    """

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make
        self._answer: Callable[[Request], Any] | None = None

    def answer(self, request: Request) -> Any:
        """Ask the shared instance; what an async system gives back is to be awaited."""
        if self._answer is None:
            self._answer = answer_function(self.fresh())
        return self._answer(request)

    def fresh(self) -> object:
        """A new instance: empty caches, no memory."""
        return self._make()


def fresh_maker(system: object) -> Callable[[], object] | None:
    """The system's own way to make one in its first state; None where it has none.

    >>> fresh_maker(Restartable(lambda: len))() is len, fresh_maker(len)
    (True, None)
    """
    maker = getattr(system, "fresh", None)
    return maker if callable(maker) else None
