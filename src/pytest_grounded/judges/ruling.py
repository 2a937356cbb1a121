"""When does a judge's word count? When several calls agree, or a kept verdict of the same version says so."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounded.judges.verdicts import KeptVerdict, Verdicts, verdict_key
from pytest_grounded.model.support import JudgeFailedError, Ruling, SupportJudge, SupportVerdict

__all__ = ["Jury"]

_CALLS = 3


class Jury:
    """Rules on claims with one judge: a kept verdict, or `calls` calls that all say the same.

    `measured` says in words what the error of the judge in this version is; where that is not known, nothing is ruled
    by it.

    >>> from pytest_grounded.judges.rules import RulesJudge
    >>> jury = Jury(RulesJudge(), measured="TPR 38%, TNR 15%")
    >>> ruling = jury.rule("The limit is $180.", ["The limit is $180."])
    >>> ruling.verdict, ruling.calls, jury.rule("The limit is $180.", ["The limit is $180."]).cached
    ('support', 3, True)
    """

    def __init__(
        self, judge: SupportJudge, *, verdicts: Verdicts | None = None, measured: str | None = None, calls: int = _CALLS
    ) -> None:
        self.judge = judge
        self.verdicts = Verdicts() if verdicts is None else verdicts
        self.measured = measured
        self._calls = calls

    def rule(self, claim: str, evidence: Sequence[str]) -> Ruling:
        """What the judge says of the claim, as far as it may be gone by."""
        if self.measured is None:
            return self._none("its error is not measured: see `pytest-grounded judge`")
        key = verdict_key(self.judge, claim, evidence)
        kept = self.verdicts.get(key)
        if kept is not None and kept != "unsure":
            return self._ruling(kept, key, cached=True)
        said: list[SupportVerdict] = []
        for _ in range(self._calls):
            try:
                said.append(self.judge.judge(claim, evidence))
            except JudgeFailedError as error:
                return self._none(f"no verdict came: {error.kind}", calls=len(said) + 1)
            if said[-1] == "unsure" or said[-1] != said[0]:
                break
        if said[-1] == "unsure":
            return self._none("it is unsure", calls=len(said))
        if len(set(said)) > 1:
            return self._none(f"its answers differ: {', '.join(said)}", calls=len(said))
        kept_now = KeptVerdict(judge=self.judge.name, version=self.judge.version, key=key, verdict=said[0])
        self.verdicts.learn(kept_now)
        return self._ruling(said[0], key, calls=len(said))

    def _ruling(self, verdict: SupportVerdict, key: str, *, calls: int = 0, cached: bool = False) -> Ruling:
        assert verdict != "unsure"
        return Ruling(
            verdict=verdict,
            judge=self.judge.name,
            version=self.judge.version,
            calls=calls,
            cached=cached,
            key=key,
        )

    def _none(self, reason: str, *, calls: int = 0) -> Ruling:
        return Ruling(verdict=None, judge=self.judge.name, version=self.judge.version, reason=reason, calls=calls)
