"""`grounded_case`: a case in the hands of a test that somebody wrote."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from pytest_grounded.errors import GroundedError
from pytest_grounded.harness.judging import judge
from pytest_grounded.harness.results import CaseResult
from pytest_grounded.model.case import Case
from pytest_grounded.model.request import Request
from pytest_grounded.model.vocabulary import CaseKind, Risk
from pytest_grounded.plugin.running import fail_unless_passed, keep, run
from pytest_grounded.plugin.session import session_of
from pytest_grounded.systems.reading import read_reply

__all__ = ["GroundedCase", "parametrize"]


class GroundedCase:
    """A case together with the system under test.

    `check()` asks the system and fails the test with the full report; `run()` asks and returns the result to look
    at; `judge(reply)` judges a reply that the test got by other means. With the fixture `trace_snapshot` the trace of
    a result is compared with the approved one: `assert grounded_case.run().trace == trace_snapshot`.
    """

    def __init__(self, case: Case, system: Any, request: pytest.FixtureRequest) -> None:
        self.case = case
        self._system = system
        self._request = request
        self._results: list[CaseResult] = []

    @classmethod
    def of(cls, request: pytest.FixtureRequest, system: Any) -> GroundedCase:
        """The case this test is parametrized with."""
        case = getattr(request, "param", None)
        if not isinstance(case, Case):
            pytest.fail("the fixture grounded_case cannot be parametrized with anything else", pytrace=False)
        return cls(case, system, request)

    def __repr__(self) -> str:
        return f"GroundedCase({self.case.suite}/{self.case.id})"

    @property
    def id(self) -> str:
        """The case's id."""
        return self.case.id

    @property
    def request(self) -> Request:
        """What the system is asked."""
        return self.case.request()

    def run(self) -> CaseResult:
        """Ask the system and judge the answer."""
        return self._kept(run(self._request, self.case, self._system))

    def judge(self, reply: Any) -> CaseResult:
        """Judge a reply: a response, a mapping, or a raw text."""
        options = session_of(self._request.config).judging
        return self._kept(keep(self._request, judge(self.case, read_reply(reply), options=options)))

    def found(self) -> tuple[str, ...]:
        """The names of the checks the case failed in this test so far: with one its trace is not approved."""
        return tuple(finding.check for result in self._results for finding in result.findings)

    def check(self, reply: Any = None) -> None:
        """Fail the test unless the case passes; with `reply`, judge that instead of asking the system."""
        result = self.run() if reply is None else self.judge(reply)
        fail_unless_passed(result, config=self._request.config)

    def _kept(self, result: CaseResult) -> CaseResult:
        self._results.append(result)
        return result


def parametrize(metafunc: pytest.Metafunc) -> None:
    """One test per case, of the kinds, suites and risks that a `grounded` marker on the test names."""
    wanted = _wanted(metafunc)
    chosen = [case for case in _all_cases(metafunc.config) if _matches(case, wanted)]
    if not chosen:
        where = ", ".join(str(root) for root in session_of(metafunc.config).cases_roots)
        which = ", ".join(f"{key}={value!r}" for key, value in wanted.items()) or "at all"
        pytest.fail(
            f"grounded_case: there is no case {which} below {where}: the test would run over nothing", pytrace=False
        )
    params = [pytest.param(case, id=f"{case.suite}/{case.id}", marks=_mark(case)) for case in chosen]
    metafunc.parametrize("grounded_case", params, indirect=True)


def _all_cases(config: pytest.Config) -> tuple[Case, ...]:
    try:
        return session_of(config).all_cases()
    except GroundedError as error:
        message = str(error)
    pytest.fail(message, pytrace=False)


def _wanted(metafunc: pytest.Metafunc) -> dict[str, Any]:
    """What the markers of the test ask for; a marker that asks for something else would select everything."""
    wanted: dict[str, Any] = {}
    for mark in metafunc.definition.iter_markers("grounded"):
        unknown = [repr(value) for value in mark.args] + [repr(key) for key in sorted(set(mark.kwargs) - _FACTS)]
        if unknown:
            pytest.fail(f"the marker grounded takes kind=, suite= and risk=, not {unknown[0]}", pytrace=False)
        wanted.update(mark.kwargs)
    for key, known in (("kind", list(CaseKind)), ("risk", list(Risk))):
        for value in _several(wanted.get(key, ())):
            if value not in known:
                near = difflib.get_close_matches(str(value), known, n=1)
                hint = f" (did you mean {near[0]!r}?)" if near else f"; there are {', '.join(known)}"
                pytest.fail(f"the marker grounded: there is no {key} {value!r}{hint}", pytrace=False)
    return wanted


_FACTS = frozenset({"kind", "suite", "risk"})


def _several(value: Any) -> Any:
    return value if isinstance(value, list | tuple | set | frozenset) else (value,)


def _matches(case: Case, wanted: dict[str, Any]) -> bool:
    facts = {"kind": case.kind.value, "suite": case.suite, "risk": case.risk.value}
    return all(facts[key] in _several(value) for key, value in wanted.items())


def _mark(case: Case) -> pytest.MarkDecorator:
    return pytest.mark.grounded(kind=case.kind.value, suite=case.suite, risk=case.risk.value)
