"""Plants a fault, asks cases, and tells which of them notice it: what they find with the fault and not without.

A fault is planted in the reference pipeline with a suite's settings, or in the replies of a system of one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.asking import LiveAsker
from pytest_grounded.harness.examining import examine
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.model.case import Case
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Failure, Outcome
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import Owner
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.calling import Caller
from pytest_grounded.systems.restarting import Restartable, fresh_maker
from pytest_grounded.testing.planting import Build, Edit, Fault, Parts, replaced

__all__ = ["Noticed", "Trial", "run_fault"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """A case that noticed a fault, and what it found."""

    case: str
    findings: tuple[Finding, ...]
    suite: str = ""

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Whose failure it was found to be, each once."""
        return tuple(dict.fromkeys(finding.owner for finding in self.findings))

    @property
    def checks(self) -> tuple[str, ...]:
        """The names of the checks that found something, each once."""
        return tuple(dict.fromkeys(finding.check for finding in self.findings))


def run_fault(
    broken: Fault,
    cases: Iterable[Case],
    *,
    settings: Callable[[Case], PipelineSettings] | None = None,
    parts: Parts | None = None,
    system: object | None = None,
    leaks: LeakOptions | None = None,
) -> Iterator[Noticed]:
    """Ask every case of a system with the fault; yields each case that finds anything it does not find without.

    Each case is judged as in a run: a restricted one is asked over the readable corpus, too, and with probes (`leaks`).
    What it is planted in is said as to a `Trial`; for several faults, one of these is quicker.
    """
    return Trial(settings=settings, parts=parts, system=system, leaks=leaks).noticed(broken, cases)


class Trial:
    """What faults are planted in; what a case finds without any is looked up once.

    `parts` are those of a pipeline of your own that is built of the reference stages, such as its generator; `settings`
    gives the settings for a case's suite, before theirs. `system` is any other, as a run would name it: only a fault
    that changes a reply (`Fault.edit`) can be planted in it; one that breaks a stage raises GroundedError.

    `asked` are the cases such a system was asked (suite and id), `failed` those of them in which it failed by itself,
    with its first failure there.
    """

    def __init__(
        self,
        *,
        settings: Callable[[Case], PipelineSettings] | None = None,
        parts: Parts | None = None,
        system: object | None = None,
        leaks: LeakOptions | None = None,
    ) -> None:
        if system is not None and parts is not None:
            raise GroundedError(
                "faults are planted in a pipeline of these parts or in another system: give one of them"
            )
        built_of = parts or Parts()
        self._parts = (lambda _: built_of) if settings is None else partial(_with_settings, built_of, settings)
        self._system = system
        self._leaks = leaks
        self._found_clean: dict[tuple[str, str], frozenset[str]] = {}
        self.asked: set[tuple[str, str]] = set()
        self.failed: dict[tuple[str, str], tuple[Case, Failure]] = {}

    def noticed(self, broken: Fault, cases: Iterable[Case]) -> Iterator[Noticed]:
        """The cases that find something with the fault that they do not find without it."""
        with _Askers.of(broken, self._system, self._parts) as askers:
            for case in cases:
                findings = examine(case, askers.for_case(case), leaks=self._leaks).findings
                if self._system is not None:
                    self._note(case, askers.failure())
                known = self.found_clean(case) if findings else frozenset[str]()
                new = tuple(one for one in findings if one.check not in known)
                if new:
                    yield Noticed(case=case.id, suite=case.suite, findings=new)

    def _note(self, case: Case, failure: Failure | None) -> None:
        key = (case.suite, case.id)
        self.asked.add(key)
        if failure is not None:
            self.failed.setdefault(key, (case, failure))

    def found_clean(self, case: Case) -> frozenset[str]:
        """The checks that find something in a case without any fault; none where it passes."""
        key = (case.suite, case.id)
        if key not in self._found_clean:
            with _Askers(Parts.assembled, self._system, self._parts) as askers:
                findings = examine(case, askers.for_case(case), leaks=self._leaks).findings
            self._found_clean[key] = frozenset(finding.check for finding in findings)
        return self._found_clean[key]


def _with_settings(parts: Parts, settings: Callable[[Case], PipelineSettings], case: Case) -> Parts:
    return replace(parts, settings=settings(case))


class _Askers:
    """Asks cases of systems that are alike but for the settings of the suite."""

    def __init__(
        self,
        build: Build,
        system: object | None,
        parts: Callable[[Case], Parts],
        edit: Edit | None = None,
    ) -> None:
        self._build = build
        self._system = system
        self._parts = parts
        self._caller = _TrialCaller(edit)
        self._known: dict[str, LiveAsker] = {}

    @classmethod
    def of(cls, broken: Fault, system: object | None, parts: Callable[[Case], Parts]) -> _Askers:
        """Askers of what is broken: the pipeline with the fault, or the system with its replies changed."""
        if system is None:
            return cls(broken.build, None, parts)
        if broken.edit is None:
            raise GroundedError(
                f"fault {broken.name!r} breaks the stage {broken.stage} of the reference pipeline: only a fault that "
                "changes a reply can be planted in another system"
            )
        return cls(Parts.assembled, system, parts, broken.edit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._caller.close()

    def for_case(self, case: Case) -> LiveAsker:
        """The asker for a case's suite."""
        parts = self._parts(case)
        key = parts.settings.digest if self._system is None else ""
        if key not in self._known:
            system = Restartable(partial(self._build, parts)) if self._system is None else self._system
            self._known[key] = LiveAsker(system, self._caller, fresh=fresh_maker(system))
        return self._known[key]

    def failure(self) -> Failure | None:
        """How a system failed by itself since this was asked last, before anything was changed in its replies."""
        failure, self._caller.failure = self._caller.failure, None
        return failure


class _TrialCaller(Caller):
    """Calls a system and changes what it replied; a failure stays what it is.

    Times are those a reply states. What the clock says differs from run to run, so that it would be noticed, or known,
    by chance.
    """

    def __init__(self, edit: Edit | None) -> None:
        super().__init__()
        self._edit = edit
        self.failure: Failure | None = None

    def call(self, system: object, request: Request) -> Outcome:
        """Ask once, and change the reply."""
        plain = super().call(system, request)
        self.failure = self.failure or plain.failure
        outcome = self._changed(plain, request)
        response = outcome.response
        if response is None or response.internal.timings is not None:
            return outcome
        internal = response.internal.model_copy(update={"timings": {"total_ms": 0.0}})
        return replace(outcome, response=replaced(response, internal=internal))

    def _changed(self, outcome: Outcome, request: Request) -> Outcome:
        edit, response = self._edit, outcome.response
        if edit is None or response is None:
            return outcome
        spoilt = super().call(lambda _: edit(response, request), request)
        return replace(spoilt, decision_stated=outcome.decision_stated)
