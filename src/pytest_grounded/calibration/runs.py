"""What did a run say? The results file of `pytest --grounded-results`, one line a case, as a comparison reads it.

Nothing is guessed: a line that was cut off, a case that stands twice, a verdict that is none are errors with their
line, every one of a file at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.json_lines import LineReader, decoded, numbered, shortened, shown
from pytest_grounded.errors import Problem

__all__ = ["CaseRun", "Run", "read_run"]

_CODE = "compare.results"
_VERDICTS = ("pass", "fail", "inconclusive", "error")
_SCALARS = (str, int, float, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """One case of a run. Of `runs` repetitions `passed_runs` passed; `recall` and `precision` are of cited evidence.

    `judge` is the support judge that was asked, as name/version; of `n_ruled` rulings `n_supported` are support.
    `versions` are what the system says of itself, a setting by its path (`settings.gate.coverage`).
    """

    case: str
    kind: str = ""
    risk: str = ""
    group: str = ""
    verdict: str
    checks: tuple[str, ...] = ()
    decision: str | None = None
    reason_code: str | None = None
    cited: tuple[str, ...] = ()
    score: float | None = None
    score_name: str | None = None
    correct: int | None = None
    recall: float | None = None
    precision: float | None = None
    runs: int = 1
    passed_runs: int = 0
    judge: str | None = None
    n_ruled: int = 0
    n_supported: int = 0
    corpus: str | None = None
    versions: tuple[tuple[str, str], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it passed; what was inconclusive did not."""
        return self.verdict == "pass"

    @property
    def answers(self) -> bool:
        """Whether something was answered, wholly or in part."""
        return self.decision in ("answer", "partial")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The cases of a results file in order of their ids, whatever order the file had."""

    cases: tuple[CaseRun, ...]
    name: str = "results"
    by_id: Mapping[str, CaseRun] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {case.case: case for case in self.cases})

    @property
    def judges(self) -> tuple[str, ...]:
        """The support judges it asked, as name/version."""
        return tuple(sorted({case.judge for case in self.cases if case.judge}))

    def versions(self, key: str) -> tuple[str, ...]:
        """What the cases say of one version, sorted; what is not said is left out."""
        said = {case.versions for case in self.cases}
        return tuple(sorted({value for versions in said for name, value in versions if name == key}))


def read_run(raw_lines: Iterable[bytes], *, name: str = "results") -> Run:
    """Read the lines that `--grounded-results` wrote; raises `CalibrationError` with every fault of the file.

    Needed: `case` (with `suite`, where there is one) and `verdict`; what else a comparison uses may be missing. Other
    keys are passed over.

    >>> run = read_run([b'{"case": "b", "verdict": "pass"}', b'{"case": "a", "suite": "s", "verdict": "fail"}'])
    >>> [(case.case, case.passed) for case in run.cases]
    [('b', True), ('s/a', False)]
    >>> read_run([b'{"case": "a", "verd'])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: results:1: is not JSON: unterminated string ...
    """
    problems: list[Problem] = []
    cases: dict[str, CaseRun] = {}
    lines: dict[str, int] = {}
    for number, line in numbered(raw_lines):
        reader = _Reader(name=name, line=number)
        case = reader.case_of(line)
        if case is not None and case.case in lines:
            reader.add("", f"stands twice, first in line {lines[case.case]} (compare the files of single runs)")
        problems.extend(reader.problems)
        if case is not None and not reader.problems:
            cases[case.case], lines[case.case] = case, number
    if not cases and not problems:
        problems.append(Problem(message="holds no case (needs what `--grounded-results` wrote)", file=name, code=_CODE))
    if problems:
        raise CalibrationError(shortened(problems, name))
    return Run(cases=tuple(cases[case] for case in sorted(cases)), name=name)


@dataclass(slots=True)
class _Reader(LineReader):
    """Reads one line."""

    code = _CODE

    def case_of(self, line: bytes) -> CaseRun | None:
        try:
            value = decoded(line)
        except ValueError as error:
            self.add("", str(error))
            return None
        case, suite = value.get("case"), value.get("suite")
        if not isinstance(case, str) or not case:
            self.add("case", f"is {shown(case)} (needs the id of the case: what `--grounded-results` wrote)")
            return None
        self.id = f"{suite}/{case}" if suite else case
        verdict = value.get("verdict")
        if verdict not in _VERDICTS:
            self.add("verdict", f"is {shown(verdict)} (needs one of {', '.join(_VERDICTS)})")
            return None
        runs = self._count(value, "runs", 1)
        passed = self._count(value, "passed_runs", runs if verdict == "pass" else 0)
        if passed > runs:
            self.add("passed_runs", f"is {passed}, more than the {runs} runs (needs the file as it was written)")
        return CaseRun(
            case=self.id,
            verdict=str(verdict),
            kind=self._text(value, "kind") or "not said",
            risk=self._text(value, "risk") or "",
            group=f"{suite}/{group}" if suite and (group := self._text(value, "group")) else self.id,
            checks=tuple(sorted(_checks(value))),
            decision=self._text(value, "decision"),
            reason_code=self._text(value, "reason_code"),
            cited=tuple(sorted(_cited(value))),
            score=self._number(value, "score"),
            score_name=self._text(value, "score_name"),
            correct=self._label(value, "correct"),
            recall=_figure(value, "recall"),
            precision=_figure(value, "precision"),
            runs=runs,
            passed_runs=passed,
            corpus=self._text(value, "corpus"),
            versions=tuple(_versions(value)),
            **_judge(value),
        )

    def _text(self, value: Mapping[str, Any], key: str) -> str | None:
        found = value.get(key)
        if found is None or isinstance(found, str):
            return found
        self.add(key, f"is {shown(found)} (needs text)")
        return None

    def _number(self, value: Mapping[str, Any], key: str) -> float | None:
        found = value.get(key)
        if found is None:
            return None
        if isinstance(found, int | float) and not isinstance(found, bool) and abs(found) < float("inf"):
            return float(found)
        self.add(key, f"is {shown(found)} (needs a finite number or null)")
        return None

    def _label(self, value: Mapping[str, Any], key: str) -> int | None:
        found = value.get(key)
        if found is None or (isinstance(found, bool | int) and found in (0, 1)):
            return None if found is None else int(found)
        self.add(key, f"is {shown(found)} (needs 0, 1 or null)")
        return None

    def _count(self, value: Mapping[str, Any], key: str, default: int) -> int:
        found = value.get(key)
        if found is None:
            return default
        if type(found) is int and found >= (key == "runs"):
            return found
        self.add(key, f"is {shown(found)} (needs a whole number)")
        return default


def _checks(value: Mapping[str, Any]) -> Iterator[str]:
    for finding in _list(value.get("findings")):
        if isinstance(finding, dict) and isinstance(finding.get("check"), str):
            yield finding["check"]


def _cited(value: Mapping[str, Any]) -> set[str]:
    response = value.get("response")
    claims = _list(response.get("claims")) if isinstance(response, dict) else []
    citations = (one for claim in claims if isinstance(claim, dict) for one in _list(claim.get("citations")))
    return {one["chunk"] for one in citations if isinstance(one, dict) and isinstance(one.get("chunk"), str)}


def _figure(value: Mapping[str, Any], name: str) -> float | None:
    evidence = value.get("evidence")
    cited = evidence.get("cited") if isinstance(evidence, dict) else None
    found = cited.get(name) if isinstance(cited, dict) else None
    return float(found) if isinstance(found, int | float) and 0 <= found <= 1 else None


def _judge(value: Mapping[str, Any]) -> dict[str, Any]:
    found = value.get("judge")
    if not isinstance(found, dict):
        return {}
    rulings = [one for one in _list(found.get("rulings")) if isinstance(one, dict)]
    return {
        "judge": f"{found.get('name')}/{found.get('version')}",
        "n_ruled": len(rulings),
        "n_supported": sum(one.get("verdict") == "support" for one in rulings),
    }


def _versions(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    found = value.get("versions")
    for key, version in sorted(found.items()) if isinstance(found, dict) else ():
        if isinstance(version, _SCALARS):
            yield key, str(version)
        elif isinstance(version, dict):
            yield from _settings(key, version)


def _settings(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Each setting by its path, so that a comparison can name the one that was changed; lists as they are written."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from _settings(f"{path}.{key}", value[key])
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
