"""Puts a case's question, and the steps before it, to a system, live or recorded, as it is or in a variant."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from pytest_grounded.harness.variants import Variant, requests_of, variant_of
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.recorded import Recording

__all__ = ["Asked", "Asker", "Conversing", "LiveAsker", "Memo", "RecordedAsker", "map_reason_code"]


_Kept = TypeVar("_Kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of the judged question, and of the steps before it; None for a step that was not looked at.

    `elapsed_ms` is how long the judged question took where that was measured here.
    """

    outcome: Outcome
    steps: tuple[Outcome | None, ...] = ()
    elapsed_ms: float | None = None


class Asker(Protocol):
    """Asks a case of one system."""

    @property
    def is_fresh(self) -> bool:
        """Whether every scenario meets the system in its first state, so that no reply knows of another."""
        ...

    def ask(self, case: Case, *, run: int = 0, variant: Variant = Variant.LIVE) -> Asked | None:
        """What came of it; None where the variant cannot be asked."""
        ...


@runtime_checkable
class Conversing(Asker, Protocol):
    """An asker that can put any question over any corpus: that of a system that runs and takes a corpus."""

    def converse(self, requests: Sequence[Request], *, is_kept: bool = False) -> tuple[Outcome, ...]:
        """What came of several requests, sent in order to one state of the system."""
        ...


class Memo:
    """Replies over corpora without what a requester may not read: many cases ask the same of them.

    The latest `size` conversations are kept.

    >>> memo = Memo(size=1)
    >>> [memo.get(key, lambda: (key,)) for key in ("a", "a", "b")]
    [('a',), ('a',), ('b',)]
    """

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._known: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, ask: Callable[[], _Kept]) -> _Kept:
        """What is known under the key, else what asking gives, kept."""
        if key not in self._known:
            self._known[key] = ask()
            while len(self._known) > self._size:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        kept: _Kept = self._known[key]
        return kept


class LiveAsker:
    """Asks a system that runs. `fresh` makes one in its first state; without it everything goes to the same object.

    A restricted case, one with steps and every run of several meet a fresh one; plain cases share one.
    """

    def __init__(
        self, system: object, caller: Caller, *, fresh: Callable[[], object] | None = None, memo: Memo | None = None
    ) -> None:
        self.system = system
        self.caller = caller
        self.fresh = fresh
        self._memo = memo or Memo()

    @property
    def is_fresh(self) -> bool:
        """Whether there is a way to start the system anew."""
        return self.fresh is not None

    def ask(self, case: Case, *, run: int = 0, variant: Variant = Variant.LIVE) -> Asked | None:
        """Send the earlier steps in order, then the judged question."""
        sent = variant_of(case, variant)
        if sent is None:
            return None
        requests = requests_of(sent)
        is_alone = case.kind is CaseKind.RESTRICTED or bool(case.steps) or case.runs > 1

        def ask() -> Asked:
            return self._asked(self._started() if is_alone else self.system, requests)

        is_kept = variant is Variant.REDUCED and "timing" not in case.observe
        return self._memo.get((run, _transcript(requests)), ask) if is_kept else ask()

    def _asked(self, system: object, requests: Sequence[Request]) -> Asked:
        earlier = tuple(self.caller.call(system, request) for request in requests[:-1])
        started = time.perf_counter()
        outcome = self.caller.call(system, requests[-1])
        return Asked(outcome=outcome, steps=earlier, elapsed_ms=(time.perf_counter() - started) * 1000)

    def converse(self, requests: Sequence[Request], *, is_kept: bool = False) -> tuple[Outcome, ...]:
        """Send requests in order to one state; `is_kept`: the same ones are asked only once in a session."""

        def ask() -> tuple[Outcome, ...]:
            system = self._started()
            return tuple(self.caller.call(system, request) for request in requests)

        return self._memo.get(_transcript(requests), ask) if is_kept else ask()

    def _started(self) -> object:
        return self.system if self.fresh is None else self.fresh()


def _transcript(requests: Sequence[Request]) -> Hashable:
    """Everything that is sent, as a key; a corpus by its digest."""
    return tuple(
        (
            request.question,
            request.requester.model_dump_json(),
            request.as_of,
            tuple(
                (turn.role, turn.text, turn.cites, turn.requester and turn.requester.model_dump_json())
                for turn in request.history
            ),
            request.corpus.digest,
            request.corpus.ids,
        )
        for request in requests
    )


@dataclass(frozen=True, slots=True)
class RecordedAsker:
    """Looks the reply up in a recording, whose replies may be `prose`."""

    recording: Recording
    prose: bool = False

    @property
    def is_fresh(self) -> bool:
        """A recording says what came; how it came about was seen to by whoever recorded it."""
        return True

    def ask(self, case: Case, *, run: int = 0, variant: Variant = Variant.LIVE) -> Asked | None:
        """The recorded replies. Of the case itself one that is missing is a failure that says so."""
        judged = len(case.steps)
        outcome = self._reply(case, (None, judged), run, variant)
        if outcome is None and variant is not Variant.LIVE:
            return None
        steps = tuple(self._reply(case, (step,), run, variant) for step in range(judged))
        if outcome is None:
            outcome = self.recording.reply(suite=case.suite, case=case.id, run=run)
        return Asked(outcome=outcome, steps=steps)

    def _reply(self, case: Case, steps: Sequence[int | None], run: int, variant: Variant) -> Outcome | None:
        """The reply to a step; the judged one may stand under its number or under none."""
        suite, name = case.suite, variant.value
        for step in steps:
            if self.recording.find(suite=suite, case=case.id, step=step, run=run, variant=name) is not None:
                corpus = case.corpus if self.prose else None
                return self.recording.reply(
                    suite=suite, case=case.id, step=step, run=run, variant=name, prose_of=corpus
                )
        return None


def map_reason_code(outcome: Outcome, mapping: Mapping[str, str]) -> Outcome:
    """Translate a project's own reason codes into the contract's, in public and inside.

    >>> from pytest_grounded.model.response import Response
    >>> asked = Outcome(response=Response(decision="abstain", reason_code="EMPTY"))
    >>> map_reason_code(asked, {"EMPTY": "NO_EVIDENCE"}).reason_code
    'NO_EVIDENCE'
    """
    response = outcome.response
    if response is None or not mapping:
        return outcome
    public, inside = response.reason_code, response.internal.reason_code
    if public not in mapping and inside not in mapping:
        return outcome
    internal = response.internal.model_copy(update={"reason_code": mapping.get(inside, inside) if inside else inside})
    mapped = mapping.get(public, public) if public else public
    update = {"reason_code": mapped, "internal": internal}
    return Outcome(response=response.model_copy(update=update), raw=outcome.raw, observed=outcome.observed)
