"""The runs of a case over the whole corpus, and over the corpus without what its requester may not read.

Each run is asked for when it is first looked at, and only once. What is observed of it leaves out what the case leaves
out; reason codes are the contract's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_grounded.harness.asking import Asked, Asker, Conversing, map_reason_code
from pytest_grounded.harness.observation import Observed, Scope, observe
from pytest_grounded.harness.variants import Variant, requests_of, variant_of
from pytest_grounded.model.case import Case
from pytest_grounded.model.outcome import FailureKind, Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import ReasonCode

__all__ = ["Replays", "has_failed", "is_missing"]


class Replays:
    """Runs of one case in its variants. `asker` is None where only given replies are judged.

    `calls` counts the requests to a system that runs, those included whose reply was known: the same in every run.
    """

    def __init__(self, case: Case, asker: Asker | None, reason_codes: Mapping[str, str] | None = None) -> None:
        self.case = case
        self.scope = Scope.of(case.observe)
        self.asker = asker
        self.calls = 0
        self._codes = reason_codes or {}
        self._asked: dict[tuple[Variant, int], Asked | None] = {}

    @property
    def live_asker(self) -> Conversing | None:
        """The asker, where it can put further questions over other corpora."""
        return self.asker if isinstance(self.asker, Conversing) else None

    @property
    def is_fresh(self) -> bool:
        """Whether no reply can know of another."""
        return self.asker is None or self.asker.is_fresh

    def give(self, outcome: Outcome) -> None:
        """Take a reply that was got by other means for the first run."""
        self._asked[Variant.LIVE, 0] = Asked(outcome=outcome)

    def ask(self, variant: Variant, run: int = 0) -> Asked | None:
        """What came of a run; None where it cannot be asked or was not recorded."""
        key = (variant, run)
        if key not in self._asked:
            asked = None if self.asker is None else self.asker.ask(self.case, run=run, variant=variant)
            self._asked[key] = asked and self._mapped(asked)
            if asked is not None and self.live_asker is not None:
                self.calls += 1 + len(self.case.steps)
        return self._asked[key]

    def outcome(self, variant: Variant, run: int = 0) -> Outcome | None:
        """The judged reply of a run."""
        asked = self.ask(variant, run)
        return None if asked is None else asked.outcome

    def outcomes(self, variant: Variant, runs: int) -> tuple[Outcome, ...]:
        """The judged replies of the runs there are, of so many."""
        found = (self.outcome(variant, run) for run in range(runs))
        return tuple(one for one in found if one is not None and not is_missing(one))

    def asked_so_far(self, variant: Variant) -> tuple[Asked, ...]:
        """The runs that were looked at, in their order."""
        keys = sorted(run for one, run in self._asked if one is variant)
        return tuple(asked for run in keys if (asked := self._asked[variant, run]) is not None)

    def observed(self, outcome: Outcome) -> Observed:
        """What can be observed of a reply."""
        return observe(outcome, self.scope, digests=self._digests)

    def converse(self, requests: Sequence[Request], *, is_kept: bool = False) -> tuple[Outcome, ...]:
        """What came of requests sent in order to one state of the system."""
        if self.live_asker is None:
            raise LookupError("this system cannot be asked anything else")
        self.calls += len(requests)
        outcomes = self.live_asker.converse(requests, is_kept=is_kept)
        return tuple(map_reason_code(outcome, self._codes) for outcome in outcomes)

    def requests(self, variant: Variant) -> tuple[Request, ...]:
        """What is sent for a variant that is always there."""
        sent = variant_of(self.case, variant)
        return requests_of(sent) if sent is not None else ()

    @property
    def _digests(self) -> frozenset[str]:
        view = self.case.view
        return frozenset((view.corpus.digest, view.present.digest, view.readable_corpus.digest))

    def _mapped(self, asked: Asked) -> Asked:
        steps = tuple(step and map_reason_code(step, self._codes) for step in asked.steps)
        return Asked(outcome=map_reason_code(asked.outcome, self._codes), steps=steps, elapsed_ms=asked.elapsed_ms)


def has_failed(outcome: Outcome) -> bool:
    """Whether the system failed, or says itself that it did."""
    return outcome.response is None or outcome.reason_code == ReasonCode.SYSTEM_FAILURE


def is_missing(outcome: Outcome) -> bool:
    """Whether no reply was recorded where one was looked for."""
    return outcome.failure is not None and outcome.failure.kind is FailureKind.NOT_RECORDED
