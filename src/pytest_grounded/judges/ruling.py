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
    >>> ruling.verdict, ruling.calls, ruling.cached
    ('support', 3, False)
    """

    def __init__(
        self, judge: SupportJudge, *, verdicts: Verdicts | None = None, measured: str | None = None, calls: int = _CALLS
    ) -> None:
        self.judge = judge
        self.verdicts = Verdicts() if verdicts is None else verdicts
        self.measured = measured
        self._calls = calls
        self._ruled: dict[str, Ruling] = {}

    def rule(self, claim: str, evidence: Sequence[str]) -> Ruling:
        """What the judge says of the claim, as far as it may be gone by; the same each time it is asked the same."""
        if self.measured is None:
            return self._none("its error is not measured: see `pytest-grounded judge`")
        key = verdict_key(self.judge, claim, evidence)
        if key not in self._ruled:
            kept = self.verdicts.get(key)
            known = kept is not None and kept != "unsure"
            self._ruled[key] = self._ruling(kept, key, cached=True) if known else self._asked(claim, evidence, key)
        return self._ruled[key]

    def _asked(self, claim: str, evidence: Sequence[str], key: str) -> Ruling:
        said: list[SupportVerdict] = []
        for _ in range(self._calls):
            try:
                said.append(self.judge.judge(claim, evidence))
            except JudgeFailedError as error:
                return self._none(f"no verdict came: {error}", calls=len(said) + 1)
            if said[-1] == "unsure":
                return self._none("it is unsure", calls=len(said))
            if said[-1] != said[0]:
                return self._none(f"its answers differ: {', '.join(said)}", calls=len(said))
        self.verdicts.learn(KeptVerdict(judge=self.judge.name, version=self.judge.version, key=key, verdict=said[0]))
        return self._ruling(said[0], key, calls=len(said))

    def _ruling(self, verdict: SupportVerdict | None, key: str, *, calls: int = 0, cached: bool = False) -> Ruling:
        assert verdict != "unsure"
        return Ruling(
            verdict=verdict,
            judge=self.judge.name,
            version=self.judge.version,
            calls=calls,
            cached=cached,
            key=key,
            error=self.measured or "",
        )

    def _none(self, reason: str, *, calls: int = 0) -> Ruling:
        return Ruling(
            verdict=None,
            judge=self.judge.name,
            version=self.judge.version,
            reason=reason,
            calls=calls,
            error=self.measured or "",
        )
